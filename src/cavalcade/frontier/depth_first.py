"""Every Hamiltonian cycle once: a frontier search, depth first, in a graph of states that grows on the way.

A state is expanded when it is first met, and its successors are remembered; a state from which no cycle comes
is struck out. So no dead end is entered twice, and once all states are known the work is linear in the
output. When too many are remembered, all are forgotten. Compare the diagrams of Knuth, TAOCP 7.1.4,
which hold all cycles before the first is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cavalcade.frontier.layers import Moves
from cavalcade.frontier.states import new_scratch
from cavalcade.frontier.transition import Stage, Successors, expand, new_successors
from cavalcade.ground.budget import assert_time, memory_limit
from cavalcade.ground.kernels import Tier

Onward = tuple[int, int, int, int]  # where v goes, and the two words of the state that comes of it

REMEMBERED = 300_000  # states at a time: all of 6x6 and 5x8, open ones too
BYTES = 1_000  # of a remembered state with its successors, on the safe side: on 6x6 250 were traced
COMPILE_FROM = 30_000  # states expanded: 30 µs each interpreted, 5 µs compiled
PACKED = 29  # vertices on the frontier: no more than 14 paths cross it


def every_cycle(stages: list[Stage]) -> Iterator[Moves]:
    """Every Hamiltonian cycle once, as each stage's vertex and the two it goes to, -1 for none."""
    states = _StateGraph(stages)
    path = [states.after(0, 0, 0)] if len(stages) > 2 else []
    chosen = [-1]
    while path:
        chosen[-1] += 1
        onward, at = path[-1], chosen[-1]
        if at == len(onward):
            path.pop()
            chosen.pop()
            if not onward and path:  # a dead end: strike out what led here
                del path[-1][chosen[-1]]
                chosen[-1] -= 1
        elif len(path) == len(stages):
            yield [(one.vertex, *some[i][:2]) for one, some, i in zip(stages, path, chosen, strict=True)]
        else:
            path.append(states.after(len(path), *onward[at][2:]))
            chosen.append(-1)


class _StateGraph:
    """What comes of every state met so far, for every stage."""

    def __init__(self, stages: list[Stage]) -> None:
        self.stages = stages
        self.width = max((one.geometry.width for one in stages), default=0)
        self.expanded = 0
        self.remembered = max(1, min(REMEMBERED, memory_limit() // 2 // BYTES))
        self.use(Tier(0, compiled=False))

    def use(self, tier: Tier) -> None:
        """Expand by the kernel of this tier from here on."""
        self.scratch = new_scratch(tier, None if self.width <= PACKED else self.width)
        self.low, self.high = tier.column(1), tier.column(1)
        room = max((one.geometry.most for one in self.stages), default=0)
        self.block = np.zeros((5, room), dtype=np.int64) if tier.compiled else None
        self.found = new_successors(tier, room) if self.block is None else Successors(*self.block)
        self.geometries = [one.geometry_in(tier) for one in self.stages]
        self.names = [[*one.vertices, -1] for one in self.stages]
        step: Any = tier(expand)
        self.step = step
        if tier.compiled:  # numba looks at the types of named tuples for 50 µs a call: once is enough
            self.expand(0, 0, 0)
            self.step = step.get_overload(step.signatures[-1])
        self.known: list[dict[tuple[int, int], list[Onward]]] = [{} for _ in self.stages]

    def expand(self, level: int, low: int, high: int) -> int:
        """Put the successors of a state into `found`; returns how many there are."""
        self.low[0], self.high[0] = low, high
        geometry, room = self.geometries[level], len(self.found.low)
        _, count = self.step(0, 1, self.low, self.high, geometry, None, self.scratch, self.found, room)
        return int(count)

    def after(self, level: int, low: int, high: int) -> list[Onward]:
        """The successors of a state; the caller may delete one that leads nowhere."""
        onward = self.known[level].get((low, high))
        if onward is not None:
            return onward
        if self.expanded == COMPILE_FROM and self.width <= PACKED:
            self.use(Tier(0, compiled=True))
        elif self.expanded % self.remembered == 0:
            for states in self.known:
                states.clear()
        assert_time(f"{self.expanded:,} states were looked at")
        self.expanded += 1
        count = self.expand(level, low, high)
        names = self.names[level]
        if self.block is None:
            rows = zip(*(some[:count] for some in self.found), strict=True)
        else:
            rows = self.block[:, :count].T.tolist()
        onward = [(names[one], names[two], x, y) for x, y, _, one, two in rows]
        self.known[level][low, high] = onward
        return onward
