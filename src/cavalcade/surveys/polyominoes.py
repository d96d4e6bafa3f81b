"""Free polyominoes: connected sets of squares up to rotation and reflection.

Polyominoes of n cells are made from the polyominoes of n - 1 cells by adding a cell. Each is translated to
the corner and replaced by the smallest of its eight images under rotation and reflection; then duplicates are
removed.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.ground.budget import assert_room, assert_time

# number of free polyominoes of 0, 1, 2, … cells, OEIS A000105
FREE = (
    1, 1, 1, 2, 5, 12, 35, 108, 369, 1285, 4655, 17073, 63600, 238591, 901971, 3426576, 13079255, 50107909,
)  # fmt: skip
SIDE = 2 * len(FREE)  # a cell is encoded as SIDE * row + column; wide enough for a margin
BLOCK = 20_000  # polyominoes, or sets of cells, that are processed together: bounds the temporary arrays


def polyominoes(cells: int) -> Iterator[str]:
    """Yield the specs of all free polyominoes with a number of cells, in a fixed order.

    Time: 14 cells, 901,971 polyominoes, take a minute and 500 MB; each further cell multiplies both by 4.
    """
    for form in forms(cells):
        rows, columns = np.divmod(form, SIDE)
        mask = np.zeros((int(rows.max()) + 1, int(columns.max()) + 1), dtype=np.bool_)
        mask[rows, columns] = True
        yield Board("box", mask.shape, None if mask.all() else mask).spec


def forms(cells: int) -> NDArray[np.int16]:
    """Return all free polyominoes with a number of cells, each the smallest of its images.

    Returns:
        Encoded cells, shape (polyominoes, cells).
    """
    bytes_per_cell = 40  # at the peak
    assert_room(bytes_per_cell * cells * FREE[cells], f"all polyominoes of {cells} cells")
    smaller = np.zeros((1, 1), dtype=np.int16)
    for _ in range(cells - 1):
        assert_time(f"not all polyominoes of {cells} cells were made")
        blocks = [_unique(_grown(smaller[i : i + BLOCK])) for i in range(0, len(smaller), BLOCK)]
        smaller = _unique(np.concatenate(blocks))
    return smaller


def _grown(smaller: NDArray[np.int16]) -> NDArray[np.int16]:
    """Extend each polyomino by each adjacent cell; return the smallest images, with duplicates."""
    rows, columns = (part + 1 for part in np.divmod(smaller, SIDE))  # leave a margin above and to the left
    cells = SIDE * rows + columns
    adjacent = (cells[:, :, None] + np.array([1, -1, SIDE, -SIDE], dtype=np.int16)).reshape(len(cells), -1)
    free = ~(adjacent[:, :, None] == cells[:, None, :]).any(axis=2)
    extended = np.flatnonzero(free) // adjacent.shape[1]
    return _smallest(np.concatenate([cells[extended], adjacent[free][:, None]], axis=1))


def _smallest(sets: NDArray[np.int16]) -> NDArray[np.int16]:
    """Return the smallest of the eight images of each set, at the corner, with sorted cells."""
    rows, columns = np.divmod(sets, SIDE)
    best: NDArray[np.int16] | None = None
    for turned, down, right in product((False, True), repeat=3):
        a, b = (columns, rows) if turned else (rows, columns)
        a, b = (-a if down else a), (-b if right else b)
        a, b = a - a.min(axis=1, keepdims=True), b - b.min(axis=1, keepdims=True)
        image = np.sort(SIDE * a + b, axis=1).astype(np.int16)
        best = image if best is None else np.where(_before(image, best)[:, None], image, best)
    assert best is not None  # noqa: S101 - for the type checker
    return best


def _before(a: NDArray[np.int16], b: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Compare the rows of two arrays lexicographically: True where the row of a is smaller."""
    first_difference = (a != b).argmax(axis=1)
    rows = np.arange(len(a))
    return np.asarray(a[rows, first_difference] < b[rows, first_difference])


def _unique(sets: NDArray[np.int16]) -> NDArray[np.int16]:
    """Sort the rows and remove duplicates."""
    raw = np.ascontiguousarray(sets.astype(">i2"))  # big-endian bytes sort like numbers
    keys = np.unique(raw.view(np.dtype((np.void, raw.shape[1] * 2))).ravel())
    return keys.view(">i2").reshape(len(keys), sets.shape[1]).astype(np.int16)
