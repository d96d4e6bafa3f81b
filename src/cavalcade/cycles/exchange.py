"""Exchanges of edges in disjoint cycles, and the labels that follow them.

An *exchange* takes the edges a-b and c-d out of a cycle cover and puts a-c and b-d in. Between two cycles it
joins them. Within one it reverses a path, if the cycle runs a→b … c→d, or splits the cycle, if it runs
a→b … d→c.

`reconnect` exchanges edges of cycles without directions, and `root` tells which of these have become one.
`exchange` keeps directions, labels, sizes and heads right. All functions are helpers of kernels; a, b, c, …
are vertices.
"""

from __future__ import annotations

from typing import NamedTuple

from cavalcade.cycles.walking import mark, replace_link
from cavalcade.ground.kernels import Vector


class Cycles(NamedTuple):
    """Cycles with directions, as `walking.orient` makes them.

    Args:
        nxt: the successor of each vertex.
        prv: its predecessor.
        label: the number of its cycle.
        size: the vertices of each cycle, by number; 0 for numbers that are free.
        head: a vertex of each cycle, by number.
    """

    nxt: Vector
    prv: Vector
    label: Vector
    size: Vector
    head: Vector


# ---- cycles without directions


def root(parent: Vector, a: int) -> int:
    """The representative of a's cycle in a union-find; halves the path on the way."""
    while parent[a] != a:
        parent[a] = parent[parent[a]]
        a = parent[a]
    return a


def reconnect(p: Vector, q: Vector, a: int, side: int, c: int, t: int) -> None:
    """The edges from a and c to b and d, their neighbours on these sides, give way to a-c and b-d.

    A side is 0 for p and 1 for q; the caller knows it, and finding it again would make joining slower by a
    quarter.
    """
    b = p[a] if side == 0 else q[a]
    d = p[c] if t == 0 else q[c]
    if side == 0:
        p[a] = c
    else:
        q[a] = c
    replace_link(p, q, b, a, d)
    if t == 0:
        p[c] = a
    else:
        q[c] = a
    replace_link(p, q, d, c, b)


# ---- cycles with directions


def link(nxt: Vector, prv: Vector, a: int, b: int) -> None:
    """Make b the successor of a."""
    nxt[a] = b
    prv[b] = a


def shorter(nxt: Vector, a: int, b: int, c: int, d: int) -> int:
    """The vertices of a … b along `nxt`, if these are not more than those of c … d; else minus the latter."""
    length = 1
    while a != b and c != d:
        a = nxt[a]
        c = nxt[c]
        length += 1
    return length if a == b else -length


def reverse(nxt: Vector, prv: Vector, first: int, last: int) -> None:
    """Reverse the path from first to last along `nxt`; the caller sets its outer links."""
    a = first
    while True:
        b = nxt[a]
        nxt[a] = prv[a]
        prv[a] = b
        if a == last:
            break
        a = b


def exchange(cycles: Cycles, free: int, a: int, b: int, c: int, d: int) -> int:
    """The edges a-b and c-d give way to a-c and b-d. Returns the change of the number of cycles: -1, 0 or 1.

    A cycle that is split off gets the label `free`. Time: the shorter of the two cycles or paths.
    """
    nxt, prv, label, size, head = cycles
    if label[a] != label[c]:
        if size[label[a]] > size[label[c]]:
            a, b, c, d = c, d, a, b
        if nxt[c] != d:
            a, b, c, d = b, a, d, c
        if prv[a] != b:
            reverse(nxt, prv, b, a)
        size[label[a]] = 0
        size[label[c]] += mark(nxt, prv, a, label, label[c])
        link(nxt, prv, c, a)
        link(nxt, prv, b, d)
        return -1
    if nxt[a] != b:
        a, b, c, d = b, a, d, c
    if nxt[c] == d:
        if shorter(nxt, b, c, d, a) < 0:
            a, b, c, d = c, d, a, b
        reverse(nxt, prv, b, c)
        link(nxt, prv, a, c)
        link(nxt, prv, b, d)
        return 0
    length = shorter(nxt, b, d, c, a)
    link(nxt, prv, a, c)
    link(nxt, prv, d, b)
    old = label[a]
    head[free], head[old] = (b, c) if length > 0 else (c, b)
    size[free] = mark(nxt, prv, head[free], label, free)
    size[old] -= size[free]
    return 1
