"""`contract`: a set of cells that three edges leave, or fewer. From now on its first cell stands for all.

A tour leaves the set as often as it enters it, so that it uses two of the edges that leave it, and visits the
set in one go. Make the set one cell, and the tour becomes a tour of the smaller graph, if that has three
cells or more. Only the first steps of a proof are of this kind.
"""

from __future__ import annotations

from cavalcade.checking.present import Ints, PresentGraph, WrongError, counted


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the edges that leave the set."""
    if present.one_way:
        raise WrongError("moves go one way: no cells can be contracted")
    if len(cells) < 2:
        raise WrongError(f"{counted(len(cells), 'cell')} cannot be contracted")
    if (left := present.count - len(cells) + 1) < 3:
        raise WrongError(f"only {counted(left, 'cell')} would be left")
    if len(leaving := present.leaving(cells, cells)) > 3:
        raise WrongError(f"{len(leaving)} moves leave the {len(cells)} cells, not three")
    present.contract(cells)


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The set, and what leaves it."""
    leaving = present.leaving(cells, cells)
    how = f"only {present.moves_named(leaving)}" if leaving.size else "no move"
    verb = "leads" if len(leaving) < 2 else "lead"
    return (
        f"Out of the {len(cells):,} cells {present.cells_named(cells)} {how} {verb}: a tour passes through "
        f"them once, so {present.name(int(cells[0]))} represents all of them from here on."
    )


def roles(_: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The set."""
    return {"parts": [cells]}
