"""`hall`: a set I of cells with fewer neighbours than members, |N(I)| < |I|: a contradiction.

The successors of the members in a tour are different cells of N(I) (Hall 1935). If moves go one way, N(I) are
the cells to which a tour may go from I, or the cells from which it may come to I, whichever are fewer.
"""

from __future__ import annotations

from cavalcade.checking.present import Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the neighbours."""
    count = len(neighbours(present, cells)[0])
    if count >= len(cells):
        raise WrongError(f"{len(cells)} cells have {count} neighbours, not fewer")


def neighbours(present: PresentGraph, cells: Ints) -> tuple[Ints, bool]:
    """N(I), and whether it holds successors rather than predecessors."""
    after, before = present.followers(cells), present.leaders(cells)
    return (after, True) if len(after) <= len(before) else (before, False)
