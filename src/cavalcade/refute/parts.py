"""The parts of a graph and its two colours, in vectors: for graphs of any size, in nearly linear time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.answers.certificate import Step

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Cells = NDArray[np.int32]


def colours(indptr: Cells, indices: Cells) -> tuple[Step, Cells] | None:
    """Separate parts, or a two-coloured one whose colours differ; with the colour of every cell.

    The double cover joins (a, 0) to (b, 1) for every edge a-b. A part without odd cycles falls into two
    parts of the double cover, which are its colours.
    """
    n = len(indptr) - 1
    rows = np.append(indptr, np.full(n, len(indices), dtype=indptr.dtype))
    _, part = _components(matrix_of(rows, indices + n))
    black, white = part[:n], part[n:]
    if int(np.minimum(black, white).max(initial=0)) > 0:
        return Step("cut"), np.minimum(black, white)
    if black[0] != white[0] and 2 * int(np.count_nonzero(black == black[0])) != n:
        more = black[0] if 2 * np.count_nonzero(black == black[0]) > n else white[0]
        return Step("colours", (int(np.flatnonzero(black == more)[0]),)), black
    return None


def components(n: int, tails: Cells, heads: Cells) -> tuple[int, Cells]:
    """Parts of a graph; the number of each cell's part, in the order of their first cells."""
    from scipy.sparse import coo_array

    return _components(coo_array((np.ones(len(tails), dtype=np.int8), (tails, heads)), shape=(n, n)))


def _components(matrix: Any) -> tuple[int, Cells]:  # noqa: ANN401 - SciPy has no types
    """The same, of a sparse matrix."""
    from scipy.sparse.csgraph import connected_components

    count, label = connected_components(matrix, directed=False)
    return int(count), label


def matrix_of(indptr: Cells, indices: Cells) -> Any:  # noqa: ANN401 - SciPy has no types
    """The rows of a graph as a sparse matrix of ones, for SciPy's searches."""
    from scipy.sparse import csr_array

    n = len(indptr) - 1
    return csr_array((np.ones(len(indices), dtype=np.int8), indices, indptr), shape=(n, n))


def parts_without(n: int, edges: Cells, cut: Cells) -> tuple[int, Cells]:
    """How many parts are left without the cells of a cut, and the part of every cell."""
    outside = np.ones(n, dtype=np.bool_)
    outside[cut] = False
    kept = edges[outside[edges[:, 0]] & outside[edges[:, 1]]]
    count, label = components(n, kept[:, 0], kept[:, 1])
    return count - len(cut), label
