"""The states of a count, found again by the second program: vertex by vertex, each state a row of bytes.

Each vertex on the frontier has a place in the row. The entry there is the place of the other end of its path,
its own place if it has no edge, or `DONE` if it has two. `answers.receipts` defines the states, and which
states are dropped. The searches of `states` share no code with this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.receipts import PRIME, StageRow, residue
from cavalcade.checking.geometry import Ints
from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.kernels import compiled

Bytes: TypeAlias = NDArray[np.uint8]
Edge: TypeAlias = tuple[int, int]

DONE = int(np.iinfo(np.uint8).max)  # the entry of a vertex with two edges
WIDEST = DONE  # places of a row: all bytes but `DONE`


@dataclass(frozen=True)
class Recounted:
    """The states after a stage.

    Attributes:
        rows: the states, one row each.
        ways: the number of ways to each state, modulo the modulus of the sweep.
        places: places of the vertices on the frontier.
    """

    rows: Bytes
    ways: Ints
    places: Mapping[int, int]

    @property
    def row(self) -> StageRow:
        """The row of a receipt about these states."""
        weights = np.zeros((DONE + 1, DONE + 1), dtype=np.int64)
        for v, i in self.places.items():
            for w, j in self.places.items():
                weights[i, DONE if v == w else j] = residue(min(v, w), max(v, w))
        places = np.array([*self.places.values()], dtype=np.int64)
        digest = compiled(_digest)(self.rows, self.ways, places, weights, PRIME)
        return StageRow(len(self.ways), int(digest), sum((self.ways % PRIME).tolist()) % PRIME)


def sweep(
    neighbours: Sequence[set[int]],
    order: Sequence[int],
    inner: Sequence[Edge],
    degrees: Mapping[int, int],
    modulus: int,
) -> Iterator[Recounted]:
    """Yield the states after each stage: a stage for each vertex of the order, then for each inner edge.

    Args:
        neighbours: the neighbours of each vertex.
        order: the vertices to take; a stage decides the edges to all vertices that are not taken.
        inner: edges between other vertices, decided at the end.
        degrees: the final degree of some vertices; other vertices that are not taken have up to 2 edges.
        modulus: the modulus of the numbers of ways, below 2**62.
    """
    taken: set[int] = set()
    stages: list[tuple[int, list[int], bool]] = []  # a vertex, other ends of its edges, whether it is taken
    for v in order:
        taken.add(v)
        stages.append((v, sorted(neighbours[v] - taken), True))
    stages += [(a, [b], False) for a, b in inner]
    undecided = [0] * len(neighbours)  # the number of undecided edges at each vertex
    for vertex, far_ends, _ in stages:
        undecided[vertex] += len(far_ends)
        for w in far_ends:
            undecided[w] += 1
    bounds = dict.fromkeys(order, (2, 2)) | {v: (degree, degree) for v, degree in degrees.items()}
    places: dict[int, int] = {}
    free: list[int] = []
    entered: set[int] = set()
    rows, ways = np.zeros((1, 0), dtype=np.uint8), np.ones(1, dtype=np.int64)
    taken.clear()
    for number, (vertex, far_ends, taking) in enumerate(stages):
        # Vertices that enter the frontier get a place each, and have no edge.
        entering = [u for u in (vertex, *far_ends) if u not in places]
        if len(places) + len(entering) > WIDEST:
            raise TooLargeError(f"the frontier is wider than {WIDEST} vertices: too many to check")
        for u in entering:
            entered.add(u)
            if not free:
                free.append(rows.shape[1])
                rows = np.column_stack([rows, np.full(len(rows), DONE, dtype=np.uint8)])
            places[u] = free.pop()
            rows[:, places[u]] = places[u]
        undecided[vertex] -= len(far_ends)
        for w in far_ends:
            undecided[w] -= 1
        if taking:
            taken.add(vertex)
        ends = [(places[u], *bounds.get(u, (0, 2)), undecided[u]) for u in (vertex, *far_ends)]
        stage = _StageEdges(
            places[vertex],
            np.array([places[u] for u in far_ends], dtype=np.int64),
            np.array([end for end in ends if end[1] > end[3] or end[2] < 2], dtype=np.int64).reshape(-1, 4),
            taking,
            len(entered) == len(neighbours),
            *_adjacency(neighbours, places, taken),
        )
        rows, ways = _decided(rows, ways, stage, modulus, f"{number} of {len(stages)} stages")
        if taking:
            free.append(places.pop(vertex))
        yield Recounted(rows, ways, dict(places))


def _decided(rows: Bytes, ways: Ints, stage: _StageEdges, modulus: int, stages: str) -> tuple[Bytes, Ints]:
    """Decide the edges of a stage in every state; `stages` says how many stages are finished."""
    edges = len(stage.far_ends)
    first = count = 0
    new_rows, new_ways = rows[:0], ways[:0]
    while first < len(rows):
        assert_time(f"{stages} were counted again")
        # A table for twice the new states, and at least for the successors of one state. The hash table has
        # more slots.
        limit = 2 * count + len(rows) + 1 + edges + edges * (edges - 1) // 2
        index = np.full(1 << (limit + limit // 8).bit_length(), -1, dtype=np.int32)
        assert_room(2 * limit * (rows.shape[1] + ways.itemsize) + index.nbytes, "states counted again")
        old_rows, old_ways = new_rows, new_ways
        new_rows, new_ways = np.empty((limit, rows.shape[1]), dtype=np.uint8), np.empty(limit, dtype=np.int64)
        new_rows[:count], new_ways[:count] = old_rows[:count], old_ways[:count]
        first, count = compiled(_advance)(rows, ways, first, stage, new_rows, new_ways, index, count, modulus)
    return new_rows[:count], new_ways[:count]


def _adjacency(
    neighbours: Sequence[set[int]], places: Mapping[int, int], taken: set[int]
) -> tuple[Ints, Ints, Ints, Ints]:
    """The last four fields of a stage, after some vertices are taken."""
    frontier, beyond, starts, adjacent = [], [], [0], []
    for u in places:
        number = sum(w not in taken and w not in places for w in neighbours[u])
        if u not in taken and number < 2:
            frontier.append(places[u])
            beyond.append(number)
            adjacent += [places[w] for w in neighbours[u] if w in places and w not in taken]
            starts.append(len(adjacent))
    return (
        np.array(frontier, dtype=np.int64),
        np.array(beyond, dtype=np.int64),
        np.array(starts, dtype=np.int64),
        np.array(adjacent, dtype=np.int64),
    )


class _StageEdges(NamedTuple):
    """The edges that are decided together, and the data for dropping states.

    Attributes:
        vertex: place of the vertex that is common to the edges.
        far_ends: places of the other ends of the edges.
        limited: one row per end whose degree may end up too small or too large: its place, the smallest and
            the largest final degree, and the number of its edges that later stages decide.
        taking: whether the vertex is taken: it gets two edges. Otherwise the stage has a single edge.
        closing: whether all vertices have entered, so that a cycle may close.
        places: places of the vertices on the frontier that are not taken and may run out of neighbours.
        beyond: number of neighbours beyond the frontier, one per vertex of `places`.
        starts: offsets in `adjacent` of the neighbours on the frontier, with the end as last entry.
        adjacent: places of these neighbours.
    """

    vertex: int
    far_ends: Ints
    limited: Ints
    taking: bool
    closing: bool
    places: Ints
    beyond: Ints
    starts: Ints
    adjacent: Ints


def _advance(
    rows: Bytes,
    ways: Ints,
    first: int,
    stage: _StageEdges,
    new_rows: Bytes,
    new_ways: Ints,
    index: NDArray[np.int32],
    count: int,
    modulus: int,
) -> tuple[int, int]:
    """Decide the edges of a stage in the states from `first` on, until the table of new states is full.

    Args:
        rows: the states.
        ways: the number of ways to each state.
        first: index of the first state that is not yet decided.
        stage: the edges, and the data for dropping states.
        new_rows: output, the new states. Its free rows also hold the successors that are not merged yet.
        new_ways: output, the number of ways to each new state.
        index: hash table of the new states, all slots empty (-1).
        count: number of new states so far.
        modulus: the modulus of the numbers of ways.

    Returns:
        The index of the next state to decide, and the number of new states.
    """
    # numba counts references at each call. So the helpers work on many states, and get arrays one by one.
    vertex, far_ends, limited, taking, closing, places, beyond, starts, adjacent = stage
    most = (
        1 + len(far_ends) + len(far_ends) * (len(far_ends) - 1) // 2
    )  # successors: none, one or two new edges
    _merge(new_rows, new_ways, 0, count, index, modulus)
    while first < len(rows) and count + most <= len(new_rows):
        first, end = _expand(
            rows, ways, first, vertex, far_ends, taking, closing, new_rows, new_ways, count, most
        )
        end = _select(new_rows, new_ways, count, end, limited, taking, places, beyond, starts, adjacent)
        count = _merge(new_rows, new_ways, count, end, index, modulus)
    return first, count


def _expand(
    rows: Bytes,
    ways: Ints,
    first: int,
    vertex: int,
    far_ends: Ints,
    taking: bool,  # noqa: FBT001 - kernels take plain arguments
    closing: bool,  # noqa: FBT001
    new_rows: Bytes,
    new_ways: Ints,
    end: int,
    most: int,
) -> tuple[int, int]:
    """Write successors to the free rows from `end` on; return the next state to decide, and the new end.

    A state has at most `most` successors. See `_StageEdges` for the other arguments.
    """
    width, edges = rows.shape[1], len(far_ends)
    for r in range(first, len(rows)):
        if end + most > len(new_rows):
            return r, end
        held = rows[r, vertex]
        missing = 0 if held == DONE else (2 if held == vertex else 1)
        if missing == 0 or not taking:  # without new edges
            for k in range(width):
                new_rows[end, k] = rows[r, k]
            new_ways[end] = ways[r]
            end += 1
        if missing == 0:
            continue
        paired = taking and missing == 2  # two new edges at once, else one
        for i in range(edges):
            if rows[r, far_ends[i]] == DONE:
                continue
            for j in range(i + 1 if paired else i, edges if paired else i + 1):
                if rows[r, far_ends[j]] == DONE:
                    continue
                for k in range(width):
                    new_rows[end, k] = rows[r, k]
                possible = True
                for step in range(2 if paired else 1):
                    b = far_ends[i] if step == 0 else far_ends[j]
                    x, y = new_rows[end, vertex], new_rows[end, b]
                    if x == b:  # the two ends of one path: a cycle closes, and must be the whole tour
                        new_rows[end, vertex], new_rows[end, b] = DONE, DONE
                        possible = closing
                        for k in range(width):
                            possible = possible and new_rows[end, k] == DONE
                    else:
                        # Join two paths. An end of the edge is inside the new path, unless it had no edge.
                        if x != vertex:
                            new_rows[end, vertex] = DONE
                        if y != b:
                            new_rows[end, b] = DONE
                        new_rows[end, x], new_rows[end, y] = y, x
                if possible:
                    new_ways[end] = ways[r]
                    end += 1
    return len(rows), end


def _select(
    rows: Bytes,
    ways: Ints,
    first: int,
    end: int,
    limited: Ints,
    taking: bool,  # noqa: FBT001
    places: Ints,
    beyond: Ints,
    starts: Ints,
    adjacent: Ints,
) -> int:
    """Move those of the rows from `first` to `end` that are not dropped to the front; return their end."""
    kept = first
    for r in range(first, end):
        alive = True
        for i in range(len(limited)):
            held = rows[r, limited[i, 0]]
            degree = 2 if held == DONE else (0 if held == limited[i, 0] else 1)
            alive = alive and degree + limited[i, 3] >= limited[i, 1] and degree <= limited[i, 2]
        # A vertex on the frontier gets its missing edges from neighbours without two edges.
        for i in range(len(places) if taking else 0):
            held = rows[r, places[i]]
            missing = 0 if held == DONE else (2 if held == places[i] else 1)
            missing -= beyond[i]
            for j in range(starts[i], starts[i + 1]):
                missing -= rows[r, adjacent[j]] != DONE
            alive = alive and missing <= 0
        if alive:
            for k in range(rows.shape[1]):
                rows[kept, k] = rows[r, k]
            ways[kept] = ways[r]
            kept += 1
    return kept


def _merge(rows: Bytes, ways: Ints, count: int, end: int, index: NDArray[np.int32], modulus: int) -> int:
    """Add the rows from `count` to `end` to the `count` states before them; return the number of states."""
    mask, width = (1 << 40) - 1, rows.shape[1]
    for r in range(count, end):
        # A polynomial hash of the row; linear probing resolves collisions. The hash has 40 bits: its product
        # with the multiplier of 20 bits fits into 63 bits.
        code = 0
        for k in range(width):
            code = (code * 1_000_003 + int(rows[r, k])) & mask
        slot = (code ^ (code >> 20)) & (len(index) - 1)
        while index[slot] >= 0:
            state = index[slot]
            same = True
            for k in range(width):
                if rows[state, k] != rows[r, k]:
                    same = False
                    break
            if same:
                total = ways[state] + ways[r]
                ways[state] = total - modulus if total >= modulus else total
                break
            slot = (slot + 1) & (len(index) - 1)
        if index[slot] < 0:
            index[slot] = count
            for k in range(width):
                rows[count, k] = rows[r, k]
            ways[count] = ways[r]
            count += 1
    return count


def _digest(rows: Bytes, ways: Ints, places: Ints, weights: Ints, prime: int) -> int:
    """The digest of states that `answers.receipts` defines."""
    digest = 0
    for r in range(len(rows)):
        term = ways[r] % prime
        for i in places:
            held = rows[r, i]
            if held > i:  # two edges, or the first end of a path
                term = term * weights[i, held] % prime
        digest = (digest + term) % prime
    return digest
