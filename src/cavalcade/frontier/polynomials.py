"""Polynomials in place of numbers: in how many ways a state is reached with exactly k edges of a type.

Give every edge of the type the weight x. A state then has a polynomial in place of its number: the
coefficient of x^k is the number of ways to it with k edges of the type. No state is added, and every step
from state to state adds one polynomial to another, shifted by the edges of the type that it makes.
Coefficients are machine words, modulo 2^64: they are exact, since none exceeds the number of all cycles,
which the search also counts.

The search makes the states of a stage first. Then its *links*, which state comes of which by which edges, are
written down once, and the polynomials of all types follow them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cavalcade.frontier.states import Scratch, new_scratch
from cavalcade.frontier.tables import Columns, Table, slot
from cavalcade.frontier.transition import Geometry, Stage, Successors, expand, new_successors
from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.kernels import Tier, Vector
from cavalcade.ground.threads import cores, spread

Edge = tuple[int, int]  # the smaller end first

SHARE_FROM = 1 << 14  # states from which the work is shared out among the cores
BLOCK = 1 << 16  # links that are written down at a time
WORD = 1 << 64


class StateLinks(NamedTuple):
    """Which states come of which: their places in the old and the new layer, and v's new edges, or -1."""

    source: Vector
    target: Vector
    one: Vector
    two: Vector


class Row(NamedTuple):
    """A polynomial for each state.

    Args:
        lowest: of each the lowest power of x.
        start: of each where its coefficients start, from that of the lowest power up to that of the highest;
            and where they end.
        coefficients: those of all, modulo 2**64.
    """

    lowest: Vector
    start: Vector
    coefficients: Vector


def _link(
    first: int,
    until: int,
    layer: Columns,
    geometry: Geometry,
    scratch: Scratch,
    found: Successors,
    new: Columns,
    number: Vector,
    target: Vector,
) -> tuple[int, int]:
    """What comes of the states from `first` on, as long as there is room: where it stopped, and how many."""
    at, count = expand(first, until, layer.low, layer.high, geometry, None, scratch, found, len(found.low))
    mask = len(new.low) - 1
    two_keys = len(new.high) > 0
    for i in range(count):
        low, high = found.low[i], found.high[i]
        s = slot(low, high, mask)
        while new.low[s] != low or (two_keys and new.high[s] != high):
            s = (s + 1) & mask
        target[i] = number[s]
    return at, count


def _span(links: StateLinks, weight: Vector, old: Row, lowest: Vector, highest: Vector) -> None:
    """Widen the powers of every new state. `weight[i + 1]` is that of the edge to place i."""
    for i in range(len(links.source)):
        s, t = links.source[i], links.target[i]
        more = old.lowest[s] + weight[links.one[i] + 1] + weight[links.two[i] + 1]
        lowest[t] = min(lowest[t], more)
        highest[t] = max(highest[t], more + old.start[s + 1] - old.start[s] - 1)


def _add_up(links: StateLinks, weight: Vector, old: Row, new: Row, first: int, until: int) -> None:
    """Add along the links to the new states from `first` up to `until`."""
    for i in range(len(links.source)):
        t = links.target[i]
        if t < first or t >= until:
            continue
        s = links.source[i]
        more = weight[links.one[i] + 1] + weight[links.two[i] + 1]
        b = new.start[t] + old.lowest[s] + more - new.lowest[t]
        for a in range(old.start[s], old.start[s + 1]):
            new.coefficients[b] += old.coefficients[a]
            b += 1


