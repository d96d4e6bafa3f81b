"""Graphs as sparse matrices, and SciPy's searches in them: graphs of any size, in nearly linear time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Cells = NDArray[np.int32]

# SciPy has no types: a matrix is Any


def matrix_of(indptr: Cells, indices: Cells) -> Any:  # noqa: ANN401
    """The rows of a graph as a sparse matrix of ones."""
    from scipy.sparse import csr_array

    n = len(indptr) - 1
    return csr_array((np.ones(len(indices), dtype=np.int8), indices, indptr), shape=(n, n))


def matrix_from(n: int, tails: Cells, heads: Cells) -> Any:  # noqa: ANN401
    """The same of a graph with these edges."""
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(tails), dtype=np.int8), (tails, heads)), shape=(n, n))


def tails_of(indptr: Cells) -> Cells:
    """The vertex in whose row each place is."""
    return np.repeat(np.arange(len(indptr) - 1, dtype=np.int32), np.diff(indptr))


def double_cover(indptr: Cells, indices: Cells) -> Any:  # noqa: ANN401
    """The matrix that joins (a, 0), which is a, to (b, 1), which is n + b, for every edge a-b."""
    rows = np.append(indptr, np.full(len(indptr) - 1, len(indices), dtype=indptr.dtype))
    return matrix_of(rows, indices + (len(indptr) - 1))


def components(matrix: Any, connection: str = "weak") -> tuple[int, Cells]:  # noqa: ANN401
    """How many parts there are, and of each vertex the number of its part."""
    from scipy.sparse.csgraph import connected_components

    count, label = connected_components(matrix, connection=connection)
    return int(count), label


def reached(matrix: Any, start: int) -> Cells:  # noqa: ANN401
    """The vertices to which paths lead from one, in the order of a breadth-first search."""
    from scipy.sparse.csgraph import breadth_first_order

    found: Cells = breadth_first_order(matrix, start, return_predecessors=False)
    return found


def odd_part(n: int, undecided: Cells, forced: Cells) -> Cells | None:
    """The fewest cells that undecided edges connect and that an odd number of forced edges leave.

    Args:
        n: the number of cells.
        undecided: the edges that may or may not be used, (m, 2).
        forced: the number of forced edges of each cell: inside the part they count twice.
    """
    _, label = components(matrix_from(n, *undecided.T))
    odd = np.flatnonzero(np.bincount(label, weights=forced) % 2)
    if not odd.size:
        return None
    return np.flatnonzero(label == odd[np.argmin(np.bincount(label)[odd])]).astype(np.int32)


def parts_without(n: int, edges: Cells, cut: Cells) -> tuple[int, Cells]:
    """How many parts are left without the cells of a cut, and the part of every cell."""
    outside = np.ones(n, dtype=np.bool_)
    outside[cut] = False
    kept = edges[outside[edges[:, 0]] & outside[edges[:, 1]]]
    count, label = components(matrix_from(n, *kept.T))
    return count - len(cut), label
