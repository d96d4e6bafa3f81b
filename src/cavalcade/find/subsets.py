"""Dynamic programming over sets of vertices (Bellman 1962; Held & Karp 1962).

For every set S of vertices, the *ends* of S are the vertices at which a path can end that begins at the last
vertex, n - 1, and visits all of S. From an end, the path continues to any neighbour outside S. A tour exists
if an end of the set {0, …, n - 2} is a neighbour of the last vertex; its vertices follow by reading the
table backwards. So every question with up to `MOST` vertices is decided, however many paths there are. If
there is no tour, the table is a proof: `checking.many` checks it for `find.many`, which answers questions
about many small graphs at once. As a certificate to be kept it would be too long, so that this engine returns
no proof.

Sets are stored as bits of an integer, and so are their ends. n includes the vertices that encodings add: one
or two for the ends of an open tour, two for each required move.

The policy does not use this engine: graphs with 8 to 22 vertices, random and cubic, took the other engines
0.03 s each, with a proof if there was no tour, and this one up to 0.3 s. It serves as an independent second
opinion.

Time: proportional to n 2ⁿ; for complete graphs, once compiled, 0.07 s for 20 vertices, 1.1 s for 24. Memory:
2ⁿ⁺¹ bytes.
"""

from __future__ import annotations

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.find.tiers import steps_per_call
from cavalcade.ground.budget import Budget, assert_room
from cavalcade.ground.kernels import Cells, Tier, Vector
from cavalcade.question.question import Question

MOST = 24  # vertices; they take about a second and 32 MB, and each one more doubles both
UNPROVED = "no path through all cells closes; but there is no proof of it that can be checked"


def subsets(
    question: Question, budget: Budget, *, seed: int = 0, compiled: bool | None = None
) -> Cells | Undecided:
    """Decide whether there is a tour, and find one, by dynamic programming over subsets: an engine."""
    graph = question.encoding.digraph if question.one_way else question.as_cycle
    n = graph.size
    if n > MOST:
        return Undecided(f"{n:,} vertices are more than {MOST}, the limit of subsets", "subsets", seed)
    full, last = (1 << (n - 1)) - 1, n - 1
    if not budget.spend(work := last * full):
        return Undecided(f"{full:,} sets are more than the work allows", "subsets", seed)
    assert_room(4 * (full + 1), f"a table of {full + 1:,} sets")
    tier = Tier(work, compiled=compiled)
    tails = tier.full(n)
    for tail, head in graph.arcs().tolist():
        tails[head] |= 1 << tail
    ends = _first_ends(tails, tier)
    sets_per_call = max(steps_per_call(tier) // last, 1)
    for first in range(1, full + 1, sets_per_call):
        tier(_grow)(tails, ends, first, min(first + sets_per_call, full + 1))
        budget.spend(0)  # reads the clock
    cycle = _cycle_of(tails, ends)
    return question.cut(cycle) if cycle.size else Undecided(UNPROVED, "subsets", seed)


def ends_of_paths(rows: Vector, tier: Tier) -> Vector:
    """The ends of every set of vertices, from the rows of the adjacency matrix as bits."""
    ends = _first_ends(rows, tier)
    tier(_grow)(rows, ends, 1, len(ends))
    return ends


def _first_ends(tails: Vector, tier: Tier) -> Vector:
    """The ends of the sets of one vertex; larger sets have none at first."""
    last = len(tails) - 1
    ends = tier.full(1 << last)
    for v in range(last):
        ends[1 << v] = int(tails[v]) >> last << v
    return ends


def _grow(tails: Vector, ends: Vector, first: int, stop: int) -> None:
    """Extend the paths through the sets from `first` to `stop` - 1 by one vertex.

    Args:
        tails: for each vertex, the vertices from which an edge leads to it, as bits.
        ends: for each set, its ends as bits. Smaller sets have smaller numbers, so that the ends of a set are
            complete before its turn comes.
        first: first set.
        stop: set after the last one.
    """
    for visited in range(first, stop):
        set_ends = ends[visited]
        if set_ends:
            for v in range(len(tails) - 1):
                if not visited >> v & 1 and set_ends & tails[v]:
                    ends[visited | 1 << v] |= 1 << v


def _cycle_of(tails: Vector, ends: Vector) -> Cells:
    """The vertices of a Hamiltonian cycle, from the last vertex on; empty if there is none."""
    path, visited = [len(tails) - 1], len(ends) - 1
    # Read backwards: any end of the remaining set from which an edge leads to the vertex just added.
    while visited and (candidates := int(ends[visited]) & int(tails[path[-1]])):
        path.append(candidates.bit_length() - 1)
        visited ^= 1 << path[-1]
    return np.array([] if visited else [path[0], *path[:0:-1]], dtype=np.int32)
