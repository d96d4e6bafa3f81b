"""`subtour`: the two ends of a path of forced edges that does not visit every cell.

The edge between the two ends is ruled out: it would close the path to a cycle, but a tour is one cycle
through all cells.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import FORCED, OUT, Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Check the ends, and count the cells of the path."""
    edge = present.edge(cells)
    a, b = cells.tolist()
    are_ends = present.forced_degree[a] == present.forced_degree[b] == 1 and present.other_end[a] == b
    if not are_ends or present.status[edge] == FORCED:
        raise WrongError(f"{present.called(cells)} are not the ends of a path of forced moves")
    if present.path_length[a] >= present.count:
        raise WrongError(f"the path between {present.called(cells)} visits every cell")
    present.decide(np.array([edge]), OUT)
