"""J. R. Gerlach, The Knight's Tour in Chess - Implementing a Heuristic Solution, 2015, recomputed.

The paper walks by Warnsdorff's rule from every square of the chessboard. Its program tries the moves in
the order of two loops, step1 and step2 in -2, -1, 1, 2; it takes the first square of minimal degree
("less than") or the last ("less than or equal"); and a square visited takes one off the degrees around
it, but the first square does not. `cavalcade.find.warnsdorff` with `count_start=False` does the same.
There is no SAS here: the programs were read, not run, and the utilities are compared with what this package
writes.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.draw.sheet import walks_picture
from cavalcade.draw.svg import written
from cavalcade.find.warnsdorff import walks
from cavalcade.papers.items import Figure, Item, figures, item
from cavalcade.papers.tables import Printed, compare, printed
from cavalcade.question.moves import move_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHESS = Board.box(8, 8)
#: The squares from which the paper says that its program fails.
FAILS = {"first": "g6 g3 f2 g2 g1".split(), "last": "b8 b7 c7 b6 b3".split()}  # noqa: SIM905
DRAWN = 100  # seeds of random ties


def table(name: str) -> Printed:
    """A printed table of this paper."""
    return printed("gerlach2015")[name]


def true_degrees(board: Board) -> NDArray[np.int64]:
    """How many moves each square of a board or a stack has, in its shape: KNIGHTMOVES."""
    return move_graph(board).degrees.astype(np.int64).reshape(board.shape)


@cache
def tours(ties: str) -> tuple[Tour, ...]:
    """The walk from each of the 64 squares; `ties` is first or last."""
    found = walks(move_graph(CHESS), range(64), ties=ties, count_start=False)
    return tuple(Tour(CHESS, path, closed=False) for path in found)


def fails(ties: str) -> list[str]:
    """The squares from which the rule gets stuck."""
    return [tour.names[0] for tour in tours(ties) if len(tour) < 64]


def tour_from(square: str) -> tuple[Tour, str]:
    """A tour from any square: by the first minimum, where that fails by the last."""
    for ties in ("first", "last"):
        tour = tours(ties)[CHESS.cell(square)]
        if check(tour):
            return tour, ties
    return tour, "neither"


def greedy_lengths(sign: int) -> list[int]:
    """How far a walk comes from each square that goes on by a fixed number for each square.

    Args:
        sign: 1 for the fewest moves, -1 for the most, 0 for the first free square whatever its moves.
    """
    graph, lengths = move_graph(CHESS), []
    for start in range(64):
        seen = [start]
        while free := [cell for cell in graph.neighbours(seen[-1]).tolist() if cell not in seen]:
            seen.append(min(free, key=lambda cell: sign * int(graph.degrees[cell])))
        lengths.append(len(seen))
    return lengths


# ---- introduction, displaying the chess board


def dead_ends() -> Item:
    """The rule, against walks that do not look at the successors."""
    plain, most = (greedy_lengths(sign) for sign in (0, -1))
    good, none = 64 - len(fails("first")), 64 not in [*plain, *most]
    return item(good > 0 and none, good=good, longest=max(*plain, *most))


@cache
def numerous() -> Item:
    """Different tours from one square, by the rule with random ties."""
    found: dict[int, set[bytes]] = {start: set() for start in range(64)}
    for seed in range(DRAWN):
        for path in walks(move_graph(CHESS), range(64), ties="random", seed=seed):
            if len(path) == 64:
                found[int(path[0])].add(path.tobytes())
    least = min(map(len, found.values()))
    return item(
        least > 1, seeds=DRAWN, least=least, square=CHESS.name(min(found, key=lambda k: len(found[k])))
    )


# ---- knight moves


def names() -> Item:
    """The names of the squares."""
    return item([word for row in table("names").words for word in row] == CHESS.names)


def reached(square: str) -> list[str]:
    """The squares a move away."""
    return [CHESS.name(cell) for cell in move_graph(CHESS).neighbours(CHESS.cell(square)).tolist()]


def moves(square: str) -> Item:
    """The moves listed for a square."""
    listed, found = next(to for at, *to in table("moves").words if at == square), reached(square)
    return Item(sorted(listed) == sorted(found), " ".join(listed), " ".join(found))


def all_steps() -> Item:
    """The two loops over -2, -1, 1, 2, without equal absolute values."""
    steps = [(a, b) for a, b in product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b)]
    graph, right = move_graph(CHESS), 0
    for cell, (row, column) in enumerate(CHESS.coords.tolist()):
        to = {8 * (row + a) + column + b for a, b in steps if 0 <= row + a < 8 and 0 <= column + b < 8}
        right += to == set(graph.neighbours(cell).tolist())
    return item(right == 64, steps=len(steps), right=right)


def knightmoves() -> Item:
    """What is left of the table, as often as each number stands on the board."""
    legible = Counter(int(word) for row in table("knightmoves").words for word in row)
    true = Counter(true_degrees(CHESS).ravel().tolist())
    lost = ", ".join(f"{count} times {number}" for number, count in sorted((true - legible).items()))
    some = "some" if legible - true else "no"
    return item("no" if legible - true else "lost", some=some, lost=lost, legible=legible.total())


# ---- completing the tour


def board_of_two() -> Item:
    """BOARD after the first move of the tour from a8."""
    first = tours("first")[CHESS.cell("a8")].numbering
    two = np.where(first <= 2, first, 0).astype(np.int64)
    return compare("BOARD, a8 to c7", table("board a8 c7"), two, steps=False)


def moves_after() -> Item:
    """MOVES after that move: one less around c7, and nowhere else."""
    after = true_degrees(CHESS)
    after.flat[move_graph(CHESS).neighbours(CHESS.cell("c7"))] -= 1
    return compare("MOVES after the move a8 to c7", table("moves after"), after, steps=False)


def not_maintained() -> Item:
    """The rule with the numbers of the beginning."""
    lengths = greedy_lengths(1)
    return item(64 not in lengths, full=lengths.count(64), longest=max(lengths))


# ---- making a wrong turn, conclusion


def all_squares(ties: str) -> Item:
    """The 64 walks with one kind of ties."""
    every, stuck = tours(ties), fails(ties)
    right = sum(bool(check(tour)) for tour in every)
    lengths = [str(len(tour)) for tour in every]
    board = [[lengths[8 * row : 8 * row + 8] for row in range(8)]]
    sheet = Figure("The 64 walks; those that get stuck are framed", svg=lambda: written(walks_picture(every)))
    same = sorted(stuck) == sorted(FAILS[ties]) and right == 64 - len(stuck)
    shown = (*figures("Steps until the end, from each square", board), sheet)
    return item(same, stuck=", ".join(stuck), right=right, figures=shown)


def last_begins() -> Item:
    """The square of the 1 on the board on the right."""
    name = CHESS.name(int(np.flatnonzero(table("wrong turn last").numbers == 1)[0]))
    return item(name == "b7", square=name)


def first_ends() -> Item:
    """The end of the walk from g6, and what was free before it."""
    walk = tours("first")[CHESS.cell("g6")]
    before = set(walk.cells[:59].tolist())
    near = move_graph(CHESS).neighbours(int(walk.cells[58])).tolist()
    options = [CHESS.name(cell) for cell in near if cell not in before]
    right = len(walk) == 60 and walk.names[58:] == ["h5", "f4"] and options == ["f4"]
    return item(right, steps=len(walk), square=walk.names[58], options=", ".join(options))


def two_sets() -> Item:
    """The squares from which both kinds of ties fail."""
    both = sorted(set(fails("first")) & set(fails("last")))
    return item(not both, both=f"in both: {', '.join(both)}" if both else "no square is in both")


def by_either() -> Item:
    """A tour from every square, by the first or the last minimum."""
    chosen = [tour_from(name) for name in CHESS.names]
    second = ", ".join(tour.names[0] for tour, ties in chosen if ties == "last")
    found = sum(bool(check(tour)) for tour, _ in chosen)
    return item(found == 64, found=found, second=second)
