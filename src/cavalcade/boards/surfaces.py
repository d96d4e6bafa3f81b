"""Rectangles with glued edges: cylinder, torus, Möbius strip and Klein bottle.

On a cylinder the columns wrap around; on a torus rows and columns do. On a Möbius strip the columns wrap
around with a flip of the rows; on a Klein bottle the rows wrap around too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards.family import MOST_CANDIDATES, Coords, Family, Map, Vector, affine_images, formula
from cavalcade.ground.errors import TooLargeError

Points: TypeAlias = NDArray[np.float64]


class Cylinder(Family):
    """m rows and n columns; the columns wrap around."""

    name = "cylinder"
    side_count = (2, 2)
    wraps = True
    glued = "13"
    flips: ClassVar[bool] = False  # whether one trip around the columns turns the rows upside down
    rows_wrap: ClassVar[bool] = False

    def index(self, coords: list[Coords]) -> Coords:
        """Wrap coordinates around the glued edges, then index the array."""
        (rows, columns), (m, n) = coords, self.sides
        if self.rows_wrap:
            rows = rows % m
        if self.flips:
            rows = np.where((columns // n) % 2 == 1, m - 1 - rows, rows)
        return super().index([rows, columns % n])

    def listed(self, moves: Iterable[Vector]) -> list[Vector]:
        """Add the mirror images on a surface with a flip, which has no left and right."""
        vectors = super().listed(moves)
        return list(dict.fromkeys([*vectors, *((-row, column) for row, column in vectors if self.flips)]))

    def maps(self, coords: Coords) -> Iterator[tuple[str, Map]]:  # noqa: ARG002 - all boards of the shape
        """Combine shifts and reflections and, if both sides wrap alike, the exchange of the axes.

        A map must be compatible with the seams: it must send two representations of a place, on either side
        of a seam, to the same place.
        """
        m, n = self.sides
        shifts = [
            (i, j)
            for i in range(m if self.rows_wrap else 2 * m - 1)
            for j in range(2 * n if self.flips else n)
        ]
        if 8 * len(shifts) > MOST_CANDIDATES:
            raise TooLargeError(f"{self.spec} has too many symmetries to try")
        places = np.indices(self.shape).reshape(2, -1).T
        # The same places, represented on the other side of the seams.
        beyond = (places * (-1, 1) if self.flips else places) + np.array([(m - 1) * self.flips, n])
        aliases = [beyond] + [places + np.array([m, 0])] * self.rows_wrap
        for _, matrix in self.matrices():
            for shift in shifts:
                images = self.index(list((places @ matrix.T + shift).T))
                if all(
                    np.array_equal(images, self.index(list((alias @ matrix.T + shift).T)))
                    for alias in aliases
                ):
                    yield (
                        formula(["row", "column"], matrix, shift),
                        partial(affine_images, matrix, np.array(shift)),
                    )

    # ---- in space

    def bent(self, points: Points) -> Points:
        """Place points of the unrolled board in space, where the columns go once around the z axis.

        Args:
            points: rows and columns, shape (..., 2).
        """
        around = 2 * np.pi * (points[..., 1] + 0.5) / self.sides[1]
        r, z = self.profile(points[..., 0] + 0.5, around)
        return np.stack([r * np.sin(around), -r * np.cos(around), z], axis=-1)

    def profile(self, rows: Points, around: Points) -> tuple[Points | float, Points]:  # noqa: ARG002 - a tube
        """Return the distance from the z axis, and the height; a cylinder is a tube.

        Args:
            rows: the rows of some points, from 0 to m.
            around: their angles about the z axis.
        """
        return self.sides[1] / (2 * np.pi), self.sides[0] / 2 - rows

    def images(self, coords: Coords) -> Points:
        """Return the places on the unrolled board that are the same cells, shape (images, n, 2)."""
        m, n = self.sides
        turned = np.stack([m - 1 - coords[:, 0], coords[:, 1]], axis=1)
        around = [
            (turned if columns and self.flips else coords) + (rows * m, columns * n)
            for columns in (-1, 0, 1)
            for rows in ((-1, 0, 1) if self.rows_wrap else (0,))
        ]
        return np.array(around, dtype=np.float64)


class Torus(Cylinder):
    """m rows and n columns; rows and columns wrap around."""

    name = "torus"
    glued = "0123"
    rows_wrap = True

    def profile(self, rows: Points, around: Points) -> tuple[Points, Points]:  # noqa: ARG002 - a ring
        """Wrap the rows around the tube of a ring."""
        m, n = self.sides
        small, inner = m / (2 * np.pi), 2 * np.pi * rows / m
        return max(n / (2 * np.pi), 1.6 * small) + small * np.cos(inner), small * np.sin(inner)


class Mobius(Cylinder):
    """m rows and n columns; the columns wrap around with a flip."""

    name = "mobius"
    flips = True

    def profile(self, rows: Points, around: Points) -> tuple[Points, Points]:
        """Twist a band by half a turn, which turns the rows upside down."""
        m, n = self.sides
        offset = m / 2 - rows
        radius = max(n / (2 * np.pi), 0.75 * m)
        return radius + offset * np.sin(around / 2), offset * np.cos(around / 2)


class Klein(Cylinder):
    """The rows wrap around; the columns wrap around with a flip."""

    name = "klein"
    glued = "0123"
    flips = True
    rows_wrap = True

    def profile(self, rows: Points, around: Points) -> tuple[Points, Points]:
        """Turn a figure of eight by half a turn: it intersects itself, as all Klein bottles in space do."""
        m, n = self.sides
        small, inner = m / 4, 2 * np.pi * (m / 2 - rows) / m
        c, s = np.cos(around / 2), np.sin(around / 2)
        out = max(n / (2 * np.pi), 1.8 * small) + small * (c * np.sin(inner) - s * np.sin(2 * inner))
        return out, small * (s * np.sin(inner) + c * np.sin(2 * inner))
