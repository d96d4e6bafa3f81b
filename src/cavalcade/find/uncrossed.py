"""The longest walk whose moves do not cross: a search of all states, cell after cell, and the way back.

Cells are taken row by row. A move is *pending* while just one of its cells is taken: it crosses the line
between the cells taken and the others, and pending moves cross this line in a fixed order. Where no two moves
cross, the paths that they belong to are nested like brackets. So a state says of each move that may be
pending whether it is, and then whether it is the left one of a path with two, the right one, or the only one
of a path that has ended on the other side. A move whose cells are both taken lies behind the line and is not
crossed any more.

Of all walks with one state a longest is as good as any. L. D. Yarbrough (Uncrossed knight's tours, 1969)
began with such walks; their lengths on squares are OEIS A003192 and A157416.

The first pass finds how long a walk can be. A state may be left out if its length, and the most that can be
made beyond the line, do not reach that: the second pass keeps those that may, and whence they came, which is
the way back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.measures.crossings import moves_cross
from cavalcade.frontier.tables import slot
from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.kernels import Cells, Ints, Mask, Tier, Vector

BITS = 2  # of a move in a state
LEFT, RIGHT, ALONE = 1, 2, 3
HELD = 30  # moves in a word
CHUNK = 100_000  # states that are taken between two looks at the clock
FULLEST = 3  # quarters of a table that are filled at most
MOST = 15  # moves one way, so that those which leave a cell are the bits of a small number


class Leaving(NamedTuple):
    """What it takes to take one cell.

    Args:
        into: the places of the moves that come into it, -1 for none; a place is where a state has its bits;
        out: the places of those that leave it for a cell not yet taken, likewise.
        across: of each of these the bits of the moves that it would cross, a row of words each.
        order: the places of all moves that may be pending before, along the line.
        rank: of each move that leaves where it crosses the line afterwards.
    """

    into: Vector
    out: Vector
    across: Vector
    order: Vector
    rank: Vector


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
    back = np.array_equal(mask, mask[::-1, ::-1])
    passes = 2 if back else 3
    there = _LineSearch(mask, vectors, closed, lambda part: progress(part / passes))
    there.run()
    beyond = there.inner
    if not back:  # the most that can be made beyond the line is what can be made from the other side
        other = _LineSearch(mask[::-1, ::-1], vectors, closed, lambda part: progress((1 + part) / passes))
        other.run()
        beyond = other.inner
        assert other.best == there.best  # noqa: S101 - the same walks, seen from the other side
    again = _LineSearch(mask, vectors, closed, lambda part: progress((passes - 1 + part) / passes))
    again.run(there.best, beyond)
    places = again.walk()
    if turned:
        places = [(column, row) for row, column in places]
        mask = mask.T
    number = np.cumsum(mask).reshape(mask.shape) - 1
    cells = [int(number[place]) for place in places]
    return Longest(cells, again.best, max(there.peak, again.peak))


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
    words: Ints = np.zeros((1, search.words), dtype=np.int64)
    length: Cells = np.zeros(1, dtype=np.int32)
    terms, rule = [], None
    seen: dict[bytes, tuple[int, int]] = {}
    for row in range(1, rows + 1):
        for cell in range(row * columns - columns, row * columns):
            progress(cell / (rows * columns))
            states = search._after(cell, words, length, 0)  # noqa: SLF001 - of this module
            words, length = np.asarray(states.words), np.asarray(states.length)
        begun = words.any(axis=1)
        words, length = words[begun], length[begun]
        terms.append(search.best)
        if rule is None:
            bits = search.bits(row * columns, words)
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
        self.mask, self.closed, self.progress = mask, closed, progress
        rows, self.columns = mask.shape
        self.size = rows * self.columns
        ahead = vectors[(vectors[:, 0] > 0) | ((vectors[:, 0] == 0) & (vectors[:, 1] > 0))]
        self.ahead = np.unique(ahead, axis=0)
        self.span = int((self.ahead @ (self.columns, 1)).max(initial=1))  # cells that a move leads on
        self.words = -(-self.span * max(1, len(self.ahead)) // HELD)
        self.best = self.ended_at = self.ended_in = 0  # the longest walk, its last cell, its last state
        self.inner = [0]  # of the first k cells, the most moves among them that walks have
        self.peak = 1
        self.work = 0  # inner steps, about
        self.kept: list[NestedStates] = []

    def run(self, best: int = -1, beyond: list[int] | None = None) -> None:
        """Take all cells; given the length of the longest walk, keep the states that may lead to it."""
        words: Ints = np.zeros((1, self.words), dtype=np.int64)
        length: Cells = np.zeros(1, dtype=np.int32)
        for cell in range(self.size):
            self.progress(cell / self.size)
            least = 0 if beyond is None else best - beyond[self.size - 1 - cell]
            states = self._after(cell, words, length, least)
            words, length = np.asarray(states.words), np.asarray(states.length)
            self.peak = max(self.peak, len(length))
            if beyond is not None:
                self.kept.append(NestedStates(words[:0], length[:0], states.source, states.moves))

    def _after(self, cell: int, words: Ints, length: Cells, least: int) -> NestedStates:
        """The states after a cell is taken."""
        count, leaving = len(length), self._leaving(cell)
        self.work += count * (20 + len(leaving.order))
        tier = Tier(self.work)
        mine = Leaving(*(tier.words(some) for some in leaving))
        none = tier.words([])
        old = NestedStates(tier.vector(words.ravel()), tier.vector(length), none, none)
        room = NestedStates(tier.column(self.words), tier.column(4), tier.column(6), none)
        size = 1 << max(6, (2 * count).bit_length())
        while True:
            assert_room(size * (8 * self.words + 12) + words.nbytes, f"after {cell:,} of {self.size:,} cells")
            table = tier.column(size * self.words), tier.full(size, -1), tier.full(size), tier.full(size)
            new = NestedStates(*table)
            ended = tier.words([self.best, self.ended_in, self.ended_at, 0, 0])
            limits = tier.words([int(self.closed), least, size * FULLEST // 4, cell])
            at = 0
            while 0 <= at < count:
                assert_time(f"{cell:,} of {self.size:,} cells are taken, in {count:,} states")
                at = tier(_take)(at, min(at + CHUNK, count), old, mine, new, ended, room, limits)
            if at >= 0:
                break
            size *= 4
        self.best, self.ended_in, self.ended_at = (int(one) for one in ended[:3])
        self.inner.append(max(self.best, int(ended[4])))
        found = np.asarray(new.length, dtype=np.int32)
        used = found >= 0
        every = np.asarray(new.words, dtype=np.int64).reshape(size, -1)[used]
        source, moves = (np.asarray(some, dtype=np.int32)[used] for some in (new.source, new.moves))
        return NestedStates(every, found[used], source, moves.astype(np.int16))

    def bits(self, taken: int, words: Ints) -> NDArray[np.int8]:
        """What states say of each move, after so many cells: the same wherever the line is."""
        held = np.arange(self.span * len(self.ahead))
        found = (words[:, held // HELD] >> BITS * (held % HELD) & 3).astype(np.int8)
        return np.roll(found, -(taken % self.span) * len(self.ahead), axis=1)

    def _leaving(self, cell: int) -> Leaving:
        """What it takes to take a cell."""
        held, kinds = self._pending(cell), len(self.ahead)
        at = np.array(divmod(cell, self.columns))
        into, out, rank = np.full(kinds, -1), np.full(kinds, -1), np.zeros(kinds)
        across = np.zeros((kinds, self.words), dtype=np.int64)
        place, start, kind = (np.array([one[i] for one in held], dtype=np.int64) for i in (1, 2, 3))
        begin, end = np.stack([start // self.columns, start % self.columns], axis=1), self.ahead[kind]
        arrive = start + end @ (self.columns, 1) == cell
        into[kind[arrive]] = place[arrive]
        for k, vector in enumerate(self.ahead):
            if self._is_cell(at) and self._is_cell(at + vector):
                out[k], rank[k] = self._place(cell, k), self._crossing(cell, k, cell)
                crossed = moves_cross(at[None], at[None] + vector, begin, begin + end)[0]
                for one in place[crossed].tolist():
                    across[k, one >> 6] |= 3 << (one & 63)
        return Leaving(into, out, across.ravel(), place, np.argsort(np.argsort(rank)))

    def _pending(self, cell: int) -> list[tuple[float, int, int, int]]:
        """The moves that may be pending before a cell, along the line: place, first cell and kind."""
        found = []
        for start in range(max(0, cell - self.span), cell):
            at = np.array(divmod(start, self.columns))
            for kind, vector in enumerate(self.ahead):
                there = at + vector
                if self._is_cell(at) and self._is_cell(there) and there @ (self.columns, 1) >= cell:
                    found.append(
                        (self._crossing(start, kind, cell - 1), self._place(start, kind), start, kind)
                    )
        return sorted(found)

    def _is_cell(self, at: Ints) -> bool:
        row, column = at
        return 0 <= row < self.mask.shape[0] and 0 <= column < self.columns and bool(self.mask[row, column])

    def _place(self, start: int, kind: int) -> int:
        """The place of a move in a state, by its last cell and kind: 64 times the word, and the bit in it."""
        last = start + int(self.ahead[kind] @ (self.columns, 1))
        word, at = divmod(last % self.span * len(self.ahead) + kind, HELD)
        return 64 * word + BITS * at

    def _crossing(self, start: int, kind: int, taken: int) -> float:
        """In which column a move crosses the line after a cell, which falls a little from right to left."""
        tilt = 1 / (4 * self.columns)
        row, column = divmod(start, self.columns)
        down, right = self.ahead[kind].tolist()
        line = taken // self.columns + tilt * (taken % self.columns + 0.5)
        return float(column + right * (line - row - tilt * column) / (down + tilt * right))

    def walk(self) -> list[tuple[int, int]]:
        """The places of the cells of the longest walk, in order."""
        near: dict[int, list[int]] = {}
        state = self.ended_in
        for cell in range(self.ended_at - 1, -1, -1):
            moves, source = int(self.kept[cell].moves[state]), int(self.kept[cell].source[state])
            for kind, vector in enumerate(self.ahead):
                if moves >> kind & 1:
                    other = cell + int(vector @ (self.columns, 1))
                    near.setdefault(cell, []).append(other)
                    near.setdefault(other, []).append(cell)
            state = source
        if not near:
            row, column = np.argwhere(self.mask)[0].tolist()
            return [] if self.closed else [(row, column)]
        here = next((cell for cell, some in near.items() if len(some) == 1), min(near))
        cells = [here]
        while more := [cell for cell in near[here] if cell not in cells[-2:]]:
            here = more[0]
            if here == cells[0]:
                break
            cells.append(here)
        return [divmod(cell, self.columns) for cell in cells]


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

    `walk` is its length, the state it came from, the moves that left the cell, and how many are pending.
    """
    size = len(key)
    for i in range(size):
        key[i] = words[begin + i]
    for i in range(0, 2 * count, 2):
        word, shift = change[i] >> 6, change[i] & 63
        key[word] = key[word] & ~(3 << shift) | change[i + 1] << shift
    table, length = new.words, new.length
    mask, h = len(length) - 1, 0
    for i in range(size):
        h = slot(key[i], h, 0x7FFFFFFF)
    s = h & mask
    while length[s] >= 0:
        same = True
        for i in range(size):
            same = same and table[s * size + i] == key[i]
        if same:
            break
        s = (s + 1) & mask
    ended[3] += 1 if length[s] < 0 else 0
    ended[4] = max(ended[4], walk[0] - walk[3])
    if walk[0] > length[s]:
        for i in range(size):
            table[s * size + i] = key[i]
        length[s], new.source[s], new.moves[s] = walk[0], walk[1], walk[2]


