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
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.errors import CavalcadeError
from cavalcade.kernels import Kernel, Tier, next_random, seed_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import ArrayLike, NDArray

    from cavalcade.graph import MoveGraph
    from cavalcade.kernels import Vector

TIES = ("first", "last", "random", "pohl", "lookahead", "roth", "squirrel-cull")
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
    start: int,
    rule: int,
    count_start: int,
    distance: Vector,
    ranks: Any,  # noqa: ANN401 - rows of numbers: a two-dimensional array, or a list of lists
    switches: Vector,
    state: int,
    path: Vector,
    seen: Vector,
) -> int:
    """Walk until stuck; the cells go into `path`, the number of them is returned. `free` is used up."""
    n = len(indptr) - 1
    phase = 0
    at = start
    path[0] = at
    seen[at] = 1
    if count_start:
        for e in range(indptr[at], indptr[at + 1]):
            free[indices[e]] -= 1
    for k in range(1, n):
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
    return n


walk_kernel = Kernel(_walk, uses=[next_random])


def walks(
    graph: MoveGraph,
    starts: Iterable[int],
    *,
    ties: str = "first",
    degrees: ArrayLike | None = None,
    count_start: bool = True,
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
        seed: for random ties; each start draws its own numbers from it.
        preference: for `roth` and `squirrel-cull`.
        compiled: choose the tier of the kernel; None lets the size decide.

    Raises:
        CavalcadeError: unknown ties, or ties that need a preference and have none; degrees of another length.
    """
    if ties not in TIES:
        raise CavalcadeError(f"unknown ties {ties!r}, expected one of {', '.join(TIES)}")
    preference = preference or Preference()
    rule = TIES.index(ties)
    if (rule == _ROTH and preference.distance is None) or (rule == _ORDERS and preference.ranks is None):
        raise CavalcadeError(f"ties by {ties} need a board, and a plain graph has no places or moves")
    table = graph.degrees if degrees is None else np.asarray(degrees, dtype=np.int32).reshape(-1)
    if len(table) != graph.size:
        raise CavalcadeError(f"{len(table)} degrees for {graph.size} cells, expected one a cell")
    starts = [int(start) for start in starts]
    tier = Tier(3.0 * len(starts) * len(graph.indices), compiled=compiled)
    nothing = np.zeros(0, dtype=np.int32)
    indptr, indices = tier.give(graph.indptr), tier.give(graph.indices)
    distance, switches = (
        tier.give(nothing if a is None else a.astype(np.int32))
        for a in (preference.distance, preference.switches)
    )
    ranks = tier.give(nothing.reshape(1, 0) if preference.ranks is None else preference.ranks)
    for start in starts:
        path = tier.new(graph.size)
        state = seed_state(seed + start)
        seen = tier.new(graph.size)
        free = tier.give(table.astype(np.int32))
        length = tier(walk_kernel)(
            indptr, indices, free, start, rule, int(count_start), distance, ranks, switches, state, path, seen
        )
        yield np.asarray(path[:length], dtype=np.int32)
