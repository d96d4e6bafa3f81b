"""How many tours a board has: a board becomes a move graph, a count of cycles becomes one of tours."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Unpack

from cavalcade.answers.counts import Count
from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.counting.cycles import count_cycles
from cavalcade.counting.listing import list_tours, reversible
from cavalcade.counting.meeting import Halves, count_in_halves, halves
from cavalcade.counting.strips import along_strip
from cavalcade.counting.voltage import fixed_cycles
from cavalcade.frontier.order import cost_of, narrow_order
from cavalcade.frontier.search import Progress
from cavalcade.frontier.states import WIDEST
from cavalcade.ground.budget import bounded
from cavalcade.question.constraints import QuestionWords
from cavalcade.question.graph import BoardLike
from cavalcade.question.question import Question
from cavalcade.question.statement import statement

WORTH_FROM = 3e6  # the cost of a search, see `order.cost_of`, from which halves are looked for: half a second


def count(
    board: BoardLike | Question,
    *,
    directed: bool = False,
    memory: int | None = None,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    **words: Unpack[QuestionWords],
) -> Count:
    """The exact number of tours of a board.

    Every tour counts, even mirror images and rotations of one another. A closed tour has no beginning;
    an open one may have ends that are a move apart. Undirected, a tour and its reverse are one; with a
    given start or end an open tour has only one direction.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        directed: count both directions.
        memory: bytes the tables may take; by default half of the machine's memory.
        time_limit: seconds; by default none. Of a count that they end a checkpoint is left, as of one that is
            interrupted.
        progress: called after every cell.
        checkpoint: a file from which an interrupted count goes on.
        words: what is asked of the tours, see `Question.of`.

    Raises:
        CavalcadeError: an invalid spec or name, or ends of closed tours.
        TooLargeError: the board is too wide, or more memory or time would be needed.

    Time: see `counting.cycles.count_cycles`; large boards with a half turn are counted in halves (see
    `counting.meeting`). 6x6 takes 0.1 s, 6x8 1 s, the hexagon of side 4 8 s, 8x8 two minutes and 6 GB.

    Examples:
        >>> count("6x6").count, count("5x5", open=True, directed=True).count
        (9862, 1728)
    """
    with bounded(time_limit, memory):
        question = Question.of(board, **words)
        record = Progress(progress)
        if question.board.size == 1:
            found = 1
        elif question.stepwise:
            found = sum(1 for _ in list_tours(question))
        elif question.symmetry:
            g = question.encoding.image(question.symmetry.cells).tolist()
            found = fixed_cycles(question.as_cycle, g).total
        elif checkpoint is None and (whole := along_strip(question)) is not None:
            found, record.peak_states = whole
        else:
            path = None if checkpoint is None else Path(checkpoint)
            checkpoints = Checkpoints(path, "" if path is None else statement(question))
            order, plan = order_and_halves(question)
            if plan:
                found = count_in_halves(question.as_cycle, plan, record=record, checkpoints=checkpoints)
            else:
                found = count_cycles(question.as_cycle, order=order, record=record, checkpoints=checkpoints)
    times, conventions = conventions_of(question, directed=directed)
    return Count(found * times, conventions, record.peak_states, record.peak_bytes, record.seconds)


def order_and_halves(question: Question) -> tuple[list[int], Halves | None]:
    """A narrow order for a search of the whole board, and how to cut it in halves if that is less work."""
    graph, last = question.as_cycle, question.apex
    order = narrow_order(graph, last, widest=WIDEST)
    cost = cost_of(graph, order)
    return order, halves(graph, last, below=cost) if cost >= WORTH_FROM else None


def conventions_of(question: Question, *, directed: bool) -> tuple[int, str]:
    """How often an undirected tour counts, and what is counted, in words."""
    one_way = bool(question.ends or question.one_way) or not reversible(question)
    way = "directed" if directed or one_way else "undirected"
    what = f"{question.kind} tours{question.from_to}{question.constraints}"
    twice = directed and not one_way and question.board.size > 1
    return 1 + twice, f"{what}, {way}, mirror images and rotations counted apart"
