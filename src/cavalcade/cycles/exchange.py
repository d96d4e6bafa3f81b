"""Exchanges of edges in disjoint cycles, with labels kept up to date.

An *exchange* removes the edges a-b and c-d from a cycle cover and adds a-c and b-d. Between two cycles it
joins them. Within one cycle it reverses a path if the cycle runs a→b … c→d, and splits the cycle if it runs
a→b … d→c.

`reconnect` exchanges edges of undirected cycles; `root` identifies the cycles that have been joined.
`exchange` also updates directions, labels, sizes and heads. All functions are helpers of kernels; a, b, c, …
are vertices.
"""

from __future__ import annotations

from typing import NamedTuple

from cavalcade.cycles.walking import mark, replace_link
from cavalcade.ground.kernels import Vector


class Cycles(NamedTuple):
    """Directed cycles, as `walking.orient` makes them.

    Args:
        nxt: successor of each vertex.
        prv: predecessor of each vertex.
        label: number of the cycle of each vertex.
        size: number of vertices of each cycle, by label; 0 for labels that are not in use.
        head: one vertex of each cycle, by label.
    """

    nxt: Vector
    prv: Vector
    label: Vector
    size: Vector
    head: Vector


# ---- undirected cycles


def root(parent: Vector, a: int) -> int:
    """The representative of the cycle of vertex a in a union-find, with path halving."""
    while parent[a] != a:
        parent[a] = parent[parent[a]]
        a = parent[a]
    return a


def reconnect(p: Vector, q: Vector, a: int, side_a: int, c: int, side_c: int) -> None:
    """Exchange a-b and c-d for a-c and b-d, where b and d are the neighbours of a and c on these sides.

    A side is 0 for p and 1 for q. The caller has just found them; to find them again would make joining
    slower by a quarter.
    """
    b = p[a] if side_a == 0 else q[a]
    d = p[c] if side_c == 0 else q[c]
    if side_a == 0:
        p[a] = c
    else:
        q[a] = c
    replace_link(p, q, b, a, d)
    if side_c == 0:
        p[c] = a
    else:
        q[c] = a
    replace_link(p, q, d, c, b)


# ---- directed cycles


def link(nxt: Vector, prv: Vector, a: int, b: int) -> None:
    """Make b the successor of a."""
    nxt[a] = b
    prv[b] = a


def shorter(nxt: Vector, a: int, b: int, c: int, d: int) -> int:
    """The length of the path a … b along `nxt`, or minus the length of c … d if that path is shorter."""
    length = 1
    while a != b and c != d:
        a = nxt[a]
        c = nxt[c]
        length += 1
    return length if a == b else -length


def reverse(nxt: Vector, prv: Vector, first: int, last: int) -> None:
    """Reverse the path from `first` to `last` along `nxt`; the caller sets its outer links."""
    a = first
    while True:
        b = nxt[a]
        nxt[a] = prv[a]
        prv[a] = b
        if a == last:
            break
        a = b


def exchange(cycles: Cycles, free: int, a: int, b: int, c: int, d: int) -> tuple[int, int]:
    """Exchange a-b and c-d for a-c and b-d.

    If a cycle is split, one of its parts gets the label `free`.

    Returns:
        The change of the number of cycles, -1, 0 or 1; and the length of the shorter of the two cycles or
        paths, to which the time is proportional.
    """
    nxt, prv, label, size, head = cycles
    if label[a] != label[c]:
        # Two cycles: walk along the smaller one, which gets the label of the larger one.
        if size[label[a]] > size[label[c]]:
            a, b, c, d = c, d, a, b
        # Normalize to c→d and b→a, so that the joined cycle runs c→a … b→d.
        if nxt[c] != d:
            a, b, c, d = b, a, d, c
        if prv[a] != b:
            reverse(nxt, prv, b, a)
        length = size[label[a]]
        size[label[a]] = 0
        size[label[c]] += mark(nxt, prv, a, label, label[c])
        link(nxt, prv, c, a)
        link(nxt, prv, b, d)
        return -1, length
    # One cycle: normalize to a→b.
    if nxt[a] != b:
        a, b, c, d = b, a, d, c
    if nxt[c] == d:
        # a→b … c→d: reverse b … c or, if that is shorter, d … a.
        length = shorter(nxt, b, c, d, a)
        if length < 0:
            a, b, c, d = c, d, a, b
        reverse(nxt, prv, b, c)
        link(nxt, prv, a, c)
        link(nxt, prv, b, d)
        return 0, abs(length)
    # a→b … d→c: the paths b … d and c … a become two cycles, and the shorter one gets the free label.
    length = shorter(nxt, b, d, c, a)
    link(nxt, prv, a, c)
    link(nxt, prv, d, b)
    old = label[a]
    head[free], head[old] = (b, c) if length > 0 else (c, b)
    size[free] = mark(nxt, prv, head[free], label, free)
    size[old] -= size[free]
    return 1, abs(length)
