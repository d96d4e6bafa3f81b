"""The symmetries of a board: maps of its cells that map moves to moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.errors import BoardError
from cavalcade.graph import MoveGraph
from cavalcade.problem import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cavalcade.boards import Board
    from cavalcade.pieces import Piece


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A symmetry of a board: its name, and the cell to which it takes each cell."""

    name: str
    cells: NDArray[np.int32]


def symmetries(board: Board | MoveGraph | Problem | str, piece: Piece | str | None = None) -> list[Symmetry]:
    """The symmetries of a board, the identity first; holes and moves are taken into account.

    Maps of the cells, not of the space around them: two that do the same to every cell are one. A box has
    those that permute and reverse its axes, hexagonal cells turns and reflections, a surface shifts too. Each
    maps moves to moves.

    Args:
        board: a board, its spec, or a whole `Problem`. A plain graph has no shape, and so no symmetry.
        piece: a piece or its spec; by default the knight.

    Raises:
        CavalcadeError: a spec that means nothing, a plain graph, or a piece that does not fit the board.
        TooLargeError: there are more than 100,000 candidates.

    Time: proportional to the candidates and the moves; 8x8 takes 1 ms, the torus of 8x8, which has 512, 50.
    """
    problem = Problem.of(board, piece=piece)
    board = problem.board
    if isinstance(board, MoveGraph):
        raise BoardError(f"{board.title} is a plain graph: it has no shape that could be symmetric")
    edges = problem.graph.edges()
    pairs = np.sort(_codes(edges, board.size))
    found: dict[bytes, Symmetry] = {}
    for name, images in board.family.maps(board.coords):
        cells = board.locate(images)
        if cells.tobytes() in found or not np.array_equal(np.sort(cells), np.arange(board.size)):
            continue
        if np.array_equal(np.sort(_codes(cells[edges], board.size)), pairs):
            found[cells.tobytes()] = Symmetry(name, cells)
    return list(found.values())


def _codes(edges: NDArray[np.int32], size: int) -> NDArray[np.int64]:
    """A number for each edge, whichever way it goes."""
    ends = edges.astype(np.int64)
    return np.asarray(ends.min(axis=1) * size + ends.max(axis=1))
