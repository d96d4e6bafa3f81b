"""Words and signs of `sweep`."""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import Ints, PresentGraph
from cavalcade.explaining.wording import Wording


def sentence(words: Wording, cells: Ints) -> str:
    """The order."""
    nouns = words.nouns
    return (
        f"Take the {words.count_cells(len(cells))} in this order: {words.cells_named(cells)}. At each of "
        f"them try every choice of {nouns.moves} to later {nouns.cells}; choices that leave paths with the "
        f"same ends are continued together. Every choice fails: some {nouns.cell} has too few {nouns.moves}, "
        f"or a loop closes before all {nouns.cells} are visited."
    )


def roles(_: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """All cells, and the first one."""
    return {"counted": [np.sort(cells)], "named": [cells[:1]]}
