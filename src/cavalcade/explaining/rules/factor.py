"""Words of `factor`; its signs are the same as in `tight`."""

from __future__ import annotations

from cavalcade.checking.present import Ints
from cavalcade.checking.rules.factor import neighbours
from cavalcade.explaining.rules.tight import roles
from cavalcade.explaining.wording import Wording

__all__ = ("roles", "sentence")


def sentence(words: Wording, cells: Ints) -> str:
    """The set, its neighbours, and how many moves a tour can make between them."""
    nouns = words.nouns
    once, twice = neighbours(words.present, cells)
    supply = []
    if twice.size:
        supply.append(f"two to each of {words.cells_named(twice)}")
    if once.size:
        supply.append(f"one to each of {words.cells_named(once)}, which can be reached from only one of them")
    most = len(once) + 2 * len(twice)
    return (
        f"A {nouns.tour} uses two {nouns.moves} at each of the {words.count_cells(len(cells))} "
        f"{words.cells_named(cells)}, {2 * len(cells):,} in all. But at most {most:,} can be used: "
        f"{' and '.join(supply) or 'none at all'}."
    )
