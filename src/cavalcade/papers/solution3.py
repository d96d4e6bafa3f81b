"""The Data step of Solution #3, which the 2019 paper does not print, reconstructed from its tours.

The paper prints five walks of this program: two on three boards (Table 10) and three on four (Table 12,
Appendix D). The program below gives all five, number by number, and with them the row of Table 10 that
is printed wrong; and on four boards it fills the board from 38 squares, as the paper says. So it must
make the paper's mistakes:

- A step on board 2 takes one off the squares *one* away on boards 1 and 3, where a knight lands two away.
- On four boards, steps on boards 2 and 3 take nothing off on board 4: that part is as for three boards.
- The level to jump from is set only where a free move on the board was found. Where there is none, the
  knight jumps from the level where it was, and the step may be no knight's move.

The rest is as one would guess: first the moves on the board, step1 and step2 in -2, -1, 1, 2; then one
board away, two squares; then two boards away, one square; row before column; the first minimum wins; the
start takes nothing off. No printed tour depends on some of these orders. There are hundreds that agree
with all five; they fill four boards from 24 to 45 squares; the most regular, here, from the paper's 38.
"""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.boards import Board
from cavalcade.errors import BoardError
from cavalcade.kernels import Kernel, Tier

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cavalcade.kernels import Vector

    Move = tuple[int, int, int]

STEPS = (-2, -1, 1, 2)
ON_BOARD = tuple((0, a, b) for a in STEPS for b in STEPS if abs(a) != abs(b))
#: How many boards up the jumps from each level go, in the order in which they are tried.
JUMPS: dict[int, tuple[tuple[int, ...], ...]] = {
    3: ((1, 2), (-1, 1), (-1, -2)),
    4: ((1, 2), (-1, 1, 2), (1, -1, -2), (-1, -2)),
}
#: From each level, how many boards up the program takes one off, and how many squares away.
TAKEN: tuple[tuple[tuple[int, int], ...], ...] = (
    ((1, 2), (2, 1)),
    ((-1, 1), (1, 1)),
    ((-1, 2), (-2, 1)),
    ((-1, 2), (-2, 1)),
)


def straight(boards: int, squares: int) -> list[Move]:
    """That many boards up, then so many squares straight on: back and forth, row before column."""
    return [move for step in (-squares, squares) for move in ((boards, step, 0), (boards, 0, step))]


def _walk(
    flat_at: Vector,
    flat: Vector,
    jump_at: Vector,
    jump: Vector,
    taken_at: Vector,
    taken: Vector,
    free: Vector,
    path: Vector,
    seen: Vector,
) -> int:
    """Walk from `path[0]`; the squares go into `path`, the number of them is returned."""
    at = path[0]
    seen[at] = 1
    level = at // 64
    for k in range(1, len(path)):
        best, fewest = -1, 1 << 30
        for e in range(flat_at[at], flat_at[at + 1]):
            v = flat[e]
            if not seen[v] and free[v] < fewest:
                best, fewest = v, free[v]
        if best >= 0:
            level = at // 64  # only here: the mistake that makes steps which are no moves
        place = level * 64 + at % 64
        for e in range(jump_at[place], jump_at[place + 1]):
            v = jump[e]
            if not seen[v] and free[v] < fewest:
                best, fewest = v, free[v]
        if best < 0:
            return k
        at = best
        path[k] = at
        seen[at] = 1
        for e in range(taken_at[at], taken_at[at + 1]):
            free[taken[e]] -= 1
    return len(path)


walk_kernel = Kernel(_walk)


@cache
def _rows(stack: Board, moves: tuple[tuple[Move, ...], ...]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Where the moves of each level lead, in compressed rows."""
    rows = [stack.locate(at + np.array(moves[at[0]])) for at in stack.coords]
    kept = [row[row >= 0] for row in rows]
    starts = np.zeros(stack.size + 1, dtype=np.int32)
    np.cumsum([len(row) for row in kept], out=starts[1:])
    return starts, np.concatenate(kept)


def jumps(boards: int) -> tuple[tuple[Move, ...], ...]:
    """The jumps from each level, in the program's order."""
    return tuple(
        tuple(chain.from_iterable(straight(k, 3 - abs(k)) for k in level)) for level in JUMPS[boards]
    )


def data_step(
    table: NDArray[np.int64], starts: Iterable[int], order: tuple[tuple[Move, ...], ...] | None = None
) -> list[NDArray[np.int32]]:
    """The program's walks from some squares, on three or four boards.

    Args:
        table: KNIGHTMOVES, an array of (boards, 8, 8).
        starts: the first squares.
        order: the jumps from each level, instead of `jumps`.

    Raises:
        BoardError: for another number of boards the paper gives nothing to reconstruct.
    """
    boards = len(table)
    if boards not in JUMPS:
        raise BoardError(f"{boards} boards: the program is known for 3 and 4 only")
    starts, stack = list(starts), Board.box(boards, 8, 8)
    losers = tuple(
        ON_BOARD + tuple(chain.from_iterable(straight(*of) for of in TAKEN[i])) for i in range(boards)
    )
    tables = [_rows(stack, moves) for moves in ((ON_BOARD,) * boards, order or jumps(boards), losers)]
    tier = Tier(50.0 * table.size * len(starts))
    rows = [tier.give(part) for pair in tables for part in pair]
    found = []
    for start in starts:
        path = tier.new(table.size)
        path[0] = start
        free = tier.give(table.ravel().astype(np.int32))
        length = tier(walk_kernel)(*rows, free, path, tier.new(table.size))
        found.append(np.array(path[:length], dtype=np.int32))
    return found
