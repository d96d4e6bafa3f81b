"""`cavalcade magic`: every magic tour of a board with few rows."""

from __future__ import annotations

from collections.abc import Iterator

import cavalcade
from cavalcade.cli.command import verb
from cavalcade.cli.options import BoardSpec
from cavalcade.cli.tour_lists import ListOptions, log_shown
from cavalcade.cli.writing import progress


@verb()
def command(board: BoardSpec, written: ListOptions, *, columns: bool = False) -> int:
    """List the magic knight's tours of BOARD, a rectangle of up to five rows, each once up to reflections.

    The step numbers have the same sum in all rows, and in all columns. A tour and its reverse are two tours.
    Exit codes: 0 found, 1 no such tour exists, 2 bad input, 3 undecided, e.g. if the board is too large.

    Options:
        columns: Require equal sums of the columns, but not of the rows.
    """
    from cavalcade.counting.verifying import all_magic
    from cavalcade.question.graph import board_of

    place = board_of(board)
    shown = written.show_tours(_found(place, columns=columns))
    about = f"of {place.title} with equal sums of all columns" + " and of all rows" * (not columns)
    return log_shown(shown, "", about, ", up to reflections", all_magic(place, shown, columns=columns))


def _found(board: cavalcade.Board, *, columns: bool) -> Iterator[cavalcade.Tours]:
    """Find the tours, and check their sums again."""
    from cavalcade.answers.measures.magic import magic
    from cavalcade.answers.measures.moves import WalkArrays

    with progress("reading columns") as report:
        for tour in cavalcade.magic_tours(board, columns=columns, progress=report):
            tours = cavalcade.Tours.of(tour)
            sums = magic(WalkArrays(tours))
            if sums is None or any(line.wrong for line in sums.value(0).lines[1 if columns else 0 : 2]):
                raise AssertionError("a tour that was found is not magic")
            yield tours
