"""Frontier searches: the loop over the stages, the record of a search, and the search by words.

After each vertex, a table contains every state once, with the number of ways to reach it, as a number or as a
remainder. `StageSearch` runs the stages of any such table: `FrontierSearch` has tables of words,
`pattern_search.PatternSearch` has tables of degree patterns, and `layers.Layers` keeps all tables for the way
back. The encoding of a state is in `encoding`, its successors are in `transition`, the tables of words and
their driver in `tables`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Generic, TypeVar

from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.kernels import Tier, Vector
from cavalcade.states.encoding import MOST_PATHS, Scratch, Voltages, assert_narrow, new_scratch
from cavalcade.states.patterns import Patterns
from cavalcade.states.tables import RecordLayout, Table, Trays, counts, fullest, put, transform
from cavalcade.states.transition import Geometry, Stage, Successors, expand, new_successors

LONG = 10  # seconds from which the progress shows how long a count takes: shorter ones end before it is read
# Successors that are made before they are put into trays: 10 KiB, so that they stay in the first-level cache.
BATCH = 256

TableT = TypeVar("TableT", Table, Patterns)


class Progress:
    """The progress of a count: steps done and all steps, states and bytes now and at the peak, seconds.

    `work` is the number of states, added up over the steps.
    `expected_bytes` and `expected_seconds` are extrapolated from the steps so far (see
    `counting.cycles.Forecast`), and 0 while there is too little to extrapolate from.

    Args:
        report: called with the record after every step.
    """

    def __init__(self, report: Callable[[Progress], None] | None = None) -> None:
        self.report, self.expected_bytes, self.expected_seconds = report, 0.0, 0.0
        self.taken = self.vertices = self.work = 0
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
        self.work += states
        self.states, self.bytes = states, size
        self.peak_states = max(self.peak_states, states)
        self.peak_bytes = max(self.peak_bytes, peak_bytes)
        self.disk = disk
        if self.report:
            self.report(self)


@dataclass(eq=False, repr=False)
class StageSearch(Generic[TableT]):
    """A search that takes one vertex after the other. A subclass makes the tables.

    Attributes:
        stages: the stages to come, all of a graph or the first.
        compiled: chooses the tier of the kernels; None begins interpreted, unless numba is loaded already,
            and changes when the table gets large.
        record: receives the steps and peaks of the search.
        on_step: called with the search after every vertex, for instance to save it.
        table: the table after the stages done; a subclass makes the first one.
        taken: number of stages done.
        held: bytes in use besides the tables before and after a stage.
    """

    stages: Sequence[Stage]
    _: KW_ONLY
    compiled: bool | None = None
    record: Progress = field(default_factory=Progress)
    on_step: Callable[[Any], None] | None = None
    table: TableT = field(init=False)
    taken: int = field(init=False, default=0)
    held: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        assert_narrow(max((stage.geometry.width for stage in self.stages), default=0))

    def run(self) -> None:
        """Take all remaining vertices."""
        while self.taken < len(self.stages):
            self.take()

    def take(self) -> None:
        """Take the next vertex in every state."""
        self.table, peak, disk = self.after(self.stages[self.taken])
        self.taken += 1
        if self.on_step:
            self.on_step(self)
        self.record.step(self.table.states, self.held + self.table.bytes, peak, disk)

    def after(self, stage: Stage) -> tuple[TableT, int, int]:
        """Return the table after a stage, the bytes in memory at the peak, and the bytes on the disk."""
        raise NotImplementedError

    @property
    def where(self) -> str:
        """The progress of the search, for error messages."""
        return f"after {self.taken:,} of {len(self.stages):,} steps"

    @property
    def cycles(self) -> int:
        """The number of Hamiltonian cycles after all vertices are taken: the count of the only state."""
        return self.table.total if len(self.stages) > 2 else 0


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


@dataclass(eq=False, repr=False)
class FrontierSearch(StageSearch[Table]):
    """A search by words, with a count for each state.

    Attributes:
        modulus: counts are remainders, see `tables.RecordLayout`; 0 for the counts themselves.
        rounding: if counts may outgrow two limbs, continue with upper bounds, in units of 2**scale.
        scale: see `rounding`.
    """

    modulus: int = 0
    rounding: bool = False
    scale: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        tier = Tier(0, compiled=self.compiled)
        # No frontier, counted once.
        self.table = Table(tier, tier.words([0, 1]), 1, counts(modulus=self.modulus))

    def after(self, stage: Stage) -> tuple[Table, int, int]:
        """Return the table after a stage, the bytes in memory at the peak, and no bytes on the disk."""
        table, most, where = self.table.ready(self.compiled), stage.geometry.most, self.where
        tier = table.tier
        if table.may_outgrow(most):
            if not self.rounding:
                raise TooLargeError(f"{where} the counts exceed 2**120")
            table.round_up()
            self.scale += 60
        kernel, layout, rows = tier(_take), table.layout, table.rows
        geometry, voltages = stage.geometry_in(tier), stage.voltages_in(tier)

        def expand_some(trays: Trays, first: int, until: int) -> int:
            scratch, successors = new_scratch(tier), new_successors(tier, max(BATCH, most))
            record = tier.column(trays.layout.width)
            stopped = kernel(
                first, until, rows, layout, geometry, voltages, scratch, successors, record, trays
            )
            if stopped < 0:
                raise TooLargeError(
                    f"{where} more than {MOST_PATHS} paths cross the frontier: too many to handle"
                )
            return int(stopped)

        new = counts(stage.keys, layout.limbs, layout.modulus)
        result, peak = transform(table, expand_some, layout=new, most=most, held=self.held, where=where)
        return result, peak, 0

    @property
    def cycles(self) -> int:
        """The number of Hamiltonian cycles after all vertices are taken: the count of the only state.

        If counts were rounded up, it is an upper bound; with a modulus it is only congruent.
        """
        return super().cycles << self.scale
