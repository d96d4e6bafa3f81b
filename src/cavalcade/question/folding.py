"""Graphs folded by an automorphism, whose Hamiltonian cycles are the invariant cycles of the whole graph.

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
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from cavalcade.ground.kernels import Cells, Ints
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import two_colours

# The neighbours of each vertex, with the voltages of the edges to them.
Rows = list[list[tuple[int, int]]]


@dataclass(frozen=True)
class Folded:
    """A folded graph: forward or backward.

    Args:
        orbits: the vertices of the orbits by their heights, shape (orbits, k).
        size: the number of vertices; the first are the orbits.
        arcs: tails, heads and voltages, every edge once in each direction. A pair that occurs twice is two
            edges.
        backward: whether g reverses the cycles. The other attributes are for this case only.
        mirrors: the vertex that g fixes at each end, or None for an edge that it flips.
        apex: the vertex at which the cycles are cut.
        first: the neighbour of the apex on the side of the first mirror, if the mirror is a vertex.
    """

    orbits: Ints
    size: int
    arcs: Ints
    backward: bool = False
    mirrors: tuple[int | None, int | None] = (None, None)
    apex: int | None = None
    first: int | None = None

    @property
    def modulus(self) -> int:
        """The voltage of a cycle must be a unit modulo this."""
        return 1 if self.backward else self.orbits.shape[1]

    @cached_property
    def rows(self) -> Rows:
        """The neighbours of each vertex, each with the voltage of the edge there."""
        rows: Rows = [[] for _ in range(self.size)]
        for tail, head, turn in self.arcs.T.tolist():
            rows[tail].append((head, turn))
        return rows

    @cached_property
    def graph(self) -> MoveGraph:
        """The folded graph without voltages, so that parallel edges are one."""
        return MoveGraph.from_edges(self.arcs[:2].T, self.size)

    def unfolded(self, cycle: Iterable[int]) -> Iterator[Cells]:
        """The cycles of the whole graph that fold to a Hamiltonian cycle of `graph`.

        There is one cycle for each choice among parallel edges that makes the voltage a unit.
        """
        around = np.array(list(cycle), dtype=np.int64)
        if self.backward:
            around = np.roll(around, -1 - int(np.flatnonzero(around == self.apex)[0]))[:-1]
            if self.first is not None and around[0] != self.first:
                around = around[::-1]
            around = around[around < len(self.orbits)]
        heads = around[1:] if self.backward else np.roll(around, -1)
        # The arcs are sorted, so the parallel edges of a step of the cycle are consecutive.
        codes = self.arcs[0] * self.size + self.arcs[1]
        steps = around[: len(heads)] * self.size + heads
        low, high = np.searchsorted(codes, steps), np.searchsorted(codes, steps, side="right")
        if (low == high).any():  # cycles with one or two vertices need not be cycles of the folded graph
            return
        turns, k = self.arcs[2, low], self.modulus
        several = np.flatnonzero(high - low > 1)
        choices = [self.arcs[2, i:j].tolist() for i, j in zip(low[several], high[several], strict=True)]
        voltages: Iterable[Sequence[int]]
        if len(heads) == 1 and not self.backward:  # steps of s and of -s make the same cycle
            several = np.zeros(1, dtype=np.int64)
            voltages = [(s,) for s in sorted({min(s % k, -s % k) for s in self.arcs[2].tolist()})]
        elif len(heads) == 2 and not self.backward:  # forth by one edge, back by another
            voltages = [(x, -y) for x, y in itertools.combinations(choices[0], 2)] if choices else []
        else:
            fixed = np.delete(turns, several)
            voltages = self._voltages(int(fixed.sum()) % k, choices)
        for chosen in voltages:
            turns[several] = chosen
            if self.backward or math.gcd(int(turns.sum()), k) == 1:
                yield self._lifted(around, turns)

    def _voltages(self, fixed: int, choices: list[list[int]]) -> Iterator[tuple[int, ...]]:
        """Enumerate the choices of a voltage per list that make the total a unit, without dead ends.

        Args:
            fixed: the sum of the voltages that leave no choice.
            choices: the voltages of the parallel edges of each other step.
        """
        k = self.modulus
        # feasible[i] contains the sums before choice i from which a unit can be reached.
        feasible = [{x for x in range(k) if math.gcd(x, k) == 1}]
        for voltages in reversed(choices):
            feasible.append({(x - turn) % k for x in feasible[-1] for turn in voltages})
        feasible.reverse()
        if fixed not in feasible[0]:
            return
        chosen: list[int] = []
        sums = [fixed]
        untried = [iter(choices[0])] if choices else []
        if not choices:
            yield ()
        while untried:
            turn = next(untried[-1], None)
            if turn is None:
                untried.pop()
                if chosen:
                    chosen.pop()
                    sums.pop()
                continue
            total = (sums[-1] + turn) % k
            if total not in feasible[len(untried)]:
                continue
            if len(untried) == len(choices):
                yield (*chosen, turn)
            else:
                chosen.append(turn)
                sums.append(total)
                untried.append(iter(choices[len(untried)]))

    def _lifted(self, around: Ints, turns: Ints) -> Cells:
        """The cycle of the whole graph for a cycle of orbits and the voltages of its steps."""
        k = self.orbits.shape[1]
        heights = np.concatenate([[0], np.cumsum(turns)])
        if not self.backward:
            rounds = heights[:-1] + heights[-1] * np.arange(k)[:, None]
            whole: Cells = self.orbits[around, rounds % k].ravel().astype(np.int32)
            return whole
        path, images = self.orbits[around, heights % k], self.orbits[around, 1 - heights % k]
        first, last = ([] if mirror is None else [mirror] for mirror in self.mirrors)
        return np.concatenate([path, last, images[::-1], first]).astype(np.int32)


def folded(graph: MoveGraph, g: ArrayLike) -> list[Folded]:
    """Fold a graph of three or more vertices by an automorphism that is not the identity.

    The result takes O(k) times linear time.

    Returns:
        A folded graph for each case, forward and backward, in which g can fix a cycle. The Hamiltonian cycles
        with a voltage that is a unit correspond to the cycles of the graph that g turns or reverses.
    """
    image, identity = np.asarray(g, dtype=np.int64), np.arange(graph.size)
    involution = bool((image[image] == identity).all())
    lowest, power, k = identity, image, 1
    while (moved := power != identity).any():
        if not (involution or moved.all()):
            return []
        lowest, power, k = np.minimum(lowest, power), image[power], k + 1
    fixed = np.flatnonzero(image == identity)
    first = (lowest == identity) & (image != identity)
    columns = [np.flatnonzero(first)]
    for _ in range(k - 1):
        columns.append(image[columns[-1]])
    orbits = np.stack(columns, axis=1)
    orbit, height = np.full(graph.size, -1), np.zeros(graph.size, dtype=np.int64)
    orbit[orbits] = np.arange(len(orbits))[:, None]
    height[orbits] = np.arange(k)
    tails = graph.tails
    from_first = first[tails]  # one vertex of each orbit is enough
    tails, ends = orbit[tails[from_first]], graph.indices[from_first]
    arcs = np.stack([tails, orbit[ends], height[ends]])
    colours = two_colours(graph)
    # In a 2-colourable graph, a turn by an odd number of edges swaps the colours.
    fits = colours is None or k % 2 or (colours[0] != colours[image[0]]) == len(orbits) % 2
    cases = []
    if fits and not len(fixed):
        kept = arcs if len(orbits) == 1 else arcs[:, arcs[0] != arcs[1]]
        cases.append(Folded(orbits, len(orbits), _sorted(kept)))
    if k == 2 and len(fixed) <= 2:
        adjacent = [tails[ends == vertex] for vertex in fixed]
        backward = _backward(orbits, arcs, fixed.tolist(), adjacent)
        cases += [backward] if backward else []
    return cases


def _backward(orbits: Ints, arcs: Ints, fixed: list[int], adjacent: list[Ints]) -> Folded | None:
    """Fold a graph backward: paths between two mirrors through all orbits, as cycles through one more vertex.

    Args:
        orbits: the orbits of two vertices, shape (orbits, 2).
        arcs: the arcs between orbits, with head -1 for fixed vertices.
        fixed: the vertices that g fixes, at most two.
        adjacent: the orbits adjacent to each fixed vertex.
    """
    flipped = arcs[0, arcs[0] == arcs[1]]
    rows, size = [arcs[:, (arcs[1] >= 0) & (arcs[0] != arcs[1])]], len(orbits)

    def add(neighbours: Ints) -> None:
        nonlocal size
        new = np.stack(
            [np.full(len(neighbours), size), neighbours, np.zeros(len(neighbours), dtype=np.int64)]
        )
        rows.extend([new, new[[1, 0, 2]]])
        size += 1

    if not fixed:  # both mirrors are flipped edges, which one more vertex joins
        if len(flipped) < 2:
            return None
        add(flipped)
        return Folded(orbits, size, _sorted(np.concatenate(rows, axis=1)), backward=True, apex=size - 1)
    ends = [adjacent[0], adjacent[1] if len(fixed) == 2 else flipped]
    if not all(map(len, ends)):
        return None
    for end in ends:
        add(end)
    add(np.array([size - 2, size - 1]))
    mirrors = (fixed[0], fixed[1] if len(fixed) == 2 else None)
    whole = _sorted(np.concatenate(rows, axis=1))
    return Folded(orbits, size, whole, backward=True, mirrors=mirrors, apex=size - 1, first=size - 3)


def _sorted(arcs: Ints) -> Ints:
    """Sort arcs by tail, head and voltage."""
    return arcs[:, np.lexsort(arcs[::-1])]
