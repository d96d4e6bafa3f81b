"""Tables of states and their counts: how a state is written, and how many of them are added at a time.

A state says of every vertex on a frontier whether it is untouched, done, or the end of a path, and which
ends belong together (see `frontier`). It has a few bits for each: 0 untouched, 1 done, from 2 on the number
of its path. Paths are numbered in the order in which they appear, so the first places need only two and three
bits, and seventeen fit into one word; a second word, used only where the frontier is wider, holds fifteen
more. Counts are numbers below 2**60 in one word, or below 2**120 in two, once one word has overflowed.

A table of many states does not fit into a cache, and looking up one state at a time waits for memory each
time. So new states are first put into *trays*, one for each part of the table that fits into a cache, and
added tray by tray; the parts are shared out among the cores, so that none waits for another. This is the
partitioning of a hash join (Manegold, Boncz & Kersten 2002), with counts to add up in place of rows to join.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.errors import TooLargeError
from cavalcade.kernels import Kernel, Tier
from cavalcade.threads import cores, spread

if TYPE_CHECKING:
    from collections.abc import Callable

    from cavalcade.kernels import Vector

PLACES = 17  # frontier vertices that the first word holds: 2 + 2 + 4 * 3 + 11 * 4 = 60 bits
WIDEST = PLACES + 15
LIMB = 1 << 60  # counts are high * LIMB + low
FULLEST = 0.75  # of a hash table
PART = 1 << 14  # places of a table that are filled from one tray: 256 KiB
TRAYS = 8  # all trays together hold an eighth of what the table holds
SHARE_FROM = 1 << 16  # states from which the work is shared out among the cores
COMPILE_FROM_STATES = 2000  # interpreted, a step takes about 30 µs a state


def slot(low: int, high: int, mask: int) -> int:
    """Where a state belongs in a table of mask + 1 places. The products stay below 2**63."""
    h = (low & 0x7FFFFFFF) * 1640531527 ^ (low >> 31) * 1597334677
    h ^= (high & 0x7FFFFFFF) * 1103515245 ^ (high >> 31) * 1442695041
    h ^= h >> 29
    return (h ^ (h >> 17)) & mask


def add(
    low: int,
    high: int,
    count_low: int,
    count_high: int,
    keys_low: Vector,
    keys_high: Vector,
    counts_low: Vector,
    counts_high: Vector,
    end: int = -1,
) -> int:
    """Add a state with its count to a table. Empty places have keys of -1.

    Returns 1 if it is new, 0 if not, -1 if its count has outgrown a table with one word of it, 2 if the
    search for a place came to `end`.
    """
    mask = len(keys_low) - 1
    two_keys, two_counts = len(keys_high) > 0, len(counts_high) > 0
    s = slot(low, high, mask)
    while keys_low[s] >= 0:
        if keys_low[s] == low and (not two_keys or keys_high[s] == high):
            total = counts_low[s] + count_low
            counts_low[s] = total & 0xFFFFFFFFFFFFFFF
            if two_counts:
                counts_high[s] += count_high + (total >> 60)
            elif total >> 60 > 0:
                return -1
            return 0
        s += 1
        if s == end:
            return 2
        s &= mask
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
            add(
                old_low[s],
                old_high[s] if len(old_high) > 0 else 0,
                old_counts_low[s],
                old_counts_high[s] if len(old_counts_high) > 0 else 0,
                keys_low,
                keys_high,
                counts_low,
                counts_high,
            )


def put(
    low: int,
    high: int,
    count_low: int,
    count_high: int,
    tray_low: Vector,
    tray_high: Vector,
    tray_counts_low: Vector,
    tray_counts_high: Vector,
    fill: Vector,
    head: Vector,
) -> int:
    """Put a state into its tray; returns how full the tray is.

    `head` is the table's mask, the bits of a place within a part, and what a tray holds.
    """
    part = slot(low, high, head[0]) >> head[1]
    i = part * head[2] + fill[part]
    tray_low[i] = low
    tray_counts_low[i] = count_low
    if len(tray_high) > 0:
        tray_high[i] = high
    if len(tray_counts_high) > 0:
        tray_counts_high[i] = count_high
    fill[part] += 1
    return fill[part]


def _empty(
    first: int,
    until: int,
    end: int,
    tray_low: Vector,
    tray_high: Vector,
    tray_counts_low: Vector,
    tray_counts_high: Vector,
    fill: Vector,
    head: Vector,
    keys_low: Vector,
    keys_high: Vector,
    counts_low: Vector,
    counts_high: Vector,
) -> int:
    """Add what is in the trays of some parts; what would come to lie beyond `end` stays in its tray.

    Returns the number of new states, or -1 if a count has outgrown one word.
    """
    fresh = 0
    for part in range(first, until):
        start = part * head[2]
        left = 0
        for i in range(start, start + fill[part]):
            low, count_low = tray_low[i], tray_counts_low[i]
            high = tray_high[i] if len(tray_high) > 0 else 0
            count_high = tray_counts_high[i] if len(tray_counts_high) > 0 else 0
            new = add(low, high, count_low, count_high, keys_low, keys_high, counts_low, counts_high, end)
            if new < 0:
                return -1
            if new < 2:
                fresh += new
                continue
            j = start + left
            tray_low[j] = low
            tray_counts_low[j] = count_low
            if len(tray_high) > 0:
                tray_high[j] = high
            if len(tray_counts_high) > 0:
                tray_counts_high[j] = count_high
            left += 1
        fill[part] = left
    return fresh


grow_kernel = Kernel(_grow, uses=[slot, add])
empty_kernel = Kernel(_empty, uses=[slot, add])


class Table:
    """Open addressing, linear probing: states and counts of one or two words, a power of two of places."""

    def __init__(self, tier: Tier, places: int, *, two_keys: bool, two_counts: bool) -> None:
        self.tier = tier
        self.two_keys, self.two_counts = two_keys, two_counts
        sizes = (places, places * two_keys, places, places * two_counts)
        self.columns = [column(tier, size, fill) for size, fill in zip(sizes, (-1, 0, 0, 0), strict=True)]
        self.states = 0

    @classmethod
    def of_one(cls, tier: Tier, *, two_keys: bool = False) -> Table:
        """The table before the first vertex: one state, without a frontier, counted once."""
        table = cls(tier, 1 << 8, two_keys=two_keys, two_counts=False)
        table.put(0, 0, 1)
        return table

    def put(self, low: int, high: int, number: int) -> None:
        """Add a state, counted `number` times."""
        keys_low, keys_high, counts_low, counts_high = self.columns
        self.states += add(low, high, number, 0, keys_low, keys_high, counts_low, counts_high)

    @property
    def places(self) -> int:
        """How many states it could hold, were it full."""
        return len(self.columns[0])

    @property
    def bytes(self) -> int:
        """What it takes."""
        return 8 * sum(len(one) for one in self.columns)

    def copied(self, tier: Tier, places: int, *, two_counts: bool, two_keys: bool | None = None) -> Table:
        """The same states in another table."""
        two_keys = self.two_keys if two_keys is None else two_keys
        other = Table(tier, places, two_keys=two_keys, two_counts=two_counts)
        columns = self.columns
        if tier.compiled:
            columns = [np.asarray(one, dtype=np.int64) for one in columns]
        tier(grow_kernel)(*columns, *other.columns)
        other.states = self.states
        return other

    def compact(self) -> list[Vector]:
        """The columns without the empty places, in the containers of the tier."""
        low = self.columns[0]
        if isinstance(low, list):
            full = [s for s, state in enumerate(low) if state >= 0]
            return [[one[s] for s in full] if one else one for one in self.columns]
        chosen = np.flatnonzero(low >= 0)
        return [np.asarray(one)[chosen] if len(one) else one for one in self.columns]

    def ready(self, compiled: bool | None) -> Table:  # noqa: FBT001 - as everywhere else
        """This table, or a copy for compiled kernels if the tier is left open and there are many states."""
        if compiled is None and not self.tier.compiled and self.states > COMPILE_FROM_STATES:
            return self.copied(Tier(0, compiled=True), self.places, two_counts=self.two_counts)
        return self


class Trays:
    """Room for the new states of one core: an eighth of the table's, shared among all cores."""

    def __init__(self, table: Table, shares: int, most: int) -> None:
        width = max(PART, 1 << (16 * shares * most).bit_length())
        parts = max(1, table.places // width)
        deep = max(2 * most, table.places // TRAYS // parts // shares)
        sizes = [deep * parts * (len(one) > 0) for one in table.columns]
        self.columns = [column(table.tier, size) for size in sizes]
        self.fill = column(table.tier, parts)
        shift = (table.places // parts).bit_length() - 1
        self.head = given(table.tier, [table.places - 1, shift, deep])

    @property
    def bytes(self) -> int:
        """What it takes."""
        return 8 * sum(len(one) for one in self.columns)


def transform(
    table: Table,
    expand: Callable[[Table, Trays, int, int], tuple[int, list[int]]],
    *,
    most: int,
    two_keys: bool,
    memory: int,
    where: str,
    kept: bool = False,
) -> tuple[Table, list[int], int]:
    """A new table from all the states of another.

    Args:
        table: the old one.
        expand: puts what comes of the states between two places into trays, and stops when a tray might
            not hold what one more state brings; returns the place where it stopped, and numbers to sum up.
        most: the most that one state brings.
        two_keys: whether the new states take two words.
        memory: bytes that both tables may take.
        where: what to say where they take more, as "after 5 of 64 vertices".
        kept: the new table has the old states too (which would all come into one tray after the other,
            since they lie where they came from).

    Returns the table, the sums, and the bytes at the peak.

    Raises:
        TooLargeError: more memory would be needed.
    """
    tier = table.tier
    shares = cores() if tier.compiled and table.states >= SHARE_FROM else 1
    places = 1 << max(8, table.states.bit_length(), (16 * shares * most).bit_length())
    two_counts = table.two_counts
    while True:
        if kept:
            new = table.copied(tier, 2 * places, two_counts=two_counts, two_keys=two_keys)
        else:
            new = Table(tier, places, two_keys=two_keys, two_counts=two_counts)
        done = _filled(table, new, expand, shares, most, memory, where)
        if done is not None:
            return done
        # a count has outgrown one word: all again, with two
        table = table.copied(tier, table.places, two_counts=True)
        two_counts = True


def _filled(
    table: Table,
    new: Table,
    expand: Callable[[Table, Trays, int, int], tuple[int, list[int]]],
    shares: int,
    most: int,
    memory: int,
    where: str,
) -> tuple[Table, list[int], int] | None:
    """`transform` into a given table; None if a count outgrew its one word."""
    bounds = [table.places * i // shares for i in range(shares + 1)]
    at = bounds[:-1]
    sums: list[int] = []
    trays: list[Trays] = []
    peak = 0

    def fill(i: int) -> list[int]:
        at[i], some = expand(table, trays[i], at[i], bounds[i + 1])
        return some

    while True:
        growing = new.states > FULLEST * new.places
        in_use = table.bytes + new.bytes + sum(one.bytes for one in trays) + 2 * new.bytes * growing
        if in_use > memory:
            raise TooLargeError(
                f"{where} the tables need more than {memory / 2**20:,.0f} MiB: "
                f"{table.states:,} states, and more to come"
            )
        peak = max(peak, in_use)
        if growing:
            new = new.copied(new.tier, 2 * new.places, two_counts=new.two_counts)
        if growing or not trays:
            trays[:] = [Trays(new, shares, most) for _ in range(shares)]
        for some in spread(fill, range(shares), threads=shares):
            sums = [a + b for a, b in zip(sums, some, strict=True)] if sums else list(some)
        if not _emptied(new, trays):
            return None
        if at == bounds[1:]:
            return new, sums, peak


def _emptied(table: Table, trays: list[Trays]) -> bool:
    """Add all that is in the trays; False if a count has outgrown its one word."""
    kernel = table.tier(empty_kernel)
    parts = len(trays[0].fill)
    width = table.places // parts
    shares = len(trays) if parts >= len(trays) else 1
    bounds = [parts * i // shares for i in range(shares + 1)]

    def empty(i: int) -> list[int]:
        first, until = bounds[i], bounds[i + 1]
        return [
            kernel(
                first, until, until * width if shares > 1 else -1,
                *one.columns, one.fill, one.head, *table.columns,
            )
            for one in trays
        ]  # fmt: skip

    fresh = [new for some in spread(empty, range(shares), threads=shares) for new in some]
    if shares > 1:  # what lies across the border between two shares
        fresh += [kernel(0, parts, -1, *one.columns, one.fill, one.head, *table.columns) for one in trays]
    table.states += sum(fresh)
    return all(new >= 0 for new in fresh)


def assert_narrow(width: int) -> None:
    """Refuse a frontier that is too wide for two words.

    Raises:
        TooLargeError: it is.
    """
    if width > WIDEST:
        raise TooLargeError(
            f"the frontier would be {width} vertices wide, and at most {WIDEST} can be handled"
        )


def column(tier: Tier, size: int, fill: int = 0) -> Vector:
    """A column of 64-bit numbers."""
    return np.full(size, fill, dtype=np.int64) if tier.compiled else [fill] * size


def given(tier: Tier, numbers: list[int]) -> Vector:
    """Numbers for a kernel to use."""
    return np.array(numbers, dtype=np.int64) if tier.compiled else numbers


def word_layout() -> tuple[list[int], list[int]]:
    """For each place its shift within its word, and the mask of its bits."""
    widths = [2] * 2 + [3] * 4 + [4] * (WIDEST - 6)
    shift = [sum(widths[:i]) if i < PLACES else 4 * (i - PLACES) for i in range(WIDEST)]
    return shift, [(1 << width) - 1 for width in widths]
