"""A growing path: extended at both ends, rotated when it is stuck, opened elsewhere when it closes too soon.

1. *Extend.* The path goes on to a vertex off the path that has the fewest neighbours off the path, so that
   no vertex becomes hard to reach (Warnsdorff's rule).
2. *Rotate.* If an end has no neighbour off the path, an edge from the last vertex to the vertex at index i
   replaces the edge from there to index i + 1, whose vertex becomes the last one (Pósa 1976). The first
   vertex is treated in the same way. A rotation is preferred after which the path can be extended or closed,
   then one whose new end has not been an end for the longest time. On sparse graphs such as generalized
   Petersen graphs this takes a fifth to a thirtieth of the rotations that random choices take.
3. *Open.* If the ends of the path are adjacent, but vertices are missing, the cycle is opened before a vertex
   with a neighbour off the path, and that neighbour is the next vertex.
4. *Begin again.* A path that takes too long is given up; the next one begins elsewhere and may take longer.

The engine works on every undirected graph and never claims that there is no tour. It needs no cycle cover:
it is quickest on graphs with many cycles, such as random, geometric and Cayley graphs of up to some ten
thousand vertices.

Time: linear in the edges plus, for each rotation, a part of the path; memory 24 bytes per vertex.
"""

from __future__ import annotations

import itertools
from array import array
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from cavalcade.answers.verdict import Undecided
from cavalcade.find.adjacency import EDGES_EXAMINED, adjacency, is_arc
from cavalcade.find.tiers import state_of, steps_per_call
from cavalcade.ground.budget import Budget
from cavalcade.ground.kernels import COMPILE_FROM, INTERPRETED, Cells, Ints, Tier, Vector, next_random
from cavalcade.question.parts import Rows
from cavalcade.question.question import Question


class Entries(array):  # type: ignore[type-arg]
    """Integers for interpreted code: entries are read faster than in a NumPy array, a view changes many.

    Attributes:
        view: the same memory as an array of 64-bit integers, with which NumPy indexes without conversion.
        indices: the indices of the entries.
    """

    view: Ints
    indices: Ints

    @classmethod
    def of(cls, cells: Cells) -> Entries:
        """The entries of an array."""
        entries = cls("q", cells.astype(np.int64).tobytes())
        entries.view, entries.indices = np.frombuffer(entries, dtype=np.int64), np.arange(len(cells))
        return entries


class GrowingPath(NamedTuple):
    """A path in a graph.

    Args:
        cell: the vertices of the path in order; entries behind its end are undefined.
        place: indices of the vertices on the path, -1 for a vertex off the path.
        free: numbers of neighbours off the path.
        ended: number of the last rotation that made a vertex an end of the path; 0 if none did.
    """

    cell: Cells | Entries
    place: Cells | Entries
    free: Vector
    ended: Vector

    @classmethod
    def of(cls, tier: Tier, cell: Cells, place: Cells, free: Cells, ended: Cells) -> GrowingPath:
        """The path in the containers of a tier."""
        parts = [part if tier.compiled else Entries.of(part) for part in (cell, place)]
        return cls(parts[0], parts[1], tier.vector(free), tier.vector(ended))

    @property
    def arrays(self) -> list[Cells]:
        """Copies of the four containers."""
        return [np.array(part, dtype=np.int32) for part in self]


class PathGrowth(NamedTuple):
    """Where a call of `_grow` broke off.

    Args:
        state: state of the random numbers.
        length: number of vertices on the path.
        rotations: number of rotations so far.
        work: edges examined in the last call, plus an eighth of the vertices moved.
        stuck: the work since the path was extended last.
        ended: 1 if the path is a Hamiltonian cycle, -1 if it is given up.
    """

    state: int
    length: int = 0
    rotations: int = 0
    work: int = 0
    stuck: int = 0
    ended: int = 0


