"""All Hamiltonian cycles, each once: a depth-first search of a graph of states that grows during the search.

A state is expanded when it is first reached, and its successors are kept; a state without a cycle is removed.
So no dead end is entered twice, and when all states are known the work is linear in the output. When the
memory for states is full, all are discarded except those on the path to the current cycle, and the search
continues with room for four times as many, up to the memory limit. The diagrams of Knuth, TAOCP 7.1.4,
contain all cycles before the first is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from cavalcade.ground.budget import assert_time, memory_limit
from cavalcade.ground.kernels import Cells, Tier, Vector
from cavalcade.states.encoding import Scratch, new_scratch
from cavalcade.states.tables import MULTIPLIERS, hash_words
from cavalcade.states.transition import Geometry, Stage, Successors, expand, new_successors

KEYS = 3  # words of a state: the number of vertices taken, and the two words of its encoding
FIRST_CAPACITY = 1 << 13  # states kept by the first, interpreted search: 30 µs each; compiled 1 µs
MOST = 1 << 22  # states kept at most: they take half a gigabyte
BYTES = 128  # of a state with its arcs and its part of the hash table
ARCS = 4  # room for arcs, for each state: with too few the search starts again before the states are full
WIDEST_PACKED = 29  # vertices on a frontier that no more than 14 paths cross, so that two words hold a state
BLOCK = 4096  # cycles returned together; the first blocks are smaller
EXPANDING = 50  # inner steps of expanding a state, compared with one of following an arc
PAUSE = 2_000_000  # inner steps between two looks at the clock; interpreted, when they are slow, a fiftieth
PAUSED, FULL = 0, 1  # reasons why `_go` returns


class Plan(NamedTuple):
    """The geometries of all stages, concatenated: see `Geometry`.

    Args:
        vertex: vertex that each stage takes.
        place: `Geometry.place`, one for each stage.
        width: `Geometry.width`, one for each stage.
        last: `Geometry.last`, one for each stage.
        most: `Geometry.most`, one for each stage.
        later: concatenation of `Geometry.later`.
        keep: concatenation of `Geometry.keep`.
        critical: concatenation of `Geometry.critical`.
        outside: concatenation of `Geometry.outside`.
        need: concatenation of `Geometry.need`.
        names: concatenation of `Stage.vertices`.
        later_offsets: offsets of the stages in `later`, and its length.
        keep_offsets: offsets of the stages in `keep`, and its length.
        critical_offsets: offsets of the stages in `critical`, and its length.
        place_offsets: offsets of the stages in `outside`, `need` and `names`, and their length.
    """

    vertex: Vector
    place: Vector
    width: Vector
    last: Vector
    most: Vector
    later: Vector
    keep: Vector
    critical: Vector
    outside: Vector
    need: Vector
    names: Vector
    later_offsets: Vector
    keep_offsets: Vector
    critical_offsets: Vector
    place_offsets: Vector


class Diagram(NamedTuple):
    """The states reached so far, by number, and the arcs from those that are expanded.

    Args:
        state_count: one number, the states in use.
        arc_count: one number, the arcs in use.
        slots: hash table of state numbers; -1 where it is empty.
        keys: `KEYS` words for each state: its level, and the two words of its encoding.
        first: first arc of each state; -1 before it is expanded.
        remaining: number of arcs of each state that may lead to a cycle.
        to: state at the end of each arc; -1 after the last stage.
        one: vertex to which the first new edge of the arc goes; -1 without one.
        two: vertex to which the other new edge of the arc goes; -1 without one.
    """

    state_count: Vector
    arc_count: Vector
    slots: Vector
    keys: Vector
    first: Vector
    remaining: Vector
    to: Vector
    one: Vector
    two: Vector


class SearchPath(NamedTuple):
    """The position of the search.

    Args:
        depth: one number, the states on the path.
        state: the states on the path.
        turn: number of arcs that have been followed from each state; the last of them leads along the path.
    """

    depth: Vector
    state: Vector
    turn: Vector


def every_cycle(stages: list[Stage]) -> Iterator[Cells]:
    """Yield all Hamiltonian cycles once, in blocks of shape (k, 2, n): the two neighbours of each vertex.

    Their order is always the same. The first block has one cycle; each block is made when it is requested.
    """
    if len(stages) < 3:
        return
    search = _EveryCycle(stages)
    size = 1
    while search.under_way:
        assert_time(f"{search.reached:,} states were reached")
        rows = search.rows(size)
        size = min(2 * size, BLOCK)
        if len(rows):
            yield rows


class _EveryCycle:
    """A search that can be interrupted."""

    def __init__(self, stages: list[Stage]) -> None:
        self.stages = stages
        self.width = max(stage.geometry.width for stage in stages)
        self.capacity = self.reached = 0
        # The states on a path and their arcs are needed in any case.
        path = (len(stages) + 1) * (1 + max(stage.geometry.most for stage in stages))
        self.most = max(path, min(MOST, memory_limit() // 2 // BYTES))
        self.begin(max(path, min(FIRST_CAPACITY, self.most)), [])

    @property
    def under_way(self) -> bool:
        return bool(self.path.depth[0])

    def begin(self, capacity: int, followed: list[tuple[int, int]]) -> None:
        """Continue after the arcs with the edges `followed`, with room for `capacity` states, all unknown."""
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
            keys=tier.column(KEYS * capacity),
            first=tier.full(capacity),
            remaining=tier.full(capacity),
            to=tier.full(arcs),
            one=tier.full(arcs),
            two=tier.full(arcs),
        )
        self.path = SearchPath(tier.full(1), tier.full(n), tier.full(n))
        one, two = (tier.words([edge[i] for edge in followed]) for i in (0, 1))
        tier(_follow)(one, two, self.plan, self.diagram, self.path, self.scratch, self.successors)

    def rows(self, most: int) -> Cells:
        """The next cycles, at most `most`; fewer, perhaps none, after a pause or at the end of the search."""
        n, tier, diagram, path = len(self.stages), self.tier, self.diagram, self.path
        rows = tier.full(most * 2 * n)
        pause = PAUSE if tier.compiled else PAUSE // 50
        before = diagram.state_count[0]
        filled, reason = tier(_go)(self.plan, diagram, path, self.scratch, self.successors, rows, pause)
        self.reached += diagram.state_count[0] - before
        if reason == FULL:
            arcs = [diagram.first[path.state[i]] + path.turn[i] - 1 for i in range(path.depth[0] - 1)]
            followed = [(int(diagram.one[arc]), int(diagram.two[arc])) for arc in arcs]
            self.begin(min(4 * self.capacity, self.most), followed)
        return np.asarray(rows[: filled * 2 * n], dtype=np.int32).reshape(filled, 2, n)


def _plan(stages: list[Stage], tier: Tier) -> Plan:
    """The geometries in the containers of a tier."""
    geometries = [stage.geometry for stage in stages]
    lists: list[list[list[int]]] = [
        *([list(row) for row in rows] for rows in zip(*(one[4:] for one in geometries), strict=True)),
        [list(stage.vertices) for stage in stages],
    ]
    numbers = [[stage.vertex for stage in stages], *map(list, zip(*(g[:4] for g in geometries), strict=True))]
    concatenated = [[x for row in rows for x in row] for rows in lists]
    offsets = [list(accumulate(map(len, rows), initial=0)) for rows in lists[:4]]
    return Plan(*map(tier.words, [*numbers, *concatenated, *offsets]))


# ---- kernels


def _number(level: int, low: int, high: int, diagram: Diagram) -> int:
    """Return the number of a state; a new state gets the next number."""
    keys, slots = diagram.keys, diagram.slots
    mask = len(slots) - 1
    # Write the keys where a new state has them, so that they can be hashed and compared in place.
    fresh = diagram.state_count[0]
    begin = fresh * KEYS
    keys[begin], keys[begin + 1], keys[begin + 2] = level, low, high
    s = hash_words(keys, begin, KEYS, mask, MULTIPLIERS[0])
    while slots[s] >= 0:
        i = slots[s] * KEYS
        if keys[i + 1] == low and keys[i + 2] == high and keys[i] == level:
            return slots[s]
        s = (s + 1) & mask
    slots[s] = fresh
    diagram.first[fresh] = -1
    diagram.state_count[0] = fresh + 1
    return fresh


def _expand(state: int, plan: Plan, diagram: Diagram, scratch: Scratch, successors: Successors) -> bool:
    """Find the arcs of a state; returns whether there was room for them."""
    level, arc = diagram.keys[state * KEYS], diagram.arc_count[0]
    most = plan.most[level]
    # One more state, where `_number` writes the keys that it looks for.
    if diagram.state_count[0] + most >= len(diagram.first) or arc + most > len(diagram.to):
        return False
    i, j = plan.place_offsets[level], plan.place_offsets[level + 1]
    geometry = Geometry(
        plan.place[level],
        plan.width[level],
        plan.last[level],
        most,
        plan.later[plan.later_offsets[level] : plan.later_offsets[level + 1]],
        plan.keep[plan.keep_offsets[level] : plan.keep_offsets[level + 1]],
        plan.critical[plan.critical_offsets[level] : plan.critical_offsets[level + 1]],
        plan.outside[i:j],
        plan.need[i:j],
    )
    words = diagram.keys[state * KEYS + 1 : state * KEYS + 3]
    _, count = expand(0, 1, words, 2, 2, geometry, None, scratch, successors, most)
    diagram.first[state] = arc
    diagram.remaining[state] = count
    for s in range(count):
        one, two = successors.one[s], successors.two[s]
        diagram.one[arc] = plan.names[i + one] if one >= 0 else -1
        diagram.two[arc] = plan.names[i + two] if two >= 0 else -1
        diagram.to[arc] = -1
        if level + 1 < len(plan.vertex):
            diagram.to[arc] = _number(level + 1, successors.low[s], successors.high[s], diagram)
        arc += 1
    diagram.arc_count[0] = arc
    return True


def _follow(
    one: Vector,
    two: Vector,
    plan: Plan,
    diagram: Diagram,
    path: SearchPath,
    scratch: Scratch,
    successors: Successors,
) -> None:
    """Follow the arcs with these edges from the first state; there is room for them."""
    state = _number(0, 0, 0, diagram)
    for depth in range(len(one)):
        _expand(state, plan, diagram, scratch, successors)
        arc = diagram.first[state]
        turn = 0
        while diagram.one[arc + turn] != one[depth] or diagram.two[arc + turn] != two[depth]:
            turn += 1
        path.state[depth] = state
        path.turn[depth] = turn + 1
        state = diagram.to[arc + turn]
    path.state[len(one)] = state
    path.turn[len(one)] = 0
    path.depth[0] = len(one) + 1


def _go(
    plan: Plan,
    diagram: Diagram,
    path: SearchPath,
    scratch: Scratch,
    successors: Successors,
    rows: Vector,
    pause: int,
) -> tuple[int, int]:
    """Search until the rows are full, a pause is due, or the search is over.

    Returns the number of cycles in the rows, and the reason: `PAUSED`, or `FULL` if the diagram is.
    """
    vertex, first, remaining = plan.vertex, diagram.first, diagram.remaining
    to, one, two = diagram.to, diagram.one, diagram.two
    on_path, turns = path.state, path.turn
    n, depth, filled, work = len(vertex), path.depth[0], 0, 0
    while depth > 0 and filled * 2 * n < len(rows) and work < pause:
        level = depth - 1
        state, turn = on_path[level], turns[level]
        work += 1
        if first[state] < 0:
            work += EXPANDING
            if not _expand(state, plan, diagram, scratch, successors):
                path.depth[0] = depth
                return filled, FULL
        if turn == remaining[state]:  # all arcs are followed: go back
            depth = level
            if turn == 0 and depth > 0:  # a dead end: remove the arc that leads here
                parent, removed = on_path[depth - 1], turns[depth - 1] - 1
                remaining[parent] -= 1
                turns[depth - 1] = removed
                for arc in range(first[parent] + removed, first[parent] + remaining[parent]):
                    to[arc], one[arc], two[arc] = to[arc + 1], one[arc + 1], two[arc + 1]
            continue
        turns[level] = turn + 1
        if depth < n:  # follow the next arc
            on_path[depth] = to[first[state] + turn]
            turns[depth] = 0
            depth += 1
            continue
        # All vertices are taken: the edges of the arcs on the path are a cycle.
        work += n
        begin = filled * 2 * n
        for v in range(n):
            rows[begin + v] = -1
        for i in range(n):
            arc, v = first[on_path[i]] + turns[i] - 1, vertex[i]
            _join(v, one[arc], rows, begin, n)
            _join(v, two[arc], rows, begin, n)
        filled += 1
    path.depth[0] = depth
    return filled, PAUSED


def _join(v: int, w: int, rows: Vector, begin: int, n: int) -> None:
    """Make two vertices neighbours in the row that begins at `begin`, unless `w` is -1."""
    if w >= 0:
        rows[begin + v + (n if rows[begin + v] >= 0 else 0)] = w
        rows[begin + w + (n if rows[begin + w] >= 0 else 0)] = v
