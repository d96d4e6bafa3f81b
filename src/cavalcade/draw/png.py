"""Pictures as PNG and as moving GIF, rendered by resvg (the extra `png`) and Pillow (the extra `gif`).

Letters are drawn as lines and need no fonts, except unusual letters in the names of vertices. Cells have at
most 160 pixels, and the longer side of a picture has at most 1,600, unless small numbers need more. Numbers
that would not be legible even at `LARGEST` pixels are left out.
"""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cavalcade.draw.pictures import assert_moving, picture
from cavalcade.draw.shapes import Letters
from cavalcade.draw.svg import written
from cavalcade.ground.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.answers.tours import Tour
    from cavalcade.draw.shapes import Picture

LARGEST = 8_000  # pixels of the longer side
LEGIBLE = 5  # pixels of a digit's height
FRAMES, HOLD, SPEED = 120, 3_000, 120  # of a GIF: frames at most, milliseconds of the last and of the others


def png(thing: Any, *, size: int | None = None, **options: Any) -> bytes:  # noqa: ANN401 - as for `picture`
    """The picture of something as PNG.

    Args:
        thing: what is drawn.
        size: the longer side in pixels.
        options: those of `pictures.picture`.

    Raises:
        MissingExtraError: resvg is not installed.
    """
    drawn = picture(thing, **options)
    longer = max(drawn.width, drawn.height)
    scale = min(drawn.scale(size, full=1600, nice=8, tall=7), LARGEST / longer if size is None else 1e9)
    if 0.7 * drawn.smallest * scale < LEGIBLE:
        shapes = [one for one in drawn.shapes if not (isinstance(one, Letters) and one.role == "number")]
        drawn = replace(drawn, shapes=shapes)
    return _rendered(drawn, scale)


def _rendered(drawn: Picture, scale: float) -> bytes:
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise MissingExtraError("resvg, which a png needs,", "png") from None
    return bytes(svg_to_bytes(svg_string=written(drawn, scale, font=False)))


def gif(tour: Tour, *, size: int | None = None, **options: Any) -> bytes:  # noqa: ANN401 - as for `picture`
    """A moving GIF of a tour, in a loop.

    Args:
        tour: what is drawn.
        size: the longer side in pixels (default: 480, or what numbers need).
        options: those of `pictures.picture`.

    Raises:
        MissingExtraError: resvg or Pillow is not installed.
        CavalcadeError: the tour has less than two cells.
    """
    drawn = picture(tour, **options)
    assert_moving(drawn)
    try:
        from PIL import Image
    except ImportError:
        raise MissingExtraError("Pillow, which a gif needs,", "gif") from None
    paper = replace(drawn, paper=drawn.paper or "#ffffff")
    scale = drawn.scale(size, full=480, nice=2.4, tall=5)
    steps = len(drawn.route) - 1
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
