"""The states of a count once more, by the second program: one edge at a time, each state a row of bytes.

Each vertex on the frontier has a place in the row. There stands the place of the other end of its path, its
own place while it has no edge, or `DONE`. `answers.receipts` says what states are and which are dropped; this
shares nothing with the search that `frontier` makes.
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

DONE = 255
WIDEST = 250
LOW_BITS = (1 << 40) - 1  # of a hash, so that a product fits a word


@dataclass(frozen=True)
class Recounted:
    """The states after a stage, the numbers of ways to them, and the place of each vertex on the frontier."""

    rows: Bytes
    ways: Ints
    places: Mapping[int, int]

    @property
    def row(self) -> StageRow:
        """What a receipt says of them."""
        weights = np.zeros(256 * 256, dtype=np.int64)
        for v, i in self.places.items():
            for w, j in self.places.items():
                weights[256 * i + (DONE if v == w else j)] = residue(min(v, w), max(v, w))
        places = np.array([*self.places.values()], dtype=np.int64)
        digest = compiled(_digest)(self.rows, self.ways, places, weights, PRIME)
        return StageRow(len(self.ways), int(digest), sum((self.ways % PRIME).tolist()) % PRIME)


def sweep(
    near: Sequence[set[int]],
    order: Sequence[int],
    inner: Sequence[Edge],
    digits: Mapping[int, int],
    modulus: int,
) -> Iterator[Recounted]:
    """The states after each stage: each vertex of the order taken, then each inner edge decided.

    Args:
        near: of each vertex its neighbours.
        order: the vertices to take.
        inner: edges between others, to decide then.
        digits: how many edges some vertices must have in the end; other vertices not taken have up to 2.
        modulus: of the numbers of ways, below 2**62.
    """
    taken: set[int] = set()
    steps: list[tuple[int | None, list[Edge]]] = []
    for v in order:
        taken.add(v)
        steps.append((v, [(v, w) for w in sorted(near[v] - taken)]))
    steps += [(None, [edge]) for edge in inner]
    left = [0] * len(near)  # the edges of each vertex that are still to be decided
    for a, b in (edge for _, edges in steps for edge in edges):
        left[a] += 1
        left[b] += 1
    wanted = dict.fromkeys(order, (2, 2)) | {v: (digit, digit) for v, digit in digits.items()}
    places: dict[int, int] = {}
    free: list[int] = []
    entered: set[int] = set()
    rows, ways = np.zeros((1, 0), dtype=np.uint8), np.ones(1, dtype=np.int64)
    taken.clear()
    for number, (vertex, edges) in enumerate(steps):
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
        rule = _rule(near, places, taken)
        for i, (a, b) in enumerate(edges, 1):
            assert_time(f"{number} of {len(steps)} stages were counted again")
            left[a] -= 1
            left[b] -= 1
            ends = np.array([(places[u], *wanted.get(u, (0, 2)), left[u]) for u in (a, b)])
            closing, dropping = len(entered) == len(near), vertex is not None and i == len(edges)
            most = 2 * len(rows) + 1
            index = np.full(1 << (most + most // 8).bit_length(), -1, dtype=np.int32)
            assert_room(2 * (rows.nbytes + ways.nbytes) + index.nbytes, "the table of states counted again")
            new, new_ways = np.empty((most, rows.shape[1]), dtype=np.uint8), np.empty(most, dtype=np.int64)
            about = (ends, rule, closing, dropping)
            found = compiled(_decide)(rows, ways, *about, new, new_ways, index, modulus)
            rows, ways = new[:found], new_ways[:found]
        if vertex is not None:
            kept = rows[:, places[vertex]] == DONE
            if not kept.all():
                rows, ways = rows[kept], ways[kept]
            free.append(places.pop(vertex))
        yield Recounted(rows, ways, dict(places))


def _rule(near: Sequence[set[int]], places: Mapping[int, int], taken: set[int]) -> _Rule:
    """What tells which states are dropped, once some vertices are taken."""
    place, beyond, start, others = [], [], [0], []
    for u in places:
        if u not in taken:
            place.append(places[u])
            beyond.append(sum(w not in taken and w not in places for w in near[u]))
            others += [places[w] for w in near[u] if w in places and w not in taken]
            start.append(len(others))
    return _Rule(*(np.array(some, dtype=np.int64) for some in (place, beyond, start, others)))


class _Rule(NamedTuple):
    """What tells which states are dropped.

    Args:
        place: the places of the vertices on the frontier.
        beyond: how many neighbours of each are beyond it.
        start: where the neighbours of each that are on it begin in `near`, and where the last ones end.
        near: the places of these.
    """

    place: Ints
    beyond: Ints
    start: Ints
    near: Ints


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
    """Decide an edge in every state: without it, then with it. Returns how many states there are then.

    `ends` has two rows, one for each end: its place, the fewest and the most edges that it must have when all
    are decided, and how many of them are still to be decided.
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
                if x == b:  # the two ends of one path
                    row[a], row[b] = DONE, DONE
                    if not closing or (row != DONE).any():
                        break
                else:
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
    """Whether a vertex has not too many edges, and not too few can follow."""
    held = row[end[0]]
    degree = 2 if held == DONE else (0 if held == end[0] else 1)
    return bool(end[1] <= degree + end[3] and degree <= end[2])


def _alive(row: Bytes, rule: _Rule) -> bool:
    """Whether every vertex on the frontier has as many neighbours that are not done as it needs."""
    for i in range(len(rule.place)):
        held = row[rule.place[i]]
        missing = 0 if held == DONE else (2 if held == rule.place[i] else 1)
        missing -= rule.beyond[i]
        for j in range(rule.start[i], rule.start[i + 1]):
            if missing <= 0:
                break
            if row[rule.near[j]] != DONE:
                missing -= 1
        if missing > 0:
            return False
    return True


def _put(
    row: Bytes, ways: int, rows: Bytes, all_ways: Ints, index: NDArray[np.int32], count: int, modulus: int
) -> int:
    """Add a state to those found so far, or its ways to the state that is there already."""
    code = 0
    for i in range(len(row)):
        code = (code * 1_000_003 + int(row[i])) & LOW_BITS
    at = (code ^ (code >> 20)) & (len(index) - 1)
    while index[at] >= 0:
        there = index[at]
        same = True
        for i in range(len(row)):
            if rows[there, i] != row[i]:
                same = False
                break
        if same:
            all_ways[there] = (all_ways[there] + ways) % modulus
            return count
        at = (at + 1) & (len(index) - 1)
    index[at] = count
    rows[count] = row
    all_ways[count] = ways
    return count + 1


def _digest(rows: Bytes, ways: Ints, places: Ints, weights: Ints, prime: int) -> int:
    """The digest of states, see `answers.receipts`."""
    digest = 0
    for r in range(len(rows)):
        term = ways[r] % prime
        for i in places:
            held = rows[r, i]
            if held > i:  # done, or the first of two ends
                term = term * weights[256 * i + held] % prime
        digest = (digest + term) % prime
    return digest
