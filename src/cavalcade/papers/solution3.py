"""The Data step of Solution #3, which the 2019 paper does not print, reconstructed from its walks.

The paper prints five walks of this program, two on three boards and three on four. The program below
reproduces all five after nine numbers of Table 10 are corrected, and must make four mistakes to do so;
docs/solution3-evidence.md has the evidence. Each mistake can be fixed.

Each walk alone determines every entry of `TAKEN`. The walks do not determine `JUMPS`, the order of the jumps:
`fitting` finds all regular programs that reproduce the walks, 16 on three boards and two on four. `JUMPS` is
the program on four boards that fills 38 boards, the number that the paper prints.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import chain, permutations, product, zip_longest
from math import factorial, prod
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour, Tours
from cavalcade.boards import Board
from cavalcade.checking.tours import check, check_all
from cavalcade.ground.errors import BoardError
from cavalcade.ground.kernels import Tier
from cavalcade.papers.gerlach2015 import true_degrees
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
#: Level differences of the jumps from each level, in the order in which they are tried.
JUMPS: dict[int, tuple[tuple[int, ...], ...]] = {
    3: ((1, 2), (-1, 1), (-1, -2)),
    4: ((1, 2), (-1, 1, 2), (1, -1, -2), (-1, -2)),
}
#: For each level, the level differences and distances at which the program decrements a degree.
TAKEN: Taken = (
    ((1, 2), (2, 1)),
    ((-1, 1), (1, 1)),
    ((-1, 2), (-2, 1)),
    ((-1, 2), (-2, 1)),
)
#: The mistakes of the program, by the numbers that `--fix` takes.
MISTAKES = {
    1: "the stale level",
    2: "one away for two",
    3: "nothing on board 4",
    4: "one table for all boards",
}
UNFIXED: frozenset[int] = frozenset()  # the program as its authors must have run it


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
    """Walk from `path[0]` by the reconstructed program; return the number of cells written to `path`.

    Args:
        flat_at: offsets into `flat`, one per cell and one more.
        flat: destinations of the moves on the same board.
        jump_at: offsets into `jump`, one per cell and one more.
        jump: destinations of the jumps from each cell, in the order in which they are tried.
        taken_at: offsets into `taken`, one per cell and one more.
        taken: cells that lose one from their degree when the cell is visited.
        free: KNIGHTMOVES, the degrees that the walk decrements.
        path: the cells of the walk.
        seen: 1 for visited cells.
        squares: number of squares per board.
        stale: 1 to jump from the level of the step before whenever no flat move exists, as the paper's
            program does.
    """
    cell = path[0]
    seen[cell] = 1
    level = cell // squares
    for k in range(1, len(path)):
        # Take the first free square of minimal degree on the same board.
        best, fewest = -1, 1 << 30  # more than any degree
        for e in range(flat_at[cell], flat_at[cell + 1]):
            v = flat[e]
            if not seen[v] and free[v] < fewest:
                best, fewest = v, free[v]
        if best >= 0 or not stale:
            level = cell // squares  # otherwise the level of the step before stays: the stale level
        # Then a jump that leads to a smaller degree, from this level or from the stale one.
        place = level * squares + cell % squares
        for e in range(jump_at[place], jump_at[place + 1]):
            v = jump[e]
            if not seen[v] and free[v] < fewest:
                best, fewest = v, free[v]
        if best < 0:
            return k
        cell = best
        path[k] = cell
        seen[cell] = 1
        for e in range(taken_at[cell], taken_at[cell + 1]):
            free[taken[e]] -= 1
    return len(path)


@cache
def _rows(stack: Board, moves: Order) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the destinations of the moves of each level in compressed rows."""
    levels = [
        stack.locate(stack.coords[stack.coords[:, 0] == k, None] + np.array(moves_of_level))
        for k, moves_of_level in enumerate(moves)
    ]
    starts = np.zeros(stack.size + 1, dtype=np.int32)
    np.cumsum(np.concatenate([(rows >= 0).sum(axis=1) for rows in levels]), out=starts[1:])
    return starts, np.concatenate([rows[rows >= 0] for rows in levels])


def decrements(boards: int, fixes: Collection[int] = UNFIXED) -> Taken:
    """Return the level differences and distances at which a step decrements degrees, for each level.

    Fix 2 corrects the distances, fix 3 adds the level differences that are missing.
    """
    levels = []
    for level in range(boards):
        distances = dict(TAKEN[min(level, len(TAKEN) - 1)])
        for up in (-2, -1, 1, 2):
            if 3 in fixes or (2 in fixes and up in distances):
                right = 3 - abs(up)
                distances[up] = right if 2 in fixes else distances.get(up, right)
        levels.append(tuple(distances.items()))
    return tuple(levels)


