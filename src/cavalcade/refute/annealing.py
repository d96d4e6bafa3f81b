"""Annealing of a cycle cover along closed alternating paths.

Exchanging the edges of a closed path that alternates between edges in the cover and edges outside it gives
another cover. In cubic graphs most short paths of this kind leave the number of cycles as it is. They are
accepted as well, and paths that add a cycle are accepted now and then (Metropolis, Rosenbluth, Rosenbluth,
Teller & Teller 1953, at a fixed temperature). Long paths matter: in bipartite planar cubic graphs with 9,000
vertices, paths of at most 12 edges left 50 cycles, paths of at most 48 edges left 6.

A depth-first search finds a path from a vertex, mostly one outside the longest cycle. Each vertex has its
place on its cycle, so the order of the places gives the change in the number of cycles, and only the cycles
of an accepted path are walked.

n is the number of vertices; p and q are the two neighbours of each along its cycle, see `cycles.walking`.

Time: some microseconds for a path, and n steps for one that is accepted.
"""

from __future__ import annotations

from typing import NamedTuple

from cavalcade.cycles.walking import replace_link, walk
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Tier, Vector, next_random

LONGEST = 24  # edges of a path that are in the cover, and as many that are not
LOOKS = 400  # at neighbours, for one path
LOOKED_AT = 20_000_000  # neighbours looked at and vertices walked in one call, 0.4 s compiled,
LOOKED_AT_SMALL = 200_000  # and in a small graph, 0.4 s interpreted
SMALL = 2_000  # vertices
STEPS = 2  # inner steps for each of them
SELDOM = 14_500_000  # of 2**31, 0.7 %: how often a path is taken for each cycle that it adds
OUTSIDE = 4 * 2**31 // 5  # likewise, 80 %: how often a path begins outside the longest cycle
DRAWS = 64  # for a vertex there; then the next one in order is taken


class Around(NamedTuple):
    """A cover, and where its vertices are.

    Args:
        p: one neighbour of each vertex along its cycle.
        q: the other.
        label: the number of its cycle.
        place: how many steps from where the walk along this cycle began.
        size: the vertices of each cycle by number, 0 for numbers that are free.
        free: the numbers that are free, from place 0.
        path: room to walk a cycle.
    """

    p: Vector
    q: Vector
    label: Vector
    place: Vector
    size: Vector
    free: Vector
    path: Vector


class AlternatingPath(NamedTuple):
    """A closed alternating path, and room to look for it; the first edge is in the cover.

    Args:
        cells: its vertices.
        tried: how many neighbours of the vertex before each have been tried.
        first: where these begin.
        tail: of each edge in the cover, the end that comes first on its cycle.
        head: the other end.
        on: of each vertex whether it is on the path.
    """

    cells: Vector
    tried: Vector
    first: Vector
    tail: Vector
    head: Vector
    on: Vector


def _number(around: Around, first: int, label: int) -> None:
    """Give the vertices of a cycle their label and place."""
    size = walk(around.p, around.q, first, around.path, 0)
    for k in range(size):
        around.label[around.path[k]] = label
        around.place[around.path[k]] = k
    around.size[label] = size


def _closed(
    indptr: Vector, indices: Vector, around: Around, path: AlternatingPath, most: int, state: int
) -> int:
    """Look for a path from its first vertex; returns its number of vertices, 0 if none was found."""
    p, q = around.p, around.q
    cells, tried, first, on = path.cells, path.tried, path.first, path.on
    start = cells[0]
    on[start] = 1
    size = 1
    tried[1], first[1] = 0, state
    found = False
    for _ in range(LOOKS):
        before = cells[size - 1]
        begin, degree = indptr[before], 2
        if size % 2 == 0:
            degree = indptr[before + 1] - begin
        if tried[size] >= degree:
            size -= 1
            if size == 0:
                break
            on[cells[size]] = 0
            continue
        k = (tried[size] + first[size]) % degree
        tried[size] += 1
        if size % 2 == 1:
            a = p[before] if k == 0 else q[before]
        else:
            a = indices[begin + k]
            if a == p[before] or a == q[before]:
                continue
        if on[a]:
            continue
        cells[size] = a
        size += 1
        if size % 2 == 0:
            if size >= 4 and p[a] != start and q[a] != start:
                for j in range(indptr[a], indptr[a + 1]):
                    if indices[j] == start:
                        found = True
            if found:
                break
            if size >= 2 * most:
                size -= 1
                continue
        on[a] = 1
        state = next_random(state)
        tried[size], first[size] = 0, state
    for k in range(max(size, 1)):
        on[cells[k]] = 0
    return size if found else 0


