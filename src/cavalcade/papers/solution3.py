"""The Data step of Solution #3, which the 2019 paper does not print, reconstructed from its walks.

The paper prints five walks of this program: two on three boards (Table 10) and three on four (Table 12,
Appendix D). The program below gives all five, number by number, and with them the row of Table 10 that
is printed wrong. So it must make the paper's mistakes:

- A step on board 2 takes one off the squares *one* away on boards 1 and 3, where a knight lands two away.
- On four boards, steps on boards 2 and 3 take nothing off on board 4: that part is as for three boards.
- The level to jump from is set only where a free move on the board was found. Where there is none, the
  knight jumps from the level where it was, and the step need not be a knight's move.

What is taken off (`TAKEN`) is needed entry by entry: let one board take nothing off on another one, or take
it off the squares one instead of two away, and a printed walk is lost. The order in which the jumps are
tried (`JUMPS`) is not: it decides between equals only, and the five walks do not meet enough of them.
`fitting` finds every regular program that gives the walks: 16 on three boards and two on four. `JUMPS` is the
one of these two that fills 38 boards, the number that the paper prints.

The rest is as one would guess: first the moves on the board, step1 and step2 in -2, -1, 1, 2, then the
jumps; the first minimum wins; the start takes nothing off.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import chain, permutations, product
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.ground.errors import BoardError
from cavalcade.ground.kernels import Kernel, Tier
from cavalcade.papers.stacks import ON_BOARD, paper_degrees, straight
from cavalcade.papers.tables import mended, printed
from cavalcade.question.moves import move_graph

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from cavalcade.ground.kernels import Vector
    from cavalcade.papers.stacks import Move
    from cavalcade.question.graph import MoveGraph

    Order = tuple[tuple[Move, ...], ...]

#: The printed walks of the program.
WALKS = {
    3: ("table 10 successful", "table 10 failed"),
    4: ("table 12", "appendix d 1", "appendix d 2"),
}
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
            level = at // 64  # only here: the mistake that makes steps which are not moves
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
def _rows(stack: Board, moves: Order) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Where the moves of each level lead, in compressed rows."""
    levels = [
        stack.locate(stack.coords[64 * k : 64 * k + 64, None] + np.array(of)) for k, of in enumerate(moves)
    ]
    starts = np.zeros(stack.size + 1, dtype=np.int32)
    np.cumsum(np.concatenate([(rows >= 0).sum(axis=1) for rows in levels]), out=starts[1:])
    return starts, np.concatenate([rows[rows >= 0] for rows in levels])


def jumps(boards: int, fit: int | None = None) -> Order:
    """The jumps from each level, in the program's order.

    Args:
        boards: 3 or more. The paper shows the program at work for three and four. For more it is extended:
            the levels between the two lowest and the two highest jump as the third of four, then further up.
        fit: which of the programs that fit the print, from 1; by default ours.

    Raises:
        BoardError: fewer boards, or no such program.
    """
    if boards < 3:
        raise BoardError(f"{boards} boards: the program is for three boards or more")
    known = min(boards, 4)
    own = tuple(looped(level, range(4), range(4)) for level in JUMPS[known])
    if fit is not None:
        if not 1 <= fit <= len(fitting(known)):
            raise BoardError(
                f"{len(fitting(known))} programs fit the print on {known} boards, there is no {fit}"
            )
        own = fitting(known)[fit - 1]
    if boards <= 4:
        return own
    middle = (*own[2], *(move for move in own[1] if move not in own[2]))
    return (*own[:2], *[middle] * (boards - 4), *own[2:])


def first_degrees(boards: int) -> NDArray[np.int64]:
    """The table that the paper starts from: on three boards Table 9, the true one, on more its program's."""
    return paper_degrees(Board.box(boards, 8, 8)).reshape(boards, 8, 8)


def data_step(
    table: NDArray[np.int64], starts: Iterable[int], order: Order | None = None
) -> list[NDArray[np.int32]]:
    """The program's walks from some squares.

    Args:
        table: KNIGHTMOVES, an array of (boards, 8, 8).
        starts: the first squares.
        order: the jumps from each level, instead of `jumps`.

    Raises:
        BoardError: fewer than three boards.
    """
    boards = len(table)
    order = order or jumps(boards)
    starts, stack = list(starts), Board.box(boards, 8, 8)
    losers = tuple(
        ON_BOARD + tuple(chain.from_iterable(straight(*of) for of in TAKEN[min(i, 3)])) for i in range(boards)
    )
    tables = [_rows(stack, moves) for moves in ((ON_BOARD,) * boards, order, losers)]
    tier = Tier(50.0 * table.size * len(starts))
    rows = [tier.vector(part) for pair in tables for part in pair]
    found = []
    for start in starts:
        path = tier.full(table.size)
        path[0] = start
        free = tier.vector(table.ravel().astype(np.int32))
        length = tier(walk_kernel)(*rows, free, path, tier.full(table.size))
        found.append(np.array(path[:length], dtype=np.int32))
    return found


