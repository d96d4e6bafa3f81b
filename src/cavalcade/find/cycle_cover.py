"""Cycle covers: a successor for every cell, such that no two cells have the same one.

In a *cycle cover* (a 2-factor that may contain 2-cycles) every cell has one successor among its neighbours
and one predecessor. That is a perfect matching of cells to successors in the bipartite graph that has every
cell on both sides.

- Without a random start, `_pair` makes neighbours each other's successor, in order. If a cell remains single,
  `_link` starts from scratch: it gives each cell up to two edges, in order, and directs the resulting paths
  and cycles. This makes few 2-cycles, and only the last cell of each path lacks a successor.
- `push_relabel` finds successors for these cells: a cell takes the successor of another cell, which then
  needs a new one, until a cell takes a free one.

Other engines use one function of this module, `cycle_cover`; `find.join` and `find.directed` use `match`.

u, v, … are cells, n is the number of cells.
"""

from __future__ import annotations

import numpy as np

from cavalcade.cycles.walking import Links, direct
from cavalcade.find.adjacency import adjacency
from cavalcade.find.push_relabel import Assignment, complete
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells, Tier, Vector, next_random
from cavalcade.question.parts import Rows

# Inner steps to match and join, per cell. It decides between the tiers: boards of 25,000 cells are compiled.
STEPS_PER_CELL = 60


def cycle_cover(indptr: Cells, indices: Cells, *, directed: bool = False) -> Cells:
    """A maximum matching of cells to successors, shape (n,); -1 for a cell without successor.

    Args:
        indptr: offsets of the rows of neighbours, shape (n + 1,).
        indices: neighbours, row after row.
        directed: whether these are arcs. Then an arc between a cell with no other way on and a cell with no
            other way in is matched first, and only the other cells are searched.
    """
    if not directed:
        return _matched(indptr, indices)
    n, counts = len(indptr) - 1, np.diff(indptr)
    cells = np.flatnonzero(counts == 1)
    heads = indices[indptr[cells]]
    forced = np.bincount(indices, minlength=n)[heads] == 1
    successor = np.full(n, -1, dtype=np.int32)
    successor[cells[forced]] = heads[forced]
    single, free = successor < 0, np.ones(n, dtype=np.bool_)
    free[heads[forced]] = False
    cells, heads = np.flatnonzero(single), np.flatnonzero(free).astype(np.int32)
    number = np.cumsum(free, dtype=np.int32) - 1
    rows = np.append(0, np.cumsum(counts[cells])).astype(np.int32)
    matched = _matched(rows, number[indices[np.repeat(single, counts)]], directed=True)
    successor[cells] = np.where(matched < 0, -1, heads[matched])
    return successor


def _matched(indptr: Cells, indices: Cells, *, directed: bool = False) -> Cells:
    """A maximum matching of all cells to successors."""
    n = len(indptr) - 1
    tier = Tier(STEPS_PER_CELL * n)
    links = Links(tier.full(n, -1), tier.full(n, -1))
    order = tier.vector(np.arange(n, dtype=np.int32))
    back = None
    if directed:
        rows = Rows(indptr, indices).T
        back = adjacency(tier, rows.indptr, rows.indices)
    match(tier, adjacency(tier, indptr, indices), order, 0, links, Budget(), back=back)
    return np.asarray(links.p, dtype=np.int32)


def match(
    tier: Tier,
    graph: Rows,
    order: Vector,
    state: int,
    links: Links,
    budget: Budget,
    *,
    back: Rows | None = None,
    paired: bool = False,
) -> int:
    """Find a maximum matching of cells to successors; returns the number of matched cells.

    Args:
        tier: interpreted or compiled.
        graph: the neighbours of each cell, or the heads of its arcs.
        order: the order in which cells choose successors.
        state: state of the random numbers that draw where a cell begins to search its row; 0: at the start.
        links: output, successor and predecessor of each cell; -1 if there is none. Filled with -1 at first.
        budget: counted work; it pays, but does not end the search.
        back: the tails of the arcs to each cell, if the graph is directed; nothing is matched greedily then.
        paired: whether to begin with pairs of cells even if a cell is left over.
    """
    n = len(order)
    matched = 0
    if back is None:
        if state == 0 or paired:
            matched = tier(_pair)(graph, order, links)
        if matched < n and not paired:
            matched = tier(_link)(graph, order, state, links)
        budget.spend(n + len(graph.indices))
    if matched == n:
        return n
    cells = np.asarray(order, dtype=np.int32)
    single = cells[np.asarray(links.p)[cells] < 0]
    return n - complete(tier, graph, back or graph, Assignment(*links), single, 1, budget)


def _pair(graph: Rows, order: Vector, links: Links) -> int:
    """Make neighbours each other's successor, in order; returns the number of matched cells."""
    indptr, indices = graph
    nxt, prv = links
    matched = 0
    for i in range(len(order)):
        u = order[i]
        if nxt[u] >= 0:
            continue
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if nxt[v] < 0:
                nxt[u] = v
                nxt[v] = u
                prv[u] = v
                prv[v] = u
                matched += 2
                break
    return matched


def _link(graph: Rows, order: Vector, state: int, links: Links) -> int:
    """Give each cell up to two edges, in order, and a direction to each path and cycle of these edges.

    Returns the number of cells with a successor: all but the last of each path.
    """
    indptr, indices = graph
    p, q = links
    for u in range(len(p)):
        p[u] = q[u] = -1
    for i in range(len(order)):
        u = order[i]
        degree = indptr[u + 1] - indptr[u]
        if q[u] >= 0 or degree == 0:
            continue
        # Search the row of u cyclically, from its start or from a random place.
        e = indptr[u]
        if state > 0:
            state = next_random(state)
            e += state % degree
        for _ in range(degree):
            v = indices[e]
            e += 1
            if e == indptr[u + 1]:
                e = indptr[u]
            # Add the edge u-v if v has a free slot and the edge is new. p is filled before q.
            if q[v] < 0 and p[u] != v:
                if p[v] < 0:
                    p[v] = u
                else:
                    q[v] = u
                if p[u] >= 0:
                    q[u] = v
                    break
                p[u] = v
    # Direct the paths from one of their ends, then the cycles.
    matched = 0
    for u in range(len(p)):
        if p[u] >= 0 and q[u] < 0:
            direct(p, q, u)
    for u in range(len(p)):
        if p[u] >= 0:
            matched += 1
            if q[p[u]] != u:
                direct(p, q, u)
    return matched
