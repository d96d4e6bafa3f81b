"""`branch`: an edge that is neither forced nor ruled out, and two cases.

In the first case it is forced, in the second ruled out; both end in a contradiction.
A tour uses an edge or does not.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import OPEN, Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Look at the edge. The cases are followed by `certificates`."""
    if present.status[present.edge(cells)] != OPEN:
        raise WrongError(f"{present.called(cells)} is forced or ruled out, so that there are no two cases")


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The move that distinguishes the cases."""
    return present.moves_named(np.array([present.edge(cells)]))


def roles(present: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The edge."""
    return {"moves": [np.array([present.edge(cells)])]}
