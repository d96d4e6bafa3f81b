"""The transition of a frontier search: what becomes of a state when the next vertex is taken.

Vertices are taken one after the other (D. E. Knuth, TAOCP 7.2.2.4; W. Pettersson, Enumerating Hamiltonian
cycles, 2014, by edges). A step takes a vertex v and decides all its edges to later vertices at once: two if v
is untouched, one if it is the end of a path, none if it is done. The paths that meet in v become one. A cycle
may close only if it completes all remaining vertices; then all are done until the end. So the number of
Hamiltonian cycles is the count of the only state after the last vertex.

A state in which some vertex has too few neighbours left is dropped at once.

`stages` gives the geometry of the step of each vertex. `expand` is the step; counting, listing, sampling and
counting on folded boards all call it.
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
        place: place of v on the frontier.
        width: number of places, including v and all its neighbours.
        last: 1 if every remaining vertex has a place, so that a cycle may close; else 0.
        most: greatest number of successors of one state.
        later: places of the neighbours that are not taken yet, one for each edge.
        keep: places that stay on the frontier, in their new order.
        critical: the kept places with fewer than two neighbours beyond the frontier.
        outside: number of neighbours beyond the frontier, one for each place.
        need: set of neighbours on the frontier that are not taken yet, one for each place.
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
    """Successors of some states.

    Args:
        low: first word of each successor.
        high: second word of each successor.
        source: row of the state that it comes from.
        u: place of the first new neighbour of v; -1 for none.
        w: place of the second new neighbour of v; -1 for none.
    """

    low: Vector
    high: Vector
    source: Vector
    u: Vector
    w: Vector


def lacks_neighbours(untouched: int, done: int, geometry: Geometry) -> bool:
    """Whether a vertex has fewer neighbours left than it needs edges, given the untouched and done places."""
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
    rows: Vector,
    keys: int,
    row_width: int,
    geometry: Geometry,
    voltages: Voltages | None,
    scratch: Scratch,
    successors: Successors,
    capacity: int,
) -> tuple[int, int]:
    """Take v in the states of some rows, while there is room for the successors of one more state.

    Args:
        first: first row.
        until: row after the last one.
        rows: records of states, see `tables`; a row whose first word is negative is empty.
        keys: words of a state, 1 or 2.
        row_width: words of a record.
        geometry: of the step.
        voltages: of the step; None without voltages.
        scratch: scratch space.
        successors: receives the successors, from entry 0 on.
        capacity: limit of the number of successors.

    Returns:
        The row where it stopped, and the number of successors, or -1 if there are too many paths at once.
    """
    place, width, most, last = geometry.place, geometry.width, geometry.most, geometry.last
    later = geometry.later
    mate = scratch.mate
    all_places = (1 << width) - 1
    count = 0
    for s in range(first, until):
        low = rows[s * row_width]
        if low < 0:
            continue
        if count + most > capacity:
            return s, count
        high = rows[s * row_width + 1] if keys > 1 else 0
        untouched, done = unpack(low, high, width, voltages, scratch)
        v_untouched, v_done = (untouched >> place) & 1, (done >> place) & 1
        # Choose the places u and w of the new neighbours of v: both are -1 if v is done, only u is -1 if v is
        # the end of a path.
        for p in range(len(later) if v_untouched else 1):
            u = later[p] if v_untouched else -1
            if u >= 0 and (done >> u) & 1:
                continue
            for q in range(p + 1 if v_untouched else 0, 1 if v_done else len(later)):
                w = -1 if v_done else later[q]
                a, b, turn = -1, -1, 0  # ends of the path through v, and its voltage from a to b
                closes = False
                now_untouched, now_done = untouched, done
                if w >= 0:
                    if (done >> w) & 1:
                        continue
                    a, b = mate[u] if u >= 0 else mate[place], mate[w]
                    closes = a == w
                    if closes and not last:
                        continue
                    # Each new edge makes an untouched vertex an end, and an end done.
                    if (untouched >> w) & 1:
                        now_untouched ^= 1 << w
                    else:
                        now_done |= 1 << w
                    if u >= 0:
                        if (untouched >> u) & 1:
                            now_untouched ^= 1 << u
                        else:
                            now_done |= 1 << u
                if voltages is not None and w >= 0:
                    if u == w:  # two parallel edges would close a cycle of two vertices
                        continue
                    turn = voltages.turns[q] + scratch.turn[w]
                    if u >= 0:
                        turn -= voltages.turns[p]
                    if not closes:
                        turn -= scratch.turn[u] if u >= 0 else scratch.turn[place]
                if closes:
                    if now_done | 1 << place != all_places:
                        continue
                    now_untouched, a, b = 0, -1, -1
                elif lacks_neighbours(now_untouched, now_done, geometry):
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
                    if w >= 0:
                        parity ^= voltages.flips[q]
                    if u >= 0:
                        parity ^= voltages.flips[p]
                    if closes:  # the voltage of a cycle has to be a unit: Euclid's algorithm
                        x, y = turn % voltages.modulus, voltages.modulus
                        while x > 0:
                            x, y = y % x, x
                        if y > 1 or parity != voltages.parity:
                            continue
                        parity = 0
                    new_low |= parity << 60
                successors.low[count] = new_low
                successors.high[count] = new_high
                successors.source[count] = s
                successors.u[count] = u
                successors.w[count] = w
                count += 1
    return until, count


@dataclass(frozen=True)
class Stage:
    """The step of one vertex.

    Args:
        vertex: the vertex that is taken.
        vertices: the vertex and those on the frontier when it is taken, by their places.
        geometry: of the step.
        voltages: of the edges, on folded boards.
        allowed: mask of the allowed degrees for some vertices after the step, see `choices.Degrees`.
        optional: whether the states before the step also stay as they are.
    """

    vertex: int
    vertices: tuple[int, ...]
    geometry: Geometry
    voltages: Voltages | None = None
    allowed: Mapping[int, int] = field(default_factory=dict)
    optional: bool = False

    @property
    def frontier(self) -> list[int]:
        """The vertices on the frontier after the step, by their places."""
        return [u for u in self.vertices if u != self.vertex]

    @property
    def keys(self) -> int:
        """Words of a state after the step."""
        has_turns = self.voltages is not None and self.voltages.modulus > 1
        return 1 + (has_turns or len(self.geometry.keep) > PLACES)

    def geometry_in(self, tier: Tier) -> Geometry:
        """The geometry in the containers of a tier."""
        return Geometry(*self.geometry[:4], *map(tier.words, self.geometry[4:]))

    def voltages_in(self, tier: Tier) -> Voltages | None:
        """The voltages in the containers of a tier."""
        if self.voltages is None:
            return None
        flips, turns, *rest = self.voltages
        return Voltages(tier.words(flips), tier.words(turns), *rest)


def stages(rows: Sequence[Sequence[int]], order: Iterable[int], *, ascending: bool = False) -> list[Stage]:
    """The stages of an order of vertices, all of a graph or the first.

    Args:
        rows: the neighbours of each vertex; a neighbour that appears twice is joined by two edges.
        order: the vertices in the order in which they are taken.
        ascending: places are in the order of the vertices' numbers; otherwise new vertices come last.

    Time: for each vertex that of its neighbours and of the frontier, also next to a vertex joined to all.
    """
    neighbour_sets = [{*row} for row in rows]
    remaining = [len(row) for row in neighbour_sets]  # neighbours that are not taken
    taken: set[int] = set()
    frontier: list[int] = []
    result: list[Stage] = []
    for v in order:
        assert_time(f"the steps of {len(result):,} of {len(rows):,} cells were laid out")
        taken.add(v)
        for w in neighbour_sets[v]:
            remaining[w] -= 1
        ahead = [w for w in rows[v] if w not in taken]
        vertices = tuple(dict.fromkeys([*frontier, v, *ahead]))
        if ascending:
            vertices = tuple(sorted(vertices))
        places = {u: i for i, u in enumerate(vertices)}
        frontier = [u for u in vertices if u != v]
        need = [sum(1 << places[w] for w in frontier if w in neighbour_sets[u]) for u in vertices]
        outside = [remaining[u] - bits.bit_count() for u, bits in zip(vertices, need, strict=True)]
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
        result.append(Stage(v, vertices, geometry))
    return result


def edge_stage(frontier: Sequence[int], edge: tuple[int, int]) -> Stage:
    """The stage of an edge between two vertices of a frontier, which a cycle may use or not.

    It is the stage of a vertex in the middle of the edge, except that states without the edge stay.
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
    """The neighbours of each vertex."""
    return [graph.neighbours(i).tolist() for i in range(graph.size)]


def new_successors(tier: Tier, capacity: int) -> Successors:
    """Room for `capacity` successors."""
    return Successors(*(tier.column(capacity) for _ in Successors._fields))
