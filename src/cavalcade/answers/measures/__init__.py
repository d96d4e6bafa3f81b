"""Measures of tours: values for people and for JSON, and tables with one row per tour.

A *value* is a number or an instance of a class with a `text` for people and a `plain` form for JSON. A
*statistic* is the value of many tours: an array of numbers, NaN if undefined for a tour, or an instance of a
class with `value`, the value of one tour, and `columns`, arrays for a table.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, NamedTuple, Protocol, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tables import ColumnTable
from cavalcade.ground import TEXT_WIDTH
from cavalcade.ground.kernels import Ints

Row: TypeAlias = dict[str, int | float | str]
Columns: TypeAlias = dict[str, NDArray[Any]]


class Counts(dict[str, int]):
    """Number of moves or angles of each kind; `prefix` begins the names of columns, `unit` ends the kinds."""

    prefix, unit = "slope", ""

    def text(self) -> str:
        """Return text like `3 of 90°, 2 of 180°`."""
        return ", ".join(f"{number} of {kind}{self.unit}" for kind, number in self.items())

    @classmethod
    def columns(cls, kinds: Sequence[str], numbers: Ints) -> Columns:
        """Return one column per kind, such as `angle_90`.

        Args:
            kinds: names of the kinds.
            numbers: number of each kind, shape (tours, kinds).
        """
        return {f"{cls.prefix}_{kind}": numbers[:, i] for i, kind in enumerate(kinds)}


class Angles(Counts):
    """Numbers of angles, by degrees."""

    prefix, unit = "angle", "\N{DEGREE SIGN}"


class ClassCounts(Counts):
    """Numbers of moves in each class under the symmetries of the board, including unused classes."""

    prefix = "class"

    def text(self) -> str:
        """Return the number of used classes and, if there are few classes, their names."""
        used = [f"{number} like {kind}" for kind, number in self.items() if number]
        most = 24  # the 21 classes of the chessboard fit, in five lines
        shown = f": {', '.join(used)}" if len(self) <= most else ""
        return f"{len(used)} of {len(self)} used{shown}"

    @classmethod
    def columns(cls, kinds: Sequence[str], numbers: Ints) -> Columns:
        """Return the number of used classes and one column per class."""
        return {"classes": (numbers > 0).sum(axis=1)} | super().columns(kinds, numbers)


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


class Statistic(Protocol):
    """The values of a statistic for many tours."""

    def value(self, index: int) -> Any:
        """Return the value for one tour."""

    def columns(self, name: str) -> Columns:
        """Return arrays with one entry per tour, by the names of columns."""


class CountTable(NamedTuple):
    """Numbers of moves or angles of each kind in many tours.

    Args:
        kind: class of the value of one tour.
        names: names of the kinds.
        numbers: number of each kind, shape (tours, kinds).
    """

    kind: type[Counts]
    names: tuple[str, ...]
    numbers: Ints

    def value(self, index: int) -> Counts:
        """Return the numbers of one tour."""
        return self.kind(zip(self.names, self.numbers[index].tolist(), strict=True))

    def columns(self, _name: str) -> Columns:
        """Return one column per kind."""
        return self.kind.columns(self.names, self.numbers)


class Areas(NamedTuple):
    """Areas in many tours: numerators, shape (tours,), over one denominator."""

    numerators: Ints
    denominator: int

    def value(self, index: int) -> Fraction:
        """Return the area in one tour, in cells."""
        return Fraction(int(self.numerators[index]), self.denominator)

    def columns(self, name: str) -> Columns:
        """Return one column of floats."""
        return {name: self.numerators / self.denominator}


class SymmetryTable(NamedTuple):
    """The symmetries that fix each of many tours: an array of `Symmetries`, shape (tours,)."""

    fixed: NDArray[Any]

    def value(self, index: int) -> Symmetries:
        """Return the symmetries of one tour."""
        symmetries: Symmetries = self.fixed[index]
        return symmetries

    def columns(self, _name: str) -> Columns:
        """Return one column with the names of all symmetries of a tour."""
        names = [" + ".join(sorted({symmetry.name for symmetry in fixed})) or "none" for fixed in self.fixed]
        return {"symmetry": np.array(names, dtype=object)}


class MagicTable(NamedTuple):
    """Sums of step numbers in many tours.

    Args:
        kinds: kind of each tour, see `Magic`, shape (tours,).
        names: name of each direction.
        magic_sums: sum of a line of each direction in a magic tour.
        sums: actual sums of each direction, shape (tours, lines).
    """

    kinds: NDArray[Any]
    names: tuple[str, ...]
    magic_sums: tuple[Fraction, ...]
    sums: tuple[Ints, ...]

    def value(self, index: int) -> Magic:
        """Return the kind and the sums of one tour."""
        sums = [tuple(sums[index].tolist()) for sums in self.sums]
        return Magic(self.kinds[index], tuple(map(Lines, self.names, self.magic_sums, sums)))

    def columns(self, name: str) -> Columns:
        """Return one column with the kinds."""
        return {name: self.kinds}


class MeasureTable(ColumnTable, Sequence["Measures"]):
    """The measures of several tours of one board; item i is the `Measures` of tour i.

    Args:
        titles: board, piece and kind of the tours.
        statistics: the statistics by name; None if one is undefined on the board.
        size: number of tours.

    Examples:
        >>> measure(sample("6x6", 5)).columns["turns"].shape
        (5,)
    """

    def __init__(
        self, titles: dict[str, str | None], statistics: dict[str, Statistic | NDArray[Any] | None], size: int
    ) -> None:
        self.titles, self.statistics, self._size = titles, statistics, size

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> Measures: ...

    @overload
    def __getitem__(self, index: slice) -> list[Measures]: ...

    def __getitem__(self, index: int | slice) -> Measures | list[Measures]:
        """Return the measures of one tour, or of several."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        position = range(len(self))[index]
        values = {
            name: _entry(values, position) if isinstance(values, np.ndarray) else values.value(position)
            for name, values in self.statistics.items()
            if values is not None
        }
        return Measures(self.titles | dict.fromkeys(self.statistics) | values, partial(self.row, position))

    @cached_property
    def columns(self) -> Columns:
        """Arrays with one entry per tour: `turns`, `angle_90`, `slope_1/2`; NaN if undefined for a tour."""
        columns: Columns = {}
        for name, values in self.statistics.items():
            if values is not None:
                columns |= {name: values} if isinstance(values, np.ndarray) else values.columns(name)
        return columns

    def row(self, index: int) -> Row:
        """Return the columns of one tour; undefined values are left out."""
        row = {name: _entry(values, index) for name, values in self.columns.items()}
        return {name: value for name, value in row.items() if value is not None}

    def __repr__(self) -> str:
        return f"<MeasureTable {len(self):,} tours, {len(self.columns)} columns>"


