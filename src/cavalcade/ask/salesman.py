"""A tour of least total weight: the travelling salesman problem on a board whose moves have weights.

J. DeMaio and M. S. Alam (Using the OPTGRAPH Procedure, 2020) solve it with PROC OPTGRAPH, with weight 1 for
every move. Here the portfolio finds a tour, or proves that there is none; then branch and cut searches for
lighter tours, and ends with a proof that there is none. The tour and the proof are checked.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import NamedTuple, TypeAlias, Unpack

import numpy as np

from cavalcade.answers.certificate import Certificate
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.answers.verification import Verification
from cavalcade.ask.portfolio import answer
from cavalcade.ask.weights import Weights, exact_weights, weighted
from cavalcade.checking.verification import least_weight
from cavalcade.checking.weights import weight_of
from cavalcade.ground.budget import Budget, limits
from cavalcade.ground.errors import CavalcadeError, seconds_of, whole
from cavalcade.question.graph import BoardLike
from cavalcade.question.question import Question
from cavalcade.question.statement import WeightLimit
from cavalcade.question.words import QuestionWords, validated
from cavalcade.refute.least import Stop, least

WeightCallback: TypeAlias = Callable[[Decimal, Decimal], None]


@dataclass(frozen=True)
class LeastTour:
    """A tour of least total weight, or the best known tour with a lower bound.

    Args:
        tour: the tour, checked.
        weight: sum of the weights of its moves.
        bound: lower bound of the weight of any tour; unchecked unless `exact`.
        seconds: elapsed time.
        certificate: the proof that no tour is lighter, checked; None if the search for it has not ended.
        parts: nodes of the search tree; 0 if the least weights of moves prove the bound.
        iterations: pivots of the simplex method.
        verification: `CERTIFIED` if the checker has verified that no tour is lighter.

    Examples:
        >>> tsp("5x6").exact
        True
    """

    tour: Tour
    weight: Decimal
    bound: Decimal
    seconds: float
    certificate: Certificate | None = None
    parts: int = 0
    iterations: int = 0
    verification: Verification = Verification.UNCHECKED

    @property
    def exact(self) -> bool:
        """Whether it is proved that no tour is lighter."""
        return self.weight == self.bound and self.verification != Verification.UNCHECKED


@validated
def tsp(
    board: BoardLike | Question,
    weights: Weights | None = None,
    *,
    maximize: bool = False,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    progress: WeightCallback | None = None,
    max_parts: float | None = None,
    relative_gap: float = 0,
    absolute_gap: float = 0,
    **words: Unpack[QuestionWords],
) -> LeastTour | Impossible | Undecided:
    """Find a tour of least total weight; at a time limit, return the best tour so far and a lower bound.

    The bound is proved by a certificate, which `verify` accepts, if the search ends within the limits.

    Args:
        board: a board, its spec, a move graph, or a complete `Question`.
        weights: weight of each edge, as a mapping from pairs of cells or nodes, or as a sequence in the order
            of the move graph's `edges()`, which is ascending. By default the weights that the graph carries:
            the third entries of a list of triples, whose edges go both ways; the entries of a matrix with
            numbers besides 0 and 1, in which infinity is no edge; the data of a sparse matrix; attributes
            `weight` in networkx and igraph, and numbers as edges in rustworkx. Other edges have weight 1.
        maximize: find a tour of greatest weight, with an upper bound. The certificate is then about the
            negated weights.
        seed: seed of the random choices.
        time_limit: seconds, by default ten. At the limit the lightest tour so far is returned.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.
        progress: called with the weight of the lightest tour and the bound whenever one of them improves.
        max_parts: nodes of the search tree after which the search ends; by default unlimited.
        relative_gap: difference between weight and bound at which the search ends, as a share of the bound.
        absolute_gap: the difference itself.
        words: constraints of the tour, see `Question.of`: the piece, open tours, ends, and moves to make or
            avoid.

    Raises:
        CavalcadeError: as `tour`; another constraint; or not one weight per edge.

    Examples:
        >>> tsp("5x6").weight
        Decimal('30')
    """
    began = time.perf_counter()
    whole(seed, "seed")
    with limits(10.0 if time_limit is None else seconds_of(time_limit), memory):
        board, weights = weighted(board, weights)
        question = Question.of(board, **words)
        if question.steps or question.through or question.symmetry or question.coils is not None:
            raise CavalcadeError(
                "a tour of least weight supports ends, and moves to make or avoid: drop the rest"
            )
        sign = -1 if maximize else 1
        exact = [sign * weight for weight in exact_weights(weights, question)]
        first = answer(question, seed)
        if not isinstance(first, Found):
            return first
        limit = WeightLimit(Decimal(0), tuple(in_ascending_order(question, exact)))

        def report(weight: Decimal, bound: Decimal) -> None:
            if progress is not None:
                progress(sign * weight, sign * bound)

        stop = Stop(math.inf if max_parts is None else max_parts, relative_gap or -1, float(absolute_gap))
        outcome = improved(question, exact, first.tour, seed=seed, stop=stop, report=report)
        best, bound, certificate = outcome.tour, outcome.bound, outcome.certificate
    weight = weight_of(best, question, limit)
    verification = least_weight(question, best, weight, certificate)
    certificate = None if verification is Verification.UNCHECKED else certificate
    seconds = time.perf_counter() - began
    return LeastTour(
        best,
        sign * weight,
        sign * bound,
        seconds,
        certificate,
        outcome.parts,
        outcome.iterations,
        verification,
    )


class Improved(NamedTuple):
    """The outcome of a search for lighter tours.

    Attributes:
        tour: the lightest tour.
        bound: lower bound of the weight of any tour, unchecked.
        certificate: unchecked proof that no tour is lighter; None if the search has not ended.
        parts: nodes of the search tree.
        iterations: pivots of the simplex method.
    """

    tour: Tour
    bound: Decimal
    certificate: Certificate | None = None
    parts: int = 0
    iterations: int = 0


def improved(
    question: Question,
    weights: Sequence[Decimal],
    tour: Tour,
    *,
    seed: int = 0,
    stop: Stop = Stop(),  # noqa: B008 - frozen
    report: WeightCallback = lambda *_: None,
    step: Decimal | None = None,
    at_least: Decimal = Decimal("-Infinity"),
) -> Improved:
    """Search for tours that are lighter than a given one, and for a proof that there are none.

    Args:
        question: the question.
        weights: weight of each edge, in the order of the move graph's `edges()`.
        tour: a tour, where the search starts.
        seed: seed of the random changes.
        stop: when the search ends without a proof; its absolute gap has the unit of the weights.
        report: called with the weight of the lightest tour and the bound whenever one of them improves.
        step: a number that divides the difference of the weights of any two tours; by default the greatest
            common divisor of the weights.
        at_least: lower bound that is proved elsewhere; a tour of this weight ends the search without a proof.
    """
    length = len(tour) if question.closed and len(tour) > 1 else len(tour) - 1
    bound = sum(sorted(weights)[:length], Decimal(0))
    if not length:
        return Improved(tour, bound)
    scale = Decimal(10) ** max(0, *(-int(number.as_tuple().exponent) for number in weights))

    def scaled_report(weight: float, bound: float) -> None:
        if math.isfinite(bound):
            report(Decimal(int(weight)) / scale, Decimal(int(bound)) / scale)

    search = least(
        question,
        [int(number * scale) for number in weights],
        tour.cells,
        Budget(),
        seed=seed,
        stop=stop._replace(absolute=stop.absolute * int(scale) or -1),
        report=scaled_report,
        step=0 if step is None else int(step * scale),
        at_least=float(at_least * scale),
    )
    cells = np.asarray(question.numbered(question.cut(search.cycle)))
    best, certificate = Tour(question.board, cells, question.closed, question.piece), None
    if math.isfinite(search.bound):
        bound = max(bound, Decimal(int(search.bound)) / scale)
    if search.complete:
        in_order = tuple(in_ascending_order(question, weights))
        limit = WeightLimit(Decimal(int(search.most)) / scale, in_order)
        certificate = Certificate(question, replace(search.proof(), limit=limit))
    return Improved(best, bound, certificate, search.parts, search.relaxation.pivots)


def in_ascending_order(question: Question, weights: Sequence[Decimal]) -> list[Decimal]:
    """Return weights in the order of the edges of the move graph in ascending order of the moves."""
    # `pairs` would check the clock, and the tour that needs these weights would be lost at the time limit.
    edges = question.graph.edges()
    return [weights[edge] for edge in np.lexsort(edges.T[::-1]).tolist()]
