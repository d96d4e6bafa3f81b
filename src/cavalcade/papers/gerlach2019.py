"""J. R. Gerlach and S. M. Gerlach, The Knight's Tour in 3-Dimensional Chess, 2019, recomputed.

`stacks` has Solutions #1 and #2, `solution3` the reconstruction of #3. Here is what decides the items of the
report; the tables that a command prints are compared in `recompute`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.ask.portfolio import tour
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.construction.glue import glue
from cavalcade.papers import solution3
from cavalcade.papers.gerlach2015 import CHESS, tours
from cavalcade.papers.items import Item, item
from cavalcade.papers.solution3 import filled, fitting, jumps
from cavalcade.papers.stacks import (
    ORDERS,
    closed_tour,
    flat_degrees,
    nxtcoord,
    program_table,
    solution1,
    successes,
)
from cavalcade.papers.tables import Printed, compare, in_order, is_tour, printed
from cavalcade.question.moves import move_graph

if TYPE_CHECKING:
    from collections.abc import Sequence


SIZES = ((5, 6), (6, 6), (3, 10), (8, 8), (7, 10), (10, 10), (12, 12), (20, 20))  # of boards to be glued


def table(name: str) -> Printed:
    """A printed table of this paper."""
    return printed("gerlach2019")[name]


def squares(name: str, steps: Sequence[int]) -> list[str]:
    """The squares on which a table prints these steps; `nowhere` for a step that is not."""
    at = dict(zip(table(name).numbers.ravel().tolist(), table(name).board.names, strict=True))
    return [at.get(step, "nowhere") for step in steps]


# ---- Solution #1


def start_and_end() -> Item:
    """The numbers on each of three boards."""
    ranges = [(int(level.min()), int(level.max())) for level in solution1(3).tour().numbering]
    return item(ranges == [(1, 64), (65, 128), (129, 192)], ranges=ranges)


def steps_of(*said: str | int) -> Item:
    """The squares of some steps of Solution #1 on three boards, which are said with them."""
    path = solution1(3).tour().names
    ends = [path[int(step) - 1] for step in said[::2]]
    return item(ends == list(said[1::2]), ends=ends)


def next_coordinate() -> Item:
    """Where board 3 begins, if LEAVE left both loops, and by the program."""
    row, column = CHESS.coords[CHESS.cell(solution1(3).tour().names[127][2:])].tolist()
    both = next((row + a, column) for a in (-2, 2) if 0 <= row + a < 8)
    one = nxtcoord(row, column, 8, 8)
    begins = CHESS.name(int(table("appendix c 1").numbers[2].argmin()))
    names = ["nowhere" if at is None else CHESS.name(int(CHESS.locate(at))) for at in (both, one)]
    return item(begins == names[0], names=names, begins=begins)


def three_and_more() -> Item:
    """Table 3: the macros from its first coordinates."""
    starts = [CHESS.name(8 * (row - 1) + column - 1) for _, row, column in table("table 3").numbers.tolist()]
    runs = list(zip(starts, (3, 4), strict=True))
    ran = [check(solution1(boards, start).tour()) for start, boards in runs]
    found = "; ".join(
        f"{boards} boards from {start}: {one.message}" for (start, boards), one in zip(runs, ran, strict=True)
    )
    return item(all(ran), starts=" and ".join(starts), found=found)


@cache
def any_square() -> Item:
    """Where the boards get stuck, from every square."""
    chains = {start: solution1(200, start) for start in CHESS.names}
    stuck = {start: len(one) for start, one in chains.items() if not one.endless}
    places = (
        f"{', '.join(start for start, n in stuck.items() if n == board)} on board {board}"
        for board in sorted(set(stuck.values()))
    )
    mended = sum(solution1(200, start, mend=True).endless for start in CHESS.names)
    return item(not stuck, endless=64 - len(stuck), stuck=len(stuck), places="; ".join(places), mended=mended)


# ---- Solution #2


