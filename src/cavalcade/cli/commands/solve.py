"""`cavalcade solve`: a tour with some of its numbers, the others wanted."""

from __future__ import annotations

from typing import Literal

from cavalcade.cli.command import verb
from cavalcade.cli.options import BoardOf, Output, PieceSpec, Positive, Seed, TourFormat
from cavalcade.cli.reading import read_board
from cavalcade.cli.writing import EXIT_CODES, format_for, log, show


@verb(time_limit="60")
def command(
    file: str,
    *,
    board: BoardOf | None = None,
    piece: PieceSpec | None = None,
    open_: bool | None = None,
    most: Positive = 1000,
    method: Literal["search", "sat"] = "search",
    seed: Seed = 0,
    format_: TourFormat | None = None,
    output: Output | None = None,
    time_limit: float | None = None,
) -> int:
    """Solve the puzzle in FILE: numbers on a board, with `.` on the squares where a number is wanted.

    - is standard input. Prints the first solution; standard error gives the number of solutions, up to
    --most. Every solution is checked. Exit codes: 0 solved, 1 no solution exists, 2 the file cannot be read,
    3 undecided.

    Options:
        open_: An open or a closed tour (default: what the file gives, otherwise closed).
        most: Stop after N solutions.
        method: Propagation and branching, or a SAT solver.
    """
    format_ = format_for(format_, output)
    place = None if board is None else read_board(board)
    from cavalcade.formats import read_puzzle, rendered
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
        log(f"{what}: exactly one solution, the search was exhaustive")
    elif solved.complete:
        log(f"{what}: {count:,} solutions, all of them; this is the first")
    else:
        many = "1 solution" if count == 1 else f"{count:,} solutions"
        log(f"{what}: at least {many}, {solved.reason}; this is the first")
    return EXIT_CODES[solved.status]
