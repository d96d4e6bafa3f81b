"""J. R. Gerlach and S. M. Gerlach, The Knight's Tour in 3-Dimensional Chess, 2019, recomputed.

Solution #1 tours one board after the other, each by Warnsdorff's rule. Solution #2 ("glue") renumbers a
closed tour for every further board. Solution #3 walks by the rule through all boards at once; its
program is not printed, `solution3` reconstructs it.

A stack of boards is the box `boards x 8 x 8`; the knight moves as on any box, so one board up or down
and two squares straight on, or two boards and one square.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Undecided
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.errors import CellError
from cavalcade.find.join import join
from cavalcade.find.warnsdorff import walks
from cavalcade.graph import move_graph
from cavalcade.papers import PAPERS
from cavalcade.papers.gerlach2015 import CHESS, tours
from cavalcade.papers.report import Item, Report
from cavalcade.papers.solution3 import ON_BOARD, STEPS, data_step, straight
from cavalcade.papers.tables import Printed, compare, corrections, is_tour, printed, verify
from cavalcade.pieces import KNIGHT, Piece
from cavalcade.problem import Problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

PAPER = "gerlach2019"

# ---- Solution #1: one board after the other


def nxtcoord(row: int, column: int) -> tuple[int, int]:
    """The macro %nxtcoord: where the next board's tour begins, given where this one ends (from 0).

    Its LEAVE leaves the inner loop only, so the outer one goes on and overwrites what was found: two
    rows down the page wins wherever that is on the board. On the last two rows it is two columns to the
    left, and on their first two columns two rows up.
    """
    found: tuple[int, int] | None = None
    for step1 in (-2, 2):
        for step2 in (-2, 2):
            if 0 <= row + step1 < 8:
                found = (row + step1, column)
            elif 0 <= column + step2 < 8:
                found = (row, column + step2)
            if found != (row, column):
                break
    if found is None:  # not on 8x8: two rows up or down is always on the board
        raise CellError(f"no square two away from row {row}, column {column}, expected both from 0 to 7")
    return found


def solution1(boards: int, start: str = "a8") -> Tour:
    """A tour of so many boards: %ktour, %nxtcoord, %ktour ... It is partial where the rule gets stuck."""
    stack = Board.box(boards, 8, 8)
    cell, cells = CHESS.cell(start), []
    for level in range(boards):
        tour = tours("first")[cell]
        cells.append(tour.cells + 64 * level)
        if len(tour) < 64:
            break
        cell = int(CHESS.locate(np.array(nxtcoord(*CHESS.coords[tour.end].tolist()))))
    return Tour(stack, np.concatenate(cells), closed=False)


def chain(start: int) -> tuple[list[int], bool]:
    """The squares on which Solution #1 begins its boards, until one comes again or the rule is stuck.

    The second value tells whether it goes on for ever.
    """
    begun: list[int] = []
    while start not in begun:
        begun.append(start)
        tour = tours("first")[start]
        if len(tour) < 64:
            return begun, False
        start = int(CHESS.locate(np.array(nxtcoord(*CHESS.coords[tour.end].tolist()))))
    return begun, True


# ---- Solution #2: glue


def glue(numbers: NDArray[np.int64], pivot: tuple[int, int]) -> NDArray[np.int64]:
    """The macro %glue: the numbering of the next board.

    The pivot's step becomes the first of the new board; steps before it follow after the last. INCR1 is
    added to the pivotal value and above, INCR2 to what is below.

    Args:
        numbers: a closed tour's numbering, from any first step, on a board of any size.
        pivot: row and column, from 0.
    """
    value = int(numbers[pivot])
    incr1 = int(numbers.max()) - value + 1
    incr2 = incr1 + numbers.size
    return np.where(numbers >= value, numbers + incr1, numbers + incr2)


def solution2(tour: Tour, boards: int, pivots: Sequence[str] = ()) -> Tour:
    """Any closed tour of a flat board, glued to a tour of so many boards.

    Args:
        tour: the closed tour of the first board, of any size.
        boards: how many boards.
        pivots: where the second and further boards begin. Without it, the first square, in the order of
            the knight's moves, that is a legal move from the end of the board below.

    Raises:
        CellError: the tour is not closed, or a pivot is no legal move.
    """
    board = tour.board
    if not isinstance(board, Board) or board.dimensions != 2 or not tour.closed or not check(tour):
        raise CellError(f"{tour!r} cannot be glued, expected a closed tour of a flat board")
    levels = [tour.numbering.astype(np.int64)]
    for level in range(1, boards):
        row, column = (int(i) for i in np.argwhere(levels[-1] == levels[-1].max())[0])
        near = [(row - 2, column), (row, column - 2), (row, column + 2), (row + 2, column)]
        legal = [board.name(int(cell)) for cell in board.locate(np.array(near)) if cell >= 0]
        chosen = pivots[level - 1] if level <= len(pivots) else legal[0]
        if chosen not in legal:
            raise CellError(
                f"pivot {chosen!r} is no move from the end of board {level}, expected {', '.join(legal)}"
            )
        at = board.coords[board.cell(chosen)]
        levels.append(glue(levels[-1], (int(at[0]), int(at[1]))))
    return Tour.from_numbering(Board.box(boards, *board.shape), np.stack(levels), closed=False)


# ---- Solution #3: through all boards at once


def ordered(*order: int) -> Piece:
    """The knight in three dimensions with its moves in an order of levels: 0 is on the board."""
    kinds = [ON_BOARD if k == 0 else straight(k, 3 - abs(k)) for k in order]
    return Piece(moves=tuple(move for kind in kinds for move in kind))


#: Orders of the moves. The paper describes the first: on the board, then one board away, then two.
ORDERS = {
    "on the board, one away, two away": ordered(0, -1, 1, -2, 2),
    "two away, one away, on the board": ordered(-2, 2, -1, 1, 0),
    "by level, from below": KNIGHT,
}


def single_table() -> NDArray[np.int64]:
    """KNIGHTMOVES as the program of Appendix A counts, for one board."""
    table = np.zeros((8, 8), dtype=np.int64)
    for r in range(8):
        for c in range(8):
            for _, a, b in ON_BOARD:
                table[r, c] += 0 <= r + a < 8 and 0 <= c + b < 8
    return table


def program_table(boards: int) -> NDArray[np.int64]:
    """KNIGHTMOVES as the printed four-board program counts: every level the same, 16 at most."""
    table = single_table()
    for r in range(8):
        for c in range(8):
            for step in STEPS:
                table[r, c] += (0 <= r + step < 8) + (0 <= c + step < 8)
    return np.stack([table] * boards)


def true_table(boards: int) -> NDArray[np.int64]:
    """The degrees of the knight's move graph on so many boards."""
    return move_graph(Board.box(boards, 8, 8)).degrees.astype(np.int64).reshape(boards, 8, 8)


