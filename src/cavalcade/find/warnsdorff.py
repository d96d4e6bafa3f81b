"""Warnsdorff's rule: always go to the free neighbour from which the fewest free neighbours remain.

H. C. von Warnsdorf, Des Rösselsprunges einfachste und allgemeinste Lösung, 1823. The rule says nothing
about ties, and how they are broken decides whether the walk succeeds:

first, last       the first or last of them in the order of the moves (Gerlach 2015)
random            any of them, seeded
pohl              the one whose own free neighbours have the fewest in sum (I. Pohl, CACM 10, 1967)
lookahead         the one from which the best next step has the fewest
roth              the one farthest from the centre of the board (A. Roth)
squirrel-cull     by orders of the moves that change at given squares (D. Squirrel & P. Cull, 1996); for
                  squares of every side from 112 it always succeeds, they say, started at a corner
best-order        the first in the best order of the moves known: on flat boards the best of all 40,320,
                  on hexagonal cells one of some hundreds, on stacks their own (docs/warnsdorff.md)

n is the number of cells, k a step, `free` the degrees that the rule looks at. A walk that got stuck can be
*repaired*, as J. R. Gerlach says of his program in 2015: take the last of equals instead of the first. He
begins again with that; here as much of the walk is kept as possible. Step by step is taken back from its
end, until the other rule completes the walk. If it never does, each step is replaced by any other, again
from the end, and what follows is walked and repaired by the two rules; then two of them, then three
(limited discrepancy search: W. D. Harvey & M. L. Ginsberg, 1995). After three million steps, and thirty for
each cell, a repair gives up.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Undecided
from cavalcade.boards import Board
from cavalcade.ground.budget import assert_room, assert_time, limits
from cavalcade.ground.errors import BoardError, CavalcadeError, seconds_of, whole
from cavalcade.ground.kernels import Cells, Tier, Vector, next_random, seed_state
from cavalcade.question.graph import BoardLike, MoveGraph
from cavalcade.question.moves import graph_of
from cavalcade.question.parts import hopeful
from cavalcade.question.pieces import KNIGHT, Piece, PieceLike
from cavalcade.question.question import Question
from cavalcade.question.words import validated

TIES = ("first", "last", "random", "pohl", "lookahead", "roth", "squirrel-cull", "best-order")
STEPS, STEPS_PER_CELL = 3_000_000, 30  # after which a repair gives up
MOST_OTHERS = 3  # steps that it replaces
CELLS_PER_CALL = 1_000_000  # of the kernel, some tenths of a second: then the clock is read
WALK_BYTES = 20  # for each cell of a graph that is walked
_FIRST, _LAST, _RANDOM, _POHL, _LOOKAHEAD, _RANKED = range(6)  # the rest of `TIES` go by ranks


class Preference(NamedTuple):
    """What `roth` and `squirrel-cull` prefer; `preference` makes it from a board.

    Args:
        ranks: one row a phase: the rank of every entry of `graph.indices`, the lowest first.
        switches: the cells on which the phases end, one fewer than the phases.
    """

    ranks: Cells = np.zeros((1, 0), dtype=np.int32)
    switches: Cells = np.zeros(0, dtype=np.int32)


NO_PREFERENCE = Preference()

# ---- ties on a board

# D. Squirrel & P. Cull, A Warnsdorff-Rule Algorithm for Knight's Tours on Square Boards, 1996, as S.
# Ganzfried prints it (A Simple Algorithm for Knight's Tours, 2004): for a side m by its remainder mod 8,
# orders of the moves and the square on which each order ends. Moves are
# numbered clockwise from (-2, 1); squares are (row, column) from (1, 1).
MOVES = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))


# Of the 922 orders, up to symmetry, that tour 8x8 from every cell, the one with most tours on large squares;
# and an order that tours hexagons of sides 4 to 10, 12, 15, 20, 25 and 30 from every cell.
BEST_ORDERS = {False: "13528674", True: "10,5,7,2,8,11,4,12,6,9,1,3"}  # by whether cells are hexagonal


def squirrel_cull_phases(m: int) -> list[tuple[str, tuple[int, int]]]:
    """The orders of the moves for a board of m x m, each with the square on which it ends.

    The last has none and gets (0, 0). Written down for every m; proved by Ganzfried for m = 7 mod 8.
    """
    opening = [("34261578", (m - 1, m - 2)), ("87642135", (2, 2))]
    odd = [("34625718", (m - 1, m - 2)), ("42681357", (m - 6, m)), ("86512347", (2, 5))]
    side = [("34261578", (6, 1)), ("87642135", (3, 1))]
    rest: dict[int, list[tuple[str, tuple[int, int]]]] = {
        0: [*opening, ("51867342", (m - 8, 1)), ("51342678", (7, m - 3)), ("21435678", (0, 0))],
        1: [*opening, ("51324678", (m - 6, (m + 9) // 2)), ("32481765", (0, 0))],
        2: [
            *side,
            ("54132678", (m - 15, 4)),
            ("52431678", (10, m - 2)),
            ("85647123", (5, (m - 6) // 2)),
            ("15746823", (0, 0)),
        ],
        3: [*odd, ("51867342", (m - 10, 3)), ("61825437", ((m + 1) // 2, m - 2)), ("71642538", (0, 0))],
        4: [
            *opening,
            ("51867342", (m - 8, 1)),
            ("51342678", (10, m - 5)),
            ("86753421", (13, (m + 2) // 2)),
            ("78563421", (0, 0)),
        ],
        5: [*opening, ("51324678", (m - 2, (m - 5 if m % 16 == 5 else m - 13) // 2)), ("15234678", (0, 0))],
        6: [
            *side,
            ("54132678", (m - 10, 1)),
            ("52431678", (10, m - 2)),
            ("85647123", (3, (m + 8) // 2)),
            ("12453678", (0, 0)),
        ],
        7: [*odd, ("51867342", (m - 6, 3)), ("61825437", ((m + 1) // 2, m - 2)), ("61357284", (0, 0))],
    }
    return rest[m % 8]


def preference(board: Board | MoveGraph, graph: MoveGraph, ties: str, piece: Piece = KNIGHT) -> Preference:
    """The preferences of a tie rule on a board; empty for most rules, and for plain graphs.

    Args:
        board: the board, or a move graph that stands for one.
        graph: its move graph.
        ties: one of `TIES`.
        piece: the piece.

    Raises:
        BoardError: `squirrel-cull` for another piece than the knight or another board than a square;
            `best-order` for another piece, or a board that is not flat with square or hexagonal cells.
    """
    if board.plain:
        return NO_PREFERENCE
    if ties == "roth":
        return Preference(-_distance(board)[None, graph.indices])
    if ties == "best-order":
        return _best_order(board, graph, piece)
    if ties != "squirrel-cull":
        return NO_PREFERENCE
    if not board.is_rectangle or board.holes or len({*board.shape}) > 1:
        raise BoardError(f"ties by squirrel-cull are for square boards, not {board.title}")
    if piece.leaps != KNIGHT.leaps:
        raise BoardError(f"ties by squirrel-cull are for the knight, not {piece.spec!r}")
    m = board.shape[0]
    phases = squirrel_cull_phases(m)
    clockwise = np.array(MOVES)
    ranks = [_ranks(board, graph, clockwise[[int(move) - 1 for move in order]]) for order, _ in phases]
    ends = [(row - 1) * m + column - 1 for _, (row, column) in phases[:-1]]
    return Preference(np.stack(ranks), np.array(ends, dtype=np.int32))


def _best_order(board: Board, graph: MoveGraph, piece: Piece) -> Preference:
    """The ranks of `best-order`; on boxes of more dimensions the moves keep their own order."""
    if piece.leaps != KNIGHT.leaps:
        raise BoardError(f"ties by best-order are for the knight, not {piece.spec!r}")
    if board.is_box and board.dimensions != 2:
        return Preference(np.zeros((1, len(graph.indices)), dtype=np.int32))
    if not (board.is_box or board.family.hexagonal):
        raise BoardError(f"ties by best-order are for boxes and hexagonal cells, not {board.title}")
    moves = piece.in_order(board, BEST_ORDERS[board.family.hexagonal]).vectors(board)
    return Preference(_ranks(board, graph, moves)[None])


def _ranks(board: Board, graph: MoveGraph, moves: Cells) -> Cells:
    """For every entry of `graph.indices`, which of the moves it is."""
    step = board.coords[graph.indices] - board.coords[graph.tails]
    ranks = np.empty(len(step), dtype=np.int32)
    for rank, move in enumerate(moves):
        ranks[(step == move).all(axis=1)] = rank
    return ranks


def _distance(board: Board) -> Cells:
    """Squared distance from the centre of the board, in quarters of a cell's side."""
    if board.family.hexagonal:  # 4 (q² + qr + r²) is the square of the distance in a plane of hexagons
        q, r = (board.coords - board.whole.coords.mean(axis=0)).T
        return np.asarray(np.rint(4 * (q * q + q * r + r * r)), dtype=np.int32)
    at = board.coords.astype(np.int64)
    return np.asarray(((2 * at - np.array(board.shape) + 1) ** 2).sum(axis=1), dtype=np.int32)


