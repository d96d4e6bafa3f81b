"""`sweep`: an order of the cells in which no tour can be assembled: a contradiction.

The cells are taken in this order. For each present edge from the cell to a later cell, both choices are
followed: the edge is used or not. A *state* holds, for every cell that was met but not yet taken, the number
of its used edges and, if it is the end of a path, the other end (Knuth, TAOCP 7.1.4: simpath). A state is
dropped if a taken cell does not have two used edges, or if a cycle closes that misses a cell. If no state
remains, there is no tour.

Time: proportional to the edges, times the number of states between two cells.
"""

from __future__ import annotations

from cavalcade.checking.present import FORCED, OPEN, Ints, PresentGraph, WrongError

# One entry per cell on the frontier: the other end of its path; the cell itself if it has no used edge; or
# None if it has two.
State = tuple[int | None, ...]


def check(present: PresentGraph, cells: Ints) -> None:
    """Follow every state."""
    if len(cells) != present.count:
        raise WrongError(f"it takes {len(cells)} of {present.count} cells")
    rank = {cell: i for i, cell in enumerate(cells.tolist())}
    frontier: list[int] = []  # cells that were met but not yet taken, in the order of the entries of states
    met = 0
    states: set[State] = {()}
    for i, cell in enumerate(rank):
        later = [neighbour for neighbour in present.row(cell, OPEN, FORCED) if rank[neighbour] > i]
        # Cells that are met for the first time have no used edge: each is the end of a path of one cell.
        for new in (cell, *later):
            if new not in frontier:
                frontier.append(new)
                met += 1
                states = {(*state, new) for state in states}
        p = frontier.index(cell)
        for neighbour in later:
            q = frontier.index(neighbour)
            for state in list(states):
                end, other_end = state[p], state[q]
                if end is None or other_end is None:
                    continue
                if end != neighbour:
                    # Join two paths: the two cells are inside the new path, between its ends.
                    joined = list(state)
                    joined[p] = joined[q] = None
                    joined[frontier.index(end)], joined[frontier.index(other_end)] = other_end, end
                    states.add(tuple(joined))
                elif met == present.count and state.count(None) == len(frontier) - 2:
                    raise WrongError("there is a tour")
        # The cell gets no further edges: it must have two.
        states = {state[:p] + state[p + 1 :] for state in states if state[p] is None}
        del frontier[p]
