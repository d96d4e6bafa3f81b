"""The 2020 paper: all outcomes, each printed section damaged once, and its programs run as printed.

Also the page on custom boards, which the paper invites readers to try.
"""

from __future__ import annotations

import doctest
import re
from collections import Counter
from functools import cache
from itertools import permutations, product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from cavalcade import papers
from cavalcade.answers.verdict import Found
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.papers import demaio2020, items, optgraph, tables
from cavalcade.papers.demaio2020 import forced_cycle
from cavalcade.papers.optgraph import Statement, decide, program, run, solution, value, walk
from cavalcade.question.moves import move_graph
from cavalcade.theorems.glinski import glinski
from examples import renewed, timeless

if TYPE_CHECKING:
    from cavalcade.papers.report import Report

OUTCOMES = {
    "Schwenk's theorem": "yes",
    "Both sides odd": "yes",
    "The smallest boards with a closed tour": "yes",
    "Figure 1, no tour of 3x6": "yes",
    "The other boards of Schwenk's theorem": "answered",
    "Table 1, Problem Summary": "yes",
    "Table 1, Solution Summary": "yes",
    "Table 1, the tour": "verified",
    "Figure 2": "verified",
    "Figure 2 and its table": "yes",
    "Table 2, Problem Summary": "yes",
    "Table 2, Solution Summary": "yes",
    "5x7, moves from every square": "yes",
    "Table 3, Problem Summary": "yes",
    "Table 3, Solution Summary": "yes",
    "Table 3, the tour": "verified",
    "Figure 3": "verified",
    "Figure 3 and its table": "yes",
    "3x3, nodes and squares": "yes",
    "Squares without a move": "yes",
    "Tables 1 to 3, times and threads": "skipped",
    "Table 4, the tour": "verified",
    "2x4x3, both summaries": "answered",
    "4x4x4, both summaries": "answered",
    "The prism theorem": "no",
    "Prisms without a tour": "yes",
    "The obtuse angle": "yes",
    "What Gerlach and Gerlach produce": "no",
    "Figure 4": "lost",
    "Figure 5": "lost",
    "Hexagons of side 1 to 3": "yes",
    "Hexagons of side 4 to 50": "yes",
    "Data as a spreadsheet": "yes",
    "The conjecture": "yes",
    "The program of the text, as printed": "no",
    "The program of the text, mended": "yes",
    "Appendix A for 2x4x3, as printed": "no",
    "Appendix A for 2x4x3, mended": "yes",
    "Appendix A for 4x4x4, as printed": "no",
    "Appendix A for 4x4x4, mended": "yes",
    "Appendix B for side 4, as printed": "yes",
    "The programs, single bars": "unclear",
    "The three programs, any size": "yes",
    "How often a link is written, mended": "yes",
    "Appendix B, its comments on the rows": "yes",
}
# parts of the report that do not depend on the printed text: computed once for all damaged texts
UNPRINTED = {"glinski": cache(glinski)}
SECTIONS = {name: table.words for name, table in tables.printed("demaio2020").items()}
PAGE = Path(__file__).parent.parent / "docs" / "your-own-board.md"


@pytest.fixture(scope="module")
def report() -> Report:
    return papers.reproduce("demaio2020")


# ---- the report


def test_every_item_has_its_known_outcome(report: Report) -> None:
    assert {item.name: item.outcome for item in report.items} == OUTCOMES
    assert {item.name for item in report.items if item.meant == "no"} == set()
    assert {item.name for item in report.items if item.judged} == {
        *(name for name, outcome in OUTCOMES.items() if outcome == "no"),
        "The programs, single bars",
    }


def test_an_item_that_differs_has_a_reason(report: Report) -> None:
    assert all(item.why for item in report.items if item.outcome not in {"yes", "verified"})


def test_the_report_is_rendered_and_shows_our_tours(report: Report) -> None:
    text, page = report.render(), report.render("html")
    assert all(f"[{item.verdicts}] {item.name}" in text for item in report.items)
    for board in ("5x6", "3x3-b2", "2x4x3", "4x4x4", "hex:4"):
        assert f"Our closed tour of {board}" in page


def damage(text: str, section: str) -> str:
    """The data file with one number of a section changed, or one comparison sign of a program."""
    head, name, rest = text.partition(f"[{section}]\n")
    body, gap, tail = rest.rstrip("\n").partition("\n\n[")
    if section.endswith("summary"):
        body = re.sub(r"(?<=Links: )\d", "9", body)
    elif section.startswith("program"):
        body = "<=".join(body.rsplit(">=", 1))
    else:
        body = re.sub(r"[1-9]+$", lambda match: str(int(match[0]) + 1), body)
    return head + name + body + gap + tail + "\n"


