"""`cavalcade draw`: a picture of a tour, of an empty board, of a proof, or of a column of measures."""

from __future__ import annotations

import csv
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from cavalcade import formats
from cavalcade.cli.command import option, refuse, refuse_all_but, verb
from cavalcade.cli.options import BoardOf, Output, PieceSpec, Positive
from cavalcade.cli.reading import is_file, read_board
from cavalcade.cli.writing import show, writable
from cavalcade.draw.styles import PAPERS, STYLES, VIEWS
from cavalcade.formats.files import called
from cavalcade.formats.table import BY_NAME, STILL, format_of
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate
    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board
    from cavalcade.question.graph import MoveGraph

KINDS = (*STILL, "gif")
# the files and the pictures that an option works with, if not with all
OF_FILES = {"size": ("svg", "png", "gif"), "animate": ("svg", "gif"), "per_page": ("pdf",), "paper": ("pdf",)}
OF_THINGS = {
    **dict.fromkeys(("board", "piece"), ("tour", "proof")),
    **dict.fromkeys(("numbers", "colour", "thin", "arrows", "animate"), ("tour",)),
    "legend": ("tour", "proof"),
    "view": ("tour", "board"),
}


@dataclass(frozen=True)
class PictureOptions:
    """The options that set how a picture looks; None where none was given.

    Options:
        style: colour (the default), plain for print in black and white, lines without a board, numbers in a
            grid, or dark.
        view: Levels of a box side by side (flat, the default), or in space.
        numbers: Write the step on each cell of a tour.
        labels: Files and ranks, or names of vertices (default: yes).
        colour: One colour for the whole line, such as blue or #0072b2.
        thin: Thin lines without dots.
        arrows: An arrowhead on every move, or on none (default: on the first).
        legend: Add a legend below (default: for proofs).
        size: The longer side in pixels.
        animate: An SVG in which the piece moves; a GIF always does.
        per_page: In a PDF, the picture K times per page: a worksheet of empty boards.
        paper: Paper of a PDF (default: a4).
    """

    style: Annotated[str | None, option(type=click.Choice(tuple(STYLES)))] = None
    view: Annotated[str | None, option(type=click.Choice(VIEWS))] = None
    numbers: bool | None = None
    labels: bool | None = None
    colour: Annotated[str | None, option(metavar="C")] = None
    thin: bool | None = None
    arrows: bool | None = None
    legend: bool | None = None
    size: Annotated[int | None, option(type=click.IntRange(min=1, max=20000), metavar="N")] = None
    animate: bool = False
    per_page: Positive | None = None
    paper: Annotated[str | None, option(type=click.Choice(tuple(PAPERS)))] = None

    @property
    def given(self) -> dict[str, Any]:
        """The options that were given, as words of the writers."""
        return {
            word: value
            for word, value in vars(self).items()
            if value is not None and not (word == "animate" and not value)
        }


@verb()
def command(
    what: Annotated[str, option(metavar="FILE|BOARD")],
    looks: PictureOptions,
    *,
    board: BoardOf | None = None,
    piece: PieceSpec | None = None,
    histogram: Annotated[str | None, option(metavar="COLUMN")] = None,
    sample: bool = False,
    output: Output | None = None,
) -> None:
    """Draw the tour or the proof in FILE, or an empty BOARD.

    The picture is SVG on standard output, or a file: .svg, .png, .gif, .pdf or .tikz.

    With --histogram, FILE is a CSV table with titles, as `list --measure` and `sample --measure` write it; on
    a terminal the bars are text.

    Options:
        histogram: Draw how often each value of this column of FILE occurs; FILE is a table of `--measure`.
        sample: FILE is a sample, so the bars and the mean have errors. Only with --histogram.
    """
    kind = format_of(output) if output else "svg"
    if kind not in KINDS:
        raise FormatError(f"{output!r} does not name a picture, expected .{', .'.join(KINDS)}")
    writable(output)
    for word, kinds in OF_FILES.items():
        if kind not in kinds:
            refuse(word, why=f"works only with {', '.join(kinds)}, not with {kind}")
    options = looks.given
    if histogram is not None:
        refuse_all_but("histogram", "sample", "output", "size", why="cannot be combined with --histogram")
        _histogram(formats.read_file(what), called(what), histogram, output, kind, sample=sample, **options)
        return
    seen = _seen(what, board, piece)
    name = {"Tour": "tour", "Certificate": "proof"}.get(type(seen).__name__, "board")
    for word, things in OF_THINGS.items():
        if name not in things:
            holds = "is an empty board" if name == "board" else f"holds a {name}"
            refuse(word, why=f"works only with a {things[0]}, and {what} {holds}")
    if type(seen).__name__ not in BY_NAME[kind].holds:
        raise FormatError(f"only tours move: {what} cannot be drawn as {kind}")
    if kind == "gif":
        options.pop("animate", None)
    show(formats.rendered(seen, kind, **options), output)


def _seen(what: str, board: str | None, piece: str | None) -> Tour | Board | MoveGraph | Certificate:
    """The tour or the proof in a file, or the board of a spec or a file."""
    from cavalcade.answers.certificate import is_certificate
    from cavalcade.formats.npy import is_npy

    if not is_file(what):
        return read_board(what)
    if is_npy(what):
        return formats.read(what, board=board, piece=piece)
    text, place = formats.read_file(what), None if board is None else read_board(board)
    if is_certificate(text):
        return formats.parse_certificate(text, board=place, piece=piece, source=what)
    if formats.is_picture(text) or Path(what).suffix.lower() in {".hcp", ".edges"}:
        return formats.board_in(text, source=what, name=Path(what).stem)
    return formats.parse(text, board=place, piece=piece, source=what)


def _histogram(
    table: str,
    source: str,
    column: str,
    output: str | None,
    kind: str,
    *,
    sample: bool,
    size: int | None = None,
) -> None:
    """Draw a column of a table with titles."""
    from cavalcade.draw.histogram import histogram, histogram_picture, text_bars

    try:
        titles, *rows = list(csv.reader(table.splitlines())) or [[]]
    except csv.Error as error:
        raise FormatError(f"{source} cannot be split into values: {error}") from None
    if column not in titles:
        raise FormatError(f"{source} has no column {column!r}, expected one of {', '.join(titles)[:300]}")
    at = titles.index(column)
    if short := next((i for i, row in enumerate(rows, 2) if len(row) != len(titles)), 0):
        found = f"{len(rows[short - 2])} values, expected {len(titles)}, one per title"
        raise FormatError(f"{source}, line {short}: {found}")
    values = [_value(row[at]) for row in rows]
    if output is None and sys.stdout.isatty():
        show(text_bars(values, column, sample=sample))
        return
    if kind == "svg" and size is None:
        show(histogram(values, column, sample=sample), output)
        return
    if kind not in STILL:
        raise FormatError(f"histograms do not move: {source} cannot be drawn as {kind}")
    options = {} if size is None else {"size": size}
    show(formats.rendered(histogram_picture(values, column, sample=sample), kind, **options), output)


def _value(text: str) -> int | float | str:
    """A number where it is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
