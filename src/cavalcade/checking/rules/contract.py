"""`contract`: a set of cells that at most three edges leave. From here on its first cell stands for the set.

A tour leaves the set as often as it enters it, so it uses exactly two of the edges that leave it, and visits
the set in one path. Contract the set to one cell, and the tour becomes a tour of the smaller graph, provided
that it has at least three cells. Only the first steps of a proof may be of this kind.
"""

from __future__ import annotations

from cavalcade.checking.present import Ints, PresentGraph, WrongError, counted


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the edges that leave the set, and contract it."""
    if present.one_way:
        raise WrongError("moves go one way: no cells can be contracted")
    if len(cells) < 2:
        raise WrongError(f"{counted(len(cells), 'cell')} cannot be contracted")
    if (remaining := present.count - len(cells) + 1) < 3:
        raise WrongError(f"only {counted(remaining, 'cell')} would remain")
    if len(leaving := present.leaving(cells, cells)) > 3:
        raise WrongError(f"{len(leaving)} moves leave the {len(cells)} cells, more than three")
    present.contract(cells)
