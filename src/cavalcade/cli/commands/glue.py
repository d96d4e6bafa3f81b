"""`cavalcade glue`: closed tours, one per level, joined into a tour of their stack."""

from __future__ import annotations

from typing import Annotated

import cavalcade
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import Cell, File
from cavalcade.cli.writing import TourOptions, log
from cavalcade.ground.errors import FormatError


@verb()
def command(
    tours: Annotated[tuple[File, ...], option(metavar="TOUR...", required=True)],
    *,
    levels: Annotated[int | None, option(metavar="N")] = None,
    pivot: tuple[Cell, ...] = (),
    written: TourOptions,
) -> None:
    """Join the closed tours in the files TOUR, one per level, into one open tour of the stack.

    A single TOUR is copied. If boards differ, their squares a1 lie above one another, and cells that a
    smaller board lacks become holes. Any cell that can be reached from below can be the second pivot: the
    first level then starts elsewhere. Standard error gives the numbers of the paper of 2019 for each level:
    INCR1 is added to the steps of the level's tour from the pivot on, INCR2 to the steps before.

    Options:
        levels: The number of levels; the tours are repeated in order.
        pivot: Start the second level here; repeat it for the third, and so on.
    """
    parts = []
    for file in tours:
        parts.append(tour := cavalcade.read_tour(file))
        if not (checked := cavalcade.check(tour)):
            raise FormatError(f"{file}: {checked.message}")
    glued = cavalcade.glue(parts, levels=levels, pivots=pivot)
    if not (checked := cavalcade.check(glued.tour)):
        raise AssertionError(f"the stack is not toured: {checked.message}")
    fields = ("pivot", "value", "increments")
    about = [{name: getattr(level, name) for name in fields} for level in glued.levels]
    written.show(glued.tour, {"levels": about})
    for k, level in enumerate(glued.levels, 1):
        first, second = level.increments
        how = ", walked backwards" if level.backwards else ""
        start = f"level {k}: pivot {level.pivot}, step {level.value} of its tour{how}"
        log(f"{start}; INCR1 {first}, INCR2 {second}")
