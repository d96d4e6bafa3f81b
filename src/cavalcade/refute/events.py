"""Turns and crossings in a formula for a SAT solver, and a totalizer that bounds how many there are.

`answers.certificate` says what the clauses are. The checker builds them anew, by code of its own.
"""

from __future__ import annotations

from collections import defaultdict
from math import gcd
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.question.question import Question
    from cavalcade.refute.formula import Formula

    Clause: TypeAlias = list[int]
    Event: TypeAlias = list[list[int]]  # clauses, one of which is false only if the event happens


def events(question: Question, formula: Formula, what: str) -> list[Event]:
    """What a tour may do and should do rarely.

    Args:
        question: the question.
        formula: the formula of its graph.
        what: `turns` or `crossings`.
    """
    coords: list[list[int]] = question.board.coords.tolist()
    return _turns(coords, formula) if what == "turns" else list(_crossings(coords, formula))


def _turns(coords: list[list[int]], formula: Formula) -> list[Event]:
    """Every cell: an edge is used, and none that goes straight on."""
    found = []
    for cell, row in enumerate(formula.rows[: len(coords)]):
        towards = defaultdict(list)  # the edges in each direction; those to no cell in direction ()
        for k in row:
            other = sum(formula.edges[k - 1]) - cell
            step = (
                [b - a for a, b in zip(coords[cell], coords[other], strict=True)]
                if other < len(coords)
                else []
            )
            towards[tuple(x // gcd(*step) for x in step)].append(k)
        ends = towards.pop((), [])
        ahead = {k: towards.get(tuple(-x for x in way), []) for way, some in towards.items() for k in some}
        found.append([[-k, *ahead[k], *ends] for k in sorted(ahead)])
    return found


def _crossings(coords: list[list[int]], formula: Formula) -> Iterator[Event]:
    """Every two edges p + s u and q + t v with 0 < s < 1 and 0 < t < 1 at one point."""
    inner = [k for k, edge in enumerate(formula.edges, 1) if edge[1] < len(coords)]
    if not inner:
        return
    at = np.array([[coords[end] for end in formula.edges[k - 1]] for k in inner])
    p, u = at[:, 0], at[:, 1] - at[:, 0]
    for i, k in enumerate(inner):
        away, v = p[i + 1 :] - p[i], u[i + 1 :]
        whole = u[i, 0] * v[:, 1] - u[i, 1] * v[:, 0]
        s = (away[:, 0] * v[:, 1] - away[:, 1] * v[:, 0]) * np.sign(whole)
        t = (away[:, 0] * u[i, 1] - away[:, 1] * u[i, 0]) * np.sign(whole)
        inside = (s > 0) & (s < abs(whole)) & (t > 0) & (t < abs(whole))
        yield from ([[-k, -inner[i + 1 + j]]] for j in np.flatnonzero(inside).tolist())


def happened(found: list[Event], used: set[int]) -> int:
    """How many of the events happen when these edges are used and no others."""
    return sum(
        any(not any((x > 0) == (abs(x) in used) for x in clause) for clause in event) for event in found
    )


def counted(found: list[Event], most: int, free: int) -> tuple[list[Clause], range]:
    """Clauses that count the events up to `most` + 1, and the outputs: the first i are true if i happen.

    New variables begin with `free`.
    """
    counter = _Totalizer(most + 1, free + len(found))
    outputs = counter.outputs(range(free, free + len(found)))
    forced = [[*clause, one] for one, event in enumerate(found, free) for clause in event]
    return forced + counter.clauses, outputs


class _Totalizer:
    """Counts variables in unary, up to a number (Bailleux & Boufkhad 2003)."""

    def __init__(self, enough: int, free: int) -> None:
        self.enough, self.free = enough, free
        self.clauses: list[Clause] = []

    def outputs(self, given: range) -> range:
        """The variables of which as many are true, from the first on, as of the given ones."""
        if len(given) < 2:
            return given
        one, other = self.outputs(given[: len(given) // 2]), self.outputs(given[len(given) // 2 :])
        total = range(self.free, self.free + min(len(given), self.enough))
        self.free = total.stop
        for i, x in enumerate([0, *one]):
            for j, y in enumerate([0, *other]):
                if x or y:
                    reached = total[min(i + j, len(total)) - 1]
                    self.clauses.append([reached, *(-variable for variable in (x, y) if variable)])
        return total
