"""Sweep: a frontier search that finds a tour or shows that there is none, where the frontier is narrow.

Vertices are taken in an order. A *state* summarizes the edges used so far for the rest of the search: which
vertices on the frontier are ends of paths, which ends belong together, and which vertices have two edges
(Knuth, TAOCP 7.1.4: simpath). For each state one predecessor is kept, so the work is the number of states,
whatever the number of tours. That decides graphs of any length, such as generalized Petersen graphs GP(n, k)
with small k, flower snarks and chains of gadgets. On these SAT does not end, since its clauses cannot express
that two ends belong together. If no state survives, the order is the proof, and `checking.rules.sweep`
generates the states again.

`frontier` has the same states with their numbers of tours, in compiled tables; here each has a predecessor.

Time: some microseconds a state; GP(4505, 2), 9,010 vertices, takes half a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from cavalcade.answers.certificate import Step, StepProof
from cavalcade.answers.verdict import Undecided
from cavalcade.cycles.walking import cycle_of_all, neighbours_of
from cavalcade.ground.budget import Budget, BudgetOverError
from cavalcade.ground.kernels import Cells
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import reached
from cavalcade.question.question import Question

Way = tuple[bytes, tuple[int, ...]]  # the state before, and where the vertex taken went from there

WIDEST = 20  # vertices on the frontier: SAT is the better choice beyond
MOST = 4_000_000  # states remembered, some 200 bytes each
USED = 255  # in a state: two edges of this vertex are used
STATE = 300  # work for a state, some microseconds
BLOCK = 1024  # states between looks at the clock
VERTEX = 200  # work for a vertex, to find an order
TRIED, TOO_MUCH = 0.25, 4  # of a budget the share after which a search ends that might need so many


class _FoundError(Exception):
    """A tour was closed: the way to its end."""


def sweep(
    question: Question, budget: Budget, *, seed: int = 0, widest: int = WIDEST
) -> Cells | StepProof | Undecided:
    """Decide whether there is a tour, if the frontier is never wider than `widest` vertices: an engine."""
    graph = question.as_cycle
    order, width = narrow(graph, widest, budget)
    if len(order) < graph.size or int(graph.degrees.max()) >= USED - width:
        return Undecided(f"no order whose frontier has at most {widest} cells was found", "sweep", seed)
    rows = [graph.neighbours(v).tolist() for v in range(graph.size)]
    states: dict[bytes, Way] = {bytes(range(width)): (b"", ())}
    ways: list[dict[bytes, Way]] = []  # after each vertex taken
    remembered, affordable = 0, budget.left / STATE
    try:
        for here, later, others in _stages(rows, order, width):
            states = _after(states, here, later, others, budget)
            ways.append(states)
            remembered += len(states)
            if remembered > MOST:
                break
            if not states:
                return StepProof((Step("sweep", tuple(order)),))
            if TRIED * affordable < remembered > TOO_MUCH * affordable * len(ways) / graph.size:
                budget.spend(budget.left)  # so that it is asked again with more
                break
    except BudgetOverError:
        pass
    except _FoundError as found:
        return question.cut(_cycle(order, ways, found.args))
    return Undecided(f"the sweep stopped after {remembered:,} states", "sweep", seed)


def narrow(graph: MoveGraph, widest: int, budget: Budget) -> tuple[list[int], int]:
    """An order of the vertices whose frontier is narrow, and the number of places that it needs.

    From the end of a breadth-first search, the next one is always that of the frontier with the fewest new
    neighbours; of equals, the one met first. The order ends where the frontier gets wider than allowed, or
    the budget is over; on wide graphs that is soon.
    """
    last = reached(graph, 0)[-1]
    met = bytearray(graph.size)
    fresh = graph.degrees.tolist()  # neighbours not yet met
    front: dict[int, None] = {}
    order: list[int] = []
    width = 0

    def meet(v: int) -> None:
        met[v] = True
        front[v] = None
        for w in graph.neighbours(v).tolist():
            fresh[w] -= 1

    for first in (int(last), *range(graph.size)):
        if not met[first]:
            meet(first)
        while front:
            v = min(front, key=fresh.__getitem__)
            for w in graph.neighbours(v).tolist():
                if not met[w]:
                    meet(w)
            width = max(width, len(front))
            if len(front) > widest + 1 or not budget.spend(VERTEX):
                return order, width
            del front[v]
            order.append(v)
    return order, width


def _stages(
    rows: list[list[int]], order: list[int], width: int
) -> Iterator[tuple[int, dict[int, int], set[int] | None]]:
    """For each vertex its place, its neighbours not yet taken, and the other places once all are met."""
    taken = bytearray(len(rows))
    place: dict[int, int] = {}
    free = list(range(width))
    met = 0
    for v in order:
        taken[v] = True
        later = [w for w in rows[v] if not taken[w]]
        for w in (v, *later):
            if w not in place:
                place[w] = free.pop()
                met += 1
        here = place.pop(v)
        yield here, {place[w]: w for w in later}, set(place.values()) if met == len(rows) else None
        free.append(here)


def _after(
    states: dict[bytes, Way],
    here: int,
    later: dict[int, int],
    others: set[int] | None,
    budget: Budget,
) -> dict[bytes, Way]:
    """The states after the vertex at a place is taken; `later` are its neighbours not taken, by place.

    A state is a row of bytes, one for every place on the frontier: the place of the other end of its path,
    its own place if none of its edges is used (or no vertex is there), USED if two are.

    Raises:
        _FoundError: a cycle through all vertices was closed.
        BudgetOverError: nothing is left of the budget.
    """
    found: dict[bytes, Way] = {}
    for i, state in enumerate(states):
        if not i % BLOCK:
            budget.charge(STATE * min(BLOCK, len(states) - i))
        far = state[here]
        needs = 0 if far == USED else 2 if far == here else 1
        for choice in combinations([at for at in later if state[at] != USED], needs):
            now = bytearray(state)
            for at in choice:
                if now[here] == at:  # a cycle closes
                    if others is not None and all(now[i] == USED for i in others - {at}):
                        raise _FoundError(state, tuple(later[i] for i in choice))
                    break
                one, two = now[here], now[at]
                now[here] = now[at] = USED
                now[one], now[two] = two, one
            else:
                now[here] = here
                found.setdefault(bytes(now), (state, tuple(later[at] for at in choice)))
    return found


def _cycle(order: list[int], ways: list[dict[bytes, Way]], end: Way) -> Cells:
    """The cycle that was closed, from the way to its end."""
    edges: list[tuple[int, int]] = []
    state, chosen = end
    for i in range(len(ways), -1, -1):
        edges += [(order[i], w) for w in chosen]
        if i:
            state, chosen = ways[i - 1][state]
    return cycle_of_all(*neighbours_of(np.array(edges, dtype=np.int32)).T)
