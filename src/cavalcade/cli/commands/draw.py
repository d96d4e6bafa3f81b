"""`cavalcade draw`: a picture of a tour, of an empty board, of a proof, or of a column of measures."""

from __future__ import annotations

import csv
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import click

from cavalcade import formats
from cavalcade.cli.command import option, refuse, refuse_all_but, refuse_by_format, verb
from cavalcade.cli.options import BoardOf, BoardSpec, GraphOptions, Json, Output, PieceSpec, Positive
from cavalcade.cli.writing import show, show_json
from cavalcade.draw.styles import PAPERS, STYLES, VIEWS
from cavalcade.formats.files import called
from cavalcade.formats.table import BY_NAME, STILL, format_of
from cavalcade.ground.errors import FormatError

KINDS = (*STILL, "gif")
OF_HISTOGRAMS = ("histogram", "sample", "output", "format_", "size")
# the options that work only with some formats, and the contents of FILE that an option requires
OPTIONS_OF_FORMATS = {
    ("svg", "png", "gif"): ("size",),
    ("png",): ("ground",),
    ("svg", "gif"): ("animate",),
    ("pdf",): ("per_page", "paper"),
}
OPTIONS_OF_CONTENTS = {
    ("tour", "proof"): ("board", "piece", "legend"),
    ("tour",): ("numbers", "colour", "thin", "arrows", "animate"),
    ("tour", "board"): ("view",),
}


@dataclass(frozen=True)
class PictureOptions:
    """The options that set how a picture looks.

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
        ground: A PNG is white behind the picture, or transparent (default: white).
        animate: An SVG in which the piece moves; a GIF always does.
        per_page: In a PDF, the picture K times per page: a worksheet of empty boards.
        paper: Paper of a PDF (default: a4).
    """

    style: Annotated[str | None, option(choices=STYLES)] = None
    view: Annotated[str | None, option(choices=VIEWS)] = None
    numbers: bool | None = None
    labels: bool | None = None
    colour: Annotated[str | None, option(metavar="C")] = None
    thin: bool | None = None
    arrows: bool | None = None
    legend: bool | None = None
    size: Annotated[int | None, option(type=click.IntRange(min=1, max=20000), metavar="N")] = None
    ground: bool | None = None
    animate: bool = False
    per_page: Positive | None = None
    paper: Annotated[str | None, option(choices=PAPERS)] = None

    @property
    def given(self) -> dict[str, Any]:
        """The options on the command line, as keywords of the writers."""
        options = vars(self) | {"animate": self.animate or None}
        return {word: value for word, value in options.items() if value is not None}


