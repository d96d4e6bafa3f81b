"""`cavalcade draw`: a picture of a tour, of an empty board, of a proof, or of a column of measures."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cavalcade import formats
from cavalcade.cli.check import board_option
from cavalcade.cli.common import (
    called,
    is_file,
    output_option,
    piece_option,
    read_board,
    read_text,
    read_tour,
    show,
)
from cavalcade.draw.pdf import PAPERS
from cavalcade.draw.styles import STYLES, VIEWS
from cavalcade.draw.writers import STILL, rendered
from cavalcade.formats import format_of
from cavalcade.formats.table import FORMATS
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate
    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board
    from cavalcade.question.graph import MoveGraph

KINDS = (*STILL, "gif")
# what an option is for, if not for all: kinds of files, and kinds of pictures
OF_FILES = {"size": ("svg", "png", "gif"), "animate": ("svg", "gif"), "per_page": ("pdf",), "paper": ("pdf",)}
OF_THINGS = {
    **dict.fromkeys(("board", "piece"), ("tour", "proof")),
    **dict.fromkeys(("numbers", "colour", "thin", "arrows", "animate"), ("tour",)),
    "legend": ("tour", "proof"),
    "view": ("tour", "board"),
}


@click.command()
@click.argument("what", metavar="FILE|BOARD")
@board_option
@piece_option
@click.option(
    "--style",
    type=click.Choice(tuple(STYLES)),
    help="colour (the default), plain for print in black and white, lines without a board, numbers in a "
    "grid, or dark.",
)
@click.option(
    "--view", type=click.Choice(VIEWS), help="Levels of a box side by side (flat, the default), or in space."
)
@click.option("--numbers/--no-numbers", default=None, help="Write the step on each cell of a tour.")
@click.option(
    "--labels/--no-labels", default=None, help="Files and ranks, or names of vertices (default: yes)."
)
@click.option("--colour", metavar="C", help="One colour for the whole line, like blue or #0072b2.")
@click.option("--thin/--no-thin", default=None, help="Thin lines without dots.")
@click.option(
    "--arrows/--no-arrows",
    default=None,
    help="An arrowhead on every move, or on none (default: on the first).",
)
@click.option("--legend/--no-legend", default=None, help="Say below what is what (default: for proofs).")
@click.option(
    "--size", type=click.IntRange(min=1, max=20_000), metavar="N", help="The longer side in pixels."
)
@click.option(
    "--animate", is_flag=True, default=None, help="An SVG in which the piece moves; a GIF always does."
)
@click.option(
    "--per-page",
    type=click.IntRange(min=1),
    metavar="K",
    help="In a PDF, the picture K times on a page: a worksheet of empty boards.",
)
@click.option("--paper", type=click.Choice(tuple(PAPERS)), help="Of a PDF (default: a4).")
@click.option(
    "--histogram",
    "column",
    metavar="COLUMN",
    help="Draw how often each value of this column of FILE occurs; FILE is a table of `--measure`.",
)
@click.option(
    "--sample", is_flag=True, help="With --histogram: FILE is a sample, so that bars and mean have errors."
)
@output_option
def command(
    what: str,
    board: str | None,
    piece: str | None,
    column: str | None,
    output: str | None,
    *,
    sample: bool,
    **looks: Any,  # noqa: ANN401 - click's
) -> None:
    """Draw the tour or the proof in FILE, or an empty BOARD.

    As SVG on standard output, or into a file: .svg, .png, .gif, .pdf or .tikz.

    With --histogram, FILE is a CSV table with titles, as `list --measure` and `sample --measure` write it; on
    a terminal the bars are text.
    """
    kind = format_of(output) if output else "svg"
    if kind not in KINDS:
        raise FormatError(f"{output!r} does not name a picture, expected .{', .'.join(KINDS)}")
    options = {word: value for word, value in looks.items() if value is not None}
    for word in options:
        if kind not in OF_FILES.get(word, KINDS):
            raise click.UsageError(f"{_option(word)} is for {', '.join(OF_FILES[word])}, not for {kind}.")
    if column is not None:
        if others := sorted(set(options) - {"size"}):
            raise click.UsageError(f"{_option(others[0])} is not for histograms.")
        _histogram(read_text(what), called(what), column, output, kind, sample=sample, **options)
        return
    if sample:
        raise click.UsageError("--sample needs --histogram.")
    seen = _seen(what, board, piece)
    name = {"Tour": "tour", "Certificate": "proof"}.get(type(seen).__name__, "board")
    for word, given in ({"board": board, "piece": piece} | options).items():
        if given is not None and name not in OF_THINGS.get(word, (name,)):
            told = "is an empty board" if name == "board" else f"holds a {name}"
            raise click.UsageError(f"{_option(word)} is for a {OF_THINGS[word][0]}, and {what} {told}.")
    if type(seen).__name__ not in next(one.holds for one in FORMATS if one.name == kind):
        raise FormatError(f"only tours move: {what} cannot be drawn as {kind}")
    if kind == "gif":
        options.pop("animate", None)
    show(formats.rendered(seen, kind, **options), output)


def _option(word: str) -> str:
    return f"--{word.replace('_', '-')}"


def _seen(what: str, board: str | None, piece: str | None) -> Tour | Board | MoveGraph | Certificate:
    """The tour or the proof in a file, or the board of a spec or a file."""
    from cavalcade.answers.certificate import is_certificate
    from cavalcade.formats import board_in, is_picture, parse, parse_certificate
    from cavalcade.formats.npy import is_npy

    if not is_file(what):
        return read_board(what)
    if is_npy(what):
        return read_tour(what, board, piece)
    content = read_text(what)
    place = board and read_board(board)
    if is_certificate(content):
        return parse_certificate(content, board=place, piece=piece, source=what)
    if is_picture(content) or Path(what).suffix.lower() in {".hcp", ".edges"}:
        return board_in(content, source=what, name=Path(what).stem)
    return parse(content, board=place, piece=piece, source=what)


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
        found = f"{len(rows[short - 2])} values, expected {len(titles)}, one a title"
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
    show(rendered(histogram_picture(values, column, sample=sample), kind, size), output)


def _value(text: str) -> int | float | str:
    """A number where it is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