@cache
def successes(boards: int, piece: Piece, ties: str, *, program: bool) -> int:
    """From how many squares the rule finds a tour, by the program's table or by the true one."""
    graph = move_graph(Board.box(boards, 8, 8), piece)
    table = program_table(boards) if program else None
    found = walks(graph, range(graph.size), ties=ties, degrees=table, count_start=False)
    return sum(len(path) == graph.size for path in found)


# ---- the items


def _solution1(tables: dict[str, Printed]) -> list[Item]:
    runs = [
        (CHESS.name(8 * (row - 1) + column - 1), boards)
        for (_, row, column), boards in zip(tables["table 3"].numbers.tolist(), (3, 4), strict=True)
    ]
    ran = [
        f"{boards} boards from {start}: {check(solution1(boards, start)).message}" for start, boards in runs
    ]
    sixteen = check(solution1(16))
    chains = {CHESS.name(cell): chain(cell) for cell in range(64)}
    stuck = {start: len(begun) for start, (begun, forever) in chains.items() if not forever}
    begun, forever = chains["a8"]
    loop = [CHESS.name(cell) for cell in begun]
    return [
        compare(
            "Table 2", tables["table 2"], solution1(2).numbering.astype(np.int64), what="Solution #1 from a8"
        ),
        Item(
            "Table 3",
            f"%ktour from {' and '.join(start for start, _ in runs)}, on three boards and on",
            "; ".join(ran),
            "yes" if all(check(solution1(boards, start)) for start, boards in runs) else "no",
        ),
        Item(
            "Solution #1, any number of boards",
            "can proceed ad infinitum",
            f"16 boards from a8: {sixteen.message}. Boards from a8 begin on {', '.join(loop)}, then on "
            f"one of these again: {'it never ends' if forever else 'it gets stuck'}. Of the 64 first "
            f"squares {64 - len(stuck)} go on for ever",
            "yes" if sixteen and forever else "no",
            "not from every square: "
            + ", ".join(
                f"{start} is stuck on board {boards}" for start, boards in sorted(stuck.items(), key=_last)
            )
            if stuck
            else "",
        ),
    ]