@verb()
def command(
    what: Annotated[BoardSpec, option(metavar="FILE|BOARD|LINK")],
    looks: PictureOptions,
    *,
    reading: GraphOptions,
    board: BoardOf | None = None,
    piece: PieceSpec | None = None,
    histogram: Annotated[str | None, option(metavar="COLUMN")] = None,
    sample: Annotated[bool, option(needs=["--histogram"])] = False,
    empty: bool = False,
    format_: Annotated[str | None, option(choices=KINDS)] = None,
    json_: Json = False,
    output: Output | None = None,
) -> None:
    """Draw the tour or the proof in FILE, an empty BOARD, or what a LINK of the studio shows.

    The picture is a file, .svg, .png, .gif, .pdf or .tikz, or SVG on standard output, unless that is a
    terminal.

    With --histogram, FILE is a CSV table with titles, as `list --measure` and `sample --measure` write it; on
    a terminal the bars are text.

    Options:
        histogram: Draw how often each value of this column of FILE occurs; FILE is a table of `--measure`.
        empty: Draw the board alone, without the tour or the proof in FILE.
        format_: Format of the picture (default: the ending of FILE sets it, otherwise svg).
        sample: FILE is a sample, so the bars and the mean have errors.
    """
    kind = format_ or (format_of(output) if output else "svg")
    if kind not in KINDS:
        raise FormatError(f"{output!r} does not name a picture, expected .{', .'.join(KINDS)}")
    refuse_by_format(kind, OPTIONS_OF_FORMATS)
    options = looks.given
    if histogram is not None:
        refuse_all_but(*OF_HISTOGRAMS, why="cannot be combined with --histogram")
        _histogram(what, histogram, output, kind, sample=sample, **options)
        return
    seen = _seen(what, reading, board, piece)
    if empty:
        seen = getattr(seen, "board", seen)
    if output is None and sys.stdout.isatty() and not json_:
        stem = Path(what).stem.replace(":", "")
        raise FormatError(f"a picture cannot be shown on a terminal: add -o {stem}.svg")
    name = {"Tour": "tour", "Certificate": "proof"}.get(type(seen).__name__, "board")
    holds = "is an empty board" if name == "board" else f"holds a {name}"
    for contents, names in OPTIONS_OF_CONTENTS.items():
        if name not in contents:
            refuse(*names, why=f"works only with a {contents[0]}, and {what} {holds}")
    if type(seen).__name__ not in BY_NAME[kind].holds:
        raise FormatError(f"only tours move: {what} cannot be drawn as {kind}")
    if kind == "gif":
        options.pop("animate", None)
    data = formats.rendered(seen, kind, **options)
    if json_:
        about = {"what": what, "holds": name, "format": kind, "output": output}
        if output is None and isinstance(data, str):
            about["picture"] = data
        show_json(about)
    if output is not None or not json_:
        show(data, output)


def _seen(what: str, reading: GraphOptions, board: str | None, piece: str | None) -> formats.Thing:
    """Read the tour in a file, the proof in a file, which must be right, or the board of a spec or a file."""
    from cavalcade.answers.certificate import is_certificate
    from cavalcade.checking.certificates import verify
    from cavalcade.formats import link
    from cavalcade.formats.npy import is_npy
    from cavalcade.question.graph import is_path

    if link.is_link(what):
        question, tour = link.read(what)
        return question.board if tour is None else tour
    if not is_path(what):
        return reading.board(what)
    if is_npy(what):
        return formats.read(what, board=board, piece=piece)
    text = formats.read_file(what)
    if is_certificate(text):
        certificate = formats.read_certificate(text, board=board, piece=piece)
        if not (checked := verify(certificate)):  # the picture states the claim
            raise FormatError(f"{what} cannot be drawn: {checked.message}")
        return certificate
    ending = BY_NAME.get(format_of(what))
    graph = reading != GraphOptions() or (ending is not None and ending.reads == ("MoveGraph",))
    if graph or formats.is_picture(text):
        return reading.parsed(text)
    return formats.read(text, board=board, piece=piece)


def _histogram(
    file: str, column: str, output: str | None, kind: str, *, sample: bool, **options: int
) -> None:
    """Draw a column of a table with titles; the only option of a picture is its size."""
    from cavalcade.draw.charts import histogram, histogram_picture, text_bars

    source = called(file)
    try:
        titles, *rows = list(csv.reader(formats.read_file(file).splitlines())) or [[]]
    except csv.Error as error:
        raise FormatError(f"{source} cannot be split into values: {error}") from None
    if column not in titles:
        raise FormatError(f"{source} has no column {column!r}, expected one of {', '.join(titles)[:300]}")
    for number, row in enumerate(rows, 2):
        if len(row) != len(titles):
            message = f"{len(row)} values, expected {len(titles)}, one per title"
            raise FormatError(f"{source}, line {number}: {message}")
    values = [_value(row[titles.index(column)]) for row in rows]
    if output is None and sys.stdout.isatty():
        show(text_bars(values, column, sample=sample))
    elif kind == "svg" and not options:
        show(histogram(values, column, sample=sample), output)
    elif kind in STILL:
        show(formats.rendered(histogram_picture(values, column, sample=sample), kind, **options), output)
    else:
        raise FormatError(f"histograms do not move: {source} cannot be drawn as {kind}")


def _value(text: str) -> int | float | str:
    """Convert text to a number if possible."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
