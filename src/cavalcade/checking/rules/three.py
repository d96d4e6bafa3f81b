"""`three`: a cell with three forced edges: a contradiction.

A tour uses at most two edges at each cell.
"""

from __future__ import annotations

from cavalcade.checking.present import Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the forced edges."""
    cell = present.only(cells)
    if present.forced_degree[cell] < 3:
        raise WrongError(f"{present.name(cell)} has {present.forced_degree[cell]} forced moves, not three")
