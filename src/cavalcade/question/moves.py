"""The moves of a piece on a board, or the edges of a plain graph that stands for one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cavalcade.boards import Board
from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.errors import GraphError, PieceError, TooLargeError
from cavalcade.ground.kernels import Ints, Mask
from cavalcade.question.graph import BLOCK, BoardLike, MoveGraph, board_of, board_or_graph
from cavalcade.question.pieces import KNIGHT, Piece, PieceLike, piece_of

MOVE = 25e-9  # seconds per move to compute its head with NumPy; only compared with the time limit
KEPT_CELLS = 10_000  # cells up to which the graph of a board is cached


def piece_on(board: Board | MoveGraph, piece: PieceLike | None) -> Piece:
    """The piece on a board, from a piece or its spec; by default the knight.

    Raises:
        PieceError: the spec is no piece; or it is not the knight, and the board is a plain graph.
    """
    if board.plain and piece is not None and piece != KNIGHT:
        spec = piece.spec if isinstance(piece, Piece) else piece
        raise PieceError(f"{board.title} is a graph and has no piece: leave out {spec!r}")
    return piece_of(piece)


def graph_of(board: Board | MoveGraph, piece: Piece, order: Sequence[int] | str | None = None) -> MoveGraph:
    """The move graph of a piece on a board; a plain graph is its own.

    Args:
        board: the board.
        piece: the piece.
        order: the order of the moves in each row, see `Piece.in_order`.

    Raises:
        PieceError: `order` is not an order of the moves.
    """
    if order is not None:
        piece = piece.in_order(board, order)
    if board.plain:
        return board
    return _kept_graph(board, piece) if board.size <= KEPT_CELLS else move_graph(board, piece)


@lru_cache(maxsize=8)  # eight graphs take 3 MB for a knight
def _kept_graph(board: Board, piece: Piece) -> MoveGraph:
    """The move graph of a small board, cached for questions with another seed or constraint."""
    return move_graph(board, piece)


def are_moves(board: Board | MoveGraph, piece: Piece, starts: ArrayLike, stops: ArrayLike) -> Mask:
    """Whether a move leads from each start to the corresponding stop."""
    tails, heads = np.asarray(starts), np.asarray(stops)
    if board.plain:
        rows = map(board.neighbours, tails.tolist())
        return np.array([b in row for row, b in zip(rows, heads.tolist(), strict=True)], dtype=np.bool_)
    fine, vectors = np.zeros(len(tails), dtype=np.bool_), piece.vectors(board)
    if board.family.flat:
        for begin in range(0, len(tails), BLOCK):
            part = slice(begin, begin + BLOCK)
            steps = np.ascontiguousarray((board.coords[heads[part]] - board.coords[tails[part]]).T)
            for vector in vectors:
                fine[part] |= np.logical_and.reduce(
                    [axis == x for axis, x in zip(steps, vector, strict=True)]
                )
        return fine
    for reached in board.reached(vectors, tails):
        fine |= reached == heads
    fine &= tails != heads  # around a small surface a move comes back to its own cell
    return fine


def move_graph(board: BoardLike, piece: PieceLike | None = None) -> MoveGraph:
    """The move graph of a piece on a board: one vertex per cell, one edge per move.

    There are no parallel edges and no loops, even if a surface wraps around twice.
    Vectorised over the cells: 1000x1000 takes about 0.2 s and 200 bytes a cell while it is built.

    Args:
        board: a board or its spec.
        piece: a piece or its spec; by default the knight.

    Raises:
        CavalcadeError: a spec that means nothing, or a piece whose moves do not fit the board.
        TooLargeError: the graph would not fit into the memory limit.
        TimeoutError: the time limit would be reached.

    Examples:
        >>> move_graph("8x8")
        <MoveGraph 64 vertices, 168 edges>
    """
    board, piece = board_of(board), piece_of(piece)
    vectors = piece.vectors(board)
    needed = board.size * (16 + 12 * board.dimensions + 10 * len(vectors))
    assert_room(needed, f"the move graph of {board.title}, {board.size:,} cells,")
    n = board.size
    assert_time(f"the moves of {n:,} cells take longer to find", MOVE * n * len(vectors))
    targets = np.empty((n, len(vectors)), dtype=np.int32)
    for k, cells in enumerate(board.reached(vectors)):
        assert_time(f"{k} of {len(vectors)} moves from each of {n:,} cells were found")
        if board.family.wraps:
            repeated = cells == np.arange(n, dtype=np.int32)
            for j in range(k):
                repeated |= targets[:, j] == cells
            cells = np.where(repeated, np.int32(-1), cells)  # noqa: PLW2901 - without loops and repeats
        targets[:, k] = cells
    on_board = targets >= 0
    if np.count_nonzero(on_board) >= 2**31:
        raise TooLargeError(f"{board.title} has {board.size:,} cells: too many moves to number")
    indptr = np.zeros(n + 1, dtype=np.int32)
    np.cumsum(np.count_nonzero(on_board, axis=1), out=indptr[1:])
    if piece.one_way_on(board):
        return MoveGraph(indptr, targets[on_board], spec=f"the move graph of {piece.spec}", directed=True)
    return MoveGraph(indptr, targets[on_board])


LABELS = ("names", "i_j")


def places(board: Board, coords: NDArray[np.integer]) -> Ints:
    """Coordinates in the notation of the paper of 2020: from 1; on hexagonal boards r and q, from 0."""
    indices = np.asarray(coords, dtype=np.int64) + board.family.origin
    return indices[:, ::-1] if board.family.hexagonal else indices + 1


def coords_of(board: Board, places: Ints) -> Ints:
    """The inverse of `places`."""
    return np.asarray((places[:, ::-1] if board.family.hexagonal else places - 1) - board.family.origin)


def links(board: BoardLike, *, piece: PieceLike | None = None, labels: str = "names") -> MoveGraph:
    """Return the move graph of a board with a label for each vertex, for export to other programs.

    Args:
        board: a board, its spec, or a move graph, which keeps the labels that it has.
        piece: a piece or its spec; by default the knight.
        labels: `names`, the cells' names, or `i_j`, the paper's places: row from the top, column and layer,
            from 1; on a hexagon r and q, from 0.

    Raises:
        CavalcadeError: a spec that means nothing, a piece that does not fit the board, or other labels.

    Examples:
        >>> links("3x3", labels="i_j").names[0]
        '1_1'
    """
    if labels not in LABELS:
        raise GraphError(f"unknown labels {labels!r}, expected one of {', '.join(LABELS)}")
    place = board_or_graph(board)
    mover = piece_on(place, piece)
    if place.plain:
        return place
    graph = move_graph(place, mover)
    if labels == "names":
        words = place.names
    else:
        words = ["_".join(map(str, indices)) for indices in places(place, place.coords).tolist()]
    return replace(graph, labels=tuple(words), spec=f"graph:{place.spec}")
