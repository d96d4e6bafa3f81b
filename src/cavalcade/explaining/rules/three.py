"""Words of `three`; its signs are the same as in `degree`."""

from __future__ import annotations

from cavalcade.checking.present import FORCED, Ints
from cavalcade.explaining.rules.degree import roles
from cavalcade.explaining.wording import Wording, listed

__all__ = ("LEGEND", "roles", "sentence")
LEGEND = {"named": "a {cell} with too many {moves}"}


def sentence(words: Wording, cells: Ints) -> str:
    """The cell and its forced moves."""
    present, nouns = words.present, words.nouns
    cell = int(cells[0])
    every = words.every_tour
    if present.one_way and cell >= present.ways:
        gate, moves = words.gate_named(cell, FORCED)
        direction = "arrives at" if gate.startswith("to") else "leaves"
        return f"Then {every} would use {listed(moves)}, but it {direction} {present.stop(cell)} only once."
    ends = present.row(cell, FORCED)
    return (
        f"Then {every} would use {len(ends)} {nouns.moves} at {present.name(cell)}, those to "
        f"{words.cells_named(ends)}, but a {nouns.tour} uses only two {nouns.moves} at each {nouns.cell}."
    )
