"""The lightest tours of a board, in order of weight: the k best solutions of the travelling salesman problem.

The tours other than a least one are divided into parts. Part i contains the tours that make the first i - 1
moves of the least tour, and not its move i. The next tour is the lightest of the least tours of all parts,
and its part is divided in the same way (E. L. Lawler, A procedure for computing the k best solutions to
discrete optimization problems, Management Science 18, 1972).

Every part is a question of its own, so its least tour has a certificate, or there is a proof that it has no
tour. Together these proofs show that no tour was left out.

Time: up to n questions for each tour of n moves.
"""

from __future__ import annotations

import heapq
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import count, pairwise
from typing import TYPE_CHECKING, Unpack

from cavalcade.answers.verification import Verification
from cavalcade.ask.salesman import LeastTour, in_ascending_order, tsp
from cavalcade.ask.weights import Weights, exact_weights, weighted
from cavalcade.checking.verification import LISTED_AGAIN, REPEATED
from cavalcade.checking.verification import lightest as compared
from cavalcade.counting.listing import list_arrays
from cavalcade.counting.total import count_within
from cavalcade.ground.budget import limits, seconds_left
from cavalcade.ground.errors import seconds_of, whole
from cavalcade.ground.threads import ProgressCallback
from cavalcade.question.graph import BoardLike
from cavalcade.question.question import Question
from cavalcade.question.words import QuestionWords, validated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.answers.tours import Tour


@dataclass(frozen=True)
class LightestTours:
    """The lightest tours of a board.

    Args:
        tours: the tours, each with its weight, lightest first; no tour that is missing is lighter than the
            last one.
        complete: whether these are all that were wanted, or all that exist; False if a limit was reached.
        seconds: elapsed time.
        verification: `COUNTED_TWICE` if a list of all tours has the same lightest weights. Each tour is
            certified to be the lightest of its part, but nothing else checks the division into parts.

    Examples:
        >>> lightest_tours([(1, 2), (2, 3), (1, 3)], number=2).complete
        True
    """

    tours: tuple[LeastTour, ...]
    complete: bool
    seconds: float
    verification: Verification = Verification.UNCHECKED

    @property
    def weights(self) -> tuple[Decimal, ...]:
        """The weight of each tour."""
        return tuple(tour.weight for tour in self.tours)


@validated
def lightest_tours(
    board: BoardLike | Question,
    weights: Weights | None = None,
    *,
    number: int,
    maximize: bool = False,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    progress: ProgressCallback | None = None,
    **words: Unpack[QuestionWords],
) -> LightestTours:
    """Find the tours of least total weight, lightest first; a tour and its reverse count as one.

    Args:
        board: as for `tsp`.
        weights: as for `tsp`.
        number: number of tours.
        maximize: find the tours of greatest weight.
        seed: seed of the random choices.
        time_limit: seconds, by default ten. At the limit the tours so far are returned.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.
        progress: called with the fraction of the tours that are found, from 0 to 1, after each one.
        words: as for `tsp`.

    Raises:
        CavalcadeError: as `tsp`; or the number is not positive.

    Examples:
        >>> lightest_tours(
        ...     [(1, 2), (2, 3), (3, 4), (4, 1), (1, 3), (2, 4)], [1, 2, 4, 8, 16, 32], number=3
        ... ).weights
        (Decimal('30'), Decimal('45'), Decimal('51'))
    """
    began = time.perf_counter()
    whole(number, "number", 1)
    tours, complete = list[LeastTour](), True
    with limits(10.0 if time_limit is None else seconds_of(time_limit), memory):
        board, weights = weighted(board, weights)
        question = Question.of(board, **words)
        exact = exact_weights(weights, question)
        order, sign = count(), -1 if maximize else 1
        # Entries: weight, tie-breaker, least tour of the part, its question.
        parts = list[tuple[Decimal, int, LeastTour, Question]]()
        unsolved = [question]
        while complete and len(tours) < number:
            for part in unsolved:
                least = tsp(part, exact, maximize=maximize, seed=seed, time_limit=max(seconds_left(), 0))
                if isinstance(least, LeastTour) and least.exact:
                    heapq.heappush(parts, (sign * least.weight, next(order), least, part))
                elif isinstance(least, LeastTour) or least.status == "undecided":
                    complete = False
                    break
            if not complete or not parts:
                break
            _, _, least, part = heapq.heappop(parts)
            tours.append(least)
            if progress is not None:
                progress(len(tours) / number)
            unsolved = list(_others(least.tour, part)) if len(tours) < number else []
        verification = Verification.UNCHECKED
        if complete and question.board.size > 1:
            signed = [sign * weight for weight in exact]
            with suppress(TimeoutError):
                verification = _listed(question, signed, [least.tour for least in tours], number)
    return LightestTours(tuple(tours), complete, time.perf_counter() - began, verification)


def _listed(question: Question, weights: list[Decimal], best: list[Tour], number: int) -> Verification:
    """Compare the lightest tours with a list of all tours, if these are few."""
    total = count_within(question, REPEATED)
    if total is None or total.count > LISTED_AGAIN or total.verification == Verification.UNCHECKED:
        return Verification.UNCHECKED
    ascending = in_ascending_order(question, weights)
    return compared(question, list_arrays(question), total.count, ascending, best, number)


def _others(tour: Tour, question: Question) -> Iterator[Question]:
    """Divide the tours of a question other than one tour into parts."""
    cells = tour.cells.tolist()
    moves = list(pairwise([*cells, *cells[: question.closed and len(cells) > 1]]))
    if not question.graph.directed:
        moves = [(min(move), max(move)) for move in moves]
    required = list(question.required)
    for move in moves:
        if move not in question.required:
            yield replace(
                question,
                required=tuple(sorted(required)),
                forbidden=tuple(sorted({*question.forbidden, move})),
            )
            required.append(move)
