"""Reasons that need no deduction: parts, colours, covers, cuts, and cells at steps that are too far apart.

In vectors, in nearly linear time: for boards of any size.

*Colours.* A part without odd cycles falls into two parts of the double cover, which are its colours. The
distance there is the fewest moves of a walk of even or of odd length, infinite if there is none.

*Covers.* Match every cell with a successor. If that fails, the cells that the last search reached form a
deficient set (Hall 1935). If it succeeds, let the digraph D lead from u to the cell whose successor is v, for
every edge u-v. Closed sets of D are exactly the tight sets, and an edge between two strongly connected
components of D is in no cycle cover, hence in no tour (Dulmage & Mendelsohn 1958; Régin 1994). The matching
is another engine's: `find.cycle_cover.cycle_cover`, one of two functions that `refute` asks for.

*Signs.* Where D consists of disjoint cycles of odd length, all covers have an even number of cycles or all
have an odd one (Rankin 1948). The rule `sign` says why.

*Directions.* Where moves go one way, a tour follows `Question.as_cycle` from every `>c` over c to `c>`, from
`a>` to some `>b` or to `*`, and from `*` to some `>b`. If it passed one c in the other direction, it would
pass all so: the direction could change only at `*`, and a tour visits `*` once.
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
    reached,
    rows_from,
    sides,
    strong_components,
    walks,
)
from cavalcade.question.question import Question

Between = Callable[[Cells, Cells], Mask]

PASS = 50  # work for each edge to go through the graph once, 0.5 µs

# which kind of vertex comes after which, of c, `>c`, `c>` and `*`
AFTER = np.array([[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 1], [0, 1, 0, 0]], dtype=np.bool_)


def immediate_reason(graph: MoveGraph, orientation: Orientation, budget: Budget) -> Step | SuccessorMatching:
    """A proof of one step, from the graph as it is; or a matching of all cells to successors."""
    poor = np.flatnonzero(graph.degrees < 2)
    if poor.size:
        return Step("degree", (int(poor[np.argmin(graph.degrees[poor])]),))
    found = set_reason(graph, orientation, budget)
    if not isinstance(found, SuccessorMatching):
        return found[0]
    budget.charge(PASS * graph.edge_count)
    if not orientation.one_way and found.unusable.any():
        budget.charge(2 * PASS * graph.edge_count)
        if (cut := cut_of_tight(graph, found)) is not None:
            return Step("cut", tuple_of(cut))
    return found


def set_reason(
    graph: MoveGraph, orientation: Orientation, budget: Budget
) -> tuple[Step, Between] | SuccessorMatching:
    """Separate parts, unequal colours, too few successors, covers of the wrong sign; or a matching of all.

    With a contradiction goes which edges must not be there for it, of those from some cells to others.
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
    if (found := colours(graph)) is not None:
        step, part = found
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
    """A deficient set, and its followers: two cells with one arc each, to the same cell; or all but one cell.

    That one is all that leads to two others, which the rest is thus not followed by. None if there are none.
    """
    every = np.ones(graph.size, dtype=np.bool_)
    for behind, tails, heads in ((False, graph.tails, graph.indices), (True, graph.indices, graph.tails)):
        alone = np.flatnonzero(np.bincount(tails, minlength=graph.size)[tails] == 1)
        alone = alone[np.argsort(heads[alone], kind="stable")]
        same = np.flatnonzero(heads[alone[1:]] == heads[alone[:-1]])
        if same.size:
            two, one = tails[alone[same[0] : same[0] + 2]], heads[alone[same[:1]]]
            if not behind:
                return two, one
            every[one] = False
            few = np.flatnonzero(every)
            every[one], every[two] = True, False
            return few.astype(np.int32), np.flatnonzero(every).astype(np.int32)
    return None


