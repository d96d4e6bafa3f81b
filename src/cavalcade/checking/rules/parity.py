"""`parity`: a set of cells that an odd number of present edges leave, all of them forced: a contradiction.

A tour leaves a set of cells as often as it enters it: a cycle and an edge cut have an even number of edges in
common (Diestel, Graph Theory, 1.9). The set need not be connected.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import OPEN, Ints, PresentGraph, WrongError, counted

LEGEND = {"parts": "cells that an odd number of moves leave"}


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the edges."""
    leaving = _leaving(present, cells)
    if undecided := np.count_nonzero(present.status[leaving] == OPEN):
        raise WrongError(f"of the moves that leave the {len(cells)} cells {undecided} are not forced")
    if len(leaving) % 2 == 0:
        raise WrongError(f"{len(leaving)} moves leave the {len(cells)} cells, an even number")


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The set, and the edges that leave it."""
    leaving = _leaving(present, cells)
    return (
        f"Of the moves that leave the {counted(len(cells), 'cell')} {present.cells_named(cells)}, a tour "
        f"would use exactly {present.moves_named(leaving)}, {len(leaving):,} in all. But it leaves them as "
        "often as it enters them, so it uses an even number."
    )


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The set, and the edges that leave it."""
    return {"parts": [cells], "moves": [_leaving(present, cells)]}


def _leaving(present: PresentGraph, cells: Ints) -> Ints:
    """The present edges with one end in the set, whichever way a tour goes."""
    places, _ = present.around(cells)
    leaving: Ints = present.number[places[~np.isin(present.heads[places], cells)]]
    return leaving
