"""The longest walk whose moves do not cross, by a frontier search over all states, cell by cell.

Pending moves cross the line of the search (see `front`) in a fixed order. If no two moves cross, the paths to
which they belong are nested like brackets. So a state stores for each possible pending move whether it is
absent, the left or the right one of a path with two pending moves, or the only one of a path with an end
behind the line. A move between two cells behind the line is complete, and later moves cannot cross it.

One longest walk is kept for each state. L. D. Yarbrough (Uncrossed knight's tours, 1969) began with such
walks; their lengths on squares are OEIS A003192 and A157416.

A state is discarded if its moves and the greatest number of moves beyond the line (`uncrossed_bound`) are too
few. The first search requires the length that any set of paths and cycles can have, and each further search
requires a little less. Few states are kept. Each one stores its predecessor, so that the walk can be read
backwards.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from cavalcade.find.front import CellStep, Front, LineSearch, is_free
from cavalcade.find.uncrossed_bound import Beyond
from cavalcade.ground.kernels import Cells, Ints, Mask, Vector
from cavalcade.states.tables import RecordLayout, Table, Trays, fullest, put

# Kinds of moves at most: bits of a trace for the moves that leave a cell, below the row of the state before.
MOST = 15


class End(IntEnum):
    """What a pending move is to its path, in two bits of a state."""

    NONE = 0
    LEFT = 1
    RIGHT = 2
    ALONE = 3


class Best(IntEnum):
    """The fields of the vector that describes the longest walk so far."""

    LENGTH = 0
    SOURCE = 1  # row of the state before its last cell
    CELL = 2  # its last cell


class Longest(NamedTuple):
    """A longest walk without a crossing.

    Args:
        cells: the walk; a single cell if no move is possible, none if there is no cell or no closed walk.
        length: number of moves; of a closed walk including the last one.
        states: number of states at the peak.
    """

    cells: list[int]
    length: int
    states: int


def longest(mask: Mask, vectors: Cells, *, closed: bool, progress: Callable[[float], None]) -> Longest:
    """The longest walk through the cells of a board in the plane, closed or open.

    Args:
        mask: cells of the array that belong to the board.
        vectors: moves and their opposites, shape (k, 2); no move leads over the centre of another cell.
        closed: the walk returns to its first cell, by three moves or more.
        progress: called with the completed part, 0 to 1.

    Raises:
        TimeoutError, TooLargeError: a limit is reached.
    """
    turned = mask.shape[0] < mask.shape[1]
    if turned:  # few columns make few states
        mask, vectors = mask.T, vectors[:, ::-1]
    beyond = Beyond(mask, vectors, progress, closed=closed)
    least, decrement, peak = beyond.most, 1, 1
    while True:
        beyond.aim(least)
        walks = _WalkSearch(mask, vectors, closed=closed)
        walks.run(beyond, least)
        progress(1)
        peak = max(peak, walks.search.peak, beyond.peak)
        if walks.length >= least or least <= 0:
            break
        # Lower lengths keep more states, so the first searches are cheap and the steps may grow.
        least, decrement = least - decrement, decrement + decrement // 2 + decrement % 2
    places = walks.walk()
    if turned:
        places = [(column, row) for row, column in places]
        mask = mask.T
    number = np.cumsum(mask).reshape(mask.shape) - 1
    return Longest([int(number[place]) for place in places], walks.length, peak)


class Lengths(NamedTuple):
    """The lengths of longest walks on a strip.

    Args:
        terms: length of a longest walk in the first row, in the first two rows, and so on.
        rule: n, p and q if the states after n + p rows are those after n rows, all of them and the longest
            walk with q moves more; then every walk of n rows or more grows by q with p more rows. None if
            the terms show no such rule.
    """

    terms: list[int]
    rule: tuple[int, int, int] | None


def lengths(
    columns: int, vectors: Cells, *, closed: bool, rows: int, progress: Callable[[float], None]
) -> Lengths:
    """The longest walks in the first rows of an endless strip, and the rule that they follow.

    A walk can be moved up, so only walks with a cell in the first row are searched.

    Args:
        columns: columns of the strip.
        vectors: as for `longest`.
        closed: as for `longest`.
        rows: number of terms.
        progress: called with the completed part, 0 to 1.

    Raises:
        TimeoutError, TooLargeError: a limit is reached.
    """
    reach = int(vectors[:, 0].max(initial=0))
    walks = _WalkSearch(np.ones((rows + reach, columns), dtype=np.bool_), vectors, closed=closed)
    front, states = walks.front, walks.search.start()
    terms, rule = [], None
    first_rows: dict[bytes, tuple[int, int]] = {}  # row and longest walk when a set of states first appeared
    for row in range(1, rows + 1):
        for cell in range(row * columns - columns, row * columns):
            progress(cell / (rows * columns))
            states = walks.after(cell, states)
        records = states.records
        begun = records[:, : front.words].any(axis=1)
        states, records = states.chosen(np.flatnonzero(begun)), records[begun]
        terms.append(walks.length)
        if rule is None:
            # The states and lengths relative to this row and to the longest walk.
            bits = front.relative(row * columns, records[:, : front.words])
            order, length = np.lexsort(bits.T), records[:, front.words] - walks.length
            fingerprint = bits[order].tobytes() + length[order].tobytes()
            earlier, shorter = first_rows.setdefault(fingerprint, (row, walks.length))
            if earlier < row:
                rule = earlier, row - earlier, walks.length - shorter
    return Lengths(terms, rule)


class _WalkSearch:
    """The search for a longest walk: one pass over the cells of a board.

    A record has the length of the walk, and its *trace*: the row of the state before, and below it, as bits,
    the moves from the last cell.
    """

    def __init__(self, mask: Mask, vectors: Cells, *, closed: bool) -> None:
        self.front, self.closed = Front(mask, vectors, 2), closed
        self.best = np.zeros(len(Best), dtype=np.int64)
        self.options = np.array([int(closed), 0], dtype=np.int64)  # and the cell
        self.search = LineSearch(self.front, _take, 2, [self.best, self.options], "walks")
        self.traces: list[Ints] = []

    @property
    def length(self) -> int:
        """The length of the longest walk so far."""
        return int(self.best[Best.LENGTH])

    def after(self, cell: int, states: Table) -> Table:
        """The states after a cell."""
        self.options[1] = cell
        return self.search.after(cell, states)

    def run(self, beyond: Beyond, least: int) -> None:
        """Take all cells, and keep the states that may lead to a walk of at least `least` moves."""
        front, states = self.front, self.search.start()
        for cell in range(front.size):
            states = self.after(cell, states)
            row, column = divmod(cell + 1, front.columns)
            if column == 0 and cell + 1 < front.size:
                states = states.chosen(np.flatnonzero(beyond.reaches(row, front, states, least)))
            self.traces.append(states.records[:, -1].copy())

    def walk(self) -> list[tuple[int, int]]:
        """The cells of the longest walk as rows and columns, in order."""
        front = self.front
        neighbours: dict[int, list[int]] = {}
        state = int(self.best[Best.SOURCE])
        for cell in range(int(self.best[Best.CELL]) - 1, -1, -1):
            state, moves = divmod(int(self.traces[cell][state]), 1 << MOST)
            for kind, length in enumerate(front.lengths.tolist()):
                if moves >> kind & 1:
                    neighbours.setdefault(cell, []).append(cell + length)
                    neighbours.setdefault(cell + length, []).append(cell)
        if not neighbours:
            row, column = np.argwhere(front.mask)[0].tolist()
            return [] if self.closed else [(row, column)]
        cell = next((cell for cell, row in neighbours.items() if len(row) == 1), min(neighbours))
        cells = [cell]
        while onward := [cell for cell in neighbours[cell] if cell not in cells[-2:]]:
            cell = onward[0]
            if cell == cells[0]:
                break
            cells.append(cell)
        return [divmod(cell, front.columns) for cell in cells]


# ---- kernels


def _end(words: Vector, begin: int, place: int) -> int:
    """What the move at a place is to its path."""
    return (words[begin + (place >> 6)] >> (place & 63)) & 3


def _mate(words: Vector, begin: int, index: int, order: Vector) -> int:
    """The place of the other pending move of a path; the first one has this index in `order`."""
    step = 1 if _end(words, begin, order[index]) == End.LEFT else -1
    # Brackets between them are balanced. The loop reaches the end of `order` only if moves cross.
    depth, i = step, index
    while depth != 0 and 0 <= i + step < len(order):
        i += step
        end = _end(words, begin, order[i])
        depth += 1 if end == End.LEFT else (-1 if end == End.RIGHT else 0)
    return order[i]


def _set(record: Vector, place: int, end: int) -> None:
    """Write what the move at a place is to its path."""
    word, shift = place >> 6, place & 63
    record[word] = record[word] & ~(3 << shift) | end << shift


def _take(
    first: int,
    until: int,
    rows: Vector,
    layout: RecordLayout,
    cell: CellStep,
    best: Vector,
    options: Vector,
    most: int,
    record: Vector,
    trays: Trays,
) -> int:
    """Take a cell in the states of some rows, while the trays have room; returns the row where it stopped.

    Args:
        first: first row.
        until: row after the last one.
        rows: records of the states.
        layout: of the records.
        cell: moves at the cell.
        best: the longest walk so far, see `Best`.
        options: 1 if walks are closed; the number of the cell.
        most: greatest number of successors of a state.
        record: scratch space for a record.
        trays: receives the successors.
    """
    into, out, order, rank, across = cell.into, cell.out, cell.order, cell.rank, cell.across
    keys, kinds = layout.keys, len(into)
    closed, filled = options[0] > 0, fullest(trays)
    for z in range(first, until):
        if filled + most > trays.depth:
            return z
        begin = z * layout.width
        length, trace = rows[begin + keys], z << MOST
        # Count the pending moves, and find the indices of the moves into the cell.
        incoming, lower, upper, alone, pending = 0, 0, 0, 0, 0
        for i in range(len(order)):
            end = _end(rows, begin, order[i])
            if end == End.NONE:
                continue
            pending += 1
            alone += 1 if end == End.ALONE else 0
            for j in range(kinds):
                if into[j] == order[i]:
                    incoming += 1
                    lower, upper = (i, upper) if incoming == 1 else (lower, i)
        for i in range(keys):
            record[i] = rows[begin + i]
        record[keys], record[keys + 1] = length, trace
        if incoming == 0:
            # The walk does not visit the cell, begins here, or two moves leave.
            filled = max(filled, put(record, trays))
            for j in range(kinds):
                if out[j] < 0 or not is_free(rows, begin, across, j, keys):
                    continue
                if not closed and alone < 2:
                    _set(record, out[j], End.ALONE)
                    record[keys], record[keys + 1] = length + 1, trace | 1 << j
                    filled = max(filled, put(record, trays))
                for k in range(j + 1, kinds):
                    if out[k] >= 0 and is_free(rows, begin, across, k, keys):
                        j_end, k_end = (End.LEFT, End.RIGHT) if rank[j] < rank[k] else (End.RIGHT, End.LEFT)
                        _set(record, out[j], j_end)
                        _set(record, out[k], k_end)
                        record[keys], record[keys + 1] = length + 2, trace | 1 << j | 1 << k
                        filled = max(filled, put(record, trays))
                        _set(record, out[k], End.NONE)
                _set(record, out[j], End.NONE)
        elif incoming == 1:
            # The path goes on by one move, or ends here.
            end = _end(rows, begin, order[lower])
            _set(record, order[lower], End.NONE)
            for j in range(kinds):
                if out[j] >= 0 and is_free(rows, begin, across, j, keys):
                    _set(record, out[j], end)
                    record[keys], record[keys + 1] = length + 1, trace | 1 << j
                    filled = max(filled, put(record, trays))
                    _set(record, out[j], End.NONE)
            if end == End.ALONE and pending == 1 and length > best[0]:
                best[0], best[1], best[2] = length, z, options[1]
            elif end != End.ALONE and alone < 2 and not closed:
                _set(record, _mate(rows, begin, lower, order), End.ALONE)
                record[keys], record[keys + 1] = length, trace
                filled = max(filled, put(record, trays))
        elif incoming == 2:
            x, y = _end(rows, begin, order[lower]), _end(rows, begin, order[upper])
            if (x == End.LEFT and y == End.RIGHT) or (x == End.ALONE and y == End.ALONE):
                # The moves belong to one path, which closes, or the two ends of the walk meet.
                if pending == 2 and length > best[0] and (closed or x == End.ALONE):
                    best[0], best[1], best[2] = length, z, options[1]
                continue
            _set(record, order[lower], End.NONE)
            _set(record, order[upper], End.NONE)
            # Join two paths: the mates of the two moves become the pending moves of one path. The mates of a
            # right and a left move are a left and a right one already.
            if x == End.ALONE:
                _set(record, _mate(rows, begin, upper, order), End.ALONE)
            elif y == End.ALONE:
                _set(record, _mate(rows, begin, lower, order), End.ALONE)
            elif x == End.LEFT and y == End.LEFT:
                _set(record, _mate(rows, begin, upper, order), End.LEFT)
            elif x == End.RIGHT and y == End.RIGHT:
                _set(record, _mate(rows, begin, lower, order), End.RIGHT)
            filled = max(filled, put(record, trays))
    return until
