"""Disjoint cycles given by the two neighbours of each vertex: walk, label and direct them.

A *cycle cover* is stored as two arrays p and q: the neighbours of vertex a along its cycle are p[a] and q[a],
in no particular order. In a 2-cycle both are the same vertex. Every walk starts at a vertex and leaves it
towards p. After `orient`, p[a] is the successor of a and q[a] its predecessor.

The functions of the first part are kernels: plain Python over lists or arrays. The functions of the second
part take and return NumPy arrays.

n is the number of vertices.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from cavalcade.ground.kernels import Cells, Tier, Vector


class Links(NamedTuple):
    """Two neighbours per vertex along its cycle, in no particular order."""

    p: Vector
    q: Vector


# ---- kernels


def replace_link(p: Vector, q: Vector, a: int, old: int, new: int) -> None:
    """Replace one of the two neighbours of vertex a."""
    if p[a] == old:
        p[a] = new
    else:
        q[a] = new


def walk(p: Vector, q: Vector, first: int, path: Vector, begin: int) -> int:
    """Write the cycle of `first` into `path`, from index `begin` on; returns the index after the last vertex.

    The walk ends before `first` would be repeated, or at the end of `path`.
    """
    a, b = first, p[first]
    for k in range(begin, len(path)):
        path[k] = a
        # Leave b by the link that does not lead back to a.
        c = q[b] if p[b] == a else p[b]
        a, b = b, c
        if a == first:
            return k + 1
    return len(path)


def walk_all(p: Vector, q: Vector, seen: Vector, path: Vector, stops: Vector) -> int:
    """Write all cycles into `path`, one after the other, each from its least vertex; returns their number.

    Args:
        p: one neighbour of each vertex.
        q: the other neighbour.
        seen: 0 for each vertex at first, 1 once it is visited.
        path: output, n vertices.
        stops: output, the index in `path` after the last vertex of each cycle.
    """
    count = k = 0
    for first in range(len(p)):
        if seen[first] == 0:
            a, b = first, p[first]
            while seen[a] == 0:
                seen[a] = 1
                path[k] = a
                k += 1
                c = q[b] if p[b] == a else p[b]
                a, b = b, c
            stops[count] = k
            count += 1
    return count


def trace(neighbours: Vector, n: int, paths: Vector) -> None:
    """Write Hamiltonian cycles into `paths`, n vertices each, from vertex 0 on.

    `neighbours` holds n first neighbours and then n second ones for each cycle. A loop of fixed length takes
    a third of the time of `walk`.
    """
    for offset in range(0, len(paths), n):
        a, b = 0, neighbours[2 * offset]
        for i in range(offset, offset + n):
            paths[i] = a
            c = neighbours[2 * offset + b]
            a, b = b, neighbours[2 * offset + n + b] if c == a else c


def mark(p: Vector, q: Vector, first: int, marks: Vector, value: int) -> int:
    """Set `marks` to a value at each vertex of the cycle of `first`; returns the number of vertices."""
    a, b = first, p[first]
    marks[a] = value
    size = 1
    while b != first:
        marks[b] = value
        size += 1
        c = q[b] if p[b] == a else p[b]
        a, b = b, c
    return size


def label_cycles(p: Vector, q: Vector, label: Vector, size: Vector) -> int:
    """Number the cycles from 0 in the order of their least vertices; returns the number of cycles.

    Writes the number of the cycle of each vertex into `label`, and the length of each cycle into `size`.
    """
    for a in range(len(p)):
        label[a] = -1
    count = 0
    for first in range(len(p)):
        if label[first] < 0:
            size[count] = mark(p, q, first, label, count)
            count += 1
    return count


def direct(p: Vector, q: Vector, first: int) -> None:
    """Direct a path or a cycle, whose first edge leads from `first` to p: p is the successor from here on."""
    a, b = first, p[first]
    while b >= 0 and b != first:
        c = q[b] if p[b] == a else p[b]
        p[b] = c
        q[b] = a
        a, b = b, c
    if b == first:
        q[first] = a


def orient(p: Vector, q: Vector, label: Vector, size: Vector, head: Vector) -> int:
    """Direct and label all cycles; `head` gets the least vertex of each. Returns the number of cycles."""
    count = label_cycles(p, q, label, size)
    directed = 0
    for first in range(len(p)):
        # Cycles are numbered by their least vertices, so this one is the least of its cycle.
        if label[first] == directed:
            direct(p, q, first)
            head[directed] = first
            directed += 1
    return count


# ---- arrays


def neighbours_of(edges: Cells) -> Cells:
    """The two neighbours of each vertex, shape (n, 2), from n edges, shape (n, 2), two at every vertex."""
    arcs = np.concatenate([edges, edges[:, ::-1]])
    return np.asarray(arcs[np.argsort(arcs[:, 0], kind="stable"), 1].reshape(-1, 2), dtype=np.int32)


def neighbours_along(cycle: Cells) -> Cells:
    """The predecessor and the successor of each vertex in a Hamiltonian cycle, shape (n, 2)."""
    neighbours = np.empty((len(cycle), 2), dtype=np.int32)
    neighbours[cycle, 0], neighbours[cycle, 1] = np.roll(cycle, 1), np.roll(cycle, -1)
    return neighbours


def cycle_of_all(p: ArrayLike, q: ArrayLike) -> Cells:
    """The vertices of a Hamiltonian cycle in order, from vertex 0 on. Time: O(n)."""
    cycle: Cells = cycles_of_all(np.array([[p, q]], dtype=np.int32))[0]
    return cycle


def cycles_of_all(neighbours: Cells) -> Cells:
    """The vertices of many Hamiltonian cycles, shape (k, n), from the two neighbours of each, (k, 2, n)."""
    k, _, n = neighbours.shape
    tier = Tier(2 * k * n)
    paths = tier.full(k * n)
    tier(trace)(tier.vector(np.ascontiguousarray(neighbours).ravel()), n, paths)
    return np.asarray(paths, dtype=np.int32).reshape(k, n)


def cycles_of(neighbours: Cells) -> list[list[int]]:
    """The vertices of each cycle in order, from the two neighbours of each vertex, shape (n, 2)."""
    n = len(neighbours)
    tier = Tier(2 * n)
    p, q = (tier.vector(np.ascontiguousarray(side, dtype=np.int32)) for side in neighbours.T)
    path, stops = tier.full(n), tier.full(n)
    count = tier(walk_all)(p, q, tier.full(n), path, stops)
    vertices, ends = np.asarray(path).tolist(), np.asarray(stops[:count]).tolist()
    return [vertices[i:j] for i, j in zip([0, *ends], ends, strict=False)]
