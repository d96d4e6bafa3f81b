"""`factor`: a set I of cells to which too few moves lead: a contradiction.

Each member has two moves in a tour, 2|I| in all, counted from the members. A cell is at the other end of two
of them at most, and of one if it is next to one member only. So the sum of min(2, members next to it) over
all cells is 2|I| or more (Ore 1957; Tutte 1952: which graphs have a 2-factor).
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import Ints, PresentGraph, WrongError
from cavalcade.checking.rules.tight import roles

__all__ = ("check", "roles", "sentence")


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the moves that there can be."""
    once, twice = _beside(present, cells)
    most = len(once) + 2 * len(twice)
    if most >= 2 * len(cells):
        raise WrongError(f"{most} moves can lead to {len(cells)} cells, not fewer than two each")


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The set, and the cells around it."""
    once, twice = _beside(present, cells)
    parts = [
        f"two to each of {present.cells_named(twice)}" if twice.size else "",
        f"one to each of {present.cells_named(once)}, which are next to one of them only"
        if once.size
        else "",
    ]
    most = " and ".join(part for part in parts if part) or "none at all"
    return (
        f"A tour makes two moves at each of the {len(cells):,} cells {present.cells_named(cells)}, "
        f"{2 * len(cells):,} in all. But it makes at most {len(once) + 2 * len(twice):,}: {most}."
    )


def _beside(present: PresentGraph, cells: Ints) -> tuple[Ints, Ints]:
    """The cells next to just one of these, and those next to more."""
    near, often = np.unique(present.heads[present.around(cells)[0]], return_counts=True)
    return near[often == 1], near[often > 1]
