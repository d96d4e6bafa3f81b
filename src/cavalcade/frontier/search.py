"""The driver of every frontier search: all states on the frontier, vertex after vertex.

States are merged: after each vertex a table has every state once, with the number of ways to it, as a number
or as a remainder. Whatever else a search carries along is an *accumulator*: it is shown the table before and
after each vertex (`layers` keeps them for the way back, `polynomials` weighs the moves). How a state is
written is in `states`, what becomes of it in `transition`, how tables are filled in `tables`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from cavalcade.frontier.states import (
    PLACES,
    Allowed,
    Scratch,
    Voltages,
    WordLayout,
    allowed_of,
    fits,
    new_scratch,
    pack,
    two_words,
    unpack,
)
from cavalcade.frontier.tables import Columns, Table, Trays, assert_narrow, put, slot, transform
from cavalcade.frontier.transition import Geometry, Successors, expand, new_successors
from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.kernels import Kernel, Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cavalcade.frontier.transition import Stage

BATCH = 256  # states that are made before they are put into trays: they stay in the first cache


@dataclass(frozen=True)
class Progress:
    """The progress of a count: steps done and all steps, states and bytes now, and the most states so far.

    `expected_bytes` is about what the tables will take at the peak, 0 where that is not known.
    """

    taken: int
    vertices: int
    states: int
    bytes: int
    peak_states: int
    seconds: float
    expected_bytes: float = 0


class Record:
    """What a count has taken so far: its steps, its seconds, and the states and bytes at the peak.

    `steps` is how many steps it takes, `expected_bytes` about what the tables will take at the peak, as far
    as that is known.

    Args:
        progress: called after every step.
    """

    def __init__(self, progress: Callable[[Progress], None] | None = None) -> None:
        self.progress, self.expected_bytes = progress, 0.0
        self.taken = self.steps = 0
        self.peak_states, self.peak_bytes = 1, 0
        self._began = time.perf_counter()

    @property
    def seconds(self) -> float:
        """The time since it began."""
        return time.perf_counter() - self._began

    def step(self, states: int, size: int, peak_bytes: int) -> None:
        """One more step is done, with so many states and bytes after it, and so many bytes at its peak."""
        self.taken += 1
        self.peak_states = max(self.peak_states, states)
        self.peak_bytes = max(self.peak_bytes, peak_bytes)
        if self.progress:
            now = (self.taken, self.steps, states, size, self.peak_states)
            self.progress(Progress(*now, self.seconds, self.expected_bytes))


class Accumulator(Protocol):
    """What a search carries along besides the numbers of its states.

    `peak` is what all took at the peak of the last stage.
    """

    peak: int

    @property
    def bytes(self) -> int:
        """What it takes."""

    def add(self, stage: Stage, old: Table, new: Table) -> Table:
        """Follow a stage, from its table before (without empty places) to that after it.

        Returns the new table, likewise without empty places.
        """


def _take(
    first: int,
    until: int,
    table: Columns,
    geometry: Geometry,
    layout: WordLayout,
    voltages: Voltages | None,
    allowed: Allowed,
    scratch: Scratch,
    found: Successors,
    trays: Trays,
) -> int:
    """Take a vertex in the states from place `first` up to `until`, as long as the trays have room.

    Returns where it stopped, or -1 if there are too many paths at once.
    """
    keys_low, keys_high, counts_low, counts_high = table
    source, found_low, found_high = found.source, found.low, found.high
    fullest = 0
    for i in range(len(trays.fill)):
        fullest = max(fullest, trays.fill[i])
    at = first
    while at < until:
        room = min(len(source), trays.depth - fullest)
        if room < geometry.most:
            return at
        at, count = expand(at, until, keys_low, keys_high, geometry, layout, voltages, scratch, found, room)
        if count < 0:
            return -1
        for i in range(count):
            if not fits(found_low[i], found_high[i], layout, allowed):
                continue
            s = source[i]
            count_high = counts_high[s] if len(counts_high) > 0 else 0
            fullest = max(fullest, put(found_low[i], found_high[i], counts_low[s], count_high, trays))
    return until


take_kernel = Kernel(_take, uses=[slot, put, unpack, pack, fits, expand])


class FrontierSearch:
    """Where a search is: the stages done, and the states on the frontier after them.

    Args:
        stages: the stages to come, all of a graph or the first.
        voltages: of the edges of each stage (see `counting.voltage`), for the tier that it is given; none if
            there are none.
        two_keys: write all states in two words.
        compiled: choose the tier of the kernels; None begins interpreted, unless numba is loaded already,
            and changes when the table gets large.
        modulus: count remainders, see `tables.Table`; 0 for the numbers themselves.
        rounding: where counts might outgrow two words, go on with upper bounds, in units of 2**scale.
        allowed: for each stage what vertices may be after it, see `states.Allowed`; other states are dropped.
        held: bytes that are in use besides.
        record: what it takes is added to it.
        heed: called after every vertex, for instance to save the search.

    Raises:
        TooLargeError: the frontier gets too wide for two words.
    """

    def __init__(
        self,
        stages: Sequence[Stage],
        *,
        voltages: Callable[[int, Tier], Voltages] | None = None,
        two_keys: bool = False,
        compiled: bool | None = None,
        modulus: int = 0,
        rounding: bool = False,
        allowed: Sequence[Mapping[int, int]] = (),
        held: int = 0,
        record: Record | None = None,
        heed: Callable[[FrontierSearch], None] | None = None,
    ) -> None:
        assert_narrow(max((one.geometry.width for one in stages), default=0))
        self.stages, self.compiled, self.allowed = stages, compiled, allowed
        self.voltages, self.two_keys = voltages, two_keys
        self.rounding, self.scale = rounding, 0
        self.taken, self.held, self.heed = 0, held, heed
        self.record = record or Record()
        self.table = Table.of_one(Tier(0, compiled=compiled), two_keys=two_keys, modulus=modulus)

    def run(self, accumulator: Accumulator | None = None) -> None:
        """Take all vertices that are left.

        Args:
            accumulator: what is carried along.

        Raises:
            TooLargeError: the paths on the frontier, the counts or the tables get too large.
            TimeoutError: the time limit is reached.
        """
        while self.taken < len(self.stages):
            self.take(accumulator)

    def take(self, accumulator: Accumulator | None = None) -> None:
        """Take the next vertex in every state; see `run`."""
        number, stage = self.taken, self.stages[self.taken]
        table = self.table.compact() if accumulator and not number else self.table
        self.table = old = table.ready(self.compiled)
        held = self.held + (accumulator.bytes if accumulator else 0)
        self.table, peak = self._after(number, stage, old, held)
        if accumulator:
            self.table = accumulator.add(stage, old, self.table)
            peak = max(peak, accumulator.peak)
        self.taken += 1
        if self.heed:
            self.heed(self)
        size = self.held + self.table.bytes + (accumulator.bytes if accumulator else 0)
        self.record.step(self.table.states, size, peak)

    def _after(self, number: int, stage: Stage, table: Table, held: int) -> tuple[Table, int]:
        """The table after a stage, and the bytes at its peak."""
        tier, most = table.tier, stage.geometry.most
        where = f"after {number:,} of {len(self.stages):,} vertices"
        if table.may_outgrow(most):
            if not self.rounding:
                raise TooLargeError(f"{where} the counts exceed 2**120")
            table.round_up()
            self.scale += 60
        shape, layout, kernel = stage.geometry_in(tier), two_words(tier), tier(take_kernel)
        voltages = self.voltages(number, tier) if self.voltages else None
        known = self.allowed[number] if self.allowed else {}
        allowed = allowed_of(tier, {i: known[v] for i, v in enumerate(stage.frontier) if v in known})

        def expand_some(old: Columns, trays: Trays, first: int, until: int) -> int:
            scratch, found = new_scratch(tier), new_successors(tier, max(BATCH, most))
            at = int(kernel(first, until, old, shape, layout, voltages, allowed, scratch, found, trays))
            if at < 0:
                raise TooLargeError(f"{where} more than 14 paths cross the frontier: too many to handle")
            return at

        two_keys = self.two_keys or len(shape.keep) > PLACES
        return transform(table, expand_some, most=most, two_keys=two_keys, held=held, where=where)

    @property
    def cycles(self) -> int:
        """The number of Hamiltonian cycles, once all vertices are taken: that of the one state left.

        Where counts were rounded up it is an upper bound; with a modulus it is only congruent.
        """
        return self.table.total << self.scale if len(self.stages) > 2 else 0
