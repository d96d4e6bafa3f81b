"""Hash tables of states, and the driver that turns the states before a step into those after it.

A *record* is a row of 64-bit words: the `keys` words that identify a state, then its payload. A step expands
every record of a table; successors with equal keys are merged. The payload decides how:

- A count is added: below 2**60 in one word (a *limb*), or below 2**120 in two; or a remainder in one.
- A length is compared: the longest record is kept, with whatever words follow its length.

A search supplies a kernel that writes the successors of some records (`transform` calls it through `expand`),
and nothing else: `search` counts with it, `find.uncrossed` finds longest walks.

A table of many states does not fit into a cache, and inserting one state at a time waits for memory each
time. So successors are first collected in *trays*, one for each part of the table that fits into a cache, and
inserted tray by tray. The parts are divided among the cores, so that no core waits for another. This is the
partitioning of a hash join (Manegold, Boncz & Kersten 2002), with payloads to merge instead of rows to join.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.kernels import Ints, Tier, Vector
from cavalcade.ground.system import cores
from cavalcade.ground.threads import spread

LIMB = 1 << 60  # a count is high * LIMB + low: sums of two limbs stay below 2**63
FULLEST = 0.75  # load factor: linear probing takes about 8 comparisons for a new state at this load
PART = 1 << 14  # rows of a table that are filled from one tray: 256 KiB, which fits into the second cache
SHARE_FROM = (
    1 << 16
)  # states from which a step is divided among the cores: below, starting threads costs more
MULTIPLIERS = 1812433253, 1566083941  # hash functions of a table and of the table after it, see `Table`
COMPILE_FROM_STATES = 2000  # interpreted, a step takes about 30 µs for each state, and loading numba 0.4 s


class RecordLayout(NamedTuple):
    """The words of a record.

    Args:
        keys: words that identify the state; the first is never negative.
        width: words in all.
        limbs: words of a count, 1 or 2; 0 if the payload begins with a length.
        modulus: modulus of the counts, between 2**59 and 2**60; 0 for the counts themselves.
    """

    keys: int
    width: int
    limbs: int
    modulus: int


def counts(keys: int = 1, limbs: int = 1, modulus: int = 0) -> RecordLayout:
    """The layout of states with counts."""
    return RecordLayout(keys, keys + limbs, limbs, modulus)


class Trays(NamedTuple):
    """Successors that wait to be inserted into a table.

    Args:
        rows: the records, tray after tray.
        fill: number of records in each tray.
        layout: of the records.
        mask: number of rows of the table, minus one.
        multiplier: selects the hash function of the table.
        shift: binary logarithm of the number of rows in a part of the table.
        depth: capacity of a tray, in records.
    """

    rows: Vector
    fill: Vector
    layout: RecordLayout
    mask: int
    multiplier: int
    shift: int
    depth: int


# ---- kernels


def hash_words(words: Vector, begin: int, keys: int, mask: int, multiplier: int) -> int:
    """Hash some words to a row of a table of mask + 1 rows. All products stay below 2**63."""
    h = 0
    for i in range(keys):
        word = words[begin + i]
        h ^= (word & 0x7FFFFFFF) * (1640531527 ^ (i << 24)) ^ (word >> 31) * (1597334677 ^ (i << 24))
    h = ((h ^ (h >> 31)) & 0x7FFFFFFF) * multiplier
    return (h ^ (h >> 31)) & mask


def probe(
    words: Vector, begin: int, rows: Vector, layout: RecordLayout, mask: int, multiplier: int, end: int = -1
) -> int:
    """Find the row of the state whose keys begin at `words[begin]`, or the empty row where it belongs.

    An empty row has a first word of -1. Returns -1 if the search arrives at row `end`.
    """
    keys, width = layout.keys, layout.width
    s = hash_words(words, begin, keys, mask, multiplier)
    while rows[s * width] >= 0:
        i = 0
        while i < keys and rows[s * width + i] == words[begin + i]:
            i += 1
        if i == keys:
            return s
        s += 1
        if s == end:
            return -1
        s &= mask
    return s


def insert(
    records: Vector, begin: int, rows: Vector, layout: RecordLayout, mask: int, multiplier: int, end: int = -1
) -> int:
    """Insert a record into a table, or merge it with the record of the same state.

    Returns 1 for a new state, 0 for a merged one, 2 if the search for a row arrived at `end`, and -1 if a
    count has outgrown its only limb.
    """
    s = probe(records, begin, rows, layout, mask, multiplier, end)
    if s < 0:
        return 2
    keys, width = layout.keys, layout.width
    row = s * width
    if rows[row] < 0:
        for i in range(width):
            rows[row + i] = records[begin + i]
        return 1
    payload, other = row + keys, begin + keys
    if layout.limbs == 0:
        if records[other] > rows[payload]:
            for i in range(width - keys):
                rows[payload + i] = records[other + i]
        return 0
    total = rows[payload] + records[other]
    rows[payload] = total & 0xFFFFFFFFFFFFFFF
    if layout.limbs == 2:
        rows[payload + 1] += records[other + 1] + (total >> 60)
    elif total >> 60 > 0:
        if layout.modulus == 0:
            return -1
        rows[payload] = total % layout.modulus
    return 0


def put(record: Vector, trays: Trays) -> int:
    """Append a record to the tray of its part of the table; returns the number of records in that tray."""
    layout, fill = trays.layout, trays.fill
    part = hash_words(record, 0, layout.keys, trays.mask, trays.multiplier) >> trays.shift
    begin = (part * trays.depth + fill[part]) * layout.width
    for i in range(layout.width):
        trays.rows[begin + i] = record[i]
    fill[part] += 1
    return fill[part]


def fullest(trays: Trays) -> int:
    """Return the number of records in the fullest tray."""
    most = 0
    for i in range(len(trays.fill)):
        most = max(most, trays.fill[i])
    return most


def _empty(first: int, until: int, end: int, trays: Trays, rows: Vector) -> int:
    """Insert the records of trays `first` to `until`; records that belong at row `end` or beyond stay.

    Returns the number of new states, or -1 if a count has outgrown its only limb.
    """
    layout, records = trays.layout, trays.rows
    width, fresh = layout.width, 0
    for part in range(first, until):
        start, kept = part * trays.depth, 0
        for i in range(start, start + trays.fill[part]):
            if records[i * width] < 0:  # an empty row of a table that is copied
                continue
            outcome = insert(records, i * width, rows, layout, trays.mask, trays.multiplier, end)
            if outcome < 0:
                return -1
            if outcome < 2:
                fresh += outcome
                continue
            # Move the record to the front of its tray: another core owns the row where it belongs.
            for j in range(width):
                records[(start + kept) * width + j] = records[i * width + j]
            kept += 1
        trays.fill[part] = kept
    return fresh


# ---- tables


@dataclass(eq=False)
class Table:
    """A hash table with linear probing, or a compact list of records that is only read.

    A step leaves many states as they were. If the tables before and after it had the same hash function,
    states would be read in the order of one table and fill the other from one end, where runs of full rows
    grow to millions. So two multipliers alternate.

    Args:
        tier: interpreted or compiled.
        rows: the records, one after the other. The number of rows of a hash table is a power of two.
        states: number of states.
        layout: the words of a record.
        multiplier: selects the hash function.
    """

    tier: Tier
    rows: Vector
    states: int
    layout: RecordLayout
    multiplier: int = MULTIPLIERS[0]

    @classmethod
    def empty(cls, tier: Tier, places: int, layout: RecordLayout, multiplier: int = MULTIPLIERS[0]) -> Table:
        """A hash table without states."""
        return cls(tier, tier.column(places * layout.width, -1), 0, layout, multiplier)

    @classmethod
    def of(cls, tier: Tier, records: Ints, layout: RecordLayout) -> Table:
        """A compact table of different records, shape (states, width)."""
        return cls(tier, tier.vector(np.ascontiguousarray(records).ravel()), len(records), layout)

    @property
    def places(self) -> int:
        """Number of rows, full or empty."""
        return len(self.rows) // self.layout.width

    @property
    def bytes(self) -> int:
        """Memory of the rows."""
        return 8 * len(self.rows)

    @property
    def bytes_per_state(self) -> float:
        """Memory of the rows for each state."""
        return self.bytes / max(1, self.states)

    @property
    def records(self) -> Ints:
        """All rows as an array, shape (places, width)."""
        return np.asarray(self.rows, dtype=np.int64).reshape(-1, self.layout.width)

    @property
    def total(self) -> int:
        """The sum of all counts."""
        limbs = self.compact().records[:, self.layout.keys :]
        return sum(sum(limbs[:, i].tolist()) << 60 * i for i in range(self.layout.limbs))

    def may_outgrow(self, most: int) -> bool:
        """Whether counts may outgrow two limbs in a step in which a state has at most `most` successors."""
        if self.layout.limbs < 2:
            return False
        high = np.sum(self.compact().records[:, -1], dtype=np.float64)
        return most * float(high) > 2.0**62

    def round_up(self) -> None:
        """Divide all counts by 2**60, rounded up: multiplied by 2**60 again, they are upper bounds."""
        records = self.compact().records.copy()
        quotients = records[:, -1] + (records[:, -2] > 0)
        records[:, -2], records[:, -1] = quotients & (LIMB - 1), quotients >> 60
        self.rows = self.tier.vector(records.ravel())

    def copied(self, places: int) -> Table:
        """The same states in a hash table of another size."""
        other = Table.empty(self.tier, places, self.layout, self.multiplier)
        tray = Trays(
            self.rows,
            self.tier.words([self.places]),
            self.layout,
            places - 1,
            self.multiplier,
            0,
            self.places,
        )
        other.states = int(self.tier(_empty)(0, 1, -1, tray, other.rows))
        return other

    def compact(self) -> Table:
        """The same states without empty rows, to be read only."""
        if self.states == self.places:
            return self
        return self.chosen(np.flatnonzero(self.records[:, 0] >= 0))

    def sorted(self) -> Table:
        """The states of a compact table in the order of their keys."""
        records = self.records
        return self.chosen(np.lexsort(records[:, self.layout.keys - 1 :: -1].T))

    def chosen(self, places: Ints) -> Table:
        """The states in these rows, in this order, to be read only."""
        rows = self.tier.vector(self.records[places].ravel())
        return Table(self.tier, rows, len(places), self.layout, self.multiplier)

    def moved(self, tier: Tier) -> Table:
        """The same table in the containers of a tier."""
        if tier.compiled == self.tier.compiled:
            return self
        return replace(self, tier=tier, rows=tier.vector(self.records.ravel()))

    def ready(self, compiled: bool | None) -> Table:  # noqa: FBT001 - as everywhere else
        """This table, moved to the compiled tier if it is large and the caller leaves the tier open."""
        if compiled is None and not self.tier.compiled and self.states > COMPILE_FROM_STATES:
            return self.moved(Tier(0, compiled=True))
        return self


# ---- the driver


def transform(
    table: Table,
    expand: Callable[[Trays, int, int], int],
    *,
    layout: RecordLayout,
    most: int,
    held: int,
    where: str,
    ordered: bool = False,
) -> tuple[Table, int]:
    """Expand all states of a table into a new table.

    Args:
        table: the states before the step.
        expand: expands the states in rows `first` to `until` into trays, and stops when a tray might not
            hold the successors of one more state; returns the row where it stopped.
        layout: of the new table. If its counts outgrow one limb, the step starts again with two.
        most: greatest number of successors of one state.
        held: bytes in use besides both tables.
        where: for error messages, such as "after 5 of 64 vertices".
        ordered: insert successors in one order, so that ties between equally long records are broken in the
            same way on any number of cores.

    Returns:
        The new table, and the bytes in use at the peak.
    """
    shares = cores() if table.tier.compiled and table.states >= SHARE_FROM and not ordered else 1
    places = 1 << max(8, table.states.bit_length(), (16 * shares * most).bit_length())
    multiplier = MULTIPLIERS[table.multiplier == MULTIPLIERS[0]]

    def filled(new: Table) -> tuple[Table, int] | None:
        """The table and the bytes at the peak; None if a count outgrew its only limb."""
        bounds = [table.places * i // shares for i in range(shares + 1)]
        positions = bounds[:-1]
        trays: list[Trays] = []
        peak = 0

        def fill(i: int) -> None:
            positions[i] = expand(trays[i], positions[i], bounds[i + 1])

        while True:
            assert_time(f"{where} there are {table.states:,} states")
            growing = new.states > FULLEST * new.places
            waiting = 8 * sum(len(tray.rows) for tray in trays)
            in_use = held + table.bytes + new.bytes + waiting + 2 * new.bytes * growing
            assert_room(in_use, f"{where} the table of {new.states:,} states and more")
            peak = max(peak, in_use)
            if growing:
                new = new.copied(2 * new.places)
            if growing or not trays:
                trays[:] = [_new_trays(new, shares, most) for _ in range(shares)]
            spread(fill, range(shares), threads=shares)
            if not _emptied(new, trays):
                return None
            if positions == bounds[1:]:
                return new, peak

    done = filled(Table.empty(table.tier, places, layout, multiplier))
    if done is None:
        layout = counts(layout.keys, limbs=2)
        done = filled(Table.empty(table.tier, places, layout, multiplier))
        assert done is not None  # noqa: S101 - the caller rounds counts up before they outgrow two limbs
    return done


def _new_trays(table: Table, shares: int, most: int) -> Trays:
    """Trays for the successors that one core makes: an eighth of the table's rows, divided by the cores."""
    part = max(PART, 1 << (16 * shares * most).bit_length())
    parts = max(1, table.places // part)
    depth = max(2 * most, table.places // 8 // parts // shares)
    shift = (table.places // parts).bit_length() - 1
    return Trays(
        table.tier.column(depth * parts * table.layout.width),
        table.tier.column(parts),
        table.layout,
        table.places - 1,
        table.multiplier,
        shift,
        depth,
    )


def _emptied(table: Table, trays: list[Trays]) -> bool:
    """Insert all records of the trays; False if a count has outgrown its only limb."""
    kernel = table.tier(_empty)
    parts = len(trays[0].fill)
    width = table.places // parts
    shares = len(trays) if parts >= len(trays) else 1
    bounds = [parts * i // shares for i in range(shares + 1)]

    def empty(i: int) -> list[int]:
        first, until = bounds[i], bounds[i + 1]
        end = until * width if shares > 1 else -1
        return [kernel(first, until, end, tray, table.rows) for tray in trays]

    fresh = [new for share in spread(empty, range(shares), threads=shares) for new in share]
    if shares > 1:  # records that belong beyond the border between two shares
        fresh += [kernel(0, parts, -1, tray, table.rows) for tray in trays]
    table.states += sum(fresh)
    return all(new >= 0 for new in fresh)
