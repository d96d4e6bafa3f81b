"""`subtour`: the two ends of one path of forced edges that does not visit every cell.

Their edge is ruled out: with it the path would be a cycle, and a tour is one cycle through all cells.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import FORCED, OUT, Ints, PresentGraph, WrongError


def check(present: PresentGraph, cells: Ints) -> None:
    """Look at the ends, and count the cells of the path."""
    edge = present.edge(cells)
    a, b = cells.tolist()
    ends = present.used[a] == present.used[b] == 1 and present.far[a] == b
    if not ends or present.status[edge] == FORCED:
        raise WrongError(f"{present.called(cells)} are not the ends of a path of forced moves")
    if present.length[a] >= present.count:
        raise WrongError(f"the path between {present.called(cells)} visits every cell")
    present.decide(np.array([edge]), OUT)


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The move, and the path."""
    a, b = cells.tolist()
    path = [a]
    while path[-1] != b and len(path) <= 40:
        path.append(next(c for c in present.row(path[-1], FORCED) if c not in path[-2:]))
    via = "-".join(present.walk_named(path)) + ("" if path[-1] == b else f"-…-{present.stop(b)}")
    move = present.moves_named(np.array([present.edge(cells)]))
    return f"The move {move} would close {via} before all cells are visited: it is ruled out."
