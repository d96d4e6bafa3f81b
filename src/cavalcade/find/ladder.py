"""The ladder: which engine is asked, and in what order. Today there is one rung, the join engine.

Here a board becomes a move graph, an engine's answer is checked, and the answer is told as one of the
board again.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from cavalcade.checker import check
from cavalcade.find.join import join
from cavalcade.graph import MoveGraph, move_graph
from cavalcade.notation import parse_board
from cavalcade.pieces import KNIGHT, Piece, parse_piece
from cavalcade.verdict import Found, Verdict

if TYPE_CHECKING:
    from cavalcade.boards import Board


def tour(
    board: Board | MoveGraph | str,
    *,
    piece: Piece | str | None = None,
    open: bool = False,  # noqa: A002 - the field's word, and the command line's
    start: int | str | None = None,
    end: int | str | None = None,
    seed: int = 0,
    time_limit: float | None = None,
) -> Verdict:
    """A tour of a board, checked before it is returned, or the reason why there is none to show.

    Args:
        board: a board, its spec, or a move graph (which knows no piece).
        piece: a piece or its spec; the knight, if not given.
        open: whether an open tour will do.
        start: the first cell, by name or number.
        end: the last cell of an open tour.
        seed: what random choices begin with.
        time_limit: seconds; ten, if not given.

    Raises:
        CavalcadeError: a spec, name or number that means nothing, ends that contradict each other, a
            board too large for this machine.

    Time: milliseconds for boards of a thousand cells, about a second for a million.
    """
    began = time.perf_counter()
    if isinstance(board, str):
        board = parse_board(board)
    piece = parse_piece(piece) if isinstance(piece, str) else piece or KNIGHT
    ends = [_cell(board, cell) if cell is not None else None for cell in (start, end)]
    graph = board if isinstance(board, MoveGraph) else move_graph(board, piece)
    verdict: Verdict = join(
        graph, closed=not open, start=ends[0], end=ends[1], seed=seed, time_limit=time_limit
    )
    if isinstance(verdict, Found):
        if not isinstance(board, MoveGraph):
            verdict = verdict.on(board, piece)
        if not (checked := check(verdict.tour)):
            raise AssertionError(f"the {verdict.method} engine is wrong: {checked.message}")
    return replace(verdict, seconds=time.perf_counter() - began)


def _cell(board: Board | MoveGraph, cell: int | str) -> int:
    if isinstance(cell, str):
        return board.cell(cell)
    board.name(cell)
    return cell
