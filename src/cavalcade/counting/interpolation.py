"""The number of cycles with exactly k edges of a type, by interpolating a polynomial (see `states.weights`).

The coefficient of x^k is the number of cycles with k edges of the type. A linear program bounds k by the
smallest and the largest number of such edges in a set of disjoint cycles through all vertices. The value at 1
is the number of all cycles, which is known. Searches compute the other values, several in one search as far
as memory allows. Arithmetic is modulo one prime that is larger than the number of cycles, or modulo several
primes. If a value were wrong, the coefficients would be arbitrary residues, and their sum would not be the
number of all cycles.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import count, islice

import numpy as np

from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.counting.cycles import Forecast
from cavalcade.counting.meeting import Halves, Meeting
from cavalcade.counting.pairing import LARGEST
from cavalcade.counting.residues import combined, primes
from cavalcade.question.graph import MoveGraph
from cavalcade.states.pattern_search import PatternSearch
from cavalcade.states.search import Progress
from cavalcade.states.transition import neighbours, stages
from cavalcade.states.weights import Edge, Word, batched

Edges = frozenset[Edge]

WIDEST = 46  # bits of a modulus: the limit of `pairing.product`


class Interpolation:
    """Counts the cycles of a graph by the number of their edges of a type.

    Args:
        graph: any graph.
        order: order in which its vertices are taken.
        plan: the two halves of the graph, or None.
        record: receives the effort of the searches.
    """

    def __init__(self, graph: MoveGraph, order: list[int], plan: Halves | None, record: Progress) -> None:
        self.graph, self.order, self.plan, self.record = graph, order, plan, record
        self.stages = stages(neighbours(graph), order, ascending=True)
        most = max((stage.geometry.most for stage in self.stages), default=1)
        # At most 2 + 2 * most choices lead to a pattern; their products are added up before a reduction.
        self._bits = LARGEST.bit_length() - 1 - (2 + 2 * most).bit_length()

    def numbers(self, types: Sequence[Edges], total: int) -> list[dict[int, int]]:
        """Count the cycles with k edges of each type.

        Args:
            types: sets of edges.
            total: number of all cycles.

        Returns:
            One dict per type, from k to the number of cycles; zeros are left out.

        Raises:
            AssertionError: the numbers do not add up to the total.
        """
        if not total:
            return [{} for _ in types]
        ranges = [self._range(edges) for edges in types]
        samples = [list(islice(_points(least), most - least)) for least, most in ranges]
        moduli = [self._moduli(points, total) for points in samples]
        values = iter(
            self.values(
                [
                    Word(x, prime, edges)
                    for edges, points, moduli_of_type in zip(types, samples, moduli, strict=True)
                    for prime in moduli_of_type
                    for x in points
                ]
            )
        )
        distributions = []
        for (least, _), points, moduli_of_type in zip(ranges, samples, moduli, strict=True):
            rows = [
                _coefficients({1: total, **{x: next(values) for x in points}}, least, prime)
                for prime in moduli_of_type
            ]
            numbers = combined(zip(*rows, strict=True), moduli_of_type)
            if sum(numbers) != total:
                raise AssertionError(f"numbers by type add up to {sum(numbers)}, expected {total}")
            distributions.append({k: number for k, number in enumerate(numbers, least) if number})
        return distributions

    def _range(self, edges: Edges) -> tuple[int, int]:
        """Return bounds for the number of edges of a type in a fractional 2-factor."""
        from scipy.optimize import linprog
        from scipy.sparse import csr_matrix

        pairs = self.graph.edges()
        edge_numbers = np.tile(np.arange(len(pairs)), 2)
        incidence = csr_matrix(
            (np.ones(2 * len(pairs)), (pairs.T.ravel(), edge_numbers)), (self.graph.size, len(pairs))
        )
        marked = np.array([(min(pair), max(pair)) in edges for pair in pairs.tolist()], dtype=np.float64)
        low, high = (
            linprog(sign * marked, A_eq=incidence, b_eq=np.full(self.graph.size, 2.0), bounds=(0, 1)).fun
            for sign in (1, -1)
        )
        tolerance = 1e-6  # of the optima, whose true values are rounded to integers
        return math.ceil(low - tolerance), math.floor(tolerance - high)

    def _moduli(self, points: Sequence[int], total: int) -> list[int]:
        """Return primes whose product exceeds the number of all cycles."""
        bits = min(WIDEST, self._bits - 2 * max((abs(x) for x in points), default=1).bit_length())
        moduli: list[int] = []
        check = 20  # bits of a modulus beyond the count: a wrong value shows in all but one case in a million
        for prime in primes(1 << min(bits, total.bit_length() + check)):
            if math.prod(moduli) > total:
                break
            moduli.append(prime)
        return moduli

    def values(self, words: Sequence[Word]) -> list[int]:
        """Return the value of each word; several searches are run if memory requires it."""
        if not words:
            return []
        plan = self.plan
        if plan and all(_image(edges, plan.image) == edges for edges in {word.edges for word in words}):
            return Meeting(
                self.graph, plan, record=self.record, checkpoints=Checkpoints(), words=words
            ).values()
        widths = [len(stage.frontier) for stage in self.stages]
        forecast = Forecast(widths, self.record, words=len(words))
        self.record.vertices = forecast.searches * len(self.stages)
        values: list[int] = []
        for batch in batched(words, forecast.at_once):
            search = PatternSearch(self.stages, words=batch, record=self.record, on_step=forecast.update)
            search.run()
            values += search.values
        return values


def _points(least: int) -> Iterator[int]:
    """Yield points by absolute value, except 1, whose value is known, and 0 if x divides the polynomial."""
    if not least:
        yield 0
    yield -1
    for x in count(2):
        yield from (x, -x)


def _image(edges: Edges, image: Sequence[int]) -> Edges:
    """Return the images of some edges."""
    return frozenset((min(image[a], image[b]), max(image[a], image[b])) for a, b in edges)


def _coefficients(values: dict[int, int], least: int, prime: int) -> list[int]:
    """Interpolate a polynomial modulo a prime (I. Newton, 1711).

    Args:
        values: value of the polynomial at each point.
        least: smallest exponent of the polynomial.
        prime: the modulus.

    Returns:
        The coefficients, from that of the smallest exponent on.
    """
    points = list(values)
    # Divide by x**least, then compute divided differences in place.
    differences = [value * pow(x, -least, prime) % prime for x, value in values.items()]
    for k in range(1, len(points)):
        for i in range(len(points) - 1, k - 1, -1):
            divisor = pow(points[i] - points[i - k], -1, prime)
            differences[i] = (differences[i] - differences[i - 1]) * divisor % prime
    # Horner's rule turns the Newton form into powers of x: multiply by x - point, add the next difference.
    coefficients: list[int] = []
    for x, difference in zip(reversed(points), reversed(differences), strict=True):
        shifted = [0, *coefficients]
        coefficients = [(a - x * b) % prime for a, b in zip(shifted, [*coefficients, 0], strict=True)]
        coefficients[0] = (coefficients[0] + difference) % prime
    return coefficients
