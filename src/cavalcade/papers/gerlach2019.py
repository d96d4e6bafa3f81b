"""J. R. Gerlach and S. M. Gerlach, The Knight's Tour in 3-Dimensional Chess, 2019, recomputed.

`stacks` has Solutions #1 and #2, `solution3` the reconstruction of #3. Here are the items of the report.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.construction.glue import glue
from cavalcade.papers import PAPERS
from cavalcade.papers.gerlach2015 import CHESS, tours
from cavalcade.papers.items import Item, section
from cavalcade.papers.programs import gluing, utilities
from cavalcade.papers.report import Report
from cavalcade.papers.solution3 import filled, fitting, jumps, program_walks, stale_moves
from cavalcade.papers.stacks import (
    ORDERS,
    a_closed_tour,
    closed_tour,
    flat_degrees,
    program_table,
    solution1,
    successes,
    true_table,
)
from cavalcade.papers.tables import Printed, compare, corrections, is_tour, printed, verify
from cavalcade.question.moves import move_graph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cavalcade.answers.tours import Tour

PAPER = "gerlach2019"
SIZES = ((5, 6), (6, 6), (3, 10), (8, 8), (7, 10), (10, 10), (12, 12), (20, 20))  # of boards to be glued


def _solution1(tables: dict[str, Printed]) -> list[Item]:
    runs = [
        (CHESS.name(8 * (row - 1) + column - 1), boards)
        for (_, row, column), boards in zip(tables["table 3"].numbers.tolist(), (3, 4), strict=True)
    ]
    ran = [
        f"{boards} boards from {start}: {check(solution1(boards, start).tour()).message}"
        for start, boards in runs
    ]
    chains = {start: solution1(200, start) for start in CHESS.names}
    stuck = {start: len(one) for start, one in chains.items() if not one.endless}
    mended = sum(solution1(200, start, mend=True).endless for start in CHESS.names)
    forever = chains["a8"].endless
    loop = [CHESS.name(cell) for cell in chains["a8"].begins]
    return [
        compare("Table 2", tables["table 2"], solution1(2).tour(), "Solution #1 from a8"),
        Item(
            "Table 3",
            "; ".join(ran),
            all(check(solution1(boards, start).tour()) for start, boards in runs),
            printed=f"%ktour from {' and '.join(start for start, _ in runs)}, on three boards and on",
        ),
        Item(
            "Solution #1, any number of boards from a8",
            f"its boards begin on {', '.join(loop)}, then on one of these again: "
            + ("it never ends" if forever else "it gets stuck"),
            forever,
        ),
        Item(
            "Solution #1, any number from any square",
            f"from {64 - len(stuck)} of the 64 squares it never ends, from {len(stuck)} it gets stuck: "
            + "; ".join(
                f"{', '.join(s for s, n in stuck.items() if n == board)} on board {board}"
                for board in sorted(set(stuck.values()))
            ),
            not stuck,
            why="the printed %ktour takes the first minimum. With the last one where that is stuck, as in "
            f"the paper of 2015, it would never end from {mended} of the 64",
        ),
    ]


def _one_board(name: str, table: Printed) -> Item:
    """An item for a tour of one board that the rule gives from its first square."""
    tour = tours("first")[int(table.numbers.argmin())]
    ends = "closed" if tour.end in move_graph(CHESS).neighbours(tour.start) else "open"
    what = f"first minimum from {tour.names[0]}, {ends}"
    return compare(name, table, tour, what)


@cache
def _glued() -> tuple[list[bool], bool]:
    """Which stacks of 1 to 7 and 16 boards the checker accepts; whether each board is a closed tour."""
    stacks = [
        glue(a_closed_tour(*size), levels=boards).tour
        for size in SIZES
        for boards in (1, 2, 3, 4, 5, 6, 7, 16)
    ]
    every = all(is_tour(level, closed=True) for stack in stacks for level in stack.numbering)
    return [bool(check(stack)) for stack in stacks], every


def _solution2(tables: dict[str, Printed]) -> list[Item]:
    closed = closed_tour(CHESS.name(int(tables["table 6"].numbers.argmin())))
    examples = []
    for number in (1, 2, 3):
        table = tables[f"table 6 example {number}"]
        pivot = CHESS.name(int(table.numbers.argmin()))
        new = glue(closed, pivots=[pivot]).tour.numbering[1].astype(np.int64)
        what = f"pivot {pivot}, step {closed.step_of(pivot)}"
        what += ", closed again" if is_tour(new, closed=True) else ", not closed"
        why = "h4 is 41 + 69 = 110; the earlier version of the paper has 112 too" if number == 2 else ""
        examples.append(compare(f"Table 6, example {number}", table, new, what, why, steps=True))
    exercise = tables["table 7"].numbers[0]
    at = tuple(np.argwhere(exercise == 60)[0].tolist())
    seven = glue(closed_tour("b1"), pivots=[CHESS.name(8 * at[0] + at[1])]).tour
    accepted, every = _glued()
    return [
        compare(
            "Table 5",
            tables["table 5"],
            glue(closed_tour("c1"), pivots=["d3"]).tour,
            "closed tour from c1, glued at d3",
        ),
        Item(
            "INCR1 and INCR2 of Table 5",
            f"64 - 58 + 1 = {64 - 58 + 1} and {64 - 58} + 65 = {64 - 58 + 65}",
            (64 - 58, 6 + 65) == (7, 71),
        ),
        _one_board("Table 6, board 1", tables["table 6"]),
        *examples,
        _pivots(closed),
        *gluing(),
        compare(
            "Table 7",
            tables["table 7"],
            seven,
            f"closed tour from b1, pivot 60, INCR1 {64 - 60 + 1}, INCR2 {64 - 60 + 65}",
        ),
        Item(
            "Solution #2, any closed tour, any boards",
            f"the checker accepts {sum(accepted)} of {len(accepted)} stacks: 1 to 7 and 16 boards of "
            + ", ".join(f"{rows}x{columns}" for rows, columns in SIZES)
            + f"; {'every' if every else 'not every'} board by itself is a closed tour",
            bool(all(accepted) and every),
        ),
    ]


def _pivots(closed: Tour) -> Item:
    """The tour of Table 6, from every pivot."""
    stacks = [glue(closed, pivots=[name]).tour for name in CHESS.names]
    good = sum(is_tour(one.numbering[1].astype(np.int64), closed=True) for one in stacks)
    legal = sum(bool(check(one)) for one in stacks)
    reached = CHESS.size - sum(one.cells[0] != closed.start for one in stacks)
    return Item(
        "Any position as the pivot",
        f"{good} of 64 pivots give another closed tour. {reached} can be reached by a move from where "
        f"board 1 ends; for the others it has to begin elsewhere; so {legal} of 64 stacks follow the rules",
        good == legal == 64,
    )


def _degrees(tables: dict[str, Printed]) -> list[Item]:
    """Tables 8 and 9."""
    stack = Board.box(3, 8, 8)
    graph = move_graph(stack)
    items = []
    for (head, *lists), _ in zip(tables["table 8"].boards, range(3), strict=True):
        square, count = head
        listed = {word for words in lists for word in words}
        found = {stack.name(int(cell)) for cell in graph.neighbours(stack.cell(square))}
        missing, extra = sorted(found - listed), sorted(listed - found)
        same = found == listed and len(found) == int(count)
        recomputed = f"{len(found)} moves" + (
            f"; missing in the list: {', '.join(missing)}" if missing else ""
        )
        items.append(
            Item(
                f"Table 8, {square}",
                recomputed + (f"; no moves: {', '.join(extra)}" if extra else ""),
                same,
                printed=f"{count} moves, {len(listed)} listed",
                why="" if same else "Table 9 has 13 on this square, as it should",
            )
        )
    nine, true = tables["table 9"], true_table(3)
    return [
        *items,
        compare("Table 9", nine, true, "degrees on 3x8x8"),
        Item(
            "Moves on three boards, from 6 to 16",
            f"{true.min()} to {true.max()}",
            (true.min(), true.max()) == (6, 16),
        ),
    ]


def _four_degrees(tables: dict[str, Printed]) -> list[Item]:
    """Table 11, and the program above it."""
    eleven, program = tables["table 11"], program_table(4)
    apart = int(np.count_nonzero(eleven.numbers != program[:2]))
    return [
        compare(
            "Table 11",
            eleven,
            true_table(4)[:2],
            "degrees on 4x8x8, levels 1 (= 4) and 2 (= 3)",
        ),
        Item(
            "Table 11 and the printed program",
            f"the program gives {program.min()} to {program.max()} on every level; Table 11 differs from "
            f"it on {apart} of 128 squares, and has {eleven.numbers.max()} on boards 2 and 3",
            "no" if apart else "yes",
        ),
    ]


FITTED = (
    "no independent check: the paper does not print this program, and ours was made to fit the five printed "
    "walks, 1,144 steps"
)


def _program(name: str, table: Printed, *, length: int | None = None, why: str = "") -> list[Item]:
    """Two items for a walk of Solution #3: the program's numbers, and whether it is a tour at all."""
    start = int(np.where(table.numbers > 0, table.numbers, table.numbers.size).argmin())
    walk = program_walks(len(table.boards))[start]
    what = f"the reconstructed program from {walk.names[0]}"
    return [
        compare(name, table, walk, what, why="; ".join(filter(None, (FITTED, why)))),
        verify(f"{name}, move by move", table, length=length),
    ]


