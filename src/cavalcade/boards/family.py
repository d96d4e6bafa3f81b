"""A family of shapes: the sides of its members, their cells, names, moves and symmetries.

A whole board lies in an array of *places*, some of which may not be cells. A place has integer coordinates,
one a dimension, the last two of them row and column; `origin` is what is added to them to index the array.

This base class is an array of squares in any number of dimensions, numbered as on a chessboard. A family
overrides what is different.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cavalcade.ground.budget import assert_room
from cavalcade.ground.errors import BoardError, TooLargeError
from cavalcade.ground.kernels import Ints, Mask

Coords = NDArray[np.integer[Any]]  # one place a row
Vector = tuple[int, ...]

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST_CANDIDATES = 100_000  # maps that are tried as symmetries
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
    """One whole board of a family.

    Args:
        sides: what the board's spec says, as (8, 8).

    Raises:
        BoardError: the sides make no board.
    """

    sides: tuple[int, ...]

    name: ClassVar[str] = "box"
    how_many: ClassVar[tuple[int, int]] = (2, 30)  # sides, at least and at most: NumPy has no more than 32
    between: ClassVar[str] = "x"  # between the sides in a spec
    example: ClassVar[str] = "6x8"  # sides that forms and completion suggest; a tour may not exist
    most_places: ClassVar[int] = 2**31 - 1  # of the array, where not all places are cells
    hexagonal: ClassVar[bool] = False  # cells are hexagons, coordinates axial (q, r)
    wraps: ClassVar[bool] = False  # a move may lead over an edge, and two moves to the same cell
    noun: ClassVar[str] = "cell"  # what one of its places is called
    nouns: ClassVar[str] = "cells"
    glued: ClassVar[str] = ""  # which of the top, right, bottom and left edges are drawn dashed: 0, 1, 2, 3
    letters: ClassVar[str] = LETTERS
    origin: ClassVar[int] = 0

    def __post_init__(self) -> None:
        least, most = self.how_many
        if not least <= len(self.sides) <= most:
            count = f"{least}" if least == most else f"{least} to {most}"
            raise BoardError(f"{self.sides} are no sides of a {self.name}, expected {count}")
        if min(self.sides) < 1:
            raise BoardError(f"{self.sides} are no sides of a {self.name}, expected each to be at least 1")

    # ---- cells

    @property
    def shape(self) -> tuple[int, ...]:
        """The sides of the array of places."""
        return self.sides

    @property
    def spec(self) -> str:
        """The board as text."""
        sides = self.between.join(map(str, self.sides))
        return sides if self.name == "box" else f"{self.name}:{sides}"

    def cells(self) -> Mask | None:
        """Which places are cells; None for all."""
        return None

    def no_cells(self) -> Mask:
        """The array of places, none of them a cell yet.

        Raises:
            TooLargeError: there are too many places.
        """
        places = math.prod(self.shape)
        if places > self.most_places:
            raise TooLargeError(f"{self.spec} has too many cells to number")
        assert_room(2 * places, f"the board {self.spec}")
        return np.zeros(self.shape, dtype=np.bool_)

    def index(self, at: list[Coords]) -> Coords:
        """The places at these coordinates, one array an axis, counted row by row; -1 off the board."""
        inside = np.ones(at[0].shape, dtype=np.bool_)
        flat = np.zeros(at[0].shape, dtype=np.int32)
        for axis, side in zip(at, self.shape, strict=True):
            inside &= (axis >= 0) & (axis < side)
            flat = flat * np.int32(side) + axis.astype(np.int32, copy=False)
        return np.where(inside, flat, np.int32(-1))

    @property
    def flat(self) -> bool:
        """Whether a move is the same vector from every cell."""
        return not self.wraps

    @property
    def centre(self) -> tuple[int, ...] | None:
        """Twice the coordinates of the point that moves can go round; None where they have no direction."""
        return tuple(side - 1 for side in self.shape) if self.flat and len(self.shape) == 2 else None

    # ---- names

    @property
    def axes(self) -> list[str]:
        """What the coordinates are called."""
        outer = len(self.shape) - 2
        return [*(["level"] if outer == 1 else [f"level_{i + 1}" for i in range(outer)]), "row", "column"]

    def file_and_rank(self, row: int, column: int) -> tuple[int, int]:
        """The number of the file, from 0, and the rank, from 1, at array indices on a level."""
        return column, self.shape[-2] - row

    def row_and_column(self, file: int, rank: int) -> tuple[int, int]:
        """The array indices of a file and a rank; they may lie off the board."""
        return self.shape[-2] - rank, file

    @property
    def files(self) -> list[str]:
        """The letters of the files, left to right."""
        return [file_name(i, self.letters) for i in range(self.shape[-1])]

    # ---- moves

    def leap(self, a: int, b: int) -> set[Vector]:
        """The moves of an (a, b) leaper: two coordinates change, one by a, one by b."""
        d, found = len(self.shape), set()
        for i, j in itertools.permutations(range(d), 2):
            for x, y in itertools.product((a, -a), (b, -b)):
                vector = [0] * d
                vector[i], vector[j] = x, y
                found.add(tuple(vector))
        return found

    def leaps(self, pairs: Iterable[tuple[int, int]]) -> list[Vector]:
        """The moves of a union of leapers, in the order in which they are tried."""
        return sorted({vector for a, b in pairs for vector in self.leap(a, b)})

    def given(self, moves: Iterable[Vector]) -> list[Vector]:
        """Moves given one by one, with the opposite of each: a move can always be taken back."""
        found = dict.fromkeys(moves)
        found.update(dict.fromkeys(tuple(-x for x in move) for move in found.copy()))
        return list(found)

    def reached(self, coords: Coords, moves: Coords) -> Iterator[Coords]:
        """The places that each move leads to from some places, -1 where it leads off the board."""
        for move in moves:
            yield self.index(list((coords + (move + self.origin)).T))

    # ---- symmetries

    def maps(self, coords: Coords) -> Iterator[tuple[str, Coords]]:
        """Maps that may be symmetries of a board with these cells, each by its name and where the cells go.

        The identity comes first. An affine map of the board to itself fixes its centre of gravity.

        Raises:
            TooLargeError: there are too many to try.
        """
        at, size = coords.astype(np.int64), len(coords)
        centre = at.sum(axis=0)
        for name, matrix in self.matrices():
            shift = centre - centre @ matrix.T
            if not (shift % size).any():
                yield name, at @ matrix.T + shift // size

    def matrices(self) -> Iterator[tuple[str, Ints]]:
        """All that permute the axes and reverse some.

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
        """The flat rectangles of a level: first row, first column, rows, columns."""
        return [(0, 0, self.shape[-2], self.shape[-1])]


