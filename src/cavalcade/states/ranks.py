"""Perfect matchings and their ranks, and what a change of a matching does to its rank.

The ends of paths on a frontier, 0 to n - 1, are matched in pairs, in one of (n - 1)!! = 1 * 3 * 5 * ... *
(n - 1) ways. The *rank* of a matching begins with the partner of end 0, and goes on with the rank of the
rest. So the matchings in which 0 has the partner b are (n - 3)!! ranks one after the other.

A step changes a matching in one of three ways: it *joins* two ends, and their partners become partners; it
*moves* an end to another place among the others; or it *inserts* a pair. What that does to the rank depends
on the places alone, not on the state. So it is looked up in a table, which is put together from tables for
two ends less: for each partner of 0 that is one slice. Where a table would be larger than its use, the
matching is read from its rank, changed, and ranked again.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from cavalcade.ground.arrays import distinct
from cavalcade.ground.kernels import Cells, Ints, Tier, Vector

JOIN, MOVE, INSERT = 0, 1, 2
SAME = -1  # the code of no change
PLACES = 32
TABLED = 16  # ends up to which a change may have a table
KEPT = 12  # ends up to which tables are kept: 10,395 numbers each
ROOM = 24_000_000  # numbers in all tables at a time: 96 MB
WORTH = 8  # a table must be used by an eighth as many states as it has numbers
SMALL = 945  # numbers of a table that is always worth it
CODES = 3 * (PLACES // 2 + 1) * PLACES * PLACES


def number_of(n: int) -> int:
    """How many ways there are to match n ends, n even: 1 * 3 * 5 * ... * (n - 1)."""
    many = 1
    for i in range(n - 1, 1, -2):
        many *= i
    return many


MATCHINGS = np.array([number_of(n) for n in range(0, PLACES + 1, 2)])


def rank_of(mate: Vector, places: Vector, n: int, taken: Vector) -> int:
    """The rank of a matching of the first n of some places, in their order."""
    rank = 0
    left = n
    for i in range(n):
        taken[places[i]] = 0
    for i in range(n):
        here = places[i]
        if taken[here]:
            continue
        partner = mate[here]
        taken[here] = 1
        before = 0
        for j in range(i + 1, n):
            other = places[j]
            if other == partner:
                break
            if not taken[other]:
                before += 1
        taken[partner] = 1
        rank = rank * (left - 1) + before
        left -= 2
    return rank


def read_digits(rank: int, n: int, digits: Vector) -> None:
    """The digits of a rank: of the smallest end left, which of the others is its partner."""
    for level in range(n // 2 - 1, -1, -1):
        digits[level] = rank % (n - 1 - 2 * level)
        rank //= n - 1 - 2 * level


def unrank(rank: int, n: int, partner: Vector, digits: Vector) -> None:
    """The matching of 0, …, n - 1 that has a rank."""
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
    """The matchings that have some ranks: of each the partners of 0, …, n - 1, one row for each rank."""
    found = np.full((len(ranks), n), -1, dtype=np.int64)
    rows, rest = np.arange(len(ranks)), np.asarray(ranks, dtype=np.int64)
    for left in range(n, 0, -2):
        digit, rest = rest // number_of(left - 2), rest % number_of(left - 2)
        free = np.cumsum(found < 0, axis=1)  # of each end how many are free up to it
        first = np.argmax(free == 1, axis=1)
        second = np.argmax(free == digit[:, None] + 2, axis=1)
        found[rows, first], found[rows, second] = second, first
    return found


def code_of(kind: int, n: int, i: int, j: int) -> int:
    """One number for a change of n ends: see `changed`."""
    return ((kind * 17 + n // 2) * 32 + i) * 32 + j


def changed(rank: int, code: int, partner: Vector, places: Vector, taken: Vector) -> int:
    """The rank after a change, or -1 if it closes a cycle.

    `JOIN` joins ends i < j; `MOVE` takes end i out and puts it in as end j; `INSERT` puts in a pair, which
    becomes ends i < j.
    """
    i, j = (code >> 5) & 31, code & 31
    kind, n = (code >> 10) // 17, (code >> 10) % 17 * 2
    unrank(rank, n, partner, taken)
    m = 0
    if kind == 0:
        a, b = partner[i], partner[j]
        if a == j:
            return -1
        partner[a] = b
        partner[b] = a
        for x in range(n):
            if x != i and x != j:
                places[m] = x
                m += 1
    elif kind == 1:
        for x in range(n):
            if x == i:
                continue
            if m == j:
                places[m] = i
                m += 1
            places[m] = x
            m += 1
        if m == j:
            places[m] = i
            m += 1
    else:
        partner[n] = n + 1
        partner[n + 1] = n
        x = 0
        for m in range(n + 2):
            if m == i:
                places[m] = n
            elif m == j:
                places[m] = n + 1
            else:
                places[m] = x
                x += 1
        m = n + 2
    return rank_of(partner, places, m, taken)


# ---- tables

Part = tuple[int, tuple[tuple[int, int, int, int], ...]]  # a number to add, and changes one after the other


def _part(kind: int, n: int, i: int, j: int, b: int) -> Part | None:
    """What a change does where end 0 has the partner b, to the rank of the other n - 2; None if it closes."""

    def less(x: int) -> int:
        """The number of an end among those but 0 and b."""
        return x - 1 - (x > b)

    if kind == JOIN:
        if {i, j} == {0, b}:
            return None
        if i == 0:  # b gets j's partner
            at = less(j)
            return 0, ((MOVE, n - 2, at, b - 1 - (j < b)),)
        if b in {i, j}:  # 0 gets the other's
            return 0, ((MOVE, n - 2, less(i + j - b), 0),)
        return (b - (b > i) - (b > j) - 1) * number_of(n - 4), ((JOIN, n - 2, less(i), less(j)),)
    if kind == INSERT:
        c = b + (b >= i)
        c += c >= j
        return (c - 1) * number_of(n), ((INSERT, n - 2, i - 1 - (i > c), j - 1 - (j > c)),)
    if i == 0:
        c = b - 1 + (b - 1 >= j)
        return 0, ((INSERT, n - 2, min(c, j), max(c, j)),)
    if b == i:
        return max(0, j - 1) * number_of(n - 2), ()
    c = b - (b > i)
    c += c >= j
    if j > 0:
        return (c - 1) * number_of(n - 2), ((MOVE, n - 2, less(i), j - 1 - (j > c)),)
    return 0, ((MOVE, n - 2, less(i), 0), (INSERT, n - 2, 1, c))


def table(kind: int, n: int, i: int, j: int) -> Cells:
    """The rank after a change for every rank before it, -1 where the change closes a cycle: see `changed`."""
    return _kept(kind, n, i, j) if n <= KEPT else _made(kind, n, i, j)


def _made(kind: int, n: int, i: int, j: int) -> Cells:
    every = number_of(n)
    if kind == INSERT and i == 0:
        return np.arange((j - 1) * every, j * every, dtype=np.int32)
    if kind == MOVE and i == j:
        return np.arange(every, dtype=np.int32)
    found = np.full(every, -1, dtype=np.int32)
    below = number_of(n - 2)
    for b in range(1, n):
        part = _part(kind, n, i, j, b)
        if part is None:
            continue
        some = found[(b - 1) * below : b * below]
        base, changes = part
        if not changes:
            some[:] = np.arange(base, base + below, dtype=np.int32)
            continue
        first = table(*changes[0])
        some[:] = table(*changes[1])[first] if len(changes) > 1 else first + np.int32(base)
        if kind == JOIN and base:
            some[first < 0] = -1
    return found


@cache
def _kept(kind: int, n: int, i: int, j: int) -> Cells:
    return _made(kind, n, i, j)


def reversal(n: int) -> Cells:
    """The rank of each matching when its ends are numbered the other way round."""
    if not n:
        return np.zeros(1, dtype=np.int32)
    below = reversal(n - 2)
    return np.concatenate([table(INSERT, n - 2, n - 1 - b, n - 1)[below] for b in range(1, n)])


class Changes:
    """Tables of the changes that a search makes, one after the other in `pool`.

    `start[code]` is where that of a change begins, or -1 if it has none.
    """

    def __init__(self, tier: Tier) -> None:
        self.tier = tier
        self._clear()

    def _clear(self) -> None:
        self._used = 0
        self.pool: Vector = self.tier.full(1 << 10)
        self.start = np.full(CODES + 1, -1, dtype=np.int64)  # the last for the code of no change
        self.start[-1] = 0

    def prepare(self, codes: Cells | Ints, states: Ints, room: int) -> None:
        """Make the tables that are worth it, for the codes of some choices, and the states of each.

        All tables together have no more than `room` numbers.
        """
        lacking = self.start[codes] < 0
        if not lacking.any():
            return
        without, room = codes[lacking].astype(np.int64), min(room, ROOM)
        new = distinct(without)
        weights = np.bincount(without, weights=states[lacking])[new]
        size = MATCHINGS[(new >> 10) % 17]
        worth = (size <= SMALL + WORTH * weights) & (size <= number_of(TABLED))
        new, size = new[worth], size[worth]
        smallest = np.argsort(size, kind="stable")
        if self._used and self._used + size.sum() > room:
            self._clear()
            self.prepare(codes, states, room)
            return
        for code, many in zip(new[smallest].tolist(), size[smallest].tolist(), strict=True):
            if self._used + many <= room:
                self._add(code, many)

    def _add(self, code: int, size: int) -> None:
        """One more table."""
        until = self._used + size
        if until > len(self.pool):
            more = self.tier.full(max(until - len(self.pool), len(self.pool)))
            self.pool = self.tier.vector(
                np.concatenate([np.asarray(self.pool, np.int32), np.asarray(more, np.int32)])
            )
        made = table((code >> 10) // 17, (code >> 10) % 17 * 2, (code >> 5) & 31, code & 31)
        self.pool[self._used : until] = self.tier.vector(made)
        self.start[code] = self._used
        self._used = until