def initial_degrees(board: Board | MoveGraph, fixes: Collection[int] = UNFIXED) -> NDArray[np.int64]:
    """Return the initial degrees of the program: with fix 4 the true degrees, else the paper's."""
    paper = paper_degrees(board)  # also refuses boards that are not stacks
    return true_degrees(board) if 4 in fixes else paper  # type: ignore[arg-type]


def jumps_in_order(boards: int, differences: Sequence[int]) -> Order:
    """Return the jumps from each level, with one order of the level differences for all levels.

    Raises:
        BoardError: the differences are not -2, -1, 1 and 2 in some order.
    """
    if sorted(differences) != [-2, -1, 1, 2]:
        raise BoardError(
            f"{','.join(map(str, differences))} is not an order of the jumps: expected -2, -1, 1 and 2 "
            "in some order, such as 1,-1,2,-2"
        )
    return (looped(differences, range(4), range(4)),) * boards


def jumps(boards: int, fit: int | None = None) -> Order:
    """Return the jumps from each level: `JUMPS`, or number `fit` of the fitting programs.

    The paper shows the program on three and four boards. For more boards it is extended: the levels between
    the two lowest and the two highest jump as the third of four, then further up.

    Raises:
        BoardError: there are fewer than three boards, or no such program.
    """
    if boards < 3:
        raise BoardError(f"{boards} boards: the program is for three boards or more")
    shown = min(boards, 4)
    if fit is None:
        order = tuple(looped(level, range(4), range(4)) for level in JUMPS[shown])
    else:
        orders = fitting(shown)
        if not 1 <= fit <= len(orders):
            raise BoardError(f"{len(orders)} programs fit the print on {shown} boards, there is no {fit}")
        order = orders[fit - 1]
    if boards <= 4:
        return order
    middle = (*order[2], *(move for move in order[1] if move not in order[2]))
    return (*order[:2], *[middle] * (boards - 4), *order[2:])


def data_step(
    table: NDArray[np.int64],
    starts: Iterable[int],
    order: Order | None = None,
    *,
    fixes: Collection[int] = UNFIXED,
) -> list[NDArray[np.int32]]:
    """Return the walks of the program from some squares.

    Args:
        table: KNIGHTMOVES, shape (boards, rows, columns).
        starts: first squares.
        order: jumps from each level; by default the result of `jumps`.
        fixes: the mistakes to fix, keys of `MISTAKES`; `table` decides about the fourth.
    """
    boards, rows, columns = table.shape
    order = order or jumps(boards)
    starts, stack = list(starts), Board.box(boards, rows, columns)
    losers = tuple(
        ON_BOARD + tuple(chain.from_iterable(straight(*rule) for rule in rules))
        for rules in decrements(boards, fixes)
    )
    tables = [_rows(stack, moves) for moves in ((ON_BOARD,) * boards, order, losers)]
    tier = Tier(50.0 * table.size * len(starts))
    vectors = [tier.vector(part) for pair in tables for part in pair]
    paths = []
    for start in starts:
        path = tier.full(table.size)
        path[0] = start
        free = tier.vector(table.ravel().astype(np.int32))
        seen = tier.full(table.size)
        length = tier(_walk)(*vectors, free, path, seen, rows * columns, int(1 not in fixes))
        paths.append(np.array(path[:length], dtype=np.int32))
    return paths


def reconstructed(
    board: Board | MoveGraph,
    starts: Iterable[int],
    fit: int | None = None,
    *,
    fixes: Collection[int] = UNFIXED,
    order: Sequence[int] = (),
    degrees: NDArray[np.int64] | None = None,
) -> tuple[Iterator[NDArray[np.int32]], str]:
    """Return the program's walks on a box such as 3x8x8, and a note on their origin.

    Args:
        board: the stack of boards.
        starts: first cells.
        fit: number of a fitting program; by default `JUMPS`.
        fixes: the mistakes to fix.
        order: level differences in the order in which jumps are tried; by default that of the program.
        degrees: initial degrees, one per cell; by default `initial_degrees`.
    """
    boards, *size = board.shape
    note = (
        "Solution #3 of Gerlach & Gerlach 2019, a program that the paper does not print: it fits the walks "
        "of Tables 10 and 12 and Appendix D"
    )
    if boards > 4 or size != [8, 8]:
        flat = "x".join(map(str, size))
        note += f"; for {boards} boards of {flat} it is our extension, the paper shows none"
    table = initial_degrees(board, fixes)
    if degrees is not None:
        table = degrees.reshape(table.shape)
    chosen = jumps_in_order(boards, order) if order else jumps(boards, fit)
    return iter(data_step(table, starts, chosen, fixes=fixes)), note


# ---- which orders of the jumps give the printed walks


def looped(levels: Iterable[int], single: Sequence[int], double: Sequence[int]) -> tuple[Move, ...]:
    """Return the jumps from a level: by level difference, then by direction for one board and two."""
    return tuple(straight(k, 3 - abs(k))[d] for k in levels for d in (single if abs(k) == 1 else double))


