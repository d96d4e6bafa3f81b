"""Counting Hamiltonian cycles: a frontier search, which goes on from checkpoints, and a forecast of its cost.

What a count will need is said before its tables get large, and as it goes. With w vertices on the frontier
and d neighbours to a vertex there are about (d / 5.7)**6 * 3**w states once half of all vertices are taken,
and few before: (t / T)**3 times as many after t of those T. In two halves there are about (d / 6.2)**6 * 3**w
after all of a side that has half as many vertices again as the middle, and more, with the fourth power, on a
longer side, up to 2.5 * 3**w; then every edge inside the middle makes a quarter more, up to 8 * 3**m with m
vertices in the middle. That is for 16 of them; with others as many more or fewer as there are states of so
many places, which grow faster than 3**m. On the boards in docs/counts.md that have 350,000 states or more,
and on 8x8 to 8x10, this is between a third and three times what was counted. On smaller ones it may be 60
times as much, and more where the search soon meets a dead end. As a search goes on, its own states replace
the formula step by step.

The time is that of all states after all steps, and of the states that meet: with two tables, if an edge of
the middle is its own image, four times as long as with one, as no pair of patterns stands for two; and again
for every prime that the number needs beyond a word, at 0.8 bits a vertex. Words in place of a count (see
`states.weights`) take their own time and room, and as many searches as memory needs.
"""

from __future__ import annotations

import math
import shutil
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.ground.budget import data_size, memory_limit
from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.threads import cores
from cavalcade.question.graph import MoveGraph
from cavalcade.states.order import POWERS, WIDEST_POWER, frontier_widths, narrow_order
from cavalcade.states.pattern_search import TABLES, PatternSearch
from cavalcade.states.patterns import WORD
from cavalcade.states.ranks import number_of
from cavalcade.states.search import Progress
from cavalcade.states.transition import neighbours, stages
from cavalcade.states.weights import AT_ONCE

if TYPE_CHECKING:
    from cavalcade.counting.receipts import Recorder

