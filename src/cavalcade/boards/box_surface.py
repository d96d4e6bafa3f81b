"""The surface of a cube or a box, unfolded into a net of six faces of squares.

`surface:3x4x5` is the surface of a box of 3 levels of 4 x 5, `cube:4` that of 4 x 4 x 4. The net has the top,
below it the four sides in a row, and below them the bottom:

         top
    left front right back
         bottom

A leaper crosses an edge in a straight line, as on the unfolded paper: an (a, b) leaper goes a cells straight
ahead, turns left or right, and goes b cells; or b cells first, then a. On a face and across one edge both
orders end on the same cell. Around a corner of the box, where only three faces meet, they can end on
different cells; then both are targets. Every move can be taken back. Y. Qing and J. J. Watkins, Knight's
tours for cubes and boxes, Congressus Numerantium 181 (2006), study these boards; we could not read how they
treat the corners.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, partial

import numpy as np

from cavalcade.boards.family import Coords, Family, Map, Vector, formula, signed_permutations
from cavalcade.ground.errors import PieceError
from cavalcade.ground.kernels import Cells, Ints, Mask

Points = Ints  # level, row and column in space, shape (n, 3)


class BoxSurface(Family):
    """The surface of a box of k levels of m x n.

    Lengths in space are doubled so that the centres of the cells are integers: on a face, one coordinate is 0
    or twice its side.
    """

    name = "surface"
    side_count = (3, 3)
    example = "3x4x5"
    most_places = 2**24
    wraps = True

    @property
    def box(self) -> tuple[int, ...]:
        """Numbers of levels, rows and columns of the box."""
        return self.sides

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the net."""
        k, m, n = self.box
        return (2 * m + k, 2 * m + 2 * n)

    @cached_property
    def faces(self) -> list[tuple[int, int, int, int]]:
        """Rectangles of the net: top, left, front, right, back, bottom."""
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
        """The six faces of the net."""
        cells = self.no_cells()
        for row, column, rows, columns in self.faces:
            cells[row : row + rows, column : column + columns] = True
        return cells

    # ---- in space

    @property
    def frames(self) -> list[tuple[Vector, Vector, Vector]]:
        """First corner, direction of the rows and direction of the columns, one triple per face."""
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
        """Return the centres of some cells in space, and the face of each cell."""
        cells = np.asarray(coords, dtype=np.int64)
        points, face = np.zeros((len(cells), 3), dtype=np.int64), np.zeros(len(cells), dtype=np.int64)
        for i, ((row, column, rows, columns), frame) in enumerate(zip(self.faces, self.frames, strict=True)):
            inner = cells - (row, column)
            on_face = ((inner >= 0) & (inner < (rows, columns))).all(axis=1)
            corner, down, right = np.array(frame)
            steps = 2 * inner[on_face] + 1
            points[on_face] = corner + steps[:, :1] * down + steps[:, 1:] * right
            face[on_face] = i
        return points, face

    @cached_property
    def places(self) -> Cells:
        """Flat index in the net of each point in space, -1 for points that are not the centre of a cell."""
        k, m, n = (2 * side + 1 for side in self.box)
        places = np.full((k, m, n), -1, dtype=np.int32)
        coords = np.argwhere(self.cells())
        places[tuple(self.points(coords)[0].T)] = np.ravel_multi_index(tuple(coords.T), self.shape)
        return places

    def _normals(self, points: Points) -> Points:
        """Return the outward unit normals of the surface at some points."""
        return np.asarray((points == 2 * np.array(self.box)).astype(np.int64) - (points == 0))

    def walked(self, points: Points, heading: Points, steps: int) -> tuple[Points, Points, Points]:
        """Walk straight ahead on the surface; return the final points, headings and outward normals."""
        outward = self._normals(points)
        for _ in range(steps):
            ahead = points + 2 * heading
            over = ((ahead < 0) | (ahead > 2 * np.array(self.box))).any(axis=1, keepdims=True)
            # Across an edge the walk continues inwards on the next face, whose normal is the old heading.
            points = np.where(over, points + heading - outward, ahead)
            heading, outward = np.where(over, -outward, heading), np.where(over, heading, outward)
        return points, heading, outward

    # ---- moves

    def listed(self, moves: Iterable[Vector]) -> list[Vector]:
        """Refuse explicit moves: directions are not defined across the edges of a box."""
        raise PieceError(f"moves {list(moves)} have no direction on {self.spec}, expected a leaper like 1,2")

    def leaps(self, pairs: Iterable[tuple[int, int]]) -> list[Vector]:
        """Return the moves on the net twice, for the two orders of their legs."""
        flat = super().leaps(pairs)
        return [*flat, *flat]

    def reached(self, coords: Coords, moves: Coords) -> Iterator[Coords]:
        """Yield the targets of each move; the first half of the moves walks along a row of its face first."""
        points, face = self.points(coords)
        frames = np.array(self.frames)[face]
        for i, (row, column) in enumerate(moves.tolist()):
            legs = [(row, frames[:, 1]), (column, frames[:, 2])]
            (first, ahead), (second, aside) = legs[:: 1 if 2 * i >= len(moves) else -1]
            ahead, aside = (
                leg * (1 if steps > 0 else -1) for leg, steps in ((ahead, first), (aside, second))
            )
            corner, heading, outward = self.walked(points, ahead, abs(first))
            # The turn is to the left if the cross product of the two legs points outwards.
            left = (np.cross(ahead, aside) == self._normals(points)).all(axis=1)
            turned = np.cross(outward, heading) * np.where(left, 1, -1)[:, None]
            end, _, _ = self.walked(corner, turned, abs(second))
            yield self.places[tuple(end.T)]

    # ---- symmetries

    def maps(self, coords: Coords) -> Iterator[tuple[str, Map]]:  # noqa: ARG002 - all boards of the shape
        """Yield the rotations and reflections of the box."""
        middle = np.array(self.box)
        for matrix in signed_permutations(3):
            if np.array_equal(np.abs(matrix) @ middle, middle):
                yield formula(["level", "row", "column"], matrix), partial(self._images, matrix)

    def _images(self, matrix: Ints, cells: Coords) -> Coords:
        """Turn or reflect the box, and return where cells of the net come to lie in the net."""
        middle = np.array(self.box)
        images = (self.points(cells)[0] - middle) @ matrix.T + middle
        return np.stack(np.unravel_index(self.places[tuple(images.T)], self.shape), axis=1)


class Cube(BoxSurface):
    """The surface of a cube."""

    name = "cube"
    side_count = (1, 1)
    example = "4"

    @property
    def box(self) -> tuple[int, ...]:
        """The box with three equal sides."""
        return self.sides * 3
