"""The board: one of a family, perhaps with some cells removed.

m is a number of rows, n a number of columns, d a number of dimensions. A *cell* is an int from 0 to
size - 1; *coordinates* are zero-based integers, one per dimension: level, row from the top, column;
on hexagonal cells axial (q, r). Names are for people: `a8`, `2:h6`.

Every board is an array of places, some of which may be holes. What lies beyond its edge, what its cells are
called and which symmetries it has is up to its family (`boards.family`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cavalcade.boards.families import FAMILIES
from cavalcade.boards.family import Family, file_index, file_name
from cavalcade.ground.above import above, shown
from cavalcade.ground.errors import BoardError, CellError, TooLargeError

MOST_CELLS = 2**31 - 1  # cells are 32-bit integers


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """A board: its family and sides, and which places are cells.

    Args:
        kind: the name of the family, one of `FAMILIES`: `box` (any number of dimensions, two or more), `hex`
            (Gliński's hexagon), the surfaces `cylinder`, `torus`, `mobius` and `klein`, …
        sides: as in the board's spec, outermost first: (4, 8, 8), for `hex` (6,).
        mask: a bool array of the shape of the board's array, True where there is a cell; None for the whole.

    Raises:
        BoardError: an unknown family, sides that make no board, a mask of another shape or without a cell.

    Cells are numbered in row-major order of the array, holes skipped. Boards are immutable, equal when
    they have the same cells in the same places, and hashable.

    Examples:
        >>> board("8x8").cell("a1"), board("8x8").name(0)
        (56, 'a8')
    """

    kind: str
    sides: tuple[int, ...]
    mask: NDArray[np.bool_] | None = None

    # a plain graph that stands for a board has other answers here
    plain: ClassVar[Literal[False]] = False
    directed: ClassVar[bool] = False
    fixed: ClassVar[tuple[tuple[int, int], ...]] = ()
    labels: ClassVar[None] = None

    def __post_init__(self) -> None:
        if self.kind not in FAMILIES:
            raise BoardError(f"unknown kind of board {self.kind!r}, expected one of {', '.join(FAMILIES)}")
        whole = self.family.cells()
        mask = whole
        if self.mask is None:
            self.__dict__["holes"] = ()  # known without another look at the whole board
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
        """The whole board of its family."""
        return FAMILIES[self.kind](tuple(self.sides))

    @property
    def shape(self) -> tuple[int, ...]:
        """The sides of the array that holds the cells; a hexagon of side n has (2n-1, 2n-1)."""
        return self.family.shape

    @classmethod
    def box(cls, *sides: int) -> Board:
        """A box: `box(8, 8)` is the chessboard, `box(4, 8, 8)` a stack of four."""
        return cls("box", tuple(sides))

    @classmethod
    def hexagon(cls, side: int) -> Board:
        """Gliński's hexagon with `side` cells to a side: 3 side (side - 1) + 1 cells."""
        return cls("hex", (side,))

    @classmethod
    def surface(cls, kind: str, rows: int, columns: int) -> Board:
        """A `cylinder`, `torus`, `mobius` strip or `klein` bottle of the given size."""
        return cls(kind, (rows, columns))

    def without(self, cells: Iterable[int | str]) -> Board:
        """The board without these cells (numbers or names).

        Raises:
            CellError: one of them is not a cell of this board.
            BoardError: no cell would remain.
        """
        self._assert_fits()
        gone = [self.cell(c) if isinstance(c, str) else self._checked(c) for c in cells]
        mask = np.ones(self.shape, dtype=np.bool_) if self.mask is None else self.mask.copy()
        mask.flat[np.array([self._place(c) for c in gone], dtype=np.int64)] = False
        return Board(self.kind, self.sides, mask)

    # ---- size and identity

    @property
    def is_box(self) -> bool:
        """Whether it is an array of squares, with holes or without."""
        return self.kind == "box"

    @property
    def is_rectangle(self) -> bool:
        """Whether it is a box of two dimensions, with holes or without."""
        return self.is_box and self.dimensions == 2

    @property
    def dimensions(self) -> int:
        """How many coordinates a cell has."""
        return len(self.shape)

    @property
    def side(self) -> int:
        """Cells to a side of a hexagon."""
        return self.sides[0]

    @cached_property
    def size(self) -> int:
        """How many cells there are."""
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
        """The names of the cells that this board lacks of its whole shape."""
        if self.mask is None:
            return ()
        whole = self.family.cells()
        missing = ~self.mask if whole is None else whole & ~self.mask
        return tuple(self.name_at(tuple(at)) for at in np.argwhere(missing).tolist())

    @property
    def spec(self) -> str:
        """The board as text that `parse_board` reads back: `4x8x8`, `hex:6`, `8x8-a1,b1`."""
        return self.family.spec + ("-" + ",".join(self.holes) if self.holes else "")

    @property
    def title(self) -> str:
        """The same as `spec`, but more than 8 holes are counted instead of named."""
        return self.spec if len(self.holes) <= 8 else f"{self.family.spec} without {len(self.holes):,} cells"

    # ---- cells and coordinates

    def _assert_fits(self) -> None:
        if math.prod(self.shape) > MOST_CELLS:
            raise TooLargeError(f"{self.family.spec} has too many cells, expected at most {MOST_CELLS:,}")

    @cached_property
    def _places(self) -> NDArray[np.int64] | None:
        """Flat array index of every cell; None when they are the same."""
        return None if self.mask is None else np.flatnonzero(self.mask)

    @cached_property
    def _numbers(self) -> NDArray[np.int32] | None:
        """The cell at every flat array index, -1 in holes; None when they are the same."""
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
        """The coordinates of every cell, an array of shape (size, d)."""
        self._assert_fits()
        if self._places is None:
            every = np.indices(self.shape, dtype=np.int32).reshape(self.dimensions, -1).T
        else:
            every = np.stack(np.unravel_index(self._places, self.shape), axis=1).astype(np.int32)
        every = np.ascontiguousarray(every) - np.int32(self.family.origin)
        every.setflags(write=False)
        return every

    def locate(self, coords: ArrayLike) -> NDArray[np.int32]:
        """The cells at these coordinates, -1 where there is none.

        Args:
            coords: integers, the last axis of length d; off the edge is allowed, and on a surface it
                wraps around.
        """
        self._assert_fits()
        at = np.moveaxis(np.asarray(coords), -1, 0) + self.family.origin
        return self._cells_at(self.family.index(list(at)))

    def reached(
        self, moves: NDArray[np.int32], cells: ArrayLike | None = None
    ) -> Iterator[NDArray[np.int32]]:
        """The cells that each move leads to from some cells, or from all; -1 where it leads nowhere.

        Args:
            moves: (k, d), as `Piece.vectors` gives them.
            cells: cell numbers.
        """
        self._assert_fits()
        coords = self.coords if cells is None else self.coords[np.asarray(cells)]
        return (self._cells_at(places) for places in self.family.reached(coords, moves))

    def _cells_at(self, places: NDArray[Any]) -> NDArray[np.int32]:
        if self._numbers is None:
            return np.asarray(places, dtype=np.int32)
        return np.where(places >= 0, self._numbers[np.maximum(places, 0)], np.int32(-1))

    # ---- names

    def name_at(self, at: tuple[int, ...]) -> str:
        """The name of the place at these array indices, cell or not; boards of any size have it."""
        *levels, row, column = at
        file, rank = self.family.file_and_rank(row, column)
        return f"{''.join(f'{level + 1}:' for level in levels)}{file_name(file, self.family.letters)}{rank}"

    def name(self, cell: int) -> str:
        """The name of a cell: `a8` at the top left of the chessboard.

        Raises:
            CellError: the number is not a cell of this board.
        """
        place = self._place(self._checked(cell))
        return self.name_at(tuple(int(i) for i in np.unravel_index(place, self.shape)))

    @property
    def files(self) -> list[str]:
        """The letters of the files, left to right."""
        return self.family.files

    @cached_property
    def names(self) -> list[str]:
        """The names of all cells, in the order of the cells. Linear time."""
        *outer, m, _ = self.shape
        if self.family.hexagonal:
            return [self.name_at((q, r)) for q, r in (self.coords + self.family.origin).tolist()]
        levels = ["".join(f"{i + 1}:" for i in at) for at in product(*map(range, outer))]
        files = self.files
        every = [f"{level}{file}{m - row}" for level in levels for row in range(m) for file in files]
        return every if self._places is None else [every[i] for i in self._places.tolist()]

    @property
    def nodes(self) -> list[str]:
        """The cells as a caller calls them: their names."""
        return self.names

    def cell(self, name: str) -> int:
        """The cell of this name.

        Raises:
            CellError: no cell of this board has it.
        """
        at = self.place(name)
        self._assert_fits()
        flat = int(np.ravel_multi_index(at, self.shape))
        return flat if self._numbers is None else int(self._numbers[flat])

    def place(self, name: str) -> tuple[int, ...]:
        """The array indices of the cell of this name; boards of any size have them.

        Raises:
            CellError: no cell of this board has it.
        """
        parts = name.strip().lower().split(":")
        square = parts[-1]
        files = self.family.letters
        letters = square.rstrip("0123456789")
        digits = square[len(letters) :]
        # short texts only, so that a name of a megabyte costs nothing
        numbers = [*parts[:-1], digits]
        if (
            len(parts) != self.dimensions - 1
            or not letters
            or len(name) > 80
            or not all(part.isascii() and part.isdigit() for part in numbers)
            or not set(letters) <= set(files)
        ):
            raise CellError(
                f"{name[:40]!r} is not a cell name of {self.title}, expected one like {self._example}"
            )
        inner = self.family.row_and_column(file_index(letters, files), int(digits))
        at = (*(int(level) - 1 for level in parts[:-1]), *inner)
        inside = all(0 <= i < side for i, side in zip(at, self.shape, strict=True))
        if not inside or (self.mask is not None and not self.mask[at]):
            raise CellError(f"{name!r} is not a cell of {self.title}")
        return at

    @property
    def _example(self) -> str:
        first = 0 if self.mask is None else int(np.argmax(self.mask))
        return repr(self.name_at(tuple(int(i) for i in np.unravel_index(first, self.shape))))

    # ---- pictures

    def svg(self, **options: Any) -> str:
        """A picture of the empty board; `draw.svg.svg` and `draw.board.board_picture` have the options."""
        return str(above("svg")(self, **options))

    _repr_html_ = shown
