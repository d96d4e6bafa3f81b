"""Counting by a sweep: all ways to treat the vertices taken so far, as far as the rest can tell.

D. E. Knuth, TAOCP 7.2.2.4; W. Pettersson, Enumerating Hamiltonian cycles, 2014 (by edges); here a step
takes a vertex and decides all its edges to later vertices at once, as Yang & Du do by cells.

A *state* says of every vertex on the frontier whether it is untouched, done (has both its edges), or the
end of a path, and which ends belong together: its *mate*. Two partial solutions with the same state can be
completed in the same ways, so states are merged and their counts added. A state in which some vertex has
too few neighbours left is dropped at once.

In a state every frontier vertex has a few bits: 0 untouched, 1 done, from 2 on the number of its path.
Paths are numbered in the order in which they appear, so the first places need only two and three bits, and
seventeen fit into one word; a second word, used only where the frontier is wider, holds fifteen more.
Counts are numbers below 2**60 in one word, or below 2**120 in two, once one word has overflowed. v is the
vertex taken, i, j, k are places on the frontier.
"""

from __future__ import annotations

import hashlib
import time
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.counting.order import frontier_widths, narrow_order
from cavalcade.errors import FormatError, TooLargeError
from cavalcade.kernels import Kernel, Tier

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cavalcade.graph import MoveGraph
    from cavalcade.kernels import Vector

PLACES = 17  # frontier vertices that the first word holds: 2 + 2 + 4 * 3 + 11 * 4 = 60 bits
WIDEST = PLACES + 15
LIMB = 1 << 60  # counts are high * LIMB + low
FULLEST = 0.75  # of a hash table
SAVE_EVERY = 5.0  # seconds
COMPILE_FROM_STATES = 2000  # interpreted, a step takes about 30 µs a state


@dataclass(frozen=True)
class Progress:
    """How far a sweep has come."""

    taken: int
    vertices: int
    states: int
    peak_states: int
    seconds: float


@dataclass(frozen=True)
class Count:
    """An exact number of Hamiltonian cycles, and what it took."""

    cycles: int
    peak_states: int
    peak_bytes: int
    seconds: float


def _slot(low: int, high: int, mask: int) -> int:
    """Where a state belongs in a table of mask + 1 places. The products stay below 2**63."""
    h = (low & 0x7FFFFFFF) * 1640531527 ^ (low >> 31) * 1597334677
    h ^= (high & 0x7FFFFFFF) * 1103515245 ^ (high >> 31) * 1442695041
    h ^= h >> 29
    return (h ^ (h >> 17)) & mask


def _add(
    low: int,
    high: int,
    count_low: int,
    count_high: int,
    keys_low: Vector,
    keys_high: Vector,
    counts_low: Vector,
    counts_high: Vector,
) -> int:
    """Add a state with its count to a table. Empty places have keys of -1.

    Returns 1 if it is new, 0 if not, and -1 if its count has outgrown a table with one word of it.
    """
    mask = len(keys_low) - 1
    two_keys, two_counts = len(keys_high) > 0, len(counts_high) > 0
    s = _slot(low, high, mask)
    while keys_low[s] >= 0:
        if keys_low[s] == low and (not two_keys or keys_high[s] == high):
            total = counts_low[s] + count_low
            counts_low[s] = total & 0xFFFFFFFFFFFFFFF
            if two_counts:
                counts_high[s] += count_high + (total >> 60)
            elif total >> 60 > 0:
                return -1
            return 0
        s = (s + 1) & mask
    keys_low[s] = low
    counts_low[s] = count_low
    if two_keys:
        keys_high[s] = high
    if two_counts:
        counts_high[s] = count_high
    return 1


def _grow(
    old_low: Vector,
    old_high: Vector,
    old_counts_low: Vector,
    old_counts_high: Vector,
    keys_low: Vector,
    keys_high: Vector,
    counts_low: Vector,
    counts_high: Vector,
) -> None:
    """Move all states of a table into a larger, empty one."""
    for s in range(len(old_low)):
        if old_low[s] >= 0:
            _add(
                old_low[s],
                old_high[s] if len(old_high) > 0 else 0,
                old_counts_low[s],
                old_counts_high[s] if len(old_counts_high) > 0 else 0,
                keys_low,
                keys_high,
                counts_low,
                counts_high,
            )


