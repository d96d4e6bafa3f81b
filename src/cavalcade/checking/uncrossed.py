"""The checker of walks that do not cross themselves: every pair of moves is looked at, with integers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour
from cavalcade.checking.geometry import is_flat, is_move
from cavalcade.checking.tours import Checked, wrong
from cavalcade.ground.errors import BoardError

Points = NDArray[np.int64]


def check_uncrossed(walk: Tour) -> Checked:
    """Check that a walk visits no cell twice, makes moves only, and that no two of them meet between cells.

    It need not visit every cell. Two moves may share a cell at their ends, and nothing else.

    Args:
        walk: the cells, closed or open.

    Raises:
        BoardError: the board is no rectangle or hexagon in the plane.

    Time and memory: quadratic in the moves.

    Examples:
        >>> bool(check_uncrossed(uncrossed("6x6").walk))
        True
    """
    board, cells = walk.board, walk.cells
    if board.plain or board.dimensions != 2 or not is_flat(board):
        raise BoardError(f"{board.title} is not a board in the plane")
    if len(set(cells.tolist())) < len(cells):
        return wrong("it visits a cell twice")
    if walk.closed and 0 < len(cells) < 3:
        return wrong("it is not closed: two cells make no cycle")
    ends = np.append(cells[1:], cells[:1]) if walk.closed else cells[1:]
    starts = cells[: len(ends)]
    if not is_move(board, walk.piece, starts, ends).all():
        return wrong("a step is not a move")
    at = np.argwhere(np.ones(board.shape, dtype=np.bool_) if board.mask is None else board.mask)
    a, b = at[starts], at[ends]
    for i in range(len(starts) - 1):
        met = np.flatnonzero(_meet(a[i], b[i], a[i + 1 :], b[i + 1 :]))
        if met.size:
            j = i + 1 + int(met[0])
            one, other = (f"{board.name(int(starts[k]))}-{board.name(int(ends[k]))}" for k in (i, j))
            return wrong(f"{one} and {other} cross", j + 2)
    moves = f"{len(starts):,} move{'s' * (len(starts) != 1)}, and no two of them cross"
    return Checked(ok=True, message=f"{walk.title(board.title)}: {moves}")


def _side(p: Points, q: Points, r: Points) -> Points:
    """On which side of the lines from p to q the points r lie: 1, -1, or 0 on the line."""
    (x, y), (u, v) = (q - p).T, (r - p).T
    return np.asarray(np.sign(x * v - y * u))


def _meet(a: Points, b: Points, c: Points, d: Points) -> NDArray[np.bool_]:
    """Whether the segment from a to b meets those from c to d, but for an end that they share.

    They meet if the ends of each are not on one side of the other, and they are not on one line apart.
    """
    opposite = (_side(a, b, c) * _side(a, b, d) <= 0) & (_side(c, d, a) * _side(c, d, b) <= 0)
    apart = np.zeros(len(c), dtype=np.bool_)
    for axis in (0, 1):
        low, high = np.minimum(c[:, axis], d[:, axis]), np.maximum(c[:, axis], d[:, axis])
        apart |= (low > max(a[axis], b[axis])) | (high < min(a[axis], b[axis]))
    touch = np.zeros(len(c), dtype=np.bool_)  # they share an end, and do not lead the same way from it
    for end, far in ((a, b), (b, a)):
        for other, beyond in ((c, d), (d, c)):
            one_way = (_side(end[None], far[None], beyond) == 0) & ((beyond - end) @ (far - end) > 0)
            touch |= (other == end).all(axis=1) & ~one_way
    return np.asarray(opposite & ~apart & ~touch)
