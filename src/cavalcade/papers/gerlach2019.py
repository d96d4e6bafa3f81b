"""Recomputations for J. R. Gerlach and S. M. Gerlach, The Knight's Tour in 3-Dimensional Chess, 2019.

`stacks` implements Solutions #1 and #2, `solution3` reconstructs Solution #3. This module contains the
functions that decide single items of the report. `recompute` compares tables with the output of commands.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations
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


SIZES = (
    (5, 6),
    (6, 6),
    (3, 10),
    (8, 8),
    (7, 10),
    (10, 10),
    (12, 12),
    (20, 20),
)  # boards whose tours are glued
ALL = frozenset(solution3.MISTAKES)  # fixes of all mistakes of Solution #3


def table(name: str) -> Printed:
    """Return a printed table of this paper."""
    return printed("gerlach2019")[name]


def squares(name: str, steps: Sequence[int]) -> list[str]:
    """Return the squares that carry given steps in a table; `nowhere` for a missing step."""
    squares_by_step = dict(zip(table(name).numbers.ravel().tolist(), table(name).board.names, strict=True))
    return [squares_by_step.get(step, "nowhere") for step in steps]


# ---- Solution #1


def start_and_end() -> Item:
    """Check the range of the numbers on each of three boards."""
    ranges = [(int(level.min()), int(level.max())) for level in solution1(3).tour().numbering]
    return item(ranges == [(1, 64), (65, 128), (129, 192)], ranges=ranges)


def steps_of(*claimed: str | int) -> Item:
    """Check the squares of some steps of Solution #1 on three boards; arguments alternate step and square."""
    path = solution1(3).tour().names
    ends = [path[int(step) - 1] for step in claimed[::2]]
    return item(ends == list(claimed[1::2]), ends=ends)


def next_coordinate() -> Item:
    """Compare the start of board 3 with the printed program and with one whose LEAVE ends both loops."""
    row, column = CHESS.coords[CHESS.cell(solution1(3).tour().names[127][2:])].tolist()
    fixed = next((row + a, column) for a in (-2, 2) if 0 <= row + a < 8)
    printed_one = nxtcoord(row, column, 8, 8)
    begins = CHESS.name(int(table("appendix c 1").numbers[2].argmin()))
    names = [
        "nowhere" if position is None else CHESS.name(int(CHESS.locate(position)))
        for position in (fixed, printed_one)
    ]
    return item(begins == names[0], names=names, begins=begins)


def three_and_more() -> Item:
    """Run the macros from the first coordinates of Table 3."""
    starts = [CHESS.name(8 * (row - 1) + column - 1) for _, row, column in table("table 3").numbers.tolist()]
    runs = list(zip(starts, (3, 4), strict=True))
    verdicts = [check(solution1(boards, start).tour()) for start, boards in runs]
    summary = "; ".join(
        f"{boards} boards from {start}: {verdict.message}"
        for (start, boards), verdict in zip(runs, verdicts, strict=True)
    )
    return item(all(verdicts), starts=" and ".join(starts), found=summary)


@cache
def any_square() -> Item:
    """Find the board on which Solution #1 gets stuck, from every square."""
    chains = {start: solution1(200, start) for start in CHESS.names}
    stuck = {start: len(walk) for start, walk in chains.items() if not walk.endless}
    places = (
        f"{', '.join(start for start, n in stuck.items() if n == board)} on board {board}"
        for board in sorted(set(stuck.values()))
    )
    repaired = sum(solution1(200, start, mend=True).endless for start in CHESS.names)
    return item(
        not stuck,
        judged="yes" if repaired == len(chains) else "no",
        endless=len(chains) - len(stuck),
        stuck=len(stuck),
        places="; ".join(places),
        repaired=repaired,
    )


# ---- Solution #2


@cache
def needs_closed() -> Item:
    """Glue open and closed tours of the rule at every square that the last square reaches."""
    flat, stacked = move_graph(CHESS), move_graph(Board.box(2, 8, 8))
    legal = {True: 0, False: 0}
    tried, total = dict(legal), dict(legal)
    for walk in filter(check, (*tours("first"), *tours("last"))):
        closed = walk.start in flat.neighbours(walk.end)
        total[closed] += 1
        for pivot in (int(cell) - 64 for cell in stacked.neighbours(walk.end) if cell >= 64):
            turned = np.roll(walk.cells, -int(np.flatnonzero(walk.cells == pivot)[0]))
            path = np.concatenate([walk.cells, turned + 64])
            tried[closed] += 1
            legal[closed] += bool(check(Tour(Board.box(2, 8, 8), path, closed=False)))
    right = not legal[False] and legal[True] == tried[True]
    return item(right, found=total, tried=tried, good=legal)


