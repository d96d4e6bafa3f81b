"""`cavalcade roesselsprung`: a text along a tour, and back."""

from __future__ import annotations

import click

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.common import (
    log,
    output_option,
    piece_option,
    read_board,
    read_text,
    seed_option,
    show,
    time_limit_option,
)
from cavalcade.cli.puzzle import deliver, puzzle_format, puzzle_format_option
from cavalcade.ground.errors import BoardError


@click.command()
@click.argument("file", metavar="TEXT")
@click.option("--board", metavar="BOARD", help="The board (default: one that fits the text).")
@piece_option
@click.option(
    "--language",
    metavar="L",
    help="Split words into syllables as this language hyphenates them: en, de, de_AT, fr, ... Needs pyphen.",
)
@click.option("--separator", metavar="X", help="Split words where the text has this sign.")
@click.option(
    "--solve", is_flag=True, help="TEXT is a Rösselsprung with its solution: check it, print its words."
)
@seed_option
@time_limit_option(10)
@puzzle_format_option
@output_option
def command(
    file: str,
    board: str | None,
    piece: str | None,
    *,
    language: str | None,
    separator: str | None,
    solve: bool,
    seed: int,
    time_limit: float | None,
    format_: str | None,
    output: str | None,
) -> int:
    """Put the words or syllables of the file TEXT on a board, in the order of an open tour.

    - is standard input. Where the board has more cells than the text has parts, the others become holes.
    The text format, which --solve reads back, has the solution below the puzzle, the page to print has it
    upside down, the picture has none.
    """
    if language is not None and separator is not None:
        raise click.UsageError(f"--language {language} contradicts --separator {separator}.")
    if solve and (language or separator or format_):
        raise click.UsageError("--solve does not go with --language, --separator or --format.")
    from cavalcade.question.graph import MoveGraph

    place = None if board is None else read_board(board)
    if isinstance(place, MoveGraph):
        raise BoardError(f"{place.title} is a graph, expected a board")
    if solve:
        from cavalcade.checking.tours import check
        from cavalcade.formats import read_roesselsprung

        found = read_roesselsprung(file, board=place, piece=piece)
        if not (checked := check(found.tour)):
            log(f"wrong: {checked.message}")
            return IMPOSSIBLE
        show(f"{found.text}\n", output)
        return FOUND
    format_ = puzzle_format(format_, output)
    from cavalcade.answers.puzzles import Roesselsprung
    from cavalcade.puzzles.syllables import roesselsprung

    made = roesselsprung(
        read_text(file),
        board=place,
        piece=piece,
        language=language,
        separator=separator,
        seed=seed,
        time_limit=time_limit,
    )
    code = deliver(made, format_, output)
    if isinstance(made, Roesselsprung):
        log(f"{made.title(made.board.title)}, {len(made.parts)} parts, seed {made.seed}")
    return code
