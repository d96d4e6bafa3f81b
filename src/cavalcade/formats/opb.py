"""A proof by steps, for public checkers: a pseudo-Boolean formula, and next to it a VeriPB proof.

Variable k is true if the tour uses edge k of the graph. Two families of inequalities describe a tour: every
vertex has two edges, and at least two edges leave every proper set of vertices. A rule adds some of these
inequalities up, as in cutting planes (Cook, Coullard & Turán 1987), or follows by unit propagation. So an
argument about colours or about the parts that a cut leaves takes one line, which a SAT solver cannot do.
VeriPB reads such proofs (Gocht & Nordström 2021).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from cavalcade.answers.certificate import Certificate, Step, StepProof
from cavalcade.checking.present import FORCED, OPEN, OUT, Ints, PresentGraph
from cavalcade.checking.rules import DEDUCTIONS, RULES, subject
from cavalcade.ground.errors import FormatError
from cavalcade.ground.storage import write_file

UNIT = {"forced", "saturated", "degree", "three"}  # rules that follow by unit propagation in the formula
SUMS = {"tight", "hall", "factor", "colours", "tight_cut", "cut", "parity", "linear"}  # sums of inequalities
CUTS = {"subtour", "cycle", "reach"}  # rules that follow by unit propagation with one more cut
ONE_WAY = {"tight", "hall", "reach"}  # rules that count one direction only on directed graphs


def save(certificate: Certificate, path: str | os.PathLike[str]) -> None:
    """Write the formula to a file, and the proof to a second file that ends in `.pbp`.

    Args:
        certificate: a proof by steps that `verify` accepts.
        path: the file of the formula.

    Raises:
        FormatError: the proof is of another kind, a rule cannot be written as inequalities, or a file cannot
            be written.
    """
    formula, proof = export(certificate)
    write_file(Path(path).with_suffix(".pbp"), proof)
    write_file(path, formula)


def export(certificate: Certificate) -> tuple[str, str]:
    """The formula in OPB format, and the proof in version 2.0 of VeriPB's format.

    Raises:
        FormatError: as for `save`.
    """
    if not isinstance(certificate.proof, StepProof):
        raise FormatError(f"it is a proof by {certificate.method}, expected one by steps: try .cnf")
    present = PresentGraph(certificate.question, certificate.name, certificate.weight_limit)
    derivation = _Derivation(present)
    derivation.follow(certificate.proof.steps)
    return derivation.formula(), derivation.proof()


class _Derivation:
    """The lines of a proof, written step by step.

    VeriPB numbers the inequalities of the formula first and the lines of the proof after them. Until all
    inequalities are known, `#k` stands for the number of line k of the proof, from 1.

    Attributes:
        present: the graph with the edges that the steps have decided.
        edges: the ends of each edge, shape (edges, 2).
        lines: the lines of the proof.
        cuts: the number of the inequality of each set of vertices that a step uses.
        facts: the line that proves the status of each decided edge.
        assumed: the literals of the cases that enclose the current step.
    """

    def __init__(self, present: PresentGraph) -> None:
        self.present = present
        self.edges = present.edges
        self.lines: list[str] = []
        self.cuts: dict[tuple[int, ...], str] = {}
        self.facts: dict[int, int] = {}
        self.assumed: list[str] = []

    # ---- inequalities

    def formula(self) -> str:
        """The text of the formula."""
        size, count = self.present.size, 2 * self.present.size + len(self.cuts)
        lines = [
            f"* #variable= {len(self.edges)} #constraint= {count}",
            f"* Closed tours of a graph with {size} vertices; variable k is edge k, in ascending order.",
            f"* Every vertex has exactly two edges; the last {len(self.cuts)} inequalities: two leave a set.",
        ]
        for vertex in range(size):
            used = self._at(vertex)
            lines += [_inequality(1, used, 2), _inequality(-1, used, -2)]
        lines += [_inequality(1, self._leaving(np.array(cut, dtype=np.int64)), 2) for cut in self.cuts]
        return "\n".join([*lines, ""])

    def proof(self) -> str:
        """The text of the proof, with the line numbers of VeriPB."""
        axioms = 2 * self.present.size + len(self.cuts)
        lines = ["pseudo-Boolean proof version 2.0", f"f {axioms}", *self.lines]
        lines += ["output NONE", f"conclusion UNSAT : #{len(self.lines)}", "end pseudo-Boolean proof", ""]
        return re.sub(r"#(\d+)", lambda match: str(axioms + int(match[1])), "\n".join(lines))

    def _at(self, vertex: int) -> Ints:
        """The numbers of the edges at a vertex."""
        return np.flatnonzero((self.edges == vertex).any(axis=1))

    def _leaving(self, cells: Ints) -> Ints:
        """The numbers of the edges with exactly one end in a set."""
        return np.flatnonzero(np.isin(self.edges, cells).sum(axis=1) == 1)

    def _cut(self, cells: Iterable[int]) -> str:
        """The number of the inequality of a set: at least two edges leave it."""
        cut = tuple(sorted(cells))
        return self.cuts.setdefault(cut, str(2 * self.present.size + len(self.cuts) + 1))

    # ---- lines

    def _write(self, line: str) -> int:
        """Append a line to the proof; return its number."""
        self.lines.append(line)
        return len(self.lines)

    def _follows(self, *literals: str) -> int:
        """Append the clause that one of the literals is true in the current case, by unit propagation."""
        clause = [*literals, *map(_negated, self.assumed)]
        return self._write(" ".join(["rup", *(f"1 {literal}" for literal in clause), ">= 1 ;"]))

    def _sum(self, numbers: Iterable[tuple[int, tuple[int, ...]]], weaken: Ints | None = None) -> str:
        """A sum of inequalities in reverse Polish notation.

        Decided edges are removed from the sum by adding their facts, if that makes the sum stronger.

        Args:
            numbers: pairs of a multiplier and a set of vertices. If the multiplier is positive, the
                inequality is that at least two edges leave the set; if it is negative, that the single vertex
                of the set has at most two edges.
            weaken: the numbers of edges to drop from the sum.
        """
        total = np.zeros(len(self.edges), dtype=np.int64)
        terms = []
        for number, cells in numbers:
            total[self._leaving(np.array(cells, dtype=np.int64))] += number
            name = str(2 * cells[0] + (1 if number > 0 else 2)) if len(cells) == 1 else self._cut(cells)
            terms.append(name if abs(number) == 1 else f"{name} {abs(number)} *")
        dropped = set() if weaken is None else set(weaken.tolist())
        status = self.present.status
        useful = np.flatnonzero(((status == OUT) & (total > 0)) | ((status == FORCED) & (total < 0)))
        decided = [edge for edge in useful.tolist() if edge in self.facts and edge not in dropped]
        terms += [f"#{self.facts[edge]} {abs(total[edge])} *" for edge in decided]
        terms += [f"{'~' if total[edge] > 0 else ''}x{edge + 1}" for edge in sorted(dropped)]
        return " ".join([*terms[:1], *(f"{term} +" for term in terms[1:])])

    # ---- steps

    def follow(self, steps: tuple[Step, ...]) -> int:
        """Write the steps; return the line of the contradiction."""
        for step in steps[:-1]:
            self._take(step)
        if steps[-1].rule != "branch":
            self._take(steps[-1])
            return self._follows()
        present = self.present
        edge = present.edge(np.array(steps[-1].cells))
        facts = dict(self.facts)
        for case, status, sign in zip(steps[-1].cases, (FORCED, OUT), ("", "~"), strict=True):
            self.assumed.append(f"{sign}x{edge + 1}")
            since = present.assume(edge, status)
            self.follow(case)
            present.take_back(since)
            self.assumed.pop()
            self.facts = dict(facts)
        return self._follows()

    def _take(self, step: Step) -> None:
        """Write the lines of one step, and a line for each edge that it decides."""
        present, cells = self.present, np.array(step.cells, dtype=np.int64)
        if step.rule not in UNIT | SUMS | CUTS or (present.one_way and step.rule in ONE_WAY):
            raise FormatError(f"inequalities do not follow the rule {step.rule!r}")
        if step.rule in CUTS:
            self._cut(self._path(step.rule, cells).tolist())
        if step.rule in SUMS and (added := self._added(step, cells)):
            self._write(f"pol {added}")
        before = present.status.copy()
        RULES[step.rule].check(present, subject(step))
        for edge in np.flatnonzero(present.status != before).tolist() if step.rule in DEDUCTIONS else ():
            sign = "~" if present.status[edge] == OUT else ""
            self.facts[edge] = self._follows(f"{sign}x{edge + 1}")

    def _path(self, rule: str, cells: Ints) -> Ints:
        """The vertices of the cycle that a step forbids, or the vertices that it reaches."""
        if rule == "cycle":
            return cells
        statuses = (FORCED,) if rule == "subtour" else (FORCED, OPEN)
        reached = {int(cells[0])}
        layer = list(reached)
        while layer:
            heads = {head for tail in layer for head in self.present.row(tail, *statuses)}
            layer = sorted(heads - reached)
            reached.update(layer)
        return np.array(sorted(reached))

    def _added(self, step: Step, cells: Ints) -> str:
        """The sum of inequalities from which a step follows."""
        present, members, rule = self.present, cells.tolist(), step.rule
        if rule == "linear":
            if not all(cells and not odd for _, cells, odd in step.terms):
                raise FormatError(
                    "inequalities of degrees and cuts say nothing of coils, weights and odd moves"
                )
            return self._sum([(number, cells) for number, cells, _ in step.terms])
        if rule in {"tight", "hall"}:
            return self._sum([*_each(1, members), *_each(-1, present.followers(cells).tolist())])
        if rule == "factor":
            neighbours, counts = np.unique(present.heads[present.around(cells)[0]], return_counts=True)
            return self._sum([*_each(1, members), *_each(-1, neighbours[counts > 1].tolist())])
        if rule == "colours":
            even, odd = present.walks()
            same, opposite = (np.flatnonzero(part == even[cells[0]]).tolist() for part in (even, odd))
            sign = 1 if len(same) > len(opposite) else -1
            return self._sum([*_each(sign, same), *_each(-sign, opposite)])
        if rule == "parity":
            leaving = self._leaving(cells)
            forced = present.status[leaving] == FORCED
            fewer = self._sum(_each(-1, members), leaving[~forced])
            return f"{fewer} 2 d {self._sum(_each(1, members), leaving[forced])} 2 d +"
        root = present.without(cells).root
        parts = [tuple(np.flatnonzero(root == part).tolist()) for part in np.setdiff1d(root, cells)]
        return self._sum([*((1, part) for part in parts), *_each(-1, members)])


def _each(number: int, vertices: Iterable[int]) -> list[tuple[int, tuple[int, ...]]]:
    """The terms of a sum that have the same multiplier for single vertices."""
    return [(number, (vertex,)) for vertex in vertices]


def _inequality(sign: int, edges: Ints, bound: int) -> str:
    """A line of the formula: the sum of some edges, times a sign, is at least a bound."""
    return " ".join([*(f"{sign:+} x{edge + 1}" for edge in edges.tolist()), f">= {bound} ;"])


def _negated(literal: str) -> str:
    """The negation of a literal."""
    return literal.removeprefix("~") if literal.startswith("~") else f"~{literal}"
