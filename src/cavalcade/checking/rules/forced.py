"""`forced`: some cells, each with exactly two present edges. Both are forced.

A tour uses two edges of every cell.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import FORCED, OPEN, Ints, PresentGraph, WrongError
from cavalcade.checking.words import MOST, cell_names, gate_names, listed


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the present edges."""
    places, owner = present.around(cells)
    counts = np.bincount(owner, minlength=len(cells))
    if (counts != 2).any():
        bad = int(np.flatnonzero(counts != 2)[0])
        raise WrongError(f"{present.name(int(cells[bad]))} has {counts[bad]} moves left, not 2")
    present.decide(present.number[places], FORCED)


def sentence(present: PresentGraph, cells: Ints) -> str:
    """Cell by cell."""
    if present.one_way:
        return _one_way(present, cells)
    rows = [
        f"{present.name(c)} has only the moves to {cell_names(present, present.row(c, OPEN, FORCED))}"
        + ("" if present.rows[c + 1] - present.rows[c] == 2 else " left")
        for c in cells[:MOST].tolist()
    ]
    rows += ["…"] if len(cells) > MOST else []
    return f"{'; '.join(rows)}: every tour must use {'both' if len(cells) == 1 else 'them all'}."


def _one_way(present: PresentGraph, cells: Ints) -> str:
    """Where moves go one way: which of them is the only one to a cell, or from it."""
    gates = [gate_names(present, c, OPEN, FORCED) for c in cells.tolist()]
    rows = [f"{gate} there is only {listed(moves)}" for gate, moves in gates if moves]
    if not rows:
        return "A tour must enter and leave every cell."
    rows = [*rows[:MOST], "…"] if len(rows) > MOST else rows
    text = "; ".join(rows)
    return f"{text[0].upper()}{text[1:]}: every tour must use {'it' if len(rows) == 1 else 'them all'}."
