"""`sweep`: all cells in an order, in which no tour can be put together: a contradiction.

The cells are taken one after the other, and for each of its present edges to cells not yet taken it is
decided whether it is used. What the rest has to know of that is, for every cell met and not yet taken, how
many of its edges are used, and for the end of a path where its other end is (Knuth, TAOCP 7.1.4: simpath).
Every such state is followed. Those die in which a cell is left with fewer than two edges, or a cycle closes
that misses a cell. If all die, there is no tour.

Time: proportional to the edges and the states between two cells.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import FORCED, OPEN, Ints, PresentGraph, WrongError
from cavalcade.checking.words import cell_names

State = tuple[int, ...]  # of every cell met: the other end of its path; itself, or USED, with no or two edges
USED = -1


def check(present: PresentGraph, cells: Ints) -> None:
    """Follow every state."""
    if len(cells) != present.count:
        raise WrongError(f"it takes {len(cells)} of {present.count} cells")
    place = {cell: i for i, cell in enumerate(cells.tolist())}
    front: list[int] = []
    met = 0
    states: set[State] = {()}
    for i, cell in enumerate(place):
        later = [other for other in present.row(cell, OPEN, FORCED) if place[other] > i]
        for new in (cell, *later):
            if new not in front:
                front.append(new)
                met += 1
                states = {(*state, new) for state in states}
        at = front.index(cell)
        for other in later:
            to = front.index(other)
            for state in [one for one in states if one[at] != USED and one[to] != USED]:
                if state[at] != other:
                    states.add(_joined(state, at, to, front))
                elif met == present.count and state.count(USED) == len(front) - 2:
                    raise WrongError("there is a tour")
        states = {state[:at] + state[at + 1 :] for state in states if state[at] == USED}
        del front[at]


def _joined(state: State, at: int, to: int, front: list[int]) -> State:
    """The state after the edge between two cells, not the ends of one path, is used, too."""
    far, end = state[at], state[to]
    now = list(state)
    now[at] = now[to] = USED
    now[front.index(far)], now[front.index(end)] = end, far
    return tuple(now)


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The order."""
    return (
        f"Take the {len(cells):,} cells one after the other: {cell_names(present, cells)}. "
        "Whichever moves are made from each to cells not yet taken, a cell eventually has too few, or a loop "
        "closes before all cells are visited: every choice was followed, together where the same ends of "
        "paths remain."
    )


def roles(_: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """Where it begins and ends."""
    return {"counted": [np.sort(cells)], "named": [cells[:1]]}
