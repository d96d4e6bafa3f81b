"""The states of a count, found again by the second program: one edge at a time, each state a row of bytes.

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
    stages: list[tuple[int | None, list[Edge]]] = []
    for v in order:
        taken.add(v)
        stages.append((v, [(v, w) for w in sorted(neighbours[v] - taken)]))
    stages += [(None, [edge]) for edge in inner]
    undecided = [0] * len(neighbours)  # the number of undecided edges at each vertex
    for a, b in (edge for _, edges in stages for edge in edges):
        undecided[a] += 1
        undecided[b] += 1
    bounds = dict.fromkeys(order, (2, 2)) | {v: (degree, degree) for v, degree in degrees.items()}
    places: dict[int, int] = {}
    free: list[int] = []
    entered: set[int] = set()
    rows, ways = np.zeros((1, 0), dtype=np.uint8), np.ones(1, dtype=np.int64)
    taken.clear()
    for number, (vertex, edges) in enumerate(stages):
        # Vertices that enter the frontier get a place each, and have no edge.
        entering = dict.fromkeys(u for u in sum(edges, ()) if u not in places)
        if vertex is not None:
            taken.add(vertex)
            if vertex not in places:
                entering[vertex] = None
        if len(places) + len(entering) > WIDEST:
            raise TooLargeError(f"the frontier is wider than {WIDEST} vertices: too many to check")
        for u in entering:
            entered.add(u)
            if not free:
                free.append(rows.shape[1])
                rows = np.column_stack([rows, np.full(len(rows), DONE, dtype=np.uint8)])
            places[u] = free.pop()
            rows[:, places[u]] = places[u]
        rule = _rule(neighbours, places, taken)
        for i, (a, b) in enumerate(edges, 1):
            assert_time(f"{number} of {len(stages)} stages were counted again")
            undecided[a] -= 1
            undecided[b] -= 1
            ends = np.array([(places[u], *bounds.get(u, (0, 2)), undecided[u]) for u in (a, b)])
            closing, dropping = len(entered) == len(neighbours), vertex is not None and i == len(edges)
            # Every state has at most two successors. The hash table has at least that many slots, and more.
            limit = 2 * len(rows) + 1
            index = np.full(1 << (limit + limit // 8).bit_length(), -1, dtype=np.int32)
            assert_room(2 * (rows.nbytes + ways.nbytes) + index.nbytes, "the table of states counted again")
            new, new_ways = np.empty((limit, rows.shape[1]), dtype=np.uint8), np.empty(limit, dtype=np.int64)
            options = (ends, rule, closing, dropping)
            count = compiled(_decide)(rows, ways, *options, new, new_ways, index, modulus)
            rows, ways = new[:count], new_ways[:count]
        if vertex is not None:
            # The vertex leaves the frontier; keep the states in which it has two edges.
            kept = rows[:, places[vertex]] == DONE
            if not kept.all():
                rows, ways = rows[kept], ways[kept]
            free.append(places.pop(vertex))
        yield Recounted(rows, ways, dict(places))


def _rule(neighbours: Sequence[set[int]], places: Mapping[int, int], taken: set[int]) -> _Rule:
    """The data for dropping states, after some vertices are taken."""
    frontier, beyond, starts, adjacent = [], [], [0], []
    for u in places:
        if u not in taken:
            frontier.append(places[u])
            beyond.append(sum(w not in taken and w not in places for w in neighbours[u]))
            adjacent += [places[w] for w in neighbours[u] if w in places and w not in taken]
            starts.append(len(adjacent))
    return _Rule(*(np.array(column, dtype=np.int64) for column in (frontier, beyond, starts, adjacent)))


class _Rule(NamedTuple):
    """The data for dropping states: the neighbours of the vertices on the frontier that are not taken.

    Attributes:
        places: the place of each vertex.
        beyond: the number of its neighbours beyond the frontier.
        starts: the offset in `adjacent` of its neighbours on the frontier, with the end as last entry.
        adjacent: the places of the neighbours on the frontier.
    """

    places: Ints
    beyond: Ints
    starts: Ints
    adjacent: Ints


def _decide(
    rows: Bytes,
    ways: Ints,
    ends: Ints,
    rule: _Rule,
    closing: bool,  # noqa: FBT001 - kernels take plain arguments
    dropping: bool,  # noqa: FBT001
    new_rows: Bytes,
    new_ways: Ints,
    index: NDArray[np.int32],
    modulus: int,
) -> int:
    """Decide an edge in every state: without it, then with it. Return the number of new states.

    Args:
        rows: the states.
        ways: the number of ways to each state.
        ends: one row per end of the edge: its place, the smallest and the largest final degree, and the
            number of its undecided edges, without this edge.
        rule: the data for dropping states.
        closing: whether all vertices have entered, so that a cycle may close.
        dropping: whether to drop states in which a vertex lacks neighbours, at the end of a stage.
        new_rows: output, the new states.
        new_ways: output, the number of ways to each new state.
        index: hash table of the new states, -1 for empty slots.
        modulus: the modulus of the numbers of ways.
    """
    a, b = ends[0, 0], ends[1, 0]
    row = np.empty(rows.shape[1], dtype=np.uint8)
    count = 0
    for r in range(len(rows)):
        for use in range(2):
            row[:] = rows[r]
            if use == 1:
                x, y = row[a], row[b]
                if x == DONE or y == DONE:
                    break
                if x == b:  # the two ends of one path: a cycle closes, and must be the whole tour
                    row[a], row[b] = DONE, DONE
                    if not closing or (row != DONE).any():
                        break
                else:
                    # Join two paths. An end of the edge is inside the new path, unless it had no edge.
                    if x != a:
                        row[a] = DONE
                    if y != b:
                        row[b] = DONE
                    row[x], row[y] = y, x
            if not _within(row, ends[0]) or not _within(row, ends[1]):
                continue
            if dropping and not _alive(row, rule):
                continue
            count = _put(row, ways[r], new_rows, new_ways, index, count, modulus)
    return count


def _within(row: Bytes, end: Ints) -> bool:
    """Whether a vertex can still reach its smallest degree, and does not exceed its largest degree."""
    held = row[end[0]]
    degree = 2 if held == DONE else (0 if held == end[0] else 1)
    return bool(end[1] <= degree + end[3] and degree <= end[2])


def _alive(row: Bytes, rule: _Rule) -> bool:
    """Whether every vertex on the frontier has enough neighbours without two edges for its missing edges."""
    for i in range(len(rule.places)):
        held = row[rule.places[i]]
        missing = 0 if held == DONE else (2 if held == rule.places[i] else 1)
        missing -= rule.beyond[i]
        for j in range(rule.starts[i], rule.starts[i + 1]):
            if missing <= 0:
                break
            if row[rule.adjacent[j]] != DONE:
                missing -= 1
        if missing > 0:
            return False
    return True


def _put(
    row: Bytes, ways: int, rows: Bytes, all_ways: Ints, index: NDArray[np.int32], count: int, modulus: int
) -> int:
    """Add a state to the table, or its ways to an equal state; return the number of states."""
    # A polynomial hash of the row; linear probing resolves collisions. The hash has 40 bits: its product with
    # the multiplier of 20 bits fits into 63 bits.
    code, mask = 0, (1 << 40) - 1
    for i in range(len(row)):
        code = (code * 1_000_003 + int(row[i])) & mask
    slot = (code ^ (code >> 20)) & (len(index) - 1)
    while index[slot] >= 0:
        state = index[slot]
        same = True
        for i in range(len(row)):
            if rows[state, i] != row[i]:
                same = False
                break
        if same:
            all_ways[state] = (all_ways[state] + ways) % modulus
            return count
        slot = (slot + 1) & (len(index) - 1)
    index[slot] = count
    rows[count] = row
    all_ways[count] = ways
    return count + 1


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
