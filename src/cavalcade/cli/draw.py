"""`cavalcade draw`: a picture of a tour, of an empty board, or of a column of measures."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

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
from cavalcade.errors import FormatError

if TYPE_CHECKING:
    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board
    from cavalcade.graph import MoveGraph


@click.command()
@click.argument("what", metavar="FILE|BOARD")
@board_option
@piece_option
@click.option(
    "--numbers/--no-numbers", default=False, show_default=True, help="Write the step on each cell of a tour."
)
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
    numbers: bool,
    sample: bool,
) -> None:
    """Draw the tour in FILE, or an empty BOARD: SVG on standard output, or FILE.svg or FILE.png.

    With --histogram, FILE is a CSV table with titles, as `list --measure` and `sample --measure` write it; on
    a terminal the bars are text.
    """
    ending = Path(output).suffix.lower() if output else ".svg"
    if ending not in {".svg", ".png"}:
        raise FormatError(f"{output!r} does not name a picture, expected .svg or .png")
    if column is not None:
        _histogram(read_text(what), called(what), column, output, png=ending == ".png", sample=sample)
        return
    if sample:
        raise click.UsageError("--sample needs --histogram.")
    from cavalcade.answers.tours import Tour
    from cavalcade.formats import png, svg

    seen = _seen(what, board, piece)
    if not isinstance(seen, Tour):
        for option, given in (("--board", board), ("--piece", piece), ("--numbers", numbers or None)):
            if given is not None:
                raise click.UsageError(f"{option} is for tours, and {what} is an empty board.")
    options = {"numbers": numbers} if isinstance(seen, Tour) else {}
    show((png if ending == ".png" else svg).write(seen, **options), output)


def _seen(what: str, board: str | None, piece: str | None) -> Tour | Board | MoveGraph:
    """The tour in a file, or the board of a spec or a file."""
    from cavalcade.formats import board_in, is_picture, parse
    from cavalcade.formats.npy import is_npy

    if not is_file(what):
        return read_board(what)
    if is_npy(what):
        return read_tour(what, board, piece)
    content = read_text(what)
    if is_picture(content) or Path(what).suffix.lower() in {".hcp", ".edges"}:
        return board_in(content, source=what, name=Path(what).stem)
    return parse(content, board=board and read_board(board), piece=piece, source=what)


def _histogram(table: str, source: str, column: str, output: str | None, *, png: bool, sample: bool) -> None:
    """Draw a column of a table with titles."""
    from cavalcade.draw.histogram import histogram, text_bars

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
    picture = histogram(values, column, sample=sample)
    if png:
        from cavalcade.draw.png import render

        show(render(picture), output)
    else:
        show(picture, output)


def _value(text: str) -> int | float | str:
    """A number where it is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
