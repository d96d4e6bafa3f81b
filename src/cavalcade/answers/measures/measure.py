"""The function `measure`: all statistics of tours.

A statistic is a function of `WalkArrays` in one of the modules here, listed in `STATISTICS`. It returns an
array with a number per tour, a `Statistic` of `answers.measures`, or None if it is not defined:

- on a plain graph, all statistics except the number of moves are None;
- on a surface, where moves have no direction, turns, angles, slopes, crossings, areas and windings are None;
- in three or more dimensions, crossings, areas and windings are None;
- on open tours, areas and windings are None.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, overload

from numpy.typing import NDArray

from cavalcade.answers.measures import Measures, MeasureTable, Statistic, join
from cavalcade.answers.measures.crossings import crossings, enclosed_area, swept_area, uncrossed_run
from cavalcade.answers.measures.magic import magic
from cavalcade.answers.measures.moves import (
    WalkArrays,
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
from cavalcade.answers.tours import Tour, Tours
from cavalcade.question.graph import BLOCK

STATISTICS = (
    moves, turns, straight, longest_run, angles, slopes,
    crossings, uncrossed_run, swept_area, enclosed_area, turning, winding, whirl,
    classes, symmetries, magic,
)  # fmt: skip


@overload
def measure(tour: Tour) -> Measures: ...


@overload
def measure(tour: Tours | Iterable[Tour]) -> MeasureTable: ...


def measure(tour: Tour | Tours | Iterable[Tour]) -> Measures | MeasureTable:
    """Measure a tour, a walk through a part of the board, or many tours of one board.

    All results are exact: no floating-point number decides anything. `docs/commands/measure.md` defines the
    statistics.

    Args:
        tour: an open or closed tour, possibly partial. All its moves must be legal, and no cell may occur
            twice. Or several tours with the same board, piece, kind and length.

    Returns:
        The measures of the tour; or a table with one row per tour.

    Raises:
        CavalcadeError: a move is illegal, or a cell occurs twice; or the tours differ in kind.

    Time: proportional to the cells, for a leaper (a, b) times (a + b)^2 where crossings are counted.

    Examples:
        >>> measure(tour("8x8").tour).turns
        58
        >>> measure(sample("6x6", 3)).columns["turns"]
        array([36, 35, 35])
    """
    tours = Tours.of(tour)
    titles = {"board": tours.board.spec, "piece": tours.piece.spec_on(tours.board), "kind": tours.kind}
    rows = max(1, BLOCK // max(1, tours.cells.shape[1]))
    parts = [_statistics(tours[first : first + rows]) for first in range(0, len(tours), rows)]
    names = [statistic.__name__ for statistic in STATISTICS]
    joined = dict(zip(names, map(join, zip(*parts, strict=True)), strict=True))
    table = MeasureTable(titles, joined, len(tours))
    return table[0] if isinstance(tour, Tour) else table


def _statistics(tours: Tours) -> list[Statistic | NDArray[Any] | None]:
    """Compute all statistics of some tours."""
    walks = WalkArrays(tours)
    walks.assert_sound()
    return [statistic(walks) for statistic in STATISTICS]
