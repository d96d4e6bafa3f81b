"""`cavalcade glue`: closed tours, one a level, joined into a tour of their stack."""

from __future__ import annotations

from typing import Annotated

from cavalcade.cli.command import option, verb
from cavalcade.cli.options import Beside, Cell, Output, TourFormat
from cavalcade.cli.writing import deliver, format_for, log


@verb()
def command(
    tours: Annotated[tuple[str, ...], option(metavar="TOUR...", required=True)],
    *,
    levels: Annotated[int | None, option(metavar="N")] = None,
    pivot: tuple[Cell, ...] = (),
    format_: TourFormat | None = None,
    beside: Beside = False,
    output: Output | None = None,
) -> None:
    """Join the closed tours in the files TOUR, one per level, into one open tour of the stack.

    A single TOUR is copied. Boards may differ: their squares a1 lie one above another, and cells a smaller
    board lacks become holes. Any cell that can be reached from below can be the second pivot: the first level
    then starts elsewhere. Standard error gives the numbers of the paper of 2019 for each level: INCR1 is
    added to the steps of its tour from the pivot on, INCR2 to the steps before.

    Options:
        levels: The number of levels; the tours are used again in turn.
        pivot: Start the second level here; repeat it for the third, and so on.
    """
    from cavalcade.checking.tours import check
    from cavalcade.construction.glue import glue
    from cavalcade.formats import read_tour
    from cavalcade.ground.errors import FormatError

    format_ = format_for(format_, output)
    given = []
    for file in tours:
        given.append(one := read_tour(file))
        if not (checked := check(one)):
            raise FormatError(f"{file}: {checked.message}")
    found = glue(given, levels=levels, pivots=pivot)
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
