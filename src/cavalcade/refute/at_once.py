"""What the graph as it is tells without any deduction, and when to stop looking.

In vectors, in nearly linear time: for boards of any size.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.certificate import Step
from cavalcade.refute.matching import SuccessorMatching
from cavalcade.refute.orientation import left_by_none
from cavalcade.refute.parts import colours, parts_without

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cavalcade.question.graph import MoveGraph
    from cavalcade.refute.orientation import Orientation

    Cells = NDArray[np.int32]
    Mask = NDArray[np.bool_]

SECONDS_PER_EDGE = 5e-7  # of one part of the work
SHORT = 0.02  # seconds; what takes less is always done


class GiveUpError(Exception):
    """The budget is spent."""


class Clock:
    """When to stop; most of the work is linear in the edges, at much the same speed."""

    def __init__(self, graph: MoveGraph, until: float) -> None:
        self.until, self.part = until, graph.edge_count * SECONDS_PER_EDGE

    def look(self, parts: float = 1) -> None:
        """Give up if so many parts of the work would end too late; short ones never do."""
        seconds = parts * self.part
        if seconds > SHORT and time.perf_counter() + seconds > self.until:
            raise GiveUpError


def at_once(
    graph: MoveGraph, orientation: Orientation, clock: Clock
) -> tuple[list[Step] | None, SuccessorMatching | None]:
    """A proof of one step, or the matching of all cells that says that there is none."""
    poor = np.flatnonzero(graph.degrees < 2)
    if poor.size:
        return [Step("degree", (int(poor[np.argmin(graph.degrees[poor])]),))], None
    clock.look()
    indptr, indices, one_way = graph.indptr, graph.indices, orientation.one_way
    if one_way:
        indptr, indices, _ = orientation.rows(indptr, indices)
        if (inner := left_by_none(indptr, indices)) is not None:
            return [reach(inner)], None
    found = colours(graph.indptr, graph.indices)
    if found is not None:
        return [found[0]], None
    clock.look()
    matching = SuccessorMatching(indptr, indices, clock.until, directed=one_way)
    if matching.unmatched.size:
        few = matching.deficient_set()
        followers = matching.successor[few]
        few = orientation.smaller(few, followers[followers >= 0], graph.size)
        return [Step("hall", tuple_of(few))], None
    clock.look()
    if not one_way and matching.unusable.any():
        clock.look(2)
        if (cut := cut_of_tight(graph.indptr, graph.indices, matching)) is not None:
            return [Step("cut", tuple_of(cut))], None
    return None, matching


def cut_of_tight(indptr: Cells, indices: Cells, matching: SuccessorMatching) -> Cells | None:
    """A cut that is the neighbourhood of a tight set that rules out the first unusable edge, if one is."""
    k = int(np.flatnonzero(matching.unusable)[0])
    n = len(indptr) - 1
    once = matching.tails < indices
    edges = np.stack([matching.tails[once], indices[once]], axis=1)
    known: list[Cells] = []
    for tight in matching.tight_sets(int(matching.tails[k]), int(indices[k])):
        cut = np.sort(matching.successor[tight]).astype(np.int32)
        if 0 < len(cut) < n and not any(np.array_equal(cut, other) for other in known):
            known.append(cut)
    known.sort(key=len)
    return next((cut for cut in known if parts_without(n, edges, cut)[0] > len(cut)), None)


def reach(inner: Mask) -> Step:
    """That no moves lead out of these cells."""
    return Step("reach", (int(np.argmax(inner)), int(np.argmin(inner))))


def tuple_of(cells: Iterable[int] | Cells) -> tuple[int, ...]:
    """Cells as a step of a proof has them."""
    return tuple(int(cell) for cell in cells)
