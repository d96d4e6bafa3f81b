"""Subsets: dynamic programming over sets of vertices (Bellman 1962; Held & Karp 1962).

For every set S of vertices it notes at which of them a path can end that begins at the last vertex n - 1 and
visits all of S: the *ends* of S. From an end the path goes on to any neighbour outside S. A tour is a path
whose ends, for S all the others, include a neighbour of the last vertex; read backwards, the sets tell its
way. So every question of up to `MOST` vertices is decided, however many paths there are. Where there is no
tour, the ends of all sets are a proof: `checking.many` checks it for `find.many`, which asks about many small
graphs at once. As a certificate that is kept it would be too long, so the engine alone has none.

Sets are bits of a number, and so are their ends. n counts what encodings add: a vertex or two for the ends of
an open tour, two for each required move.

The schedule does not ask it: of graphs with 8 to 22 vertices, random and cubic, the others decided each in
0.03 s, and proved what has no tour; this took up to 0.3 s and proves nothing. It decides without them, for
a second opinion.

Time: proportional to n 2ⁿ; with all edges, once compiled, 0.07 s for 20 vertices, 1.1 s for 24. Memory 2ⁿ⁺¹
bytes.
"""

from __future__ import annotations

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.find.tiers import steps_per_call
from cavalcade.ground.budget import Budget, assert_room
from cavalcade.ground.kernels import Cells, Tier, Vector
from cavalcade.question.question import Question

MOST = 24  # vertices: a second at most, and 32 MB
UNPROVED = "no path through all cells closes; but there is no proof of it that can be checked"


def subsets(
    question: Question, budget: Budget, *, seed: int = 0, compiled: bool | None = None
) -> Cells | Undecided:
    """Find a tour if there is one, by dynamic programming over subsets: an engine."""
    graph = question.encoding.digraph if question.one_way else question.as_cycle
    n = graph.size
    if question.board.size == 1:
        return np.zeros(1, dtype=np.int32)
    if n > MOST or (n == 2 and not question.one_way):
        return Undecided(f"{n:,} vertices are not 3 to {MOST}, as subsets needs", "subsets", seed)
    full, others = (1 << (n - 1)) - 1, n - 1
    if not budget.spend(work := others * full):
        return Undecided(f"{full:,} sets are more than the work allows", "subsets", seed)
    assert_room(4 * (full + 1), f"a table of {full + 1:,} sets")
    tier = Tier(work, compiled=compiled)
    before = tier.full(n)
    for tail, head in graph.arcs().tolist():
        before[head] |= 1 << tail
    ends = _first_ends(before, tier)
    some = max(steps_per_call(tier) // others, 1)
    for first in range(1, full + 1, some):
        tier(_grow)(before, ends, first, min(first + some, full + 1))
        budget.spend(0)  # the clock is read
    cycle = _way_back(before, ends)
    return question.cut(cycle) if cycle.size else Undecided(UNPROVED, "subsets", seed)


def ends_of_paths(before: Vector, tier: Tier) -> Vector:
    """The ends of every set, given the rows of the adjacency matrix as bits."""
    ends = _first_ends(before, tier)
    tier(_grow)(before, ends, 1, len(ends))
    return ends


def _first_ends(before: Vector, tier: Tier) -> Vector:
    """The ends of the sets of one vertex; of all others none are known."""
    others = len(before) - 1
    ends = tier.full(1 << others)
    for v in range(others):
        ends[1 << v] = int(before[v]) >> others << v
    return ends


def _grow(before: Vector, ends: Vector, first: int, stop: int) -> None:
    """Let the paths through these sets, from `first` to before `stop`, go on by one vertex.

    As bits, `before` holds of each vertex those from which an edge leads to it, and `ends` of each set the
    vertices at which a path through it can end.
    """
    for visited in range(first, stop):
        here = ends[visited]
        if here:
            for v in range(len(before) - 1):
                if not visited >> v & 1 and here & before[v]:
                    ends[visited | 1 << v] |= 1 << v


def _way_back(before: Vector, ends: Vector) -> Cells:
    """The vertices of a cycle, from the last vertex on; none without."""
    path, visited = [len(before) - 1], len(ends) - 1
    while visited and (able := int(ends[visited]) & int(before[path[-1]])):
        path.append(able.bit_length() - 1)
        visited ^= 1 << path[-1]
    return np.array([] if visited else [path[0], *path[:0:-1]], dtype=np.int32)
