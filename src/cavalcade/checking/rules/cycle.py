"""`cycle`: the cells, in order, of a cycle of forced edges that does not visit every cell: a contradiction.

A tour is one cycle through all cells.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from cavalcade.checking.present import FORCED, Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Walk around."""
    if not 3 <= len(cells) < present.count:
        raise WrongError(f"a cycle through {len(cells)} of {present.count} cells contradicts nothing")
    for a, b in pairwise([*cells.tolist(), int(cells[0])]):
        pair = np.array([a, b])
        if present.status[present.edge(pair)] != FORCED:
            raise WrongError(f"{present.called(pair)} is not forced")


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The way around."""
    shown = present.walk_named([*cells.tolist(), int(cells[0])])
    many = len(shown) - 1
    names = "-".join(shown if many <= 40 else [*shown[:20], "…", *shown[-11:]])
    every = len({present.cell_of(c) for c in range(present.size)}) if present.one_way else present.count
    missed = every - many
    return (
        f"But the moves {names} form a closed loop of {many:,} "
        f"cells and never reach the other {'one' if missed == 1 else f'{missed:,}'}."
    )
