"""`cut`: a set S whose removal leaves more than k - f parts: a contradiction. An empty S must leave two.

A tour without k of its cells falls into at most k paths, and into at most k - f if f of its edges join two of
the removed cells. Each part needs a path of its own. Graphs without such a set are called tough (Chvátal
1973).
"""

from __future__ import annotations

from cavalcade.checking.present import Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Count the parts."""
    rest = present.without(cells)
    if rest.parts <= max(rest.paths, 0 if len(cells) else 1):
        raise WrongError(
            f"without {len(cells)} cells there are {rest.parts} parts, not more than {rest.paths}"
        )
