"""A 2-factor of a bipartite graph, all 2-cycles of a cycle cover untied at once; or why there is none.

Where a graph is bipartite, a 2-factor without 2-cycles is a flow: two units from a source to every vertex of
one side, at most one along each edge, two from every vertex of the other side to a sink (Ford & Fulkerson
1956). A cover with a few 2-cycles is nearly such a flow, with one copy of each of their edges left out. What
is missing is found by push-relabel (Goldberg & Tarjan 1988), as `cycle_cover` does for matchings; what
differs is that each vertex has two edges. A vertex that misses one takes the neighbour with the lowest label,
which gives up one of its edges, so that another vertex misses one; labels lead to where an edge is missing on
the other side.

Where no alternating path leads there, the vertices of the first side to which such paths lead from one that
misses an edge are a set I with fewer than 2|I| moves, for the rule `factor` (Ore 1957).
"""

from __future__ import annotations

import numpy as np

from cavalcade.find.cycle_cover import PUSHES_PER_ROUND, adjacency
from cavalcade.find.tiers import steps_per_call
from cavalcade.ground.budget import Budget, assert_room
from cavalcade.ground.kernels import Cells, Ints, Mask, Tier, Vector
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import Rows, reached, rows_from

STARTS = 8  # vertices that miss an edge, of which the smallest set is kept
BYTES = 150  # for each edge
STEPS = 60  # for each vertex, for the choice of the tier
# indices of `turn`, and its length: where the ring of those that miss an edge begins, how many they are, how
# many are to take one before the labels are set anew; where that broke off: how much of the queue has been
# worked off, how long it is, in which round, how many in the ring have not been reached; steps of a call
FIRST, ACTIVE, PUSHES, HEAD, TAIL, ROUND, UNSEEN, DONE, TURN = range(9)


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
    label, seen, queue, turn = tier.full(n), tier.full(n), tier.full(n), tier.full(TURN)
    missing = np.flatnonzero(lone & black)
    active = tier.vector(np.append(missing, np.zeros(n - len(missing), dtype=np.int32)).astype(np.int32))
    sides = tier.vector(black.astype(np.int32))
    turn[ACTIVE] = len(missing)
    while turn[ACTIVE] > 0:
        if turn[PUSHES] > 0:
            tier(_take)(rows, links, label, active, turn, steps)
        else:
            tier(_relabel)(rows, links, sides, label, seen, queue, turn, steps)
        budget.spend(int(turn[DONE]))
        if turn[UNSEEN] > 0 and turn[TAIL] == 0:  # and no path leads from those to where one is missing
            found = np.asarray(links, dtype=np.int32).reshape(n, 2)
            stuck = np.flatnonzero(black & (found < 0).any(axis=1) & (np.asarray(seen) != turn[ROUND]))
            return none.reshape(0, 2), _deficient(graph, black, found, stuck)
    return np.asarray(links, dtype=np.int32).reshape(n, 2), none


def _take(rows: Rows, links: Vector, label: Vector, active: Vector, turn: Vector, budget: int) -> None:
    """Vertices that miss an edge take one, until so many neighbours have been looked at or labels are due."""
    indptr, indices = rows
    n = len(label)
    first, count, pushes, before = turn[FIRST], turn[ACTIVE], turn[PUSHES], budget
    while count > 0 and pushes > 0 and budget > 0:
        u = active[first]
        first = (first + 1) % n
        count -= 1
        pushes -= 1
        _, two, best = _lowest(indptr, indices, links, label, u)
        budget -= 4 * (1 + indptr[u + 1] - indptr[u])
        if best < 0:
            active[(first + count) % n] = u  # it waits for new labels
            count += 1
            continue
        slot = 0 if links[2 * u] < 0 else 1
        links[2 * u + slot] = best
        a, b = links[2 * best], links[2 * best + 1]
        if a < 0 or b < 0:
            links[2 * best + (0 if a < 0 else 1)] = u
            if a >= 0 or b >= 0:
                other = max(a, b)
                label[best] = min(two, _lowest(indptr, indices, links, label, other)[0], n - 1) + 1
            continue
        far, near = _lowest(indptr, indices, links, label, a)[0], _lowest(indptr, indices, links, label, b)[0]
        w = b if near <= far else a
        links[2 * best + (1 if w == b else 0)] = u
        links[2 * w + (0 if links[2 * w] == best else 1)] = -1
        label[best] = min(two, max(far, near), n - 1) + 1
        active[(first + count) % n] = w
        count += 1
    turn[FIRST], turn[ACTIVE], turn[PUSHES], turn[DONE] = first, count, pushes, before - budget


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


def _relabel(
    rows: Rows,
    links: Vector,
    sides: Vector,
    label: Vector,
    seen: Vector,
    queue: Vector,
    turn: Vector,
    budget: int,
) -> None:
    """Set all labels anew, breadth first from where an edge is missing on the other side.

    The label of a vertex there is how many must change an edge before it can take one more; n if it never
    can. It breaks off when so many neighbours have been looked at, to be called again; and it need not go
    farther than to the last vertex that misses an edge.
    """
    indptr, indices = rows
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
    turn[HEAD], turn[TAIL], turn[UNSEEN], turn[DONE] = head, tail, unseen, before - budget
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
