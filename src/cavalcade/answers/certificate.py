"""Certificates: proofs that there is no tour, as plain data and JSON that anyone can check.

A certificate is about Hamiltonian cycles of a graph that `question` describes: the cells of a board, and
extra vertices for open tours, for one-way moves and for required moves.

The proof is a list of steps, or a list of cuts and a DRUP proof. As JSON it is one object:

    certificate         2, the version
    statement           what does not exist, in canonical words (`question.statement`): `closed tour of 8x8`
    labels, edges       only for a graph: the names of its vertices, and its edges as pairs of positions, from
    0.
                        The statement contains a digest of both
    directed            true if the edges lead from their first end to their second end only
    method              "steps", "sat" or "positions"
    steps               objects with `rule`, `cells` (names) and, for the rules `branch` and `apart`, `cases`
                        (lists of steps); for the rule `linear` with `terms`, objects with `number` and
                        `cells`, and perhaps `odd`, pairs of names; `cells` is empty if the number is that of
                        coils or, if the statement limits the weight, of the weight
    weights             only if the statement limits the weight: the weight of each move as text, in ascending
                        order of the moves, as pairs of positions from 0, the smaller one first unless the
                        edges are directed
    cuts, drup          lists of names (not with "positions"), and lines of the DRUP format
    alone               with "sat", if the proof is about some vertices only: their names

Other keys are not allowed, and no key may occur twice. A bound, as in `with at most 44 turns`, requires
"sat"; a limit of the weight requires "steps".

*Steps.* `checking.rules` documents what each rule claims, and why the claim follows.

*Cuts and DRUP.* The proof refutes the following formula. Number the edges (a, b), a < b, of the graph in
ascending order, from 1: variable k is true if the tour uses edge k. The clauses are:

1. Two edges at every vertex. Let v be its d variables. For d up to 9: one clause for each choice of d - 1 of
   them (of all if d is 0), which states that one of the chosen variables is true, and one clause for each
   choice of three, which states that one of them is false. For d from 10: a sequential counter (Sinz 2005).
   Its 2d - 3 variables are numbered next, vertex by vertex, first one[2] to one[d - 1], then two[2] to
   two[d]. With v[1] to v[d] in ascending order, one[1] = v[1], and two[1] false and left out of its clauses:

       for i from 2 to d - 1: one[i] is true if one[i - 1] or v[i] is (two clauses), and only then (one)
       for i from 2 to d: two[i] is true if two[i - 1] is, or if one[i - 1] and v[i] both are; and only if
           two[i - 1] or one[i - 1], and two[i - 1] or v[i], is (four clauses)
       for i from 3 to d: two[i - 1] or v[i] is false (one clause); and two[d] is true

2. If the statement has a symmetry: for every edge e whose image f is another edge, two clauses: not e or f, e
   or not f.
3. If it has a bound, k turns, crossings or angles of a kind: one variable for each event, numbered next, true
   if the event happens. Coordinates are indices of the board's array: levels, rows and columns. Turns: one
   event for every cell v, in ascending order. For every edge e from v to another cell, in ascending order,
   one clause: not e, or the event, or one of the edges from v to cells in the opposite direction, or one of
   the edges from v to extra vertices (the ends of an open tour do not turn). Crossings: one event for every
   two edges between cells whose segments meet in a single point inside both; in ascending order of the
   smaller edge, then of the other. One clause: the edges are not both used, or the event happens. Angles: one
   event for every cell, in ascending order. For every two edges from it to cells, in the order of crossings,
   that make an angle of the kind, one such clause. Acute angles are below 90 degrees, obtuse angles above; a
   straight angle is obtuse. On hexagonal cells axes meet at 60 degrees. A totalizer (Bailleux & Boufkhad
   2003) counts the events. A list of one variable is its own output. A longer list is halved, the first half
   being smaller if the length is odd, and each half is counted, the first half first; then its outputs
   are numbered next, one for each variable but at most k + 1. With a outputs of the first half and b of the
   second, for i from 0 to a and j from 0 to b, not both 0, one clause: if output i of the first half is true
   (for i > 0) and output j of the second (for j > 0), then so is output i + j, or the last output if there
   are fewer. At the end, a clause states that output k + 1 is false, if it exists.
4. For every cut, a proper subset of the vertices: one clause, all edges between it and the rest.

A tour satisfies all clauses. So a refutation proves that there is no tour, or no tour within the bound. (A
tour has at least two edges across a cut. Saying so takes a clause for each edge, and on no board that we
measured did it help.)

A proof about some vertices alone numbers only the edges with an end among them, in the same order. Only
these vertices have clauses 1, and cuts are sets of them. There is no symmetry and no bound. A
tour satisfies these clauses whatever it does elsewhere.

Each line is a clause that follows from the formula and the earlier lines by *unit propagation*: if all its
literals were false, clauses with one remaining literal would force that literal, and so on, until some clause
had no literal left (Goldberg & Novikov 2003; Van Gelder 2008). The last clause is empty. A line `d` deletes a
clause; a deletion never makes a wrong proof right, and it makes the replay faster.

*Positions.* This method is the only one for questions about cells at steps or in a given order; it supports
neither a symmetry nor one-way moves. It refutes another formula, about the n cells alone. Its variable
1 + cn + (t - 1) states that cell c, from 0, has step t, from 1. The clauses are:

1. for each cell, that it has a step; then for each step, that it has a cell;
2. for each cell, for all s < t, by s and then t, that it does not have both; then the same for each step;
3. for each cell c, for t from 1 to n - 1: not (c, t), or (d, t + 1) for a cell d a move from c, in ascending
   order; then for each cell c, for t from 2 to n: not (c, t), or (d, t - 1) in the same way;
4. for closed tours of three or more cells, for each cell c: not (c, n), or (d, 1) in the same way; then for
   each cell c: not (c, 1), or (d, n) in the same way;
5. for each given step, including the ends, in ascending order: its variable;
6. for each required move (a, b), a < b, in ascending order, for t from 1 to n: not (a, t), or (b, t - 1), or
   (b, t + 1), as far as these steps exist; in closed tours of three or more cells step n is before step 1 and
   step 1 after step n;
7. for each two consecutive cells (a, b) of an order, for all s < t, by t and then s: not both (a, t) and
   (b, s).

The lines of the proof are as above.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cavalcade.answers.objects import (
    ObjectReader,
    begins_with,
    list_of,
    question_keys,
    read_object,
    typed,
    vertex_names,
)
from cavalcade.ground.above import above, shown
from cavalcade.ground.errors import FormatError
from cavalcade.question.question import Question
from cavalcade.question.statement import AtMost, Bound, WeightLimit, statement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VERSION = 2
KEYS = {"certificate", "statement", "weights", "method", "steps", "cuts", "drup", "alone"}


class Term(NamedTuple):
    """A number for a set of cells in a step `linear`.

    Args:
        number: a number; at least 0 for a set of several cells.
        cells: the cells; none if the number is that of coils, or of the weight.
        odd: an odd number of moves (a, b) that leave the set; empty if the set has no odd moves.
    """

    number: int
    cells: tuple[int, ...]
    odd: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Step:
    """One step of a proof.

    Args:
        rule: name of the rule.
        cells: the cells to which it applies.
        cases: steps of each case, for the rules `branch` and `apart`.
        terms: sets of cells with a coefficient each, for the rule `linear`; the set of coils is empty.
    """

    rule: str
    cells: tuple[int, ...] = ()
    cases: tuple[tuple[Step, ...], ...] = ()
    terms: tuple[Term, ...] = ()


def flat(steps: tuple[Step, ...]) -> Iterator[Step]:
    """Yield all steps of a proof in depth-first order: a branch, then the steps of its cases."""
    for step in steps:
        yield step
        for case in step.cases:
            yield from flat(case)


@dataclass(frozen=True)
class StepProof:
    """A list of steps; the last step is a contradiction.

    Args:
        steps: the steps.
        limit: if set, the proof only refutes tours within this limit of the weight.
    """

    steps: tuple[Step, ...]
    limit: WeightLimit | None = None


class Antecedents(NamedTuple):
    """The clauses from which each clause of a proof follows, for a quick check. They are not part of a file.

    Args:
        clauses: for one clause of the proof after the other, the numbers of the clauses that propagate, and
            of the clause that becomes false then. Clauses of the formula are numbered from 0, in the order
            above, and then the clauses of the proof.
        spans: offsets of the clauses of the proof in `clauses`, with its length at the end.
    """

    clauses: NDArray[np.int64]
    spans: NDArray[np.int64]


@dataclass(frozen=True)
class SatProof:
    """A refutation of the formula of cuts described above.

    Args:
        cuts: sets of vertices.
        drup: lines of the DRUP format.
        at_most: if set, the proof only refutes tours within this bound.
        cells: if set, the proof is about these vertices only.
        hints: hints for a quick check.
    """

    cuts: tuple[tuple[int, ...], ...]
    drup: tuple[str, ...]
    at_most: AtMost | None = None
    cells: tuple[int, ...] | None = None
    hints: Antecedents | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class PositionProof:
    """A refutation of the formula of positions, as lines of the DRUP format."""

    drup: tuple[str, ...]
    hints: Antecedents | None = field(default=None, compare=False, repr=False)


Proof: TypeAlias = StepProof | SatProof | PositionProof
METHODS = {StepProof: "steps", SatProof: "sat", PositionProof: "positions"}


@dataclass(frozen=True)
class Certificate:
    """A claim that there is no tour, with its proof.

    Args:
        question: the question, whose answer is no.
        proof: the reason.

    Examples:
        >>> prove("4x4").certificate.claim
        'no closed tour of 4x4'
    """

    question: Question
    proof: Proof

    @property
    def method(self) -> str:
        """The method of the proof: `steps`, `sat` or `positions`."""
        return METHODS[type(self.proof)]

    @property
    def at_most(self) -> Bound | None:
        """The bound, if the proof only refutes tours of low weight, or with few turns or other events."""
        return self.proof.at_most if isinstance(self.proof, SatProof) else self.weight_limit

    @property
    def weight_limit(self) -> WeightLimit | None:
        """The limit, if the proof only refutes tours of low weight."""
        return self.proof.limit if isinstance(self.proof, StepProof) else None

    @cached_property
    def claim(self) -> str:
        """The proved statement in full: `no closed tour of 5x6, with at most 20 turns`."""
        return f"no {statement(self.question, self.at_most)}"

    @property
    def reason(self) -> str:
        """One word for the kind of proof: the rule of a single step, else `chain`, `cases` or the method."""
        if not isinstance(self.proof, StepProof):
            return self.method
        steps = self.proof.steps
        if any(step.rule == "branch" for step in flat(steps)):
            return "cases"
        return steps[0].rule if len(steps) == 1 else "chain"

    @property
    def names(self) -> list[str]:
        """Names of all vertices that a proof can mention."""
        return vertex_names(self.question)

    def name(self, cell: int) -> str:
        """Return the name of one vertex."""
        board = self.question.board
        return self.question.encoding.extra[cell - board.size] if cell >= board.size else board.name(cell)

    def svg(self, **options: Any) -> str:
        """Draw the cells that the proof mentions; `draw.proof.proof_picture` lists the options."""
        return str(above("svg")(self, **options))

    _repr_html_ = shown

    def to_json(self) -> str:
        """Return the certificate as one JSON object on one line."""
        return json.dumps(self.to_dict(), ensure_ascii=False) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """Return the certificate as a dict that is ready for JSON."""
        name = self.name
        keys: dict[str, Any] = {"certificate": VERSION, **question_keys(self.question, self.at_most)}
        keys["method"] = self.method
        if isinstance(self.proof, PositionProof):
            return keys | {"drup": list(self.proof.drup)}
        if isinstance(self.proof, SatProof):
            cuts = [[name(cell) for cell in cut] for cut in self.proof.cuts]
            if self.proof.cells is not None:
                keys["alone"] = [name(cell) for cell in self.proof.cells]
            return keys | {"cuts": cuts, "drup": list(self.proof.drup)}
        return keys | {"steps": _steps_to_json(self.proof.steps, name)}


def _steps_to_json(steps: tuple[Step, ...], name: Callable[[int], str]) -> list[dict[str, Any]]:
    rows = []
    for step in steps:
        row: dict[str, Any] = {"rule": step.rule, "cells": [name(cell) for cell in step.cells]}
        if step.cases:
            row["cases"] = [_steps_to_json(case, name) for case in step.cases]
        if step.terms:
            row["terms"] = [_term_to_json(term, name) for term in step.terms]
        rows.append(row)
    return rows


def _term_to_json(term: Term, name: Callable[[int], str]) -> dict[str, Any]:
    row: dict[str, Any] = {"number": term.number, "cells": [name(cell) for cell in term.cells]}
    if term.odd:
        row["odd"] = [[name(a), name(b)] for a, b in term.odd]
    return row


def is_certificate(text: str) -> bool:
    """Tell whether a text looks like a certificate."""
    return begins_with(text, "certificate")


def from_json(text: str) -> Certificate:
    """Read a certificate that `to_json` wrote. `checking.certificates.verify` checks its proof.

    Raises:
        FormatError: the text is not a certificate; the message says why.
    """
    return read_object(text, "certificate", {VERSION}, KEYS, "prove it again", _build)


def _build(reader: ObjectReader) -> Certificate:
    """Build a certificate from its JSON object."""

    def steps(values: Any) -> tuple[Step, ...]:
        return tuple(
            Step(
                typed(step["rule"], "rule", str),
                reader.vertices(step["cells"], "cells"),
                tuple(map(steps, typed(step.get("cases", []), "cases", list))),
                tuple(map(term, list_of(step.get("terms", []), "terms", dict))),
            )
            for step in list_of(values, "steps", dict)
        )

    def term(value: dict[str, Any]) -> Term:
        odd = [reader.vertices(move, "odd") for move in list_of(value.get("odd", []), "odd", list)]
        if any(len(move) != 2 for move in odd):
            raise FormatError("'odd' are not pairs of cells")
        cells = reader.vertices(value["cells"], "cells")
        return Term(typed(value["number"], "number", int), cells, tuple((a, b) for a, b in odd))

    method, question = reader.get("method", str), reader.question
    bound, expected = reader.bound, "steps" if isinstance(reader.bound, WeightLimit) else "sat"
    if bound is not None and method != expected:
        raise FormatError(f"a proof by {method[:40]!r} has no bound of this kind, expected {expected!r}")
    if method == "steps":
        limit = bound if isinstance(bound, WeightLimit) else None
        return Certificate(question, StepProof(steps(reader.values["steps"]), limit))
    if method not in {"sat", "positions"}:
        raise FormatError(f"'method' is {method[:40]!r}, expected 'steps', 'sat' or 'positions'")
    lines = tuple(list_of(reader.values["drup"], "drup", str))
    if method == "positions":
        return Certificate(question, PositionProof(lines))
    cuts = tuple(reader.vertices(cut, "cuts") for cut in reader.get("cuts", list))
    alone = reader.vertices(reader.values["alone"], "alone") if "alone" in reader.values else None
    at_most = bound if isinstance(bound, AtMost) else None
    return Certificate(question, SatProof(cuts, lines, at_most, alone))