def table_5() -> Item:
    """Check the move to board 2, the pivot, and the amounts added to the steps."""
    first, second = table("table 5").numbers
    shifts = [
        (low, high, sorted(set((second - first)[(first >= low) & (first <= high)].tolist())))
        for low, high in ((58, 64), (1, 57))
    ]
    stack = Board.box(2, 8, 8)
    last = stack.cell(f"1:{CHESS.name(int(first.argmax()))}")
    reached = {stack.name(int(cell)) for cell in move_graph(stack).neighbours(last) if cell >= 64}
    right = shifts == [(58, 64, [7]), (1, 57, [71])] and first[5, 3] == 58 and {"2:d3"} < reached
    return item(right, moved=shifts, pivot=first[5, 3], reached=", ".join(sorted(reached)))


@cache
def pivots() -> Item:
    """Glue the tour of Table 6 at every pivot."""
    closed = closed_tour(CHESS.name(int(table("table 6").numbers.argmin())))
    stacks = [glue(closed, pivots=[name]).tour for name in CHESS.names]
    good = sum(is_tour(stack.numbering[1].astype(np.int64), closed=True) for stack in stacks)
    legal = sum(bool(check(stack)) for stack in stacks)
    reached = sum(stack.cells[0] == closed.start for stack in stacks)
    return item(good == legal == 64, good=good, reached=reached, legal=legal)


@cache
def any_closed() -> Item:
    """Glue stacks of 1 to 7 and 16 boards of many sizes; check each stack and each board in it."""
    closed = [tour(f"{rows}x{columns}").tour for rows, columns in SIZES]  # type: ignore[union-attr]
    stacks = [
        glue(flat_tour, levels=boards).tour for flat_tour in closed for boards in (1, 2, 3, 4, 5, 6, 7, 16)
    ]
    all_closed = all(is_tour(level, closed=True) for stack in stacks for level in stack.numbering)
    accepted = sum(bool(check(stack)) for stack in stacks)
    return item(
        accepted == len(stacks) and all_closed,
        accepted=accepted,
        stacks=len(stacks),
        sizes=", ".join(f"{rows}x{columns}" for rows, columns in SIZES),
        every="every" if all_closed else "not every",
    )


def isomorphic() -> Item:
    """Check that the second boards of Tables 5 and 7 have the same cycle as the first."""
    same = 0
    for name in ("table 5", "table 7"):
        first, second = (np.argsort(board.ravel()).tolist() for board in table(name).numbers)
        offset = second.index(first[0])
        same += second[offset:] + second[:offset] == first
    return item(same == 2, boards=same)


# ---- Solution #3


def listed_moves(square: str) -> Item:
    """Compare a list of moves in Table 8, and its stated length, with the move graph."""
    stack = Board.box(3, 8, 8)
    (_, count), *lists = next(board for board in table("table 8").boards if board[0][0] == square)
    listed = {word for words in lists for word in words}
    moves = {stack.name(int(cell)) for cell in move_graph(stack).neighbours(stack.cell(square))}
    wrong = (("missing in the list", moves - listed), ("no moves", listed - moves))
    parts = [
        f"{len(moves)} moves",
        *(f"{what}: {', '.join(sorted(squares_of))}" for what, squares_of in wrong if squares_of),
    ]
    same = moves == listed and len(moves) == int(count)
    return Item(same, f"{count} moves, {len(listed)} listed", "; ".join(parts))


def from_6_to_16() -> Item:
    """Compute the least and the largest number of moves on three boards."""
    degrees = move_graph(Board.box(3, 8, 8)).degrees
    ends = int(degrees.min()), int(degrees.max())
    return item(ends == (6, 16), ends=ends)


