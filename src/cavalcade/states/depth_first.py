"""All Hamiltonian cycles, each once: a depth-first search of a graph of states that grows during the search.

A state is expanded when the search first reaches it, and its successors are kept. A state without a cycle is
removed, so that no dead end is entered twice. When all states are expanded, the work is linear in the output.
When the memory for states is full, all states are discarded except those on the path to the current cycle.
The search continues with four times the memory, up to the limit. The decision diagrams of Knuth, TAOCP 7.1.4,
in contrast contain all cycles before the first one is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from cavalcade.ground.budget import assert_time, memory_limit, report
from cavalcade.ground.kernels import Cells, Tier, Vector
from cavalcade.states.encoding import MOST_PATHS, Scratch, new_scratch
from cavalcade.states.tables import MULTIPLIERS, hash_words
from cavalcade.states.transition import Geometry, Stage, Successors, expand, new_successors

FIRST_CAPACITY = 1 << 13  # states of the first, interpreted search: 30 µs each, compiled 1 µs
MOST = 1 << 22  # limit of the number of states: 0.4 GB
ARCS = 4  # capacity for arcs, for each state: with too few, the search starts again before it has all states
BYTES = 16 + 12 + 12 * ARCS + 16  # of a state: two words, three numbers, its arcs, and its part of the slots
WIDEST_PACKED = 2 * MOST_PATHS + 1  # vertices on a frontier that no more paths than two words hold can cross
BLOCK = 4096  # cycles that are returned together; the first blocks are smaller
# Steps of the compiled search between two looks at the clock: a tenth of a second if every step expands a
# state, which counts as one step for each place of the frontier. An interpreted step takes 50 times as long.
PAUSE = 2_000_000


class Plan(NamedTuple):
    """The geometries of all stages, see `Geometry`.

    Args:
        vertex: vertex that each stage takes.
        place: `Geometry.place` of each stage.
        width: `Geometry.width` of each stage.
        last: `Geometry.last` of each stage.
        most: `Geometry.most` of each stage.
        lists: `Geometry.later`, `keep`, `critical`, `outside` and `need`, and `Stage.vertices` of each stage,
            concatenated.
        offsets: offsets of the lists of all stages in `lists`, shape (6 * stages + 1,).
    """

    vertex: Vector
    place: Vector
    width: Vector
    last: Vector
    most: Vector
    lists: Vector
    offsets: Vector


class Diagram(NamedTuple):
    """The states reached so far, by number, and the arcs from expanded states.

    Args:
        state_count: vector of one number, the number of states.
        arc_count: vector of one number, the number of arcs.
        slots: hash table of state numbers; -1 in an empty slot.
        level: number of vertices taken, one for each state.
        words: the two words of the encoding of each state.
        first: first arc of each state; -1 before the state is expanded.
        remaining: number of arcs of each state that may lead to a cycle.
        to: state at the end of each arc; -1 after the last stage.
        u: first new neighbour of the vertex that the arc takes; -1 for none.
        w: second new neighbour of the vertex that the arc takes; -1 for none.
    """

    state_count: Vector
    arc_count: Vector
    slots: Vector
    level: Vector
    words: Vector
    first: Vector
    remaining: Vector
    to: Vector
    u: Vector
    w: Vector


class SearchPath(NamedTuple):
    """The position of the search.

    Args:
        depth: vector of one number, the number of states on the path.
        state: the states on the path.
        followed: numbers of arcs followed from the states; the last followed arc leads along the path.
    """

    depth: Vector
    state: Vector
    followed: Vector


def every_cycle(stages: list[Stage]) -> Iterator[Cells]:
    """Yield all Hamiltonian cycles once, in blocks of shape (k, 2, n): the two neighbours of each vertex.

    The order of the cycles is always the same. The first block has one cycle. Each block is made when it is
    requested. Between two blocks the finished part of the search is reported, see `ground.budget.report`.
    """
    if len(stages) < 3:
        return
    search = _EveryCycle(stages)
    size, finished = 1, 0.0
    while search.path.depth[0]:
        assert_time(f"{search.reached:,} states were reached")
        rows = search.rows(size)
        finished = max(finished, search.finished)  # arcs that were removed come back in a new diagram
        report(finished)
        size = min(2 * size, BLOCK)
        if len(rows):
            yield rows


class _EveryCycle:
    """A search that can be interrupted."""

    def __init__(self, stages: list[Stage]) -> None:
        self.stages = stages
        self.width = max(stage.geometry.width for stage in stages)
        self.capacity = self.reached = 0
        # The states on a path and the targets of their arcs are needed in any case.
        path = (len(stages) + 1) * (1 + max(stage.geometry.most for stage in stages))
        self.most = max(path, min(MOST, memory_limit() // 2 // BYTES))
        self.begin(max(path, min(FIRST_CAPACITY, self.most)), [])

    def begin(self, capacity: int, followed: list[tuple[int, int]]) -> None:
        """Start with an empty diagram, and follow some arcs.

        Args:
            capacity: limit of the number of states.
            followed: the two new neighbours of each arc, -1 for none.
        """
        compiled = (Tier.warm or self.capacity > 0) and self.width <= WIDEST_PACKED
        self.tier = tier = Tier(0, compiled=compiled)
        self.capacity, n = capacity, len(self.stages)
        self.plan = _plan(self.stages, tier)
        self.scratch = new_scratch(tier, None if tier.compiled else self.width)
        self.successors = new_successors(tier, max(self.plan.most))
        arcs = ARCS * capacity
        self.diagram = Diagram(
            state_count=tier.full(1),
            arc_count=tier.full(1),
            slots=tier.full(2 << capacity.bit_length(), -1),
            level=tier.full(capacity),
            words=tier.column(2 * capacity),
            first=tier.full(capacity),
            remaining=tier.full(capacity),
            to=tier.full(arcs),
            u=tier.full(arcs),
            w=tier.full(arcs),
        )
        self.path = SearchPath(tier.full(1), tier.full(n), tier.full(n))
        u, w = (tier.words([edge[i] for edge in followed]) for i in (0, 1))
        tier(_follow)(u, w, self.plan, self.diagram, self.path, self.scratch, self.successors)

    def rows(self, most: int) -> Cells:
        """The next cycles, at most `most`; fewer, perhaps none, after a pause or at the end of the search."""
        n, tier, diagram, path = len(self.stages), self.tier, self.diagram, self.path
        rows = tier.full(most * 2 * n)
        pause = PAUSE if tier.compiled else PAUSE // 50
        before = diagram.state_count[0]
        count, is_full = tier(_go)(self.plan, diagram, path, self.scratch, self.successors, rows, pause)
        self.reached += diagram.state_count[0] - before
        if is_full:
            arcs = [diagram.first[path.state[i]] + path.followed[i] - 1 for i in range(path.depth[0] - 1)]
            followed = [(int(diagram.u[arc]), int(diagram.w[arc])) for arc in arcs]
            self.begin(min(4 * self.capacity, self.most), followed)
        return np.asarray(rows[: count * 2 * n], dtype=np.int32).reshape(count, 2, n)

    @property
    def finished(self) -> float:
        """The finished part of the search, from 0 to 1, if all arcs of a state lead to the same work."""
        part, share = 0.0, 1.0
        for depth in range(self.path.depth[0]):
            state, followed = self.path.state[depth], self.path.followed[depth]
            if self.diagram.first[state] < 0:  # not expanded yet
                break
            share /= max(self.diagram.remaining[state], 1)
            part += share * max(followed - 1, 0)
        return float(part) if self.path.depth[0] else 1.0


def _plan(stages: list[Stage], tier: Tier) -> Plan:
    """The geometries in the containers of a tier."""
    numbers = zip(*((stage.vertex, *stage.geometry[:4]) for stage in stages), strict=True)
    lists = [list(row) for stage in stages for row in (*stage.geometry[4:], stage.vertices)]
    offsets = list(accumulate(map(len, lists), initial=0))
    return Plan(*map(tier.words, [*map(list, numbers), [x for row in lists for x in row], offsets]))


# ---- kernels


def _number(level: int, low: int, high: int, diagram: Diagram) -> int:
    """Return the number of a state; a new state gets the next number."""
    words, slots = diagram.words, diagram.slots
    mask = len(slots) - 1
    # Write the words to the place of the next new state, so that they can be hashed there.
    fresh = diagram.state_count[0]
    words[2 * fresh], words[2 * fresh + 1] = low, high
    # States with equal words on different levels begin at different slots.
    slot = (hash_words(words, 2 * fresh, 2, mask, MULTIPLIERS[0]) + level) & mask
    while slots[slot] >= 0:
        state = slots[slot]
        if words[2 * state] == low and words[2 * state + 1] == high and diagram.level[state] == level:
            return state
        slot = (slot + 1) & mask
    slots[slot] = fresh
    diagram.level[fresh] = level
    diagram.first[fresh] = -1
    diagram.state_count[0] = fresh + 1
    return fresh


def _expand(state: int, plan: Plan, diagram: Diagram, scratch: Scratch, successors: Successors) -> bool:
    """Write the arcs of a state; returns whether the diagram had space for them."""
    level, arc = diagram.level[state], diagram.arc_count[0]
    most = plan.most[level]
    # One more state is needed, where `_number` writes the words that it looks for.
    if diagram.state_count[0] + most >= len(diagram.first) or arc + most > len(diagram.to):
        return False
    lists, k = plan.lists, plan.offsets[6 * level : 6 * level + 7]
    geometry = Geometry(
        plan.place[level],
        plan.width[level],
        plan.last[level],
        most,
        lists[k[0] : k[1]],
        lists[k[1] : k[2]],
        lists[k[2] : k[3]],
        lists[k[3] : k[4]],
        lists[k[4] : k[5]],
    )
    vertices = lists[k[5] : k[6]]
    words = diagram.words[2 * state : 2 * state + 2]
    _, count = expand(0, 1, words, 2, 2, geometry, None, scratch, successors, most)
    diagram.first[state] = arc
    diagram.remaining[state] = count
    for s in range(count):
        u, w = successors.u[s], successors.w[s]
        diagram.u[arc] = vertices[u] if u >= 0 else -1
        diagram.w[arc] = vertices[w] if w >= 0 else -1
        diagram.to[arc] = -1
        if level + 1 < len(plan.vertex):
            diagram.to[arc] = _number(level + 1, successors.low[s], successors.high[s], diagram)
        arc += 1
    diagram.arc_count[0] = arc
    return True


def _follow(
    u: Vector,
    w: Vector,
    plan: Plan,
    diagram: Diagram,
    path: SearchPath,
    scratch: Scratch,
    successors: Successors,
) -> None:
    """Follow the arcs with these new neighbours from the first state; the diagram has space for them."""
    state = _number(0, 0, 0, diagram)
    for depth in range(len(u)):
        _expand(state, plan, diagram, scratch, successors)
        first = diagram.first[state]
        arc = first
        while diagram.u[arc] != u[depth] or diagram.w[arc] != w[depth]:
            arc += 1
        path.state[depth] = state
        path.followed[depth] = arc - first + 1
        state = diagram.to[arc]
    path.state[len(u)] = state
    path.followed[len(u)] = 0
    path.depth[0] = len(u) + 1


def _go(
    plan: Plan,
    diagram: Diagram,
    path: SearchPath,
    scratch: Scratch,
    successors: Successors,
    rows: Vector,
    pause: int,
) -> tuple[int, bool]:
    """Search until the rows are full, a pause is due, the diagram is full, or the search is over.

    Returns the number of cycles in the rows, and whether the diagram is full.
    """
    vertex, first, remaining = plan.vertex, diagram.first, diagram.remaining
    to, u, w = diagram.to, diagram.u, diagram.w
    on_path, followed = path.state, path.followed
    n, depth, count, work = len(vertex), path.depth[0], 0, 0
    while depth > 0 and count * 2 * n < len(rows) and work < pause:
        level = depth - 1
        state, turn = on_path[level], followed[level]
        work += 1
        if first[state] < 0:
            work += plan.width[level]
            if not _expand(state, plan, diagram, scratch, successors):
                path.depth[0] = depth
                return count, True
        if turn == remaining[state]:  # all arcs are followed: go back
            depth = level
            if turn == 0 and depth > 0:  # a dead end: remove the arc that leads here
                parent, removed = on_path[depth - 1], followed[depth - 1] - 1
                remaining[parent] -= 1
                followed[depth - 1] = removed
                for arc in range(first[parent] + removed, first[parent] + remaining[parent]):
                    to[arc], u[arc], w[arc] = to[arc + 1], u[arc + 1], w[arc + 1]
            continue
        followed[level] = turn + 1
        if depth < n:  # follow the next arc
            on_path[depth] = to[first[state] + turn]
            followed[depth] = 0
            depth += 1
            continue
        # All vertices are taken: the edges of the arcs on the path are a cycle.
        work += n
        begin = count * 2 * n
        for v in range(n):
            rows[begin + v] = -1
        for i in range(n):
            arc, v = first[on_path[i]] + followed[i] - 1, vertex[i]
            _join(v, u[arc], rows, begin, n)
            _join(v, w[arc], rows, begin, n)
        count += 1
    path.depth[0] = depth
    return count, False


def _join(v: int, w: int, rows: Vector, begin: int, n: int) -> None:
    """Make two vertices neighbours in the row that begins at `begin`, unless `w` is -1."""
    if w >= 0:
        rows[begin + v + (n if rows[begin + v] >= 0 else 0)] = w
        rows[begin + w + (n if rows[begin + w] >= 0 else 0)] = v
