"""Certificates: why there is no tour, as data that anyone can check. Plain data and JSON, no more.

A certificate is about Hamiltonian cycles of a graph, which `question` describes: the cells, and vertices
beside them for open tours, for moves that go one way and for moves that must be made.

The proof is a list of steps, or a list of cuts and a DRUP proof. As JSON, one object:

    certificate         2, the version
    statement           what there is none of, in canonical words (`question.statement`): `closed tour of 8x8`
    labels, edges       only if the statement is about a graph: the names of its vertices, and its edges as
                        pairs of their positions, from 0. The statement has the digest of both
    directed            true if these edges go from the first end to the second only
    method              "steps", "sat" or "positions"
    steps               objects with `rule`, `cells` (names) and, in the rules `branch` and `apart`, `cases`
                        (lists of steps); in the rule `linear` with `terms`, objects with `number` and
                        `cells`, none if the number is that of coils
    cuts, drup          lists of names (not with "positions"), and lines of the DRUP format
    alone               with "sat", if the proof is about some vertices alone: their names

There are no other keys, and none occurs twice. A bound, as in `with at most 44 turns`, goes with "sat" alone.

*Steps.* `checking.rules` says what each rule claims, and why it follows.

*Cuts and DRUP.* These words define the formula that such a proof refutes. Number the edges (a, b), a < b, of
the graph in ascending order, from 1: variable k is true when the tour uses edge k. The clauses are:

1. Two edges at every vertex. Let v be its d variables. With d up to 9: one clause for each choice of d - 1 of
   them (of all, if d is 0), which says that one of these is true, and one for each choice of three, which
   says that one is false. With d from 10: a sequential counter (Sinz 2005), whose 2d - 3 variables are
   numbered on from those before it, vertex by vertex, first one[2] to one[d - 1], then two[2] to two[d]. With
   v[1] to v[d] in ascending order, one[1] = v[1], and two[1] false and left out of its clauses:

       for i from 2 to d - 1: one[i] is true if one[i - 1] or v[i] is (two clauses), and only then (one)
       for i from 2 to d: two[i] is true if two[i - 1] is, or if one[i - 1] and v[i] both are; and only if
           two[i - 1] or one[i - 1], and two[i - 1] or v[i], is (four clauses)
       for i from 3 to d: two[i - 1] or v[i] is false (one clause); and two[d] is true

2. If the statement has a symmetry: for every edge e whose image f is another, two clauses: not e or f, e or
   not f.
3. If it has a bound, k turns, crossings or angles of a kind: one variable for each event, numbered on, true
   if the event happens. Coordinates are those of the board's array: levels, rows and columns.
   Turns: an event for every cell v, in ascending order. For every edge e from v to another cell, in
   ascending order, one clause: not e, or the event, or one of the edges from v to cells in the opposite
   direction, or one of those to vertices that are no cells (the ends of an open tour do not turn).
   Crossings: an event for every two edges between cells whose segments have one point in common, inside
   both; in ascending order of the smaller edge, then of the other. One clause: the edges are not both used,
   or the event happens.
   Angles: an event for every cell, in ascending order. For every two edges from it to cells, in the order of
   crossings, that make an angle of the kind, such a clause. Acute angles are below 90 degrees, obtuse ones
   above; a straight angle is obtuse. On hexagonal cells axes meet at 60 degrees.
   A totalizer (Bailleux & Boufkhad 2003) counts the events. A list of one variable is its own output. A
   longer list is halved, the first half the smaller one if its length is odd, and each half is counted, the
   first one first; then its outputs are numbered on, as many as variables, but k + 1 at most. With a
   outputs of the first half and b of the second, for i from 0 to a and j from 0 to b, not both 0, one
   clause: if output i of the first half is true (for i > 0) and output j of the second (for j > 0), then so
   is output i + j, or the last one if there are not so many. At the end a clause says that output k + 1 is
   false, if there is one.
4. For every cut, a set of some vertices but not of all: one clause, all edges between it and the rest.

A tour makes all of it true, so that a refutation proves that there is none, or with a bound none with so few.
(In a tour at least two edges leave a cut. To say so takes a clause for each edge, and on no board that
we measured did it help.)

A proof about some vertices alone numbers only the edges with an end among them, in the same order. The
clauses 1 are those of these vertices only, and cuts are sets of them. There is no symmetry and no bound.
Whatever a tour does elsewhere, it makes all of that true.

The lines are clauses, each of which follows from the formula and those before it by
*unit propagation*: were all its literals false, clauses with one literal left would force that literal, and
so on, until some clause had none (Goldberg & Novikov 2003; Van Gelder 2008). The last clause is empty. A line
`d` deletes a clause, which never makes a wrong proof right, and makes the replay faster.

*Positions.* The only kind of proof that knows cells at steps; it knows neither a symmetry nor moves that go
one way. It refutes another formula, of the n cells alone, whose variable 1 + cn + (t - 1) says that cell c,
from 0, has step t, from 1. The clauses are:

1. for each cell, that it has a step; then for each step, that it has a cell;
2. for each cell, for all s < t, by s and then t, that it has not both; then for each step likewise;
3. for each cell c, for t from 1 to n - 1: not (c, t), or (d, t + 1) for a cell d a move from c, in ascending
   order; then for each cell c, for t from 2 to n: not (c, t), or (d, t - 1) likewise;
4. for closed tours of three or more cells, for each cell c: not (c, n), or (d, 1) likewise; then for each
   cell c: not (c, 1), or (d, n) likewise;
5. for each step that is given, ends too, in ascending order: its variable;
6. for each move (a, b), a < b, that must be made, in ascending order, for t from 1 to n: not (a, t), or
   (b, t - 1), or (b, t + 1), where there are such steps; in closed tours of three or more cells step n is
   before step 1 and step 1 after step n.

The lines of the proof are as above.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

from cavalcade.ground.above import above, shown
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question
from cavalcade.question.statement import AtMost, read_statement, statement

T = TypeVar("T")
VERSION = 2
GRAPH = {"labels", "edges", "directed"}
KEYS = {"certificate", "statement", "method", "steps", "cuts", "drup", "alone", *GRAPH}


@dataclass(frozen=True)
class Step:
    """One step of a proof: a rule, the cells it speaks of, and if it has cases what follows in each.

    The rule `linear` has terms instead of cells: sets of cells, each with a number; none of coils.
    """

    rule: str
    cells: tuple[int, ...] = ()
    cases: tuple[tuple[Step, ...], ...] = ()
    terms: tuple[tuple[int, tuple[int, ...]], ...] = ()


def flat(steps: tuple[Step, ...]) -> Iterator[Step]:
    """All steps of a proof, those of branches after the branch itself."""
    for step in steps:
        yield step
        for case in step.cases:
            yield from flat(case)


@dataclass(frozen=True)
class StepProof:
    """Steps of which the last is a contradiction."""

    steps: tuple[Step, ...]


@dataclass(frozen=True)
class SatProof:
    """Cuts, and a refutation of the formula above, as lines of the DRUP format.

    With `at_most` it only refutes tours with so few turns or crossings; with `cells` it speaks of these
    vertices alone.
    """

    cuts: tuple[tuple[int, ...], ...]
    drup: tuple[str, ...]
    at_most: AtMost | None = None
    cells: tuple[int, ...] | None = None


@dataclass(frozen=True)
class PositionProof:
    """A refutation of the formula of positions, as lines of the DRUP format."""

    drup: tuple[str, ...]


Proof: TypeAlias = StepProof | SatProof | PositionProof
KINDS = {str: "text", list: "a list", dict: "an object", bool: "true or false", int: "a whole number"}
METHODS = {StepProof: "steps", SatProof: "sat", PositionProof: "positions"}


@dataclass(frozen=True)
class Certificate:
    """A claim that there is no tour, with its proof.

    Args:
        question: the question, whose answer is no.
        proof: why.

    Examples:
        >>> prove("4x4").certificate.claim
        'no closed tour of 4x4'
    """

    question: Question
    proof: Proof

    @property
    def method(self) -> str:
        """`steps`, `sat` or `positions`."""
        return METHODS[type(self.proof)]

    @property
    def at_most(self) -> AtMost | None:
        """The bound, if the proof is about tours with few turns or crossings alone."""
        return self.proof.at_most if isinstance(self.proof, SatProof) else None

    @cached_property
    def claim(self) -> str:
        """What is proved, in full: `no closed tour of 5x6, with at most 20 turns`."""
        return f"no {statement(self.question, self.at_most)}"

    @property
    def reason(self) -> str:
        """One word for the kind of reason: the rule of a single step, else `chain`, `cases` or the method."""
        if not isinstance(self.proof, StepProof):
            return self.method
        steps = self.proof.steps
        if any(step.rule == "branch" for step in flat(steps)):
            return "cases"
        return steps[0].rule if len(steps) == 1 else "chain"

    @property
    def names(self) -> list[str]:
        """The names of all vertices that a proof may speak of."""
        return [*self.question.board.names, *self.question.encoding.extra]

    def name(self, cell: int) -> str:
        """The name of one of them."""
        board = self.question.board
        return self.question.encoding.extra[cell - board.size] if cell >= board.size else board.name(cell)

    def svg(self, **options: Any) -> str:
        """A picture of the cells that the proof names; options are those of `draw.proof.proof_picture`."""
        return str(above("svg")(self, **options))

    _repr_html_ = shown

    def to_json(self) -> str:
        """The certificate as one JSON object on one line."""
        return json.dumps(self.to_dict(), ensure_ascii=False) + "\n"

    def to_dict(self) -> dict[str, Any]:
        """The same as an object."""
        names = self.names
        found: dict[str, Any] = {"certificate": VERSION, "statement": statement(self.question, self.at_most)}
        found |= graph_keys(self.question)
        found["method"] = self.method
        if isinstance(self.proof, PositionProof):
            return found | {"drup": list(self.proof.drup)}
        if isinstance(self.proof, SatProof):
            cuts = [[names[cell] for cell in cut] for cut in self.proof.cuts]
            if self.proof.cells is not None:
                found["alone"] = [names[cell] for cell in self.proof.cells]
            return found | {"cuts": cuts, "drup": list(self.proof.drup)}
        return found | {"steps": _write(self.proof.steps, names)}


def _write(steps: tuple[Step, ...], names: list[str]) -> list[dict[str, Any]]:
    return [
        {"rule": step.rule, "cells": [names[cell] for cell in step.cells]}
        | ({"cases": [_write(case, names) for case in step.cases]} if step.cases else {})
        | ({"terms": [_term(*term, names) for term in step.terms]} if step.terms else {})
        for step in steps
    ]


def _term(number: int, cells: tuple[int, ...], names: list[str]) -> dict[str, Any]:
    return {"number": number, "cells": [names[cell] for cell in cells]}


def is_certificate(text: str) -> bool:
    """Whether a text looks like a certificate rather than a tour."""
    return begins_with(text, "certificate")


def from_json(text: str) -> Certificate:
    """The certificate in a text that `to_json` wrote.

    Raises:
        FormatError: there is none in it; the message says what is wrong. Its proof is checked by
            `checking.certificates.verify`.
    """
    return read_object(text, "certificate", VERSION, "prove it again", _read)


def begins_with(text: str, kind: str) -> bool:
    """Whether a text looks like an object of JSON whose first key is `kind`."""
    return "".join(text[:200].split()).startswith(f'{{"{kind}":')


def read_object(text: str, kind: str, version: int, again: str, read: Callable[[dict[str, Any]], T]) -> T:
    """What a text of JSON says, an object whose key `kind` has the version; see `from_json`.

    Args:
        text: the text.
        kind: what it should be, which is its first key.
        version: which is understood.
        again: what to do with another one.
        read: reads the object.
    """
    try:
        found = json.loads(text, object_pairs_hook=without_doubles)
        if not isinstance(found, dict) or type(known := found.get(kind)) is not int:
            raise FormatError(f"expected an object that begins with {kind!r}")
        if known != version:
            raise FormatError(f"it has version {known}, expected {version}: {again}")
        return read(found)
    except KeyError as error:
        raise FormatError(f"not a {kind}: {error} is missing") from None
    except RecursionError:
        raise FormatError(f"not a {kind}: it is nested too deeply") from None
    except CavalcadeError as error:
        raise FormatError(f"not a {kind}: {error}") from None
    except ValueError as error:
        raise FormatError(f"not a {kind}: not JSON: {error}") from None


def without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON, in which no key may occur twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise FormatError(f"a key occurs twice among {', '.join(key for key, _ in pairs)[:60]}")
    return found


def _read(found: dict[str, Any]) -> Certificate:
    if unknown := sorted(set(found) - KEYS):
        raise FormatError(f"{unknown[0][:40]!r} is not a key of a certificate")
    question, bound = asked_in(found)
    known = {name: cell for cell, name in enumerate([*question.board.names, *question.encoding.extra])}

    def cells(names: Any, key: str) -> tuple[int, ...]:
        for name in typed(names, key, list):
            if not isinstance(name, str) or name not in known:
                raise FormatError(f"{str(name)[:40]!r} is not a cell of {question.board.title}")
        return tuple(known[name] for name in names)

    def steps(some: Any) -> tuple[Step, ...]:
        return tuple(
            Step(
                typed(step["rule"], "rule", str),
                cells(step["cells"], "cells"),
                tuple(map(steps, typed(step.get("cases", []), "cases", list))),
                tuple(
                    (typed(term["number"], "number", int), cells(term["cells"], "cells"))
                    for term in all_of(step.get("terms", []), "terms", dict)
                ),
            )
            for step in all_of(some, "steps", dict)
        )

    method = typed(found["method"], "method", str)
    if bound is not None and method != "sat":
        raise FormatError(f"a proof by {method[:40]!r} has no bound, expected 'sat'")
    if method == "steps":
        return Certificate(question, StepProof(steps(found["steps"])))
    if method not in {"sat", "positions"}:
        raise FormatError(f"'method' is {method[:40]!r}, expected 'steps', 'sat' or 'positions'")
    lines = tuple(all_of(found["drup"], "drup", str))
    if method == "positions":
        return Certificate(question, PositionProof(lines))
    cuts = tuple(cells(cut, "cuts") for cut in typed(found["cuts"], "cuts", list))
    alone = cells(found["alone"], "alone") if "alone" in found else None
    return Certificate(question, SatProof(cuts, lines, bound, alone))


def graph_keys(question: Question) -> dict[str, Any]:
    """What an object has beside a statement about a graph: its names and edges."""
    board = question.board
    if not board.plain:
        return {}
    found = {"labels": board.names, "edges": board.edges().tolist()}
    return found | ({"directed": True} if board.directed else {})


def asked_in(found: dict[str, Any]) -> tuple[Question, AtMost | None]:
    """The question of an object that has a `statement`, in canonical words, and a graph if it needs one."""
    said = typed(found["statement"], "statement", str)
    question, bound = read_statement(said, None if GRAPH.isdisjoint(found) else _graph(found))
    if said != (canonical := statement(question, bound)):
        raise FormatError(f"its statement is not canonical: {said[:80]!r}, expected {canonical[:80]!r}")
    return question, bound


def _graph(found: dict[str, Any]) -> MoveGraph:
    labels, pairs = all_of(found["labels"], "labels", str), all_of(found["edges"], "edges", list)
    if not all(len(pair) == 2 and all(type(end) is int for end in pair) for pair in pairs):
        raise FormatError("'edges' are not pairs of numbers")
    directed = typed(found.get("directed", False), "directed", bool)
    return MoveGraph.from_edges([(a, b) for a, b in pairs], len(labels), labels, directed=directed)


def all_of(found: Any, key: str, kind: type[T]) -> list[T]:
    """What the list of a key has, each of the type that it must have."""
    return [typed(one, key, kind) for one in typed(found, key, list)]


def typed(found: Any, key: str, kind: type[T]) -> T:
    """What a key has, of the type that it must have."""
    if type(found) is kind:
        return found
    raise FormatError(f"{key!r} is {str(found)[:40]!r}, expected {KINDS[kind]}")
