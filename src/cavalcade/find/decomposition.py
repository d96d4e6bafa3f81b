"""Decompositions of all edges of a graph into Hamiltonian cycles, by exchanges between factors.

An undirected graph in which all degrees are 2k is oriented along Eulerian circuits, so that k arcs leave and
k enter each vertex. k perfect matchings of tails with heads are k factors: covers of the graph by cycles
(J. Petersen, 1891). The union of two matchings consists of alternating cycles. If two factors exchange their
arcs along an alternating cycle (as A. Kempe exchanged colours, 1879), they remain factors, but their cycles
change. Exchanges that do not add cycles are kept, others with a small probability (Metropolis and others
1953). In an undirected graph, a cycle may be reversed before an exchange. After a number of exchanges the
search restarts with other factors.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import count, takewhile
from typing import Any

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import PERIOD, Cells, Ints, Tier, Vector, next_random
from cavalcade.question.graph import MoveGraph


def decomposition(graph: MoveGraph, budget: Budget, *, seed: int = 0) -> list[Cells] | Undecided:
    """Decompose all edges into Hamiltonian cycles.

    Args:
        graph: a graph with at least three vertices, all of the same even degree; or a digraph in which the
            same number of arcs leaves and enters each vertex.
        budget: counted work: a step for each vertex and exchange, 12 ns.
        seed: seed of the random choices.

    Time: milliseconds for tori of 10x10 and complete graphs of 31 vertices, seconds for 20x20.
    """
    if graph.size == 1:  # its tour makes no move
        return [np.zeros(1, dtype=np.int32)]
    rng, n, tries = random.Random(seed), graph.size, 0  # noqa: S311 - games, not secrets
    # Exchanges of one try: 100 per vertex. Longer tries follow a bad start for longer; shorter tries spend
    # more time on making factors.
    moves = 100 * n
    temperature = 0.4  # an exchange that adds k cycles is kept with probability exp(-k / 0.4): 8 % for k = 1
    probabilities = (int(PERIOD * math.exp(-added / temperature)) for added in count())
    chances = list(takewhile(bool, probabilities))
    tier = Tier(float(n * moves))
    while budget.spend(n * moves):
        tries += 1
        arcs = graph.edges().tolist() if graph.directed else _oriented(graph, rng)
        start = _factors(arcs, n, rng)
        counts, factors = tier.column(len(start)), tier.vector(start)
        scratch, state = (tier.column(n), tier.column(n), tier.column(n)), rng.randrange(1, PERIOD)
        tier(_exchange)(factors, counts, *scratch, tier.words(chances), state, moves, not graph.directed)
        if max(counts) == 1:
            return [np.array(_cycle(row), dtype=np.int32) for row in np.asarray(factors).tolist()]
    return Undecided(
        f"no decomposition found in {tries:,} tr{'ies' if tries > 1 else 'y'}", "exchanges", seed
    )


def _oriented(graph: MoveGraph, rng: random.Random) -> list[list[int]]:
    """The edges as arcs along Eulerian circuits (Hierholzer)."""
    rows: list[list[tuple[int, int]]] = [[] for _ in range(graph.size)]
    for k, (a, b) in enumerate(graph.pairs()):
        rows[a].append((b, k))
        rows[b].append((a, k))
    for row in rows:
        rng.shuffle(row)
    used, arcs = set(), []
    for tail in range(graph.size):
        # All degrees are even, so that the walk ends where it began.
        while rows[tail]:
            head, k = rows[tail].pop()
            if k not in used:
                used.add(k)
                arcs.append([tail, head])
                tail = head  # noqa: PLW2901 - walks on; the circuit ends at the first tail
    return arcs


def _factors(arcs: list[list[int]], n: int, rng: random.Random) -> Ints:
    """Perfect matchings of tails with heads that use each arc once (D. König, 1916): successors, by row."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    remaining, factors = np.array(arcs), []
    order = list(range(n))
    while len(remaining):
        rng.shuffle(order)  # the matching that SciPy finds depends on the numbers of the heads
        number = np.array(order)
        matrix = csr_array(
            (np.ones(len(remaining)), (remaining[:, 0], number[remaining[:, 1]])), shape=(n, n)
        )
        heads = np.argsort(number)[maximum_bipartite_matching(matrix, perm_type="column")]
        factors.append(heads)
        remaining = remaining[heads[remaining[:, 0]] != remaining[:, 1]]
    return np.array(factors, dtype=np.int64)


def _exchange(
    factors: Any,
    counts: Vector,
    before: Vector,
    tails: Vector,
    seen: Vector,
    chances: Vector,
    state: int,
    moves: int,
    reversing: bool,  # noqa: FBT001 - kernels take plain arguments
) -> int:
    """Exchange arcs between factors until each is one cycle, at most `moves` times.

    Args:
        factors: the successor of each vertex, one row for each factor; changed in place.
        counts: output, the number of cycles of each factor.
        before: scratch space, n vertices.
        tails: scratch space, n vertices.
        seen: scratch space, n stamps, 0 at first.
        chances: probability of keeping an exchange, by the number of added cycles, times `PERIOD`.
        state: state of the random numbers.
        moves: greatest number of exchanges.
        reversing: whether a cycle may be reversed before an exchange, as in an undirected graph.

    Returns:
        The number of cycles of all factors.
    """
    k, n, stamp, total = len(counts), len(before), 0, 0
    for f in range(k):
        stamp += 1
        counts[f] = _count_cycles(factors[f], seen, stamp)
        total += counts[f]
    for _ in range(moves):
        if total == k or k == 1:
            break
        # Draw two different factors.
        state = next_random(state)
        f = state % k
        state = next_random(state)
        g = (f + 1 + state % (k - 1)) % k
        first = factors[f]
        second = factors[g]
        # Reverse the cycle of a random vertex in the first one, half of the time.
        state = next_random(state)
        if reversing and (state >> 16) & 1:
            state = next_random(state)
            last = state % n
            a, b = last, first[last]
            while b != last:
                after = first[b]
                first[b] = a
                a, b = b, after
            first[last] = a
        # Collect the tails of an alternating cycle: a tail has the same head in the first factor as the next
        # tail has in the second factor.
        for a in range(n):
            before[second[a]] = a
        state = next_random(state)
        tails[0] = state % n
        length, a = 1, before[first[tails[0]]]
        while a != tails[0]:
            tails[length] = a
            length += 1
            a = before[first[a]]
        for i in range(length):
            a = tails[i]
            first[a], second[a] = second[a], first[a]
        # Keep the exchange, or undo it.
        stamp += 2
        first_count, second_count = (
            _count_cycles(first, seen, stamp - 1),
            _count_cycles(second, seen, stamp),
        )
        added = first_count + second_count - counts[f] - counts[g]
        state = next_random(state)
        if added <= 0 or (added < len(chances) and state < chances[added]):
            counts[f], counts[g] = first_count, second_count
            total += added
        else:
            for i in range(length):
                a = tails[i]
                first[a], second[a] = second[a], first[a]
    return total


def _count_cycles(factor: Vector, seen: Vector, stamp: int) -> int:
    """The number of cycles of a factor. Stamps must increase from call to call."""
    count = 0
    for first in range(len(factor)):
        if seen[first] < stamp:
            count += 1
            a = first
            while seen[a] < stamp:
                seen[a] = stamp
                a = factor[a]
    return count


def _cycle(factor: Sequence[int]) -> list[int]:
    """The vertices of the cycle of vertex 0, in order."""
    cycle = [0]
    while head := factor[cycle[-1]]:
        cycle.append(head)
    return cycle
