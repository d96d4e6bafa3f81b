"""Sweep: a frontier search that finds a tour or shows that there is none, if the frontier is narrow.

Vertices are taken in an order. A *state* summarizes the edges used so far for the rest of the search: which
vertices on the frontier are ends of paths, which ends belong together, and which vertices have two edges
(Knuth, TAOCP 7.1.4: simpath). For each state one predecessor is kept, so the work is the number of states,
whatever the number of tours. That decides graphs of any length, such as generalized Petersen graphs GP(n, k)
with small k, flower snarks and chains of gadgets. SAT does not terminate on these in reasonable time, because
its clauses cannot express that two ends belong together. If no state survives, the order is the proof, and
`checking.rules.sweep` generates the states again.

The room `states` has the same states with their numbers of tours in compiled tables. Here states are rows of
bytes, and `states.objects` merges them.

Time: some microseconds for a state; GP(4505, 2), 9,010 vertices, takes half a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
from cavalcade.states.objects import LOOK_EVERY, next_level, trace

Targets = tuple[int, ...]  # the vertices to which the vertex that is taken gets its new edges

MOST = 4_000_000  # states kept, about 200 bytes each: 800 MB
USED = int(np.iinfo(np.uint8).max)  # in a state: two edges of this vertex are used; no place on the frontier
STATE = 300  # counted work of a state, and of a vertex while an order is searched for: 3 µs
# A search that has used 1/HOPELESS of its budget ends if, at its rate, it needs HOPELESS times the budget.
HOPELESS = 4


def _charge(budget: Budget, count: int) -> Callable[[int, int], None]:
    """Return the function that charges the budget for the next block of `count` states."""
    return lambda done, _: budget.charge(STATE * min(LOOK_EVERY, count - done))


class _TourError(Exception):
    """A tour was closed: its state before, and the edges that closed it."""


def sweep(
    question: Question, budget: Budget, *, seed: int = 0, widest: int = 20
) -> Cells | StepProof | Undecided:
    """Decide whether there is a tour: an engine for narrow graphs.

    Args:
        question: the question.
        budget: counted work.
        seed: the seed that an undecided answer states.
        widest: largest number of vertices on the frontier; with more than 20, SAT is the better choice.
    """
    graph = question.as_cycle
    order, width = narrow(graph, widest, budget)
    if len(order) < graph.size or int(graph.degrees.max()) >= USED - width:
        return Undecided(f"no order whose frontier has at most {widest} cells was found", "sweep", seed)
    rows = [graph.neighbours(v).tolist() for v in range(graph.size)]
    states: dict[bytes, int] = {bytes(range(width)): 0}
    levels: list[list[tuple[int, Targets, int]]] = []  # after each vertex
    kept, affordable = 0, budget.left / STATE
    try:
        for place, later, others in _stages(rows, order, width):
            charge = _charge(budget, len(states))
            states, links = next_level(
                states, _successors(place, later, others), all_links=False, on_block=charge
            )
            levels.append(links)
            kept += len(states)
            if kept > MOST:
                break
            if not states:
                return StepProof((Step("sweep", tuple(order)),))
            if affordable / HOPELESS < kept > HOPELESS * affordable * len(levels) / graph.size:
                budget.spend(budget.left)  # so that the engine gets more work next time
                break
    except BudgetOverError:
        pass
    except _TourError as closing:
        state, last = closing.args
        return question.cut(_cycle(order, [*trace(levels, states[state]), last]))
    return Undecided(f"the sweep stopped after {kept:,} states", "sweep", seed)


def narrow(graph: MoveGraph, widest: int, budget: Budget) -> tuple[list[int], int]:
    """An order of the vertices whose frontier is narrow, and the number of places that it needs.

    It begins at the end of a breadth-first search, and continues with the vertex on the frontier that has the
    fewest new neighbours; the earliest of equals. It ends if the frontier gets wider than `widest` or the
    budget is over; on wide graphs that is soon.
    """
    last = reached(graph, 0)[-1]
    met = bytearray(graph.size)
    fresh = graph.degrees.tolist()  # number of neighbours that are not met
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
            if len(front) > widest + 1 or not budget.spend(STATE):
                return order, width
            del front[v]
            order.append(v)
    return order, width


def _stages(
    rows: list[list[int]], order: list[int], width: int
) -> Iterator[tuple[int, dict[int, int], set[int] | None]]:
    """For each vertex its place, its neighbours that are not taken by their places, and all other places.

    The last is None until every vertex has a place.
    """
    taken = bytearray(len(rows))
    places: dict[int, int] = {}
    free = list(range(width))
    placed = 0
    for v in order:
        taken[v] = True
        later = [w for w in rows[v] if not taken[w]]
        for w in (v, *later):
            if w not in places:
                places[w] = free.pop()
                placed += 1
        place = places.pop(v)
        others = set(places.values()) if placed == len(rows) else None
        yield place, {places[w]: w for w in later}, others
        free.append(place)


def _successors(
    place: int, later: dict[int, int], others: set[int] | None
) -> Callable[[bytes], Iterator[tuple[Targets, bytes]]]:
    """The function from a state to its successors after the vertex at a place is taken.

    A state is a row of bytes, one for every place on the frontier: the place of the other end of its path,
    its own place if none of its edges is used (or no vertex is there), `USED` if two are. The function raises
    `_TourError` if a cycle through all vertices is closed.

    Args:
        place: place of the vertex.
        later: its neighbours that are not taken, by their places.
        others: all other places in use, if every vertex has one; else no cycle may close.
    """

    def successors(state: bytes) -> Iterator[tuple[Targets, bytes]]:
        mate = state[place]
        missing = 0 if mate == USED else 2 if mate == place else 1
        for choice in combinations([target for target in later if state[target] != USED], missing):
            mates = bytearray(state)
            for target in choice:
                if mates[place] == target:  # a cycle closes
                    if others is not None and all(mates[i] == USED for i in others - {target}):
                        raise _TourError(state, tuple(later[i] for i in choice))
                    break
                # Join the two paths: their outer ends become mates, the inner ones are used.
                a, b = mates[place], mates[target]
                mates[place] = mates[target] = USED
                mates[a], mates[b] = b, a
            else:
                mates[place] = place
                yield tuple(later[target] for target in choice), bytes(mates)

    return successors


def _cycle(order: list[int], targets: list[Targets]) -> Cells:
    """The cycle of the edges from each vertex, in the order in which vertices were taken."""
    edges = [(v, w) for v, ends in zip(order, targets, strict=False) for w in ends]
    return cycle_of_all(*neighbours_of(np.array(edges, dtype=np.int32)).T)
