"""Counting Hamiltonian cycles: a frontier search in runs, which goes on from checkpoints."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cavalcade.counting.checkpoints import Checkpoints
from cavalcade.counting.forecast import Forecast
from cavalcade.counting.residues import in_runs
from cavalcade.frontier.order import narrow_order
from cavalcade.frontier.search import FrontierSearch, Record
from cavalcade.frontier.transition import neighbours, stages

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cavalcade.counting.residues import Pair
    from cavalcade.frontier.search import Progress
    from cavalcade.frontier.states import Voltages
    from cavalcade.frontier.transition import Stage
    from cavalcade.ground.kernels import Tier
    from cavalcade.question.graph import MoveGraph

COMPILE_AGAIN = 100_000  # states in all runs from which the runs after the first are compiled, about 1 s


@dataclass(frozen=True)
class CycleCount:
    """An exact number of Hamiltonian cycles, and what it took."""

    cycles: int
    peak_states: int
    peak_bytes: int
    seconds: float

    @classmethod
    def of(cls, cycles: int, record: Record) -> CycleCount:
        """The number at the end of a record."""
        return cls(cycles, record.peak_states, record.peak_bytes, record.seconds)


def count_cycles(
    graph: MoveGraph,
    *,
    order: list[int] | None = None,
    last: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoints: Checkpoints | None = None,
    compiled: bool | None = None,
) -> CycleCount:
    """The number of Hamiltonian cycles of a graph, undirected, exact.

    Args:
        graph: any graph.
        order: in which order to take its vertices; a narrow one is looked for if not given.
        last: a vertex to take last.
        progress: called after every vertex.
        checkpoints: the file to which the tables are saved, and from which an interrupted count goes on.
        compiled: choose the tier of the kernels, see `FrontierSearch`.

    Raises:
        TooLargeError: the frontier, the paths on it or the tables get too large; the message says which.
        TimeoutError: the time limit is reached.
        FormatError: the checkpoint is of another count or damaged, or cannot be written.

    Time and memory grow with the states, exponentially in the width of the frontier: 6x6 has 1,300
    at its peak, 6x8 460 thousand, 7x8 10 million. A number of 2**120 or more takes a search for its size, and
    one for every 60 bits of it, see `residues`.
    """
    order = narrow_order(graph, last) if order is None else order
    forecast = Forecast(graph, order, half=False)
    record = Record(len(order), progress, forecast.bytes)
    steps = stages(neighbours(graph), order)
    checkpoints = checkpoints or Checkpoints()
    checkpoints.open(graph, order)

    def heed(search: FrontierSearch) -> None:
        forecast.heed(search.table.states)
        checkpoints.save_if_due(search)

    found = count_stages(steps, record, checkpoints=checkpoints, heed=heed, compiled=compiled)
    checkpoints.remove()
    return CycleCount.of(found, record)


def count_stages(
    stages: Sequence[Stage],
    record: Record,
    *,
    checkpoints: Checkpoints | None = None,
    heed: Callable[[FrontierSearch], None] | None = None,
    voltages: Callable[[int, Tier], Voltages] | None = None,
    two_keys: bool = False,
    compiled: bool | None = None,
) -> int:
    """The number of Hamiltonian cycles, by as many runs through all stages as its size takes.

    Args:
        stages: of all vertices.
        record: counts the steps of all runs.
        checkpoints: where an interrupted count goes on.
        heed: see `FrontierSearch`.
        voltages: likewise.
        two_keys: likewise.
        compiled: likewise.
    """

    def run(pair: Pair) -> tuple[int, bool]:
        work = record.peak_states * (record.steps - len(stages))  # known after the first run
        search = FrontierSearch(
            stages,
            voltages=voltages,
            two_keys=two_keys,
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
