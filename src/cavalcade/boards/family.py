"""The base class of families of shapes: sides, cells, names, moves and symmetries.

A whole board lies in an array of *places*, some of which may not be cells. A place has integer coordinates,
one per dimension; the last two are row and column. Adding `origin` to the coordinates gives the array
indices.

The base class is an array of squares in any number of dimensions, with chess names. Each family overrides
what is different.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cavalcade.ground.budget import assert_room
from cavalcade.ground.errors import BoardError, TooLargeError
from cavalcade.ground.kernels import Ints, Mask

Coords = NDArray[np.integer[Any]]  # coordinates of places, shape (places, d)
Vector = tuple[int, ...]
Map: TypeAlias = Callable[[Coords], Coords]  # images of coordinates

# two corners of a block of cells, such as c3:f6 or 1:c3:2:f6
BLOCK = re.compile(r"((?:\d+:)*[a-z]+\d+):((?:\d+:)*[a-z]+\d+)")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST_CANDIDATES = 100_000  # maps tried as symmetries; all 46,080 of six dimensions take seconds
TURNS = {
    ((1, 0), (0, 1)): "identity",
    ((-1, 0), (0, -1)): "half turn",
    ((0, 1), (-1, 0)): "quarter turn",
    ((0, -1), (1, 0)): "quarter turn",
    ((-1, 0), (0, 1)): "reflection, top to bottom",
    ((1, 0), (0, -1)): "reflection, left to right",
    ((0, 1), (1, 0)): "reflection in a diagonal",
    ((0, -1), (-1, 0)): "reflection in a diagonal",
}


@dataclass(frozen=True)
class Family:
    """A whole board of a family.

    Args:
        sides: side lengths in the order of the spec: (8, 8).

    Raises:
        BoardError: the number of sides is wrong, or a side is below 1.
    """

    sides: tuple[int, ...]

    name: ClassVar[str] = "box"
    side_count: ClassVar[tuple[int, int]] = (2, 30)  # minimum and maximum; NumPy arrays have up to 32 axes
    separator: ClassVar[str] = "x"  # separates the sides in a spec
    example: ClassVar[str] = "6x8"  # sides that forms and completion suggest; a tour may not exist
    most_places: ClassVar[int] = 2**31 - 1  # size limit of an array of which some places are not cells
    hexagonal: ClassVar[bool] = False  # cells are hexagons, coordinates axial (q, r)
    wraps: ClassVar[bool] = False  # moves can cross an edge, and two moves can lead to the same cell
    noun: ClassVar[str] = "cell"  # what a member of the board is called
    nouns: ClassVar[str] = "cells"
    glued: ClassVar[str] = ""  # edges drawn dashed: 0 top, 1 right, 2 bottom, 3 left
    letters: ClassVar[str] = LETTERS
    origin: ClassVar[int] = 0

    def __post_init__(self) -> None:
        least, most = self.side_count
        if not least <= len(self.sides) <= most:
            expected = f"{least}" if least == most else f"{least} to {most}"
            raise BoardError(f"{self.sides} are not the sides of a {self.name}, expected {expected}")
        if min(self.sides) < 1:
            raise BoardError(
                f"{self.sides} are not the sides of a {self.name}, expected each to be at least 1"
            )

    # ---- cells

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of places."""
        return self.sides

    @property
    def spec(self) -> str:
        """The whole board as text, such as `8x8` or `hex:6`."""
        sides = self.separator.join(map(str, self.sides))
        return sides if self.name == "box" else f"{self.name}:{sides}"

    def cells(self) -> Mask | None:
        """Mask of the places that are cells; None if all are."""
        return None

    def no_cells(self) -> Mask:
        """Return an all-False mask of the places, for `cells` to fill in.

        Raises:
            TooLargeError: there are too many places.
        """
        places = math.prod(self.shape)
        if places > self.most_places:
            raise TooLargeError(f"{self.spec} has too many cells to number")
        assert_room(2 * places, f"the board {self.spec}")
        return np.zeros(self.shape, dtype=np.bool_)

    def index(self, coords: list[Coords]) -> Coords:
        """Return the flat array indices of places, -1 off the board.

        Args:
            coords: array indices, one array per axis.
        """
        inside = np.ones(coords[0].shape, dtype=np.bool_)
        flat = np.zeros(coords[0].shape, dtype=np.int32)
        for axis, side in zip(coords, self.shape, strict=True):
            inside &= (axis >= 0) & (axis < side)
            flat = flat * np.int32(side) + axis.astype(np.int32, copy=False)
        return np.where(inside, flat, np.int32(-1))

    @property
    def flat(self) -> bool:
        """Whether a move is the same vector from every cell."""
        return not self.wraps

    @property
    def centre(self) -> tuple[int, ...] | None:
        """Twice the coordinates of the point round which moves turn; None if there is no such point."""
        return tuple(side - 1 for side in self.shape) if self.flat and len(self.shape) == 2 else None

    # ---- names

    @property
    def axes(self) -> list[str]:
        """Names of the coordinates."""
        outer = len(self.shape) - 2
        return [*(["level"] if outer == 1 else [f"level_{i + 1}" for i in range(outer)]), "row", "column"]

    def file_and_rank(self, row: int, column: int) -> tuple[int, int]:
        """Return the file, from 0, and the rank, from 1, at array indices on a level."""
        return column, self.shape[-2] - row

    def row_and_column(self, file: int, rank: int) -> tuple[int, int]:
        """Return the array indices of a file and a rank; they may lie off the board."""
        return self.shape[-2] - rank, file

    @property
    def files(self) -> list[str]:
        """Letters of the files, left to right."""
        return [file_name(i, self.letters) for i in range(self.shape[-1])]

    # ---- moves

    def leap(self, a: int, b: int) -> set[Vector]:
        """Return the moves of an (a, b) leaper: two coordinates change, one by a, one by b."""
        d, vectors = len(self.shape), set()
        for i, j in itertools.permutations(range(d), 2):
            for x, y in itertools.product((a, -a), (b, -b)):
                vector = [0] * d
                vector[i], vector[j] = x, y
                vectors.add(tuple(vector))
        return vectors

    def leaps(self, pairs: Iterable[tuple[int, int]]) -> list[Vector]:
        """Return the moves of a union of leapers, in the order in which engines try them."""
        return sorted({vector for a, b in pairs for vector in self.leap(a, b)})

    def listed(self, moves: Iterable[Vector]) -> list[Vector]:
        """Return explicit moves, each once."""
        return list(dict.fromkeys(moves))

    def reached(self, coords: Coords, moves: Coords) -> Iterator[Coords]:
        """Yield the targets of each move from some places, as flat array indices, -1 off the board."""
        for move in moves:
            yield self.index(list((coords + (move + self.origin)).T))

    # ---- symmetries

    def maps(self, coords: Coords) -> Iterator[tuple[str, Map]]:
        """Yield the candidates for symmetries of a board, each with its name, the identity first.

        An affine map of the board to itself fixes its centre of gravity.

        Args:
            coords: coordinates of the cells of the board.

        Raises:
            TooLargeError: there are too many candidates.
        """
        size = len(coords)
        centre = np.array([axis.sum(dtype=np.int64) for axis in coords.T])  # far faster than by rows
        for name, matrix in self.matrices():
            shift = centre - centre @ matrix.T
            if not (shift % size).any():
                yield name, partial(affine_images, matrix, shift // size)

    def matrices(self) -> Iterator[tuple[str, Ints]]:
        """Yield all matrices that permute the axes and reverse some, with their names.

        Sides need not be equal: the cells of a 3x5 board with holes may form a square.
        """
        d = len(self.shape)
        if math.factorial(d) * 2**d > MOST_CANDIDATES:
            raise TooLargeError(f"boards of {d} dimensions have too many symmetries to try")
        axes = self.axes if d <= 3 else [f"axis {i + 1}" for i in range(d)]
        for matrix in signed_permutations(d):
            name = TURNS[tuple(map(tuple, matrix.tolist()))] if d == 2 else formula(axes, matrix)  # type: ignore[index]
            yield name, matrix

    # ---- pictures

    @cached_property
    def faces(self) -> list[tuple[int, int, int, int]]:
        """Flat rectangles of a level, as (first row, first column, rows, columns)."""
        return [(0, 0, self.shape[-2], self.shape[-1])]


def signed_permutations(d: int) -> Iterator[Ints]:
    """Yield the matrices that permute d axes and reverse some."""
    for order in itertools.permutations(range(d)):
        for signs in itertools.product((1, -1), repeat=d):
            matrix = np.zeros((d, d), dtype=np.int64)
            matrix[range(d), order] = signs
            yield matrix


def affine_images(matrix: Ints, shift: Ints, cells: Coords) -> Coords:
    """Map coordinates by a matrix, and shift them."""
    return np.asarray(cells.astype(np.int64) @ matrix.T + shift)


def formula(axes: list[str], matrix: Ints, shift: tuple[int, ...] | None = None) -> str:
    """Return the image of a general cell as text: `(-row, column + 2)`."""
    parts = []
    for row, offset in zip(matrix.tolist(), shift or (0,) * len(axes), strict=True):
        i = next(i for i, x in enumerate(row) if x)
        parts.append(("-" if row[i] < 0 else "") + axes[i] + (f" + {offset}" if offset else ""))
    return "identity" if ", ".join(parts) == ", ".join(axes) else f"({', '.join(parts)})"


def file_name(index: int, letters: str) -> str:
    """Return the letters of a file: a … z, aa, ab, … (bijective numeration in base 26)."""
    name = ""
    index += 1
    while index:
        index, last = divmod(index - 1, len(letters))
        name = letters[last] + name
    return name


def file_index(name: str, letters: str) -> int:
    """Return the number, from 0, of the file with these letters."""
    index = 0
    for letter in name:
        index = index * len(letters) + letters.index(letter) + 1
    return index - 1
