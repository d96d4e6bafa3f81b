"""Join: find a tour by joining the cycles of a cycle cover.

1. A *cycle cover* is found by a maximum matching of cells to successors (`find.cycle_cover`).
2. All pairs of cycles that allow it are joined by an *exchange* of two edges (`find.exchanges`).
3. 2-cycles that remain become parts of longer cycles by *alternating paths* (`find.untie`), and the joining
   continues.
4. The few cycles that remain even then are *patched*: joined by exchanges of two or three edges, or moved
   until two of them meet. If many remain, as in random graphs, a path takes them in (`find.directed`).
5. If all of this fails, the next try starts from a shuffled matching, seeded.

The time of an exchange or a path is proportional to the cells that it touches; each of a few rounds visits
every cell once. The engine works on any graph and never claims that there is no tour. `construction` uses
`join`; `refute` uses `join_cycles` and, to continue from a try that failed, `stuck_cover`. Engines call one
another only through named functions.
"""

from __future__ import annotations

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.cycles.exchange import Cycles
from cavalcade.cycles.walking import Links, cycle_of_all, neighbours_along, orient
from cavalcade.find.adjacency import adjacency
from cavalcade.find.cycle_cover import STEPS_PER_CELL, match
from cavalcade.find.directed import tour_by_path
from cavalcade.find.exchanges import joined, patched
from cavalcade.find.tiers import Tries, in_tiers, state_of
from cavalcade.find.untie import PathSearch, untied
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells, Tier, next_random, seed_state
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import Rows
from cavalcade.question.question import Question

# Rounds of joining, patching and untying in one try. More rounds keep to a good matching longer, fewer rounds
# give up a bad one sooner.
ROUNDS = 5


def join(
    question: Question, budget: Budget, *, seed: int = 0, compiled: bool | None = None
) -> Cells | Undecided:
    """Look for a tour by joining the cycles of a cycle cover, in tries: an engine.

    A try that has begun is finished. With seed 0 the first try makes no random choice.

    Time: about 0.06 µs per cell for large squares once compiled, 0.1 to 0.5 µs for other boards and for seeds
    other than 0; memory 80 bytes per cell.
    """
    graph = question.as_cycle
    for number in (tries := Tries(budget)):
        matched, links, cycles = _try(graph, budget, seed, number, compiled=compiled)
        if cycles == 1:
            return question.cut(cycle_of_all(*links))
        if matched < graph.size:
            kind = "cycle cover" if question.closed else "cover by cycles and one path"
            counts = f"{matched:,} of {graph.size:,} cells can be matched"
            return Undecided(f"there is no {kind} to join: {counts}", "join", seed)
    return Undecided(f"no {question.kind} tour found in {tries}", "join", seed)


def join_cycles(graph: MoveGraph, cover: Cells) -> Cells:
    """A cycle cover, shape (n, 2) as from `stuck_cover`, after all exchanges of two edges that join."""
    tier = Tier(STEPS_PER_CELL * graph.size)
    links = _links(tier, cover)
    joined(tier, adjacency(tier, graph.indptr, graph.indices), links, tier.full(graph.size), Budget())
    return _cover(links)


def stuck_cover(
    graph: MoveGraph,
    budget: Budget,
    *,
    seed: int = 0,
    compiled: bool | None = None,
    paired: bool = False,
    rounds: int | None = None,
) -> Cells:
    """The cycle cover with which a try ends: one cycle, if it is a tour.

    Args:
        graph: the graph.
        budget: counted work; it pays, but does not end the try.
        seed: seed of the random choices.
        compiled: whether kernels are compiled; None to decide by the size of the graph.
        paired: whether to begin with pairs of vertices, which leaves more 2-cycles.
        rounds: greatest number of rounds; None for the usual one.

    Returns:
        Two neighbours per vertex along its cycle, shape (n, 2); in a 2-cycle both are the same. No
        rows if there is no cover.
    """
    _, links, cycles = _try(graph, budget, seed, 0, compiled=compiled, paired=paired, rounds=rounds or ROUNDS)
    return _cover(links) if cycles else np.zeros((0, 2), dtype=np.int32)


