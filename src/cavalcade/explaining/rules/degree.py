"""Words and signs of `degree`."""

from __future__ import annotations

from cavalcade.checking.present import FORCED, OPEN, Ints, PresentGraph
from cavalcade.explaining.wording import Wording

LEGEND = {"named": "a {cell} with too few {moves}"}


def sentence(words: Wording, cells: Ints) -> str:
    """The cell, and the moves that it has."""
    present, nouns = words.present, words.nouns
    cell = int(cells[0])
    ends = present.row(cell, OPEN, FORCED)
    needs = f"a {nouns.tour} must enter and leave every {nouns.cell}"
    left = " left" if len(ends) < present.offsets[cell + 1] - present.offsets[cell] else ""
    name = present.name(cell)
    if present.stop(cell) != name and ends == [present.cell_of(cell)]:
        gate = "to" if name.startswith(">") else "from"
        return f"There is no {nouns.move}{left} {gate} {present.stop(cell)}, but {needs}."
    if not ends:
        return f"{name} has no {nouns.move}{left}, but {needs}."
    return f"{words.only_moves(cell)}, but {needs} by two different {nouns.moves}."


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The cell and its present edges."""
    return {"named": [cells], "moves": [present.edges_of(cells)]}
