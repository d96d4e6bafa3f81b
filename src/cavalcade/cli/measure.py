"""`cavalcade measure`: turns, crossings, areas, symmetry, magic."""

from __future__ import annotations

import click

from cavalcade.cli.check import board_option
from cavalcade.cli.common import piece_option, read_tour, show


@click.command()
@click.argument("file", metavar="TOUR")
@board_option
@piece_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(file: str, board: str | None, piece: str | None, *, as_json: bool) -> None:
    """Measure the tour in a file, open or closed, whole or partial; - is standard input.

    What has no meaning on the board is left out. Exit code 2 if a move is no move, or a cell is visited
    twice.
    """
    measures = read_tour(file, board, piece).measure()
    show(measures.to_json() if as_json else str(measures))
