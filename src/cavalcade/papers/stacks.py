"""Stacks of boards as the 2019 paper tours them: its tables of first degrees, and success rates.

Solution #1 tours one board after the other, each by Warnsdorff's rule: `find.chain`. Solution #2 ("glue")
renumbers a closed tour for every further board: `construction.glue`. Solution #3 is in `solution3`.

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
    """%ktour, %nxtcoord, %ktour ...; `mend`: the last minimum takes over where the first one is stuck."""
    return chain(CHESS, boards, start=start, step=nxtcoord, fall_back=mend, count_start=False)


def nxtcoord(row: int, column: int, rows: int, columns: int) -> tuple[int, int] | None:
    """The paper's macro %nxtcoord: the square of the next board, given that where this one ends, from 0.

    Its LEAVE leaves the inner loop only, so the outer one goes on and overwrites what was found: two
    rows down the page wins wherever that is on the board. On the last two rows it is two columns to the
    left, and on their first two columns two rows up. None where that is off the board.
    """
    found: tuple[int, int] | None = None
    for step1 in (-2, 2):
        for step2 in (-2, 2):
            if 0 <= row + step1 < rows:
                found = (row + step1, column)
            elif 0 <= column + step2 < columns:
                found = (row, column + step2)
            if found != (row, column):
                break
    return found


def closed_tour(start: str) -> Tour:
    """The rule's tour of the chessboard from a square, as a closed one."""
    return Tour(CHESS, tours("first")[CHESS.cell(start)].cells, closed=True)


# ---- the knight on a stack: its moves in an order, and the first degrees


def straight(boards: int, squares: int) -> list[Move]:
    """That many boards up, then so many squares straight on: back and forth, row before column."""
    return [move for step in (-squares, squares) for move in ((boards, step, 0), (boards, 0, step))]


def ordered(*order: int) -> Piece:
    """The knight in three dimensions with its moves in an order of levels: 0 is on the board."""
    kinds = [ON_BOARD if k == 0 else straight(k, 3 - abs(k)) for k in order]
    return Piece(moves=tuple(move for kind in kinds for move in kind))


#: Orders of the moves. The paper describes the first: on the board, then one board away, then two.
ORDERS = {
    "on the board, one away, two away": ordered(0, -1, 1, -2, 2),
    "two away, one away, on the board": ordered(-2, 2, -1, 1, 0),
    "by level, from below": KNIGHT,
}


def flat_degrees(rows: int, columns: int, *, stack: bool = False) -> NDArray[np.int64]:
    """KNIGHTMOVES as the program of Appendix A counts, for one board; `stack` also counts one board away."""
    board = Board.box(rows, columns)
    steps = [(a, b) for _, a, b in ON_BOARD]
    steps += [(a, b) for step in STEPS for a, b in ((step, 0), (0, step)) if stack]
    there = board.locate(board.coords[:, None] + np.array(steps)) >= 0
    return np.asarray(np.count_nonzero(there, axis=1), dtype=np.int64).reshape(rows, columns)


def program_table(boards: int, rows: int = 8, columns: int = 8) -> NDArray[np.int64]:
    """KNIGHTMOVES as the printed four-board program counts: every level the same, 16 at most."""
    return np.stack([flat_degrees(rows, columns, stack=True)] * boards)


def paper_degrees(board: Board | MoveGraph) -> NDArray[np.int64]:
    """The degrees from which the papers' programs start, on a flat board or a stack of them without holes.

    Up to three boards they are the true ones (Tables 1 and 9 of 2019), from four on those of the printed
    program for four boards.
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
    """From how many squares the rule finds a tour, by the program's table or by the true one."""
    graph = move_graph(Board.box(boards, 8, 8), piece)
    table = program_table(boards) if program else None
    found = walks(graph, range(graph.size), ties=ties, degrees=table, count_start=False)
    return sum(len(path) == graph.size for path in found)
