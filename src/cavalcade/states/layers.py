"""Layers of a frontier search, kept, and the way back through them.

A *layer* is the table after a stage: its states, and for each in how many ways it is reached. The states
before a stage share the ways of one after it in the order of their words, each taking as many numbers as it
has walks. So a state of the last layer and a number below its ways stand for one way to reach it, and going
back stage by stage reads that way off: numbers and ways correspond one to one.

What a state comes of is not searched for in the layer before. A stage is undone in every way that it could
have been done (its edges taken out again, which may leave open which of the paths had run through them), and
each result is looked up by its words, in which the layers are sorted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.kernels import Tier, Vector
from cavalcade.states.encoding import Scratch, new_scratch, pack, unpack
from cavalcade.states.search import FrontierSearch, Progress
from cavalcade.states.tables import LIMB, Columns, Table
from cavalcade.states.transition import Geometry, Stage

Moves = list[tuple[int, int, int]]  # each stage's vertex and the two that it moves to, -1 for none

UNDOING, CHOOSING = 50, 2  # inner steps, about, of undoing a stage, and of choosing what was before


class Undoing(NamedTuple):
    """What it takes to undo a stage.

    Args:
        after: for the state after it.
        scratch: for those before it.
        every: 0, 1, 2, …: the places before it.
        layer: the layer before it, sorted by the words of its states.
        place: of each state found, in the same order, where it is in that layer;
        one: and the first edge that leads from it;
        two: and the second.
    """

    after: Scratch
    scratch: Scratch
    every: Vector
    layer: Columns
    place: Vector
    one: Vector
    two: Vector


class Walks(NamedTuple):
    """Walks back through the stages: the state that each has come to, the rest of its number, its edges."""

    low: Vector
    high: Vector
    rest_low: Vector
    rest_high: Vector
    one: Vector
    two: Vector


def find(low: int, high: int, layer: Columns) -> int:
    """Where a state is in a sorted layer, or -1."""
    keys_low, keys_high = layer.low, layer.high
    two_keys = len(keys_high) > 0
    if high > 0 and not two_keys:
        return -1
    first, until = 0, len(keys_low)
    while first < until:
        middle = (first + until) >> 1
        here = keys_low[middle]
        if here < low or (here == low and two_keys and keys_high[middle] < high):
            first = middle + 1
        else:
            until = middle
    if first < len(keys_low) and keys_low[first] == low and (not two_keys or keys_high[first] == high):
        return first
    return -1


def note(untouched: int, done: int, one: int, two: int, count: int, undoing: Undoing) -> int:
    """Look a state up that may have been before; those found stay sorted. Returns how many there are."""
    low, high, paths = pack(untouched, done, -1, -1, 0, undoing.every, None, undoing.scratch)
    if paths > undoing.scratch.names:
        return count
    place = find(low, high, undoing.layer)
    if place < 0:
        return count
    i = count
    while i > 0 and undoing.place[i - 1] > place:
        undoing.place[i] = undoing.place[i - 1]
        undoing.one[i] = undoing.one[i - 1]
        undoing.two[i] = undoing.two[i - 1]
        i -= 1
    undoing.place[i] = place
    undoing.one[i] = one
    undoing.two[i] = two
    return count + 1


def undo(low: int, high: int, geometry: Geometry, undoing: Undoing) -> int:
    """Undo a stage in every way that leads to a state of the layer before; returns how many there are."""
    place, later, keep = geometry.place, geometry.later, geometry.keep
    after, mate = undoing.after, undoing.scratch.mate
    now_untouched, now_done = unpack(low, high, len(keep), None, after)
    untouched, done = 0, 1 << place
    mate[place] = place
    for i in range(len(keep)):
        k = keep[i]
        untouched |= ((now_untouched >> i) & 1) << k
        done |= ((now_done >> i) & 1) << k
        mate[k] = keep[after.mate[i]]
    closed = geometry.last and done == (1 << geometry.width) - 1
    count = note(untouched, done, -1, -1, 0, undoing)
    for p in range(-1, len(later)):  # v was an end before if p is -1, else untouched
        x = later[p] if p >= 0 else place
        if (untouched >> x) & 1:
            continue
        one = x if p >= 0 else -1
        was_untouched = untouched if p < 0 else untouched | 1 << place
        was_done = done ^ 1 << place
        # v comes to stand for x where it was an end itself; else x loses an edge
        x_inner = p < 0 or (done >> x) & 1
        for q in range(p + 1, len(later)):
            two = later[q]
            if (untouched >> two) & 1:
                continue
            two_inner = (done >> two) & 1
            if x_inner and two_inner:
                was = was_done & ~(1 << x) & ~(1 << two)
                if closed:
                    mate[x] = two
                    mate[two] = x
                    count = note(was_untouched, was, one, two, count, undoing)
                for i in range(len(keep)):  # the path that ran through them, from each of its ends
                    a = keep[i]
                    b = mate[a]
                    if a == b or a == x or a == two:
                        continue
                    mate[x], mate[a], mate[two], mate[b] = a, x, b, two
                    count = note(was_untouched, was, one, two, count, undoing)
                    mate[a], mate[b] = b, a
                mate[x], mate[two] = x, two
            elif x_inner or two_inner:
                bare, inner = (two, x) if x_inner else (x, two)
                far = mate[bare]
                mate[bare], mate[inner], mate[far] = bare, far, inner
                free, was = was_untouched | 1 << bare, was_done & ~(1 << inner)
                count = note(free, was, one, two, count, undoing)
                mate[bare], mate[inner], mate[far] = far, inner, bare
            elif mate[x] == two:
                mate[x], mate[two] = x, two
                free = was_untouched | 1 << x | 1 << two
                count = note(free, was_done, one, two, count, undoing)
                mate[x], mate[two] = two, x
    return count


def _back(walks: Walks, order: Vector, geometry: Geometry, undoing: Undoing) -> int:
    """Go back through one stage on every walk; returns how many led nowhere, which should be none.

    In their order those of one state stand together, so that it is undone once.
    """
    layer = undoing.layer
    counts_low, counts_high = layer.count_low, layer.count_high
    lost, count, low_before, high_before = 0, 0, -1, -1
    for i in order:
        if walks.low[i] != low_before or walks.high[i] != high_before:
            low_before, high_before = walks.low[i], walks.high[i]
            count = undo(low_before, high_before, geometry, undoing)
        rest_low, rest_high = walks.rest_low[i], walks.rest_high[i]
        lost += 1
        for j in range(count):
            s = undoing.place[j]
            low, high = counts_low[s], counts_high[s] if len(counts_high) > 0 else 0
            if rest_high < high or (rest_high == high and rest_low < low):
                walks.low[i] = layer.low[s]
                walks.high[i] = layer.high[s] if len(layer.high) > 0 else 0
                walks.one[i], walks.two[i] = undoing.one[j], undoing.two[j]
                lost -= 1
                break
            rest_low -= low
            rest_high -= high
            if rest_low < 0:
                rest_low += 0x1000000000000000
                rest_high -= 1
        walks.rest_low[i], walks.rest_high[i] = rest_low, rest_high
    return lost


class Layers:
    """All layers of a frontier search, each sorted by the words of its states: an accumulator.

    Args:
        stages: all of a graph, or the first.
        compiled: choose the tier of the kernels, see `FrontierSearch`.
        record: what the search takes is added to it.

    Memory: 16 bytes a state of every layer, 8 more where the frontier is wider than 17, 8 more from 2**60
    ways on.
    """

    def __init__(
        self, stages: Sequence[Stage], *, compiled: bool | None = None, record: Progress | None = None
    ) -> None:
        self.stages, self.compiled = stages, compiled
        self.layers: list[Table] = []
        self.bytes = self.peak = 0  # of all layers but the last; of the last step
        search = FrontierSearch(stages, compiled=compiled, record=record)
        search.record.vertices = len(stages)
        search.run(self)
        self.layers.append(search.table)
        self.bytes += self.last.bytes
        self.peak_bytes = search.record.peak_bytes

    def add(self, stage: Stage, old: Table, new: Table) -> Table:
        """Keep a layer."""
        del stage
        self.layers.append(old)
        self.bytes += old.bytes
        layer = new.compact()
        sorting = layer.bytes + 8 * new.states
        self.peak = self.bytes + layer.bytes + max(new.bytes, sorting)
        done = f"after {len(self.layers):,} of {len(self.stages):,} steps"
        assert_room(self.peak, f"{done} keeping every table")
        return layer.sorted()

    @property
    def last(self) -> Table:
        """The layer after the last stage."""
        return self.layers[-1]

    @property
    def total(self) -> int:
        """The number of Hamiltonian cycles, if the stages are those of a whole graph."""
        return self.last.total if len(self.stages) > 2 else 0

    def find(self, numbers: Sequence[int]) -> list[Moves]:
        """The Hamiltonian cycles of these numbers, if the stages are those of a whole graph."""
        return self.back([(0, 0)] * len(numbers), numbers)

    def back(self, states: Sequence[tuple[int, int]], numbers: Sequence[int]) -> list[Moves]:
        """The ways of these numbers to these states of the last layer.

        Time: some 20 µs a way and stage, and 0.1 ms a stage.
        """
        n = len(numbers)
        work = sum(UNDOING * min(n, layer.states) + CHOOSING * n for layer in self.layers)
        tier = Tier(work, compiled=True if self.last.tier.compiled else self.compiled)
        rest = [divmod(number, LIMB) for number in numbers]
        low, high, rest_low, rest_high = (
            tier.words([pair[i] for pair in pairs])
            for pairs, i in ((states, 0), (states, 1), (rest, 1), (rest, 0))
        )
        edges = tier.column(len(rest), -1), tier.column(len(rest), -1)
        walks = Walks(low, high, rest_low, rest_high, *edges)
        moves: list[Moves] = [[] for _ in rest]
        after, scratch = new_scratch(tier), new_scratch(tier)
        for stage, layer in zip(reversed(self.stages), reversed(self.layers[:-1]), strict=True):
            assert_time("the way back through the layers was looked for")
            geometry = stage.geometry_in(tier)
            width, most = geometry.width, len(geometry.later)
            room = (2 + most * (most + 1)) * (width + 2)
            columns, every = layer.columns, tier.words(list(range(width)))
            if tier.compiled:
                columns = Columns(*(np.asarray(one, dtype=np.int64) for one in columns))
            found = (tier.column(room) for _ in range(3))
            undoing = Undoing(after, scratch, every, columns, *found)
            order = np.lexsort((np.asarray(walks.high), np.asarray(walks.low)))  # by states
            lost = tier(_back)(walks, tier.vector(order), geometry, undoing)
            if lost:
                raise AssertionError(f"{lost} walks do not lead back from {stage.vertex}")
            names = [*stage.vertices, -1]
            for walk, one, two in zip(moves, walks.one, walks.two, strict=True):
                walk.append((stage.vertex, names[one], names[two]))
        return moves
