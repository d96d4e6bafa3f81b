"""`saturated`: cells that each have two forced edges. Their other edges are ruled out.

A tour uses at most two edges at each cell.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import OPEN, OUT, Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the forced edges."""
    if (present.forced_degree[cells] != 2).any():
        wrong = int(cells[np.flatnonzero(present.forced_degree[cells] != 2)[0]])
        raise WrongError(f"{present.name(wrong)} has {present.forced_degree[wrong]} forced moves, not 2")
    edges = present.edges_of(cells)
    present.decide(edges[present.status[edges] == OPEN], OUT)
