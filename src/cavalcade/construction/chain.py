"""Chains: tours of boards cut into blocks, computed by arithmetic. Nothing here is as large as the board.

The blocks of a board form a chain. Each has a closed tour of its own cells. Consecutive blocks are *joined*:
an edge a-b of one and c-d of the next, where a reaches c and b reaches d, give way to a-c and b-d. The tour
of the whole then goes out along the chain and comes back: of every block it walks one arc on the way *out*,
and the rest on the way *back*. Every block has its own edge for each of its joins.

    role     one block in one part it can play: its cells in the order in which the tour visits them, and how
             many of them on the way out
    line     a run of blocks that occurs again and again, such as a row of the grid of blocks: for each
             block its role, its origin, and how many cells of the line come before its two arcs
    chain    where each line lies on the board, and the steps on which its two ways begin

The way out of a line is walked block by block, first to last; its way back last to first. A block whose tour
leaves it more than once plays several roles, one for each pair of arcs; a cover by two cycles is two roles.

Memory: the lines of a chain, and the blocks of the lines that differ. Joining the cycles of a board cut into
blocks is as old as Euler; Parberry (1997) does it for squares by divide and conquer.

d is the number of dimensions of the array of places (a hexagon of side n has 2n-1 x 2n-1), L of lines, K of
blocks in a line. A *place* is d array indices. Steps count from 1, as in `Tour.numbering`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cavalcade.ground.errors import CellError
from cavalcade.ground.kernels import Cells, Ints

OUT, BACK = 0, 1  # the two ways along a line


@dataclass(frozen=True, eq=False)
class Role:
    """A block in one part it can play.

    Args:
        cells: (n, d) places relative to the block's origin, in the order of the tour.
        out: the first so many are walked on the way out, the others on the way back.
    """

    cells: Cells
    out: int

    def __len__(self) -> int:
        return len(self.cells)

    @cached_property
    def low(self) -> Cells:
        """The least index of a cell in every dimension."""
        return np.asarray(self.cells.min(axis=0), dtype=np.int32)

    @cached_property
    def table(self) -> Cells:
        """An array over the box around the block, from `low`: which cell of the order stands there, or -1."""
        at = self.cells - self.low
        table = np.full(at.max(axis=0) + 1, -1, dtype=np.int32)
        table[tuple(at.T)] = np.arange(len(at), dtype=np.int32)
        return table

    def index(self, at: Ints) -> Ints:
        """Which cell of the order stands at these (k, d) places relative to the origin; -1 where none."""
        at = at - self.low
        inside = np.all((at >= 0) & (at < self.table.shape), axis=1)
        return np.where(inside, self.table[tuple(np.where(inside[:, None], at, 0).T)], -1).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Line:
    """A run of K blocks: arrays over the blocks, in the order of the way out.

    Args:
        role: (K,) numbers of roles of the chain.
        origin: (K, d) where the blocks lie, relative to the line's origin.
        out_before: (K,) cells of the line walked before each block's arc on the way out: ascending.
        back_before: (K,) the same on the way back, the cells of the later blocks: descending.
        lengths: how many cells the way out and the way back have.
    """

    role: Cells
    origin: Cells
    out_before: Ints
    back_before: Ints
    lengths: tuple[int, int]

    @classmethod
    def of(cls, roles: Sequence[Role], role: ArrayLike, origin: ArrayLike) -> Line:
        """The line in which blocks of these roles lie at these origins."""
        numbers = np.asarray(role, dtype=np.int32)
        sizes = np.array([len(one) for one in roles], dtype=np.int64)[numbers]
        out = np.array([one.out for one in roles], dtype=np.int64)[numbers]
        back = sizes - out
        before, after = np.cumsum(out) - out, back.sum() - np.cumsum(back)
        return cls(numbers, np.asarray(origin, dtype=np.int32), before, after, (out.sum(), back.sum()))

    def __len__(self) -> int:
        return len(self.role)


@dataclass(frozen=True, eq=False)
class Chain:
    """A tour of a whole board.

    Args:
        shape: the sides of the array of places.
        closed: whether the last cell is followed by the first.
        roles: all roles of all blocks.
        lines: all kinds of lines.
        line: (L,) which kind each line of the board is of.
        origin: (L, d) where it lies.
        ways: (2L,) the ways of all lines in the order in which they are walked: twice the number of the line,
            plus 1 for the way back.
        finder: gives the lines and the blocks in them in which (k, d) places may lie, of c candidates each:
            two (k, c) arrays, lines -1 where none is. Only `steps` asks.
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
        """(L, 2) how many cells the way out and the way back of each line have."""
        return np.array([one.lengths for one in self.lines], dtype=np.int64)[self.line]

    @cached_property
    def first(self) -> Ints:
        """(L, 2) the steps, from 1, on which the two ways of each line begin."""
        lengths, first = self.lengths.reshape(-1)[self.ways], np.empty(len(self.ways), dtype=np.int64)
        first[self.ways] = 1 + np.cumsum(lengths) - lengths
        return first.reshape(-1, 2)

    @cached_property
    def size(self) -> int:
        """How many cells there are."""
        return int(self.lengths.sum())

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        kind = "closed" if self.closed else "open"
        blocks = np.array([len(one) for one in self.lines], dtype=np.int64)[self.line].sum()
        sides = "x".join(map(str, self.shape))
        return f"<Chain {kind} of {sides}, {self.size:,} cells, {blocks:,} blocks>"

    # ---- where is the knight after k moves, and when does it visit a cell?

    @cached_property
    def _walked(self) -> tuple[Ints, Ints]:
        """The ways that are not empty, in the order of the walk, and their first steps."""
        ways = self.ways[self.lengths.reshape(-1)[self.ways] > 0]
        return ways, self.first.reshape(-1)[ways]

    def places(self, steps: ArrayLike) -> Ints:
        """Where the tour is on these steps: (k, d) places. Time: logarithmic in lines and blocks, each.

        Raises:
            CellError: the tour has no such step.
        """
        wanted = np.asarray(steps, dtype=np.int64).reshape(-1)
        if wanted.size and not (wanted.min() > 0 and wanted.max() <= self.size):
            bad = int(wanted[(wanted < 1) | (wanted > self.size)][0])
            raise CellError(f"{bad} is not a step of this tour, expected 1 to {self.size:,}")
        ways, first = self._walked
        at = np.searchsorted(first, wanted, side="right") - 1
        line, way = np.divmod(ways[at], 2)
        into = wanted - first[at]
        found = self.origin[line]
        kinds = self.line[line]
        for kind in np.unique(kinds):
            run = self.lines[kind]
            for back in (OUT, BACK):
                mine = np.flatnonzero((kinds == kind) & (way == back))
                if not mine.size:
                    continue
                t = into[mine]
                if back:  # descending: the number of blocks that begin later than t
                    block = len(run) - np.searchsorted(run.back_before[::-1], t, side="right")
                    i = t - run.back_before[block]
                else:
                    block = np.searchsorted(run.out_before, t, side="right") - 1
                    i = t - run.out_before[block]
                found[mine] += run.origin[block]
                for number in np.unique(run.role[block]):
                    role = self.roles[number]
                    those = run.role[block] == number
                    found[mine[those]] += role.cells[i[those] + (role.out if back else 0)]
        return found

    def steps(self, places: ArrayLike) -> Ints:
        """The steps, from 1, on which the tour visits these (k, d) places. Time: logarithmic, each.

        Raises:
            CellError: a place is not a cell of the board.
        """
        wanted = np.asarray(places, dtype=np.int64).reshape(-1, len(self.shape))
        lines, blocks = self.finder(wanted)
        found = np.zeros(len(wanted), dtype=np.int64)
        for line, block in zip(lines.T, blocks.T, strict=True):
            kinds = np.where(line < 0, -1, self.line[line])
            for kind in np.unique(kinds[kinds >= 0]):
                run, mine = self.lines[kind], np.flatnonzero((kinds == kind) & (found == 0))
                k, first = block[mine], self.first[line[mine]]
                relative = wanted[mine] - self.origin[line[mine]] - run.origin[k]
                for number in np.unique(run.role[k]):
                    role = self.roles[number]
                    those = np.flatnonzero(run.role[k] == number)
                    i = role.index(relative[those])
                    out = first[those, OUT] + run.out_before[k[those]] + i
                    back = first[those, BACK] + run.back_before[k[those]] + i - role.out
                    found[mine[those]] = np.where(i < 0, 0, np.where(i < role.out, out, back))
        if not found.all():
            bad = tuple(wanted[found == 0][0].tolist())
            raise CellError(f"{bad} is not a cell of a board in an array of {'x'.join(map(str, self.shape))}")
        return found

    # ---- as an array; `construction.writing` has others

    def order(self) -> NDArray[Any]:
        """The flat array indices of the cells, in the order of the tour.

        Of 4 bytes each, 8 in arrays of 2**31 places or more. Linear time; everything is held in memory, with
        about 30 bytes for each cell of the lines that differ.
        """
        order = np.empty(self.size, dtype=np.int32 if math.prod(self.shape) < 2**31 else np.int64)
        strides = np.array([math.prod(self.shape[i + 1 :]) for i in range(len(self.shape))], dtype=np.int64)
        starts = self.origin @ strides
        for kind, run in enumerate(self.lines):
            flats, steps, backs = [], [], []
            for number in np.unique(run.role):
                role = self.roles[number]
                those = run.role == number
                i = np.arange(len(role))
                back = i >= role.out
                before = np.where(back, run.back_before[those, None], run.out_before[those, None])
                flats.append(((run.origin[those] @ strides)[:, None] + role.cells @ strides).ravel())
                steps.append((before + np.where(back, i - role.out, i)).ravel())
                backs.append(np.broadcast_to(back, before.shape).ravel().astype(np.int64))
            flat, step, way = (np.concatenate(parts) for parts in (flats, steps, backs))
            for line in np.flatnonzero(self.line == kind):
                order[self.first[line][way] + step - 1] = starts[line] + flat
        return order
