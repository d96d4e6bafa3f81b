"""Sheets of many pictures.

`grid` puts any pictures in rows: all tours of a board, or empty boards to be filled in.

`walks_picture` shows the walks from every cell, each on a small board, in the order of their first cells. One
row of the board is one row of the sheet; other boards fill a square sheet. A stuck walk has a red frame and
ends in a red disc. The last board shows on each cell the number of walks that got stuck there.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from cavalcade.draw.ground import MOST, ground
from cavalcade.draw.layout import UNIT, Layout, lay_out
from cavalcade.draw.shapes import Disc, Group, Letters, Picture, Plate, Polyline, Shape
from cavalcade.draw.styles import STYLES, VERMILION, mixed
from cavalcade.ground.errors import TooLargeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from cavalcade.answers.tours import Tour

RED, LINE, INK = VERMILION, "#2f4b8a", "#6b6153"
GAP, CAPTION = 0.6 * UNIT, 1.1 * UNIT


def grid(
    pictures: Sequence[Picture],
    title: str,
    *,
    captions: Sequence[str] = (),
    shape: float = 1.0,
    slots: int = 0,
    columns: int = 0,
) -> Picture:
    """Pictures side by side, in rows from left to right.

    Args:
        pictures: at least one.
        title: of the sheet.
        captions: one line below each, if any.
        shape: about the ratio of width to height.
        slots: the number of places, if there are more.
        columns: in a row; by default as the shape wants it.
    """
    wide = max(one.width for one in pictures) + GAP
    high = max(one.height for one in pictures) + GAP + (CAPTION if captions else 0)
    room = max(len(pictures), slots)
    best = columns or min(
        range(1, room + 1), key=lambda c: max(c * wide / shape, math.ceil(room / c) * high) + 0.01 * c
    )
    out: list[Shape] = []
    stamps: dict[int, tuple[Shape, ...]] = {}
    for k, one in enumerate(pictures):
        x, y = GAP + k % best * wide, GAP + k // best * high
        x += (wide - GAP - one.width) / 2
        out.append(Group(stamps.setdefault(id(one), tuple(one.shapes)), x, y))
        if captions:
            middle = x + one.width / 2, y + one.height + 0.4 * CAPTION
            out.append(Letters("words", *middle, captions[k], 0.6 * UNIT, INK))
    rows = math.ceil(room / best)
    desc = f"{len(pictures):,} pictures in {rows:,} rows: {pictures[0].title}" + (
        ", …" if len(pictures) > 1 else ""
    )
    return Picture(title, desc, GAP + min(best, room) * wide, GAP + rows * high, out, pictures[0].paper)


def walks_picture(walks: Sequence[Tour]) -> Picture:
    """A picture of many walks on one board.

    Args:
        walks: complete or stuck, at least one, in the order of their first cells.

    Raises:
        TooLargeError: the boards have more cells together than are drawn.
    """
    board = walks[0].board
    if board.size * len(walks) > MOST:
        raise TooLargeError(
            f"{len(walks):,} pictures of {board.title} are too many: a sheet shows at most {MOST:,} cells"
        )
    layout = lay_out(board, labels=False)
    stamp = Group(tuple(ground(board, layout, STYLES["colour"], labels=False)), 0, 0)
    failed = [walk for walk in walks if len(walk) < board.size]
    shapes = [_panel(walk, layout) for walk in walks]
    captions = [
        board.name(walk.start) + (f", {len(walk)} of {board.size}" if len(walk) < board.size else "")
        for walk in walks
    ]
    if failed:
        shapes.append(_ends(failed, layout.centres))
        captions.append("where walks get stuck" if layout.width > 6 * UNIT else "stuck here")
    title = f"{board.title}: {len(walks) - len(failed)} of {len(walks)} walks are tours"
    stops = Counter(board.name(walk.end) for walk in failed)
    ends = ", ".join(f"{count} on {name}" for name, count in stops.most_common())
    desc = "A small board for the walk from each cell." + (f" Walks get stuck: {ends}." if failed else "")
    columns = math.ceil(math.sqrt(len(walks) * layout.height / layout.width))
    if not board.plain and len(walks) == math.prod(board.shape):
        columns = board.shape[-1]
    small = [Picture(board.title, "", layout.width, layout.height, [stamp, *one]) for one in shapes]
    return replace(grid(small, title, captions=captions, columns=columns), desc=desc)


def _panel(walk: Tour, layout: Layout) -> list[Shape]:
    """The line, a ring at the start and a disc at the end; if the walk is stuck, that and a frame in red."""
    at = [(float(x), float(y)) for x, y in layout.centres[walk.cells].round(1).tolist()]
    stuck = len(walk) < walk.board.size
    wide, high = layout.width - 2, layout.height - 2
    frame = [Plate("stuck", 1, 1, wide, high, stroke=RED, width=0.18 * UNIT)] if stuck else []
    return [
        Polyline("walk", [at], LINE, 0.09 * UNIT, closed=walk.closed),
        Disc("start", *at[0], 0.26 * UNIT, "#ffffff", LINE, 0.1 * UNIT),
        Disc("end", *at[-1], (0.3 if stuck else 0.22) * UNIT, RED if stuck else LINE),
        *frame,
    ]


def _ends(failed: Sequence[Tour], centres: NDArray[np.float64]) -> list[Shape]:
    """The board with the number of walks that got stuck on each cell."""
    ends = Counter(walk.end for walk in failed)
    most = max(ends.values())
    out: list[Shape] = []
    for cell, count in sorted(ends.items()):
        x, y = centres[cell].tolist()
        out.append(Disc("ends", x, y, 0.42 * UNIT, mixed(RED, "#f0e6d4", 0.55 + 0.45 * count / most)))
        out.append(Letters("count", x, y, str(count), 0.55 * UNIT, "#ffffff"))
    return out
