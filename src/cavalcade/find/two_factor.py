"""A 2-factor of a bipartite graph, all 2-cycles of a cycle cover untied at once; or why there is none.

Where a graph is bipartite, a 2-factor without 2-cycles is a flow: two units from a source to every vertex of
one side, at most one along each edge, two from every vertex of the other side to a sink (Ford & Fulkerson
1956). A cover with a few 2-cycles is nearly such a flow, with one copy of each of their edges left out. What
is missing is found by push-relabel (Goldberg & Tarjan 1988), as `cycle_cover` does for matchings; what
differs is that each vertex has two edges. A vertex that misses one takes the neighbour with the lowest label,
which gives up one of its edges, so that another vertex misses one; labels lead to where an edge is missing on
the other side. They never exceed the true distance, since a label is raised before an edge is given up at a
vertex from where the way on is longer than it says.

Where no alternating path leads there, the vertices of the first side to which such paths lead from one that
misses an edge are a set I with fewer than 2|I| moves, for the rule `factor` (Ore 1957).
"""

from __future__ import annotations

import numpy as np

from cavalcade.find.cycle_cover import (
    ACTIVE,
    FIRST,
    HEAD,
    MATCH_WORK,
    PUSHES,
    PUSHES_PER_ROUND,
    ROUND,
    TAIL,
    TURN,
    UNSEEN,
    Pushing,
    adjacency,
)
from cavalcade.find.tiers import steps_per_call
from cavalcade.ground.budget import Budget, assert_room
from cavalcade.ground.kernels import Cells, Ints, Mask, Tier, Vector
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import Rows, reached, rows_from

STARTS = 8  # vertices that miss an edge, of which the smallest set is kept
BYTES = 150  # for each edge
STEPS = 60  # for each vertex, for the choice of the tier


def two_factor(graph: MoveGraph, black: Mask, cover: Cells, budget: Budget) -> tuple[Cells, Cells]:
    """A 2-factor, (n, 2) the two neighbours of each vertex, and no set; or no rows, and a deficient set.

    Args:
        graph: a bipartite graph.
        black: the vertices of one side.
        cover: of each vertex the two neighbours along its cycle, twice the same in a 2-cycle.
        budget: of the work; it pays, but does not end it.

    Raises:
        TimeoutError, TooLargeError: the time or the memory that is left does not suffice.

    Time: nearly linear; a million cells with some hundred 2-cycles 2 s.
    """
    n = graph.size
    assert_room(BYTES * graph.edge_count, "the search for a 2-factor")
    none: Cells = np.zeros(0, dtype=np.int32)
    lone = cover[:, 0] == cover[:, 1]  # each misses an edge
    tier = Tier(STEPS * n)
    rows, steps = adjacency(tier, graph.indptr, graph.indices), steps_per_call(tier)
    links = tier.vector(np.where(lone[:, None] & np.array([False, True]), -1, cover).ravel())
    pushing = Pushing(tier.full(n), tier.full(n), tier.full(n), tier.full(n), tier.full(TURN))
    turn, missing = pushing.turn, np.flatnonzero(lone & black).tolist()
    for i, u in enumerate(missing):
        pushing.active[i] = u
    turn[ACTIVE] = len(missing)
    sides = tier.vector(black.astype(np.int32))
    while turn[ACTIVE] > 0:
        if turn[PUSHES] > 0:
            tier(_take)(rows, links, pushing, steps)
        else:
            tier(_relabel)(rows, links, sides, pushing, steps)
        budget.spend(int(turn[MATCH_WORK]))
        if turn[UNSEEN] > 0 and turn[TAIL] == 0:  # and no path leads from those to where one is missing
            found = np.asarray(links, dtype=np.int32).reshape(n, 2)
            seen = np.asarray(pushing.seen)
            stuck = np.flatnonzero(black & (found < 0).any(axis=1) & (seen != turn[ROUND]))
            return none.reshape(0, 2), _deficient(graph, black, found, stuck)
    return np.asarray(links, dtype=np.int32).reshape(n, 2), none


