"""`tight_cut`: a set S whose removal leaves k - f parts. Edges inside S that are not forced are ruled out.

A tour without the k cells of S falls into k paths, less one for each of its edges inside S. Each part needs a
path of its own, so the tour uses no edge inside S except the f forced ones.
"""

from __future__ import annotations

from cavalcade.checking.present import OPEN, OUT, Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the parts."""
    rest = present.without(cells)
    if rest.parts != rest.paths or not rest.parts:
        raise WrongError(f"without {len(cells)} cells there are {rest.parts} parts, not {rest.paths}")
    present.decide(rest.inside[present.status[rest.inside] == OPEN], OUT)
