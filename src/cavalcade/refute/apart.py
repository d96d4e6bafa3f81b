"""A graph taken apart at four edges, such as a chain of snarks: two smaller graphs, neither with a tour.

`checking.rules.apart` defines the two graphs for a set behind four edges, and proves that one of them has a
tour if the whole graph has one. Either side of the four edges can be the set, and the edges form two pairs in
three ways. If the smaller side has no tour in exactly one of these cases, the search continues with the other
graph, which has more sets behind four edges. The search ends after `MISSES` sides in a row that do have a
tour: a planar cubic graph has hundreds of them. The last graph is refuted like the sides, by `refute.sweep`.
Such graphs are hard for SAT: a minute does not decide a chain of 41 snarks, 906 vertices.

The sets are found by the labels of `refute.contraction`: two pairs of edges with the same sum are a cut. If
two edges are a cut, one of them represents both.

m is the number of edges.

Time: proportional to m² log m; a fifth of a second for 4,000 edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import partial

import numpy as np

from cavalcade.answers.certificate import Step, StepProof
from cavalcade.ground.budget import Budget, BudgetOverError
from cavalcade.ground.kernels import Cells, Ints
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question
from cavalcade.refute.contraction import FILTER, NARROW, SMALLEST, behind, named
from cavalcade.refute.sets import PASS
from cavalcade.refute.sweep import sweep

MOST_EDGES = 4_000  # the sums of all pairs of 4,000 edges take 32 MB
# Sides in a row that cannot be taken away before the search ends, and cuts for each edge that are examined.
# More would find sides in a few more graphs, and delay the other engines in most.
MISSES = 20
CELL = 1_500  # counted work for each cell of a graph that is built, besides its sweep: 15 µs
PAIRINGS = (0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)

Neighbours = dict[int, set[int]]  # the neighbours of each cell
Edges = list[tuple[int, int]]


def apart(question: Question, budget: Budget, *, seed: int = 0) -> StepProof | None:
    """A proof that takes the graph apart at four edges, repeatedly: an engine; labels are random."""
    graph = question.as_cycle
    if question.one_way or not 2 * SMALLEST <= graph.edge_count <= MOST_EDGES or graph.degrees.min() < 2:
        return None
    try:
        return _taken_apart({v: set(graph.neighbours(v).tolist()) for v in range(graph.size)}, seed, budget)
    except BudgetOverError:
        return None


def _taken_apart(neighbours: Neighbours, seed: int, budget: Budget) -> StepProof | None:
    """Take away one side after another, and refute the remaining graph."""
    steps: list[Step] = []
    tried: set[frozenset[int]] = set()
    sets, misses = _sets_behind_four(neighbours, seed, budget), 0
    while sets and misses < MISSES:
        before = len(steps)
        for cells in sets:
            if misses == MISSES:
                break
            side = cells.intersection(neighbours)
            if 2 * len(side) > len(neighbours):
                side = frozenset(neighbours).difference(cells)
            if side in tried or not (four := _four_leaving(neighbours, side, budget)):
                continue
            tried.add(side)
            if (parts := _without(neighbours, side, four, budget)) is None:
                misses += 1
                continue
            step, neighbours = parts
            steps.append(step)
            misses = 0
        sets = _sets_behind_four(neighbours, seed, budget) if len(steps) > before else []
    last = _refuted(neighbours, budget) if steps else None
    return None if last is None else StepProof((*steps, *last))


def _four_leaving(neighbours: Neighbours, side: frozenset[int], budget: Budget) -> Edges:
    """The edges that leave a side, from inside to outside, if they are four with eight ends; else none."""
    budget.charge(4 * PASS * len(side))
    leaving = [(v, w) for v in sorted(side) for w in sorted(neighbours[v] - side)]
    return leaving if len(leaving) == 4 and len({end for edge in leaving for end in edge}) == 8 else []


def _without(
    neighbours: Neighbours, side: frozenset[int], four: Edges, budget: Budget
) -> tuple[Step, Neighbours] | None:
    """Take a side away if exactly one of its three graphs has no tour.

    Returns:
        The step, with the proof about the side, and the other graph; or None.
    """
    others = neighbours.keys() - side
    for is_set in (True, False):
        # A step contains the proof about the smaller graph.
        if is_set and len(side) + 2 > len(others):
            continue
        steps = []
        for pairing in PAIRINGS:
            (a, p), (b, q), (c, r), (d, s) = (four[i] for i in pairing)
            if is_set:
                cells = a, p, b, q, c, r, d, s
                piece = _part(neighbours, side | {p, r}, (p, r), (p, b), (r, d))
            else:
                cells = p, a, q, b, r, c, s, d
                piece = _part(neighbours, side, (a, b), (c, d))
            if (proof := _refuted(piece, budget)) is not None:
                steps.append(Step("apart", cells, (proof,)))
        if len(steps) == 1:
            budget.charge(CELL * len(others))
            (step,) = steps
            if is_set:
                _, p, _, q, _, r, _, s = step.cells
                return step, _part(neighbours, others, (p, q), (r, s))
            _, a, q, _, _, c, s, _ = step.cells
            return step, _part(neighbours, others | {a, c}, (a, c), (a, q), (c, s))
        if steps:  # nothing tells which of several steps leaves a graph without a tour
            return None
    return None


def _part(neighbours: Neighbours, cells: AbstractSet[int], *extra: tuple[int, int]) -> Neighbours:
    """The subgraph of some cells with extra edges."""
    part = {v: neighbours[v] & cells for v in cells}
    for v, w in extra:
        part[v].add(w)
        part[w].add(v)
    return part


def _graph(neighbours: Neighbours) -> tuple[MoveGraph, list[int]]:
    """A graph with vertices from 0 on, and the cell of each vertex."""
    names = sorted(neighbours)
    number = {v: i for i, v in enumerate(names)}
    edges = [(number[v], number[w]) for v in names for w in neighbours[v] if v < w]
    return MoveGraph.from_edges(edges, len(names)), names


def _refuted(neighbours: Neighbours, budget: Budget) -> tuple[Step, ...] | None:
    """A proof that a graph has no tour."""
    graph, names = _graph(neighbours)
    budget.charge(CELL * graph.size)
    proof = sweep(Question(graph), budget, widest=NARROW)
    return tuple(named(step, names) for step in proof.steps) if isinstance(proof, StepProof) else None


def _sets_behind_four(neighbours: Neighbours, seed: int, budget: Budget) -> list[frozenset[int]]:
    """The sets of cells behind four edges, smallest first."""
    graph, names = _graph(neighbours)
    sets = sorted(behind(graph, partial(_cuts, graph.edges()), seed, budget), key=len)
    return [frozenset(names[v] for v in cells.tolist()) for cells in sets]


def _cuts(edges: Cells, labels: Ints, budget: Budget) -> Iterator[tuple[int, ...]]:
    """Four edges with eight ends whose labels add up to 0, up to `MISSES` times for each edge."""
    distinct_labels, number = np.unique(labels, return_index=True)
    budget.charge(len(distinct_labels) ** 2)
    remaining = MISSES * len(distinct_labels)
    for pairs in _pairs_with_equal_sums(distinct_labels):
        # Four edges form two pairs in three ways: keep one of them.
        fours = number[pairs[pairs[:, 1] < pairs[:, 2]]]
        ends = np.sort(edges[fours].reshape(-1, 8), axis=1)
        fours = fours[(ends[:, 1:] != ends[:, :-1]).all(axis=1)][:remaining]
        remaining -= len(fours)
        yield from map(tuple, fours.tolist())


def _pairs_with_equal_sums(labels: Ints) -> Iterator[Ints]:
    """Two pairs of labels with the same sum (bitwise, modulo 2), in arrays of shape (count, 4)."""
    m = len(labels)
    # Half of each label excludes almost all pairs, in half the time.
    short = labels.astype(np.int32)
    begins = np.concatenate([[0], np.cumsum(np.arange(m - 1, -1, -1))])
    sums = np.empty(begins[-1], dtype=np.int32)
    for i in range(m):
        np.bitwise_xor(short[i], short[i + 1 :], out=sums[begins[i] : begins[i + 1]])
    ordered = np.sort(sums)
    # A table of the lowest bits of all sums that occur twice excludes most pairs without a search.
    low = (1 << FILTER) - 1
    is_repeated = np.zeros(low + 1, dtype=np.bool_)
    is_repeated[ordered[1:][ordered[1:] == ordered[:-1]] & low] = True
    candidates = np.flatnonzero(is_repeated[sums & low])
    first = np.searchsorted(begins, candidates, side="right") - 1
    second = candidates - begins[first] + first + 1
    # Compare the sums of whole labels in ascending order: neighbours first, then at larger gaps.
    whole = labels[first] ^ labels[second]
    order = np.argsort(whole, kind="stable")
    whole, pairs = whole[order], np.stack([first, second], axis=1)[order]
    for gap in range(1, len(whole)):
        equal = np.flatnonzero(whole[gap:] == whole[:-gap])
        if not equal.size:
            return
        yield np.concatenate([pairs[equal], pairs[equal + gap]], axis=1)
