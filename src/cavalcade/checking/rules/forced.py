"""`forced`: some cells, each with exactly two present edges. Both are forced.

A tour uses two edges of every cell.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import FORCED, MOST, OPEN, Ints, PresentGraph, WrongError, listed


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the present edges."""
    places, owner = present.around(cells)
    counts = np.bincount(owner, minlength=len(cells))
    if (counts != 2).any():
        bad = int(np.flatnonzero(counts != 2)[0])
        raise WrongError(f"{present.name(int(cells[bad]))} has {counts[bad]} moves left, not 2")
    present.decide(present.number[places], FORCED)


def sentence(present: PresentGraph, cells: Ints) -> str:
    """Cell by cell; where moves go one way, which of them is the only one to a cell, or from it."""
    if present.one_way:
        gates = [present.gate_named(c, OPEN, FORCED) for c in cells.tolist()]
        rows = [f"{gate} there is only {listed(moves)}" for gate, moves in gates if moves]
        if not rows:
            return "A tour must enter and leave every cell."
        text = "; ".join([*rows[:MOST], "…"] if len(rows) > MOST else rows)
        return f"{text[0].upper()}{text[1:]}: every tour must use {'it' if len(rows) == 1 else 'them all'}."
    rows = [
        f"{present.name(c)} has only the moves to {present.cells_named(present.row(c, OPEN, FORCED))}"
        + ("" if present.rows[c + 1] - present.rows[c] == 2 else " left")
        for c in cells[:MOST].tolist()
    ]
    rows += ["…"] if len(cells) > MOST else []
    return f"{'; '.join(rows)}: every tour must use {'both' if len(cells) == 1 else 'them all'}."
