"""`cavalcade warnsdorff`: the rule, from one start or from all of them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

import click

from cavalcade.cli import FOUND, INTERRUPTED, UNDECIDED
from cavalcade.cli.common import (
    graph_of,
    log,
    piece_option,
    read_board,
    read_piece,
    rendered,
    seed_option,
    show,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from cavalcade.boards import Board
    from cavalcade.graph import MoveGraph
    from cavalcade.pieces import Piece

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


@click.command()
@click.argument("board")
@piece_option
@click.option("--from", "start", metavar="CELL", help="Begin here (default: the first cell, a8 on 8x8).")
@click.option(
    "--all", "every", is_flag=True, help="Begin in each cell in turn, and list where the walks got stuck."
)
@click.option(
    "--ties",
    type=click.Choice(TIES),
    default="first",
    show_default=True,
    help="Which cell to take if several have equally few ways on.",
)
@click.option(
    "--as-printed",
    is_flag=True,
    help="Walk as the papers' program does, which forgets that the start is no longer free: "
    "only for 8x8, the knight, and ties by first or last.",
)
@seed_option
def command(
    board: str, piece: str | None, start: str | None, ties: str, seed: int, *, every: bool, as_printed: bool
) -> int:
    """Walk over BOARD by Warnsdorff's rule: always to the free cell with the fewest free ways on.

    Prints the walk, however far it came; exit code 0 if it is a tour, 3 if it got stuck. With --all it
    prints how many starts succeed, and where the others got stuck.
    """
    if every and start is not None:
        raise click.UsageError(f"--all and --from {start} contradict each other.")
    from cavalcade.answers.verdict import Found
    from cavalcade.checking.tours import check
    from cavalcade.find.ties import preference, warnsdorff
    from cavalcade.find.warnsdorff import walks

    place = read_board(board)
    mover = read_piece(piece, place)
    if as_printed:
        _assert_printed(place, mover, ties)
    if every:
        graph = graph_of(place, mover)
        preferred = preference(place, graph, ties, mover)
        starts = range(graph.size)
        paths = walks(graph, starts, ties=ties, count_start=not as_printed, seed=seed, preference=preferred)
        return _survey(f"{place.title}, ties by {ties}", place.names, graph, paths)
    first = 0 if start is None else place.cell(start)
    verdict = warnsdorff(place, first, piece=mover, ties=ties, count_start=not as_printed, seed=seed)
    walk = verdict.tour if isinstance(verdict, Found) else verdict.partial
    if isinstance(verdict, Found) and not (checked := check(verdict.tour)):
        raise AssertionError(f"the walk is not a tour: {checked.message}")
    if walk is not None:
        show(rendered(walk, "text"))
    if isinstance(verdict, Found):
        return FOUND
    log(verdict.reason)
    return UNDECIDED


def _assert_printed(place: Board | MoveGraph, mover: Piece, ties: str) -> None:
    """Refuse --as-printed where it would not be the papers' program."""
    from cavalcade.boards import Board
    from cavalcade.pieces import KNIGHT

    if place != Board.box(8, 8) or mover != KNIGHT or ties not in {"first", "last"}:
        raise click.UsageError(
            "--as-printed is the papers' program for one chessboard: it needs 8x8, the knight and --ties "
            f"first or last, not {place.title}, {mover.spec} and {ties}. For stacks of boards see "
            "`cavalcade reproduce gerlach2019`."
        )


def _survey(title: str, names: Sequence[str], graph: MoveGraph, paths: Iterator[NDArray[np.int32]]) -> int:
    """Print the outcome of all walks or, after an interrupt, of those that were done."""
    done = closed = 0
    failures = []
    code = FOUND
    try:
        for path in _with_progress(paths, graph.size):
            done += 1
            closed += len(path) == graph.size > 2 and int(path[0]) in graph.neighbours(int(path[-1]))
            if len(path) < graph.size:
                failures.append((names[path[0]], names[path[-1]], len(path)))
    except KeyboardInterrupt:
        log(f"interrupted after {done:,} of {graph.size:,} starts")
        code = INTERRUPTED
    good = done - len(failures)
    rate = f", {100 * good / done:.1f} %" if done else ""
    lines = [f"{title}: {good:,} of {done:,} starts succeed{rate}; {closed:,} of the tours are closed"]
    lines += [
        f"{start} gets stuck on {end} after {n:,} of {graph.size:,} cells" for start, end, n in failures
    ]
    show("\n".join(lines) + "\n")
    return code


def _with_progress(items: Iterator[T], total: int) -> Iterator[T]:
    """The same items, with a progress bar on standard error if that is a terminal."""
    if not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return iter(track(items, "walking", total, console=Console(stderr=True), transient=True))
