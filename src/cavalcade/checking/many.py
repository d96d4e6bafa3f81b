"""The checker of many small graphs at once: cycles, and three kinds of proof, over whole arrays.

    found    the n places are n different vertices, and each is joined to the next, the last to the first
    degree   a vertex has fewer than two neighbours, and a cycle uses two
    cut      the places are the numbers of parts, 0 for a vertex that is removed. No edge joins two parts. A
             cycle without k of its vertices falls into at most k paths (one if k is 0), and there are more
             parts than that
    subsets  for each set S of the vertices but the last, as bits of a number, the table has a set of ends, as
             bits too. A vertex that is joined to the last is an end of itself alone. If v, outside S, is
             joined to an end of S, then it is an end of S with v. By induction, every path from the last
             vertex through S stops at an end of S. No end of the full set {0, …, n - 2} is joined to the
             last vertex, so no path closes. It does not matter how the table was made.

This reads matrices and answers, and shares nothing with the search.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Matrices = NDArray[np.uint8]
Places = NDArray[np.int64]
Right = NDArray[np.bool_]


def are_cycles(graphs: Matrices, places: Places) -> Right:
    """Which rows of places are cycles of the graphs with these adjacency matrices."""
    m, n = places.shape
    once = (np.sort(places, axis=1) == np.arange(n)).all(axis=1)
    before = np.where(once[:, None], places, 0)
    joined = graphs[np.arange(m)[:, None], before, np.roll(before, -1, axis=1)] != 0
    return np.asarray(once & joined.all(axis=1))


def have_low_degrees(graphs: Matrices) -> Right:
    """Which graphs have a vertex with fewer than two neighbours."""
    return np.asarray((graphs.sum(axis=2) < 2).any(axis=1))


def are_cuts(graphs: Matrices, places: Places) -> Right:
    """Which rows of places are cuts with their parts."""
    n = places.shape[1]
    tails, heads = places[:, :, None], places[:, None, :]
    crossing = (graphs != 0) & (tails != heads) & (tails != 0) & (heads != 0)
    parts = (tails == np.arange(1, n + 1)).any(axis=1).sum(axis=1)
    removed = (places == 0).sum(axis=1)
    return np.asarray(~crossing.any(axis=(1, 2)) & (parts > np.maximum(removed, 1)))


def are_tables(graphs: Matrices, tables: NDArray[np.int32]) -> Right:
    """Which tables of ends prove that there is no cycle."""
    m, n = graphs.shape[:2]
    rows = (graphs != 0).astype(np.int64) @ (1 << np.arange(n, dtype=np.int64))
    right = tables[:, -1] & rows[:, -1] == 0
    for v in range(n - 1):
        sets = tables.reshape(m, 1 << n - 2 - v, 2, 1 << v)  # without v, and with it
        led_to = sets[:, :, 0] & rows[:, v, None, None] != 0
        led_to[:, 0, 0] |= graphs[:, v, -1] != 0
        right &= (~led_to | (sets[:, :, 1] >> v & 1 == 1)).all(axis=(1, 2))
    return np.asarray(right)
