"""Search for a cut: a set of cells whose removal leaves more parts than a tour can connect.

The decision problem is NP-hard (Bauer, Hakimi & Schmeichel 1990), but a short walk over the sets S mostly
finds such a cut: each step adds or removes the best cell that was not moved lately (tabu search, Glover
1989). One depth-first search of the graph without S gives the gain of every addition and removal. An added
cell splits its part into pieces (Hopcroft & Tarjan 1973), and a removed cell merges the parts next to it. So
a step of the walk takes linear time.

The *worth* of S is parts - |S| + f, with f forced edges inside S. If it is positive, S is a contradiction; if
it is 0, S is a tight cut.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cavalcade.ground.kernels import Cells, Mask, Tier, Vector, next_random
from cavalcade.question.graph import MoveGraph

# Counted work of a step of the walk for each entry of `indices`, which three loops look at once: the search
# for parts, the count of forced edges and the comparison of gains.
STEP = 3
# Least number of steps before a moved cell may move again; a random number below it is added. A short tenure
# lets the walk return to the same sets, a long one forbids good cells; its length was not measured.
TENURE = 5


class PresentRows(NamedTuple):
    """The edges that are not ruled out, by rows.

    Attributes:
        indptr: offsets of the neighbours of each cell, shape (n + 1,).
        indices: the neighbours, shape (2m,).
        forced: 1 if the edge to the neighbour is forced, shape (2m,).
    """

    indptr: Vector
    indices: Vector
    forced: Vector


class DepthFirstSearch(NamedTuple):
    """The result of a depth-first search of the cells outside S, and its scratch space.

    Attributes:
        first_visit: number of cells visited before each cell; negative inside S.
        low: earliest visit among the cells that a subtree is adjacent to (Hopcroft & Tarjan).
        parent: parent in the search tree, -1 for a root, shape (n,).
        next_index: index in `PresentRows.indices` of the next neighbour to look at.
        part: number of the part that contains each cell.
        pieces: number of pieces into which that part falls without the cell.
    """

    first_visit: Vector
    low: Vector
    parent: Vector
    next_index: Vector
    part: Vector
    pieces: Vector


def _search_parts(graph: PresentRows, inside: Vector, search: DepthFirstSearch) -> int:
    """Fill in `search` for the cells outside S, without recursion; returns the number of parts."""
    indptr, indices = graph.indptr, graph.indices
    first_visit, low, parent = search.first_visit, search.low, search.parent
    next_index, part, pieces = search.next_index, search.part, search.pieces
    n = len(indptr) - 1
    clock = parts = 0
    for v in range(n):
        first_visit[v] = -1
    for root in range(n):
        if inside[root] or first_visit[root] >= 0:
            continue
        first_visit[root] = low[root] = clock
        clock += 1
        parent[root] = -1
        next_index[root] = indptr[root]
        pieces[root] = 0
        part[root] = parts
        v = root
        while v >= 0:
            if next_index[v] < indptr[v + 1]:
                w = indices[next_index[v]]
                next_index[v] += 1
                if inside[w]:
                    continue
                if first_visit[w] < 0:
                    # Descend to w. Its part without w has a piece above w, unless w is the root.
                    first_visit[w] = low[w] = clock
                    clock += 1
                    parent[w] = v
                    next_index[w] = indptr[w]
                    pieces[w] = 1
                    part[w] = parts
                    v = w
                elif first_visit[w] < low[v]:
                    low[v] = first_visit[w]
            else:
                # Return to the parent u. The subtree of v is a piece of its own if no edge leads above u.
                u = parent[v]
                if u >= 0:
                    low[u] = min(low[u], low[v])
                    if u == root or low[v] >= first_visit[u]:
                        pieces[u] += 1
                v = u
        parts += 1
    return parts


def _walk(
    graph: PresentRows,
    inside: Vector,
    tight: Vector,
    movable_from: Vector,
    search: DepthFirstSearch,
    steps: int,
    state: int,
) -> int:
    """Walk over sets of cells until one is a contradiction, or for a number of steps.

    Args:
        graph: the edges that are not ruled out.
        inside: 1 for the cells of S, at the beginning and at the end.
        tight: receives the first tight cut with an open edge inside.
        movable_from: scratch space, the step from which each cell may move again.
        search: scratch space.
        steps: the largest number of steps.
        state: state of the random numbers.

    Returns:
        2 if `inside` is a contradiction; otherwise 1 if `tight` is a tight cut, or 0.
    """
    indptr, indices, forced = graph.indptr, graph.indices, graph.forced
    first_visit, part, pieces = search.first_visit, search.part, search.pieces
    n = len(indptr) - 1
    size = 0
    result = 0
    for v in range(n):
        movable_from[v] = 0
        size += inside[v]
    for step in range(1, steps + 1):
        # Compare the number of parts with the number of paths that a tour leaves: |S| less the forced edges.
        parts = _search_parts(graph, inside, search)
        paths = size
        open_inside = 0
        for v in range(n):
            if inside[v]:
                for k in range(indptr[v], indptr[v + 1]):
                    if v < indices[k] and inside[indices[k]]:
                        paths -= forced[k]
                        open_inside += 1 - forced[k]
        if parts > paths and (size > 0 or parts > 1):
            return 2
        if result == 0 and parts == paths and parts > 0 and size > 0 and open_inside > 0:
            result = 1
            for v in range(n):
                tight[v] = inside[v]
        # Choose the movable cell with the largest gain of worth, one of equals at random.
        best_gain, ties, chosen = -1000000, 0, -1
        for v in range(n):
            if movable_from[v] > step:
                continue
            if inside[v]:
                # Without v the bound grows by one, and the parts next to v and v itself become one part.
                gain = 2
                for k in range(indptr[v], indptr[v + 1]):
                    w = indices[k]
                    if inside[w]:
                        gain -= forced[k]
                    elif first_visit[part[w]] != -2 - v:
                        # The entry of the part number, no longer needed as a visit, marks parts next to v.
                        first_visit[part[w]] = -2 - v
                        gain -= 1
            else:
                gain = pieces[v] - 2
                for k in range(indptr[v], indptr[v + 1]):
                    if inside[indices[k]]:
                        gain += forced[k]
            if gain >= best_gain:
                if gain > best_gain:
                    best_gain, ties = gain, 0
                ties += 1
                state = next_random(state)
                if state % ties == 0:
                    chosen = v
        if chosen < 0:
            return result
        inside[chosen] = 1 - inside[chosen]
        size += 2 * inside[chosen] - 1
        state = next_random(state)
        movable_from[chosen] = step + TENURE + state % TENURE
    return result


def find_cut(
    graph: MoveGraph,
    forced: Mask,
    *,
    steps: int,
    state: int = 1,
    compiled: bool | None = None,
) -> tuple[int, Cells]:
    """Search for a cut, by a walk from the empty set.

    Args:
        graph: the edges that are not ruled out.
        forced: which entries of `graph.indices` belong to forced edges.
        steps: the number of steps of the walk, each of linear time.
        state: state of the random numbers.
        compiled: the tier of the kernels; None chooses by the work.

    Returns:
        2 and a contradiction, 1 and a tight cut with an open edge inside, or 0 and no particular cells.
    """
    tier = Tier(steps * STEP * len(graph.indices), compiled=compiled)
    inside, tight, movable_from = (tier.full(graph.size) for _ in range(3))
    rows = PresentRows(*(tier.vector(a) for a in (graph.indptr, graph.indices, forced.astype(np.int32))))
    search = DepthFirstSearch(*(tier.full(graph.size) for _ in DepthFirstSearch._fields))
    result = int(tier(_walk)(rows, inside, tight, movable_from, search, steps, state))
    cells = np.flatnonzero(np.asarray(tight if result == 1 else inside))
    return result, cells.astype(np.int32)
