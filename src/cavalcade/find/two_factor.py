"""A 2-factor of a bipartite graph, with all 2-cycles of a cycle cover untied at once; or why there is none.

In a bipartite graph, a 2-factor without 2-cycles is a flow: two units from a source to each vertex of one
side, at most one along each edge, two from each vertex of the other side to a sink (Ford & Fulkerson 1956).
If one copy of the edge of each 2-cycle is left out, a cover is nearly such a flow. `push_relabel` finds the
rest, with two edges for each vertex.

If a vertex still lacks an edge, alternating paths lead from it to a set I of vertices of the same side with
fewer than 2|I| moves in all, for the rule `factor` (Ore 1957).
"""

from __future__ import annotations

import numpy as np

from cavalcade.find.adjacency import adjacency
from cavalcade.find.cycle_cover import STEPS_PER_CELL
from cavalcade.find.push_relabel import Assignment, complete
from cavalcade.ground.budget import Budget, assert_room
from cavalcade.ground.kernels import Cells, Mask, Tier
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import reached, rows_from

# Vertices that lack an edge from which a deficient set is searched; the smallest set is kept. More searches
# give shorter proofs, each in linear time.
SEARCHES = 8


def two_factor(graph: MoveGraph, black: Mask, cover: Cells, budget: Budget) -> tuple[Cells, Cells]:
    """A 2-factor, shape (n, 2), and an empty set; or no rows, and a deficient set.

    Args:
        graph: a bipartite graph.
        black: which vertices belong to one of the two sides.
        cover: two neighbours per vertex along its cycle, shape (n, 2); equal in a 2-cycle.
        budget: counted work; it pays, but does not end the search.

    Raises:
        TimeoutError, TooLargeError: the time or the memory does not suffice.

    Time: nearly linear; 2 s for a million cells with some hundred 2-cycles.
    """
    n = graph.size
    assert_room(150 * graph.edge_count, "the search for a 2-factor")  # 150 bytes per edge
    tier = Tier(STEPS_PER_CELL * n)
    rows = adjacency(tier, graph.indptr, graph.indices)
    lone = cover[:, 0] == cover[:, 1]
    links = np.where(lone[:, None] & np.array([False, True]), -1, cover).astype(np.int32)
    # Black vertices are never taken: on the right side each owns itself and has no free slot.
    owners = np.where(black[:, None], np.arange(n, dtype=np.int32)[:, None], links)
    assignment = Assignment(tier.vector(links.ravel()), tier.vector(owners.ravel()))
    missing = complete(tier, rows, rows, assignment, np.flatnonzero(lone & black).astype(np.int32), 2, budget)
    right_of, left_of = (np.asarray(side, dtype=np.int32).reshape(n, 2) for side in assignment)
    if missing:
        return np.zeros((0, 2), dtype=np.int32), _deficient_set(graph, black, right_of)
    return np.where(black[:, None], right_of, left_of), np.zeros(0, dtype=np.int32)


def _deficient_set(graph: MoveGraph, black: Mask, right_of: Cells) -> Cells:
    """The smallest set of black vertices that alternating paths reach from one that lacks an edge."""
    blacks = black[graph.tails]
    a, b = graph.tails[blacks], graph.indices[blacks]
    used = (right_of[a] == b[:, None]).any(axis=1)
    # Unused edges lead from black to white, used ones back.
    paths = rows_from(graph.size, np.where(used, b, a), np.where(used, a, b))
    sets = []
    for start in np.flatnonzero(black & (right_of < 0).any(axis=1))[:SEARCHES].tolist():
        ends = reached(paths, start)
        sets.append(np.sort(ends[black[ends]]).astype(np.int32))
    return min(sets, key=len)
