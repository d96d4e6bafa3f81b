"""Tours that go round the centre a given number of times, where all their moves go round it in one direction.

A move turns by less than half a round. So where a->b and c->d give way to a->d and c->b, and all four go in
one direction, the new two turn by as much as the old two: such an exchange never changes the number of coils.

1. The least and the most coils of any cover by cycles are those of an assignment in which an arc costs 1 if
   it begins a coil (H. W. Kuhn, The Hungarian method for the assignment problem, 1955).
2. For the least or the most, arcs that the potentials of the assignment make too dear are left out: all
   covers of the others have so many coils, and `find.directed` looks for a tour there.
3. In between, arcs have random costs, and those that begin a coil a price besides, which is bisected until
   the cheapest cover has the wanted coils. `find.directed` joins its cycles. The path that takes in what
   exchanges leave may change the coils, and then another try begins.

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

ASSIGN = 2_000  # work of an assignment, for each arc
DEAREST = 1 << 20  # of the random costs


def coiled(
    question: Question, budget: Budget, *, seed: int = 0, compiled: bool | None = None
) -> Cells | Undecided:
    """Look for a tour with the question's number of coils: an engine. A try that has begun is finished."""
    graph, wanted = question.encoding.digraph, question.coils
    risen = question.rising(graph.edges()).astype(np.int64)
    ends = [_cheapest(graph, sign * risen, budget) for sign in (1, -1)]
    if not len(ends[0]):
        return Undecided("there is no cycle cover to join", "join", seed)
    least, most = (_sum(graph, risen, cover) for cover in ends)
    for cover, coils, costs in ((ends[0], least, risen), (ends[1], most, -risen)):
        if coils == wanted:
            graph = graph.where(_tight(graph, costs, cover))
            risen = question.rising(graph.edges()).astype(np.int64)
            break
    for number in (tries := Tries(budget)):
        if wanted is None or not least <= wanted <= most:
            break
        state = state_of(seed, number)
        costs = np.random.default_rng(state).integers(1, DEAREST, len(risen))
        chosen = _with_coils(graph, costs, risen, wanted, budget)
        if chosen is None:
            continue
        steps = STEPS_PER_CELL * graph.size * (number + 1)
        _, cycle = in_tiers(partial(one_try, graph, state, chosen), budget, steps, compiled=compiled)
        if len(cycle) and question.coiled(cycle[None])[0]:
            return question.cut(cycle)
    reason = f"no closed tour of {wanted} coils found in {tries}; cycle covers have {least} to {most}"
    return Undecided(reason, "join", seed)


def _with_coils(graph: MoveGraph, costs: Ints, risen: Ints, wanted: int, budget: Budget) -> Cells | None:
    """A cheapest cover at some price of a coil, with as many as wanted; None if bisection meets none."""
    low, high = -2 * DEAREST * graph.size, 2 * DEAREST * graph.size
    while low < high - 1:
        price = (low + high) // 2
        cover = _cheapest(graph, costs + price * risen, budget)
        coils = _sum(graph, risen, cover)
        if coils == wanted:
            return cover
        low, high = (price, high) if coils > wanted else (low, price)
    return None


def _cheapest(graph: MoveGraph, costs: Ints, budget: Budget) -> Cells:
    """The successor of each cell in a cover of least cost; nothing if there is no cover."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    budget.spend(ASSIGN * len(costs))
    above = (costs - costs.min() + 1).astype(np.float64)  # no cost may be 0
    n = graph.size
    try:
        _, found = min_weight_full_bipartite_matching(csr_array((above, graph.indices, graph.indptr), (n, n)))
    except ValueError:  # there is none
        return np.zeros(0, dtype=np.int32)
    return np.asarray(found, dtype=np.int32)


def _sum(graph: MoveGraph, costs: Ints, cover: Cells) -> int:
    """What the arcs of a cover cost."""
    return int(costs[cover[graph.tails] == graph.indices].sum())


def _tight(graph: MoveGraph, costs: Ints, cover: Cells) -> Mask:
    """Which arcs cost nothing more by the potentials of a cover of least cost: other covers cost more."""
    before = np.argsort(cover)[graph.indices]  # who gives up its successor if this arc is used
    paid = np.zeros(graph.size, dtype=np.int64)
    paid[graph.tails[cover[graph.tails] == graph.indices]] = costs[cover[graph.tails] == graph.indices]
    more = costs - paid[before]
    potential, known = np.zeros(graph.size, dtype=np.int64), np.full(graph.size, -1)
    while not np.array_equal(potential, known):  # the shortest paths of exchanges, none of which is below 0
        known = potential.copy()
        np.minimum.at(potential, before, known[graph.tails] + more)
    return np.asarray(known[graph.tails] + more == known[before])
