"""Annealing of a cycle cover along closed alternating paths.

Take a closed path whose edges are alternately in the cover and outside it. Exchanging them gives another
cover. In cubic graphs most short paths like this leave the number of cycles unchanged. Such paths are
accepted, and a path that adds a cycle is accepted with a small probability (Metropolis, Rosenbluth,
Rosenbluth, Teller & Teller 1953, at a fixed temperature). Long paths matter: in bipartite planar cubic graphs
with 9,000 vertices, paths of at most 12 edges left 50 cycles, paths of at most 48 edges left 6.

A depth-first search finds a path from a random vertex, mostly one outside the longest cycle. Each vertex has
a position on its cycle. The order of the positions gives the change in the number of cycles, so that only the
cycles of an accepted path are walked.

n is the number of vertices; p and q list two neighbours per vertex along its cycle, see
`cycles.walking`.

Time: some microseconds for each path, and n steps for each accepted path.
"""

from __future__ import annotations

from typing import NamedTuple

from cavalcade.cycles.walking import replace_link, walk
from cavalcade.ground.budget import SECOND, Budget
from cavalcade.ground.kernels import PERIOD, Tier, Vector, next_random

# Largest number of cover edges on a path. Longer paths join more cycles, and are found less often.
LONGEST = 24
# Neighbours examined in the search for one path, 16 for each of the cover edges: most paths close sooner.
LOOKS = 16 * LONGEST
# Probability to accept a path, for each cycle that it adds. If it is higher, cycles are split faster than
# they are joined; if it is lower, the last few cycles stay where they are.
UPHILL = 0.007
# Inner steps of one call for each vertex, at most half a second in all. A planar cubic graph with 9,000
# vertices takes 4 to 7 s and a Barnette graph with 2,500 takes 2 s. Both were undecided after 10 s with 4,000
# steps and no path that starts anywhere.
STEPS_PER_VERTEX = 16_000
# One path in this number starts at any vertex, so that paths within the longest cycle are also tried.
ANYWHERE = 5


class LabelledCover(NamedTuple):
    """A cycle cover with the position of each vertex.

    Attributes:
        p: one neighbour of each vertex along its cycle.
        q: the other neighbour of each vertex.
        label: label of the cycle of each vertex.
        position: indices of the vertices on their cycles, in the direction of a walk.
        size: number of vertices of each cycle, by label; 0 for an unused label.
        unused: stack of the unused labels.
        path: scratch space for a walk along a cycle.
    """

    p: Vector
    q: Vector
    label: Vector
    position: Vector
    size: Vector
    unused: Vector
    path: Vector


class AlternatingPath(NamedTuple):
    """A closed alternating path whose first edge is in the cover, with scratch space for the search.

    Attributes:
        vertices: the vertices of the path.
        tries: number of neighbours of the preceding vertex tried at each depth of the search.
        first: random number at each depth; it selects the neighbour that is tried first.
        tail: first end per cover edge, along its cycle.
        head: the other end per cover edge.
        on_path: 1 for each vertex of the graph that is on the path, else 0.
    """

    vertices: Vector
    tries: Vector
    first: Vector
    tail: Vector
    head: Vector
    on_path: Vector


def _label_cycle(cover: LabelledCover, first: int, label: int) -> None:
    """Set label and positions on the cycle of a vertex."""
    size = walk(cover.p, cover.q, first, cover.path, 0)
    for k in range(size):
        cover.label[cover.path[k]] = label
        cover.position[cover.path[k]] = k
    cover.size[label] = size


def _find_path(
    indptr: Vector, indices: Vector, cover: LabelledCover, path: AlternatingPath, limit: int, state: int
) -> int:
    """Search for a closed alternating path from `path.vertices[0]`.

    Args:
        indptr: offsets of the neighbours of each vertex in `indices`.
        indices: neighbours of all vertices.
        cover: the cover.
        path: output.
        limit: largest number of cover edges on the path.
        state: state of the random numbers.

    Returns:
        The number of vertices of the path; 0 if the search found none.
    """
    p, q = cover.p, cover.q
    vertices, tries, first, on_path = path.vertices, path.tries, path.first, path.on_path
    start = vertices[0]
    on_path[start] = 1
    size = 1
    tries[1], first[1] = 0, state
    closed = False
    for _ in range(LOOKS):
        # An odd number of vertices is followed by a cover edge, an even number by any other edge.
        last = vertices[size - 1]
        begin, degree = indptr[last], 2
        if size % 2 == 0:
            degree = indptr[last + 1] - begin
        if tries[size] >= degree:
            # All neighbours have been tried: backtrack.
            size -= 1
            if size == 0:
                break
            on_path[vertices[size]] = 0
            continue
        k = (tries[size] + first[size]) % degree
        tries[size] += 1
        if size % 2 == 1:
            a = p[last] if k == 0 else q[last]
        else:
            a = indices[begin + k]
            if a == p[last] or a == q[last]:
                continue
        if on_path[a]:
            continue
        vertices[size] = a
        size += 1
        if size % 2 == 0:
            # The path ends with a cover edge: close it by an edge outside the cover, if there is one.
            if size >= 4 and p[a] != start and q[a] != start:
                for j in range(indptr[a], indptr[a + 1]):
                    if indices[j] == start:
                        closed = True
            if closed:
                break
            if size >= 2 * limit:
                size -= 1
                continue
        on_path[a] = 1
        state = next_random(state)
        tries[size], first[size] = 0, state
    for k in range(max(size, 1)):
        on_path[vertices[k]] = 0
    return size if closed else 0


