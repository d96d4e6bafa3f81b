"""Longest walks without a crossing in space: SAT, from below, with a proof that none is longer.

`find.uncrossed` needs a plane: only there are the paths behind the line of its search nested like brackets.
In space two moves cross if they have a point in common that is not an end of both. The formula has a variable
for each move, and one for each cell that is idle, which means that the walk does not visit it. Two moves that
cross are not both used, and at most `size - cells` cells are idle. `checking.uncrossed` defines the clauses.

A solution is a set of cycles. An open walk becomes a cycle by an extra vertex that is joined to each cell.
The largest cycle of a solution is the longest walk so far, and from then on walks need one more cell. All
cycles of a solution have fewer cells than that, so each becomes a cut: if one of its vertices is used, then
an edge leaves them. When no solution is left, the cuts and the clauses learnt are the proof.

Time: closed walks of 3x3x3 2 s, of 3x3x4 30 s, of which the search for the walk takes 1 s, and the proof the
rest. On larger boxes the search finds long walks, but no proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from itertools import product
from typing import NamedTuple

import numpy as np

from cavalcade.answers.certificate import SatProof
from cavalcade.ground.budget import Budget, assert_room
from cavalcade.ground.kernels import Cells, Ints, Mask
from cavalcade.question.graph import MoveGraph
from cavalcade.refute.formula import Edges, counted, counter, edges_of


class LongWalk(NamedTuple):
    """A walk without a crossing.

    Attributes:
        cells: the walk; empty if there is none.
        proof: the proof that no walk visits more cells; None if the walk visits all cells, or if the search
            did not end.
        ended: whether no walk visits more cells.
    """

    cells: list[int]
    proof: SatProof | None
    ended: bool


def least_cells(cells: int, *, closed: bool) -> int:
    """The cells that a walk needs to be longer than one of `cells` cells; a walk has a move."""
    return max(cells + 1, 3 if closed else 2)


def long_walk(graph: MoveGraph, coords: Ints, vectors: Cells, *, closed: bool) -> LongWalk:
    """Search for a longest walk without a crossing, until the time limit.

    Args:
        graph: the moves.
        coords: coordinates of the cells, shape (n, d).
        vectors: all moves as differences of coordinates, shape (k, d).
        closed: whether the walk returns to its first cell, by three moves or more.

    Raises:
        TooLargeError: the formula does not fit into memory.
    """
    n, edges = graph.size, edges_of(graph)
    crossings = list(crossing_moves(coords, vectors, edges))
    if not closed:  # the extra vertex n comes last, so the edges stay in ascending order if sorted again
        joined = np.stack([np.arange(n), np.full(n, n)], axis=1)
        edges = np.concatenate([edges, joined])
        order = np.lexsort((edges[:, 1], edges[:, 0]))
        number = np.argsort(order) + 1
        edges = edges[order]
    else:
        number = np.arange(len(edges)) + 1
    # Measured as for `sat`: 3,000 bytes for an edge. The totalizer has about n * n clauses of 100 bytes.
    assert_room(3_000 * len(edges) + 100 * n * n, f"a formula with {len(edges):,} moves")
    search = _Search(edges, n, closed=closed)
    with closing(search), suppress(TimeoutError):
        search.solver.state([-int(number[a]), -int(number[b])] for a, b in crossings)
        search.run(Budget())
    return search.best


def crossing_moves(coords: Ints, vectors: Cells, edges: Edges) -> Iterator[tuple[int, int]]:
    """Yield the pairs of edges that cross, as indices, each pair once.

    Whether two moves cross depends on their vectors and the offset between their first cells alone. So the
    offsets are listed for each pair of vectors, and then looked up for each move.

    Args:
        coords: coordinates of the cells.
        vectors: all moves as differences of coordinates.
        edges: the edges as pairs of cells.
    """
    steps = coords[edges[:, 1]] - coords[edges[:, 0]]
    kinds: dict[tuple[int, ...], list[tuple[int, list[int]]]] = {tuple(step): [] for step in steps.tolist()}
    index: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = {}
    for edge, (start, step) in enumerate(zip(coords[edges[:, 0]].tolist(), steps.tolist(), strict=True)):
        kinds[tuple(step)].append((edge, start))
        index[tuple(step), tuple(start)] = edge
    reach = 2 * np.abs(vectors).max(axis=0, initial=0)
    offsets = np.array(list(product(*(range(-r, r + 1) for r in reach.tolist()))), dtype=np.int64)
    for step, moves in kinds.items():
        for second_step in kinds:
            crossed = offsets[_cross(np.array(step), np.array(second_step), offsets)].tolist()
            for edge, start in moves:
                for offset in crossed:
                    later = index.get((second_step, tuple(map(sum, zip(start, offset, strict=True)))))
                    if later is not None and edge < later:
                        yield edge, later


def _cross(u: Ints, w: Ints, offsets: Ints) -> Mask:
    """Whether the segment from 0 to u crosses the segments from each offset r to r + w.

    The lines meet where s u = r + t w. The equations for s and t of least squares have integer coefficients,
    and their solution is a common point if it satisfies s u = r + t w.
    """
    uu, uw, ww = int(u @ u), int(u @ w), int(w @ w)
    ur, wr = offsets @ u, offsets @ w
    determinant = uu * ww - uw * uw  # positive unless u and w are parallel
    if determinant:
        s, t = ww * ur - uw * wr, uw * ur - uu * wr  # times the determinant
        common = (determinant * offsets + t[:, None] * w == s[:, None] * u).all(axis=1)
        within = (s >= 0) & (s <= determinant) & (t >= 0) & (t <= determinant)
        share_an_end = ((s == 0) | (s == determinant)) & ((t == 0) | (t == determinant))
        return np.asarray(common & within & ~share_an_end)
    # Parallel moves cross if they overlap, by more than a point, on one line.
    on_line = (uu * offsets == ur[:, None] * u).all(axis=1)
    low, high = np.minimum(ur, ur + uw), np.maximum(ur, ur + uw)
    return np.asarray(on_line & (low < uu) & (high > 0))


class _Search:
    """The formula in a solver, and the longest walk so far.

    Attributes:
        best: the longest walk so far.
        solver: the solver.
    """

    def __init__(self, edges: Edges, cells: int, *, closed: bool) -> None:
        from cavalcade.refute.cadical import Cadical

        self.edges, self.cells, self.closed = edges, cells, closed
        self.best = LongWalk([], None, ended=False)
        self.cuts: list[tuple[int, ...]] = []
        self.solver = Cadical()
        self.rows: list[list[int]] = [[] for _ in range(cells + (not closed))]
        for k, (a, b) in enumerate(edges.tolist(), 1):
            self.rows[a].append(k)
            self.rows[b].append(k)
        idle = range(len(edges) + 1, len(edges) + 1 + cells)
        free = idle.stop
        for cell, row in enumerate(self.rows):
            # Two edges, or twice the variable of an idle cell.
            counted_row = [*row, idle[cell], idle[cell]] if cell < cells else row
            if len(counted_row) > 1:
                self.solver.state(counter(counted_row, free))
                free += 2 * len(counted_row) - 3
        clauses, self.outputs = counted([[[-k]] for k in idle], cells, free)
        self.solver.state(clauses)
        self._need(least_cells(0, closed=closed))

    def close(self) -> None:
        """Close the solver."""
        self.solver.delete()

    def _need(self, cells: int) -> None:
        """Require walks of at least this many cells."""
        if cells <= self.cells:
            self.solver.state([[-self.outputs[self.cells - cells]]])

    def run(self, budget: Budget) -> None:
        """Lengthen the best walk until no walk visits more cells."""
        if len(self.rows) < 3:
            self.best = LongWalk([], None, ended=True)
            return
        while (used := self.solver.solution(budget, len(self.edges))) is not None:
            cycles = _cycles(self.edges[used].tolist())
            walks = [self._walk(cycle) for cycle in cycles]
            longest = max(walks, key=len)
            if len(longest) > len(self.best.cells):
                self.best = LongWalk(longest, None, ended=len(longest) == self.cells)
                if self.best.ended:
                    return
                self._need(least_cells(len(longest), closed=self.closed))
            for cycle in cycles:
                self._cut(cycle)
        if self.solver.status is False:
            proof = SatProof(tuple(self.cuts), self.solver.proof().lines)
            self.best = self.best._replace(proof=proof, ended=True)

    def _walk(self, cycle: Sequence[int]) -> list[int]:
        """The cells of a cycle in order; of a cycle through the extra vertex from the cell after it."""
        if self.cells in cycle:
            i = cycle.index(self.cells)
            return [*cycle[i + 1 :], *cycle[:i]]
        return list(cycle)

    def _cut(self, cycle: Sequence[int]) -> None:
        """If a vertex of a cycle is used, require an edge that leaves the cycle."""
        inside = np.zeros(len(self.rows), dtype=np.bool_)
        inside[cycle] = True
        leaving = (np.flatnonzero(inside[self.edges[:, 0]] != inside[self.edges[:, 1]]) + 1).tolist()
        self.cuts.append(tuple(sorted(cycle)))
        for vertex in self.cuts[-1]:
            is_idle = [len(self.edges) + 1 + vertex] if vertex < self.cells else []
            self.solver.state([[*is_idle, *leaving]])


def _cycles(edges: list[list[int]]) -> list[list[int]]:
    """The cycles of edges that meet in pairs, each in order."""
    neighbours: dict[int, list[int]] = {}
    for a, b in edges:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    cycles = []
    while neighbours:
        cycle = [min(neighbours)]
        while onward := [b for b in neighbours.pop(cycle[-1]) if b in neighbours]:
            cycle.append(onward[0])
        cycles.append(cycle)
    return cycles