def _take(rows: Rows, links: Vector, pushing: Pushing, budget: int) -> None:
    """Vertices that miss an edge take one, until so many neighbours have been looked at or labels are due."""
    indptr, indices = rows
    label, active, turn = pushing.label, pushing.active, pushing.turn
    n = len(label)
    first, count, pushes, before = turn[FIRST], turn[ACTIVE], turn[PUSHES], budget
    while count > 0 and pushes > 0 and budget > 0:
        u = active[first]
        first = (first + 1) % n
        pushes -= 1
        _, two, best = _lowest(indptr, indices, links, label, u)
        budget -= 4 * (1 + indptr[u + 1] - indptr[u])
        if best < 0:
            active[(first + count - 1) % n] = u  # it waits for new labels
            continue
        w, x = links[2 * best], links[2 * best + 1]
        near = far = n  # from who has an edge here already, the shorter way on, and the longer one
        if w >= 0:
            near = _lowest(indptr, indices, links, label, w)[0]
        if x >= 0:
            far = _lowest(indptr, indices, links, label, x)[0]
        if w >= 0 and x >= 0:
            if far < near:
                w, near, far = x, far, near
            if label[best] <= near:
                label[best] = min(near + 1, n)
                active[(first + count - 1) % n] = u  # there may be a better one now
                continue
            links[2 * w + (0 if links[2 * w] == best else 1)] = -1
            links[2 * best + (0 if links[2 * best] == w else 1)] = u
            label[best] = min(two, far, n - 1) + 1
            active[(first + count - 1) % n] = w
        else:
            if w >= 0 or x >= 0:
                label[best] = min(two, near, far, n - 1) + 1
            links[2 * best + (0 if w < 0 else 1)] = u
            count -= 1
        links[2 * u + (0 if links[2 * u] < 0 else 1)] = best
    turn[FIRST], turn[ACTIVE], turn[PUSHES], turn[MATCH_WORK] = first, count, pushes, before - budget


def _lowest(indptr: Vector, indices: Vector, links: Vector, label: Vector, u: int) -> tuple[int, int, int]:
    """The two lowest labels of neighbours without an edge to u, n for none; and whose the lower is, or -1."""
    n, best = len(label), -1
    one = two = n
    for k in range(indptr[u], indptr[u + 1]):
        v = indices[k]
        if v == links[2 * u] or v == links[2 * u + 1]:
            continue
        if label[v] < one:
            one, two, best = label[v], one, v
        elif label[v] < two:
            two = label[v]
    return one, two, best


def _relabel(rows: Rows, links: Vector, sides: Vector, pushing: Pushing, budget: int) -> None:
    """Set all labels anew, breadth first from where an edge is missing on the other side.

    The label of a vertex there is how many must change an edge before it can take one more; n if it never
    can. It breaks off when so many neighbours have been looked at, to be called again; and it need not go
    farther than to the last vertex that misses an edge.
    """
    indptr, indices = rows
    label, _, seen, queue, turn = pushing
    n, before = len(label), budget
    if turn[TAIL] == 0:
        before += 2 * n
        turn[ROUND] += 1
        turn[UNSEEN] = turn[ACTIVE]
        for v in range(n):
            if sides[v] == 0 and (links[2 * v] < 0 or links[2 * v + 1] < 0):
                label[v], seen[v] = 0, turn[ROUND]
                queue[turn[TAIL]] = v
                turn[TAIL] += 1
    head, tail, now, unseen, far = turn[HEAD], turn[TAIL], turn[ROUND], turn[UNSEEN], n
    while head < tail and unseen > 0 and budget > 0:
        v = queue[head]
        head += 1
        far = label[v] + 1
        budget -= 1 + indptr[v + 1] - indptr[v]
        for k in range(indptr[v], indptr[v + 1]):
            u = indices[k]
            if seen[u] == now or v == links[2 * u] or v == links[2 * u + 1]:
                continue
            seen[u] = now
            for x in (links[2 * u], links[2 * u + 1]):
                if x < 0:
                    unseen -= 1
                elif seen[x] != now:
                    label[x], seen[x] = far, now
                    queue[tail] = x
                    tail += 1
    turn[HEAD], turn[TAIL], turn[UNSEEN], turn[MATCH_WORK] = head, tail, unseen, before - budget
    if head < tail and unseen > 0:
        return
    for v in range(n):
        if sides[v] == 0 and seen[v] != now:
            label[v] = far if head < tail else n
    turn[HEAD] = turn[TAIL] = 0
    turn[PUSHES] = PUSHES_PER_ROUND + n // 4


def _deficient(graph: MoveGraph, black: Mask, links: Cells, stuck: Ints) -> Cells:
    """The smallest set of vertices that alternating paths show, from some of those that miss an edge."""
    a, b = graph.tails[black[graph.tails]], graph.indices[black[graph.tails]]
    used = (links[a] == b[:, None]).any(axis=1)
    paths = rows_from(graph.size, np.where(used, b, a), np.where(used, a, b))
    best = np.arange(graph.size, dtype=np.int32)
    for start in stuck[:STARTS].tolist():
        ends = reached(paths, start)
        near = np.sort(ends[black[ends]]).astype(np.int32)
        best = near if len(near) < len(best) else best
    return best
