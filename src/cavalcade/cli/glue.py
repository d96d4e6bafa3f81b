"""`cavalcade glue`: closed tours, one a level, joined into a tour of their stack."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cavalcade.cli.common import (
    TOUR_FORMATS,
    beside_option,
    deliver,
    format_for,
    log,
    output_option,
    read_tour,
)

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command()
@click.argument("tours", metavar="TOUR...", nargs=-1, required=True)
@click.option("--levels", type=int, metavar="N", help="How many levels; the tours are taken again in turn.")
@click.option(
    "--pivot",
    "pivots",
    metavar="CELL",
    multiple=True,
    help="Begin the second level here; given again, the third, and so on.",
)
@click.option(
    "--format", "format_", type=click.Choice(TOUR_FORMATS), help="Format of the tour (default: text)."
)
@beside_option
@output_option
def command(
    tours: Sequence[str],
    levels: int | None,
    pivots: Sequence[str],
    *,
    format_: str | None,
    beside: bool,
    output: str | None,
) -> None:
    """Join the closed tours in the files TOUR, one a level, into one open tour of the stack.

    A single TOUR is copied. Boards may differ: their squares a1 lie one above another, and what a smaller
    board has not is a hole. Any cell that can be reached from below can be the second pivot: the first level
    begins elsewhere if need be. Standard error has the numbers of the paper of 2019 for each level: INCR1 is
    added to the steps of its tour from the pivot's on, INCR2 to those before.
    """
    from cavalcade.checking.tours import check
    from cavalcade.construction.glue import glue
    from cavalcade.ground.errors import FormatError

    format_ = format_for(format_, output)
    given = []
    for file in tours:
        given.append(one := read_tour(file, None, None))
        if not (checked := check(one)):
            raise FormatError(f"{file}: {checked.message}")
    found = glue(given, levels=levels, pivots=pivots)
    if not (checked := check(found.tour)):
        raise AssertionError(f"the stack is not toured: {checked.message}")
    deliver(found.tour, format_, output, beside=beside)
    for k, level in enumerate(found.levels, 1):
        first, second = level.increments
        how = ", walked backwards" if level.backwards else ""
        log(
            f"level {k}: pivot {level.pivot}, step {level.value} of its tour{how}; "
            f"INCR1 {first}, INCR2 {second}"
        )
