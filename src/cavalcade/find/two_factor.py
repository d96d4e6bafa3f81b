"""A 2-factor of a bipartite graph, all 2-cycles of a cycle cover untied at once; or why there is none.

Where a graph is bipartite, a 2-factor without 2-cycles is a flow: two units from a source to every vertex of
one side, at most one along each edge, two from every vertex of the other side to a sink (Ford & Fulkerson
1956). A cover with a few 2-cycles is nearly such a flow. With one copy of each of their edges left out, what
is missing is a maximum flow in its residual network, which SciPy finds by the algorithm of Dinic (1970), in
long strides where `cycle_cover.untie` would look for each 2-cycle alone.

Where the flow is not enough, the vertices of the first side to which alternating paths lead from one that
misses an edge are a set I with fewer than 2|I| moves, for the rule `factor` (Ore 1957).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.cycles.walking import neighbours_of
from cavalcade.ground.budget import Budget, assert_room, assert_time
from cavalcade.ground.kernels import Cells, Ints, Mask
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import Rows, reached, rows_from

STARTS = 8  # vertices that miss an edge, of which the smallest set is kept
SECONDS = 1.3e-6  # for each edge, about: no limit can stop the flow in between
LATE = 0.5  # seconds by which a limit may be missed
WORK = 200  # inner steps for each edge, about
BYTES = 150  # for each edge


def two_factor(graph: MoveGraph, black: Mask, cover: Cells, budget: Budget) -> tuple[Cells, Cells]:
    """A 2-factor, (n, 2) the two neighbours of each vertex, and no set; or no rows, and a deficient set.

    Args:
        graph: a bipartite graph.
        black: the vertices of one side.
        cover: of each vertex the two neighbours along its cycle, twice the same in a 2-cycle.
        budget: of the work; it pays, but does not end it.

    Raises:
        TimeoutError, TooLargeError: the time or the memory that is left does not suffice.

    Time: nearly linear; a million cells with some hundred 2-cycles 4 s.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    n, edges = graph.size, graph.edge_count
    assert_room(BYTES * edges, "the search for a 2-factor")
    needed = SECONDS * edges
    assert_time(f"to find a 2-factor takes about {needed:.1f} s, and less is left", max(0, needed - LATE))
    budget.spend(WORK * edges)
    none: Cells = np.zeros(0, dtype=np.int32)
    out = black[graph.tails]
    a, b = graph.tails[out], graph.indices[out]
    used = (cover[a] == b[:, None]).any(axis=1)
    tails, heads = np.where(used, b, a), np.where(used, a, b)
    lone = np.flatnonzero(cover[:, 0] == cover[:, 1])  # each misses an edge
    ours, theirs = lone[black[lone]], lone[~black[lone]]
    arcs = (
        np.concatenate([tails, np.full(len(ours), n), theirs]),  # n is the source
        np.concatenate([heads, ours, np.full(len(theirs), n + 1)]),  # n + 1 is the sink
    )
    network = csr_array((np.ones(len(arcs[0]), dtype=np.int32), arcs), shape=(n + 2, n + 2))
    found = maximum_flow(network, n, n + 1, method="dinic")
    used ^= _carries(found.flow, tails, heads)
    if found.flow_value < len(ours):
        return none.reshape(0, 2), _deficient(n, a, b, used, black)
    return neighbours_of(np.stack([a[used], b[used]], axis=1).astype(np.int32)), none


def _carries(flow: Any, tails: Ints, heads: Ints) -> NDArray[np.bool_]:
    """Which of these arcs the flow uses."""
    size, entries = flow.shape[0], flow.tocoo()
    arcs = entries.row[entries.data > 0].astype(np.int64) * size + entries.col[entries.data > 0]
    return np.isin(tails.astype(np.int64) * size + heads, arcs)


def _deficient(n: int, a: Cells, b: Cells, used: Mask, black: Mask) -> Cells:
    """The smallest set of vertices that alternating paths show, from some of those that miss an edge."""
    rows: Rows = rows_from(n, np.where(used, b, a), np.where(used, a, b))
    degrees = np.bincount(a[used], minlength=n)
    best = np.arange(n, dtype=np.int32)
    for start in np.flatnonzero(black & (degrees < 2))[:STARTS].tolist():
        ends = reached(rows, start)
        near = np.sort(ends[black[ends]]).astype(np.int32)
        best = near if len(near) < len(best) else best
    return best
