"""Rotations: one path takes in the cycles of a cover, one after the other (Pósa 1976).

In a random graph two cycles hardly ever allow an exchange of two edges, so that a cover stays in thousands of
pieces. But a path *extends*: where its last vertex has a neighbour on a cycle, the path goes on once around
that cycle. And it *rotates*: from its last vertex it takes the edge to any vertex w on it, and leaves out the
one from w onward, so that the next vertex becomes the last. Pósa's paths take in single vertices, ours whole
cycles; and ours look one rotation ahead for a last vertex that extends, or at the end closes the path.

n is the number of vertices; p and q are the two neighbours of each along its cycle.

Time: a rotation turns half of the path on average; in all 0.4 s for a random graph of 100,000 vertices with
17 edges at each, on average.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.cycles.walking import walk
from cavalcade.find.tiers import steps_per_call
from cavalcade.ground.kernels import Kernel, next_random

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cavalcade.cycles.walking import Links
    from cavalcade.find.cycle_cover import Adjacency
    from cavalcade.ground.budget import Budget
    from cavalcade.ground.kernels import Tier, Vector

LENGTH, STATE, CLOSED, WORK, COUNTERS = range(5)  # indices of `kept`, and its length; see `_rotate`
STEPS_PER_VERTEX = 10_000  # vertices turned or looked at before it is given up


def tour_by_rotations(
    tier: Tier, rows: Adjacency, links: Links, state: int, budget: Budget
) -> NDArray[np.int32] | None:
    """A Hamiltonian cycle from a cycle cover, which stays as it is.

    Args:
        tier: of the kernel.
        rows: the graph.
        links: p and q.
        state: of the random numbers.
        budget: counted work.

    Returns:
        The vertices in order, or None if the work gets too much.
    """
    n = len(links.p)
    path, place, kept = tier.full(n), tier.full(n, -1), tier.full(COUNTERS)
    kept[STATE] = state
    left = STEPS_PER_VERTEX * n
    while not kept[CLOSED] and left > 0:
        tier(ROTATE)(rows, links, path, place, kept, min(left, steps_per_call(tier)))
        left -= int(kept[WORK])
        budget.spend(int(kept[WORK]))
    return np.asarray(path, dtype=np.int32) if kept[CLOSED] else None


def _rotate(graph: Adjacency, links: Links, path: Vector, place: Vector, kept: Vector, budget: int) -> None:
    """Extend and rotate until the path is closed or the budget used up; an empty path begins with a cycle.

    `kept` holds the length of the path, the state of the random numbers, whether it is closed, and the steps
    of this call.
    """
    indptr, indices = graph.indptr, graph.indices
    n = len(path)
    length, state = kept[LENGTH], kept[STATE]
    work = 0
    if length == 0:
        length = _take_in(links, path, place, 0, 0)
    while work < budget:
        last = path[length - 1]
        begin, end = indptr[last], indptr[last + 1]
        # extend, or close
        best = -1
        for k in range(begin, end):
            w = indices[k]
            if place[w] < 0:
                best = w
                break
            if length == n and place[w] == 0:
                kept[CLOSED], kept[LENGTH], kept[WORK] = 1, length, work
                return
        work += end - begin
        if best >= 0:
            length = _take_in(links, path, place, best, length)
            continue
        # rotate: to a last vertex that extends or closes, if there is one
        state = next_random(state)
        shift = state % (end - begin)
        choice = -1
        for i in range(end - begin):
            w = indices[begin + (shift + i) % (end - begin)]
            at = place[w] + 1
            if at >= length - 1:
                continue
            if choice < 0:
                choice = at
            u = path[at]
            for k in range(indptr[u], indptr[u + 1]):
                there = place[indices[k]]
                if there < 0 or (there == 0 and length == n):
                    choice = at
                    best = u
                    break
            work += indptr[u + 1] - indptr[u]
            if best >= 0:
                break
        left, right = max(choice, 0), length - 1  # all of the path if there is nowhere to go
        work += right - left
        while left < right:
            a, b = path[left], path[right]
            path[left], path[right] = b, a
            place[b], place[a] = left, right
            left += 1
            right -= 1
    kept[LENGTH], kept[STATE], kept[WORK] = length, state, work


def _take_in(links: Links, path: Vector, place: Vector, first: int, length: int) -> int:
    """Lengthen the path by the cycle of a vertex, from there; returns its length."""
    end = walk(links.p, links.q, first, path, length)
    for k in range(length, end):
        place[path[k]] = k
    return end


ROTATE = Kernel(_rotate, uses=[next_random, walk, _take_in])
