"""`cavalcade draw`: a picture of a tour or of an empty board."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cavalcade.cli.check import board_option
from cavalcade.cli.common import (
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
@output_option
def command(what: str, board: str | None, piece: str | None, output: str | None, *, numbers: bool) -> None:
    """Draw the tour in FILE, or an empty BOARD: SVG on standard output, or FILE.svg or FILE.png."""
    ending = Path(output).suffix.lower() if output else ".svg"
    if ending not in {".svg", ".png"}:
        raise FormatError(f"{output!r} does not name a picture, expected .svg or .png")
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
