"""J. R. Gerlach, The Knight's Tour in Chess - Implementing a Heuristic Solution, 2015, recomputed.

The paper walks by Warnsdorff's rule from every square of the chessboard. Its program tries the moves in
the order of two loops, step1 and step2 in -2, -1, 1, 2; it takes the first square of minimal degree
("less than") or the last ("less than or equal"); and a square visited takes one off the degrees around
it, but the first square does not. `cavalcade.find.warnsdorff` with `count_start=False` does the same.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.draw.sheet import walks_picture
from cavalcade.draw.svg import written
from cavalcade.find.warnsdorff import walks
from cavalcade.papers.items import Figure, Item, figures, item
from cavalcade.papers.programs import COMPLETING, show_board
from cavalcade.papers.tables import Printed, compare, printed
from cavalcade.question.moves import move_graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

PAPER = "gerlach2015"
CHESS = Board.box(8, 8)
#: The squares from which the paper says that its program fails.
FAILS = {"first": "g6 g3 f2 g2 g1".split(), "last": "b8 b7 c7 b6 b3".split()}  # noqa: SIM905


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


def degrees_after(tour: Tour, moves: int) -> NDArray[np.int64]:
    """The paper's MOVES after so many moves of a tour."""
    graph = move_graph(CHESS)
    free = graph.degrees.astype(np.int64)
    for cell in tour.cells[1 : moves + 1].tolist():
        free[graph.neighbours(cell)] -= 1
    return free.reshape(8, 8)


def fixed_degrees(start: int) -> int:
    """How far the rule comes from a square if MOVES is never updated."""
    graph = move_graph(CHESS)
    seen = [start]
    while free := [cell for cell in graph.neighbours(seen[-1]).tolist() if cell not in seen]:
        seen.append(min(free, key=lambda cell: int(graph.degrees[cell])))
    return len(seen)


def _knight_moves(tables: dict[str, Printed]) -> list[Item]:
    """The section on the moves."""
    graph = move_graph(CHESS)
    degrees = graph.degrees.astype(np.int64).reshape(8, 8)

    def reached(square: str) -> list[str]:
        return [CHESS.name(int(cell)) for cell in graph.neighbours(CHESS.cell(square))]

    names = [word for row in tables["names"].words for word in row]
    items = [Item("Names of the squares", "the same 64 names", names == CHESS.names)]
    for square, *to in tables["moves"].words:
        found = reached(square)
        items.append(Item(f"Moves of {square}", " ".join(found), sorted(to) == sorted(found), " ".join(to)))
    after = {square: int(degrees.flat[CHESS.cell(square)]) for square in reached("b7")}
    around = ", ".join(f"{square} {count}" for square, count in after.items())
    legible = Counter(int(word) for row in tables["knightmoves"].words for word in row)
    true = Counter(degrees.ravel().tolist())
    extra = bool(legible - true)
    lost = ", ".join(f"{count} times {number}" for number, count in sorted((true - legible).items()))
    symmetric = all(np.array_equal(degrees, other) for other in (degrees.T, degrees[::-1], degrees[:, ::-1]))
    least, most = degrees.min(), degrees.max()
    return [
        *items,
        Item("Example of b7", around, Counter(after.values()) == {4: 2, 8: 2}),
        item(
            "KNIGHTMOVES",
            "no" if extra else "lost",
            some="some" if extra else "no",
            lost=lost,
            legible=legible.total(),
        ),
        Item(
            "KNIGHTMOVES, symmetric, from 2 to 8",
            f"{'symmetric' if symmetric else 'not symmetric'}, {least} to {most}",
            symmetric and (least, most) == (2, 8),
        ),
    ]


def _moves_kept(tables: dict[str, Printed]) -> list[Item]:
    """The matrix MOVES before and after a move, and the walks without it."""
    degrees = move_graph(CHESS).degrees.astype(np.int64).reshape(8, 8)
    first = tours("first")[CHESS.cell("a8")]
    board = np.where((first.numbering > 0) & (first.numbering <= 2), first.numbering, 0).astype(np.int64)
    lengths = [fixed_degrees(start) for start in range(64)]
    return [
        compare("MOVES before the move a8 to c7", tables["moves before"], degrees, "degrees"),
        compare("BOARD, a8 to c7", tables["board a8 c7"], board, "first two steps of the tour from a8"),
        compare("MOVES after the move a8 to c7", tables["moves after"], degrees_after(first, 1), "degrees"),
        item("MOVES, not maintained", 64 not in lengths, full=lengths.count(64), longest=max(lengths)),
    ]