def _last(pair: tuple[str, int]) -> tuple[int, str]:
    return pair[1], pair[0]


def _one_board(name: str, table: Printed) -> Item:
    """An item for a tour of one board that the rule gives from its first square."""
    tour = tours("first")[int(table.numbers.argmin())]
    ends = "closed" if tour.end in move_graph(CHESS).neighbours(tour.start) else "open"
    what = f"first minimum from {tour.names[0]}, {ends}"
    return compare(name, table, tour.numbering.astype(np.int64), what=what)


def closed_tour(start: str) -> Tour:
    """The rule's tour of the chessboard from a square, as a closed one."""
    return Tour(CHESS, tours("first")[CHESS.cell(start)].cells, closed=True)


def _solution2(tables: dict[str, Printed]) -> list[Item]:
    first = tables["table 6"].numbers
    examples = []
    for number in (1, 2, 3):
        table = tables[f"table 6 example {number}"]
        row, column = divmod(int(table.numbers.argmin()), 8)
        new = glue(first, (row, column))
        what = f"pivot {CHESS.name(8 * row + column)}, step {first[row, column]}"
        what += ", closed again" if is_tour(new, closed=True) else ", not closed"
        why = "h4 is 41 + 69 = 110; the earlier version of the paper has 112 too" if number == 2 else ""
        examples.append(compare(f"Table 6, example {number}", table, new, what=what, why=why))
    exercise = tables["table 7"].numbers[0]
    at = tuple(np.argwhere(exercise == 60)[0].tolist())
    seven = solution2(closed_tour("b1"), 2, [CHESS.name(8 * at[0] + at[1])])
    sizes = ((5, 6), (6, 6), (3, 10), (8, 8), (7, 10), (10, 10), (12, 12), (20, 20))
    stacks = [
        solution2(a_closed_tour(*size), boards) for size in sizes for boards in (1, 2, 3, 4, 5, 6, 7, 16)
    ]
    accepted = [bool(check(stack)) for stack in stacks]
    closed = all(is_tour(level, closed=True) for stack in stacks for level in stack.numbering)
    return [
        compare(
            "Table 5",
            tables["table 5"],
            solution2(closed_tour("c1"), 2, ["d3"]).numbering.astype(np.int64),
            what="closed tour from c1, glued at d3",
        ),
        Item(
            "INCR1 and INCR2 of Table 5",
            "64 - 58 = 7 and 6 + 65 = 71",
            f"64 - 58 + 1 = {64 - 58 + 1} and {64 - 58} + 65 = {64 - 58 + 65}",
            "yes" if (64 - 58 + 1, 64 - 58 + 65) == (7, 71) else "no",
            "the two values are right; the first line of arithmetic leaves out its + 1",
        ),
        _one_board("Table 6, board 1", tables["table 6"]),
        *examples,
        compare(
            "Table 7",
            tables["table 7"],
            seven.numbering.astype(np.int64),
            what=f"closed tour from b1, pivot 60, INCR1 {64 - 60 + 1}, INCR2 {64 - 60 + 65}",
        ),
        Item(
            "Solution #2, any closed tour, any boards",
            "the result is always another closed tour",
            f"the checker accepts {sum(accepted)} of {len(accepted)} stacks: 1 to 7 and 16 boards of "
            + ", ".join(f"{rows}x{columns}" for rows, columns in sizes)
            + f"; {'every' if closed else 'not every'} board by itself is a closed tour",
            "yes" if all(accepted) and closed else "no",
        ),
    ]


