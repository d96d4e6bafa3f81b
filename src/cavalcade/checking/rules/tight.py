"""`tight`: a set I of cells with as many neighbours as members, |N(I)| = |I|.

Edges from N(I) to cells outside I are ruled out.
The members' successors in a tour are different cells of N(I), so all of them; and so are their predecessors.
So both tour edges of a cell of N(I) lead to I. Where moves go one way, N(I) are the cells to which a tour may
go from I alone, and the edges that are ruled out lead to N(I). Tight sets are the Dulmage-Mendelsohn
decomposition (1958) of the graph of cells and successors.
"""

from __future__ import annotations

from cavalcade.checking.present import OUT, Ints, PresentGraph, WrongError

LEGEND = {"named": "cells with just enough neighbours", "beside": "their neighbours"}


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the neighbours."""
    near = present.followers(cells)
    if len(near) != len(cells):
        raise WrongError(f"{len(cells)} cells have {len(near)} neighbours, not as many")
    present.decide(present.leaving(cells, near), OUT)


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The set, its neighbours, and what is ruled out."""
    near = present.followers(cells)
    follow = "these follow" if present.one_way else "whichever way it runs, these are followed by"
    return (
        f"From the {len(cells):,} cells {present.stops_named(cells)} all moves lead to just as many, "
        f"{present.stops_named(near)}: in a tour, {follow} cells of the first "
        f"kind only. That rules out {present.moves_named(present.leaving(cells, near))}."
    )


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The set and its neighbours."""
    return {"beside": [present.followers(cells)], "named": [cells]}
