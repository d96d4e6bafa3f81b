"""Tours that a symmetry maps to themselves, counted on the board folded up by it.

Let g be an automorphism of a graph with n vertices, n > 2, and C a Hamiltonian cycle with g(C) = C. Then g
turns C or reverses it, and is of one of these kinds; every other g fixes no tour.

*Forward*: g turns C. All orbits of g have k vertices, k the order of g. Fold the graph: its orbits become
vertices, an edge from height i of one orbit to height j of another becomes an edge of voltage j - i mod k.
C becomes a Hamiltonian cycle of the folded graph, and a Hamiltonian cycle of that unfolds into one cycle
exactly if its voltage is a unit mod k (the theory of voltage graphs: Gross & Tucker, 1987). Only residues
modulo the primes in k matter. Modulo 2 a voltage has no sign, so that one bit for the whole state tells it;
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

from cavalcade.counting.order import frontier_widths, narrow_order
from cavalcade.counting.tables import (
    LIMB,
    PLACES,
    WIDEST,
    Table,
    Trays,
    column,
    given,
    put,
    slot,
    transform,
    word_layout,
)
from cavalcade.errors import TooLargeError
from cavalcade.graph import MoveGraph
from cavalcade.kernels import Kernel, Tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cavalcade.kernels import Vector

    Rows = list[
        list[tuple[int, int]]
    ]  # of each vertex the neighbours, each with the voltage of the way there


class Fixed(NamedTuple):
    """How many tours a symmetry maps to themselves, keeping their direction or reversing it."""

    forward: int
    backward: int

    @property
    def total(self) -> int:
        """Both."""
        return self.forward + self.backward


def _fold_step(
    first: int,
    until: int,
    keys_low: Vector,
    keys_high: Vector,
    counts_low: Vector,
    counts_high: Vector,
    width: int,
    place: int,
    later: Vector,
    flips: Vector,
    turns: Vector,
    q: int,
    turn_bits: int,
    parity_wanted: int,
    keep: Vector,
    need: Vector,
    need_start: Vector,
    outside: Vector,
    last_round: int,
    most: int,
    tray_low: Vector,
    tray_high: Vector,
    tray_counts_low: Vector,
    tray_counts_high: Vector,
    fill: Vector,
    head: Vector,
    shift: Vector,
    bits: Vector,
    code: Vector,
    mate: Vector,
    after: Vector,
    rename: Vector,
    volt: Vector,
    total: Vector,
) -> int:
    """As `frontier._step`, on a graph with parallel edges and voltages.

    An edge to a later vertex has a place in `later`, a voltage mod 2 in `flips` and one mod q, q odd, in
    `turns`. Bit 60 of the low word is the parity of all voltages so far. With q > 1 the high word holds for
    each path, in the order of their numbers, its voltage from the first end to the second, `turn_bits` each.
    `volt[i]` is the voltage of the path that ends at i, from i to its mate.
    """
    fullest = 0
    for i in range(len(fill)):
        fullest = max(fullest, fill[i])
    n_later = len(later)
    n_keep = len(keep)
    two_keys = len(keys_high) > 0
    for s in range(first, until):
        if keys_low[s] < 0:
            continue
        if fullest + most > head[2]:
            return s
        low, high = keys_low[s], keys_high[s] if two_keys else 0
        count_low, count_high = counts_low[s], counts_high[s] if len(counts_high) > 0 else 0
        parity = low >> 60
        for i in range(16):
            rename[i] = -1
        for i in range(width):
            x = ((low if i < 17 else high) >> shift[i]) & bits[i]
            code[i] = x
            mate[i] = -1
            volt[i] = 0
            if x >= 2:
                j = rename[x]
                if j < 0:
                    rename[x] = i
                else:
                    mate[i] = j
                    mate[j] = i
                    if q > 1:
                        volt[j] = (high >> ((x - 2) * turn_bits)) & ((1 << turn_bits) - 1)
                        volt[i] = (q - volt[j]) % q
        state_v = code[place]
        outer = n_later if state_v == 0 else 1
        for p in range(outer):
            one = -1
            inner_from, inner_to = 0, n_later
            if state_v == 0:
                one = later[p]
                if code[one] == 1:
                    continue
                inner_from = p + 1
            elif state_v == 1:
                inner_to = 1
            for e in range(inner_from, inner_to):
                two = -1
                a, b = -1, -1  # the ends of the path that goes through v, once its edges are in
                turn = 0  # its voltage from a to b
                new_parity = parity
                if state_v != 1:
                    two = later[e]
                    if code[two] == 1 or two == one:
                        continue
                    b = two if code[two] == 0 else mate[two]
                    turn = turns[e] + volt[two]
                    new_parity ^= flips[e]
                    if state_v == 0:
                        a = one if code[one] == 0 else mate[one]
                        turn += 2 * q - turns[p] - volt[one]
                        new_parity ^= flips[p]
                        closes = code[one] >= 2 and mate[one] == two
                    else:
                        a = mate[place]
                        turn += q - volt[place]
                        closes = a == two
                    if closes:
                        if last_round and new_parity == parity_wanted:
                            # around once: back over the path from its end, `two`, and through v
                            turn = turns[e] + volt[two]
                            if state_v == 0:
                                turn += q - turns[p]
                            x, j = turn % q, q
                            while x > 0:
                                x, j = j % x, x
                            done = j == 1
                            for i in range(width):
                                if i != place and i != one and i != two and code[i] != 1:
                                    done = False
                            if done:
                                sum_low = total[0] + count_low
                                total[1] += count_high + (sum_low >> 60)
                                total[0] = sum_low & 0xFFFFFFFFFFFFFFF
                        continue
                # the new state: 0 untouched, 1 done, 2 end of a path
                for i in range(width):
                    after[i] = min(2, code[i])
                if one >= 0:
                    after[one] = 1 if code[one] >= 2 else 2
                if two >= 0:
                    after[two] = 1 if code[two] >= 2 else 2
                alive = True
                for m in range(n_keep):
                    k = keep[m]
                    if after[k] == 1:
                        continue
                    free = outside[k] - (2 if after[k] == 0 else 1)
                    if free < 0:
                        for f in range(need_start[k], need_start[k + 1]):
                            if after[need[f]] != 1:
                                free += 1
                        if free < 0:
                            alive = False
                            break
                if not alive:
                    continue
                new_a, new_b = new_parity << 60, 0
                paths = 2
                for i in range(width):
                    rename[i] = 0
                for m in range(n_keep):
                    k = keep[m]
                    x = after[k]
                    if x == 2:
                        if rename[k] == 0:
                            j = mate[k]
                            v = volt[k]
                            if k == a:
                                j = b
                                v = turn
                            elif k == b:
                                j = a
                                v = 3 * q - turn
                            rename[k] = paths
                            rename[j] = paths
                            if q > 1:
                                new_b |= ((v + q) % q) << ((paths - 2) * turn_bits)
                            paths += 1
                        x = rename[k]
                    if m < 17:
                        new_a |= x << shift[m]
                    else:
                        new_b |= x << shift[m]
                if paths > 16 or (q > 1 and (paths - 2) * turn_bits > 60):
                    total[2] = 1
                    continue
                full = put(
                    new_a, new_b, count_low, count_high,
                    tray_low, tray_high, tray_counts_low, tray_counts_high, fill, head,
                )  # fmt: skip
                fullest = max(fullest, full)
    return until


fold_kernel = Kernel(_fold_step, uses=[slot, put])


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

    Time and memory as in `frontier.count_cycles`: exponential in the width of the frontier.
    """
    q = math.prod(p for p in range(3, k + 1) if k % p == 0 and all(p % d for d in range(2, p)))
    parity_wanted = int(k % 2 == 0)
    simple = MoveGraph.from_edges([(v, w) for v, row in enumerate(rows) for w, _ in row], len(rows))
    order = narrow_order(simple, last)
    width, widest = 1 + max(frontier_widths(simple, order)), PLACES if q > 1 else WIDEST
    if width > widest:
        raise TooLargeError(
            f"the folded frontier would be {width} cells wide, and at most {widest} can be handled"
        )
    taken: set[int] = set()
    found = 0

    def take(v: int, table: Table, frontier: list[int]) -> tuple[Table, list[int], int]:
        """The table and the frontier after a vertex, and the cycles that it closes."""
        way = [(w, turn) for w, turn in rows[v] if w not in taken]
        everything = list(dict.fromkeys([*frontier, v, *(w for w, _ in way)]))
        places = {u: i for i, u in enumerate(everything)}
        taken.add(v)
        later = [places[w] for w, _ in way]
        flips = [turn % 2 * parity_wanted for _, turn in way]
        turns = [turn % q for _, turn in way]
        keep = [places[u] for u in everything if u != v]
        need: list[int] = []
        need_start, outside = [0], []
        for u in everything:
            left = {w for w, _ in rows[u]} - taken
            need += [places[w] for w in left if w in places]
            need_start.append(len(need))
            outside.append(sum(w not in places for w in left))
        tier = table.tier
        moves = [given(tier, x) for x in (later, flips, turns)]
        shape = [given(tier, x) for x in (keep, need, need_start, outside)]
        bits = [given(tier, x) for x in word_layout()]
        last_round = int(len(taken) + len(keep) == len(rows))
        most = 1 + len(later) ** 2 // 2  # one state leads to so many at most
        kernel = tier(fold_kernel)

        def expand(old: Table, trays: Trays, first: int, until: int) -> tuple[int, list[int]]:
            scratch = [column(tier, WIDEST) for _ in range(5)]
            sums = given(tier, [0, 0, 0])
            at = kernel(
                first, until, *old.columns, len(places), places[v], *moves, q, q.bit_length(), parity_wanted,
                *shape, last_round, most, *trays.columns, trays.fill, trays.head, *bits, *scratch, sums,
            )  # fmt: skip
            return at, [int(x) for x in sums]

        table, sums, _ = transform(
            table,
            expand,
            most=most,
            two_keys=q > 1 or len(keep) > PLACES,
            memory=memory,
            where=f"after {len(taken) - 1:,} of {len(rows):,} cells of the folded board",
        )
        if sums[2]:
            raise TooLargeError("too many paths cross the folded frontier at once")
        return table, [u for u in everything if u != v], sums[0] + LIMB * sums[1]

    table, frontier = Table.of_one(Tier(0, compiled=compiled), two_keys=q > 1), list[int]()
    for v in order:
        table, frontier, closed = take(v, table.ready(compiled), frontier)
        found += closed
    return found


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
