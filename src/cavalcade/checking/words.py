"""Names for the cells, moves and parts of a proof."""

from __future__ import annotations

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

    def cell(self, place: int) -> int:
        """Where moves go one way, the cell c of a place `>c` or `c>`; any other is its own."""
        problem = self.present.problem
        if problem is None or not self.present.one_way or place >= 3 * problem.board.size:
            return place
        return place % problem.board.size

    def moves(self, numbers: Ints) -> str:
        """Moves by the names of their cells; those that go one way from tail to head."""
        pairs = self.present.edges[numbers[:MOST]].tolist()
        problem = self.present.problem
        if problem is None or not self.present.one_way:
            return listed([f"{self.name(a)}-{self.name(b)}" for a, b in pairs], len(numbers))
        n = problem.board.size
        named = []
        for a, b in pairs:  # from `a>` to `*`, or from `b>` or `*` to `>a`; others are no moves
            one, two = (a, b) if not n <= a < 2 * n else (b, a)
            name = self.name if a < n else self.stop
            named.append(f"{name(one)}-{name(two)}")
        return listed(named, len(numbers))

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