def reconstructed(
    board: Board | MoveGraph, starts: Iterable[int], fit: int | None = None
) -> tuple[Iterator[NDArray[np.int32]], str]:
    """The program's walks on a stack of chessboards, and a sentence on where they come from.

    Args:
        board: 3x8x8 or more levels.
        starts: the first squares.
        fit: as for `jumps`.

    Raises:
        BoardError: another board, or no such program.
    """
    if not board.is_box or board.holes or board.shape[1:] != (8, 8):
        raise BoardError(f"the papers' program for stacks needs flat boards like 3x8x8, not {board.title}")
    boards = board.shape[0]
    more = "" if boards <= 4 else f"; for {boards} boards it is our extension, the paper shows none"
    note = (
        "Solution #3 of Gerlach & Gerlach 2019, a program that the paper does not print: it fits the walks "
        f"of Tables 10 and 12 and Appendix D{more}"
    )
    return iter(data_step(first_degrees(boards), starts, jumps(boards, fit))), note


# ---- which orders of the jumps give the printed walks


def looped(levels: Iterable[int], one: Sequence[int], two: Sequence[int]) -> tuple[Move, ...]:
    """The jumps from a level: to each of the levels in turn, in an order of the four directions.

    Args:
        levels: how many boards up.
        one: the order of the directions for jumps of one board, as numbers into `straight`.
        two: the same for jumps of two boards.
    """
    return tuple(straight(k, 3 - abs(k))[d] for k in levels for d in (one if abs(k) == 1 else two))


def fits(boards: int, order: Order) -> bool:
    """Whether the program with these jumps gives every printed walk, with the corrections, to its end."""
    tables = printed("gerlach2019")
    wanted = [mended(tables[name]) for name in WALKS[boards]]
    starts = [int(np.flatnonzero(steps == 1)[0]) for steps in wanted]
    stack = Board.box(boards, 8, 8)
    return all(
        np.array_equal(Tour(stack, path, closed=False).numbering, steps)
        for path, steps in zip(data_step(first_degrees(boards), starts, order), wanted, strict=True)
    )


@cache
def fitting(boards: int) -> list[Order]:
    """The regular programs that give every printed walk on so many boards; half a second.

    Regular: from each level the other levels come in any order; for jumps of one board, and for jumps of two,
    there is one order of the four directions, the same on every level. An order only decides between equals,
    so the order of the levels and the two orders of the directions can be tried apart, among jumps that fit.
    """
    known, directions = jumps(boards), list(permutations(range(4)))
    plain = directions[0]

    def good(level: int, levels: tuple[int, ...], one: tuple[int, ...], two: tuple[int, ...]) -> bool:
        return fits(boards, (*known[:level], looped(levels, one, two), *known[level + 1 :]))

    own = list(enumerate(JUMPS[boards]))
    levels = [[way for way in permutations(all_) if good(i, way, plain, plain)] for i, all_ in own]
    ones = [way for way in directions if all(good(i, all_, way, plain) for i, all_ in own)]
    twos = [way for way in directions if all(good(i, all_, plain, way) for i, all_ in own)]
    return [
        tuple(looped(of, one, two) for of in chosen)
        for chosen, one, two in product(product(*levels), ones, twos)
    ]


@cache
def filled(boards: int, order: Order) -> tuple[int, int]:
    """From how many squares the program fills the boards, and how many of these walks are tours."""
    full = [walk for walk in program_walks(boards, order) if len(walk) == walk.board.size]
    return len(full), sum(bool(check(walk)) for walk in full)


# ---- its walks


@lru_cache(8)
def program_walks(boards: int, order: Order | None = None) -> tuple[Tour, ...]:
    """The program's walk from every square; `order` as in `data_step`."""
    stack = Board.box(boards, 8, 8)
    paths = data_step(first_degrees(boards), range(stack.size), order)
    return tuple(Tour(stack, path, closed=False) for path in paths)


def stale_moves(steps: NDArray[np.int64]) -> list[tuple[str, str, bool]]:
    """The steps of a printed walk that are not moves, and whether they would be from the level before."""
    board = Board.box(*steps.shape)
    graph = move_graph(board)
    order = np.argsort(steps, axis=None, kind="stable")[np.count_nonzero(steps == 0) :].tolist()
    found = []
    for before, here, there in zip(order, order[1:], order[2:], strict=False):
        if there not in graph.neighbours(here):
            level, (_, row, column) = board.coords[before][0], board.coords[here]
            ghost = int(board.locate(np.array([level, row, column])))
            found.append((board.name(here), board.name(there), there in graph.neighbours(ghost)))
    return found
