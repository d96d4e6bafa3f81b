"""The symmetries of a board: the maps of its cells that map moves to moves."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.boards import SURFACES
from cavalcade.errors import TooLargeError
from cavalcade.graph import move_graph
from cavalcade.pieces import KNIGHT, Piece

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cavalcade.boards import Board

    Matrix = NDArray[np.int64]

MOST_CANDIDATES = 100_000
TURNS = {
    ((1, 0), (0, 1)): "identity",
    ((-1, 0), (0, -1)): "half turn",
    ((0, 1), (-1, 0)): "quarter turn",
    ((0, -1), (1, 0)): "quarter turn",
    ((-1, 0), (0, 1)): "reflection, top to bottom",
    ((1, 0), (0, -1)): "reflection, left to right",
    ((0, 1), (1, 0)): "reflection in a diagonal",
    ((0, -1), (-1, 0)): "reflection in a diagonal",
}
SIXTHS = {1: "turn by 60°", 2: "turn by 120°", 3: "half turn", 4: "turn by 120°", 5: "turn by 60°"}


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A symmetry of a board: its name, and the cell to which it takes each cell."""

    name: str
    cells: NDArray[np.int32]


def symmetries(board: Board, piece: Piece = KNIGHT) -> list[Symmetry]:
    """The symmetries of a board, the identity first, holes and moves considered.

    Maps of the cells, not of the space around them: two that do the same to every cell are one. A box has
    those that permute and reverse its axes, a hexagon turns and reflections, a surface shifts too. Each
    maps moves to moves.

    Raises:
        TooLargeError: there are more than 100,000 candidates.
        PieceError: the piece does not fit the board.

    Time: proportional to the candidates and the moves; 8x8 takes 1 ms, the torus of 8x8, which has 512, 50.
    """
    graph = move_graph(board, piece)
    edges = graph.edges()
    pairs = np.unique(_codes(edges, board.size))
    found: dict[bytes, Symmetry] = {}
    for name, cells in _surface_maps(board) if board.kind in SURFACES else _flat_maps(board):
        if cells.tobytes() not in found and np.array_equal(
            np.unique(_codes(cells[edges], board.size)), pairs
        ):
            found[cells.tobytes()] = Symmetry(name, cells)
    return list(found.values())


def _codes(edges: NDArray[np.int32], size: int) -> NDArray[np.int64]:
    """A number for each edge, whichever way it goes."""
    ends = edges.astype(np.int64)
    return np.asarray(ends.min(axis=1) * size + ends.max(axis=1))


def _is_permutation(cells: NDArray[np.int32]) -> bool:
    return bool(np.array_equal(np.sort(cells), np.arange(len(cells))))


def _flat_maps(board: Board) -> Iterator[tuple[str, NDArray[np.int32]]]:
    """Maps of boxes and hexagons: a matrix, and the shift that keeps the centre of gravity."""
    at = board.coords.astype(np.int64)
    centre = at.sum(axis=0)
    for name, matrix in _hexagon_matrices() if board.kind == "hex" else _box_matrices(board.shape):
        shift = centre - centre @ matrix.T
        if (shift % board.size).any():
            continue
        cells = board.locate(at @ matrix.T + shift // board.size)
        if _is_permutation(cells):
            yield name, cells


def _box_matrices(shape: tuple[int, ...]) -> Iterator[tuple[str, Matrix]]:
    """All that permute the axes and reverse some, the identity first.

    Sides need not be equal: with holes, what is left of a 3x5 board may well be a square.
    """
    d = len(shape)
    if math.factorial(d) * 2**d > MOST_CANDIDATES:
        raise TooLargeError(f"boards of {d} dimensions have too many symmetries to try")
    axes = ("level", "row", "column")[-d:] if d <= 3 else tuple(f"axis {i + 1}" for i in range(d))
    for order in itertools.permutations(range(d)):
        for signs in itertools.product((1, -1), repeat=d):
            matrix = np.zeros((d, d), dtype=np.int64)
            matrix[range(d), order] = signs
            name = TURNS[tuple(map(tuple, matrix.tolist()))] if d == 2 else _formula(axes, matrix)  # type: ignore[index]
            yield name, matrix


def _formula(axes: tuple[str, ...], matrix: Matrix, shift: tuple[int, ...] | None = None) -> str:
    """Where the cell with these coordinates goes: `(-row, column + 2)`."""
    parts = []
    for row, more in zip(matrix.tolist(), shift or (0,) * len(axes), strict=True):
        i = next(i for i, x in enumerate(row) if x)
        parts.append(("-" if row[i] < 0 else "") + axes[i] + (f" + {more}" if more else ""))
    return "identity" if ", ".join(parts) == ", ".join(axes) else f"({', '.join(parts)})"


def _hexagon_matrices() -> Iterator[tuple[str, Matrix]]:
    """Turns by 60° and reflections, on axial coordinates (q, r)."""
    turn, swap = np.array([[0, -1], [1, 1]]), np.array([[0, 1], [1, 0]])
    now = np.eye(2, dtype=np.int64)
    for i in range(6):
        yield SIXTHS.get(i, "identity"), now
        # the axis of the swap itself, q = r, runs through the middles of two sides
        yield f"reflection, axis through {'corners' if i % 2 else 'sides'}", now @ swap
        now = now @ turn


def _surface_maps(board: Board) -> Iterator[tuple[str, NDArray[np.int32]]]:
    """Maps of surfaces: shifts, reflections and, where both sides wrap alike, the axes exchanged.

    A map has to agree with the seams: a place and the same place met again beyond a seam go together.
    """
    m, n = board.shape
    flips, wraps = board.kind in {"mobius", "klein"}, board.kind in {"torus", "klein"}
    shifts = [(i, j) for i in range(m if wraps else 2 * m - 1) for j in range(2 * n if flips else n)]
    if 8 * len(shifts) > MOST_CANDIDATES:
        raise TooLargeError(f"{board.title} has too many symmetries to try")
    whole = board.whole
    cells, every = board.coords.astype(np.int64), whole.coords.astype(np.int64)
    beyond = every * (-1, 1) if flips else every
    again = [beyond + np.array([(m - 1) * flips, n])] + [every + np.array([m, 0])] * wraps
    for _, matrix in _box_matrices(board.shape):
        for shift in shifts:
            home = whole.locate(every @ matrix.T + shift)
            if all(np.array_equal(home, whole.locate(other @ matrix.T + shift)) for other in again):
                images = board.locate(cells @ matrix.T + shift)
                if _is_permutation(images):
                    yield _formula(("row", "column"), matrix, shift), images
