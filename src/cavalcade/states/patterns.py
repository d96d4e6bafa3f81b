"""States grouped by their degree patterns: few bytes a state, and a step without looking states up.

A *degree pattern* says of every vertex on the frontier how many of its edges are chosen: 0, it is untouched;
1, it is the end of a path; 2, it is done. A state is a pattern and a perfect matching of its ends, each with
the other end of its path. A table has its patterns in ascending order, and for each the matchings in the
order of their ranks (see `ranks`). Ranks are written as the gaps between them, and counts in as many bytes as
the largest of the pattern needs: 8x8 has 91,766,664 states at its peak, 42 to a pattern, in 2.7 bytes each.

Which edges a step may choose, whether a vertex is left with too few, and which pattern comes of it depends on
the pattern alone, so that is worked out once for a pattern. What becomes of the matching is a change of its
rank, one for the whole pattern. So a step writes down its *choices*, each from one pattern to another, and
sorts them by the pattern they lead to. Then the counts of all choices that lead to a pattern are added up, in
a vector with a number for each matching, and those that are not zero are the new states.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.ground.kernels import Cells, Ints, Mask, Vector
from cavalcade.states.ranks import mates_of

ENDS = 0x5555555555555555  # the bit of a place that is an end
WORD = 48  # bits of a word of a count, or of a remainder in place of it


class StateColumns(NamedTuple):
    """The columns of a table, see `Patterns`."""

    starts: Vector
    shape: Vector
    data: Vector


class Patterns:
    """States by their degree patterns, and how often each is counted.

    Args:
        keys: the patterns, ascending; the degree of place i is digit i to the base of 4.
        starts: offsets of the states of each pattern in `data`, shape (patterns + 1,).
        shape: 256 times the bytes of a gap plus the bytes of a count, one for each pattern.
        data: the states in the order of their ranks: the gap to the rank before (to -1 at first) and the
            count of each, lowest byte first.
        maps: memory maps of the files, for a table in files.
        states: number of states, if the caller has counted them.
    """

    def __init__(
        self,
        keys: Ints,
        starts: Ints,
        shape: NDArray[np.int16],
        data: NDArray[np.uint8],
        maps: Sequence[mmap.mmap] = (),
        states: int | None = None,
    ) -> None:
        self.keys, self.starts, self.shape, self.data, self.maps = keys, starts, shape, data, maps
        self._states = states

    @classmethod
    def of_one(cls, words: int = 0) -> Patterns:
        """The table before the first vertex: one state, without a frontier, counted once.

        Given a number of words, each is 1.
        """
        count = [1, *[0] * (WORD // 8 - 1)] * words or [1]
        return cls(
            np.array([0], dtype=np.int64),
            np.array([0, 1 + len(count)], dtype=np.int64),
            np.array([256 + len(count)], dtype=np.int16),
            np.array([1, *count], dtype=np.uint8),
        )

    def on(self, keys: Ints) -> Patterns:
        """The same states with other patterns."""
        return Patterns(keys, self.starts, self.shape, self.data, self.maps, self._states)

    @property
    def columns(self) -> StateColumns:
        """All but the patterns."""
        return StateColumns(self.starts, self.shape, self.data)

    def sizes(self, patterns: Ints | Cells | slice) -> Ints:
        """Number of states of each of some patterns."""
        one = np.arange(len(self.keys))[patterns] if isinstance(patterns, slice) else patterns
        shape = self.shape[one]
        return np.asarray(
            (self.starts[one + 1] - self.starts[one]) // ((shape >> 8) + (shape & 255)), np.int64
        )

    @cached_property
    def states(self) -> int:
        """Number of states."""
        if self._states is not None:
            return self._states
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
        return sum(one.nbytes for one in columns)

    @property
    def bytes_per_state(self) -> float:
        """Bytes for a state, in memory or in files."""
        return (self.bytes + self.disk) / max(1, self.states)

    @property
    def disk(self) -> int:
        """Bytes in files."""
        return sum(len(one) for one in self.maps)

    def forget(self) -> None:
        """Release the memory of pages that were read from files."""
        for one in self.maps:
            if hasattr(one, "madvise"):  # not everywhere
                one.madvise(mmap.MADV_DONTNEED)

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
        """The states of some of the patterns."""
        sizes = np.diff(self.starts)
        starts = np.concatenate([[0], np.cumsum(sizes[patterns])])
        data = self.data[np.repeat(patterns, sizes)]
        return Patterns(self.keys[patterns], starts, self.shape[patterns], data)

    def blocks(self, width: int, size: int = 1 << 16) -> Iterator[tuple[Ints, list[int]]]:
        """All states on `width` places, about `size` at a time: their mates and their counts.

        The mates of a state are a row: for each place the other end of its path; an untouched place has
        itself, and one that is done -1.
        """
        upto = np.concatenate([[0], np.cumsum(self.sizes(slice(None)))])
        first = 0
        while first < len(self.keys):
            until = max(first + 1, int(np.searchsorted(upto, upto[first] + size, "right")) - 1)
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


def number(data: Vector, at: int, width: int) -> int:
    """Read a little-endian integer of `width` bytes."""
    found = 0
    for i in range(width):
        found |= data[at + i] << (8 * i)
    return found


def ends_of(keys: Ints) -> Ints:
    """Number of ends of each pattern."""
    return np.asarray(np.bitwise_count(keys & ENDS), dtype=np.int64)


def opened(keys: Ints, places: Sequence[int]) -> Ints:
    """Patterns with untouched vertices at new places, ascending."""
    for p in places:
        below = keys & ((1 << 2 * p) - 1)
        keys = below + ((keys - below) << 2)
    return keys
