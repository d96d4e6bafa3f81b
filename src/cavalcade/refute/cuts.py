"""The search for a set of cells whose removal leaves too many parts.

The decision problem is NP-hard (Bauer, Hakimi & Schmeichel 1990), but such a set is mostly found by a short
walk over the sets S: each step adds or drops the best cell that was not touched lately (Glover's tabu search,
1989). One depth-first search of the graph without S gives the value of every addition and removal: a cell
that is added splits its part into pieces (Hopcroft & Tarjan 1973), a cell that is dropped merges the parts
next to it. So a step of the walk takes linear time.

The *worth* of S is its parts - k + f, with k cells in S and f forced edges inside: above 0 S is a
contradiction, and at 0 it is a tight cut.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cavalcade.ground.kernels import Cells, Mask, Tier, Vector, next_random
from cavalcade.question.graph import MoveGraph

FORGET = 5  # steps, and up to as many again at random, during which a cell is not touched again


class PresentRows(NamedTuple):
    """The present graph: its rows, its neighbours, and for each of these whether the edge is forced."""

    indptr: Vector
    indices: Vector
    forced: Vector


class DepthFirstSearch(NamedTuple):
    """The result of a depth-first search of the cells outside S.

    Args:
        seen: when a cell was first seen, -1 where it is in S.
        low: the earliest cell that a cell and those below it reach (Hopcroft & Tarjan).
        parent: the cell above.
        here: the next place in its row.
        part: the number of its part.
        pieces: the number of parts into which its part would fall without it.
    """

    seen: Vector
    low: Vector
    parent: Vector
    here: Vector
    part: Vector
    pieces: Vector


def _pieces(graph: PresentRows, inside: Vector, found: DepthFirstSearch) -> int:
    """The parts without S; into how many pieces each cell's part would fall without that cell too."""
    indptr, indices, seen, low, parent = graph.indptr, graph.indices, found.seen, found.low, found.parent
    here, part, pieces = found.here, found.part, found.pieces
    n = len(indptr) - 1
    clock = parts = 0
    for v in range(n):
        seen[v] = -1
    for root in range(n):
        if inside[root] or seen[root] >= 0:
            continue
        seen[root] = low[root] = clock
        clock += 1
        parent[root] = -1
        here[root] = indptr[root]
        pieces[root] = 0
        part[root] = parts
        v = root
        while v >= 0:
            if here[v] < indptr[v + 1]:
                w = indices[here[v]]
                here[v] += 1
                if inside[w]:
                    continue
                if seen[w] < 0:
                    seen[w] = low[w] = clock
                    clock += 1
                    parent[w] = v
                    here[w] = indptr[w]
                    pieces[w] = 1
                    part[w] = parts
                    v = w
                elif seen[w] < low[v]:
                    low[v] = seen[w]
            else:
                u = parent[v]
                if u >= 0:
                    low[u] = min(low[u], low[v])
                    if u == root or low[v] >= seen[u]:
                        pieces[u] += 1
                v = u
        parts += 1
    return parts


def _walk(
    graph: PresentRows,
    inside: Vector,
    tight: Vector,
    untouched: Vector,
    found: DepthFirstSearch,
    steps: int,
    state: int,
) -> int:
    """Walk until a set is a contradiction, or for the given number of steps.

    Returns 2 if `inside` is a contradiction; else 1 if `tight` is a tight cut with an open edge inside, or 0.
    """
    indptr, indices, forced = graph.indptr, graph.indices, graph.forced
    seen, part, pieces = found.seen, found.part, found.pieces
    n = len(indptr) - 1
    size = 0
    met = 0
    for v in range(n):
        untouched[v] = 0
        size += inside[v]
    for now in range(1, steps + 1):
        parts = _pieces(graph, inside, found)
        bound = size
        idle = 0
        for v in range(n):
            if inside[v]:
                for k in range(indptr[v], indptr[v + 1]):
                    if v < indices[k] and inside[indices[k]]:
                        bound -= forced[k]
                        idle += 1 - forced[k]
        if parts > bound and (size > 0 or parts > 1):
            return 2
        if met == 0 and parts == bound and parts > 0 and size > 0 and idle > 0:
            met = 1
            for v in range(n):
                tight[v] = inside[v]
        best, count, choice = -1000000, 0, -1
        for v in range(n):
            if untouched[v] > now:
                continue
            if inside[v]:
                gain = 2
                for k in range(indptr[v], indptr[v + 1]):
                    w = indices[k]
                    if inside[w]:
                        gain -= forced[k]
                    elif seen[part[w]] != -2 - v:  # a part that v has not met yet
                        seen[part[w]] = -2 - v
                        gain -= 1
            else:
                gain = pieces[v] - 2
                for k in range(indptr[v], indptr[v + 1]):
                    if inside[indices[k]]:
                        gain += forced[k]
            if gain >= best:
                if gain > best:
                    best, count = gain, 0
                count += 1
                state = next_random(state)
                if state % count == 0:
                    choice = v
        if choice < 0:
            return met
        inside[choice] = 1 - inside[choice]
        size += 2 * inside[choice] - 1
        state = next_random(state)
        untouched[choice] = now + FORGET + state % FORGET
    return met


def find_cut(
    graph: MoveGraph,
    forced: Mask,
    *,
    steps: int,
    state: int = 1,
    compiled: bool | None = None,
) -> tuple[int, Cells]:
    """A set that is a contradiction (2) or a tight cut (1); 0 and no cells if neither was found.

    The graph is the present one, and `forced` says which places of `indices` belong to forced edges. The walk
    has so many steps, each of linear time; `state` is of its random numbers.
    """
    n = graph.size
    tier = Tier(3 * steps * len(graph.indices), compiled=compiled)
    inside, tight, untouched = (tier.full(n) for _ in range(3))
    rows = PresentRows(*(tier.vector(a) for a in (graph.indptr, graph.indices, forced.astype(np.int32))))
    search = DepthFirstSearch(*(tier.full(n) for _ in DepthFirstSearch._fields))
    found = int(tier(_walk)(rows, inside, tight, untouched, search, steps, state))
    cells = np.flatnonzero(np.asarray(tight if found == 1 else inside))
    return found, cells.astype(np.int32)
