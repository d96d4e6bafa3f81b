"""Warnsdorff's rule on a board: the preferences of two tie rules, and one walk as a tour.

The engine, `find.warnsdorff`, sees a move graph only. Here a board is turned into the numbers that it needs:
how far out a cell lies (roth), and which move is which (squirrel-cull).
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Undecided
from cavalcade.find.warnsdorff import Preference, walks
from cavalcade.ground.budget import limits
from cavalcade.ground.errors import BoardError, seconds_of, whole
from cavalcade.question.pieces import KNIGHT
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from cavalcade.boards import Board
    from cavalcade.question.graph import BoardLike, MoveGraph
    from cavalcade.question.pieces import Piece, PieceLike

# D. Squirrel & P. Cull, A Warnsdorff-Rule Algorithm for Knight's Tours on Square Boards, 1996, as S.
# Ganzfried prints it (A Simple Algorithm for Knight's Tours, 2004): for a side m by its remainder mod 8,
# orders of the moves and the square on which each order ends. Moves are
# numbered clockwise from (-2, 1); squares are (row, column) from (1, 1).
MOVES = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))


def squirrel_cull_phases(m: int) -> list[tuple[str, tuple[int, int]]]:
    """The orders of the moves for a board of m x m, each with the square on which it ends.

    The last has none and gets (0, 0). Written down for every m; proved by Ganzfried for m = 7 mod 8.
    """
    opening = [("34261578", (m - 1, m - 2)), ("87642135", (2, 2))]
    odd = [("34625718", (m - 1, m - 2)), ("42681357", (m - 6, m)), ("86512347", (2, 5))]
    side = [("34261578", (6, 1)), ("87642135", (3, 1))]
    rest: dict[int, list[tuple[str, tuple[int, int]]]] = {
        0: [*opening, ("51867342", (m - 8, 1)), ("51342678", (7, m - 3)), ("21435678", (0, 0))],
        1: [*opening, ("51324678", (m - 6, (m + 9) // 2)), ("32481765", (0, 0))],
        2: [
            *side,
            ("54132678", (m - 15, 4)),
            ("52431678", (10, m - 2)),
            ("85647123", (5, (m - 6) // 2)),
            ("15746823", (0, 0)),
        ],
        3: [
            *odd,
            ("51867342", (m - 10, 3)),
            ("61825437", ((m + 1) // 2, m - 2)),
            ("71642538", (0, 0)),
        ],
        4: [
            *opening,
            ("51867342", (m - 8, 1)),
            ("51342678", (10, m - 5)),
            ("86753421", (13, (m + 2) // 2)),
            ("78563421", (0, 0)),
        ],
        5: [*opening, ("51324678", (m - 2, (m - 5 if m % 16 == 5 else m - 13) // 2)), ("15234678", (0, 0))],
        6: [
            *side,
            ("54132678", (m - 10, 1)),
            ("52431678", (10, m - 2)),
            ("85647123", (3, (m + 8) // 2)),
            ("12453678", (0, 0)),
        ],
        7: [
            *odd,
            ("51867342", (m - 6, 3)),
            ("61825437", ((m + 1) // 2, m - 2)),
            ("61357284", (0, 0)),
        ],
    }
    return rest[m % 8]


def preference(board: Board | MoveGraph, graph: MoveGraph, ties: str, piece: Piece = KNIGHT) -> Preference:
    """The preferences of a tie rule on a board; empty for most rules, and for plain graphs.

    Args:
        board: the board, or a move graph that stands for one.
        graph: its move graph.
        ties: one of `find.warnsdorff.TIES`.
        piece: the piece.

    Raises:
        BoardError: `squirrel-cull` for another piece than the knight or another board than a square.
    """
    if board.plain:
        return Preference()
    if ties == "roth":
        return Preference(distance=_distance(board))
    if ties != "squirrel-cull":
        return Preference()
    if not board.is_rectangle or board.holes or len({*board.shape}) > 1:
        raise BoardError(f"ties by squirrel-cull are for square boards, not {board.title}")
    if piece.leaps != KNIGHT.leaps:
        raise BoardError(f"ties by squirrel-cull are for the knight, not {piece.spec!r}")
    m = board.shape[0]
    phases = squirrel_cull_phases(m)
    tails = np.repeat(np.arange(graph.size), graph.degrees)
    step = board.coords[graph.indices] - board.coords[tails]
    ranks = np.empty((len(phases), len(graph.indices)), dtype=np.int32)
    for row, (order, _) in zip(ranks, phases, strict=True):
        for k, move in enumerate(MOVES):
            row[(step == move).all(axis=1)] = order.index(str(k + 1))
    ends = [(row - 1) * m + column - 1 for _, (row, column) in phases[:-1]]
    return Preference(ranks=ranks, switches=np.array(ends, dtype=np.int32))


def _distance(board: Board) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Squared distance from the centre of the board, in quarters of a cell's side."""
    if board.family.hexagonal:  # 4 (q² + qr + r²) is the square of the distance in a plane of hexagons
        q, r = (board.coords - board.whole.coords.mean(axis=0)).T
        return np.asarray(np.rint(4 * (q * q + q * r + r * r)), dtype=np.int32)
    at = board.coords.astype(np.int64)
    return np.asarray(((2 * at - np.array(board.shape) + 1) ** 2).sum(axis=1), dtype=np.int32)


