"""J. DeMaio and M. S. Alam, Using the OPTGRAPH Procedure to Construct Closed Knight's Tours, 2020.

Recomputed here. The paper writes the moves of a board as the links of a graph, by a Data step, and asks
PROC OPTGRAPH for the shortest round trip (TSP). A summary of the problem counts nodes and links; a
summary of the solution says `Optimal`, with the number of nodes as its value, or `Infeasible`.

Its three programs stand in the data file as printed, and are run from there. A *place* is what the paper
prints: (row, column), (row, column, layer), or (r, q) on a hexagon. A *link* is a pair of places.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.certificate import Certificate, Step, StepProof
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible
from cavalcade.boards import Board
from cavalcade.checking.certificates import verify
from cavalcade.checking.sentences import sentences
from cavalcade.checking.tours import check
from cavalcade.graph import move_graph
from cavalcade.papers import PAPERS
from cavalcade.papers.gerlach2015 import tours as rule_tours
from cavalcade.papers.report import Item, Report, figures
from cavalcade.papers.tables import Printed, corrections, faults, printed
from cavalcade.portfolio import tour
from cavalcade.problem import Problem
from cavalcade.theorems.glinski import glinski
from cavalcade.theorems.literature import demaio_alam_as_printed, demaio_mathew, schwenk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from cavalcade.answers.verdict import Verdict
    from cavalcade.papers.report import Figure

    Place = tuple[int, ...]
    Link = tuple[Place, Place]

PAPER = "demaio2020"
#: Sides of Gliński's board for which the paper reports a tour.
HEXAGONS = range(4, 51)

# ---- the programs

TERM = re.compile(r"([+-]?)(?:(\d+)\*)?(\w+)")


@dataclass(frozen=True)
class Statement:
    """`if TESTS then do; destination = (...); output; end;`.

    Args:
        tests: left side, `<=` or `>=`, right side.
        destination: a sum for each coordinate.
    """

    tests: tuple[tuple[str, str, str], ...]
    destination: tuple[str, ...]

    def destination_from(self, at: dict[str, int]) -> Place | None:
        """Where the move leads, None where the tests fail."""
        for left, sign, right in self.tests:
            if (value(left, at) - value(right, at)) * (1 if sign == ">=" else -1) < 0:
                return None
        return tuple(value(text, at) for text in self.destination)


def value(text: str, at: dict[str, int]) -> int:
    """A sum like 2*n-1 or r+q."""
    return sum(times * (at[name] if name else 1) for times, name in terms(text))


@cache
def terms(text: str) -> tuple[tuple[int, str], ...]:
    """The terms of a sum: a number, and a variable or nothing."""
    found = []
    for sign, times, name in TERM.findall(text):
        number = int(f"{sign}1") * int(times or 1)
        found.append((number * int(name), "") if name.isdigit() else (number, name))
    return tuple(found)


def program(name: str, *, mend: bool) -> list[Statement]:
    """One of the printed programs (`rectangle`, `prism`, `hexagon`), as printed or with the corrections."""
    section = f"program {name}"
    lines = [" ".join(row) for row in printed(PAPER)[section].words]
    for one in corrections(PAPER) if mend else ():
        if one.item == section:
            number = int(one.cell.removeprefix("move ")) - 1
            lines[number] = lines[number].replace(one.printed, one.wanted)
    return [_statement(line) for line in lines]


def _statement(line: str) -> Statement:
    tests, _, destination = line.replace(" and ", "&").replace(" then ", "#").replace(" ", "").partition("#")
    parts = [re.split("(<=|>=)", test) for test in tests.split("&")]
    return Statement(tuple((a, sign, b) for a, sign, b in parts), tuple(destination.split("||")))


def origins(name: str, *sizes: int) -> Iterator[tuple[Place, dict[str, int]]]:
    """The loops around the statements: every place, and the variables there."""
    if name == "hexagon":
        (n,) = (size - 1 for size in sizes)
        for r in range(2 * n + 1):
            for q in range(max(n - r, 0), min(2 * n, 3 * n - r) + 1):
                yield (r, q), {"r": r, "q": q, "n": n}
        return
    limits = dict(zip(("rows", "columns", "layers"), sizes, strict=False))
    for place in product(*(range(1, size + 1) for size in sizes)):
        yield place, dict(zip("ijk", place, strict=False)) | limits


@dataclass(frozen=True)
class Run:
    """What a program writes for a board: its links, in their order.

    Args:
        board: the board that is meant.
        links: origin and destination.
    """

    board: Board
    links: tuple[Link, ...]

    @property
    def nodes(self) -> int:
        """How many places occur: places without a move are no nodes."""
        return len({place for link in self.links for place in link})

    @property
    def once(self) -> set[frozenset[Place]]:
        """The links, each once: what OPTGRAPH makes of them."""
        return {frozenset(link) for link in self.links}

    @property
    def loose(self) -> int:
        """How many nodes have a single link, and so are in no tour."""
        ends = Counter(place for link in self.once for place in link)
        return list(ends.values()).count(1)

    @property
    def off(self) -> int:
        """How many places lie off the board."""
        every = sorted({place for link in self.links for place in link})
        return int(np.count_nonzero(locate(self.board, every) < 0))

    @property
    def right(self) -> bool:
        """Whether the links are exactly the knight's moves on the board."""
        if not self.links:
            return move_graph(self.board).edge_count == 0
        ends = [locate(self.board, [link[side] for link in self.links]) for side in (0, 1)]
        pairs = {(a, b) if a < b else (b, a) for a, b in zip(*(e.tolist() for e in ends), strict=True)}
        return pairs == {(a, b) for a, b in move_graph(self.board).edges().tolist()}

    @property
    def summary(self) -> str:
        """The Problem Summary in a sentence."""
        return f"{self.nodes} nodes, {len(self.once)} links"


