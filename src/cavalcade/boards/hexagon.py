"""Hexagons with angles of 120 degrees and sides of a, b, c, a, b and c cells."""

from __future__ import annotations

from cavalcade.boards.hexagonal import Hexagonal


class Hexagon(Hexagonal):
    """The cells x A + y B + z C, 0 <= x < a, 0 <= y < b, 0 <= z < c: A, B and C point 120 degrees apart.

    With A = (1, 0), B = (-1, 1) and C = (0, -1) that is q = x - y, r = y - z and q + r = x - z, here shifted
    so that the array begins at 0. It has ab + bc + ca - a - b - c + 1 cells; if a = b = c, it is Gliński's.
    """

    name = "hexagon"
    how_many = (3, 3)
    between = ","
    example = "4,5,6"

    @property
    def lines(self) -> tuple[int, int, int, int]:
        """Opposite sides are equal, so two corners are cut off a parallelogram."""
        a, b, c = self.sides
        return a + b - 1, b + c - 1, b - 1, a + b + c - 3
