"""Under which symmetries of the board a tour is symmetric, and its moves by class under them.

A tour is symmetric under a map that takes its set of moves to itself: forward if the direction of the tour
stays, backward if it is reversed. The classes of moves are the orbits of the move graph's edges: 21 on
the chessboard (D. E. Knuth, The Art of Computer Programming, 7.2.2.4).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.measures import ClassCounts, Symmetries, TourSymmetry
from cavalcade.answers.measures.moves import Walk
from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.ground.errors import TooLargeError
from cavalcade.question.graph import codes_of
from cavalcade.question.moves import move_graph
from cavalcade.question.pieces import Piece
from cavalcade.question.question import symmetries as symmetries_of
from cavalcade.question.symmetry import Symmetry, first_images

SMALL = 10_000  # cells of boards whose symmetries are all worked out, and held
CLASSIFIED = 1_000  # cells of boards whose moves are put into classes


def symmetries(walk: Walk) -> Symmetries | None:
    """The symmetries of the board under which the tour is symmetric; None if there are too many to try."""
    board, tour = walk.board, walk.tour
    if board.plain:
        return None
    try:
        if board.size <= SMALL:
            every = _symmetries(board, tour.piece)
            return Symmetries(
                TourSymmetry(one.name, way) for one in every[1:] if (way := _way(tour, one.cells))
            )
        found = []
        for name, images in board.family.maps(board.coords):  # they may be symmetries
            cells = board.locate(images)
            if (cells >= 0).all() and (cells != np.arange(board.size)).any() and (way := _way(tour, cells)):
                found.append((cells.tobytes(), TourSymmetry(name, way)))
        real = [one.cells.tobytes() for one in symmetries_of(board, tour.piece)] if found else []
        return Symmetries(one for cells, one in found if cells in real)
    except TooLargeError:
        return None


def classes(walk: Walk) -> ClassCounts | None:
    """How many moves there are of each class; None on a large board, or with too many symmetries.

    A class is named by the first of its moves.
    """
    board = walk.board
    if board.plain or board.size > CLASSIFIED:
        return None
    try:
        edges, class_of, names = _classes(board, walk.tour.piece)
    except TooLargeError:
        return None
    numbers = class_of[
        np.searchsorted(edges, codes_of(np.stack([walk.starts, walk.stops], axis=1), board.size))
    ]
    return ClassCounts(zip(names, np.bincount(numbers, minlength=len(names)).tolist(), strict=True))


@lru_cache(maxsize=8)
def _symmetries(board: Board, piece: Piece) -> list[Symmetry]:
    return symmetries_of(board, piece)


def _way(tour: Tour, images: NDArray[np.int32]) -> str:
    """How a map of the cells leaves a tour invariant: `forward`, `backward`, or not at all."""
    n = len(tour)
    if n == 0:
        return ""
    seen = tour.steps[images[tour.cells]].astype(np.int64) - 1
    if seen[0] < 0:
        return ""
    steps = np.arange(n)
    if tour.closed:
        if np.array_equal(seen, (seen[0] + steps) % n):
            return "forward"
        return "backward" if np.array_equal(seen, (seen[0] - steps) % n) else ""
    if np.array_equal(seen, steps):
        return "forward"
    return "backward" if np.array_equal(seen, n - 1 - steps) else ""


@lru_cache(maxsize=8)
def _classes(board: Board, piece: Piece) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[str, ...]]:
    """The moves as numbers in ascending order, the class of each, the names of the classes."""
    codes = np.sort(codes_of(move_graph(board, piece).edges(), board.size))
    moves = np.stack(np.divmod(codes, board.size), axis=1).astype(np.int32)
    first = first_images(moves, _symmetries(board, piece), board.size)
    leaders, class_of = np.unique(first, return_inverse=True)
    names = tuple(
        f"{board.name(a)}-{board.name(b)}" for a, b in zip(*divmod(leaders, board.size), strict=True)
    )
    return codes, class_of.reshape(-1), names
