"""Boards of hexagonal cells: Gliński's hexagon, the best known of them, other hexagons and simpler shapes.

Coordinates are axial, (q, r), with -q - r the third. A board is what lies between three pairs of parallel
lines: after a shift, 0 <= q < m, 0 <= r < n and low <= q + r <= high. Files stand upright; the rank of a cell
counts the cells of its file from the bottom. Gliński's board has no file j, and all boards of hexagonal cells
follow it.

J. J. Watkins, Knight's tours on triangular honeycombs, Congressus Numerantium 124 (1997) 81-87, is about
triangles; we could not read it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from cavalcade.boards.family import LETTERS, Family, Vector, file_name
from cavalcade.ground.kernels import Ints, Mask

SIXTHS = {1: "turn by 60°", 2: "turn by 120°", 3: "half turn", 4: "turn by 120°", 5: "turn by 60°"}


class Hexagonal(Family):
    """A board of hexagonal cells; `lines` gives the six lines around it."""

    how_many = (1, 1)
    example = "6"
    hexagonal = True
    letters = LETTERS.replace("j", "")

    @property
    def lines(self) -> tuple[int, int, int, int]:
        """m, n, low and high."""
        raise NotImplementedError

    @property
    def shape(self) -> tuple[int, ...]:
        """(m, n)."""
        return self.lines[:2]

    def cells(self) -> Mask:
        """The places between the lines."""
        _, n, low, high = self.lines
        cells = self.no_cells()
        for q, row in enumerate(cells):
            row[max(0, low - q) : min(n, high - q + 1)] = True
        return cells

    @property
    def axes(self) -> list[str]:
        """Axial coordinates."""
        return ["q", "r"]

    @property
    def centre(self) -> tuple[int, ...] | None:
        """Only Gliński's board has one."""
        return None

    def bottom(self, q: int) -> int:
        """The last r of a file, as an array index."""
        _, n, _, high = self.lines
        return min(n - 1, high - q)

    def height(self, q: int) -> int:
        """How many cells a file has."""
        return self.bottom(q) - max(0, self.lines[2] - q) + 1

    def file_and_rank(self, row: int, column: int) -> tuple[int, int]:
        """A row of the array is a file."""
        return row, self.bottom(row) - column + 1

    def row_and_column(self, file: int, rank: int) -> tuple[int, int]:
        """The array indices of a file and a rank."""
        return file, self.bottom(file) - rank + 1

    @property
    def files(self) -> list[str]:
        """The letters of the files, left to right."""
        return [file_name(i, self.letters) for i in range(self.shape[0])]

    def leap(self, a: int, b: int) -> set[Vector]:
        """The permutations of ±(a, b, -(a+b)) without the third."""
        return hex_leap(a, b)

    def matrices(self) -> Iterator[tuple[str, Ints]]:
        """Turns by 60° and reflections, on axial coordinates."""
        turn, swap = np.array([[0, -1], [1, 1]]), np.array([[0, 1], [1, 0]])
        now = np.eye(2, dtype=np.int64)
        for i in range(6):
            yield SIXTHS.get(i, "identity"), now
            # the axis of the swap itself, q = r, runs through the middles of two sides
            yield f"reflection, axis through {'corners' if i % 2 else 'sides'}", now @ swap
            now = now @ turn


class Glinski(Hexagonal):
    """Gliński's hexagon of side n: 3n(n-1) + 1 cells around (0, 0)."""

    name = "hex"

    @property
    def origin(self) -> int:  # type: ignore[override]
        """The centre has coordinates (0, 0)."""
        return self.sides[0] - 1

    @property
    def centre(self) -> tuple[int, ...]:
        """The middle cell."""
        return (0, 0)

    @property
    def lines(self) -> tuple[int, int, int, int]:
        """All six sides have n cells."""
        n = self.sides[0]
        return 2 * n - 1, 2 * n - 1, n - 1, 3 * n - 3


class Triangle(Hexagonal):
    """A triangle with n cells to a side, n(n+1)/2 in all: 0 <= q, 0 <= r, q + r < n."""

    name = "triangle"
    example = "8"

    @property
    def lines(self) -> tuple[int, int, int, int]:
        """The third side cuts off the corner opposite (0, 0)."""
        n = self.sides[0]
        return n, n, 0, n - 1


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


def hex_leap(a: int, b: int) -> set[Vector]:
    """The moves of an (a, b) leaper on hexagonal cells, as axial (q, r)."""
    return {(s * q, s * r) for q, r, _ in permutations((a, b, -a - b)) for s in (1, -1)}
