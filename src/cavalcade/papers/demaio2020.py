"""J. DeMaio and M. S. Alam, Using the OPTGRAPH Procedure to Construct Closed Knight's Tours, 2020.

Recomputed: Schwenk's theorem, the tables and figures of rectangles, prisms, Gliński's hexagons, and the
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
from cavalcade.checking.sentences import sentences
from cavalcade.checking.tours import check
from cavalcade.draw.blocks import blocks_picture
from cavalcade.draw.svg import written
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


def forced_cycle(board: Board) -> list[int]:
    """A closed cycle of moves that cells with two moves force, in order; empty where they force none."""
    graph = move_graph(board)
    forced: dict[int, dict[int, None]] = defaultdict(dict)
    for cell in np.flatnonzero(graph.degrees == 2).tolist():
        for other in graph.neighbours(cell).tolist():
            forced[cell][other] = forced[other][cell] = None
    near = {cell: list(others) for cell, others in forced.items()}
    return next(filter(None, (cycle_through(near, cell) for cell in near)), [])


def table(name: str) -> Printed:
    """A printed table of this paper."""
    return printed(PAPER)[name]


def links_tour(number: int, spec: str) -> Item:
    """A table of links, as a tour."""
    rows, board = table(f"table {number}").words, parse_board(spec)
    path, wrong = walk(rows)
    if not wrong:
        tour = check(Tour(board, locate(board, path), closed=True))
        wrong = [] if tour else [tour.message]
    claim = f"{len(rows)} links, a closed tour of {spec}"
    if wrong:
        return Item("refuted", claim, "; ".join(wrong), "the printed links do not make a tour")
    return Item("verified", claim, f"the links make one cycle through all {board.size} nodes, each a move")


def same_moves(figure: int, number: int) -> Item:
    """A printed numbering and the table of its links."""
    steps = table(f"figure {figure}").numbers
    path = [tuple(at) for at in (np.argwhere(steps > 0)[np.argsort(steps[steps > 0])] + 1).tolist()]
    moves = set(map(frozenset, pairwise([*path, path[0]])))
    same = moves == set(map(frozenset, printed_links(table(f"table {number}").words)))
    why = "" if same else "its moves are not the links of the table"
    return Item(same, recomputed="the same moves" if same else "other moves", why=why)


def idle() -> Item:
    """The second case of the paper: squares without moves."""
    boards = [Board.box(m, n) for m in range(1, 11) for n in range(m, 11)]
    some = [one for one in boards if (degrees := move_graph(one).degrees).min() == 0 < degrees.max()]
    toured = [one.spec for one in some if solution(without_idle_cells(one))[0] == "Optimal"]
    none = [one.spec for one in boards if move_graph(one).edge_count == 0 and one.shape[0] > 1]
    specs = [one.spec for one in some]
    right = specs == ["2x3", "3x3"]
    return item(right, some=", ".join(specs), toured=", ".join(toured), none=", ".join(none))


def small_boards() -> list[Board]:
    """The boards up to 12x12, but for 1x1."""
    return [Board.box(m, n) for m in range(1, 13) for n in range(m, 13) if m * n > 1]


@cache
def schwenks() -> Item:
    """Schwenk's theorem on small boards."""
    boards = small_boards()
    wrong = [
        one.spec for one in boards if solution(one)[0] != ("Infeasible" if schwenk(*one.shape) else "Optimal")
    ]
    found = f"not as stated: {', '.join(wrong)}" if wrong else "all as stated"
    return item(not wrong, boards=len(boards), stated=found)


def both_odd() -> Item:
    """The colours of boards whose sides are both odd."""
    odd = [one for one in small_boards() if one.shape[0] % 2 and one.shape[1] % 2]
    unequal = all(abs(int((-1.0) ** one.coords.sum(axis=1) @ np.ones(one.size))) == 1 for one in odd)
    return item(unequal, boards=len(odd))