class Polynomials:
    """The polynomials of a search, one for each state and type: an accumulator.

    Args:
        types: the edges of each type.
    """

    def __init__(self, types: Sequence[frozenset[Edge]]) -> None:
        self.types = types
        self.rows = [Row([0], [0, 1], [1]) for _ in types]
        self.peak = 0  # bytes of the last stage

    @property
    def bytes(self) -> int:
        """What they take."""
        return sum(map(_bytes, self.rows))

    def add(self, stage: Stage, old: Table, new: Table) -> Table:
        """Follow a stage; the polynomials before it are used up, one type after the other."""
        tier, at = old.tier, stage.vertex
        self.rows = [_ready(row, tier) for row in self.rows]
        self.peak = old.bytes + new.bytes + self.bytes
        links = self._links(stage, old, new)
        held = old.bytes + new.bytes + self.bytes + sum(map(_bytes, links))
        shares = cores() if tier.compiled and new.states >= SHARE_FROM else 1
        bounds = [new.states * i // shares for i in range(shares + 1)]
        after: list[Row] = []
        for edges in self.types:
            row = self.rows.pop(0)
            weight = tier.words([0, *(int((min(at, w), max(at, w)) in edges) for w in stage.vertices)])
            lowest, highest = tier.full(new.states, 1 << 30), tier.full(new.states, -1)
            for some in links:
                tier(_span)(some, weight, row, lowest, highest)
            start = np.zeros(new.states + 1, dtype=np.int64)
            np.cumsum(np.asarray(highest) - np.asarray(lowest) + 1, out=start[1:])
            size = int(start[-1])
            held += 8 * size + 12 * new.states
            self._assert_room(held)
            made = Row(lowest, tier.vector(start), tier.column(size))

            def add_up(i: int, made: Row = made, row: Row = row, weight: Vector = weight) -> None:
                for some in links:
                    assert_time("the polynomials of a stage were added up")
                    tier(_add_up)(some, weight, row, made, bounds[i], bounds[i + 1])

            spread(add_up, range(shares), threads=shares)
            after.append(made)
            held -= _bytes(row)
        self.rows = after
        return new.compact()

    def _links(self, stage: Stage, old: Table, new: Table) -> list[StateLinks]:
        """The links of a stage."""
        tier, most, held = old.tier, stage.geometry.most, self.peak
        number = tier.vector((np.cumsum(np.asarray(new.columns.low) >= 0) - 1).astype(np.int32))
        shape, kernel = stage.geometry_in(tier), tier(_link)
        shares = cores() if tier.compiled and old.states >= SHARE_FROM else 1
        bounds = [old.states * i // shares for i in range(shares + 1)]

        def link(i: int) -> list[StateLinks]:
            room = max(most, min(BLOCK, most * old.states))
            scratch, found, target = new_scratch(tier), new_successors(tier, room), tier.full(room)
            at, some, size = bounds[i], [], 0
            while at < bounds[i + 1]:
                assert_time("the links between the states of two stages were written down")
                at, count = kernel(
                    at, bounds[i + 1], old.columns, shape, scratch, found, new.columns, number, target
                )
                some.append(_narrow(found, target, count))
                size += _bytes(some[-1])
                self._assert_room(held + 4 * new.places + shares * size)
            return some

        return [one for some in spread(link, range(shares), threads=shares) for one in some]

    def _assert_room(self, needed: int) -> None:
        assert_room(needed, "the table of polynomials, one for each state,")
        self.peak = max(self.peak, needed)

    def read(self) -> list[dict[int, int]]:
        """At the end, for each type how many cycles have k edges of it, by k, zeros left out."""
        return [
            {
                int(row.lowest[0]) + k: int(number) % WORD
                for k, number in enumerate(row.coefficients)
                if int(number)
            }
            for row in self.rows
        ]


def _narrow(found: Successors, target: Vector, count: int) -> StateLinks:
    """A copy of the links that were found, as narrow as they can be."""
    if isinstance(target, list):
        return StateLinks(found.source[:count], target[:count], found.one[:count], found.two[:count])
    source, one, two = (np.asarray(some[:count]) for some in (found.source, found.one, found.two))
    return StateLinks(
        source.astype(np.int32), target[:count].copy(), one.astype(np.int8), two.astype(np.int8)
    )


def _ready(row: Row, tier: Tier) -> Row:
    """The same for the kernels of this tier."""
    if not tier.compiled or not isinstance(row.lowest, list):
        return row
    return Row(np.array(row.lowest, dtype=np.int32), tier.words(row.start), tier.words(row.coefficients))


def _bytes(some: Row | StateLinks) -> int:
    """What they take."""
    return sum(8 * len(one) if isinstance(one, list) else one.nbytes for one in some)
