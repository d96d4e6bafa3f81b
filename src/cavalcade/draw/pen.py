"""Numbers short enough for a file, colours of a wheel, letters as strokes."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from importlib import resources

FONT = "ui-sans-serif,system-ui,Helvetica,Arial,DejaVu Sans,sans-serif"
ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}  # the part of a text to the left of its place

_PLACE = re.compile(r"(-?[\d.]+) (-?[\d.]+)")  # in the path of a letter, where all commands are absolute


def short(number: float) -> str:
    """A number with at most 2 decimals."""
    return f"{round(number, 2):g}" if abs(number) < 1000 else f"{round(number, 1):.1f}".removesuffix(".0")


def hue(angle: float, lightness: float = 0.6, chroma: float = 0.16) -> str:
    """A colour of the Oklab wheel, where equal angles look equally far apart and all colours equally light.

    The matrices are Björn Ottosson's (2020).
    """
    a, b = chroma * math.cos(math.radians(angle)), chroma * math.sin(math.radians(angle))
    long, medium, small = (
        (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3,
        (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3,
        (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3,
    )
    linear = (
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * small,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * small,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * small,
    )
    clipped = (min(max(x, 0.0), 1.0) for x in linear)
    coded = (12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055 for x in clipped)
    return "#" + "".join(f"{round(255 * x):02x}" for x in coded)


@cache
def _letters() -> dict[str, tuple[float, str]]:
    """Widths, and strokes in a box six high: for pictures that need no fonts of the machine."""
    text = resources.files("cavalcade.draw").joinpath("letters.json").read_text(encoding="utf-8")
    return {letter: (width, path) for letter, (width, path) in json.loads(text).items()}


def _advance(letter: str) -> float:
    """How far the next letter is, in strokes' units."""
    return _letters().get(letter, (4.0,))[0] + 1.3


def text_width(text: str, size: float) -> float:
    """The approximate width of a text."""
    return 0.7 * size / 6 * max(sum(map(_advance, text)) - 1.3, 0.0)


def strokes(x: float, y: float, text: str, size: float, anchor: str = "middle") -> str:
    """A short text, centred at a height of y, as the strokes of a path; "" if a letter is unknown.

    Args:
        x: x-coordinate of the anchor.
        y: y-coordinate of the middle of the text.
        text: the letters.
        size: font size; digits have 0.7 of this height.
        anchor: `start`, `middle` or `end`.
    """
    if not _letters().keys() >= set(text):
        return ""
    scale = 0.7 * size / 6
    pen_x, top = x - text_width(text, size) * ANCHORS[anchor], y - 3 * scale

    def placed(place: re.Match[str]) -> str:
        return f"{short(pen_x + scale * float(place[1]))} {short(top + scale * float(place[2]))}"

    out = []
    for c in text:
        out.append(_PLACE.sub(placed, _letters()[c][1]))
        pen_x += scale * _advance(c)
    return "".join(out)


def stroke_width(size: float) -> float:
    """The width of the strokes of letters of this size."""
    return 0.85 * 0.7 * size / 6