def _three_boards(tables: dict[str, Printed]) -> list[Item]:
    """Table 10: a tour and a failed one."""
    good, bad = tables["table 10 successful"], tables["table 10 failed"]
    last = int(bad.numbers.argmax())
    end = bad.board.name(last)
    around = move_graph(bad.board).neighbours(last)
    free = [bad.board.name(int(cell)) for cell in around if not bad.numbers.flat[cell]]
    return [
        *_program(
            "Table 10, successful tour",
            good,
            why="row 1 of board 1 is row 1 of Table 2, in all three transcriptions, so it is a slip of the "
            "paper. There is one way to fill it that makes the rest a tour, and the program finds it",
        ),
        *_program("Table 10, failed tour", bad, length=189),
        Item(
            "Table 10, where the failed tour stops",
            f"step {bad.numbers.max()} on {end}, free from there: {', '.join(free) or 'nothing'}",
            bool(bad.numbers.max() == 189 and not free),
        ),
    ]


def _squares(table: Printed, steps: Sequence[int]) -> list[str]:
    """The squares on which these steps are printed; `nowhere` for a step that is not."""
    at = dict(zip(table.numbers.ravel().tolist(), table.board.names, strict=True))
    return [at.get(step, "nowhere") for step in steps]


def _four_boards(tables: dict[str, Printed]) -> list[Item]:
    twelve = _squares(tables["table 12"], (1, 2, 3))
    stale = [
        move for name in ("table 10 failed", "appendix d 1") for move in stale_moves(tables[name].numbers)
    ]
    return [
        *_program("Table 12", tables["table 12"]),
        Item(
            "Table 12, what the text says of it",
            f"begins on {twelve[0]}; step 2 to step 3 is {twelve[1]} to {twelve[2]}",
            bool(twelve[0] == "1:e8" and (twelve[1][0], twelve[2][0]) == ("2", "4")),
        ),
        Item(
            "Steps that are not moves",
            "; ".join(f"{a} to {b}" for a, b, _ in stale) or "none",
            "no" if stale else "yes",
            why=f"{sum(ok for *_, ok in stale)} of these {len(stale)} would be moves from the level that the "
            "knight had left with the step before. The reconstructed program makes them so: where no move on "
            "the board is free, it jumps from a level that is out of date",
        ),
    ]


