"""The driver of every frontier search: all states on the frontier, vertex after vertex.

States are merged: after each vertex a table has every state once, with the number of ways to it, as a number
or as a remainder. Whatever else a search carries along is an *accumulator*: it is shown the table before and
after each vertex (`layers` keeps them for the way back). How a state is written is in `states`, what becomes
of it in `transition`, how tables are filled in `tables`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.kernels import Tier
from cavalcade.states.encoding import Scratch, Voltages, new_scratch
from cavalcade.states.tables import Columns, Table, Trays, assert_narrow, put, transform
from cavalcade.states.transition import Geometry, Stage, Successors, expand, new_successors

LONG = 10  # seconds from which it is said how long a count takes
BATCH = 256  # states that are made before they are put into trays: they stay in the first cache


class Progress:
    """The progress of a count: steps done and all steps, states and bytes now and at the peak, seconds.

    `expected_bytes` is about what the tables will take at the peak, and `expected_seconds` what the count
    takes while the machine is quiet; 0 where that is not known.

    Args:
        report: called with it after every step.
    """

    def __init__(self, report: Callable[[Progress], None] | None = None) -> None:
        self.report, self.expected_bytes, self.expected_seconds = report, 0.0, 0.0
        self.taken = self.vertices = 0
        self.states = self.peak_states = 1
        self.bytes = self.peak_bytes = self.disk = 0
        self._began = time.perf_counter()

    def __str__(self) -> str:
        """The progress in words, without the seconds."""
        words = f"{self.taken:,} of {self.vertices:,} steps, {self.states:,} states"
        words += f", {self.bytes / 2**20:,.0f} MiB"
        words += f" of about {self.expected_bytes / 2**30:,.1f} GiB" * (self.expected_bytes > 2**29)
        words += f", {self.disk / 2**20:,.0f} MiB on the disk" * (self.disk > 0)
        return words + f", about {self.expected_seconds:,.0f} s in all" * (self.expected_seconds > LONG)

    @property
    def seconds(self) -> float:
        """The time since it began."""
        return time.perf_counter() - self._began

    def step(self, states: int, size: int, peak_bytes: int, disk: int = 0) -> None:
        """One more step is done, with so many states and bytes after it, and so many bytes at its peak.

        `disk` is what its tables took on the disk.
        """
        self.taken += 1
        self.states, self.bytes = states, size
        self.peak_states = max(self.peak_states, states)
        self.peak_bytes = max(self.peak_bytes, peak_bytes)
        self.disk = disk
        if self.report:
            self.report(self)


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
    voltages: Voltages | None,
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
        at, count = expand(at, until, keys_low, keys_high, geometry, voltages, scratch, found, room)
        if count < 0:
            return -1
        for i in range(count):
            s = source[i]
            count_high = counts_high[s] if len(counts_high) > 0 else 0
            fullest = max(fullest, put(found_low[i], found_high[i], counts_low[s], count_high, trays))
    return until


class FrontierSearch:
    """Where a search is: the stages done, and the states on the frontier after them.

    Args:
        stages: the stages to come, all of a graph or the first.
        compiled: choose the tier of the kernels; None begins interpreted, unless numba is loaded already,
            and changes when the table gets large.
        modulus: count remainders, see `tables.Table`; 0 for the numbers themselves.
        rounding: where counts might outgrow two words, go on with upper bounds, in units of 2**scale.
        held: bytes that are in use besides.
        record: what it takes is added to it.
        heed: called after every vertex, for instance to save the search.
    """

    def __init__(
        self,
        stages: Sequence[Stage],
        *,
        compiled: bool | None = None,
        modulus: int = 0,
        rounding: bool = False,
        held: int = 0,
        record: Progress | None = None,
        heed: Callable[[FrontierSearch], None] | None = None,
    ) -> None:
        assert_narrow(max((one.geometry.width for one in stages), default=0))
        self.stages, self.compiled = stages, compiled
        self.rounding, self.scale = rounding, 0
        self.taken, self.held, self.heed = 0, held, heed
        self.record = record or Progress()
        self.table = Table.of_one(Tier(0, compiled=compiled), modulus=modulus)

    def run(self, accumulator: Accumulator | None = None) -> None:
        """Take all vertices that are left; what is carried along follows in the accumulator."""
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
        where = f"after {number:,} of {len(self.stages):,} steps"
        if table.may_outgrow(most):
            if not self.rounding:
                raise TooLargeError(f"{where} the counts exceed 2**120")
            table.round_up()
            self.scale += 60
        shape, kernel = stage.geometry_in(tier), tier(_take)
        voltages = stage.voltages_in(tier)

        def expand_some(old: Columns, trays: Trays, first: int, until: int) -> int:
            scratch, found = new_scratch(tier), new_successors(tier, max(BATCH, most))
            at = int(kernel(first, until, old, shape, voltages, scratch, found, trays))
            if at < 0:
                raise TooLargeError(f"{where} more than 14 paths cross the frontier: too many to handle")
            return at

        return transform(table, expand_some, most=most, two_keys=stage.two_keys, held=held, where=where)

    @property
    def cycles(self) -> int:
        """The number of Hamiltonian cycles, once all vertices are taken: that of the one state left.

        Where counts were rounded up it is an upper bound; with a modulus it is only congruent.
        """
        return self.table.total << self.scale if len(self.stages) > 2 else 0
