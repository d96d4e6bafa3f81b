"""What can be measured of a tour, all at once: `measure`.

What has no meaning on a board is absent. On a plain graph all but the number of moves is; on a surface, where
a move has no direction, turns, angles, slopes, crossings, areas and windings; in three dimensions and more
crossings, areas and windings. Areas and windings are of closed tours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.answers.measures import Measures
from cavalcade.measures.crossings import crossings_and_area, swept_area
from cavalcade.measures.magic import magic
from cavalcade.measures.moves import (
    assert_walk,
    directions,
    ends,
    kinds_of,
    longest_run,
    pairs_of,
    turning,
    winding,
)
from cavalcade.measures.symmetric import by_class, kept_by

if TYPE_CHECKING:
    from cavalcade.answers.tours import Tour


def measure(tour: Tour) -> Measures:
    """What can be measured of a tour, open or closed, or of a walk that visits a part of the board.

    All is exact: no floating-point number decides anything. The definitions stand in `docs/commands.md`.

    Args:
        tour: it may be partial, but its moves must be moves, and no cell visited twice.

    Raises:
        CavalcadeError: it is no such walk.

    Time: proportional to the cells, for a leaper (a, b) times (a + b)^2 where crossings are counted;
    1000x1000 takes a few seconds, 8x8 a millisecond.
    """
    assert_walk(tour)
    board, moves = tour.board, len(ends(tour)[0])
    found: dict[str, Any] = {"board": board.spec, "piece": tour.piece.spec_on(board)}
    found |= {"kind": tour.kind, "moves": moves}
    if board.plain:
        return Measures(**found)
    if board.family.flat:
        table = directions(board, tour.piece)
        kinds = kinds_of(tour, table)
        angles = np.bincount(
            table.angle[pairs_of(kinds, closed=tour.closed)], minlength=len(table.angles)
        ).tolist()
        straight = angles[table.straight] if angles else 0
        slopes = np.bincount(table.slope[kinds], minlength=len(table.slopes)).tolist()
        found |= {
            "turns": sum(angles) - straight,
            "straight": straight,
            "longest_run": longest_run(kinds, table, closed=tour.closed),
            "angles": dict(zip(table.angles, angles, strict=True)),
            "slopes": dict(zip(table.slopes, slopes, strict=True)),
        }
        if board.dimensions == 2:
            found["crossings"], found["enclosed_area"] = crossings_and_area(tour, kinds, table)
            if tour.closed and moves:
                found |= {
                    "swept_area": swept_area(tour),
                    "turning": turning(kinds, table),
                    "winding": winding(tour),
                }
    return Measures(
        **found,
        classes=by_class(tour, board),
        symmetries=kept_by(tour, board),
        magic=magic(tour, board),
    )
