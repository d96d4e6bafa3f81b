"""`cavalcade survey`: one question about every board of a family."""

from __future__ import annotations

from pathlib import Path

import click

from cavalcade.cli import FOUND, UNDECIDED
from cavalcade.cli.common import log, memory_option, progress, seed_option, show, time_limit_option

SHOW = "show"


@click.command()
@click.argument("family", nargs=-1, metavar="FAMILY|show DIR")
@click.option("-o", "--output", metavar="DIR", help="The directory of the rows; with some, go on.")
@click.option(
    "--verb",
    type=click.Choice(("tour", "prove", "count", "measure")),
    default="tour",
    show_default=True,
    help="What to ask about each board; measure finds a tour and measures it.",
)
@click.option(
    "--piece",
    "pieces",
    multiple=True,
    metavar="P",
    help="The piece, as for `tour`; names of the family may stand in braces. Can be repeated.",
)
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(("closed", "open")),
    help="Closed tours (the default) or open ones. Can be repeated.",
)
@time_limit_option("10, for counts none")
@seed_option
@memory_option
@click.option("--keep", is_flag=True, help="Keep every tour and certificate, for `check DIR`.")
@click.option(
    "--batch", type=click.IntRange(min=1), metavar="N",
    help="Boards a file (default: 1000 or more, with --verb count 20).",
)  # fmt: skip
@click.option(
    "--rows",
    type=click.Choice(("csv", "parquet")),
    default="csv",
    show_default=True,
    help="Format of the rows.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), metavar="N", help="Processes (default: one for each core)."
)
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Let the workers of this Dask scheduler answer; local:4 starts four workers on this machine.",
)
@click.option(
    "--rule",
    metavar="CONDITION",
    help="With show: list the boards that this rule is wrong about, like m*n % 2 == 0.",
)
@click.option("--map", "map_", metavar="FILE", help="With show: write a heat map to this file (.svg).")
@click.option(
    "--by",
    type=click.Choice(("verdict", "seconds")),
    default="verdict",
    show_default=True,
    help="What the heat map shows.",
)
def command(
    family: tuple[str, ...],
    output: str | None,
    verb: str,
    pieces: tuple[str, ...],
    kinds: tuple[str, ...],
    *,
    time_limit: float | None,
    seed: int,
    memory: int,
    keep: bool,
    batch: int | None,
    rows: str,
    workers: int | None,
    scheduler: str | None,
    rule: str | None,
    map_: str | None,
    by: str,
) -> int:
    """Ask one question about every board of FAMILY, and write a row for each to DIR.

    FAMILY is one line like '{m}x{n} for m in 3..20, n in m..40', '8x8 without 4 balanced cells',
    'polyominoes of 9 cells' or 'boards in FOLDER', or a .toml file. A survey that was broken off goes on
    with the same command. `survey show DIR` prints what came out, `check DIR` checks it. Exit code 3 if a
    board is undecided.
    """
    if family[:1] == (SHOW,):
        if len(family) != 2:
            raise click.UsageError("show needs one directory, like: survey show DIR")
        return _show(family[1], rule, map_, by)
    for option, given in (("--rule", rule), ("--map", map_)):
        if given is not None:
            raise click.UsageError(f"{option} goes with `survey show DIR`.")
    if output is None:
        raise click.UsageError("a survey needs -o DIR, where its rows go.")
    source = click.get_current_context().get_parameter_source("memory")
    shared = source != click.core.ParameterSource.COMMANDLINE  # the workers share what there is
    from cavalcade.surveys.running import survey

    with progress("boards") as report:
        done = survey(
            " ".join(family),
            output,
            verb=verb,
            pieces=pieces,
            kinds=kinds,
            time_limit=time_limit,
            seed=seed,
            memory=None if shared else memory,
            keep=keep,
            batch=batch,
            rows=rows,
            workers=workers,
            scheduler=scheduler,
            progress=report,
        )
    from cavalcade.surveys.showing import summary

    show(summary(done))
    return UNDECIDED if any(row["verdict"] == "undecided" for row in done.rows()) else FOUND


def _show(directory: str, rule: str | None, map_: str | None, by: str) -> int:
    """Print what came out of a survey."""
    from cavalcade.surveys.batches import read_survey
    from cavalcade.surveys.showing import WIDEST, exceptions, heat_maps, summary, tables

    found = read_survey(directory)
    if map_ is not None:
        from cavalcade.formats.files import write_file
        from cavalcade.ground.errors import FormatError

        if Path(map_).suffix.lower() != ".svg":
            raise FormatError(f"the ending of {map_!r} does not name a format of maps, expected .svg")
        pictures = heat_maps(found, by)
        for i, picture in enumerate(pictures):
            path = Path(map_)
            write_file(path if len(pictures) == 1 else path.with_stem(f"{path.stem}-{i + 1}"), picture)
        log(f"{len(pictures)} maps were written" if len(pictures) > 1 else f"{map_} was written")
        return FOUND
    if rule is not None:
        rows = exceptions(found, rule)
        show("".join(f"{row['board']} {row['piece']} {row['kind']}: {row['verdict']}\n" for row in rows))
        log(f"{len(rows):,} exceptions")
        return FOUND
    show(summary(found))
    for table in tables(found):
        text = str(table)
        if max(map(len, text.splitlines())) <= WIDEST:
            show(f"\n{text}")
    return FOUND
