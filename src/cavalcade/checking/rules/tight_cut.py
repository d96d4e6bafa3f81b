"""`tight_cut`: a set S whose removal leaves k - f parts. Edges inside S that are not forced are ruled out.

A tour without the k cells of S falls into k paths, less one for each of its edges inside S. Each part needs a
path of its own, so the tour uses no edge inside S except the f forced ones.
"""

from __future__ import annotations

from cavalcade.checking.present import OPEN, OUT, Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the parts."""
    left = present.without(cells)
    if left.parts != left.paths or not left.parts:
        raise WrongError(f"without {len(cells)} cells there are {left.parts} parts, not {left.paths}")
    present.decide(left.inside[present.status[left.inside] == OPEN], OUT)
