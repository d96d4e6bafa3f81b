"""Warnsdorff's rule: go to the unvisited neighbour with the fewest unvisited neighbours.

H. C. von Warnsdorf, Des Rösselsprunges einfachste und allgemeinste Lösung, 1823. The rule leaves ties open,
and the way to break them decides whether the walk succeeds:

first, last       the first or last candidate in the order of the moves (Gerlach 2015)
random            any candidate, seeded
pohl              the candidate whose unvisited neighbours have the least sum of degrees (I. Pohl, CACM 10,
                  1967)
lookahead         the candidate from which the best next step has the least degree
roth              the candidate farthest from the centre of the board (A. Roth)
squirrel-cull     by orders of the moves that change at given squares (D. Squirrel & P. Cull, 1996); started
                  at a corner, it always succeeds on squares of every side from 112, according to them
best-order        the first candidate in the best order of the moves known: on flat boards the best of all
                  40,320, on hexagonal cells one of some hundreds, on stacks their own (docs/warnsdorff.md)

A stuck walk can be *repaired*. J. R. Gerlach (2015) starts again and takes the last candidate instead of the
first; here the longest possible part of the walk is kept. Steps are taken back one by one from the end until
the other rule completes the walk. If it never does, one step is replaced by any other, again from the end,
and the rest is walked and repaired by the two rules; then two steps are replaced, then three (limited
discrepancy search: W. D. Harvey & M. L. Ginsberg, 1995). A repair gives up after 3 million steps and 30 more
for each cell.

n is the number of cells, k a step, `free` the number of unvisited neighbours of each cell.
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
from cavalcade.find.tiers import steps_per_call
from cavalcade.ground.budget import assert_room, assert_time, limits
from cavalcade.ground.errors import BoardError, CavalcadeError, seconds_of, whole
from cavalcade.ground.kernels import Cells, Tier, Vector, next_random, seed_state
from cavalcade.question.graph import BoardLike, MoveGraph
from cavalcade.question.moves import graph_of
from cavalcade.question.parts import hopeful
from cavalcade.question.pieces import KNIGHT, Piece, PieceLike
from cavalcade.question.question import Question
from cavalcade.question.words import TIES, Ties, validated

_FIRST, _LAST, _RANDOM, _POHL, _LOOKAHEAD, _RANKED = range(6)  # the other rules of `TIES` use ranks


class Preference(NamedTuple):
    """Ranks of moves for the rules that depend on the board; `preference` makes them.

    Args:
        ranks: rank of each entry of `graph.indices`, lowest first; one row for each phase.
        switches: the cell on which each phase but the last ends.
    """

    ranks: Cells = np.zeros((1, 0), dtype=np.int32)
    switches: Cells = np.zeros(0, dtype=np.int32)


NO_PREFERENCE = Preference()

# ---- ties on a board

# Knight's moves, numbered clockwise from (-2, 1), for the orders below.
MOVES = ((-2, 1), (-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1))
# Orders by whether cells are hexagonal. Of the 922 orders, up to symmetry, that tour 8x8 from every cell, the
# one with most tours on large squares; and an order that tours hexagons of sides 4 to 10, 12, 15, 20, 25 and
# 30 from every cell.
BEST_ORDERS = {False: "13528674", True: "10,5,7,2,8,11,4,12,6,9,1,3"}


def squirrel_cull_phases(m: int) -> list[tuple[str, tuple[int, int]]]:
    """The orders of the moves on a board of m x m, each with the square (row, column) on which it ends.

    D. Squirrel & P. Cull, A Warnsdorff-Rule Algorithm for Knight's Tours on Square Boards, 1996, as printed
    by S. Ganzfried, A Simple Algorithm for Knight's Tours, 2004, who proves it for m = 7 mod 8. Squares count
    from (1, 1); the last order never ends and has (0, 0).
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
    """The ranks of a tie rule on a board; empty for most rules, and for plain graphs.

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
    """The ranks of `best-order`; on boxes with more than two dimensions the moves keep their order."""
    if piece.leaps != KNIGHT.leaps:
        raise BoardError(f"ties by best-order are for the knight, not {piece.spec!r}")
    if board.is_box and board.dimensions != 2:
        return Preference(np.zeros((1, len(graph.indices)), dtype=np.int32))
    if not (board.is_box or board.family.hexagonal):
        raise BoardError(f"ties by best-order are for boxes and hexagonal cells, not {board.title}")
    moves = piece.in_order(board, BEST_ORDERS[board.family.hexagonal]).vectors(board)
    return Preference(_ranks(board, graph, moves)[None])


def _ranks(board: Board, graph: MoveGraph, moves: Cells) -> Cells:
    """The index of the move of each entry of `graph.indices`."""
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
    doubled = 2 * board.coords.astype(np.int64)
    return np.asarray(((doubled - np.array(board.shape) + 1) ** 2).sum(axis=1), dtype=np.int32)


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
    state: int,
    path: Vector,
    seen: Vector,
) -> tuple[int, int]:
    """Extend the first `kept` cells of `path` to `end` cells, or until stuck.

    Args:
        indptr: offsets of the rows of neighbours.
        indices: neighbours, row after row, in the order of the moves.
        free: number of unvisited neighbours of each cell; kept up to date.
        kept: number of cells on the path.
        end: number of cells to reach.
        rule: one of `_FIRST` to `_RANKED`.
        ranks: ranks of the moves, see `Preference`.
        switches: cells on which the phases end, see `Preference`.
        state: state of the random numbers.
        path: the cells of the path.
        seen: 1 for each visited cell; kept up to date.

    Returns:
        The number of cells on the path, and the state of the random numbers.
    """
    phase = 0
    # Find the phase that the path has reached.
    if len(switches):
        for k in range(kept - 1):
            if phase < len(switches) and path[k] == switches[phase]:
                phase += 1
    cell = path[kept - 1]
    for k in range(kept, end):
        if phase < len(switches) and cell == switches[phase]:
            phase += 1
        # Choose the unvisited neighbour v with the least free[v] and, among these, the least key.
        best, fewest, best_key, ties = -1, 1 << 30, 0, 0
        for e in range(indptr[cell], indptr[cell + 1]):
            v = indices[e]
            if seen[v] or free[v] > fewest:
                continue
            key = 0  # of rule _FIRST: later candidates with the same key are not taken
            if rule == _POHL or rule == _LOOKAHEAD:
                least = 1 << 30
                for g in range(indptr[v], indptr[v + 1]):
                    w = indices[g]
                    if not seen[w]:
                        key += free[w]
                        least = min(least, free[w])
                if rule == _LOOKAHEAD:
                    key = least
            elif rule == _RANKED:
                key = ranks[phase][e]
            elif rule == _LAST:
                key = -e
            elif rule == _RANDOM:
                # Reservoir sampling: the i-th candidate replaces the best one with probability 1 / i.
                ties = 1 if free[v] < fewest else ties + 1
                state = next_random(state)
                key = best_key - 1 if state % ties == 0 else best_key + 1
            if free[v] < fewest or key < best_key:
                best, fewest, best_key = v, free[v], key
        if best < 0:
            return k, state
        cell = best
        path[k] = cell
        seen[cell] = 1
        for e in range(indptr[cell], indptr[cell + 1]):
            free[indices[e]] -= 1
    return end, state


def _take_back(
    indptr: Vector, indices: Vector, free: Vector, kept: int, length: int, path: Vector, seen: Vector
) -> None:
    """Take back the cells at indices `kept` to `length` - 1 of a path."""
    for k in range(kept, length):
        cell = path[k]
        seen[cell] = 0
        for e in range(indptr[cell], indptr[cell + 1]):
            free[indices[e]] += 1


def other(ties: str) -> str:
    """The rule that repairs a walk: `last`, or `first` if the rule was `last`."""
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
    """The walk from each start, one after the other: the cells visited until it is stuck.

    The order of the graph's rows is the order of the moves. Each start draws its own random numbers from the
    seed. `preference` has the ranks for rules that need them; the other arguments are as in `warnsdorff`.

    Raises:
        CavalcadeError: unknown ties, or ties that need ranks and have none; degrees of another length.
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
    assert_room(20 * graph.size, f"a walk over {graph.size:,} cells")  # 20 bytes per cell
    starts = [int(start) for start in starts]
    tier = Tier((30.0 if repair else 3.0) * len(starts) * len(graph.indices), compiled=compiled)
    rows = tier.vector(graph.indptr), tier.vector(graph.indices)
    preferred = tier.vector(preference.ranks), tier.vector(preference.switches)
    for start in starts:
        walk = _Walk(tier, rows, preferred, tier.vector(table.astype(np.int32)), start)
        for v in graph.neighbours(start).tolist() if count_start else ():
            walk.free[v] -= 1
        if not walk.extend(rule, seed_state(seed + start)) and repair:
            _repair(walk, graph, TIES.index(other(ties)))
        yield walk.cells


