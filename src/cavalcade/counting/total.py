"""Count the tours of a board: choose a method, and count the cycles of its move graph."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Unpack

import numpy as np

from cavalcade.answers.counts import Count
from cavalcade.answers.verification import Verification
from cavalcade.checking.verification import LISTED_AGAIN, REPEATED, agreed, recounted, selected
from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.counting.colours import refuted_by_colours
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

# Methods of counting, as they are named in `Count.conventions`.
FOLDED, STRIP, HALVED = "on the folded board", "by a transfer matrix", "in two halves that meet"
WHOLE, LISTED = "cell by cell over the whole board", "by listing every tour"
MIRRORED, SHUFFLED = "likewise from the other end", "likewise in another order"
FEW = 100_000  # tours up to which a second count lists them, in about a second
# Cost of a search, see `order.cost_of`, from which the board is divided into halves: searching for halves
# takes up to half a second. To draw tours from two halves pays off earlier, because the halves do not meet.
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
    """Count the tours of a board exactly.

    Mirror images and rotations count as different tours. A closed tour has no beginning; an open tour may
    have ends that are a move apart. A tour and its reverse count as one unless `directed` is set; a given
    start or end fixes the direction of an open tour.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        directed: count both directions.
        memory: limit for the tables in bytes; by default half of the machine's memory. Larger tables go to
            temporary files, after a RuntimeWarning.
        time_limit: seconds; by default none. The checkpoint of an interrupted count remains.
        progress: called after every cell.
        checkpoint: a file from which an interrupted count continues.
        receipt: a file for intermediate results, with which `check_receipt` recounts independently; not
            together with a checkpoint.
        twice: count again by another method, with the cells in another order; `conventions` names both.
            Without it, a second program repeats counts that take less than about a second.
        words: properties of the tours, see `Question.of`.

    Raises:
        CavalcadeError: a spec or name is invalid, or closed tours have ends.
        FormatError: the checkpoint or the receipt cannot be written.
        TooLargeError: the board is too wide, or needs more time or disk.
        AssertionError: two methods disagree, which is an internal error.

    If the colours of the cells show that there is no tour, nothing is searched, except for a receipt. Time:
    see `counting.cycles.count_cycles`; large boards with a half turn are counted in halves (see
    `counting.meeting`). 6x6 takes 0.1 s, 6x8 1 s, hex:4 2 s, 8x8 half a minute and 0.9 GB.

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
        if recorder is None and (refuted := refuted_by_colours(question)) is not None:
            conventions += f"; {refuted}, by the colours of the cells" * twice
            return Count(0, conventions, 0, 0, record.seconds, verification=refuted)
        how = ""
        order: list[int] = []
        if question.board.size == 1:
            tours = 1
        elif question.listed:
            tours = count_by_listing(question)
        elif question.symmetry:
            g, how = question.encoding.image(question.symmetry.cells).tolist(), FOLDED
            tours = fixed_cycles(question.as_cycle, g, record).total
        elif checkpoint is None and recorder is None and (term := along_strip(question)) is not None:
            (tours, record.peak_states), how = term, STRIP
            record.work = record.peak_states * question.board.size
            order = order_along(question)
        else:
            path = None if checkpoint is None else Path(checkpoint)
            checkpoints = Checkpoints(path, "" if path is None else statement(question))
            order, plan = order_and_halves(question)
            method = partial(count_in_halves, plan=plan) if plan else partial(count_cycles, order=order)
            how = HALVED if plan else WHOLE
            tours = method(question.as_cycle, record=record, checkpoints=checkpoints, receipt=recorder)
        if recorder:
            recorder.write(tours * times, tours, directed="undirected" not in conventions)
        if twice:
            recount, second_method = _recount(question, tours, how, Progress(progress))
            verification = agreed(tours, how, recount, second_method)
            conventions += f"; {verification}, {how} and {second_method}"
        elif question.listed:
            verification = select_again(question, tours)
        elif checkpoint is not None:  # the work before an interruption is unknown
            verification = Verification.UNCHECKED
        else:
            order = order or narrow_order(question.as_cycle, question.apex)
            verification = recounted(
                question, tours * times, order=order, work=record.work, directed=directed
            )
    spent = record.peak_states, record.peak_bytes, record.seconds
    return Count(tours * times, conventions, *spent, verification=verification)


