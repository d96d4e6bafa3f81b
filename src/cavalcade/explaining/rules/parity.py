"""Words and signs of `parity`."""

from __future__ import annotations

from cavalcade.checking.present import Ints, PresentGraph
from cavalcade.checking.rules.parity import boundary
from cavalcade.explaining.wording import Wording

LEGEND = {"parts": "{cells} that an odd number of {moves} leave"}


def sentence(words: Wording, cells: Ints) -> str:
    """The set, and the moves that leave it."""
    nouns, leaving = words.nouns, boundary(words.present, cells)
    return (
        f"Of the {nouns.moves} that leave the {words.count_cells(len(cells))} {words.cells_named(cells)}, "
        f"{words.every_tour} uses exactly {words.moves_named(leaving)}: {len(leaving):,}, an odd number. But "
        f"a {nouns.tour} leaves a set of {nouns.cells} as often as it enters it, so the number must be even."
    )


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The set, and the edges that leave it."""
    return {"parts": [cells], "moves": [boundary(present, cells)]}
