"""Chains: tours of boards cut into blocks, stored in less memory than the board and computed by arithmetic.

The blocks of a board form a chain, and each has a closed tour of its own cells. Consecutive blocks are
*joined*: the moves a-c and b-d replace an edge a-b of one block and an edge c-d of the next block. The tour
of the board then runs out along the chain and back again. It visits one arc of each block on the way *out*
and the rest on the way *back*. Every join uses another edge of the block.

    role     a block in one of its uses: its cells in the order of the tour, and the number of cells visited
             on the way out
    line     a run of blocks that occurs repeatedly, such as a row of the grid of blocks: the role and the
             origin of each block, and the number of cells of the line before each of its two arcs
    chain    the origins of the lines on the board, and the steps on which the tour enters them

The way out of a line visits its blocks from first to last, the way back from last to first. A block that the
tour leaves more than once has several roles, one for each pair of arcs; a cover by two cycles is two roles.

Memory: linear in the number of lines, and in the blocks of the distinct lines. Joining the cycles of a board
cut into blocks is as old as Euler; Parberry (1997) does it for squares by divide and conquer.

d is the number of dimensions of the array of places (a hexagon of side n has 2n-1 x 2n-1), L the number of
lines, K the number of blocks in a line. A *place* is d array indices. Steps count from 1, as in
`Tour.numbering`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cavalcade.ground.errors import CellError
from cavalcade.ground.kernels import Cells, Ints


class LineWay(IntEnum):
    """The two ways along a line; indices of axes of length 2."""

    OUT = 0
    BACK = 1


@dataclass(frozen=True, eq=False)
class Role:
    """A block in one of its uses.

    Args:
        cells: places relative to the origin of the block, in the order of the tour, shape (n, d).
        out: number of cells visited on the way out, the first ones; the others are visited on the way back.
    """

    cells: Cells
    out: int

    def __len__(self) -> int:
        return len(self.cells)

    @cached_property
    def low(self) -> Cells:
        """The least index in each dimension."""
        return np.asarray(self.cells.min(axis=0), dtype=np.int32)

    @cached_property
    def table(self) -> Cells:
        """Indices in `cells` of the places in the bounding box, from `low` on; -1 if there is no cell."""
        places = self.cells - self.low
        table = np.full(places.max(axis=0) + 1, -1, dtype=np.int32)
        table[tuple(places.T)] = np.arange(len(places), dtype=np.int32)
        return table

    def index(self, places: Ints) -> Ints:
        """Indices in `cells` of places relative to the origin, shape (k, d); -1 if there is none."""
        places = places - self.low
        inside = np.all((places >= 0) & (places < self.table.shape), axis=1)
        indices = self.table[tuple(np.where(inside[:, None], places, 0).T)]
        return np.where(inside, indices, -1).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Line:
    """A run of K blocks, in the order of the way out.

    Args:
        role: indices of the roles of the blocks in the chain, shape (K,).
        origin: origins of the blocks relative to the origin of the line, shape (K, d).
        out_before: number of cells on the way out before each block, ascending, shape (K,).
        back_before: number of cells on the way back before each block, descending, shape (K,).
        lengths: number of cells on the way out and on the way back.
    """

    role: Cells
    origin: Cells
    out_before: Ints
    back_before: Ints
    lengths: tuple[int, int]

    @classmethod
    def of(cls, roles: Sequence[Role], role: ArrayLike, origin: ArrayLike) -> Line:
        """The line of blocks with these roles at these origins."""
        numbers = np.asarray(role, dtype=np.int32)
        sizes = np.array([len(block) for block in roles], dtype=np.int64)[numbers]
        out = np.array([block.out for block in roles], dtype=np.int64)[numbers]
        back = sizes - out
        before, after = np.cumsum(out) - out, back.sum() - np.cumsum(back)
        return cls(numbers, np.asarray(origin, dtype=np.int32), before, after, (out.sum(), back.sum()))

    def __len__(self) -> int:
        return len(self.role)


@dataclass(frozen=True, eq=False)
class Chain:
    """A tour of a whole board.

    Args:
        shape: sides of the array of places.
        closed: whether a move leads from the last cell to the first.
        roles: the roles of all blocks.
        lines: the distinct lines.
        line: indices in `lines` of the lines on the board, shape (L,).
        origin: origin of each line, shape (L, d).
        ways: the ways of the lines in the order of the tour, shape (2L,): twice the number of the line, plus
            1 for the way back.
        finder: maps places, shape (k, d), to the lines that may contain them and to the indices of the blocks
            in these lines: two arrays of c candidates each, shape (k, c); line -1 for no candidate.
    """

    shape: tuple[int, ...]
    closed: bool
    roles: Sequence[Role]
    lines: Sequence[Line]
    line: Cells
    origin: Ints
    ways: Ints
    finder: Callable[[Ints], tuple[Ints, Ints]]

    @cached_property
    def lengths(self) -> Ints:
        """Number of cells on the way out and on the way back of each line, shape (L, 2)."""
        return np.array([run.lengths for run in self.lines], dtype=np.int64)[self.line]

    @cached_property
    def first(self) -> Ints:
        """The steps, from 1, on which the two ways of each line begin, shape (L, 2)."""
        lengths, first = self.lengths.reshape(-1)[self.ways], np.empty(len(self.ways), dtype=np.int64)
        first[self.ways] = 1 + np.cumsum(lengths) - lengths
        return first.reshape(-1, 2)

    @cached_property
    def size(self) -> int:
        """The number of cells."""
        return int(self.lengths.sum())

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        kind = "closed" if self.closed else "open"
        blocks = np.array([len(run) for run in self.lines], dtype=np.int64)[self.line].sum()
        sides = "x".join(map(str, self.shape))
        return f"<Chain {kind} of {sides}, {self.size:,} cells, {blocks:,} blocks>"

    # ---- from steps to places, and back

    @cached_property
    def _walked(self) -> tuple[Ints, Ints]:
        """The non-empty ways in the order of the tour, and their first steps."""
        ways = self.ways[self.lengths.reshape(-1)[self.ways] > 0]
        return ways, self.first.reshape(-1)[ways]

    def places(self, steps: ArrayLike) -> Ints:
        """The places visited on these steps, shape (k, d). Time: logarithmic in lines and blocks for each.

        Raises:
            CellError: the tour has no such step.
        """
        numbers = np.asarray(steps, dtype=np.int64).reshape(-1)
        if numbers.size and not (numbers.min() > 0 and numbers.max() <= self.size):
            bad = int(numbers[(numbers < 1) | (numbers > self.size)][0])
            raise CellError(f"{bad} is not a step of this tour, expected 1 to {self.size:,}")
        # Binary search for the way, then for the block in its line, then for the cell in the block.
        ways, first = self._walked
        index = np.searchsorted(first, numbers, side="right") - 1
        line, way = np.divmod(ways[index], 2)
        offset = numbers - first[index]
        places = self.origin[line]
        kinds = self.line[line]
        for kind in np.unique(kinds):
            run = self.lines[kind]
            for back in LineWay:
                mine = np.flatnonzero((kinds == kind) & (way == back))
                if not mine.size:
                    continue
                t = offset[mine]
                if back:  # `back_before` is descending
                    block = len(run) - np.searchsorted(run.back_before[::-1], t, side="right")
                    i = t - run.back_before[block]
                else:
                    block = np.searchsorted(run.out_before, t, side="right") - 1
                    i = t - run.out_before[block]
                places[mine] += run.origin[block]
                for number in np.unique(run.role[block]):
                    role = self.roles[number]
                    same = run.role[block] == number
                    places[mine[same]] += role.cells[i[same] + (role.out if back else 0)]
        return places

    def steps(self, places: ArrayLike) -> Ints:
        """The steps, from 1, on which the tour visits places, shape (k, d). Time: logarithmic for each.

        Raises:
            CellError: a place is not a cell of the board.
        """
        cells = np.asarray(places, dtype=np.int64).reshape(-1, len(self.shape))
        lines, blocks = self.finder(cells)
        steps = np.zeros(len(cells), dtype=np.int64)
        for line, block in zip(lines.T, blocks.T, strict=True):
            kinds = np.where(line < 0, -1, self.line[line])
            for kind in np.unique(kinds[kinds >= 0]):
                run, mine = self.lines[kind], np.flatnonzero((kinds == kind) & (steps == 0))
                k, first = block[mine], self.first[line[mine]]
                relative = cells[mine] - self.origin[line[mine]] - run.origin[k]
                for number in np.unique(run.role[k]):
                    role = self.roles[number]
                    same = np.flatnonzero(run.role[k] == number)
                    i = role.index(relative[same])
                    out = first[same, LineWay.OUT] + run.out_before[k[same]] + i
                    back = first[same, LineWay.BACK] + run.back_before[k[same]] + i - role.out
                    steps[mine[same]] = np.where(i < 0, 0, np.where(i < role.out, out, back))
        if not steps.all():
            bad = tuple(cells[steps == 0][0].tolist())
            raise CellError(f"{bad} is not a cell of a board in an array of {'x'.join(map(str, self.shape))}")
        return steps

    # ---- as an array; `construction.writing` has others

    def order(self) -> NDArray[Any]:
        """The flat array indices of the cells in the order of the tour.

        They take 4 bytes each, or 8 in arrays with 2**31 places or more, and about 30 bytes for each cell of
        the distinct lines. Time: linear.
        """
        order = np.empty(self.size, dtype=np.int32 if math.prod(self.shape) < 2**31 else np.int64)
        strides = np.array([math.prod(self.shape[i + 1 :]) for i in range(len(self.shape))], dtype=np.int64)
        starts = self.origin @ strides
        for kind, run in enumerate(self.lines):
            flats, steps, backs = [], [], []
            for number in np.unique(run.role):
                role = self.roles[number]
                same = run.role == number
                i = np.arange(len(role))
                back = i >= role.out
                before = np.where(back, run.back_before[same, None], run.out_before[same, None])
                flats.append(((run.origin[same] @ strides)[:, None] + role.cells @ strides).ravel())
                steps.append((before + np.where(back, i - role.out, i)).ravel())
                backs.append(np.broadcast_to(back, before.shape).ravel().astype(np.int64))
            flat, step, way = (np.concatenate(parts) for parts in (flats, steps, backs))
            for line in np.flatnonzero(self.line == kind):
                order[self.first[line][way] + step - 1] = starts[line] + flat
        return order
