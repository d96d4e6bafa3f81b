"""Join: a tour by joining the cycles of a cycle cover.

1. A *cycle cover* by a maximum matching of cells to successors (`find.cycle_cover`).
2. Every two cycles that allow it are joined by an *exchange* of two edges (`find.exchanges`).
3. 2-cycles that remain become parts of longer ones by *alternating paths*, and the joining continues.
4. The few cycles that remain even then are *mended*: joined by exchanges of two or three edges, or moved
   until two of them meet. Where many remain, as in random graphs, a path takes them in (`find.directed`).
5. What still fails begins again from a shuffled matching, seeded.

The time of an exchange or a path is proportional to the cells that it touches; each of a few rounds visits
every cell once. The engine works on any graph and never claims that there is no tour. `construction` uses
`join`, and `refute` uses `join_cycles` and, to continue where a try is stuck, `stuck_cover`: engines ask one
another only through named functions.
"""

from __future__ import annotations

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.cycles.exchange import Cycles
from cavalcade.cycles.walking import Links, cycle_of_all, neighbours_along, orient
from cavalcade.find.cycle_cover import STEPS_PER_CELL, Search, adjacency, match, untied
from cavalcade.find.directed import tour_by_path
from cavalcade.find.exchanges import joined, mended
from cavalcade.find.tiers import Tries, in_tiers
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells, Tier, next_random, seed_state
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import Rows
from cavalcade.question.question import Question

FEW_CYCLES, CELLS_PER_CYCLE = 50, 100  # mending is for few cycles, or long ones; beyond, a path takes them in
ROUNDS = 5  # of joining, mending and untying in one try


def join(
    question: Question, budget: Budget, *, seed: int = 0, compiled: bool | None = None
) -> Cells | Undecided:
    """Look for a tour by joining the cycles of a cycle cover, again and again: an engine.

    A try that has begun is finished. With a seed of 0 the first one makes no random choice.

    Time: about 0.06 µs a cell for large squares once compiled, 0.1 to 0.5 for other boards and for seeds
    other than 0; memory 80 bytes a cell.
    """
    graph = question.as_cycle
    if graph.size == 1:
        return np.zeros(1, dtype=np.int32)
    for number in (tries := Tries(budget)):
        matched, links, cycles = _try(graph, budget, seed, number, compiled=compiled)
        if cycles == 1:
            return question.cut(cycle_of_all(*links))
        if matched < graph.size or graph.size < 3:
            kind = "cycle cover" if question.closed else "cover by cycles and one path"
            many = f"{matched:,} of {graph.size:,} cells can be matched"
            return Undecided(f"there is no {kind} to join: {many}", "join", seed)
    return Undecided(f"no {question.kind} tour found in {tries}", "join", seed)


def join_cycles(graph: MoveGraph, cover: Cells) -> Cells:
    """A cycle cover, as `stuck_cover` gives it, after all exchanges of two edges that join two cycles."""
    tier = Tier(STEPS_PER_CELL * graph.size)
    links = Links(*map(tier.vector, np.ascontiguousarray(cover.T, dtype=np.int32)))
    rows = adjacency(tier, graph.indptr, graph.indices)
    joined(tier, rows, links, tier.full(graph.size), Budget())
    return np.stack([np.asarray(side, dtype=np.int32) for side in links], axis=1)


def stuck_cover(
    graph: MoveGraph,
    budget: Budget,
    *,
    seed: int = 0,
    number: int = 0,
    compiled: bool | None = None,
    paired: bool = False,
    rounds: int | None = None,
) -> Cells:
    """The cycle cover at which the try of this number, from 0, ends: one cycle, if it is a tour.

    As (n, 2) the two neighbours of each vertex along its cycle, both the same in a 2-cycle; (0, 2) if there
    is no cover. It may begin with pairs of vertices, which leaves more 2-cycles, or end after some rounds.
    """
    _, links, cycles = _try(graph, budget, seed, number, compiled=compiled, paired=paired, rounds=rounds)
    return np.stack([np.asarray(side if cycles else [], dtype=np.int32) for side in links], axis=1)


def rejoined(graph: MoveGraph, cover: Cells, budget: Budget, *, seed: int = 0) -> Cells:
    """Another cycle cover, after its cycles are joined as those of a try are."""

    def in_tier(tier: Tier, budget: Budget) -> Cells:
        links = Links(*map(tier.vector, np.ascontiguousarray(cover.T, dtype=np.int32)))
        rows = adjacency(tier, graph.indptr, graph.indices)
        _cycles_left(tier, rows, links, seed_state(seed), budget)
        return np.stack([np.asarray(side, dtype=np.int32) for side in links], axis=1)

    return in_tiers(in_tier, budget, STEPS_PER_CELL * graph.size)


def _try(
    graph: MoveGraph,
    budget: Budget,
    seed: int,
    number: int,
    *,
    compiled: bool | None,
    paired: bool = False,
    rounds: int | None = None,
) -> tuple[int, Links, int]:
    """One try: match, join, untie, mend. How many cells could be matched, the cover, its cycles; 0 if none.

    The first try takes cells in their order, and with seed 0 their neighbours too.
    """

    def in_tier(tier: Tier, budget: Budget) -> tuple[int, Links, int]:
        """The try in one tier."""
        n = graph.size
        rows = adjacency(tier, graph.indptr, graph.indices)
        order = np.arange(n, dtype=np.int32)
        state = 0
        if seed or number:
            state = seed_state(seed * 1_000_003 + number)
        if number:
            np.random.default_rng([abs(seed), number]).shuffle(order)
        links = Links(tier.full(n, -1), tier.full(n, -1))
        matched = match(tier, rows, tier.vector(order), state, links, budget, paired=paired)
        covered = matched == n > 2
        left = _cycles_left(tier, rows, links, state, budget, rounds or ROUNDS) if covered else 0
        return matched, links, left

    return in_tiers(in_tier, budget, STEPS_PER_CELL * graph.size * (number + 1), compiled=compiled)


def _cycles_left(
    tier: Tier, rows: Rows, links: Links, state: int, budget: Budget, rounds: int = ROUNDS
) -> int:
    """Join, untie and mend the cycles of a cover; returns how many are left."""
    n = len(links.p)
    a = tier.full(n)
    left = joined(tier, rows, links, a, budget)
    if left == 1:  # of many boards; what follows takes as much room again
        return left
    b, label = tier.full(n), tier.full(n)  # room for what the kernels need in turn
    search, cycles = Search(tier.full(2 * n), a, b, label), Cycles(*links, label, a, b)
    for number in range(rounds):
        if number > 0:
            left = joined(tier, rows, links, a, budget)
        state = next_random(state or 1)
        if number == 1 and left > max(FEW_CYCLES, n // CELLS_PER_CYCLE):
            tier(orient)(*cycles)
            nxt = tier.vector(np.array(links.p, dtype=np.int32))
            tour = tour_by_path(tier, rows, rows, nxt, state, budget)
            if len(tour):
                links.p[:], links.q[:] = (tier.vector(side) for side in neighbours_along(tour).T)
                return 1
        if left > 1 and number > 0:
            left = mended(tier, rows, cycles, state, budget)
        if left == 1:
            break
        if untied(tier, rows, links, search, state, budget) == 0 and number > 0:
            break
    return left
