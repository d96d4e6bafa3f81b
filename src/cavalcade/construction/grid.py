"""Boxes cut into a grid of blocks, and the boustrophedon through it.

Each side is cut into *parts*. A block is the product of one part of each side. The boustrophedon runs along a
row of blocks, back along the next row, and so on, from neighbour to neighbour through all blocks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cavalcade.construction.blocks import Shape
from cavalcade.ground.kernels import Ints


def evens(side: int, width: int) -> list[int]:
    """Cut a side into parts of the given width; the last one is wider, but less than twice as wide.

    If side and width are even, all parts are even.
    """
    if side < 2 * width:
        return [side] if side else []
    return [width] * (side // width - 1) + [width + side % width]


def around(
    side: int, width: int, least: int, root: range, start: int | None
) -> Iterator[tuple[list[int], int]]:
    """Ways to cut a side so that the part of the root has a suitable length; and the index of that part.

    Args:
        side: length of the side.
        width: width of the other parts.
        least: least length that remains before or after the root, unless nothing remains.
        root: possible lengths of the part of the root.
        start: a coordinate that the root must contain; None for a root at the beginning of the side.
    """
    for part in root:
        if start is None:
            if part <= side and (side - part) % width == 0:
                yield [part] + [width] * ((side - part) // width), 0
            continue
        for before in range(0, start + 1, root.step):
            after = side - before - part
            if start < before + part and all(rest == 0 or rest >= least for rest in (before, after)):
                parts = evens(before, width)
                yield [*parts, part, *evens(after, width)], len(parts)


@dataclass(frozen=True)
class Grid:
    """A board cut into blocks, and the boustrophedon through them.

    Args:
        parts: lengths of the parts of each side.
        axis: the dimension along which the rows of blocks run.

    A *position* counts blocks in the order of the boustrophedon.
    """

    parts: tuple[tuple[int, ...], ...]
    axis: int

    @cached_property
    def cuts(self) -> list[Ints]:
        """Offsets of the parts of each side, with the length of the side at the end."""
        return [np.concatenate([[0], np.cumsum(parts)]).astype(np.int64) for parts in self.parts]

    @cached_property
    def axes(self) -> list[int]:
        """The dimensions, the slowest first."""
        return [*(i for i in range(len(self.parts)) if i != self.axis), self.axis]

    @property
    def row(self) -> int:
        """The number of blocks in a row."""
        return len(self.parts[self.axis])

    @cached_property
    def size(self) -> int:
        """The number of blocks."""
        return math.prod(len(parts) for parts in self.parts)

    def index(self, position: int) -> Shape:
        """The part of each side at a position: digits of a reflected mixed-radix number."""
        index = [0] * len(self.parts)
        weight = self.size
        for axis in self.axes:
            radix = len(self.parts[axis])
            weight //= radix
            turn, digit = divmod(position // weight, radix)
            index[axis] = radix - 1 - digit if turn % 2 else digit
        return tuple(index)

    def position(self, index: Ints) -> Ints:
        """The positions of blocks, given by the part of each side, shape (k, d)."""
        position = np.zeros(len(index), dtype=np.int64)
        for axis in self.axes:
            radix = len(self.parts[axis])
            digit = np.where(position % 2 == 1, radix - 1 - index[:, axis], index[:, axis])
            position = position * radix + digit
        return position

    def parts_of(self, places: Ints) -> Ints:
        """The part of each side that contains each place, shape (k, d)."""
        sides = zip(self.cuts, places.T, strict=True)
        return np.stack([np.searchsorted(cuts, side, side="right") - 1 for cuts, side in sides], axis=1)

    def shape(self, index: Shape) -> Shape:
        """The sides of a block."""
        return tuple(parts[i] for parts, i in zip(self.parts, index, strict=True))

    def origin(self, index: Shape) -> Shape:
        """The place of the first cell of a block."""
        return tuple(int(cuts[i]) for cuts, i in zip(self.cuts, index, strict=True))

    def find(self, root: int, roots: int, branches: list[tuple[int, int]], places: Ints) -> tuple[Ints, Ints]:
        """The lines of a chain that may contain places, and the blocks in them, as `Chain.finder`.

        Args:
            root: position of the root.
            roots: number of lines of the root.
            branches: pairs (direction, first line) of the chains that leave the root; a direction is 1 or -1.
            places: places on the board, shape (k, d).

        Returns:
            Candidate lines, -1 for none, and the indices of blocks in them, shape (k, c) each.
        """
        inside = np.all((places >= 0) & (places < [cuts[-1] for cuts in self.cuts]), axis=1)
        position = self.position(self.parts_of(np.where(inside[:, None], places, 0)))
        row, column = np.divmod(position, self.row)
        lines, blocks = [], []
        for i in range(roots):
            lines.append(np.where(position == root, i, -1))
            blocks.append(np.zeros_like(position))
        for direction, first in branches:
            first_row, first_column = divmod(root + direction, self.row)
            from_row = np.where(row == first_row, first_column, 0 if direction == 1 else self.row - 1)
            ahead = (position - root) * direction > 0
            lines.append(np.where(ahead, first + (row - first_row) * direction, -1))
            blocks.append(np.where(ahead, (column - from_row) * direction, 0))
        return np.where(inside[:, None], np.stack(lines, axis=1), -1), np.stack(blocks, axis=1)
