"""Join: a tour by joining the cycles of a cycle cover.

1. A *cycle cover* by a maximum matching of cells to successors (`find.cycle_cover`).
2. Every two cycles that allow it are joined by an *exchange* of two edges (`find.exchanges`).
3. 2-cycles that are left become parts of longer ones by *alternating paths*, and the joining goes on.
4. The few cycles left even then are *mended*: joined by exchanges of two or three edges, or moved until two
   of them meet.
5. What still fails begins again from a shuffled matching, seeded.

Nothing is ever relabelled as a whole: every step costs what it touches. The engine works on any graph and
never claims that there is no tour. `construction` uses `join`, and `refute` uses
`join_cycles`: engines ask one another only through one named function each.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.find.cycle_cover import MATCH, STEPS_PER_CELL, UNTIE, Adjacency, Links, Matching, Search
from cavalcade.find.exchanges import JOIN, MEND, ORIENT, PICK, STATE, TRACE, Cycles
from cavalcade.kernels import Tier, next_random, seed_state

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cavalcade.graph import MoveGraph
    from cavalcade.problem import Problem

PATIENCE = 0.3  # seconds of interpreted tries before the kernels are compiled
BUDGET = 100  # cells scanned for each cycle in one round of mending, and every cell once
UNTIED = 100_000_000  # neighbours looked at to untie 2-cycles in one try, half a second
UNTIED_INTERPRETED = 500_000  # likewise
ROUNDS = 5  # of joining, mending and untying in one try


def join(
    problem: Problem, *, seed: int = 0, time_limit: float | None = None, compiled: bool | None = None
) -> NDArray[np.int32] | Undecided:
    """Look for a tour by joining the cycles of a cycle cover, again and again until the time is up.

    Args:
        problem: the question.
        seed: of the random choices; with 0 the first try makes none.
        time_limit: seconds after which no new try begins; None for ten.
        compiled: choose the tier of the kernels; None lets the size decide.

    Returns:
        The cells of a tour, in order, or why there is none.

    Time: about 0.15 µs a cell for two-dimensional boards once compiled, memory 80 bytes a cell.
    """
    began = time.perf_counter()
    limit = 10.0 if time_limit is None else time_limit

    def undecided(reason: str) -> Undecided:
        return Undecided(reason, "join", seed, time.perf_counter() - began)

    graph = problem.as_cycle
    if graph.size == 1:
        return np.zeros(1, dtype=np.int32)
    tries = 0
    while True:
        if compiled is None and time.perf_counter() - began > PATIENCE:
            compiled = True
        matched, cycle = _try(graph, seed, tries, compiled=compiled)
        tries += 1
        if len(cycle):
            return problem.cut(cycle)
        if matched < graph.size or graph.size < 3:
            kind = "cycle cover" if problem.closed else "cover by cycles and one path"
            return undecided(
                f"there is no {kind} to join: {matched:,} of {graph.size:,} cells can be matched"
            )
        if time.perf_counter() - began > limit:
            many = "1 try" if tries == 1 else f"{tries:,} tries"
            return undecided(f"no {problem.kind} tour found in {many} ({limit:.3g} s)")


def join_cycles(graph: MoveGraph, cover: NDArray[np.int32]) -> NDArray[np.int32]:
    """A cycle cover after all exchanges of two edges that join two cycles, as far as they go.

    Args:
        graph: the graph, n vertices.
        cover: (n, 2) the two neighbours of each vertex along its cycle; both the same in a 2-cycle.

    Returns:
        The same of the new cover.
    """
    tier = Tier(STEPS_PER_CELL * graph.size)
    links = Links(*(tier.give(side) for side in cover.T.astype(np.int32)))
    rows = Adjacency(tier.give(graph.indptr), tier.give(graph.indices))
    tier(JOIN)(rows, links, tier.new(graph.size))
    return np.stack([np.asarray(side, dtype=np.int32) for side in links], axis=1)


def _try(graph: MoveGraph, seed: int, number: int, *, compiled: bool | None) -> tuple[int, NDArray[np.int32]]:
    """One try: match, join, untie, mend. Returns how many cells could be matched, and the tour or nothing.

    The first try takes cells in their order, and with seed 0 their neighbours too.
    """
    n = graph.size
    nothing = np.zeros(0, dtype=np.int32)
    tier = Tier(STEPS_PER_CELL * n, compiled=compiled)
    rows = Adjacency(tier.give(graph.indptr), tier.give(graph.indices))
    order = np.arange(n, dtype=np.int32)
    state = 0
    if seed or number:
        state = seed_state(seed * 1_000_003 + number)
    if number:
        np.random.default_rng([abs(seed), number]).shuffle(order)
    links = Links(tier.new(n, -1), tier.new(n, -1))
    a, b, c, d = (tier.new(n) for _ in range(4))  # room for what the kernels need in turn
    matched = tier(MATCH)(rows, tier.give(order), state, Matching(*links), Search(a, b, c, d))
    if matched < n or n < 3:
        return matched, nothing
    spare, label, pick = Links(b, c), tier.new(n), tier.new(PICK)
    search = Search(tier.new(2 * n), a, d, label)
    random = tier.new(2, UNTIED if tier.compiled else UNTIED_INTERPRETED)
    for turn in range(ROUNDS):
        left = tier(JOIN)(rows, links, a)
        state = next_random(state or 1)
        if left > 1 and turn > 0:
            cycles = Cycles(*spare, label, a, d)
            count = tier(ORIENT)(links, cycles)
            pick[STATE] = state
            left = tier(MEND)(rows, cycles, count, BUDGET * count + n, pick)
            links, spare = spare, links
        if left == 1:
            path = tier.new(n)
            tier(TRACE)(links, path)
            return matched, np.asarray(path, dtype=np.int32)
        random[0] = state
        if tier(UNTIE)(rows, links, random, search) == 0 and turn > 0:
            break
    return matched, nothing
