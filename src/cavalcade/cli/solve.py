"""`cavalcade solve`: a tour with some of its numbers, the others wanted."""

from __future__ import annotations

import click

from cavalcade.cli.check import board_option
from cavalcade.cli.common import (
    TOUR_FORMATS,
    format_for,
    log,
    output_option,
    piece_option,
    read_board,
    rendered,
    seed_option,
    show,
    time_limit_option,
)
from cavalcade.cli.tour import EXIT_CODES


@click.command()
@click.argument("file")
@board_option
@piece_option
@click.option(
    "--open/--closed",
    "open_",
    default=None,
    help="An open or a closed tour, whatever the file says (default: what it says, else closed).",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    metavar="N",
    help="Stop after N solutions.",
)
@click.option(
    "--method",
    type=click.Choice(("search", "sat")),
    default="search",
    show_default=True,
    help="Propagation and branching, or a SAT solver.",
)
@seed_option
@time_limit_option(60)
@click.option(
    "--format",
    "format_",
    type=click.Choice(TOUR_FORMATS),
    help="Format of the solution (default: text).",
)
@output_option
def command(
    file: str,
    board: str | None,
    piece: str | None,
    *,
    open_: bool | None,
    most: int,
    method: str,
    seed: int,
    time_limit: float | None,
    format_: str | None,
    output: str | None,
) -> int:
    """Solve the puzzle in FILE: numbers on a board, with `.` on the squares where they are wanted.

    - is standard input. Shows the first solution, and says on standard error how many there are, up to a
    bound. Every solution is checked. Exit code 0 if there is one or more, 1 if there is none, 2 if the file
    cannot be read, 3 if undecided.
    """
    format_ = format_for(format_, output)
    place = None if board is None else read_board(board)
    from cavalcade.formats import read_puzzle
    from cavalcade.puzzles.solving import solve

    puzzle = read_puzzle(file, board=place, piece=piece, open=open_)
    solved = solve(puzzle, most=most, seed=seed, time_limit=time_limit, method=method)
    if not solved.tours:
        log(f"{solved.status}: {solved.reason}")
        return EXIT_CODES[solved.status]
    show(rendered(solved.tours[0], format_), output)
    count = len(solved.tours)
    what = puzzle.title(puzzle.board.title)
    if solved.unique:
        log(f"{what}: exactly one solution, every other way was tried")
    elif solved.complete:
        log(f"{what}: {count:,} solutions, all there are; this is the first")
    else:
        many = "1 solution" if count == 1 else f"{count:,} solutions"
        log(f"{what}: {many} or more, {solved.reason}; this is the first")
    return EXIT_CODES[solved.status]
