"""Words and signs of `branch`."""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import Ints, PresentGraph
from cavalcade.explaining.wording import Wording


def sentence(words: Wording, cells: Ints) -> str:
    """The move that distinguishes the cases; `explaining.sentences` opens each case with it."""
    return words.moves_named(np.array([words.present.edge(cells)]))


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The edge."""
    return {"moves": [np.array([present.edge(cells)])]}
