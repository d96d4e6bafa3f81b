"""`saturated`: some cells, each with two forced edges. Their other edges are ruled out.

A tour uses no more than two edges of a cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.checking.present import FORCED, OPEN, OUT, WrongError
from cavalcade.checking.words import MOST, listed

if TYPE_CHECKING:
    from cavalcade.checking.geometry import Ints
    from cavalcade.checking.present import PresentGraph
    from cavalcade.checking.words import Words


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the forced edges."""
    if (present.used[cells] != 2).any():
        bad = int(cells[np.flatnonzero(present.used[cells] != 2)[0]])
        raise WrongError(f"{present.name(bad)} has {present.used[bad]} forced moves, not 2")
    edges = present.edges_of(cells)
    present.decide(edges[present.status[edges] == OPEN], OUT)


def sentence(words: Words, cells: Ints) -> str:
    """Cell by cell."""
    if words.present.one_way:
        return _one_way(words, cells)
    rows = []
    for c in cells[:MOST].tolist():
        more = words.present.row(c, OPEN)
        made = f"{words.name(c)} already has its two moves, to {words.cells(words.present.row(c, FORCED))}"
        rows.append(made + (f", which rules out those to {words.cells(more)}" if more else ""))
    return f"{'; '.join(rows)}{'; …' if len(cells) > MOST else ''}."


def _one_way(words: Words, cells: Ints) -> str:
    """Where moves go one way: the moves that rule out others to a cell, or from it."""
    rows = []
    for c in cells[:MOST].tolist():
        made, gone = (words.gate(c, status)[1] for status in (FORCED, OPEN))
        if gone:
            rows.append(f"{listed(made)} rule{'s' * (len(made) == 1)} out {listed(gone)}")
    if not rows:
        return "The moves that are forced rule out no others there."
    return f"{'; '.join(rows)}{'; …' if len(cells) > MOST else ''}."


def roles(_: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The cells."""
    return {"counted": [cells]}
