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
@beside_option
@output_option
def command(
    file: str, board: str | None, piece: str | None, *, format_: str | None, beside: bool, output: str | None
) -> None:
    """Write the tour in FILE, of any format but pictures, in another format; - is standard input.

    The tour is not checked: a walk that got stuck can be converted too.
    """
    format_ = format_for(format_, output)
    tour = read_tour(file, board, piece)
    if format_ != "npy" or output is None:
        show(rendered(tour, format_, beside=beside), output)
        return
    from cavalcade.formats import npy

    npy.save(tour, output)
