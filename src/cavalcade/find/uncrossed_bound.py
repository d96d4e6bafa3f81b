"""An upper bound for the remaining moves without a crossing, from sets of paths and cycles that do not cross.

The bound allows any number of paths and cycles instead of one walk. A state then needs only the pending moves
and the number of ended paths, at most two, not which moves belong to the same path. There are far fewer such
states, and the bound is close: 36 moves on 8x8, where the longest closed walk has 32, and 26 on 7x7, where
the longest open walk has 24. The search gives, at the end of each row and for each set of pending moves, the
greatest number of moves beyond that line.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cavalcade.find.front import BITS_USED, CellStep, Front, LineSearch, is_free
from cavalcade.ground.budget import assert_room
from cavalcade.ground.kernels import Cells, Mask, Tier, Vector
from cavalcade.states.tables import RecordLayout, Table, Trays, fullest, probe, put


class Beyond:
    """How many moves can be made beyond the end of each row.

    The search runs from both ends of the board to its middle; on a board with a half turn one search serves
    for both. In the middle it gives the number of moves of any paths and cycles. `aim` continues from the far
    end with the few states that reach a given number of moves together with the near end.

    Args:
        mask: as for `Front`.
        vectors: as for `Front`.
        progress: called with the completed part, 0 to 1.
        closed: no path ends.

    Raises:
        TimeoutError, TooLargeError: a limit is reached.
    """

    def __init__(
        self, mask: Mask, vectors: Cells, progress: Callable[[float], None], *, closed: bool
    ) -> None:
        self.all_rows, self.rows = len(mask), list[Table]()
        self.half = self.all_rows - self.all_rows // 2
        ends, far = 0 if closed else 2, mask[::-1, ::-1]
        self.far_side = _Side(far, vectors, ends)
        self.near_side = self.far_side if np.array_equal(mask, far) else _Side(mask, vectors, ends)
        for side, rows in ((self.far_side, self.half), (self.near_side, self.all_rows // 2)):
            for row in range(len(side.rows) - 1, rows):
                progress(row / self.half)
                side.rows.append(side.take(side.rows[row], row))
        self.totals = self._totals(self.half, self.far_side.rows[self.half])
        self.most = int(self.totals.max(initial=0))

    @property
    def peak(self) -> int:
        """The most states at once."""
        return max(self.far_side.search.peak, self.near_side.search.peak)

    def aim(self, least: int) -> None:
        """Prepare bounds for walks of at least `least` moves."""
        states = self.far_side.rows[self.half].chosen(np.flatnonzero(self.totals >= least))
        self.rows = [*self.far_side.rows[: self.half], states]
        for row in range(self.half, self.all_rows - 1):
            states = self.far_side.take(states, row)
            states = states.chosen(np.flatnonzero(self._totals(row + 1, states) >= least))
            self.rows.append(states)

    def reaches(self, taken: int, front: Front, walks: Table, least: int) -> Mask:
        """Which states of a walk may lead to a walk of at least `least` moves, the number given to `aim`.

        Args:
            taken: number of rows that are taken.
            front: line of the walk, with 2 bits for each move: 3 if its path has ended on the other side.
            walks: the states.
            least: moves of the whole walk.
        """
        beyond = self.rows[self.all_rows - taken]
        return np.asarray(self.far_side.totals(beyond, taken, front, walks) >= least)

    def _totals(self, row: int, states: Table) -> Cells:
        """The most moves with each state after `row` rows of the far end; -1 if the near end has no match."""
        near = self.near_side.rows[self.all_rows - row]
        return self.near_side.totals(near, row, self.far_side.search.front, states)


class _Side:
    """The search from one end of a board.

    Args:
        mask: as for `Front`.
        vectors: as for `Front`.
        ends: number of paths that may end.
    """

    def __init__(self, mask: Mask, vectors: Cells, ends: int) -> None:
        front = Front(mask, vectors, 1)
        self.search = LineSearch(front, _take_loosely, 1, [np.array([ends])], "bounds for walks")
        self.ends, self.rows = ends, [self.search.start()]

    def take(self, states: Table, row: int) -> Table:
        """The states after one more row."""
        columns = self.search.front.columns
        for cell in range(row * columns, (row + 1) * columns):
            states = self.search.after(cell, states)
        return states

    def totals(self, ours: Table, row: int, front: Front, theirs: Table) -> Cells:
        """The most moves that each state of the other end makes with one of this end; -1 without a match.

        Args:
            ours: states of this end.
            row: number of rows that the other end has taken.
            front: line of the other end.
            theirs: states of the other end, with 2 bits for each move, or with 1 and the ended paths.
        """
        line, last = self.search.front, front.size - 1
        pending = front.pending(row * front.columns)
        places = [place for _, place, _, _ in pending]
        opposite = [
            line.place(last - start - int(front.lengths[kind]), kind) for _, _, start, kind in pending
        ]
        self.search.work += 40 * (theirs.states + ours.states)
        tier = Tier(self.search.work)
        size = 1 << max(6, (2 * ours.states).bit_length())
        assert_room(8 * size * self.search.layout.width, f"the states beyond {row:,} rows")
        table = ours.moved(tier).copied(size)
        totals = tier.full(theirs.states)
        tier(_match)(
            theirs.moved(tier).rows, theirs.layout, table.rows, table.layout, table.multiplier,
            tier.words(places), tier.words(opposite), self.ends, (1 << front.bits) - 1,
            tier.column(line.words), totals,
        )  # fmt: skip
        return np.asarray(totals, dtype=np.int32)


# ---- kernels


def _match(
    theirs: Vector,
    layout: RecordLayout,
    rows: Vector,
    row_layout: RecordLayout,
    multiplier: int,
    places: Vector,
    opposite: Vector,
    ends: int,
    move_mask: int,
    key: Vector,
    totals: Vector,
) -> None:
    """Find the most moves per state together with the matching state of the other end.

    Args:
        theirs: records of the states.
        layout: of these records.
        rows: hash table of the states of the other end.
        row_layout: of the hash table.
        multiplier: of the hash table.
        places: places of the moves that may be pending.
        opposite: places of the same moves for the other end.
        ends: number of paths that end on the board.
        move_mask: mask of the bits of a move in `theirs`.
        key: scratch space for a state.
        totals: receives the moves, or -1.
    """
    size, keys, mask = row_layout.keys, layout.keys, len(rows) // row_layout.width - 1
    for z in range(len(totals)):
        begin = z * layout.width
        for i in range(size):
            key[i] = 0
        # The state that the other end must have: the same pending moves, and the rest of the ends.
        pending, ended = 0, theirs[begin + keys - 1] >> BITS_USED & 3
        for j in range(len(places)):
            bits = theirs[begin + (places[j] >> 6)] >> (places[j] & 63) & move_mask
            if bits:
                pending += 1
                ended += bits // 3
                key[opposite[j] >> 6] |= 1 << (opposite[j] & 63)
        key[size - 1] |= max(ends - ended, 0) << BITS_USED
        row = probe(key, 0, rows, row_layout, mask, multiplier) * row_layout.width
        # Pending moves count on both sides.
        totals[z] = theirs[begin + keys] - pending + rows[row + size] if rows[row] >= 0 else -1


def _toggle(record: Vector, place: int) -> None:
    """Change whether a move is pending; -1 for no move."""
    if place >= 0:
        record[place >> 6] ^= 1 << (place & 63)


def _put_loosely(
    rows: Vector, begin: int, keys: int, in_one: int, in_two: int, out_one: int, out_two: int, length: int,
    ends: int, record: Vector, trays: Trays,
) -> int:  # fmt: skip
    """Put a state into its tray; returns the number of records in that tray.

    Args:
        rows: records; the state before begins at `begin`.
        begin: offset of the state before.
        keys: words of a state.
        in_one: place of a move that is no longer pending, or -1.
        in_two: place of another such move, or -1.
        out_one: place of a move that is pending now, or -1.
        out_two: place of another such move, or -1.
        length: number of moves.
        ends: number of ended paths.
        record: scratch space for the record.
        trays: receives the record.
    """
    for i in range(keys):
        record[i] = rows[begin + i]
    _toggle(record, in_one)
    _toggle(record, in_two)
    _toggle(record, out_one)
    _toggle(record, out_two)
    record[keys - 1] = record[keys - 1] & ~(3 << BITS_USED) | ends << BITS_USED
    record[keys] = length
    return put(record, trays)


def _take_loosely(
    first: int,
    until: int,
    rows: Vector,
    layout: RecordLayout,
    cell: CellStep,
    limits: Vector,
    most: int,
    record: Vector,
    trays: Trays,
) -> int:
    """Take a cell in the states of some rows, while the trays have room; returns the row where it stopped.

    `limits` is one number, the paths that may end.
    """
    into, out, across = cell.into, cell.out, cell.across
    keys, kinds = layout.keys, len(into)
    filled = fullest(trays)
    for z in range(first, until):
        if filled + most > trays.depth:
            return z
        begin = z * layout.width
        length, ends, incoming = rows[begin + keys], rows[begin + keys - 1] >> BITS_USED & 3, 0
        a, b = -1, -1  # the moves that come into the cell
        for j in range(kinds):
            if into[j] >= 0 and rows[begin + (into[j] >> 6)] >> (into[j] & 63) & 1:
                a, b = into[j], a
                incoming += 1
        if incoming > 2:
            continue
        # No move leaves: a path ends here if one move comes in.
        if incoming != 1 or ends < limits[0]:
            total = ends + (1 if incoming == 1 else 0)
            filled = max(filled, _put_loosely(rows, begin, keys, a, b, -1, -1, length, total, record, trays))
        if incoming == 2:
            continue
        for j in range(kinds):
            if out[j] < 0 or not is_free(rows, begin, across, j, keys):
                continue
            # One move leaves: a path begins here if none comes in.
            if incoming == 1 or ends < limits[0]:
                total = ends + (1 if incoming == 0 else 0)
                filled = max(
                    filled,
                    _put_loosely(rows, begin, keys, a, b, out[j], -1, length + 1, total, record, trays),
                )
            if incoming == 1:
                continue
            for k in range(j + 1, kinds):  # two moves leave
                if out[k] >= 0 and is_free(rows, begin, across, k, keys):
                    filled = max(
                        filled,
                        _put_loosely(
                            rows, begin, keys, a, b, out[j], out[k], length + 2, ends, record, trays
                        ),
                    )
    return until
