"""Sheets: pictures in rows, and words below a picture.

`grid` puts any pictures in rows: all tours of a board, or empty boards to be filled in.

`walks_picture` shows the walks from every cell, each on a small board, in the order of their first cells. One
row of the board is one row of the sheet; other boards fill a square sheet. A stuck walk has a red frame and
ends in a red disc. The last board shows on each cell the number of walks that got stuck there.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cavalcade.answers.tours import Tour
from cavalcade.draw.board import MOST, Ground
from cavalcade.draw.layout import UNIT, Layout, lay_out
from cavalcade.draw.pen import text_width
from cavalcade.draw.shapes import Disc, Letters, Picture, Plate, Polyline, Shape, placed
from cavalcade.draw.styles import STYLES, VERMILION, WHITE, Style, mixed
from cavalcade.ground.errors import TooLargeError

KEY = 1.75 * UNIT  # width of the space for a sign in the legend
RED, LINE, INK = VERMILION, "#2f4b8a", "#6b6153"


class LegendEntry(NamedTuple):
    """A sign, painted about a height of 0 in a room `KEY` wide, and its meaning."""

    sign: Sequence[Shape]
    text: str


def with_legend(
    picture: Picture, entries: Sequence[LegendEntry], style: Style, *, label: str = "", words: str = ""
) -> Picture:
    """The picture with words below: a title, the meaning of signs, and a text."""
    scale, margin = max(1.0, max(picture.width, picture.height) / (24 * UNIT)), 0.5 * UNIT
    size = 0.4 * UNIT * scale
    width = max(picture.width, 13 * UNIT * scale)  # room for a line of words
    y = picture.height + 0.6 * size
    out: list[Shape] = []
    for line in wrapped(label, size * 1.08, width - 2 * margin):
        out.append(Letters("words", margin, y, line, size * 1.08, style.text, "start"))
        y += 1.45 * size
    x, y = margin, y + 0.15 * size
    for entry in entries:
        wide = KEY * scale + text_width(entry.text, size) + size
        if x > margin and x + wide - size > width - margin:
            x, y = margin, y + 1.6 * size
        out += placed(entry.sign, x, y, scale)
        out.append(Letters("words", x + KEY * scale, y, entry.text, size, style.text, "start"))
        x += wide
    y += 1.9 * size if entries else 0.2 * size
    for line in wrapped(words, size, width - 2 * margin):
        out.append(Letters("words", margin, y, line, size, style.text, "start"))
        y += 1.4 * size
    move = (width - picture.width) / 2
    route = [(x + move, y) for x, y in picture.route]
    shapes = [*placed(picture.shapes, move), *out]
    return replace(picture, width=width, height=y + 0.2 * size, shapes=shapes, route=route)


def wrapped(text: str, size: float, width: float) -> list[str]:
    """A text in lines of at most this width; a longer word has a line of its own."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def assert_sheet(count: int, cells: int) -> None:
    """Check that a sheet has room for some pictures, given the number of their cells.

    Raises:
        TooLargeError: there are more than `MOST` cells.
    """
    if cells > MOST:
        raise TooLargeError(f"{count:,} pictures have {cells:,} cells, and a sheet shows at most {MOST:,}")


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
        title: title of the sheet.
        captions: one line below each, if any.
        shape: approximate ratio of width to height.
        slots: number of places for pictures, if larger than the number of pictures.
        columns: number of pictures in a row; by default the number that comes closest to `shape`.
    """
    gap, caption = 0.6 * UNIT, 1.1 * UNIT
    wide = max(picture.width for picture in pictures) + gap
    high = max(picture.height for picture in pictures) + gap + (caption if captions else 0)
    places = max(len(pictures), slots)
    best = columns or min(
        range(1, places + 1), key=lambda c: max(c * wide / shape, math.ceil(places / c) * high) + 0.01 * c
    )
    out: list[Shape] = []
    for k, picture in enumerate(pictures):
        x, y = gap + k % best * wide, gap + k // best * high
        x += (wide - gap - picture.width) / 2
        out += placed(picture.shapes, x, y)
        if captions:
            middle = x + picture.width / 2, y + picture.height + 0.4 * caption
            out.append(Letters("words", *middle, captions[k], 0.6 * UNIT, INK))
    rows = math.ceil(places / best)
    rest = ", …" if len(pictures) > 1 else ""
    desc = f"{len(pictures):,} pictures in {rows:,} rows: {pictures[0].title}{rest}"
    return Picture(title, desc, gap + min(best, places) * wide, gap + rows * high, out, pictures[0].paper)


def walks_picture(walks: Sequence[Tour]) -> Picture:
    """A picture of many walks on one board.

    Args:
        walks: complete or stuck, at least one, in the order of their first cells.

    Raises:
        TooLargeError: the boards have more cells together than are drawn.
    """
    board = walks[0].board
    assert_sheet(len(walks), board.size * len(walks))
    ground = Ground(board, lay_out(board, labels=False), STYLES["colour"], labels=False)
    below, layout = ground.below(), ground.layout
    shapes = [_panel(walk, layout) for walk in walks]
    captions = [
        board.name(walk.start) + f", {len(walk)} of {board.size}" * (len(walk) < board.size) for walk in walks
    ]
    stops = Counter(walk.end for walk in walks if len(walk) < board.size)
    desc = "A small board for the walk from each cell."
    if stops:
        shapes.append(_stops(stops, layout))
        captions.append("where walks get stuck" if layout.width > 6 * UNIT else "stuck here")
        ends = ", ".join(f"{count} on {board.name(cell)}" for cell, count in stops.most_common())
        desc += f" Walks get stuck: {ends}."
    title = f"{board.title}: {len(walks) - stops.total()} of {len(walks)} walks are tours"
    columns = math.ceil(math.sqrt(len(walks) * layout.height / layout.width))
    if not board.plain and len(walks) == math.prod(board.shape):
        columns = board.shape[-1]
    small = [ground.picture(board.title, "", [*below, *shapes_of_walk]) for shapes_of_walk in shapes]
    return replace(grid(small, title, captions=captions, columns=columns), desc=desc)


def _panel(walk: Tour, layout: Layout) -> list[Shape]:
    """The line, a ring at the start and a disc at the end; if the walk is stuck, that and a frame in red."""
    points = layout.places(walk.cells, 1)
    stuck = len(walk) < walk.board.size
    frame = Plate("stuck", 1, 1, layout.width - 2, layout.height - 2, stroke=RED, width=0.18 * UNIT)
    return [
        Polyline("walk", [points], LINE, 0.09 * UNIT, closed=walk.closed),
        Disc("start", *points[0], 0.26 * UNIT, WHITE, LINE, 0.1 * UNIT),
        Disc("end", *points[-1], (0.3 if stuck else 0.22) * UNIT, RED if stuck else LINE),
        *([frame] if stuck else []),
    ]


def _stops(stops: Counter[int], layout: Layout) -> list[Shape]:
    """The number of walks that got stuck on each cell."""
    most = max(stops.values())
    out: list[Shape] = []
    for cell, count in sorted(stops.items()):
        x, y = layout.centres[cell].tolist()
        out.append(Disc("ends", x, y, 0.42 * UNIT, mixed(RED, "#f0e6d4", 0.55 + 0.45 * count / most)))
        out.append(Letters("count", x, y, str(count), 0.55 * UNIT, WHITE))
    return out
