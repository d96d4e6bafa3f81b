"""`cycle`: the cells, in order, of a cycle of forced edges that does not visit every cell: a contradiction.

A tour is one cycle through all cells.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from cavalcade.checking.present import FORCED, Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Follow the cycle."""
    if not 3 <= len(cells) < present.count:
        raise WrongError(f"a cycle through {len(cells)} of {present.count} cells contradicts nothing")
    for a, b in pairwise([*cells.tolist(), int(cells[0])]):
        pair = np.array([a, b])
        if present.status[present.edge(pair)] != FORCED:
            raise WrongError(f"{present.called(pair)} is not forced")
