"""`cavalcade sample`: tours drawn at random."""

from __future__ import annotations

from itertools import chain
from typing import Annotated

import cavalcade
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import Positive, QuestionOptions, Seed
from cavalcade.cli.tour_lists import ListOptions
from cavalcade.cli.writing import counting, fail, log
from cavalcade.ground.errors import TooLargeError


@verb(memory="half of the machine's")
def command(
    options: QuestionOptions,
    written: ListOptions,
    *,
    number: Annotated[Positive, option("-n", "--number")] = 1,
    seed: Seed = 0,
    memory: int | None = None,
) -> int:
    """Draw tours of BOARD at random, each with exactly the same chance.

    Closed tours, or open ones with --open. The same tour may be drawn twice. Exit codes: 0 drawn, 1 no tour
    exists, 2 bad input, 3 undecided, as where the board is too wide.

    Options:
        number: How many tours to draw.
    """
    question = options.question()
    with counting() as progress:
        try:
            sampler = cavalcade.Sampler(question, seed=seed, memory=memory, progress=progress)
        except TooLargeError as error:
            if "too wide" in str(error):
                raise TooLargeError(f"{error}; `cavalcade tour` finds one, not evenly drawn") from None
            raise
        batches = sampler.batches(number)
        first = next(batches, None)
    if first is None:
        why = f"there is no {question.kind} tour of {question.board.title}{question.constraints}"
        return fail("impossible", why)
    how = sampler.verification
    drawn = written.show_tours(chain([first], batches), {"verification": how})
    tours = (
        f"{drawn:,} {question.kind} tour{'s' * (drawn != 1)} of {question.board.title}{question.constraints}"
    )
    source = "two halves" if sampler.total is None else f"{sampler.total:,}"
    log(f"{tours}, drawn from {source}, {how}; seed {seed}")
    return ExitCode.FOUND
