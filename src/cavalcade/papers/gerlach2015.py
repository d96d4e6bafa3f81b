"""Recomputations for J. R. Gerlach, The Knight's Tour in Chess - Implementing a Heuristic Solution, 2015.

The paper walks by Warnsdorff's rule from every square of the chessboard. Its program tries the moves in the
order of two loops, step1 and step2 in -2, -1, 1, 2. It takes the first square of minimal degree ("less than")
or the last one ("less than or equal"). A visited square reduces the degrees of its neighbours by one, but the
first square does not. `cavalcade.find.warnsdorff` with `count_start=False` does the same. The SAS programs
were read, not run.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.ask.wrong_turn import wrong_turn
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.draw.sheet import walks_picture
from cavalcade.draw.svg import written
from cavalcade.draw.wrong_turn import wrong_turns_picture
from cavalcade.find.warnsdorff import walks
from cavalcade.papers.items import Figure, Item, figures, item
from cavalcade.papers.tables import Printed, compare, printed
from cavalcade.question.moves import move_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

CHESS = Board.box(8, 8)
#: Squares from which the program fails, as printed.
FAILS = {"first": "g6 g3 f2 g2 g1".split(), "last": "b8 b7 c7 b6 b3".split()}  # noqa: SIM905


def table(name: str) -> Printed:
    """Return a printed table of this paper."""
    return printed("gerlach2015")[name]


def true_degrees(board: Board) -> NDArray[np.int64]:
    """Return the number of moves from each square of a board or stack, in its shape: KNIGHTMOVES."""
    return move_graph(board).degrees.astype(np.int64).reshape(board.shape)


@cache
def tours(ties: str) -> tuple[Tour, ...]:
    """Return the walk from each of the 64 squares; `ties` is first or last."""
    paths = walks(move_graph(CHESS), range(64), ties=ties, count_start=False)
    return tuple(Tour(CHESS, path, closed=False) for path in paths)


def fails(ties: str) -> list[str]:
    """Return the squares from which the rule gets stuck."""
    return [walk.names[0] for walk in tours(ties) if len(walk) < 64]


def tour_from(square: str) -> tuple[Tour, str]:
    """Return a tour from a square and its tie rule: the first minimum, or the last if the first fails."""
    for ties in ("first", "last"):
        tour = tours(ties)[CHESS.cell(square)]
        if check(tour):
            return tour, ties
    return tour, "neither"


def greedy_lengths(sign: int) -> list[int]:
    """Return the length of the greedy walk from each square by the degrees of the empty board.

    Args:
        sign: 1 prefers the fewest moves, -1 the most, 0 the first free square.
    """
    graph, lengths = move_graph(CHESS), []
    for start in range(64):
        path = [start]
        while free := [cell for cell in graph.neighbours(path[-1]).tolist() if cell not in path]:
            path.append(min(free, key=lambda cell: sign * int(graph.degrees[cell])))
        lengths.append(len(path))
    return lengths


# ---- introduction, displaying the chess board


def dead_ends() -> Item:
    """Compare the rule with walks that ignore the degrees."""
    plain, most = (greedy_lengths(sign) for sign in (0, -1))
    successful, all_stuck = 64 - len(fails("first")), 64 not in [*plain, *most]
    return item(successful > 0 and all_stuck, good=successful, longest=max(*plain, *most))


@cache
def numerous(seeds: int = 100) -> Item:
    """Count distinct tours from each square by the rule with random ties."""
    tours_by_start: dict[int, set[bytes]] = {start: set() for start in range(64)}
    for seed in range(seeds):
        for path in walks(move_graph(CHESS), range(64), ties="random", seed=seed):
            if len(path) == 64:
                tours_by_start[int(path[0])].add(path.tobytes())
    least = min(map(len, tours_by_start.values()))
    return item(
        least > 1,
        seeds=seeds,
        least=least,
        square=CHESS.name(min(tours_by_start, key=lambda k: len(tours_by_start[k]))),
    )


# ---- knight moves


def names() -> Item:
    """Check the names of the squares."""
    return item([word for row in table("names").words for word in row] == CHESS.names)


def reached(square: str) -> list[str]:
    """Return the squares one move away."""
    return [CHESS.name(neighbour) for neighbour in move_graph(CHESS).neighbours(CHESS.cell(square)).tolist()]


def moves(square: str) -> Item:
    """Check the moves listed for a square."""
    listed, reached_squares = (
        next(squares for name, *squares in table("moves").words if name == square),
        reached(square),
    )
    return Item(sorted(listed) == sorted(reached_squares), " ".join(listed), " ".join(reached_squares))


def all_steps() -> Item:
    """Check the two loops over -2, -1, 1, 2 without equal absolute values."""
    steps = [(a, b) for a, b in product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b)]
    graph, matching = move_graph(CHESS), 0
    for cell, (row, column) in enumerate(CHESS.coords.tolist()):
        targets = {8 * (row + a) + column + b for a, b in steps if 0 <= row + a < 8 and 0 <= column + b < 8}
        matching += targets == set(graph.neighbours(cell).tolist())
    return item(matching == 64, steps=len(steps), right=matching)


def knightmoves() -> Item:
    """Compare the legible numbers of the table with the degrees, as multisets."""
    legible = Counter(int(word) for row in table("knightmoves").words for word in row)
    true = Counter(true_degrees(CHESS).ravel().tolist())
    lost = ", ".join(f"{count} times {number}" for number, count in sorted((true - legible).items()))
    extra = "some" if legible - true else "no"
    return item("no" if legible - true else "lost", some=extra, lost=lost, legible=legible.total())


# ---- completing the tour


def board_of_two() -> Item:
    """Check BOARD after the first move of the tour from a8."""
    first = tours("first")[CHESS.cell("a8")].numbering
    two = np.where(first <= 2, first, 0).astype(np.int64)
    return compare("BOARD, a8 to c7", table("board a8 c7"), two, steps=False)


def moves_after() -> Item:
    """Check MOVES after that move: one less around c7, and nowhere else."""
    after = true_degrees(CHESS)
    after.flat[move_graph(CHESS).neighbours(CHESS.cell("c7"))] -= 1
    return compare("MOVES after the move a8 to c7", table("moves after"), after, steps=False)


def not_maintained() -> Item:
    """Run the rule with the degrees of the empty board throughout."""
    lengths = greedy_lengths(1)
    return item(64 not in lengths, full=lengths.count(64), longest=max(lengths))


# ---- making a wrong turn, conclusion


def all_squares(ties: str) -> Item:
    """Check the 64 walks with one tie rule."""
    walks_, stuck = tours(ties), fails(ties)
    successful = sum(bool(check(tour)) for tour in walks_)
    lengths = [str(len(tour)) for tour in walks_]
    board = [[lengths[8 * row : 8 * row + 8] for row in range(8)]]
    sheet = Figure(
        "The 64 walks; those that get stuck are framed", svg=lambda: written(walks_picture(walks_))
    )
    same = sorted(stuck) == sorted(FAILS[ties]) and successful == 64 - len(stuck)
    shown = (*figures("Steps until the end, from each square", board), sheet)
    return item(same, stuck=", ".join(stuck), right=successful, figures=shown)


def last_begins() -> Item:
    """Check the first square of the board on the right."""
    name = CHESS.name(int(np.flatnonzero(table("wrong turn last").numbers == 1)[0]))
    return item(name == "b7", square=name)


def first_ends() -> Item:
    """Check the end of the walk from g6 and its options one step earlier."""
    walk = tours("first")[CHESS.cell("g6")]
    visited = set(walk.cells[:59].tolist())
    neighbours = move_graph(CHESS).neighbours(int(walk.cells[58])).tolist()
    options = [CHESS.name(cell) for cell in neighbours if cell not in visited]
    right = len(walk) == 60 and walk.names[58:] == ["h5", "f4"] and options == ["f4"]
    return item(right, steps=len(walk), square=walk.names[58], options=", ".join(options))


def wrong_turns() -> Item:
    """Find the wrong step of each failed walk, and the squares that complete the tour from there."""
    turns = [
        wrong_turn(walk, open=True, count_start=False, time_limit=60)
        for ties in FAILS
        for walk in tours(ties)
        if len(walk) < 64
    ]
    ties = [turn for turn in turns if turn.is_tie]
    saved = [turn for turn in ties if not {*turn.tied}.isdisjoint(turn.saving)]
    sheet = Figure(
        "The ten failed walks: the wrong step, and the squares that complete the tour",
        svg=lambda: written(wrong_turns_picture(turns)),
    )
    return item(
        len(turns) == len(saved) and all(turn.continuation.greatest for turn in turns),
        (sheet,),
        walks=len(turns),
        ties=len(ties),
        saved=len(saved),
        turns="; ".join(
            f"{turn.walk.names[0]}, step {turn.step}: {turn.cell}, not {' or '.join(turn.saving)}"
            for turn in turns
        ),
    )


def two_sets() -> Item:
    """Find the squares from which both tie rules fail."""
    common = sorted(set(fails("first")) & set(fails("last")))
    return item(not common, both=f"in both: {', '.join(common)}" if common else "no square is in both")


def by_either() -> Item:
    """Find a tour from every square by the first or the last minimum."""
    chosen = [tour_from(name) for name in CHESS.names]
    by_last = ", ".join(tour.names[0] for tour, ties in chosen if ties == "last")
    successful = sum(bool(check(tour)) for tour, _ in chosen)
    return item(successful == 64, found=successful, second=by_last)
