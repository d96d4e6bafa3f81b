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

A walk takes linear time. n is the number of cells, k a step, `free` the degrees that the rule looks at.

A walk that got stuck can be *repaired*, as J. R. Gerlach says of his program in 2015: take the last of
equals instead of the first. He begins again with that; here as much of the walk is kept as possible. Step
by step is taken back from its end, until the other rule completes what is left. Where it never does, each
step is replaced by any other, again from the end, and what follows is walked and repaired by the two rules;
then two of them, then three (limited discrepancy search: W. D. Harvey & M. L. Ginsberg, 1995). After three
million steps, and thirty for each cell, a repair gives up.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.errors import CavalcadeError
from cavalcade.ground.kernels import Kernel, Tier, next_random, seed_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import ArrayLike, NDArray

    from cavalcade.ground.kernels import Vector
    from cavalcade.question.graph import MoveGraph

TIES = ("first", "last", "random", "pohl", "lookahead", "roth", "squirrel-cull")
STEPS, STEPS_PER_CELL = 3_000_000, 30  # after which a repair gives up
MOST_OTHERS = 3  # steps that it replaces
CELLS_PER_CALL = 1_000_000  # of the kernel, some tenths of a second: then the clock is read
WALK_BYTES = 20  # for each cell of a graph that is walked
_FIRST, _LAST, _RANDOM, _POHL, _LOOKAHEAD, _ROTH, _ORDERS = range(7)


@dataclass(frozen=True)
class Preference:
    """The preferences of two of the tie rules; `find.ties.preference` makes them from a board.

    Args:
        distance: for `roth`, how far each cell lies from the centre, in any unit.
        ranks: for `squirrel-cull`, one row a phase: the rank of every entry of `graph.indices`.
        switches: the cells on which the phases end, one fewer than the phases.
    """

    distance: NDArray[np.int32] | None = None
    ranks: NDArray[np.int32] | None = None
    switches: NDArray[np.int32] | None = None


def _walk(
    indptr: Vector,
    indices: Vector,
    free: Vector,
    kept: int,
    end: int,
    rule: int,
    distance: Vector,
    ranks: Any,  # noqa: ANN401 - rows of numbers: a two-dimensional array, or a list of lists
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
            elif rule == _ROTH:
                key = -distance[v]
            elif rule == _ORDERS:
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


walk_kernel = Kernel(_walk, uses=[next_random])
back_kernel = Kernel(_take_back)


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
    preference: Preference | None = None,
    compiled: bool | None = None,
) -> Iterator[NDArray[np.int32]]:
    """The walk from each start, one after the other: the cells it visits until it is stuck.

    Args:
        graph: the move graph; the order of its rows is the order of the moves.
        starts: the first cells.
        ties: one of `TIES`.
        degrees: the degrees to begin with, one a cell, instead of the graph's own (the papers'
            KNIGHTMOVES table, when it differs from the truth).
        count_start: whether the start takes one off its neighbours' degrees; the papers' programs do
            not.
        repair: whether to repair a walk that gets stuck; one that cannot be repaired stays as it is.
        seed: for random ties; each start draws its own numbers from it.
        preference: for `roth` and `squirrel-cull`.
        compiled: choose the tier of the kernel; None lets the size decide.

    Raises:
        CavalcadeError: unknown ties, or ties that need a preference and have none; degrees of another length.
        TimeoutError: the clock ends the whole.
    """
    graph.assert_undirected("Warnsdorff's rule")
    if ties not in TIES:
        raise CavalcadeError(f"unknown ties {ties!r}, expected one of {', '.join(TIES)}")
    preference = preference or Preference()
    rule = TIES.index(ties)
    if (rule == _ROTH and preference.distance is None) or (rule == _ORDERS and preference.ranks is None):
        raise CavalcadeError(f"ties by {ties} need a board, and a plain graph has no places or moves")
    table = graph.degrees if degrees is None else np.asarray(degrees, dtype=np.int32).reshape(-1)
    if len(table) != graph.size:
        raise CavalcadeError(f"{len(table)} degrees for {graph.size} cells, expected one a cell")
    assert_room(WALK_BYTES * graph.size, f"a walk over {graph.size:,} cells")
    starts = [int(start) for start in starts]
    tier = Tier((30.0 if repair else 3.0) * len(starts) * len(graph.indices), compiled=compiled)
    rows = tier.vector(graph.indptr), tier.vector(graph.indices)
    nothing = np.zeros(0, dtype=np.int32)
    distance, switches = (
        tier.vector(nothing if a is None else a.astype(np.int32))
        for a in (preference.distance, preference.switches)
    )
    ranks = tier.vector(nothing.reshape(1, 0) if preference.ranks is None else preference.ranks)
    for start in starts:
        walk = _Walk(tier, rows, (distance, ranks, switches), tier.vector(table.astype(np.int32)), start)
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
        preferred: tuple[Any, Any, Any],
        free: Vector,
        start: int,
    ) -> None:
        self.tier, self.rows, self.preferred, self.free = tier, rows, preferred, free
        self.size, self.length, self.walked = len(free), 1, 0
        self.path, self.seen = tier.full(self.size), tier.full(self.size)
        self.path[0], self.seen[start] = start, 1

    @property
    def cells(self) -> NDArray[np.int32]:
        """The cells, in order."""
        return np.array(self.path[: self.length], dtype=np.int32)

    def take_back(self, kept: int) -> None:
        """Take the steps after the first `kept` back."""
        self.tier(back_kernel)(*self.rows, self.free, kept, self.length, self.path, self.seen)
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
            self.length = int(self.tier(walk_kernel)(*self.rows, self.free, self.length, end, rule, *given))
        self.walked += self.length - before
        return self.length == self.size


