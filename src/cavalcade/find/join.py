"""Join: a tour by joining the cycles of a cycle cover.

1. A *cycle cover* by a maximum matching of cells to successors (`find.cycle_cover`).
2. Every two cycles that allow it are joined by an *exchange* of two edges (`find.exchanges`).
3. 2-cycles that are left become parts of longer ones by *alternating paths*, and the joining goes on.
4. The few cycles left even then are *mended*: joined by exchanges of two or three edges, or moved until two
   of them meet. Where many are left, as in random graphs, a path takes them in (`find.rotations`).
5. What still fails begins again from a shuffled matching, seeded.

An exchange, a path, a cell scanned costs what it touches; each of a few rounds looks once at every cell.
Kernels get budgets and break off, so that the clock is looked at. The engine works on any graph and never
claims that there is no tour. `construction` uses `join`, and `refute` uses `join_cycles` and, to go on where
a try is stuck, `stuck_cover`: engines ask one another only through named functions.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.cycles.exchange import Cycles
from cavalcade.cycles.walking import ORIENT, WALK, Links, neighbours_along
from cavalcade.find.cycle_cover import (
    BUDGET,
    FROM,
    RANDOM,
    REACH,
    SKIPPED,
    STEPS_PER_CELL,
    UNTIE,
    Adjacency,
    Matching,
    Search,
    match,
)
from cavalcade.find.exchanges import (
    AT,
    CYCLES,
    IDLE,
    JOIN,
    LIMIT,
    MEND,
    PICK,
    STATE,
    TURN,
)
from cavalcade.find.rotations import tour_by_rotations
from cavalcade.ground.kernels import Tier, next_random, seed_state

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cavalcade.ground.kernels import Vector
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.question import Question

PATIENCE = 0.3  # seconds of interpreted tries before the kernels are compiled
LONGEST = 1.0  # seconds of one interpreted try
UNTIED = 40_000_000  # neighbours looked at to untie 2-cycles before the rest is left as it is, half a second
UNTIED_INTERPRETED = 500_000  # likewise
UNTIED_EACH = 2_000  # for one of them, at first; then ten times as many, and so on
JOINED = 200_000  # cells whose cycles are joined between looks at the clock, some hundredths of a second
JOINED_INTERPRETED = 5_000
SLICE = 10_000  # cells scanned between looks at the clock, some hundredths of a second
SLICE_INTERPRETED = 500  # likewise
UNTIED_SLICE = 1_000_000  # neighbours likewise
UNTIED_SLICE_INTERPRETED = 50_000
FEW = 50  # cycles that are mended; of more, if there is
MANY = 100  # one for so many vertices, a path takes them in
ROUNDS = 5  # of joining, mending and untying in one try


def join(
    question: Question,
    *,
    seed: int = 0,
    time_limit: float | None = None,
    until: float = math.inf,
    compiled: bool | None = None,
) -> NDArray[np.int32] | Undecided:
    """Look for a tour by joining the cycles of a cycle cover, again and again until the time is up.

    Args:
        question: the question.
        seed: of the random choices; with 0 the first try makes none.
        time_limit: seconds after which no new try begins; None for ten.
        until: the moment, of `time.perf_counter`, when a try that has begun breaks off, too.
        compiled: choose the tier of the kernels; None lets the size decide.

    Returns:
        The cells of a tour, in order, or why there is none.

    Time: about 0.06 µs a cell for large squares once compiled, 0.1 to 0.5 for other boards and for seeds
    other than 0; memory 80 bytes a cell.
    """
    began = time.perf_counter()
    limit = 10.0 if time_limit is None else time_limit

    def undecided(reason: str) -> Undecided:
        return Undecided(reason, "join", seed, time.perf_counter() - began)

    graph = question.as_cycle
    if graph.size == 1:
        return np.zeros(1, dtype=np.int32)
    tries = 0
    while True:
        if compiled is None and time.perf_counter() - began > PATIENCE:
            compiled = True
        matched, _, cycle = _try(graph, seed, tries, until, compiled=compiled)
        tries += 1
        if len(cycle):
            return question.cut(cycle)
        if matched < graph.size or graph.size < 3:
            kind = "cycle cover" if question.closed else "cover by cycles and one path"
            return undecided(
                f"there is no {kind} to join: {matched:,} of {graph.size:,} cells can be matched"
            )
        if time.perf_counter() > min(began + limit, until):
            many = "1 try" if tries == 1 else f"{tries:,} tries"
            return undecided(f"no {question.kind} tour found in {many} ({limit:.3g} s)")


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
    rows = Adjacency(tier.read_only(graph.indptr), tier.read_only(graph.indices))
    _joined(tier, rows, links, tier.full(graph.size), math.inf)
    return np.stack([np.asarray(side, dtype=np.int32) for side in links], axis=1)


def _joined(tier: Tier, rows: Adjacency, links: Links, room: Vector, until: float) -> int:
    """Join what exchanges of two edges join; returns how many cycles are left."""
    turn = tier.full(TURN)
    while turn[AT] <= len(room) and time.perf_counter() < until:
        tier(JOIN)(rows, links, room, turn, JOINED if tier.compiled else JOINED_INTERPRETED)
    return turn[CYCLES]


def _untied(tier: Tier, rows: Adjacency, links: Links, random: Vector, search: Search, until: float) -> int:
    """Untie 2-cycles, looking ever farther for the few that are left; returns how many."""
    n, untied, reach = len(links.p), 0, min(UNTIED_EACH, len(rows.indices))
    left, part = (UNTIED, UNTIED_SLICE) if tier.compiled else (UNTIED_INTERPRETED, UNTIED_SLICE_INTERPRETED)
    random[SKIPPED] = 1
    while random[SKIPPED] > 0 and reach < 10 * len(rows.indices):  # a search looks at each neighbour once
        random[FROM], random[REACH] = 0, reach
        while random[FROM] < n:
            if left < 0 or time.perf_counter() > until:
                return untied
            random[BUDGET] = part
            untied += tier(UNTIE)(rows, links, random, search)
            left -= part - random[BUDGET]
        reach *= 10
    return untied


def _traced(tier: Tier, links: Links) -> NDArray[np.int32]:
    """The vertices along a cycle of all of them."""
    path = tier.full(len(links.p))
    tier(WALK)(*links, 0, path, 0)
    return np.asarray(path, dtype=np.int32)


def stuck_cover(
    graph: MoveGraph,
    *,
    seed: int = 0,
    number: int = 0,
    until: float = math.inf,
    compiled: bool | None = None,
    paired: bool = False,
) -> NDArray[np.int32]:
    """The cycle cover at which one try of `join` ends: one cycle, if it is a tour.

    Args:
        graph: the graph, n vertices.
        seed: of the random choices.
        number: of the try, from 0.
        until: the moment, of `time.perf_counter`, when to break off.
        compiled: choose the tier of the kernels; None lets the size decide.
        paired: begin with pairs of vertices, which leaves more 2-cycles.

    Returns:
        (n, 2) the two neighbours of each vertex along its cycle, both the same in a 2-cycle; (0, 2) if there
        is no cover, or none in time.
    """
    matched, links, _ = _try(graph, seed, number, until, compiled=compiled, paired=paired)
    if matched < graph.size or graph.size < 3:
        return np.zeros((0, 2), dtype=np.int32)
    return np.stack([np.asarray(side, dtype=np.int32) for side in links], axis=1)


def _try(
    graph: MoveGraph, seed: int, number: int, until: float, *, compiled: bool | None, paired: bool = False
) -> tuple[int, Links, NDArray[np.int32]]:
    """One try: match, join, untie, mend.

    Returns how many cells could be matched, the cover at the end, and the tour or nothing.

    The first try takes cells in their order, and with seed 0 their neighbours too.
    """
    n = graph.size
    nothing = np.zeros(0, dtype=np.int32)
    tier = Tier(STEPS_PER_CELL * n, compiled=compiled)
    rows = Adjacency(tier.read_only(graph.indptr), tier.read_only(graph.indices))
    order = np.arange(n, dtype=np.int32)
    state = 0
    if seed or number:
        state = seed_state(seed * 1_000_003 + number)
    if number:
        np.random.default_rng([abs(seed), number]).shuffle(order)
    links = Links(tier.full(n, -1), tier.full(n, -1))
    until = until if tier.compiled else min(until, time.perf_counter() + LONGEST)
    try:
        matched = match(tier, rows, tier.vector(order), state, Matching(*links), until, paired=paired)
    except TimeoutError:
        return n, Links(nothing, nothing), nothing
    if matched < n or n < 3:
        return matched, links, nothing
    a = tier.full(n)
    left = _joined(tier, rows, links, a, until)
    if left == 1:  # of many boards; what follows takes as much room again
        return matched, links, _traced(tier, links)
    d, label = tier.full(n), tier.full(n)  # room for what the kernels need in turn
    pick = tier.full(PICK)
    search = Search(tier.full(2 * n), a, d, label)
    random = tier.full(RANDOM)
    for turn in range(ROUNDS):
        if turn > 0:
            left = _joined(tier, rows, links, a, until)
        state = next_random(state or 1)
        if turn == 1 and left > max(FEW, n // MANY):
            cycle = tour_by_rotations(tier, rows, links, state, until)
            if cycle is not None:
                return matched, Links(*neighbours_along(cycle).T), cycle
        if left > 1 and turn > 0:
            cycles = Cycles(*links, label, a, d)
            count = tier(ORIENT)(*cycles)
            pick[STATE], pick[LIMIT], pick[IDLE] = state, 0, 0
            while left > 1 and pick[IDLE] >= 0 and time.perf_counter() < until:
                left = tier(MEND)(rows, cycles, count, SLICE if tier.compiled else SLICE_INTERPRETED, pick)
        if left == 1:
            return matched, links, _traced(tier, links)
        random[0] = state
        untied = _untied(tier, rows, links, random, search, until)
        if (untied == 0 and turn > 0) or time.perf_counter() >= until:
            break
    return matched, links, nothing
