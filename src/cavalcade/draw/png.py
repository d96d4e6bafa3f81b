"""Pictures as PNG and as moving GIF, rendered by resvg (the extra `png`) and Pillow (the extra `gif`).

Letters are drawn as lines and need no fonts, except unusual letters in the names of vertices. Cells have at
most 160 pixels, and the longer side of a picture has at most 1,600, unless small numbers need more. Numbers
that would not be legible even at `LARGEST` pixels are left out.
"""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING

from cavalcade.draw.shapes import Letters
from cavalcade.draw.svg import written
from cavalcade.ground.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.draw.shapes import Picture

LARGEST = 8_000  # pixels of the longer side
LEGIBLE = 5  # pixels of a digit's height
FRAMES, HOLD, SPEED = 120, 3_000, 120  # of a GIF: frames at most, milliseconds of the last and of the others


def png(picture: Picture, size: int | None = None) -> bytes:
    """The PNG of a picture.

    Args:
        picture: what is drawn.
        size: the longer side in pixels.

    Raises:
        MissingExtraError: resvg is not installed.
    """
    longer = max(picture.width, picture.height)
    scale = min(picture.scale(size, full=1600, nice=8, tall=7), LARGEST / longer if size is None else 1e9)
    if 0.7 * picture.smallest * scale < LEGIBLE:
        picture = replace(
            picture,
            shapes=[one for one in picture.shapes if not (isinstance(one, Letters) and one.role == "number")],
        )
    return _rendered(picture, scale)


def _rendered(picture: Picture, scale: float) -> bytes:
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise MissingExtraError("resvg, which a png needs,", "png") from None
    return bytes(svg_to_bytes(svg_string=written(picture, scale, font=False)))


def gif(picture: Picture, size: int | None = None) -> bytes:
    """A moving GIF of the picture of a tour, in a loop.

    Args:
        picture: what is drawn.
        size: the longer side in pixels (default: 480, or what numbers need).

    Raises:
        MissingExtraError: resvg or Pillow is not installed.
    """
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("Pillow, which a gif needs,", "gif") from None
    paper = replace(picture, paper=picture.paper or "#ffffff")
    scale = picture.scale(size, full=480, nice=2.4, tall=5)
    steps = len(picture.route) - 1
    count = min(steps, FRAMES)

    def frames() -> Iterator[Image.Image]:
        for k in range(count + 1):
            shown = _rendered(paper.until(round(steps * k / count)), scale)
            yield Image.open(io.BytesIO(shown)).convert("RGB")

    every = list(frames())
    palette = every[-1].quantize(255, dither=Image.Dither.NONE)
    flat = [one.quantize(palette=palette, dither=Image.Dither.NONE) for one in every]
    out = io.BytesIO()
    pause = max(20, min(SPEED, 30_000 // count))
    flat[0].save(
        out,
        "GIF",
        save_all=True,
        append_images=flat[1:],
        duration=[pause] * count + [HOLD],
        loop=0,
        optimize=False,
    )
    return out.getvalue()
