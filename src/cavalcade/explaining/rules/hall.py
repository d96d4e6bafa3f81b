"""Words and signs of `hall`."""

from __future__ import annotations

from cavalcade.checking.present import Ints
from cavalcade.checking.rules.hall import neighbours
from cavalcade.explaining.rules.tight import roles
from cavalcade.explaining.wording import Wording

__all__ = ("LEGEND", "roles", "sentence")
LEGEND = {"named": "{cells} with too few neighbours", "beside": "their neighbours"}


def sentence(words: Wording, cells: Ints) -> str:
    """The set and its neighbours."""
    nouns = words.nouns
    near, ahead = neighbours(words.present, cells)
    stops, size = words.stops_named(cells), words.count_cells(len(cells))
    prefix = "From" if ahead else "To"
    if not near.size:
        return f"{prefix} {stops} there is no {nouns.move} at all."
    joins = "leads to" if ahead else "comes from"
    after = "followed by" if ahead else "preceded by"
    one_of = "only" if len(near) == 1 else f"one of only {words.count_cells(len(near))}:"
    enough = f"{len(near):,} {'is' if len(near) == 1 else 'are'} not enough"
    return (
        f"{prefix} the {size} {stops}, every {nouns.move} {joins} {one_of} {words.stops_named(near)}. In a "
        f"{nouns.tour} each of the {size} is {after} a different {nouns.cell}, so {enough}."
    )
