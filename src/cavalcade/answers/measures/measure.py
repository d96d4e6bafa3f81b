"""The function `measure`: all statistics of a tour.

A statistic is a function of a `Walk` in one of the modules here, listed in `STATISTICS`. It returns a number,
a value of a class in `answers.measures`, or None if it is not defined:

- on a plain graph, all statistics except the number of moves are None;
- on a surface, where moves have no direction, turns, angles, slopes, crossings, areas and windings are None;
- in three or more dimensions, crossings, areas and windings are None;
- on open tours, areas and windings are None.
"""

from __future__ import annotations

from cavalcade.answers.measures import Measures
from cavalcade.answers.measures.crossings import crossings, enclosed_area, swept_area, uncrossed_run
from cavalcade.answers.measures.magic import magic
from cavalcade.answers.measures.moves import (
    Walk,
    angles,
    longest_run,
    moves,
    slopes,
    straight,
    turning,
    turns,
    whirl,
    winding,
)
from cavalcade.answers.measures.symmetric import classes, symmetries
from cavalcade.answers.tours import Tour
from cavalcade.ground.errors import CavalcadeError

STATISTICS = (
    moves, turns, straight, longest_run, angles, slopes,
    crossings, uncrossed_run, swept_area, enclosed_area, turning, winding, whirl,
    classes, symmetries, magic,
)  # fmt: skip


def measure(tour: Tour) -> Measures:
    """Measure a tour, or a walk that visits a part of the board.

    All results are exact: no floating-point number decides anything. `docs/examples.md` defines the
    statistics.

    Args:
        tour: an open or closed tour, possibly partial. All its moves must be legal, and no cell may occur
            twice.

    Raises:
        CavalcadeError: a move is illegal, or a cell occurs twice.

    Time: proportional to the cells, for a leaper (a, b) times (a + b)^2 where crossings are counted;
    1000x1000 takes a few seconds, 8x8 a millisecond.

    Examples:
        >>> measure(tour("8x8").tour).turns
        58
    """
    if not isinstance(tour, Tour):
        quoted = repr(tour)[:60]
        raise CavalcadeError(
            f"{quoted} is not a tour, expected one Tour: try [measure(tour) for tour in tours]"
        )
    walk = Walk(tour)
    walk.assert_sound()
    titles = {"board": tour.board.spec, "piece": tour.piece.spec_on(tour.board), "kind": tour.kind}
    return Measures(titles | {statistic.__name__: statistic(walk) for statistic in STATISTICS})
