"""Words and signs of `reach`."""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import Ints, PresentGraph
from cavalcade.checking.rules.reach import reached_from
from cavalcade.explaining.wording import Wording


def sentence(words: Wording, cells: Ints) -> str:
    """How far moves lead."""
    present, nouns = words.present, words.nouns
    size = present.question.board.size
    count = int(reached_from(present, cells)[:size].sum())
    a, b = (present.stop(cell) for cell in cells.tolist())
    return (
        f"From {a} the {nouns.moves}{words.left} lead to {count:,} of the {words.count_cells(size)}, "
        f"counting {a} itself, but never to {b}. A {nouns.tour} would lead from every {nouns.cell} to every "
        "other."
    )


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """Both cells, and the cells that are reached or the others, whichever are fewer."""
    reached = reached_from(present, cells)
    return {"beside": [np.flatnonzero(reached == (2 * reached.sum() <= present.size))], "named": [cells]}
