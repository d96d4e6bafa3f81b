"""Pictures of chains: how a hexagon is cut into blocks, their tours, and where these are joined.

- Cells: blocks of one size share a colour, a darker one where the block before in the chain has it too.
- Dark lines around the blocks.
- Thin lines: the blocks' own tours. Those of their edges that give way to a join are dashed. Without these
  lines the blocks bear their numbers in the chain.
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
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cavalcade.boards import Board
    from cavalcade.construction.chain import Chain

    Ints = NDArray[np.int64]

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
    chain: Chain,
    *,
    tours: bool = True,
    size: int | None = None,
    font: bool = True,
) -> str:
    """A picture of the blocks of a chain (`find.hexagon`).

    Args:
        board: the hexagon.
        chain: the tour as a chain of blocks.
        tours: draw the blocks' tours; without them the blocks' numbers.
        size: the longer side in pixels.
        font: False draws letters as lines, for a machine without fonts.

    Raises:
        TooLargeError: the board is too large to be drawn.
    """
    _assert_size(board)
    layout = lay_out(board, labels=False)
    picture = _Picture(board, chain, layout)
    out = [*picture.painted(), *picture.borders()]
    kept, cut = picture.edges()
    joins = picture.joins()
    if tours:
        out += [*_lines(layout, kept, INK, 0.06, ""), *_lines(layout, cut, INK, 0.06, "2 2")]
    out += _lines(layout, joins, JOINS, 0.12, "")
    if not tours:
        out += picture.numbers(font=font)
    return _sheet(out, layout, f"the blocks of {board.title}", size)


@dataclass
class _Picture:
    board: Board
    chain: Chain
    layout: Layout

    def cells(self, places: Ints) -> Ints:
        """The cells at these (k, 2) places."""
        return self.board.locate(places - (self.board.side - 1)).astype(np.int64)

    @cached_property
    def blocks(self) -> list[tuple[Ints, int]]:
        """The cells of each block in the order of its tour, and how many are walked on the way out."""
        chain, found = self.chain, []
        for line in np.argsort(chain.first[:, 0], kind="stable"):
            run = chain.lines[chain.line[line]]
            for number, at in zip(run.role, run.origin, strict=True):
                role = chain.roles[number]
                places = role.cells + at + chain.origin[line]
                found.append((self.cells(places), role.out))
        return found

    @cached_property
    def block_of(self) -> Ints:
        """The number of each cell's block."""
        found = np.full(self.board.size, -1, dtype=np.int64)
        for number, (cells, _) in enumerate(self.blocks):
            found[cells] = number
        return found

    def painted(self) -> Iterable[str]:
        """The cells of the blocks, in their colours."""
        sizes = [len(cells) for cells, _ in self.blocks]
        kinds = {size: i for i, size in enumerate(sorted(set(sizes)))}
        dark = False
        shades = []
        for i, size in enumerate(sizes):
            dark = not dark and i > 0 and sizes[i - 1] == size
            shades.append(hue(HUES[kinds[size] % len(HUES)], 0.86 if dark else 0.92, 0.06 if dark else 0.05))
        corners = [(HEX_WIDE * a, HEX_HIGH * b) for (a, b), _ in SIDES.values()]
        (a, b), cell = corners[0], points([(e - c, f - d) for (c, d), (e, f) in pairwise(corners)])
        for (cells, _), fill in zip(self.blocks, shades, strict=True):
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
        """The blocks' numbers in the chain, from 1, in their middle."""
        for number, (cells, _) in enumerate(self.blocks, 1):
            x, y = self.layout.centres[cells].mean(axis=0).tolist()
            yield letters(x, y, str(number), 1.2 * UNIT, INK, font=font)

    def edges(self) -> tuple[Ints, Ints]:
        """The edges of the blocks' tours: those that stay, and those that give way to joins."""
        kept, cut = [], []
        for i, (cells, out) in enumerate(self.blocks):
            edges = np.stack([cells, np.roll(cells, -1)], axis=1)
            gone = np.zeros(len(cells), dtype=np.bool_)
            gone[-1] = i > 0
            gone[out - 1] |= i + 1 < len(self.blocks)
            kept.append(edges[~gone])
            cut.append(edges[gone])
        return np.concatenate(kept), np.concatenate(cut)

    def joins(self) -> Ints:
        """The moves of the tour from one block to another."""
        places = np.unravel_index(self.chain.order(), self.chain.shape)
        order = self.cells(np.stack(places, axis=1))
        moves = np.stack([order, np.roll(order, -1)], axis=1)[: None if self.chain.closed else -1]
        return np.asarray(moves[self.block_of[moves[:, 0]] != self.block_of[moves[:, 1]]])


def _lines(layout: Layout, edges: Ints, colour: str, width: float, dash: str) -> Iterable[str]:
    path = "".join(f"M{points(map(tuple, layout.centres[edge].round(1).tolist()))}" for edge in edges)
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    if path:
        yield (
            f'<path class="moves" fill="none" stroke="{colour}" stroke-width="{short(width * UNIT)}"{dashes} '
            f'stroke-linecap="round" d="{path}"/>'
        )
