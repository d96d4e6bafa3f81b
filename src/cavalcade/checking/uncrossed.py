"""The checker of walks that do not cross themselves: it compares every pair of moves, with integers."""

from __future__ import annotations

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.checking.events import side
from cavalcade.checking.geometry import Ints, is_flat, is_move, places_of
from cavalcade.checking.tours import Checked, wrong
from cavalcade.ground.errors import BoardError
from cavalcade.ground.kernels import Mask


def check_uncrossed(walk: Tour) -> Checked:
    """Check that a walk visits no cell twice, makes only moves, and that no two moves meet between cells.

    It need not visit every cell. Two moves may share a cell at their ends, and no other point.

    Args:
        walk: the cells of the walk, closed or open.

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
    places = places_of(board)
    a, b = places[starts], places[ends]
    for i in range(len(starts) - 1):
        meeting = np.flatnonzero(_meet(a[i], b[i], a[i + 1 :], b[i + 1 :]))
        if meeting.size:
            j = i + 1 + int(meeting[0])
            moves = (f"{board.name(int(starts[k]))}-{board.name(int(ends[k]))}" for k in (i, j))
            return wrong(f"{' and '.join(moves)} cross", j + 2)
    number = f"{len(starts):,} move{'s' * (len(starts) != 1)}, and no two of them cross"
    return Checked(ok=True, message=f"{walk.title(board.title)}: {number}")


def _meet(a: Ints, b: Ints, c: Ints, d: Ints) -> Mask:
    """Whether the segment from a to b meets each segment from c to d, except in an end that they share.

    Two segments meet if neither has both ends strictly on one side of the other, unless they lie apart on one
    line.
    """
    opposite = (side(a, b, c) * side(a, b, d) <= 0) & (side(c, d, a) * side(c, d, b) <= 0)
    apart = np.zeros(len(c), dtype=np.bool_)
    for axis in (0, 1):
        low, high = np.minimum(c[:, axis], d[:, axis]), np.maximum(c[:, axis], d[:, axis])
        apart |= (low > max(a[axis], b[axis])) | (high < min(a[axis], b[axis]))
    # Segments that share an end meet elsewhere only if they lead from it in the same direction.
    touch = np.zeros(len(c), dtype=np.bool_)
    for end, far in ((a, b), (b, a)):
        for tail, head in ((c, d), (d, c)):
            same_way = (side(end, far, head) == 0) & ((head - end) @ (far - end) > 0)
            touch |= (tail == end).all(axis=1) & ~same_way
    return np.asarray(opposite & ~apart & ~touch)
