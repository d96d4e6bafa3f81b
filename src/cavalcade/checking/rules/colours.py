"""`colours`: around a cell, the present graph has two colours of different sizes: a contradiction.

Every edge in the connected component of the cell joins cells of different colours. The colours alternate
along a tour, so a tour has equally many cells of each.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Colour the component, and compare the sizes."""
    same, other = colours(present, present.only(cells))
    if len(same) == len(other):
        raise WrongError(f"both colours have {len(same)} cells")


def colours(present: PresentGraph, cell: int) -> tuple[Ints, Ints]:
    """The cells in the component of a cell: those of its colour, and those of the other colour.

    Raises:
        WrongError: an edge joins two cells of one colour.
    """
    even, odd = present.walks()
    same, other = even == even[cell], odd == even[cell]
    if (same & other).any():
        raise WrongError("the cells cannot be coloured with two colours")
    return np.flatnonzero(same), np.flatnonzero(other)