def smallest() -> Item:
    """The boards of at most 30 squares that have a closed tour."""
    small = [Board.box(m, n) for m in range(1, 6) for n in range(m, 30 // m + 1) if m * n > 1]
    toured = [one.spec for one in small if solution(one)[0] != "Infeasible"]
    return item(toured == ["3x10", "5x6"], boards=len(small), toured=" and ".join(toured))


def three_by_six() -> Item:
    """The argument of Figure 1, found by the program and put to the checker."""
    board = Board.box(3, 6)
    cycle = forced_cycle(board)
    graph = move_graph(board)
    two = tuple(cell for cell in cycle if graph.degrees[cell] == 2)
    steps = (Step("forced", two), Step("cycle", tuple(cycle)))
    certificate = Certificate(Question(board), StepProof(steps))
    checked = verify(certificate)
    ends, between = ([word(board, cell) for cell in sorted(some)] for some in (two, set(cycle) - set(two)))
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
    """Whether arguments like that of 3x6 settle the other boards of Schwenk's theorem."""
    boards = [Board.box(m, n) for m in (3, 4) for n in range(m, 13) if schwenk(m, n) and not m * n % 2]
    alike = [one.spec for one in boards if forced_cycle(one)]
    by: dict[str, list[str]] = {}
    for one in boards:
        if one.spec not in alike:
            by.setdefault(" and ".join(dict.fromkeys(_rules(decide(one)))), []).append(one.spec)
    rules = "; ".join(f"{', '.join(specs)}: {rules}" for rules, specs in by.items())
    return item("answered", boards=len(boards), alike=", ".join(alike), rules=rules)


def _rules(verdict: Verdict) -> list[str]:
    """The rules that a structural proof uses."""
    if not isinstance(verdict, Impossible) or verdict.certificate is None:
        return [verdict.status]
    proof = verdict.certificate.proof
    return [step.rule for step in flat(proof.steps)] if isinstance(proof, StepProof) else ["sat"]


def demaio_alam_as_printed(*sides: int) -> str:
    """The theorem of DeMaio and Mathew as it is printed here: wrong for 2x2xk with k > 2."""
    if sorted(sides)[1] == 2 != max(sides):
        return ""
    return demaio_mathew(*sides)


@cache
def prism_theorem() -> Item:
    """The theorem on small boxes, as printed and as it is in 2011."""
    every = [(i, j, k) for i in range(2, 7) for j in range(i, 7) for k in range(j, 11) if i * j * k <= 250]
    found = {sides: solution(Board.box(*sides))[0] for sides in every}
    claimed = {s: "Infeasible" if demaio_alam_as_printed(*s) else "Optimal" for s in every}
    true = {s: "Infeasible" if demaio_mathew(*s) else "Optimal" for s in every}
    wrong = [s for s in every if found[s] != claimed[s]]
    tall = [s[2] for s in wrong if s[:2] == (2, 2)]
    which = f"{wrong[:9]}"
    if len(tall) == len(wrong) and tall:
        which = f"2x2xk for k from {min(tall)} to {max(tall)}, which have no tour"
    mended = "; with (b) as i = j = 2 all are right" if found == true else ""
    return item(not wrong, boxes=len(every), wrong=len(wrong), which=which, mended=mended)


@cache
def small_prisms() -> Item:
    """Why small prisms have no tour: colours, cells without a move, or too small all the same."""
    kinds: dict[str, list[str]] = {"odd": [], "idle": [], "else": []}
    for sides in ((i, j, k) for i in range(2, 5) for j in range(i, 5) for k in range(j, 6)):
        board = Board.box(*sides)
        odd, idle = board.size % 2 == 1, move_graph(board).degrees.min() == 0
        none = solution(board)[0] == "Infeasible"
        for kind, holds in (("odd", odd), ("idle", idle), ("else", none and not odd and not idle)):
            kinds[kind] += [board.spec] * bool(holds and none)
    lists = {kind: ", ".join(specs) or "none" for kind, specs in kinds.items()}
    return item(all(kinds.values()), lists=lists)


def corners(board: Board, up: tuple[float, float]) -> list[int]:
    """The angles, in degrees, at the corner of the knight's moves from the middle: two steps, turn, one step.

    Args:
        board: squares or hexagons.
        up: where a step along the second coordinate leads in the plane; one along the first leads to (1, 0).
    """
    plane = np.array([(1.0, 0.0), up])
    lattice = [step for step in product((-1, 0, 1), repeat=2) if round(np.hypot(*(step @ plane)), 9) == 1]
    middle = board.size // 2
    moves = (board.coords[move_graph(board).neighbours(middle)] - board.coords[middle]).tolist()
    found = set()
    for one, other in product(lattice, repeat=2):
        if [2 * a + b for a, b in zip(one, other, strict=True)] in moves:
            cosine = np.dot(np.negative(one) @ plane, other @ plane)
            found.add(round(float(np.degrees(np.arccos(cosine)))))
    return sorted(found)


def obtuse() -> Item:
    """The corner of the knight's move on the square board and on the hexagon."""
    square, hexagon = corners(Board.box(5, 5), (0, 1)), corners(Board.hexagon(4), (0.5, 0.75**0.5))
    return item((square, hexagon) == ([90], [120]), square=square, hexagon=hexagon)


def stacks() -> Item:
    """What the paper says of the two papers before it."""
    stacks = {
        name: bool(check(Tour.from_numbering(table.board, table.numbers, closed=True)))
        for name, table in printed("gerlach2019").items()
        if name in {"table 12", "appendix c 1", "appendix c 2", "appendix d 2"}
    }
    every = [one for ties in ("first", "last") for one in rule_tours(ties) if check(one)]
    closed = [one for one in every if check(Tour(one.board, one.cells, closed=True))]
    own = [k for k in range(2, 7) if solution(Board.box(k, 8, 8))[0] == "Optimal"]
    return item(
        all(stacks.values()),
        flat=(len(closed), len(every)),
        stacks=(sum(stacks.values()), len(stacks)),
        own=", ".join(map(str, own)),
    )


def wrote(how: str, name: str, *sizes: int) -> Item:
    """What a program writes, `as printed` or `mended`, and whether that has a tour."""
    one = run(name, *sizes, mend=how == "mended")
    if one.right:
        found = f"{one.summary}: exactly the knight's moves; {', '.join(solution(one.board))}"
        return Item(solution(one.board)[0] == "Optimal", recomputed=found)
    found = f"{one.summary}; {one.off} of the nodes are off the board, {one.loose} have a single link"
    why = "a node with a single link is in no closed tour: OPTGRAPH would answer Infeasible"
    return Item("no", recomputed=found, why=why if one.loose else "not the knight's moves")


def bars() -> Item:
    """What each single bar would do as SAS reads it, the program being mended otherwise."""
    rows = [["program", "single bar of", "nodes", "links", "at 1", "missing"]]
    for name, sizes in (("rectangle", (5, 6)), ("hexagon", (4,))):
        single = tuple(k for k, one in enumerate(program(name, mend=True), 1) if one.single)
        for moves in ((), *((k,) for k in single), single):
            every = run(name, *sizes, bars=moves)
            whole = Run(every.board, tuple(link for link in every.links if link[1]))
            ends = [sum(to == end for _, to in every.links) for end in ((1,), ())]
            of = " and ".join(f"move {k}" for k in moves) or "none"
            rows.append([every.board.spec, of, *map(str, (whole.nodes, len(whole.once), *ends))])
    return Item("unclear", table=rows)


def general() -> Item:
    """The programs, mended, for many sizes."""
    sizes = [("rectangle", s) for s in product(range(1, 9), repeat=2)]
    sizes += [("prism", s) for s in product(range(1, 5), repeat=3)]
    sizes += [("hexagon", (s,)) for s in range(1, 9)]
    right = [run(name, *s).right for name, s in sizes]
    return item(all(right), right=sum(right), runs=len(right))


def once() -> Item:
    """How often a link is written."""

    def counts(one: Run) -> list[int]:
        return sorted(set(Counter(map(frozenset, one.links)).values()))

    flat, high = run("rectangle", 5, 6), run("prism", 4, 4, 4)
    low = Counter(map(frozenset, flat.links))[frozenset({(3, 1), (1, 2)})]
    up = Counter(map(frozenset, high.links))[frozenset({(1, 3, 1), (1, 1, 2)})]
    found = (counts(flat), counts(high), counts(run("hexagon", 4)), low, up)
    return item(found == ([1], [1], [2], 1, 1), times=found)


def comments() -> Item:
    """The rows that the comments of Appendix B speak of."""
    rows = [[int(w) for w in row] for row in table("rows hexagon").words]
    places = [place for place, _ in origins("hexagon", 4)]
    found = {r: [q for row, q in places if row == r] for r, _, _ in rows}
    count = len({r for r, _ in places})
    same = all(found[r][0] == low and found[r][-1] == high for r, low, high in rows)
    said = "; ".join(f"r = {r}: {low} to {high}" for r, low, high in rows)
    ours = "; ".join(f"r = {r}: {qs[0]} to {qs[-1]}" for r, qs in found.items())
    return Item(same and count == 7, f"{said}; 7 rows", f"{ours}; {count} rows")


def _moves_of(board: Board) -> str:
    """The board with a 1 wherever a knight in its middle can go."""
    reached = np.zeros(board.size, dtype=np.int64)
    reached[move_graph(board).neighbours(board.size // 2)] = 1
    return re.sub(r"<text[^>]*>0</text>\n", "", board.svg(numbers=reached))


def figure_4() -> Item:
    """Our picture in the place of the lost one."""
    six = Board.hexagon(6)
    title = "Gliński's board of side 6; 1 marks the knight's moves from the centre"
    degree = move_graph(six).degrees[six.size // 2]
    shown = (Figure(title, svg=partial(_moves_of, six)),)
    return item("lost", figures=shown, cells=six.size, degree=degree)


def small_hexagons() -> Item:
    """The sides 1 to 3, and the moves from their centres."""
    small = {side: decide(Board.hexagon(side)) for side in (1, 2, 3)}
    centre = [int(move_graph(Board.hexagon(s)).degrees[Board.hexagon(s).size // 2]) for s in (1, 2, 3, 4)]
    right = centre[:3] == [0, 0, 0] and {small[2].status, small[3].status} == {"impossible"}
    around = solution(without_idle_cells(Board.hexagon(3)))[0]
    return item(right, most=max(centre[:3]), four=centre[3], small=small, around=around)


def hexagons() -> Item:
    """The sides from 4 to 50."""
    toured = [s for s in HEXAGONS if solution(Board.hexagon(s))[0] == "Optimal"]
    most = Board.hexagon(HEXAGONS[-1]).size
    return item(toured == list(HEXAGONS), toured=len(toured), sides=len(HEXAGONS), nodes=most)


def conjecture() -> Item:
    """The theorem, its finite check, and the board of side 14: the comb of its blocks."""
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
