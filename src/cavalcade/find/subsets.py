"""Subsets: dynamic programming over sets of vertices (Bellman 1962; Held & Karp 1962).

For every set S of vertices it notes at which of them a path can end that begins at the last vertex n - 1 and
visits all of S: the *ends* of S. From an end the path goes on to any neighbour outside S. A tour is a path
whose ends, for S all the others, include a neighbour of the last vertex; read backwards, the sets tell its
way. So every question of up to `MOST` vertices is decided, however many paths there are. Where there is no
tour, the ends of all sets are no proof that anybody would want to check.

Sets are bits of a number, and so are their ends. n counts what encodings add: a vertex or two for the ends of
an open tour, two for each required move.

The schedule does not ask it: of graphs with 8 to 22 vertices, random and cubic, the others decided each in
0.03 s, and proved what has no tour; this took up to 0.3 s and proves nothing. It decides without them, for
whoever wants a second opinion.

Time: proportional to n 2ⁿ; with all edges, once compiled, 0.07 s for 20 vertices, 1.1 s for 24. Memory 2ⁿ⁺¹
bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.find.tiers import steps_per_call
from cavalcade.ground.budget import assert_room
from cavalcade.ground.kernels import Kernel, Tier

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cavalcade.ground.budget import Budget
    from cavalcade.ground.kernels import Vector
    from cavalcade.question.question import Question

MOST = 24  # vertices: a second at most, and 32 MB
UNPROVED = "no path through all cells closes; but there is no proof of it that can be checked"


class Sets(NamedTuple):
    """What the kernel works on.

    Args:
        before: of each vertex those from which an edge leads to it, as bits.
        ends: of each set the vertices at which a path through it can end, as bits.
    """

    before: Vector
    ends: Vector


def subsets(
    question: Question, budget: Budget, *, seed: int = 0, compiled: bool | None = None
) -> NDArray[np.int32] | Undecided:
    """Find a tour if there is one, by dynamic programming over subsets.

    Args:
        question: the question; its steps and its symmetry are not looked at.
        budget: counted work; nothing is begun that it does not allow.
        seed: of nothing: no choice is random.
        compiled: choose the tier of the kernel; None lets the work decide.

    Returns:
        The cells of a tour, in order, or why there is none.

    Raises:
        TooLargeError: there is not enough memory.
    """
    graph = question.digraph if question.one_way else question.as_cycle
    n = graph.size
    if question.board.size == 1:
        return np.zeros(1, dtype=np.int32)
    if n > MOST or (n == 2 and not question.one_way):
        return Undecided(f"{n:,} vertices are not 3 to {MOST}, as subsets needs", "subsets", seed)
    full, others = (1 << (n - 1)) - 1, n - 1
    if not budget.spend(work := others * full):
        return Undecided(f"{full:,} sets are more than the work allows", "subsets", seed)
    assert_room(4 * (full + 1), f"a table of {full + 1:,} sets")
    before = np.zeros(n, dtype=np.int32)
    for tail, head in graph.arcs().tolist():
        before[head] |= 1 << tail
    tier = Tier(work, compiled=compiled)
    sets = Sets(tier.vector(before), tier.full(full + 1))
    for v in range(others):
        sets.ends[1 << v] = int(before[v]) >> others << v
    some = max(steps_per_call(tier) // others, 1)
    for first in range(1, full + 1, some):
        tier(GROW)(sets, first, min(first + some, full + 1))
        budget.spend(0)  # the clock is read
    cycle = _way_back(sets, full, int(before[others]))
    return question.cut(cycle) if cycle.size else Undecided(UNPROVED, "subsets", seed)


def _grow(sets: Sets, first: int, stop: int) -> None:
    """Let the paths through these sets, from `first` to before `stop`, go on by one vertex."""
    others = len(sets.before) - 1
    for visited in range(first, stop):
        ends = sets.ends[visited]
        if ends:
            for v in range(others):
                if not visited >> v & 1 and ends & sets.before[v]:
                    sets.ends[visited | 1 << v] |= 1 << v


GROW = Kernel(_grow)


def _way_back(sets: Sets, full: int, wanted: int) -> NDArray[np.int32]:
    """The vertices of a path whose end is one of those wanted, from the last vertex on; none without."""
    path, visited = [], full
    while visited and (able := int(sets.ends[visited]) & wanted):
        path.append(able.bit_length() - 1)
        visited ^= 1 << path[-1]
        wanted = int(sets.before[path[-1]])
    return np.array([] if visited else [len(sets.before) - 1, *path[::-1]], dtype=np.int32)
