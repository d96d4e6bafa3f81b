"""The formula whose solutions are cycle covers, for a SAT solver.

`answers.certificate` says what it is. The checker builds it anew, by code of its own.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from cavalcade.question.graph import MoveGraph

    Edges: TypeAlias = NDArray[np.integer[Any]]

PLAIN = 9  # degrees up to which `exactly two` needs no further variables


class Formula:
    """What a proof is about: exactly two edges at every vertex, and some edge out of every cut.

    Args:
        size: the number of vertices; if the proof is about some alone, of those, which come first.
        edges: all edges (a, b), a < b, in ascending order; those with an end among the first `size`.
    """

    def __init__(self, size: int, edges: Edges) -> None:
        self.size = size
        self.edges: list[list[int]] = edges.tolist()
        self.rows: list[list[int]] = [[] for _ in range(size)]  # the edges of every vertex
        for k, ends in enumerate(self.edges, 1):
            for a in ends:
                if a < size:
                    self.rows[a].append(k)
        self.variables = len(self.edges) + sum(2 * len(row) - 3 for row in self.rows if len(row) > PLAIN)

    def degrees(self) -> Iterator[Sequence[int]]:
        """The clauses that give every vertex exactly two edges."""
        free = len(self.edges) + 1
        for row in self.rows:
            if len(row) <= PLAIN:
                yield from combinations(row, max(len(row) - 1, 0))
                yield from combinations([-k for k in row], 3)
            else:
                yield from _counter(row, free)
                free += 2 * len(row) - 3

    def symmetric(self, image: NDArray[np.int32]) -> Iterator[Sequence[int]]:
        """The clauses of a symmetry of the tours: an edge is used if its image is."""
        number = {(a, b): k for k, (a, b) in enumerate(self.edges, 1)}
        for k, (a, b) in enumerate(self.edges, 1):
            c, d = int(image[a]), int(image[b])
            other = number[min(c, d), max(c, d)]
            if other != k:
                yield from ((-k, other), (k, -other))

    def cut(self, cells: Iterable[int]) -> list[int]:
        """The clause of a cut: some edge leaves these vertices."""
        inside = set(cells)
        return [k for cell in inside for k in self.rows[cell] if not inside.issuperset(self.edges[k - 1])]


def _counter(row: list[int], free: int) -> Iterator[list[int]]:
    """Exactly two of a vertex's edges, by a sequential counter; its variables are numbered from `free`."""
    one = [row[0], *range(free, free + len(row) - 2)]
    two = [0, *range(free + len(row) - 2, free + 2 * len(row) - 3)]
    for i, k in enumerate(row[1:], 1):
        if i < len(one):
            yield from ([-one[i - 1], one[i]], [-k, one[i]], [-one[i], one[i - 1], k])
        before = [two[i - 1]] if i > 1 else []
        yield from ([-k, -other] for other in before)
        yield from ([-other, two[i]] for other in before)
        yield from ([-one[i - 1], -k, two[i]], [-two[i], *before, one[i - 1]], [-two[i], *before, k])
    yield [two[-1]]


def edges_of(graph: MoveGraph) -> Edges:
    """The edges of a graph in the order that numbers the variables."""
    edges = graph.edges()
    return np.asarray(edges[np.lexsort((edges[:, 1], edges[:, 0]))])
