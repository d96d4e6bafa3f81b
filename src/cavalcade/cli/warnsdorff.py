"""`cavalcade warnsdorff`: the rule, from one start or from all of them."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, TypeVar

import click

from cavalcade.cli import FOUND, INTERRUPTED, UNDECIDED
from cavalcade.cli.common import (
    TOUR_FORMATS,
    beside_option,
    deliver,
    format_for,
    graph_of,
    log,
    output_option,
    piece_option,
    read_board,
    read_piece,
    rendered,
    seed_option,
    show,
)
from cavalcade.draw.writers import STILL

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.pieces import Piece

    T = TypeVar("T")

TIES = (
    "first",
    "last",
    "random",
    "pohl",
    "lookahead",
    "roth",
    "squirrel-cull",
)  # find.warnsdorff needs numpy
ties_option = click.option(
    "--ties",
    type=click.Choice(TIES),
    default="first",
    show_default=True,
    help="Which cell to take if several have equally few ways on.",
)
SHEETS = ("text", "json", *STILL)


@click.command()
@click.argument("board")
@piece_option
@click.option("--from", "start", metavar="CELL", help="Begin here (default: the first cell, a8 on 8x8).")
@click.option(
    "--all", "every", is_flag=True, help="Begin in each cell in turn, and list where the walks got stuck."
)
@ties_option
@click.option(
    "--repair",
    is_flag=True,
    help="Where a walk gets stuck, take back as few steps as possible and go on by ties last, or first.",
)
@click.option(
    "--degrees",
    metavar="FILE|paper",
    help="Begin with these numbers of moves, not with the true ones: a table as `cavalcade degrees` "
    "writes it, or that of the paper of 2019 for four boards and more.",
)
@click.option(
    "--as-printed",
    is_flag=True,
    help="Walk as the papers' program does, which forgets that the start is no longer free, on 8x8 by first "
    "or last. On 3x8x8 and more levels: as the program of Solution #3, reconstructed from the printed walks.",
)
@click.option(
    "--fit",
    type=int,
    metavar="N",
    help="With --as-printed on a stack: the Nth program that fits the print, of 16 or, on four boards, 2.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(TOUR_FORMATS),
    help="Format of the walk (default: text). With --all: text or json for every walk, svg, png, pdf or tikz "
    "for a sheet of small boards; without it only the list of failures.",
)
@seed_option
@beside_option
@output_option
def command(
    board: str,
    piece: str | None,
    start: str | None,
    ties: str,
    degrees: str | None,
    fit: int | None,
    seed: int,
    *,
    every: bool,
    repair: bool,
    as_printed: bool,
    format_: str | None,
    beside: bool,
    output: str | None,
) -> int:
    """Walk over BOARD by Warnsdorff's rule: always to the free cell with the fewest free ways on.

    Prints the walk, however far it came; exit code 0 if it is a tour, 3 if it got stuck. With --all it
    prints how many starts succeed, and where the others got stuck.
    """
    if every and start is not None:
        raise click.UsageError(f"--all and --from {start} contradict each other.")
    wanted = format_ or (format_for(None, output) if output else None)
    if every and wanted not in {None, *SHEETS}:
        raise click.UsageError(f"--all can be written as {', '.join(SHEETS)}, not as {wanted}.")
    from cavalcade.answers.tours import Tour
    from cavalcade.find.ties import preference
    from cavalcade.find.warnsdorff import walks
    from cavalcade.question.pieces import KNIGHT

    place = read_board(board)
    mover = read_piece(piece, place)
    graph = graph_of(place, mover)
    first = 0 if start is None else place.cell(start)
    starts = list(range(graph.size)) if every else [first]
    title = f"ties by {ties}{', repaired' if repair else ''}"
    if as_printed and re.fullmatch(r"[0-9x]+x8x8", place.spec):
        if ties != "first" or repair or degrees or mover != KNIGHT:
            raise click.UsageError("--as-printed on a stack goes with --fit, --from and --all only.")
        title = "as printed"
        from cavalcade.papers.solution3 import reconstructed

        found, note = reconstructed(place, starts, fit)
        log(note)
    else:
        if as_printed:
            _assert_printed(place, mover, ties)
        if fit is not None:
            raise click.UsageError(f"--fit {fit} goes with --as-printed on a stack of boards.")
        options = {
            "ties": ties,
            "degrees": _degrees(degrees, place),
            "count_start": not as_printed,
            "seed": seed,
        }
        preferred = preference(place, graph, ties, mover)
        found = walks(graph, starts, repair=repair, preference=preferred, **options)  # type: ignore[arg-type]
    closes = (
        Tour(
            place,
            path,
            closed=len(path) == graph.size > 2 and path[0] in graph.neighbours(path[-1]),
            piece=mover,
        )
        for path in found
    )
    if every:
        return _all(f"{place.title}, {title}", place, closes, wanted, output)
    return _one(next(closes), title, wanted or "text", output, beside=beside)


def _one(walk: Tour, title: str, format_: str, output: str | None, *, beside: bool) -> int:
    """Show a walk, and say what it is if it is no tour."""
    from cavalcade.checking.tours import check

    deliver(walk, format_, output, beside=beside)
    checked = check(walk)
    if checked:
        return FOUND
    where = f"on {walk.board.name(walk.end)} after {len(walk):,} of {walk.board.size:,} cells"
    if title == "as printed":
        stuck = f"is stuck {where}" if len(walk) < walk.board.size else "fills the boards, but it is no tour"
        log(f"the reconstructed program {stuck}: {checked.message}")
    else:
        again = ", and no repair helps" if title.endswith(", repaired") else ""
        log(f"Warnsdorff's rule, {title.removesuffix(', repaired')}, is stuck {where}{again}")
    return UNDECIDED


def _degrees(degrees: str | None, place: Board | MoveGraph) -> NDArray[np.int64] | None:
    """The numbers to begin with; None for the true ones."""
    if degrees is None:
        return None
    if degrees != "paper":
        from cavalcade.formats import read_numbers

        return read_numbers(degrees, place)
    from cavalcade.papers.stacks import paper_degrees

    return paper_degrees(place)


def _assert_printed(place: Board | MoveGraph, mover: Piece, ties: str) -> None:
    """Refuse --as-printed where it would not be the papers' program, or say where it is printed."""
    from cavalcade.boards import Board
    from cavalcade.question.pieces import KNIGHT

    if place != Board.box(8, 8) or mover != KNIGHT or ties not in {"first", "last"}:
        raise click.UsageError(
            "--as-printed is the papers' program for one chessboard: it needs 8x8, the knight and --ties "
            f"first or last, not {place.title}, {mover.spec} and {ties}. For stacks it "
            "needs 3x8x8 or more levels."
        )
    where = "Gerlach 2015 (Completing the tour) and 2019 (%ktour)"
    log(f"as printed in {where}, " + ("with LT" if ties == "first" else "with LE for LT"))