def _step(
    first: int,
    keys_low: Vector,
    keys_high: Vector,
    counts_low: Vector,
    counts_high: Vector,
    width: int,
    place: int,
    later: Vector,
    keep: Vector,
    need: Vector,
    need_start: Vector,
    outside: Vector,
    last_round: int,
    new_low: Vector,
    new_high: Vector,
    new_counts_low: Vector,
    new_counts_high: Vector,
    room: int,
    shift: Vector,
    bits: Vector,
    code: Vector,
    mate: Vector,
    after: Vector,
    rename: Vector,
    total: Vector,
) -> int:
    """Take vertex v in every state from place `first` on; returns where it stopped.

    `place` is v's place on the frontier, which is `width` wide with all of v's neighbours on it; `later`
    are the places of the neighbours still to come, `keep` the places that stay, in their new order.
    `need[need_start[k]:need_start[k + 1]]` are the places of the neighbours that k can still use, and
    `outside[k]` says how many more it has beyond the frontier. With `last_round` every vertex left is on
    the frontier, so a cycle may close. `total` takes the counts of cycles, and [2] of it new states.
    """
    fresh = 0
    n_later = len(later)
    n_keep = len(keep)
    for s in range(first, len(keys_low)):
        if keys_low[s] < 0:
            continue
        if fresh >= room:
            total[2] = fresh
            return s
        low, high = keys_low[s], keys_high[s] if len(keys_high) > 0 else 0
        count_low, count_high = counts_low[s], counts_high[s] if len(counts_high) > 0 else 0
        for i in range(16):
            rename[i] = -1
        for i in range(width):
            x = ((low if i < 17 else high) >> shift[i]) & bits[i]
            code[i] = x
            mate[i] = -1
            if x >= 2:
                j = rename[x]
                if j < 0:
                    rename[x] = i
                else:
                    mate[i] = j
                    mate[j] = i
        state_v = code[place]
        # one edge is chosen if v is the end of a path, two if it is untouched, none if it is done
        outer = n_later if state_v == 0 else 1
        for p in range(outer):
            one = -1
            inner_from, inner_to = 0, n_later
            if state_v == 0:
                one = later[p]
                if code[one] == 1:
                    continue
                inner_from = p + 1
            elif state_v == 1:
                inner_to = 1
            for q in range(inner_from, inner_to):
                two = -1
                a, b = -1, -1  # the ends of the path that goes through v, once its edges are in
                if state_v == 1:
                    two = -1
                else:
                    two = later[q]
                    if code[two] == 1:
                        continue
                    b = two if code[two] == 0 else mate[two]
                    if state_v == 0:
                        a = one if code[one] == 0 else mate[one]
                        closes = code[one] >= 2 and mate[one] == two
                    else:
                        a = mate[place]
                        closes = a == two
                    if closes:
                        if last_round:
                            done = True
                            for i in range(width):
                                if i != place and i != one and i != two and code[i] != 1:
                                    done = False
                            if done:
                                sum_low = total[0] + count_low
                                total[1] += count_high + (sum_low >> 60)
                                total[0] = sum_low & 0xFFFFFFFFFFFFFFF
                        continue
                # the new state: 0 untouched, 1 done, 2 end of a path
                for i in range(width):
                    after[i] = min(2, code[i])
                if one >= 0:
                    after[one] = 1 if code[one] >= 2 else 2
                if two >= 0:
                    after[two] = 1 if code[two] >= 2 else 2
                alive = True
                for m in range(n_keep):
                    k = keep[m]
                    if after[k] == 1:
                        continue
                    free = outside[k] - (2 if after[k] == 0 else 1)
                    if free < 0:
                        for e in range(need_start[k], need_start[k + 1]):
                            if after[need[e]] != 1:
                                free += 1
                        if free < 0:
                            alive = False
                            break
                if not alive:
                    continue
                new_a, new_b = 0, 0
                paths = 2
                for i in range(width):
                    rename[i] = 0
                for m in range(n_keep):
                    k = keep[m]
                    x = after[k]
                    if x == 2:
                        if rename[k] == 0:
                            j = mate[k]
                            if k == a:
                                j = b
                            elif k == b:
                                j = a
                            rename[k] = paths
                            rename[j] = paths
                            paths += 1
                        x = rename[k]
                    if m < 17:
                        new_a |= x << shift[m]
                    else:
                        new_b |= x << shift[m]
                if paths > 16:
                    total[3] = 1  # more than fourteen paths at once: four bits do not hold them
                    continue
                new = _add(
                    new_a, new_b, count_low, count_high, new_low, new_high, new_counts_low, new_counts_high
                )
                if new < 0:
                    total[3] = 2
                    return s
                fresh += new
    total[2] = fresh
    return len(keys_low)


step_kernel = Kernel(_step, uses=[_slot, _add])
grow_kernel = Kernel(_grow, uses=[_slot, _add])