def a_closed_tour(rows: int, columns: int) -> Tour:
    """A closed tour of a board, to be glued."""
    board = Board.box(rows, columns)
    found = join(Problem(board))
    if isinstance(found, Undecided):
        raise CellError(f"no closed tour of {board.title} was found: {found.reason}")
    return Tour(board, found, closed=True)


def _degrees(tables: dict[str, Printed]) -> list[Item]:
    """Tables 8 and 9."""
    stack = Board.box(3, 8, 8)
    graph = move_graph(stack)
    items = []
    for (head, *lists), _ in zip(tables["table 8"].boards, range(3), strict=True):
        square, count = head
        told = {word for words in lists for word in words}
        found = {stack.name(int(cell)) for cell in graph.neighbours(stack.cell(square))}
        missing, extra = sorted(found - told), sorted(told - found)
        same = found == told and len(found) == int(count)
        recomputed = f"{len(found)} moves" + (
            f"; missing in the list: {', '.join(missing)}" if missing else ""
        )
        items.append(
            Item(
                f"Table 8, {square}",
                f"{count} moves, {len(told)} listed",
                recomputed + (f"; no moves: {', '.join(extra)}" if extra else ""),
                "yes" if same else "no",
                "" if same else "Table 9 has 13 on this square, as it should",
            )
        )
    nine, true = tables["table 9"], true_table(3)
    return [
        *items,
        compare("Table 9", nine, true, what="degrees on 3x8x8"),
        Item(
            "Moves on three boards, from 6 to 16",
            "6 to 16",
            f"{true.min()} to {true.max()}",
            "yes" if (true.min(), true.max()) == (6, 16) else "no",
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
            what="degrees on 4x8x8, levels 1 (= 4) and 2 (= 3)",
            why="boards 2 and 3 are right; on boards 1 and 4 the left edge has one too few and the right "
            "edge one too many, corners excepted: a count of moves is symmetric, so this is a slip",
        ),
        Item(
            "Table 11 and the printed program",
            "the same values for each level, 16 at most",
            f"the program gives {program.min()} to {program.max()} on every level; Table 11 differs from "
            f"it on {apart} of 128 squares, and has {eleven.numbers.max()} on boards 2 and 3",
            "no" if apart else "yes",
            "the program counts one board away once and two boards away once, on every level; a knight has "
            "up to 20 moves on the middle boards. Table 11 was not made by the program beside it",
        ),
    ]


def stale_moves(steps: NDArray[np.int64]) -> list[tuple[str, str, bool]]:
    """The steps of a printed walk that are no moves, and whether they would be from the level before."""
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


@cache
def program_walks(boards: int) -> tuple[Tour, ...]:
    """The walk of the paper's program of Solution #3 from every square, on three or four boards."""
    stack = Board.box(boards, 8, 8)
    table = true_table(3) if boards == 3 else program_table(4)
    return tuple(Tour(stack, path, closed=False) for path in data_step(table, range(stack.size)))


FITTED = "the program is not printed: ours was made to fit the five printed walks, 1,144 moves"


def _program(name: str, table: Printed, *, length: int | None = None, why: str = "") -> list[Item]:
    """Two items for a walk of Solution #3: the program's numbers, and whether it is a tour at all."""
    start = int(np.where(table.numbers > 0, table.numbers, table.numbers.size).argmin())
    walk = program_walks(len(table.boards))[start]
    what = f"the reconstructed program from {walk.names[0]}"
    return [
        compare(
            name,
            table,
            walk.numbering.astype(np.int64),
            what=what,
            why="; ".join(filter(None, (FITTED, why))),
        ),
        verify(f"{name}, move by move", table, PAPER, length=length),
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
            why="row 1 of board 1 is row 1 of Table 2, in all three transcriptions: pasted, not scanned "
            "wrong. The program's numbers are the only ones that make the printed rest a tour",
        ),
        *_program("Table 10, failed tour", bad, length=189),
        Item(
            "Table 10, where the failed tour stops",
            "stuck at step 189",
            f"step {bad.numbers.max()} on {end}, free from there: {', '.join(free) or 'nothing'}",
            "yes" if bad.numbers.max() == 189 and not free else "no",
        ),
    ]


