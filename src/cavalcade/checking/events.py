"""Turns, angles and crossings in the checker: counted in a tour, and as clauses of SAT proofs.

A tour *turns* on a cell where its two moves do not go in one direction. Its *angle* there is the one between
the two moves: acute below 90 degrees, obtuse above, so that straight on is obtuse. Two of its moves *cross*
where their segments have one point in common, inside both. `answers.certificate` has the words of the
clauses. What finds tours and proofs (`refute.formula`) has code of its own.
"""

from __future__ import annotations

from itertools import combinations
from typing import TypeAlias

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.checking.formula import Clause
from cavalcade.checking.geometry import Ints, is_flat, places_of, points_of, vectors
from cavalcade.ground.kernels import Mask
from cavalcade.question.question import Question
from cavalcade.question.statement import MEASURES, AtMost

Rows: TypeAlias = "list[list[tuple[int, int]]]"


def why_uncounted(question: Question, bound: AtMost | None) -> str:
    """Why turns, angles or crossings of a question's tours cannot be counted; nothing if they can."""
    if bound is None:
        return ""
    board = question.board
    if bound.what not in MEASURES:
        return f"cannot count {bound.what!r}, expected {', '.join(MEASURES)}"
    if board.plain or not is_flat(board):
        return f"the moves of {board.title} have no directions"
    if bound.what == "crossings" and board.dimensions != 2:
        return f"moves cross on boards of two dimensions, but {board.title} has {board.dimensions}"
    if question.required or question.direction is not None:
        return f"proofs about {bound.what} support no moves to make, and none that go one way"
    return ""


def events_of(question: Question, edges: Ints, bound: AtMost | None) -> list[list[Clause]]:
    """The clauses of each event, which hold unless it happens; none without a bound.

    Args:
        question: the question, whose events can be counted.
        edges: all edges (a, b), a < b, in ascending order; vertices from the board's size on are no cells.
        bound: what is counted.
    """
    board = question.board
    if bound is None or board.plain:
        return []
    if bound.what == "crossings":
        return _crossings(places_of(board), edges, board.size)
    # the edges of every cell, and their other ends
    rows: list[list[tuple[int, int]]] = [[] for _ in range(board.size)]
    for edge, (a, b) in enumerate(edges.tolist(), 1):
        for one, other in ((a, b), (b, a)):
            if one < board.size:
                rows[one].append((edge, other))
    points = points_of(board)
    return _turns(points, rows) if bound.what == "turns" else _angles(points, rows, bound.what)


def _turns(places: Ints, rows: Rows) -> list[list[Clause]]:
    """An event for every cell."""
    found, n = [], len(rows)
    for cell, row in enumerate(rows):
        ahead = {edge: places[other] - places[cell] for edge, other in row if other < n}
        clauses = []
        for edge, one in ahead.items():
            back = [other for other in ahead if _opposite(one, ahead[other])]
            clauses.append((-edge, *back, *(extra for extra, other in row if other >= n)))
        found.append(clauses)
    return found


def _angles(places: Ints, rows: Rows, what: str) -> list[list[Clause]]:
    """An event for every cell."""
    found: list[list[Clause]] = []
    for cell, row in enumerate(rows):
        ahead = {edge: places[other] - places[cell] for edge, other in row if other < len(rows)}
        pairs = combinations(ahead, 2)
        found.append([(-a, -b) for a, b in pairs if _angle(ahead[a], ahead[b]) == what])
    return found


def _angle(one: Ints, other: Ints) -> str:
    """The kind of angle between two vectors from a point."""
    cosine = int(one @ other)
    return "acute angles" if cosine > 0 else "obtuse angles" if cosine else "right angles"


def _opposite(one: Ints, other: Ints) -> bool:
    """Whether two vectors have opposite directions."""
    return int(one @ other) < 0 and int(one @ other) ** 2 == int(one @ one) * int(other @ other)


def _crossings(places: Ints, edges: Ints, n: int) -> list[list[Clause]]:
    """An event for every two edges that cross."""
    number = np.flatnonzero(edges[:, 1] < n)
    starts, ends = places[edges[number, 0]], places[edges[number, 1]]
    found: list[list[Clause]] = []
    for k in range(len(number)):
        a, b, c, d = starts[k], ends[k], starts[k + 1 :], ends[k + 1 :]
        others = number[k + 1 :][_cross(a, b, c, d)].tolist()
        found += [[(-int(number[k]) - 1, -other - 1)] for other in others]
    return found


