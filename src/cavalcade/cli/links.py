"""`cavalcade links`: the moves of a board, as other programs read them."""

from __future__ import annotations

import click

from cavalcade.cli.common import (
    GRAPH_FORMATS,
    output_option,
    piece_option,
    read_board,
    read_piece,
    show,
    without_option,
    writable,
)
from cavalcade.formats.table import chosen


@click.command()
@click.argument("board")
@piece_option
@click.option(
    "--format",
    "format_",
    type=click.Choice(GRAPH_FORMATS),
    help="A table from, to, weight; a SAS data step; edges, two labels per line; or a format without labels "
    "(default: that of FILE, or csv).",
)
@click.option(
    "--labels",
    type=click.Choice(("names", "i_j")),
    default="names",
    show_default=True,
    help="Call the cells by their names, like a8, or by row and column, like 1_1.",
)
@without_option
@output_option
def command(
    board: str,
    piece: str | None,
    *,
    format_: str | None,
    labels: str,
    without: str | None,
    output: str | None,
) -> None:
    """Write every move of BOARD once, as a link of weight 1: what PROC OPTGRAPH calls DATA_LINKS.

    A cell without a move is in no link.
    """
    from cavalcade.formats import rendered
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.moves import links

    writable(output)
    format_ = chosen(format_, output, "MoveGraph", "csv")
    place = read_board(board, without)
    mover = None if isinstance(place, MoveGraph) else read_piece(piece, place)
    show(rendered(links(place, piece=mover, labels=labels), format_), output)
