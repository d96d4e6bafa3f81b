"""`forced`: cells that each have exactly two present edges. Both edges are forced.

A tour uses two edges at every cell.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import FORCED, Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the present edges."""
    half_edges, owner = present.around(cells)
    degrees = np.bincount(owner, minlength=len(cells))
    if (degrees != 2).any():
        wrong = int(np.flatnonzero(degrees != 2)[0])
        raise WrongError(f"{present.name(int(cells[wrong]))} has {degrees[wrong]} moves left, not 2")
    present.decide(present.edge_of[half_edges], FORCED)
