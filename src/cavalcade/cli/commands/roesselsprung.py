"""`cavalcade roesselsprung`: a text along a tour, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import Output, PieceSpec, Seed
from cavalcade.cli.puzzles import PuzzleFormat, give
from cavalcade.cli.reading import read_board
from cavalcade.cli.writing import format_for, log, show
from cavalcade.formats.table import PUZZLES

if TYPE_CHECKING:
    from cavalcade.boards import Board


@verb(time_limit="10")
def command(
    file: Annotated[str, option(metavar="TEXT")],
    *,
    board: Annotated[str | None, option(metavar="BOARD")] = None,
    piece: PieceSpec | None = None,
    language: Annotated[str | None, option(metavar="L")] = None,
    separator: Annotated[str | None, option(metavar="X")] = None,
    solve: bool = False,
    seed: Seed = 0,
    format_: PuzzleFormat | None = None,
    output: Output | None = None,
    time_limit: float | None = None,
) -> int:
    """Put the words or syllables of the file TEXT on a board, in the order of an open tour.

    - is standard input. Where the board has more cells than the text has parts, the others become holes.
    The text format, which --solve reads back, has the solution below the puzzle, the page to print has it
    upside down, the picture has none.

    Options:
        board: The board (default: one that fits the text).
        language: Split words into syllables as this language hyphenates them: en, de, de_AT, fr, ... Needs
            pyphen. Excludes --separator.
        separator: Split words at this sign in the text.
        solve: TEXT is a Rösselsprung with its solution: check it, and print its words. Excludes --language,
            --separator, --format.
    """
    from cavalcade.question.graph import board_of

    place = None if board is None else board_of(read_board(board))
    if solve:
        return _solve(file, place, piece, output)
    format_ = format_for(format_, output, PUZZLES)
    from cavalcade.answers.puzzles import Roesselsprung
    from cavalcade.formats import read_file
    from cavalcade.puzzles.syllables import roesselsprung

    made = roesselsprung(
        read_file(file),
        board=place,
        piece=piece,
        language=language,
        separator=separator,
        seed=seed,
        time_limit=time_limit,
    )
    code = give(made, format_, output)
    if isinstance(made, Roesselsprung):
        log(f"{made.title(made.board.title)}, {len(made.parts)} parts, seed {made.seed}")
    return code


def _solve(file: str, board: Board | None, piece: str | None, output: str | None) -> int:
    """Check a Rösselsprung, and print its words."""
    from cavalcade.checking.tours import check
    from cavalcade.formats import read_roesselsprung

    found = read_roesselsprung(file, board=board, piece=piece)
    if not (checked := check(found.tour)):
        log(f"wrong: {checked.message}")
        return IMPOSSIBLE
    show(f"{found.text}\n", output)
    return FOUND
