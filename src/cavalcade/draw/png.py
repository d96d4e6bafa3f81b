"""Pictures as PNG and as moving GIF, rendered by resvg (the extra `png`) and Pillow (the extra `gif`).

Letters are drawn as lines and need no fonts, except unusual letters in the names of vertices. Cells have at
most 160 pixels, and the longer side of a picture has at most 1,600, unless small numbers need more. Numbers
that would not be legible even at `LARGEST` pixels are left out.
"""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cavalcade.answers.tours import Tour
from cavalcade.draw.pictures import picture
from cavalcade.draw.pixels import LARGEST, in_pixels, is_for_pixels
from cavalcade.draw.shapes import Picture
from cavalcade.draw.styles import WHITE
from cavalcade.draw.svg import written
from cavalcade.ground.errors import optional
from cavalcade.question.words import validated

if TYPE_CHECKING:  # all engines and checkers would be loaded
    from cavalcade.ask.wrong_turn import WrongTurn


@validated
def png(drawable: Any, *, size: int | None = None, ground: bool = True, **options: Any) -> bytes:
    """The picture of something as PNG.

    Args:
        drawable: what is drawn.
        size: the longer side in pixels.
        ground: white behind a picture that has no paper; otherwise it is transparent there.
        options: options of `pictures.picture`.

    Raises:
        MissingExtraError: resvg is not installed.
    """
    if is_for_pixels(drawable):
        return in_pixels(drawable, size=size, **options).image
    drawn = picture(drawable, **options)
    if ground:
        drawn = replace(drawn, paper=drawn.paper or WHITE)
    longer = max(drawn.width, drawn.height)
    scale = min(drawn.scale(size, full=1600, nice=8, tall=7), LARGEST / longer if size is None else 1e9)
    legible = 5  # height in pixels below which a digit cannot be read
    if 0.7 * drawn.smallest * scale < legible:
        drawn = replace(drawn, shapes=[shape for shape in drawn.shapes if shape.role != "number"])
    return _rendered(drawn, scale)


def _rendered(drawn: Picture, scale: float) -> bytes:
    resvg = optional("resvg_py", "png", "resvg, which a png needs,")
    return bytes(resvg.svg_to_bytes(svg_string=written(drawn, scale, font=False)))


def gif(drawable: Tour | WrongTurn | Picture, *, size: int | None = None, **options: Any) -> bytes:
    """A moving GIF of a tour, a walk with its wrong turn, or another picture that moves, in a loop.

    Args:
        drawable: what is drawn.
        size: the longer side in pixels (default: 480, or what numbers need).
        options: options of `pictures.picture`.

    Raises:
        MissingExtraError: resvg or Pillow is not installed.
        CavalcadeError: the tour has less than two cells.
    """
    drawn = picture(drawable, **options)
    drawn.assert_moving()
    image = optional("PIL.Image", "gif", "Pillow, which a gif needs,")
    paper = replace(drawn, paper=drawn.paper or WHITE)
    scale = drawn.scale(size, full=480, nice=2.4, tall=5)
    steps = len(drawn.route) - 1
    count = min(steps, 120)  # a long tour advances several steps per frame
    frames = []
    for k in range(count + 1):
        shown = _rendered(paper.until(round(steps * k / count)), scale)
        frames.append(image.open(io.BytesIO(shown)).convert("RGB"))
    palette = frames[-1].quantize(255, dither=image.Dither.NONE)
    flat = [frame.quantize(palette=palette, dither=image.Dither.NONE) for frame in frames]
    out = io.BytesIO()
    pause = max(20, min(120, 30_000 // count))  # milliseconds per frame, at most 30 seconds in all
    pauses = [pause] * count + [3_000]
    flat[0].save(out, "GIF", save_all=True, append_images=flat[1:], duration=pauses, loop=0, optimize=False)
    return out.getvalue()
