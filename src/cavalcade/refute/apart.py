"""A graph taken apart at four edges, as a chain of snarks: two smaller graphs, neither of which has a tour.

`checking.rules.apart` says which two graphs there are for a set behind four edges, and why one of them has a
tour if the whole has one. Either side of the four edges may be the set, and the edges make two pairs in three
ways. If the smaller side has no tour in just one of these ways, the search goes on with the other graph, in
which more sets are behind four edges. Where side after side has a tour, it ends soon: a planar cubic graph
has hundreds of them. The last graph is refuted like the pieces, by `refute.sweep`. For
SAT such graphs are hard: a minute does not decide a chain of 41 snarks, 906 vertices.

The sets are found by the labels of `refute.contraction`: two pairs of edges with the same sum are a cut.
Where two edges are a cut, one of them stands for both.

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
from cavalcade.refute.contraction import NARROW, SMALLEST, behind, named
from cavalcade.refute.sets import PASS
from cavalcade.refute.sweep import sweep

MOST_EDGES = 4_000
MISSES = 20  # sides in a row that cannot be taken away: then hardly any can
PAIR = 1.5  # work for each two edges,
PIECE, CELL = 30_000, 1_000  # for each graph that is looked at, and each of its cells
CUTS = 20  # for each edge, at most
LOW = (1 << 18) - 1  # the bits of a sum that are looked at first
TOP = 61  # and those below which tell sums apart that are looked at together
PAIRINGS = (0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)

Near = dict[int, set[int]]  # of each cell the cells next to it
Edges = list[tuple[int, int]]
Proved = tuple[Step, ...]


def apart(question: Question, budget: Budget, *, seed: int = 0) -> StepProof | None:
    """A proof that takes the graph apart at four edges, again and again: an engine; labels are random."""
    graph = question.as_cycle
    if question.one_way or not 2 * SMALLEST <= graph.edge_count <= MOST_EDGES or graph.degrees.min() < 2:
        return None
    try:
        return _taken_apart({v: set(graph.neighbours(v).tolist()) for v in range(graph.size)}, seed, budget)
    except BudgetOverError:
        return None


def _taken_apart(near: Near, seed: int, budget: Budget) -> StepProof | None:
    """Take away one side after the other, and refute what remains."""
    steps: list[Step] = []
    tried: set[frozenset[int]] = set()
    sets, misses = _behind_four(near, seed, budget), 0
    while sets and misses < MISSES:
        before = len(steps)
        for one in sets:
            if misses == MISSES:
                break
            side = one.intersection(near)
            if 2 * len(side) > len(near):
                side = frozenset(near).difference(one)
            if side in tried or not (four := _four(near, side, budget)):
                continue
            tried.add(side)
            if (found := _without(near, side, four, budget)) is None:
                misses += 1
                continue
            step, near = found
            steps.append(step)
            misses = 0
        sets = _behind_four(near, seed, budget) if len(steps) > before else []
    last = _refuted(near, budget) if steps else None
    return None if last is None else StepProof((*steps, *last))


def _four(near: Near, side: frozenset[int], budget: Budget) -> Edges:
    """The edges that lead out of a side, if they are four with eight ends; else none."""
    budget.charge(4 * PASS * len(side))
    found = [(v, w) for v in sorted(side) for w in sorted(near[v] - side)]
    return found if len(found) == 4 and len({end for edge in found for end in edge}) == 8 else []


def _without(near: Near, side: frozenset[int], four: Edges, budget: Budget) -> tuple[Step, Near] | None:
    """The step that takes a side away, if just one of three graphs has no tour, and the other graph."""
    others = near.keys() - side
    for is_set in (True, False):
        if is_set and len(side) + 2 > len(others):  # a step has the proof about the smaller graph with it
            continue
        found = []
        for pairing in PAIRINGS:
            (a, p), (b, q), (c, r), (d, s) = (four[i] for i in pairing)
            if is_set:
                cells = a, p, b, q, c, r, d, s
                piece = _part(near, side | {p, r}, (p, r), (p, b), (r, d))
            else:
                cells = p, a, q, b, r, c, s, d
                piece = _part(near, side, (a, b), (c, d))
            if (proof := _refuted(piece, budget)) is not None:
                found.append(Step("apart", cells, (proof,)))
        if len(found) == 1:
            budget.charge(CELL * len(others))
            (step,) = found
            if is_set:
                _, p, _, q, _, r, _, s = step.cells
                return step, _part(near, others, (p, q), (r, s))
            _, a, q, _, _, c, s, _ = step.cells
            return step, _part(near, others | {a, c}, (a, c), (a, q), (c, s))
        if found:  # of several, nothing tells which leaves no tour
            return None
    return None


def _part(near: Near, cells: AbstractSet[int], *more: tuple[int, int]) -> Near:
    """These cells alone, the edges between them, and more."""
    part = {v: near[v] & cells for v in cells}
    for v, w in more:
        part[v].add(w)
        part[w].add(v)
    return part


def _graph(near: Near) -> tuple[MoveGraph, list[int]]:
    """A graph, and the cells that its vertices stand for."""
    names = sorted(near)
    number = {v: i for i, v in enumerate(names)}
    edges = [(number[v], number[w]) for v in names for w in near[v] if v < w]
    return MoveGraph.from_edges(edges, len(names)), names


def _refuted(near: Near, budget: Budget) -> Proved | None:
    """A proof that a graph has no tour."""
    graph, names = _graph(near)
    budget.charge(PIECE + CELL * graph.size)
    proof = sweep(Question(graph), budget, widest=NARROW)
    return tuple(named(step, names) for step in proof.steps) if isinstance(proof, StepProof) else None


def _behind_four(near: Near, seed: int, budget: Budget) -> list[frozenset[int]]:
    """The sets behind four edges, smallest first."""
    graph, names = _graph(near)
    found = sorted(behind(graph, partial(_cuts, graph.edges()), seed, budget), key=len)
    return [frozenset(names[v] for v in one.tolist()) for one in found]


def _cuts(edges: Cells, labels: Ints, budget: Budget) -> Iterator[tuple[int, ...]]:
    """Four edges with eight ends whose labels add up to 0, but not too many."""
    known, number = np.unique(labels, return_index=True)
    budget.charge(PAIR * len(known) ** 2 / 2)
    top, left = known >> TOP, CUTS * len(known)
    bounds = np.searchsorted(top, np.arange(2 ** (63 - TOP) + 1))
    for high in range(2 ** (63 - TOP)):  # the first bits of a sum: fewer at a time stay in the cache
        start = np.maximum(bounds[top ^ high], np.arange(len(known)) + 1)
        stop = np.maximum(bounds[(top ^ high) + 1], start)
        for pairs in _pairs_with_one_sum(known, start, stop):
            fours = number[pairs[pairs[:, 1] < pairs[:, 2]]]  # of the three ways to make two pairs, one
            ends = np.sort(edges[fours].reshape(-1, 8), axis=1)
            fours = fours[(ends[:, 1:] != ends[:, :-1]).all(axis=1)][:left]
            left -= len(fours)
            yield from map(tuple, fours.tolist())


def _pairs_with_one_sum(labels: Ints, start: Ints, stop: Ints) -> Iterator[Ints]:
    """Two pairs of labels with the same sum, in a row; for each first label the second is in a range."""
    begins = np.concatenate([[0], np.cumsum(stop - start)])
    sums = np.empty(begins[-1], dtype=np.int32)  # half of a label tells almost as much, in half the time
    short = labels.astype(np.int32)
    for one, a, b, p, q in zip(
        short, *(some.tolist() for some in (start, stop, begins, begins[1:])), strict=False
    ):
        np.bitwise_xor(short[a:b], one, out=sums[p:q])
    ordered = np.sort(sums)
    low = np.zeros(LOW + 1, dtype=np.bool_)  # whether a sum that comes again ends in these bits
    low[ordered[1:][ordered[1:] == ordered[:-1]] & LOW] = True
    some = np.flatnonzero(low[sums & LOW])
    first = np.searchsorted(begins, some, side="right") - 1
    second = some - begins[first] + start[first]
    whole = labels[first] ^ labels[second]
    order = np.argsort(whole, kind="stable")
    whole, pairs = whole[order], np.stack([first, second], axis=1)[order]
    for further in range(1, len(whole)):
        same = np.flatnonzero(whole[further:] == whole[:-further])
        if not same.size:
            return
        yield np.concatenate([pairs[same], pairs[same + further]], axis=1)
