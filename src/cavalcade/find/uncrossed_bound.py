"""How many moves can still be made without a crossing: a bound from any paths and cycles that do not cross.

One walk is asked for. Of several paths and cycles, which do not cross, it only matters which moves are
pending and how many paths have ended, two in all, and not what belongs together. There are far fewer such
states, and hardly longer sets of moves: 36 on 8x8 where the longest closed walk has 32, 26 on 7x7 where the
longest open one has 24. At the end of each row it is known how many moves can be made beyond that line, for
every set of moves that are pending there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from cavalcade.find.front import Front, Leaving, found_at, is_free
from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.kernels import Cells, Ints, Mask, Tier, Vector

FULLEST = 3  # quarters of a table that are filled at most
CHUNK = 100_000  # states that are taken between two looks at the clock
ENDS = 60  # the bit of the last word from which on a state says how many paths have ended


class LooseStates(NamedTuple):
    """Some states: a hash table while they are found and while they are looked up.

    Args:
        words: of each state its bits, a row of words each.
        length: the most moves with it, those that are pending too; -1 where there is none.
    """

    words: Vector
    length: Vector


States: TypeAlias = "tuple[Ints, Cells]"  # of each its bits, a row of words, and the most moves with it


class Beyond:
    """How many moves can be made beyond the end of each row.

    The search runs from both ends of the board to its middle; on a board that a half turn leaves as it is,
    that is one search. There it shows how many moves any paths and cycles have. Once `aim` has said how many
    are wanted, it goes on from the far end, with the few states that have as many together with this end.

    Args:
        mask: as for `Front`.
        vectors: likewise.
        progress: called with the part that is done.
        closed: no path ends.

    Raises:
        TimeoutError, TooLargeError: a limit is reached.
    """

    def __init__(
        self, mask: Mask, vectors: Cells, progress: Callable[[float], None], *, closed: bool
    ) -> None:
        self.all_rows, self.rows = len(mask), list[States]()
        self.half = self.all_rows - self.all_rows // 2
        ends, far = 0 if closed else 2, mask[::-1, ::-1]
        self.there = _Side(far, vectors, ends)
        self.here = self.there if np.array_equal(mask, far) else _Side(mask, vectors, ends)
        for side, rows in ((self.there, self.half), (self.here, self.all_rows // 2)):
            for row in range(len(side.rows) - 1, rows):
                progress(row / self.half)
                side.rows.append(side.take(side.rows[row], row))
        self.totals = self._totals(self.half, self.there.rows[self.half])
        self.most = int(self.totals.max(initial=0))

    @property
    def peak(self) -> int:
        """The most states at once."""
        return max(self.there.peak, self.here.peak)

    def aim(self, least: int) -> None:
        """Bound walks with so many moves."""
        words, length = self.there.rows[self.half]
        keep = self.totals >= least
        states = words[keep], length[keep]
        self.rows = [*self.there.rows[: self.half], states]
        for row in range(self.half, self.all_rows - 1):
            words, length = self.there.take(states, row)
            keep = self._totals(row + 1, (words, length)) >= least
            states = words[keep], length[keep]
            self.rows.append(states)

    def reaches(self, taken: int, front: Front, words: Ints, length: Cells, least: int) -> Mask:
        """Which states of one walk may lead to one with so many moves, which `aim` knows.

        Args:
            taken: rows that are taken.
            front: of the walk, with 2 bits for each move: 3 if its path has ended on the other side.
            words: of each state.
            length: of each state, its moves.
            least: moves of the whole walk.
        """
        known = self.rows[self.all_rows - taken]
        return np.asarray(self.there.with_those(known, taken, front, (words, length)) >= least)

    def _totals(self, row: int, states: States) -> Cells:
        """The most moves in all with each state of so many rows of the far end, -1 if there are none."""
        known = self.here.rows[self.all_rows - row]
        return self.here.with_those(known, row, self.there.front, states)


class _Side:
    """The search from one end of a board: states after each row."""

    def __init__(self, mask: Mask, vectors: Cells, ends: int) -> None:
        self.front, self.ends, self.peak, self.work = Front(mask, vectors, 1), ends, 1, 0
        none: Ints = np.zeros((1, self.front.words), dtype=np.int64)
        self.rows: list[States] = [(none, np.zeros(1, dtype=np.int32))]

    def take(self, states: States, row: int) -> States:
        """The states after one row more."""
        for cell in range(row * self.front.columns, (row + 1) * self.front.columns):
            states = self._after(cell, *states)
            self.peak = max(self.peak, len(states[1]))
        return states

    def with_those(self, known: States, row: int, front: Front, states: States) -> Cells:
        """The most moves in all of other states with those of this side, -1 where there are none.

        Args:
            known: the states of this side.
            row: rows that the other states have taken.
            front: of the others, from the other end of the board.
            states: the others; with 2 bits for each move, or with 1 and the number of ended paths.
        """
        words, length = states
        size = 1 << max(6, (2 * len(known[1])).bit_length())
        assert_room(size * (8 * self.front.words + 4), f"the states beyond {row:,} rows")
        held, last = front.pending(row * front.columns), front.size - 1
        places = [
            self.front.place(last - start - int(front.ahead[kind] @ (front.columns, 1)), kind)
            for _, _, start, kind in held
        ]
        self.work += 40 * (len(length) + len(known[1]))
        tier = Tier(self.work)
        table = LooseStates(tier.column(size * self.front.words), tier.full(size, -1))
        room, totals = tier.column(self.front.words), tier.full(len(length))
        tier(_fill)(LooseStates(tier.vector(known[0].ravel()), tier.vector(known[1])), table, room)
        tier(_add)(
            LooseStates(tier.vector(words.ravel()), tier.vector(length)), table, room,
            tier.words([place for _, place, _, _ in held]), tier.words(places),
            tier.words([self.ends, (1 << front.bits) - 1]), totals,
        )  # fmt: skip
        return np.asarray(totals, dtype=np.int32)

    def _after(self, cell: int, words: Ints, length: Cells) -> States:
        """The states after a cell is taken."""
        front, count, leaving = self.front, len(length), self.front.leaving(cell)
        self.work += 40 * count
        tier = Tier(self.work)
        mine = Leaving(*(tier.words(some) for some in leaving))
        old = LooseStates(tier.vector(words.ravel()), tier.vector(length))
        key, change = tier.column(front.words), tier.column(4)
        size = 1 << max(6, (2 * count).bit_length())
        while True:
            assert_room(size * (8 * front.words + 4) + words.nbytes, f"to bound walks, after {cell:,} cells")
            new = LooseStates(tier.column(size * front.words), tier.full(size, -1))
            limits = tier.words([self.ends, size * FULLEST // 4, 0])
            at = 0
            while 0 <= at < count:
                assert_time(f"{cell:,} of {front.size:,} cells bound walks, in {count:,} states")
                at = tier(_take_loosely)(at, min(at + CHUNK, count), old, mine, new, key, change, limits)
            if at >= 0:
                break
            size *= 2
        found = np.asarray(new.length, dtype=np.int32)
        used = found >= 0
        return np.asarray(new.words, dtype=np.int64).reshape(size, -1)[used], found[used]


# ---- kernels


def _fill(states: LooseStates, table: LooseStates, key: Vector) -> None:
    """Put all states into the table."""
    size = len(key)
    for z in range(len(states.length)):
        for i in range(size):
            key[i] = states.words[z * size + i]
        s = found_at(key, table.words, table.length)
        for i in range(size):
            table.words[s * size + i] = key[i]
        table.length[s] = states.length[z]


def _add(
    others: LooseStates,
    table: LooseStates,
    key: Vector,
    places: Vector,
    beyond: Vector,
    limits: Vector,
    totals: Vector,
) -> None:
    """The moves of other states with those beyond, where `limits[0]` paths end in all; -1 if there are none.

    `limits[1]` are the bits of a move.
    """
    size, n = len(key), len(others.length)
    row = len(others.words) // n if n else 0
    for z in range(n):
        for i in range(size):
            key[i] = 0
        pending, ended = 0, others.words[z * row + row - 1] >> ENDS & 3
        for j in range(len(places)):
            x = others.words[z * row + (places[j] >> 6)] >> (places[j] & 63) & limits[1]
            if x:
                pending += 1
                ended += x // 3
                key[beyond[j] >> 6] |= 1 << (beyond[j] & 63)
        key[size - 1] |= max(limits[0] - ended, 0) << ENDS
        most = table.length[found_at(key, table.words, table.length)]
        totals[z] = others.length[z] - pending + most if most >= 0 else -1


def _put_loosely(
    words: Vector, begin: int, key: Vector, change: Vector, new: LooseStates, limits: Vector
) -> None:
    """Put a state into the table: that of a row without and with some moves.

    `change` has two places that are pending no more and two that are now, -1 for none; `limits[2]` is the
    number of ended paths and, times four, of moves.
    """
    size = len(key)
    for i in range(size):
        key[i] = words[begin + i]
    for i in range(4):
        if change[i] >= 0:
            key[change[i] >> 6] ^= 1 << (change[i] & 63)
    key[size - 1] = key[size - 1] & ~(3 << ENDS) | (limits[2] & 3) << ENDS
    s = found_at(key, new.words, new.length)
    if new.length[s] < 0:
        limits[1] -= 1
    if limits[2] >> 2 > new.length[s]:
        for i in range(size):
            new.words[s * size + i] = key[i]
        new.length[s] = limits[2] >> 2


def _take_loosely(
    begin: int,
    until: int,
    old: LooseStates,
    cell: Leaving,
    new: LooseStates,
    key: Vector,
    change: Vector,
    limits: Vector,
) -> int:
    """Take a cell in some states. Returns the next state to take, or -1 where the table is full.

    `limits` says how many paths may end, and how many states there may still be.
    """
    into, out, across, words = cell.into, cell.out, cell.across, old.words
    size, kinds = len(key), len(into)
    for z in range(begin, until):
        if limits[1] <= 0:
            return -1
        row, length, incoming = z * size, old.length[z], 0
        ends = words[row + size - 1] >> ENDS & 3
        change[0], change[1], change[2], change[3] = -1, -1, -1, -1
        for j in range(kinds):
            if into[j] >= 0 and words[row + (into[j] >> 6)] >> (into[j] & 63) & 1:
                if incoming < 2:
                    change[incoming] = into[j]
                incoming += 1
        if incoming > 2:
            continue
        if incoming != 1 or ends < limits[0]:
            limits[2] = 4 * length + ends + (incoming == 1)
            _put_loosely(words, row, key, change, new, limits)
        if incoming == 2:
            continue
        for j in range(kinds):
            if out[j] < 0 or not is_free(words, row, across, j, size):
                continue
            change[2], change[3] = out[j], -1
            if incoming == 1 or ends < limits[0]:
                limits[2] = 4 * (length + 1) + ends + (incoming == 0)
                _put_loosely(words, row, key, change, new, limits)
            if incoming == 1:
                continue
            for k in range(j + 1, kinds):
                if out[k] >= 0 and is_free(words, row, across, k, size):
                    change[3] = out[k]
                    limits[2] = 4 * (length + 2) + ends
                    _put_loosely(words, row, key, change, new, limits)
        change[2], change[3] = -1, -1
    return until
