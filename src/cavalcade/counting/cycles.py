"""Counting Hamiltonian cycles: a frontier search that continues from checkpoints, and a forecast of its cost.

The forecast has no fitted constants. Before a count begins there is only an upper bound: the number of all
possible states on the widest frontier. From `BEGUN` states on the forecast is extrapolated from the search
itself: the largest share of the possible states that occurred on a frontier so far, and the present bytes and
time for a state. On ten boards of 200,000 to 12,000,000 states it was between a fiftieth of the peak and four
times the peak; in the second half of the steps, on boards that are not counted in halves, between 0.6 and 1.6
times the peak. The time of the meeting of two halves is not included. A search that keeps all its tables, as
for random tours, also extrapolates the growth of the shares: on 7x7 (open), 7x10 and 8x8 the forecasts after
four steps are at most three times the bytes and the time that the search takes.
"""

from __future__ import annotations

import math
import shutil
import warnings
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.ground.budget import data_size, memory_limit, seconds_left
from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.wording import say
from cavalcade.question.graph import MoveGraph
from cavalcade.states.order import frontier_widths, narrow_order
from cavalcade.states.pattern_search import TABLES, PatternSearch
from cavalcade.states.patterns import WORD
from cavalcade.states.ranks import number_of
from cavalcade.states.search import Progress
from cavalcade.states.transition import neighbours, stages
from cavalcade.states.weights import AT_ONCE

if TYPE_CHECKING:
    from cavalcade.counting.receipts import Recorder
    from cavalcade.states.layers import Layers

# Words of a search, a multiple of AT_ONCE: a state has at most 255 bytes for its words, of WORD bits each.
MOST_WORDS = 255 // (WORD // 8) // AT_ONCE * AT_ONCE
BEGUN = 1 << 16  # states from which a search is extrapolated: many wide boards never have more
LARGE = 10_000_000  # expected states from which a count is refused or a warning given
CERTAIN = 3  # a search is refused if its extrapolation exceeds the disk, memory or time by this factor


def count_cycles(
    graph: MoveGraph,
    *,
    order: list[int] | None = None,
    last: int | None = None,
    record: Progress | None = None,
    checkpoints: Checkpoints | None = None,
    receipt: Recorder | None = None,
    compiled: bool | None = None,
) -> int:
    """The number of Hamiltonian cycles of a graph, undirected, exact.

    Args:
        graph: any graph.
        order: the vertices in the order in which they are taken; by default a narrow one.
        last: a vertex to take last.
        record: receives steps and peaks, and reports them after every vertex.
        checkpoints: the file to which the tables are saved, and from which an interrupted count continues.
        receipt: receives the states after every vertex.
        compiled: chooses the tier of the kernels, see `FrontierSearch`.

    Time and memory grow with the states, exponentially in the width of the frontier: 6x6 has 1,300 at its
    peak, 6x8 460 thousand, 7x8 10 million. In a large table a state takes about three bytes, and the bytes of
    its count beyond the first.
    """
    order = narrow_order(graph, last) if order is None else order
    checkpoints, record = checkpoints or Checkpoints(), record or Progress()
    forecast = Forecast(frontier_widths(graph, order), record, checkpoints.directory)
    steps = stages(neighbours(graph), order, ascending=True)
    record.vertices = len(steps)
    if receipt:
        receipt.order = order

    def on_step(search: PatternSearch) -> None:
        forecast.update(search)
        if receipt:
            receipt.after(search)
        checkpoints.save_if_due(search)

    with checkpoints.opened(graph, order):
        search = PatternSearch(
            steps, compiled=compiled, record=record, on_step=on_step, directory=checkpoints.directory
        )
        checkpoints.resume(search)
        search.run()
    return search.cycles


@cache
def possible_states(places: int) -> int:
    """The number of states on some places: matched ends, and each other place untouched or done."""
    return sum(math.comb(places, n) * 2 ** (places - n) * number_of(n) for n in range(0, places + 1, 2))