def signed_permutations(d: int) -> Iterator[Ints]:
    """The matrices that permute d axes and reverse some."""
    for order in itertools.permutations(range(d)):
        for signs in itertools.product((1, -1), repeat=d):
            matrix = np.zeros((d, d), dtype=np.int64)
            matrix[range(d), order] = signs
            yield matrix


def formula(axes: list[str], matrix: Ints, shift: tuple[int, ...] | None = None) -> str:
    """Where the cell with these coordinates goes: `(-row, column + 2)`."""
    parts = []
    for row, more in zip(matrix.tolist(), shift or (0,) * len(axes), strict=True):
        i = next(i for i, x in enumerate(row) if x)
        parts.append(("-" if row[i] < 0 else "") + axes[i] + (f" + {more}" if more else ""))
    return "identity" if ", ".join(parts) == ", ".join(axes) else f"({', '.join(parts)})"


def file_name(index: int, letters: str) -> str:
    """The letters of a file: a … z, aa, ab, … (numbers in base 26 without a zero)."""
    name = ""
    index += 1
    while index:
        index, last = divmod(index - 1, len(letters))
        name = letters[last] + name
    return name


def file_index(name: str, letters: str) -> int:
    """The number, from 0, of the file with these letters."""
    index = 0
    for letter in name:
        index = index * len(letters) + letters.index(letter) + 1
    return index - 1
