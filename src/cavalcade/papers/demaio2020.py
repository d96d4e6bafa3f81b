"""J. DeMaio and M. S. Alam, Using the OPTGRAPH Procedure to Construct Closed Knight's Tours, 2020.

Recomputed: `rectangles2020` has the items on rectangles, `optgraph` runs the programs. Here are prisms,
hexagons, the items on the programs, and the report.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import partial
from itertools import product

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.papers.gerlach2015 import tours as rule_tours
from cavalcade.papers.items import Figure, Item, item
from cavalcade.papers.optgraph import PAPER, Run, decide, origins, program, run, solution
from cavalcade.papers.rectangles2020 import own_figures, rectangles, small_boards, table_tour
from cavalcade.papers.summary import without_idle_cells
from cavalcade.papers.tables import Printed, printed
from cavalcade.question.moves import move_graph
from cavalcade.theorems.glinski import glinski
from cavalcade.theorems.literature import demaio_mathew

#: Sides of Gliński's board for which the paper reports a tour.
HEXAGONS = range(4, 51)


def _prisms(tables: dict[str, Printed]) -> list[Item]:
    four, cube = run("prism", 2, 4, 3), run("prism", 4, 4, 4)
    return [
        table_tour(4, tables["table 4"], four.board)[0],
        *(_unprinted(one, name) for one, name in ((four, "2x4x3"), (cube, "4x4x4"))),
        _prism_theorem(),
    ]


def _unprinted(question: Run, name: str) -> Item:
    """Both summaries of a run of which the paper prints none."""
    right = "" if question.right else ", not the moves"
    return Item(
        f"{name}, both summaries",
        f"{question.summary}{right}; {', '.join(solution(question.board))}",
        "answered",
        "not printed",
        "the paper runs it, but shows no summary",
        own_figures(question.board, f"Our closed tour of {name}"),
    )


def demaio_alam_as_printed(*sides: int) -> str:
    """The theorem of DeMaio and Mathew as it is printed here: wrong for 2x2xk with k > 2."""
    if sorted(sides)[1] == 2 != max(sides):
        return ""
    return demaio_mathew(*sides)


def _prism_theorem() -> Item:
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
    name = "The prism theorem"
    return item(name, not wrong, boxes=len(every), wrong=len(wrong), which=which, mended=mended)


def _stacks() -> Item:
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
        "What Gerlach and Gerlach produce",
        all(stacks.values()),
        flat=(len(closed), len(every)),
        stacks=(sum(stacks.values()), len(stacks)),
        own=", ".join(map(str, own)),
    )


def _programs(wanted: str) -> list[Item]:
    """The items of one of the programs, for the boards of the paper."""
    runs = [
        ("rectangle", (5, 6), "The program of the text", "30 nodes, 62 links; creates a tour"),
        ("prism", (2, 4, 3), "Appendix A for 2x4x3", "creates a tour; Table 4 has 24 nodes"),
        ("prism", (4, 4, 4), "Appendix A for 4x4x4", "creates a tour"),
        ("hexagon", (4,), "Appendix B for side 4", "creates a tour"),
    ]
    items = []
    for name, sizes, title, printed_claim in runs:
        if name != wanted:
            continue
        raw, good = run(name, *sizes, mend=False), run(name, *sizes)
        items.append(_run_item(f"{title}, as printed", printed_claim, raw))
        if not raw.right:
            items.append(_run_item(f"{title}, mended", printed_claim, good))
    return items


def _run_item(name: str, printed_claim: str, one: Run) -> Item:
    """What a program writes, and whether that has a tour."""
    if one.right:
        status, how = solution(one.board)
        found = f"{one.summary}: exactly the knight's moves; {status}, {how}"
        return Item(name, found, status == "Optimal", printed=printed_claim)
    found = f"{one.summary}; {one.off} of the nodes are off the board, {one.loose} have a single link"
    why = "a node with a single link is in no closed tour: OPTGRAPH would answer Infeasible"
    return Item(name, found, "no", printed=printed_claim, why=why if one.loose else "not the knight's moves")


def _bars() -> Item:
    """What the single bars would do as SAS reads them."""
    found = []
    programs = (("rectangle", (5, 6), "the text, 5x6"), ("hexagon", (4,), "Appendix B, side 4"))
    for name, sizes, title in programs:
        moves = [str(k) for k, one in enumerate(program(name, mend=False), 1) if one.single]
        one = run(name, *sizes, mend=False, literal=True)
        found.append(
            f"{title}: | in moves {' and '.join(moves)}; run so, {one.summary}, {one.off} nodes off the board"
        )
    return Item("The programs, single bars", "; ".join(found), "answered")


def _general() -> Item:
    """The programs, mended, for many sizes."""
    sizes = [("rectangle", s) for s in product(range(1, 9), repeat=2)]
    sizes += [("prism", s) for s in product(range(1, 5), repeat=3)]
    sizes += [("hexagon", (s,)) for s in range(1, 9)]
    right = [run(name, *s).right for name, s in sizes]
    return item("The three programs, any size", all(right), right=sum(right), runs=len(right))


def _once() -> Item:
    """How often a link is written."""

    def times(one: Run) -> list[int]:
        return sorted(set(Counter(map(frozenset, one.links)).values()))

    flat, high = run("rectangle", 5, 6), run("prism", 4, 4, 4)
    low = Counter(map(frozenset, flat.links))[frozenset({(3, 1), (1, 2)})]
    up = Counter(map(frozenset, high.links))[frozenset({(1, 3, 1), (1, 1, 2)})]
    found = (times(flat), times(high), times(run("hexagon", 4)), low, up)
    return item("How often a link is written, mended", found == ([1], [1], [2], 1, 1), times=found)


def _comments() -> Item:
    rows = [[int(w) for w in row] for row in printed(PAPER)["rows hexagon"].words]
    places = [place for place, _ in origins("hexagon", 4)]
    found = {r: [q for row, q in places if row == r] for r, _, _ in rows}
    same = all(found[r][0] == low and found[r][-1] == high for r, low, high in rows)
    return Item(
        "Appendix B, its comments on the rows",
        "; ".join(f"r = {r}: {qs[0]} to {qs[-1]}" for r, qs in found.items())
        + f"; {len({r for r, _ in places})} rows",
        same and len({r for r, _ in places}) == 7,
        printed="; ".join(f"r = {r}: {low} to {high}" for r, low, high in rows) + "; 7 rows",
    )


def _moves_of(board: Board) -> str:
    """The board with a 1 wherever a knight in its middle can go."""
    reached = np.zeros(board.size, dtype=np.int64)
    reached[move_graph(board).neighbours(board.size // 2)] = 1
    return re.sub(r"<text[^>]*>0</text>\n", "", board.svg(numbers=reached))


def _hexagons() -> list[Item]:
    small = {side: decide(Board.hexagon(side)) for side in (1, 2, 3)}
    centre = [int(move_graph(Board.hexagon(s)).degrees[Board.hexagon(s).size // 2]) for s in (1, 2, 3, 4)]
    around = solution(without_idle_cells(Board.hexagon(3)))
    toured = [s for s in HEXAGONS if solution(Board.hexagon(s))[0] == "Optimal"]
    four, six = Board.hexagon(4), Board.hexagon(6)
    title = "Gliński's board of side 6; 1 marks the knight's moves from the centre"
    degree = move_graph(six).degrees[six.size // 2]
    return [
        item(
            "Figure 4",
            "lost",
            figures=(Figure(title, [], svg=partial(_moves_of, six)),),
            cells=six.size,
            degree=degree,
        ),
        item(
            "Figure 5",
            "lost",
            figures=own_figures(four, "Our closed tour of side 4"),
            summary=run("hexagon", 4).summary,
            solution=", ".join(solution(four)),
        ),
        item(
            "Hexagons of side 1 to 3",
            centre[:3] == [0, 0, 0] and {small[2].status, small[3].status} == {"impossible"},
            most=max(centre[:3]),
            four=centre[3],
            small=small,
            around=around[0],
        ),
        item(
            "Hexagons of side 4 to 50",
            toured == list(HEXAGONS),
            toured=len(toured),
            sides=len(HEXAGONS),
            nodes=Board.hexagon(HEXAGONS[-1]).size,
        ),
        item("The conjecture", "answered", hold="hold" if glinski() else "do not hold"),
    ]


def sections() -> dict[str, list[Item]]:
    """Everything that the paper prints, recomputed and compared, section by section. A few seconds."""
    tables = printed(PAPER)
    return {
        "Introduction": [_stacks()],
        "Closed knight's tours on the rectangular chessboard": small_boards(),
        "PROC OPTGRAPH on rectangles": [*_programs("rectangle"), *rectangles(tables)],
        "PROC OPTGRAPH on rectangular prisms": _prisms(tables),
        "Gliński's hexagonal board": _hexagons(),
        "Appendix A: rectangular prisms": _programs("prism"),
        "Appendix B: Gliński's hexagonal board": [*_programs("hexagon"), _comments()],
        "All three programs": [_bars(), _general(), _once()],
    }
