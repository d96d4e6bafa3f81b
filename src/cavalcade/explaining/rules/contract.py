"""Words and signs of `contract`."""

from __future__ import annotations

from cavalcade.checking.present import Ints, PresentGraph
from cavalcade.explaining.wording import Wording


def sentence(words: Wording, cells: Ints) -> str:
    """The set, the moves that leave it, and the cell that represents it."""
    nouns, leaving = words.nouns, words.present.leaving(cells, cells)
    moves = f"Only {words.name_moves(leaving)}" if leaving.size else f"No {nouns.move}"
    lead = "leads" if len(leaving) < 2 else "lead"
    return (
        f"{moves} {lead} out of the {words.count_cells(len(cells))} {words.cells_named(cells)}. A "
        f"{nouns.tour} leaves a set of {nouns.cells} as often as it enters it, so it passes through these "
        f"{nouns.cells} only once. From here on {words.present.name(int(cells[0]))} stands for all of them."
    )


def roles(_: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The set."""
    return {"parts": [cells]}
