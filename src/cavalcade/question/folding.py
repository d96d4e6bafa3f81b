"""Graphs folded by an automorphism: the Hamiltonian cycles that it maps to themselves, as cycles of less.

Let g be an automorphism of a graph with n vertices, n > 2, and C a Hamiltonian cycle with g(C) = C. Then g
turns C or reverses it, and is one of the following; every other g fixes no cycle.

*Forward*: g turns C. All orbits of g have k vertices, k the order of g. Fold the graph: its orbits become
vertices, an edge from height i of one orbit to height j of another becomes an edge of voltage j - i mod k.
C becomes a Hamiltonian cycle of the folded graph, and a Hamiltonian cycle of that unfolds into one cycle
exactly if its voltage is a unit mod k (the theory of voltage graphs: Gross & Tucker, 1987).

*Backward*: g reverses C. It is an involution, and C passes two of its mirrors: a mirror is a vertex that g
fixes, or an edge that it flips. There are at most two fixed vertices, and if any, n is odd for one and even
for two. One half of C is a path through every orbit of two vertices, from one mirror to the other; every
such path of the folded graph unfolds into one C. Voltages play no part.

The extra vertex that joins the ends of an open tour (see `question`) is one that g fixes.

n is the number of vertices, m of orbits, k the order of g, a, b are vertices, i, j heights.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.question.graph import MoveGraph

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    # for each vertex its neighbours, each with the voltage of the edge to it
    Rows = list[list[tuple[int, int]]]


@dataclass
class Folded:
    """A folded graph: forward or backward.

    Args:
        orbits: the vertices of each orbit, by their heights.
        rows: for each vertex its neighbours with the voltages of the edges; the first vertices are the
            orbits. A pair that occurs twice is two edges.
        backward: whether g reverses the cycles.
        mirrors: backward, for either end the vertex that g fixes there, or None for an edge that it flips.
        apex: backward, the vertex at which the cycles are cut.
    """

    orbits: list[list[int]]
    rows: Rows
    backward: bool = False
    mirrors: tuple[int | None, int | None] = (None, None)
    apex: int | None = None
    fixed: list[int] = field(default_factory=list)

    @property
    def modulus(self) -> int:
        """The voltage of a cycle must be a unit modulo this."""
        return 1 if self.backward else len(self.orbits[0])

    @cached_property
    def graph(self) -> MoveGraph:
        """The folded graph without voltages, so that parallel edges are one."""
        pairs = [(v, w) for v, row in enumerate(self.rows) for w, _ in row if v != w]
        return MoveGraph.from_edges(pairs, len(self.rows))

    def unfolded(self, cycle: Iterable[int]) -> Iterator[NDArray[np.int32]]:
        """The cycles of the whole graph that a Hamiltonian cycle of `graph` stands for.

        One for each choice among parallel edges that makes the voltage a unit.
        """
        around = [int(v) for v in cycle]
        if self.backward:
            assert self.apex is not None  # noqa: S101 - for the type checker
            at = around.index(self.apex)
            around = around[at + 1 :] + around[:at]
            if len(self.fixed) and around[0] != self.fixed[0]:
                around.reverse()
            around = [v for v in around if v < len(self.orbits)]
            pairs = list(itertools.pairwise(around))
        else:
            pairs = [*itertools.pairwise(around), (around[-1], around[0])]
        voltages: Iterable[tuple[int, ...]]
        if len(pairs) == 2 and not self.backward:  # there by one edge, back by another
            turns = sorted({turn for w, turn in self.rows[around[0]] if w == around[1]})
            voltages = [(x, -y) for x, y in itertools.combinations(turns, 2)]
        elif len(pairs) == 1 and not self.backward:  # steps of s and of -s make the same cycle
            k = self.modulus
            voltages = [(s,) for s in sorted({min(s % k, -s % k) for _, s in self.rows[around[0]]})]
        else:
            voltages = self._voltages(
                [sorted({turn for w, turn in self.rows[v] if w == u}) for v, u in pairs]
            )
        for some in voltages:
            if self.backward or math.gcd(sum(some), self.modulus) == 1:
                yield self._lifted(around, some)

    def _voltages(self, choices: list[list[int]]) -> Iterator[tuple[int, ...]]:
        """All choices of one voltage each whose sum is a unit, without dead ends."""
        if not choices:
            yield ()
            return
        k = self.modulus
        able = [{x for x in range(k) if math.gcd(x, k) == 1}]  # sums so far from which a unit can be reached
        for some in reversed(choices):
            able.append({(x - turn) % k for x in able[-1] for turn in some})
        able.reverse()
        chosen: list[int] = []
        sums = [0]
        untried = [iter(choices[0])]
        while untried:
            turn = next(untried[-1], None)
            if turn is None:
                untried.pop()
                if chosen:
                    chosen.pop()
                    sums.pop()
                continue
            now = (sums[-1] + turn) % k
            if now not in able[len(untried)]:
                continue
            if len(untried) == len(choices):
                yield (*chosen, turn)
            else:
                chosen.append(turn)
                sums.append(now)
                untried.append(iter(choices[len(untried)]))

    def _lifted(self, around: list[int], turns: Sequence[int]) -> NDArray[np.int32]:
        k, height = len(self.orbits[around[0]]), 0
        path: list[int] = []
        rounds = 1 if self.backward else k
        for _ in range(rounds):
            for v, turn in itertools.zip_longest(around, turns, fillvalue=0):
                path.append(self.orbits[v][height % k])
                height += turn
        if self.backward:
            first, last = self.mirrors
            images = [self.orbits[v][1 - self.orbits[v].index(a)] for v, a in zip(around, path, strict=True)]
            path += [
                *([] if last is None else [last]),
                *reversed(images),
                *([] if first is None else [first]),
            ]
        return np.array(path, dtype=np.int32)


def folded(graph: MoveGraph, g: Sequence[int]) -> list[Folded]:
    """The folded graphs of a graph of three or more vertices by an automorphism that is not the identity.

    The Hamiltonian cycles of each whose voltage is a unit are the cycles of the graph that g shifts or
    reverses. A case that is not listed has none.
    """
    orbits, orbit, height = _orbits(g)
    longest = max(map(len, orbits))
    heads = graph.indices.tolist()
    neighbours = [heads[i:j] for i, j in itertools.pairwise(graph.indptr.tolist())]
    colours = _colours(graph)
    # a turn by an odd number of moves swaps the two colours of cells, if there are two
    fits = colours is None or longest % 2 or (colours[0] != colours[int(g[0])]) == len(orbits) % 2
    found = []
    if fits and all(len(o) == longest for o in orbits):
        rows = [[(orbit[w], height[w]) for w in neighbours[o[0]]] for o in orbits]
        if len(orbits) > 1:
            rows = [[(b, turn) for b, turn in row if b != a] for a, row in enumerate(rows)]
        found.append(Folded(orbits, rows))
    mirrors = [o[0] for o in orbits if len(o) == 1]
    if longest == 2 and len(mirrors) <= 2:
        back = _backward(neighbours, orbits, orbit, height, mirrors)
        found += [back] if back else []
    return found


def _backward(
    neighbours: list[list[int]],
    orbits: list[list[int]],
    orbit: list[int],
    height: list[int],
    mirrors: list[int],
) -> Folded | None:
    """Paths through all orbits of two vertices, each end at a mirror, as cycles through one more vertex."""
    pairs = [o for o in orbits if len(o) == 2]
    number = {orbit[o[0]]: i for i, o in enumerate(pairs)}
    near = [neighbours[a] for a, _ in pairs]
    rows = [
        [(number[orbit[w]], height[w]) for w in row if orbit[w] in number and number[orbit[w]] != i]
        for i, row in enumerate(near)
    ]
    flipped = [i for i, row in enumerate(near) if pairs[i][1] in row]
    fixed = [[i for i, row in enumerate(near) if f in row] for f in mirrors]
    if not fixed:  # two of the flipped edges: one more vertex joins them
        if len(flipped) < 2:
            return None
        return Folded(pairs, rows, backward=True, apex=_add_vertex(rows, flipped))
    ends = [fixed[0], [*fixed[1:], flipped][0]]
    if not all(map(len, ends)):
        return None
    apexes = [_add_vertex(rows, end) for end in ends]
    apex = _add_vertex(rows, apexes)
    last = mirrors[1] if len(mirrors) == 2 else None
    return Folded(pairs, rows, backward=True, mirrors=(mirrors[0], last), apex=apex, fixed=apexes)


def _add_vertex(rows: Rows, neighbours: Iterable[int]) -> int:
    """Append a vertex with these neighbours; returns its number."""
    new = len(rows)
    rows.append([(w, 0) for w in neighbours])
    for w, _ in rows[new]:
        rows[w].append((new, 0))
    return new


def _orbits(g: Sequence[int]) -> tuple[list[list[int]], list[int], list[int]]:
    """The cycles of g, and of each vertex the number of its cycle and its place in it."""
    orbits: list[list[int]] = []
    orbit, height = [-1] * len(g), [0] * len(g)
    for first in range(len(g)):
        if orbit[first] >= 0:
            continue
        cycle: list[int] = []
        at = first
        while orbit[at] < 0:
            orbit[at], height[at] = len(orbits), len(cycle)
            cycle.append(at)
            at = int(g[at])
        orbits.append(cycle)
    return orbits, orbit, height


def _colours(graph: MoveGraph) -> NDArray[np.bool_] | None:
    """One of two colours for each vertex, so that every edge changes it; None if there are no such colours.

    The double cover joins (a, 0) to (b, 1) for every edge a-b. A part of the graph without odd cycles falls
    into two parts there, which are its colours.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n, (tails, heads) = graph.size, graph.arcs().T
    cover = coo_array((np.ones(len(tails), dtype=np.int8), (tails, heads + n)), shape=(2 * n, 2 * n))
    one, other = connected_components(cover, directed=False)[1].reshape(2, n)
    return None if (one == other).any() else one < other
