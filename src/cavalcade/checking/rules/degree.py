"""`degree`: a cell with fewer than two present edges: a contradiction.

A tour uses two edges at every cell.
"""

from __future__ import annotations

from cavalcade.checking.present import FORCED, OPEN, Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the present edges."""
    degree = len(present.row(present.only(cells), OPEN, FORCED))
    if degree >= 2:
        raise WrongError(f"{present.called(cells)} has {degree} moves left")
