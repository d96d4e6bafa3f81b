"""`cavalcade list`: every tour once."""

from __future__ import annotations

import sys
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.common import log, read_problem, undecided_if_too_large
from cavalcade.cli.several import show_tours, tours_options

if TYPE_CHECKING:
    from cavalcade.question.constraints import Constraints


@click.command()
@tours_options
@click.option(
    "--up-to-symmetry",
    is_flag=True,
    help="List only one of the tours that symmetries of the board map to one another.",
)
@click.option("-n", "--number", type=click.IntRange(min=1), metavar="K", help="Stop after K tours.")
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
    up_to_symmetry: bool,
    number: int | None,
) -> int:
    """List the tours of BOARD, each once, as they are found: closed tours, or open ones with --open.

    A tour and its reverse are one. Exit code 1 if there is none, 3 if the board is too wide.
    """
    question = read_problem(board, piece, without, start, end, constraints, open_=open_)
    from cavalcade.counting.listing import list_tours

    with undecided_if_too_large("; `cavalcade tour` finds one"):
        tours = list_tours(question, up_to_symmetry=up_to_symmetry)
    shown = show_tours(
        islice(tours, number and min(number, sys.maxsize)), format_, output, measured=measured, sheet=sheet
    )
    what = f"{question.kind} tour{'' if shown == 1 else 's'} of {question.board.title}{question.constraints}"
    alike = " up to symmetry" if up_to_symmetry else ""
    if shown == 0:
        log(f"impossible: there is no {what.replace('tours', 'tour')}: every way was tried")
        return IMPOSSIBLE
    log(f"{shown:,} {what}{alike}{'' if shown == number else ': all there are'}")
    return FOUND
