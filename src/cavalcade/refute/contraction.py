"""Contraction: a set of cells behind two or three edges becomes one cell.

A tour passes once through a set of cells that two or three edges leave. So a tour of the graph gives a tour
of the graph in which that set is one cell, and of the graph in which all other cells are one cell. If either
graph has no tour, there is none. A family of such sets, any two disjoint or nested, divides the graph into
*pieces*, in each of which everything behind such edges is one cell; `refute.reasons` and `refute.sweep`
examine each piece. For SAT such graphs are hard: SAT would need to count edges modulo 2, or cells of one
colour.

The sets are found by random labels: edges outside a spanning tree have random numbers, and an edge of the
tree has the sum (modulo 2, bit by bit) of those whose cycles it lies on. Edges whose labels add up to 0 are
a cut with high probability (Pritchard & Thurimella 2011), and the checker counts them in any case.

m is the number of edges; the cells behind a cut are ranges of the tree in preorder.

Time: proportional to m² for three edges, a quarter of a second for 13,500.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from cavalcade.answers.certificate import Step, StepProof
from cavalcade.ground.budget import Budget, BudgetOverError
from cavalcade.ground.kernels import Cells, Ints
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import deep
from cavalcade.question.question import Question
from cavalcade.refute.reasons import reasons
from cavalcade.refute.sets import mask_of
from cavalcade.refute.sweep import sweep

MOST_EDGES = 40_000
FILTER = 20  # bits of the labels in a table of 1 MB that most pairs of edges fail
SMALL = 200  # cells; only a piece of at most this size is searched with cases
SMALLEST = 5  # cells of a piece: a piece of four cells that is not refuted at once is K4, which has a tour
CASES = 100  # nodes of the tree of cases of a piece
NARROW = 12  # cells on the frontier of a sweep of a piece
SHARE = 0.25  # share of the remaining work for one engine on one piece
SEARCH = 200  # work for each edge to find the sets
PAIR = 0.3  # work for each pair of edges

Cuts: TypeAlias = Callable[[Ints, Budget], Iterator[tuple[int, ...]]]  # the cuts by the labels of all edges


def contraction(question: Question, budget: Budget, *, seed: int = 0) -> StepProof | None:
    """A proof that a piece behind cuts of two or three edges has no tour: an engine; labels are random."""
    graph = question.as_cycle
    if (
        question.one_way
        or not graph.size >= 5
        or graph.edge_count > MOST_EDGES
        or int(graph.degrees.min()) < 2
    ):
        return None
    try:
        budget.charge(SEARCH * graph.edge_count)
        pieces = list(_pieces(graph, seed, budget))
    except BudgetOverError:
        return None
    parts: list[Budget] = []
    for cases in (0, CASES):
        for contracted, piece, names in pieces:
            if budget.over:
                return None
            behind, share = Question(piece), SHARE * budget.left
            parts += budget.part(share), budget.part(share)
            proof = sweep(behind, parts[-2], widest=NARROW) if cases else None
            if not isinstance(proof, StepProof) and (piece.size <= SMALL or not cases):
                proof = reasons(behind, parts[-1], cases=cases, seed=seed)
            if isinstance(proof, StepProof):
                steps = [Step("contract", tuple(one.tolist())) for one in contracted]
                return StepProof((*steps, *(named(step, names) for step in proof.steps)))
    if any(part.over for part in parts):  # with more work another answer is possible
        budget.spend(budget.left)
    return None


def named(step: Step, names: list[int]) -> Step:
    """A step about a piece, with the cells of the whole graph."""
    cases = tuple(tuple(named(one, names) for one in case) for case in step.cases)
    terms = tuple((number, tuple(names[cell] for cell in cells)) for number, cells in step.terms)
    return Step(step.rule, tuple(names[cell] for cell in step.cells), cases, terms)


def _pieces(
    graph: MoveGraph, seed: int, budget: Budget
) -> Iterator[tuple[list[Cells], MoveGraph, list[int]]]:
    """The pieces of a graph, smallest first: the sets contracted, the graph after that, its cells' names.

    There are none if nothing can be contracted.
    """
    sets = _nested(behind(graph, _cuts, seed, budget), graph.size)
    inside: list[list[Cells]] = [
        [] for _ in range(len(sets) + 1)
    ]  # the sets directly inside each set; the last entry is for the whole graph
    inside[-1] = [one for one, over in sets if over < 0]
    for one, over in sets:
        if over >= 0:
            inside[over].append(one)
    sizes = [len(one) + 1 for one, _ in sets] + [graph.size]
    sizes = [size - sum(len(one) - 1 for one in some) for size, some in zip(sizes, inside, strict=True)]
    edges = graph.edges()
    for i in np.argsort(sizes, kind="stable").tolist():
        if not SMALLEST <= sizes[i] < graph.size:
            continue
        budget.charge(SEARCH * sizes[i])
        contracted = inside[i]
        if i < len(sets):
            contracted.append(np.flatnonzero(~mask_of(sets[i][0], graph.size)).astype(np.int32))
        block = np.arange(graph.size, dtype=np.int32)
        for one in contracted:
            block[one] = one[0]
        names = np.flatnonzero(block == np.arange(graph.size))
        ends = np.searchsorted(names, block)[edges]
        piece = MoveGraph.from_edges(ends[ends[:, 0] != ends[:, 1]], len(names))
        yield contracted, piece, names.tolist()


def _nested(sets: list[Cells], size: int) -> list[tuple[Cells, int]]:
    """Some of these sets, any two disjoint or nested, each with the number of the next set around, or -1."""
    found: list[tuple[Cells, int]] = []
    owner = np.full(size, -1)  # the largest set so far that contains each cell
    for one in sorted(sets, key=len):
        under, counts = np.unique(owner[one], return_counts=True)
        if all(i < 0 or len(found[i][0]) == count for i, count in zip(under, counts, strict=True)):
            for i in under[under >= 0].tolist():
                found[i] = (found[i][0], len(found))
            owner[one] = len(found)
            found.append((one, -1))
    return found


def behind(graph: MoveGraph, cuts: Cuts, seed: int, budget: Budget) -> list[Cells]:
    """The sets of at least 2 cells, and at most half of all, behind edges whose labels add up to 0."""
    n = graph.size
    order, above = deep(graph)
    if len(order) < n:
        return []
    at = np.empty(n, dtype=np.int64)
    at[order] = np.arange(n)
    weight = [1] * n  # by place in the order: how many are below
    for child in range(n - 1, 0, -1):
        weight[at[above[order[child]]]] += weight[child]
    ends = at[graph.edges()]
    child = ends.max(axis=1)
    tree = at[above[order[child]]] == ends.min(axis=1)
    labels = np.random.default_rng(abs(seed)).integers(2**63, size=len(ends), dtype=np.int64)
    labels[tree] = 0
    sums = np.zeros(n + 1, dtype=np.int64)
    for side in ends[~tree].T:
        np.bitwise_xor.at(sums, side + 1, labels[~tree])
    sums = np.bitwise_xor.accumulate(sums)
    stop = child + np.array(weight)[child]  # the places below an edge of the tree, from `child` on
    labels[tree] = sums[stop[tree]] ^ sums[child[tree]]
    found = []
    for cut in cuts(labels, budget):
        budget.charge(n)
        stops = sorted(place for e in cut if tree[e] for place in (int(child[e]), int(stop[e])))
        ranges = list(zip(stops[::2], stops[1::2], strict=True))
        size = sum(b - a for a, b in ranges)
        if not 1 < size < n - 1:
            continue
        below = np.zeros(n, dtype=np.bool_)
        for a, b in ranges:
            below[a:b] = True
        found.append(np.sort(order[below if 2 * size <= n else ~below]).astype(np.int32))
    return found


def _cuts(labels: Ints, budget: Budget) -> Iterator[tuple[int, ...]]:
    """Two or three edges whose labels add up to 0."""
    by_label = np.argsort(labels, kind="stable")
    ascending = labels[by_label]
    group = np.searchsorted(ascending, ascending)  # the place of the first edge with the same label
    for i in np.flatnonzero(group < np.arange(len(labels))).tolist():
        yield int(by_label[group[i]]), int(by_label[i])
    known = np.zeros(1 << FILTER, dtype=np.bool_)
    known[labels & ((1 << FILTER) - 1)] = True
    for i in range(len(labels)):
        budget.charge(PAIR * (len(labels) - i) + SEARCH)
        third = labels[i] ^ labels[i + 1 :]
        may = np.flatnonzero(known[third & ((1 << FILTER) - 1)])
        place = np.minimum(np.searchsorted(ascending, third[may]), len(labels) - 1)
        for j in np.flatnonzero(ascending[place] == third[may]).tolist():
            two, three = i + 1 + int(may[j]), int(by_label[place[j]])
            if three > two:
                yield i, two, three