def cut_of_tight(graph: MoveGraph, matching: SuccessorMatching) -> Cells | None:
    """A cut that is the neighbourhood of a tight set that rules out the first unusable edge, if one is."""
    k, edges = int(np.flatnonzero(matching.unusable)[0]), graph.edges()
    known: list[Cells] = []
    for tight in matching.tight_sets(int(matching.tails[k]), int(graph.indices[k])):
        cut = np.sort(matching.successor[tight]).astype(np.int32)
        if 0 < len(cut) < graph.size and not any(np.array_equal(cut, other) for other in known):
            known.append(cut)
    known.sort(key=len)
    return next((cut for cut in known if parts_without(graph.size, edges, cut)[0] > len(cut)), None)


def parts_without(n: int, edges: Cells, cut: Cells) -> tuple[int, Cells]:
    """How many parts are left without the cells of a cut, and the part of every cell."""
    kept = edges[~mask_of(cut, n)[edges].any(axis=1)]
    count, label = components(rows_from(n, *kept.T))
    return count - len(cut), label


def odd_part(n: int, undecided: Cells, forced: Cells) -> Cells | None:
    """The fewest cells that undecided edges connect and that an odd number of forced edges leave.

    Args:
        n: the number of cells.
        undecided: the edges that may or may not be used, (m, 2).
        forced: the number of forced edges of each cell: inside the part they count twice.
    """
    _, label = components(rows_from(n, *undecided.T))
    odd = np.flatnonzero(np.bincount(label, weights=forced) % 2)
    if not odd.size:
        return None
    return np.flatnonzero(label == odd[np.argmin(np.bincount(label)[odd])]).astype(np.int32)


def colours(graph: MoveGraph) -> tuple[Step, Cells] | None:
    """Separate parts, or a two-coloured one whose colours differ; with the colour of every cell."""
    _, (black, white) = sides(graph)
    if int(np.minimum(black, white).max(initial=0)) > 0:
        return Step("cut"), np.minimum(black, white)
    count = np.count_nonzero(black == black[0])
    if black[0] != white[0] and 2 * count != graph.size:
        more = black[0] if 2 * count > graph.size else white[0]
        return Step("colours", (int(np.flatnonzero(black == more)[0]),)), black
    return None


def too_far(question: Question) -> tuple[int, int] | None:
    """Two cells given at steps with too few moves, or moves of the wrong parity, from one to the other.

    Time: linear in the moves, for each cell that is given.
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
    """The smallest set of cells that edges lead to one another in, and none out of; None if it is all cells.

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
        """The smallest of a few sets with fewer neighbours than members. Not all cells may be matched."""
        found = min((reached(self.digraph, cell) for cell in self.unmatched[:8]), key=len)
        return np.sort(found).astype(np.int32)

    @cached_property
    def unusable(self) -> Mask:
        """Which places of `indices` belong to edges that no cover uses. All cells must be matched."""
        _, component = strong_components(self.digraph)
        return np.asarray(component[self.tails] != component[self.predecessor[self.indices]])

    @cached_property
    def covers_are_even(self) -> bool:
        """Whether all covers of a directed graph have an even number of cycles, by the rule `sign`.

        D leads around the tails of every group. All cells must be matched.
        """
        if np.bincount(self.tails).max() > 2 or self.unusable.any():
            return False
        every = np.arange(self.size, dtype=np.int32)
        cycles, _ = components(rows_from(self.size, every, self.successor))
        _, group = components(self.digraph)
        return cycles % 2 == 0 and bool((np.bincount(group) % 2).all())

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

    def along(self, graph: MoveGraph) -> MoveGraph:
        """The directed graph of the edges along which a tour may go."""
        return graph.where(self.ahead(graph.tails, graph.indices), directed=True)

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


def leading(here: Mask, there: Mask) -> Between:
    """The edges from cells here to cells there."""
    return lambda a, b: here[a] & there[b]


def mask_of(cells: NDArray[np.integer], n: int) -> Mask:
    """Which of n cells are among these."""
    mask = np.zeros(n, dtype=np.bool_)
    mask[cells] = True
    return mask


def tuple_of(cells: Iterable[int] | Cells) -> tuple[int, ...]:
    """Cells as a step of a proof has them."""
    return tuple(int(cell) for cell in cells)
