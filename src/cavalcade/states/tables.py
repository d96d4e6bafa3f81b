"""Tables of states and their counts, and how many of them are added at a time.

How a state is written is in `states`. Counts are numbers below 2**60 in one word, or below 2**120 in
two, once one word has overflowed; or, for larger ones, remainders in one word (see `residues`).

A table of many states does not fit into a cache, and looking up one state at a time waits for memory each
time. So new states are first put into *trays*, one for each part of the table that fits into a cache, and
added tray by tray; the parts are shared out among the cores, so that none waits for another. This is the
partitioning of a hash join (Manegold, Boncz & Kersten 2002), with counts to add up in place of rows to join.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.errors import TooLargeError
from cavalcade.ground.kernels import Ints, Tier, Vector
from cavalcade.ground.threads import cores, spread
from cavalcade.states.encoding import WIDEST

LIMB = 1 << 60  # counts are high * LIMB + low
FULLEST = 0.75  # of a hash table
PART = 1 << 14  # places of a table that are filled from one tray: 256 KiB
TRAYS = 8  # all trays together hold an eighth of what the table holds
SHARE_FROM = 1 << 16  # states from which the work is shared out among the cores
MULTIPLIERS = 1812433253, 1566083941  # of the table before a step and of that after it, see `Table`
COMPILE_FROM_STATES = 2000  # interpreted, a step takes about 30 µs a state


class Columns(NamedTuple):
    """States and their counts, two words each; where nothing needs a second word, its column is empty."""

    low: Vector
    high: Vector
    count_low: Vector
    count_high: Vector


class Trays(NamedTuple):
    """New states for a table.

    Args:
        columns: tray after tray.
        fill: of each tray how many states it has.
        mask: the places of the table, less one.
        multiplier: of the table.
        shift: the bits of a place within its part of the table.
        depth: how many states a tray holds.
    """

    columns: Columns
    fill: Vector
    mask: int
    multiplier: int
    shift: int
    depth: int


def slot(low: int, high: int, mask: int, multiplier: int) -> int:
    """Where a state belongs in a table of mask + 1 places. The products stay below 2**63."""
    h = (low & 0x7FFFFFFF) * 1640531527 ^ (low >> 31) * 1597334677
    h ^= (high & 0x7FFFFFFF) * 1103515245 ^ (high >> 31) * 1442695041
    h = ((h ^ (h >> 31)) & 0x7FFFFFFF) * multiplier
    return (h ^ (h >> 31)) & mask


def store(i: int, low: int, high: int, count_low: int, count_high: int, into: Columns) -> None:
    """Write a state with its count to a place."""
    into.low[i] = low
    into.count_low[i] = count_low
    if len(into.high) > 0:
        into.high[i] = high
    if len(into.count_high) > 0:
        into.count_high[i] = count_high


def add(
    low: int,
    high: int,
    count_low: int,
    count_high: int,
    into: Columns,
    multiplier: int,
    end: int = -1,
    modulus: int = 0,
) -> int:
    """Add a state with its count to a table. Empty places have keys of -1.

    Returns 1 if it is new, 0 if not, -1 if its count has outgrown a table with one word of it, 2 if the
    search for a place came to `end`. Given a modulus, a count stays in one word as a remainder.
    """
    keys_low, keys_high, counts_low, counts_high = into
    mask = len(keys_low) - 1
    two_keys, two_counts = len(keys_high) > 0, len(counts_high) > 0
    s = slot(low, high, mask, multiplier)
    while keys_low[s] >= 0:
        if keys_low[s] == low and (not two_keys or keys_high[s] == high):
            total = counts_low[s] + count_low
            counts_low[s] = total & 0xFFFFFFFFFFFFFFF
            if two_counts:
                counts_high[s] += count_high + (total >> 60)
            elif total >> 60 > 0:
                if modulus == 0:
                    return -1
                counts_low[s] = total % modulus
            return 0
        s += 1
        if s == end:
            return 2
        s &= mask
    store(s, low, high, count_low, count_high, into)
    return 1


def put(low: int, high: int, count_low: int, count_high: int, trays: Trays) -> int:
    """Put a state into its tray; returns how full the tray is."""
    fill = trays.fill
    part = slot(low, high, trays.mask, trays.multiplier) >> trays.shift
    store(part * trays.depth + fill[part], low, high, count_low, count_high, trays.columns)
    fill[part] += 1
    return fill[part]


def _empty(first: int, until: int, end: int, trays: Trays, table: Columns, modulus: int) -> int:
    """Add what is in the trays of some parts; what would come to lie beyond `end` stays in its tray.

    Returns the number of new states, or -1 if a count has outgrown one word.
    """
    tray_low, tray_high, tray_count_low, tray_count_high = trays.columns
    fill = trays.fill
    fresh = 0
    for part in range(first, until):
        start = part * trays.depth
        left = 0
        for i in range(start, start + fill[part]):
            low, count_low = tray_low[i], tray_count_low[i]
            if low < 0:  # in a table that is copied
                continue
            high = tray_high[i] if len(tray_high) > 0 else 0
            count_high = tray_count_high[i] if len(tray_count_high) > 0 else 0
            new = add(low, high, count_low, count_high, table, trays.multiplier, end, modulus)
            if new < 0:
                return -1
            if new < 2:
                fresh += new
                continue
            store(start + left, low, high, count_low, count_high, trays.columns)
            left += 1
        fill[part] = left
    return fresh


@dataclass(eq=False)
class Table:
    """Open addressing, linear probing; the number of places is a power of two, except in a compact table.

    With a `modulus`, between 2**59 and 2**60, its counts are remainders, not always the least ones.

    A step writes many states as they were, so the tables before and after it need different places for
    them: read in the order of one and added to the other, they would else fill it from one end, where
    runs of full places grow to millions while the rest is empty. So there are two multipliers.
    """

    tier: Tier
    columns: Columns
    states: int
    modulus: int = 0
    multiplier: int = MULTIPLIERS[0]

    @classmethod
    def empty(
        cls,
        tier: Tier,
        places: int,
        *,
        two_keys: bool,
        two_counts: bool,
        modulus: int = 0,
        multiplier: int = MULTIPLIERS[0],
    ) -> Table:
        """A table without states."""
        sizes = (places, places * two_keys, places, places * two_counts)
        columns = (tier.column(size, fill) for size, fill in zip(sizes, (-1, 0, 0, 0), strict=True))
        return cls(tier, Columns(*columns), 0, modulus, multiplier)

    @classmethod
    def of_one(cls, tier: Tier, *, modulus: int = 0) -> Table:
        """The table before the first vertex: one state, without a frontier, counted once."""
        table = cls.empty(tier, 1 << 8, two_keys=False, two_counts=False, modulus=modulus)
        table.states = add(0, 0, 1, 0, table.columns, table.multiplier)
        return table

    @property
    def places(self) -> int:
        """How many states it could hold, were it full."""
        return len(self.columns.low)

    @property
    def bytes(self) -> int:
        """What it takes."""
        return 8 * sum(map(len, self.columns))

    @property
    def two_keys(self) -> bool:
        """Whether its states have two words."""
        return len(self.columns.high) > 0

    @property
    def two_counts(self) -> bool:
        """Whether its counts have two words."""
        return len(self.columns.count_high) > 0

    @property
    def total(self) -> int:
        """The sum of all counts."""
        _, _, low, high = self.compact().columns
        return sum(map(int, low)) + LIMB * sum(map(int, high))

    def may_outgrow(self, most: int) -> bool:
        """Whether the counts might outgrow two words when every state brings up to `most` others."""
        return self.two_counts and most * float(np.sum(self.columns.count_high, dtype=np.float64)) > 2.0**62

    def round_up(self) -> None:
        """Divide all counts, in two words, by 2**60, rounded up: multiplied again, they are bounds."""
        low, high = self.columns.count_low, self.columns.count_high
        for first in range(0, len(low), PART):  # so that little memory is needed for it
            some = slice(first, first + PART)
            up = np.asarray(high[some]) + (np.asarray(low[some]) > 0)
            low[some], high[some] = (up & (LIMB - 1)).tolist(), (up >> 60).tolist()

    def copied(self, places: int) -> Table:
        """The same states in another table."""
        columns = {"two_keys": self.two_keys, "two_counts": self.two_counts}
        other = Table.empty(self.tier, places, **columns, modulus=self.modulus, multiplier=self.multiplier)
        tray = Trays(self.columns, self.tier.words([self.places]), 0, self.multiplier, 0, self.places)
        other.states = int(self.tier(_empty)(0, 1, -1, tray, other.columns, self.modulus))
        return other

    def compact(self) -> Table:
        """The same states without empty places: to be read, not added to."""
        return self.chosen(np.flatnonzero(np.asarray(self.columns.low) >= 0))

    def sorted(self) -> Table:
        """The same states in the order of their words; the table must be compact."""
        low, high = (np.asarray(one) for one in self.columns[:2])
        return self.chosen(np.lexsort((high, low)) if len(high) else np.argsort(low))

    def chosen(self, places: Ints) -> Table:
        """The states at these places, in this order: to be read, not added to."""
        chosen = (np.asarray(one)[places] if len(one) else one for one in self.columns)
        columns = Columns(*(self.tier.vector(np.asarray(one, dtype=np.int64)) for one in chosen))
        return Table(self.tier, columns, len(columns.low), self.modulus, self.multiplier)

    def ready(self, compiled: bool | None) -> Table:  # noqa: FBT001 - as everywhere else
        """This table, or the same for compiled kernels if the tier is left open and there are many states."""
        if compiled is None and not self.tier.compiled and self.states > COMPILE_FROM_STATES:
            tier = Tier(0, compiled=True)
            columns = Columns(*(tier.words(one) for one in self.columns))
            return Table(tier, columns, self.states, self.modulus, self.multiplier)
        return self


def _new_trays(table: Table, shares: int, most: int) -> Trays:
    """Room for the new states of one core: an eighth of the table's, shared among all cores."""
    width = max(PART, 1 << (16 * shares * most).bit_length())
    parts = max(1, table.places // width)
    depth = max(2 * most, table.places // TRAYS // parts // shares)
    columns = Columns(*(table.tier.column(depth * parts * (len(one) > 0)) for one in table.columns))
    shift = (table.places // parts).bit_length() - 1
    return Trays(columns, table.tier.column(parts), table.places - 1, table.multiplier, shift, depth)


def transform(
    table: Table,
    expand: Callable[[Columns, Trays, int, int], int],
    *,
    most: int,
    two_keys: bool,
    held: int,
    where: str,
) -> tuple[Table, int]:
    """A new table from all the states of another.

    Args:
        table: the old one.
        expand: puts what comes of the states between two places into trays, and stops when a tray might
            not hold what one more state brings; returns the place where it stopped.
        most: the most that one state brings.
        two_keys: whether the new states take two words.
        held: bytes that are in use besides both tables.
        where: for the error message, such as "after 5 of 64 vertices".

    Returns the table, and the bytes at the peak.
    """
    shares = cores() if table.tier.compiled and table.states >= SHARE_FROM else 1
    places = 1 << max(8, table.states.bit_length(), (16 * shares * most).bit_length())
    two_counts = table.two_counts

    def filled(new: Table) -> tuple[Table, int] | None:
        """The table and the bytes at the peak; None if a count outgrew its one word."""
        bounds = [table.places * i // shares for i in range(shares + 1)]
        at = bounds[:-1]
        trays: list[Trays] = []
        peak = 0

        def fill(i: int) -> None:
            at[i] = expand(table.columns, trays[i], at[i], bounds[i + 1])

        while True:
            assert_time(f"{where} there are {table.states:,} states")
            growing = new.states > FULLEST * new.places
            in_trays = 8 * sum(len(one) for some in trays for one in some.columns)
            in_use = held + table.bytes + new.bytes + in_trays + 2 * new.bytes * growing
            assert_room(in_use, f"{where} the table of {new.states:,} states and more")
            peak = max(peak, in_use)
            if growing:
                new = new.copied(2 * new.places)
            if growing or not trays:
                trays[:] = [_new_trays(new, shares, most) for _ in range(shares)]
            spread(fill, range(shares), threads=shares)
            if not _emptied(new, trays):
                return None
            if at == bounds[1:]:
                return new, peak

    while True:
        new = Table.empty(
            table.tier,
            places,
            two_keys=two_keys,
            two_counts=two_counts,
            modulus=table.modulus,
            multiplier=MULTIPLIERS[table.multiplier == MULTIPLIERS[0]],
        )
        if (done := filled(new)) is not None:
            return done
        two_counts = True  # a count has outgrown one word: all again, with two


def _emptied(table: Table, trays: list[Trays]) -> bool:
    """Add all that is in the trays; False if a count has outgrown its one word."""
    kernel = table.tier(_empty)
    parts = len(trays[0].fill)
    width = table.places // parts
    shares = len(trays) if parts >= len(trays) else 1
    bounds = [parts * i // shares for i in range(shares + 1)]

    def empty(i: int) -> list[int]:
        first, until = bounds[i], bounds[i + 1]
        end = until * width if shares > 1 else -1
        return [kernel(first, until, end, one, table.columns, table.modulus) for one in trays]

    fresh = [new for some in spread(empty, range(shares), threads=shares) for new in some]
    if shares > 1:  # what lies across the border between two shares
        fresh += [kernel(0, parts, -1, one, table.columns, table.modulus) for one in trays]
    table.states += sum(fresh)
    return all(new >= 0 for new in fresh)


def assert_narrow(width: int, widest: int = WIDEST, what: str = "frontier") -> None:
    """Refuse a frontier that is too wide for two words."""
    if width > widest:
        raise TooLargeError(f"the {what} would be {width} vertices wide, and at most {widest} can be handled")