@cache
def run(name: str, *sizes: int, mend: bool = True) -> Run:
    """A program for a board of these sizes."""
    statements = program(name, mend=mend)
    links = [
        (place, to)
        for place, at in origins(name, *sizes)
        for statement in statements
        if (to := statement.destination_from(at)) is not None
    ]
    return Run(Board.hexagon(*sizes) if name == "hexagon" else Board.box(*sizes), tuple(links))


def locate(board: Board, places: Iterable[Place]) -> NDArray[np.int32]:
    """The cells of the paper's places, -1 off the board."""
    at = np.array(list(places), dtype=np.int64)
    return board.locate(at[:, ::-1] - (board.side - 1) if board.kind == "hex" else at - 1)


def word(board: Board, cell: int) -> str:
    """A cell as the paper prints it: (2,1)."""
    return f"({','.join(str(x + 1) for x in board.coords[cell].tolist())})"


# ---- tours and proofs of our own


@cache
def decide(board: Board) -> Verdict:
    """A closed tour of the board, or why there is none."""
    return tour(board)


def without_idle_cells(board: Board) -> Board:
    """The board of the nodes: cells without a move left out."""
    idle = np.flatnonzero(move_graph(board).degrees == 0).tolist()
    return board.without(idle) if len(idle) < board.size else board


def solution(board: Board) -> tuple[str, str]:
    """Our Solution Summary: status, and how it is known."""
    verdict = decide(board)
    if isinstance(verdict, Found):
        return "Optimal", f"objective value {board.size}: a closed tour, which the checker accepts"
    if isinstance(verdict, Impossible) and verdict.certificate and verify(verdict.certificate):
        return "Infeasible", f"the checker accepts the proof: {verdict.reason}"
    return "undecided", verdict.reason


def own_figures(board: Board, title: str) -> tuple[Figure, ...]:
    """Our closed tour of a board; a prism layer by layer, a hexagon row by row."""
    verdict = decide(board)
    if not isinstance(verdict, Found):
        return ()
    steps = verdict.tour.numbering
    if board.kind == "hex":
        steps = steps.T
    layers = np.moveaxis(steps, -1, 0) if steps.ndim == 3 else steps[None]
    return figures(title, [[[str(x or "") for x in row] for row in layer.tolist()] for layer in layers], {})


