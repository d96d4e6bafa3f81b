"""The transition: what becomes of a state when a vertex is taken. It is written once, here.

Vertices are taken one after the other (D. E. Knuth, TAOCP 7.2.2.4; W. Pettersson, Enumerating Hamiltonian
cycles, 2014, by edges). Here a step takes a vertex v and decides all its edges to later vertices at once: two
if it is untouched, one if it is the end of a path, none if it is done. The paths that meet in v become one. A
cycle may close only if it completes all remaining vertices; then all are done until the end. So the number of
Hamiltonian cycles is the count of the one state after the last vertex.

A state in which some vertex has too few neighbours left is dropped at once.

`stages` gives for each vertex of an order the geometry of its step. `expand` is the step; counting, listing,
sampling and counting on folded boards all call it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from cavalcade.ground.budget import assert_time
from cavalcade.ground.kernels import Tier, Vector
from cavalcade.question.graph import MoveGraph
from cavalcade.states.encoding import PLACES, Scratch, Voltages, pack, unpack


class Geometry(NamedTuple):
    """The geometry of the step that takes v.

    Args:
        place: v's place on the frontier.
        width: how many places there are, with v and all its neighbours among them.
        last: whether every vertex left is among them, so that a cycle may close.
        most: the most states that can come of one.
        later: the places of the neighbours still to come, one for each edge.
        keep: the places that stay, in their new order.
        critical: those of them with fewer than two neighbours beyond the frontier.
        outside: of each place how many neighbours beyond the frontier it has.
        need: of each place the set of its neighbours on the frontier that are still to come.
    """

    place: int
    width: int
    last: int
    most: int
    later: Vector
    keep: Vector
    critical: Vector
    outside: Vector
    need: Vector


class Successors(NamedTuple):
    """The states that come of others: their two words, which one each comes of, and v's new edges.

    `source` is a place in the list of the others; `one` and `two` are the places where the edges go, or -1.
    """

    low: Vector
    high: Vector
    source: Vector
    one: Vector
    two: Vector


def left_without(untouched: int, done: int, geometry: Geometry) -> bool:
    """Whether a vertex has fewer neighbours left than it needs, once these places are untouched and done."""
    critical, outside, need = geometry.critical, geometry.outside, geometry.need
    for c in range(len(critical)):
        k = critical[c]
        if (done >> k) & 1:
            continue
        missing = 1 + ((untouched >> k) & 1) - outside[k]
        if missing > 0:
            free = need[k] & ~done
            if free == 0 or (missing == 2 and free & (free - 1) == 0):
                return True
    return False


def expand(
    first: int,
    until: int,
    keys_low: Vector,
    keys_high: Vector,
    geometry: Geometry,
    voltages: Voltages | None,
    scratch: Scratch,
    found: Successors,
    room: int,
) -> tuple[int, int]:
    """Take v in the states from place `first` up to `until`, as long as there is room for what comes of them.

    Returns where it stopped, and the number of successors, or -1 if there are too many paths at once. Places
    whose first word is negative are empty.
    """
    place, width, most, last = geometry.place, geometry.width, geometry.most, geometry.last
    later = geometry.later
    mate = scratch.mate
    found_low, found_high, found_source = found.low, found.high, found.source
    found_one, found_two = found.one, found.two
    everything = (1 << width) - 1
    count = 0
    for s in range(first, until):
        low = keys_low[s]
        if low < 0:
            continue
        if count + most > room:
            return s, count
        high = keys_high[s] if len(keys_high) > 0 else 0
        untouched, done = unpack(low, high, width, voltages, scratch)
        v_untouched, v_done = (untouched >> place) & 1, (done >> place) & 1
        for p in range(len(later) if v_untouched else 1):
            one = later[p] if v_untouched else -1
            if one >= 0 and (done >> one) & 1:
                continue
            for q in range(p + 1 if v_untouched else 0, 1 if v_done else len(later)):
                two = -1 if v_done else later[q]
                a, b, turn = -1, -1, 0  # the ends of the path through v, and its voltage
                closes = False
                now_untouched, now_done = untouched, done
                if two >= 0:
                    if (done >> two) & 1:
                        continue
                    a, b = mate[one] if one >= 0 else mate[place], mate[two]
                    closes = a == two
                    if closes and not last:
                        continue
                    if (untouched >> two) & 1:
                        now_untouched ^= 1 << two
                    else:
                        now_done |= 1 << two
                    if one >= 0:
                        if (untouched >> one) & 1:
                            now_untouched ^= 1 << one
                        else:
                            now_done |= 1 << one
                if voltages is not None and two >= 0:
                    if one == two:  # both of two parallel edges
                        continue
                    turn = voltages.turns[q] + scratch.turn[two]
                    if one >= 0:
                        turn -= voltages.turns[p]
                    if not closes:
                        turn -= scratch.turn[one] if one >= 0 else scratch.turn[place]
                if closes:
                    if now_done | 1 << place != everything:
                        continue
                    now_untouched, a, b = 0, -1, -1
                elif left_without(now_untouched, now_done, geometry):
                    continue
                new_low, new_high, paths = pack(
                    now_untouched, now_done, a, b, turn, geometry.keep, voltages, scratch
                )
                if paths > scratch.names:
                    return s, -1
                if voltages is not None:
                    if (paths - 2) * (voltages.width if voltages.modulus > 1 else 0) > 60:
                        return s, -1
                    parity = low >> 60
                    if two >= 0:
                        parity ^= voltages.flips[q]
                    if one >= 0:
                        parity ^= voltages.flips[p]
                    if closes:  # the voltage has to be a unit
                        x, y = turn % voltages.modulus, voltages.modulus
                        while x > 0:
                            x, y = y % x, x
                        if y > 1 or parity != voltages.parity:
                            continue
                        parity = 0
                    new_low |= parity << 60
                found_low[count] = new_low
                found_high[count] = new_high
                found_source[count] = s
                found_one[count] = one
                found_two[count] = two
                count += 1
    return until, count


@dataclass(frozen=True)
class Stage:
    """One vertex's turn.

    Args:
        vertex: the vertex.
        vertices: those on the frontier and the vertex itself, by their places when it is taken.
        geometry: of its step.
        voltages: those of its edges, on folded boards.
        allowed: what some vertices may be after it, see `choices.Degrees`; other states are dropped.
        optional: whether the states before it also stay as they are.
    """

    vertex: int
    vertices: tuple[int, ...]
    geometry: Geometry
    voltages: Voltages | None = None
    allowed: Mapping[int, int] = field(default_factory=dict)
    optional: bool = False

    @property
    def frontier(self) -> list[int]:
        """The vertices on the frontier after it, by their places."""
        return [u for u in self.vertices if u != self.vertex]

    @property
    def two_keys(self) -> bool:
        """Whether the states after it need two words."""
        turning = self.voltages is not None and self.voltages.modulus > 1
        return turning or len(self.geometry.keep) > PLACES

    def geometry_in(self, tier: Tier) -> Geometry:
        """Its geometry in the containers of a tier."""
        return Geometry(*self.geometry[:4], *(tier.words(some) for some in self.geometry[4:]))

    def voltages_in(self, tier: Tier) -> Voltages | None:
        """Its voltages, likewise."""
        if self.voltages is None:
            return None
        flips, turns, *rest = self.voltages
        return Voltages(tier.words(flips), tier.words(turns), *rest)


def stages(rows: Sequence[Sequence[int]], order: Iterable[int], *, ascending: bool = False) -> list[Stage]:
    """The stages of an order of vertices, all of them or the first.

    Args:
        rows: of each vertex its neighbours; one that stands there twice is joined to it by two edges.
        order: in which order to take them.
        ascending: whether the places are in the order of the vertices' numbers; otherwise new ones come last.

    Time: for each vertex that of its neighbours and of the frontier, also next to a vertex joined to all.
    """
    near = [{*row} for row in rows]
    left = [len(some) for some in near]  # of each vertex the neighbours not taken
    taken: set[int] = set()
    frontier: list[int] = []
    found: list[Stage] = []
    for v in order:
        assert_time(f"the steps of {len(found):,} of {len(rows):,} cells were laid out")
        taken.add(v)
        for w in near[v]:
            left[w] -= 1
        ahead = [w for w in rows[v] if w not in taken]
        vertices = tuple(dict.fromkeys([*frontier, v, *ahead]))
        if ascending:
            vertices = tuple(sorted(vertices))
        places = {u: i for i, u in enumerate(vertices)}
        frontier = [u for u in vertices if u != v]
        need = [sum(1 << places[w] for w in frontier if w in near[u]) for u in vertices]
        outside = [left[u] - bits.bit_count() for u, bits in zip(vertices, need, strict=True)]
        keep = [places[u] for u in frontier]
        geometry = Geometry(
            place=places[v],
            width=len(vertices),
            last=int(len(taken) + len(frontier) == len(rows)),
            most=max(1, len(ahead), len(ahead) * (len(ahead) - 1) // 2),
            later=[places[w] for w in ahead],
            keep=keep,
            critical=[k for k in keep if outside[k] < 2],
            outside=outside,
            need=need,
        )
        found.append(Stage(v, vertices, geometry))
    return found


def edge_stage(frontier: Sequence[int], edge: tuple[int, int]) -> Stage:
    """The stage of an edge between two vertices of a frontier, which a cycle may use or not.

    It is that of a vertex in the middle of the edge, except that states without it stay.
    """
    width = len(frontier)
    geometry = Geometry(
        place=width,
        width=width + 1,
        last=0,
        most=1,
        later=[frontier.index(v) for v in edge],
        keep=list(range(width)),
        critical=[],
        outside=[],
        need=[],
    )
    return Stage(-1, (*frontier, -1), geometry, optional=True)


def neighbours(graph: MoveGraph) -> list[list[int]]:
    """Of each vertex its neighbours."""
    return [graph.neighbours(i).tolist() for i in range(graph.size)]


def new_successors(tier: Tier, room: int) -> Successors:
    """Room for so many."""
    return Successors(*(tier.column(room) for _ in Successors._fields))
