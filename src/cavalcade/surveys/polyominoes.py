"""Polyominoes: connected sets of squares, one of each class under the symmetries of the square (free ones).

Those of n cells are those of n - 1 with one more cell, each translated to the corner and replaced by the
smallest of its eight images under rotation and reflection.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.ground.budget import assert_room, assert_time

# free polyominoes of 0, 1, 2, … cells, OEIS A000105
FREE = (
    1, 1, 1, 2, 5, 12, 35, 108, 369, 1285, 4655, 17073, 63600, 238591, 901971, 3426576, 13079255, 50107909,
)  # fmt: skip
SIDE = 32  # a cell is the number SIDE * row + column
BYTES = 40  # of memory per cell, at the peak
BLOCK = 20_000  # polyominoes that are extended together


def polyominoes(cells: int) -> Iterator[str]:
    """The specs of all free polyominoes of so many cells, always in the same order.

    Time: 14 cells, 901,971 polyominoes, take a minute and 500 MB; each more takes four times as much.
    """
    for form in forms(cells):
        rows, columns = np.divmod(form, SIDE)
        mask = np.zeros((int(rows.max()) + 1, int(columns.max()) + 1), dtype=np.bool_)
        mask[rows, columns] = True
        yield Board("box", mask.shape, None if mask.all() else mask).spec


def forms(cells: int) -> NDArray[np.int16]:
    """All free polyominoes of so many cells, (number, cells), each the smallest of its images."""
    assert_room(BYTES * cells * FREE[cells], f"all polyominoes of {cells} cells")
    found = np.zeros((1, 1), dtype=np.int16)
    for _ in range(cells - 1):
        assert_time(f"not all polyominoes of {cells} cells were made")
        blocks = [_unique(_grown(found[i : i + BLOCK])) for i in range(0, len(found), BLOCK)]
        found = _unique(np.concatenate(blocks))
    return found


def _grown(found: NDArray[np.int16]) -> NDArray[np.int16]:
    """Every polyomino with one more cell, as the smallest of its images."""
    rows, columns = (part + 1 for part in np.divmod(found, SIDE))  # room for a cell above and to the left
    old = SIDE * rows + columns
    near = (old[:, :, None] + np.array([1, -1, SIDE, -SIDE], dtype=np.int16)).reshape(len(found), -1)
    new = ~(near[:, :, None] == old[:, None, :]).any(axis=2)
    which = np.flatnonzero(new) // near.shape[1]
    return _smallest(np.concatenate([old[which], near[new][:, None]], axis=1))


def _smallest(sets: NDArray[np.int16]) -> NDArray[np.int16]:
    """The smallest of the eight images of each set, at the corner, its cells in ascending order."""
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
    """Which rows of a come before those of b."""
    differs = a != b
    at = differs.argmax(axis=1)
    each = np.arange(len(a))
    return np.asarray(a[each, at] < b[each, at])


def _unique(sets: NDArray[np.int16]) -> NDArray[np.int16]:
    """The same without repetitions, in order."""
    raw = np.ascontiguousarray(sets.astype(">i2"))  # in this order of bytes they sort as numbers
    keys = np.unique(raw.view(np.dtype((np.void, raw.shape[1] * 2))).ravel())
    return keys.view(">i2").reshape(len(keys), sets.shape[1]).astype(np.int16)
