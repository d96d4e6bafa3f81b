"""`cycle`: the cells, in order, of a cycle of forced edges that does not visit every cell: a contradiction.

A tour is one cycle through all cells.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.checking.present import FORCED, WrongError

if TYPE_CHECKING:
    from cavalcade.checking.geometry import Ints
    from cavalcade.checking.present import PresentGraph
    from cavalcade.checking.words import Words


def check(present: PresentGraph, cells: Ints) -> None:
    """Walk around."""
    if not 3 <= len(cells) < present.count:
        raise WrongError(f"a cycle through {len(cells)} of {present.count} cells contradicts nothing")
    for a, b in pairwise([*cells.tolist(), int(cells[0])]):
        pair = np.array([a, b])
        if present.status[present.edge(pair)] != FORCED:
            raise WrongError(f"{present.called(pair)} is not forced")


def sentence(words: Words, cells: Ints) -> str:
    """The way around."""
    shown = words.walk([*cells.tolist(), int(cells[0])])
    many, present = len(shown) - 1, words.present
    names = "-".join(shown if many <= 40 else [*shown[:20], "…", *shown[-11:]])
    every = len({words.cell(c) for c in range(present.size)}) if present.one_way else present.count
    missed = every - many
    return (
        f"But the moves {names} form a closed loop of {many:,} "
        f"cells and never reach the other {'one' if missed == 1 else f'{missed:,}'}."
    )


def roles(_: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The cells."""
    return {"named": [cells]}
