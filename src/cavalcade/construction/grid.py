"""Boxes cut into a grid of blocks, and the boustrophedon through it.

Every side is cut into *parts*. A block is the product of one part of each side. The boustrophedon goes along
a row of blocks, then along the next one backwards, and so on: from neighbour to neighbour, through all.
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
    """A side cut into parts: all of the given width but the last, which is up to twice as wide.

    An even side and width give even parts.
    """
    if side < 2 * width:
        return [side] if side else []
    return [width] * (side // width - 1) + [width + side % width]


def around(
    side: int, width: int, least: int, root: range, start: int | None
) -> Iterator[tuple[list[int], int]]:
    """Ways to cut a side such that one part, the root's, is of a length in `root`; and which part it is.

    The rest on either side is nothing, or at least `least`. With a start, the root holds it; without, the
    root is first and the others have the given width.
    """
    for part in root:
        if start is None:
            if part <= side and (side - part) % width == 0:
                yield [part] + [width] * ((side - part) // width), 0
            continue
        for before in range(0, start + 1, root.step):
            after = side - before - part
            if start < before + part and all(rest == 0 or rest >= least for rest in (before, after)):
                left = evens(before, width)
                yield [*left, part, *evens(after, width)], len(left)


@dataclass(frozen=True)
class Grid:
    """A board cut into blocks, and the boustrophedon through them.

    Args:
        parts: for every dimension the parts of its side.
        axis: the dimension along which the rows of blocks run.

    K is the number of blocks in a row. A *position* counts blocks in the order of the boustrophedon.
    """

    parts: tuple[tuple[int, ...], ...]
    axis: int

    @cached_property
    def cuts(self) -> list[Ints]:
        """Where the parts of every side begin, and the side."""
        return [np.concatenate([[0], np.cumsum(parts)]).astype(np.int64) for parts in self.parts]

    @cached_property
    def axes(self) -> list[int]:
        """The dimensions, the one that changes most slowly first."""
        return [*(i for i in range(len(self.parts)) if i != self.axis), self.axis]

    @property
    def row(self) -> int:
        """K."""
        return len(self.parts[self.axis])

    @cached_property
    def size(self) -> int:
        """How many blocks there are."""
        return math.prod(len(parts) for parts in self.parts)

    def index(self, position: int) -> Shape:
        """Which part of every side the block at a position is."""
        index = [0] * len(self.parts)
        rest = self.size
        for axis in self.axes:
            many = len(self.parts[axis])
            rest //= many
            turn, digit = divmod(position // rest, many)
            index[axis] = many - 1 - digit if turn % 2 else digit
        return tuple(index)

    def position(self, index: Ints) -> Ints:
        """The positions of blocks, (k, d)."""
        position = np.zeros(len(index), dtype=np.int64)
        for axis in self.axes:
            many = len(self.parts[axis])
            digit = np.where(position % 2 == 1, many - 1 - index[:, axis], index[:, axis])
            position = position * many + digit
        return position

    def at(self, places: Ints) -> Ints:
        """Which part of every side holds these places, (k, d)."""
        inside = [
            np.searchsorted(cuts, at, side="right") - 1 for cuts, at in zip(self.cuts, places.T, strict=True)
        ]
        return np.stack(inside, axis=1)

    def shape(self, index: Shape) -> Shape:
        """The sides of a block."""
        return tuple(parts[i] for parts, i in zip(self.parts, index, strict=True))

    def origin(self, index: Shape) -> Shape:
        """Where a block lies."""
        return tuple(int(cuts[i]) for cuts, i in zip(self.cuts, index, strict=True))

    def find(self, root: int, roots: int, branches: list[tuple[int, int]], places: Ints) -> tuple[Ints, Ints]:
        """The lines of a chain and the blocks in them in which places, (k, d), may lie: two (k, c) arrays.

        Args:
            root: the position of the root.
            roots: how many lines it is.
            branches: for each chain that leaves the root its direction, 1 or -1, and its first line.
            places: what is looked for.
        """
        inside = np.all((places >= 0) & (places < [cuts[-1] for cuts in self.cuts]), axis=1)
        position = self.position(self.at(np.where(inside[:, None], places, 0)))
        row, column = np.divmod(position, self.row)
        lines, blocks = [], []
        for i in range(roots):
            lines.append(np.where(position == root, i, -1))
            blocks.append(np.zeros_like(position))
        for direction, first in branches:
            first_row, first_column = divmod(root + direction, self.row)
            from_row = np.where(row == first_row, first_column, 0 if direction == 1 else self.row - 1)
            mine = (position - root) * direction > 0
            lines.append(np.where(mine, first + (row - first_row) * direction, -1))
            blocks.append(np.where(mine, (column - from_row) * direction, 0))
        found = np.where(inside[:, None], np.stack(lines, axis=1), -1)
        return found, np.stack(blocks, axis=1)
