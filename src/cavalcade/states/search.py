"""Frontier searches, stage after stage: the record of a search, and the search by words.

After each vertex a table contains every state once, with the number of ways to reach it, as a number or as a
remainder. Anything else that a search keeps is an *accumulator*, which sees the tables before and after each
stage (`layers` keeps them for the way back). The encoding of a state is in `encoding`, its successors in
`transition`, the tables and their driver in `tables`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.kernels import Tier, Vector
from cavalcade.states.encoding import Scratch, Voltages, assert_narrow, new_scratch
from cavalcade.states.tables import RecordLayout, Table, Trays, counts, fullest, put, transform
from cavalcade.states.transition import Geometry, Stage, Successors, expand, new_successors

LONG = 10  # seconds from which the progress shows how long a count takes
BATCH = (
    256  # successors that are made before they are put into trays: 10 KiB, so they stay in the first cache
)


class Progress:
    """The progress of a count: steps done and all steps, states and bytes now and at the peak, seconds.

    `expected_bytes` and `expected_seconds` are extrapolated from the steps so far (see
    `counting.cycles.Forecast`), and 0 while there is too little to extrapolate from.

    Args:
        report: called with the record after every step.
    """

    def __init__(self, report: Callable[[Progress], None] | None = None) -> None:
        self.report, self.expected_bytes, self.expected_seconds = report, 0.0, 0.0
        self.taken = self.vertices = 0
        self.states = self.peak_states = 1
        self.bytes = self.peak_bytes = self.disk = 0
        self._began = time.perf_counter()

    def __str__(self) -> str:
        """The progress in words, without the seconds so far."""
        words = f"{self.taken:,} of {self.vertices:,} steps, {self.states:,} states"
        words += f", {self.bytes / 2**20:,.0f} MiB"
        words += f" of about {self.expected_bytes / 2**30:,.1f} GiB" * (self.expected_bytes > 2**29)
        words += f", {self.disk / 2**20:,.0f} MiB on the disk" * (self.disk > 0)
        return words + f", about {self.expected_seconds:,.0f} s in all" * (self.expected_seconds > LONG)

    @property
    def seconds(self) -> float:
        """The time since the search began."""
        return time.perf_counter() - self._began

    def step(self, states: int, size: int, peak_bytes: int, disk: int = 0) -> None:
        """Record one more step.

        Args:
            states: number of states after the step.
            size: bytes in use after the step.
            peak_bytes: bytes in use at the peak of the step.
            disk: bytes of temporary files.
        """
        self.taken += 1
        self.states, self.bytes = states, size
        self.peak_states = max(self.peak_states, states)
        self.peak_bytes = max(self.peak_bytes, peak_bytes)
        self.disk = disk
        if self.report:
            self.report(self)


class Accumulator(Protocol):
    """Data that a search keeps besides the counts of its states.

    `peak` is the number of bytes in use at the peak of the last stage.
    """

    peak: int

    @property
    def bytes(self) -> int:
        """Bytes in use."""

    def add(self, stage: Stage, old: Table, new: Table) -> Table:
        """Follow a stage, from the compact table before it to the table after it.

        Returns the new table, compact as well.
        """


def _take(
    first: int,
    until: int,
    rows: Vector,
    layout: RecordLayout,
    geometry: Geometry,
    voltages: Voltages | None,
    scratch: Scratch,
    successors: Successors,
    record: Vector,
    trays: Trays,
) -> int:
    """Take a vertex in the states of some rows, while the trays have room.

    `record` is scratch space for one record. Returns the row where it stopped, or -1 if there are too many
    paths at once.
    """
    keys, new_keys = layout.keys, trays.layout.keys
    filled, position = fullest(trays), first
    while position < until:
        capacity = min(len(successors.source), trays.depth - filled)
        if capacity < geometry.most:
            return position
        position, count = expand(
            position, until, rows, keys, layout.width, geometry, voltages, scratch, successors, capacity
        )
        if count < 0:
            return -1
        for i in range(count):
            # The words of the state, then the count of the state that it comes from.
            record[0] = successors.low[i]
            if new_keys > 1:
                record[1] = successors.high[i]
            payload = successors.source[i] * layout.width + keys
            for j in range(layout.limbs):
                record[new_keys + j] = rows[payload + j]
            filled = max(filled, put(record, trays))
    return until


class FrontierSearch:
    """A search by words, with a count for each state.

    Args:
        stages: the stages to come, all of a graph or the first.
        compiled: chooses the tier of the kernels; None begins interpreted, unless numba is loaded already,
            and changes when the table gets large.
        modulus: counts are remainders, see `tables.RecordLayout`; 0 for the counts themselves.
        rounding: if counts may outgrow two limbs, continue with upper bounds, in units of 2**scale.
        record: receives the steps and peaks of the search.
    """

    def __init__(
        self,
        stages: Sequence[Stage],
        *,
        compiled: bool | None = None,
        modulus: int = 0,
        rounding: bool = False,
        record: Progress | None = None,
    ) -> None:
        assert_narrow(max((stage.geometry.width for stage in stages), default=0))
        self.stages, self.compiled = stages, compiled
        self.rounding, self.scale = rounding, 0
        self.taken = 0
        self.record = record or Progress()
        tier = Tier(0, compiled=compiled)
        self.table = Table(tier, tier.words([0, 1]), 1, counts(modulus=modulus))  # no frontier, counted once

    def run(self, accumulator: Accumulator | None = None) -> None:
        """Take all remaining vertices."""
        while self.taken < len(self.stages):
            self.take(accumulator)

    def take(self, accumulator: Accumulator | None = None) -> None:
        """Take the next vertex in every state."""
        stage = self.stages[self.taken]
        self.table = old = self.table.ready(self.compiled)
        self.table, peak = self._after(stage, old, accumulator.bytes if accumulator else 0)
        if accumulator:
            self.table = accumulator.add(stage, old, self.table)
            peak = max(peak, accumulator.peak)
        self.taken += 1
        size = self.table.bytes + (accumulator.bytes if accumulator else 0)
        self.record.step(self.table.states, size, peak)

    def _after(self, stage: Stage, table: Table, held: int) -> tuple[Table, int]:
        """The table after a stage, and the bytes in use at its peak."""
        tier, most = table.tier, stage.geometry.most
        where = f"after {self.taken:,} of {len(self.stages):,} steps"
        if table.may_outgrow(most):
            if not self.rounding:
                raise TooLargeError(f"{where} the counts exceed 2**120")
            table.round_up()
            self.scale += 60
        kernel, layout = tier(_take), table.layout
        geometry, voltages = stage.geometry_in(tier), stage.voltages_in(tier)

        def expand_some(trays: Trays, first: int, until: int) -> int:
            scratch, successors = new_scratch(tier), new_successors(tier, max(BATCH, most))
            record = tier.column(trays.layout.width)
            stopped = int(
                kernel(
                    first, until, table.rows, layout, geometry, voltages, scratch, successors, record, trays
                )
            )
            if stopped < 0:
                raise TooLargeError(f"{where} more than 14 paths cross the frontier: too many to handle")
            return stopped

        new = counts(stage.keys, layout.limbs, layout.modulus)
        return transform(table, expand_some, layout=new, most=most, held=held, where=where)

    @property
    def cycles(self) -> int:
        """The number of Hamiltonian cycles after all vertices are taken: the count of the only state.

        If counts were rounded up it is an upper bound; with a modulus it is only congruent.
        """
        return self.table.total << self.scale if len(self.stages) > 2 else 0
