"""Many small graphs at once: a cycle through each, or one of three short proofs that there is none.

The vertices of a graph fit into a word, so that a row of its adjacency matrix is a number. For each graph, in
this order:

    degree   a vertex with fewer than two neighbours
    found    a cycle, by depth first: neighbours with few neighbours of their own come first, and no vertex
             left behind may have fewer than two to go by
    cut      k vertices without which more than k parts remain (none, without which more than one do)
    subsets  up to `TABLED` vertices, where all paths end: the table of `find.subsets`

Where none of them has an answer, the graph is left to the portfolio. Every limit is counted work, so
that neither the tier nor the graphs around it change the answer for a graph.

Time, compiled: 0.7 microseconds for a connected graph of nine vertices, 22 for a cubic one of sixteen.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.find.subsets import ends_of_paths
from cavalcade.ground.kernels import Cells, Ints, Tier, Vector

MOST = 62  # vertices: the bits of a word
TABLED = 16  # vertices up to which a table of all sets is made, of 128 kB
KINDS = ("", "found", "degree", "cut", "subsets")
LEFT, FOUND, DEGREE, CUT, SUBSETS = range(len(KINDS))
STEPS = 20_000  # of the search for a cycle
SETS = 800_000  # vertices of the sets that are removed to find a cut


class Many(NamedTuple):
    """The answers for some graphs of n vertices.

    Args:
        kinds: of each, the place of its answer in `KINDS`; 0 where there is none.
        places: of each n numbers: the vertices of the cycle in order; or, for a cut, of each vertex the
            number of its part, from 1 on, and 0 if it is removed.
    """

    kinds: NDArray[np.uint8]
    places: Ints


def many(graphs: NDArray[np.uint8], tier: Tier) -> Many:
    """Answer some graphs, given by their adjacency matrices, (m, n, n), for n from 3 to `MOST`; no tables."""
    m, n = graphs.shape[:2]
    kinds, places = tier.vector(np.zeros(m, dtype=np.int64)), tier.vector(np.zeros(m * n, dtype=np.int64))
    room = [tier.vector(np.zeros(size, dtype=np.int64)) for size in (n, n, n * n, n)]
    tier(_decide)(tier.vector(_rows(graphs).ravel()), n, kinds, places, *room, STEPS, SETS)
    found: Ints = np.array(places, dtype=np.int64)
    return Many(np.array(kinds, dtype=np.uint8), found.reshape(m, n))


def tables(graphs: NDArray[np.uint8], tier: Tier) -> Cells:
    """Of each graph the ends of the paths through each set, (m, 2ⁿ⁻¹), for n up to `TABLED`."""
    m, n = graphs.shape[:2]
    each = [ends_of_paths(tier.vector(row), tier) for row in _rows(graphs).astype(np.int32)]
    return np.array(each, dtype=np.int32).reshape(m, 1 << n - 1)


def _rows(graphs: NDArray[np.uint8]) -> Ints:
    """The rows of the matrices as numbers, (m, n)."""
    return graphs.astype(np.int64) @ (1 << np.arange(graphs.shape[-1], dtype=np.int64))


# ---- kernels


def _decide(
    rows: Vector,
    n: int,
    kinds: Vector,
    places: Vector,
    order: Vector,
    degrees: Vector,
    near: Vector,
    tried: Vector,
    most_steps: int,
    most_sets: int,
) -> None:
    """Note the kind and the places of each graph; the four vectors between them are room to work in."""
    for g in range(len(kinds)):
        few = False
        for v in range(g * n, g * n + n):
            few = few or rows[v] & (rows[v] - 1) == 0
        if few:
            kinds[g] = DEGREE
        elif _cycle(rows, g * n, n, places, order, degrees, near, tried, most_steps):
            kinds[g] = FOUND
        elif _cut(rows, g * n, n, places, most_sets):
            kinds[g] = CUT


def _cycle(
    rows: Vector,
    at: int,
    n: int,
    places: Vector,
    order: Vector,
    degrees: Vector,
    near: Vector,
    tried: Vector,
    most: int,
) -> bool:
    """Whether a cycle is found in so many steps; its vertices go into `places`, from `at` on.

    `order` holds the vertices by degree, and `near`, n places a vertex, the neighbours in this order. `tried`
    holds how many of them have been tried at each step of the path.
    """
    for v in range(n):
        degrees[v] = 0
        for u in range(n):
            degrees[v] += rows[at + v] >> u & 1
        i = v
        while i > 0 and degrees[order[i - 1]] > degrees[v]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = v
    for v in range(n):
        filled = v * n
        for i in range(n):
            if rows[at + v] >> order[i] & 1:
                near[filled] = order[i]
                filled += 1
    start = here = order[0]
    left = (1 << n) - 1 ^ 1 << start  # the vertices off the path
    step = steps = 0
    places[at], tried[0] = start, 0
    while steps < most:
        if tried[step] == degrees[here]:
            if step == 0:
                return False
            left |= 1 << here
            step -= 1
            here = places[at + step]
            continue
        there = near[here * n + tried[step]]
        tried[step] += 1
        if not left >> there & 1:
            continue
        steps += 1
        rest = left ^ 1 << there
        closes = rows[at + start] >> there & 1
        if rest == 0 and closes:
            places[at + step + 1] = there
            return True
        if rest & rows[at + start] == 0:
            continue
        alone = False  # a neighbour left behind that has fewer than two vertices to go by
        for i in range(degrees[here] if step > 0 else 0):
            u = near[here * n + i]
            able = rows[at + u] & (rest | 1 << there | 1 << start)
            alone = alone or (rest >> u & 1 == 1 and able & (able - 1) == 0)
        if not alone:
            step += 1
            places[at + step], tried[step] = there, 0
            left, here = rest, there
    return False


def _cut(rows: Vector, at: int, n: int, places: Vector, most: int) -> bool:
    """Whether a cut is found among the sets of 0, 1, 2, … vertices; the parts go into `places`.

    The next set of as many vertices comes by Gosper's rule (HAKMEM 1972, item 175).
    """
    full = (1 << n) - 1
    looked_at = 0
    for k in range((n + 1) // 2):
        removed = (1 << k) - 1
        while removed <= full and looked_at < most:
            looked_at += n
            if _parts(rows, at, n, full ^ removed, places) > max(k, 1):
                return True
            if k == 0:
                break
            low = removed & -removed
            high = removed + low
            removed = (removed ^ high) // low >> 2 | high
    return False


def _parts(rows: Vector, at: int, n: int, left: int, places: Vector) -> int:
    """How many parts the vertices in `left` fall into; the number of each goes into `places`, else 0."""
    for v in range(at, at + n):
        places[v] = 0
    parts = 0
    while left:
        parts += 1
        fringe = left & -left
        while fringe:
            left ^= fringe
            reached = 0
            for v in range(n):
                if fringe >> v & 1:
                    reached |= rows[at + v]
                    places[at + v] = parts
            fringe = reached & left
    return parts
