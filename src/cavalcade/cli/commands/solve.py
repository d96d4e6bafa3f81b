"""`cavalcade solve`: a tour with some of its numbers, the others wanted."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Annotated, Literal

import cavalcade
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import BoardOf, File, Open, PieceSpec, Positive, SearchOptions, assert_fits, word
from cavalcade.cli.writing import EXIT_CODES, TourOptions, checked, fail, log
from cavalcade.formats.puzzle import constrained
from cavalcade.puzzles.grading import grade_of
from cavalcade.puzzles.kinds import KindName, as_kind, kind_of

# advice if the puzzle may be of a kind that neither its file nor an option names
OTHERWISE = "(a Hidato or a Numbrix needs --kind, an open tour --open)"


@verb(time_limit="60")
def command(
    file: File,
    *,
    board: BoardOf | None = None,
    piece: PieceSpec | None = None,
    open_: Annotated[Open | None, option("--open/--closed", " /--no-open")] = None,
    with_: Annotated[tuple[str, ...], word("with_")] = (),
    avoid: Annotated[tuple[str, ...], word("avoid")] = (),
    kind: Annotated[KindName | None, option(excludes=["--piece", "--open", "--given-as"])] = None,
    given_as: Annotated[Literal["steps", "order"] | None, option("--given-as")] = None,
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
        kind: The kind of the puzzle, if the file does not say it: it sets the piece, an open tour, and what
            the numbers are.
        given_as: What the numbers are: steps of the tour, or the order in which it visits some squares, as in
            the puzzle Zip (default: what the file gives; otherwise steps, or an order if the numbers 1, 2, …
            are too far apart for steps).
        open_: An open or a closed tour (default: what the file gives, otherwise closed).
        most: Stop after N solutions.
        method: Propagation and branching, or a SAT solver.
    """
    puzzle = cavalcade.read_puzzle(file, board=board, piece=piece, open=open_)
    puzzle = constrained(puzzle if kind is None else as_kind(puzzle, kind), with_, avoid)
    if given_as is not None:
        puzzle = replace(puzzle, ordered=given_as == "order")
    elif kind is None and not puzzle.ordered and (reason := _no_steps(puzzle)):
        puzzle = replace(puzzle, ordered=True)
        log(f"the numbers are read as an order of squares, because {reason}; --given-as steps says otherwise")
    assert_fits(puzzle.board, puzzle.piece)
    solved = cavalcade.solve(puzzle, most=most, **vars(search), method=method)
    if not solved.tours:
        guessed = solved.status == "impossible" and (kind, piece) == (None, None)
        otherwise = OTHERWISE if open_ is None and puzzle.closed else OTHERWISE.partition(",")[0] + ")"
        return fail(solved.status, solved.reason, otherwise if guessed else "")
    count = len(solved.tours)
    about = {"status": solved.status, "solutions": count, "complete": solved.complete}
    about["verification"] = solved.verification
    advice = f"--method {'search' if method == 'sat' else 'sat'} searches in another way"
    how = checked(solved.verification, advice)
    written.show(solved.tours[0], about | {"method": solved.method})
    name = kind_of(puzzle)
    what = puzzle.title(puzzle.board.title) + (f" ({name})" if name else "")
    if solved.unique:
        level = ""
        with suppress(TimeoutError):  # the solution stands without a level
            level = f"{grade_of(puzzle)}, "
        log(f"{what}: {level}exactly one solution by exhaustive search; {how}")
    elif solved.complete:
        log(f"{what}: {count:,} solutions, all of them; this is the first; {how}")
    else:
        many = "1 solution" if count == 1 else f"{count:,} solutions"
        log(f"{what}: at least {many}, {solved.reason}; this is the first")
    return EXIT_CODES[solved.status]


def _no_steps(puzzle: cavalcade.Puzzle) -> str:
    """Return why the numbers 1, 2, … of a puzzle are not steps of its tour, or ""."""
    numbers = dict(puzzle.given)
    k = len(numbers)
    if not 2 < k < puzzle.board.size or set(numbers) != {*range(1, k + 1)}:
        return ""
    graph = cavalcade.move_graph(puzzle.board, piece=puzzle.piece)
    for step in range(1, k):
        if numbers[step + 1] not in graph.neighbours(numbers[step]):
            a, b = (puzzle.board.name(numbers[number]) for number in (step, step + 1))
            return f"no move leads from {step} on {a} to {step + 1} on {b}"
    return ""
