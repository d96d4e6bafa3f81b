"""The items of the 2020 paper on rectangles: Schwenk's theorem, Figures 1 to 3, Tables 1 to 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.certificate import Certificate, Step, StepProof
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible
from cavalcade.boards import Board
from cavalcade.checking.certificates import verify
from cavalcade.checking.sentences import sentences
from cavalcade.checking.tours import check
from cavalcade.papers.items import Item, figures, item
from cavalcade.papers.optgraph import decide, locate, run, solution, word
from cavalcade.papers.summary import without_idle_cells
from cavalcade.papers.tables import drawing, faults
from cavalcade.question.moves import move_graph
from cavalcade.question.question import Question
from cavalcade.theorems.literature import schwenk

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cavalcade.answers.verdict import Verdict
    from cavalcade.papers.items import Figure
    from cavalcade.papers.optgraph import Link, Place, Run
    from cavalcade.papers.tables import Printed


def own_figures(board: Board, title: str) -> tuple[Figure, ...]:
    """Our closed tour of a board, its numbers and its line; a prism layer by layer, a hexagon drawn alone."""
    verdict = decide(board)
    if not isinstance(verdict, Found):
        return ()
    if board.family.hexagonal:
        return (drawing(verdict.tour, title, numbers=True),)
    steps = verdict.tour.numbering
    layers = np.moveaxis(steps, -1, 0) if steps.ndim == 3 else steps[None]
    ends = {
        tuple(np.argwhere(layers == step)[0].tolist()): word
        for step, word in ((len(verdict.tour), "last"), (1, "first"))
    }
    words = [[[str(x or "") for x in row] for row in layer.tolist()] for layer in layers]
    drawn = (drawing(verdict.tour, title),) if steps.ndim == 2 else ()
    return (*figures(title, words, ends=ends), *drawn)


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


def _summary(table: Printed) -> dict[str, str]:
    return dict(" ".join(row).split(": ") for row in table.words)


def _summaries(number: int, table: Printed, question: Run) -> list[Item]:
    """The items of a printed Problem Summary and Solution Summary."""
    printed = _summary(table)
    board = without_idle_cells(question.board)
    status, how = solution(board)
    size = f"{printed['Number of Nodes']} nodes, {printed['Number of Links']} links"
    claim = f"{printed['Problem Type']}: {printed['Solution Status']}"
    value_of = [printed[key] for key in ("Objective Value", "Best Bound") if key in printed]
    if value_of:
        claim += f", objective value {value_of[0]}, best bound {value_of[1]}"
    good = printed["Solution Status"] == status and all(one == str(board.size) for one in value_of)
    words = " by ".join(map(str, question.board.shape))
    right = "exactly the knight's moves" if question.right else "not the knight's moves"
    return [
        Item(
            f"Table {number}, Problem Summary",
            f"the program, mended, writes {question.summary}; they are {right}",
            size == question.summary and question.right,
            f"{words}: {printed['Input Type']}, {printed['Graph Direction']}, {size}",
        ),
        Item(
            f"Table {number}, Solution Summary",
            f"{status}, {how}",
            good,
            claim,
            figures=own_figures(board, f"Our closed tour of {board.spec}"),
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


def table_tour(number: int, table: Printed, board: Board) -> tuple[Item, Tour | None]:
    """The item of a table of links, and the tour if it is one."""
    path, wrong = walk(table.words)
    cells = locate(board, path) if path else np.empty(0, dtype=np.int32)
    found = None
    if not wrong and (cells >= 0).all():
        found = Tour(board, cells, closed=True)
        wrong = [] if check(found) else [check(found).message]
    elif not wrong:
        wrong = ["a place is off the board"]
    right = f"the links make one cycle through all {board.size} nodes, each a knight's move"
    claim = f"{len(table.words)} links, a closed tour of {board.spec}"
    why = "the printed links do not make a tour" if wrong else ""
    same = "refuted" if wrong else "verified"
    shown = Item(f"Table {number}, the tour", "; ".join(wrong) or right, same, claim, why)
    return shown, None if wrong else found


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
    name, claim = f"Figure {number}", f"a closed tour of {board.spec}"
    shown = table.figures(name, tour=True)
    tour = Item(name, "every step is a move, the last back to the first", "verified", claim, "", shown)
    if wrong:
        tour = Item(name, "; ".join(wrong), "refuted", claim, "the printed numbers are not a tour", shown)
    found, why = (
        ("the same moves", "") if same else ("other moves", "its moves are not the links of the table")
    )
    return [tour, Item(f"{name} and its table", found, same, "a visual representation of said tour", why)]


def _edges(one: Tour) -> set[frozenset[int]]:
    cells = one.cells.tolist()
    return {frozenset(pair) for pair in zip(cells, cells[1:] + cells[:1], strict=True)}


def rectangles(tables: dict[str, Printed]) -> list[Item]:
    """Tables 1 to 3, Figures 2 and 3, and what is said of 5x7 and 3x3."""
    five = run("rectangle", 5, 6)
    three = run("rectangle", 3, 3)
    middle = without_idle_cells(three.board)
    first, first_tour = table_tour(1, tables["table 1"], five.board)
    third, third_tour = table_tour(3, tables["table 3"], middle)
    idle = [word(three.board, three.board.cell(name)) for name in middle.holes]
    fewest = int(move_graph(Board.box(5, 7)).degrees.min())
    summaries = {k: _summary(tables[f"table {k} summary"]) for k in (1, 2, 3)}
    times = (
        f"Table {k}: {one['Execution Mode']}, {one['Number of Threads']} threads, CPU "
        f"{one['CPU Time']} s, real {one['Real Time']} s"
        for k, one in summaries.items()
    )
    return [
        *_summaries(1, tables["table 1 summary"], five),
        first,
        *_figure(2, tables["figure 2"], five.board, first_tour),
        *_summaries(2, tables["table 2 summary"], run("rectangle", 5, 7)),
        item("5x7, moves from every square", bool(fewest), fewest=fewest),
        *_summaries(3, tables["table 3 summary"], three),
        third,
        *_figure(3, tables["figure 3"], middle, third_tour),
        item(
            "3x3, nodes and squares",
            (three.board.size, three.nodes, idle) == (9, 8, ["(2,2)"]),
            squares=three.board.size,
            nodes=three.nodes,
            idle=" ".join(idle),
            status=solution(three.board)[0],
        ),
        _idle(),
        Item("Tables 1 to 3, times and threads", "not compared", "answered", "; ".join(times)),
    ]


def _idle() -> Item:
    """The second case of the paper: squares without moves."""
    boards = [Board.box(m, n) for m in range(1, 11) for n in range(m, 11)]
    idle = [one for one in boards if (degrees := move_graph(one).degrees).min() == 0 < degrees.max()]
    toured = [one.spec for one in idle if solution(without_idle_cells(one))[0] == "Optimal"]
    none = [one.spec for one in boards if move_graph(one).edge_count == 0 and one.shape[0] > 1]
    specs = [one.spec for one in idle]
    some, others, all_ = (", ".join(names) for names in (specs, toured, none))
    name = "Squares without a move"
    return item(name, specs == ["2x3", "3x3"], some=some, toured=others, none=all_)


def small_boards() -> list[Item]:
    """Schwenk's theorem and the sentences around it, on small boards."""
    boards = [Board.box(m, n) for m in range(1, 13) for n in range(m, 13) if m * n > 1]
    wrong = [
        one.spec for one in boards if solution(one)[0] != ("Infeasible" if schwenk(*one.shape) else "Optimal")
    ]
    small = [Board.box(m, n) for m in range(1, 6) for n in range(m, 30 // m + 1) if m * n > 1]
    toured = [one.spec for one in small if solution(one)[0] != "Infeasible"]
    stated = f"not as stated: {', '.join(wrong)}" if wrong else "all as stated"
    odd = [one for one in boards if one.shape[0] % 2 and one.shape[1] % 2]
    unequal = all(abs(int((-1.0) ** one.coords.sum(axis=1) @ np.ones(one.size))) == 1 for one in odd)
    return [
        item("Schwenk's theorem", not wrong, boards=len(boards), stated=stated),
        item("Both sides odd", unequal, boards=len(odd)),
        item(
            "The smallest boards with a closed tour",
            toured == ["3x10", "5x6"],
            boards=len(small),
            toured=" and ".join(toured),
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
    certificate = Certificate(Question(board), StepProof(steps))
    checked = verify(certificate)
    ends, between = ([word(board, cell) for cell in sorted(some)] for some in (two, set(cycle) - set(two)))
    return item(
        "Figure 1, no tour of 3x6",
        bool(checked) and (ends, between) == (["(2,1)", "(2,5)"], ["(1,3)", "(3,3)"]),
        ends=" and ".join(ends),
        between=" and ".join(between),
        squares=len(cycle),
        accepts="accepts" if checked else "refuses",
        proof=" ".join(sentences(certificate)),
    )


def _similar() -> Item:
    """Whether arguments like that of 3x6 settle the other boards of Schwenk's theorem."""
    boards = [Board.box(m, n) for m in (3, 4) for n in range(m, 13) if schwenk(m, n) and not m * n % 2]
    alike = [one.spec for one in boards if forced_cycle(one)]
    by: dict[str, list[str]] = {}
    for one in boards:
        if one.spec not in alike:
            by.setdefault(" and ".join(dict.fromkeys(_rules(decide(one)))), []).append(one.spec)
    rules = "; ".join(f"{', '.join(specs)}: {rules}" for rules, specs in by.items())
    name = "The other boards of Schwenk's theorem"
    return item(name, "answered", boards=len(boards), alike=", ".join(alike), rules=rules)


def _rules(verdict: Verdict) -> list[str]:
    """The rules that a structural proof uses."""
    from cavalcade.answers.certificate import flat

    if not isinstance(verdict, Impossible) or verdict.certificate is None:
        return [verdict.status]
    proof = verdict.certificate.proof
    return [step.rule for step in flat(proof.steps)] if isinstance(proof, StepProof) else ["sat"]