def select_again(question: Question, tours: int) -> Verification:
    """Select the tours with the given steps and coils from a list of all tours, if these are few."""
    from cavalcade.counting.listing import list_tours

    total = count_within(question.relaxed, REPEATED)
    if total is None or total.verification == Verification.UNCHECKED or total.count > LISTED_AGAIN:
        return Verification.UNCHECKED
    return selected(question, list_tours(question.relaxed), total.count, tours)


class _SpentError(Exception):
    """A count has found more states than it may."""


def count_within(question: Question, work: int, *, directed: bool = False) -> Count | None:
    """Count tours as `count` does, or return None if the states of all steps add up to more than `work`."""

    def assert_little(record: Progress) -> None:
        if record.work > work:
            raise _SpentError

    try:
        return count(question, directed=directed, progress=assert_little)
    except (_SpentError, TimeoutError, TooLargeError):
        return None


def order_along(question: Question) -> list[int]:
    """Return the vertices of a long box in order along its longest side, the vertex for the ends last."""
    coords, size = question.board.coords, question.as_cycle.size
    along = np.argsort(coords[:, int(np.argmax(question.board.shape))], kind="stable").tolist()
    return [*along, *range(len(along), size)]


def order_and_halves(question: Question, *, meeting: bool = True) -> tuple[list[int], Halves | None]:
    """Choose between a search of the whole board and two halves.

    Args:
        question: the question.
        meeting: whether the halves will meet.

    Returns:
        A narrow order for a search of the whole board; and the halves if they cost less, else None.
    """
    graph, last = question.as_cycle, question.apex
    order = narrow_order(graph, last, widest=WIDEST)
    cost = cost_of(graph, order)
    worth = cost >= (WORTH_FROM if meeting else WORTH_FROM_UNMET)
    return order, halves(graph, last, below=cost, meeting=meeting) if worth else None


def count_by_listing(question: Question) -> int:
    """Count the tours by listing them."""
    from cavalcade.counting.listing import list_tours

    return sum(1 for _ in list_tours(question))


def _recount(question: Question, tours: int, how: str, record: Progress) -> tuple[int, str]:
    """Count the tours by another method.

    Args:
        question: the question.
        tours: result of the first count.
        how: method of the first count.
        record: receives the steps and peaks.

    Returns:
        The number of tours, and the name of the method.
    """
    if tours <= FEW and how in {FOLDED, WHOLE}:
        return count_by_listing(question), LISTED
    graph, last = question.as_cycle, question.apex
    if how == WHOLE and (plan := halves(graph, last)) is not None:
        return count_in_halves(graph, plan, record=record), HALVED
    try:
        if question.symmetry is not None:
            # The symmetry may be the half turn, which numbers the vertices from the other end.
            number = np.random.default_rng(0).permutation(graph.size).astype(np.int32)
            renumbered = MoveGraph.from_edges(number[graph.edges()], graph.size)
            image = number[question.encoding.image(question.symmetry.cells)][np.argsort(number)]
            return fixed_cycles(renumbered, image.tolist(), record).total, SHUFFLED
        recount = count_cycles(graph, order=mirrored_order(question), record=record)
    except TooLargeError as error:
        raise TooLargeError(f"counted once, {how}, there are {tours} tours; {error}") from None
    return recount, MIRRORED if how == WHOLE else WHOLE


def mirrored_order(question: Question) -> list[int]:
    """Return a narrow order of the vertices, chosen after numbering them from the other end."""
    graph, last = question.as_cycle, question.apex
    number = np.arange(graph.size, dtype=np.int32)[::-1]
    renumbered = MoveGraph.from_edges(number[graph.edges()], graph.size)
    order = narrow_order(renumbered, None if last is None else int(number[last]), widest=WIDEST)
    return list(number[order].tolist())


def conventions_of(question: Question, *, directed: bool) -> tuple[int, str]:
    """Return how often an undirected tour counts, and a description of what is counted."""
    one_way = bool(question.ends or question.one_way) or not question.reversible
    way = "directed" if directed or one_way else "undirected"
    tours = f"{question.kind} tours{question.from_to}{question.constraints}"
    twice = directed and not one_way and question.board.size > 1
    return 1 + twice, f"{tours}, {way}, mirror images and rotations counted apart"