def forced_cycle(board: Board) -> list[int]:
    """A closed cycle of moves that cells with two moves force, in order; empty where they force none."""
    graph = move_graph(board)
    near: dict[int, list[int]] = {}
    for cell in np.flatnonzero(graph.degrees == 2).tolist():
        for other in graph.neighbours(cell).tolist():
            for a, b in ((cell, other), (other, cell)):
                if b not in near.setdefault(a, []):
                    near[a].append(b)
    for start in near:
        cycle, before = [start], -1
        while nexts := [cell for cell in near[cycle[-1]] if cell != before]:
            if len(near[cycle[-1]]) != 2:
                break
            before = cycle[-1]
            if nexts[0] == start:
                return cycle
            cycle.append(nexts[0])
    return []


# ---- items


def _say(name: str, claim: str, found: str, *, same: bool, why: str = "") -> Item:
    return Item(name, claim, found, "yes" if same else "no", why)


def _summary(table: Printed) -> dict[str, str]:
    return dict(" ".join(row).split(": ") for row in table.words)


def _summaries(number: int, table: Printed, problem: Run) -> list[Item]:
    """The items of a printed Problem Summary and Solution Summary."""
    told = _summary(table)
    board = without_idle_cells(problem.board)
    status, how = solution(board)
    size = f"{told['Number of Nodes']} nodes, {told['Number of Links']} links"
    claim = told["Solution Status"]
    value_of = [told[key] for key in ("Objective Value", "Best Bound") if key in told]
    good = claim == status and all(one == str(board.size) for one in value_of)
    words = " by ".join(map(str, problem.board.shape))
    return [
        _say(
            f"Table {number}, Problem Summary",
            f"{words}: {told['Input Type']}, {told['Graph Direction']}, {size}",
            f"the program, mended, writes {problem.summary}; they are "
            + ("exactly the knight's moves" if problem.right else "not the knight's moves"),
            same=size == problem.summary and problem.right,
        ),
        Item(
            f"Table {number}, Solution Summary",
            f"{told['Problem Type']}: {claim}"
            + (f", objective value {value_of[0]}, best bound {value_of[1]}" if value_of else ""),
            f"{status}, {how}",
            "yes" if good else "no",
            "every round trip of n nodes has n links of weight 1, so value and bound can only be n"
            if value_of
            else "",
            own_figures(board, f"Our closed tour of {board.spec}"),
        ),
    ]


def walk(rows: Iterable[Iterable[str]]) -> tuple[list[Place], list[str]]:
    """The places of a table of links in the order of the cycle they make, and what keeps them from one."""
    links: list[Link] = []
    for _, *numbers in rows:
        half = len(numbers) // 2
        links.append((tuple(map(int, numbers[:half])), tuple(map(int, numbers[half:]))))
    near: dict[Place, list[Place]] = {}
    for a, b in links:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    wrong = [f"{place} has {len(to)} links" for place, to in sorted(near.items()) if len(to) != 2]
    if wrong:
        return [], wrong
    path = [links[0][0], links[0][1]]
    while (after := next((p for p in near[path[-1]] if p != path[-2]), path[0])) != path[0]:
        path.append(after)
    return path, [] if len(path) == len(near) else [f"a cycle of {len(path)} places of {len(near)}"]


def _table_tour(number: int, table: Printed, board: Board) -> tuple[Item, Tour | None]:
    """The item of a table of links, and the tour if it is one."""
    path, wrong = walk(table.words)
    cells = locate(board, path) if path else np.empty(0, dtype=np.int32)
    found = None
    if not wrong and (cells >= 0).all():
        found = Tour(board, cells, closed=True)
        wrong = [] if check(found) else [check(found).message]
    elif not wrong:
        wrong = ["a place is off the board"]
    item = Item(
        f"Table {number}, the tour",
        f"{len(table.words)} links, a closed tour of {board.spec}",
        "; ".join(wrong) or f"the links make one cycle through all {board.size} nodes, each a knight's move",
        "refuted" if wrong else "verified",
        "the printed links do not make a tour" if wrong else "",
    )
    return item, None if wrong else found