def _squares(table: Printed, steps: Sequence[int]) -> list[str]:
    """The squares on which these steps are printed; `nowhere` for a step that is not."""
    at = {step: table.board.names[cell] for cell, step in enumerate(table.numbers.ravel().tolist())}
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
            "begins on 1:e8; step 2 to step 3 is a move from board 2 to board 4",
            f"begins on {twelve[0]}; step 2 to step 3 is {twelve[1]} to {twelve[2]}",
            "yes" if twelve[0] == "1:e8" and (twelve[1][0], twelve[2][0]) == ("2", "4") else "no",
        ),
        Item(
            "Steps that are no moves",
            "none",
            "; ".join(f"{a} to {b}" for a, b, _ in stale),
            "no" if stale else "yes",
            f"{sum(ok for *_, ok in stale)} of these {len(stale)} would be moves from the level that the "
            "knight had left with the step before: where no move on the board is free, the program jumps "
            "from a level that is out of date",
        ),
    ]


def _rates(tables: dict[str, Printed]) -> list[Item]:
    def told(boards: int, *, program: bool) -> str:
        cells = 64 * boards
        return "; ".join(
            f"{name}: "
            + " and ".join(
                f"{(n := successes(boards, piece, ties, program=program))} ({n / cells:.1%}) by the {ties}"
                for ties in ("first", "last")
            )
            for name, piece in ORDERS.items()
        )

    graph = move_graph(Board.box(4, 8, 8), next(iter(ORDERS.values())))
    eleven = [
        sum(
            len(path) == graph.size
            for path in walks(
                graph,
                range(256),
                ties=ties,
                degrees=tables["table 11"].numbers[[0, 1, 1, 0]],
                count_start=False,
            )
        )
        for ties in ("first", "last")
    ]
    full = {k: [walk for walk in program_walks(k) if len(walk) == 64 * k] for k in (3, 4)}
    right = {k: sum(bool(check(walk)) for walk in walks_of) for k, walks_of in full.items()}
    return [
        Item(
            "Three boards, the paper's program",
            "one tour and one failure are shown",
            f"fills the boards from {len(full[3])} of 192 starts ({len(full[3]) / 192:.1%}); "
            f"{right[3]} of these are tours",
            "answered",
            "the program counts numbers, not moves",
        ),
        Item(
            "Three boards, the rule, Table 9",
            "not in the paper",
            f"of 192 starts: {told(3, program=False)}",
            "answered",
            "Table 9 is the true table; that the walk from 3:a2 fails is the program's doing, not the rule's",
        ),
        Item(
            "Three boards, the rule, program's table",
            "not in the paper",
            f"of 192 starts: {told(3, program=True)}",
            "answered",
            "to compare: what the paper's four-board way of counting would do on three boards",
        ),
        Item(
            "Four boards, the paper's program",
            "38 tours of 256, 46.9 %",
            f"fills the boards from {len(full[4])} of 256 starts ({len(full[4]) / 256:.1%}); {right[4]} of "
            "these are tours",
            "no",
            "the count is the paper's, the percentage is not: 38 of 256 is 14.8 %. The program counts "
            "numbers, not moves. A few orders in it are open, as no printed tour depends on them; others "
            "that agree with all that is printed fill the boards from 24 to 45 squares",
        ),
        Item(
            "Four boards, the rule, program's table",
            "not in the paper",
            f"of 256 starts: {told(4, program=True)}",
            "answered",
            "the same first degrees, but each step counted where it counts; how many tours there are depends "
            "on the order of the moves",
        ),
        Item(
            "Four boards, the rule, Table 11",
            "not in the paper",
            f"of 256 starts, in the paper's order: {eleven[0]} by the first and {eleven[1]} by the last",
            "answered",
            "what the slips of Table 11 would cost",
        ),
        Item(
            "Four boards, the rule, true degrees",
            "not in the paper",
            f"of 256 starts: {told(4, program=False)}",
            "answered",
            "the low rates are the tables' and the program's, not the rule's",
        ),
        _more("Five and six boards", "Yes, it does", range(5, 7)),
        _more("Seven to sixteen boards", "More than six? Probably", range(7, 17)),
    ]


