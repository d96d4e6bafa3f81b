"""Names for the cells, moves and parts of a proof."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cavalcade.checking.geometry import Ints
    from cavalcade.checking.present import PresentGraph, Removal

MOST = 16  # cells, moves or parts that one list names


def counted(number: int, what: str) -> str:
    """`1 cell`, `2 cells`."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def listed(items: Iterable[str], total: int | None = None) -> str:
    """`a`, `a and b`, `a, b and c`; long lists break off and give their length."""
    known = list(items)
    total = len(known) if total is None else total
    if total > MOST:
        return f"{', '.join(known[: MOST // 2])}, … ({total:,} in all)"
    return known[0] if total == 1 else f"{', '.join(known[:-1])} and {known[-1]}"


def cell_names(present: PresentGraph, cells: Ints | list[int]) -> str:
    """Cells by name."""
    return listed([present.name(int(c)) for c in cells[:MOST]], len(cells))


def stop_names(present: PresentGraph, cells: Ints | list[int]) -> str:
    """Cells by name; where moves go one way `>c` and `c>` are called c, too."""
    return listed([stop_name(present, int(c)) for c in cells[:MOST]], len(cells))


def stop_name(present: PresentGraph, cell: int) -> str:
    """The name of the cell of one place."""
    return present.name(cell_of(present, cell))


def walk_names(present: PresentGraph, places: list[int]) -> list[str]:
    """The cells along a path of places by name, each once, in the order in which a tour goes."""
    if not present.one_way:
        return [present.name(place) for place in places]
    ahead = places[1] in present.followers(np.array(places[:1]))
    stops = (stop_name(present, place) for place in (places if ahead else places[::-1]))
    return [name for name, _ in groupby(stops)]


def gate_names(present: PresentGraph, place: int, *statuses: int) -> tuple[str, list[str]]:
    """What a place stands for where moves go one way, and its moves of these statuses.

    `>c` is "to c", with moves like a-c, and `c>` is "from c", with moves like c-b.
    """
    row = slice(present.rows[place], present.rows[place + 1])
    edges = present.number[row][np.isin(present.status[present.number[row]], statuses)]
    moves = [move_name(present, e) for e in edges.tolist() if present.edges[e, 0] >= present.ways]
    if place >= 3 * present.ways:
        return f"at {stop_name(present, place)}", moves
    return f"{'to' if place < 2 * present.ways else 'from'} {stop_name(present, place)}", moves


def cell_of(present: PresentGraph, place: int) -> int:
    """Where moves go one way, the cell c of a place `>c` or `c>`; any other is its own."""
    return place % present.ways if present.one_way and place < 3 * present.ways else place


def move_names(present: PresentGraph, numbers: Ints) -> str:
    """Moves by the names of their cells; those that go one way from tail to head."""
    return listed([move_name(present, int(edge)) for edge in numbers[:MOST]], len(numbers))


def move_name(present: PresentGraph, edge: int) -> str:
    """The name of one move."""
    a, b = present.edges[edge].tolist()
    if not present.one_way or a < present.ways:  # from a cell c to `>c` or `c>` is no move
        return f"{present.name(a)}-{present.name(b)}"
    one, two = (b, a) if a < 2 * present.ways else (a, b)
    return f"{stop_name(present, one)}-{stop_name(present, two)}"


def part_names(present: PresentGraph, left: Removal, cut: Ints) -> str:
    """The parts that are left without a cut."""
    is_first = left.root == np.arange(len(left.root))
    is_first[cut] = False
    first = np.flatnonzero(is_first)
    if len(first) > MOST:
        sizes = np.bincount(left.root)[first]
        lone = first[sizes == 1]
        rest = [f"one of {size:,} cells" for size in sizes[sizes > 1].tolist()]
        alone = [f"{cell_names(present, lone)} alone"] if len(lone) else []
        return ", and ".join(alone + ([listed(rest)] if rest else []))
    groups = sorted((np.flatnonzero(left.root == c) for c in first), key=len)
    single = [present.name(int(group[0])) for group in groups if len(group) == 1]
    larger = [_part(present, group) for group in groups if len(group) > 1]
    return "; ".join(([f"{listed(single)} alone"] if single else []) + larger)


def _part(present: PresentGraph, group: Ints) -> str:
    if len(group) <= 6:
        return cell_names(present, group)
    return f"{present.name(int(group[0]))} and {len(group) - 1:,} more cells"
