"""`saturated`: some cells, each with two forced edges. Their other edges are ruled out.

A tour uses no more than two edges of a cell.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import FORCED, MOST, OPEN, OUT, Ints, PresentGraph, WrongError, listed


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the forced edges."""
    if (present.used[cells] != 2).any():
        bad = int(cells[np.flatnonzero(present.used[cells] != 2)[0]])
        raise WrongError(f"{present.name(bad)} has {present.used[bad]} forced moves, not 2")
    edges = present.edges_of(cells)
    present.decide(edges[present.status[edges] == OPEN], OUT)


def sentence(present: PresentGraph, cells: Ints) -> str:
    """Cell by cell; where moves go one way, the moves that rule out others to a cell, or from it."""
    rows: list[str] = []
    for c in cells[:MOST].tolist():
        if present.one_way:
            moves, others = (present.gate_named(c, status)[1] for status in (FORCED, OPEN))
            said = f"{listed(moves)} rule{'s' * (len(moves) == 1)} out {listed(others)}" if others else ""
        else:
            made, more = present.row(c, FORCED), present.row(c, OPEN)
            said = f"{present.name(c)} already has its two moves, to {present.cells_named(made)}"
            said += f", which rules out those to {present.cells_named(more)}" if more else ""
        rows += [said] if said else []
    if not rows:
        return "The moves that are forced rule out no others there."
    return f"{'; '.join(rows)}{'; …' if len(cells) > MOST else ''}."
