"""`three`: a cell with three forced edges: a contradiction.

A tour uses no more than two edges of a cell.
"""

from __future__ import annotations

from cavalcade.checking.present import FORCED, Ints, PresentGraph, WrongError, listed
from cavalcade.checking.rules.degree import roles

__all__ = ("LEGEND", "check", "roles", "sentence")
LEGEND = {"named": "a cell with too many moves"}


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the forced edges."""
    cell = present.only(cells)
    if present.used[cell] < 3:
        raise WrongError(f"{present.name(cell)} has {present.used[cell]} forced moves")


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The cell and its moves."""
    cell = int(cells[0])
    if present.one_way and cell >= present.ways:
        gate, moves = present.gate_named(cell, FORCED)
        return f"Then a tour would make {listed(moves)}, too many {gate}: it comes once and goes on once."
    return (
        f"Then a tour would make three moves of {present.name(cell)}, those to "
        f"{present.cells_named(present.row(cell, FORCED))}, but it makes only two of each cell."
    )
