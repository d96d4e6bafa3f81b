"""How many tours a board has: a board becomes a move graph, a count of cycles becomes one of tours."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Unpack

import numpy as np

from cavalcade.answers.counts import Count
from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.counting.cycles import count_cycles
from cavalcade.counting.meeting import Halves, count_in_halves, halves
from cavalcade.counting.strips import along_strip
from cavalcade.counting.voltage import fixed_cycles
from cavalcade.ground.budget import bounded
from cavalcade.ground.errors import CavalcadeError, TooLargeError
from cavalcade.question.graph import BoardLike, MoveGraph
from cavalcade.question.question import Question
from cavalcade.question.statement import statement
from cavalcade.question.words import QuestionWords, validated
from cavalcade.states.encoding import WIDEST
from cavalcade.states.order import cost_of, narrow_order
from cavalcade.states.search import Progress

# how tours are counted, in words
FOLDED, STRIP, HALVED = "on the folded board", "by a transfer matrix", "in two halves that meet"
WHOLE, LISTED = "cell by cell over the whole board", "by listing every tour"
MIRRORED, SHUFFLED = "likewise from the other end", "likewise in another order"
FEW_ORDERS = 4  # kept at a time when another order is looked for than with many
FEW = 100_000  # tours that are listed to count them again
# the cost of a search, see `order.cost_of`, from which halves are looked for: half a second
WORTH_FROM = 5e7
WORTH_FROM_UNMET = 3e6


@validated
def count(
    board: BoardLike | Question,
    *,
    directed: bool = False,
    memory: int | str | None = None,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    receipt: str | os.PathLike[str] | None = None,
    twice: bool = False,
    **words: Unpack[QuestionWords],
) -> Count:
    """The exact number of tours of a board.

    Every tour counts, even mirror images and rotations of one another. A closed tour has no beginning;
    an open one may have ends that are a move apart. Undirected, a tour and its reverse are one; with a
    given start or end an open tour has only one direction.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        directed: count both directions.
        memory: bytes the tables may take; by default half of the machine's memory. Larger ones go to
            temporary files, after a RuntimeWarning.
        time_limit: seconds; by default none. Of a count that they end a checkpoint is left, as of one that is
            interrupted.
        progress: called after every cell.
        checkpoint: a file from which an interrupted count goes on.
        receipt: a file for what the count had on its way, with which `check_receipt` counts again by another
            program; not with a checkpoint.
        twice: count again by another method, with the cells in another order; `conventions` names both.
        words: what is asked of the tours, see `Question.of`.

    Raises:
        CavalcadeError: an invalid spec or name, or ends of closed tours.
        FormatError: the checkpoint or the receipt cannot be written.
        TooLargeError: the board is too wide, or more time or disk would be needed.
        AssertionError: two methods disagree, an internal error.

    Time: see `counting.cycles.count_cycles`; large boards with a half turn are counted in halves (see
    `counting.meeting`). 6x6 takes 0.1 s, 6x8 1 s, the hexagon of side 4 2 s, 8x8 half a minute and 0.9 GB.

    Examples:
        >>> count("6x6").count, count("5x5", open=True, directed=True).count
        (9862, 1728)
    """
    with bounded(time_limit, memory):
        question = Question.of(board, **words)
        record = Progress(progress)
        recorder = None
        if receipt is not None:
            from cavalcade.counting.receipts import Recorder

            if checkpoint is not None:
                raise CavalcadeError("a receipt needs a count from the beginning: leave out the checkpoint")
            recorder = Recorder(Path(receipt), question)
        times, conventions = conventions_of(question, directed=directed)
        if twice and (question.board.size == 1 or question.listed):
            raise CavalcadeError("one cell, and tours with cells at steps, are counted in one way only")
        how = ""
        if question.board.size == 1:
            found = 1
        elif question.listed:
            found = count_by_listing(question)
        elif question.symmetry:
            g, how = question.encoding.image(question.symmetry.cells).tolist(), FOLDED
            found = fixed_cycles(question.as_cycle, g, record).total
        elif checkpoint is None and recorder is None and (whole := along_strip(question)) is not None:
            (found, record.peak_states), how = whole, STRIP
        else:
            path = None if checkpoint is None else Path(checkpoint)
            checkpoints = Checkpoints(path, "" if path is None else statement(question))
            order, plan = order_and_halves(question)
            method = partial(count_in_halves, plan=plan) if plan else partial(count_cycles, order=order)
            how = HALVED if plan else WHOLE
            found = method(question.as_cycle, record=record, checkpoints=checkpoints, receipt=recorder)
        if recorder:
            recorder.write(found * times, found)
        if twice:
            again, other = _again(question, found, how, Progress(progress))
            if again != found:
                raise AssertionError(f"{how} there are {found} tours, and {other} {again}")
            conventions += f"; counted twice, {how} and {other}"
    return Count(found * times, conventions, record.peak_states, record.peak_bytes, record.seconds)


def order_and_halves(question: Question, *, meeting: bool = True) -> tuple[list[int], Halves | None]:
    """A narrow order for a search of the whole board, and how to cut it in halves if that is less work.

    `meeting` is whether the halves are to meet.
    """
    graph, last = question.as_cycle, question.apex
    order = narrow_order(graph, last, widest=WIDEST)
    cost = cost_of(graph, order)
    worth = cost >= (WORTH_FROM if meeting else WORTH_FROM_UNMET)
    return order, halves(graph, last, below=cost, meeting=meeting) if worth else None


def count_by_listing(question: Question) -> int:
    """The number of tours by listing every one."""
    from cavalcade.counting.listing import list_tours

    return sum(1 for _ in list_tours(question))


def _again(question: Question, found: int, how: str, record: Progress) -> tuple[int, str]:
    """The number of tours once more, by another method than one of these, with that method in words."""
    if found <= FEW and how in {FOLDED, WHOLE}:
        return count_by_listing(question), LISTED
    graph, last = question.as_cycle, question.apex
    if how == WHOLE and (plan := halves(graph, last)) is not None:
        return count_in_halves(graph, plan, record=record), HALVED
    to = np.arange(graph.size, dtype=np.int32)[::-1]  # numbered from the other end,
    if question.symmetry is not None:  # or, as that is a half turn of many boards, at random
        to = np.random.default_rng(0).permutation(graph.size).astype(np.int32)
    renumbered = MoveGraph.from_edges(to[graph.edges()], graph.size)
    try:
        if question.symmetry is not None:
            image = to[question.encoding.image(question.symmetry.cells)][np.argsort(to)]
            return fixed_cycles(renumbered, image.tolist(), record, beam=FEW_ORDERS).total, SHUFFLED
        order = narrow_order(renumbered, None if last is None else int(to[last]), widest=WIDEST)
        again = count_cycles(graph, order=to[order].tolist(), record=record)
    except TooLargeError as error:
        raise TooLargeError(f"counted once, {how}, there are {found} tours; {error}") from None
    return again, MIRRORED if how == WHOLE else WHOLE


def conventions_of(question: Question, *, directed: bool) -> tuple[int, str]:
    """How often an undirected tour counts, and what is counted, in words."""
    one_way = bool(question.ends or question.one_way) or not question.reversible
    way = "directed" if directed or one_way else "undirected"
    what = f"{question.kind} tours{question.from_to}{question.constraints}"
    twice = directed and not one_way and question.board.size > 1
    return 1 + twice, f"{what}, {way}, mirror images and rotations counted apart"
