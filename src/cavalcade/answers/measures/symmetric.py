"""The symmetries of a tour, and the classes of its moves under the symmetries of the board.

A tour is symmetric under a map that sends its set of moves to itself: forward if the map keeps the direction
of the tour, backward if it reverses it. The classes of moves are the orbits of the edges of the move graph;
the chessboard has 21 (D. E. Knuth, The Art of Computer Programming, 7.2.2.4).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.measures import ClassCounts, CountTable, Symmetries, SymmetryTable, TourSymmetry
from cavalcade.answers.measures.moves import WalkArrays, row_counts
from cavalcade.answers.tours import Tours
from cavalcade.boards import Board
from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.kernels import Ints
from cavalcade.question.graph import codes_of
from cavalcade.question.moves import KEPT_CELLS, move_graph
from cavalcade.question.pieces import Piece
from cavalcade.question.question import symmetries as symmetries_of
from cavalcade.question.symmetry import MovesTest, Symmetry, first_images

DIRECTIONS = ("", "forward", "backward")  # how a map can fix a tour; the first one: not at all
SAMPLE = 8  # steps of a tour that are tested before all: random tours pass hardly ever, regular ones do often
CLASSIFIED = 1_000  # cells up to which moves are classified: a table of edges is cached per board


def symmetries(walks: WalkArrays) -> SymmetryTable | None:
    """The symmetries of the board that fix a tour; None if there are too many to try."""
    board, tours = walks.board, walks.tours
    if board.plain:
        return None
    fixed: list[list[TourSymmetry]] = [[] for _ in range(len(tours))]
    try:
        for name, images in _candidates(tours, board):
            rows = np.arange(len(tours))
            for steps in (SAMPLE, None):  # the first steps exclude almost all tours
                directions = _directions(tours, rows, images[tours.cells[rows, :steps]])
                rows = rows[directions > 0]
            for row, direction in zip(rows.tolist(), directions[directions > 0].tolist(), strict=True):
                fixed[row].append(TourSymmetry(name, DIRECTIONS[direction]))
    except TooLargeError:
        return None
    return SymmetryTable(np.fromiter(map(Symmetries, fixed), dtype=object, count=len(fixed)))


def classes(walks: WalkArrays) -> CountTable | None:
    """Number of moves in each class; None on a large board or if there are too many symmetries.

    The name of a class is its first move.
    """
    board = walks.board
    if board.plain or board.size > CLASSIFIED:
        return None
    try:
        edges, class_of, names = _classes(board, walks.tours.piece)
    except TooLargeError:
        return None
    moves = np.stack([walks.starts.ravel(), walks.stops.ravel()], axis=1)
    numbers = class_of[np.searchsorted(edges, codes_of(moves, board.size))].reshape(walks.starts.shape)
    return CountTable(ClassCounts, names, row_counts(numbers, len(names)))


def _candidates(tours: Tours, board: Board) -> Iterator[tuple[str, NDArray[np.int32]]]:
    """Yield the symmetries of the board that may fix one of some tours, without the identity.

    Testing whether a map is a symmetry of a large board takes longer than testing whether it fixes a tour,
    and few maps do.

    Yields:
        The name of a symmetry, and the image of each cell.
    """
    piece, rows = tours.piece, np.arange(len(tours))
    if board.size <= KEPT_CELLS:
        yield from ((symmetry.name, symmetry.cells) for symmetry in _symmetries(board, piece)[1:])
        return
    sampled = SAMPLE * math.isqrt(board.size)  # regular tours repeat themselves within a few rows
    first = board.coords[tours.cells[:, :sampled].ravel()]
    maps_moves = MovesTest(board, piece)
    yielded = {np.arange(board.size, dtype=np.int32).tobytes()}
    for name, image in islice(board.family.maps(board.coords), 1, None):
        if not _directions(tours, rows, board.locate(image(first)).reshape(len(rows), -1)).any():
            continue
        cells = board.locate(image(board.coords))
        if not (cells >= 0).all() or not _directions(tours, rows, cells[tours.cells]).any():
            continue
        if cells.tobytes() not in yielded and maps_moves(image, cells):
            yielded.add(cells.tobytes())
            yield name, cells


def _directions(tours: Tours, rows: Ints, images: NDArray[np.int32]) -> Ints:
    """Return how a map of the cells may fix tours, one index of `DIRECTIONS` per tour.

    Args:
        tours: the tours.
        rows: indices of the tours to test.
        images: images of the first cells of each of these tours, shape (rows, k); -1 where there is no cell.
    """
    n, number = tours.cells.shape[1], images.shape[1]
    # The step of the image of each step: a shift of the steps, or a shift of the reversed steps.
    image_steps = np.where(images < 0, -1, tours.steps[rows[:, None], images] - 1)
    first, steps = image_steps[:, :1], np.arange(number, dtype=np.int32)
    anywhere = (image_steps >= 0).all(axis=1) & (number > 0)
    forward = anywhere & (image_steps == (first + steps) % max(1, n)).all(axis=1)
    backward = anywhere & (image_steps == (first - steps) % max(1, n)).all(axis=1)
    if not tours.closed:
        forward &= (first == 0).all(axis=1)
        backward &= (first == n - 1).all(axis=1)
    return np.where(forward, 1, 2 * backward)


@lru_cache(maxsize=8)
def _symmetries(board: Board, piece: Piece) -> list[Symmetry]:
    return symmetries_of(board, piece)


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
