"""In how many cycles exactly k edges of a type are: from values of a polynomial, see `states.weights`.

The polynomial has no more unknown coefficients than there are numbers k between the least and the most edges
of the type in any set of disjoint cycles through all vertices, which a linear program gives. Its value at 1
is the number of all cycles, which is known. The others come from searches, as many in one as memory has room
for. All is modulo one prime that is larger than the number of cycles, or modulo several. If a value were
wrong, coefficients would be arbitrary remainders, and would not sum up to the number of all cycles.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import count, islice

import numpy as np

from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.counting.cycles import Forecast
from cavalcade.counting.meeting import Halves, Meeting
from cavalcade.counting.residues import combined, primes
from cavalcade.question.graph import MoveGraph
from cavalcade.states.pattern_search import PatternSearch
from cavalcade.states.search import Progress
from cavalcade.states.transition import neighbours, stages
from cavalcade.states.weights import Edge, Word, batched

Edges = frozenset[Edge]

WIDEST = 46  # bits of a modulus, see `matchings.product`
LEAST = 20  # bits of it: so many points are different, and a wrong value is noticed
DOUBT = 3  # bits of a modulus beyond those of the number of cycles
SUM = 62  # bits of a sum of products before it is reduced
TINY = 1e-6  # what a linear program may be off


class Interpolation:
    """The numbers of cycles of a graph by their edges of a type.

    Args:
        graph: any graph.
        order: in which its vertices are taken.
        plan: how it is cut in halves, if it is.
        record: what the searches take is added to it.
    """

    def __init__(self, graph: MoveGraph, order: list[int], plan: Halves | None, record: Progress) -> None:
        self.graph, self.order, self.plan, self.record = graph, order, plan, record
        self.stages = stages(neighbours(graph), order, ascending=True)
        most = max((stage.geometry.most for stage in self.stages), default=1)
        self._bits = SUM - (2 + 2 * most).bit_length()  # no more choices lead to a pattern

    def numbers(self, types: Sequence[Edges], total: int) -> list[dict[int, int]]:
        """For each type how many of so many cycles in all have k edges of it, by k; zeros are left out.

        Raises:
            AssertionError: the numbers do not sum up to the total.
        """
        if not total:
            return [{} for _ in types]
        ranges = [self._range(edges) for edges in types]
        every = [list(islice(_points(least), most - least)) for least, most in ranges]
        moduli = [self._moduli(points, total) for points in every]
        values = iter(
            self.values(
                [
                    Word(x, prime, edges)
                    for edges, points, some in zip(types, every, moduli, strict=True)
                    for prime in some
                    for x in points
                ]
            )
        )
        found = []
        for (least, _), points, some in zip(ranges, every, moduli, strict=True):
            rows = [
                _coefficients({1: total, **{x: next(values) for x in points}}, least, prime) for prime in some
            ]
            numbers = combined(zip(*rows, strict=True), some)
            if sum(numbers) != total:
                raise AssertionError(f"numbers by type sum up to {sum(numbers)}, expected {total}")
            found.append({k: number for k, number in enumerate(numbers, least) if number})
        return found

    def _range(self, edges: Edges) -> tuple[int, int]:
        """The fewest and the most edges of a type if every vertex has two edges in all."""
        from scipy.optimize import linprog
        from scipy.sparse import csr_matrix

        pairs = self.graph.edges()
        each = np.arange(len(pairs))
        ends = csr_matrix(
            (np.ones(2 * len(pairs)), (pairs.T.ravel(), np.tile(each, 2))), (self.graph.size, len(pairs))
        )
        marked = np.array([(min(pair), max(pair)) in edges for pair in pairs.tolist()], dtype=np.float64)
        low, high = (
            linprog(sign * marked, A_eq=ends, b_eq=np.full(self.graph.size, 2.0), bounds=(0, 1)).fun
            for sign in (1, -1)
        )
        return math.ceil(low - TINY), math.floor(TINY - high)

    def _moduli(self, points: Sequence[int], total: int) -> list[int]:
        """Primes whose product is larger than the number of all cycles."""
        bits = min(WIDEST, self._bits - 2 * max((abs(x) for x in points), default=1).bit_length())
        found: list[int] = []
        for prime in primes(1 << min(bits, max(LEAST, total.bit_length() + DOUBT))):
            if math.prod(found) > total:
                break
            found.append(prime)
        return found

    def values(self, words: Sequence[Word]) -> list[int]:
        """Of each word the value, by as many searches as it takes."""
        if not words:
            return []
        plan = self.plan
        if plan and all(_image(edges, plan.image) == edges for edges in {word.edges for word in words}):
            return Meeting(
                self.graph, plan, record=self.record, checkpoints=Checkpoints(), words=words
            ).values()
        forecast = Forecast(self.graph, self.order, self.record, words=len(words))
        self.record.vertices = forecast.searches * len(self.stages)
        found: list[int] = []
        for some in batched(words, forecast.at_once):
            search = PatternSearch(self.stages, words=some, record=self.record, heed=forecast.heed)
            search.run()
            found += search.values
        return found


def _points(least: int) -> Iterator[int]:
    """Points in the order of their sizes: without 1, whose value is known, and 0 where it says nothing."""
    if not least:
        yield 0
    yield -1
    for x in count(2):
        yield from (x, -x)


def _image(edges: Edges, image: Sequence[int]) -> Edges:
    """The images of edges."""
    return frozenset((min(image[a], image[b]), max(image[a], image[b])) for a, b in edges)


def _coefficients(values: dict[int, int], least: int, prime: int) -> list[int]:
    """The coefficients of a polynomial modulo a prime, from that of the least power on (I. Newton, 1711)."""
    points = list(values)
    left = [value * pow(x, -least, prime) % prime for x, value in values.items()]
    for k in range(1, len(points)):  # divided differences
        for i in range(len(points) - 1, k - 1, -1):
            left[i] = (left[i] - left[i - 1]) * pow(points[i] - points[i - k], -1, prime) % prime
    found: list[int] = []
    for x, difference in zip(reversed(points), reversed(left), strict=True):
        shifted = [0, *found]
        found = [(a - x * b) % prime for a, b in zip(shifted, [*found, 0], strict=True)]
        found[0] = (found[0] + difference) % prime
    return found