class Forecast:
    """The states, bytes and seconds that a count is expected to take; written to its record.

    Args:
        widths: width of the frontier after each step.
        record: record of the count. Its `peak_states`, if there was a count of the same states before, are
            expected again; otherwise `states` begins as an upper bound.
        directory: for files of tables that memory cannot hold; None is the system's own.
        words: number of words that are searched instead of a count.
        keeps_all: whether the tables of all steps stay in memory, as for random tours.
    """

    def __init__(
        self,
        widths: list[int],
        record: Progress,
        directory: Path | None = None,
        words: int = 0,
        *,
        keeps_all: bool = False,
    ) -> None:
        self._possible, self._keeps_all = [possible_states(width) for width in widths], keeps_all
        self._directory, self._record, self._warned = directory, record, False
        self._counted, self._words, self._shares = 0, words, list[float]()
        self._base: tuple[float, int] | None = None  # seconds and states when the first large table was there
        self.states = float(min(max(self._possible, default=1), 1 << 62))
        if record.peak_states > 1:
            self.states = min(self.states, float(record.peak_states))
        capacity = TABLES * memory_limit() / 2 / self.states * 8 // WORD
        batch = max(1, capacity // AT_ONCE) * AT_ONCE
        self.at_once = int(min(MOST_WORDS, batch, -(-words // AT_ONCE) * AT_ONCE))

    @property
    def searches(self) -> int:
        """Number of searches for all words."""
        return -(-self._words // self.at_once) if self._words else 1

    def update(self, search: PatternSearch | Layers) -> None:
        """Extrapolate from a search after a step.

        Raises:
            TooLargeError: the tables will exceed the free disk, or if all are kept in memory, the memory or
                the time limit, by a factor of `CERTAIN`.
        """
        table, taken, record = search.table, search.taken, self._record
        self._counted = self._counted * (taken > 1) + table.states
        if table.states < BEGUN or taken > len(self._possible):
            return
        # Shares differ between narrow and wide frontiers, so the largest one so far counts.
        share = max([table.states / self._possible[taken - 1], *self._shares[-1:]])
        self._shares.append(share)
        expected = self._later(taken)
        self.states = max(record.peak_states, table.states, *expected, 1)
        # Assume the present bytes per state. The tables before and after a step are in memory together.
        record.expected_bytes = 2 * self.states * table.bytes_per_state
        if self._keeps_all:
            record.expected_bytes = search.held + table.bytes + sum(expected) * table.bytes_per_state
        # The time for a state is measured from the first large table on, without the start and loading numba.
        if self._base is None:
            self._base = record.seconds, self._counted
        seconds, states = record.seconds - self._base[0], self._counted - self._base[1]
        if states > 0:
            later = (self.searches - 1) * (self._counted + sum(expected)) + sum(expected)
            record.expected_seconds = record.seconds + seconds / states * later
        if self._keeps_all:
            self._assert_kept()
        elif not self._warned and self.states >= LARGE and record.expected_bytes > memory_limit():
            self._warned = True
            self._warn()

    def _later(self, taken: int) -> list[float]:
        """The expected states after each later step.

        If all tables are kept, the growth of the shares counts. It varies too much over fewer than four
        steps. No share above a quarter occurred on boards of 6 to 8 ranks.
        """
        share, growth, steps = self._shares[-1], 1.0, len(self._shares) - 1
        if self._keeps_all and steps >= 4:
            growth = (share / self._shares[0]) ** (1 / steps)
        most = max(share, 1 / 4)
        return [min(share * growth**k, most) * rest for k, rest in enumerate(self._possible[taken:], 1)]

    def _assert_kept(self) -> None:
        """Refuse tables of all steps that are far too large for the memory or the time limit."""
        need, time = self._record.expected_bytes, self._record.expected_seconds - self._record.seconds
        if need > CERTAIN * memory_limit():
            sizes = f"{data_size(need)}, the memory limit is {data_size(memory_limit())}"
            raise TooLargeError(f"the tables of all steps need about {sizes}")
        if len(self._shares) > 4 and time > CERTAIN * seconds_left():
            remaining = f"{seconds_left():,.0f} s of the time limit are left"
            raise TooLargeError(f"the tables of all steps take about {time:,.0f} s more, and {remaining}")

    def _warn(self) -> None:
        """Warn once that the tables will go to the disk; refuse a count that is far too large for it."""
        import tempfile

        directory = self._directory or tempfile.gettempdir()
        free = shutil.disk_usage(directory).free
        size, seconds = self._record.expected_bytes, self._record.expected_seconds
        needs = {"bytes": data_size(size), "seconds": f"{seconds:,.0f}", "states": round(self.states)}
        needs["memory"] = data_size(memory_limit())
        place = f"the disk of {directory}, where {data_size(free)} are free"
        if size > CERTAIN * free:
            raise TooLargeError(say("count.disk", place=place, **needs))
        warnings.warn(say("count.to-disk", place=place, **needs), RuntimeWarning, stacklevel=3)
