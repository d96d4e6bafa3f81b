"""The class `Board`: a member of a family of shapes, possibly with holes.

Conventions: m is the number of rows, n the number of columns, d the number of dimensions. A *cell* is an
integer from 0 to size - 1. *Coordinates* are zero-based integers, one per dimension: level, row from the top,
column; hexagonal cells have axial coordinates (q, r). People read cell names: `a8`, `2:h6`.

Every board is an array of places, some of which may be holes. The family (`boards.family`) defines what lies
beyond the edge, how cells are named, and which symmetries the whole board has.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, ClassVar, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cavalcade.boards.families import FAMILIES
from cavalcade.boards.family import BLOCK, Family, file_index, file_name
from cavalcade.ground.above import above, shown
from cavalcade.ground.errors import BoardError, CellError, TooLargeError

MOST_CELLS = int(np.iinfo(np.int32).max)  # cells are numbered by 32-bit integers


class CellCollection(Protocol):
    """Names or numbers of cells, such as a list or a set; one text is none, because it iterates over letters.

    The type of `in` makes the difference: `str` supports it for texts only.
    """

    def __iter__(self) -> Iterator[int | str]: ...

    def __contains__(self, item: object, /) -> bool: ...


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """A board, given by its family (such as `torus`), its sides and its cells.

    Args:
        kind: name of the family, a key of `FAMILIES`: `box` (two or more dimensions), `hex` (Gliński's
            hexagon), the surfaces `cylinder`, `torus`, `mobius` and `klein`, …
        sides: side lengths in the order of the spec, outermost first: (4, 8, 8), or (6,) for `hex`.
        mask: bool array of the shape of the board's array, True for cells; None for the whole board.

    Raises:
        BoardError: the family is unknown, the sides are invalid, or the mask has the wrong shape or no cell.

    Cells are numbered in row-major order of the array; holes are skipped. Boards are immutable and hashable.
    Two boards are equal if they belong to the same family and have the same cells.

    Examples:
        >>> board("8x8").cell("a1"), board("8x8").name(0)
        (56, 'a8')
    """

    kind: str
    sides: tuple[int, ...] = ()
    mask: NDArray[np.bool_] | None = None

    # A plain graph (`MoveGraph`) can stand for a board and overrides these attributes.
    plain: ClassVar[Literal[False]] = False
    directed: ClassVar[bool] = False
    fixed: ClassVar[tuple[tuple[int, int], ...]] = ()
    labels: ClassVar[None] = None

    def __post_init__(self) -> None:
        if self.kind not in FAMILIES:
            kinds = f"expected one of {', '.join(FAMILIES)}; or write board('8x8')"
            raise BoardError(f"unknown kind of board {self.kind!r}, {kinds}")
        whole = self.family.cells()
        mask = whole
        if self.mask is None:
            self.__dict__["holes"] = ()  # fill the cache of the property without a scan
        else:
            mask = np.array(self.mask, dtype=np.bool_)
            if mask.shape != self.shape:
                raise BoardError(
                    f"a mask of shape {mask.shape} does not fit the board, expected {self.shape}"
                )
            if whole is not None and bool((mask & ~whole).any()):
                raise BoardError(f"the mask has cells outside {self.family.spec}")
            if not mask.any():
                raise BoardError("the mask has no cell, expected at least one")
            if whole is None and mask.all():
                mask = None
        if mask is not None:
            mask.setflags(write=False)
        object.__setattr__(self, "mask", mask)

    @cached_property
    def family(self) -> Family:
        """The whole board as a member of its family."""
        return FAMILIES[self.kind](tuple(self.sides))

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array of places; (2n-1, 2n-1) for a hexagon of side n."""
        return self.family.shape

    @classmethod
    def box(cls, *sides: int) -> Board:
        """Return a box: `box(8, 8)` is the chessboard, `box(4, 8, 8)` a stack of four."""
        return cls("box", tuple(sides))

    @classmethod
    def hexagon(cls, side: int) -> Board:
        """Return Gliński's hexagon with `side` cells to a side: 3 side (side - 1) + 1 cells."""
        return cls("hex", (side,))

    @classmethod
    def surface(cls, kind: str, rows: int, columns: int) -> Board:
        """Return a `cylinder`, `torus`, `mobius` strip or `klein` bottle of the given size."""
        return cls(kind, (rows, columns))

    def without(self, cells: CellCollection | Iterator[int | str]) -> Board:
        """Return the board without the given cells: numbers, names, or blocks such as `c3:f6`.

        Raises:
            CellError: a cell does not belong to this board.
            BoardError: no cell would remain.
        """
        self._assert_numbered()
        removed: list[int] = []
        for cell in cells:
            removed += self.block(cell) if isinstance(cell, str) else [self._checked(cell)]
        mask = np.ones(self.shape, dtype=np.bool_) if self.mask is None else self.mask.copy()
        mask.flat[np.array([self._place(c) for c in removed], dtype=np.int64)] = False
        return Board(self.kind, self.sides, mask)

    def block(self, text: str) -> list[int]:
        """Return the cell with a name, or for `c3:f6` the cells between two corners.

        Raises:
            CellError: a corner is no cell of the board, or the block contains no cell.
        """
        if (block := BLOCK.fullmatch(text.strip().lower())) is None:
            return [self.cell(text)]
        corners = np.sort([self.place(corner) for corner in block.groups()], axis=0)
        places = np.argwhere(np.ones(self.shape, dtype=np.bool_) if self.mask is None else self.mask)
        inside = ((places >= corners[0]) & (places <= corners[1])).all(axis=1)
        return np.flatnonzero(inside).tolist()

    # ---- size and identity

    @property
    def is_box(self) -> bool:
        """Whether the board is an array of squares, with or without holes."""
        return self.kind == "box"

    @property
    def is_rectangle(self) -> bool:
        """Whether the board is a two-dimensional box, with or without holes."""
        return self.is_box and self.dimensions == 2

    @property
    def dimensions(self) -> int:
        """Number of coordinates of a cell."""
        return len(self.shape)

    @property
    def side(self) -> int:
        """Number of cells to a side of a hexagon."""
        return self.sides[0]

    @cached_property
    def size(self) -> int:
        """Number of cells."""
        return math.prod(self.shape) if self.mask is None else int(np.count_nonzero(self.mask))

    def __len__(self) -> int:
        return self.size

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        return self.kind, self.sides, None if self.mask is None else self.mask.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"<Board {self.title}, {self.size:,} cells>"

    @property
    def whole(self) -> Board:
        """The same board with its holes filled."""
        return Board(self.kind, self.sides)

    @cached_property
    def holes(self) -> tuple[str, ...]:
        """Names of the cells that are missing from the whole board."""
        if self.mask is None:
            return ()
        whole = self.family.cells()
        missing = ~self.mask if whole is None else whole & ~self.mask
        return tuple(self.name_at(tuple(index)) for index in np.argwhere(missing).tolist())

    @property
    def spec(self) -> str:
        """The board as text that `parse_board` reads back: `4x8x8`, `hex:6`, `8x8-a1,b1`."""
        return self.family.spec + ("-" + ",".join(self.holes) if self.holes else "")

    @property
    def title(self) -> str:
        """The spec, except that more than 8 holes are counted and not named."""
        if len(self.holes) <= 8:
            return self.spec
        return f"{self.family.spec} without {len(self.holes):,} cells"

    # ---- cells and coordinates

    def _assert_numbered(self) -> None:
        """Raise TooLargeError if cell numbers do not fit into 32 bits."""
        if math.prod(self.shape) > MOST_CELLS:
            raise TooLargeError(f"{self.family.spec} has too many cells, expected at most {MOST_CELLS:,}")

    @cached_property
    def _places(self) -> NDArray[np.int64] | None:
        """Flat array index of each cell; None if it equals the cell number."""
        return None if self.mask is None else np.flatnonzero(self.mask)

    @cached_property
    def _numbers(self) -> NDArray[np.int32] | None:
        """Cell number at each flat array index, -1 for holes; None if they are equal."""
        if self.mask is None:
            return None
        flat = self.mask.ravel()
        return np.where(flat, np.cumsum(flat, dtype=np.int32) - 1, -1).astype(np.int32)

    def _checked(self, cell: int) -> int:
        if not 0 <= cell < self.size:
            raise CellError(f"{cell} is not a cell of {self.title}, expected 0 to {self.size - 1}")
        return int(cell)

    def _place(self, cell: int) -> int:
        return cell if self._places is None else int(self._places[cell])

    @cached_property
    def coords(self) -> NDArray[np.int32]:
        """Coordinates of all cells, shape (size, d). Read-only."""
        self._assert_numbered()
        if self._places is None:
            indices = np.indices(self.shape, dtype=np.int32).reshape(self.dimensions, -1).T
        else:
            indices = np.stack(np.unravel_index(self._places, self.shape), axis=1).astype(np.int32)
        coords = np.ascontiguousarray(indices) - np.int32(self.family.origin)
        coords.setflags(write=False)
        return coords

    def locate(self, coords: ArrayLike) -> NDArray[np.int32]:
        """Return the cells at some coordinates, -1 where there is no cell.

        Args:
            coords: integers, last axis of length d; coordinates beyond the edge are allowed and wrap around
                on a surface.
        """
        self._assert_numbered()
        indices = np.moveaxis(np.asarray(coords), -1, 0) + self.family.origin
        return self._cells_at(self.family.index(list(indices)))

    def reached(
        self, moves: NDArray[np.int32], cells: ArrayLike | None = None
    ) -> Iterator[NDArray[np.int32]]:
        """Yield the targets of each move from some cells, -1 where a move leads off the board.

        Args:
            moves: move vectors, shape (k, d), as `Piece.vectors` returns them.
            cells: cell numbers; by default all cells.
        """
        self._assert_numbered()
        coords = self.coords if cells is None else self.coords[np.asarray(cells)]
        return (self._cells_at(places) for places in self.family.reached(coords, moves))

    def _cells_at(self, places: NDArray[Any]) -> NDArray[np.int32]:
        """Cell numbers at flat array indices, -1 for holes and for index -1."""
        if self._numbers is None:
            return np.asarray(places, dtype=np.int32)
        return np.where(places >= 0, self._numbers[np.maximum(places, 0)], np.int32(-1))

    # ---- names

    def name_at(self, at: tuple[int, ...]) -> str:
        """Return the name of the place at array indices, cell or not. Works for boards of any size."""
        *levels, row, column = at
        file, rank = self.family.file_and_rank(row, column)
        return f"{''.join(f'{level + 1}:' for level in levels)}{file_name(file, self.family.letters)}{rank}"

    def name(self, cell: int) -> str:
        """Return the name of a cell: `a8` at the top left of the chessboard.

        Raises:
            CellError: the number is not a cell of this board.
        """
        return self._name_of_place(self._place(self._checked(cell)))

    def _name_of_place(self, place: int) -> str:
        return self.name_at(tuple(int(i) for i in np.unravel_index(place, self.shape)))

    @property
    def files(self) -> list[str]:
        """Letters of the files, left to right."""
        return self.family.files

    @cached_property
    def names(self) -> list[str]:
        """Names of all cells, in the order of the cells. Linear time."""
        *outer, m, _ = self.shape
        if self.family.hexagonal:
            return [self.name_at((q, r)) for q, r in (self.coords + self.family.origin).tolist()]
        levels = ["".join(f"{i + 1}:" for i in index) for index in product(*map(range, outer))]
        files = self.files
        names = [f"{level}{file}{m - row}" for level in levels for row in range(m) for file in files]
        return names if self._places is None else [names[i] for i in self._places.tolist()]

    @property
    def nodes(self) -> list[str]:
        """The cells as callers address them: their names."""
        return self.names

    def cell(self, name: str) -> int:
        """Return the cell with the given name.

        Raises:
            CellError: no cell of this board has that name.
        """
        index = self.place(name)
        self._assert_numbered()
        flat = int(np.ravel_multi_index(index, self.shape))
        return flat if self._numbers is None else int(self._numbers[flat])

    def place(self, name: str) -> tuple[int, ...]:
        """Return the array indices of the cell with the given name. Works for boards of any size.

        Raises:
            CellError: no cell of this board has that name.
        """
        parts = name.strip().lower().split(":")
        letters = parts[-1].rstrip("0123456789")
        numbers = [*parts[:-1], parts[-1][len(letters) :]]
        if (
            len(parts) != self.dimensions - 1
            or not letters
            or len(name) > 80  # a name of a megabyte must not be parsed
            or not all(part.isascii() and part.isdigit() for part in numbers)
            or not set(letters) <= set(self.family.letters)
        ):
            first = 0 if self.mask is None else int(np.argmax(self.mask))
            example = repr(self._name_of_place(first))
            raise CellError(f"{name[:40]!r} is not a cell name of {self.title}, expected one like {example}")
        *levels, rank = map(int, numbers)
        inner = self.family.row_and_column(file_index(letters, self.family.letters), rank)
        index = (*(level - 1 for level in levels), *inner)
        inside = all(0 <= i < side for i, side in zip(index, self.shape, strict=True))
        if not inside or (self.mask is not None and not self.mask[index]):
            raise CellError(f"{name!r} is not a cell of {self.title}")
        return index

    # ---- pictures

    def svg(self, **options: Any) -> str:
        """Draw the empty board; `draw.svg.svg` and `draw.board.board_picture` list the options."""
        return str(above("svg")(self, **options))

    _repr_html_ = shown