@cache
def needs_closed() -> Item:
    """The rule's tours, open and closed, glued at every square to which the last one leads."""
    near, up = move_graph(CHESS), move_graph(Board.box(2, 8, 8))
    good = {True: 0, False: 0}
    tried, found = dict(good), dict(good)
    for one in filter(check, (*tours("first"), *tours("last"))):
        closed = one.start in near.neighbours(one.end)
        found[closed] += 1
        for pivot in (int(cell) - 64 for cell in up.neighbours(one.end) if cell >= 64):
            turned = np.roll(one.cells, -int(np.flatnonzero(one.cells == pivot)[0]))
            path = np.concatenate([one.cells, turned + 64])
            tried[closed] += 1
            good[closed] += bool(check(Tour(Board.box(2, 8, 8), path, closed=False)))
    right = not good[False] and good[True] == tried[True]
    return item(right, found=found, tried=tried, good=good)


def table_5() -> Item:
    """The moves to board 2, the pivot, and what is added to which steps."""
    one, two = table("table 5").numbers
    moved = [
        (low, high, sorted(set((two - one)[(one >= low) & (one <= high)].tolist())))
        for low, high in ((58, 64), (1, 57))
    ]
    stack = Board.box(2, 8, 8)
    last = stack.cell(f"1:{CHESS.name(int(one.argmax()))}")
    reached = {stack.name(int(cell)) for cell in move_graph(stack).neighbours(last) if cell >= 64}
    right = moved == [(58, 64, [7]), (1, 57, [71])] and one[5, 3] == 58 and {"2:d3"} < reached
    return item(right, moved=moved, pivot=one[5, 3], reached=", ".join(sorted(reached)))


@cache
def pivots() -> Item:
    """The tour of Table 6, from every pivot."""
    closed = closed_tour(CHESS.name(int(table("table 6").numbers.argmin())))
    stacks = [glue(closed, pivots=[name]).tour for name in CHESS.names]
    good = sum(is_tour(one.numbering[1].astype(np.int64), closed=True) for one in stacks)
    legal = sum(bool(check(one)) for one in stacks)
    reached = sum(one.cells[0] == closed.start for one in stacks)
    return item(good == legal == 64, good=good, reached=reached, legal=legal)


@cache
def any_closed() -> Item:
    """Stacks of 1 to 7 and 16 boards of many sizes, and each board of them by itself."""
    closed = [tour(f"{rows}x{columns}").tour for rows, columns in SIZES]  # type: ignore[union-attr]
    stacks = [glue(one, levels=boards).tour for one in closed for boards in (1, 2, 3, 4, 5, 6, 7, 16)]
    every = all(is_tour(level, closed=True) for stack in stacks for level in stack.numbering)
    accepted = sum(bool(check(stack)) for stack in stacks)
    return item(
        accepted == len(stacks) and every,
        accepted=accepted,
        stacks=len(stacks),
        sizes=", ".join(f"{rows}x{columns}" for rows, columns in SIZES),
        every="every" if every else "not every",
    )


def isomorphic() -> Item:
    """Whether the second boards of Tables 5 and 7 have the cycles of the first."""
    same = 0
    for name in ("table 5", "table 7"):
        first, second = (np.argsort(board.ravel()).tolist() for board in table(name).numbers)
        at = second.index(first[0])
        same += second[at:] + second[:at] == first
    return item(same == 2, boards=same)


# ---- Solution #3


def listed_moves(square: str) -> Item:
    """A list of Table 8, and its number."""
    stack = Board.box(3, 8, 8)
    (_, count), *lists = next(board for board in table("table 8").boards if board[0][0] == square)
    listed = {word for words in lists for word in words}
    found = {stack.name(int(cell)) for cell in move_graph(stack).neighbours(stack.cell(square))}
    wrong = (("missing in the list", found - listed), ("no moves", listed - found))
    parts = [f"{len(found)} moves", *(f"{what}: {', '.join(sorted(some))}" for what, some in wrong if some)]
    same = found == listed and len(found) == int(count)
    return Item(same, f"{count} moves, {len(listed)} listed", "; ".join(parts))


def from_6_to_16() -> Item:
    """The least and the largest number of moves on three boards."""
    degrees = move_graph(Board.box(3, 8, 8)).degrees
    ends = int(degrees.min()), int(degrees.max())
    return item(ends == (6, 16), ends=ends)


