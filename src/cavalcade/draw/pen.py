"""Ink: numbers short enough for a file, colours in order, letters as strokes."""

from __future__ import annotations

import math
import re
from functools import cache

FONT = "ui-sans-serif,system-ui,Helvetica,Arial,DejaVu Sans,sans-serif"

# letters as strokes in a box six high: for pictures that must not depend on the fonts of a machine
_BOWL_LEFT = "M3.6 4.1C3.6 2.9 2.9 2.1 1.9 2.1S.1 2.9 .1 4.1 .9 6 1.9 6 3.6 5.3 3.6 4.1"
_BOWL_RIGHT = "M.2 4.1C.2 2.9 .9 2.1 1.9 2.1S3.7 2.9 3.7 4.1 2.9 6 1.9 6 .2 5.3 .2 4.1"
_ARCH = "M.3 3.9C.3 2.8 1 2.1 2 2.1S3.5 2.8 3.5 3.9V6"
STROKES = {
    "0": "M2 0C.7 0 0 1.2 0 3S.7 6 2 6 4 4.8 4 3 3.3 0 2 0z",
    "1": "M.8 1.3L2.4 0V6",
    "2": "M.1 1.5C.1 .6 .9 0 2 0S3.9 .7 3.9 1.7C3.9 2.9 2.6 3.7 0 6H4",
    "3": "M.2 .9C.6 .3 1.2 0 2 0 3.1 0 3.8 .6 3.8 1.5S3.1 2.9 1.6 2.9"
    "C3.2 2.9 4 3.5 4 4.4S3.2 6 2 6C1.1 6 .4 5.7 0 5",
    "4": "M3 6V0L0 4.3H4.1",
    "5": "M3.7 0H.7L.4 2.8C.9 2.4 1.5 2.2 2.1 2.2 3.3 2.2 4 3 4 4.1S3.2 6 2 6C1.1 6 .4 5.7 0 5",
    "6": "M3.6 .6C3.2 .2 2.7 0 2.2 0 .8 0 0 1.3 0 3.4 0 5.1 .8 6 2 6S4 5.2 4 4.1 3.2 2.3 2.1 2.3 .1 3 0 4",
    "7": "M0 0H4C2.6 1.8 1.8 3.8 1.6 6",
    "8": "M2 2.8C.9 2.8 .3 2.2 .3 1.4S.9 0 2 0 3.7 .6 3.7 1.4 3.1 2.8 2 2.8"
    "C.8 2.8 0 3.4 0 4.4S.8 6 2 6 4 5.4 4 4.4 3.2 2.8 2 2.8z",
    "9": "M.4 5.4C.8 5.8 1.3 6 1.8 6 3.2 6 4 4.7 4 2.6 4 .9 3.2 0 2 0S0 .8 0 1.9 .8 3.7 1.9 3.7 3.9 3 4 2",
    ":": "M.8 2.8V2.9M.8 5.7V5.8",
    "-": "M.6 3.4H3",
    "a": "M3.6 2.2V6" + _BOWL_LEFT,
    "b": "M.2 0V6" + _BOWL_RIGHT,
    "c": "M3.5 2.8C3.1 2.4 2.6 2.1 2 2.1 .9 2.1 .1 2.9 .1 4.1S.9 6 2 6C2.6 6 3.1 5.7 3.5 5.3",
    "d": "M3.6 0V6" + _BOWL_LEFT,
    "e": "M.2 4.1H3.6C3.6 2.9 2.9 2.1 1.9 2.1S.1 2.9 .1 4.1 .9 6 2 6C2.6 6 3.1 5.8 3.4 5.4",
    "f": "M3 .2C2 -.2 1.4 .3 1.4 1.4V6M.3 2.3H2.7",
    "g": "M3.6 2.2V6C3.6 7.2 2.9 7.8 1.9 7.8 1.3 7.8 .8 7.6 .4 7.2" + _BOWL_LEFT,
    "h": "M.3 0V6" + _ARCH,
    "i": "M1 2.2V6M1 .5V.6",
    "j": "M1.4 2.2V6.6C1.4 7.4 1 7.8 .2 7.7M1.4 .5V.6",
    "k": "M.4 0V6M3.2 2.2L.4 4.6M1.4 3.8L3.4 6",
    "l": "M1 0V6",
    "m": "M.3 2.2V6M.3 3.7C.3 2.7 .9 2.1 1.6 2.1S2.8 2.6 2.8 3.5V6"
    "M2.8 3.7C2.8 2.7 3.4 2.1 4.1 2.1S5.3 2.6 5.3 3.5V6",
    "n": "M.3 2.2V6" + _ARCH,
    "o": "M1.9 2.1C.9 2.1 .1 2.9 .1 4.1S.9 6 1.9 6 3.7 5.3 3.7 4.1 2.9 2.1 1.9 2.1z",
    "p": "M.2 2.2V7.8" + _BOWL_RIGHT,
    "q": "M3.6 2.2V7.8" + _BOWL_LEFT,
    "r": "M.5 2.2V6M.5 4C.5 2.8 1.4 2 2.8 2.2",
    "s": "M3.3 2.7C2.9 2.3 2.4 2.1 1.8 2.1 .9 2.1 .4 2.5 .4 3.1S.9 3.9 1.8 4.1 3.4 4.5 3.4 5 2.8 6 1.8 6"
    "C1.2 6 .6 5.8 .2 5.3",
    "t": "M1.4 .8V4.9C1.4 5.7 1.9 6.1 2.9 5.9M.3 2.3H2.8",
    "u": "M.3 2.2V4.3C.3 5.4 .8 6 1.8 6S3.5 5.3 3.5 4.2M3.5 2.2V6",
    "v": "M.2 2.2L1.9 6 3.6 2.2",
    "w": "M.1 2.2L1.4 6 2.7 2.6 4 6 5.3 2.2",
    "x": "M.3 2.2L3.4 6M3.4 2.2L.3 6",
    "y": "M.2 2.2L1.9 5.9M3.6 2.2L1.6 6.8C1.3 7.5 .9 7.8 .3 7.7",
    "z": "M.3 2.2H3.4L.2 6H3.5",
    "A": "M0 6L2.2 0L4.4 6M.8 4H3.6",
    "B": "M.3 3H2.3C3.3 3 4 3.6 4 4.5S3.3 6 2.3 6H.3V0H2C3 0 3.6 .6 3.6 1.5S3 3 2 3",
    "C": "M4.2 1.2C3.7 .4 3 0 2.2 0 .9 0 0 1.3 0 3S.9 6 2.2 6C3 6 3.7 5.6 4.2 4.8",
    "D": "M.3 0V6H1.7C3.3 6 4.2 4.8 4.2 3S3.3 0 1.7 0H.3",
    "E": "M3.7 0H.3V6H3.7M.3 2.9H3.2",
    "F": "M3.7 0H.3V6M.3 2.9H3.2",
    "G": "M4.1 1.2C3.7 .4 3 0 2.2 0 .9 0 0 1.3 0 3S.9 6 2.2 6 4.2 5 4.2 3.3H2.4",
    "H": "M.3 0V6M4.1 0V6M.3 2.9H4.1",
    "I": "M1 0V6",
    "J": "M2.9 0V4.3C2.9 5.4 2.4 6 1.5 6 .8 6 .3 5.7 0 5.1",
    "K": "M.3 0V6M4 0L.3 3.7M1.6 2.5L4.2 6",
    "L": "M.3 0V6H3.6",
    "M": "M.2 6V0L2.5 4.4L4.8 0V6",
    "N": "M.3 6V0L4.1 6V0",
    "O": "M2.3 0C1 0 0 1.3 0 3S1 6 2.3 6 4.6 4.7 4.6 3 3.6 0 2.3 0z",
    "P": "M.3 6V0H2.2C3.3 0 4 .7 4 1.7S3.3 3.4 2.2 3.4H.3",
    "Q": "M2.3 0C1 0 0 1.3 0 3S1 6 2.3 6 4.6 4.7 4.6 3 3.6 0 2.3 0zM2.9 4.4L4.6 6.4",
    "R": "M.3 6V0H2.2C3.3 0 4 .7 4 1.7S3.3 3.4 2.2 3.4H.3M2.2 3.4L4.2 6",
    "S": "M3.8 1C3.4 .4 2.8 0 2 0 1 0 .2 .6 .2 1.5S1 2.8 2 3 4 3.5 4 4.5 3.1 6 2 6C1.1 6 .4 5.6 0 4.9",
    "T": "M0 0H4.2M2.1 0V6",
    "U": "M.3 0V3.9C.3 5.2 1 6 2.2 6S4.1 5.2 4.1 3.9V0",
    "V": "M0 0L2.2 6L4.4 0",
    "W": "M0 0L1.4 6L2.9 1.4L4.4 6L5.8 0",
    "X": "M0 0L4.2 6M4.2 0L0 6",
    "Y": "M0 0L2.1 2.9V6M4.2 0L2.1 2.9",
    "Z": "M.1 0H4.1L0 6H4.1",
    " ": "M0 0",
    ".": "M.5 5.8V5.9",
    ",": "M.7 5.7V5.9L.3 6.9",
    ";": "M.8 2.8V2.9M.8 5.7V5.9L.4 6.9",
    "'": "M.5 0V1.5",
    "(": "M1.5 -.6C.5 .6 .2 1.7 .2 3S.5 5.4 1.5 6.6",
    ")": "M0 -.6C1 .6 1.3 1.7 1.3 3S1 5.4 0 6.6",
    "+": "M.3 3.2H3.9M2.1 1.4V5",
    "/": "M2.4 -.3L0 6.5",
    "=": "M.4 2.4H3.6M.4 4.2H3.6",
    "±": "M.4 2.3H3.6M2 .7V3.9M.4 5.4H3.6",
}
_WIDTHS = {
    ":": 1.6,
    "i": 2.0,
    "j": 2.2,
    "l": 2.0,
    "m": 5.6,
    "w": 5.4,
    "r": 3.0,
    "t": 3.1,
    "f": 3.2,
    " ": 1.2,
    ".": 1.0,
    ",": 1.2,
    ";": 1.6,
    "'": 1.0,
    "(": 1.6,
    ")": 1.6,
    "/": 2.4,
    "I": 2.0,
    "J": 3.2,
    "M": 5.0,
    "W": 5.8,
    "O": 4.6,
    "Q": 4.6,
}
_TOKEN = re.compile(r"[A-Za-z]|-?\d*\.?\d+")


