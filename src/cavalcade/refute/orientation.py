"""Which way a tour goes along the edges of `Question.as_cycle`, where moves go one way.

From every `>c` it goes over c to `c>`, from `a>` to some `>b` or to `*`, and from `*` to some `>b`. Were one
c passed the other way, then every other too: only at `*` could the way turn, and `*` is passed once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.refute.parts import matrix_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cavalcade.question.question import Question

    Cells = NDArray[np.int32]
    Mask = NDArray[np.bool_]

# which kind of vertex comes after which, of c, `>c`, `c>` and `*`
AFTER = np.array(
    [[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 1], [0, 1, 0, 0]], dtype=np.bool_
)  # c, `>c`, `c>`, `*`


class Orientation:
    """Which way a tour goes along each edge.

    Args:
        question: the question. If its moves go both ways, so does a tour everywhere.
    """

    def __init__(self, question: Question) -> None:
        self.one_way, self.cells = question.one_way, question.board.size

    def ahead(self, tails: Cells, heads: Cells) -> Mask:
        """Along which of these edges a tour may go from tail to head."""
        if not self.one_way:
            return np.ones(len(tails), dtype=np.bool_)
        return np.asarray(AFTER[tails // self.cells, heads // self.cells])

    def rows(self, indptr: Cells, indices: Cells) -> tuple[Cells, Cells, Mask]:
        """The rows without the places along which no tour goes, and which places are left."""
        tails = np.repeat(np.arange(len(indptr) - 1, dtype=np.int32), np.diff(indptr))
        ahead = self.ahead(tails, indices)
        return np.concatenate([[0], np.cumsum(ahead)])[indptr].astype(np.int32), indices[ahead], ahead

    def smaller(self, deficient: Cells, followers: Cells, size: int) -> Cells:
        """A set with fewer followers than members; or what is not followed by it, with fewer leaders.

        All cells that lead to one that is none of the followers lie outside the set.
        """
        if not self.one_way:
            return deficient
        left = np.ones(size, dtype=np.bool_)
        left[: self.cells] = left[2 * self.cells : 3 * self.cells] = left[followers] = False
        others = np.flatnonzero(left).astype(np.int32)
        return others if len(others) < len(deficient) else deficient


def closed_set(indptr: Cells, indices: Cells) -> Mask | None:
    """The smallest set of cells that edges lead to one another in, and none out of; None if it is all cells.

    Args:
        indptr: the rows of a directed graph.
        indices: the heads of its edges.

    Time: linear (Tarjan 1972).
    """
    from scipy.sparse.csgraph import connected_components

    n = len(indptr) - 1
    count, part = connected_components(matrix_of(indptr, indices), connection="strong")
    if count == 1:
        return None
    tails = part[np.repeat(np.arange(n), np.diff(indptr))]
    sizes = np.bincount(part)
    sizes[tails[tails != part[indices]]] = n + 1
    return np.asarray(part == np.argmin(sizes))
