"""Rectangles whose edges are glued: cylinder, torus, Möbius strip and Klein bottle.

On a cylinder the columns wrap, on a torus rows and columns; on a Möbius strip the columns wrap with a flip of
the rows, on a Klein bottle the rows wrap too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

import numpy as np

from cavalcade.boards.family import MOST_CANDIDATES, Coords, Family, Vector, formula
from cavalcade.ground.errors import TooLargeError


class Cylinder(Family):
    """m rows; the n columns wrap."""

    name = "cylinder"
    how_many = (2, 2)
    wraps = True
    glued = "13"
    flips: ClassVar[bool] = False  # once around the columns turns the rows upside down
    rows_wrap: ClassVar[bool] = False

    def index(self, at: list[Coords]) -> Coords:
        """The same, with places beyond a glued edge brought back."""
        (rows, columns), (m, n) = at, self.sides
        if self.rows_wrap:
            rows = rows % m
        if self.flips:
            rows = np.where((columns // n) % 2 == 1, m - 1 - rows, rows)
        return super().index([rows, columns % n])

    def given(self, moves: Iterable[Vector]) -> list[Vector]:
        """The same; a strip with a flip has no left and right, so mirror images are also moves there."""
        found = super().given(moves)
        return list(dict.fromkeys([*found, *((-row, column) for row, column in found if self.flips)]))

    def maps(self, coords: Coords) -> Iterator[tuple[str, Coords]]:
        """Shifts, reflections and, where both sides wrap alike, the axes exchanged.

        A map must agree with the seams: it takes a place, and the same place beyond a seam, to one place.
        """
        m, n = self.sides
        shifts = [
            (i, j)
            for i in range(m if self.rows_wrap else 2 * m - 1)
            for j in range(2 * n if self.flips else n)
        ]
        if 8 * len(shifts) > MOST_CANDIDATES:
            raise TooLargeError(f"{self.spec} has too many symmetries to try")
        cells = coords.astype(np.int64)
        every = np.indices(self.shape).reshape(2, -1).T
        beyond = every * (-1, 1) if self.flips else every
        again = [beyond + np.array([(m - 1) * self.flips, n])] + [every + np.array([m, 0])] * self.rows_wrap
        for _, matrix in self.matrices():
            for shift in shifts:
                home = self.index(list((every @ matrix.T + shift).T))
                if all(
                    np.array_equal(home, self.index(list((other @ matrix.T + shift).T))) for other in again
                ):
                    yield formula(["row", "column"], matrix, shift), cells @ matrix.T + shift


class Torus(Cylinder):
    """Rows and columns wrap."""

    name = "torus"
    glued = "0123"
    rows_wrap = True


class Mobius(Cylinder):
    """The columns wrap with a flip."""

    name = "mobius"
    flips = True


class Klein(Cylinder):
    """The rows wrap; the columns wrap with a flip."""

    name = "klein"
    glued = "0123"
    flips = True
    rows_wrap = True
