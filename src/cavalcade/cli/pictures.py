"""The options of pictures, which every command that writes pictures has, and what each of them works with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

import click

from cavalcade.cli.command import option, refuse, refuse_by_format, typed_options
from cavalcade.cli.options import Positive
from cavalcade.draw.styles import PAPERS, STYLES, VIEWS, colour_of
from cavalcade.formats.table import names_of

PICTURES = names_of("Picture")
# the options that work only with some formats
OPTIONS_OF_FORMATS = {
    ("svg", "png", "gif"): ("size",),
    ("png",): ("ground",),
    ("svg", "gif"): ("animate",),
    ("pdf",): ("per_page", "paper"),
}
OF_TOURS = ("style", "labels", "view", "legend", "numbers", "colour", "thin", "arrows", "animate")
# for each class that can be drawn: the noun for it, and its options of pictures
OPTIONS_OF_CLASSES: dict[str, tuple[str, tuple[str, ...]]] = {
    "Tour": ("tour", OF_TOURS),
    "WrongTurn": ("walk", OF_TOURS),
    "Certificate": ("proof", ("style", "labels", "legend")),
    "Board": ("board", ("style", "labels", "view")),
    "MoveGraph": ("graph", ("style", "labels")),
    "Puzzle": ("puzzle", ("style", "labels")),
    "Roesselsprung": ("puzzle", ("style", "labels")),
    "Picture": ("sheet or diagram", ()),
    "Connections": ("table", ()),
    "Trace": ("trace", ("style", "animate")),
}

PIXELS = {"px": 1, "pt": 96 / 72, "in": 96, "cm": 96 / 2.54, "mm": 96 / 25.4}  # in each unit, as in CSS


class Length(click.IntRange):
    """A number of pixels, or a length in another unit, which is converted to pixels."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number of pixels."""
        if length := re.fullmatch(r"(\d+(?:\.\d+)?) ?(px|pt|in|cm|mm)", str(value)):
            value = round(float(length[1]) * PIXELS[length[2]])
        return super().convert(value, param, ctx)


@dataclass(frozen=True)
class PictureOptions:
    """The options that set how a picture looks.

    Options:
        style: Draw the board in colour (`colour`, the default), in black and white for print (`plain`) or on
            a dark background (`dark`); draw only the lines (`lines`); or write the numbers in a grid
            (`numbers`).
        view: Draw the levels of a box side by side (flat, the default), or in space.
        numbers: Write the step on each cell of a tour.
        labels: Label rows and columns, or vertices (default: yes).
        colour: Draw the whole line in one colour, such as blue or #0072b2.
        thin: Draw thin lines without dots.
        arrows: Draw an arrowhead on every move, or on none (default: on the first).
        legend: Add a legend below (default: for proofs and wrong turns).
        size: Set the longer side, in pixels or as 10cm.
        ground: Give a PNG a white (the default) or a transparent background.
        animate: Let the piece move in an SVG. In a GIF of a tour the piece always moves.
        per_page: Draw N pictures on each page of a PDF (default: 1; 12 for several tours, 4 for several
            puzzles). A single picture is repeated N times.
        paper: Set the paper size of a PDF (default: a4).
    """

    section: ClassVar[str] = "Options of pictures"

    style: Annotated[str | None, option(choices=STYLES)] = None
    view: Annotated[str | None, option(choices=VIEWS)] = None
    numbers: bool | None = None
    labels: bool | None = None
    colour: Annotated[str | None, option(metavar="C")] = None
    thin: bool | None = None
    arrows: bool | None = None
    legend: bool | None = None
    size: Annotated[int | None, option(type=Length(min=1, max=20000), metavar="N")] = None
    ground: bool | None = None
    animate: bool = False
    per_page: Positive | None = None
    paper: Annotated[str | None, option(choices=PAPERS)] = None

    def assert_format(self, format_: str, output: str | None) -> None:
        """Refuse options that were typed and do not work with the format of the output."""
        if self.colour is not None:
            colour_of(self.colour)
        if format_ in PICTURES:
            refuse_by_format(format_, OPTIONS_OF_FORMATS)
            return
        for name, parameter in typed_options().items():
            if parameter.section == self.section:
                limited = [drawn for drawn, words in OPTIONS_OF_FORMATS.items() if name in words]
                file = Path(output or "FILE").with_suffix(f".{[*limited, PICTURES][0][0]}")
                why = f"is for pictures, and {output or 'the output'} is {format_}"
                raise click.UsageError(f"{parameter.as_typed} {why}: try -o {file}")

    def assert_class(self, *names: str) -> None:
        """Refuse options that were typed and that no picture of these classes has."""
        works = {word for name in names for word in OPTIONS_OF_CLASSES[name][1]}
        what = OPTIONS_OF_CLASSES[names[0]][0]
        for word in OF_TOURS:
            *nouns, last = dict.fromkeys(noun for noun, words in OPTIONS_OF_CLASSES.values() if word in words)
            if word not in works:
                refuse(word, why=f"works only with a {', '.join(nouns)} or {last}, not with a {what}")

    def keywords(self, name: str, format_: str) -> dict[str, Any]:
        """Return the options as keywords of the writer of a picture.

        Args:
            name: the name of the class of what is drawn.
            format_: the format.

        Raises:
            UsageError: an option does not work with pictures of the class.
        """
        self.assert_class(name)
        words = vars(self) | {"animate": (self.animate and format_ == "svg") or None}
        return {word: value for word, value in words.items() if value is not None}