def _all_squares(ties: str) -> Item:
    """The item of the 64 walks with one kind of ties."""
    every, stuck = tours(ties), fails(ties)
    right = sum(bool(check(tour)) for tour in every)
    lengths = [str(len(tour)) for tour in every]
    grid = [[lengths[8 * row : 8 * row + 8] for row in range(8)]]
    sheet = Figure("The 64 walks; those that get stuck in red", [], svg=lambda: written(walks_picture(every)))
    return item(
        f"Tour from each square, {ties} minimum",
        sorted(stuck) == sorted(FAILS[ties]) and right == 64 - len(stuck),
        stuck=", ".join(stuck),
        right=right,
        figures=(*figures("Steps until the end, from each square", grid), sheet),
    )


def _wrong_turns(tables: dict[str, Printed]) -> list[Item]:
    first = tours("first")[CHESS.cell("g6")]
    begin = int(np.flatnonzero(tables["wrong turn last"].numbers == 1)[0])
    before = set(first.cells[:59].tolist())
    near = move_graph(CHESS).neighbours(int(first.cells[58])).tolist()
    options = [CHESS.name(cell) for cell in near if cell not in before]
    both = set(fails("first")) & set(fails("last"))
    shown = [
        compare(
            f"Making a wrong turn, {ties} minimum",
            tables[f"wrong turn {ties}"],
            tour,
            f"the walk from {tour.names[0]}, {ties} minimum",
        )
        for ties, tour in (("first", first), ("last", tours("last")[begin]))
    ]
    name = CHESS.name(begin)
    return [
        *shown,
        item("Where the last minimum's board begins", name == "b7", square=name),
        item(
            "Where the tour from g6 ends",
            len(first) == 60 and first.names[58:] == ["h5", "f4"] and options == ["f4"],
            steps=len(first),
            square=first.names[58],
            options=", ".join(options),
        ),
        Item(
            "The two sets of failures",
            f"in both: {', '.join(sorted(both))}" if both else "no square in both",
            not both,
        ),
    ]


def _conclusion() -> list[Item]:
    """What the paper concludes."""
    chosen = [tour_from(name) for name in CHESS.names]
    second = [tour.names[0] for tour, ties in chosen if ties == "last"]
    found = sum(bool(check(tour)) for tour, _ in chosen)
    graph, mended, kept = move_graph(CHESS), list[Tour](), list[str]()
    for ties in ("first", "last"):
        starts = map(CHESS.cell, fails(ties))
        for path in walks(graph, starts, ties=ties, count_start=False, repair=True):
            mended.append(Tour(CHESS, path, closed=False))
            kept.append(f"{mended[-1].names[0]} after {_alike(mended[-1], tours(ties)[path[0]])}")
    return [
        item("A tour from every square, by either rule", found == 64, found=found, second=", ".join(second)),
        item("Every square, with minor tweaking", all(map(check, mended)), kept=", ".join(kept)),
    ]


def _alike(one: Tour, other: Tour) -> int:
    """How many steps two walks have in common at their beginning."""
    pairs = zip(one.cells.tolist(), other.cells.tolist(), strict=False)
    return next((k for k, (a, b) in enumerate(pairs) if a != b), len(other))


def _appendix_a(tables: dict[str, Printed]) -> list[Item]:
    items = []
    for number in range(1, 11):
        table = tables[f"appendix a {number}"]
        start = np.flatnonzero(table.numbers == 1)
        # tour 10 has lost its 1: the tour that agrees with all that is left
        candidates = [tours("first")[int(start[0])]] if start.size else list(tours("first"))
        best = min(
            candidates,
            key=lambda tour: int(np.count_nonzero((table.numbers != tour.numbering) & (table.numbers > 0))),
        )
        what = f"the tour from {best.names[0]}, first minimum"
        items.append(compare(f"Appendix A, tour {number}", table, best, what))
    return items


def _example() -> Item:
    every = [tour for ties in ("first", "last") for tour in tours(ties) if check(tour)]
    closed = [tour for tour in every if tour.start in move_graph(CHESS).neighbours(tour.end)]
    corners = [tour.names[0] for tour in closed if tour.names[0] in {"a8", "h8"}]
    name, of = "Example board of the introduction", ", ".join(corners) or "none"
    return item(name, "lost", closed=len(closed), every=len(every), corners=of)


def sections() -> dict[str, list[Item]]:
    """Everything that the paper prints, recomputed and compared, section by section. About a second."""
    tables = printed(PAPER)
    return {
        "Introduction": [_example()],
        "Displaying the chess board": show_board(tours("first")),
        "Knight moves": _knight_moves(tables),
        "Completing the tour": [*_moves_kept(tables), *map(item, COMPLETING)],
        "Making a wrong turn": [_all_squares("first"), _all_squares("last"), *_wrong_turns(tables)],
        "Conclusion": _conclusion(),
        "Appendix A: several knight tours": _appendix_a(tables),
    }
