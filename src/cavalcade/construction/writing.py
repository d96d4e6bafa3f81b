"""Chains as arrays of step numbers or moves, written block by block by all cores.

The place of a cell in the flat array is the sum of the offsets of its line, of its block in the line and of
the cell in the block. Its step is the first step of the way of the line, plus the number of cells of the line
before its block, plus its index in the block. So one short loop writes boxes of any dimension and hexagons:
two numbers for each block, then one addition and one store for each cell. A move depends only on the role of
the block, except for the last move of each arc, which depends on the next block, and the last move of each
way, which depends on the next line.

Time: linear; about 1 ns per cell on one core, and the cost of the pages of a new array. Memory besides the
array: that of the chain, and about 10 bytes for each block of its distinct lines.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cavalcade.construction.chain import Chain, Line, LineWay
from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.errors import FormatError
from cavalcade.ground.kernels import Cells, Ints, Tier
from cavalcade.ground.threads import Sharing, spread

NO_MOVE = np.iinfo(np.uint8).max  # in arrays of moves: no cell, or the end of an open tour
# Cells that a thread writes in one task, some milliseconds: the cores finish together, and an interrupt is
# noticed.
TASK = 2**21


def write_steps(chain: Chain, out: NDArray[Any] | None = None, **sharing: Unpack[Sharing]) -> NDArray[Any]:
    """The step, from 1, on which each place is visited; 0 if the board has no cell there.

    `Construction.numbering` describes the arguments; `out` can also be a memory map.
    """
    layout = _Layout(chain)
    dtype: np.dtype[Any] = np.dtype(np.int32 if chain.size < 2**31 else np.int64)
    dtype = dtype if out is None else out.dtype
    if dtype.kind not in "iu" or np.iinfo(dtype).max < chain.size:
        raise FormatError(f"numbers to {chain.size:,} do not fit into an array of {dtype}")
    array = layout.array(out, dtype, 0, sharing.get("threads"))
    layout.write(_steps, array, lambda lines, *_: (chain.first[lines],), **sharing)
    return array


def write_moves(
    chain: Chain, vectors: ArrayLike, out: NDArray[Any] | None = None, **sharing: Unpack[Sharing]
) -> NDArray[Any]:
    """The move from each place, as one byte: its index in `vectors`, which has shape (k, d).

    `NO_MOVE` if there is no move or no cell. `Construction.moves` describes the other arguments.
    """
    layout = _Layout(chain)
    if out is not None and out.dtype != np.uint8:
        raise FormatError(f"moves are unsigned bytes, not {out.dtype}")
    array = layout.array(out, np.dtype(np.uint8), NO_MOVE, sharing.get("threads"))
    codes = partial(_codes, np.asarray(vectors, dtype=np.int64))
    inner = np.concatenate(
        [codes(np.diff(role.cells, axis=0, append=role.cells[:1])) for role in chain.roles]
    )
    ends = [_arc_ends(chain, run, codes) for run in chain.lines]
    layout.write(_moves, array, lambda _, kind, blocks: (inner, ends[kind][:, blocks]), **sharing)
    last = (chain.first + chain.lengths - 1)[chain.lengths > 0]
    tails, heads = chain.places(last), chain.places(last % chain.size + 1)
    moves = codes(heads - tails)
    if not chain.closed or chain.size == 1:
        moves[last == chain.size] = NO_MOVE
    array.reshape(-1)[tails @ layout.strides] = moves
    return array


class _Task(NamedTuple):
    """Whole lines that lie next to each other, or some blocks of one line."""

    lines: Ints
    blocks: slice


@dataclass(frozen=True)
class _Layout:
    """A chain as the flat arrays that the kernels read, and its division into tasks."""

    chain: Chain

    def array(
        self, out: NDArray[Any] | None, dtype: np.dtype[Any], empty: int, threads: int | None
    ) -> NDArray[Any]:
        """The array to write into, validated; filled with `empty` if the board has holes."""
        shape, holes = self.chain.shape, self.chain.size < math.prod(self.chain.shape)
        if out is None:
            assert_room(math.prod(shape) * dtype.itemsize, "the array of the tour")
        array = (np.zeros if holes else np.empty)(shape, dtype) if out is None else out
        if array.shape != shape or not array.flags.c_contiguous or not array.flags.writeable:
            raise FormatError(f"expected a writable array in C order of shape {shape}, not {array.shape}")
        if holes and (empty or out is not None):
            spread(lambda part: part.fill(empty), np.array_split(array, min(64, len(array))), threads=threads)
        return array

    def write(
        self,
        kernel: Callable[..., None],
        array: NDArray[Any],
        more: Callable[[Ints, int, slice], tuple[Any, ...]],
        **sharing: Unpack[Sharing],
    ) -> None:
        """Write all blocks by a kernel; `more` returns its last arguments for lines of one kind."""
        write, flat = Tier(3 * self.chain.size)(kernel), array.reshape(-1)

        def work(task: _Task) -> None:
            assert_time("the time limit is reached while the tour is written")
            kinds, blocks = self.chain.line[task.lines], task.blocks
            for kind in np.unique(kinds).tolist():
                lines, run = task.lines[kinds == kind], self.chain.lines[kind]
                places = run.role[blocks], self.origins[kind][blocks]
                before = run.out_before[blocks], run.back_before[blocks]
                write(flat, self.starts[lines], *places, *before, *self.roles, *more(lines, kind, blocks))

        spread(work, self.tasks(), **sharing)

    @cached_property
    def strides(self) -> Ints:
        """The distance in the flat array of a step in each dimension."""
        shape = self.chain.shape
        return np.array([math.prod(shape[i + 1 :]) for i in range(len(shape))], dtype=np.int64)

    @cached_property
    def starts(self) -> Ints:
        """The flat index of the origin of each line, shape (L,)."""
        return self.chain.origin @ self.strides

    @cached_property
    def origins(self) -> list[Ints]:
        """The least flat index of each block, relative to the origin of its line, for each kind of line."""
        lows = np.array([(role.cells @ self.strides).min() for role in self.chain.roles])
        return [run.origin @ self.strides + lows[run.role] for run in self.chain.lines]

    @cached_property
    def roles(self) -> tuple[Ints, Ints, NDArray[np.uint64]]:
        """The cells of all roles in one array: offset of each role, offset of its way back, flat cells.

        Cells are relative to the least one of their role. They are unsigned, which makes the kernels faster
        by half: the compiler need not handle negative indices.
        """
        sizes = [len(role) for role in self.chain.roles]
        begins = np.cumsum([0, *sizes])
        backs = begins[:-1] + [role.out for role in self.chain.roles]
        flat = [role.cells @ self.strides for role in self.chain.roles]
        return begins, backs, np.concatenate([cells - cells.min() for cells in flat]).astype(np.uint64)

    def tasks(self) -> list[_Task]:
        """The tasks in the order of the array, so that threads do not wait for the same new page."""
        lengths = self.chain.lengths.sum(axis=1)
        order = np.argsort(self.starts, kind="stable")
        cuts = np.flatnonzero(np.diff(np.cumsum(lengths[order]) // TASK)) + 1
        tasks = []
        for lines in np.split(order, cuts):
            size = int(lengths[lines].sum())
            if len(lines) > 1 or size < 2 * TASK:
                tasks.append(_Task(lines, slice(None)))
                continue
            # Cut one long line into runs of blocks.
            blocks = len(self.chain.lines[self.chain.line[lines[0]]])
            part = math.ceil(blocks * TASK / size)
            tasks += [_Task(lines, slice(k, k + part)) for k in range(0, blocks, part)]
        return tasks


def _codes(vectors: Ints, steps: Ints) -> NDArray[np.uint8]:
    """The index in `vectors`, shape (k, d), of each step, shape (n, d); any index if it is no move."""
    base = (2 * np.abs(vectors).max() + 1) ** np.arange(vectors.shape[1])
    keys = vectors @ base
    order = np.argsort(keys)
    index = np.searchsorted(keys, steps @ base, sorter=order)
    return np.asarray(order[np.minimum(index, len(order) - 1)], dtype=np.uint8)


def _arc_ends(chain: Chain, run: Line, codes: Callable[[Ints], NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """The moves from the last cells of the arcs of a line to the next non-empty arcs, shape (2, K)."""
    moves = np.full((2, len(run)), NO_MOVE, dtype=np.uint8)
    outs = np.array([role.out for role in chain.roles])[run.role]
    sizes = np.array([len(role) for role in chain.roles])[run.role]
    # The first and last cells of both arcs, shape (K, 4, d).
    indices = [[0, role.out - 1, role.out % len(role), len(role) - 1] for role in chain.roles]
    ends = np.array([role.cells[index] for role, index in zip(chain.roles, indices, strict=True)])
    places = run.origin[:, None] + ends[run.role]
    out, back = np.flatnonzero(outs > 0), np.flatnonzero(sizes > outs)[::-1]
    for way, blocks in ((LineWay.OUT, out), (LineWay.BACK, back)):
        first, last = places[blocks[1:], 2 * way], places[blocks[:-1], 2 * way + 1]
        moves[way, blocks[:-1]] = codes(first - last)
    return moves


def _steps(
    array: NDArray[Any],
    starts: Ints,
    role: Cells,
    origin: Ints,
    out_before: Ints,
    back_before: Ints,
    begins: Ints,
    backs: Ints,
    cells: NDArray[np.uint64],
    first: Ints,
) -> None:
    """Write the steps of blocks of lines.

    Args:
        array: output, flat.
        starts: flat origin of each line.
        role: role of each block.
        origin: least flat index of each block, relative to its line.
        out_before: number of cells of the line before each block on the way out.
        back_before: number of cells of the line before each block on the way back.
        begins: offset of each role in `cells`.
        backs: offset in `cells` of the way back of each role.
        cells: flat cells of all roles, relative to their blocks.
        first: the steps on which the two ways of each line begin.
    """
    for line in range(len(starts)):
        for k in range(len(role)):
            base = np.uint64(starts[line] + origin[k])
            begin, middle, end = begins[role[k]], backs[role[k]], begins[role[k] + 1]
            # Steps minus offsets in `cells` are constant along each of the two arcs.
            out = first[line, 0] + out_before[k] - begin
            back = first[line, 1] + back_before[k] - middle
            for i in range(begin, middle):
                array[base + cells[i]] = out + i
            for i in range(middle, end):
                array[base + cells[i]] = back + i


def _moves(
    array: NDArray[Any],
    starts: Ints,
    role: Cells,
    origin: Ints,
    out_before: Ints,  # noqa: ARG001 - both kernels get the same arguments
    back_before: Ints,  # noqa: ARG001
    begins: Ints,
    backs: Ints,
    cells: NDArray[np.uint64],
    inner: NDArray[np.uint8],
    ends: NDArray[np.uint8],
) -> None:
    """Write the moves of blocks of lines.

    See `_steps` for the first arguments. `inner` holds the moves between consecutive cells of each role, and
    `ends` the moves from the last cells of both arcs of the blocks, shape (2, K).
    """
    for line in range(len(starts)):
        for k in range(len(role)):
            base = np.uint64(starts[line] + origin[k])
            begin, middle, end = begins[role[k]], backs[role[k]], begins[role[k] + 1]
            for i in range(begin, end):
                array[base + cells[i]] = inner[i]
            if middle > begin:
                array[base + cells[middle - 1]] = ends[0, k]
            if end > middle:
                array[base + cells[end - 1]] = ends[1, k]
