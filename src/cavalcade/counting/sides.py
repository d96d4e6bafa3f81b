"""The states of one side on the middle, sorted, so that those that fit the other side stand together.

A state has a *key*: its pattern of degrees, a digit to the base of 3 for each place, and the rank of the
matching of the places with one edge. The *rank* of a matching is that of the partner of its smallest place
first, then the rank of the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cavalcade.frontier.states import WIDEST, Scratch, new_scratch, unpack
from cavalcade.frontier.tables import LIMB, Columns, Table
from cavalcade.ground.budget import assert_time
from cavalcade.ground.kernels import Ints, Tier, Vector
from cavalcade.ground.threads import cores, spread

PARTS = 8  # of the states, for each core to rank and sort


def number_of(n: int) -> int:
    """How many ways there are to match n places, n even: 1 * 3 * 5 * ... * (n - 1)."""
    many = 1
    for i in range(n - 1, 1, -2):
        many *= i
    return many


def rank_of(mate: Vector, places: Vector, n: int, taken: Vector) -> int:
    """The rank of a matching of the first n of some places."""
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
    """The digits of a rank: of the smallest place left, which of the others is its partner."""
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


# ---- the states of one side


def _keys(
    low: Vector,
    high: Vector,
    width: int,
    ranks: int,
    scratch: Scratch,
    ends: Vector,
    taken: Vector,
) -> None:
    """Write keys over the first words of states: pattern of degrees * ranks + rank of the matching."""
    for s in range(len(low)):
        untouched, done = unpack(low[s], high[s] if len(high) > 0 else 0, width, None, scratch)
        pattern, power, n = 0, 1, 0
        for i in range(width):
            degree = 1 + ((done >> i) & 1) - ((untouched >> i) & 1)
            pattern += power * degree
            power *= 3
            ends[n] = i  # to be written over if it is none: that is faster than a branch
            n += degree & 1
        low[s] = pattern * ranks + rank_of(scratch.mate, ends, n, taken)


def keys_of(states: Columns, width: int, tier: Tier) -> Ints:
    """The key of each state on `width` places. It takes the place of the first words if they are an array."""
    low, high = (np.asarray(one, np.int64) for one in states[:2])
    bounds = np.linspace(0, len(low), PARTS * cores() + 1).astype(np.int64).tolist()

    def rank(i: int) -> None:
        assert_time("the states of one half were sorted")
        ends, taken, some = tier.column(WIDEST), tier.column(WIDEST), slice(bounds[i], bounds[i + 1])
        ranks, scratch = number_of(width // 2 * 2), new_scratch(tier)
        tier(_keys)(low[some], high[some], width, ranks, scratch, ends, taken)

    spread(rank, range(len(bounds) - 1))
    return low


@dataclass(frozen=True)
class Side:
    """The states of one side on the middle, sorted: keys (see `keys_of`), counts in two words."""

    keys: Ints
    counts: Ints
    counts_high: Ints

    @classmethod
    def of(cls, table: Table, width: int) -> Side:
        """The states of a table on `width` places."""
        states = table.compact().columns
        counts, counts_high = (np.asarray(one, np.int64) for one in states[2:])
        keys = keys_of(states, width, table.tier)

        def sort(i: int) -> Ints:
            assert_time("the states of one half were sorted")
            some = np.flatnonzero((keys >= cuts[i]) & (keys < cuts[i + 1]))
            return np.asarray(some[np.argsort(keys[some])], dtype=np.int64)

        if not len(keys):
            return cls(keys, counts, counts_high)
        sample = np.sort(keys[:: max(1, len(keys) // 4096)])
        inner = sample[np.linspace(0, len(sample), PARTS * cores() + 1).astype(np.int64)[1:-1]]
        cuts = [0, *np.unique(inner).tolist(), np.iinfo(np.int64).max]
        by_key = np.concatenate(spread(sort, range(len(cuts) - 1)))
        return cls(keys[by_key], counts[by_key], counts_high[by_key] if len(counts_high) else counts_high)

    @property
    def bytes(self) -> int:
        """What they take."""
        return self.keys.nbytes + self.counts.nbytes + self.counts_high.nbytes

    def reduced(self, modulus: int) -> Ints:
        """The counts, or their remainders."""
        if not modulus:
            return self.counts
        low = self.counts % modulus
        if not len(self.counts_high):
            return low
        return (low + self.counts_high % modulus * (LIMB % modulus)) % modulus

    def sums(self, ranks: int) -> tuple[Ints, NDArray[np.float64]]:
        """The patterns, and the sum of the counts of each."""
        patterns = self.keys // ranks
        starts = np.flatnonzero(np.diff(patterns, prepend=-1))
        counts = self.counts + float(LIMB) * self.counts_high if len(self.counts_high) else self.counts
        return patterns[starts], np.add.reduceat(counts.astype(np.float64), starts)