def symmetric() -> Item:
    """Check the symmetries of Table 9: rotations, reflections, and exchange of the end levels."""
    degrees = table("table 9").numbers
    turned = [np.rot90(degrees, k, axes=(1, 2)) for k in range(4)]
    images = [degrees[::-1], *turned, *(rotated.swapaxes(1, 2) for rotated in turned)]
    return item(all(np.array_equal(degrees, rotated) for rotated in images))


@cache
def jumped(boards: int, *claimed: str) -> Item:
    """List the distances in levels that the moves from each level cover, the first level first."""
    stack = Board.box(boards, 8, 8)
    level, away = stack.coords[:, 0], [set[int]() for _ in claimed]
    for cell in range(stack.size):
        away[level[cell]] |= set(abs(level[move_graph(stack).neighbours(cell)] - level[cell]).tolist())
    distances = [", ".join(map(str, sorted(levels))) for levels in away]
    return item(distances == list(claimed), jumped=["", *distances])


@cache
def straight_on() -> Item:
    """Check points 4 and 6: every move to another board goes straight up, then straight on."""
    stack = Board.box(3, 8, 8)
    graph = move_graph(stack)
    ways = np.array(
        [abs(stack.coords[a] - stack.coords[b]) for a in range(stack.size) for b in graph.neighbours(a)]
    )
    between = ways[ways[:, 0] > 0]
    straight = (between[:, 1:].min(axis=1) == 0) & (between[:, 1:].max(axis=1) == 3 - between[:, 0])
    return item(bool(straight.all()), moves=len(between) // 2, straight=int(straight.sum()) // 2)


def fitted(result: Item, name: str) -> Item:
    """Limit the claim for a walk of Solution #3, because the program was fitted to the printed walks."""
    boards, (candidates, alike) = len(table(name).boards), solution3.predicted(name)
    steps = sum(int(table(walk).numbers.max()) - 1 for names in solution3.WALKS.values() for walk in names)
    why = (
        "no independent check: the paper does not print this program, and ours was made to fit the five "
        f"printed walks, {steps:,} steps. What it takes off follows from each of the walks alone. Of "
        f"the {solution3.regular(boards):,} regular programs on {boards} boards that take off the same, "
        f"{candidates} give the other printed walk{'s' * (boards > 3)}, and {alike} of these give this one: "
        f"it is {'not ' * (candidates != alike)}predicted{'. ' * bool(result.why)}{result.why}"
    )
    same = "fitted" if result.outcome == "yes" else result.same
    return replace(result, same=same, judged="yes" if candidates == alike else "open", why=why)


def where_it_stops() -> Item:
    """Check the end of the failed tour of Table 10."""
    bad = table("table 10 failed")
    last, last_step = int(bad.numbers.argmax()), int(bad.numbers.max())
    around = move_graph(bad.board).neighbours(last)
    free = [bad.board.name(int(cell)) for cell in around if not bad.numbers.flat[cell]]
    square, options = bad.board.name(last), ", ".join(free) or "nothing"
    return item(last_step == 189 and not free, steps=last_step, end=square, options=options)


@cache
def mistakes() -> Item:
    """Fix every set of the mistakes: where the program leaves the printed walks, and its successes."""
    walks = [name for of in solution3.WALKS.values() for name in of]
    rows = [["fixed", "10 good", "10 bad", "12", "D 1", "D 2", "3 boards", "4 boards"]]
    for size in range(len(solution3.MISTAKES) + 1):
        for fixes in map(frozenset, combinations(solution3.MISTAKES, size)):
            departures = [solution3.apart(name, fixes) for name in walks]
            successful = [filled(boards, fixes=fixes) for boards in solution3.WALKS]
            steps = (f"at {step}" if step else "same" for step in departures)
            counts = (f"{full}, {good} tours" for full, good in successful)
            rows.append([" ".join(map(str, sorted(fixes))) or "none", *steps, *counts])
    return Item("answered", table=rows)


@cache
def all_fixed(least: int, most: int) -> Item:
    """Count the tours of the program without its mistakes from every start."""
    counts = {boards: filled(boards, fixes=ALL) for boards in range(least, most + 1)}
    rates = (f"{good} of {64 * boards} on {boards} boards" for boards, (_, good) in counts.items())
    return item("answered", rates=", ".join(rates))


@cache
def three_rate() -> Item:
    """Count the tours of the reconstructed programs from all squares of three boards."""
    counts = [filled(3, order) for order in fitting(3)]
    least, most = (tuple(map(extreme, zip(*counts, strict=True))) for extreme in (min, max))
    return item("answered", programs=len(counts), least=least, most=most, own=filled(3, jumps(3)))


@cache
def rule(boards: int, degrees: str = "true") -> Item:
    """Count the squares from which the rule finds a tour, by true degrees or the degrees of the program."""
    cells, rates = 64 * boards, []
    for name, piece in ORDERS.items():
        counts = {
            ties: successes(boards, piece, ties, program=degrees == "program") for ties in ("first", "last")
        }
        counts_by_ties = [f"{n} ({n / cells:.1%}) by the {ties}" for ties, n in counts.items()]
        rates.append(f"{name}: {' and '.join(counts_by_ties)}")
    return item("answered", cells=cells, rates="; ".join(rates))


# ---- four chess boards, utilities, conclusion


def eleven_and_program() -> Item:
    """Compare Table 11 with the program above it."""
    eleven, program = table("table 11").numbers, program_table(4)
    different = int(np.count_nonzero(eleven != program[:2]))
    return item(
        not different, least=program.min(), most=program.max(), apart=different, printed_most=eleven.max()
    )


def twelve() -> Item:
    """Check the start of Table 12, the step that visits the last board, and the highest board."""
    steps = table("table 12").numbers
    first = squares("table 12", (1, 2, 3))
    all_visited = max(int(board.min()) for board in steps)
    highest = int(steps.mean(axis=(1, 2)).argmax()) + 1
    right = first[0] == "1:e8" and (first[1][0], first[2][0], highest) == ("2", "4", 4)
    return item(right and all_visited < 10, squares=first, all_by=all_visited, highest=highest)


def stale() -> Item:
    """List the printed steps that are not moves."""
    names = ("table 10 failed", "appendix d 1")
    wrong_moves = [move for name in names for move in solution3.stale_moves(table(name).numbers)]
    return item(
        not wrong_moves,
        steps="; ".join(f"{a} to {b}" for a, b, _ in wrong_moves) or "none",
        explained=sum(ok for *_, ok in wrong_moves),
        stale=len(wrong_moves),
    )


@cache
def four_rate() -> Item:
    """Compare the only printed success rate with the fitting programs."""
    counts = sorted(filled(4, order) for order in fitting(4))
    regular = [f"{filled_squares} squares ({right} of them with tours)" for filled_squares, right in counts]
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
    """Count how often the printed tours change boards."""
    changes = {}
    for name in ("appendix c 1", "appendix c 2", "table 10 successful", "table 12", "appendix d 2"):
        steps = table(name).numbers
        changes[name] = int(np.count_nonzero(np.diff(in_order(steps) // 64)))
    as_stated = [changes[f"appendix c {k}"] for k in (1, 2)] == [2, 2] and min(list(changes.values())[2:]) > 2
    return item(as_stated, changes=", ".join(f"{name} {count}" for name, count in changes.items()))


@cache
def more(least: int, most: int) -> Item:
    """Count the tours on more boards from every start, by the paper's program and by the rule."""
    rates, tours_of_program, tours_of_rule = [], list[int](), list[int]()
    for boards in range(least, most + 1):
        full, good = filled(boards)
        counts = [successes(boards, piece, "first", program=False) for piece in ORDERS.values()]
        tours_of_program.append(good)
        tours_of_rule += counts
        rates.append(
            f"{boards} boards: the paper's program fills them from {full} of {64 * boards} squares, {good} "
            f"of them with tours; the rule tours from {min(counts)} to {max(counts)}"
        )
    judged = "yes" if all(tours_of_rule) else "no"
    return item(all(tours_of_program), judged=judged, rates="; ".join(rates), orders=len(ORDERS))


# ---- appendices


def appendix_a() -> Item:
    """Compare the program of Appendix A, as printed, with Table 1."""
    return compare("Appendix A", table("table 1"), flat_degrees(8, 8), steps=False)


def captions(*claimed: str) -> Item:
    """Check the first and last squares in the captions of Appendices C and D."""
    names = ("appendix c 1", "appendix c 2", "appendix d 1", "appendix d 2")
    positions = [" to ".join(squares(name, (1, int(table(name).numbers.max())))) for name in names]
    return Item(positions == list(claimed), "; ".join(claimed), "; ".join(positions))
