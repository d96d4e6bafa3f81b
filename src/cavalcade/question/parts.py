"""Searches in graphs of any size, in nearly linear time: connected parts, what can be reached, trees.

Small graphs are searched without numba, and all of them without SciPy, whose import takes a quarter of a
second.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from cavalcade.ground.kernels import Cells, Ints, Mask, Tier, Vector
from cavalcade.question.graph import MoveGraph

STEPS = 4  # of the interpreter, for each vertex and edge
SHARE = 0.4  # of such a step that arrays take to find the parts of a double cover, for each


class Rows(NamedTuple):
    """A directed graph: the heads of the edges from vertex i are `indices[indptr[i] : indptr[i + 1]]`."""

    indptr: Cells
    indices: Cells

    @property
    def size(self) -> int:
        """How many vertices there are."""
        return len(self.indptr) - 1

    @property
    def tails(self) -> Cells:
        """The vertex in whose row each place of `indices` is."""
        return np.repeat(np.arange(self.size, dtype=np.int32), np.diff(self.indptr))

    @property
    def T(self) -> Rows:  # noqa: N802 - as of a matrix
        """The graph with its edges reversed, each row in ascending order."""
        return rows_from(self.size, self.indices, self.tails)


def rows_from(n: int, tails: Cells, heads: Cells) -> Rows:
    """The graph of n vertices with these edges; in each row they are in the order in which they come."""
    indptr = np.zeros(n + 1, dtype=np.int32)
    np.cumsum(np.bincount(tails, minlength=n), out=indptr[1:])
    if len(tails) and (tails[1:] < tails[:-1]).any():
        heads = heads[np.argsort(tails, kind="stable")]
    return Rows(indptr, heads.astype(np.int32, copy=False))


def double_cover(graph: MoveGraph) -> Rows:
    """The graph that joins (a, 0), which is a, to (b, 1), which is n + b, for every edge a-b."""
    rows = np.append(graph.indptr, np.full(graph.size, len(graph.indices), dtype=np.int32))
    return Rows(rows, graph.indices + np.int32(graph.size))


def walks(graph: MoveGraph) -> Rows:
    """The double cover, both ways: a walk from a to b ends at b if it is even, and at n + b if it is odd."""
    one = double_cover(graph)
    return rows_from(one.size, np.append(one.tails, one.indices), np.append(one.indices, one.tails))


def components(rows: Rows | MoveGraph) -> tuple[int, Cells]:
    """How many parts edges connect, in either direction, and of each vertex the number of its part.

    Every part hangs itself to the least that an edge leads to, until no edge is between two (Liu and Tarjan,
    Simple concurrent labeling algorithms for connected components, 2019). Parts are numbered by their first
    vertices.
    """
    label = np.arange(rows.size, dtype=np.int32)
    a, b = rows.tails, rows.indices
    while len(a):
        low, high = np.minimum(a, b), np.maximum(a, b)
        np.minimum.at(label, high, low)
        while not np.array_equal(label, further := label[label]):
            label = further
        a, b = label[a], label[b]
        apart = a != b
        a, b = a[apart], b[apart]
    first = label == np.arange(rows.size)
    return int(np.count_nonzero(first)), (np.cumsum(first, dtype=np.int32) - 1)[label]


def two_colours(graph: MoveGraph) -> Mask | None:
    """One of two colours for each vertex, so that every edge changes it; None if there are no such colours.

    A part of the graph without odd cycles falls into two parts of the double cover, which are its colours.
    """
    one, other = sides(graph)[1]
    return None if (one == other).any() else one < other


def sides(graph: MoveGraph) -> tuple[int, Cells]:
    """How many parts the double cover has, and for each vertex a the parts of (a, 0) and (a, 1), (2, n).

    The parts and their numbers are those of `components`, at which arrays are good; compiled, a search in the
    graph itself takes a fifth of the time or less, if its edges go both ways.
    """
    tier = Tier(SHARE * (graph.size + len(graph.indices)))
    if graph.directed or not tier.compiled:
        count, part = components(double_cover(graph))
        return count, part.reshape(2, graph.size)
    n, rows = graph.size, (tier.read_only(graph.indptr), tier.read_only(graph.indices))
    found = tier.full(2 * n)
    room = tier.full(n), tier.full(n), tier.full(n, -1), tier.full(n), tier.full(n), tier.full(2 * n, -1)
    count = tier(_sides)(*rows, *room, found)
    return int(count), np.asarray(found, dtype=np.int32).reshape(2, n)


def strong_components(rows: Rows | MoveGraph) -> tuple[int, Cells]:
    """How many sets of vertices can reach one another, and of each vertex the number of its set.

    No edge leads to a set of a greater number (Tarjan, Depth-first search and linear graph algorithms, 1972).
    """
    n = rows.size
    tier, given = _tier(rows)
    part = tier.full(n, -1)
    count = tier(_strong)(*given, part, tier.full(n), tier.full(n), tier.full(n), tier.full(n))
    return int(count), np.asarray(part, dtype=np.int32)


def reached(rows: Rows | MoveGraph, start: int) -> Cells:
    """The vertices to which paths lead from one, in the order of a breadth-first search."""
    return broad(rows, start)[0]


def broad(rows: Rows | MoveGraph, start: int) -> tuple[Cells, Cells, Cells]:
    """The same; then of every vertex the one before it, -1 for none, and how far it is."""
    tier, given = _tier(rows)
    order, above, far = tier.full(rows.size), tier.full(rows.size, -1), tier.full(rows.size, -1)
    stop = tier(_broad)(*given, int(start), order, above, far)
    order, above, far = (np.asarray(one, dtype=np.int32) for one in (order[:stop], above, far))
    return order, above, far


def deep(rows: Rows | MoveGraph) -> tuple[Cells, Cells]:
    """The vertices that the first leads to, in the order of a depth-first search; and those before them."""
    tier, given = _tier(rows)
    order, above = tier.full(rows.size), tier.full(rows.size, -1)
    stop = tier(_deep)(*given, order, above, tier.vector(np.array(rows.indptr[:-1])))
    return np.asarray(order[:stop], dtype=np.int32), np.asarray(above, dtype=np.int32)


def _tier(rows: Rows | MoveGraph) -> tuple[Tier, tuple[Any, Any]]:
    tier = Tier(STEPS * (rows.size + len(rows.indices)))
    return tier, (tier.read_only(rows.indptr), tier.read_only(rows.indices))


def _broad(indptr: Vector, indices: Vector, start: int, order: Vector, above: Vector, far: Vector) -> int:
    order[0] = start
    far[start] = 0
    at, stop = 0, 1
    while at < stop:
        a = order[at]
        at += 1
        for k in range(indptr[a], indptr[a + 1]):
            b = indices[k]
            if far[b] < 0:
                far[b] = far[a] + 1
                above[b] = a
                order[stop] = b
                stop += 1
    return stop


def _sides(
    indptr: Vector,
    indices: Vector,
    order: Vector,
    above: Vector,
    far: Vector,
    part: Vector,
    odd: Vector,
    number: Vector,
    found: Vector,
) -> int:
    """Of each part of the graph, how far its vertices are from the first, and whether a cycle is odd.

    Then the parts of the double cover are numbered, by their first vertices.
    """
    n, parts = len(part), 0
    for first in range(n):
        if far[first] >= 0:
            continue
        for i in range(_broad(indptr, indices, first, order, above, far)):
            a = order[i]
            part[a] = parts
            for k in range(indptr[a], indptr[a + 1]):
                if (far[indices[k]] ^ far[a]) & 1 == 0:
                    odd[parts] = 1
        parts += 1
    count = 0
    for i in range(2 * n):
        v = i % n
        which = 2 * part[v] + (0 if odd[part[v]] else (far[v] & 1) ^ (i // n))
        if number[which] < 0:
            number[which] = count
            count += 1
        found[i] = number[which]
    return count


def _deep(indptr: Vector, indices: Vector, order: Vector, above: Vector, at: Vector) -> int:
    order[0] = 0
    a, stop = 0, 1
    while a >= 0:
        if at[a] == indptr[a + 1]:
            a = above[a]
            continue
        b = indices[at[a]]
        at[a] += 1
        if b != 0 and above[b] < 0:
            above[b] = a
            order[stop] = b
            stop += 1
            a = b
    return stop


def _strong(
    indptr: Vector, indices: Vector, part: Vector, low: Vector, at: Vector, above: Vector, stack: Vector
) -> int:
    """Fill in `part`.

    `low` is 0 before a vertex is met; `above` leads back along the path; `stack` has the vertices in no part
    yet, and `part` -1 minus the number of each, in the order in which they are met.
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
                at[a] = indptr[a]
                above[a] = before
                stack[height] = a
                height += 1
                part[a] = -met - 1
            if at[a] < indptr[a + 1]:
                b = indices[at[a]]
                at[a] += 1
                if low[b] == 0:
                    before = a
                    a = b
                elif part[b] < 0 and low[b] < low[a]:
                    low[a] = low[b]
                continue
            if low[a] == -part[a] - 1:
                while True:
                    height -= 1
                    b = stack[height]
                    part[b] = count
                    if b == a:
                        break
                count += 1
            b = a
            a = above[a]
            if a >= 0 and part[b] < 0 and low[b] < low[a]:
                low[a] = low[b]
    return count


def has_overfull_vertex(graph: MoveGraph) -> bool:
    """Whether a vertex has three neighbours of degree 2, each of which needs an edge of that vertex."""
    two = graph.degrees == 2
    return bool((np.bincount(graph.indices[two[graph.tails]], minlength=3) > 2).any())


def hopeful(graph: MoveGraph) -> Ints:
    """The cells where an open tour may begin: moves lead everywhere, and the colours allow it.

    Where every move changes the colour, a tour visits as many cells of its first colour as of the other, or
    one more.
    """
    count, (first, second) = sides(graph)
    if count == 1:
        return np.arange(graph.size)
    light = first == 0
    more = 2 * np.count_nonzero(light) - graph.size
    if count > 2 or (first == second).any() or abs(more) > 1:
        return np.zeros(0, dtype=np.int64)
    return np.flatnonzero(light == (more > 0)) if more else np.arange(graph.size)
