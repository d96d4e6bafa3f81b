"""Measures: what was measured of a tour, for people, for JSON and for tables of many tours.

A value is a number, or of one of the classes below, each with its `text` for people, its `plain` form for
JSON, and its `columns` for a row of a table.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

Columns = dict[str, int | float | str]

SHOWN = 24  # classes that are named in the table for people
WIDTH = 100  # of that table
TITLES = ("board", "piece", "kind")  # of a tour, not of one row among many of the same


class Counts(dict[str, int]):
    """How many there are of each kind; `unit` follows the name of a kind."""

    unit = ""

    def text(self) -> str:
        """`3 of 90°, 2 of 180°`."""
        return ", ".join(f"{number} of {kind}{self.unit}" for kind, number in self.items())

    def columns(self, name: str) -> Columns:
        """One column for each kind: `angle_90` for `angles`."""
        return {f"{name.removesuffix('s')}_{kind}": number for kind, number in self.items()}


class Angles(Counts):
    """Counts of angles, by their degrees."""

    unit = "\N{DEGREE SIGN}"


class ClassCounts(Counts):
    """Counts of moves by their class under the symmetries of the board, unused classes too."""

    def text(self) -> str:
        """How many classes are used, and of few which."""
        used = [f"{number} like {kind}" for kind, number in self.items() if number]
        shown = f": {', '.join(used)}" if len(self) <= SHOWN else ""
        return f"{len(used)} of {len(self)} used{shown}"

    def columns(self, name: str) -> Columns:
        """How many classes are used, and a column for each."""
        every = {f"class_{kind}": number for kind, number in self.items()}
        return {name: sum(number > 0 for number in self.values()), **every}


class TourSymmetry(NamedTuple):
    """A symmetry of the board under which a tour is symmetric: its name, and `forward` or `backward`."""

    name: str
    direction: str


class Symmetries(tuple[TourSymmetry, ...]):
    """The symmetries of the board under which a tour is symmetric, without the identity."""

    __slots__ = ()

    def text(self) -> str:
        """`half turn (forward)`."""
        return ", ".join(f"{one.name} ({one.direction})" for one in self) or "none"

    def plain(self) -> list[dict[str, str]]:
        """For JSON."""
        return [one._asdict() for one in self]

    def columns(self, _name: str) -> Columns:
        """The names in one column."""
        return {"symmetry": " + ".join(sorted({one.name for one in self})) or "none"}


class Lines(NamedTuple):
    """Parallel lines of a board: what they are called, the sum that each ought to have, and the sums."""

    name: str
    wanted: Fraction
    sums: tuple[int, ...]

    @property
    def wrong(self) -> int:
        """How many have another sum."""
        return sum(one != self.wanted for one in self.sums)

    def text(self) -> str:
        """How magic they are, in words."""
        wanted = f"{_number(self.wanted):,}"
        if not self.wrong:
            return f"all {self.name} {wanted}"
        if len(self.sums) <= 4:
            return f"{self.name} {', '.join(f'{one:,}' for one in self.sums)}"
        return f"{self.wrong} of {len(self.sums)} {self.name} not {wanted}"


class Magic(NamedTuple):
    """How magic a tour is.

    `kind` is `diagonally magic`, `magic`, `semi-magic` or `none`; `lines` are the rows, the columns, …, and
    the diagonals where the board has them.
    """

    kind: str
    lines: tuple[Lines, ...]

    def text(self) -> str:
        """The kind, then the lines."""
        return "; ".join([self.kind, *(one.text() for one in self.lines)])

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        lines = {
            one.name: {"wanted": _number(one.wanted), "wrong": one.wrong, "sums": one.sums}
            for one in self.lines
        }
        return {"kind": self.kind, **lines}

    def columns(self, name: str) -> Columns:
        """The kind."""
        return {name: self.kind}


class Measures(Mapping[str, Any]):
    """What was measured of a tour: `board`, `piece`, `kind`, `moves`, and each statistic of `measures`.

    What has no meaning on the board is absent, and None as an attribute: `found.turns`.

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
        """What there is, ready for JSON; areas as numbers, rounded only where they have many decimals."""
        return {name: _plain(value) for name, value in self.items()}

    def to_json(self) -> str:
        """The same as an object on one line."""
        return json.dumps(self.to_dict()) + "\n"

    def columns(self) -> Columns:
        """The same for a table of many tours, one value a column: `turns`, `angle_90`, `slope_1/2`."""
        found: Columns = {}
        for name, value in self.items():
            if name not in TITLES:
                found |= value.columns(name) if hasattr(value, "columns") else {name: _plain(value)}
        return found

    def __str__(self) -> str:
        rows = (f"{name.replace('_', ' '):<15} {_text(value)}" for name, value in self.items())
        return "".join(textwrap.fill(row, WIDTH, subsequent_indent=16 * " ") + "\n" for row in rows)


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
