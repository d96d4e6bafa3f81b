"""The checker of tours as arrays: a billion cells in one pass, in memory that does not grow.

*Steps*: numbers from 1 to N stand on the N cells. If every number but N has, a move away, the next number,
and 1 is there, then so are 2, 3, …, N; N cells hold N different numbers, so each once. That is a tour, and a
closed one if 1 is a move from N. Only the cells of 1 and N are stored.

*Moves*: every cell holds the number of the move that leaves it. If every move stays on the board, a walk ends
only when it meets a cell again or reaches the cell without a move. Some cells are *marks*. From each mark, a
thread walks to the next mark. If the marks form one cycle and the lengths of the walks add up to N, the whole
walk returns to its start after N steps and not before, so it visits N different cells.

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
from cavalcade.ground.errors import FormatError
from cavalcade.ground.kernels import Tier
from cavalcade.ground.threads import ProgressCallback, spread
from cavalcade.question.graph import BoardLike, board_of
from cavalcade.question.pieces import Piece, PieceLike, piece_of
from cavalcade.question.words import validated

Box = tuple[slice, ...]

TILE = 2**17  # places checked together; their arrays fit into the cache of a core
NO_MOVE = 255
STRIDE = 2**22  # steps between two checks for Ctrl-C and for walks that have ended, 30 ms


@validated
def check_array(
    array: NDArray[Any],
    board: BoardLike | None = None,
    *,
    piece: PieceLike | None = None,
    open: bool | None = None,
    threads: int | None = None,
    progress: ProgressCallback | None = None,
) -> Checked:
    """Check a tour given as an array: step numbers, or, if it holds unsigned bytes, moves.

    Args:
        array: of the shape of the board; steps from 1, or for each cell the index of the move that leaves it
            in `piece.vectors(board)`, 255 at the end of an open tour. 0 or 255 where there is no cell.
        board: by default a box with the array's sides.
        piece: a piece or its spec; by default the knight.
        open: whether an open tour is claimed, or with False a closed one; by default either is right.
        threads: how many; by default one for each core.
        progress: called with the part that is done, from 0 to 1.

    Raises:
        FormatError: the array has another shape than the board, or holds no integers.

    Time: linear; steps about 4 ns a cell on one core, moves about 7. Memory: a few MB, whatever the size, and
    the board's mask, if it has one.
    On surfaces, which wrap around, as `check`.

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
        scan = _Scan(board, piece, array, vectors(board, piece), open, threads, progress)
        return scan.moves() if of_moves else scan.steps()
    if of_moves:
        raise FormatError(f"moves on {board.title} are not checked, expected a box or a hexagon")
    tour = Tour.from_numbering(board, array, closed=not open, piece=piece)
    checked = check(tour)
    return checked if checked or open is not None else check(tour.opened())


@dataclass(frozen=True)
class _Look:
    """The result for one tile of an array, or for all tiles; places are array indices."""

    bad: list[tuple[int, ...]]  # the first place that is wrong, if any
    first: list[tuple[int, ...]]  # steps: where 1 stands; moves: cells to which none leads; two at most
    last: list[tuple[int, ...]]  # steps: where N stands; moves: cells without one; two at most


