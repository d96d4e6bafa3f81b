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

from cavalcade.answers.measures import Lines, Magic
from cavalcade.answers.measures.moves import Walk

NAMES = ("rows", "columns", "pillars")


def magic(walk: Walk) -> Magic | None:
    """Classify the numbering; None except for complete tours of boxes without holes."""
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
    right = [not line.wrong for line in lines]
    kind = "magic" if all(right) else "semi-magic" if any(right) else "none"
    if len(set(steps.shape)) == 1:
        lines.append(Lines("diagonals", lines[0].wanted, tuple(_diagonals(steps))))
        if kind == "magic" and not lines[-1].wrong:
            kind = "diagonally magic"
    return Magic(kind, tuple(lines))


def _diagonals(steps: NDArray[np.int64]) -> Iterator[int]:
    """Yield the sums from corner to corner through the centre: two for a square, four for a cube."""
    side = np.arange(len(steps))
    for axes in product((side, side[::-1]), repeat=steps.ndim - 1):
        yield int(steps[(side, *axes)].sum())
