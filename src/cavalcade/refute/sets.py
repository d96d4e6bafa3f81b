"""Reasons that need no deduction: parts, colours, covers, cuts, and cells at steps that are too far apart.

In vectors, in nearly linear time: for boards of any size.

*Colours.* A part without odd cycles falls into two parts of the double cover, which are its colours. The
distance there is the fewest moves of a walk of even or of odd length, infinite if there is none.

*Covers.* Match every cell with a successor. If that fails, the cells that the last search reached form a
deficient set (Hall 1935). If it succeeds, let the digraph D lead from u to the cell whose successor is v, for
every edge u-v. Closed sets of D are exactly the tight sets, and an edge between two strongly connected
components of D is in no cycle cover, hence in no tour (Dulmage & Mendelsohn 1958; Régin 1994). The matching
is computed by `find.cycle_cover.cycle_cover`.

*Signs.* If D consists of disjoint cycles of odd length, the numbers of cycles of all covers have the same
parity (Rankin 1948). The rule `sign` has the proof.

*Directions.* If moves go one way, a tour follows `Question.as_cycle` from every `>c` over c to `c>`, from
`a>` to some `>b` or to `*`, and from `*` to some `>b`. The direction of a cycle can change only at `*`, and a
tour visits `*` once. So a tour that passes one c in the other direction passes all cells in that direction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.certificate import Step
from cavalcade.find.cycle_cover import cycle_cover
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import Cells, Mask
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import (
    broad,
    components,
    parts_without,
    reached,
    rows_from,
    sides,
    strong_components,
    walks,
)
from cavalcade.question.question import Question

Between = Callable[[Cells, Cells], Mask]

PASS = 50  # counted work of a pass over the graph, for each edge: 0.5 µs

# AFTER[i, j]: whether a vertex of kind j can follow one of kind i. The kinds are c, `>c`, `c>` and `*`.
AFTER = np.array([[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 1], [0, 1, 0, 0]], dtype=np.bool_)


def immediate_reason(graph: MoveGraph, orientation: Orientation, budget: Budget) -> Step | SuccessorMatching:
    """A proof of one step; or a matching of all cells to successors."""
    poor = np.flatnonzero(graph.degrees < 2)
    if poor.size:
        return Step("degree", (int(poor[np.argmin(graph.degrees[poor])]),))
    reason = set_reason(graph, orientation, budget)
    if not isinstance(reason, SuccessorMatching):
        return reason[0]
    budget.charge(PASS * graph.edge_count)
    if not orientation.one_way and reason.unusable.any():
        budget.charge(2 * PASS * graph.edge_count)
        if (cut := cut_of_tight(graph, reason)) is not None:
            return Step("cut", tuple_of(cut))
    return reason


def set_reason(
    graph: MoveGraph, orientation: Orientation, budget: Budget
) -> tuple[Step, Between] | SuccessorMatching:
    """Separate parts, unequal colours, too few successors, or covers of the wrong sign.

    Returns:
        The step, and a function of two arrays of cells: a mask of the edges, from cells of the first array to
        cells of the second, whose absence the step depends on. Without a contradiction, a matching of all
        cells to successors.
    """
    budget.charge(PASS * len(graph.indices))
    ahead = graph
    if orientation.one_way:
        ahead = orientation.along(graph)
        if (pair := _same_follower(ahead)) is not None:
            return _deficient(graph, orientation, *pair)
        if (inner := closed_set(ahead)) is not None:
            step = Step("reach", (int(np.argmax(inner)), int(np.argmin(inner))))
            return step, leading(inner, ~inner)
    if (contradiction := colours(graph)) is not None:
        step, part = contradiction
        if step.rule == "cut":
            return step, lambda a, b: part[a] != part[b]
        return step, lambda a, b: part[a] == part[b]
    budget.charge(PASS * len(graph.indices))
    matching = SuccessorMatching(ahead)
    if not matching.unmatched.size:
        if orientation.one_way and matching.covers_are_even:
            return Step("sign"), lambda a, _: np.ones(len(a), dtype=np.bool_)
        return matching
    few = matching.deficient_set()
    followers = matching.successor[few]
    return _deficient(graph, orientation, few, followers[followers >= 0])


def _deficient(
    graph: MoveGraph, orientation: Orientation, few: Cells, followers: Cells
) -> tuple[Step, Between]:
    """A set with fewer followers than members, as above."""
    inside, outer = mask_of(few, graph.size), mask_of(followers, graph.size)
    step = Step("hall", tuple_of(orientation.smaller(few, followers, graph.size)))
    return step, leading(inside, ~outer)


def _same_follower(graph: MoveGraph) -> tuple[Cells, Cells] | None:
    """A deficient set that two cells with a single arc show, and its followers; None without such cells.

    If two cells have one arc each, to the same cell, they are the set. If two cells have one incoming arc
    each, from the same cell, the set is all cells except that one: nothing in the set leads to the two.
    """
    for incoming, tails, heads in ((False, graph.tails, graph.indices), (True, graph.indices, graph.tails)):
        single = np.flatnonzero(np.bincount(tails, minlength=graph.size)[tails] == 1)
        single = single[np.argsort(heads[single], kind="stable")]
        same = np.flatnonzero(heads[single[1:]] == heads[single[:-1]])
        if same.size:
            pair, shared = tails[single[same[0] : same[0] + 2]], heads[single[same[:1]]]
            if not incoming:
                return pair, shared
            return _all_except(shared, graph.size), _all_except(pair, graph.size)
    return None


def cut_of_tight(graph: MoveGraph, matching: SuccessorMatching) -> Cells | None:
    """The smallest cut among the neighbourhoods of tight sets that rule out the first unusable edge."""
    k, edges = int(np.flatnonzero(matching.unusable)[0]), graph.edges()
    cuts: list[Cells] = []
    for tight in matching.tight_sets(int(matching.tails[k]), int(graph.indices[k])):
        cut = np.sort(matching.successor[tight]).astype(np.int32)
        if 0 < len(cut) < graph.size and not any(np.array_equal(cut, earlier) for earlier in cuts):
            cuts.append(cut)
    cuts.sort(key=len)
    return next((cut for cut in cuts if parts_without(graph.size, edges, cut)[0] > len(cut)), None)


def odd_part(n: int, undecided: Cells, forced: Cells) -> Cells | None:
    """The smallest part of the graph of undecided edges that an odd number of forced edges leave.

    Args:
        n: the number of cells.
        undecided: the undecided edges, shape (m, 2).
        forced: number of forced edges at each cell; an edge inside a part counts twice.
    """
    _, label = components(rows_from(n, *undecided.T))
    odd = np.flatnonzero(np.bincount(label, weights=forced) % 2)
    if not odd.size:
        return None
    return np.flatnonzero(label == odd[np.argmin(np.bincount(label)[odd])]).astype(np.int32)


def colours(graph: MoveGraph) -> tuple[Step, Cells] | None:
    """Separate parts, or unequal colours; with the part or the colour of each cell."""
    _, (black, white) = sides(graph)
    if int(np.minimum(black, white).max(initial=0)) > 0:
        return Step("cut"), np.minimum(black, white)
    count = np.count_nonzero(black == black[0])
    if black[0] != white[0] and 2 * count != graph.size:
        majority = black[0] if 2 * count > graph.size else white[0]
        return Step("colours", (int(np.flatnonzero(black == majority)[0]),)), black
    return None


def too_far(question: Question) -> tuple[int, int] | None:
    """Two consecutive given cells between whose steps there are too few moves, or moves of the wrong parity.

    Time: linear in the number of moves, for each given cell.
    """
    if question.one_way:
        return None
    n, given = question.board.size, list(question.given.items())
    cover = walks(question.allowed)
    far = [broad(cover, cell)[2] for _, cell in given]
    pairs = pairwise([*given, given[0]] if question.closed else given)
    for i, ((s, a), (t, b)) in enumerate(pairs):
        moves = (t - s) % n
        if a != b and not 0 <= far[i][b + n * (moves % 2)] <= moves:
            return a, b
    return None


def closed_set(graph: MoveGraph) -> Mask | None:
    """The smallest strongly connected component that no arc leaves; None if it is the whole graph.

    Time: linear (Tarjan 1972).
    """
    count, part = strong_components(graph)
    if count == 1:
        return None
    tails = part[graph.tails]
    sizes = np.bincount(part)
    sizes[tails[tails != part[graph.indices]]] = len(part) + 1
    return np.asarray(part == np.argmin(sizes))


class SuccessorMatching:
    """A maximum matching of cells to successors in the present graph, and its digraph D."""

    def __init__(self, graph: MoveGraph) -> None:
        self.size, self.directed = graph.size, graph.directed
        self.tails, self.indices = graph.tails, graph.indices
        successor = cycle_cover(graph.indptr, graph.indices, directed=graph.directed)
        self.unmatched = np.flatnonzero(successor < 0)
        self.successor = successor
        self.predecessor = np.full(graph.size, -1, dtype=np.int32)
        self.predecessor[successor[successor >= 0]] = np.flatnonzero(successor >= 0)
        before = self.predecessor[graph.indices]
        self.digraph = rows_from(graph.size, self.tails[before >= 0], before[before >= 0])

    def deficient_set(self) -> Cells:
        """The smallest of a few sets with fewer neighbours than members. Some cell must be unmatched."""
        deficient = min((reached(self.digraph, cell) for cell in self.unmatched[:8]), key=len)
        return np.sort(deficient).astype(np.int32)

    @cached_property
    def unusable(self) -> Mask:
        """A mask of the entries of `indices` whose edges are in no cover. All cells must be matched."""
        _, component = strong_components(self.digraph)
        return np.asarray(component[self.tails] != component[self.predecessor[self.indices]])

    @cached_property
    def covers_are_even(self) -> bool:
        """Whether all covers of a directed graph have an even number of cycles, by the rule `sign`.

        D leads around the tails of every group. All cells must be matched.
        """
        if np.bincount(self.tails).max() > 2 or self.unusable.any():
            return False
        cells = np.arange(self.size, dtype=np.int32)
        cycles, _ = components(rows_from(self.size, cells, self.successor))
        _, group = components(self.digraph)
        return cycles % 2 == 0 and bool((np.bincount(group) % 2).all())

    def tight_sets(self, u: int, v: int) -> list[Cells]:
        """The smallest and the largest tight set that rule out an unusable edge u-v, and their complements.

        In a directed graph the edge goes from u to v, and there are no complements.
        """
        sets = []
        for a, b in ((u, v),) if self.directed else ((u, v), (v, u)):
            least = np.sort(reached(self.digraph, self.predecessor[b])).astype(np.int32)
            for closed in (least, _all_except(reached(self.digraph.T, a), self.size)):
                sets.append(closed)
                if not self.directed:
                    sets.append(_all_except(self.successor[closed], self.size))
        return sets


class Orientation:
    """The directions in which a tour can use each edge.

    Args:
        question: the question. Unless its moves go one way, a tour can use each edge in both directions.
    """

    def __init__(self, question: Question) -> None:
        self.one_way, self.cells = question.one_way, question.board.size

    def ahead(self, tails: Cells, heads: Cells) -> Mask:
        """A mask of the edges that a tour can use from tail to head."""
        if not self.one_way:
            return np.ones(len(tails), dtype=np.bool_)
        return np.asarray(AFTER[tails // self.cells, heads // self.cells])

    def along(self, graph: MoveGraph) -> MoveGraph:
        """The directed graph of the edges in the directions in which a tour can use them."""
        return graph.where(self.ahead(graph.tails, graph.indices), directed=True)

    def smaller(self, deficient: Cells, followers: Cells, size: int) -> Cells:
        """The smaller of a deficient set and the set of the cells that do not follow it.

        The cells that lead to a cell of the second set are all outside the first one.
        """
        if not self.one_way:
            return deficient
        # Only vertices `>b` and `*` can follow a vertex `a>` or `*`.
        remaining = ~mask_of(followers, size)
        remaining[: self.cells] = remaining[2 * self.cells : 3 * self.cells] = False
        unfollowed = np.flatnonzero(remaining).astype(np.int32)
        return unfollowed if len(unfollowed) < len(deficient) else deficient


def leading(tails: Mask, heads: Mask) -> Between:
    """A function that tests whether edges lead from a cell of one mask to a cell of another."""
    return lambda a, b: tails[a] & heads[b]


def mask_of(cells: NDArray[np.integer], n: int) -> Mask:
    """A mask of some cells, shape (n,)."""
    mask = np.zeros(n, dtype=np.bool_)
    mask[cells] = True
    return mask


def _all_except(cells: NDArray[np.integer], n: int) -> Cells:
    """All other cells of a graph with n cells, in ascending order."""
    return np.flatnonzero(~mask_of(cells, n)).astype(np.int32)


def tuple_of(cells: Iterable[int] | Cells) -> tuple[int, ...]:
    """Cells in the form of `Step.cells`."""
    return tuple(int(cell) for cell in cells)
