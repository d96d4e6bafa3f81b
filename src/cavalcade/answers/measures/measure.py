"""What can be measured of a tour, all at once: `measure`.

A statistic is a function of a `Walk` in one of the modules here, and its name in `STATISTICS`. It returns a
number or a value of `answers.measures`, or None where it has no meaning: on a plain graph all but the number
of moves; on a surface, where a move has no direction, turns, angles, slopes, crossings, areas and windings;
in three dimensions and more crossings, areas and windings. Areas and windings are of closed tours.
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
    """What can be measured of a tour, open or closed, or of a walk that visits a part of the board.

    All is exact: no floating-point number decides anything. `docs/examples.md` has the definitions.

    Args:
        tour: it may be partial, but its moves must be moves, and no cell visited twice.

    Raises:
        CavalcadeError: it is no such walk.

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
    about = {"board": tour.board.spec, "piece": tour.piece.spec_on(tour.board), "kind": tour.kind}
    return Measures(about | {statistic.__name__: statistic(walk) for statistic in STATISTICS})
