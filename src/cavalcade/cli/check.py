"""`cavalcade check`: is it a tour, or a proof that there is none?"""

from __future__ import annotations

import click

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.common import parse_tour, piece_option, read_board, read_text, show

board_option = click.option(
    "--board", metavar="BOARD", help="What it is a tour of, where the file does not say."
)


@click.command()
@click.argument("file")
@board_option
@piece_option
def command(file: str, board: str | None, piece: str | None) -> int:
    """Check the tour in FILE, of any format but pictures, or the certificate; - is standard input.

    Prints that it is right, or the first thing that is wrong. Exit code 0 if it is right, 1 if it is
    wrong, 2 if the file cannot be read.
    """
    from cavalcade.certificate import from_json, is_certificate
    from cavalcade.checker import check

    text = read_text(file)
    if is_certificate(text):
        from cavalcade.pieces import parse_piece
        from cavalcade.proofs.verify import verify

        place = None if board is None else read_board(board)
        mover = None if piece is None else parse_piece(piece)
        said = verify(from_json(text, board=place, piece=mover))
    else:
        said = check(parse_tour(text, file, board, piece))
    show(f"{said.message}\n")
    return FOUND if said else IMPOSSIBLE
