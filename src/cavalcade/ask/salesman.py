"""A tour of least total weight: the travelling salesman's question about a board whose links have weights.

J. DeMaio and M. S. Alam (Using the OPTGRAPH Procedure, 2020) answer it with PROC OPTGRAPH, where every link
has the weight 1. Here the portfolio finds a tour, or proves that there is none; CP-SAT looks for lighter
ones. What is shown is checked, but the solver's bound is its own word.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Unpack

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.ask.portfolio import answer
from cavalcade.checking.tours import check
from cavalcade.find.least import least
from cavalcade.ground.budget import limits
from cavalcade.ground.errors import CavalcadeError, seconds_of, whole
from cavalcade.question.graph import BoardLike
from cavalcade.question.question import Question
from cavalcade.question.words import QuestionWords, validated

MOST_DIGITS = 6  # after the point
MOST_WEIGHT = 10**6  # so that sums of them stay within 64 bits


@dataclass(frozen=True)
class LeastTour:
    """A tour and its weight.

    Args:
        tour: the tour, checked.
        weight: the sum of the weights of its moves.
        bound: no tour weighs less; the solver says so, and nothing here checks it.
        seconds: the time that it took.

    Examples:
        >>> tsp("5x6").exact
        True
    """

    tour: Tour
    weight: Decimal
    bound: Decimal
    seconds: float

    @property
    def exact(self) -> bool:
        """Whether the weight is the least of all, by the bound."""
        return self.weight == self.bound


@validated
def tsp(
    board: BoardLike | Question,
    weights: Sequence[Decimal | float] | None = None,
    *,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    **words: Unpack[QuestionWords],
) -> LeastTour | Impossible | Undecided:
    """A tour of least total weight, or the lightest found within the limits, with a bound.

    Args:
        board: a board, its spec, a move graph, or a whole `Question`.
        weights: one for each of the move graph's `edges()`; by default each is 1.
        seed: of the random choices.
        time_limit: seconds, by default ten. Where it is reached, the lightest tour so far is given.
        memory: bytes, or text such as "4G"; by default what the machine has.
        words: what is asked of the tour, see `Question.of`: the piece, open tours, ends and moves to avoid.

    Raises:
        CavalcadeError: as `tour`; another constraint; or not one weight per edge.
        MissingExtraError: OR-tools is not installed. Where all weights are equal it is not needed.

    Examples:
        >>> tsp("5x6").weight
        Decimal('30')
    """
    began = time.perf_counter()
    whole(seed, "seed")
    with limits(10.0 if time_limit is None else seconds_of(time_limit), memory):
        question = Question.of(board, **words)
        if question.board.directed:
            question.graph.assert_undirected("a tour of least weight")
        if question.one_way or question.required or question.steps or question.symmetry:
            raise CavalcadeError("a tour of least weight supports ends and moves to avoid: drop the rest")
        given = None if weights is None else _exact(weights, question.graph.edge_count)
        first = answer(question, seed)
        if not isinstance(first, Found):
            return first
        best = first.tour
        moves = len(best) if question.closed and len(best) > 1 else len(best) - 1
        if given is None:
            return LeastTour(best, Decimal(moves), Decimal(moves), time.perf_counter() - began)
        weight = dict(zip(question.graph.pairs(), given, strict=True))
        bound = sum(sorted(given)[:moves], Decimal(0))
        if bound < weighed(best, weight):
            scale = Decimal(10) ** max(0, *(-int(one.as_tuple().exponent) for one in given))
            with suppress(TimeoutError):  # the tour that was found is kept
                scaled = [int(one * scale) for one in given]
                cells, below = least(question, scaled, best.cells, seed=seed)
                cells = np.asarray(question.numbered(cells))
                best = Tour(question.board, cells, question.closed, question.piece)
                bound = max(bound, Decimal(below) / scale)
    if not (checked := check(best)):
        raise AssertionError(f"CP-SAT is wrong: {checked.message}")
    return LeastTour(best, weighed(best, weight), bound, time.perf_counter() - began)


def _exact(weights: Sequence[Decimal | float], count: int) -> list[Decimal]:
    """The weights of so many moves, as they are.

    Raises:
        CavalcadeError: not one weight per move, or one that is too large or too fine.
    """
    # str: the shortest decimal of a float, so that 0.1 is 0.1 and not 0.1000000000000000055…
    try:
        given = [Decimal(str(weight)) for weight in weights]
    except InvalidOperation:
        raise CavalcadeError("a weight is not a number, expected one like 0.5 for each move") from None
    if len(given) != count:
        raise CavalcadeError(f"{len(given):,} weights for {count:,} moves, expected one per move")
    for weight in given:
        if not weight.is_finite() or abs(weight) >= MOST_WEIGHT:
            raise CavalcadeError(f"{weight} is not a weight, expected a number below {MOST_WEIGHT:,}")
        if -int(weight.as_tuple().exponent) > MOST_DIGITS:
            raise CavalcadeError(
                f"{weight} has too many digits after the point, expected at most {MOST_DIGITS}"
            )
    return given


def weighed(one: Tour, weight: dict[tuple[int, int], Decimal]) -> Decimal:
    """The total weight of a tour's moves."""
    cells = one.cells.tolist()
    pairs = zip(cells, cells[1:] + (cells[:1] if one.closed and len(one) > 1 else []), strict=False)
    return sum((weight[min(a, b), max(a, b)] for a, b in pairs), Decimal(0))
