"""`cavalcade sample`: tours drawn at random."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.common import (
    counting,
    log,
    memory_option,
    read_problem,
    seed_option,
    undecided_if_too_large,
)
from cavalcade.cli.several import show_tours, tours_options

if TYPE_CHECKING:
    from cavalcade.question.constraints import Constraints


@click.command()
@tours_options
@click.option(
    "-n",
    "--number",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    metavar="K",
    help="How many tours to draw.",
)
@seed_option
@memory_option
def command(
    board: str,
    piece: str | None,
    *,
    open_: bool,
    start: str | None,
    end: str | None,
    without: str | None,
    constraints: Constraints,
    output: str | None,
    format_: str | None,
    measured: bool,
    sheet: dict[str, Any],
    number: int,
    seed: int,
    memory: int,
) -> int:
    """Draw tours of BOARD at random, every tour with exactly the same chance.

    Closed tours, or open ones with --open. One may be drawn twice. Exit code 1 if there is none, 3 if the
    board is too wide, or --memory too small.
    """
    question = read_problem(board, piece, without, start, end, constraints, open_=open_)
    from cavalcade.counting.sampling import Sampler

    with undecided_if_too_large(), counting() as progress:
        sampler = Sampler(question, seed=seed, memory=memory, progress=progress)
        batches = sampler.batches(number)
        first = next(batches, [])
    if not first:
        log(f"impossible: there is no {question.kind} tour of {question.board.title}{question.constraints}")
        return IMPOSSIBLE
    show_tours(chain(first, chain.from_iterable(batches)), format_, output, measured=measured, sheet=sheet)
    return FOUND
