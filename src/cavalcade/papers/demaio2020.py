"""Recomputations for J. DeMaio and M. S. Alam, Using the OPTGRAPH Procedure, 2020.

Items: Schwenk's theorem, the tables and figures of rectangles, prisms and Gliński's hexagons, and the
programs, which `optgraph` runs.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache, partial
from itertools import pairwise, product
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.certificate import Certificate, Step, StepProof, flat
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Impossible
from cavalcade.boards import Board
from cavalcade.boards.notation import parse_board
from cavalcade.checking.certificates import verify
from cavalcade.checking.tours import check
from cavalcade.draw.blocks import blocks_picture
from cavalcade.draw.svg import written
from cavalcade.explaining.sentences import sentences
from cavalcade.papers.gerlach2015 import tours as rule_tours
from cavalcade.papers.items import Figure, Item, item
from cavalcade.papers.optgraph import (
    PAPER,
    Run,
    cycle_through,
    decide,
    locate,
    origins,
    printed_links,
    program,
    run,
    solution,
    walk,
    word,
)
from cavalcade.papers.summary import without_idle_cells
from cavalcade.papers.tables import Printed, printed
from cavalcade.question.moves import move_graph
from cavalcade.question.question import Question
from cavalcade.theorems.facts import packaged
from cavalcade.theorems.glinski import built, glinski, read
from cavalcade.theorems.literature import demaio_mathew, schwenk

if TYPE_CHECKING:
    from cavalcade.answers.verdict import Verdict
#: Sides of Gliński's board for which the paper reports a tour.
HEXAGONS = range(4, 51)


def table(name: str) -> Printed:
    """Return a printed table of this paper."""
    return printed(PAPER)[name]


def forced_cycle(board: Board) -> list[int]:
    """Return a cycle of moves forced by cells with two moves, in order; empty if there is none."""
    graph = move_graph(board)
    forced: dict[int, dict[int, None]] = defaultdict(dict)
    for cell in np.flatnonzero(graph.degrees == 2).tolist():
        for neighbour in graph.neighbours(cell).tolist():
            forced[cell][neighbour] = forced[neighbour][cell] = None
    neighbours = {cell: list(targets) for cell, targets in forced.items()}
    return next(filter(None, (cycle_through(neighbours, cell) for cell in neighbours)), [])


def links_tour(number: int, spec: str) -> Item:
    """Check that a table of links is a closed tour."""
    rows, board = table(f"table {number}").words, parse_board(spec)
    path, faults = walk(rows)
    if not faults:
        tour = check(Tour(board, locate(board, path), closed=True))
        faults = [] if tour else [tour.message]
    claim = f"{len(rows)} links, a closed tour of {spec}"
    if faults:
        return Item("refuted", claim, "; ".join(faults), "the printed links do not make a tour")
    return Item("verified", claim, f"the links make one cycle through all {board.size} nodes, each a move")


def same_moves(figure: int, number: int) -> Item:
    """Compare a printed numbering with its table of links."""
    steps = table(f"figure {figure}").numbers
    path = [tuple(cell) for cell in (np.argwhere(steps > 0)[np.argsort(steps[steps > 0])] + 1).tolist()]
    moves = set(map(frozenset, pairwise([*path, path[0]])))
    same = moves == set(map(frozenset, printed_links(table(f"table {number}").words)))
    why = "" if same else "its moves are not the links of the table"
    return Item(same, recomputed="the same moves" if same else "other moves", why=why)


def idle() -> Item:
    """Check the second case of the paper: squares without moves."""
    boards = [Board.box(m, n) for m in range(1, 11) for n in range(m, 11)]
    partly_idle = [
        board for board in boards if (degrees := move_graph(board).degrees).min() == 0 < degrees.max()
    ]
    with_tour = [board.spec for board in partly_idle if solution(without_idle_cells(board))[0] == "Optimal"]
    without_moves = [
        board.spec for board in boards if move_graph(board).edge_count == 0 and board.shape[0] > 1
    ]
    specs = [board.spec for board in partly_idle]
    right = specs == ["2x3", "3x3"]
    return item(right, some=", ".join(specs), toured=", ".join(with_tour), none=", ".join(without_moves))


def small_boards() -> list[Board]:
    """Return the boards up to 12x12, except 1x1."""
    return [Board.box(m, n) for m in range(1, 13) for n in range(m, 13) if m * n > 1]


@cache
def schwenks() -> Item:
    """Check Schwenk's theorem on small boards."""
    boards = small_boards()
    exceptions = [
        board.spec
        for board in boards
        if solution(board)[0] != ("Infeasible" if schwenk(*board.shape) else "Optimal")
    ]
    summary = f"not as stated: {', '.join(exceptions)}" if exceptions else "all as stated"
    return item(not exceptions, boards=len(boards), stated=summary)


