"""`hall`: a set I of cells with fewer neighbours than members, |N(I)| < |I|: a contradiction.

In a tour the members' successors are different cells of N(I) (Hall 1935). Where moves go one way, N(I) are
the cells to which a tour may go from I alone; or those from which it may come to I, if these are fewer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.checking.present import WrongError
from cavalcade.checking.rules.tight import roles

if TYPE_CHECKING:
    from cavalcade.checking.geometry import Ints
    from cavalcade.checking.present import PresentGraph
    from cavalcade.checking.words import Words

__all__ = ("LEGEND", "check", "roles", "sentence")
LEGEND = {"named": "cells with too few neighbours", "beside": "their neighbours"}


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the neighbours."""
    near = len(_near(present, cells)[0])
    if near >= len(cells):
        raise WrongError(f"{len(cells)} cells have {near} neighbours, not fewer")


def sentence(words: Words, cells: Ints) -> str:
    """The set and its neighbours."""
    near, ahead = _near(words.present, cells)
    stops = words.stops(cells)
    if not near.size:
        return f"{'From' if ahead else 'To'} {stops} there is no move at all."
    many, few = f"{len(cells):,}", f"{len(near):,}"
    if ahead:
        return (
            f"From the {many} cells {stops} all moves lead to only {few}: {words.stops(near)}. But in a tour "
            f"each of the {many} needs a different cell after it."
        )
    return (
        f"To the {many} cells {stops} all moves come from only {few}: {words.stops(near)}. But in a tour "
        f"each of the {many} needs a different cell before it."
    )


def _near(present: PresentGraph, cells: Ints) -> tuple[Ints, bool]:
    """N(I), and whether a tour goes there from I."""
    after, before = present.followers(cells), present.leaders(cells)
    return (after, True) if len(after) <= len(before) else (before, False)
