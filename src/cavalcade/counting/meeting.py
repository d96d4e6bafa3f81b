"""Counting in two halves that meet: neither half ever holds the states of the whole.

Take a board that is its own image under the half turn, and a set of cells, the *middle*, without which it
falls into two sides, each the image of the other. A frontier search over one side leaves its states on the
middle; the states of the other side are their images, so half the work serves for both. Every edge inside
the middle is given to one of the sides. A state of the one and a state of the other make a Hamiltonian cycle
where every vertex of the middle gets two edges from both together, and where the paths of both together make
a single cycle (which `matchings` counts). The search is half as long, and ends where its states are few: 8x8
has 17,762,653 of them on its two middle rows, 94,169,031 with six of the twelve edges between these, and more
than 180 million in a search from top to bottom.

A count in *shards* is a sum of counts that know nothing of one another and take less memory. Some vertices
of the middle, where states are most, are chosen. In every Hamiltonian cycle each of them either is *shared*,
with one edge from each side, or has both its edges from one side. So with k of them the cycles fall into 2**k
classes, and each class is counted by itself: states in which a vertex cannot become what it must be are
dropped as soon as that is known.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.counting.cycles import Forecast
from cavalcade.counting.matchings import WIDEST_MIDDLE, bound, met
from cavalcade.counting.residues import NONE, in_runs
from cavalcade.counting.sides import Side
from cavalcade.frontier.order import BASE, half_order
from cavalcade.frontier.search import FrontierSearch, Record
from cavalcade.frontier.states import (
    DONE,
    END,
    PLACES,
    UNTOUCHED,
    Allowed,
    Scratch,
    WordLayout,
    allowed_of,
    column,
    fits,
    new_scratch,
    pack,
    two_words,
    unpack,
    words,
)
from cavalcade.frontier.tables import Columns, Table, Trays, put, slot, transform
from cavalcade.frontier.transition import neighbours, stages
from cavalcade.ground.budget import assert_room
from cavalcade.ground.errors import CavalcadeError, TooLargeError
from cavalcade.ground.kernels import Kernel

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cavalcade.counting.residues import Pair
    from cavalcade.ground.kernels import Vector
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.question import Question

    Edges = list[tuple[int, int]]

AT_A_TIME = 6  # edges of the middle that are added at a time: at most 64 states of each
MIDDLE_COST = 1.0  # of a middle against a frontier of the search that is as wide


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
        below: the cost that it has to be below, of a whole search; see `order.cost_of`.
    """
    n = graph.size if last is None else graph.size - 1
    image = [n - 1 - v for v in range(n)] + list(range(n, graph.size))
    rows = neighbours(graph)
    same = all(sorted(image[w] for w in rows[v]) == sorted(rows[image[v]]) for v in range(graph.size))
    if last not in {None, n} or not same:
        return None
    best: Halves | None = None
    for side, cost in half_order(graph, image):
        taken = {*side, *(image[v] for v in side)}
        middle = [v for v in range(graph.size) if v not in taken]
        if len(middle) > WIDEST_MIDDLE:
            continue
        whole = cost + MIDDLE_COST * BASE ** len(middle)
        if whole < (best.cost if best else below):
            best = Halves(side, middle, image, whole)
    return best


def _add_edges(
    first: int,
    until: int,
    table: Columns,
    ends_a: Vector,
    ends_b: Vector,
    keep: Vector,
    layout: WordLayout,
    allowed: Allowed,
    scratch: Scratch,
    undo: Vector,
    trays: Trays,
) -> int:
    """Every state from place `first` up to `until`, with every set of one or more edges that it can take.

    The edges go from `ends_a` to `ends_b`, `keep` are all places; what comes of a state goes into trays.
    Where places are `allowed` to be something, so does the state itself, and all only if they fit.
    Returns where it stopped, or -1 if there are too many paths at once. The sets are tried depth first;
    `undo` has three numbers for every edge in the set: the edge, and the ends of the path that it is in.
    """
    fullest = 0
    for i in range(len(trays.fill)):
        fullest = max(fullest, trays.fill[i])
    mate = scratch.mate
    for s in range(first, until):
        low = table.low[s]
        if low < 0:
            continue
        if fullest + (1 << len(ends_a)) > trays.depth:
            return s
        high = table.high[s] if len(table.high) > 0 else 0
        count_high = table.count_high[s] if len(table.count_high) > 0 else 0
        untouched, done = unpack(low, high, len(keep), layout, None, scratch)
        if len(allowed.place) > 0 and fits(low, high, layout, allowed):
            fullest = max(fullest, put(low, high, table.count_low[s], count_high, trays))
        depth, e = 0, 0
        while e < len(ends_a) or depth > 0:
            if e == len(ends_a):  # all sets that begin so are tried: take the last edge out again
                depth -= 1
                e, a, b = undo[3 * depth], undo[3 * depth + 1], undo[3 * depth + 2]
                i, j = ends_a[e], ends_b[e]
                for k, end in ((i, a), (j, b)):
                    if (done >> k) & 1:
                        done ^= 1 << k
                    else:
                        untouched |= 1 << k
                    mate[k] = end
                    mate[end] = k
                e += 1
                continue
            i, j = ends_a[e], ends_b[e]
            if ((done >> i) | (done >> j)) & 1 == 0 and mate[i] != j:
                a, b = mate[i], mate[j]
                undo[3 * depth], undo[3 * depth + 1], undo[3 * depth + 2] = e, a, b
                depth += 1
                for k in (i, j):
                    if (untouched >> k) & 1:
                        untouched ^= 1 << k
                    else:
                        done |= 1 << k
                mate[a] = b
                mate[b] = a
                new_low, new_high, paths = pack(untouched, done, -1, -1, 0, keep, layout, None, scratch)
                if paths > layout.names:
                    return -1
                if fits(new_low, new_high, layout, allowed):
                    full = put(new_low, new_high, table.count_low[s], count_high, trays)
                    fullest = max(fullest, full)
            e += 1
    return until


