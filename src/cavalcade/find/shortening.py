"""A light tour of a dense weighted graph: 2-opt and Or-opt moves, repeated after small random changes.

A move of 2-opt replaces two edges of the tour by two others (G. A. Croes, A method for solving
traveling-salesman problems, Operations Research 6, 1958). A move of Or-opt takes one to three consecutive
vertices elsewhere (I. Or, 1976). Both only add an edge to one of the nearest vertices, and vertices whose
surroundings did not change are not tried again (J. L. Bentley, Fast algorithms for geometric traveling
salesman problems, ORSA Journal on Computing 4, 1992).

In a local optimum, two neighbouring stretches of the tour change places (the double bridge of O. Martin,
S. Otto and E. Felten, 1991, within 50 vertices). The change is undone if the next local optimum is heavier.
All moves are sequences of reversals, which are easily undone.

Time: about 30,000 changes of a tour of 1,000 vertices in a second, compiled.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells, Ints, Tier, Vector, next_random, seed_state

# Average degree from which a tour is improved. On knight's moves, of degree up to 8, the moves find next to
# nothing, because few of the edges that they need exist. Small graphs are solved before kernels are compiled.
DENSE = 32
# Random changes for each vertex: more find lighter tours of points in the plane, and take longer.
CHANGES = 100
# Nearest vertices that are tried for each vertex. Five to ten are usual; more take longer and find little.
NEAREST = 8
# Vertices among which the two exchanged stretches lie.
STRETCH = 50
# Counted work of a change, mostly for the reversals of the moves that follow.
CHANGE = 3_000


class ArrayTour(NamedTuple):
    """A tour and its surroundings.

    Attributes:
        order: vertices of the tour in order, shape (n,).
        place: index of each vertex in `order`.
        weight: weights of all pairs of vertices, row by row, shape (n * n,).
        neighbours: `NEAREST` nearest vertices of each vertex, nearest first, row by row.
        queue: circular queue of the vertices to try, shape (n,).
        queued: 1 for the vertices in the queue.
        ends: first and last index of the queue, as numbers that only grow.
        journal: paths that were reversed since the last change, two ends each.
        written: number of entries of the journal; more than it has space for if a change cannot be undone.
        flipped: whether the tour runs in the opposite of its first direction.
    """

    order: Vector
    place: Vector
    weight: Vector
    neighbours: Vector
    queue: Vector
    queued: Vector
    ends: Vector
    journal: Vector
    written: Vector
    flipped: Vector


def shorten(size: int, edges: Ints, weights: Ints, cycle: Cells, budget: Budget, *, seed: int) -> Cells:
    """Improve a Hamiltonian cycle of a dense graph; the cycle of another graph is returned unchanged.

    Args:
        size: number n of vertices. For more than 3,000, the matrix of all weights would take 72 MB.
        edges: ends of the edges, shape (m, 2).
        weights: weight of each edge, integers.
        cycle: the cycle where the search starts, shape (n,).
        budget: charged for each change; the search ends early if it is spent.
        seed: seed of the random changes.
    """
    if 2 * len(edges) < DENSE * size or size > 3_000:
        return cycle
    changes, batch = min(CHANGES * size, 100_000), 1_000  # a batch takes a tenth of a second at most
    missing = int(np.abs(weights).max()) * 4 * size + 1  # more than any change of weight
    weight = np.full((size, size), missing, dtype=np.int64)
    weight[edges[:, 0], edges[:, 1]] = weight[edges[:, 1], edges[:, 0]] = weights
    nearest = min(NEAREST, size - 1)
    neighbours = np.argsort(weight, axis=1, kind="stable")[:, :nearest]
    tier = Tier(CHANGE * changes)
    place = np.empty(size, dtype=np.int64)
    place[cycle] = np.arange(size)
    state = ArrayTour(
        tier.words(cycle.astype(np.int64)), tier.words(place),
        tier.words(weight.ravel()), tier.words(neighbours.ravel()),
        tier.words(np.arange(size)), tier.column(size, 1), tier.words([0, size]),
        tier.column(16 * size), tier.words([0]), tier.words([0]),
    )  # fmt: skip
    random = seed_state(seed)
    tier(_improve)(state, nearest)
    for _ in range(0, changes, batch):
        random = int(tier(_perturb)(state, nearest, batch, random))
        if not budget.spend(CHANGE * batch):
            break
    return np.array(state.order, dtype=np.int32)


def _reverse(state: ArrayTour, first: int, last: int) -> None:
    """Reverse the tour from one index to another, cyclically.

    If the rest is shorter, it is reversed instead: the cycle is the same, and `flipped` records that it runs
    the other way now.
    """
    order, place = state.order, state.place
    n = len(order)
    inside = (last - first + n) % n + 1
    if 2 * inside > n:
        first, last, inside = (last + 1) % n, (first - 1 + n) % n, n - inside
        state.flipped[0] = 1 - state.flipped[0]
    for _ in range(inside // 2):
        a, b = order[first], order[last]
        order[first], order[last] = b, a
        place[b], place[a] = first, last
        first = first + 1 if first + 1 < n else 0
        last = last - 1 if last > 0 else n - 1


def _turn(state: ArrayTour, first: int, last: int, flipped: int) -> None:
    """Reverse the path between two vertices, and record it in the journal.

    Args:
        state: the tour.
        first: first vertex of the path.
        last: last vertex of the path, in the direction that the tour had when `flipped` was read.
        flipped: value of `ArrayTour.flipped` before the move that the reversal belongs to.
    """
    k = state.written[0]
    if k + 2 <= len(state.journal):  # in the direction that the tour had at first
        state.journal[k] = last if flipped else first
        state.journal[k + 1] = first if flipped else last
    state.written[0] = k + 2
    if state.flipped[0] == flipped:
        _reverse(state, state.place[first], state.place[last])
    else:
        _reverse(state, state.place[last], state.place[first])


def _push(state: ArrayTour, vertex: int) -> None:
    """Append a vertex to the queue unless it is in it."""
    if not state.queued[vertex]:
        state.queued[vertex] = 1
        n = len(state.queue)
        state.queue[state.ends[1] % n] = vertex
        state.ends[1] += 1


def _gain(state: ArrayTour, v: int, nearest: int) -> int:
    """Make the first move at a vertex that lightens the tour; return by how much, or 0."""
    order, place, weight, neighbours = state.order, state.place, state.weight, state.neighbours
    n, flipped = len(order), state.flipped[0]
    for forward in range(2):
        # 2-opt: replace v-w and c-d by v-c and w-d, where w and d follow v and c, or precede them.
        i = place[v]
        w = order[(i + 1) % n] if forward else order[(i - 1 + n) % n]
        removed = weight[v * n + w]
        for k in range(nearest):
            c = neighbours[v * nearest + k]
            added = weight[v * n + c]
            if added >= removed:
                break
            j = place[c]
            d = order[(j + 1) % n] if forward else order[(j - 1 + n) % n]
            gain = removed + weight[c * n + d] - added - weight[w * n + d]
            if gain > 0 and c != w and d != v:
                if forward:
                    _turn(state, w, c, flipped)
                else:
                    _turn(state, v, d, flipped)
                for changed in (v, w, c, d):
                    _push(state, changed)
                return gain
    for forward in range(2):
        # Or-opt: the stretch from v on, away from p, goes between c and a neighbour of c, with v next to c.
        step = 1 if forward else n - 1
        i = place[v]
        p = order[(i + n - step) % n]
        last = v
        for length in range(1, 4):
            if length > 1:
                last = order[(i + step * (length - 1)) % n]
            after = order[(i + step * length) % n]
            if after == p:
                break
            taken = weight[p * n + v] + weight[last * n + after] - weight[p * n + after]
            for k in range(nearest):
                c = neighbours[v * nearest + k]
                added = weight[v * n + c]
                if added >= taken:
                    break
                offset = (place[c] - i + n) % n if forward else (i - place[c] + n) % n
                if offset < length:  # c is in the stretch
                    continue
                for side in range(2):
                    d = order[(place[c] + 1) % n] if side else order[(place[c] - 1 + n) % n]
                    inside = (place[d] - i + n) % n if forward else (i - place[d] + n) % n
                    if inside < length:
                        continue
                    gain = taken + weight[c * n + d] - added - weight[last * n + d]
                    if gain > 0:
                        _move(state, v, last, c, d, forward)
                        for changed in (p, after, v, last, c, d):
                            _push(state, changed)
                        return gain
    return 0


def _move(state: ArrayTour, v: int, last: int, c: int, d: int, forward: int) -> None:
    """Take the stretch from v to `last` between the neighbours c and d, so that v is next to c.

    Args:
        state: the tour.
        v: the end of the stretch that will be next to c.
        last: the other end of the stretch.
        c: a vertex outside the stretch.
        d: a neighbour of c outside the stretch.
        forward: whether the stretch runs from v to `last` in the order of the tour.
    """
    order, place = state.order, state.place
    n, flipped = len(order), state.flipped[0]
    first, final = (v, last) if forward else (last, v)  # in the order of the tour
    # x and y are c and d in the order in which the tour visits them.
    x, y = (c, d) if order[(place[c] + 1) % n] == d else (d, c)
    ahead = (place[x] - place[final] + n) % n
    behind = (place[first] - place[y] + n) % n
    # Two reversals carry the stretch over the vertices between it and its new place; it is then reversed.
    if ahead <= behind:
        after = order[(place[final] + 1) % n]
        _turn(state, first, x, flipped)  # x ... after final ... first y
        _turn(state, x, after, flipped)  # after ... x final ... first y
        if (x == c) != (final == v):
            _turn(state, final, first, flipped)
    else:
        before = order[(place[first] - 1 + n) % n]
        _turn(state, y, final, flipped)  # x final ... first before ... y
        _turn(state, before, y, flipped)  # x final ... first y ... before
        if (x == c) != (final == v):
            _turn(state, final, first, flipped)


def _improve(state: ArrayTour, nearest: int) -> int:
    """Make moves until no queued vertex has one that lightens the tour; return the total gain."""
    total, n = 0, len(state.queue)
    while state.ends[0] < state.ends[1]:
        v = state.queue[state.ends[0] % n]
        state.ends[0] += 1
        state.queued[v] = 0
        gain = _gain(state, v, nearest)
        while gain > 0:
            total += gain
            gain = _gain(state, v, nearest)
    return total


def _perturb(state: ArrayTour, nearest: int, changes: int, random: int) -> int:
    """Exchange two neighbouring stretches and improve the tour, again and again; return the random state."""
    order, weight = state.order, state.weight
    n = len(order)
    span = min(STRETCH, n // 2)
    for _ in range(changes):
        state.written[0] = 0
        random = next_random(random)
        i = random % n
        random = next_random(random)
        first = 1 + random % (span - 1)
        random = next_random(random)
        second = 1 + random % (span - 1)
        if first + second + 2 > n:
            continue
        # a [b ... c] [d ... e] f becomes a [d ... e] [b ... c] f.
        a, b = order[i], order[(i + 1) % n]
        c, d = order[(i + first) % n], order[(i + first + 1) % n]
        e, f = order[(i + first + second) % n], order[(i + first + second + 1) % n]
        loss = (
            weight[a * n + d] + weight[e * n + b] + weight[c * n + f]
            - weight[a * n + b] - weight[c * n + d] - weight[e * n + f]
        )  # fmt: skip
        flipped = state.flipped[0]
        _turn(state, b, e, flipped)
        _turn(state, e, d, flipped)
        _turn(state, c, b, flipped)
        for changed in (a, b, c, d, e, f):
            _push(state, changed)
        if _improve(state, nearest) < loss:
            # Heavier: undo the reversals, the last first. Each path now runs from its last vertex on.
            for k in range(min(state.written[0], len(state.journal)) - 2, -1, -2):
                first_index, last_index = state.place[state.journal[k + 1]], state.place[state.journal[k]]
                if state.flipped[0]:
                    first_index, last_index = last_index, first_index
                _reverse(state, first_index, last_index)
    return random
