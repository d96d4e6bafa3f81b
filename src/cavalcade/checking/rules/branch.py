"""`branch`: an edge that is neither forced nor ruled out, and two cases.

In the first case it is forced, in the second ruled out; both end in a contradiction.
A tour uses an edge or does not.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cavalcade.checking.present import FORCED, OPEN, OUT, Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Look at the edge."""
    if present.status[present.edge(cells)] != OPEN:
        raise WrongError(f"{present.called(cells)} is forced or ruled out, so that there are no two cases")


def cases(present: PresentGraph, cells: Ints) -> Iterator[str]:
    """Force the edge, then rule it out."""
    for name, status in (("1", FORCED), ("2", OUT)):
        since = present.assume(present.edge(cells), status)
        yield name
        present.take_back(since)


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The move that distinguishes the cases."""
    return present.moves_named(np.array([present.edge(cells)]))


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The edge."""
    return {"moves": [np.array([present.edge(cells)])]}