# ---- walking


def _walk(
    indptr: Vector,
    indices: Vector,
    free: Vector,
    kept: int,
    end: int,
    rule: int,
    ranks: Any,
    switches: Vector,
    random: Vector,
    path: Vector,
    seen: Vector,
) -> int:
    """Go on from the first `kept` cells of `path` to `end` cells, or until stuck; returns how many there are.

    `random` holds the state of the random numbers.
    """
    n, state, phase = len(indptr) - 1, random[0], 0
    if len(switches):
        for k in range(kept - 1):
            if phase < len(switches) and path[k] == switches[phase]:
                phase += 1
    at = path[kept - 1]
    for k in range(kept, end):
        if phase < len(switches) and at == switches[phase]:
            phase += 1
        best, fewest, best_key, ties = -1, 1 << 30, 0, 0
        for e in range(indptr[at], indptr[at + 1]):
            v = indices[e]
            if seen[v] or free[v] > fewest:
                continue
            key = 0
            if rule == _POHL or rule == _LOOKAHEAD:
                low = 1 << 30
                for g in range(indptr[v], indptr[v + 1]):
                    w = indices[g]
                    if not seen[w]:
                        key += free[w]
                        low = min(low, free[w])
                if rule == _LOOKAHEAD:
                    key = low
            elif rule == _RANKED:
                key = ranks[phase][e]
            elif rule == _LAST:
                key = -k * n - e
            elif rule == _RANDOM:
                ties = 1 if free[v] < fewest else ties + 1
                state = next_random(state)
                key = best_key - 1 if state % ties == 0 else best_key + 1
            if free[v] < fewest or key < best_key:
                best, fewest, best_key = v, free[v], key
        if best < 0:
            return k
        at = best
        path[k] = at
        seen[at] = 1
        for e in range(indptr[at], indptr[at + 1]):
            free[indices[e]] -= 1
    random[0] = state
    return end


