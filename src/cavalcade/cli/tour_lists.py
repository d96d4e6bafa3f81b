"""How `list`, `sample` and `magic` write tours: one by one as they are found, or in one file."""

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
from cavalcade.answers.status import AnswerStatus
from cavalcade.answers.verification import Verification
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, reached, refuse
from cavalcade.cli.writing import Item, Written, checked, fail, log, report_file, show_parts
from cavalcade.formats.table import BY_NAME, SHEETS
from cavalcade.ground.budget import assert_time
from cavalcade.ground.errors import FormatError, TooLargeError

FORMATS = ("text", "json", "csv", "parquet", "tour", "wide", *SHEETS)
SINGLE = ("npy", "gif", "tikz")  # formats whose files hold one tour


@dataclass(frozen=True)
class ListOptions(Written):
    """The options that set how tours are written.

    Options:
        measure: Write a table of measures instead, one row per tour: CSV, or JSON or Parquet.
        format_: Format of the tours (default: the ending of FILE sets it, otherwise text).
    """

    measure: bool = False
    format_: Annotated[str | None, option(choices=FORMATS)] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.measure and self.format not in {"text", "csv", "json", "parquet"}:
            refuse("measure", why=f"writes a table, as CSV, JSON or Parquet, not {self.format}")
        if self.format == "parquet" and self.output is None:
            raise FormatError("parquet is not text: add -o FILE.parquet")
        number = click.get_current_context().params.get("number")
        if self.format in SINGLE and number is not None:
            self._assert_single(number)
        if self.format in SHEETS and number != 1:
            refuse("animate", why="works only with a single tour (-n 1), not with a sheet of several")

    def _assert_single(self, number: int) -> None:
        if number > 1:
            raise FormatError(f"{self.output!r} holds one tour, and there are more: add -n 1")

    def show_tours(self, tours: Iterable[cavalcade.Tours], about: dict[str, str] | None = None) -> int:
        """Check tours, print them as they are found or write them to a file, and return their number.

        In text an empty line separates two tours; csv and parquet are one table whose first column is the
        number of the tour; wide and json have one line per tour; .tour files are concatenated. Measures are
        one table. A picture or an array holds one tour.

        Args:
            tours: the tours in blocks.
            about: further fields of each tour with --json.

        Raises:
            TooLargeError: a limit ended the search; the tours found before it are written.
        """
        from cavalcade.checking.tours import check_all

        number, reason = 0, ""
        write_rows = (
            self._measures if self.measure else getattr(BY_NAME[self.format].module, "write_rows", None)
        )

        def checked(render: Callable[[cavalcade.Tours, int], Item]) -> Iterator[Item]:
            """Check and render tours in small blocks; if a limit is reached, the last block is left out."""
            nonlocal number, reason
            in_blocks = write_rows or self.format in {"parquet", *SHEETS}
            try:
                for block in _small_blocks(tours) if in_blocks else _each(tours):
                    if not (right := check_all(block)):
                        raise AssertionError(f"after {number} tours {right.message}")
                    yield render(block, number + 1)
                    number += len(block)
            except (TimeoutError, TooLargeError, MemoryError) as error:
                reason = reached(error)

        if self.format in SHEETS:
            self._show_sheet(chain.from_iterable(checked(_unchanged)))
        elif self.format == "parquet" and self.output is not None:
            self._save_table(checked(self._columns), self.output)
        elif self.format in SINGLE and self.output is not None:
            if first_two := list(islice(chain.from_iterable(checked(_unchanged)), 2)):
                self._assert_single(len(first_two))
                self.show(first_two[0])
        else:
            texts = checked(write_rows or (lambda tours, _: cavalcade.write(tours[0], self.format)))
            if about and self.format == "json" and not self.measure:
                fields = json.dumps(about)[1:]
                texts = (text.replace("}\n", f", {fields}\n") for text in texts)  # an object is a line
            if first := list(islice(texts, 1)):  # if there is no tour, the file is not overwritten
                show_parts(chain(first, texts), self.output)
        if reason:
            raise TooLargeError(f"{reason}; {number:,} tour{'s' * (number != 1)} found before")
        return number

    def _show_sheet(self, tours: Iterable[cavalcade.Tour]) -> None:
        from cavalcade.draw.board import MOST

        shown: list[cavalcade.Tour] = []
        for tour in tours:
            shown.append(tour)
            if len(shown) * len(tour) > MOST:
                raise FormatError(f"a sheet shows at most {MOST:,} cells, and there are more tours: add -n")
        if shown:
            self.show(shown)

    def _columns(self, tours: cavalcade.Tours, number: int) -> tuple[dict[str, Any], cavalcade.Tour]:
        """Return the columns of tours, or of their measures, from tour `number` on, and the first tour."""
        if self.measure:
            return {"tour": [*range(number, number + len(tours))], **tours.measure().columns}, tours[0]
        return tours.columns | {"tour": tours.columns["tour"] + number - 1}, tours[0]

    def _save_table(self, parts: Iterator[tuple[dict[str, Any], cavalcade.Tour]], output: str) -> None:
        """Write the columns of several blocks as a Parquet file; if there is no tour, there is no file."""
        from cavalcade.formats.parquet import new_table

        if (first := next(parts, None)) is None:
            return
        with new_table(output) as write:
            for columns, tour in chain([first], parts):
                write(columns, tour)
        report_file(output)

    def _measures(self, tours: cavalcade.Tours, number: int) -> str:
        """Format the measures of some tours as JSON objects or CSV rows; titles precede tour number 1."""
        table = tours.measure()
        rows = ({"tour": i} | table.row(i - number) for i in range(number, number + len(table)))
        if self.format == "json":
            return "".join(json.dumps({"status": AnswerStatus.FOUND} | row) + "\n" for row in rows)
        out, titles = io.StringIO(), ["tour", *table.columns]
        written = csv.writer(out, lineterminator="\n")
        if number == 1:
            written.writerow(titles)
        written.writerows([row.get(title, "") for title in titles] for row in rows)
        return out.getvalue()


