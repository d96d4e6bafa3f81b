"""`hall`: a set I of cells with fewer neighbours than members, |N(I)| < |I|: a contradiction.

In a tour the members' successors are different cells of N(I) (Hall 1935). Where moves go one way, N(I) are
the cells to which a tour may go from I alone; or those from which it may come to I, if these are fewer.
"""

from __future__ import annotations

from cavalcade.checking.present import Ints, PresentGraph, WrongError
from cavalcade.checking.rules.tight import roles

__all__ = ("LEGEND", "check", "roles", "sentence")
LEGEND = {"named": "cells with too few neighbours", "beside": "their neighbours"}


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the neighbours."""
    near = len(_near(present, cells)[0])
    if near >= len(cells):
        raise WrongError(f"{len(cells)} cells have {near} neighbours, not fewer")


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The set and its neighbours."""
    near, ahead = _near(present, cells)
    stops = present.stops_named(cells)
    many, few = f"{len(cells):,}", f"{len(near):,}"
    way, lead, side = ("From", "lead to", "after") if ahead else ("To", "come from", "before")
    if not near.size:
        return f"{way} {stops} there is no move at all."
    return (
        f"{way} the {many} cells {stops} all moves {lead} only {few}: {present.stops_named(near)}. But in a "
        f"tour each of the {many} needs a different cell {side} it."
    )


def _near(present: PresentGraph, cells: Ints) -> tuple[Ints, bool]:
    """N(I), and whether a tour goes there from I."""
    after, before = present.followers(cells), present.leaders(cells)
    return (after, True) if len(after) <= len(before) else (before, False)