def _take_back(
    indptr: Vector, indices: Vector, free: Vector, kept: int, length: int, path: Vector, seen: Vector
) -> None:
    """Take the steps after the first `kept` back."""
    for k in range(kept, length):
        at = path[k]
        seen[at] = 0
        for e in range(indptr[at], indptr[at + 1]):
            free[indices[e]] += 1


def other(ties: str) -> str:
    """The rule that repairs a walk: the last of equals, or the first where the last was the rule."""
    return "first" if ties == "last" else "last"


def walks(
    graph: MoveGraph,
    starts: Iterable[int],
    *,
    ties: str = "first",
    degrees: ArrayLike | None = None,
    count_start: bool = True,
    repair: bool = False,
    seed: int = 0,
    preference: Preference = NO_PREFERENCE,
    compiled: bool | None = None,
) -> Iterator[Cells]:
    """The walk from each start, one after the other: the cells it visits until it is stuck.

    The order of the graph's rows is the order of the moves. The other arguments are those of `warnsdorff`;
    each start draws its own numbers from the seed, and `preference` is for the rules that need one.

    Raises:
        CavalcadeError: unknown ties, or ties that need a preference and have none; degrees of another length.
    """
    graph.assert_undirected("Warnsdorff's rule")
    if ties not in TIES:
        raise CavalcadeError(f"unknown ties {ties!r}, expected one of {', '.join(TIES)}")
    rule = min(TIES.index(ties), _RANKED)
    if rule == _RANKED and preference.ranks.size < len(graph.indices):
        raise CavalcadeError(f"ties by {ties} need a board, and a plain graph has no places or moves")
    table = graph.degrees if degrees is None else np.asarray(degrees, dtype=np.int32).reshape(-1)
    if len(table) != graph.size:
        raise CavalcadeError(f"{len(table)} degrees for {graph.size} cells, expected one per cell")
    assert_room(WALK_BYTES * graph.size, f"a walk over {graph.size:,} cells")
    starts = [int(start) for start in starts]
    tier = Tier((30.0 if repair else 3.0) * len(starts) * len(graph.indices), compiled=compiled)
    rows = tier.vector(graph.indptr), tier.vector(graph.indices)
    preferred = tier.vector(preference.ranks), tier.vector(preference.switches)
    for start in starts:
        walk = _Walk(tier, rows, preferred, tier.vector(table.astype(np.int32)), start)
        for v in graph.neighbours(start).tolist() if count_start else ():
            walk.free[v] -= 1
        if not walk.go_on(rule, seed_state(seed + start)) and repair:
            _repair(walk, graph, TIES.index(other(ties)))
        yield walk.cells


