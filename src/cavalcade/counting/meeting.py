"""Counting in two halves that meet: neither half ever holds the states of the whole.

Take a board that is its own image under the half turn, and a set of cells, the *middle*, without which it
falls into two sides, each the image of the other. A sweep over one side leaves its states on the middle; the
states of the other side are their images, so half the work serves for both. Every edge inside the middle is
given to one of the sides. A state of the one and a state of the other make a Hamiltonian cycle where every
vertex of the middle gets two edges from both together, and where the paths of both together make a single
cycle. The sweep is half as long, and ends where its states are few: 8x8 has 17,762,653 of them on its two
middle rows, 94,169,031 with six of the twelve edges between these, and more than 180 million in a sweep from
top to bottom.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cavalcade.counting.frontier import Count, Keeper, Progress, Sweep
from cavalcade.counting.matchings import WIDEST_MIDDLE, Side, met
from cavalcade.counting.order import BASE, frontier_widths, half_order
from cavalcade.counting.tables import (
    PLACES,
    WIDEST,
    Table,
    Trays,
    assert_narrow,
    column,
    given,
    put,
    slot,
    transform,
    word_layout,
)
from cavalcade.errors import TooLargeError
from cavalcade.kernels import Kernel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cavalcade.graph import MoveGraph
    from cavalcade.kernels import Vector

    Edges = list[tuple[int, int]]

AT_A_TIME = 6  # edges of the middle that are added in one go: at most 64 states of each
MIDDLE_COST = 1.0  # of a middle against a frontier of the sweep that is as wide


@dataclass(frozen=True)
class Halves:
    """One side of a graph, as an order of its vertices, and the middle; the other side is its image.

    `image[v]` is the vertex that v is mapped to.
    """

    side: list[int]
    middle: list[int]
    image: list[int]
    cost: float


def halves(graph: MoveGraph, last: int | None = None, *, below: float = math.inf) -> Halves | None:
    """The best way that is found to cut a graph in halves; None if there is none.

    An engine sees no board, but the half turn of a board turns the numbers of its cells round, so that is
    what is tried.

    Args:
        graph: any graph.
        last: the vertex that joins the ends of open tours; it has to be in the middle.
        below: the cost that it has to be below, of a sweep; see `order.cost_of`.
    """
    n = graph.size if last is None else graph.size - 1
    image = [n - 1 - v for v in range(n)] + list(range(n, graph.size))
    rows = [graph.neighbours(i).tolist() for i in range(graph.size)]
    same = all(sorted(image[w] for w in rows[v]) == sorted(rows[image[v]]) for v in range(graph.size))
    if last not in {None, n} or not same:
        return None
    best: Halves | None = None
    for side, cost in half_order(graph, image):
        taken = {*side, *(image[v] for v in side)}
        middle = [v for v in range(graph.size) if v not in taken]
        whole = cost + MIDDLE_COST * BASE ** len(middle)
        if len(middle) <= WIDEST_MIDDLE and whole < (best.cost if best else below):
            best = Halves(side, middle, image, whole)
    return best


def _join(
    first: int,
    until: int,
    keys_low: Vector,
    keys_high: Vector,
    counts_low: Vector,
    counts_high: Vector,
    width: int,
    ends_a: Vector,
    ends_b: Vector,
    most: int,
    tray_low: Vector,
    tray_high: Vector,
    tray_counts_low: Vector,
    tray_counts_high: Vector,
    fill: Vector,
    head: Vector,
    shift: Vector,
    bits: Vector,
    degree: Vector,
    mate: Vector,
    seen: Vector,
    name: Vector,
    undo: Vector,
    total: Vector,
) -> int:
    """Every state from place `first` up to `until`, with every set of one or more edges that it can take.

    The edges go from `ends_a` to `ends_b`. Each state brings at most `most`; they go into trays. Returns
    where it stopped. `undo` has three numbers for every edge.
    """
    fullest = 0
    for i in range(len(fill)):
        fullest = max(fullest, fill[i])
    for s in range(first, until):
        low = keys_low[s]
        if low < 0:
            continue
        if fullest + most > head[2]:
            return s
        high = keys_high[s] if len(keys_high) > 0 else 0
        for i in range(width):
            x = ((low if i < 17 else high) >> shift[i]) & bits[i]
            mate[i] = i
            degree[i] = 0
            if x == 1:
                degree[i] = 2
            elif x > 1:
                degree[i] = 1
                if seen[x] < 0:
                    seen[x] = i
                else:
                    j = seen[x]
                    mate[i] = j
                    mate[j] = i
                    seen[x] = -1
        depth, e = 0, 0
        fresh = False
        while True:
            if fresh:
                new_low, new_high, paths = 0, 0, 2
                for i in range(width):
                    name[i] = 0
                for i in range(width):
                    x = 0
                    if degree[i] == 2:
                        x = 1
                    elif degree[i] == 1:
                        x = name[i]
                        if x == 0:
                            x = paths
                            paths += 1
                            name[mate[i]] = x
                    if i < 17:
                        new_low |= x << shift[i]
                    else:
                        new_high |= x << shift[i]
                if paths > 16:
                    total[0] = 1
                    return until
                full = put(
                    new_low, new_high, counts_low[s], counts_high[s] if len(counts_high) > 0 else 0,
                    tray_low, tray_high, tray_counts_low, tray_counts_high, fill, head,
                )  # fmt: skip
                fullest = max(fullest, full)
                fresh = False
            if e < len(ends_a):
                i, j = ends_a[e], ends_b[e]
                if degree[i] < 2 and degree[j] < 2 and mate[i] != j:
                    a, b = mate[i], mate[j]
                    undo[3 * depth] = e
                    undo[3 * depth + 1] = a
                    undo[3 * depth + 2] = b
                    depth += 1
                    degree[i] += 1
                    degree[j] += 1
                    mate[a] = b
                    mate[b] = a
                    fresh = True
                e += 1
            elif depth > 0:
                depth -= 1
                e, a, b = undo[3 * depth], undo[3 * depth + 1], undo[3 * depth + 2]
                i, j = ends_a[e], ends_b[e]
                degree[i] -= 1
                degree[j] -= 1
                mate[a] = i
                mate[i] = a
                mate[b] = j
                mate[j] = b
                e += 1
            else:
                break
    return until


join_kernel = Kernel(_join, uses=[slot, put])


def _edges(graph: MoveGraph, plan: Halves) -> tuple[Edges, Edges]:
    """The edges inside the middle that go to the first side, and those that are their own image.

    Of an edge and its image one goes to either side; connected ones to the same if that can be, which makes
    fewer states.
    """
    inside, image = set(plan.middle), plan.image
    order: dict[int, None] = {}
    for v in plan.middle:
        stack = [v]
        while stack:
            u = stack.pop()
            if u not in order:
                order[u] = None
                stack += [w for w in graph.neighbours(u).tolist() if w in inside]
    mine: Edges = []
    own: Edges = []
    for u in order:
        for w in graph.neighbours(u).tolist():
            if w in inside and u < w:
                turned = (min(image[u], image[w]), max(image[u], image[w]))
                if turned == (u, w):
                    own.append(turned)
                elif turned not in mine:
                    mine.append((u, w))
    return mine, own


class _Meeting:
    """A count in two halves, step by step."""

    def __init__(
        self, graph: MoveGraph, plan: Halves, *, memory: int, progress: Callable[[Progress], None] | None
    ) -> None:
        self.graph, self.plan, self.memory, self.progress = graph, plan, memory, progress
        self.began = time.perf_counter()
        self.mine, self.own = (
            [some[i : i + AT_A_TIME] for i in range(0, len(some), AT_A_TIME)] for some in _edges(graph, plan)
        )
        self.steps, self.all_steps = 0, len(plan.side) + len(self.mine) + len(self.own) + 1
        self.peak_states, self.peak_bytes = 1, 0

    def tell(self, states: int, size: int, peak_bytes: int) -> None:
        """One step more is done: so many states, so many bytes, and so many at the peak."""
        self.steps += 1
        self.peak_states = max(self.peak_states, states)
        self.peak_bytes = max(self.peak_bytes, peak_bytes)
        if self.progress:
            seconds = time.perf_counter() - self.began
            self.progress(Progress(self.steps, self.all_steps, states, size, self.peak_states, seconds))

    def sweep(self, keeper: Keeper) -> Sweep:
        """The states of a side."""
        sweep = Sweep(self.graph, memory=self.memory, compiled=True)
        self.steps = keeper.resume(sweep)
        for v in self.plan.side[self.steps :]:
            sweep.take(v)
            keeper.keep(sweep, now=len(sweep.taken) == len(self.plan.side))
            self.tell(sweep.table.states, sweep.table.bytes, sweep.peak_bytes)
        return sweep

    def joined(self, table: Table, middle: list[int], edges: Edges, held: int) -> Table:
        """The states with every set of some edges of the middle; `held` bytes are in use besides."""
        tier, width = table.tier, len(middle)
        bits = [given(tier, x) for x in word_layout()]
        ends = [given(tier, [middle.index(edge[i]) for edge in edges]) for i in range(2)]
        most = 1 << len(edges)
        kernel = tier(join_kernel)

        def expand(old: Table, trays: Trays, first: int, until: int) -> tuple[int, list[int]]:
            scratch = [column(tier, 3 * AT_A_TIME + WIDEST, fill) for fill in (0, 0, -1, 0, 0)]
            sums = given(tier, [0])
            at = kernel(
                first, until, *old.columns, width, *ends, most,
                *trays.columns, trays.fill, trays.head, *bits, *scratch, sums,
            )  # fmt: skip
            return at, [int(sums[0])]

        joined, sums, peak = transform(
            table,
            expand,
            most=most,
            two_keys=width > PLACES,
            memory=self.memory - held,
            where="where the halves meet",
            kept=True,
        )
        if sums[0]:
            raise TooLargeError("more than 14 paths cross the middle at once: too many to handle")
        self.tell(joined.states, held + joined.bytes, held + peak)
        return joined

    def sorted(self, table: Table, width: int, held: int) -> Side:
        """A table as a sorted list; `held` bytes are in use besides."""
        needed = held + table.bytes + 4 * 8 * table.states
        if needed > self.memory:
            raise TooLargeError(
                f"where the halves meet, {table.states:,} states need {needed / 2**20:,.0f} MiB, "
                f"more than {self.memory / 2**20:,.0f} MiB"
            )
        self.peak_bytes = max(self.peak_bytes, needed)
        return Side.of(table, width)

    def count(self, keeper: Keeper) -> int:
        """The number of cycles."""
        sweep = self.sweep(keeper)
        middle = list(dict.fromkeys([*sweep.frontier, *self.plan.middle]))
        done = self.steps - len(self.plan.side)
        for i, edges in enumerate(self.mine[done:], done + 1):
            sweep.table = self.joined(sweep.table, middle, edges, 0)
            keeper.keep(sweep, now=True, more=i)
        first = other = self.sorted(sweep.table, len(middle), 0)
        for edges in self.own:
            sweep.table = self.joined(sweep.table, middle, edges, other.bytes)
        if self.own:
            first = self.sorted(sweep.table, len(middle), other.bytes)
        del sweep
        found = met(first, other, [middle.index(self.plan.image[v]) for v in middle])
        self.tell(len(first.keys), first.bytes, 0)
        keeper.done()
        return found


def count_in_halves(
    graph: MoveGraph,
    plan: Halves,
    *,
    memory: int = 4 << 30,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: Path | None = None,
) -> Count:
    """The number of Hamiltonian cycles of a graph, undirected, exact; see `frontier.count_cycles`.

    Args:
        graph: any graph.
        plan: how it is cut, from `halves`.
        memory: bytes the tables may take.
        progress: called after every vertex and every step in the middle.
        checkpoint: a file to which the sweep is saved, and from which it goes on.

    Raises:
        TooLargeError, FormatError, OSError: as there.
    """
    assert_narrow(1 + max(frontier_widths(graph, plan.side), default=0))
    keeper = Keeper(checkpoint, graph, [*plan.side, *plan.middle])
    meeting = _Meeting(graph, plan, memory=memory, progress=progress)
    found = meeting.count(keeper)
    seconds = time.perf_counter() - meeting.began
    return Count(found, meeting.peak_states, meeting.peak_bytes, seconds)
