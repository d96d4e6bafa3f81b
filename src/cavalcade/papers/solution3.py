"""The Data step of Solution #3, which the 2019 paper does not print, reconstructed from its walks.

The paper prints five walks of this program, two on three boards and three on four. The program below gives
all five, number by number, and must make three mistakes to do so: docs/solution3.md has the evidence.

`TAKEN` is needed entry by entry, as any of the walks shows. `JUMPS`, the order in which the jumps are tried,
is not: `fitting` finds every regular program that gives the walks, 16 on three boards and two on four. Ours
is the one of these two that fills 38 boards, the number that the paper prints.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import chain, permutations, product, zip_longest
from math import factorial, prod
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.ground.errors import BoardError
from cavalcade.ground.kernels import Tier
from cavalcade.papers.stacks import ON_BOARD, paper_degrees, straight
from cavalcade.papers.tables import in_order, printed
from cavalcade.papers.tables import mended as corrected
from cavalcade.question.moves import move_graph

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from cavalcade.ground.kernels import Vector
    from cavalcade.papers.stacks import Move
    from cavalcade.question.graph import MoveGraph

    Order = tuple[tuple[Move, ...], ...]
    Taken = tuple[tuple[tuple[int, int], ...], ...]

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
TAKEN: Taken = (
    ((1, 2), (2, 1)),
    ((-1, 1), (1, 1)),
    ((-1, 2), (-2, 1)),
    ((-1, 2), (-2, 1)),
)
#: The same for a knight: from every level one off wherever it lands.
EVERY = ((-1, 2), (1, 2), (-2, 1), (2, 1))
#: The program without its mistakes, one by one and all: what is taken off, whether the level may be stale.
MENDED: dict[str, tuple[Taken, bool]] = {
    "none": (TAKEN, True),
    "the stale level": (TAKEN, False),
    "one away for two": ((TAKEN[0], ((-1, 2), (1, 2)), *TAKEN[2:]), True),
    "nothing on board 4": ((TAKEN[0], (*TAKEN[1], (2, 1)), EVERY, EVERY), True),
    "all three": ((EVERY,) * 4, False),
}


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
    squares: int,
    stale: int,
) -> int:
    """Walk from `path[0]`, on boards of so many squares; the cells go into `path`. Returns their number."""
    at = path[0]
    seen[at] = 1
    level = at // squares
    for k in range(1, len(path)):
        best, fewest = -1, 1 << 30
        for e in range(flat_at[at], flat_at[at + 1]):
            v = flat[e]
            if not seen[v] and free[v] < fewest:
                best, fewest = v, free[v]
        if best >= 0 or not stale:
            level = at // squares  # stale: where no move was found, it is the level before
        place = level * squares + at % squares
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


@cache
def _rows(stack: Board, moves: Order) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Where the moves of each level lead, in compressed rows."""
    levels = [
        stack.locate(stack.coords[stack.coords[:, 0] == k, None] + np.array(of)) for k, of in enumerate(moves)
    ]
    starts = np.zeros(stack.size + 1, dtype=np.int32)
    np.cumsum(np.concatenate([(rows >= 0).sum(axis=1) for rows in levels]), out=starts[1:])
    return starts, np.concatenate([rows[rows >= 0] for rows in levels])


def jumps(boards: int, fit: int | None = None) -> Order:
    """The jumps from each level, in the program's order: ours, or the fit-th of those that fit the print.

    The paper shows the program at work on three and four boards. For more it is extended: the levels between
    the two lowest and the two highest jump as the third of four, then further up.

    Raises:
        BoardError: fewer than three boards, or no such program.
    """
    if boards < 3:
        raise BoardError(f"{boards} boards: the program is for three boards or more")
    known = min(boards, 4)
    if fit is None:
        own = tuple(looped(level, range(4), range(4)) for level in JUMPS[known])
    else:
        every = fitting(known)
        if not 1 <= fit <= len(every):
            raise BoardError(f"{len(every)} programs fit the print on {known} boards, there is no {fit}")
        own = every[fit - 1]
    if boards <= 4:
        return own
    middle = (*own[2], *(move for move in own[1] if move not in own[2]))
    return (*own[:2], *[middle] * (boards - 4), *own[2:])


def data_step(
    table: NDArray[np.int64],
    starts: Iterable[int],
    order: Order | None = None,
    *,
    mended: str = "none",
) -> list[NDArray[np.int32]]:
    """The program's walks from some squares.

    Args:
        table: KNIGHTMOVES, in the shape of the boards.
        starts: the first squares.
        order: the jumps from each level, instead of `jumps`.
        mended: which of its mistakes it does not make, one of `MENDED`.
    """
    boards, rows, columns = table.shape
    order = order or jumps(boards)
    starts, stack = list(starts), Board.box(boards, rows, columns)
    taken, stale = MENDED[mended]
    losers = tuple(
        ON_BOARD + tuple(chain.from_iterable(straight(*of) for of in taken[min(i, 3)])) for i in range(boards)
    )
    tables = [_rows(stack, moves) for moves in ((ON_BOARD,) * boards, order, losers)]
    tier = Tier(50.0 * table.size * len(starts))
    vectors = [tier.vector(part) for pair in tables for part in pair]
    found = []
    for start in starts:
        path = tier.full(table.size)
        path[0] = start
        free = tier.vector(table.ravel().astype(np.int32))
        seen = tier.full(table.size)
        length = tier(_walk)(*vectors, free, path, seen, rows * columns, int(stale))
        found.append(np.array(path[:length], dtype=np.int32))
    return found


