"""Every Hamiltonian cycle once: a frontier search, depth first, in a graph of states that grows on the way.

A state is expanded when it is first met, and its successors are remembered; a state from which no cycle comes
is struck out. So no dead end is entered twice, and once all states are known the work is linear in the
output. When there is no room for more, all are forgotten but those on the way to the last cycle, and there is
room for four times as many, as far as the memory goes. Compare the diagrams of Knuth, TAOCP 7.1.4,
which hold all cycles before the first is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from cavalcade.ground.budget import assert_time, memory_limit
from cavalcade.ground.kernels import Cells, Tier, Vector
from cavalcade.states.encoding import Scratch, new_scratch
from cavalcade.states.tables import MULTIPLIERS, slot
from cavalcade.states.transition import Geometry, Stage, Successors, expand, new_successors

FIRST_ROOM = 1 << 13  # states that are remembered at first, interpreted: 30 µs each, 1 µs compiled
MOST = 1 << 22  # at most
BYTES = 128  # of each with its successors and its part of the hash table
ARCS = 4  # successors for which there is room, for each state
PACKED = 29  # vertices on the frontier: no more than 14 paths cross it
BLOCK = 4096  # cycles found together; fewer at first
EXPANDING = 50  # inner steps, about
PAUSE = 2_000_000  # inner steps, compiled, between two looks at the clock; interpreted fifty times fewer
PAUSED, FULL = 0, 1  # why a search has stopped


class Plan(NamedTuple):
    """The geometries of all stages, one after the other: see `Geometry`.

    Args:
        vertex: of each stage the vertex that it takes, and as in `Geometry`
        place, width, last, most: a number each, and
        later, keep, critical, outside, need: the rows one after the other;
        names: likewise the vertices by their places.
        later_at, keep_at, critical_at: where the rows begin, and the last ends;
        places_at: those of outside, need and names.
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
    later_at: Vector
    keep_at: Vector
    critical_at: Vector
    places_at: Vector


class States(NamedTuple):
    """The states met so far, by number, and the arcs that lead on from each that is expanded.

    Args:
        used: how many states, and how many arcs, there are.
        slots: the hash table of numbers, -1 where it is empty.
        level: of each state how many vertices are taken.
        low: its words;
        high: the second.
        first: its first arc, -1 before it is expanded.
        left: how many arcs it has that may lead to a cycle.
        to: of each arc the state that it leads to, -1 after the last stage;
        one: and the vertices to which its edges go, -1 for none;
        two: the second.
    """

    used: Vector
    slots: Vector
    level: Vector
    low: Vector
    high: Vector
    first: Vector
    left: Vector
    to: Vector
    one: Vector
    two: Vector


class SearchPath(NamedTuple):
    """Where the search stands.

    Args:
        depth: one number: the states on the path.
        state: the states.
        turn: of each how many of its arcs have been followed, the last of them onward.
    """

    depth: Vector
    state: Vector
    turn: Vector


def every_cycle(stages: list[Stage]) -> Iterator[Cells]:
    """Every Hamiltonian cycle once, in blocks: (k, 2, n), of each vertex its two neighbours on the cycle.

    Their order is always the same. The first block is of one cycle; each is made when it is asked for.
    """
    if len(stages) < 3:
        return
    search = _EveryCycle(stages)
    room = 1
    while search.under_way:
        assert_time(f"{search.met:,} states were met")
        rows = search.rows(room)
        room = min(2 * room, BLOCK)
        if len(rows):
            yield rows


