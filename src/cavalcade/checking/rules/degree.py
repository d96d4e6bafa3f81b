"""`degree`: a cell with fewer than two present edges: a contradiction.

A tour uses two edges of every cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.checking.present import FORCED, OPEN, WrongError

if TYPE_CHECKING:
    from cavalcade.checking.geometry import Ints
    from cavalcade.checking.present import PresentGraph
    from cavalcade.checking.words import Words

LEGEND = {"named": "a cell with too few moves"}


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the present edges."""
    left = len(present.row(present.only(cells), OPEN, FORCED))
    if left >= 2:
        raise WrongError(f"{present.called(cells)} has {left} moves left")


def sentence(words: Words, cells: Ints) -> str:
    """The cell, and what is left of its moves."""
    present, cell = words.present, int(cells[0])
    left = present.row(cell, OPEN, FORCED)
    only = f"only the move to {words.name(left[0])}" if left else "no move"
    still = " left" if len(left) < present.rows[cell + 1] - present.rows[cell] else ""
    at = words.name(cell)
    if words.stop(cell) != at and left == [words.cell(cell)]:
        at = f"{'To' if at.startswith('>') else 'From'} {words.stop(cell)}"
        return f"{at} there is no move{still}, but a tour must enter and leave every cell."
    return f"{at} has {only}{still}, but a tour must enter and leave every cell."


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The cell, and what is left of its moves."""
    return {"named": [cells], "moves": [present.edges_of(cells)]}
