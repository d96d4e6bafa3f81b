"""Pictures of proofs by blocks: how a hexagon is cut into blocks, their tours, and where these are joined.

- Cells: blocks of one size share a colour, a darker one where the block before has it too.
- Dark lines around the blocks.
- Thin lines: the blocks' own tours. Those of their edges that give way to a join are dashed. Without these
  lines the blocks bear their numbers.
- Vermilion lines: the joins.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.draw.ground import assert_size
from cavalcade.draw.layout import HEX_HIGH, HEX_WIDE, HEXAGON, UNIT, Layout, lay_out
from cavalcade.draw.pen import hue
from cavalcade.draw.shapes import Letters, Picture, Polyline, Shape, tiles
from cavalcade.draw.styles import VERMILION

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from cavalcade.boards import Board

    Ints = NDArray[np.int64]
    Cell = tuple[int, int]
    Join = tuple[tuple[Cell, Cell], tuple[Cell, Cell]]

JOINS, FRAME, INK = VERMILION, "#8a7d68", "#7a6f60"
HUES = (85, 235, 150, 300, 30)
SIDES = {  # the cells beside a cell, and the ends of the side between, in half widths and heights
    (0, 1): ((0.5, 1), (-0.5, 1)),
    (-1, 1): ((-0.5, 1), (-1, 0)),
    (-1, 0): ((-1, 0), (-0.5, -1)),
    (0, -1): ((-0.5, -1), (0.5, -1)),
    (1, -1): ((0.5, -1), (1, 0)),
    (1, 0): ((1, 0), (0.5, 1)),
}


def blocks_picture(
    board: Board, blocks: Sequence[Sequence[Cell]], joins: Sequence[Join], *, tours: bool = True
) -> Picture:
    """A picture of a tour that is joined from the closed tours of blocks.

    Args:
        board: the hexagon.
        blocks: the cells (q, r) of each block in the order of its tour.
        joins: pairs of edges a-b and d-c of two blocks, which give way to a-c and b-d.
        tours: draw the blocks' tours; without them the blocks' numbers.

    Raises:
        TooLargeError: the board is too large to be drawn.
    """
    assert_size(board)
    layout = lay_out(board, labels=False)
    drawn = _BlocksDrawn(board, [board.locate(np.array(cells)).astype(np.int64) for cells in blocks], layout)
    out = [*drawn.painted(), drawn.borders()]
    ends = board.locate(np.array(joins, dtype=np.int64).reshape(-1, 2)).astype(np.int64).reshape(-1, 4)
    kept, cut = drawn.edges(np.concatenate([ends[:, :2], ends[:, 2:]]))
    if tours:
        out += [*_lines(layout, kept, INK, 0.06, ()), *_lines(layout, cut, INK, 0.06, (2, 2))]
    out += _lines(layout, np.concatenate([ends[:, [0, 3]], ends[:, [1, 2]]]), JOINS, 0.12, (), "joins")
    if not tours:
        out += drawn.numbers()
    desc = f"{len(blocks):,} blocks, each with a closed tour; {len(joins):,} joins make them one."
    return Picture(f"the blocks of {board.title}", desc, layout.width, layout.height, out)


@dataclass
class _BlocksDrawn:
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

    def painted(self) -> Iterable[Shape]:
        """The cells of the blocks, in their colours."""
        sizes = [len(cells) for cells in self.blocks]
        kinds = {size: i for i, size in enumerate(sorted(set(sizes)))}
        dark = False
        for i, (cells, size) in enumerate(zip(self.blocks, sizes, strict=True)):
            dark = not dark and i > 0 and sizes[i - 1] == size
            fill = hue(HUES[kinds[size] % len(HUES)], 0.86 if dark else 0.92, 0.06 if dark else 0.05)
            at = [(x, y) for x, y in self.layout.centres[cells].round(1).tolist()]
            yield tiles("block", HEXAGON, at, fill, fill, 0.3)

    def borders(self) -> Shape:
        """The sides of cells on whose other side is another block, or none."""
        runs = []
        for step, side in SIDES.items():
            (a, b), (c, d) = ((HEX_WIDE * u, HEX_HIGH * v) for u, v in side)
            beside = self.board.locate(self.board.coords + np.array(step, dtype=np.int32))
            other = np.where(beside < 0, -2, self.block_of[beside])
            # between two blocks once, from the lower number
            for x, y in self.layout.centres[(other == -2) | (self.block_of < other)].tolist():
                runs.append([(x + a, y + b), (x + c, y + d)])
        return Polyline("borders", runs, FRAME, 0.07 * UNIT)

    def numbers(self) -> Iterable[Shape]:
        """The blocks' numbers from 1, in their middle."""
        for number, cells in enumerate(self.blocks, 1):
            x, y = self.layout.centres[cells].mean(axis=0).tolist()
            yield Letters("number", x, y, str(number), 1.2 * UNIT, "#3d362d")

    def edges(self, joined: Ints) -> tuple[Ints, Ints]:
        """The edges of the blocks' tours: those that stay, and those that give way to joins."""
        gone = {frozenset(edge) for edge in joined.tolist()}
        every = np.concatenate([np.stack([cells, np.roll(cells, -1)], axis=1) for cells in self.blocks])
        cut = np.array([frozenset(edge) in gone for edge in every.tolist()])
        return every[~cut], every[cut]


def _lines(
    layout: Layout, edges: Ints, colour: str, width: float, dash: tuple[float, ...], role: str = "moves"
) -> list[Shape]:
    runs = layout.runs(edges)
    return [Polyline(role, runs, colour, width * UNIT, dash=dash)] if runs else []
