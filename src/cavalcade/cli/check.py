"""`cavalcade check`: is it a tour, or a proof that there is none?"""

from __future__ import annotations

from pathlib import Path

import click

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.common import called, parse_tour, piece_option, progress, read_board, read_text, show
from cavalcade.ground.errors import FormatError

board_option = click.option(
    "--board", metavar="BOARD", help="The board of the tour; needed if the file does not name it."
)


@click.command()
@click.argument("file")
@board_option
@piece_option
def command(file: str, board: str | None, piece: str | None) -> int:
    """Check the tour or the certificate in FILE, or the survey in a directory; - is standard input.

    The tour may have any format but a picture. A .npy file of steps or moves is a tour of the box with the
    array's sides, unless --board names another board. Prints that it is right, or the first thing that is
    wrong. Exit code 0 if it is right, 1 if it is wrong, 2 if the file cannot be read.
    """
    from cavalcade.answers.certificate import is_certificate
    from cavalcade.checking.tours import check
    from cavalcade.formats import parse_certificate
    from cavalcade.formats.npy import is_npy

    if Path(file).is_dir():
        return _check_survey(file)
    if is_npy(file):
        return _check_npy(file, board, piece)
    text = read_text(file)
    if is_certificate(text):
        from cavalcade.checking.certificates import verify
        from cavalcade.question.pieces import parse_piece

        place = None if board is None else read_board(board)
        mover = None if piece is None else parse_piece(piece)
        checked = verify(parse_certificate(text, board=place, piece=mover, source=called(file)))
    else:
        checked = check(parse_tour(text, file, board, piece))
    show(f"{checked.message}\n")
    return FOUND if checked else IMPOSSIBLE


def _check_npy(file: str, board: str | None, piece: str | None) -> int:
    """Check an array, however large."""
    from cavalcade.checking.arrays import check_array
    from cavalcade.formats.npy import open_array
    from cavalcade.question.graph import MoveGraph

    array = open_array(file)
    place = None if board is None else read_board(board)
    if isinstance(place, MoveGraph):
        raise FormatError(f"{file} is an array, but {place.title} is a graph, expected a board")
    with progress(f"checking {file}") as report:
        checked = check_array(array, place, piece=piece, progress=report)
    show(f"{checked.message}\n")
    return FOUND if checked else IMPOSSIBLE


def _check_survey(directory: str) -> int:
    """Check that no batch is lost, and every tour and certificate that was kept."""
    from cavalcade.surveys.batches import read_survey
    from cavalcade.surveys.verifying import check_survey

    survey = read_survey(directory)
    most = max(1, -(-survey.family.most // survey.batch))
    right, wrong = 0, []
    with progress(f"checking {directory}") as report:
        for number, (some, fault) in enumerate(check_survey(survey), 1):
            right += some
            wrong += [fault] * bool(fault)
            if report is not None:
                report(min(number / most, 1.0))
    kept = f"{right:,} tours and certificates checked" if survey.asking.keep else "nothing else was kept"
    show("".join(f"{fault}\n" for fault in wrong) or f"every question has its row; {kept}\n")
    return IMPOSSIBLE if wrong else FOUND
