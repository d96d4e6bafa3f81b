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
from cavalcade.papers.gerlach2015 import CHESS, tours
from cavalcade.papers.items import Item, item
from cavalcade.papers.programs import utilities
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
from cavalcade.papers.tables import Printed, compare, is_tour, printed, verify
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
    ran = {run: check(solution1(run[1], run[0]).tour()) for run in runs}
    chains = {start: solution1(200, start) for start in CHESS.names}
    stuck = {start: len(one) for start, one in chains.items() if not one.endless}
    places = (
        f"{', '.join(start for start, n in stuck.items() if n == board)} on board {board}"
        for board in sorted(set(stuck.values()))
    )
    return [
        compare("Table 2", tables["table 2"], solution1(2).tour(), "Solution #1 from a8"),
        Item(
            "Table 3",
            "; ".join(
                f"{boards} boards from {start}: {ran[start, boards].message}" for start, boards in runs
            ),
            all(ran.values()),
            f"%ktour from {' and '.join(start for start, _ in runs)}, on three boards and on",
        ),
        item(
            "Solution #1, any number of boards from a8",
            chains["a8"].endless,
            loop=", ".join(map(CHESS.name, chains["a8"].begins)),
            ends="it never ends" if chains["a8"].endless else "it gets stuck",
        ),
        item(
            "Solution #1, any number from any square",
            not stuck,
            endless=64 - len(stuck),
            stuck=len(stuck),
            places="; ".join(places),
            mended=sum(solution1(200, start, mend=True).endless for start in CHESS.names),
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
        examples.append(compare(f"Table 6, example {number}", table, new, what, steps=True))
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
        item("INCR1 and INCR2 of Table 5", (64 - 58, 6 + 65) == (7, 71)),
        _one_board("Table 6, board 1", tables["table 6"]),
        *examples,
        _pivots(closed),
        item("%glue, its last statement"),
        compare(
            "Table 7",
            tables["table 7"],
            seven,
            f"closed tour from b1, pivot 60, INCR1 {64 - 60 + 1}, INCR2 {64 - 60 + 65}",
        ),
        item(
            "Solution #2, any closed tour, any boards",
            all(accepted) and every,
            accepted=sum(accepted),
            stacks=len(accepted),
            sizes=", ".join(f"{rows}x{columns}" for rows, columns in SIZES),
            every="every" if every else "not every",
        ),
    ]


def _pivots(closed: Tour) -> Item:
    """The tour of Table 6, from every pivot."""
    stacks = [glue(closed, pivots=[name]).tour for name in CHESS.names]
    good = sum(is_tour(one.numbering[1].astype(np.int64), closed=True) for one in stacks)
    legal = sum(bool(check(one)) for one in stacks)
    reached = sum(one.cells[0] == closed.start for one in stacks)
    return item("Any position as the pivot", good == legal == 64, good=good, reached=reached, legal=legal)


def _degrees(tables: dict[str, Printed]) -> list[Item]:
    """Tables 8 and 9."""
    stack = Board.box(3, 8, 8)
    graph = move_graph(stack)
    items = []
    for (head, *lists), _ in zip(tables["table 8"].boards, range(3), strict=True):
        square, count = head
        listed = {word for words in lists for word in words}
        found = {stack.name(int(cell)) for cell in graph.neighbours(stack.cell(square))}
        wrong = (("missing in the list", found - listed), ("no moves", listed - found))
        parts = [
            f"{len(found)} moves",
            *(f"{what}: {', '.join(sorted(some))}" for what, some in wrong if some),
        ]
        same = found == listed and len(found) == int(count)
        claim = f"{count} moves, {len(listed)} listed"
        items.append(Item(f"Table 8, {square}", "; ".join(parts), same, claim))
    true = true_table(3)
    least, most = true.min(), true.max()
    return [
        *items,
        compare("Table 9", tables["table 9"], true, "degrees on 3x8x8"),
        Item("Moves on three boards, from 6 to 16", f"{least} to {most}", bool((least, most) == (6, 16))),
    ]


def _four_degrees(tables: dict[str, Printed]) -> list[Item]:
    """Table 11, and the program above it."""
    eleven, program = tables["table 11"], program_table(4)
    apart = int(np.count_nonzero(eleven.numbers != program[:2]))
    return [
        compare("Table 11", eleven, true_table(4)[:2], "degrees on 4x8x8, levels 1 (= 4) and 2 (= 3)"),
        item(
            "Table 11 and the printed program",
            not apart,
            least=program.min(),
            most=program.max(),
            apart=apart,
            printed_most=eleven.numbers.max(),
        ),
    ]


def _program(name: str, table: Printed, *, length: int | None = None) -> list[Item]:
    """Two items for a walk of Solution #3: the program's numbers, and whether it is a tour at all."""
    start = int(np.where(table.numbers > 0, table.numbers, table.numbers.size).argmin())
    walk = program_walks(len(table.boards))[start]
    what = f"the reconstructed program from {walk.names[0]}"
    return [compare(name, table, walk, what), verify(f"{name}, move by move", table, length=length)]


def _three_boards(tables: dict[str, Printed]) -> list[Item]:
    """Table 10: a tour and a failed one."""
    good, bad = tables["table 10 successful"], tables["table 10 failed"]
    last = int(bad.numbers.argmax())
    end = bad.board.name(last)
    around = move_graph(bad.board).neighbours(last)
    free = [bad.board.name(int(cell)) for cell in around if not bad.numbers.flat[cell]]
    most = int(bad.numbers.max())
    options = ", ".join(free) or "nothing"
    return [
        *_program("Table 10, successful tour", good),
        *_program("Table 10, failed tour", bad, length=189),
        item(
            "Table 10, where the failed tour stops",
            most == 189 and not free,
            steps=most,
            end=end,
            options=options,
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
        item(
            "Table 12, what the text says of it",
            twelve[0] == "1:e8" and (twelve[1][0], twelve[2][0]) == ("2", "4"),
            squares=twelve,
        ),
        item(
            "Steps that are not moves",
            not stale,
            steps="; ".join(f"{a} to {b}" for a, b, _ in stale) or "none",
            explained=sum(ok for *_, ok in stale),
            stale=len(stale),
        ),
    ]


def _rates() -> list[Item]:
    return [
        _three_rate(),
        _rule(3, "Table 9"),
        _four_rate(),
        _rule(4, "program's table", program=True),
        _rule(4, "true degrees"),
        _more("Five and six boards", "the rule holds: Yes, it does", range(5, 7)),
        _more("Seven to twelve boards", "More than six? Probably", range(7, 13)),
    ]


def _rule(boards: int, table: str, *, program: bool = False) -> Item:
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
    name = f"{'Three' if boards == 3 else 'Four'} boards, the rule, {table}"
    return Item(name, f"of {cells} starts: {'; '.join(rates)}", "answered", "not in the paper")


def _three_rate() -> Item:
    """What the reconstructed program does from all squares of three boards."""
    counts = [filled(3, order) for order in fitting(3)]
    least, most = (tuple(map(of, zip(*counts, strict=True))) for of in (min, max))
    own = filled(3, jumps(3))
    name = "Three boards, the paper's program"
    return item(name, "answered", programs=len(counts), least=least, most=most, own=own)


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
    return item(
        "Four boards, the paper's program",
        "no",
        percent=f"{100 * 38 / 256:.1f}",
        rates=" or ".join(rates),
        programs=len(counts),
        regular=" and ".join(regular),
    )


def _more(name: str, printed_claim: str, boards: range) -> Item:
    """An item of success rates on more boards, every start, first minimum, over `ORDERS`."""
    rates, every = [], list[int]()
    for k in boards:
        true, table = (
            [successes(k, piece, "first", program=program) for piece in ORDERS.values()]
            for program in (False, True)
        )
        every += true
        rates.append(
            f"{k} boards: {min(true)} to {max(true)} of {64 * k} by the true degrees, {min(table)} to "
            f"{max(table)} by the program's"
        )
    same = "answered" if "Probably" in printed_claim else all(every)
    return item(name, same, rates="; ".join(rates), orders=len(ORDERS))


def _appendices(tables: dict[str, Printed]) -> list[Item]:
    ends = [tuple(_squares(tables[f"appendix {name}"], (1, steps))) for name, steps, *_ in CAPTIONS]
    claimed = [(start, end) for *_, start, end in CAPTIONS]
    found, captions = ("; ".join(f"{start} to {end}" for start, end in some) for some in (ends, claimed))
    glued = glue(closed_tour("a2"), levels=3, pivots=["b2", "a6"]).tour
    stack = Board.box(3, 8, 8)
    m238, s341 = (stack.name(int(stack.locate(at))) for at in ((1, 2, 7), (2, 3, 0)))
    return [
        item(
            "Names of the variables", "no", m238=m238, s341=s341, moves=CHESS.name(int(CHESS.locate((2, 3))))
        ),
        compare("Appendix A", tables["table 1"], flat_degrees(8, 8), "its program, against Table 1"),
        *(_one_board(f"Appendix B, tour {k}", tables[f"appendix b {k}"]) for k in (1, 2)),
        compare(
            "Appendix C, Solution #1", tables["appendix c 1"], solution1(3).tour(), "Solution #1 from a8"
        ),
        compare(
            "Appendix C, Solution #2",
            tables["appendix c 2"],
            glued,
            "closed tour from a2, glued at b2 and a6",
        ),
        *_program("Appendix D, first tour", tables["appendix d 1"]),
        *_program("Appendix D, second tour", tables["appendix d 2"]),
        Item("Captions of Appendices C and D", found, ends == claimed, captions),
    ]


#: Appendix, number of its tour, number of steps, start and end as the captions have them.
CAPTIONS = (
    ("c 1", 192, "1:a8", "4:e1"),
    ("c 2", 192, "1:a2", "4:b8"),
    ("d 1", 256, "3:e3", "4:d3"),
    ("d 2", 256, "4:h1", "4:e3"),
)


def sections() -> dict[str, list[Item]]:
    """Everything that the paper prints, recomputed and compared, section by section. A few seconds."""
    tables = printed(PAPER)
    degrees = move_graph(CHESS).degrees.astype(np.int64).reshape(8, 8)
    names, *appendices = _appendices(tables)
    rates = _rates()
    flat = [_one_board(f"Table 4, {kind} tour", tables[f"table 4 {kind}"]) for kind in ("closed", "open")]
    four = [*_four_degrees(tables), *_four_boards(tables), *rates[2:5]]
    return {
        "Introduction": [compare("Table 1", tables["table 1"], degrees, "degrees on 8x8")],
        "Solution #1: a simple extension": _solution1(tables),
        "Solution #2: the glue method": [*flat, *_solution2(tables)],
        "Solution #3: traversing the boards during the tour": [
            *_degrees(tables),
            *_three_boards(tables),
            *rates[:2],
        ],
        "Four chess boards": four,
        "Useful utilities": [names, *utilities()],
        "Conclusion": rates[5:],
        "Appendices": appendices,
    }
