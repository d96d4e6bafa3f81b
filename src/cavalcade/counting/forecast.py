"""What a count will need, said before its tables get large.

With w vertices on the frontier there are about 3**w states once half of all vertices are taken, or in two
halves all of a side, and few before: (t / T)**3 times as many after t of those T. On the boards in
docs/counts.md that have 200,000 states or more this is between 0.09 and 1.4 times what was counted. On
smaller ones it may be 60 times as much, and more where the search soon meets a dead end.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from cavalcade.frontier.order import POWERS, WIDEST_POWER, frontier_widths
from cavalcade.ground.budget import machine_memory, memory_limit
from cavalcade.ground.errors import TooLargeError

if TYPE_CHECKING:
    from cavalcade.question.graph import MoveGraph

STATE = 64  # bytes of a state at the peak; 55 to 81 were measured
LARGE = 10_000_000  # states from which a forecast is believed
BEGUN = 1 << 16  # states that a search must have: many a wide board has few to the end
SURE = 8  # times the memory that the forecast has to be for a count to be refused


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
        """Warn once, when a search has many states, that it may not fit, or refuse it if it surely does not.

        Raises:
            TooLargeError: it needs several times the memory.
        """
        if self._heeded or states < BEGUN:
            return
        self._heeded = True
        most = memory_limit()
        if self.bytes <= most:
            return
        needs = (
            f"this count needs about {self.bytes / 2**30:,.1f} GiB for {self.states:,.0f} states, "
            f"and may use {most / 2**30:,.1f} GiB"
        )
        if self.bytes > SURE * most:
            raise TooLargeError(f"{needs}: expected a smaller board, more memory, or shards")
        here = machine_memory() / 2**30
        after = f"it may not fit. Allow more of this machine's {here:,.1f} GiB, or count in shards"
        warnings.warn(f"{needs}: {after}", RuntimeWarning, stacklevel=2)