def _cycles_added(cover: LabelledCover, path: AlternatingPath, size: int) -> int:
    """The change in the number of cycles if the edges of a path with `size` vertices are exchanged."""
    label, position, tail, head, vertices = cover.label, cover.position, path.tail, path.head, path.vertices
    edges = size // 2
    # Direct the cover edges along their cycles, and sort them by cycle and position (insertion sort).
    for i in range(edges):
        a, b = vertices[2 * i], vertices[2 * i + 1]
        if (position[a] + 1) % cover.size[label[a]] != position[b]:
            a, b = b, a
        j = i
        while j > 0 and (
            label[tail[j - 1]] > label[a]
            or (label[tail[j - 1]] == label[a] and position[tail[j - 1]] > position[a])
        ):
            tail[j], head[j] = tail[j - 1], head[j - 1]
            j -= 1
        tail[j], head[j] = a, b
    # Removing the edges leaves paths of the cover, each from a head to the next tail on the same cycle.
    # Rotate the tails of each cycle by one place, so that such a path leads from head[i] to tail[i].
    before = 0
    begin = 0
    for i in range(edges):
        if i + 1 == edges or label[tail[i + 1]] != label[tail[i]]:
            before += 1
            wrapped = tail[begin]
            for j in range(begin, i):
                tail[j] = tail[j + 1]
            tail[i] = wrapped
            begin = i + 1
    # Count the cycles that consist of such paths and new edges in turn.
    after = 0
    seen = path.tries
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
                if vertices[j] == a:
                    a = vertices[(j + 1) % size] if j % 2 == 1 else vertices[j - 1 if j > 0 else size - 1]
                    break
            if a == head[i]:
                break
    return after - before


def _exchange(cover: LabelledCover, path: AlternatingPath, size: int, unused: int) -> int:
    """Exchange the edges of a path, and label the changed cycles anew.

    Args:
        cover: the cover.
        path: the path.
        size: number of vertices of the path.
        unused: number of labels in `cover.unused`.

    Returns:
        The number of unused labels afterwards.
    """
    label, sizes, vertices = cover.label, cover.size, path.vertices
    # Release the labels of the cycles on the path.
    for k in range(size):
        old_label = label[vertices[k]]
        if sizes[old_label] > 0:
            sizes[old_label] = 0
            cover.unused[unused] = old_label
            unused += 1
    # Each vertex of the path loses its cover edge of the path, and gets the other edge of the path.
    for k in range(size):
        a = vertices[k]
        before, after = vertices[k - 1 if k > 0 else size - 1], vertices[(k + 1) % size]
        if k % 2 == 0:
            replace_link(cover.p, cover.q, a, after, before)
        else:
            replace_link(cover.p, cover.q, a, before, after)
        label[a] = -1
    for k in range(size):
        if label[vertices[k]] < 0:
            unused -= 1
            _label_cycle(cover, vertices[k], cover.unused[unused])
    return unused


def _anneal(
    indptr: Vector, indices: Vector, cover: LabelledCover, path: AlternatingPath, work: int, state: int
) -> int:
    """Exchange edges until one cycle remains or the work is done; returns the number of cycles."""
    n = len(cover.p)
    label, sizes = cover.label, cover.size
    for a in range(n):
        label[a] = -1
    count = 0
    for a in range(n):
        if label[a] < 0:
            _label_cycle(cover, a, count)
            count += 1
    unused = 0
    for k in range(n - 1, count - 1, -1):
        cover.unused[unused] = k
        unused += 1
    while count > 1 and work > 0:
        # Most paths start at a random vertex on no cycle of more than n / 2 vertices.
        state = next_random(state)
        anywhere = state % ANYWHERE == 0
        state = next_random(state)
        a = state % n
        while not anywhere and 2 * sizes[label[a]] > n:
            state = next_random(state)
            a = state % n
            work -= 1
        path.vertices[0] = a
        state = next_random(state)
        limit = 2 + state % (LONGEST - 1)
        state = next_random(state)
        size = _find_path(indptr, indices, cover, path, limit, state)
        work -= LOOKS // 2  # about the mean number of steps of a search
        if size == 0:
            continue
        added = _cycles_added(cover, path, size)
        accepted = True
        for _ in range(added):
            state = next_random(state)
            accepted = accepted and state < UPHILL * PERIOD
        if accepted:
            work -= 2 * n
            unused = _exchange(cover, path, size, unused)
            count += added
    return count


def anneal(tier: Tier, rows: tuple[Vector, Vector], p: Vector, q: Vector, state: int, budget: Budget) -> int:
    """Join cycles of a cover along closed alternating paths, for at most half a second.

    Args:
        tier: the tier of all vectors.
        rows: `indptr` and `indices` of the graph.
        p: one neighbour of each vertex along its cycle; changed.
        q: the other neighbour of each vertex; changed.
        state: state of the random numbers.
        budget: the work that may be done.

    Returns:
        The number of cycles that remain.
    """
    n = len(p)
    cover = LabelledCover(p, q, *(tier.full(n) for _ in range(5)))
    vertices, tries, first, tail, head = (tier.full(2 * LONGEST + 1) for _ in range(5))
    path = AlternatingPath(vertices, tries, first, tail, head, on_path=tier.full(n))
    work = int(min(steps_of(n), budget.left))
    budget.spend(work)
    return int(tier(_anneal)(*rows, cover, path, work, state))


def steps_of(n: int) -> int:
    """The largest number of inner steps of one call for n vertices."""
    return min(STEPS_PER_VERTEX * n, SECOND // 2)
