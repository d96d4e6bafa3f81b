"""Counting Hamiltonian cycles by frontier search: the states on the frontier, vertex after vertex.

States are merged: after each vertex a table has every state once, with the number of ways to it. How a state
is written is in `states`, what becomes of it in `transition`, how tables are filled in `tables`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.counting.states import (
    PLACES,
    Scratch,
    Voltages,
    Wanted,
    WordLayout,
    fits,
    new_scratch,
    pack,
    two_words,
    unpack,
    wanted_of,
)
from cavalcade.counting.tables import Columns, Table, Trays, put, slot, transform
from cavalcade.counting.transition import Geometry, Successors, expand, new_successors
from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.kernels import Kernel, Tier

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cavalcade.counting.transition import Stage

BATCH = 256  # states that are made before they are put into trays


def _take(
    first: int,
    until: int,
    table: Columns,
    geometry: Geometry,
    layout: WordLayout,
    voltages: Voltages | None,
    wanted: Wanted,
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
            if not fits(found_low[i], found_high[i], layout, wanted):
                continue
            s = source[i]
            count_high = counts_high[s] if len(counts_high) > 0 else 0
            fullest = max(fullest, put(found_low[i], found_high[i], counts_low[s], count_high, trays))
    return until


take_kernel = Kernel(_take, uses=[slot, put, unpack, pack, fits, expand])


class FrontierSearch:
    """Where a search is: the stages done, and the states on the frontier after them.

    Args:
        steps: the stages to come, all of a graph or the first.
        voltages: of the edges of each stage (see `voltage`), for the tier that it is given; none if there are
            none.
        memory: bytes that may be in use.
        compiled: choose the tier of the kernels; None begins interpreted, unless numba is loaded already,
            and changes when it gets large.
        modulus: count remainders, see `tables.Table`; 0 for the numbers themselves.
        rounding: where counts might outgrow two words, go on with upper bounds, in units of 2**scale.
        wanted: for each stage what vertices have to be after it, see `states.Wanted`; states that do not fit
            are dropped.
    """

    def __init__(
        self,
        steps: Sequence[Stage],
        *,
        memory: int,
        compiled: bool | None = None,
        voltages: Callable[[int, Tier], Voltages] | None = None,
        two_keys: bool = False,
        modulus: int = 0,
        rounding: bool = False,
        wanted: Sequence[Mapping[int, int]] = (),
    ) -> None:
        self.stages, self.memory, self.compiled = steps, memory, compiled
        self.wanted = wanted
        self.voltages, self.two_keys = voltages, two_keys
        self.rounding, self.scale = rounding, 0
        self.taken, self.held = 0, 0
        self.table = Table.of_one(Tier(0, compiled=compiled), two_keys=two_keys, modulus=modulus)
        self.peak_states, self.peak_bytes = 1, 0

    def take(self) -> None:
        """Take the next vertex in every state.

        Raises:
            TooLargeError: the paths on the frontier, the counts or the tables get too large.
        """
        number, stage = self.taken, self.stages[self.taken]
        self.table = table = self.table.ready(self.compiled)
        tier, most = table.tier, stage.geometry.most
        where = f"after {number:,} of {len(self.stages):,} vertices"
        if table.may_outgrow(most):
            if not self.rounding:
                raise TooLargeError(f"{where} the counts exceed 2**120")
            table.round_up()
            self.scale += 60
        shape, layout, kernel = stage.given(tier), two_words(tier), tier(take_kernel)
        voltages = self.voltages(number, tier) if self.voltages else None
        known = self.wanted[number] if self.wanted else {}
        wanted = wanted_of(tier, {i: known[v] for i, v in enumerate(stage.frontier) if v in known})

        def expand_some(old: Columns, trays: Trays, first: int, until: int) -> int:
            scratch, found = new_scratch(tier), new_successors(tier, max(BATCH, most))
            at = int(kernel(first, until, old, shape, layout, voltages, wanted, scratch, found, trays))
            if at < 0:
                raise TooLargeError(
                    f"{where} more than 14 paths cross the frontier at once: too many to handle"
                )
            return at

        self.table, peak = transform(
            table,
            expand_some,
            most=most,
            two_keys=self.two_keys or len(shape.keep) > PLACES,
            memory=self.memory,
            held=self.held,
            where=where,
        )
        self.taken += 1
        self.peak_states = max(self.peak_states, self.table.states)
        self.peak_bytes = max(self.peak_bytes, peak)

    @property
    def cycles(self) -> int:
        """The number of Hamiltonian cycles, once all vertices are taken: that of the one state left.

        No less than it where counts were rounded up; only congruent to it with a modulus.
        """
        return self.table.total << self.scale if len(self.stages) > 2 else 0
