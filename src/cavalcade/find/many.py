"""Many small graphs at once: for each a Hamiltonian cycle, or one of three short proofs that there is none.

The vertices of a graph fit into a word, so that a row of its adjacency matrix is an integer. Each graph is
tried by these methods in turn:

    degree   a vertex with fewer than two neighbours
    found    a cycle, by depth-first search: neighbours of small degree come first, and no vertex off the path
             may be left with fewer than two neighbours
    cut      k vertices whose removal leaves more than k parts (for k = 0, more than one)
    subsets  up to `TABLED` vertices, the ends of all paths: the table of `find.subsets`

If none of them has an answer, the graph is left to the portfolio. Every limit is counted work, so that
neither the tier nor the other graphs change the answer for a graph.

Time, compiled: 0.7 microseconds for a connected graph with nine vertices, 22 for a cubic one with sixteen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.find.subsets import ends_of_paths
from cavalcade.ground.kernels import Cells, Ints, Tier, Vector

MOST = np.iinfo(np.int64).bits - 2  # vertices: 2**MOST fits into a signed word
TABLED = 16  # vertices up to which the table of all sets is made: 128 kB
KINDS = ("", "found", "degree", "cut", "subsets")
LEFT, FOUND, DEGREE, CUT, SUBSETS = range(len(KINDS))
# Vertices examined in the search for a cycle, and in the search for a cut: some milliseconds for each graph.
# The portfolio answers the graphs that need more.
STEPS = 800_000


class Many(NamedTuple):
    """The answers for graphs of n vertices.

    Args:
        kinds: index in `KINDS` of each answer; 0 if there is none.
        places: n numbers for each graph. For a cycle, its vertices in order; for a cut, the part of each
            vertex, from 1 on, and 0 if the vertex is removed.
    """

    kinds: NDArray[np.uint8]
    places: Ints


class CycleScratch(NamedTuple):
    """Scratch space to search for a cycle in a graph of n vertices.

    Args:
        order: the vertices by ascending degree.
        degrees: the degree of each vertex.
        neighbours: the neighbours of each vertex by ascending degree, n entries a vertex.
        tried: number of neighbours tried at each step of the path.
    """

    order: Vector
    degrees: Vector
    neighbours: Vector
    tried: Vector


def many(graphs: NDArray[np.uint8], tier: Tier) -> Many:
    """Answer for graphs with 3 to `MOST` vertices, without tables; their adjacency matrices are (m, n, n)."""
    m, n = graphs.shape[:2]
    kinds, places = tier.column(m), tier.column(m * n)
    scratch = CycleScratch(*(tier.column(size) for size in (n, n, n * n, n)))
    tier(_decide)(tier.vector(_rows(graphs).ravel()), n, kinds, places, scratch, STEPS)
    return Many(np.array(kinds, dtype=np.uint8), np.array(places, dtype=np.int64).reshape(m, n))


def tables(graphs: NDArray[np.uint8], tier: Tier) -> Cells:
    """The ends of the paths through each set of vertices, shape (m, 2ⁿ⁻¹), for n up to `TABLED`."""
    m, n = graphs.shape[:2]
    ends = [ends_of_paths(tier.vector(row), tier) for row in _rows(graphs).astype(np.int32)]
    return np.array(ends, dtype=np.int32).reshape(m, 1 << n - 1)


def _rows(graphs: NDArray[np.uint8]) -> Ints:
    """The rows of the matrices as integers, shape (m, n)."""
    return graphs.astype(np.int64) @ (1 << np.arange(graphs.shape[-1], dtype=np.int64))


# ---- kernels


def _decide(rows: Vector, n: int, kinds: Vector, places: Vector, scratch: CycleScratch, steps: int) -> None:
    """Write the kind and the places of each answer; each search takes at most `steps` steps."""
    for g in range(len(kinds)):
        low = False
        for v in range(g * n, g * n + n):
            # x & (x - 1) clears the lowest bit: it is 0 if there is at most one neighbour.
            low = low or rows[v] & (rows[v] - 1) == 0
        if low:
            kinds[g] = DEGREE
        elif _cycle(rows, g * n, n, places, scratch, steps):
            kinds[g] = FOUND
        elif _cut(rows, g * n, n, places, steps):
            kinds[g] = CUT


def _cycle(rows: Vector, offset: int, n: int, places: Vector, scratch: CycleScratch, limit: int) -> bool:
    """Whether depth-first search finds a cycle within `limit` steps; its vertices go into `places`.

    The rows and the places of the graph begin at `offset`.
    """
    order, degrees, neighbours, tried = scratch
    # Sort the vertices by degree (insertion sort), and each list of neighbours in the same order.
    for v in range(n):
        degrees[v] = 0
        for u in range(n):
            degrees[v] += rows[offset + v] >> u & 1
        i = v
        while i > 0 and degrees[order[i - 1]] > degrees[v]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = v
    for v in range(n):
        end = v * n
        for i in range(n):
            if rows[offset + v] >> order[i] & 1:
                neighbours[end] = order[i]
                end += 1
    # Search from a vertex of least degree. `free` holds the vertices off the path, as bits.
    start = last = order[0]
    free = (1 << n) - 1 ^ 1 << start
    length = steps = 0  # moves on the path, and vertices examined in all
    places[offset], tried[0] = start, 0
    while steps < limit:
        if tried[length] == degrees[last]:
            # All neighbours are tried: take the last move back.
            if length == 0:
                return False
            free |= 1 << last
            length -= 1
            last = places[offset + length]
            continue
        head = neighbours[last * n + tried[length]]
        tried[length] += 1
        if not free >> head & 1:
            continue
        steps += n
        rest = free ^ 1 << head
        if rest == 0 and rows[offset + start] >> head & 1:
            places[offset + length + 1] = head
            return True
        if rest & rows[offset + start] == 0:
            continue  # nothing is left to close the cycle
        # Once the path leaves `last`, each free neighbour of it needs two other vertices to pass between.
        isolated = False
        for i in range(degrees[last] if length > 0 else 0):
            u = neighbours[last * n + i]
            usable = rows[offset + u] & (rest | 1 << head | 1 << start)
            isolated = isolated or (rest >> u & 1 == 1 and usable & (usable - 1) == 0)
        if not isolated:
            length += 1
            places[offset + length], tried[length] = head, 0
            free, last = rest, head
    return False


def _cut(rows: Vector, offset: int, n: int, places: Vector, limit: int) -> bool:
    """Whether one of the sets of 0, 1, 2, … vertices is a cut; the parts go into `places`."""
    full = (1 << n) - 1
    steps = 0
    for k in range((n + 1) // 2):
        removed = (1 << k) - 1
        while removed <= full and steps < limit:
            steps += n
            if _parts(rows, offset, n, full ^ removed, places) > max(k, 1):
                return True
            if k == 0:
                break
            # The next larger number with k bits (Gosper's hack, HAKMEM 1972, item 175).
            low = removed & -removed
            high = removed + low
            removed = (removed ^ high) // low >> 2 | high
    return False


def _parts(rows: Vector, offset: int, n: int, remaining: int, places: Vector) -> int:
    """The number of connected parts of the remaining vertices, given as bits.

    The number of the part of each vertex, from 1 on, goes into `places`; 0 for other vertices.
    """
    for v in range(offset, offset + n):
        places[v] = 0
    parts = 0
    while remaining:
        parts += 1
        # Breadth-first search from the lowest remaining vertex, a level at a time.
        fringe = remaining & -remaining
        while fringe:
            remaining ^= fringe
            reached = 0
            for v in range(n):
                if fringe >> v & 1:
                    reached |= rows[offset + v]
                    places[offset + v] = parts
            fringe = reached & remaining
    return parts