@cache
def wanted_path(walk_name: str) -> NDArray[np.int64]:
    """Return the cells of a printed walk in order, with the corrections."""
    return in_order(corrected(printed("gerlach2019")[walk_name]))


def boards_of(name: str) -> int:
    """Return the number of boards of a printed walk."""
    return next(boards for boards, names in WALKS.items() if name in names)


def apart(name: str, fixes: Collection[int] = UNFIXED, order: Order | None = None) -> int:
    """Return the first step at which the program leaves a printed walk; 0 if it reproduces the whole walk."""
    printed_path = wanted_path(name)
    table = initial_degrees(Board.box(boards_of(name), 8, 8), fixes)
    (path,) = data_step(table, [int(printed_path[0])], order, fixes=fixes)
    steps = enumerate(zip_longest(path.tolist(), printed_path.tolist()), 1)
    return next((k for k, (ours, printed_) in steps if ours != printed_), 0)


def fits(boards: int, order: Order, walks: Collection[str] = ()) -> bool:
    """Return whether the program with these jumps reproduces all printed walks, or the given ones."""
    return not any(apart(name, order=order) for name in walks or WALKS[boards])


def regular(boards: int) -> int:
    """Return the number of regular programs."""
    return prod(factorial(len(levels)) for levels in JUMPS[boards]) * factorial(4) ** 2


@cache
def fitting(boards: int, walks: tuple[str, ...] = ()) -> list[Order]:
    """Return the regular programs that reproduce all printed walks, or the given ones; half a second.

    In a regular program each level tries the other levels in any order. One order of the four directions
    serves all jumps of one board, another one all jumps of two, on every level. An order only breaks ties, so
    the orders of the levels and both orders of the directions can be tested separately, among jumps that fit.
    """
    default, directions = jumps(boards), list(permutations(range(4)))
    plain = directions[0]

    def good(level: int, levels: tuple[int, ...], single: tuple[int, ...], double: tuple[int, ...]) -> bool:
        return fits(boards, (*default[:level], looped(levels, single, double), *default[level + 1 :]), walks)

    levels_by_board = list(enumerate(JUMPS[boards]))
    levels = [
        [choice for choice in permutations(ups) if good(i, choice, plain, plain)]
        for i, ups in levels_by_board
    ]
    singles = [
        choice for choice in directions if all(good(i, ups, choice, plain) for i, ups in levels_by_board)
    ]
    doubles = [
        choice for choice in directions if all(good(i, ups, plain, choice) for i, ups in levels_by_board)
    ]
    return [
        tuple(looped(ups_of_level, single, double) for ups_of_level in chosen)
        for chosen, single, double in product(product(*levels), singles, doubles)
    ]


@cache
def predicted(name: str) -> tuple[int, int]:
    """Return how many regular programs reproduce the other walks, and how many of them this one.

    The walk itself takes no part: any one of the walks determines `TAKEN`.
    """
    boards = boards_of(name)
    candidates = fitting(boards, tuple(walk for walk in WALKS[boards] if walk != name))
    return len(candidates), sum(fits(boards, order, (name,)) for order in candidates)


@cache
def filled(boards: int, order: Order | None = None, *, fixes: frozenset[int] = UNFIXED) -> tuple[int, int]:
    """Return the number of squares whose walk fills the boards, and the number of tours among them."""
    full = [walk for walk in program_walks(boards, order, fixes=fixes) if len(walk) == walk.board.size]
    if 1 in fixes and full:  # every step is a move, so that one check of all walks is enough
        tours = Tours(full[0].board, np.array([walk.cells for walk in full]), closed=False)
        if check_all(tours):
            return len(full), len(full)
    return len(full), sum(bool(check(walk)) for walk in full)


# ---- its walks


@lru_cache(8)
def program_walks(
    boards: int, order: Order | None = None, *, fixes: frozenset[int] = UNFIXED
) -> tuple[Tour, ...]:
    """Return the walks of the program from all squares; `order` and `fixes` as in `data_step`."""
    stack = Board.box(boards, 8, 8)
    paths = data_step(initial_degrees(stack, fixes), range(stack.size), order, fixes=fixes)
    return tuple(Tour(stack, path, closed=False) for path in paths)


def stale_moves(steps: NDArray[np.int64]) -> list[tuple[str, str, bool]]:
    """Return the steps that are not moves, and whether they are moves from the level before."""
    board = Board.box(*steps.shape)
    graph = move_graph(board)
    order = in_order(steps).tolist()
    wrong = []
    for before, cell, target in zip(order, order[1:], order[2:], strict=False):
        if target not in graph.neighbours(cell):
            level, (_, row, column) = board.coords[before][0], board.coords[cell]
            ghost = int(board.locate(np.array([level, row, column])))
            wrong.append((board.name(cell), board.name(target), target in graph.neighbours(ghost)))
    return wrong