def both_odd() -> Item:
    """Check the colours of boards whose sides are both odd."""
    odd_boards = [board for board in small_boards() if board.shape[0] % 2 and board.shape[1] % 2]
    unequal = all(
        abs(int((-1.0) ** board.coords.sum(axis=1) @ np.ones(board.size))) == 1 for board in odd_boards
    )
    return item(unequal, boards=len(odd_boards))


def smallest() -> Item:
    """Find the boards of at most 30 squares with a closed tour."""
    small = [Board.box(m, n) for m in range(1, 6) for n in range(m, 30 // m + 1) if m * n > 1]
    with_tour = [board.spec for board in small if solution(board)[0] != "Infeasible"]
    return item(with_tour == ["3x10", "5x6"], boards=len(small), toured=" and ".join(with_tour))


def three_by_six() -> Item:
    """Find the argument of Figure 1 and submit it to the checker."""
    board = Board.box(3, 6)
    cycle = forced_cycle(board)
    graph = move_graph(board)
    two_move_cells = tuple(cell for cell in cycle if graph.degrees[cell] == 2)
    steps = (Step("forced", two_move_cells), Step("cycle", tuple(cycle)))
    certificate = Certificate(Question(board), StepProof(steps))
    checked = verify(certificate)
    ends, between = (
        [word(board, cell) for cell in sorted(cells)]
        for cells in (two_move_cells, set(cycle) - set(two_move_cells))
    )
    return item(
        bool(checked) and (ends, between) == (["(2,1)", "(2,5)"], ["(1,3)", "(3,3)"]),
        ends=" and ".join(ends),
        between=" and ".join(between),
        squares=len(cycle),
        accepts="accepts" if checked else "refuses",
        proof=" ".join(sentences(certificate)),
    )


@cache
def similar() -> Item:
    """Find the boards of Schwenk's theorem that arguments like that of 3x6 settle."""
    boards = [Board.box(m, n) for m in (3, 4) for n in range(m, 13) if schwenk(m, n) and not m * n % 2]
    alike = [board.spec for board in boards if forced_cycle(board)]
    boards_by_rules: dict[str, list[str]] = {}
    for board in boards:
        if board.spec not in alike:
            boards_by_rules.setdefault(" and ".join(dict.fromkeys(_rules(decide(board)))), []).append(
                board.spec
            )
    rules = "; ".join(f"{', '.join(specs)}: {rules}" for rules, specs in boards_by_rules.items())
    return item("answered", boards=len(boards), alike=", ".join(alike), rules=rules)


def _rules(verdict: Verdict) -> list[str]:
    """Return the rules that a structural proof uses."""
    if not isinstance(verdict, Impossible) or verdict.certificate is None:
        return [verdict.status]
    proof = verdict.certificate.proof
    return [step.rule for step in flat(proof.steps)] if isinstance(proof, StepProof) else ["sat"]


def demaio_alam_as_printed(*sides: int) -> str:
    """Return the theorem of DeMaio and Mathew as printed here, which is wrong for 2x2xk with k > 2."""
    if sorted(sides)[1] == 2 != max(sides):
        return ""
    return demaio_mathew(*sides)


@cache
def prism_theorem() -> Item:
    """Check the theorem on small boxes, as printed here and as published in 2011."""
    boxes = [(i, j, k) for i in range(2, 7) for j in range(i, 7) for k in range(j, 11) if i * j * k <= 250]
    statuses = {sides: solution(Board.box(*sides))[0] for sides in boxes}
    claimed = {sides: "Infeasible" if demaio_alam_as_printed(*sides) else "Optimal" for sides in boxes}
    true = {sides: "Infeasible" if demaio_mathew(*sides) else "Optimal" for sides in boxes}
    exceptions = [sides for sides in boxes if statuses[sides] != claimed[sides]]
    tall = [sides[2] for sides in exceptions if sides[:2] == (2, 2)]
    which = f"{exceptions[:9]}"
    if len(tall) == len(exceptions) and tall:
        which = f"2x2xk for k from {min(tall)} to {max(tall)}, which have no tour"
    mended = "; with (b) as i = j = 2 all are right" if statuses == true else ""
    return item(
        not exceptions,
        judged="yes" if statuses == true else "no",
        boxes=len(boxes),
        wrong=len(exceptions),
        which=which,
        mended=mended,
    )


@cache
def small_prisms() -> Item:
    """Classify small prisms without a tour: odd size, a cell without a move, or other reasons."""
    kinds: dict[str, list[str]] = {"odd": [], "idle": [], "else": []}
    for sides in ((i, j, k) for i in range(2, 5) for j in range(i, 5) for k in range(j, 6)):
        board = Board.box(*sides)
        odd, idle = board.size % 2 == 1, move_graph(board).degrees.min() == 0
        infeasible = solution(board)[0] == "Infeasible"
        for kind, holds in (("odd", odd), ("idle", idle), ("else", infeasible and not odd and not idle)):
            kinds[kind] += [board.spec] * bool(holds and infeasible)
    lists = {kind: ", ".join(specs) or "none" for kind, specs in kinds.items()}
    return item(all(kinds.values()), lists=lists)


def corners(board: Board, up: tuple[float, float]) -> list[int]:
    """Return the angles, in degrees, between the two legs of a knight's move, for all moves from the middle.

    The first leg has two steps, the second leg one.

    Args:
        board: a board of squares or hexagons.
        up: plane coordinates of a step along the second axis; a step along the first axis is (1, 0).
    """
    plane = np.array([(1.0, 0.0), up])
    lattice = [step for step in product((-1, 0, 1), repeat=2) if round(np.hypot(*(step @ plane)), 9) == 1]
    middle = board.size // 2
    moves = (board.coords[move_graph(board).neighbours(middle)] - board.coords[middle]).tolist()
    angles = set()
    for first, second in product(lattice, repeat=2):
        if [2 * a + b for a, b in zip(first, second, strict=True)] in moves:
            cosine = np.dot(np.negative(first) @ plane, second @ plane)
            angles.add(round(float(np.degrees(np.arccos(cosine)))))
    return sorted(angles)


def obtuse() -> Item:
    """Compute the angle of the knight's move on the square board and on the hexagon."""
    square, hexagon = corners(Board.box(5, 5), (0, 1)), corners(Board.hexagon(4), (0.5, 0.75**0.5))
    return item((square, hexagon) == ([90], [120]), square=square, hexagon=hexagon)


def stacks() -> Item:
    """Check what the paper states about the two papers before it."""
    stacks = {
        name: bool(check(Tour.from_numbering(table.board, table.numbers, closed=True)))
        for name, table in printed("gerlach2019").items()
        if name in {"table 12", "appendix c 1", "appendix c 2", "appendix d 2"}
    }
    rule_tours_checked = [walk for ties in ("first", "last") for walk in rule_tours(ties) if check(walk)]
    closed = [walk for walk in rule_tours_checked if check(Tour(walk.board, walk.cells, closed=True))]
    own = [k for k in range(2, 7) if solution(Board.box(k, 8, 8))[0] == "Optimal"]
    return item(
        all(stacks.values()),
        flat=(len(closed), len(rule_tours_checked)),
        stacks=(sum(stacks.values()), len(stacks)),
        own=", ".join(map(str, own)),
    )


def wrote(how: str, name: str, *sizes: int) -> Item:
    """Check the output of a program, as printed or corrected, and whether its graph has a tour."""
    result = run(name, *sizes, mend=how == "mended")
    if result.right:
        summary = f"{result.summary}: exactly the knight's moves; {', '.join(solution(result.board))}"
        return Item(solution(result.board)[0] == "Optimal", recomputed=summary)
    summary = (
        f"{result.summary}; {result.off} of the nodes are off the board, {result.loose} have a single link"
    )
    why = "a node with a single link is in no closed tour: OPTGRAPH would answer Infeasible"
    judged = "yes" if run(name, *sizes, mend=True).right else "no"
    why = why if result.loose else "not the knight's moves"
    return Item("no", recomputed=summary, why=why, judged=judged)


def bars() -> Item:
    """Run each program with single bars as SAS reads them, and corrected otherwise."""
    rows = [["program", "single bar of", "nodes", "links", "at 1", "missing"]]
    for name, sizes in (("rectangle", (5, 6)), ("hexagon", (4,))):
        single = tuple(k for k, statement in enumerate(program(name, mend=True), 1) if statement.single)
        for moves in ((), *((k,) for k in single), single):
            output = run(name, *sizes, bars=moves)
            output_links = Run(output.board, tuple(link for link in output.links if link[1]))
            ends = [sum(to == end for _, to in output.links) for end in ((1,), ())]
            label = " and ".join(f"move {k}" for k in moves) or "none"
            rows.append(
                [output.board.spec, label, *map(str, (output_links.nodes, len(output_links.once), *ends))]
            )
    return Item("unclear", table=rows)


def general() -> Item:
    """Run the corrected programs for many sizes."""
    sizes = [("rectangle", s) for s in product(range(1, 9), repeat=2)]
    sizes += [("prism", s) for s in product(range(1, 5), repeat=3)]
    sizes += [("hexagon", (s,)) for s in range(1, 9)]
    right = [run(name, *s).right for name, s in sizes]
    return item(all(right), right=sum(right), runs=len(right))


def once() -> Item:
    """Count how often each link is written."""

    def counts(output: Run) -> list[int]:
        return sorted(set(Counter(map(frozenset, output.links)).values()))

    flat, high = run("rectangle", 5, 6), run("prism", 4, 4, 4)
    low = Counter(map(frozenset, flat.links))[frozenset({(3, 1), (1, 2)})]
    up = Counter(map(frozenset, high.links))[frozenset({(1, 3, 1), (1, 1, 2)})]
    numbers = (counts(flat), counts(high), counts(run("hexagon", 4)), low, up)
    return item(numbers == ([1], [1], [2], 1, 1), times=numbers)


def comments() -> Item:
    """Check the rows named in the comments of Appendix B."""
    rows = [[int(w) for w in row] for row in table("rows hexagon").words]
    places = [place for place, _ in origins("hexagon", 4)]
    columns_by_row = {r: [q for row, q in places if row == r] for r, _, _ in rows}
    count = len({r for r, _ in places})
    same = all(columns_by_row[r][0] == low and columns_by_row[r][-1] == high for r, low, high in rows)
    claimed = "; ".join(f"r = {r}: {low} to {high}" for r, low, high in rows)
    ours = "; ".join(f"r = {r}: {qs[0]} to {qs[-1]}" for r, qs in columns_by_row.items())
    return Item(same and count == 7, f"{claimed}; 7 rows", f"{ours}; {count} rows")


def _moves_of(board: Board) -> str:
    """Return a picture of the board with a 1 on each square that a knight in the middle reaches."""
    reached = np.zeros(board.size, dtype=np.int64)
    reached[move_graph(board).neighbours(board.size // 2)] = 1
    return re.sub(r"<text[^>]*>0</text>\n", "", board.svg(numbers=reached))


def figure_4() -> Item:
    """Show our picture in place of the illegible one."""
    six = Board.hexagon(6)
    title = "Gliński's board of side 6; 1 marks the knight's moves from the centre"
    degree = move_graph(six).degrees[six.size // 2]
    shown = (Figure(title, svg=partial(_moves_of, six)),)
    return item("lost", figures=shown, cells=six.size, degree=degree)


def small_hexagons() -> Item:
    """Decide the sides 1 to 3, and count the moves from their centres."""
    small = {side: decide(Board.hexagon(side)) for side in (1, 2, 3)}
    centre = [int(move_graph(Board.hexagon(s)).degrees[Board.hexagon(s).size // 2]) for s in (1, 2, 3, 4)]
    right = centre[:3] == [0, 0, 0] and {small[2].status, small[3].status} == {"impossible"}
    around = solution(without_idle_cells(Board.hexagon(3)))[0]
    return item(right, most=max(centre[:3]), four=centre[3], small=small, around=around)


def hexagons() -> Item:
    """Decide the sides from 4 to 50."""
    toured = [s for s in HEXAGONS if solution(Board.hexagon(s))[0] == "Optimal"]
    most = Board.hexagon(HEXAGONS[-1]).size
    return item(toured == list(HEXAGONS), toured=len(toured), sides=len(HEXAGONS), nodes=most)


def conjecture() -> Item:
    """Check the theorem on Gliński's boards, and draw the blocks of side 14 as a comb."""
    title = (
        "The board of side 14: the tours of its blocks, thin, and the moves that join them, orange: a comb"
    )
    shown = (Figure(title, svg=_comb),)
    hold = bool(glinski())
    return item(hold, hold="hold" if hold else "do not hold", figures=shown)


def _comb() -> str:
    board = Board.hexagon(14)
    tours, joins = built(14, read(packaged("glinski")))
    return written(blocks_picture(board, tours, joins, tours=True))
