"""How `puzzle` and `roesselsprung` give what they made."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import click

from cavalcade.cli import FOUND
from cavalcade.cli.command import option
from cavalcade.cli.writing import EXIT_CODES, log, show
from cavalcade.formats.table import PUZZLES, names_of

if TYPE_CHECKING:
    from cavalcade.answers.puzzles import Puzzle, Roesselsprung
    from cavalcade.answers.verdict import Impossible, Undecided

PuzzleFormat = Annotated[
    str,
    option(
        type=click.Choice(names_of(*PUZZLES)),
        help="Text, a picture, or a page to print with the solution upside down (default: text).",
    ),
]


def give(made: Puzzle | Roesselsprung | Impossible | Undecided, format_: str, output: str | None) -> int:
    """Show a puzzle, or state why there is none; returns the exit code."""
    from cavalcade.answers.verdict import Impossible, Undecided
    from cavalcade.formats import rendered

    if isinstance(made, Impossible | Undecided):
        log(f"{made.status}: {made.reason}")
        return EXIT_CODES[made.status]
    show(rendered(made, format_), output)
    return FOUND