class _EveryCycle:
    """A search that can be interrupted."""

    def __init__(self, stages: list[Stage]) -> None:
        self.stages = stages
        self.width = max(one.geometry.width for one in stages)
        self.room = self.met = 0
        path = (len(stages) + 1) * (1 + max(one.geometry.most for one in stages))  # with its arcs, at least
        self.most = max(path, min(MOST, memory_limit() // 2 // BYTES))
        self.begin(max(path, min(FIRST_ROOM, self.most)), [])

    @property
    def under_way(self) -> bool:
        return bool(self.path.depth[0])

    def begin(self, room: int, followed: list[tuple[int, int]]) -> None:
        """Search on from here with room for so many states, of which none is known."""
        self.tier = tier = Tier(0, compiled=(Tier.warm or self.room > 0) and self.width <= PACKED)
        self.room, n = room, len(self.stages)
        self.plan = _plan(self.stages, tier)
        self.scratch = new_scratch(tier, None if tier.compiled else self.width)
        self.found = new_successors(tier, max(self.plan.most))
        slots, arcs = tier.full(2 << room.bit_length(), -1), ARCS * room
        rows = tier.full(room), tier.column(room), tier.column(room), tier.full(room), tier.full(room)
        self.states = States(tier.full(2), slots, *rows, tier.full(arcs), tier.full(arcs), tier.full(arcs))
        self.path = SearchPath(tier.full(1), tier.full(n), tier.full(n))
        one, two = (tier.words([edge[i] for edge in followed]) for i in (0, 1))
        tier(_follow)(one, two, self.plan, self.states, self.path, self.scratch, self.found)

    def rows(self, most: int) -> Cells:
        """The next cycles, so many at most, or fewer if the work takes long: none when it is done, too."""
        n, tier = len(self.stages), self.tier
        rows = tier.full(most * 2 * n)
        pause = PAUSE if tier.compiled else PAUSE // 50
        before = self.states.used[0]
        filled, why = tier(_go)(self.plan, self.states, self.path, self.scratch, self.found, rows, pause)
        self.met += self.states.used[0] - before
        if why == FULL:
            depth, path, states = self.path.depth[0], self.path, self.states
            arcs = [states.first[path.state[i]] + path.turn[i] - 1 for i in range(depth - 1)]
            followed = [(int(states.one[arc]), int(states.two[arc])) for arc in arcs]
            self.begin(min(4 * self.room, self.most), followed)
        return np.asarray(rows[: filled * 2 * n], dtype=np.int32).reshape(filled, 2, n)


def _plan(stages: list[Stage], tier: Tier) -> Plan:
    """The geometries in the containers of a tier."""
    every = [one.geometry for one in stages]
    rows: list[list[list[int]]] = [
        *([list(row) for row in some] for some in zip(*(one[4:] for one in every), strict=True)),
        [list(one.vertices) for one in stages],
    ]
    numbers = [[one.vertex for one in stages], *map(list, zip(*(one[:4] for one in every), strict=True))]
    flat = [[x for row in some for x in row] for some in rows]
    begins = [list(accumulate(map(len, some), initial=0)) for some in rows[:4]]
    return Plan(*(tier.words(some) for some in [*numbers, *flat, *begins]))


# ---- kernels


def _number(level: int, low: int, high: int, states: States) -> int:
    """The number of a state, which it gets when it is first met."""
    mask = len(states.slots) - 1
    s = slot(low, high + level * 0x9E3779B1, mask, MULTIPLIERS[0])
    while states.slots[s] >= 0:
        i = states.slots[s]
        if states.low[i] == low and states.high[i] == high and states.level[i] == level:
            return i
        s = (s + 1) & mask
    i = states.used[0]
    states.used[0] = i + 1
    states.slots[s] = i
    states.level[i] = level
    states.low[i] = low
    states.high[i] = high
    states.first[i] = -1
    return i


def _expand(state: int, plan: Plan, states: States, scratch: Scratch, found: Successors) -> bool:
    """Find the arcs of a state; whether there was room for them."""
    k, arc = states.level[state], states.used[1]
    most = plan.most[k]
    if states.used[0] + most > len(states.low) or arc + most > len(states.to):
        return False
    i, j = plan.places_at[k], plan.places_at[k + 1]
    geometry = Geometry(
        plan.place[k],
        plan.width[k],
        plan.last[k],
        most,
        plan.later[plan.later_at[k] : plan.later_at[k + 1]],
        plan.keep[plan.keep_at[k] : plan.keep_at[k + 1]],
        plan.critical[plan.critical_at[k] : plan.critical_at[k + 1]],
        plan.outside[i:j],
        plan.need[i:j],
    )
    _, count = expand(state, state + 1, states.low, states.high, geometry, None, scratch, found, most)
    states.first[state] = arc
    states.left[state] = count
    for s in range(count):
        one, two = found.one[s], found.two[s]
        states.one[arc] = plan.names[i + one] if one >= 0 else -1
        states.two[arc] = plan.names[i + two] if two >= 0 else -1
        states.to[arc] = -1
        if k + 1 < len(plan.vertex):
            states.to[arc] = _number(k + 1, found.low[s], found.high[s], states)
        arc += 1
    states.used[1] = arc
    return True


def _follow(
    one: Vector,
    two: Vector,
    plan: Plan,
    states: States,
    path: SearchPath,
    scratch: Scratch,
    found: Successors,
) -> None:
    """Go from the beginning along the arcs with these edges; there is room for them."""
    state = _number(0, 0, 0, states)
    for depth in range(len(one)):
        _expand(state, plan, states, scratch, found)
        arc = states.first[state]
        turn = 0
        while states.one[arc + turn] != one[depth] or states.two[arc + turn] != two[depth]:
            turn += 1
        path.state[depth] = state
        path.turn[depth] = turn + 1
        state = states.to[arc + turn]
    path.state[len(one)] = state
    path.turn[len(one)] = 0
    path.depth[0] = len(one) + 1


def _go(
    plan: Plan,
    states: States,
    path: SearchPath,
    scratch: Scratch,
    found: Successors,
    rows: Vector,
    pause: int,
) -> tuple[int, int]:
    """Search on until the rows are full or the work is done; returns how many are, and why it stops."""
    vertex, first, left = plan.vertex, states.first, states.left
    to, one, two = states.to, states.one, states.two
    on_path, turns = path.state, path.turn
    n, depth, filled, work = len(vertex), path.depth[0], 0, 0
    while depth > 0 and filled * 2 * n < len(rows) and work < pause:
        here = depth - 1
        state, turn = on_path[here], turns[here]
        work += 1
        if first[state] < 0:
            work += EXPANDING
            if not _expand(state, plan, states, scratch, found):
                path.depth[0] = depth
                return filled, FULL
        if turn == left[state]:
            depth = here
            if turn == 0 and depth > 0:  # a dead end: strike out what led here
                before, back = on_path[depth - 1], turns[depth - 1] - 1
                left[before] -= 1
                turns[depth - 1] = back
                for arc in range(first[before] + back, first[before] + left[before]):
                    to[arc], one[arc], two[arc] = to[arc + 1], one[arc + 1], two[arc + 1]
            continue
        turns[here] = turn + 1
        if depth < n:
            on_path[depth] = to[first[state] + turn]
            turns[depth] = 0
            depth += 1
            continue
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
    """Make two vertices neighbours in the row that begins there, unless the second is none."""
    if w >= 0:
        rows[begin + v + (n if rows[begin + v] >= 0 else 0)] = w
        rows[begin + w + (n if rows[begin + w] >= 0 else 0)] = v