def reconstructed(
    board: Board | MoveGraph, starts: Iterable[int], fit: int | None = None
) -> tuple[Iterator[NDArray[np.int32]], str]:
    """The program's walks on a box such as 3x8x8, and where they come from; `fit` as in `jumps`."""
    boards, *size = board.shape
    note = (
        "Solution #3 of Gerlach & Gerlach 2019, a program that the paper does not print: it fits the walks "
        "of Tables 10 and 12 and Appendix D"
    )
    if boards > 4 or size != [8, 8]:
        flat = "x".join(map(str, size))
        note += f"; for {boards} boards of {flat} it is our extension, the paper shows none"
    return iter(data_step(paper_degrees(board), starts, jumps(boards, fit))), note


# ---- which orders of the jumps give the printed walks


def looped(levels: Iterable[int], one: Sequence[int], two: Sequence[int]) -> tuple[Move, ...]:
    """The jumps from a level: so many boards up in turn, by orders of `straight` for one board and two."""
    return tuple(straight(k, 3 - abs(k))[d] for k in levels for d in (one if abs(k) == 1 else two))


@cache
def wanted_path(name: str) -> NDArray[np.int64]:
    """The cells of a printed walk in their order, with the corrections."""
    return in_order(corrected(printed("gerlach2019")[name]))


def boards_of(name: str) -> int:
    """On how many boards a printed walk is."""
    return next(boards for boards, names in WALKS.items() if name in names)


def apart(name: str, mended: str = "none", order: Order | None = None) -> int:
    """The first step at which the program leaves a printed walk; 0 if it gives the whole walk."""
    wanted = wanted_path(name)
    table = paper_degrees(Board.box(boards_of(name), 8, 8))
    (path,) = data_step(table, [int(wanted[0])], order, mended=mended)
    steps = enumerate(zip_longest(path.tolist(), wanted.tolist()), 1)
    return next((k for k, (ours, printed_) in steps if ours != printed_), 0)


def fits(boards: int, order: Order, walks: Collection[str] = ()) -> bool:
    """Whether the program with these jumps gives every printed walk, or these, to its end."""
    return not any(apart(name, order=order) for name in walks or WALKS[boards])


def regular(boards: int) -> int:
    """How many regular programs there are."""
    return prod(factorial(len(levels)) for levels in JUMPS[boards]) * factorial(4) ** 2


@cache
def fitting(boards: int, walks: tuple[str, ...] = ()) -> list[Order]:
    """The regular programs that give every printed walk on so many boards, or these; half a second.

    Regular: from each level the other levels come in any order; for jumps of one board, and for jumps of two,
    there is one order of the four directions, the same on every level. An order only decides between equals,
    so the order of the levels and the two orders of the directions can be tried apart, among jumps that fit.
    """
    known, directions = jumps(boards), list(permutations(range(4)))
    plain = directions[0]

    def good(level: int, levels: tuple[int, ...], one: tuple[int, ...], two: tuple[int, ...]) -> bool:
        return fits(boards, (*known[:level], looped(levels, one, two), *known[level + 1 :]), walks)

    own = list(enumerate(JUMPS[boards]))
    levels = [[way for way in permutations(all_) if good(i, way, plain, plain)] for i, all_ in own]
    ones = [way for way in directions if all(good(i, all_, way, plain) for i, all_ in own)]
    twos = [way for way in directions if all(good(i, all_, plain, way) for i, all_ in own)]
    return [
        tuple(looped(of, one, two) for of in chosen)
        for chosen, one, two in product(product(*levels), ones, twos)
    ]


@cache
def predicted(name: str) -> tuple[int, int]:
    """How many regular programs give the other walks on as many boards, and how many of them this one.

    The walk itself has no part in that: any one of the walks shows what is taken off.
    """
    boards = boards_of(name)
    others = fitting(boards, tuple(other for other in WALKS[boards] if other != name))
    return len(others), sum(fits(boards, order, (name,)) for order in others)


@cache
def filled(boards: int, order: Order | None = None, *, mended: str = "none") -> tuple[int, int]:
    """From how many squares the program fills the boards, and how many of these walks are tours."""
    full = [walk for walk in program_walks(boards, order, mended=mended) if len(walk) == walk.board.size]
    return len(full), sum(bool(check(walk)) for walk in full)


# ---- its walks


@lru_cache(8)
def program_walks(boards: int, order: Order | None = None, *, mended: str = "none") -> tuple[Tour, ...]:
    """The program's walk from every square; `order` and `mended` as in `data_step`."""
    stack = Board.box(boards, 8, 8)
    paths = data_step(paper_degrees(stack), range(stack.size), order, mended=mended)
    return tuple(Tour(stack, path, closed=False) for path in paths)


def stale_moves(steps: NDArray[np.int64]) -> list[tuple[str, str, bool]]:
    """The steps of a printed walk that are not moves, and whether they would be from the level before."""
    board = Board.box(*steps.shape)
    graph = move_graph(board)
    order = in_order(steps).tolist()
    found = []
    for before, here, there in zip(order, order[1:], order[2:], strict=False):
        if there not in graph.neighbours(here):
            level, (_, row, column) = board.coords[before][0], board.coords[here]
            ghost = int(board.locate(np.array([level, row, column])))
            found.append((board.name(here), board.name(there), there in graph.neighbours(ghost)))
    return found
