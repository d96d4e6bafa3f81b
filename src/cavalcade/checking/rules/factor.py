"""`factor`: a set I of cells to which too few moves lead: a contradiction.

A tour uses two moves at each member, 2|I| in all, if a move between two members counts twice. It uses at most
two moves between any cell and the set, and at most one if the cell has only one neighbour in the set. So the
sum of min(2, number of neighbours in I) over all cells is at least 2|I| (Ore 1957; Tutte 1952 determines
which graphs have a 2-factor).
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Add up the moves that a tour can use."""
    once, twice = neighbours(present, cells)
    supply = len(once) + 2 * len(twice)
    if supply >= 2 * len(cells):
        raise WrongError(f"{supply} moves can lead to {len(cells)} cells, not fewer than two each")


def neighbours(present: PresentGraph, cells: Ints) -> tuple[Ints, Ints]:
    """The cells with exactly one neighbour in the set, and the cells with several."""
    heads, times = np.unique(present.heads[present.around(cells)[0]], return_counts=True)
    return heads[times == 1], heads[times > 1]
