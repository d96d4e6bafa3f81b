"""The symmetries of a tour, and the classes of its moves under the symmetries of the board.

A tour is symmetric under a map that sends its set of moves to itself: forward if the map keeps the direction
of the tour, backward if it reverses it. The classes of moves are the orbits of the edges of the move graph;
the chessboard has 21 (D. E. Knuth, The Art of Computer Programming, 7.2.2.4).
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

SMALL = 10_000  # cells up to which all symmetries are computed and cached; beyond, only those of the tour
CLASSIFIED = 1_000  # cells up to which moves are classified: a table of edges is cached per board


def symmetries(walk: Walk) -> Symmetries | None:
    """The symmetries of the board that fix the tour; None if there are too many to try."""
    board, tour = walk.board, walk.tour
    if board.plain:
        return None
    try:
        if board.size <= SMALL:
            return Symmetries(
                TourSymmetry(symmetry.name, direction)
                for symmetry in _symmetries(board, tour.piece)[1:]
                if (direction := _direction(tour, symmetry.cells))
            )
        # On a large board, first find the candidates that fix the tour; only then test them as symmetries.
        candidates = []
        for name, images in board.family.maps(board.coords):
            cells = board.locate(images)
            identity = bool((cells == np.arange(board.size)).all())
            if (cells >= 0).all() and not identity and (direction := _direction(tour, cells)):
                candidates.append((cells.tobytes(), TourSymmetry(name, direction)))
        maps = (
            [symmetry.cells.tobytes() for symmetry in symmetries_of(board, tour.piece)] if candidates else []
        )
        return Symmetries(symmetry for cells, symmetry in candidates if cells in maps)
    except TooLargeError:
        return None


def classes(walk: Walk) -> ClassCounts | None:
    """Number of moves in each class; None on a large board or if there are too many symmetries.

    The name of a class is its first move.
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


def _direction(tour: Tour, images: NDArray[np.int32]) -> str:
    """Return how a map of the cells fixes a tour: `forward`, `backward`, or "" if it does not.

    Args:
        tour: the tour.
        images: image of each cell.
    """
    n = len(tour)
    if n == 0:
        return ""
    # The step of the image of each step: a shift of the steps, or a shift of the reversed steps.
    image_steps = tour.steps[images[tour.cells]].astype(np.int64) - 1
    first, steps = int(image_steps[0]), np.arange(n)
    if first >= 0 and (tour.closed or first == 0) and np.array_equal(image_steps, (first + steps) % n):
        return "forward"
    if first >= 0 and (tour.closed or first == n - 1) and np.array_equal(image_steps, (first - steps) % n):
        return "backward"
    return ""


@lru_cache(maxsize=8)
def _classes(board: Board, piece: Piece) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[str, ...]]:
    """Return the codes of all moves in ascending order, their classes, and the names of the classes."""
    codes = np.sort(codes_of(move_graph(board, piece).edges(), board.size))
    moves = np.stack(np.divmod(codes, board.size), axis=1).astype(np.int32)
    first = first_images(moves, _symmetries(board, piece), board.size)
    leaders, class_of = np.unique(first, return_inverse=True)
    names = tuple(
        f"{board.name(a)}-{board.name(b)}" for a, b in zip(*divmod(leaders, board.size), strict=True)
    )
    return codes, class_of.reshape(-1), names
