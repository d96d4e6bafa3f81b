"""Join: a tour by joining the cycles of a cycle cover.

1. A *cycle cover* by a maximum matching of cells to successors (`find.cycle_cover`).
2. Every two cycles that allow it are joined by an *exchange* of two edges (`find.exchanges`).
3. 2-cycles that remain become parts of longer ones by *alternating paths*, and the joining continues.
4. The few cycles that remain even then are *mended*: joined by exchanges of two or three edges, or moved
   until two of them meet. Where many remain, as in random graphs, a path takes them in (`find.rotations`).
5. What still fails begins again from a shuffled matching, seeded.

An exchange, a path, a cell scanned costs what it touches; each of a few rounds looks once at every cell. The
engine works on any graph and never claims that there is no tour. `construction` uses `join`, and `refute`
uses `join_cycles` and, to continue where a try is stuck, `stuck_cover`: engines ask one another only through
named functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.cycles.exchange import Cycles
from cavalcade.cycles.walking import ORIENT, Links, cycle_of_all, neighbours_along
from cavalcade.find.cycle_cover import (
    BUDGET,
    FROM,
    RANDOM,
    REACH,
    SKIPPED,
    STATE,
    STEPS_PER_CELL,
    UNTIE,
    Matching,
    Search,
    adjacency,
    match,
)
from cavalcade.find.exchanges import (
    AT,
    CYCLES,
    IDLE,
    JOIN,
    JOIN_WORK,
    MEND,
    MEND_STATE,
    MEND_WORK,
    PICK,
    TURN,
)
from cavalcade.find.rotations import tour_by_rotations
from cavalcade.find.tiers import Tries, in_tiers, steps_per_call
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Tier, next_random, seed_state

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cavalcade.find.cycle_cover import Adjacency
    from cavalcade.ground.kernels import Vector
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.question import Question

# steps to untie 2-cycles in one round of a try: for each entry of the graph, besides, and at most
UNTIE_PER_ENTRY, UNTIE_BESIDES, UNTIE_MOST = 100, 1_000_000, 40_000_000
FIRST_UNTIE_REACH = 2_000  # steps for one 2-cycle, at first; then ten times as many, and so on
FEW_CYCLES, CELLS_PER_CYCLE = 50, 100  # mending is for few cycles, or long ones; beyond, a path takes them in
ROUNDS = 5  # of joining, mending and untying in one try


def join(
    question: Question, budget: Budget, *, seed: int = 0, compiled: bool | None = None
) -> NDArray[np.int32] | Undecided:
    """Look for a tour by joining the cycles of a cycle cover, again and again until the budget is over.

    Args:
        question: the question.
        budget: counted work; a try that has begun is finished.
        seed: of the random choices; with 0 the first try makes none.
        compiled: choose the tier of the kernels; None lets the work decide.

    Returns:
        The cells of a tour, in order, or why there is none.

    Time: about 0.06 µs a cell for large squares once compiled, 0.1 to 0.5 for other boards and for seeds
    other than 0; memory 80 bytes a cell.
    """
    graph = question.as_cycle
    if graph.size == 1:
        return np.zeros(1, dtype=np.int32)
    for number in (tries := Tries(budget)):
        ended = _try(graph, budget, seed, number, compiled=compiled)
        if len(ended.cycle):
            return question.cut(ended.cycle)
        if ended.matched < graph.size or graph.size < 3:
            kind = "cycle cover" if question.closed else "cover by cycles and one path"
            many = f"{ended.matched:,} of {graph.size:,} cells can be matched"
            return Undecided(f"there is no {kind} to join: {many}", "join", seed)
    return Undecided(f"no {question.kind} tour found in {tries}", "join", seed)


def join_cycles(graph: MoveGraph, cover: NDArray[np.int32]) -> NDArray[np.int32]:
    """A cycle cover after all exchanges of two edges that join two cycles, as far as they go.

    Args:
        graph: the graph, n vertices.
        cover: (n, 2) the two neighbours of each vertex along its cycle; both the same in a 2-cycle.

    Returns:
        The same of the new cover.
    """
    tier = Tier(STEPS_PER_CELL * graph.size)
    links = Links(*map(tier.vector, np.ascontiguousarray(cover.T, dtype=np.int32)))
    rows = adjacency(tier, graph.indptr, graph.indices)
    _joined(tier, rows, links, tier.full(graph.size), Budget())
    return np.stack([np.asarray(side, dtype=np.int32) for side in links], axis=1)


def stuck_cover(
    graph: MoveGraph,
    budget: Budget,
    *,
    seed: int = 0,
    number: int = 0,
    compiled: bool | None = None,
    paired: bool = False,
) -> NDArray[np.int32]:
    """The cycle cover at which one try of `join` ends: one cycle, if it is a tour.

    Args:
        graph: the graph, n vertices.
        budget: counted work, which pays for the try.
        seed: of the random choices.
        number: of the try, from 0.
        compiled: choose the tier of the kernels; None lets the work decide.
        paired: begin with pairs of vertices, which leaves more 2-cycles.

    Returns:
        (n, 2) the two neighbours of each vertex along its cycle, both the same in a 2-cycle; (0, 2) if there
        is no cover.
    """
    ended = _try(graph, budget, seed, number, compiled=compiled, paired=paired)
    if ended.matched < graph.size or graph.size < 3:
        return np.zeros((0, 2), dtype=np.int32)
    return np.stack([np.asarray(side, dtype=np.int32) for side in ended.links], axis=1)


class Try(NamedTuple):
    """How a try ended: how many cells could be matched, the cover, and the cells of a tour or nothing."""

    matched: int
    links: Links
    cycle: NDArray[np.int32] = np.zeros(0, dtype=np.int32)


def _try(
    graph: MoveGraph, budget: Budget, seed: int, number: int, *, compiled: bool | None, paired: bool = False
) -> Try:
    """One try: match, join, untie, mend.

    The first try takes cells in their order, and with seed 0 their neighbours too.
    """

    def in_tier(tier: Tier, budget: Budget) -> Try:
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
        matched = match(tier, rows, tier.vector(order), state, Matching(*links), budget, paired=paired)
        if matched < n or n < 3:
            return Try(matched, links)
        return _joined_or_stuck(tier, rows, links, state, budget)

    return in_tiers(in_tier, budget, STEPS_PER_CELL * graph.size * (number + 1), compiled=compiled)


def _joined_or_stuck(tier: Tier, rows: Adjacency, links: Links, state: int, budget: Budget) -> Try:
    """Join, untie and mend the cycles of a cover."""
    n = len(links.p)
    a = tier.full(n)
    left = _joined(tier, rows, links, a, budget)
    if left == 1:  # of many boards; what follows takes as much room again
        return Try(n, links, cycle_of_all(*links))
    b, label = tier.full(n), tier.full(n)  # room for what the kernels need in turn
    search, random = Search(tier.full(2 * n), a, b, label), tier.full(RANDOM)
    for number in range(ROUNDS):
        if number > 0:
            left = _joined(tier, rows, links, a, budget)
        state = next_random(state or 1)
        if number == 1 and left > max(FEW_CYCLES, n // CELLS_PER_CYCLE):
            cycle = tour_by_rotations(tier, rows, links, state, budget)
            if cycle is not None:
                return Try(n, Links(*neighbours_along(cycle).T), cycle)
        if left > 1 and number > 0:
            left = _mended(tier, rows, Cycles(*links, label, a, b), state, budget)
        if left == 1:
            return Try(n, links, cycle_of_all(*links))
        random[STATE] = state
        if _untied(tier, rows, links, random, search, budget) == 0 and number > 0:
            break
    return Try(n, links)


def _joined(tier: Tier, rows: Adjacency, links: Links, room: Vector, budget: Budget) -> int:
    """Join what exchanges of two edges join; returns how many cycles are left."""
    turn = tier.full(TURN)
    while turn[AT] <= len(room):
        tier(JOIN)(rows, links, room, turn, steps_per_call(tier))
        budget.spend(int(turn[JOIN_WORK]))
    return int(turn[CYCLES])


def _mended(tier: Tier, rows: Adjacency, cycles: Cycles, state: int, budget: Budget) -> int:
    """Join the cycles that remain, as long as it helps; returns how many are left."""
    left = count = tier(ORIENT)(*cycles)
    pick = tier.full(PICK)
    pick[MEND_STATE] = state
    while left > 1 and pick[IDLE] >= 0:
        left = tier(MEND)(rows, cycles, count, steps_per_call(tier), pick)
        budget.spend(int(pick[MEND_WORK]))
    return int(left)


def _untied(tier: Tier, rows: Adjacency, links: Links, random: Vector, search: Search, budget: Budget) -> int:
    """Untie 2-cycles, looking ever farther for the few that remain; returns how many were untied."""
    n, entries, untied, part = len(links.p), len(rows.indices), 0, steps_per_call(tier)
    left = min(UNTIE_MOST, UNTIE_BESIDES + UNTIE_PER_ENTRY * entries)
    reach = min(FIRST_UNTIE_REACH, entries)
    random[SKIPPED] = 1
    while random[SKIPPED] > 0 and reach < 10 * entries:  # a search looks at each neighbour once
        random[FROM], random[REACH] = 0, reach
        while random[FROM] < n:
            if left < 0:
                return untied
            random[BUDGET] = min(part, left)
            untied += tier(UNTIE)(rows, links, random, search)
            done = min(part, left) - int(random[BUDGET])
            left -= done
            budget.spend(done)
        budget.spend(3 * n)
        reach *= 10
    return untied
