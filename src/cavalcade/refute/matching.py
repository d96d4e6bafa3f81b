"""What cycle covers know: deficient and tight sets, all at once, in nearly linear time.

Match every cell with a successor. If that fails, the cells that the last search reached form a deficient
set (Hall 1935). If it succeeds, let the digraph D lead from u to the cell whose successor is v, for every
edge u-v. Closed sets of D are exactly the tight sets, and an edge between two strongly connected components
of D is in no cycle cover, hence in no tour (Dulmage & Mendelsohn 1958; Régin 1994).

The matching is another engine's: `find.cycle_cover.cycle_cover`, one of two functions that `refute` asks for.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.find.cycle_cover import cycle_cover

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    Cells = NDArray[np.int32]


class SuccessorMatching:
    """A maximum matching of cells to successors in the present graph, and its digraph D.

    Args:
        indptr: the rows of the present graph.
        indices: the neighbours.
        directed: the rows are those of a directed graph.

    Raises:
        TimeoutError: the clock has ended the whole.
    """

    def __init__(self, indptr: Cells, indices: Cells, *, directed: bool = False) -> None:
        from scipy.sparse import csr_array

        self.size = n = len(indptr) - 1
        self.directed = directed
        self.indices = indices
        ones = np.ones(len(indices), dtype=np.int8)
        successor = cycle_cover(indptr, indices, directed=directed)
        self.unmatched = np.flatnonzero(successor < 0)
        self.successor = successor
        self.predecessor = np.full(n, -1, dtype=np.int32)
        self.predecessor[successor[successor >= 0]] = np.flatnonzero(successor >= 0)
        tails = np.repeat(np.arange(n, dtype=np.int32), np.diff(indptr))
        there = self.predecessor[indices] >= 0
        self.digraph: Any = csr_array(
            (ones[there], (tails[there], self.predecessor[indices[there]])), shape=(n, n)
        )
        self.tails = tails

    def deficient_set(self) -> Cells:
        """The smallest of a few sets with fewer neighbours than members; empty if all are matched."""
        from scipy.sparse.csgraph import breadth_first_order

        found: Cells = np.zeros(0, dtype=np.int32)
        for cell in self.unmatched[:8]:
            reached = breadth_first_order(self.digraph, cell, return_predecessors=False)
            if not found.size or reached.size < found.size:
                found = reached
        return np.sort(found).astype(np.int32)

    @cached_property
    def unusable(self) -> NDArray[np.bool_]:
        """Which places of `indices` belong to edges that no cover uses. All cells must be matched."""
        from scipy.sparse.csgraph import connected_components

        _, component = connected_components(self.digraph, connection="strong")
        return np.asarray(component[self.tails] != component[self.predecessor[self.indices]])

    def tight_sets(self, u: int, v: int) -> list[Cells]:
        """Tight sets that rule out an unusable edge u-v: the extreme ones and their complements.

        In a directed graph the edge goes from u to v, and the extreme ones are all.
        """
        from scipy.sparse.csgraph import breadth_first_order

        every = np.ones(self.size, dtype=np.bool_)
        found = []
        for a, b in ((u, v),) if self.directed else ((u, v), (v, u)):
            least = breadth_first_order(self.digraph, self.predecessor[b], return_predecessors=False)
            before = breadth_first_order(self.digraph.T, a, return_predecessors=False)
            most = every.copy()
            most[before] = False
            for closed in (least, np.flatnonzero(most)):
                found.append(np.sort(closed).astype(np.int32))
                if not self.directed:
                    outside = every.copy()
                    outside[self.successor[closed]] = False
                    found.append(np.flatnonzero(outside).astype(np.int32))
        return found