add_edges_kernel = Kernel(_add_edges, uses=[slot, put, unpack, pack, fits])


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
        self,
        graph: MoveGraph,
        plan: Halves,
        *,
        record: Record,
        checkpoints: Checkpoints,
        shared: Mapping[int, bool],
    ) -> None:
        self.plan, self.shared, self.checkpoints, self.record = plan, shared, checkpoints, record
        self.near = neighbours(graph)
        self.stages = stages(self.near, plan.side)
        self.forecast = Forecast(graph, plan.side, half=True)
        self.middle = list(dict.fromkeys([*self.stages[-1].frontier, *plan.middle]))
        self.mine, self.own = (
            [some[i : i + AT_A_TIME] for i in range(0, len(some), AT_A_TIME)] for some in _edges(graph, plan)
        )
        record.steps = len(plan.side) + len(self.mine) + len(self.own) + 1
        record.expected_bytes = self.forecast.bytes

    def allowed(self, shared: Mapping[int, bool], side: int, edges: Iterable[Edges]) -> Mapping[int, int]:
        """What vertices of the middle may be, given which of them are shared by both sides.

        One that is shared gets one edge from each side. Still to come are the vertices of the side from
        number `side` on, and these edges.
        """
        coming = {w for stage in self.stages[side:] for w in self.near[stage.vertex]}
        coming |= {v for some in edges for edge in some for v in edge}
        return {
            v: (UNTOUCHED | END if one else UNTOUCHED | DONE | END)
            if v in coming
            else (END if one else UNTOUCHED | DONE)
            for v, one in shared.items()
        }

    def with_edges(self, search: FrontierSearch, edges: Edges, vertices: Mapping[int, int]) -> None:
        """Add every set of some edges of the middle to the states; what `vertices` may be then is given."""
        table = search.table
        if table.may_outgrow(1 << len(edges)):
            table.round_up()
            search.scale += 60
        tier, width = table.tier, len(self.middle)
        ends = [words(tier, [self.middle.index(edge[i]) for edge in edges]) for i in range(2)]
        keep, layout, kernel = words(tier, list(range(width))), two_words(tier), tier(add_edges_kernel)
        allowed = allowed_of(tier, {self.middle.index(v): some for v, some in vertices.items()})

        def expand(old: Columns, trays: Trays, first: int, until: int) -> int:
            scratch, undo = new_scratch(tier), column(tier, 3 * len(edges))
            at = int(kernel(first, until, old, *ends, keep, layout, allowed, scratch, undo, trays))
            if at < 0:
                raise TooLargeError("more than 14 paths cross the middle at once: too many to handle")
            return at

        search.table, peak = transform(
            table,
            expand,
            most=1 << len(edges),
            two_keys=width > PLACES,
            held=search.held,
            where="where the halves meet",
            old_too=not vertices,
        )
        self.record.step(search.table.states, search.held + search.table.bytes, peak)

    def sorted(self, table: Table, held: int) -> Side:
        """A table as a sorted list; `held` bytes are in use besides."""
        needed = held + table.bytes + 4 * 8 * table.states
        assert_room(needed, f"where the halves meet the table of {table.states:,} states, to be sorted,")
        self.record.peak_bytes = max(self.record.peak_bytes, needed)
        return Side.of(table, len(self.middle))

    def once(self, pair: Pair) -> tuple[int, bool]:
        """One run, see `residues.in_runs`."""
        turned = {self.plan.image[v]: one for v, one in self.shared.items()}
        search = self.searched(pair, turned, own=turned == self.shared)
        other = self.sorted(search.table, 0)  # what is too many in it meets nothing of `first`
        first, scale = other, search.scale
        search.held = other.bytes
        if turned != self.shared:
            del search
            search = self.searched(pair, self.shared, own=True, held=other.bytes)
        for i, edges in enumerate(self.own, 1):
            self.with_edges(search, edges, self.allowed(self.shared, len(self.plan.side), self.own[i:]))
        scale += search.scale
        if self.own or turned != self.shared:
            first = self.sorted(search.table, other.bytes)
        del search
        image = [self.middle.index(self.plan.image[v]) for v in self.middle]
        if scale:
            found = int(2 * bound(first, other, image)) << scale
        else:
            found = met(first, other, image, () if pair == NONE else pair)
        self.record.step(len(first.keys), first.bytes, 0)
        return found, not scale

    def searched(self, pair: Pair, shared: Mapping[int, bool], *, own: bool, held: int = 0) -> FrontierSearch:
        """The states of one side, with the edges that both sides have; `own` if those of one are to come."""
        side = len(self.plan.side)
        more = self.own if own else []
        search = FrontierSearch(
            self.stages,
            compiled=True,
            modulus=math.prod(pair),
            rounding=True,
            allowed=[self.allowed(shared, i + 1, [*self.mine, *more]) for i in range(side)] if shared else (),
            held=held,
            record=self.record,
            heed=self.heed,
        )
        taken = self.checkpoints.resume(search)
        search.run()
        done = max(taken - side, 0)
        for i, edges in enumerate(self.mine[done:], done + 1):
            self.with_edges(search, edges, self.allowed(shared, side, [*self.mine[i:], *more]))
            self.checkpoints.save_if_due(search, now=True, more=i)
        return search

    def heed(self, search: FrontierSearch) -> None:
        """Look at a search after a vertex: whether it will fit, and whether it is time to save it."""
        self.forecast.heed(search.table.states)
        self.checkpoints.save_if_due(search, now=search.taken == len(self.stages))


