"""Pictures of proofs by blocks: how a hexagon is cut into blocks, their tours, and where these are joined.

- Cells: blocks of one size share a colour, a darker one where the block before has it too.
- Dark lines around the blocks.
- Thin lines: the blocks' own tours. Those of their edges that give way to a join are dashed. Without these
  lines the blocks bear their numbers.
- Red lines: the joins.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.draw.layout import HEX_HIGH, HEX_WIDE, UNIT, Layout, lay_out
from cavalcade.draw.pen import hue, letters, points, short
from cavalcade.draw.svg import FRAME, INK, _assert_size, _sheet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from cavalcade.boards import Board

    Ints = NDArray[np.int64]
    Cell = tuple[int, int]
    Join = tuple[tuple[Cell, Cell], tuple[Cell, Cell]]

JOINS = hue(25, 0.55, 0.2)
HUES = (85, 235, 150, 300, 30)
SIDES = {  # the cells beside a cell, and the ends of the side between, in half widths and heights
    (0, 1): ((0.5, 1), (-0.5, 1)),
    (-1, 1): ((-0.5, 1), (-1, 0)),
    (-1, 0): ((-1, 0), (-0.5, -1)),
    (0, -1): ((-0.5, -1), (0.5, -1)),
    (1, -1): ((0.5, -1), (1, 0)),
    (1, 0): ((1, 0), (0.5, 1)),
}


def blocks_svg(
    board: Board,
    blocks: Sequence[Sequence[Cell]],
    joins: Sequence[Join],
    *,
    tours: bool = True,
    size: int | None = None,
    font: bool = True,
) -> str:
    """A picture of a tour that is joined from the closed tours of blocks.

    Args:
        board: the hexagon.
        blocks: the cells (q, r) of each block in the order of its tour.
        joins: pairs of edges a-b and d-c of two blocks, which give way to a-c and b-d.
        tours: draw the blocks' tours; without them the blocks' numbers.
        size: the longer side in pixels.
        font: False draws letters as lines, for a machine without fonts.

    Raises:
        TooLargeError: the board is too large to be drawn.
    """
    _assert_size(board)
    layout = lay_out(board, labels=False)
    picture = _BlocksPicture(
        board, [board.locate(np.array(cells)).astype(np.int64) for cells in blocks], layout
    )
    out = [*picture.painted(), *picture.borders()]
    ends = board.locate(np.array(joins, dtype=np.int64).reshape(-1, 2)).astype(np.int64).reshape(-1, 4)
    kept, cut = picture.edges(np.concatenate([ends[:, :2], ends[:, 2:]]))
    if tours:
        out += [*_lines(layout, kept, INK, 0.06, ""), *_lines(layout, cut, INK, 0.06, "2 2")]
    out += _lines(layout, np.concatenate([ends[:, [0, 3]], ends[:, [1, 2]]]), JOINS, 0.12, "")
    if not tours:
        out += picture.numbers(font=font)
    return _sheet(out, layout, f"the blocks of {board.title}", size)


@dataclass
class _BlocksPicture:
    board: Board
    blocks: list[Ints]
    layout: Layout

    @cached_property
    def block_of(self) -> Ints:
        """The number of each cell's block."""
        found = np.full(self.board.size, -1, dtype=np.int64)
        for number, cells in enumerate(self.blocks):
            found[cells] = number
        return found

    def painted(self) -> Iterable[str]:
        """The cells of the blocks, in their colours."""
        sizes = [len(cells) for cells in self.blocks]
        kinds = {size: i for i, size in enumerate(sorted(set(sizes)))}
        dark = False
        shades = []
        for i, size in enumerate(sizes):
            dark = not dark and i > 0 and sizes[i - 1] == size
            shades.append(hue(HUES[kinds[size] % len(HUES)], 0.86 if dark else 0.92, 0.06 if dark else 0.05))
        corners = [(HEX_WIDE * a, HEX_HIGH * b) for (a, b), _ in SIDES.values()]
        (a, b), cell = corners[0], points([(e - c, f - d) for (c, d), (e, f) in pairwise(corners)])
        for cells, fill in zip(self.blocks, shades, strict=True):
            at = self.layout.centres[cells].round(1).tolist()
            path = "".join(f"M{points([(x + a, y + b)])}l{cell}z" for x, y in at)
            yield f'<path class="block" fill="{fill}" stroke="{fill}" stroke-width=".3" d="{path}"/>'

    def borders(self) -> Iterable[str]:
        """The sides of cells on whose other side is another block, or none."""
        path = []
        for step, side in SIDES.items():
            (a, b), (c, d) = ((HEX_WIDE * u, HEX_HIGH * v) for u, v in side)
            beside = self.board.locate(self.board.coords + np.array(step, dtype=np.int32))
            other = np.where(beside < 0, -2, self.block_of[beside])
            # between two blocks once, from the lower number
            for x, y in self.layout.centres[(other == -2) | (self.block_of < other)].tolist():
                path.append(f"M{points([(x + a, y + b), (x + c, y + d)])}")
        width = short(0.07 * UNIT)
        yield (
            f'<path class="borders" fill="none" stroke="{FRAME}" stroke-width="{width}" '
            f'stroke-linecap="round" d="{"".join(path)}"/>'
        )

    def numbers(self, *, font: bool) -> Iterable[str]:
        """The blocks' numbers from 1, in their middle."""
        for number, cells in enumerate(self.blocks, 1):
            x, y = self.layout.centres[cells].mean(axis=0).tolist()
            yield letters(x, y, str(number), 1.2 * UNIT, INK, font=font)

    def edges(self, joined: Ints) -> tuple[Ints, Ints]:
        """The edges of the blocks' tours: those that stay, and those that give way to joins."""
        gone = {frozenset(edge) for edge in joined.tolist()}
        every = np.concatenate([np.stack([cells, np.roll(cells, -1)], axis=1) for cells in self.blocks])
        cut = np.array([frozenset(edge) in gone for edge in every.tolist()])
        return every[~cut], every[cut]


def _lines(layout: Layout, edges: Ints, colour: str, width: float, dash: str) -> Iterable[str]:
    path = "".join(f"M{points(map(tuple, layout.centres[edge].round(1).tolist()))}" for edge in edges)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    if path:
        yield (
            f'<path class="moves" fill="none" stroke="{colour}" stroke-width="{short(width * UNIT)}"{dashes} '
            f'stroke-linecap="round" d="{path}"/>'
        )
