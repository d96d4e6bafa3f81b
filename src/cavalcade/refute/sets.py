"""Reasons that need no deduction: parts, colours, covers, cuts, and cells at steps that are too far apart.

In vectors, in nearly linear time: for boards of any size.

*Colours.* A part without odd cycles falls into two parts of the double cover, which are its colours. The
distance there is the fewest moves of a walk of even or of odd length, infinite if there is none.

*Covers.* Match every cell with a successor. If that fails, the cells that the last search reached form a
deficient set (Hall 1935). If it succeeds, let the digraph D lead from u to the cell whose successor is v, for
every edge u-v. Closed sets of D are exactly the tight sets, and an edge between two strongly connected
components of D is in no cycle cover, hence in no tour (Dulmage & Mendelsohn 1958; Régin 1994). The matching
is another engine's: `find.cycle_cover.cycle_cover`, one of two functions that `refute` asks for.

*Directions.* Where moves go one way, a tour follows `Question.as_cycle` from every `>c` over c to `c>`, from
`a>` to some `>b` or to `*`, and from `*` to some `>b`. If it passed one c in the other direction, it would
pass all so: the direction could change only at `*`, and a tour visits `*` once.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cavalcade.answers.certificate import Step
from cavalcade.find.cycle_cover import cycle_cover
from cavalcade.refute.parts import (
    components,
    double_cover,
    matrix_from,
    matrix_of,
    parts_without,
    reached,
    tails_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cavalcade.ground.budget import Budget
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.question import Question

    Cells = NDArray[np.int32]
    Mask = NDArray[np.bool_]

PASS = 50  # work for each edge to go through the graph once, 0.5 µs

# which kind of vertex comes after which, of c, `>c`, `c>` and `*`
AFTER = np.array(
    [[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 1], [0, 1, 0, 0]], dtype=np.bool_
)  # c, `>c`, `c>`, `*`


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
        BudgetOverError: the budget does not suffice.
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
        BudgetOverError: the budget does not suffice.
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


def colours(indptr: Cells, indices: Cells) -> tuple[Step, Cells] | None:
    """Separate parts, or a two-coloured one whose colours differ; with the colour of every cell."""
    n = len(indptr) - 1
    _, part = components(double_cover(indptr, indices))
    black, white = part[:n], part[n:]
    if int(np.minimum(black, white).max(initial=0)) > 0:
        return Step("cut"), np.minimum(black, white)
    if black[0] != white[0] and 2 * int(np.count_nonzero(black == black[0])) != n:
        more = black[0] if 2 * np.count_nonzero(black == black[0]) > n else white[0]
        return Step("colours", (int(np.flatnonzero(black == more)[0]),)), black
    return None


def too_far(question: Question) -> tuple[int, int] | None:
    """Two cells given at steps with too few moves, or moves of the wrong parity, from one to the other.

    Time: linear in the moves, for each cell that is given.
    """
    if question.one_way:
        return None
    from scipy.sparse.csgraph import shortest_path

    n, graph, given = question.board.size, question.allowed, list(question.given.items())
    cover = double_cover(graph.indptr, graph.indices)
    starts = [cell for _, cell in given]
    far = shortest_path(cover, directed=False, unweighted=True, indices=starts)
    pairs = pairwise([*given, given[0]] if question.closed else given)
    for i, ((s, a), (t, b)) in enumerate(pairs):
        moves = (t - s) % n
        if a != b and far[i, b + n * (moves % 2)] > moves:
            return a, b
    return None


def closed_set(indptr: Cells, indices: Cells) -> Mask | None:
    """The smallest set of cells that edges lead to one another in, and none out of; None if it is all cells.

    Args:
        indptr: the rows of a directed graph.
        indices: the heads of its edges.

    Time: linear (Tarjan 1972).
    """
    count, part = components(matrix_of(indptr, indices), "strong")
    if count == 1:
        return None
    tails = part[tails_of(indptr)]
    sizes = np.bincount(part)
    sizes[tails[tails != part[indices]]] = len(part) + 1
    return np.asarray(part == np.argmin(sizes))


class SuccessorMatching:
    """A maximum matching of cells to successors in the present graph, and its digraph D.

    Args:
        indptr: the rows of the present graph.
        indices: the neighbours.
        directed: the rows are those of a directed graph.

    Raises:
        TimeoutError: the clock has ended the whole.
    """

    def __init__(self, indptr: Cells, indices: Cells, *, directed: bool = False) -> None:
        self.size = n = len(indptr) - 1
        self.directed = directed
        self.indices = indices
        successor = cycle_cover(indptr, indices, directed=directed)
        self.unmatched = np.flatnonzero(successor < 0)
        self.successor = successor
        self.predecessor = np.full(n, -1, dtype=np.int32)
        self.predecessor[successor[successor >= 0]] = np.flatnonzero(successor >= 0)
        self.tails = tails_of(indptr)
        there = self.predecessor[indices] >= 0
        self.digraph = matrix_from(n, self.tails[there], self.predecessor[indices[there]])

    def deficient_set(self) -> Cells:
        """The smallest of a few sets with fewer neighbours than members. Not all cells may be matched."""
        found = min((reached(self.digraph, cell) for cell in self.unmatched[:8]), key=len)
        return np.sort(found).astype(np.int32)

    @cached_property
    def unusable(self) -> NDArray[np.bool_]:
        """Which places of `indices` belong to edges that no cover uses. All cells must be matched."""
        _, component = components(self.digraph, "strong")
        return np.asarray(component[self.tails] != component[self.predecessor[self.indices]])

    def tight_sets(self, u: int, v: int) -> list[Cells]:
        """Tight sets that rule out an unusable edge u-v: the extreme ones and their complements.

        In a directed graph the edge goes from u to v, and the extreme ones are all.
        """
        every = np.ones(self.size, dtype=np.bool_)
        found = []
        for a, b in ((u, v),) if self.directed else ((u, v), (v, u)):
            least = reached(self.digraph, self.predecessor[b])
            most = every.copy()
            most[reached(self.digraph.T, a)] = False
            for closed in (least, np.flatnonzero(most)):
                found.append(np.sort(closed).astype(np.int32))
                if not self.directed:
                    outside = every.copy()
                    outside[self.successor[closed]] = False
                    found.append(np.flatnonzero(outside).astype(np.int32))
        return found


class Orientation:
    """Which way a tour goes along each edge.

    Args:
        question: the question. If its moves go both ways, so does a tour everywhere.
    """

    def __init__(self, question: Question) -> None:
        self.one_way, self.cells = question.one_way, question.board.size

    def ahead(self, tails: Cells, heads: Cells) -> Mask:
        """Along which of these edges a tour may go from tail to head."""
        if not self.one_way:
            return np.ones(len(tails), dtype=np.bool_)
        return np.asarray(AFTER[tails // self.cells, heads // self.cells])

    def rows(self, indptr: Cells, indices: Cells) -> tuple[Cells, Cells, Mask]:
        """The rows without the places along which no tour goes, and which places are left."""
        ahead = self.ahead(tails_of(indptr), indices)
        return np.concatenate([[0], np.cumsum(ahead)])[indptr].astype(np.int32), indices[ahead], ahead

    def smaller(self, deficient: Cells, followers: Cells, size: int) -> Cells:
        """A set with fewer followers than members; or what is not followed by it, with fewer leaders.

        All cells that lead to one that is none of the followers lie outside the set.
        """
        if not self.one_way:
            return deficient
        left = np.ones(size, dtype=np.bool_)
        left[: self.cells] = left[2 * self.cells : 3 * self.cells] = left[followers] = False
        others = np.flatnonzero(left).astype(np.int32)
        return others if len(others) < len(deficient) else deficient


def mask_of(cells: Cells, n: int) -> Mask:
    """Which of n cells are among these."""
    mask = np.zeros(n, dtype=np.bool_)
    mask[cells] = True
    return mask


def tuple_of(cells: Iterable[int] | Cells) -> tuple[int, ...]:
    """Cells as a step of a proof has them."""
    return tuple(int(cell) for cell in cells)
