"""`sweep`: all cells in an order, in which no tour can be put together: a contradiction.

The cells are taken one after the other. For each present edge from the cell to later cells, both choices are
followed: it is used or not. A *state* gives, for every cell that was met but not taken, the number of its
used edges and, if it is the end of a path, the other end (Knuth, TAOCP 7.1.4: simpath). A state is dropped if
a cell cannot get two edges any more, or if a cycle closes that misses a cell. If no state remains, there is
no tour.

Time: proportional to the edges and the states between two cells.
"""

from __future__ import annotations

import numpy as np

from cavalcade.checking.present import FORCED, OPEN, Ints, PresentGraph, WrongError

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
    """The state after the edge between two cells, not the ends of one path, is also used."""
    far, end = state[at], state[to]
    now = list(state)
    now[at] = now[to] = USED
    now[front.index(far)], now[front.index(end)] = end, far
    return tuple(now)


def sentence(present: PresentGraph, cells: Ints) -> str:
    """The order."""
    return (
        f"Take the {len(cells):,} cells one after the other: {present.cells_named(cells)}. "
        "Follow every choice of moves from each cell to later cells; follow choices together if they leave "
        "paths with the same ends. Each choice ends with a cell that has too few moves, or with a loop that "
        "closes before all cells are visited."
    )


def roles(_: PresentGraph, cells: Ints) -> dict[str, list[Ints]]:
    """Where it begins and ends."""
    return {"counted": [np.sort(cells)], "named": [cells[:1]]}