def join(parts: Sequence[Any]) -> Any:
    """Concatenate the arrays in statistics of the same kind; all else is taken from the first one."""
    first = parts[0]
    if isinstance(first, np.ndarray):
        return np.concatenate(parts)
    if not isinstance(first, tuple):
        return first
    entries = map(join, zip(*parts, strict=True))
    return type(first)(*entries) if hasattr(first, "_fields") else tuple(entries)


class Measures(Mapping[str, Any]):
    """The measures of a tour: `board`, `piece`, `kind`, `moves` and all other statistics.

    A statistic that is not defined on the board is absent as a key, and None as an attribute.

    Args:
        values: values by name, None if undefined.
        row: function that returns these values as a row of a table; by default the row is empty.

    Examples:
        >>> tour("6x6").tour.measure().kind
        'closed'
    """

    __slots__ = ("__dict__", "_row")

    def __init__(self, values: Mapping[str, Any], row: Callable[[], Row] = dict) -> None:
        self.__dict__.update(values)
        self._row = row

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

    def columns(self) -> Row:
        """Return a row for a table of many tours, one value per column: `turns`, `angle_90`, `slope_1/2`."""
        return self._row()

    def __repr__(self) -> str:
        return f"<Measures of a {self.kind} tour of {self.board}, {self.moves:,} moves>"

    def __str__(self) -> str:
        rows = (f"{name.replace('_', ' '):<15} {_text(value)}" for name, value in self.items())
        return "".join(textwrap.fill(row, TEXT_WIDTH, subsequent_indent=16 * " ") + "\n" for row in rows)


def _entry(values: NDArray[Any], index: int) -> Any:
    """Return an entry of a column: None instead of NaN, and whole numbers as integers."""
    value = values[index]
    if not isinstance(value, np.floating):
        return value if isinstance(value, str) else int(value)
    if np.isnan(value):
        return None
    return int(value) if value.is_integer() else float(value)


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
