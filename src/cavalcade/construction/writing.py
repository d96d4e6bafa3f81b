"""Chains as arrays: step numbers or moves, written block by block by all cores.

The coordinates of a cell are the sum of those of its line, of its block in the line and of its own in the
block; so is its place in the flat array. Its step is the first step of the line's way, plus the cells of the
line before its block, plus its own number in the block. So one short loop writes boxes of every dimension and
hexagons alike: two numbers a block, then one addition and one store a cell. A move depends on its role
alone, but for the last of each arc, which depends on the next block, and the last of each way, on the next
line.

Time: linear; about 1 ns a cell on one core, and what the pages of a fresh array cost. Memory: that of the
chain and some 10 bytes for each block of its lines that differ, besides the array.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cavalcade.construction.chain import BACK, OUT, Chain, Line
from cavalcade.ground.budget import assert_room, assert_time
from cavalcade.ground.errors import FormatError
from cavalcade.ground.kernels import Cells, Ints, Tier
from cavalcade.ground.threads import Sharing, spread

NO_MOVE = 255
TASK = 2**21  # cells written between two looks at what else there is to do


def write_steps(chain: Chain, out: NDArray[Any] | None = None, **sharing: Unpack[Sharing]) -> NDArray[Any]:
    """The step, from 1, on which each place is visited; 0 where the board has no cell.

    `Construction.numbering` says what the arguments are; `out` can also be a map of memory.
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
    """The move that leaves each place, one byte, the index of one of these (k, d) vectors.

    255 where there is none, or no cell; `Construction.moves` says what the other arguments are.
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
    here, there = chain.places(last), chain.places(last % chain.size + 1)
    left = codes(there - here)
    if not chain.closed or chain.size == 1:
        left[last == chain.size] = NO_MOVE
    array.reshape(-1)[here @ layout.strides] = left
    return array


class _Task(NamedTuple):
    """Some lines that lie together, whole, or some blocks of one."""

    lines: Ints
    blocks: slice


@dataclass(frozen=True)
class _Layout:
    """What the kernels read, as arrays, and how the work is cut."""

    chain: Chain

    def array(
        self, out: NDArray[Any] | None, dtype: np.dtype[Any], empty: int, threads: int | None
    ) -> NDArray[Any]:
        """The array to write into; where the board has holes, it is empty to begin with."""
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
        """Let a kernel write all blocks; `more` gives its last arguments for some lines of a kind."""
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
        """What a step in each dimension is in the flat array."""
        shape = self.chain.shape
        return np.array([math.prod(shape[i + 1 :]) for i in range(len(shape))], dtype=np.int64)

    @cached_property
    def starts(self) -> Ints:
        """(L,) the origins of the lines, flat."""
        return self.chain.origin @ self.strides

    @cached_property
    def origins(self) -> list[Ints]:
        """(K,) the least places of the blocks of each kind of line, flat, relative to the line's origin."""
        lows = np.array([(role.cells @ self.strides).min() for role in self.chain.roles])
        return [run.origin @ self.strides + lows[run.role] for run in self.chain.lines]

    @cached_property
    def roles(self) -> tuple[Ints, Ints, NDArray[np.uint64]]:
        """All roles: where each begins among the cells of all, where its way back does; the cells, flat.

        Cells count from the least one of their role. Numbers that cannot be negative, as their type tells
        the compiler, make the kernels faster by half.
        """
        sizes = [len(role) for role in self.chain.roles]
        begins = np.cumsum([0, *sizes])
        backs = begins[:-1] + [role.out for role in self.chain.roles]
        flat = [role.cells @ self.strides for role in self.chain.roles]
        return begins, backs, np.concatenate([one - one.min() for one in flat]).astype(np.uint64)

    def tasks(self) -> list[_Task]:
        """The whole work in the order of the array, so that no two threads wait for the same fresh page."""
        lengths = self.chain.lengths.sum(axis=1)
        order = np.argsort(self.starts, kind="stable")
        cuts = np.flatnonzero(np.diff(np.cumsum(lengths[order]) // TASK)) + 1
        found = []
        for lines in np.split(order, cuts):
            size = int(lengths[lines].sum())
            if len(lines) > 1 or size < 2 * TASK:
                found.append(_Task(lines, slice(None)))
                continue
            blocks = len(self.chain.lines[self.chain.line[lines[0]]])
            part = math.ceil(blocks * TASK / size)
            found += [_Task(lines, slice(k, k + part)) for k in range(0, blocks, part)]
        return found


def _codes(vectors: Ints, steps: Ints) -> NDArray[np.uint8]:
    """The number of each step, (n, d), among these (k, d) moves; any number for a step that is no move."""
    base = (2 * np.abs(vectors).max() + 1) ** np.arange(vectors.shape[1])
    keys = vectors @ base
    order = np.argsort(keys)
    at = np.searchsorted(keys, steps @ base, sorter=order)
    return np.asarray(order[np.minimum(at, len(order) - 1)], dtype=np.uint8)


def _arc_ends(chain: Chain, run: Line, codes: Callable[[Ints], NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """(2, K) the moves from the last cell of each arc of a line to the next arc that is not empty."""
    found = np.full((2, len(run)), NO_MOVE, dtype=np.uint8)
    outs = np.array([role.out for role in chain.roles])[run.role]
    sizes = np.array([len(role) for role in chain.roles])[run.role]
    turns = [[0, role.out - 1, role.out % len(role), len(role) - 1] for role in chain.roles]
    ends = np.array([role.cells[turn] for role, turn in zip(chain.roles, turns, strict=True)])
    at = run.origin[:, None] + ends[run.role]  # (K, 4, d): the first and last cells of both arcs
    out, back = np.flatnonzero(outs > 0), np.flatnonzero(sizes > outs)[::-1]
    for way, walked in ((OUT, out), (BACK, back)):
        first, last = at[walked[1:], 2 * way], at[walked[:-1], 2 * way + 1]
        found[way, walked[:-1]] = codes(first - last)
    return found


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
    """Write the steps of some blocks of some lines."""
    for line in range(len(starts)):
        for k in range(len(role)):
            at = np.uint64(starts[line] + origin[k])
            begin, middle, end = begins[role[k]], backs[role[k]], begins[role[k] + 1]
            out = first[line, 0] + out_before[k] - begin
            back = first[line, 1] + back_before[k] - middle
            for i in range(begin, middle):
                array[at + cells[i]] = out + i
            for i in range(middle, end):
                array[at + cells[i]] = back + i


def _moves(
    array: NDArray[Any],
    starts: Ints,
    role: Cells,
    origin: Ints,
    out_before: Ints,  # noqa: ARG001 - the kernels take what `_Layout` gives
    back_before: Ints,  # noqa: ARG001
    begins: Ints,
    backs: Ints,
    cells: NDArray[np.uint64],
    inner: NDArray[np.uint8],
    ends: NDArray[np.uint8],
) -> None:
    """Write the moves of some blocks of some lines."""
    for line in range(len(starts)):
        for k in range(len(role)):
            at = np.uint64(starts[line] + origin[k])
            begin, middle, end = begins[role[k]], backs[role[k]], begins[role[k] + 1]
            for i in range(begin, end):
                array[at + cells[i]] = inner[i]
            if middle > begin:
                array[at + cells[middle - 1]] = ends[0, k]
            if end > middle:
                array[at + cells[end - 1]] = ends[1, k]
