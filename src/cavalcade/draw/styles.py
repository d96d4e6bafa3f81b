"""Styles, and colours that people can distinguish who do not distinguish red and green.

The marks of proofs have colours of M. Okabe and K. Ito's palette (Color Universal Design, 2008). On the wheel
of a tour reds are darker than greens: for those people too it is a circle, light and dark against blue and
yellow.
"""

from __future__ import annotations

import math
import re
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import NamedTuple

from cavalcade.draw.pen import hue
from cavalcade.ground.errors import CavalcadeError

BLACK, ORANGE, SKY, GREEN = "#000000", "#e69f00", "#56b4e9", "#009e73"
YELLOW, BLUE, VERMILION, PURPLE = "#f0e442", "#0072b2", "#d55e00", "#cc79a7"
PARTS = (GREEN, PURPLE, ORANGE, "#4d4d4d", YELLOW)  # of a proof; blue is for cells that stand alone
VIEWS = ("flat", "space")
PAPERS = {  # of PDF, millimetres, upright
    "a0": (841, 1189),
    "a1": (594, 841),
    "a2": (420, 594),
    "a3": (297, 420),
    "a4": (210, 297),
    "a5": (148, 210),
    "letter": (215.9, 279.4),
}
RAINBOW = {"rainbow", "gradient", "wheel"}  # names of the colours that change from step to step


class Style(NamedTuple):
    """The colours of a style, and what it shows."""

    paper: str  # "" is transparent
    shades: tuple[str, str, str]  # of cells: light, dark, and the hexagon's third
    hole: str
    frame: str
    text: str  # next to the board: legible on white and on black pages
    digits: str  # on a disc
    disc: str
    casing: str  # around lines that pass over others
    moves: str = ""  # the colour of the line; "" is the wheel
    lightness: float = 0.58  # of the wheel
    board: bool = True  # whether cells are shown
    line: bool = True  # whether moves are
    numbers: bool = False  # whether steps are, by default
    alarm: str = VERMILION  # dead ends, and the cells that a proof names


WHITE = "#ffffff"
PAPER = Style(
    WHITE, (WHITE, WHITE, WHITE), "#8a8a8a", BLACK, "#333333", BLACK, WHITE, WHITE, BLACK, alarm=BLACK
)
STYLES = {
    "colour": Style(
        paper="",
        shades=("#f9f4ea", "#e7dac2", "#f0e6d4"),
        hole="#a99c86",
        frame="#b9a88a",
        text="#7a6f60",
        digits="#3d362d",
        disc=WHITE,
        casing="#f9f4ea",
    ),
    "plain": PAPER._replace(shades=(WHITE, "#e2e2e2", "#f0f0f0")),
    "lines": PAPER._replace(board=False),
    "numbers": PAPER._replace(line=False, numbers=True),
    "dark": Style(
        paper="#14161b",
        shades=("#3b4252", "#2d333f", "#343a48"),
        hole="#06070a",
        frame="#5b6475",
        text="#b4bac6",
        digits="#f2f2f2",
        disc="#14161b",
        casing="#14161b",
        lightness=0.74,
    ),
}


def style_of(name: str) -> Style:
    """The style of this name.

    Raises:
        CavalcadeError: there is none.
    """
    if name not in STYLES:
        raise CavalcadeError(f"unknown style {name!r}, expected one of {', '.join(STYLES)}")
    return STYLES[name]


@cache
def named_colours() -> dict[str, str]:
    """Return the colours that CSS names, as `#rrggbb`."""
    text = resources.files("cavalcade").joinpath("data", "colours.txt").read_text(encoding="utf-8")
    return dict(line.split() for line in text.splitlines() if not line.startswith(";"))


def colour_of(text: str) -> str:
    """Return a colour as `#rrggbb`; "" is the wheel, whose colours change from step to step.

    Raises:
        CavalcadeError: the colour is unknown.
    """
    word = re.sub("[ _-]", "", text.strip().lower())
    if word in RAINBOW:
        return ""
    if re.fullmatch(r"#[0-9a-f]{6}", word):
        return word
    if re.fullmatch(r"#[0-9a-f]{3}", word):
        return "#" + "".join(2 * digit for digit in word[1:])
    named = named_colours()
    if word not in named:
        nearest = "".join(f": try {name}" for name in get_close_matches(word, named, 1))
        expected = "expected a colour such as #0072b2, or black, gold or another CSS name"
        raise CavalcadeError(f"unknown colour {text[:40]!r}, {expected}{nearest}")
    return named[word]


# Shades along the line of a tour, 1.5 degrees of the wheel apart. A palette of 256 entries has room for them
# and for the colours of holes and paper.
COLOURS = 240


def wheel(along: float, style: Style, *, closed: bool) -> str:
    """The colour of a place on the line, 0 to 1: around the wheel if closed, else from blue to yellow."""
    if closed:
        angle = 262 + 360 * along
        return hue(angle, style.lightness - 0.13 * math.cos(math.radians(angle)), 0.15)
    return hue(262 + 180 * along, style.lightness - 0.18 + 0.34 * along**0.75, 0.14)


def level(along: float) -> str:
    """The colour of a level, from 0 to 1."""
    angle = 40 + 360 * along
    return hue(angle, 0.55 - 0.08 * math.cos(math.radians(angle)), 0.13)


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of `#rrggbb`, from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(colour: str, second: str, share: float) -> str:
    """A mixture of two colours: `share` of the first."""
    pairs = zip(rgb(colour), rgb(second), strict=True)
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02x}" for a, b in pairs)
