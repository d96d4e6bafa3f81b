"""Perfect matchings, their ranks, and the effect of a change of a matching on its rank.

The ends of paths on a frontier, 0 to n - 1, are matched in pairs, in one of (n - 1)!! = 1 * 3 * 5 * ... *
(n - 1) ways. The most significant digit of the *rank* of a matching is the partner of end 0; the rank of the
other ends follows. So the matchings in which end 0 has the partner b have (n - 3)!! consecutive ranks.

A stage of a search changes a matching in one of three ways, see `Change`. The new rank depends on the old
rank and on the positions of the changed ends only. So it is read from a table with an entry for each rank.
Such a table consists of n - 1 slices, one for each partner of end 0, and each slice follows from a table for
n - 2 ends. If few states would use a table, `changed` unranks, changes and ranks each matching instead.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache

import numpy as np

from cavalcade.ground.arrays import distinct
from cavalcade.ground.kernels import Cells, Ints, Tier, Vector
from cavalcade.states.encoding import WIDEST

# Ends up to which tables are kept for the whole process. The 301 tables for 12 ends have 10,395 entries each,
# so all kept tables together take at most 14 MB. Larger tables are put together from them.
KEPT = 12
POOL_ENTRIES = 24_000_000  # entries of all tables of a search at a time: 96 MB
# Greatest number of table entries for each state that reads the table: an entry is copied from a smaller
# table, while `changed` unranks and ranks a matching.
ENTRIES_PER_STATE = 8


class Change(IntEnum):
    """Kinds of changes of a matching."""

    JOIN = 0  # ends i < j leave, and their partners become partners
    MOVE = 1  # end i leaves, and comes back as end j of the new numbering
    INSERT = 2  # a new pair becomes ends i < j of the new numbering


def number_of(n: int) -> int:
    """Return the number of matchings of n ends, n even: 1 * 3 * 5 * ... * (n - 1)."""
    product = 1
    for i in range(n - 1, 1, -2):
        product *= i
    return product


MATCHINGS = np.array([number_of(n) for n in range(0, WIDEST + 1, 2)])  # for 0, 2, 4, ... ends


def rank_of(mate: Vector, places: Vector, n: int, taken: Vector) -> int:
    """Return the rank of a matching.

    Args:
        mate: partner of each place.
        places: the matched places, in the order of their ends.
        n: number of matched places.
        taken: scratch space, one entry for each place.
    """
    rank = 0
    remaining = n
    for i in range(n):
        taken[places[i]] = 0
    for i in range(n):
        place = places[i]
        if taken[place]:
            continue
        # The digit of an end is the number of free ends before its partner.
        partner = mate[place]
        taken[place] = 1
        digit = 0
        for j in range(i + 1, n):
            if places[j] == partner:
                break
            if not taken[places[j]]:
                digit += 1
        taken[partner] = 1
        rank = rank * (remaining - 1) + digit
        remaining -= 2
    return rank


def read_digits(rank: int, n: int, digits: Vector) -> None:
    """Split a rank into its digits: the positions of the partners among the ends that are still free."""
    for level in range(n // 2 - 1, -1, -1):
        digits[level] = rank % (n - 1 - 2 * level)
        rank //= n - 1 - 2 * level


def unrank(rank: int, n: int, partner: Vector, digits: Vector) -> None:
    """Write the partners of ends 0 to n - 1 in the matching of a rank; `digits` is scratch space."""
    read_digits(rank, n, digits)
    for i in range(n):
        partner[i] = -1
    level = 0
    for i in range(n):
        if partner[i] >= 0:
            continue
        skip = digits[level]
        level += 1
        for j in range(i + 1, n):
            if partner[j] < 0:
                if skip == 0:
                    partner[i] = j
                    partner[j] = i
                    break
                skip -= 1


def mates_of(ranks: Ints, n: int) -> Ints:
    """The partners of ends 0 to n - 1 in the matchings of some ranks, shape (ranks, n)."""
    mates = np.full((len(ranks), n), -1, dtype=np.int64)
    rows, rest = np.arange(len(ranks)), np.asarray(ranks, dtype=np.int64)
    for remaining in range(n, 0, -2):
        digit, rest = np.divmod(rest, number_of(remaining - 2))
        free = np.cumsum(mates < 0, axis=1)  # number of free ends up to each end
        first = np.argmax(free == 1, axis=1)
        second = np.argmax(free == digit[:, None] + 2, axis=1)
        mates[rows, first], mates[rows, second] = second, first
    return mates


def code_of(kind: int, n: int, i: int, j: int) -> int:
    """Encode a change of a matching of n ends, see `Change`."""
    return ((kind * 17 + n // 2) * 32 + i) * 32 + j


def changed(rank: int, code: int, partner: Vector, places: Vector, taken: Vector) -> int:
    """Return the rank after a change, or -1 if the change closes a cycle.

    Args:
        rank: rank of the matching.
        code: encoded change, see `code_of`.
        partner: scratch space for the partner of each end.
        places: scratch space for the old ends in their new order.
        taken: scratch space for `rank_of`.
    """
    i, j = (code >> 5) & 31, code & 31
    kind, n = (code >> 10) // 17, (code >> 10) % 17 * 2
    unrank(rank, n, partner, taken)
    m = 0
    if kind == Change.JOIN:
        a, b = partner[i], partner[j]
        if a == j:
            return -1
        partner[a] = b
        partner[b] = a
        for x in range(n):
            if x != i and x != j:
                places[m] = x
                m += 1
        return rank_of(partner, places, m, taken)
    # Either end i comes back as end j, or new ends n and n + 1 become ends i and j.
    first, second = -1, i
    if kind == Change.INSERT:
        partner[n] = n + 1
        partner[n + 1] = n
        first, second = n, n + 1
    x = 0
    for m in range(n + 2 * (kind == Change.INSERT)):
        if m == j:
            places[m] = second
        elif m == i and first >= 0:
            places[m] = first
        else:
            if x == second:
                x += 1
            places[m] = x
            x += 1
    return rank_of(partner, places, n + 2 * (kind == Change.INSERT), taken)


# ---- tables

Step = tuple[Change, int, int, int]  # a change, as the arguments of `table`
Slice = tuple[int, tuple[Step, ...]]  # a number to add to the rank, and the changes in their order


def _slice(kind: Change, n: int, i: int, j: int, b: int) -> Slice | None:
    """Reduce a change of matchings in which end 0 has the partner b to changes of the other n - 2 ends.

    Returns None if the change closes a cycle.
    """

    def inner(x: int) -> int:
        """The number of end x when 0 and b are removed."""
        return x - 1 - (x > b)

    if kind == Change.JOIN:
        if {i, j} == {0, b}:
            return None
        if i == 0:  # b gets the partner of j
            return 0, ((Change.MOVE, n - 2, inner(j), b - 1 - (j < b)),)
        if b in {i, j}:  # 0 gets the partner of the other end
            return 0, ((Change.MOVE, n - 2, inner(i + j - b), 0),)
        partner = b - (b > i) - (b > j)
        return (partner - 1) * number_of(n - 4), ((Change.JOIN, n - 2, inner(i), inner(j)),)
    if kind == Change.INSERT:
        partner = b + (b >= i)
        partner += partner >= j
        change = Change.INSERT, n - 2, i - 1 - (i > partner), j - 1 - (j > partner)
        return (partner - 1) * number_of(n), (change,)
    if i == 0:
        partner = b - 1 + (b - 1 >= j)
        return 0, ((Change.INSERT, n - 2, min(partner, j), max(partner, j)),)
    if b == i:
        return max(0, j - 1) * number_of(n - 2), ()
    partner = b - (b > i)
    partner += partner >= j
    if j > 0:
        change = Change.MOVE, n - 2, inner(i), j - 1 - (j > partner)
        return (partner - 1) * number_of(n - 2), (change,)
    return 0, ((Change.MOVE, n - 2, inner(i), 0), (Change.INSERT, n - 2, 1, partner))


def table(kind: Change, n: int, i: int, j: int) -> Cells:
    """The rank after a change for every rank before it; -1 where the change closes a cycle."""
    return _kept_table(kind, n, i, j) if n <= KEPT else _new_table(kind, n, i, j)


def _new_table(kind: Change, n: int, i: int, j: int) -> Cells:
    size = number_of(n)
    if kind == Change.INSERT and i == 0:
        return np.arange((j - 1) * size, j * size, dtype=np.int32)
    if kind == Change.MOVE and i == j:
        return np.arange(size, dtype=np.int32)
    ranks = np.full(size, -1, dtype=np.int32)
    below = number_of(n - 2)
    for b in range(1, n):
        reduced = _slice(kind, n, i, j, b)
        if reduced is None:
            continue
        part = ranks[(b - 1) * below : b * below]
        base, changes = reduced
        if not changes:
            part[:] = np.arange(base, base + below, dtype=np.int32)
            continue
        first = table(*changes[0])
        part[:] = table(*changes[1])[first] if len(changes) > 1 else first + np.int32(base)
        if kind == Change.JOIN and base:
            part[first < 0] = -1
    return ranks


_kept_table = cache(_new_table)


def reversal(n: int) -> Cells:
    """Ranks of the matchings after their ends are numbered in reverse order."""
    if not n:
        return np.zeros(1, dtype=np.int32)
    below = reversal(n - 2)
    return np.concatenate([table(Change.INSERT, n - 2, n - 1 - b, n - 1)[below] for b in range(1, n)])


class Changes:
    """The tables of the changes that a search makes.

    Args:
        tier: tier of the kernels that read the tables.

    Attributes:
        pool: the tables, one after the other.
        start: offset of the table of each code in `pool`; -1 for a code without a table.
    """

    def __init__(self, tier: Tier) -> None:
        self.tier = tier
        self._clear()

    def _clear(self) -> None:
        self._used = 0
        self.pool: Vector = self.tier.full(1 << 10)
        # The last entry is read by the code -1, no change, which needs no table.
        codes = code_of(Change.INSERT, WIDEST, WIDEST - 1, WIDEST - 1) + 1
        self.start = np.full(codes + 1, -1, dtype=np.int64)
        self.start[-1] = 0

    def prepare(self, codes: Cells | Ints, states: Ints, entries: int) -> None:
        """Make the tables that enough states will read.

        Args:
            codes: encoded changes, one for each choice.
            states: number of states that make each choice.
            entries: limit of the number of entries of all tables.
        """
        lacking = self.start[codes] < 0
        if not lacking.any():
            return
        without, limit = codes[lacking].astype(np.int64), min(entries, POOL_ENTRIES)
        new = distinct(without)
        readers = np.bincount(without, weights=states[lacking])[new]
        sizes = MATCHINGS[(new >> 10) % 17]
        useful = (sizes <= ENTRIES_PER_STATE * readers) & (sizes <= limit)
        new, sizes = new[useful], sizes[useful]
        if self._used and self._used + sizes.sum() > limit:
            self._clear()
            self.prepare(codes, states, entries)
            return
        smallest = np.argsort(sizes, kind="stable")
        for code, size in zip(new[smallest].tolist(), sizes[smallest].tolist(), strict=True):
            if self._used + size <= limit:
                self._append(code, size)

    def _append(self, code: int, size: int) -> None:
        """Append the table of a change to the pool, which at least doubles when it is full."""
        until = self._used + size
        if until > len(self.pool):
            extension = self.tier.full(max(until - len(self.pool), len(self.pool)))
            parts = [np.asarray(part, np.int32) for part in (self.pool, extension)]
            self.pool = self.tier.vector(np.concatenate(parts))
        kind, n = divmod(code >> 10, 17)
        ranks = table(Change(kind), 2 * n, (code >> 5) & 31, code & 31)
        self.pool[self._used : until] = self.tier.vector(ranks)
        self.start[code] = self._used
        self._used = until
