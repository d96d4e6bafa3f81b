"""`parity`: a set of cells that an odd number of present edges leave, all of them forced: a contradiction.

A tour leaves a set of cells as often as it enters it: a cycle and an edge cut have an even number of edges in
common (Diestel, Graph Theory, 1.9). The set need not be connected.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import OPEN, Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the edges."""
    leaving = boundary(present, cells)
    if undecided := np.count_nonzero(present.status[leaving] == OPEN):
        raise WrongError(f"{undecided} of the moves that leave the {len(cells)} cells are not forced")
    if len(leaving) % 2 == 0:
        raise WrongError(f"{len(leaving)} moves leave the {len(cells)} cells, an even number")


def boundary(present: PresentGraph, cells: Ints) -> Ints:
    """The numbers of the present edges with exactly one end in the set, in either direction."""
    half_edges, _ = present.around(cells)
    leaving: Ints = present.edge_of[half_edges[~np.isin(present.heads[half_edges], cells)]]
    return leaving
