"""`cavalcade convert`: one format into another."""

from __future__ import annotations

import click

from cavalcade.cli.check import board_option
from cavalcade.cli.common import (
    TOUR_FORMATS,
    beside_option,
    format_for,
    output_option,
    piece_option,
    read_tour,
    rendered,
    show,
)


@click.command()
@click.argument("file")
@board_option
@piece_option
@click.option(
    "--format", "format_", type=click.Choice(TOUR_FORMATS), help="Format of the tour (default: text)."
)
@click.option("--from", "start", metavar="CELL", help="Begin the closed tour at this cell.")
@click.option("--reverse", is_flag=True, help="Walk the tour backwards; a closed one from the same cell.")
@click.option(
    "--no-comment", is_flag=True, help="Leave out the comment about board and piece, as PROC IMPORT needs it."
)
@beside_option
@output_option
def command(
    file: str,
    board: str | None,
    piece: str | None,
    *,
    start: str | None,
    reverse: bool,
    format_: str | None,
    no_comment: bool,
    beside: bool,
    output: str | None,
) -> None:
    """Write the tour in FILE, of any format but pictures, in another format; - is standard input.

    The tour is not checked: a walk that got stuck can be converted too.
    """
    format_ = format_for(format_, output)
    if no_comment and format_ not in {"text", "csv", "wide", "sas"}:
        raise click.UsageError(f"--no-comment goes with text, csv, wide and sas, not with {format_}.")
    tour = read_tour(file, board, piece)
    tour = tour.reversed() if reverse else tour
    tour = tour if start is None else tour.rotated(start)
    if format_ != "npy" or output is None:
        show(rendered(tour, format_, beside=beside, comment=not no_comment), output)
        return
    from cavalcade.formats import npy

    npy.save(tour, output)