def rotations(
    question: Question,
    budget: Budget,
    *,
    seed: int = 0,
    compiled: bool | None = None,
    patience: int = 50,
) -> Iterator[Cells | Undecided]:
    """Grow paths until one is a tour: an engine that resumes with its path.

    Args:
        question: the question.
        budget: counted work.
        seed: seed of the random choices.
        compiled: True or False to choose the tier.
        patience: work without an extension after which the first path is given up, per vertex and edge; it
            doubles with every second path. Less gives up paths that would have become tours, more keeps to a
            bad beginning.
    """
    graph = question.as_cycle
    steps = graph.size + graph.edge_count
    tier, interpreted = Tier(steps, compiled=compiled), 0
    rows = adjacency(tier, graph.indptr, graph.indices)
    for number in itertools.count():
        budget.spend(steps)
        nowhere, zeros = np.full(graph.size, -1, dtype=np.int32), np.zeros(graph.size, dtype=np.int32)
        path = GrowingPath.of(tier, zeros.copy(), nowhere, graph.degrees.astype(np.int32), zeros)
        growth, allowed = PathGrowth(state_of(seed, number)), patience * steps << min(number // 2, 20)
        while not growth.ended:
            while budget.over:
                yield Undecided(f"no path of {number + 1:,} became a tour", "rotations", seed)
            if not tier.compiled and compiled is None and interpreted > COMPILE_FROM:
                tier = Tier(steps, compiled=True)
                rows = adjacency(tier, graph.indptr, graph.indices)
                path = GrowingPath.of(tier, *path.arrays)
            growth = tier(_grow)(rows, path, growth, int(min(budget.left, steps_per_call(tier))), allowed)
            budget.spend(growth.work)
            interpreted += growth.work
        if growth.ended > 0:
            yield question.cut(_from_zero(np.asarray(path.cell, dtype=np.int32)))
            return


def _from_zero(cycle: Cells) -> Cells:
    """The same cycle from vertex 0 on, in the direction of the smaller of its two neighbours."""
    first = int(np.argmin(cycle))
    cycle = np.concatenate([cycle[first:], cycle[:first]])
    return cycle if cycle[1] < cycle[-1] else np.concatenate([cycle[:1], cycle[:0:-1]])


def _grow(rows: Rows, path: GrowingPath, growth: PathGrowth, budget: int, patience: int) -> PathGrowth:
    """Grow the path until it is a Hamiltonian cycle, or until the work reaches `budget`.

    The path is given up when the work since it was extended last exceeds `patience`.
    """
    indptr = rows.indptr
    cell, free = path.cell, path.free
    n = len(cell)
    state, length, rotations, work = growth.state, growth.length, growth.rotations, 0
    extended = -growth.stuck  # the work at which the path was extended last
    while work < budget:
        if work - extended > patience:
            return PathGrowth(state, length, rotations, work, 0, -1)
        if length == 0:
            _append(rows, path, 0, state % n)
            length = 1
        first, last = cell[0], cell[length - 1]
        state = next_random(state)
        # Extend the path at its last vertex, to the neighbour off the path with the fewest such neighbours.
        if free[last] > 0:
            _append(rows, path, length, _next_vertex(rows, path, last, state))
            work += indptr[last + 1] - indptr[last]
            length += 1
            extended = work
            continue
        # Extend it at its first vertex: after a reversal that is the last one.
        if free[first] > 0:
            _reverse(path, 0, length - 1)
            work += 1 + length // 8
            continue
        work += 1
        if length > 2 and is_arc(rows, rows, last, first):
            if length == n:
                return PathGrowth(state, length, rotations, work, 0, 1)
            # Open the cycle before a vertex that has a neighbour off the path.
            k = _opening(path, length, state)
            if k < 0:  # the path covers a connected component
                return PathGrowth(state, length, rotations, work, 0, -1)
            _reverse(path, 0, k - 1)
            _reverse(path, k, length - 1)
            work += length // 4
            continue
        # Rotate at the end where the path can be extended or closed next, or else at a vertex that has not
        # been an end for long.
        i, examined = _rotation(rows, path, length, state)
        work += examined
        if i < 0:  # both ends have a single neighbour
            return PathGrowth(state, length, rotations, work, 0, -1)
        rotations += 1
        if i < length:
            path.ended[cell[i + 1]] = rotations
            _reverse(path, i + 1, length - 1)
            work += (length - i) // 8
        else:
            i -= length
            path.ended[cell[i - 1]] = rotations
            _reverse(path, 0, i - 1)
            work += i // 8
    return PathGrowth(state, length, rotations, work, work - extended, 0)


def _append(rows: Rows, path: GrowingPath, length: int, vertex: int) -> None:
    """Append a vertex to a path of this length."""
    indptr, indices = rows
    free = path.free
    path.cell[length] = vertex
    path.place[vertex] = length
    for neighbour in indices[indptr[vertex] : indptr[vertex + 1]]:
        free[neighbour] -= 1


def _next_vertex(rows: Rows, path: GrowingPath, vertex: int, state: int) -> int:
    """The neighbour off the path that has the fewest such neighbours; ties are broken by `state`."""
    indptr, indices = rows
    place, free = path.place, path.free
    low, high = indptr[vertex], indptr[vertex + 1]
    start = low + state % max(high - low, 1)
    best, fewest = -1, len(free)  # more than any number of neighbours
    for row in (indices[start:high], indices[low:start]):
        for neighbour in row:
            if free[neighbour] < fewest and place[neighbour] < 0:
                best, fewest = neighbour, free[neighbour]
    return best


def _opening(path: GrowingPath, length: int, state: int) -> int:
    """The first index from a random one on, cyclically, of a vertex with a neighbour off the path, or -1."""
    cell, free = path.cell, path.free
    start = state % length
    for low, high in ((start, length), (0, start)):
        for k, vertex in enumerate(cell[low:high], low):
            if free[vertex] > 0:
                return k
    return -1


def _rotation(rows: Rows, path: GrowingPath, length: int, state: int) -> tuple[int, int]:
    """Choose a rotation; neither end has a neighbour off the path.

    Returns:
        The index i of the vertex that becomes a neighbour of the last vertex, or i + length for the first
        vertex, or -1 if there is no rotation; and the number of edges examined.
    """
    indptr, indices = rows
    cell, place, free, ended = path
    chosen, oldest, chosen_helps = -1, 0, False
    examined = 0
    for number in range(2):
        side = (number + state) % 2
        end, opposite = (cell[length - 1], cell[0]) if side == 0 else (cell[0], cell[length - 1])
        step = 1 - 2 * side
        low, high = indptr[end], indptr[end + 1]
        start = low + state % max(high - low, 1)
        closing = indices[indptr[opposite] : indptr[opposite + 1]]
        for row in (indices[start:high][:EDGES_EXAMINED], indices[low:start][:EDGES_EXAMINED]):
            for neighbour in row:
                i = place[neighbour]
                # The vertex beside index i, towards the end, becomes the end.
                vertex = cell[i + step]
                if vertex == end:
                    continue
                examined += 1
                is_older = chosen < 0 or ended[vertex] < oldest
                if chosen_helps and not is_older:
                    continue
                # After the rotation the path can be extended or closed.
                helps = free[vertex] > 0
                if not helps:
                    helps = vertex in closing if INTERPRETED else is_arc(rows, rows, vertex, opposite)
                if (helps and not chosen_helps) or (helps == chosen_helps and is_older):
                    chosen, oldest, chosen_helps = i + side * length, ended[vertex], helps
    return chosen, examined


def _reverse(path: GrowingPath, i: int, j: int, vectorize_from: int = 12) -> None:
    """Reverse the part of the path from index i to index j.

    Interpreted, NumPy reverses a part of `vectorize_from` vertices or more faster than a loop does.
    """
    cell: Any = path.cell
    place: Any = path.place
    if INTERPRETED and j - i >= vectorize_from:
        vertices = cell.view[i : j + 1]
        vertices[:] = vertices[::-1]
        place.view[vertices] = place.indices[i : j + 1]
        return
    while i < j:
        a, b = cell[i], cell[j]
        cell[i] = b
        place[b] = i
        cell[j] = a
        place[a] = j
        i += 1
        j -= 1
