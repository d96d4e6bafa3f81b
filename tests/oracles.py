"""Brute force: all tours of a small graph, and whether one exists. It shares no code with the package."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cavalcade.question.graph import MoveGraph

Cells = tuple[int, ...]
Edges = frozenset[frozenset[int]]


def every_tour(graph: MoveGraph, *, closed: bool) -> Iterator[Cells]:
    """Yield every tour once: closed tours from vertex 0, open tours from the smaller end."""
    rows = [graph.neighbours(i).tolist() for i in range(graph.size)]
    stack: list[Cells] = [(first,) for first in ([0] if closed else range(graph.size))]
    while stack:
        path = stack.pop()
        if len(path) == graph.size:
            closes = graph.size > 2 and 0 in rows[path[-1]] and path[1] < path[-1]
            if closes if closed else path[0] <= path[-1]:
                yield path
        stack += [(*path, v) for v in rows[path[-1]] if v not in path]


def edges_of(path: Sequence[int], *, closed: bool) -> Edges:
    """Return the edges of a tour."""
    return frozenset(map(frozenset, pairwise([*path, *path[:1]] if closed else path)))


def is_hamiltonian(graph: MoveGraph) -> bool:
    """Return whether a closed tour exists, by the ends of all paths from one vertex (Held & Karp 1962)."""
    if graph.size < 3 or min(graph.degrees) < 2:
        return graph.size == 1
    neighbours = np.zeros(graph.size, dtype=np.int64)
    for a, b in graph.edges().tolist():
        neighbours[a] |= 1 << b
        neighbours[b] |= 1 << a
    return bool((compiled_ends() if graph.size > 8 else some_end)(neighbours))


def has_tour_from(start: int, moves: list[list[int]], *, closed: bool) -> bool:
    """Return whether a tour begins at a vertex; each vertex is reached once with each set of visited ones.

    Args:
        start: the first vertex.
        moves: neighbours of each vertex.
        closed: whether the tour must return to the first vertex.
    """
    everything = 2 ** len(moves) - 1
    stack, seen = [(start, 1 << start)], set[tuple[int, int]]()
    while stack:
        vertex, visited = stack.pop()
        if visited == everything and (not closed or (len(moves) > 2 and start in moves[vertex])):
            return True
        for after in moves[vertex]:
            state = after, visited | 1 << after
            if not visited >> after & 1 and state not in seen:
                seen.add(state)
                stack.append(state)
    return False


@cache
def compiled_ends() -> Any:
    import numba

    return numba.njit(some_end)


def some_end(neighbours: Any) -> bool:
    """Return whether a path from the last vertex through all others ends next to it; sets are bit masks."""
    n = len(neighbours) - 1  # the last vertex is in none of the sets
    ends = np.zeros(
        1 << n, dtype=np.int32
    )  # per set: ends of the paths from the last vertex through all of its vertices
    for v in range(n):
        if neighbours[n] >> v & 1:
            ends[1 << v] = 1 << v
    for cells in range(1, 1 << n):
        for v in range(n):
            if ends[cells] >> v & 1:
                for w in range(n):
                    if neighbours[v] >> w & 1 and not cells >> w & 1:
                        ends[cells | 1 << w] |= 1 << w
    return bool(ends[-1] & neighbours[n])


def held_karp(rows: list[list[int]]) -> int:
    """Count Hamiltonian cycles by dynamic programming over sets (Held & Karp 1962), up to 20 vertices.

    `ways[s][v]` is the number of paths from the last vertex through the set s that end at v.
    """
    n = len(rows) - 1
    ways = [dict[int, int]() for _ in range(1 << n)]
    for v in rows[n]:
        ways[1 << v][v] = 1
    for s in range(1, 1 << n):
        for v, count in ways[s].items():
            for w in rows[v]:
                if w < n and not s >> w & 1:
                    extended = ways[s | 1 << w]
                    extended[w] = extended.get(w, 0) + count
    return sum(count for v, count in ways[-1].items() if v in rows[n]) // 2
