"""Counting Hamiltonian cycles: a frontier search that goes on from checkpoints and says how far it is."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.counting.forecast import Forecast
from cavalcade.counting.frontier import FrontierSearch
from cavalcade.counting.order import frontier_widths, narrow_order
from cavalcade.counting.residues import Runs, modulus_of
from cavalcade.counting.tables import assert_narrow
from cavalcade.counting.transition import neighbours, stages

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cavalcade.counting.residues import Pair
    from cavalcade.question.graph import MoveGraph

COMPILE_AGAIN = 100_000  # states in all runs from which the runs after the first are compiled, about 1 s


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


@dataclass(frozen=True)
class CycleCount:
    """An exact number of Hamiltonian cycles, and what it took."""

    cycles: int
    peak_states: int
    peak_bytes: int
    seconds: float


def count_cycles(
    graph: MoveGraph,
    *,
    order: list[int] | None = None,
    last: int | None = None,
    memory: int = 4 << 30,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: Path | None = None,
    compiled: bool | None = None,
) -> CycleCount:
    """The number of Hamiltonian cycles of a graph, undirected, exact.

    Args:
        graph: any graph.
        order: in which order to take its vertices; a narrow one is looked for if not given.
        last: a vertex to take last.
        memory: bytes the tables may take.
        progress: called after every vertex.
        checkpoint: a file to which the tables are saved, whole or not at all, and from which a count that
            was interrupted goes on; see `checkpoints`.
        compiled: choose the tier of the kernels; None begins interpreted, unless numba is loaded already,
            and changes when it gets large.

    Raises:
        TooLargeError: the frontier, the paths on it or the tables get too large; the message says which.
        FormatError: the checkpoint belongs to another count, or is none, or cannot be written.

    Time and memory grow with the states, exponentially in the width of the frontier: 6x6 has 1,300
    at its peak, 6x8 460 thousand, 7x8 10 million. A number of 2**120 or more takes a search for its size, and
    one for every 60 bits of it, see `residues`.
    """
    began = time.perf_counter()
    order = narrow_order(graph, last) if order is None else order
    assert_narrow(1 + max(frontier_widths(graph, order), default=0))
    steps = stages(neighbours(graph), order)
    forecast = Forecast(graph, order, half=False, memory=memory)
    checkpoints = Checkpoints(checkpoint, graph, order)
    runs = Runs(checkpoints.done)
    peak_states = peak_bytes = 0

    def run(pair: Pair) -> tuple[int, bool]:
        nonlocal peak_states, peak_bytes
        work = peak_states * len(order) * (runs.expected - 1)  # known after the first run
        tier = True if compiled is None and work > COMPILE_AGAIN else compiled
        search = FrontierSearch(steps, memory=memory, compiled=tier, modulus=modulus_of(pair), rounding=True)
        checkpoints.resume(search)
        while search.taken < len(order):
            search.take()
            forecast.heed(search.table.states)
            checkpoints.save_if_due(search)
            peak_states, peak_bytes = max(peak_states, search.peak_states), max(peak_bytes, search.peak_bytes)
            if progress:
                table, seconds = search.table, time.perf_counter() - began
                taken, all_steps = len(runs.done) * len(order) + search.taken, runs.expected * len(order)
                progress(
                    Progress(
                        taken, all_steps, table.states, table.bytes, peak_states, seconds, forecast.bytes
                    )
                )
        return search.cycles, not search.scale

    found = runs.number(run)
    checkpoints.remove()
    return CycleCount(found, peak_states, peak_bytes, time.perf_counter() - began)
