"""Boards: finite sets of cells, their names, and where they lie.

m is a number of rows, n a number of columns, d a number of dimensions. A *cell* is an int from 0 to
size - 1; *coordinates* are zero-based integers, one per dimension: level, row from the top, column;
on a hexagon axial (q, r). Names are for people: `a8`, `2:h6`.

Every board is an array of places, some of which may be holes, with a rule for what lies beyond the
edge. That is all the move graph needs to know of it, and `Board.locate` is where it asks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.errors import BoardError, CellError, TooLargeError
from cavalcade.memory import assert_room

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

FILES = "abcdefghijklmnopqrstuvwxyz"
HEX_FILES = FILES.replace("j", "")  # Gliński's board has no file j; ours of every side follow it
SURFACES = ("cylinder", "torus", "mobius", "klein")
KINDS = ("box", "hex", *SURFACES)
MOST_CELLS = 2**31 - 1  # cells are 32-bit integers


@dataclass(frozen=True, eq=False, repr=False)
class Board:
    """A board: `kind`, the sides of the array that holds its cells, and which places are cells.

    Args:
        kind: `box` (any number of dimensions, two or more), `hex` (Gliński's hexagon), or one of the
            surfaces `cylinder` (columns wrap), `torus` (both wrap), `mobius` (columns wrap with a flip
            of the rows), `klein` (rows wrap, columns wrap with a flip).
        shape: the sides, outermost first; a hexagon of side n has (2n-1, 2n-1).
        mask: a bool array of that shape, True where there is a cell; None for the whole shape.

    Raises:
        BoardError: an unknown kind, sides that make no board, a mask of another shape or without a cell.

    Cells are numbered in row-major order of the array, holes skipped. Boards are immutable, equal when
    they have the same cells in the same places, and hashable.
    """

    kind: str
    shape: tuple[int, ...]
    mask: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise BoardError(f"unknown kind of board {self.kind!r}, expected one of {', '.join(KINDS)}")
        if len(self.shape) < 2 or min(self.shape) < 1:
            raise BoardError(f"sides {self.shape} make no board, expected two or more, each at least 1")
        if self.kind != "box" and len(self.shape) != 2:
            raise BoardError(f"a {self.kind} has two sides, not {len(self.shape)}: {self.shape}")
        if self.kind == "hex" and (self.shape[0] != self.shape[1] or self.shape[0] % 2 == 0):
            raise BoardError(f"a hexagon of side n lies in an array of (2n-1, 2n-1), not {self.shape}")
        whole = _hexagon_mask(self.shape[0]) if self.kind == "hex" else None
        mask = whole
        if self.mask is not None:
            mask = np.array(self.mask, dtype=np.bool_)
            if mask.shape != self.shape:
                raise BoardError(f"a mask of shape {mask.shape} does not fit a board of shape {self.shape}")
            if whole is not None and bool((mask & ~whole).any()):
                raise BoardError("the mask has cells outside the hexagon")
            if not mask.any():
                raise BoardError("a board needs at least one cell, and this one has none")
            if whole is None and mask.all():
                mask = None
        if mask is not None:
            mask.setflags(write=False)
        object.__setattr__(self, "mask", mask)

    @classmethod
    def box(cls, *sides: int) -> Board:
        """A box: `box(8, 8)` is the chessboard, `box(4, 8, 8)` a stack of four."""
        return cls("box", tuple(sides))

    @classmethod
    def hexagon(cls, side: int) -> Board:
        """Gliński's hexagon with `side` cells to a side: 3 side (side - 1) + 1 cells."""
        if side < 1:
            raise BoardError(f"a hexagon of side {side} has no cell, expected a side of at least 1")
        return cls("hex", (2 * side - 1, 2 * side - 1))

    @classmethod
    def surface(cls, kind: str, rows: int, columns: int) -> Board:
        """A `cylinder`, `torus`, `mobius` strip or `klein` bottle of the given size."""
        if kind not in SURFACES:
            raise BoardError(f"unknown surface {kind!r}, expected one of {', '.join(SURFACES)}")
        return cls(kind, (rows, columns))

    def without(self, cells: Iterable[int | str]) -> Board:
        """The board with these cells (numbers or names) taken out.

        Raises:
            CellError: one of them is no cell of this board.
            BoardError: none would be left.
        """
        self._assert_fits()
        gone = [self.cell(c) if isinstance(c, str) else self._checked(c) for c in cells]
        mask = np.ones(self.shape, dtype=np.bool_) if self.mask is None else self.mask.copy()
        mask.flat[np.array([self._place(c) for c in gone], dtype=np.int64)] = False
        return Board(self.kind, self.shape, mask)

    # ---- size and identity

    @property
    def dimensions(self) -> int:
        """How many coordinates a cell has."""
        return len(self.shape)

    @property
    def side(self) -> int:
        """Cells to a side of a hexagon."""
        return (self.shape[0] + 1) // 2

    @cached_property
    def size(self) -> int:
        """How many cells there are."""
        return math.prod(self.shape) if self.mask is None else int(np.count_nonzero(self.mask))

    def __len__(self) -> int:
        return self.size

    @cached_property
    def _key(self) -> tuple[Any, ...]:
        return self.kind, self.shape, None if self.mask is None else self.mask.tobytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"<Board {self.title}, {self.size:,} cells>"

    @property
    def whole(self) -> Board:
        """The same board with its holes filled."""
        return Board(self.kind, self.shape)

    @cached_property
    def holes(self) -> tuple[str, ...]:
        """The names of the cells that the whole shape has and this board has not."""
        if self.mask is None or self.size == len(whole := self.whole):
            return ()
        missing = ~self.mask if whole.mask is None else whole.mask & ~self.mask
        return tuple(self.name_at(tuple(at)) for at in np.argwhere(missing).tolist())

    @property
    def _shape_text(self) -> str:
        if self.kind == "hex":
            return f"hex:{self.side}"
        sides = "x".join(map(str, self.shape))
        return sides if self.kind == "box" else f"{self.kind}:{sides}"

    @property
    def spec(self) -> str:
        """The board as text that `parse_board` reads back: `4x8x8`, `hex:6`, `8x8-a1,b1`."""
        return self._shape_text + ("-" + ",".join(self.holes) if self.holes else "")

    @property
    def title(self) -> str:
        """As `spec`, but many holes are counted instead of named."""
        return self.spec if len(self.holes) <= 8 else f"{self._shape_text} without {len(self.holes):,} cells"

    # ---- cells and coordinates

    def _assert_fits(self) -> None:
        if math.prod(self.shape) > MOST_CELLS:
            raise TooLargeError(f"{self._shape_text} has more than {MOST_CELLS:,} cells: too many to number")

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

    @property
    def _origin(self) -> int:
        """What is added to coordinates to index the array: a hexagon's centre is (0, 0)."""
        return self.side - 1 if self.kind == "hex" else 0

    def _checked(self, cell: int) -> int:
        if not 0 <= cell < self.size:
            raise CellError(f"{cell} is no cell of {self.title}, expected 0 to {self.size - 1}")
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
        every = np.ascontiguousarray(every) - np.int32(self._origin)
        every.setflags(write=False)
        return every

    def locate(self, coords: ArrayLike) -> NDArray[np.int32]:
        """The cells at these coordinates, -1 where there is none.

        Args:
            coords: integers, the last axis of length d; off the edge is allowed, and on a surface it
                wraps around.
        """
        self._assert_fits()
        at = [np.asarray(axis) for axis in np.moveaxis(np.asarray(coords), -1, 0)]
        if self._origin:
            at = [axis + self._origin for axis in at]
        if self.kind in SURFACES:
            (rows, columns), (m, n) = at, self.shape
            if self.kind in {"torus", "klein"}:
                rows = rows % m
            if self.kind in {"mobius", "klein"}:
                rows = np.where((columns // n) % 2 == 1, m - 1 - rows, rows)
            at = [rows, columns % n]
        inside = np.ones(at[0].shape, dtype=np.bool_)
        flat = np.zeros(at[0].shape, dtype=np.int32)
        for axis, side in zip(at, self.shape, strict=True):
            inside &= (axis >= 0) & (axis < side)
            flat = flat * np.int32(side) + axis.astype(np.int32, copy=False)
        if self._numbers is None:
            return np.where(inside, flat, np.int32(-1))
        return np.where(inside, self._numbers[np.where(inside, flat, 0)], np.int32(-1))

    # ---- names

    def name_at(self, at: tuple[int, ...]) -> str:
        """The name of the place at these array indices, cell or not; boards of any size have it."""
        *levels, row, column = at
        if self.kind == "hex":  # file = q; rank = cells from the bottom of the file
            q, r = row - self._origin, column - self._origin
            return f"{_file(row, HEX_FILES)}{min(self._origin, self._origin - q) - r + 1}"
        prefix = "".join(f"{level + 1}:" for level in levels)
        return f"{prefix}{_file(column, FILES)}{self.shape[-2] - row}"

    def name(self, cell: int) -> str:
        """The name of a cell: `a8` at the top left of the chessboard.

        Raises:
            CellError: the number is no cell of this board.
        """
        place = self._place(self._checked(cell))
        return self.name_at(tuple(int(i) for i in np.unravel_index(place, self.shape)))

    @property
    def files(self) -> list[str]:
        """The letters of the files, left to right."""
        if self.kind == "hex":
            return [_file(i, HEX_FILES) for i in range(self.shape[0])]
        return [_file(i, FILES) for i in range(self.shape[-1])]

    @cached_property
    def names(self) -> list[str]:
        """The names of all cells, in the order of the cells. Linear time."""
        if self.kind == "hex":
            return [self.name_at((q, r)) for q, r in (self.coords + self._origin).tolist()]
        ranks = [str(self.shape[-2] - row) for row in range(self.shape[-2])]
        levels = ["".join(f"{i + 1}:" for i in at) for at in product(*map(range, self.shape[:-2]))]
        files = self.files
        every = [level + file + rank for level in levels for rank in ranks for file in files]
        return every if self._places is None else [every[i] for i in self._places.tolist()]

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
        files = HEX_FILES if self.kind == "hex" else FILES
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
                f"{name[:40]!r} is no cell name of {self.title}, expected one like {self._example}"
            )
        column, rank = _file_index(letters, files), int(digits)
        at: tuple[int, ...]
        if self.kind == "hex":
            q = column - self._origin
            at = (column, min(self._origin, self._origin - q) + 1 - rank + self._origin)
        else:
            at = (*(int(level) - 1 for level in parts[:-1]), self.shape[-2] - rank, column)
        inside = all(0 <= i < side for i, side in zip(at, self.shape, strict=True))
        if not inside or (self.mask is not None and not self.mask[at]):
            raise CellError(f"{name!r} is no cell of {self.title}")
        return at

    @property
    def _example(self) -> str:
        first = 0 if self.mask is None else int(np.argmax(self.mask))
        return repr(self.name_at(tuple(int(i) for i in np.unravel_index(first, self.shape))))

    # ---- pictures

    def svg(self, **options: Any) -> str:  # noqa: ANN401 - draw.svg documents and checks them
        """A picture of the empty board; the options are those of `cavalcade.draw.svg.board_svg`."""
        from cavalcade.draw.svg import board_svg

        return board_svg(self, **options)

    def _repr_svg_(self) -> str:
        return self.svg()


def _hexagon_mask(width: int) -> NDArray[np.bool_]:
    """Where |q + r| <= side - 1 in the array of a hexagon."""
    side = (width + 1) // 2
    if width * width > MOST_CELLS:
        raise TooLargeError(f"a hexagon of side {side:,} has too many cells to number")
    assert_room(2 * width * width, f"a hexagon of side {side:,}")
    mask = np.zeros((width, width), dtype=np.bool_)
    for i, row in enumerate(mask):
        row[max(0, side - 1 - i) : min(width, width + side - 1 - i)] = True
    return mask


def _file(index: int, alphabet: str) -> str:
    """File letters: a … z, aa, ab, … (numbers in base 26 without a zero)."""
    letters = ""
    index += 1
    while index:
        index, last = divmod(index - 1, len(alphabet))
        letters = alphabet[last] + letters
    return letters


def _file_index(letters: str, alphabet: str) -> int:
    index = 0
    for letter in letters:
        index = index * len(alphabet) + alphabet.index(letter) + 1
    return index - 1
