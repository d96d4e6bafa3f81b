"""`cavalcade puzzle`: a tour with most of its numbers removed, or a worksheet of several."""

from __future__ import annotations

import json
from itertools import count, islice
from typing import Annotated, Any

import cavalcade
from cavalcade import formats
from cavalcade.answers.status import AnswerStatus
from cavalcade.answers.verification import Verification
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, refuse_by_format, typed_options, verb
from cavalcade.cli.options import Natural, Positive, QuestionOptions, SearchOptions, question_of
from cavalcade.cli.writing import PuzzleOptions, TourOptions, checked, fail, log, show, tracked
from cavalcade.formats.table import SHEETS
from cavalcade.ground.errors import CavalcadeError
from cavalcade.puzzles.kinds import KINDS, KindName, kind_of

LEVELS = ("easy", "medium", "hard", "very-hard")
TRIES = 20  # seeds per puzzle of a worksheet: small boards have few different puzzles


@verb()
def command(
    options: QuestionOptions,
    *,
    kind: Annotated[KindName | None, option(excludes=["--piece"], implies=["--open"])] = None,
    given: Annotated[Natural | None, option(excludes=["--fewest", "--level"])] = None,
    fewest: Annotated[bool, option(excludes=["--level"])] = False,
    level: Annotated[str | None, option(choices=LEVELS)] = None,
    number: Annotated[Positive, option("-n", "--number")] = 1,
    page: Annotated[str | None, option(metavar="ADDRESS")] = None,
    solution: Annotated[bool, option(excludes=["--number"])] = False,
    search: SearchOptions,
    written: PuzzleOptions,
) -> int:
    """Make a puzzle on BOARD: a tour with most of its numbers removed, and exactly one solution.

    The tour is closed, or open with --open. --kind makes a puzzle with a name, which has its own piece and an
    open tour. An exhaustive search proves that there is one solution. Standard error gives the difficulty.
    With -n and a PDF, several different puzzles are a worksheet for a class, with room for a name, and an
    answer key on a page of its own. Exit codes: 0 made, 1 no tour exists, 2 bad input, 3 no puzzle found.

    Options:
        kind: hidato (king), numbrix (wazir), hopido (0,3+2,2), holy-knight (a knight on a board with holes),
            zip (wazir; the numbers are an order, and there are walls) or rikudo (hexagonal cells, some of
            them linked by dots).
        given: How many numbers to give (default: a third, or more if a third is not enough).
        solution: Write the solution, not the puzzle; the same seed makes the same puzzle.
        fewest: Remove numbers until every number is needed.
        level: How hard it is: easy needs only the next number, medium needs reasoning, hard a guess.
        number: Make N different puzzles, with consecutive seeds.
        page: In a PDF, add to each puzzle a QR code that opens it in the page of the studio at ADDRESS.
    """
    refuse_by_format(written.format, {("pdf",): ("page",)})
    looks: dict[str, Any] = {"page": page} if page else {}
    words: dict[str, Any] = {"given": given, "fewest": fewest, "level": level and level.replace("-", " ")}
    question = options.question() if kind is None else _question_of(kind, options)
    puzzles: dict[tuple[tuple[int, int], ...], cavalcade.Puzzle] = {}
    tries = islice(count(search.seed), 1 if number == 1 else TRIES * number)
    for puzzle in tracked(tries, "making puzzles", TRIES * number):
        made = cavalcade.puzzle(question, kind=kind, **words, seed=puzzle, time_limit=search.time_limit)
        if not isinstance(made, cavalcade.Puzzle):
            return fail(made.status, made.reason)
        puzzles.setdefault(made.given, made)
        if len(puzzles) == number:
            break
    else:
        few = f"{len(puzzles)} different puzzles were found in {TRIES * number} tries"
        raise CavalcadeError(f"-n {number} is too many for {question.board.title}: {few}")
    several = list(puzzles.values())
    verifications = [_solved_again(puzzle) for puzzle in several]
    if solution and several[0].solution is not None:
        TourOptions(written.format_, written.output, written.json_, written.looks).show(several[0].solution)
    elif number == 1:
        written.show(several[0], _about(several[0]), **looks)
    elif written.format in SHEETS:
        written.show(several, **looks)
    elif written.json_:
        lines = [json.dumps(_about(puzzle), ensure_ascii=False) for puzzle in several]
        show("".join(f"{line}\n" for line in lines), written.output)
    else:
        show("\n".join(formats.write(puzzle, written.format) for puzzle in several), written.output)
    for made, verification in zip(several, verifications, strict=True):
        marks = ((made.required, "link"), (made.forbidden, "wall"))
        listed = "".join(f"{len(moves)} {mark}{'s' * (len(moves) > 1)}, " for moves, mark in marks if moves)
        what = f"{len(made.given)} of {made.board.size} numbers, {listed}{made.grade}, exactly one solution, "
        what += checked(verification)
        name = f" ({kind})" if kind else ""
        of = "solution of the " * solution + made.title(made.board.title)
        log(f"{of}{name}, {what}, seed {made.seed}")
    return ExitCode.FOUND


def _question_of(name: KindName, options: QuestionOptions) -> cavalcade.Question:
    """Return the question of a puzzle of a kind, on the board of the options."""
    kind = KINDS[name]
    if "open" in typed_options() and not options.words.open:
        raise CavalcadeError(f"{kind.title} has an open tour: drop --closed")
    words = {**options.keywords(), "piece": kind.piece, "open": True}
    board = kind.board(options.reading.board(options.board, options.without))
    return question_of(board, **words)


def _solved_again(made: cavalcade.Puzzle) -> Verification:
    """Solve a puzzle, and return how it was checked that it has one solution."""
    solved = cavalcade.solve(made, most=2)
    if solved.complete and not solved.unique:
        raise AssertionError(f"a puzzle of {made.board.title} has {len(solved.tours)} solutions")
    return solved.verification


def _about(made: cavalcade.Puzzle) -> dict[str, Any]:
    """Return the object that `--json` prints."""
    from cavalcade.formats.json import about

    numbers = {made.board.name(cell): step for step, cell in made.given}
    solution = made.solution and made.solution.names
    marks = {"links": made.moves(made.required), "walls": made.moves(made.forbidden)}
    question = about(made.board, made.piece, made.kind, AnswerStatus.FOUND) | {"given": numbers}
    question |= {"puzzle": kind_of(made) or None, "ordered": made.ordered, **marks}
    return question | {"grade": made.grade, "seed": made.seed, "solution": solution}