def rejoined(graph: MoveGraph, cover: Cells, budget: Budget, *, seed: int = 0) -> Cells:
    """Another cycle cover, shape (n, 2), after its cycles were joined as in a try."""

    def in_tier(tier: Tier, budget: Budget) -> Cells:
        links = _links(tier, cover)
        _join_rounds(tier, adjacency(tier, graph.indptr, graph.indices), links, seed_state(seed), budget)
        return _cover(links)

    return in_tiers(in_tier, budget, STEPS_PER_CELL * graph.size)


def _links(tier: Tier, cover: Cells) -> Links:
    """The columns of a cover in the containers of a tier."""
    return Links(*map(tier.vector, np.ascontiguousarray(cover.T, dtype=np.int32)))


def _cover(links: Links) -> Cells:
    """The two neighbours of each vertex as columns of an array."""
    return np.stack([np.asarray(side, dtype=np.int32) for side in links], axis=1)


def _try(
    graph: MoveGraph,
    budget: Budget,
    seed: int,
    number: int,
    *,
    compiled: bool | None,
    paired: bool = False,
    rounds: int = ROUNDS,
) -> tuple[int, Links, int]:
    """One try: match, join, untie, patch.

    The first try takes cells in order and, with seed 0, their neighbours too.

    Returns:
        The number of matched cells, the cover, and its number of cycles; 0 if there is no cover.
    """

    def in_tier(tier: Tier, budget: Budget) -> tuple[int, Links, int]:
        n = graph.size
        rows = adjacency(tier, graph.indptr, graph.indices)
        order = np.arange(n, dtype=np.int32)
        state = state_of(seed, number) if seed or number else 0
        if number:
            np.random.default_rng([abs(seed), number]).shuffle(order)
        links = Links(tier.full(n, -1), tier.full(n, -1))
        matched = match(tier, rows, tier.vector(order), state, links, budget, paired=paired)
        covered = matched == n > 2
        return matched, links, _join_rounds(tier, rows, links, state, budget, rounds) if covered else 0

    return in_tiers(in_tier, budget, STEPS_PER_CELL * graph.size * (number + 1), compiled=compiled)


def _join_rounds(
    tier: Tier, rows: Rows, links: Links, state: int, budget: Budget, rounds: int = ROUNDS
) -> int:
    """Join, patch and untie the cycles of a cover in turn; returns the number of cycles that remain."""
    n = len(links.p)
    a = tier.full(n)
    remaining = joined(tier, rows, links, a, budget)
    if remaining == 1:  # the usual case, which needs half of the memory
        return remaining
    # The kernels below use the same scratch space in turn.
    b, label = tier.full(n), tier.full(n)
    search, cycles = PathSearch(tier.full(2 * n), a, b, label), Cycles(*links, label, a, b)
    for number in range(rounds):
        if number > 0:
            remaining = joined(tier, rows, links, a, budget)
        state = next_random(state or 1)
        # Patching suits at most 50 cycles, or cycles of at least 100 cells on average. A path takes in more
        # and shorter cycles.
        if number == 1 and remaining > max(50, n // 100):
            tier(orient)(*cycles)
            nxt = tier.vector(np.array(links.p, dtype=np.int32))
            tour = tour_by_path(tier, rows, rows, nxt, state, budget)
            if len(tour):
                links.p[:], links.q[:] = (tier.vector(side) for side in neighbours_along(tour).T)
                return 1
        if remaining > 1 and number > 0:
            remaining = patched(tier, rows, cycles, state, budget)
        if remaining == 1 or (untied(tier, rows, links, search, state, budget) == 0 and number > 0):
            break
    return remaining
