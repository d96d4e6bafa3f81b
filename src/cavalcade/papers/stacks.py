"""Stacks of boards as in the 2019 paper: tables of initial degrees, and success rates.

Solution #1 tours one board after the other by Warnsdorff's rule: `find.chain`. Solution #2 ("glue") renumbers
a closed tour for every further board: `construction.glue`. `solution3` reconstructs Solution #3.

A stack of boards is the box `boards x 8 x 8`. The knight moves as on any box: one board up or down and two
squares straight on, or two boards and one square.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.find.chain import chain
from cavalcade.find.warnsdorff import walks
from cavalcade.ground.errors import BoardError
from cavalcade.papers.gerlach2015 import CHESS, tours, true_degrees
from cavalcade.question.moves import move_graph
from cavalcade.question.pieces import KNIGHT, Piece

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cavalcade.find.chain import TourChain
    from cavalcade.question.graph import MoveGraph

    Move = tuple[int, int, int]

STEPS = (-2, -1, 1, 2)
ON_BOARD = tuple((0, a, b) for a in STEPS for b in STEPS if abs(a) != abs(b))

# ---- Solutions #1 and #2


@cache
def solution1(boards: int, start: str = "a8", *, mend: bool = False) -> TourChain:
    """Return the chain of %ktour and %nxtcoord; `mend` uses the last minimum if the first gets stuck."""
    return chain(CHESS, boards, start=start, step=nxtcoord, fall_back=mend, count_start=False)


def nxtcoord(row: int, column: int, rows: int, columns: int) -> tuple[int, int] | None:
    """Return the first square on the next board, from the last square on this one, by the macro %nxtcoord.

    Rows and columns count from 0. The LEAVE of the macro ends the inner loop only, so that the outer loop
    overwrites the result: two rows down wins if it is on the board. On the last two rows the result is two
    columns to the left, and on the first two columns of these rows two rows up. Returns None if that is off
    the board.
    """
    square: tuple[int, int] | None = None
    for step1 in (-2, 2):
        for step2 in (-2, 2):
            if 0 <= row + step1 < rows:
                square = (row + step1, column)
            elif 0 <= column + step2 < columns:
                square = (row, column + step2)
            if square != (row, column):
                break
    return square


def closed_tour(start: str) -> Tour:
    """Return the rule's tour of the chessboard from a square, as a closed tour."""
    return Tour(CHESS, tours("first")[CHESS.cell(start)].cells, closed=True)


# ---- the knight on a stack: its moves in an order, and the first degrees


def straight(boards: int, squares: int) -> list[Move]:
    """Return the moves that go up a number of boards, then straight on: back and forth, row before column."""
    return [move for step in (-squares, squares) for move in ((boards, step, 0), (boards, 0, step))]


def ordered(*order: int) -> Piece:
    """Return the knight in three dimensions with its moves ordered by level difference; 0 is on the board."""
    kinds = [ON_BOARD if k == 0 else straight(k, 3 - abs(k)) for k in order]
    return Piece(moves=tuple(move for kind in kinds for move in kind))


#: Orders of the moves. The paper describes the first: on the board, then one board away, then two.
ORDERS = {
    "on the board, one away, two away": ordered(0, -1, 1, -2, 2),
    "two away, one away, on the board": ordered(-2, 2, -1, 1, 0),
    "by level, from below": KNIGHT,
}


def flat_degrees(rows: int, columns: int, *, stack: bool = False) -> NDArray[np.int64]:
    """Return KNIGHTMOVES of a board by the program of Appendix A; `stack` adds moves to the next boards."""
    board = Board.box(rows, columns)
    steps = [(a, b) for _, a, b in ON_BOARD]
    steps += [(a, b) for step in STEPS for a, b in ((step, 0), (0, step)) if stack]
    on_board = board.locate(board.coords[:, None] + np.array(steps)) >= 0
    return np.asarray(np.count_nonzero(on_board, axis=1), dtype=np.int64).reshape(rows, columns)


def program_table(boards: int, rows: int = 8, columns: int = 8) -> NDArray[np.int64]:
    """Return KNIGHTMOVES by the printed four-board program: all levels are equal, 16 at most."""
    return np.stack([flat_degrees(rows, columns, stack=True)] * boards)


def paper_degrees(board: Board | MoveGraph) -> NDArray[np.int64]:
    """Return the initial degrees of the papers' programs, for a flat board or a stack without holes.

    Up to three boards these are the true degrees (Tables 1 and 9 of 2019), from four boards on the degrees of
    the printed program for four boards.
    """
    if board.plain or not board.is_box or board.mask is not None or board.dimensions > 3:
        raise BoardError(
            f"the papers have degrees for stacks of flat boards like 4x8x8, not for {board.title}"
        )
    if board.dimensions == 2 or board.shape[0] <= 3:
        return true_degrees(board)
    return program_table(*board.shape)


@cache
def successes(boards: int, piece: Piece, ties: str, *, program: bool) -> int:
    """Return the number of squares from which the rule finds a tour."""
    graph = move_graph(Board.box(boards, 8, 8), piece)
    table = program_table(boards) if program else None
    paths = walks(graph, range(graph.size), ties=ties, degrees=table, count_start=False)
    return sum(len(path) == graph.size for path in paths)
