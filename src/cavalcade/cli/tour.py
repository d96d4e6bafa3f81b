"""`cavalcade tour`: find a tour."""

from __future__ import annotations

import math

import click

from cavalcade.cli import FOUND, IMPOSSIBLE, UNDECIDED
from cavalcade.cli.common import (
    TOUR_FORMATS,
    beside_option,
    format_for,
    output_option,
    piece_option,
    read_board,
    read_piece,
    rendered,
    say,
    seed_option,
    show,
)

EXIT_CODES = {"found": FOUND, "impossible": IMPOSSIBLE, "undecided": UNDECIDED}


def _positive(context: click.Context, parameter: click.Parameter, seconds: float | None) -> float | None:
    del context
    if seconds is not None and not (0 < seconds < math.inf):
        raise click.BadParameter(f"{seconds} is no number of seconds above 0.", param=parameter)
    return seconds


@click.command()
@click.argument("board")
@piece_option
@click.option(
    "--open", "open_", is_flag=True, help="An open tour: its end need not be a move from its start."
)
@click.option("--from", "start", metavar="CELL", help="Begin here.")
@click.option("--to", "end", metavar="CELL", help="End here; open tours only.")
@click.option("--without", metavar="CELLS", help="Take these cells out of the board, like d4,e5.")
@seed_option
@click.option(
    "--time-limit", type=float, callback=_positive, metavar="S", help="Give up after so many seconds."
)
@click.option(
    "--format", "format_", type=click.Choice(TOUR_FORMATS), help="How to write the tour; text without it."
)
@click.option("--json", "json_", is_flag=True, help="The same as --format json: one object, whatever comes.")
@beside_option
@output_option
@click.option("--verbose", is_flag=True, help="Say on standard error what was tried, who found it, how fast.")
def command(
    board: str,
    piece: str | None,
    *,
    open_: bool,
    start: str | None,
    end: str | None,
    without: str | None,
    seed: int,
    time_limit: float | None,
    format_: str | None,
    json_: bool,
    beside: bool,
    output: str | None,
    verbose: bool,
) -> int:
    """Find a tour of BOARD: a closed one, unless it is --open.

    The tour is checked before it is shown. Exit code 0 if it is found, 1 if there is none, 2 for bad
    input, 3 if neither could be settled.
    """
    if json_ and format_ not in {None, "json"}:
        raise click.UsageError(f"--json and --format {format_} contradict each other.")
    if end is not None and not open_:
        raise click.UsageError(f"--to {end} needs --open: a closed tour ends next to where it begins.")
    format_ = format_for("json" if json_ else format_, output)
    from cavalcade.find.ladder import tour as find
    from cavalcade.formats import verdict_json
    from cavalcade.verdict import Found

    place = read_board(board, without)
    mover = read_piece(piece, place)
    verdict = find(
        place,
        piece=mover,
        open=open_,
        start=None if start is None else place.cell(start),
        end=None if end is None else place.cell(end),
        seed=seed,
        time_limit=time_limit,
    )
    if format_ == "json":
        show(verdict_json(verdict, place, mover, "open" if open_ else "closed"), output)
    elif isinstance(verdict, Found):
        show(rendered(verdict.tour, format_, beside=beside), output)
    else:
        from cavalcade.proofs.theorems import citation

        said = citation(place, mover, not open_) if verdict.status == "impossible" else ""
        say(f"{verdict.status}: {verdict.reason} {said}".strip())
    if verbose:
        from cavalcade.proofs.theorems import citation

        if isinstance(verdict, Found) and (said := citation(place, mover, not open_)):
            say(said)
        for one in verdict.effort:
            say(f"{one.rung}, {one.seconds:.3f} s: {one.outcome}")
        say(
            f"{verdict.status}: {place.title}, {place.size:,} cells, by {verdict.method}, "
            f"seed {verdict.seed}, {verdict.seconds:.3f} s"
        )
    return EXIT_CODES[verdict.status]
