"""Searches in graphs of any size in nearly linear time: connected components, reachability, search trees.

Small graphs are searched without numba. SciPy is never used, because its import takes a quarter of a second.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cavalcade.ground.kernels import Cells, Ints, Mask, Tier, Vector
from cavalcade.question.graph import MoveGraph

# Interpreted steps per vertex and edge of a search; `Tier` compiles the search if a process has many of them.
STEPS = 4
# The same for `sides` without numba, which uses arrays: about a tenth of the time of interpreted steps.
ARRAY_STEPS = 0.4


class Rows(NamedTuple):
    """A directed graph: the heads of the edges from vertex i are `indices[indptr[i] : indptr[i + 1]]`."""

    indptr: Cells
    indices: Cells

    @property
    def size(self) -> int:
        """The number of vertices."""
        return len(self.indptr) - 1

    @property
    def tails(self) -> Cells:
        """The tail of each edge, in the order of `indices`."""
        return np.repeat(np.arange(self.size, dtype=np.int32), np.diff(self.indptr))

    @property
    def T(self) -> Rows:  # noqa: N802 - as of a matrix
        """The graph with its edges reversed, each row in ascending order."""
        return rows_from(self.size, self.indices, self.tails)


def rows_from(n: int, tails: Cells, heads: Cells) -> Rows:
    """The graph of n vertices with given edges; the edges of a row keep their order."""
    indptr = np.zeros(n + 1, dtype=np.int32)
    np.cumsum(np.bincount(tails, minlength=n), out=indptr[1:])
    if len(tails) and (tails[1:] < tails[:-1]).any():
        heads = heads[np.argsort(tails, kind="stable")]
    return Rows(indptr, heads.astype(np.int32, copy=False))


def double_cover(graph: MoveGraph) -> Rows:
    """The bipartite double cover: for every edge a-b, an edge from (a, 0) = a to (b, 1) = n + b."""
    rows = np.append(graph.indptr, np.full(graph.size, len(graph.indices), dtype=np.int32))
    return Rows(rows, graph.indices + np.int32(graph.size))


def walks(graph: MoveGraph) -> Rows:
    """The undirected double cover: a walk from a to b ends at b if its length is even, else at n + b."""
    cover = double_cover(graph)
    return rows_from(cover.size, np.append(cover.tails, cover.indices), np.append(cover.indices, cover.tails))


def components(rows: Rows | MoveGraph) -> tuple[int, Cells]:
    """The number of weakly connected components, and the component of each vertex.

    Every component adopts the least label that an edge leads to, until no edge joins two components (Liu and
    Tarjan, Simple concurrent labeling algorithms for connected components, 2019). Components are numbered in
    the order of their first vertices.
    """
    label = np.arange(rows.size, dtype=np.int32)
    a, b = rows.tails, rows.indices
    while len(a):
        low, high = np.minimum(a, b), np.maximum(a, b)
        np.minimum.at(label, high, low)
        while not np.array_equal(label, root := label[label]):
            label = root
        a, b = label[a], label[b]
        apart = a != b
        a, b = a[apart], b[apart]
    first = label == np.arange(rows.size)
    return int(np.count_nonzero(first)), (np.cumsum(first, dtype=np.int32) - 1)[label]


def parts_without(n: int, edges: Cells, cut: Cells) -> tuple[int, Cells]:
    """The number of parts without the cells of a cut, and the part of each cell."""
    kept = edges[~np.isin(edges, cut).any(axis=1)]
    count, label = components(rows_from(n, *kept.T))
    return count - len(cut), label


def two_colours(graph: MoveGraph) -> Mask | None:
    """A proper 2-colouring of the vertices as a mask; None if the graph has an odd cycle.

    A component without odd cycles has two components in the double cover, which are its colours.
    """
    even, odd = sides(graph)[1]
    return None if (even == odd).any() else even < odd


def sides(graph: MoveGraph) -> tuple[int, Cells]:
    """The number of components of the double cover, and the components of (a, 0) and (a, 1), shape (2, n).

    The components are numbered as by `components`. If a process has compiled kernels and the graph is
    undirected, a search of the graph itself takes a fifth of the time.
    """
    tier = Tier(ARRAY_STEPS * (graph.size + len(graph.indices)))
    if graph.directed or not tier.compiled:
        count, part = components(double_cover(graph))
        return count, part.reshape(2, graph.size)
    n, rows = graph.size, (tier.read_only(graph.indptr), tier.read_only(graph.indices))
    cover_part = tier.full(2 * n)
    scratch = tier.full(n), tier.full(n), tier.full(n, -1), tier.full(n), tier.full(n), tier.full(2 * n, -1)
    count = tier(_sides)(*rows, *scratch, cover_part)
    return int(count), np.asarray(cover_part, dtype=np.int32).reshape(2, n)


def strong_components(rows: Rows | MoveGraph) -> tuple[int, Cells]:
    """The number of strongly connected components, and the component of each vertex.

    No edge leads to a component of a greater number (Tarjan, Depth-first search and linear graph algorithms,
    1972).
    """
    n = rows.size
    tier, arrays = _tier(rows)
    part = tier.full(n, -1)
    count = tier(_strong)(*arrays, part, tier.full(n), tier.full(n), tier.full(n), tier.full(n))
    return int(count), np.asarray(part, dtype=np.int32)


def reached(rows: Rows | MoveGraph, start: int) -> Cells:
    """The vertices that can be reached from a start, in the order of a breadth-first search."""
    return broad(rows, start)[0]


def broad(rows: Rows | MoveGraph, start: int) -> tuple[Cells, Cells, Cells]:
    """A breadth-first search.

    Returns:
        The vertices in the order of the search; the parent of every vertex, -1 for none; and the distance of
        every vertex from the start, -1 if it cannot be reached.
    """
    tier, arrays = _tier(rows)
    order, parent, distance = tier.full(rows.size), tier.full(rows.size, -1), tier.full(rows.size, -1)
    stop = tier(_broad)(*arrays, int(start), order, parent, distance)
    order, parent, distance = (
        np.asarray(vector, dtype=np.int32) for vector in (order[:stop], parent, distance)
    )
    return order, parent, distance


def deep(rows: Rows | MoveGraph) -> tuple[Cells, Cells]:
    """A depth-first search from vertex 0.

    Returns:
        The vertices in the order of the search, and the parent of every vertex, -1 for none.
    """
    tier, arrays = _tier(rows)
    order, parent = tier.full(rows.size), tier.full(rows.size, -1)
    stop = tier(_deep)(*arrays, order, parent, tier.vector(np.array(rows.indptr[:-1])))
    return np.asarray(order[:stop], dtype=np.int32), np.asarray(parent, dtype=np.int32)


def _tier(rows: Rows | MoveGraph) -> tuple[Tier, tuple[Any, Any]]:
    """The tier of a search in a graph, and the arrays of the graph for that tier."""
    tier = Tier(STEPS * (rows.size + len(rows.indices)))
    return tier, (tier.read_only(rows.indptr), tier.read_only(rows.indices))


def _broad(
    indptr: Vector, indices: Vector, start: int, order: Vector, parent: Vector, distance: Vector
) -> int:
    """Search breadth-first; return the number of vertices in `order`, which is also the queue."""
    order[0] = start
    distance[start] = 0
    head, stop = 0, 1
    while head < stop:
        a = order[head]
        head += 1
        for k in range(indptr[a], indptr[a + 1]):
            b = indices[k]
            if distance[b] < 0:
                distance[b] = distance[a] + 1
                parent[b] = a
                order[stop] = b
                stop += 1
    return stop


def _sides(
    indptr: Vector,
    indices: Vector,
    order: Vector,
    parent: Vector,
    distance: Vector,
    part: Vector,
    odd: Vector,
    number: Vector,
    cover_part: Vector,
) -> int:
    """Fill in `cover_part`, the components of the double cover; return their number.

    `part` is the component of each vertex, `odd` is 1 for components with an odd cycle. The other vectors
    are scratch space.
    """
    n, parts = len(part), 0
    for first in range(n):
        if distance[first] >= 0:
            continue
        # An edge between vertices whose distances have the same parity closes an odd cycle.
        for i in range(_broad(indptr, indices, first, order, parent, distance)):
            a = order[i]
            part[a] = parts
            for k in range(indptr[a], indptr[a + 1]):
                if (distance[indices[k]] ^ distance[a]) & 1 == 0:
                    odd[parts] = 1
        parts += 1
    # A component with an odd cycle is one component of the cover; another is two, one for each parity.
    # Number the components of the cover in the order of their first vertices.
    count = 0
    for i in range(2 * n):
        v = i % n
        half = 2 * part[v] + (0 if odd[part[v]] else (distance[v] & 1) ^ (i // n))
        if number[half] < 0:
            number[half] = count
            count += 1
        cover_part[i] = number[half]
    return count


def _deep(indptr: Vector, indices: Vector, order: Vector, parent: Vector, position: Vector) -> int:
    """Search depth-first; `position` is the next edge of each vertex. Return the number of vertices found."""
    order[0] = 0
    a, stop = 0, 1
    while a >= 0:
        if position[a] == indptr[a + 1]:
            a = parent[a]
            continue
        b = indices[position[a]]
        position[a] += 1
        if b != 0 and parent[b] < 0:
            parent[b] = a
            order[stop] = b
            stop += 1
            a = b
    return stop


def _strong(
    indptr: Vector,
    indices: Vector,
    part: Vector,
    low: Vector,
    position: Vector,
    parent: Vector,
    stack: Vector,
) -> int:
    """Fill in the strong component of each vertex, `part`; return the number of components.

    Tarjan's algorithm without recursion. A vertex is numbered from 1 when it is discovered. Until its
    component is complete, it is on `stack` and `part` is -1 minus its number. `low` is 0 for undiscovered
    vertices, else the least number on the stack known to be reachable; `position` is the next edge of each
    vertex, `parent` its predecessor on the path of the search.
    """
    met = count = height = 0
    for root in range(len(part)):
        if low[root] != 0:
            continue
        a, before = root, -1
        while a >= 0:
            if low[a] == 0:
                met += 1
                low[a] = met
                position[a] = indptr[a]
                parent[a] = before
                stack[height] = a
                height += 1
                part[a] = -met - 1
            if position[a] < indptr[a + 1]:
                b = indices[position[a]]
                position[a] += 1
                if low[b] == 0:
                    before = a
                    a = b
                elif part[b] < 0 and low[b] < low[a]:
                    low[a] = low[b]
                continue
            # All edges of a are done. If it reaches no earlier vertex, the stack from a is a component.
            if low[a] == -part[a] - 1:
                while True:
                    height -= 1
                    b = stack[height]
                    part[b] = count
                    if b == a:
                        break
                count += 1
            b = a
            a = parent[a]
            if a >= 0 and part[b] < 0 and low[b] < low[a]:
                low[a] = low[b]
    return count


def has_overfull_vertex(graph: MoveGraph) -> bool:
    """Whether a vertex has three neighbours of degree 2, each of which needs an edge to that vertex."""
    two = graph.degrees == 2
    return bool(two.any() and np.bincount(graph.indices[two[graph.tails]]).max() > 2)


def hopeful(graph: MoveGraph) -> Ints:
    """The cells where an open tour may begin, by connectivity and colours.

    If the graph is disconnected, there are none. If every move changes the colour, a tour alternates between
    the colours, so the colour of its first cell has an equal number of cells or one more.
    """
    count, (first, second) = sides(graph)
    if count == 1:
        return np.arange(graph.size)
    light = first == 0
    excess = 2 * np.count_nonzero(light) - graph.size
    if count > 2 or (first == second).any() or abs(excess) > 1:
        return np.zeros(0, dtype=np.int64)
    return np.flatnonzero(light == (excess > 0)) if excess else np.arange(graph.size)