class _Table:
    """Open addressing, linear probing: states and counts of one or two words, a power of two of places."""

    def __init__(self, tier: Tier, places: int, *, two_keys: bool, two_counts: bool) -> None:
        self.tier = tier
        self.two_keys, self.two_counts = two_keys, two_counts
        sizes = (places, places * two_keys, places, places * two_counts)
        self.columns = [_column(tier, size, fill) for size, fill in zip(sizes, (-1, 0, 0, 0), strict=True)]
        self.states = 0

    @property
    def places(self) -> int:
        return len(self.columns[0])

    @property
    def bytes(self) -> int:
        return 8 * sum(len(column) for column in self.columns)

    def copied(self, tier: Tier, places: int, *, two_counts: bool) -> _Table:
        """The same states in another table."""
        other = _Table(tier, places, two_keys=self.two_keys, two_counts=two_counts)
        columns = self.columns
        if tier.compiled:
            columns = [np.asarray(column, dtype=np.int64) for column in columns]
        tier(grow_kernel)(*columns, *other.columns)
        other.states = self.states
        return other


def _column(tier: Tier, size: int, fill: int = 0) -> Vector:
    return np.full(size, fill, dtype=np.int64) if tier.compiled else [fill] * size


def _given(tier: Tier, numbers: list[int]) -> Vector:
    return np.array(numbers, dtype=np.int64) if tier.compiled else numbers


def _layout() -> tuple[list[int], list[int]]:
    """For each place its shift within its word, and the mask of its bits."""
    widths = [2] * 2 + [3] * 4 + [4] * (WIDEST - 6)
    shift = [sum(widths[:i]) if i < PLACES else 4 * (i - PLACES) for i in range(WIDEST)]
    return shift, [(1 << width) - 1 for width in widths]


def save(
    path: Path,
    graph: MoveGraph,
    order: list[int],
    number: int,
    frontier: list[int],
    total: list[int],
    table: _Table,
) -> None:
    """Write a checkpoint: the states after `number` vertices, and what they belong to.

    Raises:
        OSError: it cannot be written; the file that was there stays.
    """
    full = np.flatnonzero(np.asarray(table.columns[0]) >= 0)
    columns = [
        np.asarray(column, dtype=np.int64)[full] if len(column) else np.zeros(0, dtype=np.int64)
        for column in table.columns
    ]
    beside = path.with_name(path.name + ".part")
    try:
        with beside.open("wb") as file:
            np.savez(
                file,
                about=np.array([_digest(graph, order), str(number)]),
                frontier=np.array(frontier, dtype=np.int64),
                total=np.array(total, dtype=np.int64),
                column0=columns[0],
                column1=columns[1],
                column2=columns[2],
                column3=columns[3],
            )
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def load(path: Path, graph: MoveGraph, order: list[int]) -> tuple[int, list[int], list[int], _Table]:
    """Read a checkpoint: how many vertices were taken, the frontier, the total and the table.

    Raises:
        FormatError: the file is no checkpoint, or one of another count.
    """
    try:
        with np.load(path) as file:
            digest, number = file["about"].tolist()
            frontier, total = file["frontier"].tolist(), file["total"].tolist()
            columns = [file[f"column{i}"] for i in range(4)]
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise FormatError(f"{path} is no checkpoint of a count: {error}") from None
    if digest != _digest(graph, order):
        raise FormatError(f"{path} is a checkpoint of another count; remove it, or name another file")
    tier = Tier(0, compiled=True)
    states = len(columns[0])
    places = max(1 << 8, 1 << (2 * states).bit_length())
    table = _Table(tier, places, two_keys=len(columns[1]) > 0, two_counts=len(columns[3]) > 0)
    tier(grow_kernel)(*columns, *table.columns)
    table.states = states
    return int(number), frontier, total, table


def _digest(graph: MoveGraph, order: list[int]) -> str:
    """What tells one count from another: the graph and the order."""
    text = b"".join(np.asarray(a, dtype=np.int64).tobytes() for a in (graph.indptr, graph.indices, order))
    return hashlib.sha256(text).hexdigest()


