"""`cavalcade magic`: every magic tour of a board with few rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cavalcade.cli import FOUND, IMPOSSIBLE
from cavalcade.cli.common import log, progress, read_board, undecided_if_too_large
from cavalcade.cli.several import format_options, show_tours

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board


@click.command()
@click.argument("board")
@click.option("--columns", is_flag=True, help="Equal sums of the columns are enough.")
@format_options
def command(
    board: str,
    *,
    columns: bool,
    format_: str | None,
    measured: bool,
    sheet: dict[str, Any],
    output: str | None,
) -> int:
    """List the magic knight's tours of BOARD, a rectangle of up to four rows, each once up to reflections.

    All rows have the same sum, and all columns. A tour and its reverse are two. Exit code 1 if there is none,
    3 if the board is too large.
    """
    from cavalcade.boards import Board
    from cavalcade.ground.errors import BoardError

    place = read_board(board)
    if not isinstance(place, Board):
        raise BoardError(f"{place.title} is a graph: magic tours are sought on rectangles")
    with undecided_if_too_large():
        shown = show_tours(_found(place, columns=columns), format_, output, measured=measured, sheet=sheet)
    what = f"tour{'' if shown == 1 else 's'} of {place.title} with equal sums of all columns"
    what += "" if columns else " and of all rows"
    if not shown:
        log(f"impossible: there is no {what.replace('tours', 'tour')}: every way was tried")
        return IMPOSSIBLE
    log(f"{shown:,} {what}, up to reflections: all there are")
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