class _Walk:
    """A walk that can be taken back and gone on with: `length` cells now, `walked` steps in all."""

    def __init__(
        self,
        tier: Tier,
        rows: tuple[Vector, Vector],
        preferred: tuple[Any, Vector],
        free: Vector,
        start: int,
    ) -> None:
        self.tier, self.rows, self.preferred, self.free = tier, rows, preferred, free
        self.size, self.length, self.walked = len(free), 1, 0
        self.path, self.seen = tier.full(self.size), tier.full(self.size)
        self.path[0], self.seen[start] = start, 1

    @property
    def cells(self) -> Cells:
        """The cells, in order."""
        return np.array(self.path[: self.length], dtype=np.int32)

    def take_back(self, kept: int) -> None:
        """Take the steps after the first `kept` back."""
        self.tier(_take_back)(*self.rows, self.free, kept, self.length, self.path, self.seen)
        self.length = kept

    def step(self, cell: int) -> None:
        """Step to a cell."""
        near, heads = self.rows
        self.path[self.length], self.seen[cell] = cell, 1
        for e in range(near[cell], near[cell + 1]):
            self.free[heads[e]] -= 1
        self.length += 1

    def lay(self, cells: list[int]) -> None:
        """Take all but the start back, and walk these cells, which begin with it."""
        self.take_back(1)
        for cell in cells[1:]:
            self.step(cell)

    def go_on(self, rule: int, state: int = 1) -> bool:
        """Go on by a rule until stuck; whether every cell is visited."""
        given = (*self.preferred, self.tier.full(1, state), self.path, self.seen)
        before, end = self.length, 0
        while end == self.length < self.size or not end:
            assert_time("the time limit is reached on the way")
            end = min(self.length + CELLS_PER_CALL, self.size)
            self.length = int(self.tier(_walk)(*self.rows, self.free, self.length, end, rule, *given))
        self.walked += self.length - before
        return self.length == self.size


