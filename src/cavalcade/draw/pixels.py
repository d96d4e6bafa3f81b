"""Tours of too many cells for lines: a pixel for each cell, in the colour of its step.

The colours are the colours of the line in other pictures. Holes are transparent; unvisited cells have the
colour of a hole. Levels lie side by side. Of a board with a side of more than `LARGEST` cells, a pixel
stands for the first of k by k cells. The source of the file format is the PNG specification (W3C, 2003).
"""

from __future__ import annotations

import struct
from typing import Any
from zlib import compress, crc32

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour
from cavalcade.draw.board import MOST
from cavalcade.draw.shapes import Picture
from cavalcade.draw.styles import COLOURS, rgb, style_of, wheel
from cavalcade.ground.errors import CavalcadeError

LARGEST = 8_000  # pixels of the longer side: 64 MB of indices
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def is_for_pixels(thing: Any) -> bool:
    """Whether something is a tour of too many squares for lines."""
    if not isinstance(thing, Tour) or thing.board.size <= MOST or thing.board.plain:
        return False
    family = thing.board.family
    return family.flat and not family.hexagonal and len(thing.board.shape) in {2, 3}


def in_pixels(tour: Tour, *, size: int | None = None, style: str = "colour", **refused: Any) -> Picture:
    """The picture of a tour with a pixel for each cell.

    Args:
        tour: what is drawn, for which `is_for_pixels` holds.
        size: longer side in pixels; by default one pixel per cell, at most `LARGEST`.
        style: one of `styles.STYLES`.
        refused: options of pictures with lines, none of which works here.

    Raises:
        CavalcadeError: one of these is given, or the style is unknown.
    """
    title = tour.title(tour.board.title)
    if word := next((word for word, value in refused.items() if value is not None), ""):
        raise CavalcadeError(f"{title} has {len(tour):,} cells, each of one pixel: leave out {word}")
    look = style_of(style)
    steps = tour.numbering.astype(np.int64)
    shown = np.where(steps > 0, 2 + (steps - 1) * COLOURS // max(len(tour), 1), 1).astype(np.uint8)
    if tour.board.mask is not None:
        shown[~tour.board.mask] = 0
    if shown.ndim == 3:
        shown = np.pad(shown, ((0, 0), (0, 0), (0, 1))).swapaxes(0, 1).reshape(shown.shape[1], -1)[:, :-1]
    longer = max(shown.shape)
    stride = -(-longer // min(size or LARGEST, LARGEST))
    shown = shown[::stride, ::stride]
    if size is not None and size >= 2 * longer:
        shown = shown.repeat(size // longer, axis=0).repeat(size // longer, axis=1)
    inks = [look.moves or wheel((i + 0.5) / COLOURS, look, closed=tour.closed) for i in range(COLOURS)]
    palette = bytes(part for ink in (look.hole, look.hole, *inks) for part in rgb(ink))
    one_of = "cell" if stride == 1 else f"{stride} by {stride} cells"
    desc = f"A pixel for each {one_of}, in the colour of its step."
    return Picture(title, desc, shown.shape[1], shown.shape[0], [], look.paper, image=_png(shown, palette))


def _png(shown: NDArray[np.uint8], palette: bytes) -> bytes:
    """The file: indices into a palette, whose first colour is transparent."""
    high, wide = shown.shape
    lines = np.zeros((high, 1 + wide), dtype=np.uint8)  # each after the number of its filter, none
    lines[:, 1:] = shown
    head = struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", palette), (b"tRNS", b"\0"), (b"IDAT", compress(lines.tobytes())))
    return SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", crc32(name + data))
        for name, data in (*parts, (b"IEND", b""))
    )