def _more(name: str, claim: str, boards: range) -> Item:
    """An item of success rates on more boards, every start, first minimum, over `ORDERS`."""

    def told(k: int, *, program: bool) -> str:
        counts = [successes(k, piece, "first", program=program) for piece in ORDERS.values()]
        return (
            f"{min(counts)} to {max(counts)} ({min(counts) / (64 * k):.1%} to {max(counts) / (64 * k):.1%})"
        )

    rates = [
        f"{k} boards, of {64 * k} starts: {told(k, program=True)} by the program's way of counting, "
        f"{told(k, program=False)} by the true degrees"
        for k in boards
    ]
    holds = all(successes(k, piece, "first", program=False) for k in boards for piece in ORDERS.values())
    return Item(
        name,
        claim,
        "; ".join(rates),
        "yes" if holds else "no",
        f"first minimum, every start, in {len(ORDERS)} orders of the moves. With the true degrees the rule "
        "holds as far as tried; counted as the paper's program counts, it nearly vanishes",
    )


def _appendices(tables: dict[str, Printed]) -> list[Item]:
    ends = [tuple(_squares(tables[f"appendix {name}"], (1, steps))) for name, steps, *_ in CAPTIONS]
    stack = Board.box(3, 8, 8)
    return [
        compare("Appendix A", tables["table 1"], single_table(), what="its program, against Table 1"),
        _one_board("Appendix B, tour 1", tables["appendix b 1"]),
        _one_board("Appendix B, tour 2", tables["appendix b 2"]),
        compare(
            "Appendix C, Solution #1",
            tables["appendix c 1"],
            solution1(3).numbering.astype(np.int64),
            what="Solution #1 from a8",
        ),
        compare(
            "Appendix C, Solution #2",
            tables["appendix c 2"],
            solution2(closed_tour("a2"), 3, ["b2", "a6"]).numbering.astype(np.int64),
            what="closed tour from a2, glued at b2 and a6",
        ),
        *_program("Appendix D, first tour", tables["appendix d 1"]),
        *_program("Appendix D, second tour", tables["appendix d 2"]),
        Item(
            "Captions of Appendices C and D",
            "; ".join(f"{start} to {end}" for *_, start, end in CAPTIONS),
            "; ".join(f"{start} to {end}" for start, end in ends),
            "yes" if ends == [(start, end) for *_, start, end in CAPTIONS] else "no",
            "the tours of Appendix C are on three boards: the captions' board 4 is a slip, their squares are "
            "right",
        ),
        Item(
            "Names of the variables",
            "m238 is board 2, h6; s341 is board 3, a5; moves{n,3,4} is d4",
            f"m238 is {stack.name(_cell(2, 3, 8))}; s341 is {stack.name(_cell(3, 4, 1))}; moves{{n,3,4}} is "
            f"{CHESS.name(_cell(1, 3, 4))}",
            "no",
            "the first two are right; row 3 from the top is rank 6, so the third is d6. Its value, 16, is "
            "the program's; Table 11 has 16 there on boards 1 and 4, and 20 on boards 2 and 3",
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
    items = [
        compare("Table 1", tables["table 1"], degrees, what="degrees on 8x8"),
        *_solution1(tables),
        _one_board("Table 4, closed tour", tables["table 4 closed"]),
        _one_board("Table 4, open tour", tables["table 4 open"]),
        *_solution2(tables),
        *_degrees(tables),
        *_three_boards(tables),
        *_four_degrees(tables),
        *_four_boards(tables),
        *_rates(tables),
        *_appendices(tables),
    ]
    return Report(PAPERS[PAPER], tuple(items), tuple(corrections(PAPER)))
