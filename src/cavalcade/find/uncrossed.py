"""The longest walk whose moves do not cross: a search of all states, cell after cell, and the way back.

Cells are taken row by row. A move is *pending* while just one of its cells is taken: it crosses the line
between the cells taken and the others, and pending moves cross this line in a fixed order. Where no two moves
cross, the paths that they belong to are nested like brackets. So a state says of each move that may be
pending whether it is, and then whether it is the left one of a path with two, the right one, or the only one
of a path that has ended on the other side. A move whose cells are both taken lies behind the line and is not
crossed any more.

Of all walks with one state a longest is as good as any. L. D. Yarbrough (Uncrossed knight's tours, 1969)
began with such walks; their lengths on squares are OEIS A003192 and A157416.

A state may be left out if its moves, and the most that can be made beyond the line (`uncrossed_bound`), are
too few. So a walk is looked for that is as long as any paths and cycles may be, then one that is a little
shorter, and so on: few states are kept, and whence they came, which is the way back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from cavalcade.find.front import Front, Leaving, found_at, is_free
from cavalcade.find.uncrossed_bound import Beyond
from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.kernels import Cells, Ints, Mask, Tier, Vector

BITS = 2  # of a move in a state
LEFT, RIGHT, ALONE = 1, 2, 3
CHUNK = 100_000  # states that are taken between two looks at the clock
FULLEST = 3  # quarters of a table that are filled at most
MOST = 15  # moves one way, so that those which leave a cell are the bits of a small number


class NestedStates(NamedTuple):
    """Some states: a hash table while they are found.

    Args:
        words: of each state its bits, a row of words each.
        length: the moves of the longest walks with it; -1 where there is none.
        source: the state that it came from, by its place in the list before.
        moves: the moves that left the cell, as bits.
    """

    words: Vector
    length: Vector
    source: Vector
    moves: Vector


class Longest(NamedTuple):
    """A longest walk without a crossing.

    Args:
        cells: in order; one alone where no move is possible, none where there is no cell.
        length: its moves; of a closed one also the last.
        states: at the peak.
    """

    cells: list[int]
    length: int
    states: int


def longest(mask: Mask, vectors: Cells, *, closed: bool, progress: Callable[[float], None]) -> Longest:
    """The longest walk through the cells of a board in the plane, closed or open.

    Args:
        mask: where the array has cells.
        vectors: the moves and their opposites, (k, 2), none of which leads over another cell's centre.
        closed: the walk comes back to its first cell, by three moves or more.
        progress: called with the part that is done.

    Raises:
        TimeoutError, TooLargeError: a limit is reached.
    """
    turned = mask.shape[0] < mask.shape[1]
    if turned:  # few columns make few states
        mask, vectors = mask.T, vectors[:, ::-1]
    beyond = Beyond(mask, vectors, progress, closed=closed)
    least, less, peak = beyond.most, 1, 1
    while True:
        beyond.aim(least)
        search = _LineSearch(mask, vectors, closed, lambda _: progress(1))
        search.run(beyond, least)
        peak = max(peak, search.peak, beyond.peak)
        if search.best >= least or least <= 0:
            break
        least, less = least - less, less + less // 2 + less % 2
    places = search.walk()
    if turned:
        places = [(column, row) for row, column in places]
        mask = mask.T
    number = np.cumsum(mask).reshape(mask.shape) - 1
    cells = [int(number[place]) for place in places]
    return Longest(cells, search.best, peak)


class Lengths(NamedTuple):
    """How long walks on a strip can be.

    Args:
        terms: the length of a longest walk in its first row, its first two rows, and so on.
        rule: n, p and q if the states after n + p rows are those after n rows, all of them and the longest
            walk with q moves more. What follows is then longer by q, too, for any more rows. None where it
            does not show.
    """

    terms: list[int]
    rule: tuple[int, int, int] | None


def lengths(
    columns: int, vectors: Cells, *, closed: bool, rows: int, progress: Callable[[float], None]
) -> Lengths:
    """The longest walks in the first rows of an endless strip, and the rule that they follow, once it shows.

    Of walks that can be moved up only those are searched that have a cell in the first row.

    Args:
        columns: of the strip.
        vectors: as for `longest`.
        closed: likewise.
        rows: for how many.
        progress: called with the part that is done.

    Raises:
        TimeoutError, TooLargeError: a limit is reached.
    """
    beyond = int(vectors[:, 0].max(initial=0))
    search = _LineSearch(np.ones((rows + beyond, columns), dtype=np.bool_), vectors, closed, progress)
    words: Ints = np.zeros((1, search.front.words), dtype=np.int64)
    length: Cells = np.zeros(1, dtype=np.int32)
    terms, rule = [], None
    seen: dict[bytes, tuple[int, int]] = {}
    for row in range(1, rows + 1):
        for cell in range(row * columns - columns, row * columns):
            progress(cell / (rows * columns))
            states = search._after(cell, words, length)  # noqa: SLF001 - of this module
            words, length = np.asarray(states.words), np.asarray(states.length)
        begun = words.any(axis=1)
        words, length = words[begun], length[begun]
        terms.append(search.best)
        if rule is None:
            bits = search.front.said(row * columns, words)
            order, after = np.lexsort(bits.T), length - search.best
            now = bits[order].tobytes() + after[order].tobytes()
            before, best = seen.setdefault(now, (row, search.best))
            if before < row:
                rule = before, row - before, search.best - best
    return Lengths(terms, rule)


class _LineSearch:
    """One pass over the cells of a board."""

    def __init__(
        self,
        mask: Mask,
        vectors: Cells,
        closed: bool,  # noqa: FBT001
        progress: Callable[[float], None],
    ) -> None:
        self.front, self.closed, self.progress = Front(mask, vectors, BITS), closed, progress
        self.best = self.ended_at = self.ended_in = 0  # the longest walk, its last cell, its last state
        self.peak = 1
        self.work = 0  # inner steps, about
        self.kept: list[NestedStates] = []

    def run(self, beyond: Beyond, least: int) -> None:
        """Take all cells, and keep the states that may lead to a walk of so many moves."""
        front, none = self.front, np.zeros((0, self.front.words), dtype=np.int64)
        words: Ints = np.zeros((1, front.words), dtype=np.int64)
        length: Cells = np.zeros(1, dtype=np.int32)
        for cell in range(front.size):
            self.progress(cell / front.size)
            states = self._after(cell, words, length)
            words, length = np.asarray(states.words), np.asarray(states.length)
            source, moves = np.asarray(states.source), np.asarray(states.moves)
            self.peak = max(self.peak, len(length))
            if (cell + 1) % front.columns == 0 and cell + 1 < front.size:
                keep = beyond.reaches((cell + 1) // front.columns, front, words, length, least)
                words, length, source, moves = words[keep], length[keep], source[keep], moves[keep]
            self.kept.append(NestedStates(none, length[:0], source, moves))

    def _after(self, cell: int, words: Ints, length: Cells) -> NestedStates:
        """The states after a cell is taken."""
        front, count, leaving = self.front, len(length), self.front.leaving(cell)
        self.work += count * (20 + len(leaving.order))
        tier = Tier(self.work)
        mine = Leaving(*(tier.words(some) for some in leaving))
        none = tier.words([])
        old = NestedStates(tier.vector(words.ravel()), tier.vector(length), none, none)
        room = NestedStates(tier.column(front.words), tier.column(4), tier.column(6), none)
        size = 1 << max(6, (2 * count).bit_length())
        while True:
            assert_room(
                size * (8 * front.words + 12) + words.nbytes, f"after {cell:,} of {front.size:,} cells"
            )
            table = tier.column(size * front.words), tier.full(size, -1), tier.full(size), tier.full(size)
            new = NestedStates(*table)
            ended = tier.words([self.best, self.ended_in, self.ended_at, 0])
            limits = tier.words([int(self.closed), size * FULLEST // 4, cell])
            at = 0
            while 0 <= at < count:
                assert_time(f"{cell:,} of {front.size:,} cells are taken, in {count:,} states")
                at = tier(_take)(at, min(at + CHUNK, count), old, mine, new, ended, room, limits)
            if at >= 0:
                break
            size *= 4
        self.best, self.ended_in, self.ended_at = (int(one) for one in ended[:3])
        found = np.asarray(new.length, dtype=np.int32)
        used = found >= 0
        every = np.asarray(new.words, dtype=np.int64).reshape(size, -1)[used]
        source, moves = (np.asarray(some, dtype=np.int32)[used] for some in (new.source, new.moves))
        return NestedStates(every, found[used], source, moves.astype(np.int16))

    def walk(self) -> list[tuple[int, int]]:
        """The places of the cells of the longest walk, in order."""
        front, near = self.front, dict[int, list[int]]()
        state = self.ended_in
        for cell in range(self.ended_at - 1, -1, -1):
            moves, source = int(self.kept[cell].moves[state]), int(self.kept[cell].source[state])
            for kind, vector in enumerate(front.ahead):
                if moves >> kind & 1:
                    other = cell + int(vector @ (front.columns, 1))
                    near.setdefault(cell, []).append(other)
                    near.setdefault(other, []).append(cell)
            state = source
        if not near:
            row, column = np.argwhere(front.mask)[0].tolist()
            return [] if self.closed else [(row, column)]
        here = next((cell for cell, some in near.items() if len(some) == 1), min(near))
        cells = [here]
        while more := [cell for cell in near[here] if cell not in cells[-2:]]:
            here = more[0]
            if here == cells[0]:
                break
            cells.append(here)
        return [divmod(cell, front.columns) for cell in cells]


# ---- kernels


def _at(words: Vector, begin: int, place: int) -> int:
    """What a state says of the move of a place."""
    return (words[begin + (place >> 6)] >> (place & 63)) & 3


def _mate(words: Vector, begin: int, at: int, order: Vector) -> int:
    """The place of the other move of a path, where the one of this index in `order` is its left or right."""
    step = 1 if _at(words, begin, order[at]) == LEFT else -1
    depth, i = step, at
    while depth != 0 and 0 <= i + step < len(order):  # it ends there only if moves crossed
        i += step
        here = _at(words, begin, order[i])
        depth += 1 if here == LEFT else (-1 if here == RIGHT else 0)
    return order[i]


def _put(
    words: Vector,
    begin: int,
    change: Vector,
    count: int,
    walk: Vector,
    new: NestedStates,
    key: Vector,
    ended: Vector,
) -> None:
    """Put the state of a row into the table, after `count` changes: a place, and what it says then, each.

    `walk` is its length, the state it came from, and the moves that left the cell.
    """
    size = len(key)
    for i in range(size):
        key[i] = words[begin + i]
    for i in range(0, 2 * count, 2):
        word, shift = change[i] >> 6, change[i] & 63
        key[word] = key[word] & ~(3 << shift) | change[i + 1] << shift
    table, length = new.words, new.length
    s = found_at(key, table, length)
    ended[3] += 1 if length[s] < 0 else 0
    if walk[0] > length[s]:
        for i in range(size):
            table[s * size + i] = key[i]
        length[s], new.source[s], new.moves[s] = walk[0], walk[1], walk[2]


def _take(
    begin: int,
    until: int,
    old: NestedStates,
    cell: Leaving,
    new: NestedStates,
    ended: Vector,
    room: NestedStates,
    limits: Vector,
) -> int:
    """Take a cell in some states.

    `ended` has the length of the longest walk so far, the state before its last cell, and that cell; and how
    many states the table has. `room` is to work in; `limits` says whether walks are closed, how many states
    there may be, and the cell. Returns the next state to take, or -1 where the table is full.
    """
    into, out, order, rank, across = cell.into, cell.out, cell.order, cell.rank, cell.across
    words, key, change, walk = old.words, room.words, room.source, room.length
    size, kinds = len(key), len(into)
    closed, most = limits[0] > 0, limits[1]
    for z in range(begin, until):
        if ended[3] > most:
            return -1
        row, length = z * size, old.length[z]
        incoming, first, second, alone, pending = 0, 0, 0, 0, 0
        for i in range(len(order)):
            x = _at(words, row, order[i])
            if x == 0:
                continue
            pending += 1
            alone += 1 if x == ALONE else 0
            for j in range(kinds):
                if into[j] == order[i]:
                    incoming += 1
                    first, second = (i, second) if incoming == 1 else (first, i)
        walk[0], walk[1], walk[2] = length, z, 0
        if incoming == 1:
            x = _at(words, row, order[first])
            change[0], change[1] = order[first], 0
            for j in range(kinds):
                if out[j] >= 0 and is_free(words, row, across, j, size):
                    change[2], change[3] = out[j], x
                    walk[0], walk[2] = length + 1, 1 << j
                    _put(words, row, change, 2, walk, new, key, ended)
            walk[0], walk[2] = length, 0
            if x == ALONE and pending == 1 and length > ended[0]:  # here it ends
                ended[0], ended[1], ended[2] = length, z, limits[2]
            elif x != ALONE and alone < 2 and not closed:
                change[2], change[3] = _mate(words, row, first, order), ALONE
                _put(words, row, change, 2, walk, new, key, ended)
        elif incoming == 2:
            x, y = _at(words, row, order[first]), _at(words, row, order[second])
            if (x == LEFT and y == RIGHT) or (x == ALONE and y == ALONE):
                if pending == 2 and length > ended[0] and (closed or x == ALONE):
                    ended[0], ended[1], ended[2] = length, z, limits[2]
                continue
            change[0], change[1], change[2], change[3] = order[first], 0, order[second], 0
            changes = 2
            if x != RIGHT or y != LEFT:  # else their other ends are a left and a right one already
                if x == ALONE:
                    change[4], change[5] = _mate(words, row, second, order), ALONE
                elif y == ALONE:
                    change[4], change[5] = _mate(words, row, first, order), ALONE
                elif x == LEFT:
                    change[4], change[5] = _mate(words, row, second, order), LEFT
                else:
                    change[4], change[5] = _mate(words, row, first, order), RIGHT
                changes = 3
            _put(words, row, change, changes, walk, new, key, ended)
        elif incoming == 0:
            _put(words, row, change, 0, walk, new, key, ended)
            for j in range(kinds):
                if out[j] < 0 or not is_free(words, row, across, j, size):
                    continue
                if not closed and alone < 2:
                    change[0], change[1] = out[j], ALONE
                    walk[0], walk[2] = length + 1, 1 << j
                    _put(words, row, change, 1, walk, new, key, ended)
                for k in range(j + 1, kinds):
                    if out[k] >= 0 and is_free(words, row, across, k, size):
                        left, right = (j, k) if rank[j] < rank[k] else (k, j)
                        change[0], change[1], change[2], change[3] = out[left], LEFT, out[right], RIGHT
                        walk[0], walk[2] = length + 2, 1 << j | 1 << k
                        _put(words, row, change, 2, walk, new, key, ended)
    return until