def _added(around: Around, path: AlternatingPath, size: int) -> int:
    """The change in the number of cycles by an exchange along a path."""
    label, place, tail, head, cells = around.label, around.place, path.tail, path.head, path.cells
    edges = size // 2
    for i in range(edges):
        a, b = cells[2 * i], cells[2 * i + 1]
        if (place[a] + 1) % around.size[label[a]] != place[b]:
            a, b = b, a
        j = i  # in the order of the cycles, and of the places on them
        while j > 0 and (
            label[tail[j - 1]] > label[a]
            or (label[tail[j - 1]] == label[a] and place[tail[j - 1]] > place[a])
        ):
            tail[j], head[j] = tail[j - 1], head[j - 1]
            j -= 1
        tail[j], head[j] = a, b
    before = 0
    begin = 0
    for i in range(edges):  # from each head the cycle leads to the next tail
        if i + 1 == edges or label[tail[i + 1]] != label[tail[i]]:
            before += 1
            kept = tail[begin]
            for j in range(begin, i):
                tail[j] = tail[j + 1]
            tail[i] = kept
            begin = i + 1
    after = 0
    seen = path.tried
    for i in range(edges):
        seen[i] = 0
    for i in range(edges):
        if seen[i]:
            continue
        after += 1
        a = head[i]
        while True:
            for j in range(edges):
                if head[j] == a or tail[j] == a:
                    a = tail[j] if head[j] == a else head[j]
                    seen[j] = 1
                    break
            for j in range(size):
                if cells[j] == a:
                    a = cells[(j + 1) % size] if j % 2 == 1 else cells[j - 1 if j > 0 else size - 1]
                    break
            if a == head[i]:
                break
    return after - before


def _changed(around: Around, path: AlternatingPath, size: int, free: int) -> int:
    """Exchange edges along a path, and walk its cycles; returns how many numbers are free then."""
    p, q, label, sizes, cells = around.p, around.q, around.label, around.size, path.cells
    for k in range(size):
        one = label[cells[k]]
        if sizes[one] > 0:
            sizes[one] = 0
            around.free[free] = one
            free += 1
    for k in range(size):
        a = cells[k]
        gone, come = cells[k - 1], cells[(k + 1) % size]
        if k % 2 == 0:
            gone, come = come, cells[k - 1 if k > 0 else size - 1]
        replace_link(p, q, a, gone, come)
        label[a] = -1
    for k in range(size):
        if label[cells[k]] < 0:
            free -= 1
            _number(around, cells[k], around.free[free])
    return free


def _anneal(
    indptr: Vector, indices: Vector, around: Around, path: AlternatingPath, work: int, state: int
) -> int:
    """Exchange until one cycle remains, or the work is done; returns the number of cycles."""
    n = len(around.p)
    label, sizes, free = around.label, around.size, around.free
    for a in range(n):
        label[a] = -1
    count = 0
    for a in range(n):
        if label[a] < 0:
            _number(around, a, count)
            count += 1
    spare = 0
    for one in range(n - 1, count - 1, -1):
        free[spare] = one
        spare += 1
    while count > 1 and work > 0:
        state = next_random(state)
        a = state % n
        state = next_random(state)
        if state < OUTSIDE:
            draws = 0
            while 2 * sizes[label[a]] > n:
                draws += 1
                if draws < DRAWS:
                    state = next_random(state)
                    a = state % n
                else:
                    a = (a + 1) % n
            work -= draws
        state = next_random(state)
        most = 2 + state % (LONGEST - 1)
        path.cells[0] = a
        state = next_random(state)
        size = _closed(indptr, indices, around, path, most, state)
        work -= LOOKS // 4
        if size == 0:
            continue
        more = _added(around, path, size)
        taken = True
        for _ in range(more):
            state = next_random(state)
            taken = taken and state < SELDOM
        if taken:
            work -= n
            spare = _changed(around, path, size, spare)
            count += more
    return count


def anneal(tier: Tier, rows: tuple[Vector, Vector], p: Vector, q: Vector, state: int, budget: Budget) -> int:
    """Join cycles of a cover, (p, q), along closed alternating paths, for less than half a second.

    Returns how many are left. `rows` are those of the graph, `state` is of the random numbers.
    """
    n = len(p)
    around = Around(p, q, *(tier.full(n) for _ in range(5)))
    cells, tried, first, tail, head = (tier.full(2 * LONGEST + 1) for _ in range(5))
    path = AlternatingPath(cells, tried, first, tail, head, tier.full(n))
    looked_at = int(min(steps_of(n), budget.left) / STEPS)
    budget.spend(STEPS * looked_at)
    return int(tier(_anneal)(*rows, around, path, looked_at, state))


def steps_of(n: int) -> int:
    """The work of one call for n vertices."""
    return STEPS * (LOOKED_AT if n > SMALL else LOOKED_AT_SMALL)
