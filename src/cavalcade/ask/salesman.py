"""A tour of least total weight: the travelling salesman problem on a board whose moves have weights.

J. DeMaio and M. S. Alam (Using the OPTGRAPH Procedure, 2020) solve it with PROC OPTGRAPH, with weight 1 for
every move. Here the portfolio finds a tour, or proves that there is none; then CP-SAT searches for lighter
tours. The tour is checked; the lower bound is the unchecked output of the solver.
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

# Largest number of decimal digits of a weight before the point, and after it: sums of scaled weights then
# fit into the 64 bits of the solver.
DIGITS = 6


@dataclass(frozen=True)
class LeastTour:
    """A tour and its weight.

    Args:
        tour: the tour, checked.
        weight: sum of the weights of its moves.
        bound: lower bound of the weight of any tour, reported by the solver and not checked.
        seconds: elapsed time.

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
        """Whether the weight equals the bound, so that no tour is lighter."""
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
    """Find a tour of least total weight, or the lightest tour within the limits, with a lower bound.

    Args:
        board: a board, its spec, a move graph, or a complete `Question`.
        weights: weight of each edge, in the order of the move graph's `edges()`; by default 1.
        seed: seed of the random choices.
        time_limit: seconds, by default ten. At the limit the lightest tour so far is returned.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.
        words: constraints of the tour, see `Question.of`: the piece, open tours, ends and moves to avoid.

    Raises:
        CavalcadeError: as `tour`; another constraint; or not one weight per edge.
        MissingExtraError: OR-tools is not installed. It is not needed if all weights are equal.

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
        exact = None if weights is None else _exact(weights, question.graph.edge_count)
        first = answer(question, seed)
        if not isinstance(first, Found):
            return first
        best = first.tour
        moves = len(best) if question.closed and len(best) > 1 else len(best) - 1
        if exact is None:
            return LeastTour(best, Decimal(moves), Decimal(moves), time.perf_counter() - began)
        weight = dict(zip(question.graph.pairs(), exact, strict=True))
        bound = sum(sorted(exact)[:moves], Decimal(0))
        if bound < weighed(best, weight):
            scale = Decimal(10) ** max(0, *(-int(number.as_tuple().exponent) for number in exact))
            with suppress(TimeoutError):  # the tour of the portfolio is returned
                scaled = [int(number * scale) for number in exact]
                cells, scaled_bound = least(question, scaled, best.cells, seed=seed)
                cells = np.asarray(question.numbered(cells))
                best = Tour(question.board, cells, question.closed, question.piece)
                bound = max(bound, Decimal(scaled_bound) / scale)
    if not (checked := check(best)):
        raise AssertionError(f"CP-SAT is wrong: {checked.message}")
    return LeastTour(best, weighed(best, weight), bound, time.perf_counter() - began)


def _exact(weights: Sequence[Decimal | float], count: int) -> list[Decimal]:
    """Convert the weights of `count` moves to decimal numbers without rounding.

    Raises:
        CavalcadeError: the number of weights is not `count`, or a weight has too many digits.
    """
    # str yields the shortest decimal of a float: 0.1 becomes 0.1 and not 0.1000000000000000055…
    try:
        exact = [Decimal(str(weight)) for weight in weights]
    except InvalidOperation:
        raise CavalcadeError("a weight is not a number, expected one like 0.5 for each move") from None
    if len(exact) != count:
        raise CavalcadeError(f"{len(exact):,} weights for {count:,} moves, expected one per move")
    for weight in exact:
        if not weight.is_finite() or abs(weight) >= 10**DIGITS:
            raise CavalcadeError(f"{weight} is not a weight, expected a number below {10**DIGITS:,}")
        if -int(weight.as_tuple().exponent) > DIGITS:
            raise CavalcadeError(f"{weight} has too many digits after the point, expected at most {DIGITS}")
    return exact


def weighed(tour: Tour, weight: dict[tuple[int, int], Decimal]) -> Decimal:
    """Return the total weight of the moves of a tour."""
    cells = tour.cells.tolist()
    pairs = zip(cells, cells[1:] + (cells[:1] if tour.closed and len(tour) > 1 else []), strict=False)
    return sum((weight[min(a, b), max(a, b)] for a, b in pairs), Decimal(0))
