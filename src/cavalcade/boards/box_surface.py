"""The surface of a cube or a box, unfolded: six faces of squares, laid out as a cross.

`surface:3x4x5` is the surface of a box of 3 levels of 4 x 5, `cube:4` that of 4 x 4 x 4. The net has the top,
below it the four sides in a row, and below these the bottom:

         top
    left front right back
         bottom

A leaper goes straight over an edge, as on the unfolded paper: an (a, b) leaper goes a cells straight on,
turns left or right, and goes b cells; or b first, and then a. On a face and over one edge the two ways end on
the same cell. Around a corner of the box, where only three faces meet, they may not: then both cells can be
reached. Every move can be taken back. Y. Qing and J. J. Watkins, Knight's tours for cubes and boxes,
Congressus Numerantium 181 (2006), is about these boards; we could not read how it treats the corners.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import numpy as np

from cavalcade.boards.family import Coords, Family, Vector, formula, signed_permutations
from cavalcade.ground.errors import PieceError
from cavalcade.ground.kernels import Cells, Ints, Mask

Points = Ints  # (n, 3): level, row and column in space


class BoxSurface(Family):
    """The surface of a box of k levels of m x n.

    In space, lengths are doubled so that the middles of the cells are integers: a face lies where one
    coordinate is 0 or twice its side.
    """

    name = "surface"
    how_many = (3, 3)
    example = "3x4x5"
    most_places = 2**24
    wraps = True

    @property
    def box(self) -> tuple[int, ...]:
        """Levels, rows and columns of the box."""
        return self.sides

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the net."""
        k, m, n = self.box
        return (2 * m + k, 2 * m + 2 * n)

    @cached_property
    def faces(self) -> list[tuple[int, int, int, int]]:
        """Top, left, front, right, back, bottom; m rows lie above the four sides, and m below."""
        k, m, n = self.box
        return [
            (0, m, m, n),
            (m, 0, k, m),
            (m, m, k, n),
            (m, m + n, k, m),
            (m, 2 * m + n, k, n),
            (m + k, m, m, n),
        ]

    def cells(self) -> Mask:
        """The six faces."""
        cells = self.no_cells()
        for row, column, rows, columns in self.faces:
            cells[row : row + rows, column : column + columns] = True
        return cells

    # ---- in space

    @property
    def frames(self) -> list[tuple[Vector, Vector, Vector]]:
        """Of each face: its first corner, and the directions in which its rows and its columns run."""
        k, m, n = (2 * side for side in self.box)
        return [
            ((0, 0, 0), (0, 1, 0), (0, 0, 1)),
            ((0, 0, 0), (1, 0, 0), (0, 1, 0)),
            ((0, m, 0), (1, 0, 0), (0, 0, 1)),
            ((0, m, n), (1, 0, 0), (0, -1, 0)),
            ((0, 0, n), (1, 0, 0), (0, 0, -1)),
            ((k, m, 0), (0, -1, 0), (0, 0, 1)),
        ]

    def points(self, coords: Coords) -> tuple[Points, Ints]:
        """The middles of some cells in space, and the face of each."""
        at = np.asarray(coords, dtype=np.int64)
        points, face = np.zeros((len(at), 3), dtype=np.int64), np.zeros(len(at), dtype=np.int64)
        for i, ((row, column, rows, columns), frame) in enumerate(zip(self.faces, self.frames, strict=True)):
            inner = at - (row, column)
            here = ((inner >= 0) & (inner < (rows, columns))).all(axis=1)
            corner, down, right = np.array(frame)
            points[here] = corner + (2 * inner[here, :1] + 1) * down + (2 * inner[here, 1:] + 1) * right
            face[here] = i
        return points, face

    @cached_property
    def places(self) -> Cells:
        """The place of the net at each point in space, -1 where there is none."""
        k, m, n = (2 * side + 1 for side in self.box)
        places = np.full((k, m, n), -1, dtype=np.int32)
        coords = np.argwhere(self.cells())
        places[tuple(self.points(coords)[0].T)] = np.ravel_multi_index(tuple(coords.T), self.shape)
        return places

    def walked(self, at: Points, heading: Points, steps: int) -> tuple[Points, Points, Points]:
        """Where one comes who goes straight on: the cells, the headings, and what is outwards there."""
        far = 2 * np.array(self.box)
        outward = (at == far).astype(np.int64) - (at == 0)
        for _ in range(steps):
            ahead = at + 2 * heading
            over = ((ahead < 0) | (ahead > far)).any(axis=1, keepdims=True)
            at = np.where(over, at + heading - outward, ahead)
            heading, outward = np.where(over, -outward, heading), np.where(over, heading, outward)
        return at, heading, outward

    # ---- moves

    def given(self, moves: Iterable[Vector]) -> list[Vector]:
        """There is no left and right on a surface that looks the same from all its faces."""
        raise PieceError(f"moves {list(moves)} have no direction on {self.spec}, expected a leaper like 1,2")

    def leaps(self, pairs: Iterable[tuple[int, int]]) -> list[Vector]:
        """The moves on the net; each twice, for its two orders of steps."""
        flat = super().leaps(pairs)
        return [*flat, *flat]

    def reached(self, coords: Coords, moves: Coords) -> Iterator[Coords]:
        """The first half of the moves goes along its columns first, the second along its rows."""
        at, face = self.points(coords)
        frames = np.array(self.frames)[face]
        for i, (row, column) in enumerate(moves.tolist()):
            legs = [(row, frames[:, 1]), (column, frames[:, 2])]
            (first, ahead), (second, aside) = legs[:: 1 if 2 * i >= len(moves) else -1]
            ahead, aside = (
                leg * (1 if steps > 0 else -1) for leg, steps in ((ahead, first), (aside, second))
            )
            corner, heading, outward = self.walked(at, ahead, abs(first))
            before = np.cross(ahead, aside)  # outwards or inwards: a turn to the left or to the right
            left = (before == (at == 2 * np.array(self.box)).astype(np.int64) - (at == 0)).all(axis=1)
            turned = np.cross(outward, heading) * np.where(left, 1, -1)[:, None]
            end, _, _ = self.walked(corner, turned, abs(second))
            yield self.places[tuple(end.T)]

    # ---- symmetries

    def maps(self, coords: Coords) -> Iterator[tuple[str, Coords]]:
        """Turns and reflections of the box."""
        points, _ = self.points(coords)
        middle = np.array(self.box)
        for matrix in signed_permutations(3):
            if np.array_equal(np.abs(matrix) @ middle, middle):
                images = (points - middle) @ matrix.T + middle
                name = formula(["level", "row", "column"], matrix)
                yield name, np.stack(np.unravel_index(self.places[tuple(images.T)], self.shape), axis=1)


class Cube(BoxSurface):
    """The surface of a cube."""

    name = "cube"
    how_many = (1, 1)
    example = "4"

    @property
    def box(self) -> tuple[int, ...]:
        """Three equal sides."""
        return self.sides * 3
