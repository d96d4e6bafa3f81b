"""Measures: what was measured of a tour, for people, for JSON and for tables of many tours."""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

SHOWN = 24  # classes that are named in the table for people
WIDTH = 100  # of that table


class Lines(NamedTuple):
    """Parallel lines of a board: what they are called, the sum that each ought to have, and the sums."""

    name: str
    wanted: Fraction
    sums: tuple[int, ...]

    @property
    def wrong(self) -> int:
        """How many have another sum."""
        return sum(one != self.wanted for one in self.sums)


class Magic(NamedTuple):
    """How magic a tour is.

    `kind` is `diagonally magic`, `magic`, `semi-magic` or `none`; `lines` are the rows, the columns, …, and
    the diagonals where the board has them.
    """

    kind: str
    lines: tuple[Lines, ...]


class Kept(NamedTuple):
    """A symmetry of the board that keeps a tour: its name, and `forward` or `backward`."""

    name: str
    direction: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Measures:
    """What was measured of a tour; None where it has no meaning.

    Args:
        board: its spec.
        piece: its spec; None on a plain graph.
        kind: `closed` or `open`.
        moves: how many moves there are.
        turns: on how many cells the direction changes.
        straight: on how many it does not.
        longest_run: the most moves in a row in one direction.
        angles: how many angles there are of each size in degrees; `180` is straight on.
        slopes: how many moves there are of each slope.
        crossings: how many pairs of moves cross, at a point inside both.
        swept_area: in cells; a region counts as often as the tour winds round it.
        enclosed_area: in cells; the regions round which the tour winds an odd number of times.
        turning: how often the direction turns round in all.
        winding: how often the tour goes round the centre of the board.
        classes: how many moves there are of each class under the board's symmetries.
        symmetries: the symmetries of the board that keep the tour, the identity left out.
        magic: how magic the numbering is.
    """

    board: str
    piece: str | None
    kind: str
    moves: int
    turns: int | None = None
    straight: int | None = None
    longest_run: int | None = None
    angles: Mapping[str, int] | None = None
    slopes: Mapping[str, int] | None = None
    crossings: int | None = None
    swept_area: Fraction | None = None
    enclosed_area: Fraction | None = None
    turning: int | None = None
    winding: int | None = None
    classes: Mapping[str, int] | None = None
    symmetries: tuple[Kept, ...] | None = None
    magic: Magic | None = None

    def to_dict(self) -> dict[str, Any]:
        """What there is, ready for JSON; areas as numbers, rounded only where they have many decimals."""
        found: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, Fraction):
                value = _number(value)
            elif field.name == "symmetries" and value is not None:
                value = [one._asdict() for one in value]
            elif isinstance(value, Magic):
                value = {"kind": value.kind} | {
                    line.name: {"wanted": _number(line.wanted), "wrong": line.wrong, "sums": line.sums}
                    for line in value.lines
                }
            if value is not None:
                found[field.name] = value
        return found

    def to_json(self) -> str:
        """The same as an object on one line."""
        return json.dumps(self.to_dict()) + "\n"

    def columns(self) -> dict[str, int | float | str]:
        """The same for a table of many tours, one value a column: `turns`, `angle_90`, `slope_1/2`."""
        found: dict[str, int | float | str] = {}
        for name, value in self.to_dict().items():
            if name in {"angles", "slopes"}:
                found |= {f"{name[:-1]}_{kind}": number for kind, number in value.items()}
            elif name == "classes":
                found["classes"] = sum(number > 0 for number in value.values())
                found |= {f"class_{kind}": number for kind, number in value.items()}
            elif name == "symmetries":
                found["symmetry"] = " + ".join(sorted({one["name"] for one in value})) or "none"
            elif name == "magic":
                found["magic"] = value["kind"]
            elif name not in {"board", "piece", "kind"}:
                found[name] = value
        return found

    def __str__(self) -> str:
        rows = (f"{name:<15} {text}" for name, text in self._rows())
        return "".join(textwrap.fill(row, WIDTH, subsequent_indent=16 * " ") + "\n" for row in rows)

    def _rows(self) -> list[tuple[str, str]]:
        """The lines of a table for people."""
        rows = []
        for name, value in self.to_dict().items():
            match name:
                case "angles":
                    text = ", ".join(f"{number} of {angle}°" for angle, number in value.items())
                case "slopes":
                    text = ", ".join(f"{number} of {slope}" for slope, number in value.items())
                case "classes":
                    used = [f"{number} like {kind}" for kind, number in value.items() if number]
                    shown = f": {', '.join(used)}" if len(value) <= SHOWN else ""
                    text = f"{len(used)} of {len(value)} used{shown}"
                case "symmetries":
                    text = ", ".join(f"{one['name']} ({one['direction']})" for one in value) or "none"
                case "magic":
                    text = "; ".join([value.pop("kind"), *(_lines(*line) for line in value.items())])
                case "swept_area" | "enclosed_area":
                    text = f"{value:,.6g} cells"
                case _:
                    text = f"{value:,}" if isinstance(value, int) else value
            rows.append((name.replace("_", " "), text))
        return rows


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else float(value)


def _lines(name: str, line: Mapping[str, Any]) -> str:
    """How magic some lines are, in words."""
    if not line["wrong"]:
        return f"all {name} {line['wanted']:,}"
    if len(line["sums"]) <= 4:
        return f"{name} {', '.join(f'{one:,}' for one in line['sums'])}"
    return f"{line['wrong']} of {len(line['sums'])} {name} not {line['wanted']:,}"