@validated
def warnsdorff(
    board: BoardLike,
    start: int | str = 0,
    *,
    piece: PieceLike | None = None,
    ties: str = "first",
    order: Sequence[int] | str | None = None,
    degrees: ArrayLike | None = None,
    count_start: bool = True,
    repair: bool = False,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
) -> Found | Undecided:
    """One walk by Warnsdorff's rule: a tour, or how far it came.

    The tour is open, or closed where the last cell happens to be a move from the first.

    Args:
        board: a board, its spec, or a move graph (without a piece).
        start: the first cell, by name or number.
        piece: a piece or its spec; by default the knight.
        ties: one of `TIES`.
        order: the order in which the moves are tried, see `Piece.in_order`; by default 1, 2, 3, and so on.
        degrees: the degrees to begin with, one per cell, instead of the true ones.
        count_start: whether the start takes one off its neighbours' degrees; the papers' programs do
            not.
        repair: where the walk gets stuck, take back as few steps as possible and go on by the other rule: the
            last of equals, or the first where the last was the rule. See the module.
        seed: for random ties.
        time_limit: seconds; None is no limit.
        memory: bytes, or text such as "4G"; None is what the machine has.

    Raises:
        CavalcadeError: an invalid spec, name, rule or order, ties that do not fit the board, or not one
            degree a cell.
        TooLargeError: it does not fit into memory.

    Linear time: about 30 million moves a second once compiled; a repair at most quadratic time.

    Examples:
        >>> warnsdorff("8x8", "a1").tour
        <Tour open of 8x8 from a1 to g2, 64 cells>
    """
    began = time.perf_counter()
    whole(seed, "seed")
    options: dict[str, Any] = {"ties": ties, "degrees": degrees, "count_start": count_start, "seed": seed}
    try:
        with limits(math.inf if time_limit is None else seconds_of(time_limit), memory):
            question = Question.of(board, piece=piece, open=True, start=start)
            graph, first = graph_of(question.board, question.piece, order), question.start or 0
            preferred = preference(question.board, graph, ties, question.piece)
            path = next(walks(graph, [first], repair=repair, preference=preferred, **options))
    except TimeoutError as error:
        return Undecided(str(error), "warnsdorff", seed, time.perf_counter() - began)
    closed = len(path) == graph.size > 2 and first in graph.neighbours(int(path[-1]))
    tour = Tour(question.board, path, closed=closed, piece=question.piece)
    seconds = time.perf_counter() - began
    if len(path) == graph.size:
        return Found(tour, "warnsdorff", seed, seconds)
    where = f"on {question.board.name(tour.end)} after {len(path):,} of {graph.size:,} cells"
    again = ", and no repair helps" if repair else ""
    reason = f"Warnsdorff's rule, ties by {ties}, is stuck {where}{again}"
    return Undecided(reason, "warnsdorff", seed, seconds, tour)


# ---- repairs


def _repair(walk: _Walk, graph: MoveGraph, rule: int) -> None:
    """Complete a walk that is stuck, keeping as much of it as possible; or leave it as it is."""
    stuck = walk.cells.tolist()
    if stuck[0] not in hopeful(graph):
        return
    budget = STEPS + STEPS_PER_CELL * walk.size
    for others in range(MOST_OTHERS + 1):
        if _repaired(walk, graph, rule, others, 1, budget):
            return
        walk.lay(stuck)


def _repaired(walk: _Walk, graph: MoveGraph, rule: int, others: int, least: int, budget: int) -> bool:
    """Take back step by step, `least` cells to remain, until the walk can be completed; whether it can.

    It is completed by a rule; or after so many steps are replaced by others, the first as late as possible.
    """
    stuck = walk.cells.tolist()
    for kept in range(len(stuck) - 1, least - 1, -1):
        walk.take_back(kept)
        if not others:
            if walk.walked > budget or walk.go_on(rule):
                return walk.length == walk.size
            continue
        cells = [cell for cell in graph.neighbours(stuck[kept - 1]).tolist() if not walk.seen[cell]]
        for cell, (by, then) in product(cells, ((_FIRST, _LAST), (_LAST, _FIRST))):
            walk.step(cell)
            if walk.go_on(by) or _repaired(walk, graph, then, others - 1, kept + 1, budget):
                return True
            walk.take_back(kept)
            if walk.walked > budget:
                return False
    return False
