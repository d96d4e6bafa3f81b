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
from collections.abc import Mapping
from dataclasses import dataclass, replace

from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.counting.cycles import Forecast
from cavalcade.counting.matchings import WIDEST_MIDDLE, bound, met
from cavalcade.counting.residues import NONE, Pair, in_runs
from cavalcade.counting.sides import Side
from cavalcade.frontier.order import BASE, half_order
from cavalcade.frontier.search import FrontierSearch, Progress
from cavalcade.frontier.states import DONE, END, UNTOUCHED
from cavalcade.frontier.tables import Table
from cavalcade.frontier.transition import Stage, edge_stage, neighbours, stages
from cavalcade.ground.budget import assert_room
from cavalcade.ground.errors import CavalcadeError, TooLargeError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question

Edges = list[tuple[int, int]]

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
    """The best way that is found to cut a graph in halves, below a cost as of `order.cost_of`, or None.

    An engine sees no board, but the half turn of a board turns the numbers of its cells round, so that is
    what is tried. The vertex that joins the ends of open tours comes last, and must be in the middle.
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
        record: Progress,
        checkpoints: Checkpoints,
        shared: Mapping[int, bool],
    ) -> None:
        self.plan, self.shared, self.checkpoints, self.record = plan, shared, checkpoints, record
        steps = stages(neighbours(graph), plan.side)
        self.forecast = Forecast(graph, plan.side, half=True)
        self.middle = list(dict.fromkeys([*steps[-1].frontier, *plan.middle]))
        mine, self.own = ([edge_stage(self.middle, edge) for edge in some] for some in _edges(graph, plan))
        self.side = [*steps, *mine]
        record.vertices = len(self.side) + len(self.own) + 1
        record.expected_bytes = self.forecast.bytes

    def allowed(self, steps: list[Stage], shared: Mapping[int, bool]) -> list[Stage]:
        """Stages, with what vertices of the middle may be after each, given which both sides share.

        One that is shared gets one edge from each side. Others get none or two from this one in the end.
        """
        coming: set[int] = set()
        found = []
        for stage in reversed(steps):
            may_be = {
                v: (UNTOUCHED | END if one else UNTOUCHED | DONE | END)
                if v in coming
                else (END if one else UNTOUCHED | DONE)
                for v, one in shared.items()
            }
            found.append(replace(stage, allowed=may_be))
            coming |= {stage.vertices[i] for i in stage.geometry.later}
        return found[::-1]

    def sorted(self, table: Table, held: int) -> Side:
        """A table as a sorted list; `held` bytes are in use besides."""
        needed = held + table.bytes + 4 * 8 * table.states
        assert_room(needed, f"where the halves meet the table of {table.states:,} states, to be sorted,")
        self.record.peak_bytes = max(self.record.peak_bytes, needed)
        return Side.of(table, len(self.middle))

    def once(self, pair: Pair) -> tuple[int, bool]:
        """One run, see `residues.in_runs`."""
        turned = {self.plan.image[v]: one for v, one in self.shared.items()}
        search = self.searched(pair, turned, self.own if turned == self.shared else [])
        first = other = self.sorted(search.table, 0)  # what is too many in it meets nothing of `first`
        scale, search.held = search.scale, other.bytes
        if turned != self.shared:
            del search
            search = self.searched(pair, self.shared, self.own, held=other.bytes)
        search.stages = self.allowed([*self.side, *self.own], self.shared)
        search.run()
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

    def searched(
        self, pair: Pair, shared: Mapping[int, bool], own: list[Stage], held: int = 0
    ) -> FrontierSearch:
        """The states of one side, with the edges that both sides have; those of `own` are to come."""
        search = FrontierSearch(
            self.allowed([*self.side, *own], shared)[: len(self.side)],
            compiled=True,
            modulus=math.prod(pair),
            rounding=True,
            held=held,
            record=self.record,
            heed=self.heed,
        )
        self.checkpoints.resume(search)
        search.run()
        return search

    def heed(self, search: FrontierSearch) -> None:
        """Look at a search after a step: whether it will fit, and whether it is time to save it."""
        self.forecast.heed(search.table.states)
        if search.taken <= len(self.side):
            self.checkpoints.save_if_due(search, now=search.taken >= len(self.plan.side))


def count_in_halves(
    graph: MoveGraph,
    plan: Halves,
    *,
    record: Progress | None = None,
    checkpoints: Checkpoints | None = None,
    shared: Mapping[int, bool] | None = None,
) -> int:
    """The number of Hamiltonian cycles of a graph, undirected, exact, as `cycles.count_cycles` counts them.

    Where vertices of the middle are given, without a checkpoint, it counts only the cycles in which these are
    shared: they get one edge from each side, or, where that is false, both from one of them.
    """
    checkpoints, record = checkpoints or Checkpoints(), record or Progress()
    checkpoints.open(graph, [*plan.side, *plan.middle])
    meeting = _Meeting(graph, plan, record=record, checkpoints=checkpoints, shared=shared or {})
    found = in_runs(meeting.once, checkpoints.done, record)
    checkpoints.remove()
    return found


# ---- shards


def count_shard(question: Question, number: int, shards: int, record: Progress | None = None) -> int:
    """One of the counts whose sum is that of all tours, undirected.

    Args:
        question: what is counted.
        number: which of them, from 0.
        shards: how many there are, a power of two.
        record: what the count takes is added to it.

    Raises:
        CavalcadeError: the number of shards is no power of two, or too large for the board.
        TooLargeError: the board cannot be cut in halves.
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
