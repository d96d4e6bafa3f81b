"""`cavalcade solve`: a tour with some of its numbers, the others wanted."""

from __future__ import annotations

from typing import Annotated, Literal

import cavalcade
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import BoardOf, File, Open, PieceSpec, Positive, SearchOptions
from cavalcade.cli.writing import EXIT_CODES, TourOptions, checked, fail, log
from cavalcade.formats.files import called
from cavalcade.ground.errors import FormatError


@verb(time_limit="60")
def command(
    file: File,
    *,
    board: BoardOf | None = None,
    piece: PieceSpec | None = None,
    open_: Annotated[Open | None, option("--open/--closed", " /--no-open")] = None,
    most: Positive = 1000,
    method: Literal["search", "sat"] = "search",
    search: SearchOptions,
    written: TourOptions,
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
    puzzle = cavalcade.read_puzzle(file, board=board, piece=piece, open=open_)
    solved = cavalcade.solve(puzzle, most=most, **vars(search), method=method)
    if not solved.tours:
        if solved.status == "impossible":
            _assert_steps(puzzle, called(file))
        return fail(solved.status, solved.reason)
    count = len(solved.tours)
    about = {"status": solved.status, "solutions": count, "complete": solved.complete}
    about["verification"] = solved.verification
    advice = f"--method {'search' if method == 'sat' else 'sat'} searches in another way"
    how = checked(solved.verification, advice)
    written.show(solved.tours[0], about | {"method": solved.method})
    what = puzzle.title(puzzle.board.title)
    if solved.unique:
        log(f"{what}: exactly one solution, the search was exhaustive; {how}")
    elif solved.complete:
        log(f"{what}: {count:,} solutions, all of them; this is the first; {how}")
    else:
        many = "1 solution" if count == 1 else f"{count:,} solutions"
        log(f"{what}: at least {many}, {solved.reason}; this is the first")
    return EXIT_CODES[solved.status]


def _assert_steps(puzzle: cavalcade.Puzzle, source: str) -> None:
    """Check that the numbers 1, 2, … of a puzzle without solution are meant as steps of the tour.

    Raises:
        FormatError: two consecutive numbers are not a move apart, so they may be the order of some squares.
    """
    numbers = dict(puzzle.given)
    k = len(numbers)
    graph = cavalcade.move_graph(puzzle.board, piece=puzzle.piece)
    if not 2 < k < puzzle.board.size or set(numbers) != {*range(1, k + 1)}:
        return
    for step in range(1, k):
        if numbers[step + 1] not in graph.neighbours(numbers[step]):
            a, b = (puzzle.board.name(numbers[number]) for number in (step, step + 1))
            raise FormatError(
                f"{source}: the numbers 1 to {k} are not steps of a tour, because no move leads from {step} "
                f"on {a} to {step + 1} on {b}. If they are the order in which a tour visits {k} squares, as "
                "in the puzzle Zip: cavalcade solves puzzles of steps only"
            )
