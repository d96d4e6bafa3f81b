"""Counting Hamiltonian cycles: a frontier search in runs, which goes on from checkpoints.

What a count will need is said before its tables get large. With w vertices on the frontier there are about
3**w states once half of all vertices are taken, or in two halves all of a side, and few before: (t / T)**3
times as many after t of those T. On the boards in docs/counts.md that have 200,000 states or more this is
between 0.09 and 1.4 times what was counted. On smaller ones it may be 60 times as much, and more where the
search soon meets a dead end.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence

from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.counting.residues import Pair, in_runs
from cavalcade.frontier.order import POWERS, WIDEST_POWER, frontier_widths, narrow_order
from cavalcade.frontier.search import FrontierSearch, Progress
from cavalcade.frontier.transition import Stage, neighbours, stages
from cavalcade.ground.budget import data_size, machine_memory, memory_limit
from cavalcade.ground.errors import TooLargeError
from cavalcade.question.graph import MoveGraph

COMPILE_AGAIN = 100_000  # states in all runs from which the runs after the first are compiled, about 1 s
STATE = 64  # bytes of a state at the peak; 55 to 81 were measured
LARGE = 10_000_000  # states from which a forecast is believed
BEGUN = 1 << 16  # states that a search must have: many a wide board has few to the end
SURE = 8  # times the memory: a count whose forecast is larger is refused


def count_cycles(
    graph: MoveGraph,
    *,
    order: list[int] | None = None,
    last: int | None = None,
    record: Progress | None = None,
    checkpoints: Checkpoints | None = None,
    compiled: bool | None = None,
) -> int:
    """The number of Hamiltonian cycles of a graph, undirected, exact.

    Args:
        graph: any graph.
        order: in which order to take its vertices; a narrow one is looked for if not given.
        last: a vertex to take last.
        record: what the count takes is added to it, and reported after every vertex.
        checkpoints: the file to which the tables are saved, and from which an interrupted count goes on.
        compiled: choose the tier of the kernels, see `FrontierSearch`.

    Time and memory grow with the states, exponentially in the width of the frontier: 6x6 has 1,300
    at its peak, 6x8 460 thousand, 7x8 10 million. A number of 2**120 or more takes a search for its size, and
    one for every 60 bits of it, see `residues`.
    """
    order = narrow_order(graph, last) if order is None else order
    forecast = Forecast(graph, order, half=False)
    record = record or Progress()
    record.expected_bytes = forecast.bytes
    steps = stages(neighbours(graph), order)
    checkpoints = checkpoints or Checkpoints()
    checkpoints.open(graph, order)

    def heed(search: FrontierSearch) -> None:
        forecast.heed(search.table.states)
        checkpoints.save_if_due(search)

    found = count_stages(steps, record, checkpoints=checkpoints, heed=heed, compiled=compiled)
    checkpoints.remove()
    return found


def count_stages(
    stages: Sequence[Stage],
    record: Progress,
    *,
    checkpoints: Checkpoints | None = None,
    heed: Callable[[FrontierSearch], None] | None = None,
    compiled: bool | None = None,
) -> int:
    """The number of Hamiltonian cycles, by as many runs through all stages as its size takes."""
    record.taken, record.vertices = 0, len(stages)

    def run(pair: Pair) -> tuple[int, bool]:
        work = record.peak_states * (record.vertices - len(stages))  # known after the first run
        search = FrontierSearch(
            stages,
            compiled=True if compiled is None and work > COMPILE_AGAIN else compiled,
            modulus=math.prod(pair),
            rounding=True,
            record=record,
            heed=heed,
        )
        if checkpoints:
            checkpoints.resume(search)
        search.run()
        return search.cycles, not search.scale

    return in_runs(run, checkpoints.done if checkpoints else [], record)


class Forecast:
    """About how many states a count has at its peak, and how many bytes they take.

    Args:
        graph: any graph.
        order: in which its vertices are taken: all, or those of one side.
        half: whether it is those of a side.
    """

    def __init__(self, graph: MoveGraph, order: list[int], *, half: bool) -> None:
        widths = frontier_widths(graph, order)
        full = len(widths) if half else len(widths) / 2
        shares = (POWERS[min(w, WIDEST_POWER)] * min(1.0, t / full) ** 3 for t, w in enumerate(widths, 1))
        self.states = max(shares, default=1.0)
        self._heeded = self.states < LARGE

    @property
    def bytes(self) -> float:
        """What the states take at the peak, in bytes."""
        return STATE * self.states

    def heed(self, states: int) -> None:
        """Warn once, when a search has many states, that it may not fit; refuse it if it surely does not."""
        if self._heeded or states < BEGUN:
            return
        self._heeded = True
        most = memory_limit()
        if self.bytes <= most:
            return
        needs = (
            f"this count needs about {data_size(self.bytes)} for {self.states:,.0f} states, "
            f"and may use {data_size(most)}"
        )
        if self.bytes > SURE * most:
            raise TooLargeError(f"{needs}: expected a smaller board, more memory, or shards")
        here = data_size(machine_memory())
        after = f"it may not fit. Allow more of this machine's {here}, or count in shards"
        warnings.warn(f"{needs}: {after}", RuntimeWarning, stacklevel=2)