@dataclass(frozen=True)
class _Scan:
    """The check of one array; the attributes are the arguments of `check_array`."""

    board: Board
    piece: Piece
    array: NDArray[Any]
    vectors: Vectors
    open: bool | None
    threads: int | None
    progress: ProgressCallback | None

    # ---- tiles

    def tiles(self) -> list[Box]:
        """Split the array into boxes of about `TILE` places, as long as possible in the last dimensions."""
        sides, room = [], TILE
        for side in reversed(self.array.shape):
            sides.append(max(1, min(side, room)))
            room //= sides[-1]
        cuts = [[*range(0, n, s), n] for n, s in zip(self.array.shape, reversed(sides), strict=True)]
        return [tuple(slice(*ends) for ends in box) for box in product(*map(pairwise, cuts))]

    def cells(self, box: Box) -> NDArray[np.bool_] | np.bool_:
        """Whether each place of a tile is a cell."""
        return np.True_ if self.board.mask is None else self.board.mask[box]

    def inside(self, box: Box, move: tuple[int, ...]) -> tuple[Box, Box]:
        """The places of a tile from which a move stays in the array, and the targets of the move."""
        near, far = [], []
        for part, step, side in zip(box, move, self.array.shape, strict=True):
            low = max(part.start, -step)
            high = max(min(part.stop, side - step), low)
            near.append(slice(low - part.start, high - part.start))
            far.append(slice(low + step, high + step))
        return tuple(near), tuple(far)

    def look(self, at: Callable[[Box], _Look], begin: float, end: float) -> _Look:
        """Examine all tiles, and report progress from `begin` to `end`."""
        progress = self.progress
        found = spread(
            at,
            self.tiles(),
            threads=self.threads,
            progress=None if progress is None else lambda done: progress(begin + (end - begin) * done),
        )
        return _Look(*([p for one in found for p in getattr(one, n)] for n in ("bad", "first", "last")))

    # ---- step numbers

    def steps(self) -> Checked:
        """Whether the array holds the steps of a tour."""
        size = self.board.size
        if np.iinfo(self.array.dtype).max < size:
            return wrong(f"step {size} is missing: numbers of {self.array.dtype} do not reach it", size)
        look = self.look(self.steps_in, 0, 1)
        if look.bad:
            return self.wrong_step(look.bad[0])
        if not look.first:
            return wrong("step 1 is missing", 1)
        way = tuple(a - b for a, b in zip(look.first[0], look.last[0], strict=True))
        return self.right(size == 1 or (size > 2 and way in self.vectors), look.first[0], look.last[0])

    def right(self, closes: bool, first: tuple[int, ...], last: tuple[int, ...]) -> Checked:  # noqa: FBT001
        """The verdict on an array that holds a tour from `first` to `last`; a cycle if it closes."""
        if self.open is False and not closes:
            first_name, last_name = self.board.name_at(first), self.board.name_at(last)
            why = f"the last step, {last_name}, is not a {self.piece.spec} move from the first, {first_name}"
            return wrong(f"not closed: {why}", self.board.size)
        return right(self.board, self.piece, closed=closes and not self.open)

    def steps_in(self, box: Box) -> _Look:
        """Find wrong step numbers, the first step and the last step in a tile."""
        here, cells, size = self.array[box], self.cells(box), self.board.size
        good = here == size  # only the last needs no next
        last = _places(good & cells, box, 1)
        after = here + 1
        for move in self.vectors:
            near, far = self.inside(box, move)
            good[near] |= self.array[far] == after[near]
        good &= (here >= 1) & (here <= size)
        return _Look(_places(np.where(cells, ~good, here != 0), box, 1), _places(here == 1, box, 1), last)

    def wrong_step(self, at: tuple[int, ...]) -> Checked:
        """Explain what is wrong with the step at a place."""
        step, name, size = int(self.array[at]), self.board.name_at(at), self.board.size
        if self.board.mask is not None and not self.board.mask[at]:
            return wrong(f"a hole, {name}, has step {step}, expected 0")
        if not 1 <= step <= size:
            return wrong(f"{name} has step {step}, expected 1 to {size}")
        why = f"step {step} is on {name}, but step {step + 1} is not a {self.piece.spec} move away"
        return wrong(why, step + 1)

    # ---- moves

    def moves(self) -> Checked:
        """Whether the array holds the moves of a tour."""
        look, size, name = self.look(self.moves_in, 0, 0.3), self.board.size, self.board.name_at
        if look.bad:
            at, code = look.bad[0], int(self.array[look.bad[0]])
            if self.board.mask is not None and not self.board.mask[at]:
                return wrong(f"a hole, {name(at)}, has move {code}, expected {NO_MOVE}")
            if code >= len(self.vectors):
                return wrong(f"{name(at)} has move {code}, expected 0 to {len(self.vectors) - 1}")
            return wrong(f"move {code} leads from {name(at)} to no cell")
        if len(look.last) > 1:
            return wrong(f"two cells have no move: {name(look.last[0])} and {name(look.last[1])}")
        first = None
        if look.last:
            first = (starts := self.look(self.starts_in, 0.3, 0.5).first)[0]
            if len(starts) > 1:
                return wrong(f"no move leads to {name(starts[0])}, and none to {name(starts[1])}")
        length, at = self.walk(first)
        if length > size:
            return wrong(f"a walk from {name(at)} never comes back")
        if size == 2 and not look.last:
            return wrong("not closed: two cells make no cycle: the way back is the way there")
        if length < size:
            return wrong(f"a walk from {name(at)} is back after {length:,} of {size:,} cells")
        return self.right(not look.last or size == 1, first or at, look.last[0] if look.last else at)

    def moves_in(self, box: Box) -> _Look:
        """Find moves that lead off the board, and cells without a move, in a tile."""
        here, cells = self.array[box], self.cells(box)
        ends = here == NO_MOVE
        last = _places(ends & cells, box, 2)
        good = ends | (here < len(self.vectors))
        for i, move in enumerate(self.vectors):
            near, far = self.inside(box, move)
            if self.board.mask is None and good[near].shape == good.shape:
                continue  # no move leads off the board from here
            stays = np.zeros(good.shape, dtype=np.bool_)
            stays[near] = self.cells(far)
            good &= stays | (here != i)
        return _Look(_places(~np.where(cells, good, ends), box, 1), [], last)

    def starts_in(self, box: Box) -> _Look:
        """Find the cells of a tile to which no move leads."""
        reached = ~(self.cells(box) & np.ones(self.array[box].shape, dtype=np.bool_))
        for i, move in enumerate(self.vectors):
            near, far = self.inside(box, tuple(-x for x in move))
            reached[near] |= self.array[far] == i
        return _Look([], _places(~reached, box, 2), [])

    def walk(self, first: tuple[int, ...] | None) -> tuple[int, tuple[int, ...]]:
        """The number of steps after which a walk closes, and its start; more than N if it never does.

        Args:
            first: where it goes on when there is no move.
        """
        shape, size = self.array.shape, self.board.size
        flat = np.ascontiguousarray(self.array).reshape(-1)
        strides = [math.prod(shape[i + 1 :]) for i in range(len(shape))]
        ways = np.array([sum(map(int.__mul__, move, strides)) for move in self.vectors], dtype=np.int64)
        start = 0 if first is None else int(np.ravel_multi_index(first, shape))
        tier = Tier(size)
        walk, moves, ahead = tier(_walk), tier.vector(flat), tier.vector(ways)
        marks, mask = self.marks()
        place = tuple(int(i) for i in np.unravel_index(marks[0], shape))
        most = min(STRIDE, size + 1)
        walks = [(mark, 0) for mark in marks]  # where each walk is, after how many steps
        under_way = list(range(len(marks)))
        while under_way:
            legs = spread(
                lambda i: walk(moves, ahead, walks[i][0], mask, start, most), under_way, threads=self.threads
            )
            for i, (cell, steps) in zip(under_way, legs, strict=True):
                walks[i] = (int(cell), walks[i][1] + int(steps))
            walked = sum(length for _, length in walks)
            if walked > size:  # some walk in circles, without a mark
                return walked, place
            if self.progress is not None:
                self.progress(0.5 + 0.5 * walked / size)
            under_way = [i for i in under_way if walks[i][0] & mask]
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


def _places(which: NDArray[np.bool_], box: Box, most: int) -> list[tuple[int, ...]]:
    """The first `most` marked places of a tile, as array indices."""
    if not which.any():
        return []
    at = np.flatnonzero(which)[:most]
    corner = [part.start for part in box]
    return [
        tuple(int(i) + low for i, low in zip(place, corner, strict=True))
        for place in zip(*np.unravel_index(at, which.shape), strict=True)
    ]


def _walk(
    moves: NDArray[np.uint8], ways: NDArray[np.int64], cell: int, mask: int, start: int, limit: int
) -> tuple[int, int]:
    """Walk to the next mark, for at most `limit` steps; returns the cell and the number of steps."""
    for steps in range(1, limit + 1):
        move = moves[cell]
        cell = start if move == 255 else cell + ways[move]
        if cell & mask == 0:
            return cell, steps
    return cell, limit
