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


class Words:
    """The names in one proof.

    Args:
        present: what is known so far.
        hub: the vertex that stands for both ends of an open tour with any ends; None in other proofs.
    """

    def __init__(self, present: PresentGraph, hub: int | None) -> None:
        self.present, self.hub, self.name = present, hub, present.name

    def cells(self, cells: Ints | list[int]) -> str:
        """Cells by name."""
        return listed([self.name(int(c)) for c in cells[:MOST]], len(cells))

    def stops(self, cells: Ints | list[int]) -> str:
        """Cells by name; where moves go one way `>c` and `c>` are called c, too."""
        return listed([self.stop(int(c)) for c in cells[:MOST]], len(cells))

    def stop(self, cell: int) -> str:
        """One of them."""
        return self.name(self.cell(cell))

    def walk(self, places: list[int]) -> list[str]:
        """The cells along a path of places by name, each once, in the order in which a tour goes."""
        if not self.present.one_way:
            return [self.name(place) for place in places]
        ahead = places[1] in self.present.followers(np.array(places[:1]))
        stops = (self.stop(place) for place in (places if ahead else places[::-1]))
        return [name for name, _ in groupby(stops)]

    def gate(self, place: int, *statuses: int) -> tuple[str, list[str]]:
        """What a place stands for where moves go one way, and its moves of these statuses.

        `>c` is "to c", with moves like a-c, and `c>` is "from c", with moves like c-b.
        """
        present = self.present
        row = slice(present.rows[place], present.rows[place + 1])
        edges = present.number[row][np.isin(present.status[present.number[row]], statuses)]
        moves = [self.move(e) for e in edges.tolist() if present.edges[e, 0] >= present.ways]
        if place >= 3 * present.ways:
            return f"at {self.stop(place)}", moves
        return f"{'to' if place < 2 * present.ways else 'from'} {self.stop(place)}", moves

    def cell(self, place: int) -> int:
        """Where moves go one way, the cell c of a place `>c` or `c>`; any other is its own."""
        present = self.present
        return place % present.ways if present.one_way and place < 3 * present.ways else place

    def moves(self, numbers: Ints) -> str:
        """Moves by the names of their cells; those that go one way from tail to head."""
        return listed([self.move(int(edge)) for edge in numbers[:MOST]], len(numbers))

    def move(self, edge: int) -> str:
        """One of them."""
        a, b = self.present.edges[edge].tolist()
        if not self.present.one_way or a < self.present.ways:  # from a cell c to `>c` or `c>` is no move
            return f"{self.name(a)}-{self.name(b)}"
        one, two = (b, a) if a < 2 * self.present.ways else (a, b)
        return f"{self.stop(one)}-{self.stop(two)}"

    def parts(self, left: Removal, cut: Ints) -> str:
        """The parts that are left without a cut."""
        is_first = left.root == np.arange(len(left.root))
        is_first[cut] = False
        first = np.flatnonzero(is_first)
        if len(first) > MOST:
            sizes = np.bincount(left.root)[first]
            lone = first[sizes == 1]
            rest = [f"one of {size:,} cells" for size in sizes[sizes > 1].tolist()]
            alone = [f"{self.cells(lone)} alone"] if len(lone) else []
            return ", and ".join(alone + ([listed(rest)] if rest else []))
        groups = sorted((np.flatnonzero(left.root == c) for c in first), key=len)
        single = [self.name(int(group[0])) for group in groups if len(group) == 1]
        larger = [self._part(group) for group in groups if len(group) > 1]
        return "; ".join(([f"{listed(single)} alone"] if single else []) + larger)

    def _part(self, group: Ints) -> str:
        if len(group) <= 6:
            return self.cells(group)
        return f"{self.name(int(group[0]))} and {len(group) - 1:,} more cells"
