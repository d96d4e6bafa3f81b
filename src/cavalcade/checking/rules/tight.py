"""`tight`: a set I of cells with equally many neighbours, |N(I)| = |I|. Other edges of N(I) are ruled out.

The successors of the members in a tour are different cells of N(I), so they are all of N(I); the same holds
for the predecessors. So both tour edges at a cell of N(I) lead to I, and the edges between N(I) and cells
outside I are ruled out. If moves go one way, N(I) are the cells to which a tour may go from I, and the edges
that lead to N(I) from outside I are ruled out. Tight sets are the Dulmage-Mendelsohn decomposition (1958) of
the graph of cells and successors.
"""

from __future__ import annotations

from cavalcade.checking.present import OUT, Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the neighbours."""
    followers = present.followers(cells)
    if len(followers) != len(cells):
        raise WrongError(f"{len(cells)} cells have {len(followers)} neighbours, not equally many")
    present.decide(present.leaving(cells, followers), OUT)
