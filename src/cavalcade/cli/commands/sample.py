"""`cavalcade sample`: tours drawn at random, or by their ranks."""

from __future__ import annotations

import re
from itertools import chain
from typing import Annotated

import cavalcade
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import File, Positive, QuestionOptions, Seed
from cavalcade.cli.tour_lists import ListOptions
from cavalcade.cli.writing import counting, fail, log, show, show_json
from cavalcade.ground.errors import CavalcadeError, TooLargeError

DRAWING = ("--number", "--seed", "--distinct")


@verb(memory="half of the machine's")
def command(
    options: QuestionOptions,
    written: ListOptions,
    *,
    number: Annotated[Positive, option("-n", "--number")] = 1,
    seed: Seed = 0,
    distinct: bool = False,
    rank: Annotated[tuple[str, ...], option("--rank", metavar="K", excludes=DRAWING)] = (),
    rank_of: Annotated[File | None, option("--rank-of", excludes=[*DRAWING, "--rank", "--output"])] = None,
    memory: int | None = None,
) -> int:
    """Draw tours of BOARD at random, each with exactly the same chance.

    Closed tours, or open ones with --open. The same tour may be drawn twice, except with --distinct. Exit
    codes: 0 drawn, 1 no tour exists, 2 bad input, 3 undecided, for example if the board is too wide.

    Options:
        number: How many tours to draw.
        distinct: Draw each tour at most once.
        rank: Print tour number K of all tours, or with K-L the tours from number K to number L; may be
            repeated. The order of the tours is fixed.
        rank_of: Print the number of the tour in FILE.
    """
    ranks = list(chain.from_iterable(map(_ranks, rank)))
    question = options.question()
    ranked = bool(distinct or ranks or rank_of)
    with counting() as progress:
        try:
            sampler = cavalcade.Sampler(question, seed=seed, memory=memory, progress=progress, ranked=ranked)
        except TooLargeError as error:
            advice = "`cavalcade tour` finds one, not evenly drawn"
            if ranked and "too wide" not in str(error):
                advice = "numbers and distinct tours need the tables of the whole board, random tours fewer"
            raise TooLargeError(f"{error}; {advice}") from None
        if sampler.total == 0:
            first = None
        elif rank_of:
            return _show_rank(sampler, cavalcade.read_tour(rank_of, board=question.board), written)
        else:
            batches = iter([sampler.tours(ranks)]) if ranks else sampler.batches(number, distinct=distinct)
            first = next(batches, None)
    if first is None:
        why = f"there is no {question.kind} tour of {question.board.title}{question.constraints}"
        return fail("impossible", f"{why}: {sampler.verification}" if sampler.total == 0 else why)
    how = sampler.verification
    drawn = written.show_tours(chain([first], batches), {"verification": how})
    tours = (
        f"{drawn:,} {question.kind} tour{'s' * (drawn != 1)} of {question.board.title}{question.constraints}"
    )
    source = "two halves" if sampler.total is None else f"{sampler.total:,}"
    if ranks:
        numbers = ", ".join([*(f"{tour:,}" for tour in ranks[:3]), *["…"] * (len(ranks) > 3)])
        log(f"{tours}: number {numbers} of {source}, {how}")
    else:
        log(f"{tours}, drawn from {source}{' without repetition' * distinct}, {how}; seed {seed}")
    return ExitCode.FOUND


def _ranks(text: str) -> range:
    """Read a rank such as 1,234 or a range of ranks such as 5-9.

    Raises:
        CavalcadeError: the text is neither.
    """
    number = r"(\d+|\d{1,3}(?:[,_]\d{3})+)"
    parts = re.fullmatch(f"{number}(?:-{number})?", text)
    if parts is None:
        raise CavalcadeError(
            f"{text!r} is not a number of a tour, expected one such as 17, or a range such as 5-9; "
            "for several numbers repeat --rank"
        )
    first, last = (int(re.sub("[,_]", "", part)) for part in (parts[1], parts[2] or parts[1]))
    if not first <= last:
        raise CavalcadeError(f"the range {text} is empty: its first number is greater than its last")
    return range(first, last + 1)


def _show_rank(sampler: cavalcade.Sampler, tour: cavalcade.Tour, written: ListOptions) -> int:
    """Print the rank of a tour."""
    rank, question = sampler.rank(tour), sampler.question
    if written.json_:
        show_json(
            {"status": "complete", "rank": rank, "total": sampler.total, "verification": sampler.verification}
        )
    else:
        show(f"{rank}\n")
    log(
        f"tour number {rank:,} of {sampler.total:,} {question.kind} tours of {question.board.title}"
        f"{question.constraints}, {sampler.verification}"
    )
    return ExitCode.FOUND
