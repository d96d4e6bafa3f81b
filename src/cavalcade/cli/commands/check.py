"""`cavalcade check`: is it a tour, or a proof that there is none?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import BoardOf, PieceSpec
from cavalcade.cli.reading import read_board
from cavalcade.cli.writing import progress, show

if TYPE_CHECKING:
    from cavalcade.answers.certificate import Certificate
    from cavalcade.answers.tours import Tour
    from cavalcade.checking.tours import Checked


Claims = Annotated[
    str,
    option(
        metavar="STATEMENT",
        help="What the file must be about, such as 'closed tour of 8x8, knight', or with 'no' before it.",
    ),
]


@verb()
def command(
    file: str, *, board: BoardOf | None = None, piece: PieceSpec | None = None, claims: Claims | None = None
) -> int:
    """Check the tour or the certificate in FILE, or the survey in a directory; - is standard input.

    The tour may have any format but a picture. A .npy file of steps or moves is a tour of the box with the
    array's sides, unless --board names another board. Prints the whole statement that it is right about, or
    the first thing that is wrong. Exit codes: 0 right, 1 wrong, or about something else than --claims, 2 the
    file cannot be read, 3 undecided.
    """
    from cavalcade.answers.certificate import is_certificate
    from cavalcade.checking.tours import check
    from cavalcade.formats import parse, parse_certificate, read_file
    from cavalcade.formats.files import called
    from cavalcade.formats.npy import is_npy

    if Path(file).is_dir():
        return _check_survey(file)
    if is_npy(file) and claims is None:
        return _check_npy(file, board, piece)
    if is_npy(file):
        from cavalcade.formats import npy

        array = npy.read(file, board and read_board(board), piece)
        return _claimed(array, check(array), claims)
    text, source, place = read_file(file), called(file), None if board is None else read_board(board)
    if is_certificate(text):
        from cavalcade.checking.certificates import verify

        proof = parse_certificate(text, board=place, piece=piece, source=source)
        return _claimed(proof, verify(proof), claims)
    tour = parse(text, board=place, piece=piece, source=source)
    return _claimed(tour, check(tour), claims)


def _claimed(found: Tour | Certificate, checked: Checked, claims: str | None) -> int:
    """Print what is right, or else what is wrong, or that it is about something else than what is claimed."""
    from cavalcade.checking.claims import other_than

    other = "" if claims is None or not checked else other_than(claims, found)
    show(f"{other or checked.message}\n")
    return FOUND if checked and not other else IMPOSSIBLE


def _check_npy(file: str, board: str | None, piece: str | None) -> int:
    """Check an array, however large."""
    from cavalcade.checking.arrays import check_array
    from cavalcade.formats.npy import open_array
    from cavalcade.question.graph import board_of

    array = open_array(file)
    place = None if board is None else board_of(read_board(board))
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
