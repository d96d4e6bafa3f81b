"""`cavalcade magic`: every magic tour of a board with few rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.command import verb
from cavalcade.cli.options import BoardSpec
from cavalcade.cli.reading import read_board
from cavalcade.cli.tour_lists import ListOptions, show_tours
from cavalcade.cli.writing import log, progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board


@verb()
def command(
    board: BoardSpec,
    written: ListOptions,
    *,
    columns: bool = False,
) -> int:
    """List the magic knight's tours of BOARD, a rectangle of up to four rows, each once up to reflections.

    All rows have the same sum, and so have all columns. A tour and its reverse are two. Exit codes: 0 found,
    1 no such tour exists, 2 bad input, 3 undecided, as where the board is too large.

    Options:
        columns: Require equal sums of the columns, but not of the rows.
    """
    from cavalcade.question.graph import board_of

    _ = written.format
    place = board_of(read_board(board))
    shown = show_tours(_found(place, columns=columns), written)
    what = f"tour{'' if shown == 1 else 's'} of {place.title} with equal sums of all columns"
    what += "" if columns else " and of all rows"
    if not shown:
        log(f"impossible: there is no {what.replace('tours', 'tour')}: the search was exhaustive")
        return IMPOSSIBLE
    log(f"{shown:,} {what}, up to reflections: all of them")
    return FOUND


def _found(board: Board, *, columns: bool) -> Iterator[Tour]:
    """The tours, their sums added up once more."""
    from cavalcade.counting.magic import magic_tours
    from cavalcade.measures.magic import magic
    from cavalcade.measures.moves import Walk

    with progress("reading columns") as report:
        for tour in magic_tours(board, columns=columns, progress=report):
            sums = magic(Walk(tour))
            if sums is None or any(line.wrong for line in sums.lines[1 if columns else 0 : 2]):
                raise AssertionError("a tour that was found is not magic")
            yield tour
