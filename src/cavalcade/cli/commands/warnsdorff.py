"""`cavalcade warnsdorff`: the rule, from one start or from all of them."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Annotated, TypeVar

import click

from cavalcade.cli import FOUND, INTERRUPTED, UNDECIDED
from cavalcade.cli.command import option, refuse, verb
from cavalcade.cli.options import Beside, BoardSpec, Cell, Output, PieceSpec, Seed, Ties
from cavalcade.cli.reading import read_board
from cavalcade.cli.writing import deliver, format_for, log, show
from cavalcade.formats.table import STILL, names_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.pieces import Piece

    T = TypeVar("T")

SHEETS = ("text", "json", *STILL)


@verb()
def command(
    board: BoardSpec,
    *,
    piece: PieceSpec | None = None,
    from_: Cell | None = None,
    all_: bool = False,
    ties: Ties = "first",
    repair: bool = False,
    degrees: Annotated[str | None, option(metavar="FILE|paper")] = None,
    as_printed: bool = False,
    fit: Annotated[int | None, option(metavar="N")] = None,
    format_: Annotated[str | None, option(type=click.Choice(names_of("Tour")))] = None,
    seed: Seed = 0,
    beside: Beside = False,
    output: Output | None = None,
) -> int:
    """Walk over BOARD by Warnsdorff's rule: always to the free cell with the fewest free onward moves.

    Prints the walk, whole or partial. With --all it prints how many starts succeed, and where the others got
    stuck. Exit codes: 0 the walk is a tour, 2 bad input, 3 it got stuck.

    Options:
        from_: Start here (default: the first cell, a8 on 8x8).
        all_: Start at each cell in turn, and list where the walks got stuck. Excludes --from, --beside.
        repair: Where a walk gets stuck, undo as few steps as possible and continue by ties last, or first.
        degrees: Start with these numbers of moves, not with the true ones: a table as `cavalcade degrees`
            writes it, or that of the paper of 2019 for at least four boards.
        as_printed: Walk as the papers' program does, which counts the start as free, on 8x8 by first or
            last. On 3x8x8 and more levels: as the program of Solution #3, reconstructed from the printed
            walks.
        fit: On a stack: the Nth program that fits the printed walks, of 16 or, on four boards, 2. Only with
            --as-printed.
        format_: Format of the walk (default: text). With --all: text or json for every walk, svg, png, pdf
            or tikz for a sheet of small boards; without it only the list of failures.
    """
    wanted = format_ or (format_for(None, output) if output else None)
    if all_ and wanted not in {None, *SHEETS}:
        refuse("all_", why=f"works only with {', '.join(SHEETS)}, not with {wanted}")
    from cavalcade.answers.tours import Tour
    from cavalcade.find.ties import preference
    from cavalcade.find.warnsdorff import walks
    from cavalcade.question.moves import graph_of, piece_on

    place = read_board(board)
    mover = piece_on(place, piece)
    graph = graph_of(place, mover)
    starts = list(range(graph.size)) if all_ else [0 if from_ is None else place.cell(from_)]
    title = f"ties by {ties}{', repaired' if repair else ''}"
    if as_printed and re.fullmatch(r"[0-9x]+x8x8", place.spec):
        refuse("ties", "repair", "degrees", "piece", why="cannot be combined with --as-printed on a stack")
        title = "as printed"
        from cavalcade.papers.solution3 import reconstructed

        found, note = reconstructed(place, starts, fit)
        log(note)
    else:
        refuse("fit", why="works only on a stack of boards such as 3x8x8")
        if as_printed:
            _assert_printed(place, mover, ties)
        found = walks(
            graph,
            starts,
            repair=repair,
            preference=preference(place, graph, ties, mover),
            ties=ties,
            degrees=_degrees(degrees, place),
            count_start=not as_printed,
            seed=seed,
        )
    closes = (
        Tour(
            place,
            path,
            closed=len(path) == graph.size > 2 and path[0] in graph.neighbours(path[-1]),
            piece=mover,
        )
        for path in found
    )
    if all_:
        return _all(f"{place.title}, {title}", place, closes, wanted, output)
    return _one(next(closes), title, wanted or "text", output, beside=beside)


def _one(walk: Tour, title: str, format_: str, output: str | None, *, beside: bool) -> int:
    """Show a walk, and state where it got stuck if it is no tour."""
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
    """The numbers to start with; None for the true ones."""
    if degrees is None:
        return None
    if degrees != "paper":
        from cavalcade.formats.integers import read_numbers

        return read_numbers(degrees, place)
    from cavalcade.papers.stacks import paper_degrees

    return paper_degrees(place)


def _assert_printed(place: Board | MoveGraph, mover: Piece, ties: str) -> None:
    """Refuse --as-printed where it would not be the papers' program, or state where it is printed."""
    from cavalcade.boards import Board
    from cavalcade.question.pieces import KNIGHT

    if place != Board.box(8, 8) or mover != KNIGHT or ties not in {"first", "last"}:
        raise click.UsageError(
            "--as-printed is the papers' program for one chessboard: it needs 8x8, the knight and --ties "
            f"first or last, not {place.title}, {mover.spec} and {ties}; for stacks, try 3x8x8"
        )
    where = "Gerlach 2015 (Completing the tour) and 2019 (%ktour)"
    log(f"as printed in {where}, " + ("with LT" if ties == "first" else "with LE for LT"))


def _all(
    title: str, place: Board | MoveGraph, walks: Iterator[Tour], format_: str | None, output: str | None
) -> int:
    """Print or draw every walk, or the outcome; after an interrupt, or at a limit, of the walks done."""
    from cavalcade.checking.tours import check

    done: list[Tour] = []
    failures, closed, count = [], 0, 0
    code = FOUND
    try:
        for walk in _with_progress(walks, place.size):
            if format_ is not None:
                done.append(walk)
            checked = check(walk)
            count += 1
            closed += bool(checked) and walk.closed
            if not checked:
                end = place.name(walk.end)
                how = f"gets stuck on {end} after {len(walk):,} of {place.size:,} cells"
                if len(walk) == place.size:
                    how = f"fills the board, but {checked.message}"
                failures.append(f"{place.name(walk.start)} {how}")
    except (KeyboardInterrupt, TimeoutError) as error:
        code, ended = (
            (UNDECIDED, "undecided") if isinstance(error, TimeoutError) else (INTERRUPTED, "interrupted")
        )
        log(f"{ended} after {count:,} of {place.size:,} starts")
    good = count - len(failures)
    rate = f", {100 * good / count:.1f} %" if count else ""
    head = f"{title}: {good:,} of {count:,} starts succeed{rate}; {closed:,} of the tours are closed"
    if format_ is None or not done:
        show("".join(f"{line}\n" for line in [head, *failures]))
        return code
    log(head)
    from cavalcade.formats import rendered

    if format_ in STILL:
        from cavalcade.draw.sheet import walks_picture

        data = rendered(walks_picture(done), format_)
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
