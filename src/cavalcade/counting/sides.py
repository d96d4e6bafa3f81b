"""The states of one side on the middle, sorted, so that those that fit the other side stand together.

A key is a pattern of degrees, a digit to the base of 3 for each place, and the rank of the matching of the
places with one edge (see `ranks`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.counting.ranks import number_of, rank_of
from cavalcade.frontier.states import WIDEST, Scratch, WordLayout, column, new_scratch, two_words, unpack
from cavalcade.frontier.tables import LIMB, Columns
from cavalcade.ground.budget import assert_time
from cavalcade.ground.kernels import Kernel
from cavalcade.ground.threads import cores, spread

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cavalcade.frontier.tables import Table
    from cavalcade.ground.kernels import Vector

PARTS = 8  # of the states, for each core to rank and sort


def _sortable(
    states: Columns, width: int, ranks: int, layout: WordLayout, scratch: Scratch, ends: Vector, taken: Vector
) -> None:
    """Write over the first words: pattern of degrees * ranks + rank of the matching."""
    for s in range(len(states.low)):
        high = states.high[s] if len(states.high) > 0 else 0
        untouched, done = unpack(states.low[s], high, width, layout, None, scratch)
        pattern, n = 0, 0
        for i in range(width):
            degree = 1 + ((done >> i) & 1) - ((untouched >> i) & 1)
            pattern = 3 * pattern + degree
            ends[n] = i  # to be written over if it is none: that is faster than a branch
            n += degree & 1
        states.low[s] = pattern * ranks + rank_of(scratch.mate, ends, n, taken)


sortable_kernel = Kernel(_sortable, uses=[unpack, rank_of])


@dataclass(frozen=True)
class Side:
    """The states of one side on the middle, sorted: keys (see `_sortable`), counts in two words."""

    keys: NDArray[np.int64]
    counts: NDArray[np.int64]
    counts_high: NDArray[np.int64]

    @classmethod
    def of(cls, table: Table, width: int) -> Side:
        """The states of a table on `width` places."""
        keys, high, counts, counts_high = (np.asarray(one, np.int64) for one in table.compact().columns)
        layout, kernel = two_words(table.tier), table.tier(sortable_kernel)
        bounds = np.linspace(0, len(keys), PARTS * cores() + 1).astype(np.int64).tolist()

        def rank(i: int) -> None:
            assert_time("the states of one half were sorted")
            some = slice(bounds[i], bounds[i + 1])
            part = Columns(keys[some], high[some], counts[some], counts_high[some])
            ends, taken = column(table.tier, WIDEST), column(table.tier, WIDEST)
            kernel(part, width, number_of(width // 2 * 2), layout, new_scratch(table.tier), ends, taken)

        def sort(i: int) -> NDArray[np.int64]:
            assert_time("the states of one half were sorted")
            some = np.flatnonzero((keys >= cuts[i]) & (keys < cuts[i + 1]))
            return np.asarray(some[np.argsort(keys[some])], dtype=np.int64)

        if not len(keys):
            return cls(keys, counts, counts_high)
        spread(rank, range(len(bounds) - 1))
        sample = np.sort(keys[:: max(1, len(keys) // 4096)])
        inner = sample[np.linspace(0, len(sample), PARTS * cores() + 1).astype(np.int64)[1:-1]]
        cuts = [0, *np.unique(inner).tolist(), np.iinfo(np.int64).max]
        by_key = np.concatenate(spread(sort, range(len(cuts) - 1)))
        return cls(keys[by_key], counts[by_key], counts_high[by_key] if len(counts_high) else counts_high)

    @property
    def bytes(self) -> int:
        """What they take."""
        return self.keys.nbytes + self.counts.nbytes + self.counts_high.nbytes

    def reduced(self, modulus: int) -> NDArray[np.int64]:
        """The counts, or their remainders."""
        if not modulus:
            return self.counts
        low = self.counts % modulus
        if not len(self.counts_high):
            return low
        return (low + self.counts_high % modulus * (LIMB % modulus)) % modulus

    def sums(self, ranks: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The patterns, and the sum of the counts of each."""
        patterns = self.keys // ranks
        starts = np.flatnonzero(np.diff(patterns, prepend=-1))
        counts = self.counts + float(LIMB) * self.counts_high if len(self.counts_high) else self.counts
        return patterns[starts], np.add.reduceat(counts.astype(np.float64), starts)
