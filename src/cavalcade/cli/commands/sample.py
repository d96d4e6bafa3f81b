"""`cavalcade sample`: tours drawn at random."""

from __future__ import annotations

from itertools import chain
from typing import Annotated

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import Positive, QuestionOptions, Seed
from cavalcade.cli.tour_lists import ListOptions, show_tours
from cavalcade.cli.writing import counting, log


@verb(memory="half of the machine's")
def command(
    asked: QuestionOptions,
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
    _ = written.format
    question = asked.question()
    from cavalcade.counting.sampling import Sampler

    with counting() as progress:
        sampler = Sampler(question, seed=seed, memory=memory, progress=progress)
        batches = sampler.batches(number)
        first = next(batches, [])
    if not first:
        log(f"impossible: there is no {question.kind} tour of {question.board.title}{question.constraints}")
        return IMPOSSIBLE
    show_tours(chain(first, chain.from_iterable(batches)), written)
    return FOUND
