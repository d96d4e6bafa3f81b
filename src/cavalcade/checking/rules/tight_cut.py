"""`tight_cut`: a set S whose removal leaves k - f parts. Rules out the edges inside S that are not forced.

Without S, and with all edges inside S that it uses, a tour falls into k paths less those edges. It needs one
path for each part, so that it uses no edge inside S but the f that are forced.
"""

from __future__ import annotations

from cavalcade.checking.present import OPEN, OUT, Ints, PresentGraph, WrongError, counted
from cavalcade.checking.rules.cut import roles

__all__ = ("check", "roles", "sentence")


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the parts."""
    left = present.without(cells)
    if left.parts != left.able or not left.parts:
        raise WrongError(f"without {len(cells)} cells there are {left.parts} parts, not {left.able}")
    present.decide(left.inside[present.status[left.inside] == OPEN], OUT)


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The set, the parts, and what is ruled out."""
    left = present.without(cells)
    gone = left.inside[present.status[left.inside] == OPEN]
    return (
        f"Without the {counted(len(cells), 'cell')} {present.cells_named(cells)} there are "
        f"{left.parts:,} parts ({present.parts_named(left, cells)}): a tour needs all it can do with these "
        "cells to come from part to part, "
        f"and can use no other move between two of them. That rules out {present.moves_named(gone)}."
    )
