"""A tour of least total weight: the travelling salesman's question about a board whose links have weights.

J. DeMaio and M. S. Alam (Using the OPTGRAPH Procedure, 2020) answer it with PROC OPTGRAPH, where every link
has the weight 1. Here the portfolio finds a tour, or proves that there is none; CP-SAT looks for lighter
ones. What is shown is checked, but the solver's bound is its own word.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.ask.portfolio import tour
from cavalcade.checking.tours import check
from cavalcade.find.least import least
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cavalcade.question.graph import BoardLike
    from cavalcade.question.pieces import PieceLike

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
    """

    tour: Tour
    weight: Decimal
    bound: Decimal
    seconds: float

    @property
    def exact(self) -> bool:
        """Whether the weight is the least of all, by the bound."""
        return self.weight == self.bound


def tsp(
    board: BoardLike | Question,
    weights: Sequence[Decimal | int] | None = None,
    *,
    piece: PieceLike | None = None,
    open: bool = False,  # noqa: A002 - the field's word, and the command line's
    seed: int = 0,
    time_limit: float | None = None,
) -> LeastTour | Impossible | Undecided:
    """A tour of least total weight, or as light as found in the time, with a bound.

    Args:
        board: a board, its spec, a move graph, or a whole `Question`.
        weights: one for each of the move graph's `edges()`; by default each is 1.
        piece: a piece or its spec; by default the knight.
        open: an open tour.
        seed: of the random choices.
        time_limit: seconds, by default ten.

    Raises:
        CavalcadeError: as `tour`; or not one weight an edge.
        MissingExtraError: OR-tools is not installed. Where all weights are equal it is not needed.
    """
    began = time.perf_counter()
    limit = 10.0 if time_limit is None else time_limit
    question = Question.of(board, piece=piece, open=open)
    question.graph.assert_undirected("a tour of least weight")
    edges = question.graph.edges().tolist()
    given = [Decimal(1)] * len(edges) if weights is None else [Decimal(weight) for weight in weights]
    if len(given) != len(edges):
        raise CavalcadeError(f"{len(given):,} weights for {len(edges):,} moves, expected one a move")
    for weight in given:
        if not weight.is_finite() or abs(weight) >= MOST_WEIGHT:
            raise CavalcadeError(f"{weight} is not a weight, expected a number below {MOST_WEIGHT:,}")
    first = tour(question, seed=seed, time_limit=limit)
    if not isinstance(first, Found):
        return first
    of = {tuple(edge): weight for edge, weight in zip(edges, given, strict=True)}
    cells, bound = first.tour.cells, weighed(first.tour, of)
    if len(set(given)) > 1:
        digits = max(0, *(-int(weight.as_tuple().exponent) for weight in given))
        if digits > MOST_DIGITS:
            raise CavalcadeError(
                f"weights with {digits} digits after the point, expected {MOST_DIGITS} at most"
            )
        scale = Decimal(10) ** digits
        left = limit - (time.perf_counter() - began)
        found = least(question, [int(weight * scale) for weight in given], cells, seed=seed, time_limit=left)
        cells, bound = found.cells, Decimal(found.bound) / scale
    best = Tour(question.board, np.asarray(cells), question.closed, question.piece)
    if not (checked := check(best)):
        raise AssertionError(f"CP-SAT is wrong: {checked.message}")
    return LeastTour(best, weighed(best, of), bound, time.perf_counter() - began)


def weighed(one: Tour, weight: dict[tuple[int, ...], Decimal]) -> Decimal:
    """The total weight of a tour's moves."""
    cells = one.cells.tolist()
    pairs = zip(cells, cells[1:] + (cells[:1] if one.closed and len(one) > 1 else []), strict=False)
    return sum((weight[min(a, b), max(a, b)] for a, b in pairs), Decimal(0))
