"""`degree`: a cell with fewer than two present edges: a contradiction.

A tour uses two edges of every cell.
"""

from __future__ import annotations

from cavalcade.checking.present import FORCED, OPEN, Ints, PresentGraph, WrongError

LEGEND = {"named": "a cell with too few moves"}


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the present edges."""
    left = len(present.row(present.only(cells), OPEN, FORCED))
    if left >= 2:
        raise WrongError(f"{present.called(cells)} has {left} moves left")


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The cell, and what is left of its moves."""
    cell = int(cells[0])
    left = present.row(cell, OPEN, FORCED)
    only = f"only the move to {present.name(left[0])}" if left else "no move"
    still = " left" if len(left) < present.rows[cell + 1] - present.rows[cell] else ""
    at = present.name(cell)
    if present.stop(cell) != at and left == [present.cell_of(cell)]:
        at = f"{'To' if at.startswith('>') else 'From'} {present.stop(cell)}"
        return f"{at} there is no move{still}, but a tour must enter and leave every cell."
    return f"{at} has {only}{still}, but a tour must enter and leave every cell."


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The cell, and what is left of its moves."""
    return {"named": [cells], "moves": [present.edges_of(cells)]}
