"""Counting by a sweep: all ways to treat the vertices taken so far, as far as the rest can tell.

D. E. Knuth, TAOCP 7.2.2.4; W. Pettersson, Enumerating Hamiltonian cycles, 2014 (by edges); here a step
takes a vertex and decides all its edges to later vertices at once, as Yang & Du do by cells.

A *state* says of every vertex on the frontier whether it is untouched, done (has both its edges), or the
end of a path, and which ends belong together: its *mate*. Two partial solutions with the same state can be
completed in the same ways, so states are merged and their counts added. A state in which some vertex has
too few neighbours left is dropped at once.

How states and counts are written, and how tables of them are filled, is told in `tables`. v is the
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
from cavalcade.counting.tables import (
    LIMB,
    PLACES,
    WIDEST,
    Table,
    Trays,
    assert_narrow,
    column,
    given,
    grow_kernel,
    put,
    slot,
    transform,
    word_layout,
)
from cavalcade.errors import FormatError, TooLargeError
from cavalcade.kernels import Kernel, Tier

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cavalcade.graph import MoveGraph
    from cavalcade.kernels import Vector

SAVE_EVERY = 5.0  # seconds


@dataclass(frozen=True)
class Progress:
    """How far a count has come: steps taken and to take, states and bytes now, and the most states so far."""

    taken: int
    vertices: int
    states: int
    bytes: int
    peak_states: int
    seconds: float


@dataclass(frozen=True)
class Count:
    """An exact number of Hamiltonian cycles, and what it took."""

    cycles: int
    peak_states: int
    peak_bytes: int
    seconds: float


def _step(
    first: int,
    until: int,
    keys_low: Vector,
    keys_high: Vector,
    counts_low: Vector,
    counts_high: Vector,
    width: int,
    place: int,
    later: Vector,
    keep: Vector,
    critical: Vector,
    need: Vector,
    outside: Vector,
    last_round: int,
    most: int,
    tray_low: Vector,
    tray_high: Vector,
    tray_counts_low: Vector,
    tray_counts_high: Vector,
    fill: Vector,
    head: Vector,
    shift: Vector,
    bits: Vector,
    mate: Vector,
    seen: Vector,
    name: Vector,
    total: Vector,
) -> int:
    """Take vertex v in every state from place `first` up to `until`; returns where it stopped.

    `place` is v's place on the frontier, which is `width` wide with all of v's neighbours on it; `later`
    are the places of the neighbours still to come, `keep` the places that stay, in their new order.
    `outside[k]` says how many neighbours k still has beyond the frontier, and the bits of `need[k]` are the
    places of those on it that are still to come; `critical` are the places with fewer than two outside.
    With `last_round` every vertex left is on the frontier, so a cycle may close. `total` takes the counts
    of cycles, and what went wrong. The new states, `most` of each, go into trays.

    Sets of places are bits of a number, as are `untouched` and `done`; `mate[k]` is the other end of k's
    path, and k itself if it is untouched; `seen` holds -1 before and after.
    """
    fullest = 0
    for i in range(len(fill)):
        fullest = max(fullest, fill[i])
    n_later = len(later)
    n_keep = len(keep)
    stamp = 0
    for s in range(first, until):
        low = keys_low[s]
        if low < 0:
            continue
        if fullest + most > head[2]:
            return s
        high = keys_high[s] if len(keys_high) > 0 else 0
        count_low, count_high = counts_low[s], counts_high[s] if len(counts_high) > 0 else 0
        untouched, done = 0, 0
        for i in range(width):
            x = ((low if i < 17 else high) >> shift[i]) & bits[i]
            mate[i] = i
            if x == 0:
                untouched |= 1 << i
            elif x == 1:
                done |= 1 << i
            elif seen[x] < 0:
                seen[x] = i
            else:
                j = seen[x]
                mate[i] = j
                mate[j] = i
                seen[x] = -1
        v_untouched, v_done = (untouched >> place) & 1, (done >> place) & 1
        # one edge is chosen if v is the end of a path, two if it is untouched, none if it is done
        for p in range(n_later if v_untouched else 1):
            one = later[p] if v_untouched else -1
            if one >= 0 and (done >> one) & 1:
                continue
            for q in range(p + 1 if v_untouched else 0, 1 if v_done else n_later):
                two = -1 if v_done else later[q]
                a, b = -1, -1  # the ends of the path that goes through v, once its edges are in
                now_untouched, now_done = untouched, done
                if two >= 0:
                    if (done >> two) & 1:
                        continue
                    a, b = mate[one] if one >= 0 else mate[place], mate[two]
                    if a == two:  # a cycle closes
                        if last_round:
                            rest = (1 << width) - 1 & ~(done | 1 << place | 1 << two)
                            if one >= 0:
                                rest &= ~(1 << one)
                            if rest == 0:
                                sum_low = total[0] + count_low
                                total[1] += count_high + (sum_low >> 60)
                                total[0] = sum_low & 0xFFFFFFFFFFFFFFF
                        continue
                    if (untouched >> two) & 1:
                        now_untouched ^= 1 << two
                    else:
                        now_done |= 1 << two
                    if one >= 0:
                        if (untouched >> one) & 1:
                            now_untouched ^= 1 << one
                        else:
                            now_done |= 1 << one
                alive = True
                for c in range(len(critical)):
                    k = critical[c]
                    if (now_done >> k) & 1:
                        continue
                    missing = 1 + ((now_untouched >> k) & 1) - outside[k]
                    if missing > 0:
                        free = need[k] & ~now_done
                        if free == 0 or (missing == 2 and free & (free - 1) == 0):
                            alive = False
                            break
                if not alive:
                    continue
                new_low, new_high = 0, 0
                paths = 2
                stamp += 16
                for m in range(n_keep):
                    k = keep[m]
                    if (now_untouched >> k) & 1:
                        continue
                    x = 1
                    if not (now_done >> k) & 1:
                        x = name[k] - stamp
                        if x < 0:
                            x = paths
                            paths += 1
                            name[b if k == a else (a if k == b else mate[k])] = stamp + x
                    if m < 17:
                        new_low |= x << shift[m]
                    else:
                        new_high |= x << shift[m]
                if paths > 16:
                    total[2] = 1  # more than fourteen paths at once: four bits do not hold them
                    continue
                full = put(
                    new_low, new_high, count_low, count_high,
                    tray_low, tray_high, tray_counts_low, tray_counts_high, fill, head,
                )  # fmt: skip
                fullest = max(fullest, full)
    return until


step_kernel = Kernel(_step, uses=[slot, put])


def save(
    path: Path,
    graph: MoveGraph,
    order: list[int],
    number: int,
    frontier: list[int],
    cycles: int,
    table: Table,
) -> None:
    """Write a checkpoint: the states after `number` vertices, and what they belong to.

    Raises:
        OSError: it cannot be written; the file that was there stays.
    """
    columns = [np.asarray(one, dtype=np.int64) for one in table.compact()]
    beside = path.with_name(path.name + ".part")
    try:
        with beside.open("wb") as file:
            np.savez(
                file,
                about=np.array([_digest(graph, order), str(number), str(cycles)]),
                frontier=np.array(frontier, dtype=np.int64),
                column0=columns[0],
                column1=columns[1],
                column2=columns[2],
                column3=columns[3],
            )
        beside.replace(path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        why = f"{error.strerror or error}; it cannot be saved, and what was there before stays"
        raise OSError(error.errno, why, str(path)) from None
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def load(path: Path, graph: MoveGraph, order: list[int]) -> tuple[int, list[int], int, Table]:
    """Read a checkpoint: how many vertices were taken, the frontier, the cycles closed and the table.

    Raises:
        FormatError: the file is no checkpoint, or one of another count.
    """
    try:
        with np.load(path) as file:
            digest, number, cycles = file["about"].tolist()
            frontier = file["frontier"].tolist()
            columns = [file[f"column{i}"] for i in range(4)]
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise FormatError(f"{path} is no checkpoint of a count: {error}") from None
    if digest != _digest(graph, order):
        raise FormatError(f"{path} is a checkpoint of another count; remove it, or name another file")
    tier = Tier(0, compiled=True)
    states = len(columns[0])
    places = max(1 << 8, 1 << (2 * states).bit_length())
    table = Table(tier, places, two_keys=len(columns[1]) > 0, two_counts=len(columns[3]) > 0)
    tier(grow_kernel)(*columns, *table.columns)
    table.states = states
    return int(number), frontier, int(cycles), table


def _digest(graph: MoveGraph, order: list[int]) -> str:
    """What tells one count from another: the graph and the order."""
    text = b"".join(np.asarray(a, dtype=np.int64).tobytes() for a in (graph.indptr, graph.indices, order))
    return hashlib.sha256(text).hexdigest()


class Sweep:
    """Where a sweep is: the vertices taken, the frontier, the states on it, and the cycles closed so far.

    Args:
        graph: any graph.
        memory: bytes the tables may take.
        compiled: choose the tier of the kernels; None begins interpreted, unless numba is loaded already,
            and changes when it gets large.
    """

    def __init__(self, graph: MoveGraph, *, memory: int, compiled: bool | None = None) -> None:
        self.graph, self.memory, self.compiled = graph, memory, compiled
        self.rows = [graph.neighbours(i).tolist() for i in range(graph.size)]
        self.taken: list[int] = []
        self.frontier: list[int] = []
        self.table = Table.of_one(Tier(0, compiled=compiled))
        self.cycles = 0
        self.peak_states, self.peak_bytes = 1, 0

    def take(self, v: int) -> None:
        """Take a vertex in every state.

        Raises:
            TooLargeError: the paths on the frontier, the counts or the tables get too large.
        """
        number = len(self.taken)
        self.taken.append(v)
        taken, rows = set(self.taken), self.rows
        later = [w for w in rows[v] if w not in taken]
        everything = list(dict.fromkeys([*self.frontier, v, *later]))
        places = {u: i for i, u in enumerate(everything)}
        self.table = self.table.ready(self.compiled)
        table, tier = self.table, self.table.tier
        need, outside = [], []
        for u in everything:
            left = [w for w in rows[u] if w not in taken]
            need.append(sum(1 << places[w] for w in left if w in places))
            outside.append(sum(w not in places for w in left))
        keep = [places[u] for u in everything if u != v]
        critical = [k for k in keep if outside[k] < 2]
        lists = [[places[w] for w in later], keep, critical, need, outside]
        shape = [given(tier, numbers) for numbers in lists]
        bits = [given(tier, x) for x in word_layout()]
        last_round = int(len(taken) + len(keep) == self.graph.size)
        most = max(1, len(later), len(later) * (len(later) - 1) // 2)
        highest = float(np.sum(np.asarray(table.columns[3], dtype=np.float64))) if tier.compiled else 0.0
        if highest * most > 2.0**62:
            raise TooLargeError(f"the counts outgrow two words of 60 bits after {number:,} vertices")
        kernel = tier(step_kernel)

        def expand(old: Table, trays: Trays, first: int, until: int) -> tuple[int, list[int]]:
            scratch = [column(tier, WIDEST, fill) for fill in (0, -1, -1)]
            sums = given(tier, [0, 0, 0])
            at = kernel(
                first, until, *old.columns, len(places), places[v], *shape, last_round, most,
                *trays.columns, trays.fill, trays.head, *bits, *scratch, sums,
            )  # fmt: skip
            return at, [int(x) for x in sums]

        self.table, sums, peak = transform(
            table,
            expand,
            most=most,
            two_keys=len(keep) > PLACES,
            memory=self.memory,
            where=f"after {number:,} of {self.graph.size:,} vertices",
        )
        if sums[2]:
            raise TooLargeError("more than 14 paths cross the frontier at once: too many to handle")
        self.cycles += sums[0] + LIMB * sums[1]
        self.frontier = [u for u in everything if u != v]
        self.peak_states = max(self.peak_states, self.table.states)
        self.peak_bytes = max(self.peak_bytes, peak)


class Keeper:
    """Saves a sweep to a checkpoint file now and then, and goes on from the file if it is there.

    It is saved after a vertex, when `SAVE_EVERY` seconds have passed and saving takes less than a tenth of
    the time; when the count is done the file is removed.
    """

    def __init__(self, path: Path | None, graph: MoveGraph, order: list[int]) -> None:
        self.path, self.graph, self.order = path, graph, order
        self.saved, self.saving = time.perf_counter(), 0.0

    def resume(self, sweep: Sweep) -> int:
        """Put a fresh sweep where the checkpoint was; returns how many steps that is.

        Raises:
            FormatError: the checkpoint belongs to another count, or is none.
        """
        if self.path is not None and self.path.exists():
            number, sweep.frontier, sweep.cycles, sweep.table = load(self.path, self.graph, self.order)
            sweep.taken = self.order[:number]
            sweep.peak_states = sweep.table.states
            return number
        return 0

    def keep(self, sweep: Sweep, *, now: bool = False, more: int = 0) -> None:
        """Save a sweep if it is time to; or now, if any time has passed.

        `more` are the steps that were done after its vertices were taken.

        Raises:
            OSError: the checkpoint cannot be written; the one before it stays.
        """
        began = time.perf_counter()
        waiting = SAVE_EVERY if now else max(SAVE_EVERY, 10 * self.saving)
        if self.path is not None and began - self.saved > waiting:
            steps = len(sweep.taken) + more
            save(self.path, self.graph, self.order, steps, sweep.frontier, sweep.cycles, sweep.table)
            self.saved = time.perf_counter()
            self.saving = self.saved - began

    def done(self) -> None:
        """Remove the file."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)


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
            was interrupted goes on; see `Keeper`.
        compiled: choose the tier of the kernels; None begins interpreted, unless numba is loaded already,
            and changes when it gets large.

    Raises:
        TooLargeError: the frontier, the paths on it or the tables get too large; the message says which.
        FormatError: the checkpoint belongs to another count, or is none.
        OSError: the checkpoint cannot be written; the one before it stays.

    Time and memory grow with the states, exponentially in the width of the frontier: 6x6 has 1,300
    at its peak, 6x8 460 thousand, 7x8 10 million.
    """
    began = time.perf_counter()
    order = narrow_order(graph, last) if order is None else order
    assert_narrow(1 + max(frontier_widths(graph, order), default=0))
    sweep = Sweep(graph, memory=memory, compiled=compiled)
    keeper = Keeper(checkpoint, graph, order)
    keeper.resume(sweep)
    for v in order[len(sweep.taken) :]:
        sweep.take(v)
        keeper.keep(sweep)
        if progress:
            seconds = time.perf_counter() - began
            table = sweep.table
            progress(
                Progress(len(sweep.taken), len(order), table.states, table.bytes, sweep.peak_states, seconds)
            )
    keeper.done()
    return Count(sweep.cycles, sweep.peak_states, sweep.peak_bytes, time.perf_counter() - began)
