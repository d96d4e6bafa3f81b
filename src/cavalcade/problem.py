"""The problem: which tours of which board are wanted. It is read and validated once, here.

Engines work on Hamiltonian cycles alone. A closed tour is one of the move graph. An open tour is one of the
graph with one more vertex, n, next to every cell that may be an end: cut at that vertex, the cycle is the
tour. Where just one end is given, a second extra vertex, n + 1, between that end and vertex n forces the
cycle through it. `Problem.as_cycle` is that graph, and `Problem.cut` the way back.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.boards.notation import parse_board
from cavalcade.errors import CavalcadeError, CellError, PieceError
from cavalcade.graph import MoveGraph, move_graph
from cavalcade.pieces import KNIGHT, Piece, parse_piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cavalcade.boards import Board

EXTRA = ("*", "**")  # the names of vertices n and n + 1


@dataclass(frozen=True)
class Problem:
    """Which tours of a board are wanted.

    Args:
        board: a board, or a plain graph that stands for one.
        piece: the piece; ignored on a plain graph.
        closed: closed tours; else open ones.
        start: the first cell, or None for any.
        end: the last cell of an open tour, or None for any.
    """

    board: Board | MoveGraph
    piece: Piece = KNIGHT
    closed: bool = True
    start: int | None = None
    end: int | None = None

    @classmethod
    def of(
        cls,
        board: Board | MoveGraph | Problem | str,
        *,
        piece: Piece | str | None = None,
        open: bool = False,  # noqa: A002 - the field's word, and the command line's
        start: int | str | None = None,
        end: int | str | None = None,
    ) -> Problem:
        """The problem that the arguments of a public function describe.

        Args:
            board: a board, its spec, a move graph, or a whole problem, which is returned.
            piece: a piece or its spec; by default the knight.
            open: open tours instead of closed ones.
            start: the first cell, by name or number.
            end: the last cell of an open tour.

        Raises:
            CavalcadeError: an invalid spec, name or number, a piece for a plain graph, the end of a
                closed tour, ends that are the same cell, or arguments besides a problem.
        """
        if isinstance(board, Problem):
            words = {"piece": piece, "open": open or None, "start": start, "end": end}
            if given := [word for word, value in words.items() if value is not None]:
                raise CavalcadeError(f"a Problem is complete, but {', '.join(given)} came with it")
            return board
        board = parse_board(board) if isinstance(board, str) else board
        if isinstance(board, MoveGraph) and piece not in {None, KNIGHT}:
            spec = piece.spec if isinstance(piece, Piece) else piece
            raise PieceError(f"{board.title} is a graph and has no piece: leave out {spec!r}")
        piece = parse_piece(piece) if isinstance(piece, str) else piece or KNIGHT
        first, last = (None if cell is None else _cell(board, cell) for cell in (start, end))
        if last is not None and not open:
            raise CellError("a closed tour has no end; ask for an open one")
        if first is not None and first == last and board.size > 1:
            raise CellError(f"an open tour cannot begin and end on the same cell, {board.name(first)}")
        return cls(board, piece, not open, first, last)

    @property
    def kind(self) -> str:
        """`closed` or `open`."""
        return "closed" if self.closed else "open"

    @property
    def ends(self) -> tuple[int, ...]:
        """The given ends of an open tour, the start first."""
        given = (cell for cell in (self.start, self.end) if cell is not None)
        return () if self.closed else tuple(given)

    @cached_property
    def graph(self) -> MoveGraph:
        """The move graph, n cells."""
        return self.board if isinstance(self.board, MoveGraph) else move_graph(self.board, self.piece)

    @cached_property
    def as_cycle(self) -> MoveGraph:
        """The graph whose Hamiltonian cycles are the tours: n, n + 1 or n + 2 vertices."""
        graph = self.graph
        if self.closed or graph.size == 1:
            return graph
        ends, n = self.ends, graph.size
        if len(ends) == 2:
            return _with_vertex(graph, ends)
        if not ends:
            return _with_vertex(graph, range(n))
        return _with_vertex(_with_vertex(graph, [cell for cell in range(n) if cell != ends[0]]), [ends[0], n])

    def cut(self, cycle: NDArray[np.int32]) -> NDArray[np.int32]:
        """The cells of the tour that a Hamiltonian cycle of `as_cycle` stands for, in order.

        A closed tour begins at `start`, or where the cycle does.
        """
        n = self.graph.size
        if n == 1 or (self.closed and self.start is None):
            return cycle
        first = self.start if self.closed else n
        path = np.roll(cycle, -int(np.flatnonzero(cycle == first)[0]))
        if self.closed:
            return path
        path = path[path < n]
        given = ((self.start, path[0]), (self.end, path[-1]))
        backwards = any(wanted is not None and wanted != cell for wanted, cell in given)
        return path[::-1] if backwards else path


def _cell(board: Board | MoveGraph, cell: int | str) -> int:
    if isinstance(cell, str):
        return board.cell(cell)
    board.name(cell)
    return cell


def _with_vertex(graph: MoveGraph, neighbours: Sequence[int]) -> MoveGraph:
    """The graph with one more vertex, last in its neighbours' rows."""
    n = graph.size
    near = np.asarray(neighbours, dtype=np.int32)
    indices = np.insert(graph.indices, graph.indptr[near + 1], n)
    degrees = graph.degrees.copy()
    degrees[near] += 1
    indptr = np.concatenate([[0], np.cumsum(degrees), [len(indices) + len(near)]])
    return MoveGraph(indptr.astype(np.int32), np.concatenate([indices, near]).astype(np.int32))


def degrees(
    board: Board | MoveGraph | Problem | str, *, piece: Piece | str | None = None
) -> NDArray[np.int32]:
    """How many moves every cell of a board has, in the order of the cells: the papers' KNIGHTMOVES.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Problem`.
        piece: a piece or its spec; by default the knight.

    Raises:
        CavalcadeError: an invalid spec, or a piece that does not fit the board.
    """
    return Problem.of(board, piece=piece).graph.degrees
