"""Shared by `list`, `sample` and `magic`: the options that choose the tours, and how tours are written."""

from __future__ import annotations

import csv
import io
from functools import wraps
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from cavalcade.cli.common import problem_options, show, writable
from cavalcade.draw.styles import STYLES
from cavalcade.formats import format_of
from cavalcade.formats.table import SHEETS
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cavalcade.answers.tours import Tour

    Command = TypeVar("Command", bound=Callable[..., Any])

FORMATS = ("text", "json", "csv", "tour", "wide", *SHEETS)
OF_ONE = ("npy", "gif", "tikz")  # a file holds one tour


def _output(context: click.Context, parameter: click.Parameter, output: str | None) -> str | None:
    """The file, None for standard output; its ending has to be that of a format, unless one is given."""
    del parameter
    if output in {None, "-"}:
        return None
    writable(output)
    if context.params.get("format_") is None and format_of(output) not in {*FORMATS, *OF_ONE}:
        raise FormatError(
            f"the ending of {output!r} does not name a format, expected {', '.join((*FORMATS, *OF_ONE))}, "
            "or --format"
        )
    return output


def tours_options(command: Command) -> Command:
    """Add the argument and the options that choose the tours and their format."""
    return format_options(problem_options(command))


def format_options(command: Command) -> Command:
    """Add the options that say how tours are written; the command gets those of a sheet as one, `sheet`."""

    @wraps(command)
    def gathered(**options: Any) -> Any:  # noqa: ANN401 - click's
        sheet = {word: options.pop(word) for word in ("style", "per_page")}
        return command(sheet={word: value for word, value in sheet.items() if value is not None}, **options)

    asked: Any = gathered
    for option in (
        click.option(
            "--per-page", type=click.IntRange(min=1), metavar="K",
            help="In a PDF, this many tours on a page (default: 12).",
        ),
        click.option("--style", type=click.Choice(tuple(STYLES)), help="The look of the tours on a sheet."),
        click.option(
            "--format", "format_", type=click.Choice(FORMATS), is_eager=True,
            help="How to write the tours (default: what the ending of FILE sets, or text).",
        ),
        click.option(
            "--measure", "measured", is_flag=True,
            help="Write a CSV table of measures instead, one row a tour.",
        ),
        click.option(
            "-o", "--output", metavar="FILE", callback=_output,
            help="Write to this file, whole or not at all; - is standard output.",
        ),
    ):  # fmt: skip
        asked = option(asked)
    return cast("Command", asked)


def show_tours(
    tours: Iterable[Tour],
    format_: str | None,
    output: str | None,
    *,
    measured: bool,
    sheet: dict[str, Any],
) -> int:
    """Print tours as they come, or write all of them to a file or none; returns how many.

    Each is checked. In text an empty line stands between two tours; csv is one table that begins with the
    number of the tour; wide and json have one line for each tour; .tour files follow one another. What is
    measured is one table too. A picture or an array holds one tour.
    """
    format_ = format_ or ("text" if output is None else format_of(output))
    if measured and format_ not in {"text", "csv"}:
        raise click.UsageError(f"--measure writes a CSV table, not {format_}: leave out --format.")
    format_ = "measures" if measured else format_
    if format_ in SHEETS:
        return _write_sheet(tours, format_, output, sheet)
    for option in sheet:
        raise click.UsageError(f"--{option.replace('_', '-')} is for {', '.join(SHEETS)}, not for {format_}.")
    if output is None:
        return _write_tours(tours, format_, show)
    if format_ in OF_ONE:
        return _write_one(tours, format_, output)
    from cavalcade.formats.files import replacing

    every = iter(tours)
    first = list(islice(every, 1))
    if not first:  # nothing is written, and what was there before stays
        return 0
    tours = chain(first, every)
    with replacing(output) as part, part.open("x", encoding="utf-8", newline="") as file:
        return _write_tours(tours, format_, file.write)


def _write_sheet(tours: Iterable[Tour], format_: str, output: str | None, sheet: dict[str, Any]) -> int:
    from cavalcade.checking.tours import check
    from cavalcade.draw.ground import MOST

    if "per_page" in sheet and format_ != "pdf":
        raise click.UsageError(f"--per-page is for pdf, not for {format_}.")
    some: list[Tour] = []
    cells = 0
    for tour in tours:
        if not (checked := check(tour)):
            raise AssertionError(f"number {len(some) + 1} is not a tour: {checked.message}")
        some.append(tour)
        cells += len(tour)
        if cells > MOST:
            raise FormatError(f"a sheet shows {MOST:,} cells at most, and there are more tours: add -n")
    if some:
        from cavalcade.formats import rendered

        show(rendered(some, format_, **sheet), output)
    return len(some)


def _write_one(tours: Iterable[Tour], format_: str, output: str) -> int:
    from cavalcade.checking.tours import check
    from cavalcade.formats import save

    some = list(islice(tours, 2))
    if len(some) > 1:
        raise FormatError(f"{output!r} holds one tour, and there are more: add -n 1")
    for tour in some:
        if not (checked := check(tour)):
            raise AssertionError(f"it is not a tour: {checked.message}")
        save(tour, output, format_)
    return len(some)


def _write_tours(tours: Iterable[Tour], format_: str, write_text: Callable[[str], object]) -> int:
    from cavalcade.checking.tours import check
    from cavalcade.formats import write
    from cavalcade.formats.header import describe

    number = 0
    for number, tour in enumerate(tours, 1):
        if not (checked := check(tour)):
            raise AssertionError(f"number {number} is not a tour: {checked.message}")
        if format_ == "measures":
            write_text(_row(number, tour))
            continue
        first = f"; {describe(tour, holes=format_ != 'wide')}\n" if number == 1 else ""
        if format_ in {"csv", "wide"}:
            titles, *rows = write(tour, format_, header=False).splitlines()
            if format_ == "csv":
                titles, rows = f"tour,{titles}", [f"{number},{row}" for row in rows]
            write_text(first + "\n".join([titles, *rows] if number == 1 else rows) + "\n")
        else:
            write_text(("\n" if format_ == "text" and number > 1 else "") + write(tour, format_))
    return number


def _row(number: int, tour: Tour) -> str:
    """The measures of a tour as a row of a table, the first below the titles."""
    out = io.StringIO()
    columns = {"tour": number} | tour.measure().columns()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerows([columns, columns.values()] if number == 1 else [columns.values()])
    return out.getvalue()
