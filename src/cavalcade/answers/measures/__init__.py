"""Measures of a tour: values for people, for JSON and for tables of many tours.

A value is a number or an instance of a class below. Each class has a `text` for people, a `plain` form for
JSON, and `columns` for a row of a table.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from cavalcade.ground import TEXT_WIDTH

Columns = dict[str, int | float | str]

TITLES = ("board", "piece", "kind")  # equal for all rows of a table of tours, so not columns


class Counts(dict[str, int]):
    """Number of moves or angles of each kind; `unit` follows the name of a kind."""

    unit = ""

    def text(self) -> str:
        """Return text like `3 of 90°, 2 of 180°`."""
        return ", ".join(f"{number} of {kind}{self.unit}" for kind, number in self.items())

    def columns(self, name: str) -> Columns:
        """Return one column per kind: `angle_90` for `angles`."""
        return {f"{name.removesuffix('s')}_{kind}": number for kind, number in self.items()}


class Angles(Counts):
    """Numbers of angles, by degrees."""

    unit = "\N{DEGREE SIGN}"


class ClassCounts(Counts):
    """Numbers of moves in each class under the symmetries of the board, including unused classes."""

    def text(self) -> str:
        """Return the number of used classes and, if there are few classes, their names."""
        used = [f"{number} like {kind}" for kind, number in self.items() if number]
        most = 24  # the 21 classes of the chessboard fit, in five lines
        shown = f": {', '.join(used)}" if len(self) <= most else ""
        return f"{len(used)} of {len(self)} used{shown}"

    def columns(self, name: str) -> Columns:
        """Return the number of used classes and one column per class."""
        columns = {f"class_{kind}": number for kind, number in self.items()}
        return {name: sum(number > 0 for number in self.values()), **columns}


class TourSymmetry(NamedTuple):
    """A symmetry of the board that fixes a tour: its name, and `forward` or `backward`."""

    name: str
    direction: str


class Symmetries(tuple[TourSymmetry, ...]):
    """The symmetries of the board that fix a tour, without the identity."""

    __slots__ = ()

    def text(self) -> str:
        """Return text like `half turn (forward)`."""
        return ", ".join(f"{name} ({direction})" for name, direction in self) or "none"

    def plain(self) -> list[dict[str, str]]:
        """Return the value for JSON."""
        return [symmetry._asdict() for symmetry in self]

    def columns(self, _name: str) -> Columns:
        """Return one column with all names."""
        return {"symmetry": " + ".join(sorted({symmetry.name for symmetry in self})) or "none"}


class Lines(NamedTuple):
    """Parallel lines of a board.

    Args:
        name: name of the direction: `rows`, `columns`, …
        wanted: sum that each line has in a magic tour.
        sums: actual sum of each line.
    """

    name: str
    wanted: Fraction
    sums: tuple[int, ...]

    @property
    def wrong(self) -> int:
        """Number of lines with another sum."""
        return sum(total != self.wanted for total in self.sums)

    def text(self) -> str:
        """Describe how many lines have the wanted sum."""
        magic_sum = f"{_number(self.wanted):,}"
        if not self.wrong:
            return f"all {self.name} {magic_sum}"
        if len(self.sums) <= 4:
            return f"{self.name} {', '.join(f'{total:,}' for total in self.sums)}"
        return f"{self.wrong} of {len(self.sums)} {self.name} not {magic_sum}"


class Magic(NamedTuple):
    """Equal sums of the step numbers on the lines of a board.

    Args:
        kind: `diagonally magic`, `magic`, `semi-magic` or `none`.
        lines: the rows, the columns, …, and the diagonals if the board has any.
    """

    kind: str
    lines: tuple[Lines, ...]

    def text(self) -> str:
        """Return the kind, then a description of the lines."""
        return "; ".join([self.kind, *(line.text() for line in self.lines)])

    def plain(self) -> dict[str, Any]:
        """Return the value for JSON."""
        lines = {
            line.name: {"wanted": _number(line.wanted), "wrong": line.wrong, "sums": line.sums}
            for line in self.lines
        }
        return {"kind": self.kind, **lines}

    def columns(self, name: str) -> Columns:
        """Return one column with the kind."""
        return {name: self.kind}


class Measures(Mapping[str, Any]):
    """The measures of a tour: `board`, `piece`, `kind`, `moves` and all other statistics.

    A statistic that is not defined on the board is absent as a key, and None as an attribute.

    Examples:
        >>> tour("6x6").tour.measure().kind
        'closed'
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{name!r} is not measured, expected one of {', '.join(self.__dict__)}")

    def __getitem__(self, name: str) -> Any:
        if (value := self.__dict__[name]) is None:
            raise KeyError(name)
        return value

    def __iter__(self) -> Iterator[str]:
        return (name for name, value in self.__dict__.items() if value is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def to_dict(self) -> dict[str, Any]:
        """Return a dict that is ready for JSON; areas are numbers, rounded if they have many decimals."""
        return {name: _plain(value) for name, value in self.items()}

    def to_json(self) -> str:
        """Return the measures as a JSON object on one line."""
        return json.dumps(self.to_dict()) + "\n"

    def columns(self) -> Columns:
        """Return a row for a table of many tours, one value per column: `turns`, `angle_90`, `slope_1/2`."""
        columns: Columns = {}
        for name, value in self.items():
            if name not in TITLES:
                columns |= value.columns(name) if hasattr(value, "columns") else {name: _plain(value)}
        return columns

    def __str__(self) -> str:
        rows = (f"{name.replace('_', ' '):<15} {_text(value)}" for name, value in self.items())
        return "".join(textwrap.fill(row, TEXT_WIDTH, subsequent_indent=16 * " ") + "\n" for row in rows)


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return _number(value)
    return value.plain() if hasattr(value, "plain") else value


def _text(value: Any) -> str:
    if isinstance(value, Fraction):
        return f"{_number(value):,.6g} cells"
    if isinstance(value, int):
        return f"{value:,}"
    return value.text() if hasattr(value, "text") else str(value)