def _rates() -> list[Item]:
    return [
        _three_rate(),
        _rule(3, "Table 9", "the true degrees. In the paper's order the rule does not fail from 3:a2"),
        _four_rate(),
        _rule(4, "program's table", "each step takes one off where a knight can come from", program=True),
        _rule(4, "true degrees", "the paper's program for four boards does not start from these"),
        _more("Five and six boards", "the rule holds: Yes, it does", range(5, 7)),
        _more("Seven to twelve boards", "More than six? Probably", range(7, 13)),
    ]


def _rule(boards: int, table: str, why: str, *, program: bool = False) -> Item:
    """From how many squares the rule itself finds tours, to compare with the paper's program."""
    cells = 64 * boards
    rates = [
        f"{name}: "
        + " and ".join(
            f"{(n := successes(boards, piece, ties, program=program))} ({n / cells:.1%}) by the {ties}"
            for ties in ("first", "last")
        )
        for name, piece in ORDERS.items()
    ]
    title = f"{'Three' if boards == 3 else 'Four'} boards, the rule, {table}"
    return Item(
        title,
        f"of {cells} starts: {'; '.join(rates)}",
        "answered",
        printed="not in the paper",
        why=why,
    )


def _three_rate() -> Item:
    """What the reconstructed program does from all squares of three boards."""
    boards, right = filled(3, jumps(3))
    counts = [filled(3, order) for order in fitting(3)]
    (least, fewest), (most, best) = (tuple(map(of, zip(*counts, strict=True))) for of in (min, max))
    return Item(
        "Three boards, the paper's program",
        f"{len(counts)} regular programs give the two printed walks; they fill the boards from {least} to "
        f"{most} of 192 squares, {fewest} to {best} of them with tours",
        "answered",
        why=f"ours, one of them, fills the boards from {boards} squares, {right} of them with tours. A "
        "program is regular if it has one order of the four directions for jumps of one board, and one for "
        "jumps of two, the same on every level; from each level it may try the others in any order",
    )


def _four_rate() -> Item:
    """The paper's only count of tours, and what can be known of it."""
    counts = sorted(filled(4, order) for order in fitting(4))
    regular = [f"{boards} squares ({right} of them with tours)" for boards, right in counts]
    rates = [
        f"{n} of {cells} ({100 * n / cells} %)"
        for cells in (192, 256)
        for n in range(cells + 1)
        if f"{n / cells:.1%}" == "46.9%"
    ]
    return Item(
        "Four boards, the paper's program",
        f"38 of 256 is {100 * 38 / 256:.1f} %; 46.9 % is {' or '.join(rates)}. {len(counts)} regular "
        f"programs give the three printed walks; they fill the boards from {' and '.join(regular)}",
        "no",
    )


