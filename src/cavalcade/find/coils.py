"""Tours with a given number of coils: all moves turn around the centre in one direction.

A move turns by less than 180 degrees. If a→b and c→d give way to a→d and c→b, and all four turn in one
direction, the new arcs turn by as much as the old ones. So such an exchange never changes the number of
coils.

1. The least and the greatest number of coils of a cycle cover follow from assignments in which an arc costs 1
   if it begins a coil (H. W. Kuhn, The Hungarian method for the assignment problem, 1955).
2. For these two numbers, only arcs that are tight for the potentials of the assignment are kept: all covers
   by these arcs have the same number of coils, and `find.directed` searches among them.
3. For a number in between, arcs have random costs, and arcs that begin a coil have an additional price, which
   is bisected until the cheapest cover has the required number of coils. `find.directed` joins its cycles.
   The path that takes in the remaining cycles may change the number of coils, and then the next try starts.

Time: 0.1 s for 1,000 cells.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.find.cycle_cover import STEPS_PER_CELL
from cavalcade.find.directed import one_try
from cavalcade.find.tiers import Tries, in_tiers, state_of
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells, Ints, Mask
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question

# Upper bound of the random costs: large enough that two covers hardly ever cost the same.
HIGHEST_COST = 1 << 20


def coiled(
    question: Question, budget: Budget, *, seed: int = 0, compiled: bool | None = None
) -> Cells | Undecided:
    """Search for a tour with the required number of coils: an engine. A try that has begun is finished."""
    graph, required = question.encoding.digraph, question.coils
    rising = question.rising(graph.edges()).astype(np.int64)
    ends = [_cheapest(graph, sign * rising, budget) for sign in (1, -1)]
    if not len(ends[0]):
        return Undecided("there is no cycle cover to join", "join", seed)
    least, most = (_sum(graph, rising, cover) for cover in ends)
    for cover, coils, costs in ((ends[0], least, rising), (ends[1], most, -rising)):
        if coils == required:
            graph = graph.where(_tight(graph, costs, cover))
            rising = question.rising(graph.edges()).astype(np.int64)
            break
    for number in (tries := Tries(budget)):
        if required is None or not least <= required <= most:
            break
        state = state_of(seed, number)
        costs = np.random.default_rng(state).integers(1, HIGHEST_COST, len(rising))
        chosen = _with_coils(graph, costs, rising, required, budget)
        if chosen is None:
            continue
        steps = STEPS_PER_CELL * graph.size * (number + 1)
        _, cycle = in_tiers(partial(one_try, graph, state, chosen), budget, steps, compiled=compiled)
        if len(cycle) and question.coiled(cycle[None])[0]:
            return question.cut(cycle)
    reason = f"no closed tour of {required} coils found in {tries}; cycle covers have {least} to {most}"
    return Undecided(reason, "join", seed)


def _with_coils(graph: MoveGraph, costs: Ints, rising: Ints, required: int, budget: Budget) -> Cells | None:
    """A cover with the required coils, the cheapest at some price per coil; None if bisection finds none."""
    low, high = -2 * HIGHEST_COST * graph.size, 2 * HIGHEST_COST * graph.size
    while low < high - 1:
        price = (low + high) // 2
        cover = _cheapest(graph, costs + price * rising, budget)
        coils = _sum(graph, rising, cover)
        if coils == required:
            return cover
        low, high = (price, high) if coils > required else (low, price)
    return None


def _cheapest(graph: MoveGraph, costs: Ints, budget: Budget) -> Cells:
    """The successor of each cell in a cover of least cost; empty if there is no cover."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    budget.spend(2_000 * len(costs))  # work of an assignment by SciPy, per arc: about 20 µs
    positive = (costs - costs.min() + 1).astype(np.float64)  # SciPy takes a cost of 0 for a missing arc
    n = graph.size
    try:
        _, cover = min_weight_full_bipartite_matching(
            csr_array((positive, graph.indices, graph.indptr), (n, n))
        )
    except ValueError:  # there is no cover
        return np.zeros(0, dtype=np.int32)
    return np.asarray(cover, dtype=np.int32)


def _sum(graph: MoveGraph, costs: Ints, cover: Cells) -> int:
    """The total cost of the arcs of a cover."""
    return int(costs[cover[graph.tails] == graph.indices].sum())


def _tight(graph: MoveGraph, costs: Ints, cover: Cells) -> Mask:
    """Which arcs are tight for the potentials of a cover of least cost: covers with other arcs cost more."""
    owner = np.argsort(cover)[graph.indices]  # the cell that loses its successor if this arc is used
    paid = np.zeros(graph.size, dtype=np.int64)
    paid[graph.tails[cover[graph.tails] == graph.indices]] = costs[cover[graph.tails] == graph.indices]
    change = costs - paid[owner]
    # Shortest paths of exchanges (Bellman and Ford). The cover is optimal, so no cycle of them is negative.
    potential, previous = np.zeros(graph.size, dtype=np.int64), np.full(graph.size, -1)
    while not np.array_equal(potential, previous):
        previous = potential.copy()
        np.minimum.at(potential, owner, previous[graph.tails] + change)
    return np.asarray(previous[graph.tails] + change == previous[owner])
