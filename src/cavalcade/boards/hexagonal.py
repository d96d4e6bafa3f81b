"""Boards of hexagonal cells: Gliński's hexagon, other hexagons, triangles and parallelograms.

Coordinates are axial (q, r); the third coordinate is -q - r. A board is the region between three pairs of
parallel lines: after a shift, 0 <= q < m, 0 <= r < n and low <= q + r <= high. Files are vertical; the rank
of a cell is its position in its file from the bottom. Gliński's board has no file j, and neither has any
other board of hexagonal cells.

J. J. Watkins, Knight's tours on triangular honeycombs, Congressus Numerantium 124 (1997) 81-87, studies the
triangles; we could not read it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np

from cavalcade.boards.family import LETTERS, Family, Vector, file_name
from cavalcade.ground.kernels import Ints, Mask

TURN_NAMES = ("identity", "turn by 60°", "turn by 120°", "half turn", "turn by 120°", "turn by 60°")


class Hexagonal(Family):
    """A board of hexagonal cells, bounded by the six lines of `lines`."""

    side_count = (1, 1)
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
        """Places between the lines."""
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
        """Only Gliński's board defines a centre."""
        return None

    def bottom(self, q: int) -> int:
        """Array index r of the lowest cell of a file."""
        _, n, _, high = self.lines
        return min(n - 1, high - q)

    def height(self, q: int) -> int:
        """Number of cells of a file."""
        return self.bottom(q) - max(0, self.lines[2] - q) + 1

    def file_and_rank(self, row: int, column: int) -> tuple[int, int]:
        """Return the file and the rank: a row of the array is a file."""
        return row, self.bottom(row) - column + 1

    def row_and_column(self, file: int, rank: int) -> tuple[int, int]:
        """Return the array indices of a file and a rank."""
        return file, self.bottom(file) - rank + 1

    @property
    def files(self) -> list[str]:
        """Letters of the files, left to right."""
        return [file_name(i, self.letters) for i in range(self.shape[0])]

    def leap(self, a: int, b: int) -> set[Vector]:
        """Return the first two coordinates of the permutations of ±(a, b, -(a+b))."""
        return hex_leap(a, b)

    def matrices(self) -> Iterator[tuple[str, Ints]]:
        """Yield the turns by multiples of 60° and the reflections, as matrices on axial coordinates."""
        turn, swap = np.array([[0, -1], [1, 1]]), np.array([[0, 1], [1, 0]])
        matrix = np.eye(2, dtype=np.int64)
        for i, name in enumerate(TURN_NAMES):
            yield name, matrix
            # the axis of the swap itself, q = r, runs through the middles of two sides
            yield f"reflection, axis through {'corners' if i % 2 else 'sides'}", matrix @ swap
            matrix = matrix @ turn


class Glinski(Hexagonal):
    """Gliński's hexagon, n hexagonal cells to a side: 3n(n-1) + 1 cells around (0, 0)."""

    name = "hex"

    @property
    def origin(self) -> int:  # type: ignore[override]
        """Shift of the coordinates that puts the centre at (0, 0)."""
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
    """A triangle of hexagonal cells, n to a side.

    It has n(n+1)/2 cells: 0 <= q, 0 <= r, q + r < n.
    """

    name = "triangle"
    example = "8"

    @property
    def lines(self) -> tuple[int, int, int, int]:
        """The third side cuts off the corner opposite (0, 0)."""
        n = self.sides[0]
        return n, n, 0, n - 1


class Parallelogram(Hexagonal):
    """A parallelogram of m files of n hexagonal cells, each half a cell lower.

    The cells are 0 <= q < m, 0 <= r < n.
    """

    name = "parallelogram"
    side_count = (2, 2)
    example = "6x8"

    @property
    def lines(self) -> tuple[int, int, int, int]:
        """The third pair of lines cuts nothing off."""
        m, n = self.sides
        return m, n, 0, m + n - 2


class Hexagon(Hexagonal):
    """A hexagon with angles of 120 degrees and sides of a, b, c, a, b and c hexagonal cells.

    The cells are x A + y B + z C, 0 <= x < a, 0 <= y < b, 0 <= z < c: A, B and C point 120 degrees apart.
    With A = (1, 0), B = (-1, 1) and C = (0, -1) this gives q = x - y, r = y - z and q + r = x - z, shifted
    here so that array indices begin at 0. The board has ab + bc + ca - a - b - c + 1 cells; for a = b = c it
    is Gliński's.
    """

    name = "hexagon"
    side_count = (3, 3)
    separator = ","
    example = "4,5,6"

    @property
    def lines(self) -> tuple[int, int, int, int]:
        """Opposite sides are equal, so the third pair of lines cuts two corners off a parallelogram."""
        a, b, c = self.sides
        return a + b - 1, b + c - 1, b - 1, a + b + c - 3


def hex_leap(a: int, b: int) -> set[Vector]:
    """Return the moves of an (a, b) leaper on hexagonal cells, as axial (q, r)."""
    return {(s * q, s * r) for q, r, _ in permutations((a, b, -a - b)) for s in (1, -1)}
