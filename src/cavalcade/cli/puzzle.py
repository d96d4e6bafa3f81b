"""`cavalcade puzzle`: a tour with most of its numbers taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cavalcade.cli import FOUND
from cavalcade.cli.common import (
    log,
    output_option,
    problem_options,
    read_problem,
    seed_option,
    show,
    time_limit_option,
    writable,
)
from cavalcade.cli.tour import EXIT_CODES
from cavalcade.formats import format_of, rendered
from cavalcade.formats.table import FORMATS, PUZZLES
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from cavalcade.answers.puzzles import Puzzle, Roesselsprung
    from cavalcade.answers.verdict import Impossible, Undecided
    from cavalcade.question.constraints import Constraints

PUZZLE_FORMATS = tuple(one.name for one in FORMATS if set(PUZZLES) <= set(one.holds))

puzzle_format_option = click.option(
    "--format",
    "format_",
    type=click.Choice(PUZZLE_FORMATS),
    help="Text, a picture, or a page to print with the solution upside down (default: text).",
)


@click.command()
@problem_options
@click.option(
    "--given",
    type=click.IntRange(min=0),
    metavar="N",
    help="How many numbers stay (default: a third, or more where that is not enough).",
)
@click.option("--fewest", is_flag=True, help="Take numbers away until none can be spared.")
@seed_option
@time_limit_option(30)
@puzzle_format_option
@output_option
def command(
    board: str,
    piece: str | None,
    *,
    open_: bool,
    start: str | None,
    end: str | None,
    without: str | None,
    given: int | None,
    fewest: bool,
    constraints: Constraints,
    seed: int,
    time_limit: float | None,
    format_: str | None,
    output: str | None,
) -> int:
    """Make a puzzle on BOARD: a tour with most of its numbers taken away, and one way to put them back.

    The tour is closed, or open with --open. The puzzle has exactly one solution: every way to fill it was
    tried. Standard error says how hard it is. Exit code 1 if the board has no tour, 3 if no
    puzzle was found.
    """
    if given is not None and fewest:
        raise click.UsageError(f"--given {given} contradicts --fewest.")
    format_ = puzzle_format(format_, output)
    question = read_problem(board, piece, without, start, end, constraints, open_=open_)
    from cavalcade.answers.puzzles import Puzzle
    from cavalcade.puzzles.making import puzzle

    made = puzzle(question, given=given, fewest=fewest, seed=seed, time_limit=time_limit)
    code = deliver(made, format_, output)
    if isinstance(made, Puzzle):
        what = f"{len(made.given)} of {made.board.size} numbers"
        log(f"{made.title(made.board.title)}, {what}, {made.grade}, exactly one solution, seed {made.seed}")
    return code


def puzzle_format(given: str | None, output: str | None) -> str:
    """The format asked for, or that of the file's ending, or text."""
    writable(output)
    if given is not None or output is None:
        return given or "text"
    if (format_ := format_of(output)) not in PUZZLE_FORMATS:
        expected = f"expected {', '.join(PUZZLE_FORMATS)}, or --format"
        raise FormatError(f"the ending of {output!r} does not name a format for puzzles, {expected}")
    return format_


def deliver(made: Puzzle | Roesselsprung | Impossible | Undecided, format_: str, output: str | None) -> int:
    """Show a puzzle, or say why there is none; returns the exit code."""
    from cavalcade.answers.verdict import Impossible, Undecided

    if isinstance(made, Impossible | Undecided):
        log(f"{made.status}: {made.reason}")
        return EXIT_CODES[made.status]
    show(rendered(made, format_), output)
    return FOUND