class _Walk:
    """A walk that can be taken back and continued: `length` cells now, `walked` steps in all."""

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
        """The cells of the walk in order."""
        return np.array(self.path[: self.length], dtype=np.int32)

    def take_back(self, kept: int) -> None:
        """Take back all cells after the first `kept`."""
        self.tier(_take_back)(*self.rows, self.free, kept, self.length, self.path, self.seen)
        self.length = kept

    def step(self, cell: int) -> None:
        """Append a cell."""
        indptr, indices = self.rows
        self.path[self.length], self.seen[cell] = cell, 1
        for e in range(indptr[cell], indptr[cell + 1]):
            self.free[indices[e]] -= 1
        self.length += 1

    def replace(self, cells: list[int]) -> None:
        """Replace the walk by these cells, which begin with the same start."""
        self.take_back(1)
        for cell in cells[1:]:
            self.step(cell)

    def extend(self, rule: int, state: int = 1) -> bool:
        """Walk by a rule until stuck; returns whether every cell is visited."""
        kernel = self.tier(_walk)
        before, end = self.length, 0
        while end == self.length < self.size or not end:
            assert_time("the time limit is reached on the way")
            end = min(self.length + steps_per_call(self.tier), self.size)
            self.length, state = kernel(
                *self.rows, self.free, self.length, end, rule, *self.preferred, state, self.path, self.seen
            )
        self.walked += self.length - before
        return self.length == self.size


