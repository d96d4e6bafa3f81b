"""`hall`: a set I of cells with fewer neighbours than members, |N(I)| < |I|: a contradiction.

In a tour the members' successors are different cells of N(I) (Hall 1935).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.checking.present import WrongError
from cavalcade.checking.rules.tight import roles

if TYPE_CHECKING:
    from cavalcade.checking.geometry import Ints
    from cavalcade.checking.present import PresentGraph
    from cavalcade.checking.words import Words

__all__ = ("check", "roles", "sentence")


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the neighbours."""
    near = len(present.neighbours(cells))
    if near >= len(cells):
        raise WrongError(f"{len(cells)} cells have {near} neighbours, not fewer")


def sentence(words: Words, cells: Ints) -> str:
    """The set and its neighbours."""
    near = words.present.neighbours(cells)
    if not near.size:
        return f"From {words.cells(cells)} there is no move at all."
    return (
        f"From the {len(cells):,} cells {words.cells(cells)} all moves lead to only {len(near):,}: "
        f"{words.cells(near)}. But in a tour each of the {len(cells):,} is followed by a cell of its own."
    )