def symmetric() -> Item:
    """Whether every level of Table 9 is the same turned and reflected, and the first as the last."""
    degrees = table("table 9").numbers
    turned = [np.rot90(degrees, k, axes=(1, 2)) for k in range(4)]
    every = [degrees[::-1], *turned, *(one.swapaxes(1, 2) for one in turned)]
    return item(all(np.array_equal(degrees, one) for one in every))


@cache
def jumped(boards: int, *said: str) -> Item:
    """From each board, the first of them first, how many boards away the knight's moves lead."""
    stack = Board.box(boards, 8, 8)
    level, away = stack.coords[:, 0], [set[int]() for _ in said]
    for cell in range(stack.size):
        away[level[cell]] |= set(abs(level[move_graph(stack).neighbours(cell)] - level[cell]).tolist())
    found = [", ".join(map(str, sorted(some))) for some in away]
    return item(found == list(said), jumped=["", *found])


@cache
def straight_on() -> Item:
    """Points 4 and 6: every move to another board goes straight up, then straight on."""
    stack = Board.box(3, 8, 8)
    graph = move_graph(stack)
    ways = np.array(
        [abs(stack.coords[a] - stack.coords[b]) for a in range(stack.size) for b in graph.neighbours(a)]
    )
    between = ways[ways[:, 0] > 0]
    good = (between[:, 1:].min(axis=1) == 0) & (between[:, 1:].max(axis=1) == 3 - between[:, 0])
    return item(bool(good.all()), moves=len(between) // 2, straight=int(good.sum()) // 2)


def fitted(one: Item, name: str) -> Item:
    """The item of a walk of Solution #3: the program was fitted to it, so no more is claimed than that."""
    boards, (others, alike) = len(table(name).boards), solution3.predicted(name)
    steps = sum(int(table(walk).numbers.max()) - 1 for names in solution3.WALKS.values() for walk in names)
    why = (
        "no independent check: the paper does not print this program, and ours was made to fit the five "
        f"printed walks, {steps:,} steps. What it takes off follows from each of the walks alone. Of "
        f"the {solution3.regular(boards):,} regular programs on {boards} boards that take off the same, "
        f"{others} give the other printed walk{'s' * (boards > 3)}, and {alike} of these give this one: it "
        f"is {'predicted' if others == alike else 'not predicted'}{'. ' * bool(one.why)}{one.why}"
    )
    return replace(one, same="fitted" if one.outcome == "yes" else one.same, why=why)


def where_it_stops() -> Item:
    """The end of the failed tour of Table 10."""
    bad = table("table 10 failed")
    last, most = int(bad.numbers.argmax()), int(bad.numbers.max())
    around = move_graph(bad.board).neighbours(last)
    free = [bad.board.name(int(cell)) for cell in around if not bad.numbers.flat[cell]]
    end, options = bad.board.name(last), ", ".join(free) or "nothing"
    return item(most == 189 and not free, steps=most, end=end, options=options)


@cache
def mistakes() -> Item:
    """The program without its mistakes: where it leaves each printed walk, and what it would be worth."""
    walks = [name for of in solution3.WALKS.values() for name in of]
    rows = [["without", "10 good", "10 bad", "12", "D 1", "D 2", "3 boards", "4 boards"]]
    for mended in solution3.MENDED:
        at = [solution3.apart(name, mended) for name in walks]
        worth = [filled(boards, mended=mended) for boards in solution3.WALKS]
        left = (f"at {k}" if k else "same" for k in at)
        rows.append([mended, *left, *(f"{full}, {good} tours" for full, good in worth)])
    return Item("answered", table=rows)


@cache
def three_rate() -> Item:
    """What the reconstructed program does from all squares of three boards."""
    counts = [filled(3, order) for order in fitting(3)]
    least, most = (tuple(map(of, zip(*counts, strict=True))) for of in (min, max))
    return item("answered", programs=len(counts), least=least, most=most, own=filled(3, jumps(3)))


@cache
def rule(boards: int, degrees: str = "true") -> Item:
    """From how many squares the rule itself finds tours, by the true degrees or by the program's."""
    cells, rates = 64 * boards, []
    for name, piece in ORDERS.items():
        counts = {
            ties: successes(boards, piece, ties, program=degrees == "program") for ties in ("first", "last")
        }
        parts = [f"{n} ({n / cells:.1%}) by the {ties}" for ties, n in counts.items()]
        rates.append(f"{name}: {' and '.join(parts)}")
    return item("answered", cells=cells, rates="; ".join(rates))


# ---- four chess boards, utilities, conclusion


def eleven_and_program() -> Item:
    """Table 11, and the program above it."""
    eleven, program = table("table 11").numbers, program_table(4)
    different = int(np.count_nonzero(eleven != program[:2]))
    return item(
        not different, least=program.min(), most=program.max(), apart=different, printed_most=eleven.max()
    )


def twelve() -> Item:
    """Where Table 12 begins, when it has visited all boards, and which board has the highest numbers."""
    steps = table("table 12").numbers
    first = squares("table 12", (1, 2, 3))
    all_by = max(int(board.min()) for board in steps)
    highest = int(steps.mean(axis=(1, 2)).argmax()) + 1
    right = first[0] == "1:e8" and (first[1][0], first[2][0], highest) == ("2", "4", 4)
    return item(right and all_by < 10, squares=first, all_by=all_by, highest=highest)


def stale() -> Item:
    """The printed steps that are not moves."""
    names = ("table 10 failed", "appendix d 1")
    found = [move for name in names for move in solution3.stale_moves(table(name).numbers)]
    return item(
        not found,
        steps="; ".join(f"{a} to {b}" for a, b, _ in found) or "none",
        explained=sum(ok for *_, ok in found),
        stale=len(found),
    )


@cache
def four_rate() -> Item:
    """The paper's only count of tours, and what can be known of it."""
    counts = sorted(filled(4, order) for order in fitting(4))
    regular = [f"{boards} squares ({right} of them with tours)" for boards, right in counts]
    rates = [
        f"{n} of {cells} ({100 * n / cells} %)"
        for cells in (192, 256)
        for n in range(cells + 1)
        if f"{n / cells:.1%}" == "46.9%"
    ]
    percent = f"{100 * 38 / 256:.1f}"
    return item(
        "no", percent=percent, rates=" or ".join(rates), programs=len(counts), regular=" and ".join(regular)
    )


def traversing() -> Item:
    """How often the printed tours change boards."""
    changes = {}
    for name in ("appendix c 1", "appendix c 2", "table 10 successful", "table 12", "appendix d 2"):
        steps = table(name).numbers
        changes[name] = int(np.count_nonzero(np.diff(in_order(steps) // 64)))
    right = [changes[f"appendix c {k}"] for k in (1, 2)] == [2, 2] and min(list(changes.values())[2:]) > 2
    return item(right, changes=", ".join(f"{name} {count}" for name, count in changes.items()))


@cache
def more(least: int, most: int) -> Item:
    """Success rates on more boards, every start, first minimum, over `ORDERS`."""
    rates, every = [], list[int]()
    for k in range(least, most + 1):
        true, program = (
            [successes(k, piece, "first", program=program) for piece in ORDERS.values()]
            for program in (False, True)
        )
        every += true
        rates.append(
            f"{k} boards: {min(true)} to {max(true)} of {64 * k} by the true degrees, {min(program)} to "
            f"{max(program)} by the program's"
        )
    same = "answered" if most > 6 else all(every)
    return item(same, rates="; ".join(rates), orders=len(ORDERS))


@cache
def own_program() -> Item:
    """What the reconstructed program does on five and six boards."""
    counts = ((k, *filled(k)) for k in (5, 6))
    rates = (f"{k} boards: {full} of {64 * k} filled, {good} of them with tours" for k, full, good in counts)
    return item("answered", rates="; ".join(rates))


# ---- appendices


def appendix_a() -> Item:
    """The program of Appendix A as it is printed, and Table 1."""
    return compare("Appendix A", table("table 1"), flat_degrees(8, 8), steps=False)


def captions(*said: str) -> Item:
    """Where the tours of Appendices C and D begin and end; the captions say it of each in turn."""
    names = ("appendix c 1", "appendix c 2", "appendix d 1", "appendix d 2")
    found = [" to ".join(squares(name, (1, int(table(name).numbers.max())))) for name in names]
    return Item(found == list(said), "; ".join(said), "; ".join(found))