def warnsdorff(
    board: BoardLike,
    start: int | str = 0,
    *,
    piece: PieceLike | None = None,
    ties: str = "first",
    degrees: ArrayLike | None = None,
    count_start: bool = True,
    repair: bool = False,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | None = None,
) -> Found | Undecided:
    """One walk by Warnsdorff's rule: a tour, or how far it came.

    The tour is open, or closed where the last cell happens to be a move from the first.

    Args:
        board: a board, its spec, or a move graph (without a piece).
        start: the first cell, by name or number.
        piece: a piece or its spec; by default the knight.
        ties: one of `find.warnsdorff.TIES`.
        degrees: the degrees to begin with, one a cell, instead of the true ones.
        count_start: whether the start takes one off its neighbours' degrees; the papers' programs do
            not.
        repair: where the walk gets stuck, take back as few steps as possible and go on by the other rule: the
            last of equals, or the first where the last was the rule. See `find.warnsdorff`.
        seed: for random ties.
        time_limit: seconds; None is no limit.
        memory: bytes; None is what the machine has.

    Raises:
        CavalcadeError: an invalid spec, name or rule, ties that do not fit the board, or not one degree a
            cell.
        TooLargeError: it does not fit into memory.

    Linear time: about 30 million moves a second once compiled, a million before; a repair takes at most
    quadratic time.
    """
    began = time.perf_counter()
    whole(seed, "seed")
    options: dict[str, Any] = {"ties": ties, "degrees": degrees, "count_start": count_start, "seed": seed}
    try:
        with limits(math.inf if time_limit is None else seconds_of(time_limit), memory):
            question = Question.of(board, piece=piece, open=True, start=start)
            graph, first = question.graph, question.start or 0
            preferred = preference(question.board, graph, ties, question.piece)
            path = next(walks(graph, [first], repair=repair, preference=preferred, **options))
    except TimeoutError as error:
        return Undecided(str(error), "warnsdorff", seed, time.perf_counter() - began)
    closed = len(path) == graph.size > 2 and first in graph.neighbours(int(path[-1]))
    tour = Tour(question.board, path, closed=closed, piece=question.piece)
    seconds = time.perf_counter() - began
    if len(path) == graph.size:
        return Found(tour, "warnsdorff", seed, seconds)
    where = f"on {question.board.name(tour.end)} after {len(path):,} of {graph.size:,} cells"
    again = ", and no repair helps" if repair else ""
    reason = f"Warnsdorff's rule, ties by {ties}, is stuck {where}{again}"
    return Undecided(reason, "warnsdorff", seed, seconds, tour)
