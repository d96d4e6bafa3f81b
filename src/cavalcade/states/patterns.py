"""States grouped by their degree patterns: few bytes for each state, and a stage that looks no state up.

A *degree pattern* gives the number of chosen edges for every vertex on the frontier: 0 for an untouched
vertex, 1 for the end of a path, 2 for a vertex that is done. A state is a degree pattern and a perfect
matching of its ends, which joins the two ends of each path. A table holds its patterns in ascending order,
and the matchings of each pattern in the order of their ranks (see `ranks`). It stores the gaps between
consecutive ranks, and the counts of a pattern in the bytes that its largest count needs. At its peak, 8x8 has
91,766,664 states, 42 for each pattern, in 2.7 bytes each.

The pattern alone determines the edges that a stage may choose, whether a vertex keeps enough neighbours, and
the new pattern. So these are computed once for each pattern. The rank of the matching changes in one way for
the whole pattern. A stage writes its *choices*, each from one pattern to another, and sorts them by the
pattern that they lead to. Then it adds up the counts of all choices that lead to a pattern in a vector with
an entry for each matching. The nonzero entries are the new states.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.ground.kernels import Cells, Ints, Mask, Vector
from cavalcade.states.ranks import mates_of

# Bits of a word of a count, or of a remainder in place of a count: 2**15 words add up below 2**63.
WORD = 48


class StateColumns(NamedTuple):
    """The columns of a table, see `Patterns`."""

    starts: Vector
    shape: Vector
    data: Vector


@dataclass(eq=False, repr=False)
class Patterns:
    """States by their degree patterns, each with its count.

    Attributes:
        keys: the patterns, ascending; the degree of place i is digit i to the base of 4.
        starts: offsets of the states of each pattern in `data`, shape (patterns + 1,).
        shape: 256 times the bytes of a gap plus the bytes of a count, one for each pattern.
        data: records of the states in the order of their ranks. A record is the gap to the rank before (-1
            before the first record), then the count; both have their lowest byte first.
        maps: memory maps of the files, for a table in files.
        counted: number of states, if the caller has counted them.
    """

    keys: Ints
    starts: Ints
    shape: NDArray[np.int16]
    data: NDArray[np.uint8]
    maps: Sequence[mmap.mmap] = ()
    counted: int | None = None

    @classmethod
    def of_one(cls, words: int = 0) -> Patterns:
        """The table before the first vertex: one state without a frontier, with a count of 1.

        Args:
            words: number of words in place of the count, each 1; 0 for a count.
        """
        count = [1, *[0] * (WORD // 8 - 1)] * words or [1]
        return cls(
            np.array([0], dtype=np.int64),
            np.array([0, 1 + len(count)], dtype=np.int64),
            np.array([256 + len(count)], dtype=np.int16),
            np.array([1, *count], dtype=np.uint8),
        )

    @property
    def columns(self) -> StateColumns:
        """All but the patterns."""
        return StateColumns(self.starts, self.shape, self.data)

    def sizes(self, patterns: Ints | Cells | slice) -> Ints:
        """Number of states of each of some patterns."""
        index = np.arange(len(self.keys))[patterns] if isinstance(patterns, slice) else patterns
        shape = self.shape[index]
        data_bytes = self.starts[index + 1] - self.starts[index]
        return np.asarray(data_bytes // ((shape >> 8) + (shape & 255)), np.int64)

    @cached_property
    def states(self) -> int:
        """Number of states."""
        if self.counted is not None:
            return self.counted
        step, patterns = 1 << 20, len(self.keys)
        return sum(int(self.sizes(slice(i, i + step)).sum()) for i in range(0, patterns, step))

    @property
    def widest(self) -> int:
        """Bytes of the largest count."""
        return int((self.shape & 255).max(initial=1))

    @property
    def bytes(self) -> int:
        """Bytes in memory."""
        columns = () if self.maps else (self.keys, self.starts, self.shape, self.data)
        return sum(column.nbytes for column in columns)

    @property
    def bytes_per_state(self) -> float:
        """Bytes for a state, in memory or in files."""
        return (self.bytes + self.disk) / max(1, self.states)

    @property
    def disk(self) -> int:
        """Bytes in files."""
        return sum(map(len, self.maps))

    def forget(self) -> None:
        """Release the memory of pages that were read from files."""
        for mapped in self.maps:
            if hasattr(mapped, "madvise"):  # missing on some systems
                mapped.madvise(mmap.MADV_DONTNEED)

    @property
    def total(self) -> int:
        """The sum of all counts."""
        return sum(sum(self.read(p)[1]) for p in range(len(self.keys)))

    def read(self, p: int) -> tuple[Ints, list[int]]:
        """The ranks and the counts of the states with a pattern."""
        gap, count = divmod(int(self.shape[p]), 256)
        rows = self.data[self.starts[p] : self.starts[p + 1]].reshape(-1, gap + count)
        gaps = sum(rows[:, i].astype(np.int64) << 8 * i for i in range(gap))
        return np.cumsum(gaps) - 1, [int.from_bytes(row, "little") for row in rows[:, gap:].tolist()]

    def chosen(self, patterns: Mask) -> Patterns:
        """Return the table of the patterns in a mask."""
        sizes = np.diff(self.starts)
        starts = np.concatenate([[0], np.cumsum(sizes[patterns])])
        data = self.data[np.repeat(patterns, sizes)]
        return Patterns(self.keys[patterns], starts, self.shape[patterns], data)

    def blocks(self, width: int, size: int = 1 << 16) -> Iterator[tuple[Ints, list[int]]]:
        """Yield the mates and the counts of all states on `width` places, about `size` states at a time.

        The mates have shape (states, width): the other end of the path at each place, the place itself if it
        is untouched, and -1 if it is done.
        """
        before = np.concatenate([[0], np.cumsum(self.sizes(slice(None)))])
        first = 0
        while first < len(self.keys):
            until = max(first + 1, int(np.searchsorted(before, before[first] + size, "right")) - 1)
            parts = [self.read(p) for p in range(first, until)]
            mates = [
                self._mates(p, ranks, width) for p, (ranks, _) in zip(range(first, until), parts, strict=True)
            ]
            yield np.concatenate(mates), [count for _, counts in parts for count in counts]
            first = until

    def _mates(self, p: int, ranks: Ints, width: int) -> Ints:
        """The mates of states with one pattern."""
        degrees = int(self.keys[p]) >> 2 * np.arange(width) & 3
        ends = np.flatnonzero(degrees == 1)
        rows = np.tile(np.where(degrees == 2, -1, np.arange(width)), (len(ranks), 1))
        rows[:, ends] = ends[mates_of(ranks, len(ends))]
        return rows


def number(data: Vector, offset: int, width: int) -> int:
    """Read a little-endian integer of `width` bytes."""
    value = 0
    for i in range(width):
        value |= data[offset + i] << (8 * i)
    return value


def ends_of(keys: Ints) -> Ints:
    """Number of ends of each pattern: no degree is 3, so the lower bits of two mark the ends."""
    return np.asarray(np.bitwise_count(keys & (2**64 - 1) // 3), dtype=np.int64)


def opened(keys: Ints, places: Sequence[int]) -> Ints:
    """Patterns with untouched vertices at new places, ascending."""
    for p in places:
        below = keys & ((1 << 2 * p) - 1)
        keys = below + ((keys - below) << 2)
    return keys
