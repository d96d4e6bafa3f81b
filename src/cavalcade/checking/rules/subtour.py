"""`subtour`: the two ends of one path of forced edges that does not visit every cell.

Their edge is ruled out: with it the path would be a cycle, and a tour is one cycle through all cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.checking.present import FORCED, OUT, WrongError

if TYPE_CHECKING:
    from cavalcade.checking.geometry import Ints
    from cavalcade.checking.present import PresentGraph
    from cavalcade.checking.words import Words


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


def sentence(words: Words, cells: Ints) -> str:
    """The move, and the path."""
    a, b = cells.tolist()
    path = [a]
    while path[-1] != b and len(path) <= 40:
        path.append(next(c for c in words.present.row(path[-1], FORCED) if c not in path[-2:]))
    via = "-".join(words.walk(path)) + ("" if path[-1] == b else f"-…-{words.stop(b)}")
    move = words.moves(np.array([words.present.edge(cells)]))
    return f"The move {move} would close {via} before all cells are visited: it is ruled out."


def roles(_: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """The ends."""
    return {"counted": [cells]}
