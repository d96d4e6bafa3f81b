"""`cavalcade list`: every tour once."""

from __future__ import annotations

from itertools import islice

import click

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.common import say
from cavalcade.cli.several import asked_for, show_tours, tours_options


@click.command()
@tours_options
@click.option("--up-to-symmetry", is_flag=True, help="One of all that are alike but for a symmetry.")
@click.option("-n", "--number", type=click.IntRange(min=1), metavar="K", help="Stop after so many.")
def command(
    board: str,
    piece: str | None,
    *,
    open_: bool,
    start: str | None,
    end: str | None,
    without: str | None,
    output: str | None,
    format_: str,
    up_to_symmetry: bool,
    number: int | None,
) -> int:
    """List the tours of BOARD, each once, as they are found: the closed ones, unless they are to be --open.

    A tour and its reverse are one. Exit code 1 if there is none.
    """
    place, mover = asked_for(board, piece, without, start, end, open_=open_)
    from cavalcade.counting.listing import list_tours

    tours = list_tours(place, piece=mover, open=open_, start=start, end=end, up_to_symmetry=up_to_symmetry)
    shown = show_tours(islice(tours, number), format_, output)
    what = f"{'open' if open_ else 'closed'} tour{'' if shown == 1 else 's'} of {place.title}"
    alike = " up to symmetry" if up_to_symmetry else ""
    if shown == 0:
        say(f"impossible: there is no {what.replace('tours', 'tour')}: every way was tried")
        return IMPOSSIBLE
    say(f"{shown:,} {what}{alike}{'' if shown == number else ': all there are'}")
    return FOUND