@validated
def warnsdorff(
    board: BoardLike,
    start: int | str = 0,
    *,
    piece: PieceLike | None = None,
    ties: Ties = "first",
    order: Sequence[int] | str | None = None,
    degrees: ArrayLike | None = None,
    count_start: bool = True,
    repair: bool = False,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
) -> Found | Undecided:
    """Walk by Warnsdorff's rule; return a tour, or the partial walk if the walk gets stuck.

    The tour is open, or closed if the last cell happens to be one move from the first.

    Args:
        board: a board, its spec, or a move graph (without a piece).
        start: the first cell, by name or number.
        piece: a piece or its spec; by default the knight.
        ties: one of `TIES`.
        order: order of the moves, see `Piece.in_order`; by default 1, 2, 3, and so on.
        degrees: initial degrees, one per cell, instead of the true ones.
        count_start: whether the start reduces the degrees of its neighbours; in the papers' programs it does
            not.
        repair: whether a stuck walk is repaired: the fewest possible steps are taken back, and the other rule
            continues, `last` or, if that was the rule, `first`. See the module.
        seed: seed for random ties.
        time_limit: seconds; None for no limit.
        memory: bytes, or text such as "4G"; None for the memory of the machine.

    Raises:
        CavalcadeError: an invalid spec, name, rule or order, ties that do not fit the board, or a wrong
            number of degrees.
        TooLargeError: the walk does not fit into memory.

    Time: linear, about 30 million moves a second once compiled; for a repair at most quadratic.

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
    suffix = ", and no repair helps" if repair else ""
    reason = f"Warnsdorff's rule, ties by {ties}, is stuck {where}{suffix}"
    return Undecided(reason, "warnsdorff", seed, seconds, tour)


# ---- repairs


def _repair(walk: _Walk, graph: MoveGraph, rule: int) -> None:
    """Complete a stuck walk with the longest possible prefix kept; leave it unchanged if that fails."""
    stuck = walk.cells.tolist()
    if stuck[0] not in hopeful(graph):
        return
    # Steps of a repair: about 0.1 s on small boards, and some walks over all cells on large boards.
    budget = 3_000_000 + 30 * walk.size
    most_replaced = 3  # each additional step multiplies the work by the length of the walk
    for replaced in range(most_replaced + 1):
        if _repaired(walk, graph, rule, replaced, 1, budget):
            return
        walk.replace(stuck)


def _repaired(walk: _Walk, graph: MoveGraph, rule: int, replaced: int, least: int, budget: int) -> bool:
    """Take back steps until the walk can be completed; returns whether it is complete.

    Args:
        walk: a stuck walk.
        graph: its graph.
        rule: the rule that completes it.
        replaced: number of steps to be replaced by any other, the first one as late as possible.
        least: number of cells to keep at least.
        budget: steps after which the repair gives up.
    """
    stuck = walk.cells.tolist()
    for kept in range(len(stuck) - 1, least - 1, -1):
        walk.take_back(kept)
        if not replaced:
            if walk.walked > budget or walk.extend(rule):
                return walk.length == walk.size
            continue
        cells = [cell for cell in graph.neighbours(stuck[kept - 1]).tolist() if not walk.seen[cell]]
        for cell, (by, then) in product(cells, ((_FIRST, _LAST), (_LAST, _FIRST))):
            walk.step(cell)
            if walk.extend(by) or _repaired(walk, graph, then, replaced - 1, kept + 1, budget):
                return True
            walk.take_back(kept)
            if walk.walked > budget:
                return False
    return False
