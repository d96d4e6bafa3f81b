"""The layers of a frontier search, and the way back through them.

A *layer* is the table after a stage: its states, and the number of ways to reach each state. The ways to a
state are numbered. Each state before the stage, in the order of their words, takes a range of numbers whose
length is its own number of ways. So a state of the last layer and a number below its count determine one way:
each stage that is undone yields the predecessor and the rest of the number.

Predecessors are not searched for in the layer before. Instead, a stage is undone in all possible ways: its
edges are removed, which may leave open which of the paths ran through them. Each result is looked up by its
words, by which the layers are sorted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.kernels import Tier, Vector
from cavalcade.states.encoding import Scratch, new_scratch, pack, unpack
from cavalcade.states.search import FrontierSearch
from cavalcade.states.tables import LIMB, RecordLayout, Table
from cavalcade.states.transition import Geometry, Stage

Moves = list[tuple[int, int, int]]  # the stages' vertices and their two new neighbours; -1 for none


class Undoing(NamedTuple):
    """The layer before a stage, and the predecessors of one state.

    Args:
        after: scratch space for the state after the stage.
        before: scratch space for a state before the stage.
        identity: 0, 1, 2, …: the places before the stage, all of which stay.
        rows: records of the layer before the stage, in the order of their keys.
        layout: words of a record in `rows`.
        row: row of each predecessor in `rows`, ascending.
        u: place of the first new neighbour of v, one for each predecessor; -1 for none.
        w: place of the second new neighbour of v, one for each predecessor; -1 for none.
    """

    after: Scratch
    before: Scratch
    identity: Vector
    rows: Vector
    layout: RecordLayout
    row: Vector
    u: Vector
    w: Vector


class Walks(NamedTuple):
    """Walks back through the stages.

    Args:
        low: first word of the state that each walk has reached.
        high: second word of the state that each walk has reached.
        rest_low: low limb of the number of the way to that state, one for each walk.
        rest_high: high limb of the number of the way to that state, one for each walk.
        u: place of the first new neighbour in the stage undone last, one for each walk; -1 for none.
        w: place of the second new neighbour in the stage undone last, one for each walk; -1 for none.
    """

    low: Vector
    high: Vector
    rest_low: Vector
    rest_high: Vector
    u: Vector
    w: Vector


def find(low: int, high: int, rows: Vector, layout: RecordLayout) -> int:
    """Find the row of a state by bisection; -1 if it is not there."""
    width, has_high = layout.width, layout.keys > 1
    if high > 0 and not has_high:
        return -1
    first, until = 0, len(rows) // width
    while first < until:
        middle = (first + until) >> 1
        word = rows[middle * width]
        if word < low or (word == low and has_high and rows[middle * width + 1] < high):
            first = middle + 1
        else:
            until = middle
    if first * width >= len(rows) or rows[first * width] != low:
        return -1
    return first if not has_high or rows[first * width + 1] == high else -1


def note(untouched: int, done: int, u: int, w: int, count: int, undoing: Undoing) -> int:
    """Look up a possible predecessor and insert it in order; returns the number of predecessors."""
    low, high, paths = pack(untouched, done, -1, -1, 0, undoing.identity, None, undoing.before)
    if paths > undoing.before.names:
        return count
    row = find(low, high, undoing.rows, undoing.layout)
    if row < 0:
        return count
    i = count
    while i > 0 and undoing.row[i - 1] > row:
        undoing.row[i] = undoing.row[i - 1]
        undoing.u[i] = undoing.u[i - 1]
        undoing.w[i] = undoing.w[i - 1]
        i -= 1
    undoing.row[i] = row
    undoing.u[i] = u
    undoing.w[i] = w
    return count + 1


def undo(low: int, high: int, geometry: Geometry, undoing: Undoing) -> int:
    """Undo a stage in every way that leads to a state of the layer before; returns their number."""
    place, later, keep = geometry.place, geometry.later, geometry.keep
    after, mate = undoing.after, undoing.before.mate
    untouched_after, done_after = unpack(low, high, len(keep), None, after)
    # Begin with the state in which v was done already: the places before the stage, and v.
    untouched, done = 0, 1 << place
    mate[place] = place
    for i in range(len(keep)):
        k = keep[i]
        untouched |= ((untouched_after >> i) & 1) << k
        done |= ((done_after >> i) & 1) << k
        mate[k] = keep[after.mate[i]]
    closed = geometry.last and done == (1 << geometry.width) - 1
    count = note(untouched, done, -1, -1, 0, undoing)
    for p in range(-1, len(later)):  # v was an end before if p is -1, else untouched
        # x is the place that loses an edge: v itself if it was an end. It is inner if it is done now.
        x = later[p] if p >= 0 else place
        if (untouched >> x) & 1:
            continue
        u = x if p >= 0 else -1
        untouched_before = untouched if p < 0 else untouched | 1 << place
        done_before = done ^ 1 << place
        x_inner = p < 0 or (done >> x) & 1
        for q in range(p + 1, len(later)):
            w = later[q]
            if (untouched >> w) & 1:
                continue
            w_inner = (done >> w) & 1
            if x_inner and w_inner:
                without = done_before & ~(1 << x) & ~(1 << w)
                if closed:
                    mate[x] = w
                    mate[w] = x
                    count = note(untouched_before, without, u, w, count, undoing)
                # Any path may have run through both edges, in either direction.
                for i in range(len(keep)):
                    a = keep[i]
                    b = mate[a]
                    if a == b or a == x or a == w:
                        continue
                    mate[x], mate[a], mate[w], mate[b] = a, x, b, w
                    count = note(untouched_before, without, u, w, count, undoing)
                    mate[a], mate[b] = b, a
                mate[x], mate[w] = x, w
            elif x_inner or w_inner:
                # The end that is not inner was untouched; the inner place becomes the end of its path.
                bare, inner = (w, x) if x_inner else (x, w)
                far = mate[bare]
                mate[bare], mate[inner], mate[far] = bare, far, inner
                free, without = untouched_before | 1 << bare, done_before & ~(1 << inner)
                count = note(free, without, u, w, count, undoing)
                mate[bare], mate[inner], mate[far] = far, inner, bare
            elif mate[x] == w:
                # x and w are the ends of one path, which consisted of v and its two edges.
                mate[x], mate[w] = x, w
                free = untouched_before | 1 << x | 1 << w
                count = note(free, done_before, u, w, count, undoing)
                mate[x], mate[w] = w, x
    return count


def _back(walks: Walks, order: Vector, geometry: Geometry, undoing: Undoing) -> int:
    """Undo one stage on every walk; returns the number of walks without a predecessor, which should be 0.

    `order` groups the walks by state, so that the stage is undone once for each state.
    """
    rows, layout = undoing.rows, undoing.layout
    lost, count, last_low, last_high = 0, 0, -1, -1
    for i in order:
        if walks.low[i] != last_low or walks.high[i] != last_high:
            last_low, last_high = walks.low[i], walks.high[i]
            count = undo(last_low, last_high, geometry, undoing)
        rest_low, rest_high = walks.rest_low[i], walks.rest_high[i]
        lost += 1
        for j in range(count):
            row = undoing.row[j] * layout.width
            payload = row + layout.keys
            low, high = rows[payload], rows[payload + 1] if layout.limbs > 1 else 0
            if rest_high < high or (rest_high == high and rest_low < low):
                walks.low[i] = rows[row]
                walks.high[i] = rows[row + 1] if layout.keys > 1 else 0
                walks.u[i], walks.w[i] = undoing.u[j], undoing.w[j]
                lost -= 1
                break
            # Subtract the number of ways to this predecessor, with a borrow.
            rest_low -= low
            rest_high -= high
            if rest_low < 0:
                rest_low += 0x1000000000000000
                rest_high -= 1
        walks.rest_low[i], walks.rest_high[i] = rest_low, rest_high
    return lost


class Layers(FrontierSearch):
    """All layers of a frontier search, each sorted by the words of its states. The search runs at once.

    Attributes:
        layers: the tables before the first stage and after each stage.

    Memory: 16 bytes for a state of any layer, 8 more if the frontier is wider than 17, 8 more from 2**60 ways
    on.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self.layers = [self.table]
        self.record.vertices = len(self.stages)
        self.run()

    def after(self, stage: Stage) -> tuple[Table, int, int]:
        """Return the layer after a stage, and keep it."""
        new, peak, disk = super().after(stage)
        layer = new.compact()
        # Sorting takes a permutation and a copy.
        sorting = self.bytes + layer.bytes + max(new.bytes, layer.bytes + 8 * new.states)
        self.held = self.bytes
        assert_room(sorting, f"after {self.taken + 1:,} of {len(self.stages):,} steps keeping every table")
        self.layers.append(layer.sorted())
        return self.last, max(peak, sorting), disk

    @property
    def bytes(self) -> int:
        """Bytes of all layers."""
        return sum(layer.bytes for layer in self.layers)

    @property
    def last(self) -> Table:
        """The layer after the last stage."""
        return self.layers[-1]

    @property
    def total(self) -> int:
        """The number of Hamiltonian cycles, if the stages take a whole graph."""
        return self.cycles

    def find(self, numbers: Sequence[int]) -> list[Moves]:
        """Return the Hamiltonian cycles with some numbers, if the stages take a whole graph."""
        return self.back([(0, 0)] * len(numbers), numbers)

    def back(self, states: Sequence[tuple[int, int]], numbers: Sequence[int]) -> list[Moves]:
        """Return one way to each state of the last layer.

        Args:
            states: both words of each state.
            numbers: number of the way to each state, below the count of the state.

        Time: about 20 µs for each way and stage, and 0.1 ms for each stage.
        """
        n = len(numbers)
        # Undoing an edge writes a state, place by place.
        geometries = [stage.geometry for stage in self.stages]
        work = n * sum(geometry.width * (1 + len(geometry.later)) for geometry in geometries)
        tier = Tier(work, compiled=True if self.last.tier.compiled else self.compiled)
        rest = [divmod(number, LIMB) for number in numbers]
        low, high, rest_low, rest_high = (
            tier.words([pair[i] for pair in pairs])
            for pairs, i in ((states, 0), (states, 1), (rest, 1), (rest, 0))
        )
        walks = Walks(low, high, rest_low, rest_high, tier.column(n, -1), tier.column(n, -1))
        moves: list[Moves] = [[] for _ in rest]
        after, before = new_scratch(tier), new_scratch(tier)
        for stage, layer in zip(reversed(self.stages), reversed(self.layers[:-1]), strict=True):
            assert_time("the way back through the layers was looked for")
            geometry = stage.geometry_in(tier)
            undoing = _undoing(geometry, layer, tier, after, before)
            order = np.lexsort((np.asarray(walks.high), np.asarray(walks.low)))
            lost = tier(_back)(walks, tier.vector(order), geometry, undoing)
            if lost:
                raise AssertionError(f"{lost} walks do not lead back from {stage.vertex}")
            names = [*stage.vertices, -1]
            for walk, u, w in zip(moves, walks.u, walks.w, strict=True):
                walk.append((stage.vertex, names[u], names[w]))
        return moves

    def number(self, cycle: Sequence[int]) -> int:
        """Return the number of a Hamiltonian cycle, by which `find` returns it.

        The number is the sum, over all stages, of the ways to the predecessors that come before the state of
        the cycle.

        Time: a few milliseconds for each stage in the first tier, 0.1 ms in compiled code.
        """
        tier = Tier(0, compiled=self.last.tier.compiled)
        after, before = new_scratch(tier), new_scratch(tier)
        states = [*self._states(cycle), (0, 0, -1, -1)]
        number = 0
        for stage, layer, state, following in zip(self.stages, self.layers, states, states[1:], strict=False):
            geometry = stage.geometry_in(tier)
            undoing = _undoing(geometry, layer, tier, after, before)
            count = tier(undo)(*following[:2], geometry, undoing)
            row = find(*state[:2], undoing.rows, layer.layout)
            for j in range(count):
                if (undoing.row[j], *sorted((undoing.u[j], undoing.w[j]))) == (row, *state[2:]):
                    break
                payload = undoing.row[j] * layer.layout.width + layer.layout.keys
                limbs = undoing.rows[payload : payload + layer.layout.limbs]
                number += sum(int(limb) * LIMB**i for i, limb in enumerate(limbs))
            else:
                raise AssertionError(f"the state of a cycle before {stage.vertex} has not been reached")
        return number

    def _states(self, cycle: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
        """Yield the words of the state of a cycle before each stage, and the places of the new neighbours."""
        neighbours: dict[int, set[int]] = {v: set() for v in cycle}
        for a, b in pairwise([*cycle, cycle[0]]):
            neighbours[a].add(b)
            neighbours[b].add(a)
        degree, mate = dict.fromkeys(cycle, 0), {v: v for v in cycle}
        scratch = new_scratch(Tier(0, compiled=False))
        for stage in self.stages:
            place = {v: i for i, v in enumerate(stage.vertices)}
            untouched, done = (
                sum(1 << i for v, i in place.items() if degree[v] == edges) for edges in (0, 2)
            )
            for v, i in place.items():
                scratch.mate[i] = place[mate[v]] if degree[v] == 1 else i
            low, high, _ = pack(untouched, done, -1, -1, 0, list(range(len(place))), None, scratch)
            u, w = [-1, -1, *sorted(place[w] for w in neighbours[stage.vertex])][-2:]
            yield low, high, u, w
            for later in neighbours.pop(stage.vertex):
                neighbours[later].remove(stage.vertex)
                a, b = mate[stage.vertex], mate[later]
                mate[a], mate[b] = b, a
                degree[stage.vertex] += 1
                degree[later] += 1


def _undoing(geometry: Geometry, layer: Table, tier: Tier, after: Scratch, before: Scratch) -> Undoing:
    """Return what `undo` needs for the layer before a stage, in the containers of a tier."""
    width, most = geometry.width, len(geometry.later)
    predecessors = (tier.column((2 + most * (most + 1)) * (width + 2)) for _ in range(3))
    rows = np.asarray(layer.rows, dtype=np.int64) if tier.compiled else layer.rows
    identity = tier.words(list(range(width)))
    return Undoing(after, before, identity, rows, layer.layout, *predecessors)
