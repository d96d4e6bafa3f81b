"""`cavalcade survey`: one question about every board of a family."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import click

import cavalcade
from cavalcade.answers.status import AnswerStatus
from cavalcade.cli import ExitCode
from cavalcade.cli.bare_words import is_board
from cavalcade.cli.command import option, refuse, refuse_all_but, verb
from cavalcade.cli.options import SURVEY, Directory, Json, NewFile, Positive, Seed, assert_no_range
from cavalcade.cli.writing import log, progress, report_file, show, show_json
from cavalcade.ground import TEXT_WIDTH
from cavalcade.ground.errors import FormatError

SHOW, EXPORT = "show", "export"
SHOW_OPTIONS = ("rule", "map_", "by", "json_", "quiet")
WALK_OPTIONS = ("ties", "count_start", "walks")


@dataclass(frozen=True)
class SurveyOptions:
    """The options of the question about every board, and of the processes that answer it.

    Options:
        verb: The question about each board. measure finds a tour and measures it; warnsdorff walks from every
            cell where an open tour may begin, and counts the tours.
        pieces: The piece, as for `tour`; may use the family's names in braces. Can be repeated.
        kinds: Closed tours (the default) or open ones. Can be repeated.
        ties: Which cell to choose if several have equally few onward moves, as for `warnsdorff`; may use the
            family's names in braces. Only with --verb warnsdorff.
        count_start: Whether the start reduces the onward moves of its neighbours (default: it does).
            Only with --verb warnsdorff.
        walks: Walk from this number of cells, drawn at random. Only with --verb warnsdorff.
        keep: Keep every tour and certificate, for `check DIR`.
        batch: Boards per file (default: at least 1,000; with --verb count or warnsdorff, 20).
        rows: Format of the rows.
        workers: Processes (default: one per core).
        scheduler: Use the workers of the Dask scheduler at ADDRESS, as tls://HOST:8786; local:4 is
            --workers 4.
        insecure_scheduler: Accept a scheduler without TLS: whoever reaches it can run code as you.
    """

    verb: Literal["tour", "prove", "count", "measure", "warnsdorff"] = "tour"
    pieces: Annotated[tuple[str, ...], option("--piece", metavar="P")] = ()
    kinds: Annotated[tuple[str, ...], option("--kind", choices=("closed", "open"))] = ()
    ties: Annotated[str | None, option(metavar="T")] = None
    count_start: bool | None = None
    walks: Positive | None = None
    seed: Seed = 0
    keep: bool = False
    batch: Positive | None = None
    rows: Literal["csv", "parquet"] = "csv"
    workers: Positive | None = None
    scheduler: Annotated[str | None, option(metavar="ADDRESS", excludes=["--workers"])] = None
    insecure_scheduler: Annotated[bool, option(needs=["--scheduler"])] = False


@verb(
    time_limit="10, for counts and walks none",
    memory="half of the machine's, shared by the workers",
    each="board",
)
def command(
    family: Annotated[tuple[str, ...], option(metavar="FAMILY|show DIR|export DIR")] = (),
    *,
    output: Annotated[Directory | None, option("-o", "--output")] = None,
    options: SurveyOptions = SurveyOptions(),
    rule: Annotated[str | None, option(metavar="CONDITION")] = None,
    map_: NewFile | None = None,
    by: Annotated[Literal["verdict", "seconds"], option(needs=["--map"])] = "verdict",
    json_: Annotated[Json, option(help="Print the rows, an object per line.")] = False,
    time_limit: float | None = None,
    memory: int | None = None,
) -> int:
    """Ask one question about every board of FAMILY, and write a row for each to DIR.

    FAMILY is one line such as '{m}x{n} for m in 3..20, n in m..40', '8x8 without 4 balanced cells',
    'polyominoes of 9 cells' or 'boards in FOLDER', or a .toml file. The same command resumes an interrupted
    survey. `survey show DIR` prints the results, `survey export DIR -o FILE` writes the rows as one table
    (.csv, .jsonl or .parquet), `check DIR` checks them. Exit codes: 0 all decided, 2 bad
    input, 3 a board is undecided.

    Options:
        output: Directory for the rows; an interrupted survey resumes from it. With export: the file.
        rule: With show: list the boards that contradict this rule, such as m*n % 2 == 0.
        map_: With show: write a heat map to FILE (.svg).
        by: What the heat map shows.
    """
    if family[:1] in {(SHOW,), (EXPORT,)}:
        if len(family) != 2:
            raise click.UsageError(f"{family[0]} expects one directory: try survey {family[0]} DIR")
        survey = cavalcade.read_survey(family[1])
        if family[0] == EXPORT:
            refuse_all_but("output", "quiet", why="cannot be combined with export")
            if output is None:
                raise click.UsageError("export expects a file for the table: add -o FILE.csv")
            survey.export(output)
            report_file(output)
            return ExitCode.FOUND
        refuse_all_but(*SHOW_OPTIONS, why="cannot be combined with show")
        return _rows(survey) if json_ else _show(survey, rule, map_, by)
    refuse("rule", "map_", "by", why="works only with survey show DIR")
    assert_no_range(" ".join(family))
    text = " ".join(family)
    statement = re.search(r"[{.]\w|\b(?:of|in|without)\b", text.replace("..", " "))
    if not statement and (".." in text or not is_board(text)):
        sides = sorted(map(int, re.findall(r"\d+", text)))
        first, last = (sides[0] if len(sides) > 1 else 3), (sides[-1] if sides else 8)
        line = SURVEY.format(first, first, last, last)
        raise click.UsageError(f"{text[:60]!r} is no family of boards: try {line}, with --piece for a piece")
    if output is None:
        raise click.UsageError(f"a survey needs a directory for its rows: try {SURVEY.format(3, 3, 8, 8)}")
    if Path(output).suffix in {".csv", ".jsonl", ".json", ".parquet", ".txt"} and not Path(output).is_dir():
        directory = Path(output).with_suffix("")
        then = f"then cavalcade survey export {directory} -o {output}"
        raise click.UsageError(f"a survey writes a directory, not {output!r}: try -o {directory}, {then}")
    if options.verb != "warnsdorff":
        refuse(*WALK_OPTIONS, why="works only with --verb warnsdorff")
    from cavalcade.surveys.showing import summary

    with progress("boards") as report:
        limits: dict[str, Any] = {"time_limit": time_limit, "memory": memory}
        done = cavalcade.survey(" ".join(family), output, progress=report, **vars(options), **limits)
    if json_:
        _rows(done)
    else:
        show(summary(done))
    return ExitCode.UNDECIDED if any(row["verdict"] == "undecided" for row in done.rows()) else ExitCode.FOUND


def _rows(survey: cavalcade.Survey) -> int:
    """Print the rows, one JSON object per line."""
    from cavalcade.surveys.exporting import values

    for row in values(survey.rows):
        show_json(row, status=AnswerStatus(row["verdict"]))
    return ExitCode.FOUND


def _show(survey: cavalcade.Survey, rule: str | None, map_: str | None, by: str) -> int:
    """Print the results of a survey."""
    from cavalcade.surveys.showing import exceptions, heat_maps, summary, tables

    if map_ is not None:
        path = Path(map_)
        if path.suffix.lower() != ".svg":
            raise FormatError(f"the ending of {map_!r} does not name a format of maps, expected .svg")
        pictures = heat_maps(survey, by)
        for i, picture in enumerate(pictures, 1):
            show(picture, str(path if len(pictures) == 1 else path.with_stem(f"{path.stem}-{i}")))
    elif rule is not None:
        rows = exceptions(survey, rule)
        show("".join(f"{row['board']} {row['piece']} {row['kind']}: {row['verdict']}\n" for row in rows))
        log(f"{len(rows):,} exceptions")
    else:
        texts = [str(table) for table in tables(survey)]
        narrow = [text for text in texts if max(map(len, text.splitlines())) <= TEXT_WIDTH]
        show("\n".join([summary(survey), *narrow]))
    return ExitCode.FOUND
