"""Sheets of many pictures.

`grid` puts any pictures in rows: all tours of a board, or empty boards to be filled in.

`walks_picture` shows the walks from every cell, each on a small board, in the order of their first cells. One
row of the board is one row of the sheet; other boards fill a square sheet. A stuck walk has a red frame and
ends in a red disc. The last board shows on each cell the number of walks that got stuck there.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from cavalcade.draw.ground import MOST, ground
from cavalcade.draw.layout import UNIT, lay_out
from cavalcade.draw.shapes import Disc, Group, Letters, Picture, Plate, Polyline, Shape
from cavalcade.draw.styles import STYLES, VERMILION, mixed
from cavalcade.ground.errors import CavalcadeError, TooLargeError

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
) -> Picture:
    """Pictures side by side, in rows from left to right.

    Args:
        pictures: at least one.
        title: of the sheet.
        captions: one line below each, if any.
        shape: about the ratio of width to height.
        slots: the number of places, if there are more.

    Raises:
        CavalcadeError: there is none.
    """
    if not pictures:
        raise CavalcadeError("a sheet needs at least one picture, and there is none")
    wide = max(one.width for one in pictures) + GAP
    high = max(one.height for one in pictures) + GAP + (CAPTION if captions else 0)
    room = max(len(pictures), slots)
    best = min(range(1, room + 1), key=lambda c: max(c * wide / shape, math.ceil(room / c) * high) + 0.01 * c)
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
    stamp = tuple(ground(board, layout, STYLES["colour"], labels=False))
    columns = math.ceil(math.sqrt(len(walks) * layout.height / layout.width))
    if not board.plain and len(walks) == math.prod(board.shape):
        columns = board.shape[-1]
    wide, high = layout.width + GAP, layout.height + CAPTION + GAP
    out: list[Shape] = []
    failed = [walk for walk in walks if len(walk) < board.size]
    for k, walk in enumerate(walks):
        x, y = GAP + k % columns * wide, GAP + k // columns * high
        stuck = len(walk) < board.size
        text = board.name(walk.start) + (f", {len(walk)} of {board.size}" if stuck else "")
        below = layout.width / 2, layout.height + 0.5 * CAPTION
        shapes = [
            *_panel(walk, layout.centres),
            Letters("walk", *below, text, 0.75 * UNIT, RED if stuck else INK),
        ]
        if stuck:
            shapes.append(
                Plate("stuck", 1, 1, layout.width - 2, layout.height - 2, stroke=RED, width=0.18 * UNIT)
            )
        out += [Group(stamp, x, y), Group(tuple(shapes), x, y)]
    rows = math.ceil(len(walks) / columns)
    width, height = 2 * GAP + columns * wide - GAP, 2 * GAP + rows * high
    good = len(walks) - len(failed)
    title = f"{board.title}: {good} of {len(walks)} walks are tours"
    if failed:
        out += [Group(stamp, GAP, height), Group(tuple(_ends(failed, layout.centres)), GAP, height)]
        height += layout.height + CAPTION + GAP
        width = max(width, 2 * GAP + layout.width)
    stops = Counter(board.name(walk.end) for walk in failed)
    ends = ", ".join(f"{count} on {name}" for name, count in stops.most_common())
    desc = "A small board for the walk from each cell." + (f" Walks get stuck: {ends}." if failed else "")
    return Picture(title, desc, width, height, out)


def _panel(walk: Tour, centres: NDArray[np.float64]) -> list[Shape]:
    """The line, a ring at the start and a disc at the end, in red if the walk is stuck."""
    at = [(float(x), float(y)) for x, y in centres[walk.cells].round(1).tolist()]
    stuck = len(walk) < walk.board.size
    return [
        Polyline("walk", [at], LINE, 0.09 * UNIT, closed=walk.closed),
        Disc("start", *at[0], 0.26 * UNIT, "#ffffff", LINE, 0.1 * UNIT),
        Disc("end", *at[-1], (0.3 if stuck else 0.22) * UNIT, RED if stuck else LINE),
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
    wide = max(float(centres[:, 0].max()) + UNIT, 8.5 * UNIT)
    high = float(centres[:, 1].max()) + UNIT
    out.append(Letters("words", wide / 2, high + 0.4 * CAPTION, "where walks get stuck", 0.75 * UNIT, INK))
    return out
