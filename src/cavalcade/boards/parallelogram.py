"""Parallelograms of hexagonal cells."""

from __future__ import annotations

from cavalcade.boards.hexagonal import Hexagonal


class Parallelogram(Hexagonal):
    """m files of n cells, each half a cell below the one to its left: 0 <= q < m, 0 <= r < n."""

    name = "parallelogram"
    how_many = (2, 2)
    example = "6x8"

    @property
    def lines(self) -> tuple[int, int, int, int]:
        """The third pair of lines cuts nothing off."""
        m, n = self.sides
        return m, n, 0, m + n - 2
