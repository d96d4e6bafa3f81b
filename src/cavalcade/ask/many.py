"""Answers for many small graphs at once, each checked by `checking.many`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cavalcade.checking.many import are_cuts, are_cycles, are_tables, have_low_degrees
from cavalcade.find.many import CUT, DEGREE, FOUND, KINDS, LEFT, MOST, SUBSETS, TABLED, Many, many, tables
from cavalcade.ground.kernels import Tier

__all__ = ("FOUND", "KINDS", "LEFT", "MOST", "answers")


STEPS_OF_ENTRY = 4  # on average, of connected graphs of nine vertices
ENTRIES = 2**22  # of tables made before they are checked


def answers(
    graphs: NDArray[np.uint8], *, open_: bool = False, before: int = 0, compiled: bool | None = None
) -> Many:
    """What `find.many` finds, checked.

    Args:
        graphs: adjacency matrices of undirected graphs, (m, n, n), for n from 3 to `find.many.MOST`, less one
            if open.
        open_: open tours, which are the cycles with one more vertex that is joined to all others.
        before: entries of the matrices that have been answered so far; many small blocks are compiled too.
        compiled: choose the tier.

    Raises:
        AssertionError: an answer is wrong.
    """
    if open_:
        graphs = np.pad(graphs, ((0, 0), (0, 1), (0, 1)), constant_values=1)
        graphs[:, -1, -1] = 0
    tier = Tier(STEPS_OF_ENTRY * (before + graphs.size), compiled=compiled)
    kinds, places = many(graphs, tier)
    cycles, low, cuts, left = (np.flatnonzero(kinds == kind) for kind in (FOUND, DEGREE, CUT, LEFT))
    _assert_all(FOUND, are_cycles(graphs[cycles], places[cycles]))
    _assert_all(DEGREE, have_low_degrees(graphs[low]))
    _assert_all(CUT, are_cuts(graphs[cuts], places[cuts]))
    n, entries = graphs.shape[-1], len(left) << graphs.shape[-1]
    for some in np.array_split(left, -(-entries // ENTRIES)) if n <= TABLED and entries else ():
        made = tables(graphs[some], tier)
        kinds[some[are_tables(graphs[some], made)]] = SUBSETS
    if open_:
        after = np.argmax(places == n - 1, axis=1)[:, None] + np.arange(1, n)
        places = np.take_along_axis(places, after % n, axis=1)
    return Many(kinds, places)


def _assert_all(kind: int, right: NDArray[np.bool_]) -> None:
    """All answers of a kind are right.

    Raises:
        AssertionError: one is not.
    """
    if not right.all():
        raise AssertionError(f"the engine many is wrong: {KINDS[kind]}")
