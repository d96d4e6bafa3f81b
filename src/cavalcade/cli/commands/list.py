"""`cavalcade list`: every tour once."""

from __future__ import annotations

import sys
from itertools import islice
from typing import Annotated

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import Positive, QuestionOptions
from cavalcade.cli.tour_lists import ListOptions, show_tours
from cavalcade.cli.writing import log
from cavalcade.ground.errors import TooLargeError


@verb()
def command(
    asked: QuestionOptions,
    written: ListOptions,
    *,
    up_to_symmetry: bool = False,
    number: Annotated[Positive | None, option("-n", "--number")] = None,
) -> int:
    """List the tours of BOARD, each once, as they are found: closed tours, or open ones with --open.

    A tour and its reverse are one. Exit codes: 0 found, 1 no tour exists, 2 bad input, 3 undecided, as where
    the board is too wide.

    Options:
        up_to_symmetry: List one tour of each class under the symmetries of the board.
        number: Stop after K tours.
    """
    _ = written.format
    question = asked.question()
    from cavalcade.counting.listing import list_tours

    try:
        tours = list_tours(question, up_to_symmetry=up_to_symmetry)
    except TooLargeError as error:
        raise TooLargeError(f"{error}; `cavalcade tour` finds one") from None
    shown = show_tours(islice(tours, number and min(number, sys.maxsize)), written)
    what = f"{question.kind} tour{'' if shown == 1 else 's'} of {question.board.title}{question.constraints}"
    if shown == 0:
        log(f"impossible: there is no {what.replace('tours', 'tour')}: the search was exhaustive")
        return IMPOSSIBLE
    alike = " up to symmetry" if up_to_symmetry else ""
    log(f"{shown:,} {what}{alike}{'' if shown == number else ': all of them'}")
    return FOUND
