"""What sets of cells show without any deduction: parts, colours, covers and cuts.

In vectors, in nearly linear time: for boards of any size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cavalcade.answers.certificate import Step
from cavalcade.refute.matching import SuccessorMatching
from cavalcade.refute.orientation import closed_set
from cavalcade.refute.parts import colours, parts_without

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cavalcade.ground.budget import Budget
    from cavalcade.question.graph import MoveGraph
    from cavalcade.refute.orientation import Orientation

    Cells = NDArray[np.int32]
    Mask = NDArray[np.bool_]

PASS = 50  # work for each edge to go through the graph once, 0.5 µs


class SetReason(NamedTuple):
    """A contradiction about sets of cells, and which edges must not be there.

    Args:
        step: the contradiction.
        inner: no edge leads from one of these cells
        outer: to any but these.
        part: instead of both, of every cell its part or its colour.
    """

    step: Step
    inner: Mask | None = None
    outer: Mask | None = None
    part: Cells | None = None


def immediate_reason(
    graph: MoveGraph, orientation: Orientation, budget: Budget
) -> tuple[Step | None, SuccessorMatching | None]:
    """A proof of one step, or the matching of all cells that says that there is none.

    Raises:
        BudgetOverError: it is more work than that.
    """
    poor = np.flatnonzero(graph.degrees < 2)
    if poor.size:
        return Step("degree", (int(poor[np.argmin(graph.degrees[poor])]),)), None
    reason, matching = set_reason(graph.indptr, graph.indices, orientation, budget)
    if reason is not None or matching is None:
        return None if reason is None else reason.step, None
    budget.charge(PASS * graph.edge_count)
    if not orientation.one_way and matching.unusable.any():
        budget.charge(2 * PASS * graph.edge_count)
        if (cut := cut_of_tight(graph.indptr, graph.indices, matching)) is not None:
            return Step("cut", tuple_of(cut)), None
    return None, matching


def set_reason(
    indptr: Cells, indices: Cells, orientation: Orientation, budget: Budget
) -> tuple[SetReason | None, SuccessorMatching | None]:
    """Separate parts, colours of unequal size, or cells with too few successors; else a matching of all.

    Raises:
        BudgetOverError: it is more work than that.
    """
    n = len(indptr) - 1
    budget.charge(PASS * len(indices))
    ahead, onward = indptr, indices
    if orientation.one_way:
        ahead, onward, _ = orientation.rows(indptr, indices)
        if (inner := closed_set(ahead, onward)) is not None:
            step = Step("reach", (int(np.argmax(inner)), int(np.argmin(inner))))
            return SetReason(step, inner, inner), None
    if (found := colours(indptr, indices)) is not None:
        return SetReason(found[0], part=found[1]), None
    budget.charge(PASS * len(indices))
    matching = SuccessorMatching(ahead, onward, directed=orientation.one_way)
    if not matching.unmatched.size:
        return None, matching
    few = matching.deficient_set()
    followers = matching.successor[few]
    followers = followers[followers >= 0]
    step = Step("hall", tuple_of(orientation.smaller(few, followers, n)))
    return SetReason(step, mask_of(few, n), mask_of(followers, n)), None


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


def mask_of(cells: Cells, n: int) -> Mask:
    """Which of n cells are among these."""
    mask = np.zeros(n, dtype=np.bool_)
    mask[cells] = True
    return mask


def tuple_of(cells: Iterable[int] | Cells) -> tuple[int, ...]:
    """Cells as a step of a proof has them."""
    return tuple(int(cell) for cell in cells)