WHOLE, HALF, STEEP = 5.7, 6.2, 6  # see above
EDGE = 1.25
FULL, LONG_SIDE, FITTED = 8, 2.5, 16
FIXED, CHOICE, STATE = 30e6, 12, 6  # bytes at the peak: of choices and changes, and of a state in two tables
START = 0.8  # seconds to load the kernels and to choose an order
STATE_TIME = 4e-8  # seconds of one core for each state after a step;
MEETING_TIME = 5e-8  # and for each that meets others, see above
MOST_WORDS = 40  # of a search: a count has at most 255 bytes
WORD_TIME, WORD_MEETING = 0.7, 0.3  # of the times above, for each word
LARGE = 10_000_000  # states from which a forecast is believed
BEGUN = 1 << 16  # states that a search must have: many a wide board has few to the end
SURE = 3  # a count is refused that needs so many times the disk


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
        order: in which order to take its vertices; a narrow one is looked for if not given.
        last: a vertex to take last.
        record: what the count takes is added to it, and reported after every vertex.
        checkpoints: the file to which the tables are saved, and from which an interrupted count goes on.
        receipt: notes what the count had after every vertex.
        compiled: choose the tier of the kernels, see `FrontierSearch`.

    Time and memory grow with the states, exponentially in the width of the frontier: 6x6 has 1,300
    at its peak, 6x8 460 thousand, 7x8 10 million. A state takes three bytes where they are many, and as many
    more as its count needs.
    """
    order = narrow_order(graph, last) if order is None else order
    checkpoints, record = checkpoints or Checkpoints(), record or Progress()
    forecast = Forecast(graph, order, record, checkpoints.directory)
    steps = stages(neighbours(graph), order, ascending=True)
    record.vertices = len(steps)
    checkpoints.open(graph, order)
    if receipt:
        receipt.order = order

    def heed(search: PatternSearch) -> None:
        forecast.heed(search)
        if receipt:
            receipt.after(search)
        checkpoints.save_if_due(search)

    search = PatternSearch(
        steps, compiled=compiled, record=record, heed=heed, directory=checkpoints.directory
    )
    checkpoints.resume(search)
    search.run()
    checkpoints.remove()
    return search.cycles


def _on(places: int) -> int:
    """How many states there are on so many places: ends that are matched, the others untouched or done."""
    return sum(math.comb(places, n) * 2 ** (places - n) * number_of(n) for n in range(0, places + 1, 2))


class Forecast:
    """About how many states a count has at its peak, and what they need; kept up to date in a record.

    Args:
        graph: any graph.
        order: in which its vertices are taken: all, or those of one side.
        record: of the count.
        directory: for the files of tables that memory cannot hold; None is the system's own.
        middle: in two halves how many vertices the middle has, how many edges, stages of their own, and how
            many of these are their own images.
        words: how many words are looked for in place of a count.
    """

    def __init__(
        self,
        graph: MoveGraph,
        order: list[int],
        record: Progress,
        directory: Path | None = None,
        middle: tuple[int, int, int] | None = None,
        words: int = 0,
    ) -> None:
        widths = frontier_widths(graph, order)
        full = len(widths) if middle else len(widths) / 2
        degree = 2 * graph.edge_count / max(1, graph.size)
        dense = (degree / (HALF if middle else WHOLE)) ** STEEP
        if middle:
            dense = min(LONG_SIDE, dense * max(1.0, len(widths) / middle[0] / 1.5) ** 4)
        powers = (POWERS[min(w, WIDEST_POWER)] for w in widths)
        self._after = [dense * power * min(1.0, t / full) ** 3 for t, power in enumerate(powers, 1)]
        if middle and widths:
            fuller = _on(middle[0]) / POWERS[middle[0]] / (_on(FITTED) / POWERS[FITTED])
            self._after = [fuller * after for after in self._after]
            most = max(self._after[-1], FULL * fuller * POWERS[middle[0]])
            self._after += [min(most, self._after[-1] * EDGE**i) for i in range(1, middle[1] + 1)]
        self.states, self._all = max(self._after, default=1.0), sum(self._after)
        primes = max(0, math.ceil((0.8 * graph.size - 64) / 31))
        self._meeting = (1 + primes) * (4 if middle[2] else 1) if middle else 0
        self._meet = self._after[-1] if self._after else 1.0
        self._directory, self._record, self._heeded = directory, record, False
        self._counted, self._words = 0, words
        room = TABLES * memory_limit() / 2 / max(1.0, self.states) * 8 // WORD
        self.at_once = int(min(MOST_WORDS, max(1, room // AT_ONCE) * AT_ONCE, -(-words // AT_ONCE) * AT_ONCE))
        self._said()

    @property
    def searches(self) -> int:
        """How many searches find all words."""
        return -(-self._words // self.at_once) if self._words else 1

    @property
    def bytes(self) -> float:
        """What the states take at the peak, in memory or on the disk, in bytes."""
        return min(FIXED, CHOICE * self.states) + (STATE + 2 * WORD // 8 * self.at_once) * self.states

    @property
    def seconds(self) -> float:
        """What the count takes on this machine while it is quiet."""
        states = STATE_TIME * self._all * (self.searches + WORD_TIME * self._words)
        met = MEETING_TIME * self._meeting * self._meet * (WORD_MEETING * self._words or 1)
        return START + (states + met) / cores()

    def _said(self) -> None:
        self._record.expected_bytes, self._record.expected_seconds = self.bytes, self.seconds

    def heed(self, search: PatternSearch) -> None:
        """Learn from a search after a step; see whether what it needs is there, once it has many states.

        Raises:
            TooLargeError: neither memory nor the disk will surely be enough.
        """
        states, taken = search.table.states, search.taken
        self._counted = self._counted * (taken > 1) + states
        if states < BEGUN or taken > len(self._after):
            return
        known = (taken / len(self._after)) ** 3  # early states say little of the peak
        scale = (states / self._after[taken - 1]) ** known
        most = max(self._after[taken - 1 :]) * scale
        self.states = max(self._record.peak_states, states, most)
        self._all = self._counted + sum(self._after[taken:]) * scale
        self._meet = self._after[-1] * scale
        self._said()
        if not self._heeded and self.states >= LARGE and self.bytes > memory_limit():
            self._heeded = True
            self._warn()

    def _warn(self) -> None:
        """Warn once that the tables will go to the disk; refuse what surely does not fit there."""
        import tempfile

        directory = self._directory or tempfile.gettempdir()
        free = shutil.disk_usage(directory).free
        needs = (
            f"this count needs about {data_size(self.bytes)} for {self.states:,.0f} states, and about "
            f"{self.seconds:,.0f} s; it may use {data_size(memory_limit())} of memory"
        )
        where = f"{directory}, where {data_size(free)} are free"
        if self.bytes > SURE * free:
            raise TooLargeError(f"{needs}, and {where}: expected a smaller board, more room, or shards")
        warnings.warn(f"{needs}; the rest goes to {where}", RuntimeWarning, stacklevel=3)