def _unchanged(tours: cavalcade.Tours, _: int) -> cavalcade.Tours:
    return tours


def _small_blocks(blocks: Iterable[cavalcade.Tours], size: int = 500) -> Iterator[cavalcade.Tours]:
    """Split blocks of tours: a limit that is reached while a block is rendered loses the whole block.

    Args:
        blocks: blocks of any size.
        size: number of tours in a small block; to measure and write 500 tours of 6x6 takes 30 ms.
    """
    for block in blocks:
        for begin in range(0, len(block), size):
            yield block[begin : begin + size]


def _each(blocks: Iterable[cavalcade.Tours]) -> Iterator[cavalcade.Tours]:
    """Iterate over single tours: formatting is slower than finding them, so the time limit is checked."""
    for number, tour in enumerate(chain.from_iterable(blocks)):
        assert_time(f"{number:,} tours were written")
        yield cavalcade.Tours.of(tour)


def log_shown(shown: int, what: str, about: str, suffix: str, verification: Verification | None) -> int:
    """Log the number of tours and how it was checked that there are no others; return the exit code.

    Args:
        shown: the number of tours.
        what: the kind of the tours and a space, such as `closed `.
        about: the board, such as `of 8x8`.
        suffix: which tours count as different, such as ` up to symmetry`.
        verification: how the list was checked; None if it was not searched to the end.
    """
    if not shown:
        searched = "" if verification == "certified" else "the search was exhaustive, "
        how = f": {searched}{checked(verification)}" if verification else ""
        return fail("impossible", f"there is no {what}tour {about}{how}")
    complete = f": all of them, {checked(verification)}" if verification else ""
    log(f"{shown:,} {what}tour{'s' * (shown != 1)} {about}{suffix}{complete}")
    return ExitCode.FOUND
