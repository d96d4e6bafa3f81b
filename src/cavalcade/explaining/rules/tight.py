"""Words and signs of `tight`, and the signs of `hall` and `factor`."""

from __future__ import annotations

from cavalcade.checking.present import Ints, PresentGraph
from cavalcade.explaining.wording import Wording

LEGEND = {"named": "{cells} with just enough neighbours", "beside": "their neighbours"}


def sentence(words: Wording, cells: Ints) -> str:
    """The set, its neighbours, and the moves that are ruled out."""
    present, nouns = words.present, words.nouns
    near = present.followers(cells)
    these, those = words.stops_named(cells), words.stops_named(near)
    size = words.count_cells(len(cells))
    before = "" if present.one_way else f", and so are the {nouns.cells} that precede them"
    comes = (
        f"comes to {those} from nowhere else" if present.one_way else f"uses no other {nouns.move} at {those}"
    )
    return (
        f"From the {size} {these}, every {nouns.move} leads to one of just as many: {those}. In a "
        f"{nouns.tour} the {nouns.cells} that follow {these} are all different, so they are exactly "
        f"{those}{before}. So the tour {comes}, which rules out "
        f"{words.name_moves(present.leaving(cells, near))}."
    )


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The set and its neighbours."""
    return {"beside": [present.followers(cells)], "named": [cells]}
