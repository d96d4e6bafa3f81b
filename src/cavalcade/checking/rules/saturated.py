"""`saturated`: some cells, each with two forced edges. Their other edges are ruled out.

A tour uses no more than two edges of a cell.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import FORCED, OPEN, OUT, Ints, PresentGraph, WrongError
from cavalcade.checking.words import MOST, cell_names, gate_names, listed


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the forced edges."""
    if (present.used[cells] != 2).any():
        bad = int(cells[np.flatnonzero(present.used[cells] != 2)[0]])
        raise WrongError(f"{present.name(bad)} has {present.used[bad]} forced moves, not 2")
    edges = present.edges_of(cells)
    present.decide(edges[present.status[edges] == OPEN], OUT)


def sentence(present: PresentGraph, cells: Ints) -> str:
    """Cell by cell."""
    if present.one_way:
        return _one_way(present, cells)
    rows = []
    for c in cells[:MOST].tolist():
        more = present.row(c, OPEN)
        made = (
            f"{present.name(c)} already has its two moves, to {cell_names(present, present.row(c, FORCED))}"
        )
        rows.append(made + (f", which rules out those to {cell_names(present, more)}" if more else ""))
    return f"{'; '.join(rows)}{'; …' if len(cells) > MOST else ''}."


def _one_way(present: PresentGraph, cells: Ints) -> str:
    """Where moves go one way: the moves that rule out others to a cell, or from it."""
    rows = []
    for c in cells[:MOST].tolist():
        made, gone = (gate_names(present, c, status)[1] for status in (FORCED, OPEN))
        if gone:
            rows.append(f"{listed(made)} rule{'s' * (len(made) == 1)} out {listed(gone)}")
    if not rows:
        return "The moves that are forced rule out no others there."
    return f"{'; '.join(rows)}{'; …' if len(cells) > MOST else ''}."
