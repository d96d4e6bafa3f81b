"""A plain check of walks by coordinates, absolute differences and sets, without the package.

Run as a script it reads a CSV file as `cavalcade chain` writes it, with the columns level, row and column:
`python tests/plain.py FILE LEVELS ROWS COLUMNS`.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

KNIGHT = frozenset({(1, 2)})


def fault(
    walk: Iterable[Sequence[int]],
    size: int,
    leaps: frozenset[tuple[int, int]] = KNIGHT,
    *,
    closed: bool = False,
) -> str:
    """Return the first reason why a walk is not a tour of `size` cells; empty if it is one."""
    seen: set[tuple[int, ...]] = set()
    before: tuple[int, ...] = ()
    first: tuple[int, ...] = ()
    for cell in walk:
        place = tuple(cell)
        if place in seen:
            return f"{place} twice"
        if before and not leaps_to(before, place, leaps):
            return f"{before} to {place}"
        seen.add(place)
        first, before = first or place, place
    if len(seen) != size:
        return f"{len(seen)} cells, not {size}"
    return "" if not closed or leaps_to(before, first, leaps) else "it does not close"


def leaps_to(a: tuple[int, ...], b: tuple[int, ...], leaps: frozenset[tuple[int, int]]) -> bool:
    """Return whether exactly two coordinates change, by the amounts of an allowed leap."""
    moved = sorted(abs(x - y) for x, y in zip(a, b, strict=True) if x != y)
    return len(moved) == 2 and (moved[0], moved[1]) in leaps


def main(file: str, *sides: str) -> str:
    """Check a csv file."""
    levels, rows, columns = map(int, sides)
    with Path(file).open(encoding="utf-8") as lines:
        table = csv.DictReader(line for line in lines if not line.startswith(";"))
        places = [(int(row["level"]), int(row["row"]), int(row["column"])) for row in table]
    limits = (levels, rows, columns)
    if any(not 0 <= x < limit for place in places for x, limit in zip(place, limits, strict=True)):
        return "off the board"
    return fault(places, levels * rows * columns)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) or 0)
