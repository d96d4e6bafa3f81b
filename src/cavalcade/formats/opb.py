"""A proof by steps, for public checkers: a pseudo-Boolean formula, and next to it a VeriPB proof.

A SAT solver cannot count colours, or the parts that a cut leaves; here that is one line. Variable k is true
when the tour uses edge k of the graph. That a vertex has two edges, and that two or more leave a set, are
inequalities. Each rule adds some of them up, as in cutting planes (Cook, Coullard & Turán 1987), or follows
by unit propagation. VeriPB reads such proofs (Gocht & Nordström 2021).
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
from cavalcade.formats.files import write_file
from cavalcade.ground.errors import FormatError

UNIT = {"forced", "saturated", "degree", "three"}  # unit propagation in the formula shows them
SUMS = {"tight", "hall", "factor", "colours", "tight_cut", "cut", "parity", "linear"}
CUTS = {"subtour", "cycle", "reach"}  # unit propagation with a cut
ONE_WAY = {"tight", "hall", "reach"}  # these count in one direction where moves go one way


def save(certificate: Certificate, path: str | os.PathLike[str]) -> None:
    """Write the formula to a file, and the proof to a second one that ends in `.pbp`.

    Args:
        certificate: a proof by steps that `verify` finds right.
        path: the file of the formula.

    Raises:
        FormatError: it is another proof, or has a rule that inequalities do not follow; or a file cannot be
            written.
    """
    formula, proof = export(certificate)
    write_file(Path(path).with_suffix(".pbp"), proof)
    write_file(path, formula)


def export(certificate: Certificate) -> tuple[str, str]:
    """The formula in OPB form, and the proof in version 2.0 of VeriPB's.

    Raises:
        FormatError: as for `save`.
    """
    if not isinstance(certificate.proof, StepProof):
        raise FormatError(f"it is a proof by {certificate.method}, expected one by steps: try .cnf")
    present = PresentGraph(certificate.question, certificate.name)
    derivation = _Derivation(present)
    derivation.follow(certificate.proof.steps)
    return derivation.formula(), derivation.proof()


class _Derivation:
    """The lines of a proof, as its steps are taken one by one.

    A line is called by `#k`, its number from 1, until all inequalities of the formula are known.
    """

    def __init__(self, present: PresentGraph) -> None:
        self.present = present
        self.edges = present.edges
        self.lines: list[str] = []
        self.cuts: dict[tuple[int, ...], str] = {}  # the inequality of each, by name
        self.facts: dict[int, int] = {}  # the line that says how an edge is decided
        self.assumed: list[str] = []  # the literals of the cases

    # ---- inequalities

    def formula(self) -> str:
        """All that the proof is about."""
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
        """All lines, with the numbers that VeriPB gives them."""
        given = 2 * self.present.size + len(self.cuts)
        lines = ["pseudo-Boolean proof version 2.0", f"f {given}", *self.lines]
        lines += ["output NONE", f"conclusion UNSAT : #{len(self.lines)}", "end pseudo-Boolean proof", ""]
        return re.sub(r"#(\d+)", lambda found: str(given + int(found[1])), "\n".join(lines))

    def _at(self, vertex: int) -> Ints:
        """The edges of a vertex."""
        return np.flatnonzero((self.edges == vertex).any(axis=1))

    def _leaving(self, cells: Ints) -> Ints:
        """The edges with one end in a set."""
        return np.flatnonzero(np.isin(self.edges, cells).sum(axis=1) == 1)

    def _cut(self, cells: Iterable[int]) -> str:
        """The inequality of a set."""
        cut = tuple(sorted(cells))
        return self.cuts.setdefault(cut, str(2 * self.present.size + len(self.cuts) + 1))

    # ---- lines

    def _write(self, line: str) -> int:
        self.lines.append(line)
        return len(self.lines)

    def _follows(self, *literals: str) -> int:
        """In these cases one of the literals is true, by unit propagation."""
        every = [*literals, *map(_negated, self.assumed)]
        return self._write(" ".join(["rup", *(f"1 {one}" for one in every), ">= 1 ;"]))

    def _sum(self, numbers: Iterable[tuple[int, tuple[int, ...]]], weaken: Ints | None = None) -> str:
        """The sum of inequalities in reverse Polish notation.

        Args:
            numbers: how often each set has two edges that leave it, or more; below 0, how often a vertex has
                two edges or fewer.
            weaken: edges that are dropped.

        Edges that are decided are dropped where that makes the sum stronger.
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
        known = [edge for edge in useful.tolist() if edge in self.facts and edge not in dropped]
        terms += [f"#{self.facts[edge]} {abs(total[edge])} *" for edge in known]
        terms += [f"{'~' if total[edge] > 0 else ''}x{edge + 1}" for edge in sorted(dropped)]
        return " ".join([*terms[:1], *(f"{term} +" for term in terms[1:])])

    # ---- steps

    def follow(self, steps: tuple[Step, ...]) -> int:
        """Take the steps; returns the line of the contradiction."""
        for step in steps[:-1]:
            self._take(step)
        if steps[-1].rule != "branch":
            self._take(steps[-1])
            return self._follows()
        present = self.present
        edge = present.edge(np.array(steps[-1].cells))
        known = dict(self.facts)
        for case, status, sign in zip(steps[-1].cases, (FORCED, OUT), ("", "~"), strict=True):
            self.assumed.append(f"{sign}x{edge + 1}")
            since = present.assume(edge, status)
            self.follow(case)
            present.take_back(since)
            self.assumed.pop()
            self.facts = dict(known)
        return self._follows()

    def _take(self, step: Step) -> None:
        """Write the lines of one step, and of every edge that it decides."""
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
        """The vertices of the cycle that a step forbids, or those that it reaches."""
        if rule == "cycle":
            return cells
        statuses = (FORCED,) if rule == "subtour" else (FORCED, OPEN)
        found = {int(cells[0])}
        new = list(found)
        while new:
            new = [cell for one in new for cell in self.present.row(one, *statuses) if cell not in found]
            found.update(new)
        return np.array(sorted(found))

    def _added(self, step: Step, cells: Ints) -> str:
        """What a step adds up."""
        present, members, rule = self.present, cells.tolist(), step.rule
        if rule == "linear":
            if not all(cells for _, cells in step.terms):
                raise FormatError("inequalities of degrees and cuts do not say how many coils a tour has")
            return self._sum(step.terms)
        if rule in {"tight", "hall"}:
            return self._sum([*_each(1, members), *_each(-1, present.followers(cells).tolist())])
        if rule == "factor":
            near, often = np.unique(present.heads[present.around(cells)[0]], return_counts=True)
            return self._sum([*_each(1, members), *_each(-1, near[often > 1].tolist())])
        if rule == "colours":
            even, odd = present.walks()
            here, there = (np.flatnonzero(one == even[cells[0]]).tolist() for one in (even, odd))
            sign = 1 if len(here) > len(there) else -1
            return self._sum([*_each(sign, here), *_each(-sign, there)])
        if rule == "parity":
            leaving = self._leaving(cells)
            forced = present.status[leaving] == FORCED
            fewer = self._sum(_each(-1, members), leaving[~forced])
            return f"{fewer} 2 d {self._sum(_each(1, members), leaving[forced])} 2 d +"
        root = present.without(cells).root
        parts = [tuple(np.flatnonzero(root == part).tolist()) for part in np.setdiff1d(root, cells)]
        return self._sum([*((1, part) for part in parts), *_each(-1, members)])


def _each(number: int, vertices: Iterable[int]) -> list[tuple[int, tuple[int, ...]]]:
    """The same number for single vertices."""
    return [(number, (vertex,)) for vertex in vertices]


def _inequality(sign: int, edges: Ints, least: int) -> str:
    return " ".join([*(f"{sign:+} x{edge + 1}" for edge in edges.tolist()), f">= {least} ;"])


def _negated(literal: str) -> str:
    return literal.removeprefix("~") if literal.startswith("~") else f"~{literal}"
