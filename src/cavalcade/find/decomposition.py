"""Decompositions: all edges of a graph split into Hamiltonian cycles, by exchanges between factors.

An undirected graph whose degrees are all 2k is walked along Eulerian circuits, so that k arcs leave and k
enter each vertex; k perfect matchings of tails with heads are k factors, covers of the graph by cycles
(J. Petersen, 1891). Two factors match tails with heads twice: together the matchings fall into alternating
cycles, and where the factors exchange one of them (as A. Kempe did with colours, 1879), they remain factors,
but of other cycles. Exchanges that leave fewer cycles are kept, others with a small chance; in an undirected
graph a cycle may be turned round before. Where that has led nowhere for a while, other factors are tried.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells, Ints, Tier, Vector, next_random
from cavalcade.question.graph import MoveGraph

LEAST_MOVES, MOVES = 1_000, 100  # exchanges of a try: at least, and for each vertex
WARMTH = 0.4  # cycles more, at which an exchange is kept with a chance of 1 in e
MOST_MORE = 8  # cycles more, from which none is kept
PERIOD = 2147483647  # of the generator
STEPS = 1  # of work, for a vertex and an exchange: 12 ns


def decomposition(graph: MoveGraph, budget: Budget, *, seed: int = 0) -> list[Cells] | Undecided:
    """Split all edges into Hamiltonian cycles.

    Args:
        graph: of at least three vertices; as many arcs leave each as enter it, or all degrees are one even
            number.
        budget: of counted work.
        seed: of the random choices.

    Time: milliseconds for tori of 10x10 and complete graphs of 31 vertices, seconds for 20x20.
    """
    if graph.size == 1:  # its tour makes no move, and there is none to make
        return [np.zeros(1, dtype=np.int32)]
    rng, n, tries = random.Random(seed), graph.size, 0  # noqa: S311 - games, not secrets
    moves = int(max(LEAST_MOVES, min(MOVES * n, budget.left / (STEPS * n))))
    chances = [int(PERIOD * math.exp(-more / WARMTH)) for more in range(MOST_MORE)]
    tier = Tier(float(STEPS * n * moves))
    while budget.spend(STEPS * n * moves):
        tries += 1
        arcs = graph.edges().tolist() if graph.directed else _oriented(graph, rng)
        start = _factors(arcs, n, rng)
        counts, factors = tier.column(len(start)), tier.vector(start)
        scratch, state = (tier.column(n), tier.column(n), tier.column(n)), rng.randrange(1, PERIOD)
        tier(_exchanged)(factors, counts, *scratch, tier.words(chances), state, moves, not graph.directed)
        if max(counts) == 1:
            return [np.array(_walk(row), dtype=np.int32) for row in np.asarray(factors).tolist()]
    return Undecided(
        f"no decomposition found in {tries:,} tr{'ies' if tries > 1 else 'y'}", "exchanges", seed
    )


def _oriented(graph: MoveGraph, rng: random.Random) -> list[list[int]]:
    """The edges as arcs along Eulerian circuits."""
    rows: list[list[tuple[int, int]]] = [[] for _ in range(graph.size)]
    for k, (a, b) in enumerate(graph.pairs()):
        rows[a].append((b, k))
        rows[b].append((a, k))
    for row in rows:
        rng.shuffle(row)
    used, arcs = set(), []
    for first in range(graph.size):
        here = first
        while rows[here]:  # all degrees are even, so that it ends where it began
            there, k = rows[here].pop()
            if k not in used:
                used.add(k)
                arcs.append([here, there])
                here = there
    return arcs


def _factors(arcs: list[list[int]], n: int, rng: random.Random) -> Ints:
    """Perfect matchings of tails with heads that use each arc once (D. König, 1916): rows of successors."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    left, found = np.array(arcs), []
    order = list(range(n))
    while len(left):
        rng.shuffle(order)  # which matching is found depends on the numbers
        names = np.array(order)
        some = csr_array((np.ones(len(left)), (left[:, 0], names[left[:, 1]])), shape=(n, n))
        heads = np.argsort(names)[maximum_bipartite_matching(some, perm_type="column")]
        found.append(heads)
        left = left[heads[left[:, 0]] != left[:, 1]]
    return np.array(found, dtype=np.int64)


def _exchanged(
    factors: Any,
    counts: Vector,
    before: Vector,
    tails: Vector,
    seen: Vector,
    chances: Vector,
    state: int,
    moves: int,
    turning: bool,  # noqa: FBT001 - kernels take plain arguments
) -> int:
    """Exchange until each factor is one cycle, so many times at most; returns how many cycles there are."""
    k, n, stamp, total = len(counts), len(before), 0, 0
    for f in range(k):
        stamp += 1
        counts[f] = _cycles(factors[f], seen, stamp)
        total += counts[f]
    for _ in range(moves):
        if total == k or k == 1:
            break
        state = next_random(state)
        f = state % k
        state = next_random(state)
        g = (f + 1 + state % (k - 1)) % k
        one = factors[f]
        other = factors[g]
        state = next_random(state)
        if turning and (state >> 16) & 1:  # a cycle of the first
            state = next_random(state)
            last = state % n
            a, b = last, one[last]
            while b != last:
                after = one[b]
                one[b] = a
                a, b = b, after
            one[last] = a
        for a in range(n):
            before[other[a]] = a
        state = next_random(state)
        tails[0] = state % n
        length, a = 1, before[one[tails[0]]]
        while a != tails[0]:  # an alternating cycle: each tail's head in one is that of the next in the other
            tails[length] = a
            length += 1
            a = before[one[a]]
        for i in range(length):
            a = tails[i]
            one[a], other[a] = other[a], one[a]
        stamp += 2
        now_one, now_other = _cycles(one, seen, stamp - 1), _cycles(other, seen, stamp)
        more = now_one + now_other - counts[f] - counts[g]
        state = next_random(state)
        if more <= 0 or (more < len(chances) and state < chances[more]):
            counts[f], counts[g] = now_one, now_other
            total += more
        else:
            for i in range(length):
                a = tails[i]
                one[a], other[a] = other[a], one[a]
    return total


def _cycles(factor: Vector, seen: Vector, stamp: int) -> int:
    """How many cycles a factor has; they are stamped, each stamp greater than the last."""
    count = 0
    for a in range(len(factor)):
        if seen[a] < stamp:
            count += 1
            b = a
            while seen[b] < stamp:
                seen[b] = stamp
                b = factor[b]
    return count


def _walk(factor: Sequence[int]) -> list[int]:
    """The cycle of vertex 0."""
    found, now = [0], factor[0]
    while now:
        found.append(now)
        now = factor[now]
    return found
