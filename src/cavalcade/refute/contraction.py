"""Contraction: a set of cells behind two or three edges becomes one cell.

A tour passes once through a set of cells that two or three edges leave. So a tour of the graph gives a tour
of the graph in which that set is one cell, and of the graph in which all other cells are one cell. If either
graph has no tour, there is none. A family of such sets, any two disjoint or nested, divides the graph into
*pieces*, in each of which everything behind such edges is one cell; `refute.reasons` and `refute.sweep`
examine each piece. For SAT such graphs are hard: SAT would need to count edges modulo 2, or cells of one
colour.

The sets are found by random labels: edges outside a spanning tree have random numbers, and an edge of the
tree has the sum (modulo 2, bit by bit) of the numbers of the edges that close a cycle with it. Edges whose
labels add up to 0 are a cut with high probability (Pritchard & Thurimella 2011), and the checker counts them
in any case.

m is the number of edges. The cells behind a cut are ranges of the tree in preorder.

Time: proportional to m² for three edges, a quarter of a second for 13,500.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from cavalcade.answers.certificate import Step, StepProof, Term
from cavalcade.ground.budget import Budget, BudgetOverError
from cavalcade.ground.kernels import Cells, Ints
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import deep
from cavalcade.question.question import Question
from cavalcade.refute.reasons import reasons
from cavalcade.refute.sets import PASS, mask_of
from cavalcade.refute.sweep import sweep

# Bits of a label that index a table of 1 MB, which fits into the cache; most pairs of edges fail there.
FILTER = 20
# Cells of the smallest piece: one of four cells that is not refuted at once is K4, which has a tour.
SMALLEST = 5
# Cells on the frontier of the sweep of a piece, which bounds the states of a vertex: a hard piece must leave
# work for the others.
NARROW = 12
# Counted work of a pair of edges, 3 ns.
PAIR = 0.3

Cuts: TypeAlias = Callable[[Ints, Budget], Iterator[tuple[int, ...]]]  # the cuts, by the labels of all edges


class ContractedGraph(NamedTuple):
    """A graph in which sets of cells are contracted.

    Attributes:
        contracted: the sets.
        graph: the graph after the contractions.
        names: the cell of the whole graph for each cell of the piece, the first one of a contracted set.
    """

    contracted: list[Cells]
    graph: MoveGraph
    names: list[int]


def contraction(question: Question, budget: Budget, *, seed: int = 0) -> StepProof | None:
    """Prove that a piece behind cuts of two or three edges has no tour: an engine.

    Args:
        question: the question.
        budget: the work that may be done. All of it is spent if more work could lead to a proof.
        seed: of the random labels.
    """
    graph = question.as_cycle
    if question.one_way or graph.size < SMALLEST or int(graph.degrees.min()) < 2:
        return None
    if PAIR * graph.edge_count**2 / 2 > budget.left:  # the search for cuts would not end
        budget.spend(budget.left)
        return None
    try:
        budget.charge(4 * PASS * graph.edge_count)  # a tree, the labels, their sums, and their order
        pieces = list(_pieces(graph, seed, budget))
    except BudgetOverError:
        return None
    for engine in (partial(reasons, cases=0, seed=seed), partial(sweep, widest=NARROW)):
        for piece in pieces:
            if budget.over:
                return None
            proof = engine(Question(piece.graph), budget)
            if isinstance(proof, StepProof):
                steps = [Step("contract", tuple(cells.tolist())) for cells in piece.contracted]
                return StepProof((*steps, *(named(step, piece.names) for step in proof.steps)))
    return None


def named(step: Step, names: list[int]) -> Step:
    """A step about a piece, with the cells of the whole graph."""
    cases = tuple(tuple(named(inner, names) for inner in case) for case in step.cases)
    terms = tuple(Term(number, tuple(names[cell] for cell in cells)) for number, cells, _ in step.terms)
    return Step(step.rule, tuple(names[cell] for cell in step.cells), cases, terms)


def _pieces(graph: MoveGraph, seed: int, budget: Budget) -> Iterator[ContractedGraph]:
    """Yield the pieces of a graph, smallest first; none if nothing can be contracted."""
    n, edges = graph.size, graph.edges()
    sets, around = _nested(behind(graph, _cuts, seed, budget), n)
    # The sets directly inside each set; the last entry is for the whole graph.
    inside: list[list[Cells]] = [[] for _ in range(len(sets) + 1)]
    for cells, outer in zip(sets, around, strict=True):
        inside[outer].append(cells)
    # A piece has the cells of its set, one cell for each set inside, and one cell for everything outside.
    sizes = [len(cells) + 1 for cells in sets] + [n]
    sizes = [size - sum(len(cells) - 1 for cells in inner) for size, inner in zip(sizes, inside, strict=True)]
    for i in np.argsort(sizes, kind="stable").tolist():
        if not SMALLEST <= sizes[i] < n:
            continue
        budget.charge(4 * PASS * sizes[i])
        contracted = inside[i]
        if i < len(sets):
            contracted.append(np.flatnonzero(~mask_of(sets[i], n)).astype(np.int32))
        first = np.arange(n, dtype=np.int32)
        for cells in contracted:
            first[cells] = cells[0]
        names = np.flatnonzero(first == np.arange(n))
        ends = np.searchsorted(names, first)[edges]
        piece = MoveGraph.from_edges(ends[ends[:, 0] != ends[:, 1]], len(names))
        yield ContractedGraph(contracted, piece, names.tolist())


def _nested(sets: list[Cells], size: int) -> tuple[list[Cells], list[int]]:
    """Select sets of which any two are disjoint or nested, smaller sets first.

    Returns:
        The sets; and for each the number of the next larger set around it, -1 for none.
    """
    kept: list[Cells] = []
    around: list[int] = []
    owner = np.full(size, -1)  # the largest set so far that contains each cell
    for cells in sorted(sets, key=len):
        owners, counts = np.unique(owner[cells], return_counts=True)
        if all(i < 0 or len(kept[i]) == count for i, count in zip(owners, counts, strict=True)):
            for i in owners[owners >= 0].tolist():
                around[i] = len(kept)
            owner[cells] = len(kept)
            kept.append(cells)
            around.append(-1)
    return kept, around


def behind(graph: MoveGraph, cuts: Cuts, seed: int, budget: Budget) -> list[Cells]:
    """The sets of cells behind edges whose labels add up to 0.

    Args:
        graph: the graph.
        cuts: yields sets of edges whose labels add up to 0.
        seed: of the random labels.
        budget: is charged for each set, and by `cuts`.

    Returns:
        The smaller side of each cut in ascending order, if it has at least two cells; none if the graph is
        not connected.
    """
    n = graph.size
    order, parent = deep(graph)
    if len(order) < n:
        return []
    place = np.empty(n, dtype=np.int64)  # of each cell in preorder
    place[order] = np.arange(n)
    # From here on cells are places in preorder, and a tree edge is named by its lower end.
    subtree = [1] * n
    for child in range(n - 1, 0, -1):
        subtree[place[parent[order[child]]]] += subtree[child]
    ends = place[graph.edges()]
    child = ends.max(axis=1)
    tree = place[parent[order[child]]] == ends.min(axis=1)
    labels = np.random.default_rng(abs(seed)).integers(2**63, size=len(ends), dtype=np.int64)
    labels[tree] = 0
    # The label of a tree edge is the sum of the labels at the cells below it, a difference of prefix sums.
    sums = np.zeros(n + 1, dtype=np.int64)
    for side in ends[~tree].T:
        np.bitwise_xor.at(sums, side + 1, labels[~tree])
    sums = np.bitwise_xor.accumulate(sums)
    stop = child + np.array(subtree)[child]
    labels[tree] = sums[stop[tree]] ^ sums[child[tree]]
    sets = []
    for cut in cuts(labels, budget):
        budget.charge(n)
        # The ranges below the tree edges of the cut are nested; one side is every other range between bounds.
        bounds = sorted(bound for e in cut if tree[e] for bound in (int(child[e]), int(stop[e])))
        ranges = list(zip(bounds[::2], bounds[1::2], strict=True))
        size = sum(b - a for a, b in ranges)
        if not 1 < size < n - 1:
            continue
        below = np.zeros(n, dtype=np.bool_)
        for a, b in ranges:
            below[a:b] = True
        sets.append(np.sort(order[below if 2 * size <= n else ~below]).astype(np.int32))
    return sets


def _cuts(labels: Ints, budget: Budget) -> Iterator[tuple[int, ...]]:
    """Yield the pairs and triples of edges whose labels add up to 0."""
    by_label = np.argsort(labels, kind="stable")
    ascending = labels[by_label]
    # Pairs: each edge with the first edge that has the same label.
    first = np.searchsorted(ascending, ascending)
    for i in np.flatnonzero(first < np.arange(len(labels))).tolist():
        yield int(by_label[first[i]]), int(by_label[i])
    # Triples: for two edges look up the sum of their labels, in the table of the lowest bits first.
    low_bits = (1 << FILTER) - 1
    is_label = np.zeros(1 << FILTER, dtype=np.bool_)
    is_label[labels & low_bits] = True
    for i in range(len(labels)):
        budget.charge(PAIR * (len(labels) - i) + 4 * PASS)
        sums = labels[i] ^ labels[i + 1 :]
        candidates = np.flatnonzero(is_label[sums & low_bits])
        index = np.minimum(np.searchsorted(ascending, sums[candidates]), len(labels) - 1)
        for j in np.flatnonzero(ascending[index] == sums[candidates]).tolist():
            second, third = i + 1 + int(candidates[j]), int(by_label[index[j]])
            if third > second:
                yield i, second, third
