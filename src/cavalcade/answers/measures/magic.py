"""Magic tours: the steps of every line of cells add up to the same.

The words are those of the books on tours (H. J. R. Murray; G. P. Jelliss, Knight's Tour Notes): a tour of a
rectangle is *magic* if all rows have the same sum and all columns have the same sum, *semi-magic* if just the
rows or just the columns have, and *diagonally magic* if it is magic and, on a square, both diagonals have
that sum too. What those books call magic is a semi-magic square to those who write of squares, where the
diagonals count, and diagonally magic is a magic square.

In a box of three dimensions there are pillars too, from level to level, and in a cube four diagonals. In more
dimensions lines are named by their axis. The first cell of a closed tour matters.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.measures import Lines, Magic
from cavalcade.answers.measures.moves import Walk

NAMES = ("rows", "columns", "pillars")


def magic(walk: Walk) -> Magic | None:
    """How magic the numbering is; None except for whole tours of boxes without holes."""
    board, tour = walk.board, walk.tour
    if not board.is_box or board.mask is not None or len(tour) != board.size:
        return None
    steps = tour.numbering.astype(np.int64)
    d = steps.ndim
    total = math.comb(board.size + 1, 2)
    names = NAMES[:d] if d <= len(NAMES) else [f"lines along axis {d - i}" for i in range(d)]
    lines = [
        Lines(name, Fraction(total * side, board.size), tuple(steps.sum(axis=axis).ravel().tolist()))
        for name, axis, side in zip(names, reversed(range(d)), reversed(steps.shape), strict=True)
    ]
    right = [not one.wrong for one in lines]
    kind = "magic" if all(right) else "semi-magic" if any(right) else "none"
    if len(set(steps.shape)) == 1:
        lines.append(Lines("diagonals", lines[0].wanted, tuple(_diagonals(steps))))
        if kind == "magic" and not lines[-1].wrong:
            kind = "diagonally magic"
    return Magic(kind, tuple(lines))


def _diagonals(steps: NDArray[np.int64]) -> Iterator[int]:
    """The sums from corner to corner through the centre: two in a square, four in a cube."""
    side = np.arange(len(steps))
    for ways in product((False, True), repeat=steps.ndim - 1):
        yield int(steps[(side, *(side[::-1] if way else side for way in ways))].sum())
