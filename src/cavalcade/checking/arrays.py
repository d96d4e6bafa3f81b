"""The checker of tours as arrays: a billion cells in one pass, in constant memory.

*Steps*: each of the N cells holds a number from 1 to N. Suppose that 1 occurs, and that every number except N
has the next number a move away. Then 2, 3, …, N occur, too, so each number occurs once. That is a tour, and a
closed tour if 1 is a move from N. Only the cells of 1 and N are stored.

*Moves*: every cell holds the index of the move that leaves it. If every move stays on the board, a walk ends
only at a cell that it visited before, or at the cell without a move. Some cells are *marks*. From each mark,
a thread walks to the next mark. If the marks form one cycle and the lengths of the walks add up to N, the
whole walk returns to its start after N steps and not before, so it visits N different cells.

The check shares no formula and no geometry with the code that finds and writes tours. It reads only the array
and the kind, sides and mask of the board. Threads and compilation are shared with the rest of the package.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.checking.geometry import Vectors, is_flat, vectors
from cavalcade.checking.tours import Checked, check, right, wrong
from cavalcade.ground.arrays import ArrayOnDisk
from cavalcade.ground.errors import FormatError
from cavalcade.ground.kernels import Tier
from cavalcade.ground.threads import ProgressCallback, spread
from cavalcade.question.graph import BoardLike, board_of
from cavalcade.question.pieces import Piece, PieceLike, piece_of
from cavalcade.question.words import validated

Box = tuple[slice, ...]

Index = tuple[int, ...]  # the position of a place in the array

# Places checked together: their arrays take a few MB per thread. In smaller tiles more rows are read twice.
TILE = 2**19
NO_MOVE = int(np.iinfo(np.uint8).max)  # the entry of the last cell of an open tour, and of holes
STRIDE = 2**22  # steps between two checks for Ctrl-C and for walks that have ended, about 30 ms


@validated
def check_array(
    array: NDArray[Any] | ArrayOnDisk,
    board: BoardLike | None = None,
    *,
    piece: PieceLike | None = None,
    open: bool | None = None,
    threads: int | None = None,
    progress: ProgressCallback | None = None,
) -> Checked:
    """Check a tour that is stored as an array of step numbers, or of moves (unsigned bytes).

    Args:
        array: an array with the shape of the board: steps from 1, and 0 at holes; or the index in
            `piece.vectors(board)` of the move that leaves each cell, and 255 at holes and at the end of an
            open tour.
        board: the board; by default a box with the sides of the array.
        piece: a piece or its spec; by default the knight.
        open: whether the tour must be open (True) or closed (False); by default both are accepted.
        threads: the number of threads; by default one per core.
        progress: called with the finished fraction, from 0 to 1.

    Raises:
        FormatError: the array has another shape than the board, or holds no integers.

    Time: linear; steps about 3 ns a cell on one core, moves about 7. Memory: a few MB for any size, and the
    mask of the board, if it has one. On surfaces, which wrap around, as `check`.

    Examples:
        >>> bool(check_array(construct("20x20").numbering()))
        True
    """
    if board is None:
        if array.ndim < 2:
            raise FormatError(f"an array of {array.ndim} dimensions is not a board, expected two or more")
        board = Board.box(*array.shape)
    board, piece = board_of(board), piece_of(piece)
    if array.dtype.kind not in "iu":
        raise FormatError(f"an array of {array.dtype} is not a tour, expected integers")
    if array.shape != board.shape:
        raise FormatError(f"an array of shape {array.shape} does not fit {board.title}, {board.shape}")
    of_moves = array.dtype == np.uint8
    if is_flat(board):
        # Moves are followed from cell to cell; steps are read tile by tile.
        entries = _in_memory(array) if of_moves else array
        scan = _Scan(board, piece, entries, vectors(board, piece), open, threads, progress)
        return scan.moves() if of_moves else scan.steps()
    if of_moves:
        raise FormatError(f"moves on {board.title} are not checked, expected a box or a hexagon")
    tour = Tour.from_numbering(board, _in_memory(array), closed=not open, piece=piece)
    checked = check(tour)
    return checked if checked or open is not None else check(tour.opened())


@dataclass(frozen=True)
class _Summary:
    """The places of interest in one tile of an array, or in all tiles.

    Attributes:
        bad: the first wrong place of each tile.
        first: for steps, the cells with step 1; for moves, cells to which no move leads, at most two a tile.
        last: for steps, the cells with step N; for moves, cells without a move, at most two a tile.
    """

    bad: list[Index]
    first: list[Index]
    last: list[Index]


@dataclass(frozen=True)
class _Scan:
    """The check of one array; the attributes are the arguments of `check_array`."""

    board: Board
    piece: Piece
    array: NDArray[Any] | ArrayOnDisk
    vectors: Vectors
    open: bool | None
    threads: int | None
    progress: ProgressCallback | None

    # ---- tiles

    def tiles(self) -> list[Box]:
        """Split the array into boxes of about `TILE` places, as long as possible in the last dimensions."""
        sides, places = [], TILE
        for side in reversed(self.array.shape):
            sides.append(max(1, min(side, places)))
            places //= sides[-1]
        cuts = [[*range(0, n, s), n] for n, s in zip(self.array.shape, reversed(sides), strict=True)]
        return [tuple(slice(*ends) for ends in box) for box in product(*map(pairwise, cuts))]

    def cells(self, box: Box) -> NDArray[np.bool_] | np.bool_:
        """Whether each place of a tile is a cell."""
        return np.True_ if self.board.mask is None else self.board.mask[box]

    def inside(self, box: Box, move: Index) -> tuple[Box, Box]:
        """The places of a tile, relative to it, from which a move stays in the array; and the targets."""
        tails, heads = [], []
        for part, step, side in zip(box, move, self.array.shape, strict=True):
            low = max(part.start, -step)
            high = max(min(part.stop, side - step), low)
            tails.append(slice(low - part.start, high - part.start))
            heads.append(slice(low + step, high + step))
        return tuple(tails), tuple(heads)

    def around(self, box: Box) -> tuple[NDArray[Any], Index]:
        """A part of the array with the targets of all moves from a tile, and its first place."""
        if not isinstance(self.array, ArrayOnDisk):
            return self.array, (0,) * self.array.ndim
        axes = range(self.array.ndim)
        longest = [max((abs(move[axis]) for move in self.vectors), default=0) for axis in axes]
        halo = [
            slice(max(0, part.start - reach), part.stop + reach)
            for part, reach in zip(box, longest, strict=True)
        ]
        return self.array[tuple(halo)], tuple(part.start for part in halo)

    def summarize(self, tile: Callable[[Box], _Summary], begin: float, end: float) -> _Summary:
        """Examine all tiles, and report progress from `begin` to `end`."""
        progress = self.progress
        # After a larger array is freed, glibc keeps the memory of the arrays of a tile for the next tile.
        # Otherwise the system clears new memory for each: 0.2 s of 0.5 s for 100 million steps.
        np.empty(32 * TILE, dtype=np.uint8)
        tiles = spread(
            tile,
            self.tiles(),
            threads=self.threads,
            progress=None if progress is None else lambda done: progress(begin + (end - begin) * done),
        )
        return _Summary(
            [place for summary in tiles for place in summary.bad],
            [place for summary in tiles for place in summary.first],
            [place for summary in tiles for place in summary.last],
        )

    # ---- step numbers

    def steps(self) -> Checked:
        """Whether the array holds the steps of a tour."""
        size = self.board.size
        if np.iinfo(self.array.dtype).max < size:
            return wrong(f"step {size} is missing: numbers of {self.array.dtype} do not reach it", size)
        summary = self.summarize(self.steps_in, 0, 1)
        if summary.bad:
            return self.wrong_step(summary.bad[0])
        if not summary.first:
            return wrong("step 1 is missing", 1)
        first, last = summary.first[0], summary.last[0]
        move = tuple(a - b for a, b in zip(first, last, strict=True))
        return self.right(size == 1 or (size > 2 and move in self.vectors), first, last)

    def right(self, closes: bool, first: Index, last: Index) -> Checked:  # noqa: FBT001
        """The result for an array with a tour from `first` to `last`, which may close to a cycle."""
        if self.open is False and not closes:
            first_name, last_name = self.board.name_at(first), self.board.name_at(last)
            why = f"the last step, {last_name}, is not a {self.piece.spec} move from the first, {first_name}"
            return wrong(f"not closed: {why}", self.board.size)
        return right(self.board, self.piece, closed=closes and not self.open)

    def steps_in(self, box: Box) -> _Summary:
        """Find wrong step numbers, the first step and the last step in a tile."""
        entries, corner = self.around(box)
        steps, size = entries[_relative(box, corner)], self.board.size
        after = steps + 1
        good, follows = np.zeros(steps.shape, dtype=np.bool_), np.empty(steps.shape, dtype=np.bool_)
        for move in self.vectors:
            tails, heads = self.inside(box, move)
            np.equal(entries[_relative(heads, corner)], after[tails], out=follows[tails])
            good[tails] |= follows[tails]
        # Most tiles end here. The largest number of the array has no next number, so if it is above N, its
        # tile does not.
        if self.board.mask is None and good.all() and steps.min() > 1:
            return _Summary([], [], [])
        cells, is_last = self.cells(box), steps == size
        good |= is_last  # only the last step needs no next step
        good &= (steps >= 1) & (steps <= size)
        bad = np.where(cells, ~good, steps != 0)
        return _Summary(_places(bad, box, 1), _places(steps == 1, box, 1), _places(is_last & cells, box, 1))

    def wrong_step(self, place: Index) -> Checked:
        """Explain what is wrong with the step at a place."""
        step, name, size = int(self.array[place]), self.board.name_at(place), self.board.size
        if self.board.mask is not None and not self.board.mask[place]:
            return wrong(f"a hole, {name}, has step {step}, expected 0")
        if not 1 <= step <= size:
            return wrong(f"{name} has step {step}, expected 1 to {size}")
        why = f"step {step} is on {name}, but step {step + 1} is not a {self.piece.spec} move away"
        return wrong(why, step + 1)

    # ---- moves

    def moves(self) -> Checked:
        """Whether the array holds the moves of a tour."""
        summary, size, name = self.summarize(self.moves_in, 0, 0.3), self.board.size, self.board.name_at
        if summary.bad:
            place = summary.bad[0]
            code = int(self.array[place])
            if self.board.mask is not None and not self.board.mask[place]:
                return wrong(f"a hole, {name(place)}, has move {code}, expected {NO_MOVE}")
            if code >= len(self.vectors):
                return wrong(f"{name(place)} has move {code}, expected 0 to {len(self.vectors) - 1}")
            return wrong(f"move {code} leads from {name(place)} to no cell")
        last = summary.last
        if len(last) > 1:
            return wrong(f"two cells have no move: {name(last[0])} and {name(last[1])}")
        first = None
        if last:
            first = (starts := self.summarize(self.starts_in, 0.3, 0.5).first)[0]
            if len(starts) > 1:
                return wrong(f"no move leads to {name(starts[0])}, and none to {name(starts[1])}")
        length, mark = self.walk(first)
        if length > size:
            return wrong(f"a walk from {name(mark)} never comes back")
        if size == 2 and not last:
            return wrong("not closed: two cells make no cycle: the way back is the way there")
        if length < size:
            return wrong(f"a walk from {name(mark)} is back after {length:,} of {size:,} cells")
        return self.right(not last or size == 1, first or mark, last[0] if last else mark)

    def moves_in(self, box: Box) -> _Summary:
        """Find moves that lead off the board, and cells without a move, in a tile."""
        codes, cells = self.array[box], self.cells(box)
        ends = codes == NO_MOVE
        last = _places(ends & cells, box, 2)
        good = ends | (codes < len(self.vectors))
        for i, move in enumerate(self.vectors):
            tails, heads = self.inside(box, move)
            if self.board.mask is None and good[tails].shape == good.shape:
                continue  # the move stays on the board from all places of the tile
            stays = np.zeros(good.shape, dtype=np.bool_)
            stays[tails] = self.cells(heads)
            good &= stays | (codes != i)
        return _Summary(_places(~np.where(cells, good, ends), box, 1), [], last)

    def starts_in(self, box: Box) -> _Summary:
        """Find the cells of a tile to which no move leads."""
        reached = ~(self.cells(box) & np.ones(self.array[box].shape, dtype=np.bool_))
        for i, move in enumerate(self.vectors):
            heads, tails = self.inside(box, tuple(-x for x in move))
            reached[heads] |= self.array[tails] == i
        return _Summary([], _places(~reached, box, 2), [])

    def walk(self, first: Index | None) -> tuple[int, Index]:
        """The number of steps after which a walk returns to its start, and the start, the first mark.

        The number is more than N if the walk never returns.

        Args:
            first: the first cell of an open tour, to which the walk jumps from the cell without a move.
        """
        shape, size = self.array.shape, self.board.size
        flat = np.ascontiguousarray(self.array).reshape(-1)
        strides = [math.prod(shape[i + 1 :]) for i in range(len(shape))]
        jumps = np.array([sum(map(int.__mul__, move, strides)) for move in self.vectors], dtype=np.int64)
        start = 0 if first is None else int(np.ravel_multi_index(first, shape))
        tier = Tier(size)
        walk, moves, offsets = tier(_walk), tier.vector(flat), tier.vector(jumps)
        marks, mask = self.marks()
        place = tuple(int(i) for i in np.unravel_index(marks[0], shape))
        limit = min(STRIDE, size + 1)
        walks = [(mark, 0) for mark in marks]  # the current cell and the number of steps of each walk
        under_way = list(range(len(marks)))
        while under_way:
            legs = spread(
                lambda i: walk(moves, offsets, walks[i][0], mask, start, limit),
                under_way,
                threads=self.threads,
            )
            for i, (cell, steps) in zip(under_way, legs, strict=True):
                walks[i] = (int(cell), walks[i][1] + int(steps))
            walked = sum(length for _, length in walks)
            if walked > size:  # a walk is in a cycle without a mark
                return walked, place
            if self.progress is not None:
                self.progress(0.5 + 0.5 * walked / size)
            under_way = [i for i in under_way if walks[i][0] & mask]
        # Follow the cycle of marks from the first mark.
        after = dict(zip(marks, walks, strict=True))
        cell, total = after[marks[0]]
        while cell != marks[0] and total <= size:
            cell, length = after[cell]
            total += length
        return total, place

    def marks(self) -> tuple[list[int], int]:
        """Choose marks: all cells whose flat index has no bit of a mask. Returns the marks and the mask."""
        for bit in range(max(self.array.size // 64, 1).bit_length(), -1, -1):
            marks = np.arange(0, self.array.size, 1 << bit)
            if self.board.mask is not None:
                marks = marks[self.board.mask.reshape(-1)[marks]]
            if len(marks) >= min(32, self.board.size):
                break
        return marks.tolist(), (1 << bit) - 1


def _in_memory(array: NDArray[Any] | ArrayOnDisk) -> NDArray[Any]:
    """The array in memory."""
    return array.whole() if isinstance(array, ArrayOnDisk) else array


def _relative(box: Box, corner: Index) -> Box:
    """A box, given relative to a place."""
    return tuple(slice(part.start - low, part.stop - low) for part, low in zip(box, corner, strict=True))


def _places(which: NDArray[np.bool_], box: Box, limit: int) -> list[Index]:
    """The first `limit` places of a tile with a true entry."""
    if not which.any():
        return []
    positions = np.flatnonzero(which)[:limit]
    corner = [part.start for part in box]
    return [
        tuple(int(i) + low for i, low in zip(place, corner, strict=True))
        for place in zip(*np.unravel_index(positions, which.shape), strict=True)
    ]


def _walk(
    moves: NDArray[np.uint8], offsets: NDArray[np.int64], cell: int, mask: int, start: int, limit: int
) -> tuple[int, int]:
    """Walk to the next mark, at most `limit` steps; return the cell and the number of steps.

    Args:
        moves: the move of each cell.
        offsets: the change of the flat index, one per move.
        cell: the flat index of the first cell.
        mask: marks are the cells whose flat index has none of these bits.
        start: the cell that follows a cell without a move.
        limit: the largest number of steps.
    """
    for steps in range(1, limit + 1):
        move = moves[cell]
        cell = start if move == NO_MOVE else cell + offsets[move]
        if cell & mask == 0:
            return cell, steps
    return cell, limit
