"""`cavalcade count`: how many tours there are."""

from __future__ import annotations

import contextlib
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cavalcade.cli import FOUND, UNDECIDED
from cavalcade.cli.common import piece_option, read_board, read_piece, say, show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cavalcade.counting.frontier import Progress

UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def _bytes(context: click.Context, parameter: click.Parameter, text: str) -> int:
    del context
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if not match:
        raise click.BadParameter(
            f"{text!r} is no amount of memory, expected one like 500M or 4G.", param=parameter
        )
    return int(float(match[1]) * UNITS[match[2].upper()])


@click.command()
@click.argument("board")
@piece_option
@click.option("--open", "open_", is_flag=True, help="Count open tours.")
@click.option("--from", "start", metavar="CELL", help="Count open tours that begin here.")
@click.option("--to", "end", metavar="CELL", help="Count open tours that end here.")
@click.option("--without", metavar="CELLS", help="Take these cells out of the board, like d4,e5.")
@click.option("--directed", is_flag=True, help="Count a tour and its reverse as two.")
@click.option(
    "--memory",
    default="4G",
    metavar="M",
    show_default=True,
    callback=_bytes,
    help="What the tables may take.",
)
@click.option(
    "--checkpoint", metavar="FILE", help="Save the work here now and then, and go on from it if it is there."
)
@click.option("--json", "json_", is_flag=True, help="One object with the count and what it took.")
def command(
    board: str,
    piece: str | None,
    *,
    open_: bool,
    start: str | None,
    end: str | None,
    without: str | None,
    directed: bool,
    memory: int,
    checkpoint: str | None,
    json_: bool,
) -> int:
    """Count the tours of BOARD exactly: the closed ones, unless they are to be --open.

    Each counts by itself, also mirror images; a tour and its reverse are one, unless --directed. Exit code 3
    if the board is too wide, or --memory too small.
    """
    for option, cell in (("--from", start), ("--to", end)):
        if cell is not None and not open_:
            raise click.UsageError(f"{option} {cell} needs --open: closed tours have no ends.")
    from cavalcade.counting.ask import count
    from cavalcade.errors import TooLargeError

    place = read_board(board, without)
    mover = read_piece(piece, place)
    try:
        with _bar() as progress:
            found = count(
                place,
                piece=mover,
                open=open_,
                start=start,
                end=end,
                directed=directed,
                memory=memory,
                progress=progress,
                checkpoint=None if checkpoint is None else Path(checkpoint),
            )
    except TooLargeError as error:
        say(f"undecided: {error}")
        return UNDECIDED
    if json_:
        answer = {
            "board": place.spec,
            "piece": mover.spec,
            "kind": "open" if open_ else "closed",
            "count": found.count,
            "conventions": found.conventions,
            "seconds": found.seconds,
            "peak_states": found.peak_states,
            "peak_bytes": found.peak_bytes,
        }
        show(json.dumps(answer) + "\n")
    else:
        show(f"{found.count}\n")
        say(
            f"{place.title}, {mover.spec}: {found.conventions}; {found.seconds:.2f} s, "
            f"{found.peak_states:,} states at the peak, {found.peak_bytes / 2**20:,.0f} MiB"
        )
    return FOUND


@contextlib.contextmanager
def _bar() -> Iterator[Callable[[Progress], None] | None]:
    """A bar on standard error, if somebody is looking."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("counting", total=None)

        def show_progress(now: Progress) -> None:
            bar.update(
                task,
                total=now.vertices,
                completed=now.taken,
                description=f"{now.taken} of {now.vertices} cells, {now.states:,} states",
            )

        yield show_progress
