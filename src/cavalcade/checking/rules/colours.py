"""`colours`: a cell, around which the present graph has two colours of different sizes: a contradiction.

Every edge in the cell's part of the graph joins cells of different colours. A tour's colours take turns, so
that it has as many cells of either.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import Ints, PresentGraph, WrongError

LEGEND = {"named": "the larger colour", "beside": "the smaller colour"}


def check(present: PresentGraph, cells: Ints) -> None:
    """Colour the part, and count."""
    here, there = _colours(present, present.only(cells))
    if len(here) == len(there):
        raise WrongError(f"both colours have {len(here)} cells")


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The sizes of both."""
    here, there = map(len, _colours(present, int(cells[0])))
    return (
        f"The cells have two colours, and every move changes the colour: {max(here, there):,} cells have the "
        f"one and {min(here, there):,} the other ({present.name(int(cells[0]))} is one of the "
        f"{'more' if here > there else 'fewer'}). The tour alternates between "
        "the colours, so it needs equally many of each."
    )


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The smaller colour and the larger one."""
    fewer, more = sorted(_colours(present, int(cells[0])), key=len)
    return {"beside": [fewer], "named": [more]}


def _colours(present: PresentGraph, cell: int) -> tuple[Ints, Ints]:
    """The cells of the colour of this one, and those of the other, in its part.

    Raises:
        WrongError: an edge joins two cells of one colour.
    """
    even, odd = present.walks()
    even, odd = even == even[cell], odd == even[cell]
    if (even & odd).any():
        raise WrongError("the cells cannot be coloured with two colours")
    return np.flatnonzero(even), np.flatnonzero(odd)
