"""Verification of lists and sequences by other methods."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from cavalcade.answers.verification import Verification
from cavalcade.boards import Board
from cavalcade.checking.verification import LISTED_AGAIN, REPEATED, agreed
from cavalcade.counting.classes import classes
from cavalcade.counting.colours import refuted_by_colours
from cavalcade.counting.families import question_of
from cavalcade.counting.listing import list_arrays, list_tours
from cavalcade.counting.sequence import Sequence
from cavalcade.counting.total import FEW, count, count_within, select_again
from cavalcade.ground.budget import limits
from cavalcade.ground.errors import TooLargeError
from cavalcade.question.question import Question


def all_listed(question: Question, number: int, *, up_to_symmetry: bool) -> Verification:
    """Compare the length of a list of all tours with their count, if the count is not much longer work.

    Args:
        question: the question whose tours were listed.
        number: number of tours in the list.
        up_to_symmetry: whether the list has a single tour per class under the symmetries of the board.

    Raises:
        AssertionError: the numbers differ.
    """
    if not number and (refuted := refuted_by_colours(question)) is not None:
        return refuted
    if question.listed:
        return Verification.UNCHECKED if up_to_symmetry else select_again(question, number)
    total = count_within(question, REPEATED + number)
    if total is None:
        return Verification.UNCHECKED
    if not up_to_symmetry:
        return agreed(number, "by listing", total.count, "by counting")
    if question.ends or question.symmetry is not None or question.board.plain:
        return Verification.UNCHECKED
    return agreed(number, "by listing", classes(question, total=total).classes, "by Burnside's lemma")


def all_magic(board: Board, number: int, *, columns: bool) -> Verification:
    """Compare a number of magic tours with those among all open tours, if these are few.

    Args:
        board: the rectangle.
        number: number of magic tours up to reflections; a tour and its reverse are two.
        columns: whether only the columns have equal sums.

    Raises:
        AssertionError: the numbers differ.
    """
    question = Question.of(board, open=True)
    total = count_within(question, REPEATED)
    if board.size == 1 or total is None or total.count > FEW:
        return Verification.UNCHECKED
    length = magic = 0
    for tours in list_arrays(question):
        numbers = (np.argsort(tours.cells, axis=1) + 1).reshape(-1, *board.shape)
        equal = [np.ptp(numbers.sum(axis=axis), axis=1) == 0 for axis in (1, 2)[: 1 if columns else 2]]
        length, magic = length + len(numbers), magic + int(np.all(equal, axis=0).sum())
    agreed(length, "by listing", total.count, "by counting")
    # The reverse of a magic tour is magic, and a tour has four different images under reflections.
    return agreed(4 * number, "by linear equations", 2 * magic, "in a list of all tours")


def verified(sequence: Sequence, seconds: float) -> tuple[dict[str, int], int]:
    """Count the terms of a sequence again by other methods.

    Args:
        sequence: the sequence to verify.
        seconds: time limit for each method that counts board by board.

    Returns:
        The last n up to which each method confirmed the terms, by the name of the method; and the last n up
        to which two methods or two programs gave the same term.

    Raises:
        AssertionError: two methods disagree.
    """
    directed = ", directed," in sequence.conventions

    def listed(n: int) -> int | None:
        if sequence.terms[n - 1] > LISTED_AGAIN:
            return None
        if (question := question_of(sequence.spec, sequence.words, n)) is None:
            return 0
        once = question.board.size == 1 or not directed or question.ends
        return sum(1 for _ in list_tours(question)) * (1 if once else 2)

    def searched(n: int) -> int:
        question = question_of(sequence.spec, sequence.words, n)
        return 0 if question is None else count(question, directed=directed).count

    by_list, by_search = (_last(method, sequence.terms, seconds) for method in (listed, searched))
    methods = {
        "listing every tour": by_list,
        "a search of each board, cell by cell with a frontier": by_search,
    }
    # Without a transfer matrix the terms come from the search.
    twice = max(sequence.counted_twice, by_list, by_search if sequence.states else 0)
    if sequence.states:
        by_matrix = sequence.fraction is not None and sequence.fraction.proved
        methods["a transfer matrix" + ", and by the recurrence that follows" * by_matrix] = len(
            sequence.terms
        )
    return {method: last for method, last in methods.items() if last}, twice


def _last(method: Callable[[int], int | None], terms: tuple[int, ...], seconds: float) -> int:
    """Return the last n up to which a method gives the terms within the time limit."""
    until = time.monotonic() + seconds
    for n, term in enumerate(terms, 1):
        try:
            with limits(max(until - time.monotonic(), 0)):
                recount = method(n)
        except (TimeoutError, TooLargeError):
            return n - 1
        if recount is None:
            return n - 1
        if recount != term:
            raise AssertionError(f"n = {n}: {term} and {recount} tours, by two methods")
    return len(terms)
