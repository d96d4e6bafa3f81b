"""`cavalcade puzzle`: a tour with most of its numbers removed."""

from __future__ import annotations

from cavalcade.cli.command import verb
from cavalcade.cli.options import Natural, Output, QuestionOptions, Seed
from cavalcade.cli.puzzles import PuzzleFormat, give
from cavalcade.cli.writing import format_for, log
from cavalcade.formats.table import PUZZLES


@verb(time_limit="none")
def command(
    asked: QuestionOptions,
    *,
    given: Natural | None = None,
    fewest: bool = False,
    seed: Seed = 0,
    format_: PuzzleFormat | None = None,
    output: Output | None = None,
    time_limit: float | None = None,
) -> int:
    """Make a puzzle on BOARD: a tour with most of its numbers removed, and exactly one solution.

    The tour is closed, or open with --open. That there is one solution is proved by exhaustive search.
    Standard error gives the difficulty. Exit codes: 0 made, 1 no tour exists, 2 bad input, 3 no puzzle found.

    Options:
        given: How many numbers to give (default: a third, or more where that is not enough). Excludes
            --fewest.
        fewest: Remove numbers until none can be spared.
    """
    format_ = format_for(format_, output, PUZZLES)
    question = asked.question()
    from cavalcade.answers.puzzles import Puzzle
    from cavalcade.puzzles.making import puzzle

    made = puzzle(question, given=given, fewest=fewest, seed=seed, time_limit=time_limit)
    code = give(made, format_, output)
    if isinstance(made, Puzzle):
        what = f"{len(made.given)} of {made.board.size} numbers"
        log(f"{made.title(made.board.title)}, {what}, {made.grade}, exactly one solution, seed {made.seed}")
    return code
