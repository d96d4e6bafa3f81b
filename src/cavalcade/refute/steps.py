"""Cells given at steps that are too far apart for it, or of the wrong colour: a reason found at once.

Walks of even and odd length are told apart in the double cover, which joins (a, 0) to (b, 1) for every move
a-b: the distance there is the fewest moves of a walk of that parity. Where the board has two colours, one of
the two is infinite.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from cavalcade.question.question import Question


def too_near(question: Question) -> tuple[int, int] | None:
    """Two cells given at steps with too few moves, or moves of the wrong parity, from one to the other.

    Time: linear in the moves, for each cell that is given.
    """
    if question.one_way:
        return None
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import shortest_path

    n, graph, given = question.board.size, question.allowed, list(question.given.items())
    tails = np.repeat(np.arange(n), graph.degrees)
    heads = graph.indices.astype(np.int64)
    cover = np.concatenate([[tails, heads + n], [tails + n, heads]], axis=1)  # even and odd walks
    matrix = csr_array((np.ones(cover.shape[1], dtype=np.int8), (cover[0], cover[1])), shape=(2 * n, 2 * n))
    far = shortest_path(matrix, unweighted=True, indices=[cell for _, cell in given])
    pairs = list(itertools.pairwise(given)) + ([(given[-1], given[0])] if question.closed else [])
    at = {cell: i for i, (_, cell) in enumerate(given)}
    for (s, a), (t, b) in pairs:
        moves = (t - s) % n
        if a != b and far[at[a], b + n * (moves % 2)] > moves:
            return a, b
    return None
