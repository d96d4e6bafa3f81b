"""`branch`: an edge that is neither forced nor ruled out, and two cases.

The edge is forced in the first case and ruled out in the second. Both cases end with a contradiction, and a
tour either uses the edge or does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from cavalcade.checking.present import FORCED, OPEN, OUT, Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Check that the edge is undecided."""
    if present.status[present.edge(cells)] != OPEN:
        raise WrongError(
            f"{present.called(cells)} is forced or ruled out already, so that there are no two cases"
        )


def cases(present: PresentGraph, cells: Ints) -> Iterator[str]:
    """Force the edge, then rule it out."""
    for name, status in (("1", FORCED), ("2", OUT)):
        since = present.assume(present.edge(cells), status)
        yield name
        present.take_back(since)
