"""How `list`, `sample` and `magic` write tours: as they come, or in one file."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Annotated, Any

import click

import cavalcade
from cavalcade import formats
from cavalcade.cli import FOUND
from cavalcade.cli.command import option, reached, refuse
from cavalcade.cli.options import Output, Positive
from cavalcade.cli.writing import Written, fail, log, show, show_parts
from cavalcade.draw.styles import STYLES
from cavalcade.formats.table import BY_NAME, SHEETS
from cavalcade.ground.budget import assert_time
from cavalcade.ground.errors import FormatError, TooLargeError

FORMATS = ("text", "json", "csv", "tour", "wide", *SHEETS)
OF_ONE = ("npy", "gif", "tikz")  # a file holds one tour


@dataclass(frozen=True)
class ListOptions(Written):
    """The options that set how tours are written.

    Options:
        measure: Write a CSV table of measures instead, one row per tour.
        format_: Format of the tours (default: the ending of FILE sets it, otherwise text).
        style: The style of the tours on a sheet.
        per_page: In a PDF, K tours per page (default: 12).
    """

    output: Output | None = None
    measure: Annotated[bool, option(excludes=["--style"])] = False
    format_: Annotated[str | None, option(type=click.Choice(FORMATS))] = None
    style: Annotated[str | None, option(type=click.Choice(tuple(STYLES)))] = None
    per_page: Positive | None = None

    def __post_init__(self) -> None:
        format_ = self.format
        if self.measure and format_ not in {"text", "csv", "json"}:
            refuse("measure", why=f"writes a CSV table, not {format_}")
        if format_ not in SHEETS:
            refuse("style", "per_page", why=f"works only with {', '.join(SHEETS)}, not with {format_}")
        if format_ != "pdf":
            refuse("per_page", why=f"works only with pdf, not with {format_}")

    def show_tours(self, tours: Iterable[cavalcade.Tours]) -> int:
        """Print tours, each checked, as they come, or write all of them to a file; returns how many.

        In text an empty line separates two tours; csv is one table that begins with the number of the tour;
        wide and json have one line per tour; .tour files follow one another. Measures are one table as well.
        A picture or an array holds one tour.

        Raises:
            TooLargeError: a limit ended the search; the tours found before it are written.
        """
        from cavalcade.checking.tours import check_all

        number, reason = 0, ""
        write_rows = None if self.measure else getattr(BY_NAME[self.format].module, "write_rows", None)

        def checked() -> Iterator[cavalcade.Tours]:
            nonlocal number, reason
            try:
                for block in tours if write_rows else _each(tours):
                    if not (right := check_all(block)):
                        raise AssertionError(f"after {number} tours {right.message}")
                    yield block
                    number += len(block)
            except (TimeoutError, TooLargeError, MemoryError) as error:
                reason = reached(error)

        every = checked()
        if self.format in SHEETS:
            self._show_sheet(chain.from_iterable(every))
        elif self.format in OF_ONE and self.output is not None:
            if some := list(islice(chain.from_iterable(every), 2)):
                if len(some) > 1:
                    raise FormatError(f"{self.output!r} holds one tour, and there are more: add -n 1")
                formats.save(some[0], self.output, self.format)
        else:
            texts = self._texts(every, write_rows)
            if first := list(islice(texts, 1)):  # without one the file stays as it was
                show_parts(chain(first, texts), self.output)
        if reason:
            raise TooLargeError(f"{reason}; {number:,} tour{'s' * (number != 1)} found before")
        return number

    def _show_sheet(self, tours: Iterable[cavalcade.Tour]) -> None:
        from cavalcade.draw.board import MOST

        some: list[cavalcade.Tour] = []
        for tour in tours:
            some.append(tour)
            if sum(map(len, some)) > MOST:
                raise FormatError(f"a sheet shows at most {MOST:,} cells, and there are more tours: add -n")
        options = {"style": self.style, "per_page": self.per_page}
        given: dict[str, Any] = {word: value for word, value in options.items() if value is not None}
        if some:
            show(formats.rendered(some, self.format, **given), self.output)

    def _texts(
        self, every: Iterable[cavalcade.Tours], write_rows: Callable[[cavalcade.Tours, int], str] | None
    ) -> Iterator[str]:
        """The text of each block of tours, after what separates it from the one before."""
        number = 1
        for tours in every:
            if write_rows:
                yield write_rows(tours, number)
            else:
                (tour,) = tours
                as_json = self.format == "json"
                measured = self.measure and _row(number, tour, as_json=as_json)
                yield measured or cavalcade.write(tour, self.format)
            number += len(tours)


def _each(blocks: Iterable[cavalcade.Tours]) -> Iterator[cavalcade.Tours]:
    """The tours one by one, where writing them takes longer than finding them: the limit may come between."""
    for number, tour in enumerate(chain.from_iterable(blocks)):
        assert_time(f"{number:,} tours were written")
        yield cavalcade.Tours.of(tour)


def _row(number: int, tour: cavalcade.Tour, *, as_json: bool) -> str:
    """The measures of a tour as an object, or as a row of a table, the first below the titles."""
    out = io.StringIO()
    columns = {"tour": number} | tour.measure().columns()
    if as_json:
        return json.dumps(columns, default=float) + "\n"
    rows = csv.writer(out, lineterminator="\n")
    rows.writerows([columns, columns.values()] if number == 1 else [columns.values()])
    return out.getvalue()


def log_shown(shown: int, what: str, about: str, more: str) -> int:
    """Log how many tours there are, such as `closed` ones `of 8x8`; returns the exit code."""
    if not shown:
        return fail("impossible", f"there is no {what}tour {about}: the search was exhaustive")
    log(f"{shown:,} {what}tour{'s' * (shown != 1)} {about}{more}")
    return FOUND