def _cross(a: Ints, b: Ints, c: Ints, d: Ints) -> Mask:
    """Whether a segment from a to b and one from c to d have one point in common, inside both."""

    def side(p: Ints, q: Ints, r: Ints) -> Ints:
        """On which side of the line from p to q the point r lies: above 0, below 0, or 0 on it."""
        ahead, aside = q - p, r - p
        return np.asarray(ahead[..., 0] * aside[..., 1] - ahead[..., 1] * aside[..., 0])

    return np.asarray((side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0))


# ---- in a tour


def count(tour: Tour, what: str) -> int:
    """How many turns, crossings or angles of a kind a tour has.

    Args:
        tour: a right tour of a flat board; for crossings of two dimensions.
        what: one of `MEASURES`.

    Time: linear; 0.1 s for the turns of a million cells, 2 s for the crossings.
    """
    if tour.board.plain:
        raise TypeError("a graph has no directions")
    at = (places_of if what == "crossings" else points_of)(tour.board)[tour.cells]
    moves = np.diff(at, axis=0, append=at[:1]) if tour.closed else np.diff(at, axis=0)
    if what == "crossings":
        return _crossed(at[: len(moves)], moves, tour.board.shape)
    before = np.roll(moves, 1, axis=0)
    dots = [(a * b).sum(axis=1) for a, b in ((before, moves), (before, before), (moves, moves))]
    happens = {
        "turns": (dots[0] <= 0) | (dots[0] ** 2 != dots[1] * dots[2]),
        "acute angles": dots[0] < 0,
        "right angles": dots[0] == 0,
        "obtuse angles": dots[0] > 0,
    }[what]
    return int(np.count_nonzero(happens if tour.closed else happens[1:]))


def _crossed(starts: Ints, moves: Ints, shape: tuple[int, ...]) -> int:
    """The crossings: for every two vectors, and all ways in which two such segments may lie and cross."""
    reach = 2 * int(np.abs(moves).max(initial=0))
    codes = moves[:, 0] * (2 * reach + 1) + moves[:, 1]
    kinds = {int(code): moves[k] for code, k in zip(*np.unique(codes, return_index=True), strict=True)}
    used = []  # each move by its vector, one of the two, and where it starts
    for code, kind in kinds.items():
        if code > 0 or -code not in kinds:
            at = [starts[codes == code], *([starts[codes == -code] - kind] if -code in kinds else [])]
            used.append((kind, _grid(np.concatenate(at), shape, reach)))
    total = 0
    origin = np.zeros(2, dtype=np.int64)
    for i, (one, here) in enumerate(used):
        for other, there in used[i + 1 :]:
            for shift in np.ndindex(2 * reach + 1, 2 * reach + 1):
                c = np.array(shift) - reach
                if _cross(origin, one, c, c + other):
                    both = _shifted(here, origin, reach) & _shifted(there, c, reach)
                    total += int(np.count_nonzero(both))
    return total


def _grid(places: Ints, shape: tuple[int, ...], margin: int) -> Mask:
    """An array that is true at these places, with a margin around the board's."""
    found = np.zeros([side + 2 * margin for side in shape], dtype=np.bool_)
    found[tuple((places + margin).T)] = True
    return found


def _shifted(grid: Mask, vector: Ints, margin: int) -> Mask:
    """For each place of the board, what such an array has at a vector from it."""
    return grid[
        tuple(slice(margin + k, side - margin + k) for k, side in zip(vector, grid.shape, strict=True))
    ]


def must_turn(question: Question) -> int:
    """On how many cells every tour turns, because no two moves from them go in opposite directions.

    Time: linear for each vector.
    """
    board = question.board
    if board.plain:
        raise TypeError("a graph has no directions")
    steps = [np.array(vector) for vector in vectors(board, question.piece)]
    margin = max(int(np.abs(step).max()) for step in steps)
    cells = _grid(places_of(board), board.shape, margin)
    turns = _shifted(cells, 0 * steps[0], margin)
    for one in steps:
        for other in steps:
            if _opposite(one, other):
                turns = turns & ~(_shifted(cells, one, margin) & _shifted(cells, other, margin))
    return max(int(np.count_nonzero(turns)) - (0 if question.closed else 2), 0)