def short(number: float) -> str:
    """A number with two decimals at most, and none that are not needed."""
    return f"{round(number, 2):g}" if abs(number) < 1000 else f"{round(number, 1):.1f}".removesuffix(".0")


def hue(angle: float, lightness: float = 0.6, chroma: float = 0.16) -> str:
    """A colour of the Oklab wheel, where equal angles look equally far apart and none is lighter.

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
    return "#" + "".join(f"{round(255 * _gamma(min(max(x, 0.0), 1.0))):02x}" for x in linear)


def _gamma(x: float) -> float:
    return 12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055


def text_width(text: str, size: float) -> float:
    """About how wide a text is, in any of our fonts."""
    return 0.7 * size / 6 * max(sum(_WIDTHS.get(c, 4.0) + 1.3 for c in text) - 1.3, 0.0)


def strokes(x: float, y: float, text: str, size: float, anchor: str = "middle") -> str:
    """A short text, centred at a height of y, as the strokes of a path `stroke_width` wide; "" if not known.

    Args:
        x: where it is anchored.
        y: its middle.
        text: the letters.
        size: of the font; digits are 0.7 of it high.
        anchor: `start`, `middle` or `end`.
    """
    if not set(text) <= set(STROKES):
        return ""
    scale = 0.7 * size / 6
    at = x - text_width(text, size) * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
    out = []
    for c in text:
        if c != " ":
            out.append(_placed(c, at, y - 3 * scale, scale))
        at += scale * (_WIDTHS.get(c, 4.0) + 1.3)
    return "".join(out)


def stroke_width(size: float) -> float:
    """Of letters of this size."""
    return 0.85 * 0.7 * size / 6


@cache
def _tokens(letter: str) -> list[str]:
    return _TOKEN.findall(STROKES[letter])


def _placed(letter: str, x: float, y: float, scale: float) -> str:
    """The strokes of a letter, moved and scaled; all their commands are absolute."""
    out, command, along = [], "", 0
    for token in _tokens(letter):
        if token.isalpha():
            command, along = token, 0
            out.append(token)
            continue
        vertical = command == "V" or (command != "H" and along % 2 == 1)
        out.append(("" if along == 0 else " ") + short((y if vertical else x) + scale * float(token)))
        along += 1
    return "".join(out)
