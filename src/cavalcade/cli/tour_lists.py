"""How `list`, `sample` and `magic` write tours: as they come, or in one file."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, Any

import click

from cavalcade.cli.command import option, refuse
from cavalcade.cli.options import Output, Positive  # noqa: TC001 - `verb` reads annotations
from cavalcade.cli.writing import format_for, show
from cavalcade.draw.styles import STYLES
from cavalcade.formats.table import SHEETS
from cavalcade.ground.errors import FormatError, TooLargeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cavalcade.answers.tours import Tour

FORMATS = ("text", "json", "csv", "tour", "wide", *SHEETS)
OF_ONE = ("npy", "gif", "tikz")  # a file holds one tour


@dataclass(frozen=True)
class ListOptions:
    """The options that set how tours are written.

    Options:
        measure: Write a CSV table of measures instead, one row per tour. Excludes --style.
        format_: Format of the tours (default: the ending of FILE sets it, otherwise text).
        style: The style of the tours on a sheet.
        per_page: In a PDF, K tours per page (default: 12).
    """

    output: Output | None = None
    measure: bool = False
    format_: Annotated[str | None, option(type=click.Choice(FORMATS))] = None
    style: Annotated[str | None, option(type=click.Choice(tuple(STYLES)))] = None
    per_page: Positive | None = None

    @property
    def format(self) -> str:
        """The format, checked against the other options."""
        format_ = format_for(self.format_, self.output)
        if self.measure and format_ not in {"text", "csv"}:
            refuse("measure", why=f"writes a CSV table, not {format_}")
        if format_ not in SHEETS:
            refuse("style", "per_page", why=f"works only with {', '.join(SHEETS)}, not with {format_}")
        if format_ != "pdf":
            refuse("per_page", why=f"works only with pdf, not with {format_}")
        return "measures" if self.measure else format_


class _UntilLimit:
    """Tours, each checked, until there are no more or a limit ends the search; `reason` is that limit."""

    def __init__(self, tours: Iterable[Tour]) -> None:
        self.tours, self.number, self.reason = tours, 0, ""

    def __iter__(self) -> Iterator[Tour]:
        from cavalcade.checking.tours import check

        try:
            for tour in self.tours:
                if not (checked := check(tour)):
                    raise AssertionError(f"number {self.number + 1} is not a tour: {checked.message}")
                yield tour
                self.number += 1
        except (TimeoutError, TooLargeError, MemoryError) as error:
            self.reason = str(error) or "the memory limit is reached"


def show_tours(tours: Iterable[Tour], written: ListOptions) -> int:
    """Print tours as they come, or write all of them to a file; returns how many.

    In text an empty line separates two tours; csv is one table that begins with the number of the tour; wide
    and json have one line per tour; .tour files follow one another. Measures are one table as well. A picture
    or an array holds one tour.

    Raises:
        TooLargeError: a limit ended the search; the tours found before it are written.
    """
    every = _UntilLimit(tours)
    _write(every, written.format, written)
    if every.reason:
        raise TooLargeError(f"{every.reason}; {every.number:,} tour{'s' * (every.number != 1)} found before")
    return every.number


def _write(tours: Iterable[Tour], format_: str, written: ListOptions) -> None:
    output = written.output
    if format_ in SHEETS:
        _write_sheet(tours, format_, written)
    elif output is None:
        _write_each(tours, format_, show)
    elif format_ in OF_ONE:
        _write_one(tours, format_, output)
    else:
        from cavalcade.formats.files import replacing

        every = iter(tours)
        if first := list(islice(every, 1)):  # without one nothing is written, and the file stays as it was
            with replacing(output) as part, part.open("x", encoding="utf-8", newline="") as file:
                _write_each(chain(first, every), format_, file.write)


def _write_sheet(tours: Iterable[Tour], format_: str, written: ListOptions) -> None:
    from cavalcade.draw.ground import MOST
    from cavalcade.formats import rendered

    some: list[Tour] = []
    for tour in tours:
        some.append(tour)
        if sum(map(len, some)) > MOST:
            raise FormatError(f"a sheet shows at most {MOST:,} cells, and there are more tours: add -n")
    options = {"style": written.style, "per_page": written.per_page}
    given: dict[str, Any] = {word: value for word, value in options.items() if value is not None}
    if some:
        show(rendered(some, format_, **given), written.output)


def _write_one(tours: Iterable[Tour], format_: str, output: str) -> None:
    from cavalcade.formats import save

    some = list(islice(tours, 2))
    if len(some) > 1:
        raise FormatError(f"{output!r} holds one tour, and there are more: add -n 1")
    for tour in some:
        save(tour, output, format_)


def _write_each(tours: Iterable[Tour], format_: str, write_text: Callable[[str], object]) -> None:
    from cavalcade.formats import write
    from cavalcade.formats.header import describe

    for number, tour in enumerate(tours, 1):
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


def _row(number: int, tour: Tour) -> str:
    """The measures of a tour as a row of a table, the first below the titles."""
    out = io.StringIO()
    columns = {"tour": number} | tour.measure().columns()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerows([columns, columns.values()] if number == 1 else [columns.values()])
    return out.getvalue()