def _more(name: str, printed_claim: str, boards: range) -> Item:
    """An item of success rates on more boards, every start, first minimum, over `ORDERS`."""

    def span(k: int, *, program: bool) -> str:
        counts = [successes(k, piece, "first", program=program) for piece in ORDERS.values()]
        return f"{min(counts)} to {max(counts)}"

    rates = [
        f"{k} boards: {span(k, program=False)} of {64 * k} by the true degrees, {span(k, program=True)} by "
        "the program's"
        for k in boards
    ]
    found = all(successes(k, piece, "first", program=False) for k in boards for piece in ORDERS.values())
    return Item(
        name,
        "; ".join(rates),
        "answered" if "Probably" in printed_claim else "yes" if found else "no",
        printed=printed_claim,
        why=f"first minimum, every start, in {len(ORDERS)} orders of the moves; the program's degrees are "
        "those of the printed program for four boards. By 'holds' we understand that tours are found; on "
        "more boards than these nothing is shown",
    )


def _appendices(tables: dict[str, Printed]) -> list[Item]:
    ends = [tuple(_squares(tables[f"appendix {name}"], (1, steps))) for name, steps, *_ in CAPTIONS]
    stack = Board.box(3, 8, 8)
    return [
        Item(
            "Names of the variables",
            f"m238 is {stack.name(_cell(2, 3, 8))}; s341 is {stack.name(_cell(3, 4, 1))}; moves{{n,3,4}} is "
            f"{CHESS.name(_cell(1, 3, 4))}",
            "no",
        ),
        compare("Appendix A", tables["table 1"], flat_degrees(8, 8), "its program, against Table 1"),
        _one_board("Appendix B, tour 1", tables["appendix b 1"]),
        _one_board("Appendix B, tour 2", tables["appendix b 2"]),
        compare(
            "Appendix C, Solution #1", tables["appendix c 1"], solution1(3).tour(), "Solution #1 from a8"
        ),
        compare(
            "Appendix C, Solution #2",
            tables["appendix c 2"],
            glue(closed_tour("a2"), levels=3, pivots=["b2", "a6"]).tour,
            "closed tour from a2, glued at b2 and a6",
        ),
        *_program("Appendix D, first tour", tables["appendix d 1"]),
        *_program("Appendix D, second tour", tables["appendix d 2"]),
        Item(
            "Captions of Appendices C and D",
            "; ".join(f"{start} to {end}" for start, end in ends),
            ends == [(start, end) for *_, start, end in CAPTIONS],
            printed="; ".join(f"{start} to {end}" for *_, start, end in CAPTIONS),
        ),
    ]


#: Appendix, number of its tour, number of steps, start and end as the captions have them.
CAPTIONS = (
    ("c 1", 192, "1:a8", "4:e1"),
    ("c 2", 192, "1:a2", "4:b8"),
    ("d 1", 256, "3:e3", "4:d3"),
    ("d 2", 256, "4:h1", "4:e3"),
)


def _cell(level: int, row: int, column: int) -> int:
    """The cell of the paper's LEVEL, ROW, COLUMN, from 1."""
    return 64 * (level - 1) + 8 * (row - 1) + column - 1


def reproduce() -> Report:
    """Everything that the paper prints, recomputed and compared. A few seconds."""
    tables = printed(PAPER)
    degrees = move_graph(CHESS).degrees.astype(np.int64).reshape(8, 8)
    names, *appendices = _appendices(tables)
    three, four, more = _rates()[:2], _rates()[2:5], _rates()[5:]
    items = [
        *section(PAPER, "Introduction", compare("Table 1", tables["table 1"], degrees, "degrees on 8x8")),
        *section(PAPER, "Solution #1: a simple extension", *_solution1(tables)),
        *section(
            PAPER,
            "Solution #2: the glue method",
            _one_board("Table 4, closed tour", tables["table 4 closed"]),
            _one_board("Table 4, open tour", tables["table 4 open"]),
            *_solution2(tables),
        ),
        *section(
            PAPER,
            "Solution #3: traversing the boards during the tour",
            *_degrees(tables),
            *_three_boards(tables),
            *three,
        ),
        *section(PAPER, "Four chess boards", *_four_degrees(tables), *_four_boards(tables), *four),
        *section(PAPER, "Useful utilities", names, *utilities()),
        *section(PAPER, "Conclusion", *more),
        *section(PAPER, "Appendices", *appendices),
    ]
    return Report(PAPERS[PAPER], tuple(items), tuple(corrections(PAPER)))
