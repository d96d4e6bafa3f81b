"""Tours that a symmetry maps to themselves, counted on the board folded up by it.

Let g be an automorphism of a graph with n vertices, n > 2, and C a Hamiltonian cycle with g(C) = C. Then g
turns C or reverses it, and is one of the following; every other g fixes no tour.

*Forward*: g turns C. All orbits of g have k vertices, k the order of g. Fold the graph: its orbits become
vertices, an edge from height i of one orbit to height j of another becomes an edge of voltage j - i mod k.
C becomes a Hamiltonian cycle of the folded graph, and a Hamiltonian cycle of that unfolds into one cycle
exactly if its voltage is a unit mod k (the theory of voltage graphs: Gross & Tucker, 1987). Only residues
modulo the primes in k matter. Modulo 2 a voltage has no sign, so one bit for the whole state holds it;
modulo an odd number every path carries its own.

*Backward*: g reverses C. It is an involution, and C passes two of its mirrors: a mirror is a vertex that g
fixes, or an edge that it flips. There are at most two fixed vertices, and if any, n is odd for one and even
for two. One half of C is a path through every orbit of two vertices, from one mirror to the other; every
such path of the folded graph unfolds into one C. Voltages play no part.

An *open* tour is fixed by g only backward, and has one mirror, in its middle; the other end of the path is
free.

n is the number of vertices, m of orbits, k the order of g, a, b are vertices, i, j places on the frontier.
"""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, NamedTuple

from cavalcade.counting.frontier import FrontierSearch
from cavalcade.counting.order import frontier_widths, narrow_order
from cavalcade.counting.states import PLACES, WIDEST, Voltages, given
from cavalcade.counting.tables import assert_narrow
from cavalcade.counting.transition import stages
from cavalcade.graph import MoveGraph

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cavalcade.kernels import Tier

    # of each vertex its neighbours, each with the voltage of the way there
    Rows = list[list[tuple[int, int]]]


class Fixed(NamedTuple):
    """How many tours a symmetry maps to themselves, keeping their direction or reversing it."""

    forward: int
    backward: int

    @property
    def total(self) -> int:
        """Both."""
        return self.forward + self.backward


def count_folded(
    rows: Rows, k: int = 1, *, last: int | None = None, memory: int = 4 << 30, compiled: bool | None = None
) -> int:
    """The Hamiltonian cycles of a graph with parallel edges whose voltage is a unit modulo k.

    Args:
        rows: for each of three or more vertices its neighbours, each with the voltage of the way there;
            a pair that stands there twice is two edges. No loops.
        k: the voltages are numbers modulo k; with 1, every cycle counts.
        last: a vertex to take last.
        memory: bytes the tables may take.
        compiled: choose the tier of the kernel; None begins interpreted and changes when it gets large.

    Raises:
        TooLargeError: the frontier, the paths on it or the tables get too large.

    Time and memory as in `cycles.count_cycles`: exponential in the width of the frontier.
    """
    odd = math.prod(p for p in range(3, k + 1) if k % p == 0 and all(p % d for d in range(2, p)))
    parity = int(k % 2 == 0)
    simple = MoveGraph.from_edges([(v, w) for v, row in enumerate(rows) for w, _ in row], len(rows))
    order = narrow_order(simple, last)
    width = 1 + max(frontier_widths(simple, order))
    assert_narrow(width, PLACES if odd > 1 else WIDEST, what="folded frontier")
    steps = stages([[w for w, _ in row] for row in rows], order)

    def voltages(number: int, tier: Tier) -> Voltages:
        """Of the edges of a stage, in the order of its geometry."""
        done = {*order[: number + 1]}
        ahead = [turn for w, turn in rows[order[number]] if w not in done]
        flips, turns = [turn % 2 * parity for turn in ahead], [turn % odd for turn in ahead]
        return Voltages(given(tier, flips), given(tier, turns), odd, odd.bit_length(), parity)

    search = FrontierSearch(steps, memory=memory, compiled=compiled, voltages=voltages, two_keys=odd > 1)
    for _ in order:
        search.take()
    return search.cycles


