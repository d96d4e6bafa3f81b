"""Rows of neighbours for the kernels of the engines."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.ground.kernels import INTERPRETED, Tier
from cavalcade.question.parts import Rows

# Edges examined at a vertex to choose the next end of a path: limits the cost of a rotation in dense graphs,
# where any end will do.
EDGES_EXAMINED = 24


def adjacency(tier: Tier, indptr: NDArray[Any], indices: NDArray[Any]) -> Rows:
    """Rows of neighbours in the containers of a tier, read-only."""
    parts: Any = (tier.read_only(np.asarray(part, dtype=np.int32)) for part in (indptr, indices))
    return Rows(*parts)


def is_arc(out_rows: Rows, in_rows: Rows, a: int, b: int) -> bool:
    """Whether an arc leads from a to b; a helper of kernels. Time: linear in the shorter of two rows.

    Args:
        out_rows: the heads of the arcs from each vertex.
        in_rows: the tails of the arcs to each vertex; of an undirected graph the same rows.
        a: tail.
        b: head.
    """
    indptr, heads = out_rows
    in_indptr, tails = in_rows
    if INTERPRETED:  # Python searches a slice of a list faster than a loop does
        low, high, in_low, in_high = indptr[a], indptr[a + 1], in_indptr[b], in_indptr[b + 1]
        return b in heads[low:high] if high - low <= in_high - in_low else a in tails[in_low:in_high]
    if indptr[a + 1] - indptr[a] <= in_indptr[b + 1] - in_indptr[b]:
        for e in range(indptr[a], indptr[a + 1]):
            if heads[e] == b:
                return True
    else:
        for e in range(in_indptr[b], in_indptr[b + 1]):
            if tails[e] == a:
                return True
    return False
