"""`cavalcade check`: is it a tour?"""

from __future__ import annotations

import click

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.common import piece_option, read_tour, show

board_option = click.option(
    "--board", metavar="BOARD", help="What it is a tour of, where the file does not say."
)


@click.command()
@click.argument("file")
@board_option
@piece_option
def command(file: str, board: str | None, piece: str | None) -> int:
    """Check the tour in FILE, of any format but pictures; - is standard input.

    Prints that it is right, or the first thing that is wrong. Exit code 0 if it is right, 1 if it is
    wrong, 2 if the file cannot be read.
    """
    from cavalcade.checker import check

    said = check(read_tour(file, board, piece))
    show(f"{said.message}\n")
    return FOUND if said else IMPOSSIBLE
