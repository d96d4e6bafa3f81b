"""`cavalcade list`: every tour once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated

import cavalcade
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import Positive, QuestionOptions
from cavalcade.cli.tour_lists import ListOptions, log_shown
from cavalcade.ground.errors import TooLargeError


@verb()
def command(
    options: QuestionOptions,
    written: ListOptions,
    *,
    up_to_symmetry: bool = False,
    number: Annotated[Positive | None, option("-n", "--number")] = None,
) -> int:
    """List the tours of BOARD, each once, as they are found: closed tours, or open ones with --open.

    A tour and its reverse are one. Exit codes: 0 found, 1 no tour exists, 2 bad input, 3 undecided, e.g. if
    the board is too wide.

    Options:
        up_to_symmetry: List one tour per class under the symmetries of the board.
        number: Stop after K tours.
    """
    from cavalcade.counting.verifying import all_listed

    question = options.question()
    try:
        tours = cavalcade.list_arrays(question, up_to_symmetry=up_to_symmetry)
    except TooLargeError as error:
        raise TooLargeError(f"{error}; `cavalcade tour` finds one") from None
    shown = written.show_tours(_first(tours, number))
    complete = shown != number
    verification = all_listed(question, shown, up_to_symmetry=up_to_symmetry) if complete else None
    about, suffix = f"of {question.board.title}{question.constraints}", " up to symmetry" * up_to_symmetry
    return log_shown(shown, f"{question.kind} ", about, suffix, verification)


def _first(blocks: Iterable[cavalcade.Tours], number: int | None) -> Iterator[cavalcade.Tours]:
    """Truncate blocks of tours after `number` tours, if it is set."""
    for block in blocks:
        if number is not None and number <= len(block):
            yield replace(block, cells=block.cells[:number])
            return
        yield block
        number = number and number - len(block)
