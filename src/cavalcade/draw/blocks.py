"""Pictures of proofs by blocks: a hexagon cut into blocks, the tours of the blocks, and their joins.

- Cells: blocks of one size share a colour, a darker one where the previous block has it too.
- Dark lines are the borders of blocks.
- Thin lines are the tours of blocks; edges that a join replaces are dashed. Without them the blocks have
  numbers.
- Vermilion lines are the joins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cavalcade.boards import Board
from cavalcade.draw.board import Ground
from cavalcade.draw.layout import HEXAGON, UNIT, Layout
from cavalcade.draw.pen import hue
from cavalcade.draw.shapes import Letters, Picture, Polyline, Shape, tiles
from cavalcade.draw.styles import STYLES, VERMILION
from cavalcade.ground.kernels import Ints

Cell = tuple[int, int]
Join = tuple[tuple[Cell, Cell], tuple[Cell, Cell]]

JOINS, FRAME, INK = VERMILION, "#8a7d68", "#7a6f60"
HUES = (85, 235, 150, 300, 30)
STEPS = ((0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0))  # to the neighbours, from that below


def blocks_picture(
    board: Board, blocks: Sequence[Sequence[Cell]], joins: Sequence[Join], *, tours: bool = True
) -> Picture:
    """A picture of a tour joined from the closed tours of blocks.

    Args:
        board: the hexagon.
        blocks: cells (q, r) per block in the order of its tour.
        joins: pairs of edges a-b and d-c of two blocks, which a-c and b-d replace.
        tours: draw the tours of the blocks, not their numbers.

    Raises:
        TooLargeError: the board is too large to be drawn.
    """
    ground = Ground.of(board, STYLES["colour"], labels=False)
    layout = ground.layout
    block_cells = [board.locate(np.array(cells)).astype(np.int64) for cells in blocks]
    out = [*_cells(layout, block_cells), _borders(board, layout, block_cells)]
    ends = board.locate(np.array(joins, dtype=np.int64).reshape(-1, 2)).astype(np.int64).reshape(-1, 4)
    if tours:
        gone = {frozenset(edge) for edge in [*ends[:, :2].tolist(), *ends[:, 2:].tolist()]}
        edges = np.concatenate([np.stack([cells, np.roll(cells, -1)], axis=1) for cells in block_cells])
        cut = np.array([frozenset(edge) in gone for edge in edges.tolist()])
        out += layout.lines(edges[~cut], "moves", INK, 0.06 * UNIT)
        out += layout.lines(edges[cut], "moves", INK, 0.06 * UNIT, (2, 2))
    joined = np.concatenate([ends[:, [0, 3]], ends[:, [1, 2]]])
    out += layout.lines(joined, "joins", JOINS, 0.12 * UNIT)
    if not tours:
        for number, cells in enumerate(block_cells, 1):
            x, y = layout.centres[cells].mean(axis=0).tolist()
            out.append(Letters("number", x, y, str(number), 1.2 * UNIT, "#3d362d"))
    desc = f"{len(blocks):,} blocks, each with a closed tour; {len(joins):,} joins make them one."
    return ground.picture(f"the blocks of {board.title}", desc, out)


def _cells(layout: Layout, blocks: Sequence[Ints]) -> Iterator[Shape]:
    """The cells of the blocks, in their colours."""
    sizes = sorted({len(cells) for cells in blocks})
    dark, size = False, 0
    for cells in blocks:
        dark, size = not dark and len(cells) == size, len(cells)
        fill = hue(HUES[sizes.index(size) % len(HUES)], 0.86 if dark else 0.92, 0.06 if dark else 0.05)
        yield tiles("block", HEXAGON, layout.places(cells, 1), fill, fill, 0.3)


def _borders(board: Board, layout: Layout, blocks: Sequence[Ints]) -> Shape:
    """The sides of cells on whose other side is another block, or none."""
    block_of = np.full(board.size, -1, dtype=np.int64)
    for number, cells in enumerate(blocks):
        block_of[cells] = number
    runs = []
    for k, step in enumerate(STEPS, 1):
        (a, b), (c, d) = HEXAGON[k % 6], HEXAGON[(k + 1) % 6]
        beyond = board.locate(board.coords + np.array(step, dtype=np.int32))
        neighbour_block = np.where(beyond < 0, -2, block_of[beyond])
        # between two blocks once, from the lower number
        for x, y in layout.centres[(neighbour_block == -2) | (block_of < neighbour_block)].tolist():
            runs.append([(x + a, y + b), (x + c, y + d)])
    return Polyline("borders", runs, FRAME, 0.07 * UNIT)
