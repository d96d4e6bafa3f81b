"""Greek crosses: a square of n x n cells with an equal square on each of its four sides.

Puzzle books call the shape a plus or a Greek cross (H. E. Dudeney, Amusements in Mathematics, 1917).
"""

from __future__ import annotations

from cavalcade.boards.family import Family
from cavalcade.ground.kernels import Mask


class Plus(Family):
    """A Greek cross of five squares of n x n cells."""

    name = "plus"
    side_count = (1, 1)
    example = "4"

    @property
    def shape(self) -> tuple[int, ...]:
        """(3n, 3n)."""
        return (3 * self.sides[0],) * 2

    def cells(self) -> Mask:
        """Places in a middle row or a middle column."""
        n, cells = self.sides[0], self.no_cells()
        cells[n : 2 * n] = cells[:, n : 2 * n] = True
        return cells
