"""Counting Hamiltonian cycles: a frontier search that goes on from checkpoints and says how far it is."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.counting.frontier import FrontierSearch
from cavalcade.counting.order import frontier_widths, narrow_order
from cavalcade.counting.tables import assert_narrow
from cavalcade.counting.transition import neighbours, stages

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cavalcade.graph import MoveGraph


@dataclass(frozen=True)
class Progress:
    """The progress of a count: steps done and all steps, states and bytes now, and the most states so far."""

    taken: int
    vertices: int
    states: int
    bytes: int
    peak_states: int
    seconds: float


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
    at its peak, 6x8 460 thousand, 7x8 10 million.
    """
    began = time.perf_counter()
    order = narrow_order(graph, last) if order is None else order
    assert_narrow(1 + max(frontier_widths(graph, order), default=0))
    search = FrontierSearch(stages(neighbours(graph), order), memory=memory, compiled=compiled)
    checkpoints = Checkpoints(checkpoint, graph, order)
    checkpoints.resume(search)
    while search.taken < len(order):
        search.take()
        checkpoints.save_if_due(search)
        if progress:
            table, seconds = search.table, time.perf_counter() - began
            progress(
                Progress(search.taken, len(order), table.states, table.bytes, search.peak_states, seconds)
            )
    checkpoints.remove()
    return CycleCount(search.cycles, search.peak_states, search.peak_bytes, time.perf_counter() - began)
