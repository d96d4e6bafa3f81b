"""`cavalcade survey`: one question about every board of a family."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import click

from cavalcade.cli import FOUND, UNDECIDED
from cavalcade.cli.command import option, refuse, refuse_all_but, verb
from cavalcade.cli.options import Directory, File, Positive, Seed
from cavalcade.cli.writing import log, progress, show

SHOW = "show"
OF_SHOW = ("rule", "map_", "by")


@verb(time_limit="10, for counts none", memory="half of the machine's, shared by the workers", each="board")
def command(
    family: Annotated[tuple[str, ...], option(metavar="FAMILY|show DIR")] = (),
    *,
    output: Annotated[Directory | None, option("-o", "--output")] = None,
    verb: Literal["tour", "prove", "count", "measure"] = "tour",
    piece: Annotated[tuple[str, ...], option(metavar="P")] = (),
    kind: Annotated[tuple[str, ...], option(type=click.Choice(("closed", "open")))] = (),
    seed: Seed = 0,
    keep: bool = False,
    batch: Positive | None = None,
    rows: Literal["csv", "parquet"] = "csv",
    workers: Positive | None = None,
    scheduler: Annotated[str | None, option(metavar="ADDRESS")] = None,
    rule: Annotated[str | None, option(metavar="CONDITION")] = None,
    map_: File | None = None,
    by: Literal["verdict", "seconds"] = "verdict",
    time_limit: float | None = None,
    memory: int | None = None,
) -> int:
    """Ask one question about every board of FAMILY, and write a row for each to DIR.

    FAMILY is one line such as '{m}x{n} for m in 3..20, n in m..40', '8x8 without 4 balanced cells',
    'polyominoes of 9 cells' or 'boards in FOLDER', or a .toml file. The same command resumes an interrupted
    survey. `survey show DIR` prints the results, `check DIR` checks them. Exit codes: 0 all decided, 2 bad
    input, 3 a board is undecided.

    Options:
        output: Directory for the rows; resumes if it has some.
        verb: What to ask about each board; measure finds a tour and measures it.
        piece: The piece, as for `tour`; may use the family's names in braces. Can be repeated.
        kind: Closed tours (the default) or open ones. Can be repeated.
        keep: Keep every tour and certificate, for `check DIR`.
        batch: Boards per file (default: at least 1,000; with --verb count, 20).
        rows: Format of the rows.
        workers: Processes (default: one per core).
        scheduler: Use the workers of this Dask scheduler; local:4 starts four workers on this machine.
            Excludes --workers.
        rule: With show: list the boards that contradict this rule, such as m*n % 2 == 0.
        map_: With show: write a heat map to FILE (.svg).
        by: What the heat map shows. Only with --map.
    """
    if family[:1] == (SHOW,):
        if len(family) != 2:
            raise click.UsageError("show expects one directory: try survey show DIR")
        refuse_all_but(*OF_SHOW, why="cannot be combined with show")
        return _show(family[1], rule, map_, by)
    refuse(*OF_SHOW, why="works only with survey show DIR")
    if output is None:
        raise click.UsageError("a survey needs a directory for its rows: add -o DIR")
    from cavalcade.surveys.running import survey
    from cavalcade.surveys.showing import summary

    with progress("boards") as report:
        done = survey(
            " ".join(family),
            output,
            verb=verb,
            pieces=piece,
            kinds=kind,
            time_limit=time_limit,
            seed=seed,
            memory=memory,
            keep=keep,
            batch=batch,
            rows=rows,
            workers=workers,
            scheduler=scheduler,
            progress=report,
        )
    show(summary(done))
    return UNDECIDED if any(row["verdict"] == "undecided" for row in done.rows()) else FOUND


def _show(directory: str, rule: str | None, map_: str | None, by: str) -> int:
    """Print the results of a survey."""
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
