"""Magic tours: tours whose step numbers have the same sum on all lines of cells.

The terms come from books on tours (H. J. R. Murray; G. P. Jelliss, Knight's Tour Notes). A tour of a
rectangle is *magic* if all rows have the same sum and all columns have the same sum; *semi-magic* if only the
rows or only the columns do; and *diagonally magic* if it is magic and both diagonals of a square have the sum
of the rows. Authors on magic squares call a magic tour a semi-magic square, and a diagonally magic tour a
magic square.

Boxes of three dimensions also have pillars, from level to level, and cubes have four diagonals. In more
dimensions, lines are named by their axis. The first cell of a closed tour matters.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.measures import MagicTable
from cavalcade.answers.measures.moves import WalkArrays
from cavalcade.ground.kernels import Ints, Mask

KINDS = ("none", "semi-magic", "magic", "diagonally magic")
NAMES = ("rows", "columns", "pillars")


def magic(walks: WalkArrays) -> MagicTable | None:
    """Classify the numbering; None except for complete tours of boxes without holes."""
    board, tours = walks.board, walks.tours
    if not board.is_box or board.mask is not None or tours.cells.shape[1] != board.size:
        return None
    steps = tours.steps.reshape(-1, *board.shape)
    d, total = len(board.shape), math.comb(board.size + 1, 2)
    names = list(NAMES[:d]) if d <= len(NAMES) else [f"lines along axis {d - i}" for i in range(d)]
    magic_sums = [Fraction(total * side, board.size) for side in reversed(board.shape)]
    sums = [steps.sum(axis=d - i, dtype=np.int64).reshape(len(tours), -1) for i in range(d)]
    right = [_all_equal(values, sum_) for values, sum_ in zip(sums, magic_sums, strict=True)]
    level = np.any(right, axis=0) + np.all(right, axis=0).astype(np.int64)
    if len(set(board.shape)) == 1:
        names.append("diagonals")
        magic_sums.append(magic_sums[0])
        sums.append(np.stack(list(_diagonals(steps)), axis=1))
        level += (level == 2) & _all_equal(sums[-1], magic_sums[0])
    return MagicTable(np.array(KINDS, dtype=object)[level], tuple(names), tuple(magic_sums), tuple(sums))


def _all_equal(sums: Ints, magic_sum: Fraction) -> Mask:
    """Whether all sums in each row have a given value, which may be no integer."""
    return np.asarray((sums * magic_sum.denominator == magic_sum.numerator).all(axis=1))


def _diagonals(steps: NDArray[np.int32]) -> Iterator[Ints]:
    """Yield the sums from corner to corner through the centre: two for a square, four for a cube."""
    side = np.arange(steps.shape[1])
    for axes in product((side, side[::-1]), repeat=steps.ndim - 2):
        yield np.moveaxis(steps, 0, -1)[(side, *axes)].sum(axis=0, dtype=np.int64)
