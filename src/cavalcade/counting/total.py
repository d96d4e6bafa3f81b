"""How many tours a board has: a board becomes a move graph, a count of cycles becomes one of tours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cavalcade.counting.frontier import Count, count_cycles
from cavalcade.counting.meeting import count_in_halves, halves
from cavalcade.counting.order import cost_of, narrow_order
from cavalcade.counting.transitions import Question
from cavalcade.memory import machine_memory
from cavalcade.pieces import KNIGHT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cavalcade.boards import Board
    from cavalcade.counting.frontier import Progress
    from cavalcade.graph import MoveGraph
    from cavalcade.pieces import Piece

WORTH_FROM = 3e6  # the cost of a sweep, see `order.cost_of`, from which halves are looked for: half a second


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
    memory: int | None = None,
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
        memory: bytes the tables may take; half of what the machine has, if not given.
        progress: called after every cell.
        checkpoint: a file from which an interrupted count goes on.

    Raises:
        CavalcadeError: a spec or name that means nothing, or ends of closed tours.
        TooLargeError: the board is too wide, or more memory would be needed.

    Time: see `counting.frontier.count_cycles`; large boards with a half turn are counted in halves (see
    `counting.halves`). 6x6 takes 0.1 s, 6x8 1 s, the hexagon of side 4 8 s, 8x8 two minutes and 6 GB.
    """
    memory = machine_memory() // 2 if memory is None else memory
    question = Question.of(board, piece, closed=not open, start=start, end=end)
    graph = question.graph
    ends = [("from", question.start), ("to", question.end)]
    if graph.size == 1:
        found = Count(1, 1, 0, 0.0)
    else:
        last = question.board.size if open else None
        order = narrow_order(graph, last)
        cost = cost_of(graph, order)
        plan = halves(graph, last, below=cost) if cost >= WORTH_FROM else None
        if plan:
            found = count_in_halves(graph, plan, memory=memory, progress=progress, checkpoint=checkpoint)
        else:
            found = count_cycles(graph, order=order, memory=memory, progress=progress, checkpoint=checkpoint)
    names = [f"{word} {question.board.name(cell)}" for word, cell in ends if cell is not None]
    one_way = bool(names) or graph.size == 1
    times = 2 if directed and not one_way else 1
    way = "directed" if directed or one_way else "undirected"
    told = " ".join(["open" if open else "closed", "tours", *names])
    conventions = f"{told}, {way}, mirror images and rotations counted apart"
    return Tours(found.cycles * times, conventions, found.peak_states, found.peak_bytes, found.seconds)