def _figure(number: int, table: Printed, board: Board, links: Tour | None) -> list[Item]:
    """The items of a printed numbering: a closed tour, and that of the table."""
    steps = table.numbers
    inside = np.ones(board.shape, dtype=np.bool_) if board.mask is None else board.mask
    wrong: list[str] = []
    drawn = None
    try:
        drawn = Tour.from_numbering(board, steps, closed=True)
    except ValueError as error:
        wrong = faults(steps) or [str(error)]
    if drawn is not None and not (checked := check(drawn)):
        wrong = [checked.message]
    if (steps[~inside] != 0).any():
        wrong.append("a square without moves has a number")
    same = drawn is not None and links is not None and _edges(drawn) == _edges(links)
    return [
        Item(
            f"Figure {number}",
            f"a closed tour of {board.spec}",
            "; ".join(wrong) or "every step is a move, the last back to the first",
            "refuted" if wrong else "verified",
            "the printed numbers are no tour" if wrong else "",
            table.figures(f"Figure {number}"),
        ),
        _say(
            f"Figure {number} and its table",
            "a visual representation of said tour",
            "the same moves" if same else "other moves",
            same=same,
            why="" if same else "its moves are not the links of the table",
        ),
    ]


def _edges(one: Tour) -> set[frozenset[int]]:
    cells = one.cells.tolist()
    return {frozenset(pair) for pair in zip(cells, cells[1:] + cells[:1], strict=True)}


def _rectangles(tables: dict[str, Printed]) -> list[Item]:
    five = run("rectangle", 5, 6)
    three = run("rectangle", 3, 3)
    middle = without_idle_cells(three.board)
    first, first_tour = _table_tour(1, tables["table 1"], five.board)
    third, third_tour = _table_tour(3, tables["table 3"], middle)
    idle = [word(three.board, three.board.cell(name)) for name in middle.holes]
    return [
        *_summaries(1, tables["table 1 summary"], five),
        first,
        *_figure(2, tables["figure 2"], five.board, first_tour),
        *_summaries(2, tables["table 2 summary"], run("rectangle", 5, 7)),
        _say(
            "5x7, moves from every square",
            "legal knight moves exist from every square",
            f"the fewest are {move_graph(Board.box(5, 7)).degrees.min()}",
            same=bool(move_graph(Board.box(5, 7)).degrees.min()),
        ),
        *_summaries(3, tables["table 3 summary"], three),
        third,
        *_figure(3, tables["figure 3"], middle, third_tour),
        _say(
            "3x3, nodes and squares",
            "9 squares, 8 nodes: no legal knight moves from (2,2)",
            f"{three.board.size} squares, {three.nodes} nodes: no moves from {' '.join(idle)}; "
            f"{solution(three.board)[0]} with all squares",
            same=(three.board.size, three.nodes, idle) == (9, 8, ["(2,2)"]),
        ),
        _idle(),
        Item(
            "Tables 1 to 3, times and threads",
            "; ".join(
                f"Table {k}: {told['Execution Mode']}, {told['Number of Threads']} threads, CPU "
                f"{told['CPU Time']} s, real {told['Real Time']} s"
                for k in (1, 2, 3)
                if (told := _summary(tables[f"table {k} summary"]))
            ),
            "not compared",
            "answered",
            "they are that machine's; so are gaps, nodes and iterations, all 0, that solver's",
        ),
    ]


def _idle() -> Item:
    """The second case of the paper: squares without moves."""
    boards = [Board.box(m, n) for m in range(1, 11) for n in range(m, 11)]
    idle = [one for one in boards if (degrees := move_graph(one).degrees).min() == 0 < degrees.max()]
    toured = [one.spec for one in idle if solution(without_idle_cells(one))[0] == "Optimal"]
    none = [one.spec for one in boards if move_graph(one).edge_count == 0 and one.shape[0] > 1]
    return _say(
        "Squares without a move",
        "only with small parameters",
        f"up to 10x10, only some squares have none on {', '.join(one.spec for one in idle)}; a closed tour "
        f"of the others exists on {', '.join(toured)}; no square has any on 1xn and {', '.join(none)}",
        same=[one.spec for one in idle] == ["2x3", "3x3"],
        why="so 3x3 is the only rectangle of the second case" if toured == ["3x3"] else "",
    )


