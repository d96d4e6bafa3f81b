"""Stacks of boards as the 2019 paper tours them: its Solutions #1 and #2, and its tables of first degrees.

Solution #1 tours one board after the other, each by Warnsdorff's rule. Solution #2 ("glue") renumbers a
closed tour for every further board. Solution #3 is in `solution3`.

A stack of boards is the box `boards x 8 x 8`. The knight moves as on any box: one board up or down and two
squares straight on, or two boards and one square.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.errors import CellError
from cavalcade.find.warnsdorff import walks
from cavalcade.graph import move_graph
from cavalcade.papers.gerlach2015 import CHESS, tour_from, tours
from cavalcade.pieces import KNIGHT, Piece
from cavalcade.portfolio import tour

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Move = tuple[int, int, int]

STEPS = (-2, -1, 1, 2)
ON_BOARD = tuple((0, a, b) for a in STEPS for b in STEPS if abs(a) != abs(b))

# ---- Solution #1: one board after the other


def nxtcoord(row: int, column: int) -> tuple[int, int]:
    """The macro %nxtcoord: where the next board's tour begins, given where this one ends (from 0).

    Its LEAVE leaves the inner loop only, so the outer one goes on and overwrites what was found: two
    rows down the page wins wherever that is on the board. On the last two rows it is two columns to the
    left, and on their first two columns two rows up.
    """
    found: tuple[int, int] | None = None
    for step1 in (-2, 2):
        for step2 in (-2, 2):
            if 0 <= row + step1 < 8:
                found = (row + step1, column)
            elif 0 <= column + step2 < 8:
                found = (row, column + step2)
            if found != (row, column):
                break
    if found is None:  # not on 8x8: two rows up or down is always on the board
        raise CellError(f"no square two away from row {row}, column {column}, expected both from 0 to 7")
    return found


def solution1(boards: int, start: str = "a8") -> Tour:
    """A tour of so many boards: %ktour, %nxtcoord, %ktour ... It is partial where the rule gets stuck."""
    stack = Board.box(boards, 8, 8)
    cell, cells = CHESS.cell(start), []
    for level in range(boards):
        walk = tours("first")[cell]
        cells.append(walk.cells + 64 * level)
        if len(walk) < 64:
            break
        cell = int(CHESS.locate(np.array(nxtcoord(*CHESS.coords[walk.end].tolist()))))
    return Tour(stack, np.concatenate(cells), closed=False)


def chain(start: int, *, mend: bool = False) -> tuple[list[int], bool]:
    """The squares on which Solution #1 begins its boards, until one comes again or the rule is stuck.

    The second value tells whether it goes on for ever. With `mend` the last minimum takes over where the
    first one is stuck, as the paper of 2015 has it; the printed %ktour knows the first alone.
    """
    begun: list[int] = []
    while start not in begun:
        begun.append(start)
        walk = tour_from(CHESS.name(start))[0] if mend else tours("first")[start]
        if len(walk) < 64:
            return begun, False
        start = int(CHESS.locate(np.array(nxtcoord(*CHESS.coords[walk.end].tolist()))))
    return begun, True


# ---- Solution #2: glue


def glue(numbers: NDArray[np.int64], pivot: tuple[int, int]) -> NDArray[np.int64]:
    """The macro %glue: the numbering of the next board.

    The pivot's step becomes the first of the new board; steps before it follow after the last. INCR1 is
    added to the pivotal value and above, INCR2 to what is below.

    Args:
        numbers: a closed tour's numbering, from any first step, on a board of any size.
        pivot: row and column, from 0.
    """
    value = int(numbers[pivot])
    incr1 = int(numbers.max()) - value + 1
    incr2 = incr1 + numbers.size
    return np.where(numbers >= value, numbers + incr1, numbers + incr2)


def solution2(first: Tour, boards: int, pivots: Sequence[str] = ()) -> Tour:
    """Any closed tour of a flat board, glued to a tour of so many boards.

    Args:
        first: the closed tour of the first board, of any size.
        boards: how many boards.
        pivots: where the second and further boards begin. Without it, the first square, in the order of
            the knight's moves, that is a legal move from the end of the board below.

    Raises:
        CellError: the tour is not closed, or a pivot is not a legal move.
    """
    board = first.board
    if not isinstance(board, Board) or board.dimensions != 2 or not first.closed or not check(first):
        raise CellError(f"{first!r} cannot be glued, expected a closed tour of a flat board")
    levels = [first.numbering.astype(np.int64)]
    for level in range(1, boards):
        row, column = (int(i) for i in np.argwhere(levels[-1] == levels[-1].max())[0])
        near = [(row - 2, column), (row, column - 2), (row, column + 2), (row + 2, column)]
        legal = [board.name(int(cell)) for cell in board.locate(np.array(near)) if cell >= 0]
        chosen = pivots[level - 1] if level <= len(pivots) else legal[0]
        if chosen not in legal:
            raise CellError(
                f"pivot {chosen!r} is not a move from the end of board {level}, expected {', '.join(legal)}"
            )
        at = board.coords[board.cell(chosen)]
        levels.append(glue(levels[-1], (int(at[0]), int(at[1]))))
    return Tour.from_numbering(Board.box(boards, *board.shape), np.stack(levels), closed=False)


def closed_tour(start: str) -> Tour:
    """The rule's tour of the chessboard from a square, as a closed one."""
    return Tour(CHESS, tours("first")[CHESS.cell(start)].cells, closed=True)


def a_closed_tour(rows: int, columns: int) -> Tour:
    """A closed tour of a board, to be glued."""
    board = Board.box(rows, columns)
    found = tour(board)
    if not isinstance(found, Found):
        raise CellError(f"no closed tour of {board.title} was found: {found.reason}")
    return found.tour


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


def single_table() -> NDArray[np.int64]:
    """KNIGHTMOVES as the program of Appendix A counts, for one board."""
    table = np.zeros((8, 8), dtype=np.int64)
    for r in range(8):
        for c in range(8):
            for _, a, b in ON_BOARD:
                table[r, c] += 0 <= r + a < 8 and 0 <= c + b < 8
    return table


def program_table(boards: int) -> NDArray[np.int64]:
    """KNIGHTMOVES as the printed four-board program counts: every level the same, 16 at most."""
    table = single_table()
    for r in range(8):
        for c in range(8):
            for step in STEPS:
                table[r, c] += (0 <= r + step < 8) + (0 <= c + step < 8)
    return np.stack([table] * boards)


def true_table(boards: int) -> NDArray[np.int64]:
    """The degrees of the knight's move graph on so many boards."""
    return move_graph(Board.box(boards, 8, 8)).degrees.astype(np.int64).reshape(boards, 8, 8)


@cache
def successes(boards: int, piece: Piece, ties: str, *, program: bool) -> int:
    """From how many squares the rule finds a tour, by the program's table or by the true one."""
    graph = move_graph(Board.box(boards, 8, 8), piece)
    table = program_table(boards) if program else None
    found = walks(graph, range(graph.size), ties=ties, degrees=table, count_start=False)
    return sum(len(path) == graph.size for path in found)


def first_degrees(boards: int) -> NDArray[np.int64]:
    """The table that the paper starts from: on three boards Table 9, the true one, on four its program's."""
    return true_table(boards) if boards == 3 else program_table(boards)
