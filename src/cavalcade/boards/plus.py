"""Greek crosses: five squares of n x n cells, one in the middle and one on each of its sides.

A puzzle has them as a plus or a Greek cross (H. E. Dudeney, Amusements in Mathematics, 1917); the name that a
spec has is the shorter one.
"""

from __future__ import annotations

from cavalcade.boards.family import Family
from cavalcade.ground.kernels import Mask


class Plus(Family):
    """A plus of 5 n^2 cells: of 3n x 3n, the n rows and the n columns in the middle."""

    name = "plus"
    how_many = (1, 1)
    example = "4"

    @property
    def shape(self) -> tuple[int, ...]:
        """(3n, 3n)."""
        return (3 * self.sides[0],) * 2

    def cells(self) -> Mask:
        """The places in a row or a column of the middle square."""
        n, cells = self.sides[0], self.no_cells()
        cells[n : 2 * n] = cells[:, n : 2 * n] = True
        return cells