def count_cycles(
    graph: MoveGraph,
    *,
    order: list[int] | None = None,
    last: int | None = None,
    memory: int = 4 << 30,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: Path | None = None,
    compiled: bool | None = None,
) -> Count:
    """The number of Hamiltonian cycles of a graph, undirected, exact.

    Args:
        graph: any graph.
        order: in which order to take its vertices; a narrow one is looked for if not given.
        last: a vertex to take last.
        memory: bytes the tables may take.
        progress: called after every vertex.
        checkpoint: a file to which the tables are saved, whole or not at all, and from which a count that
            was interrupted goes on. It is saved after a vertex, when `SAVE_EVERY` seconds have passed and
            saving takes less than a tenth of the time; when the count is done it is removed.
        compiled: choose the tier of the kernels; None begins interpreted and changes when it gets large.

    Raises:
        TooLargeError: the frontier, the paths on it or the tables get too large; the message says which.
        FormatError: the checkpoint belongs to another count, or is none.
        OSError: the checkpoint cannot be written; the one before it stays.

    Time and memory grow with the states, exponentially in the width of the frontier: 6x6 has 1,300
    at its peak, 6x8 460 thousand, 7x8 10 million. About 0.2 µs a state and step once compiled.
    """
    began = time.perf_counter()
    order = narrow_order(graph, last) if order is None else order
    widest = 1 + max(frontier_widths(graph, order), default=0)
    if widest > WIDEST:
        raise TooLargeError(
            f"the frontier would be {widest} vertices wide, and at most {WIDEST} can be handled"
        )
    rows = [graph.neighbours(i).tolist() for i in range(graph.size)]
    tier = Tier(0, compiled=compiled or False)
    table = _Table(tier, 1 << 8, two_keys=False, two_counts=False)
    _add(0, 0, 1, 0, *table.columns)
    table.states = 1
    total = [0, 0, 0, 0]  # the count in two words, the new states of a call, what went wrong in it
    frontier: list[int] = []
    peak_states, peak_bytes = 1, 0
    first, saved, saving = 0, began, 0.0
    if checkpoint is not None and checkpoint.exists():
        first, frontier, total, table = load(checkpoint, graph, order)
        tier = table.tier
        peak_states = table.states
    taken = set(order[:first])
    for number, v in enumerate(order[first:], first):
        later = [w for w in rows[v] if w not in taken]
        everything = list(dict.fromkeys([*frontier, v, *later]))
        places = {u: i for i, u in enumerate(everything)}
        taken.add(v)
        if compiled is None and not tier.compiled and table.states > COMPILE_FROM_STATES:
            tier = Tier(0, compiled=True)
            table = table.copied(tier, table.places, two_counts=table.two_counts)
        need: list[int] = []
        need_start, outside = [0], []
        for u in everything:
            left = [w for w in rows[u] if w not in taken]
            need += [places[w] for w in left if w in places]
            need_start.append(len(need))
            outside.append(sum(w not in places for w in left))
        keep = [places[u] for u in everything if u != v]
        shape = [_given(tier, x) for x in ([places[w] for w in later], keep, need, need_start, outside)]
        layout = [_given(tier, x) for x in _layout()]
        scratch = [_column(tier, WIDEST) for _ in range(4)]
        highest = float(np.sum(np.asarray(table.columns[3], dtype=np.float64))) if tier.compiled else 0.0
        if max(highest, float(total[1])) * (len(later) + 1) ** 2 > 2.0**62:
            raise TooLargeError(f"the counts outgrow two words of 60 bits after {number:,} vertices")
        last_round = int(len(taken) + len(keep) == graph.size)
        so_far = total[:2]
        new = _Table(
            tier,
            # a quarter stays free, and holds what one state can bring
            1 << max(8, table.states.bit_length(), (2 * len(later) ** 2).bit_length()),
            two_keys=len(keep) > PLACES,
            two_counts=table.two_counts,
        )
        at = 0
        while at < table.places:
            room = int(FULLEST * new.places) - new.states
            sums = _given(tier, [*total[:2], 0, 0])
            at = tier(step_kernel)(
                at, *table.columns, len(places), places[v], *shape, last_round,
                *new.columns, room, *layout, *scratch, sums,
            )  # fmt: skip
            total = [int(x) for x in sums]
            new.states += total[2]
            if total[3] == 1:
                raise TooLargeError("more than 14 paths cross the frontier at once: too many to handle")
            if total[3] == 2:  # a count has outgrown one word: this vertex again, with two
                table = table.copied(tier, table.places, two_counts=True)
                new = _Table(tier, new.places, two_keys=new.two_keys, two_counts=True)
                at, total = 0, [*so_far, 0, 0]
                continue
            in_use = table.bytes + new.bytes
            if at < table.places:
                in_use += 2 * new.bytes
                if in_use > memory:
                    raise TooLargeError(
                        f"after {number:,} of {len(order):,} vertices the tables need more than "
                        f"{memory / 2**20:,.0f} MiB: {table.states:,} states, and more to come"
                    )
                new = new.copied(tier, 2 * new.places, two_counts=new.two_counts)
            peak_bytes = max(peak_bytes, in_use)
        frontier = [u for u in everything if u != v]
        table = new
        peak_states = max(peak_states, table.states)
        now = time.perf_counter()
        if checkpoint is not None and now - saved > max(SAVE_EVERY, 10 * saving):
            save(checkpoint, graph, order, number + 1, frontier, total, table)
            saved = time.perf_counter()
            saving = saved - now
        if progress:
            seconds = time.perf_counter() - began
            progress(Progress(number + 1, len(order), table.states, peak_states, seconds))
    if checkpoint is not None:
        checkpoint.unlink(missing_ok=True)
    return Count(total[0] + LIMB * total[1], peak_states, peak_bytes, time.perf_counter() - began)
