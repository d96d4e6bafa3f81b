"""`reach`: two cells a and b such that no present moves lead from a to b: a contradiction.

A tour leads from every cell to every other. If moves go one way, only the directions that a tour may take
count: a digraph with a Hamiltonian cycle is strongly connected.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cavalcade.checking.present import Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Search from the first cell."""
    if len(cells) != 2:
        raise WrongError(f"the step names {len(cells)} cells, not two")
    if reached_from(present, cells)[cells[1]]:
        raise WrongError(f"moves lead along {present.called(cells)}")


def reached_from(present: PresentGraph, cells: Ints) -> NDArray[np.bool_]:
    """Which cells can be reached from the first of these cells, by breadth-first search."""
    reached = np.zeros(present.size, dtype=np.bool_)
    front = cells[:1]
    while front.size:
        reached[front] = True
        followers = present.followers(front)
        front = followers[~reached[followers]]
    return reached