def _schwenk() -> list[Item]:
    boards = [Board.box(m, n) for m in range(1, 13) for n in range(m, 13) if m * n > 1]
    wrong = [
        one.spec for one in boards if solution(one)[0] != ("Infeasible" if schwenk(*one.shape) else "Optimal")
    ]
    small = [Board.box(m, n) for m in range(1, 6) for n in range(m, 30 // m + 1) if m * n > 1]
    toured = [one for one in small if solution(one)[0] != "Infeasible"]
    odd = [one for one in boards if one.shape[0] % 2 and one.shape[1] % 2]
    unequal = all(abs(int((-1.0) ** one.coords.sum(axis=1) @ np.ones(one.size))) == 1 for one in odd)
    return [
        _say(
            "Schwenk's theorem",
            "(a) both sides odd; (b) m is 1, 2 or 4; (c) m is 3 and n is 4, 6 or 8",
            f"{len(boards)} boards up to 12x12 decided, each with a tour or a checked proof: "
            + (f"not as said: {', '.join(wrong)}" if wrong else "all as said"),
            same=not wrong,
            why="1x1 is left out: a single square is a trivial tour",
        ),
        _say(
            "Both sides odd",
            "unequal colours",
            f"on {len(odd)} boards up to 11x11 one colour has one square more",
            same=unequal,
        ),
        _say(
            "The smallest boards with a closed tour",
            "3x10 and 5x6",
            f"of the {len(small)} boards of 2 to 30 squares {' and '.join(b.spec for b in toured)} have one, "
            "both of 30; the others have checked proofs that they have none",
            same=[one.spec for one in toured] == ["3x10", "5x6"],
        ),
        _three_by_six(),
        _similar(),
    ]


def _three_by_six() -> Item:
    """The argument of Figure 1, found by the program and put to the checker."""
    board = Board.box(3, 6)
    cycle = forced_cycle(board)
    graph = move_graph(board)
    two = tuple(cell for cell in cycle if graph.degrees[cell] == 2)
    steps = (Step("forced", two), Step("cycle", tuple(cycle)))
    certificate = Certificate(Problem(board), StepProof(steps))
    checked = verify(certificate)
    between = [cell for cell in cycle if cell not in two]
    return _say(
        "Figure 1, no tour of 3x6",
        "(2,1) and (2,5) force their moves to (1,3) and (3,3); these four close a tour",
        f"{' and '.join(word(board, cell) for cell in sorted(two))} have two moves each, to "
        f"{' and '.join(word(board, cell) for cell in sorted(between))}; they close after {len(cycle)} "
        f"squares; the checker {'accepts' if checked else 'refuses'} this as a proof: "
        f"{' '.join(sentences(certificate))}",
        same=bool(checked)
        and [word(board, cell) for cell in sorted(two)] == ["(2,1)", "(2,5)"]
        and [word(board, cell) for cell in sorted(between)] == ["(1,3)", "(3,3)"],
        why="the figure is an image that the transcription left out; the text tells it whole",
    )


def _similar() -> Item:
    """Whether arguments like that of 3x6 settle the other boards of Schwenk's theorem."""
    boards = [Board.box(m, n) for m in (3, 4) for n in range(m, 13) if schwenk(m, n) and not m * n % 2]
    alike = [one.spec for one in boards if forced_cycle(one)]
    by: dict[str, list[str]] = {}
    for one in boards:
        if one.spec not in alike:
            by.setdefault(" and ".join(dict.fromkeys(_rules(decide(one)))), []).append(one.spec)
    return Item(
        "The other boards of Schwenk's theorem",
        "similar arguments preclude a tour for the remaining pairs of values; on 4xn more complex ones",
        f"of {len(boards)} boards 3xn and 4xn of even area, n <= 12, moves forced at once close too early on "
        f"{', '.join(alike)}; our proofs for the others: "
        + "; ".join(f"{', '.join(specs)} by {rules}" for rules, specs in by.items()),
        "answered",
        "the paper prints no other argument; these are the rules of our proofs, which the checker accepts",
    )


def _rules(verdict: Verdict) -> list[str]:
    """The rules that a structural proof uses."""
    from cavalcade.answers.certificate import flat

    if not isinstance(verdict, Impossible) or verdict.certificate is None:
        return [verdict.status]
    proof = verdict.certificate.proof
    return [step.rule for step in flat(proof.steps)] if isinstance(proof, StepProof) else ["sat"]


def _prisms(tables: dict[str, Printed]) -> list[Item]:
    four, cube = run("prism", 2, 4, 3), run("prism", 4, 4, 4)
    return [
        _table_tour(4, tables["table 4"], four.board)[0],
        *(_unprinted(one, name) for one, name in ((four, "2x4x3"), (cube, "4x4x4"))),
        _prism_theorem(),
        _stacks(),
    ]


def _unprinted(problem: Run, name: str) -> Item:
    """Both summaries of a run of which the paper prints none."""
    status, how = solution(problem.board)
    return Item(
        f"{name}, both summaries",
        "not printed",
        f"{problem.summary}{'' if problem.right else ', not the moves'}; {status}, {how}",
        "answered",
        "the paper runs it, but shows no summary",
        own_figures(problem.board, f"Our closed tour of {name}"),
    )


def _prism_theorem() -> Item:
    every = [(i, j, k) for i in range(2, 7) for j in range(i, 7) for k in range(j, 11) if i * j * k <= 250]
    found = {sides: solution(Board.box(*sides))[0] for sides in every}
    said = {s: "Infeasible" if demaio_alam_as_printed(*s) else "Optimal" for s in every}
    true = {s: "Infeasible" if demaio_mathew(*s) else "Optimal" for s in every}
    wrong = [s for s in every if found[s] != said[s]]
    tall = [s[2] for s in wrong if s[:2] == (2, 2)]
    return _say(
        "The prism theorem",
        "(a) all sides odd; (b) i = j = k = 2; (c) i = 2 and j = k = 3",
        f"of {len(every)} boxes up to 250 cells, {len(wrong)} are not as printed"
        + (
            f": 2x2xk for k from {min(tall)} to {max(tall)}, which have no tour"
            if len(tall) == len(wrong) and tall
            else f": {wrong[:9]}"
        )
        + ("; with (b) as i = j = 2 all are right" if found == true else ""),
        same=not wrong,
        why="on 2x2xk a move of two goes along k only, and the move of one across: k stays even or odd for "
        "ever, and the board falls apart. The theorem of 2011 says i = j = 2",
    )


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
    return _say(
        "What Gerlach and Gerlach produce",
        "closed tours of 8x8, and of n x 8 x 8 for n = 2 to 6",
        f"{len(closed)} of the 2015 program's {len(every)} tours of 8x8 are closed, and "
        f"{sum(stacks.values())} of the {len(stacks)} whole tours on three and four boards printed "
        f"in 2019; closed ones exist, we have them for n = {', '.join(map(str, own))}",
        same=all(stacks.values()),
        why="the two papers set out for tours, open or closed, and their stacks are open",
    )


def _programs() -> list[Item]:
    runs = [
        ("rectangle", (5, 6), "The program of the text", "30 nodes, 62 links"),
        ("prism", (2, 4, 3), "Appendix A for 2x4x3", "creates a tour; Table 4 has 24 nodes"),
        ("prism", (4, 4, 4), "Appendix A for 4x4x4", "creates a tour"),
        ("hexagon", (4,), "Appendix B for side 4", "creates a tour"),
    ]
    items = []
    for name, sizes, title, claim in runs:
        raw, good = run(name, *sizes, mend=False), run(name, *sizes)
        items.append(
            _say(
                f"{title}, as printed",
                claim,
                f"{raw.summary}, {raw.off} of the nodes off the board, {raw.loose} with a single link"
                if not raw.right
                else f"{raw.summary}: exactly the knight's moves",
                same=raw.right,
                why="" if raw.right else "an i for a j; OPTGRAPH would call it Infeasible",
            )
        )
        if not raw.right:
            items.append(
                _say(
                    f"{title}, mended",
                    claim,
                    f"{good.summary}: " + ("exactly the knight's moves" if good.right else "not the moves"),
                    same=good.right,
                )
            )
    return [*items, _general(), _once(), _comments()]


def _general() -> Item:
    """The programs, mended, for many sizes."""
    sizes = [("rectangle", s) for s in product(range(1, 9), repeat=2)]
    sizes += [("prism", s) for s in product(range(1, 5), repeat=3)]
    sizes += [("hexagon", (s,)) for s in range(1, 9)]
    right = [run(name, *s).right for name, s in sizes]
    return _say(
        "The three programs, any size",
        "the code is easily changed for any chessboard",
        f"mended, {sum(right)} of {len(right)} runs write exactly the knight's moves: rectangles up to 8x8, "
        "prisms up to 4x4x4, hexagons up to side 8",
        same=all(right),
    )


def _once() -> Item:
    """How often a link is written."""

    def times(one: Run) -> list[int]:
        return sorted(set(Counter(map(frozenset, one.links)).values()))

    flat, high, hexes = run("rectangle", 5, 6), run("prism", 4, 4, 4), run("hexagon", 4)
    low = Counter(map(frozenset, flat.links))[frozenset({(3, 1), (1, 2)})]
    up = Counter(map(frozenset, high.links))[frozenset({(1, 3, 1), (1, 1, 2)})]
    return _say(
        "How often a link is written",
        "once on rectangles and prisms, as (3,1) to (1,2) and (1,3,1) to (1,1,2); duplicates on hexagons",
        f"{times(flat)} and {times(high)} times, the two examples {low} and {up} times; {times(hexes)} times "
        "on the hexagon",
        same=(times(flat), times(high), times(hexes), low, up) == ([1], [1], [2], 1, 1),
    )


def _comments() -> Item:
    rows = [[int(w) for w in row] for row in printed(PAPER)["rows hexagon"].words]
    places = [place for place, _ in origins("hexagon", 4)]
    found = {r: [q for row, q in places if row == r] for r, _, _ in rows}
    same = all(found[r][0] == low and found[r][-1] == high for r, low, high in rows)
    return _say(
        "Appendix B, its comments on the rows",
        "; ".join(f"r = {r}: {low} to {high}" for r, low, high in rows) + "; 7 rows",
        "; ".join(f"r = {r}: {qs[0]} to {qs[-1]}" for r, qs in found.items())
        + f"; {len({r for r, _ in places})} rows",
        same=same and len({r for r, _ in places}) == 7,
    )


def _hexagons() -> list[Item]:
    small = {side: decide(Board.hexagon(side)) for side in (1, 2, 3)}
    centre = [int(move_graph(Board.hexagon(s)).degrees[Board.hexagon(s).size // 2]) for s in (1, 2, 3, 4)]
    around = solution(without_idle_cells(Board.hexagon(3)))
    told = [s for s in HEXAGONS if solution(Board.hexagon(s))[0] == "Optimal"]
    links = [run("hexagon", s) for s in (4, 5, 6)]
    four = Board.hexagon(4)
    return [
        Item(
            "Figures 4 and 5",
            "images: Gliński's board of side 6, and a closed tour of side 4",
            f"{links[0].summary} on side 4; {', '.join(solution(four))}",
            "lost",
            "the figures are not in the transcription, so there is no tour to verify; ours is shown instead",
            own_figures(four, "Our closed tour of side 4, r down and q to the right"),
        ),
        _say(
            "Hexagons of side 1 to 3",
            "no legal moves from the center square, no closed tour",
            f"{centre[:3]} moves from the centre ({centre[3]} on side 4); "
            + ", ".join(f"side {side}: {verdict.status}" for side, verdict in small.items()),
            same=centre[:3] == [0, 0, 0] and {small[2].status, small[3].status} == {"impossible"},
            why="side 1 is a single cell, a trivial tour by our convention. Without its centre, side 3 would "
            f"be {around[0]} in OPTGRAPH, as 3x3 is",
        ),
        _say(
            "Hexagons of side 4 to 50",
            "a closed tour exists for 4 <= n <= 50",
            f"closed tours of {len(told)} of {len(HEXAGONS)} sides, up to "
            f"{Board.hexagon(HEXAGONS[-1]).size:,} nodes, which the checker accepts",
            same=told == list(HEXAGONS),
        ),
        Item(
            "The conjecture",
            "Gliński's board of side n contains a closed tour for n >= 4",
            "true: docs/glinski.md is a proof, and the facts that it takes from tables "
            + ("hold" if glinski() else "do not hold"),
            "answered",
            "open in print as far as we know",
        ),
    ]


def reproduce() -> Report:
    """Everything that the paper prints, recomputed and compared. A few seconds."""
    tables = printed(PAPER)
    items = [
        *_schwenk(),
        *_rectangles(tables),
        *_prisms(tables),
        *_hexagons(),
        *_programs(),
    ]
    return Report(PAPERS[PAPER], tuple(items), tuple(corrections(PAPER)))
