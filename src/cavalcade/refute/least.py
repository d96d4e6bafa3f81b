"""A tour of least total weight, by branch and cut, with a proof that no tour is lighter.

The search divides the tours again and again: one part uses an edge, the other part avoids it. Each part has a
lower bound, the optimum of a linear program with cuts (`refute.relaxation`); the part with the least bound is
divided next. An optimum that is a tour ends its part. A part is also finished when its bound reaches the
weight of the lightest tour so far (M. Padberg and G. Rinaldi, A branch-and-cut algorithm for the resolution
of large-scale symmetric traveling salesman problems, SIAM Review 33, 1991; what differs: cuts are of sets and
odd sets only, because `checking.rules.linear` verifies both).

The edge that divides a part has the greatest bounds on both sides, among a few edges with numbers near a half
(strong branching, D. Applegate, R. Bixby, V. Chvátal and W. Cook, Finding cuts in the TSP, 1995).

Before the first division, a dive looks for a light tour: it forces the edges with the greatest numbers.
Then integer programs look for a lighter tour (`refute.integer_program`).

Every finished part keeps its dual solution. If the search ends, the solutions and the divisions are a proof.

Time: exponential; with random weights from 1 to 100, knight's moves of 30x30 and a hundred random
points in the plane take three seconds.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from typing import NamedTuple

import numpy as np

from cavalcade.answers.certificate import Step, StepProof
from cavalcade.find.shortening import shorten
from cavalcade.ground.budget import Budget, BudgetOverError
from cavalcade.ground.kernels import Cells, Ints
from cavalcade.question.question import Question
from cavalcade.refute.integer_program import cycle_along, lightest_cycle
from cavalcade.refute.linear import TINY
from cavalcade.refute.relaxation import Dual, Optimum, Relaxation

# Edges that strong branching tries at a part. More edges make smaller proofs and take more time.
CANDIDATES = 6
# Rounds of cuts in which a bound must close a fiftieth of the gap to the lightest tour; otherwise the part is
# divided. More rounds make smaller proofs and take more time.
ROUNDS = 3


class Stop(NamedTuple):
    """When a search ends although the lightest tour may not have the least weight.

    Attributes:
        parts: number of parts after which the search ends.
        relative: difference between weight and bound at which it ends, as a share of the bound.
        absolute: the difference itself.
    """

    parts: float = math.inf
    relative: float = -1
    absolute: float = -1

    def gap(self, bound: float) -> float:
        """Return the difference between weight and bound at which the search ends; negative for none."""
        return max(self.relative * abs(bound) if self.relative > 0 else -1, self.absolute)


def least(
    question: Question,
    weights: Sequence[int],
    tour: Cells,
    budget: Budget,
    *,
    seed: int = 0,
    stop: Stop = Stop(),  # noqa: B008 - frozen
    report: Callable[[float, float], None] = lambda *_: None,
    step: int = 0,
    at_least: float = -math.inf,
) -> BranchAndCut:
    """Search for a tour of least weight.

    Args:
        question: the question.
        weights: integers, one for each of `question.graph.edges()`.
        tour: any tour, where the search starts.
        budget: counted work. The search ends early, and keeps the lightest tour and the bound, if the budget
            or the time limit is reached.
        seed: seed of the random changes with which the search begins.
        stop: when the search ends without a proof.
        report: called with the weight and the bound whenever one of them improves.
        step: a number that divides the difference of the weights of any two tours; by default the greatest
            common divisor of the weights.
        at_least: lower bound of the weight of any tour that is proved elsewhere. The search ends without a
            proof if it finds a tour of this weight.

    Returns:
        The search, in which cycles are cycles of `question.as_cycle`.
    """
    encoding, edges = question.encoding, question.as_cycle.edges().astype(np.int64)
    weight = {
        tuple(sorted(encoding.edge(a, b))): number
        for (a, b), number in zip(question.graph.edges().tolist(), weights, strict=True)
    }
    of_edges = np.array([weight.get(edge, 0) for edge in map(tuple, edges.tolist())], dtype=np.int64)
    cycle = encoding.cycle(tour)
    size = question.as_cycle.size
    # The divisor of all weights, also of moves to avoid: the proof is about all of them.
    search = BranchAndCut(size, edges, of_edges, cycle, budget, step or math.gcd(*weights), report)
    search.stop, search.at_least = stop, at_least
    with suppress(BudgetOverError, TimeoutError):
        middle = np.arange(question.board.size if question.one_way else 0)
        if not search.prove_at_once(np.append(middle, [] if question.apex is None else question.apex)):
            search.offer(shorten(size, edges, of_edges, cycle, budget, seed=seed))
            search.run()
        search.complete = search.bound >= search.weight and search.weight > at_least
    return search


@dataclass
class Subproblem:
    """The tours that use some edges and avoid others.

    Attributes:
        forced: numbers of the edges that are used.
        out: numbers of the edges that are avoided.
        bound: lower bound of their weights.
        dual: dual solution that proves a bound; None until the part is examined.
        edge: the edge that divides the part; None if it is not divided.
        sides: the two parts, with the edge and without it.
    """

    forced: tuple[int, ...]
    out: tuple[int, ...]
    bound: float
    dual: Dual | None = None
    edge: int | None = None
    sides: tuple[Subproblem, ...] = ()


class BranchAndCut:
    """A search for a lightest Hamiltonian cycle.

    Args:
        size: number of vertices.
        edges: ends of the edges, shape (m, 2).
        weights: weight of each edge, integers.
        cycle: a Hamiltonian cycle where the search starts.
        budget: counted work.
        divisor: a common divisor of the weights, so that the weight of each cycle is a multiple of it.
        report: called with the weight and the bound whenever one of them improves.

    Attributes:
        cycle: the lightest cycle so far.
        weight: the weight of that cycle.
        bound: lower bound of the weight of any cycle.
        complete: whether the search has ended, so that the lightest cycle has the least weight.
        parts: number of parts that were examined.
        stop: when the search ends without a proof.
        at_least: lower bound that is proved elsewhere.
    """

    def __init__(
        self,
        size: int,
        edges: Ints,
        weights: Ints,
        cycle: Cells,
        budget: Budget,
        divisor: int,
        report: Callable[[float, float], None] = lambda *_: None,
    ) -> None:
        self.size, self.edges, self.weights, self.budget, self.report = size, edges, weights, budget, report
        self.relaxation = Relaxation(size, edges, weights)
        self.step = divisor or 1
        self.numbers = dict(zip(map(tuple, edges.tolist()), range(len(edges)), strict=True))
        self.cycle, self.weight, self.bound, self.complete = cycle, math.inf, -math.inf, False
        self.parts, self.stop, self.at_least = 0, Stop(), -math.inf
        # The optimum of the root with all cuts, and the reduced costs of all edges.
        self._value, self._reduced_costs = -math.inf, np.zeros(len(edges))
        self.root = Subproblem((), (), -math.inf)
        self.offer(cycle)

    @property
    def most(self) -> float:
        """The greatest weight that a lighter cycle may have."""
        return self.weight - self.step

    def offer(self, cycle: Cells) -> None:
        """Keep a cycle if it is the lightest so far."""
        used = self._edges_of(cycle)
        self.relaxation.activate(used)
        if (weight := int(self.weights[used].sum())) < self.weight:
            self.cycle, self.weight = cycle, weight
            self.report(self.weight, self.bound)

    def _edges_of(self, cycle: Cells) -> Ints:
        """Return the numbers of the edges of a cycle."""
        pairs = np.sort(np.stack([cycle, np.roll(cycle, -1)], axis=1), axis=1)
        return np.array([self.numbers[a, b] for a, b in pairs.tolist()])

    # ---- the search

    def run(self) -> None:
        """Search until the lightest cycle is found and proved to be one.

        Raises:
            BudgetOverError: the budget is spent.
            TimeoutError: the time limit is reached. `cycle` and `bound` are kept.
        """
        order = count()
        heap = [(self.root.bound, 0, next(order), self.root)]
        while heap:
            self._raise_bound(heap[0][0])
            gap = self.weight - self.bound
            enough = self.parts >= self.stop.parts or gap <= self.stop.gap(self.bound)
            if enough or self.weight <= self.at_least:
                return
            _, depth, _, part = heapq.heappop(heap)
            optimum = self._examine(part)
            if optimum is None:
                continue
            if part is self.root:
                self._lighten(optimum)
                if self._proved(part):
                    continue
            part.edge = self._dividing(part, optimum)
            part.sides = (
                Subproblem((*part.forced, part.edge), part.out, optimum.value),
                Subproblem(part.forced, (*part.out, part.edge), optimum.value),
            )
            for side in part.sides:
                heapq.heappush(heap, (optimum.value, depth - 1, next(order), side))
        self._raise_bound(self.weight)

    def prove_at_once(self, negative: Ints) -> bool:
        """Return whether the lightest moves add up to the weight of the cycle, and keep that as the proof.

        If t is the greatest weight that counts, each end of a move has the number t / 2, so that the value of
        the move is t. Other edges of the encoding have no weight; the numbers -t / 2 cancel their values.

        Args:
            negative: the vertices with the number -t / 2: the apex, and cells between two other vertices.
        """
        vertices = np.full(self.size, self.weights[self._edges_of(self.cycle)].max() / 2)
        vertices[negative.astype(np.int64)] *= -1
        self.root.dual = Dual(vertices, ())
        if self._proved(self.root):
            self._raise_bound(self.weight)
            return True
        self.root.dual = None
        return False

    def _raise_bound(self, bound: float) -> None:
        """Record a lower bound; weights are multiples of `step`."""
        if math.isfinite(bound):
            bound = math.ceil(bound / self.step - TINY) * self.step
        if bound > self.bound:
            self.bound = min(bound, self.weight)
            self.report(self.weight, self.bound)

    @contextmanager
    def _within(self, part: Subproblem) -> Iterator[None]:
        """Fix the edges of a part in the program."""
        lower, upper = self.relaxation.lower, self.relaxation.upper
        forced, out = list(part.forced), list(part.out)
        lower[forced], upper[out] = 1, 0
        try:
            yield
        finally:
            lower[forced], upper[out] = 0, 1

    def _examine(self, part: Subproblem) -> Optimum | None:
        """Bound a part, adding cuts; return its optimum if it must be divided, else None."""
        self.parts += 1
        relaxation, values = self.relaxation, [-math.inf]
        with self._within(part):
            while True:
                optimum = relaxation.solve(self.budget, priced=False)
                if part is self.root and math.isfinite(optimum.value):
                    missing = np.minimum(relaxation.reduced_costs(optimum.dual)[~relaxation.active], 0)
                    self._raise_bound(optimum.value + missing.sum())
                cuts = relaxation.violated(optimum.numbers) if optimum.value <= self.most + TINY else []
                values.append(optimum.value)
                # Cuts of the root serve all parts, unless their bound is known to be too low.
                needed = part is self.root and optimum.value >= self.at_least
                if cuts and (needed or self._in_cycles(optimum) or not self._slow(values)):
                    if optimum.value > max(values[:-1]) + TINY:  # otherwise the same cuts could come and go
                        relaxation.forget(optimum)
                    relaxation.add(cuts)
                    continue
                columns = np.count_nonzero(relaxation.active)
                optimum = relaxation.solve(self.budget, priced=True)
                ended = np.count_nonzero(relaxation.active) == columns or self._slow(values)
                if ended and (optimum.value > self.most + TINY or not self._in_cycles(optimum)):
                    break
            part.bound, part.dual = max(part.bound, optimum.value), optimum.dual
            if part is self.root:
                self._raise_bound(optimum.value)
            if optimum.value > self.most + TINY and self._proved(part):
                return None
            if not len(optimum.fractional) and not self._in_cycles(optimum):
                self.offer(self._cycle_of(optimum))
                self._narrow()
                if self._proved(part):
                    return None
            return optimum

    def _in_cycles(self, optimum: Optimum) -> bool:
        """Return whether an optimum consists of several cycles: no edge divides it, so that it needs cuts."""
        return not len(optimum.fractional) and bool(self.relaxation.violated(optimum.numbers))

    def _lighten(self, optimum: Optimum, edges_per_vertex: tuple[float, ...] = (1.5, 2)) -> None:
        """Look for a light cycle; restrict later programs to the edges that a lighter cycle may use.

        A cycle within the gap between the optimum and the lightest cycle uses no edge whose reduced cost
        exceeds the gap.

        Args:
            optimum: optimum of the relaxation.
            edges_per_vertex: sizes of the integer programs; a small program takes less time, a large one
                finds lighter tours.
        """
        self._value, self._reduced_costs = optimum.value, self.relaxation.reduced_costs(optimum.dual)
        self._dive(optimum)
        self._narrow()
        for ratio in edges_per_vertex:
            gap = self.weight - self._value
            if gap <= self.step:
                break
            count = int(ratio * self.size)
            cycle = lightest_cycle(self.relaxation, self._reduced_costs, count, self.most, self.budget)
            if cycle is not None:
                self.offer(cycle)
            if np.count_nonzero(self._reduced_costs <= gap) <= count:
                break  # the program had all edges that a lighter cycle may use
        self._narrow()

    def _dive(self, optimum: Optimum) -> None:
        """Look for a light cycle: force edges with great numbers until an optimum is a cycle.

        A tenth of the fractional edges is forced at a time, at most one at each vertex, after `ROUNDS` rounds
        of cuts or fewer. The search ends without a cycle if no lighter point remains.
        """
        relaxation, forced, rounds = self.relaxation, list[int](), 0
        try:
            while optimum.value <= self.most:
                cuts = relaxation.violated(optimum.numbers)
                fractional = optimum.fractional
                if not cuts and not len(fractional):
                    self.offer(self._cycle_of(optimum))
                    return
                relaxation.add(cuts)
                rounds = rounds + 1 if cuts else ROUNDS
                if rounds >= ROUNDS and len(fractional):
                    greatest = fractional[np.argsort(-optimum.numbers[fractional], kind="stable")]
                    ends: set[int] = set()
                    for edge in greatest[: max(len(fractional) // 10, 1)].tolist():
                        if ends.isdisjoint(self.edges[edge].tolist()):
                            ends.update(self.edges[edge].tolist())
                            forced.append(edge)
                            relaxation.lower[edge] = 1
                    rounds = 0
                optimum = relaxation.solve(self.budget, priced=False)
        finally:
            relaxation.lower[forced] = 0

    def _narrow(self) -> None:
        """Restrict later programs to the edges that a lighter cycle may use."""
        self.relaxation.narrow(self._reduced_costs, self.weight - self._value)

    def _slow(self, values: list[float]) -> bool:
        """Return whether the last rounds of cuts have hardly closed the gap to the lightest cycle."""
        gap = self.weight - values[-1]
        return len(values) > ROUNDS and values[-1] - values[-1 - ROUNDS] < gap / 50

    def _proved(self, part: Subproblem) -> bool:
        """Return whether the rounded dual solution of a part proves that it has no lighter cycle."""
        return part.dual is not None and self.relaxation.terms(part.dual, int(self.most)) is not None

    def _cycle_of(self, optimum: Optimum) -> Cells:
        """Return the cycle that an optimum without fractions consists of."""
        return cycle_along(self.edges[optimum.numbers > 0.5])

    def _dividing(self, part: Subproblem, optimum: Optimum) -> int:
        """Return the edge whose two sides have the greatest bounds, among edges with numbers near a half."""
        numbers, fractional, relaxation = optimum.numbers, optimum.fractional, self.relaxation
        if not len(fractional):  # only rounding has spoiled the proof: any undecided edge of the tour divides
            decided = {*part.forced, *part.out}
            return next(edge for edge in np.flatnonzero(numbers > 0.5).tolist() if edge not in decided)
        order = np.lexsort([-self.weights[fractional], np.abs(numbers[fractional] - 0.5)])
        best, best_gain = -1, -math.inf
        with self._within(part):
            for edge in fractional[order[:CANDIDATES]].tolist():
                gains = []
                for bounds in ((1, 1), (0, 0)):
                    relaxation.lower[edge], relaxation.upper[edge] = bounds
                    value = relaxation.solve(self.budget, priced=False).value
                    gains.append(min(value, self.weight) - optimum.value)
                relaxation.lower[edge], relaxation.upper[edge] = 0, 1
                if (gain := 10 * min(gains) + max(gains)) > best_gain:
                    best, best_gain = edge, gain
        return best

    # ---- the proof

    def proof(self) -> StepProof:
        """Return the proof that no cycle is lighter, once `run` has ended."""
        return StepProof(self._steps(self.root))

    def _steps(self, part: Subproblem) -> tuple[Step, ...]:
        """Return the proof for a part: its dual solution if that suffices, else its two sides."""
        with self._within(part):
            terms = None if part.dual is None else self.relaxation.terms(part.dual, int(self.most))
        if terms is not None:
            return (Step("linear", terms=terms),)
        assert part.edge is not None  # noqa: S101 - for the type checker
        ends = tuple(self.edges[part.edge].tolist())
        return (Step("branch", ends, tuple(map(self._steps, part.sides))),)