def _free(words: Vector, begin: int, across: Vector, kind: int, size: int) -> bool:
    """Whether a move that leaves the cell crosses none that is pending."""
    for i in range(size):
        if words[begin + i] & across[kind * size + i]:
            return False
    return True


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

    `ended` has the length of the longest walk so far, the state before its last cell, and that cell; how many
    states the table has, and of them the most moves that are not pending. `room` is to work in; `limits` says
    whether walks are closed, how long they must be already, how many states there may be, and the cell.
    Returns the next state to take, or -1 where the table is full.
    """
    into, out, order, rank, across = cell.into, cell.out, cell.order, cell.rank, cell.across
    words, key, change, walk = old.words, room.words, room.source, room.length
    size, kinds = len(key), len(into)
    closed, least, most = limits[0] > 0, limits[1], limits[2]
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
        walk[0], walk[1], walk[2], walk[3] = length, z, 0, pending
        if incoming == 1:
            x = _at(words, row, order[first])
            change[0], change[1] = order[first], 0
            for j in range(kinds):
                if out[j] >= 0 and length + 1 >= least and _free(words, row, across, j, size):
                    change[2], change[3] = out[j], x
                    walk[0], walk[2] = length + 1, 1 << j
                    _put(words, row, change, 2, walk, new, key, ended)
            walk[0], walk[2] = length, 0
            if x == ALONE and pending == 1 and length > ended[0]:  # here it ends
                ended[0], ended[1], ended[2] = length, z, limits[3]
            elif x != ALONE and alone < 2 and not closed and length >= least:
                change[2], change[3] = _mate(words, row, first, order), ALONE
                walk[3] = pending - 1
                _put(words, row, change, 2, walk, new, key, ended)
        elif incoming == 2:
            x, y = _at(words, row, order[first]), _at(words, row, order[second])
            if (x == LEFT and y == RIGHT) or (x == ALONE and y == ALONE):
                if pending == 2 and length > ended[0] and (closed or x == ALONE):
                    ended[0], ended[1], ended[2] = length, z, limits[3]
                continue
            if length < least:
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
            walk[3] = pending - 2
            _put(words, row, change, changes, walk, new, key, ended)
        elif incoming == 0:
            if length >= least:
                _put(words, row, change, 0, walk, new, key, ended)
            for j in range(kinds):
                if out[j] < 0 or not _free(words, row, across, j, size):
                    continue
                if not closed and alone < 2 and length + 1 >= least:
                    change[0], change[1] = out[j], ALONE
                    walk[0], walk[2], walk[3] = length + 1, 1 << j, pending + 1
                    _put(words, row, change, 1, walk, new, key, ended)
                for k in range(j + 1, kinds):
                    if out[k] >= 0 and length + 2 >= least and _free(words, row, across, k, size):
                        left, right = (j, k) if rank[j] < rank[k] else (k, j)
                        change[0], change[1], change[2], change[3] = out[left], LEFT, out[right], RIGHT
                        walk[0], walk[2], walk[3] = length + 2, 1 << j | 1 << k, pending + 2
                        _put(words, row, change, 2, walk, new, key, ended)
    return until
