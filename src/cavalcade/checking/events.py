"""Turns, angles and crossings in the checker: counted in a tour, and as clauses of SAT proofs.

A tour *turns* on a cell unless its two moves there go in one direction. The *angle* at a cell lies between
the two moves. It is acute below 90 degrees and obtuse above, so a straight angle is obtuse. Two moves *cross*
if their segments meet in a single point inside both. `answers.certificate` defines the clauses. The encoder
of the engines (`refute.formula`) is separate code.
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

Rows: TypeAlias = "list[list[tuple[int, int]]]"  # for each cell, its edges and their other ends


def why_uncounted(question: Question, bound: AtMost | None) -> str:
    """Why the tours of a question have no number of turns, angles or crossings; empty if they have one."""
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


# ---- clauses


def events_of(question: Question, edges: Ints, bound: AtMost | None) -> list[list[Clause]]:
    """The clauses of each event: they hold unless the event happens. Empty without a bound.

    Args:
        question: a question with countable events, see `why_uncounted`.
        edges: all edges (a, b), a < b, in ascending order; vertices from the size of the board on are extra
            vertices.
        bound: the kind of event and the largest allowed number.
    """
    board = question.board
    if bound is None or board.plain:
        return []
    if bound.what == "crossings":
        return _crossings(places_of(board), edges, board.size)
    rows: Rows = [[] for _ in range(board.size)]
    for edge, (a, b) in enumerate(edges.tolist(), 1):
        for tail, head in ((a, b), (b, a)):
            if tail < board.size:
                rows[tail].append((edge, head))
    points = points_of(board)
    return _turns(points, rows) if bound.what == "turns" else _angles(points, rows, bound.what)


def _turns(points: Ints, rows: Rows) -> list[list[Clause]]:
    """One event per cell: the tour turns there."""
    events = []
    for cell, row in enumerate(rows):
        directions = _directions(points, cell, row)
        extra = [edge for edge, head in row if edge not in directions]
        # The tour does not turn if it leaves by the opposite edge, or ends here.
        events.append(
            [
                (-edge, *(back for back in directions if _opposite(direction, directions[back])), *extra)
                for edge, direction in directions.items()
            ]
        )
    return events


def _angles(points: Ints, rows: Rows, kind: str) -> list[list[Clause]]:
    """One event per cell: the tour makes an angle of the given kind there."""
    events: list[list[Clause]] = []
    for cell, row in enumerate(rows):
        directions = _directions(points, cell, row)
        pairs = combinations(directions, 2)
        events.append([(-a, -b) for a, b in pairs if _angle(directions[a], directions[b]) == kind])
    return events


def _directions(points: Ints, cell: int, row: list[tuple[int, int]]) -> dict[int, Ints]:
    """The vector along each edge from a cell to another cell; edges to extra vertices have none."""
    return {edge: points[head] - points[cell] for edge, head in row if head < len(points)}


def _angle(u: Ints, v: Ints) -> str:
    """The kind of the angle between two moves that lead away from a cell along these vectors."""
    cosine = int(u @ v)
    return "acute angles" if cosine > 0 else "obtuse angles" if cosine else "right angles"


def _opposite(u: Ints, v: Ints) -> bool:
    """Whether two vectors have opposite directions."""
    return int(u @ v) < 0 and int(u @ v) ** 2 == int(u @ u) * int(v @ v)


def _crossings(places: Ints, edges: Ints, n: int) -> list[list[Clause]]:
    """One event for every two edges that cross."""
    between_cells = np.flatnonzero(edges[:, 1] < n)
    starts, ends = places[edges[between_cells, 0]], places[edges[between_cells, 1]]
    events: list[list[Clause]] = []
    for k, edge in enumerate(between_cells.tolist()):
        crosses = _cross(starts[k], ends[k], starts[k + 1 :], ends[k + 1 :])
        events += [[(-edge - 1, -later - 1)] for later in between_cells[k + 1 :][crosses].tolist()]
    return events


def side(p: Ints, q: Ints, r: Ints) -> Ints:
    """The side of the line from p to q on which the point r lies: positive, negative, or 0 on it."""
    u, v = q - p, r - p
    return np.asarray(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0])


def _cross(a: Ints, b: Ints, c: Ints, d: Ints) -> Mask:
    """Whether the segments from a to b and from c to d meet in a single point inside both."""
    return np.asarray((side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0))


# ---- in a tour


def count(tour: Tour, what: str) -> int:
    """Count the turns, the crossings or the angles of one kind in a tour.

    Args:
        tour: a correct tour of a flat board; for crossings, of a board in two dimensions.
        what: one of `MEASURES`.

    Time: linear; 0.1 s for the turns of a million cells, 2 s for the crossings.
    """
    if tour.board.plain:
        raise TypeError("a graph has no directions")
    points = (places_of if what == "crossings" else points_of)(tour.board)[tour.cells]
    if what == "crossings":
        moves = np.diff(points, axis=0, append=points[:1]) if tour.closed else np.diff(points, axis=0)
        return _crossed(points[: len(moves)], moves, tour.board.shape)
    dots = corners(points, closed=tour.closed)
    happens = {
        "turns": turns_at(dots),
        "acute angles": dots[0] < 0,
        "right angles": dots[0] == 0,
        "obtuse angles": dots[0] > 0,
    }[what]
    return int(np.count_nonzero(happens))


def corners(points: Ints, *, closed: bool) -> tuple[Ints, Ints, Ints]:
    """The scalar products u·v, u·u and v·v of the two moves u and v of each cell with two moves.

    Args:
        points: points of the cells of one or more tours, shape (..., n, d).
        closed: whether the tours are closed.
    """
    moves = np.roll(points, -1, axis=-2) - points if closed else np.diff(points, axis=-2)
    before, after = (np.roll(moves, 1, axis=-2), moves) if closed else (moves[..., :-1, :], moves[..., 1:, :])
    dots = ((u * v).sum(axis=-1) for u, v in ((before, after), (before, before), (after, after)))
    return tuple(dots)


def turns_at(dots: tuple[Ints, Ints, Ints]) -> Mask:
    """Whether a tour does not go straight on, by the products that `corners` returns."""
    return np.asarray((dots[0] <= 0) | (dots[0] ** 2 != dots[1] * dots[2]))


def crossing(places: Ints, moves: Ints) -> Mask:
    """Whether every two moves cross, shape (moves, moves)."""
    starts, ends = places[moves].swapaxes(0, 1)
    return _cross(starts[:, None], ends[:, None], starts[None], ends[None])


def _crossed(starts: Ints, moves: Ints, shape: tuple[int, ...]) -> int:
    """Count the crossings of moves that begin at the given places.

    For every two vectors, and every shift at which two such segments cross, count the places where both
    segments are in the tour.
    """
    reach = 2 * int(np.abs(moves).max(initial=0))
    codes = moves[:, 0] * (2 * reach + 1) + moves[:, 1]
    kinds = {int(code): moves[k] for code, k in zip(*np.unique(codes, return_index=True), strict=True)}
    # A move and the move back are the same segment: store it under one vector of the two.
    segments = []
    for code, vector in kinds.items():
        if code > 0 or -code not in kinds:
            begins = [starts[codes == code], *([starts[codes == -code] - vector] if -code in kinds else [])]
            segments.append((vector, _grid(np.concatenate(begins), shape, reach)))
    total = 0
    origin = np.zeros(2, dtype=np.int64)
    for i, (u, grid) in enumerate(segments):
        for v, other_grid in segments[i + 1 :]:
            for corner in np.ndindex(2 * reach + 1, 2 * reach + 1):
                shift = np.array(corner) - reach
                if _cross(origin, u, shift, shift + v):
                    crossings = _shifted(grid, origin, reach) & _shifted(other_grid, shift, reach)
                    total += int(np.count_nonzero(crossings))
    return total


def _grid(places: Ints, shape: tuple[int, ...], margin: int) -> Mask:
    """An array of the board with a margin on all sides; true at the given places."""
    grid = np.zeros([side + 2 * margin for side in shape], dtype=np.bool_)
    grid[tuple((places + margin).T)] = True
    return grid


def _shifted(grid: Mask, vector: Ints, margin: int) -> Mask:
    """The entry of a grid at a vector from each place of the board; shape of the board."""
    return grid[
        tuple(slice(margin + k, side - margin + k) for k, side in zip(vector, grid.shape, strict=True))
    ]


def must_turn(question: Question) -> int:
    """The number of cells on which every tour turns, because no two moves from them have opposite directions.

    Time: linear for each vector.
    """
    board = question.board
    if board.plain:
        raise TypeError("a graph has no directions")
    steps = [np.array(vector) for vector in vectors(board, question.piece)]
    margin = max(int(np.abs(step).max()) for step in steps)
    cells = _grid(places_of(board), board.shape, margin)
    turns = _shifted(cells, 0 * steps[0], margin)
    for u in steps:
        for v in steps:
            if _opposite(u, v):
                turns = turns & ~(_shifted(cells, u, margin) & _shifted(cells, v, margin))
    return max(int(np.count_nonzero(turns)) - (0 if question.closed else 2), 0)
