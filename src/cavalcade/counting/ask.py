"""How many tours a board has: a board becomes a move graph, a count of cycles becomes one of tours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cavalcade.counting.frontier import Count, count_cycles
from cavalcade.errors import CellError
from cavalcade.graph import MoveGraph, move_graph, with_ends
from cavalcade.notation import parse_board
from cavalcade.pieces import KNIGHT, Piece, parse_piece

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cavalcade.boards import Board
    from cavalcade.counting.frontier import Progress


@dataclass(frozen=True)
class Tours:
    """An exact number of tours, what was counted, and what it took."""

    count: int
    conventions: str
    peak_states: int
    peak_bytes: int
    seconds: float


def count(
    board: Board | MoveGraph | str,
    *,
    piece: Piece | str = KNIGHT,
    open: bool = False,  # noqa: A002 - the field's word, and the command line's
    start: int | str | None = None,
    end: int | str | None = None,
    directed: bool = False,
    memory: int = 4 << 30,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: Path | None = None,
) -> Tours:
    """The exact number of tours of a board.

    Every tour counts, also those that are mirror images of one another. A closed tour has no beginning;
    an open one may have ends that are a move apart. Undirected, a tour and its reverse are one; with a
    given start or end an open tour has only one direction.

    Args:
        board: a board, its spec, or a move graph (which knows no piece).
        piece: a piece or its spec.
        open: open tours instead of closed ones.
        start: where open tours begin.
        end: where open tours end.
        directed: count both directions.
        memory: bytes the tables may take.
        progress: called after every cell.
        checkpoint: a file from which an interrupted count goes on.

    Raises:
        CavalcadeError: a spec or name that means nothing, or ends of closed tours.
        TooLargeError: the board is too wide, or more memory would be needed.

    Time: see `counting.frontier.count_cycles`. 6x6 takes 0.1 s, 6x8 1.2 s, the hexagon of side 4 17 s.
    """
    board = parse_board(board) if isinstance(board, str) else board
    piece = parse_piece(piece) if isinstance(piece, str) else piece
    first, last = (board.cell(c) if isinstance(c, str) else c for c in (start, end))
    ends = [cell for cell in (first, last) if cell is not None]
    for cell in ends:
        board.name(cell)
    if ends and not open:
        raise CellError("closed tours have no ends; ask for open ones")
    if len(set(ends)) < len(ends) and board.size > 1:
        raise CellError("an open tour cannot begin and end on the same cell")
    graph = board if isinstance(board, MoveGraph) else move_graph(board, piece)
    if graph.size == 1:
        found = Count(1, 1, 0, 0.0)
    elif open:
        hub = graph.size
        found = count_cycles(
            with_ends(graph, first, last), last=hub, memory=memory, progress=progress, checkpoint=checkpoint
        )
    else:
        found = count_cycles(graph, memory=memory, progress=progress, checkpoint=checkpoint)
    one_way = bool(ends) or graph.size == 1
    times = 2 if directed and not one_way else 1
    kind = "open" if open else "closed"
    names = [f"{word} {board.name(c)}" for word, c in (("from", first), ("to", last)) if c is not None]
    way = "directed" if directed or one_way else "undirected"
    told = " ".join([kind, "tours", *names])
    conventions = f"{told}, {way}, mirror images and rotations counted apart"
    return Tours(found.cycles * times, conventions, found.peak_states, found.peak_bytes, found.seconds)