@pytest.mark.parametrize("section", SECTIONS)
def test_a_damaged_section_is_detected(section: str, report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {name: items.data(name) for name in ("demaio2020.txt", "gerlach2019.txt", "corrections.txt")}
    damaged = damage(texts["demaio2020.txt"], section)
    assert damaged != texts["demaio2020.txt"]
    texts["demaio2020.txt"] = damaged
    monkeypatch.setattr(tables, "data", texts.__getitem__)
    for name, kept in UNPRINTED.items():
        monkeypatch.setattr(demaio2020, name, kept)
    program_changed = section.startswith("program")
    if program_changed:  # results of programs are cached
        run.cache_clear()
    try:
        damaged_report = papers.reproduce("demaio2020")
    finally:
        if program_changed:
            run.cache_clear()
    before = {item.name for item in report.items if item.outcome in {"yes", "verified"}}
    assert before & {item.name for item in damaged_report.items if item.outcome in {"no", "refuted"}}


@pytest.mark.parametrize(("name", "sizes"), [("rectangle", (5, 6)), ("prism", (4, 4, 4)), ("hexagon", (4,))])
def test_every_test_and_every_sum_of_a_program_counts(
    name: str, sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With any one comparison of the corrected program reversed, it no longer writes the knight's moves."""
    right = program(name, mend=True)
    for k, statement in enumerate(right):
        for t, (a, sign, b) in enumerate(statement.tests):
            turned = (a, {"<=": ">=", ">=": "<="}[sign], b)
            replacement = Statement(
                (*statement.tests[:t], turned, *statement.tests[t + 1 :]), statement.destination
            )
            changed = [*right[:k], replacement, *right[k + 1 :]]
            monkeypatch.setattr(optgraph, "program", lambda *_, new=changed, **__: new)
            assert not run.__wrapped__(name, *sizes).right, (name, k, t)


def test_every_number_of_the_tables_counts() -> None:
    """With any one number changed, the links do not form a cycle."""
    for name in ("table 1", "table 3", "table 4"):
        rows = [list(row) for row in SECTIONS[name]]
        path, wrong = walk(rows)
        assert not wrong
        assert len(path) == len(rows)
        for row, k in product(range(len(rows)), range(1, len(rows[0]))):
            changed = [list(row_cells) for row_cells in rows]
            changed[row][k] = str(int(changed[row][k]) + 1)
            assert walk(changed)[1], (name, row, k)


# ---- the programs


def test_sums_and_statements_are_read() -> None:
    values = {"i": 3, "n": 5, "rows": 8}
    assert [value(text, values) for text in ("i-2", "2*n-1", "rows", "10", "3*n-i", "i+n")] == [
        1,
        9,
        8,
        10,
        12,
        8,
    ]
    statement = Statement((("i", ">=", "3"), ("i", "<=", "rows-6")), ("i+1", "2*n"))
    assert statement.destination_from(values) is None
    assert statement.destination_from(values | {"rows": 9}) == (4, 10)


def test_the_program_of_the_text_is_as_printed() -> None:
    """The statements as paper 4156-2020 prints them, with its bars; the numbers come from a run."""
    printed = [" ".join(row) for row in tables.printed("demaio2020")["program rectangle"].words]
    assert printed == [
        "i>=3 and i<= columns-1 then i-2 | j+1",
        "i>=2 and j<= columns-2 then i-1 | | i+2",
        "i<=rows-1 and j<= columns-2 then i+1 | i+2",
        "i<=rows-2 and j<= columns-1 then i+2 | | j+1",
    ]
    assert [statement.single for statement in program("rectangle", mend=False)] == [True, False, True, False]
    joined = run("rectangle", 5, 6, mend=False)
    assert (joined.nodes, len(joined.once), joined.off, joined.loose) == (34, 64, 4, 5)
    by_hand = {
        frozenset(((i, j), to))
        for i, j in product(range(1, 6), range(1, 7))
        for exists, to in (
            (i >= 3 and i <= 5, (i - 2, j + 1)),
            (i >= 2 and j <= 4, (i - 1, i + 2)),
            (i <= 4 and j <= 4, (i + 1, i + 2)),
            (i <= 3 and j <= 5, (i + 2, j + 1)),
        )
        if exists
    }
    assert joined.once == by_hand
    ends = Counter(place for pair in by_hand for place in pair)
    assert {place for place, links in ends.items() if links == 1} == {(1, 6), (1, 7), (2, 6), (2, 7), (3, 7)}


def test_single_bars_are_run_one_by_one() -> None:
    """Single bars in the interpretation of SAS; `test_sas` runs the same programs, written in SAS."""
    third = run("rectangle", 5, 6, bars=(3,))
    assert Counter(to == (1,) for _, to in third.links) == {True: 16, False: 46}  # 4 x 4 moves down and right
    first = run("rectangle", 5, 6, bars=(1,))
    assert Counter(to for _, to in first.links) == {
        (1,): 15,
        (): 47,
    }  # the target variable is numeric, like its first value
    hexagon = run("hexagon", 4, bars=(8, 11))
    assert {to for _, to in hexagon.links if len(to) < 2} == {(1,)}
    assert not any(result.right for result in (third, first, hexagon))


def test_the_slips_of_the_2020_paper_are_named(report: Report) -> None:
    """A transcription cannot tell a misprint from scan damage, unless the text contradicts itself."""
    whose = {(slip.item, slip.cell): slip.whose for slip in report.slips}
    assert [cell for item, cell in whose if item == "program rectangle"] == ["move 1", "move 2", "move 3"]
    assert whose["text, prism theorem", "(b)"] == "either"
    assert {whose[f"figure {k}", "all of it"] for k in (1, 4, 5)} == {"scan"}
    assert "34 nodes, 64 links; 4 of the nodes are off the board, 5 have a single link" in report.render()


def test_the_programs_as_printed_leave_the_board() -> None:
    """The programs print i instead of j five times; the hexagon's program is right."""
    prisms = [run("prism", *sizes, mend=False) for sizes in ((2, 4, 3), (4, 4, 4))]
    assert [(result.nodes, result.off, result.loose) for result in prisms] == [(34, 10, 6), (78, 14, 8)]
    changed = {
        name: [a != b for a, b in zip(program(name, mend=True), program(name, mend=False), strict=True)]
        for name in ("rectangle", "prism", "hexagon")
    }
    assert {name: [k + 1 for k, c in enumerate(changes) if c] for name, changes in changed.items()} == {
        "rectangle": [1, 2, 3],
        "prism": [2, 12],
        "hexagon": [],
    }


@pytest.mark.parametrize("name", ["rectangle", "prism"])
def test_the_corrected_programs_write_each_move_once(name: str) -> None:
    for sizes in product(range(1, 6), repeat=2 if name == "rectangle" else 3):
        result = run(name, *sizes)
        assert result.right
        assert len(result.links) == len(result.once) == move_graph(result.board).edge_count


def test_nodes_and_links_have_the_known_numbers() -> None:
    """A knight has 4mn - 6(m + n) + 8 moves on m x n; a hexagon of side n has 3n(n - 1) + 1 cells."""
    for m, n in product(range(3, 9), repeat=2):
        assert len(run("rectangle", m, n).once) == 4 * m * n - 6 * (m + n) + 8
    for side in range(4, 10):
        assert run("hexagon", side).nodes == 3 * side * (side - 1) + 1


# ---- the boards


def test_forced_moves_close_too_early_on_the_papers_board() -> None:
    board = Board.box(3, 6)
    assert sorted(board.names[cell] for cell in forced_cycle(board)) == ["a2", "c1", "c3", "e2"]
    assert forced_cycle(Board.box(3, 8)) == []


def test_every_hexagon_of_the_paper_has_a_tour_that_is_checked() -> None:
    for side in demaio2020.HEXAGONS:
        verdict = decide(Board.hexagon(side))
        assert isinstance(verdict, Found)
        assert check(verdict.tour)
        assert len(verdict.tour) == 3 * side * (side - 1) + 1


@pytest.mark.parametrize("k", range(2, 10))
def test_2x2xk_falls_apart(k: int) -> None:
    """In each order of the sides."""
    for sides in set(permutations((2, 2, k))):
        assert solution(Board.box(*sides))[0] == "Infeasible"
        assert forced_cycle(Board.box(*sides)) == [] or k > 2


def test_a_stack_of_the_2019_paper_is_not_closed() -> None:
    table = tables.printed("gerlach2019")["table 12"]
    ends = [int(np.flatnonzero(table.numbers.ravel() == step)[0]) for step in (1, 256)]
    assert ends[1] not in move_graph(table.board).neighbours(ends[0])


# ---- custom boards


def test_the_commands_of_the_page_print_its_output() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert timeless(renewed(page)) == timeless(page)


def test_the_python_of_the_page_prints_its_output() -> None:
    blocks = re.findall(
        r"(?<=^```pycon\n).*?(?=^```$)", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    assert len(blocks) >= 5
    session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    failed, tried = doctest.DocTestRunner(verbose=False).run(session)
    assert (failed, tried > 20) == (0, True)