def count_in_halves(
    graph: MoveGraph,
    plan: Halves,
    *,
    record: Record | None = None,
    checkpoints: Checkpoints | None = None,
    shared: Mapping[int, bool] | None = None,
) -> int:
    """The number of Hamiltonian cycles of a graph, undirected, exact; see `cycles.count_cycles`.

    Args:
        graph: any graph.
        plan: how it is cut, from `halves`.
        record: what the count takes is added to it, and reported after every step.
        checkpoints: the file to which the search is saved, and from which it goes on.
        shared: count only the cycles in which these vertices of the middle get one edge from each side, or
            both from one of them; without a checkpoint.

    Raises:
        TooLargeError, TimeoutError, FormatError: as there.
    """
    checkpoints, record = checkpoints or Checkpoints(), record or Record()
    checkpoints.open(graph, [*plan.side, *plan.middle])
    meeting = _Meeting(graph, plan, record=record, checkpoints=checkpoints, shared=shared or {})
    found = in_runs(meeting.once, checkpoints.done, record)
    checkpoints.remove()
    return found


# ---- shards


def count_shard(question: Question, number: int, shards: int, record: Record | None = None) -> int:
    """One of the counts whose sum is that of all tours, undirected.

    Args:
        question: what is counted.
        number: which of them, from 0.
        shards: how many there are, a power of two.
        record: what the count takes is added to it.

    Raises:
        CavalcadeError: the number of shards is no power of two, or too large for the board.
        TooLargeError: the board cannot be cut in halves, or the memory limit is too small.
        TimeoutError: the time limit is reached.
    """
    plan = _plan(question)
    chosen = _chosen(plan, shards)
    shared = {v: bool(number >> i & 1) for i, v in enumerate(chosen)}
    return count_in_halves(question.as_cycle, plan, record=record, shared=shared)


def assert_shards(question: Question, shards: int) -> None:
    """Refuse a number of shards into which a count cannot be split.

    Raises:
        CavalcadeError, TooLargeError: as `count_shard`.
    """
    _chosen(_plan(question), shards)


def _plan(question: Question) -> Halves:
    plan = None if question.stepwise or question.symmetry else halves(question.as_cycle, question.apex)
    if plan is None:
        what = f"{question.board.title}: only boards that a half turn maps to themselves"
        raise TooLargeError(f"{what}, and not too wide, can be counted in shards")
    return plan


def _chosen(plan: Halves, shards: int) -> list[int]:
    """The vertices of the middle that tell the shards apart: a vertex and its image, then another.

    Raises:
        CavalcadeError: there are not so many.
    """
    count = shards.bit_length() - 1
    if shards < 1 or shards != 1 << count:
        raise CavalcadeError(f"{shards} shards, expected a power of two")
    if count > len(plan.middle):
        raise CavalcadeError(f"{shards:,} shards, expected at most {1 << len(plan.middle):,}")
    pairs = [v for u in plan.middle for v in (u, plan.image[u])]
    return list(dict.fromkeys(pairs))[:count]