def fixed_tours(
    graph: MoveGraph,
    g: Sequence[int],
    *,
    open: bool = False,  # noqa: A002 - the field's word
    memory: int = 4 << 30,
) -> Fixed:
    """The number of undirected tours that an automorphism g, not the identity, maps to themselves.

    Args:
        graph: any graph.
        g: the image of each vertex; that it is an automorphism is not checked.
        open: open tours, not closed ones.
        memory: bytes the tables may take.

    Raises:
        TooLargeError: the folded graph is too wide, or more memory would be needed.

    8x8 turned by 180° takes some seconds, 10x10 by 90° half a second.
    """
    n = graph.size
    orbits, orbit, height = _orbits(g)
    longest = max(map(len, orbits))
    mirrors = [o[0] for o in orbits if len(o) == 1]
    if n == 1 or (n == 2 and not open):
        return Fixed(1 if n == 1 else 0, 0)
    forward = backward = 0
    colours = _colours(graph)
    # a turn by an odd number of moves swaps the two colours of cells, if there are two
    fits = colours is None or longest % 2 or (colours[0] != colours[int(g[0])]) == len(orbits) % 2
    if not open and fits and all(len(o) == longest for o in orbits):
        forward = _forward(graph, orbits, orbit, height, memory)
    if longest == 2 and len(mirrors) <= 2:
        backward = _backward(graph, orbits, orbit, mirrors, memory, open=open)
    return Fixed(forward, backward)


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


def _colours(graph: MoveGraph) -> list[int] | None:
    """0 or 1 for each vertex, so that every move changes it; None if that cannot be.

    On a graph in parts there are several such colourings, but no tours.
    """
    colours = [-1] * graph.size
    for first in range(graph.size):
        stack = [first] if colours[first] < 0 else []
        colours[first] = max(colours[first], 0)
        while stack:
            v = stack.pop()
            for w in graph.neighbours(v).tolist():
                if colours[w] < 0:
                    colours[w] = 1 - colours[v]
                    stack.append(w)
                elif colours[w] == colours[v]:
                    return None
    return colours


def _forward(
    graph: MoveGraph, orbits: list[list[int]], orbit: list[int], height: list[int], memory: int
) -> int:
    k, m = len(orbits[0]), len(orbits)
    rows = [[(orbit[w], height[w]) for w in graph.neighbours(o[0]).tolist()] for o in orbits]
    if m == 1:  # steps of s and of -s make the same cycle
        return sum(math.gcd(s, k) == 1 for _, s in rows[0]) // 2
    if m == 2:  # to the other orbit one way, back another
        turns = [turn for other, turn in rows[0] if other == 1]
        return sum(math.gcd(x - y, k) == 1 for x, y in itertools.combinations(turns, 2))
    return count_folded(
        [[(b, turn) for b, turn in row if b != a] for a, row in enumerate(rows)], k, memory=memory
    )


def _backward(
    graph: MoveGraph,
    orbits: list[list[int]],
    orbit: list[int],
    mirrors: list[int],
    memory: int,
    *,
    open: bool,  # noqa: A002 - the field's word
) -> int:
    """Paths through all orbits of two vertices, each end at a mirror, the second of an open tour anywhere."""
    number = {orbit[o[0]]: i for i, o in enumerate(o for o in orbits if len(o) == 2)}
    pairs = [o for o in orbits if len(o) == 2]
    near = [graph.neighbours(a).tolist() for a, _ in pairs]
    rows = [
        [(number[orbit[w]], 0) for w in row if orbit[w] in number and number[orbit[w]] != i]
        for i, row in enumerate(near)
    ]
    flipped = [i for i, row in enumerate(near) if pairs[i][1] in row]
    fixed = [[i for i, row in enumerate(near) if f in row] for f in mirrors]
    if open:
        if len(fixed) == 2:
            return 0
        ends = [[*fixed, flipped][0], range(len(pairs))]
    elif not fixed:  # two of the flipped edges: one more vertex joins them
        hub = _add_vertex(rows, flipped)
        return count_folded(rows, last=hub, memory=memory) if len(flipped) > 1 else 0
    else:
        ends = [fixed[0], [*fixed[1:], flipped][0]]
    if not all(map(len, ends)):
        return 0
    hubs = [_add_vertex(rows, end) for end in ends]
    _add_vertex(rows, hubs)
    return count_folded(rows, last=hubs[-1], memory=memory)


def _add_vertex(rows: Rows, neighbours: Iterable[int]) -> int:
    """Append a vertex with these neighbours; returns its number."""
    new = len(rows)
    rows.append([(w, 0) for w in neighbours])
    for w, _ in rows[new]:
        rows[w].append((new, 0))
    return new