def _repair(walk: _Walk, graph: MoveGraph, rule: int) -> None:
    """Complete a walk that is stuck, keeping as much of it as possible; or leave it as it is."""
    stuck = walk.cells.tolist()
    if _hopeless(graph, stuck[0]):
        return
    budget = STEPS + STEPS_PER_CELL * walk.size
    if _by_other(walk, rule, 1, budget):
        return
    for others in range(1, MOST_OTHERS + 1):
        walk.lay(stuck)
        if _by_other_steps(walk, graph, others, 1, budget):
            return
    walk.lay(stuck)


def _by_other_steps(walk: _Walk, graph: MoveGraph, others: int, least: int, budget: int) -> bool:
    """Replace so many steps, the first as late as possible, and repair what follows; whether it helps."""
    stuck = walk.cells.tolist()
    for kept in range(len(stuck) - 1, least - 1, -1):
        walk.take_back(kept)
        cells = [cell for cell in graph.neighbours(stuck[kept - 1]).tolist() if not walk.seen[cell]]
        for cell, (by, then) in product(cells, ((_FIRST, _LAST), (_LAST, _FIRST))):
            walk.step(cell)
            if walk.go_on(by):
                return True
            if others > 1:
                if _by_other_steps(walk, graph, others - 1, kept + 1, budget):
                    return True
            elif _by_other(walk, then, kept + 1, budget):
                return True
            walk.take_back(kept)
            if walk.walked > budget:
                return False
    return False


def _by_other(walk: _Walk, rule: int, least: int, budget: int) -> bool:
    """Take back step by step, `least` cells to remain, until a rule completes the walk; whether it does."""
    for kept in range(walk.length - 1, least - 1, -1):
        walk.take_back(kept)
        if walk.walked > budget:
            break
        if walk.go_on(rule):
            return True
    return False


def _hopeless(graph: MoveGraph, start: int) -> bool:
    """Whether no tour begins there: moves do not lead everywhere, or the colours forbid it.

    Where every move changes the colour, a tour visits as many cells of its first colour as of the other, or
    one more.
    """
    near, heads = graph.indptr.tolist(), graph.indices.tolist()
    colour = [-1] * graph.size
    colour[start] = 0
    reached = [start]
    two = True
    for at in reached:
        for v in heads[near[at] : near[at + 1]]:
            if colour[v] < 0:
                colour[v] = 1 - colour[at]
                reached.append(v)
            two = two and colour[v] != colour[at]
    if len(reached) < graph.size:
        return True
    return two and graph.size - 2 * sum(colour) not in {0, 1}
