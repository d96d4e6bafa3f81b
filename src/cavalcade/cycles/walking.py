"""Walking along disjoint cycles that are given by two neighbours for each vertex.

A *cycle cover* is held as two rows p and q: the neighbours of vertex a along its cycle are p[a] and q[a], in
no order, and the same vertex twice in a 2-cycle. Every walk starts at a vertex and leaves it towards p. After
`orient`, p[a] is the successor of a, and q[a] its predecessor.

The functions of the first part are kernels: plain Python over lists or arrays. Those of the second part take
and return arrays of NumPy.

n is the number of vertices.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from cavalcade.ground.kernels import Cells, Tier, Vector

WALKED = 2  # inner steps for each vertex to walk all cycles


class Links(NamedTuple):
    """The two neighbours of each vertex along its cycle, in no order."""

    p: Vector
    q: Vector


# ---- kernels


def replace_link(p: Vector, q: Vector, a: int, old: int, new: int) -> None:
    """Replace one of the two neighbours of a vertex."""
    if p[a] == old:
        p[a] = new
    else:
        q[a] = new


def walk(p: Vector, q: Vector, first: int, path: Vector, begin: int) -> int:
    """Write a cycle from its vertex `first` on into `path`, from index `begin` on.

    Returns the index after the last vertex. The walk ends before `first` would come again, or where `path`
    ends.
    """
    a, b = first, p[first]
    for k in range(begin, len(path)):
        path[k] = a
        c = q[b] if p[b] == a else p[b]
        a, b = b, c
        if a == first:
            return k + 1
    return len(path)


def walk_all(p: Vector, q: Vector, seen: Vector, path: Vector, stops: Vector) -> int:
    """Write the cycles one after the other into `path`, each from its least vertex on; returns how many.

    `stops` gets the index after the last vertex of each; of the vertices met, `seen` becomes 1.
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


def trace(p: Vector, q: Vector, path: Vector) -> None:
    """Write a cycle of all vertices into `path`, from vertex 0 on: as `walk`, but three times as fast."""
    a, b = 0, p[0]
    for k in range(len(path)):
        path[k] = a
        c = q[b] if p[b] == a else p[b]
        a, b = b, c


def trace_each(neighbours: Vector, n: int, paths: Vector) -> None:
    """The same for many cycles: of each n first neighbours, then n second ones; the paths one by one."""
    for k in range(0, len(paths), n):
        a, b = 0, neighbours[2 * k]
        for i in range(k, k + n):
            paths[i] = a
            c = neighbours[2 * k + b]
            a, b = b, neighbours[2 * k + n + b] if c == a else c


def mark(p: Vector, q: Vector, first: int, marks: Vector, value: int) -> int:
    """Give each vertex of a cycle this value in `marks`; returns the number of vertices."""
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
    """Number the cycles from 0, in the order of their least vertices, and count the vertices of each.

    Writes the number of its cycle for each vertex, and the size for each number; returns how many there are.
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
    """Along a path or a cycle that starts with the edge from `first` to p: p is next, and q before."""
    a, b = first, p[first]
    while b >= 0 and b != first:
        c = q[b] if p[b] == a else p[b]
        p[b] = c
        q[b] = a
        a, b = b, c
    if b == first:
        q[first] = a


def orient(p: Vector, q: Vector, label: Vector, size: Vector, head: Vector) -> int:
    """Direct each cycle, and label the cycles; `head` gets the least vertex of each. Returns their number."""
    count = label_cycles(p, q, label, size)
    known = 0
    for first in range(len(p)):
        if label[first] == known:
            direct(p, q, first)
            head[known] = first
            known += 1
    return count


# ---- arrays


def neighbours_of(edges: Cells) -> Cells:
    """The two neighbours of each vertex, (n, 2), in n edges, (n, 2), of which every vertex is in two."""
    both = np.concatenate([edges, edges[:, ::-1]])
    return np.asarray(both[np.argsort(both[:, 0], kind="stable"), 1].reshape(-1, 2), dtype=np.int32)


def neighbours_along(cycle: Cells) -> Cells:
    """The two neighbours of each vertex, (n, 2), the one before and the one after it in a cycle of all."""
    found = np.empty((len(cycle), 2), dtype=np.int32)
    found[cycle, 0], found[cycle, 1] = np.roll(cycle, 1), np.roll(cycle, -1)
    return found


def cycle_of_all(p: ArrayLike, q: ArrayLike) -> Cells:
    """The vertices of a cycle of all of them, in order, from vertex 0 on. Time: O(n)."""
    one, other = (np.ascontiguousarray(side, dtype=np.int32) for side in (p, q))
    tier = Tier(2 * len(one))
    path = tier.full(len(one))
    tier(trace)(tier.vector(one), tier.vector(other), path)
    return np.asarray(path, dtype=np.int32)


def cycles_of_all(neighbours: Cells) -> Cells:
    """The same of many cycles, (k, n), each given by the two neighbours of each vertex: (k, 2, n)."""
    k, _, n = neighbours.shape
    tier = Tier(2 * k * n)
    paths = tier.full(k * n)
    tier(trace_each)(tier.vector(np.ascontiguousarray(neighbours).ravel()), n, paths)
    return np.asarray(paths, dtype=np.int32).reshape(k, n)


def cycles_of(neighbours: Cells) -> list[list[int]]:
    """The vertices of each cycle, in order, from the two neighbours of each vertex, (n, 2)."""
    n = len(neighbours)
    tier = Tier(WALKED * n)
    p, q = (tier.vector(np.ascontiguousarray(side, dtype=np.int32)) for side in neighbours.T)
    path, stops = tier.full(n), tier.full(n)
    count = tier(walk_all)(p, q, tier.full(n), path, stops)
    vertices, ends = np.asarray(path).tolist(), np.asarray(stops[:count]).tolist()
    return [vertices[i:j] for i, j in zip([0, *ends], ends, strict=False)]
