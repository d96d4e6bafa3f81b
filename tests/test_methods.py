"""The papers' methods on any board: chain, glue, repair, degrees, links, data steps, least tours."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cavalcade
from cavalcade import Tour, Undecided, board, chain, check, glue, links, tsp, warnsdorff
from cavalcade.boards.stack import stacked
from cavalcade.find.warnsdorff import walks
from cavalcade.formats import parse, parse_graph, write
from cavalcade.formats.edges import weights
from cavalcade.formats.integers import read_numbers
from cavalcade.formats.text import numbers_text
from cavalcade.ground.errors import (
    BoardError,
    CavalcadeError,
    CellError,
    FormatError,
    TooLargeError,
)
from cavalcade.papers import PAPERS
from cavalcade.papers.stacks import nxtcoord, paper_degrees
from cavalcade.papers.summary import optgraph
from cavalcade.papers.tables import printed
from cavalcade.question.moves import move_graph
from examples import renewed, timeless
from plain import fault, main
from verdicts import tour_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from cavalcade.find.chain import Step
    from cavalcade.question.words import Ties
    from conftest import Ran

    Cli = Callable[..., Ran]

CHESS = board("8x8")


def fault_of(tour: Tour) -> str:
    """Return the first fault that the plain check finds in a tour of a box."""
    return fault(tour.coords.tolist(), tour.board.size)


# ---- chain


@pytest.mark.parametrize("start", CHESS.names)
@pytest.mark.parametrize("step", [None, nxtcoord])
def test_a_chain_with_fall_back_continues_from_every_square(start: str, step: Step | None) -> None:
    levels = chain("8x8", 200, start=start, step=step, fall_back=True, count_start=step is None)
    assert levels.complete
    assert levels.endless, "so it goes on forever"
    assert fault_of(levels.tour(1, 12)) == ""
    ends = [level.coords[[0, -1]].tolist() for level in levels]
    for (_, end), (begin, _) in pairwise(ends):
        moved = [abs(a - b) for a, b in zip(end, begin, strict=True)]
        assert sorted(moved) == [0, 2]


@pytest.mark.slow
@pytest.mark.parametrize("ties", ["first", "last"])
@pytest.mark.parametrize("start", CHESS.names)
def test_a_thousand_levels_from_every_square(start: str, ties: Ties) -> None:
    levels = chain("8x8", 1000, start=start, ties=ties, fall_back=True)
    assert levels.complete
    assert fault_of(levels.tour()) == ""


@pytest.mark.parametrize(
    ("spec", "piece"), [("5x5", None), ("6x7", None), ("3x4x5", None), ("9x9", "1,2+1,4")]
)
def test_chains_of_other_boards_and_pieces(spec: str, piece: str | None) -> None:
    levels = chain(spec, 30, piece=piece, fall_back=True)
    assert levels.complete
    assert check(levels.tour()).ok
    assert [len(level) for level in levels] == [board(spec).size] * 30


def test_a_thousand_levels_are_written_level_by_level(cli: Cli, tmp_path: Path) -> None:
    for form in ("csv", "txt"):
        ran = cli(
            "chain", "8x8", "--levels", "1000", "--from", "b3", "--fall-back", "-o", tmp_path / f"c.{form}"
        )
        assert ran.code == 0
        assert "the chain never ends" in ran.err
    assert main(str(tmp_path / "c.csv"), "1000", "8", "8") == ""
    from_csv, from_text = (cavalcade.read(tmp_path / f"c.{form}") for form in ("csv", "txt"))
    assert from_csv == from_text == chain("8x8", 1000, start="b3", fall_back=True).tour()
    streamed = cli("chain", "6x6", "--levels", "3").out
    assert streamed == write(chain("6x6", 3).tour())
    assert cli("chain", "6x6", "--levels", "12", "--format", "csv").out == write(
        chain("6x6", 12).tour(), "csv"
    )


def test_invalid_chains_are_refused(cli: Cli) -> None:
    for bad, message in (
        (lambda: chain("hex:4", 2), "hex:4 cannot be stacked"),
        (lambda: chain("8x8", 0), "0 levels make no chain"),
        (lambda: chain("8x8", 2, piece="zebra"), "zebra has no move from one level to the next"),
        (lambda: chain("8x8-a1", 2, step=nxtcoord), "steps to squares are for flat boards without holes"),
        (lambda: chain("8x8", 2, piece="moves:1,1,0"), "has no move within a level"),
        (lambda: chain(move_graph("5x5"), 2), "cannot be stacked"),
        (lambda: stacked([]), "there is no board to stack"),
        (lambda: stacked([board("3x3"), board("3x3x3")]), "3x3x3 cannot be stacked"),
    ):
        with pytest.raises(CavalcadeError, match=message):
            bad()
    ran = cli("chain", "8x8", "--levels", "3", "--from", "e8", "--as-printed")
    assert ran.code == 3
    assert "the walk from f2 on level 2 is stuck after 62 of 64 cells" in ran.err
    assert ran.out.startswith("; walk of 3x8x8, 126 of 192 cells")
    assert cli("chain", "6x6", "--as-printed", "--step", "next-legal").code == 2


# ---- glue


@pytest.mark.parametrize("spec", ["8x8", "5x6", "6x6"])
def test_every_cell_can_be_the_pivot(spec: str) -> None:
    lower = tour_of(spec)
    for name in lower.board.names:
        stack = glue(lower, levels=3, pivots=[name])
        assert fault_of(stack.tour) == ""
        upper = stack.levels[1]
        size = len(lower)
        low, high = (lower.steps + increment for increment in upper.increments)
        recoded = np.where(lower.steps >= upper.value, low, high)  # the formula of the paper
        assert upper.backwards or np.array_equal(stack.tour.numbering[1].ravel(), recoded)
        assert stack.tour.names[size] == f"2:{name}"


def test_different_boards_are_glued_square_on_square(cli: Cli, tmp_path: Path) -> None:
    eight, six = tour_of("8x8"), tour_of("6x6", seed=3)
    cavalcade.save(eight, tmp_path / "8.json")
    cavalcade.save(six, tmp_path / "6.sas")
    ran = cli("glue", tmp_path / "8.json", tmp_path / "6.sas", "--levels", "5", "-o", tmp_path / "s.csv")
    assert ran.code == 0
    stack = cavalcade.read(tmp_path / "s.csv")
    assert fault_of(stack) == ""
    assert [len(cavalcade.board(f"{n}x{n}")) for n in (8, 6, 8, 6, 8)] == [
        sum(name.startswith(f"{level}:") for name in stack.names) for level in range(1, 6)
    ]
    assert {name for name in stack.names if name.startswith("2:")} == {
        f"2:{name}" for name in six.board.names
    }
    assert ran.err.count("INCR1") == 5


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.sampled_from(["5x6", "6x5", "3x10", "6x6", "8x8", "8x8-a8,h8"]), min_size=1, max_size=5),
    st.data(),
)
def test_stacks_of_any_tours(specs: list[str], data: st.DataObject) -> None:
    tours = [tour_of(spec, seed=data.draw(st.integers(0, 3))) for spec in specs]
    stack = glue(tours, levels=len(tours) + 1)
    assert fault_of(stack.tour) == ""
    assert len(stack.tour) == sum(len(tour) for tour in [*tours, tours[0]])


def test_a_level_is_reversed_if_necessary() -> None:
    """A tour of 3x10 on a tour of 5x6 is glued at exactly the pivots that either direction can reach."""
    lower, upper = tour_of("5x6"), tour_of("3x10")
    stack = stacked([board("5x6"), board("3x10")])
    graph = move_graph(stack)
    reached = {int(c) - 30 for end in range(30) for c in graph.neighbours(end) if c >= 30}
    stacks = {}
    for cell in range(30):
        try:
            stacks[cell] = glue([lower, upper, lower], pivots=[upper.board.name(cell)])
        except CellError:
            continue
        assert fault_of(stacks[cell].tour) == ""
    ends = {}
    above = move_graph(stacked([board("3x10"), board("5x6")]))
    for cell in reached:
        position = upper.cells.tolist().index(cell)
        ends[cell] = [upper.cells[position - 1], upper.cells[(position + 1) % 30]]
    expected = {
        cell for cell, pair in ends.items() if any((above.neighbours(int(e)) >= 30).any() for e in pair)
    }
    assert set(stacks) == expected
    assert any(level.backwards for glued in stacks.values() for level in glued.levels)


def test_invalid_stacks_are_refused(cli: Cli, tmp_path: Path) -> None:
    eight = tour_of("8x8")
    for bad, message in (
        (lambda: glue(eight.opened()), "expected closed tours of boxes"),
        (lambda: glue(Tour(eight.board, eight.cells[:9], closed=True)), "expected closed tours of boxes"),
        (
            lambda: glue([eight, tour_of("10x10", piece="giraffe")]),
            "expected closed tours of boxes by a knight",
        ),
        (lambda: glue(tour_of("torus:5x7")), "torus:5x7 cannot be stacked"),
        (lambda: glue([eight, eight], levels=1), "2 tours and 0 pivots for 1 levels"),
        (lambda: glue(eight, pivots=["a1", "a2"]), "2 pivots for 2 levels"),
        (
            lambda: glue(eight, levels=3, pivots=["a1", "h8"]),
            "level 3 cannot begin at h8: no tour of level 2 leads there",
        ),
        (lambda: glue(eight, pivots=["z9"]), "'z9' is not a cell"),
    ):
        with pytest.raises(CavalcadeError, match=message):
            bad()  # type: ignore[no-untyped-call]
    wrong = tmp_path / "wrong.csv"
    wrong.write_text(write(eight, "csv").replace("2,", "65,", 1))
    assert cli("glue", wrong).code == 2


def test_the_sheets_of_a_stack_of_holes() -> None:
    stack = stacked([board("4x4"), board("3x5-a1")])
    assert stack.shape == (2, 4, 5)
    assert stack.size == 16 + 14
    assert {"1:a1", "2:b1"} <= set(stack.names)
    assert "2:a1" not in stack.names


# ---- repair


def starts_of(rows: int, columns: int) -> list[int]:
    """Return the start cells that the colours allow for an open tour."""
    cells = range(rows * columns)
    return [c for c in cells if not rows * columns % 2 or not (c // columns + c % columns) % 2]


@pytest.mark.parametrize("ties", ["first", "last"])
@pytest.mark.parametrize("size", [(n, n) for n in range(5, 13)] + [(5, 6), (5, 9), (6, 9), (5, 12)])
def test_walks_from_every_start_are_repaired(size: tuple[int, int], ties: str) -> None:
    place = board(f"{size[0]}x{size[1]}")
    starts = starts_of(*size)
    for start, path in zip(starts, walks(move_graph(place), starts, ties=ties, repair=True), strict=True):
        assert path[0] == start
        assert fault([divmod(cell, size[1]) for cell in path.tolist()], place.size) == ""


@pytest.mark.slow
@pytest.mark.parametrize("ties", ["first", "last"])
@pytest.mark.parametrize("rows", range(5, 13))
def test_walks_on_every_rectangle_are_repaired(rows: int, ties: str) -> None:
    for columns in range(5, 13):
        graph, starts = move_graph(f"{rows}x{columns}"), starts_of(rows, columns)
        for path in walks(graph, starts, ties=ties, repair=True):
            assert fault([divmod(cell, columns) for cell in path.tolist()], rows * columns) == ""


def test_a_repair_keeps_as_much_of_the_walk_as_possible() -> None:
    """Compare with every shorter prefix, completed by an independent walk that takes the last of equals."""
    graph = move_graph("8x8")
    for start in map(CHESS.cell, ("g6", "g3", "f2", "g2", "g1")):
        stuck = next(walks(graph, [start], count_start=False)).tolist()
        repaired = next(walks(graph, [start], count_start=False, repair=True)).tolist()
        kept = next(k for k, (a, b) in enumerate(zip(stuck, repaired, strict=False)) if a != b)
        tries = [by_last(stuck[:k]) for k in range(len(stuck) - 1, 0, -1)]
        best = next(path for path in tries if len(path) == 64)
        assert best == repaired
        assert kept < len(stuck) < 64


def by_last(path: list[int]) -> list[int]:
    """Extend a path, taking the last of equal degrees; degrees are counted as in the papers."""
    neighbours = {
        c: [d for d in range(64) if {abs(c // 8 - d // 8), abs(c % 8 - d % 8)} == {1, 2}] for c in range(64)
    }
    path = list(path)
    while free := [d for d in neighbours[path[-1]] if d not in path]:
        counts = {d: len(neighbours[d]) - sum(x in neighbours[d] for x in path[1:]) for d in free}
        path.append([d for d in free if counts[d] == min(counts.values())][-1])
    return path


def test_failed_repairs_are_reported(cli: Cli) -> None:
    verdict = warnsdorff("5x5", "b5", repair=True)
    assert isinstance(verdict, Undecided)
    assert verdict.reason.endswith("of 25 cells, and no repair helps")
    assert len(verdict.partial or ()) == len(warnsdorff("5x5", "b5").partial or ())  # type: ignore[union-attr]
    ran = cli("warnsdorff", "5x5", "--from", "b5", "--repair")
    assert ran.code == 3
    assert "and no repair helps" in ran.err


def test_all_starts_as_a_sheet(cli: Cli, tmp_path: Path) -> None:
    ran = cli("warnsdorff", "8x8", "--all", "--as-printed", "-o", tmp_path / "all.svg")
    assert ran.code == 0
    picture = (tmp_path / "all.svg").read_text()
    assert picture.count('class="walk"') == 64
    assert picture.count(", 60 of 64</text>") == 4
    assert picture.count(", 62 of 64</text>") == 1
    assert "where walks get stuck" in picture
    lines = cli("warnsdorff", "5x5", "--all", "--format", "json").out.splitlines()
    assert len(lines) == 25
    assert cli("warnsdorff", "5x5", "--all", "--format", "csv").code == 2
    assert cli("warnsdorff", "hex:3", "--all", "--format", "svg").code == 0


# ---- degrees


@pytest.mark.parametrize("spec", ["8x8", "4x8x8", "hex:4", "6x7-a1,c4"])
@pytest.mark.parametrize("form", ["text", "wide", "csv", "beside"])
def test_degrees_are_read_back(spec: str, form: str, cli: Cli, tmp_path: Path) -> None:
    options = ["--beside"] if form == "beside" else ["--format", form]
    (tmp_path / "d").write_text(cli("degrees", spec, *options).out)
    assert read_numbers(tmp_path / "d", spec).tolist() == cavalcade.degrees(spec).tolist()
    same = cli("warnsdorff", spec, "--degrees", tmp_path / "d")
    assert same.out == cli("warnsdorff", spec).out


def test_other_degrees_make_other_walks(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "flat.csv").write_text("name,degree\n" + "".join(f"{name},8\n" for name in CHESS.names))
    assert cli("warnsdorff", "8x8", "--degrees", tmp_path / "flat.csv").out != cli("warnsdorff", "8x8").out
    table = paper_degrees(board("4x8x8"))
    assert table.max() == 16
    assert (table == table[0]).all()
    assert "220 of 256 starts" in cli("warnsdorff", "4x8x8", "--all", "--degrees", "paper").out
    (tmp_path / "few.csv").write_text("a8,1\nb8,2\n")
    with pytest.raises(FormatError, match="there is no number for c8"):
        read_numbers(tmp_path / "few.csv", "8x8")
    for text, message in (
        ("a8,1\na8,2\n", "each cell once"),
        ("a8,x\nb8,y\n", "'y' is not a number"),
        ("1 2\n", "8x8"),
    ):
        (tmp_path / "bad").write_text(text)
        with pytest.raises(FormatError, match=message):
            read_numbers(tmp_path / "bad", "8x8")
    with pytest.raises(BoardError, match="stacks of flat boards"):
        paper_degrees(board("hex:4"))


@pytest.mark.parametrize(("boards", "good"), [(3, 82), (4, 17)])
def test_stacks_as_printed(boards: int, good: int, cli: Cli) -> None:
    ran = cli("warnsdorff", f"{boards}x8x8", "--all", "--as-printed")
    assert f"as printed: {good} of {64 * boards} starts succeed" in ran.out
    assert "a program that the paper does not print" in ran.err
    assert cli("warnsdorff", f"{boards}x8x8", "--as-printed", "--fit", "99").code == 2


def test_five_boards_are_an_extension(cli: Cli, tmp_path: Path) -> None:
    ran = cli("warnsdorff", "5x8x8", "--as-printed", "--from", "1:a8")
    assert "for 5 boards of 8x8 it is our extension, the paper shows none" in ran.err
    cavalcade.save(move_graph("4x8x8"), tmp_path / "4x8x8.hcp")
    for bad in (
        [tmp_path / "4x8x8.hcp"],
        ["2x8x8"],
        ["3x3x8x8"],
        ["4x8x8", "--repair"],
        ["8x8", "--fit", "1"],
    ):
        assert cli("warnsdorff", *bad, "--as-printed").code == 2


# ---- links, data steps, csv


@pytest.mark.parametrize(("spec", "nodes", "count"), [("5x6", 30, 62), ("5x7", 35, 76), ("3x3", 8, 8)])
def test_links_and_summaries_have_the_papers_numbers(spec: str, nodes: int, count: int, cli: Cli) -> None:
    rows = cli("links", spec).out.splitlines()[1:]
    assert len(rows) == count
    assert len({name for row in rows for name in row.split(",")[:2]}) == nodes
    printed = cli("tour", spec, "--summary").out
    assert f"Number of Nodes        {nodes}\n" in printed
    assert f"Number of Links        {count}\n" in printed
    assert ("Infeasible" in printed) == (spec == "5x7")
    assert optgraph(spec).value == (None if spec == "5x7" else nodes)


@pytest.mark.parametrize("labels", ["names", "i_j"])
@pytest.mark.parametrize("form", ["csv", "sas", "edges"])
@pytest.mark.parametrize("spec", ["5x6", "2x4x3", "hex:4", "torus:4x5"])
def test_links_are_read_back(spec: str, form: str, labels: str) -> None:
    graph = links(spec, labels=labels)
    back = parse_graph(write(graph, form))
    edges = {frozenset(back.names[end] for end in edge) for edge in back.edges().tolist()}
    assert edges == {frozenset(graph.names[end] for end in edge) for edge in graph.edges().tolist()}
    places = {(0, 1), (1, 2)} if spec == "5x6" and labels == "i_j" else set()
    assert all(frozenset(("1_1", to)) in edges for to in (["2_3", "3_2"] if places else []))


READ_BACK = {
    "sas": ["8x8", "3x10", "4x8x8", "10x11x2", "hex:4", "6x6-a1,b1", "torus:5x7"],
    "out": ["5x6", "8x8", "3x10", "2x4x3", "10x11x2", "hex:4", "6x6-a1,b1", "torus:5x7"],
}


@pytest.mark.parametrize(("form", "spec"), [(form, spec) for form in READ_BACK for spec in READ_BACK[form]])
@pytest.mark.parametrize("kind", ["closed", "open"])
def test_data_steps_and_data_sets_of_optgraph_are_read_back(form: str, spec: str, kind: str) -> None:
    tour = tour_of(spec, open=kind == "open")
    assert parse(write(tour, form)) == tour


def test_data_steps_have_the_form_of_the_papers(cli: Cli, tmp_path: Path) -> None:
    text = write(warnsdorff("8x8", "g6", count_start=False).partial or tour_of("8x8"), "sas")  # type: ignore[union-attr]
    lines = text.splitlines()
    assert lines[1:4] == [
        "data solution;",
        "  input s11-s18 s21-s28 s31-s38 s41-s48 s51-s58 s61-s68 s71-s78 s81-s88;",
        "  datalines;",
    ]
    assert lines[4] == "35 22 19  4 37 32 17  2"
    assert lines[8] == "41 24 43 46  . 60 15 48"
    (tmp_path / "t.sas").write_text(text.split("*/\n")[1])  # without our comment and the statements before it
    assert "walk of 8x8, 60 of 64 cells" in cli("convert", tmp_path / "t.sas").out
    for bad in (
        "data a; set b; run;\n",
        "data a;\n input s11-s88\n",
        "data a; input s18-s11; datalines;\n1\n;\n",
    ):
        with pytest.raises(FormatError):
            parse(bad)
    for damaged, message in (
        (text.replace(" 60 15", " x 15"), r"line \d+, .*'x' is not a step or '.'"),
        (text.replace(" 60 15", " 15"), "63 values for the 64 variables of INPUT"),
        (text.replace("s11-s18", "t s12-s18"), "'t' is not a variable like s11"),
    ):
        with pytest.raises(FormatError, match=message):
            parse(damaged)


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(["8x8", "3x10", "hex:4", "2x5x6"]), st.booleans(), st.integers(0, 60))
def test_csv_without_a_comment_is_read_back(spec: str, backwards: bool, turn: int) -> None:  # noqa: FBT001
    tour = tour_of(spec)
    tour = (tour.reversed() if backwards else tour).rotated(turn % len(tour) % 30)
    text = write(tour, "csv", header=False)
    assert text.startswith("step,name,")
    assert parse(text) == tour


def test_convert_changes_start_and_direction(cli: Cli, tmp_path: Path) -> None:
    cavalcade.save(tour_of("8x8"), tmp_path / "t.txt")
    names = parse(
        cli("convert", tmp_path / "t.txt", "--from", "c7", "--reverse", "--format", "csv").out
    ).names
    first = tour_of("8x8").names
    position = first.index("c7")
    assert names == ["c7", *reversed(first[:position]), *reversed(first[position + 1 :])]
    assert cli("convert", tmp_path / "t.txt", "--from", "z9").code == 2
    assert cli("convert", tmp_path / "t.txt", "--no-comment").out.startswith("   a")
    assert cli("convert", tmp_path / "t.txt", "--format", "json", "--no-comment").code == 2
    opened = tmp_path / "open.txt"
    opened.write_text(write(tour_of("8x8").opened()))
    assert cli("convert", opened, "--from", "c7").code == 2


def test_every_command_writes_arrays(cli: Cli, tmp_path: Path) -> None:
    cavalcade.save(tour_of("6x6"), tmp_path / "six.txt")
    for words in (
        ["chain", "6x6"],
        ["glue", tmp_path / "six.txt"],
        ["tsp", "6x6"],
        ["warnsdorff", "6x6"],
        ["convert", tmp_path / "six.txt", "--from", "c4"],
    ):
        assert cli(*words, "-o", tmp_path / "a.npy").code == 0
        assert check(cavalcade.read(tmp_path / "a.npy")).ok
        refused = cli(*words, "-o", tmp_path / "a.xyz")
        assert refused.code == 2
        assert "cannot write '" in refused.err


# ---- least tours


def test_equal_weights_need_no_search() -> None:
    answer = tsp("5x6")
    assert not isinstance(answer, cavalcade.Impossible | cavalcade.Undecided)
    assert (answer.weight, answer.exact) == (Decimal(30), True)
    assert tsp("5x7").status == "impossible"  # type: ignore[union-attr]
    with pytest.raises(CavalcadeError, match="3 weights for 62 moves"):
        tsp("5x6", [1, 2, 3])
    with pytest.raises(CavalcadeError, match="1000000 is not a weight, expected a number below 1,000,000"):
        tsp("5x6", [10**6] * 62)


@pytest.mark.parametrize(
    ("spec", "open_"),
    [
        *product(["3x4", "4x5", "torus:3x3"], [False, True]),
        ("5x6", False),
    ],
)
def test_the_least_tour_is_the_least_of_all(spec: str, open_: bool) -> None:  # noqa: FBT001
    edges = move_graph(spec).edges().tolist()
    cost = {(a, b): Decimal((a * 7 + b * 13) % 11) / 4 for a, b in edges}
    answer = tsp(spec, list(cost.values()), open=open_)
    weights_of_tours = [
        sum(
            cost[min(p), max(p)] for p in pairwise([*cycle.cells.tolist(), *([] if open_ else [cycle.start])])
        )
        for cycle in cavalcade.list_tours(spec, open=open_)
    ]
    if not weights_of_tours:
        assert answer.status == "impossible"  # type: ignore[union-attr]
        return
    assert answer.weight == min(weights_of_tours)  # type: ignore[union-attr]
    assert answer.exact  # type: ignore[union-attr]


@pytest.mark.parametrize("titles", ["from,to", "Origin,Destination"])
def test_links_of_two_columns_have_weight_one(titles: str, tmp_path: Path, cli: Cli) -> None:
    """The data of the 2020 paper has no third column, and its own titles."""
    (tmp_path / "l.csv").write_text(f"{titles}\n1_1,2_3\n2_3,3_1\n3_1,1_1\n")
    ran = cli("tsp", tmp_path / "l.csv")
    assert (ran.code, ran.out.splitlines()[1:]) == (0, ["1_1", "2_3", "3_1"])
    assert "weight 3: the least" in ran.err
    assert cli("tour", tmp_path / "l.csv").out.splitlines()[1:] == ["1_1", "2_3", "3_1"]


@pytest.mark.parametrize(("spec", "code"), [("3x3", 0), ("5x6", 0), ("5x7", 1), ("3x6", 1)])
def test_the_summaries_of_tsp_and_optgraph_agree(spec: str, code: int, cli: Cli) -> None:
    """They agree also without a tour, and if a cell has no move."""
    ours, theirs = cli("tsp", spec, "--summary"), cli("optgraph", spec)
    assert ours.code == theirs.code == code
    assert timeless(ours.out).endswith(timeless(theirs.out))
    assert ("; closed tour" in ours.out) == (code == 0)


@pytest.mark.parametrize(("table", "spec"), [("table 1", "5x6"), ("table 4", "2x4x3")])
def test_the_printed_data_sets_are_tours(table: str, spec: str, cli: Cli, tmp_path: Path) -> None:
    """The 2020 paper prints blanks in the labels and either end first; damaged tables are refused."""
    rows = [" ".join(row) for row in printed("demaio2020")[table].words]
    file = tmp_path / "t.out"
    file.write_text("\n".join(["Obs origin destination", *rows, ""]))
    assert cli("check", file).out.startswith(f"a closed tour of {spec}: ")
    lines = file.read_text().splitlines()
    for bad, message in (
        (
            [*lines[:2], lines[3], lines[2], *lines[4:]],
            "line 3, .*: this link does not go on from the one above",
        ),
        ([lines[0], "1 1 1 2", *lines[2:]], "line 2.*expected a number and two labels such as 1_1"),
        (lines[:-9], "do not visit every cell of a box: give the board"),
    ):
        with pytest.raises(FormatError, match=message):
            parse("\n".join(bad) + "\n")


def test_links_for_sas_end_with_the_step_that_reads_them(cli: Cli, tmp_path: Path) -> None:
    text = cli("links", "5x6", "--format", "sas").out
    data, _, step = text.partition("run;\n")
    names = re.findall(r"data (\w+);|data_links=(\w+)", text)
    assert names == [("links", ""), ("", "links")]
    columns = re.search(r"input (\w+) \$ (\w+) \$ (\w+);", data)
    assert columns
    assert "data_links_var from={} to={} weight={};".format(*columns.groups()) in step
    (tmp_path / "l.sas").write_text(text)
    assert cli("tsp", tmp_path / "l.sas").code == 0


def test_weights_come_from_files(tmp_path: Path, cli: Cli) -> None:
    graph = links("5x6")
    text = write(graph, "csv")
    assert weights(text, parse_graph(text)) == [Decimal(1)] * 62
    heavier = text.replace("a5,c4,1", "a5,c4,2.5")
    assert max(weights(heavier, parse_graph(heavier)) or []) == Decimal("2.5")
    for named in ("weight,from,to\n3,a,b\n4,b,c\n5,c,a\n", "from,id,cost,to\na,9,3,b\nb,9,4,c\nc,9,5,a\n"):
        in_order = sorted(map(int, weights(named, parse_graph(named)) or []))
        assert in_order == [3, 4, 5]
    with pytest.raises(FormatError, match="has no weight"):
        weights("from,to,weight\na,b,1\nb,c,\nc,a,1\n", parse_graph("a b\nb c\nc a\n"))
    twice = "from,to,weight\na,b,1\nb,a,2\nb,c,1\nc,a,1\n"
    with pytest.raises(FormatError, match="has the weight 1 on another line"):
        weights(twice, parse_graph(twice))
    (tmp_path / "l.sas").write_text(write(graph, "sas"))
    ran = cli("tsp", tmp_path / "l.sas", "--summary")
    assert ran.code == 0
    assert "weight 30: the least" in ran.err
    assert "Objective Value        30" in ran.out
    assert cli("tsp", "5x7").code == 1
    assert "weight 0: the least" in cli("tsp", "1x1").err
    ran = cli("warnsdorff", "8x8", "--degrees", tmp_path / "none")
    assert (ran.code, ran.err.count("none")) == (2, 1)


def test_summaries_of_odd_boards(cli: Cli) -> None:
    with pytest.raises(BoardError, match="no links to sum up"):
        optgraph("1x5")
    for option in (["--open"], ["--fewest", "turns"], ["--at", "3=a1"], ["--continue", "w.txt"]):
        ran = cli("optgraph", "5x6", *option)
        assert ran.code == 2
        assert f"optgraph has no option '{option[0]}'" in ran.err
    assert cli("optgraph").code == 2
    with pytest.raises(CavalcadeError, match="unknown labels"):
        links("5x6", labels="x_y")
    with pytest.raises(CellError, match="not a cell"):
        tour_of("5x6").rotated(99)
    assert numbers_text(board("3x3"), range(9)).split()[-1] == "8"


@pytest.mark.parametrize("name", ["papers", "solution3"])
def test_the_pages_about_the_papers_are_current(name: str) -> None:
    page = (Path(__file__).parent.parent / "docs" / f"{name}.md").read_text(encoding="utf-8")
    assert timeless(renewed(page)) == timeless(page)
    if name == "solution3":
        return
    reports = re.findall(r"[a-z]+20(?:15|19|20)(?=[`, -])", page)
    assert set(PAPERS) <= set(reports)


def test_a_walk_and_a_chain_respect_their_limits() -> None:
    walk = warnsdorff("1000x1000", time_limit=0.01)
    assert walk.status == "undecided"
    with pytest.raises(TooLargeError, match=r"the time limit of 0\.01 s"):
        chain("1000x1000", time_limit=0.01, levels=2)
    for function in (
        lambda: warnsdorff("1000x1000", memory=10**7),
        lambda: chain("1000x1000", 2, memory=10**7),
    ):
        with pytest.raises(TooLargeError, match="the memory limit is"):
            function()
