"""Triangles of hexagonal cells: rows of 1, 2, …, n cells.

J. J. Watkins, Knight's tours on triangular honeycombs, Congressus Numerantium 124 (1997) 81-87, is about
them; we could not read it.
"""

from __future__ import annotations

from cavalcade.boards.hexagonal import Hexagonal


class Triangle(Hexagonal):
    """A triangle with n cells to a side, n(n+1)/2 in all: 0 <= q, 0 <= r, q + r < n."""

    name = "triangle"
    example = "8"

    @property
    def lines(self) -> tuple[int, int, int, int]:
        """The third side cuts off the corner opposite (0, 0)."""
        n = self.sides[0]
        return n, n, 0, n - 1