def _all(
    title: str, place: Board | MoveGraph, walks: Iterator[Tour], format_: str | None, output: str | None
) -> int:
    """Print or draw every walk, or the outcome; after an interrupt, that of those that were done."""
    from cavalcade.checking.tours import check

    done: list[Tour] = []
    failures, closed, count = [], 0, 0
    code = FOUND
    try:
        for walk in _with_progress(walks, place.size):
            count += 1
            if format_ is not None:
                done.append(walk)
            checked = check(walk)
            closed += bool(checked) and walk.closed
            if not checked:
                end = place.name(walk.end)
                how = f"gets stuck on {end} after {len(walk):,} of {place.size:,} cells"
                if len(walk) == place.size:
                    how = f"fills the board, but {checked.message}"
                failures.append(f"{place.name(walk.start)} {how}")
    except KeyboardInterrupt:
        log(f"interrupted after {count:,} of {place.size:,} starts")
        code = INTERRUPTED
    good = count - len(failures)
    rate = f", {100 * good / count:.1f} %" if count else ""
    head = f"{title}: {good:,} of {count:,} starts succeed{rate}; {closed:,} of the tours are closed"
    if format_ is None or not done:
        show("".join(f"{line}\n" for line in [head, *failures]))
        return code
    log(head)
    if format_ in STILL:
        from cavalcade.draw.sheet import walks_picture
        from cavalcade.draw.writers import rendered as drawn

        data = drawn(walks_picture(done), format_)
    else:
        between = "\n" if format_ == "text" else ""
        data = between.join(str(rendered(walk, format_)) for walk in done)
    show(data, output)
    return code


def _with_progress(items: Iterator[T], total: int) -> Iterator[T]:
    """The same items, with a progress bar on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return iter(track(items, "walking", total, console=Console(stderr=True), transient=True))
