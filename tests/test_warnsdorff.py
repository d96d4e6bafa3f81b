"""The study of Warnsdorff's rule: docs/warnsdorff.md is confirmed by plain Python and by a C program."""

from __future__ import annotations

import json
import random
import re
import runpy
import shutil
import subprocess
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cavalcade
from cavalcade.boards.notation import parse_board
from cavalcade.find.warnsdorff import BEST_ORDERS, walks
from cavalcade.question.parts import hopeful
from oracles import every_tour

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.question.words import Ties

ROOT = Path(__file__).parent.parent
STEPS = [
    (a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)
]  # the order of the paper's double loop
PRIME = 2**61 - 1

Cell = tuple[int, int]


def plain_walk(m: int, n: int, start: Cell, order: str, *, counted: bool) -> list[Cell]:
    """Return the walk on a rectangle for an order of the moves."""
    moves = [STEPS[int(move) - 1] for move in order]

    def neighbours(cell: Cell) -> list[Cell]:
        targets = [(cell[0] + a, cell[1] + b) for a, b in moves]
        return [(row, column) for row, column in targets if 0 <= row < m and 0 <= column < n]

    path = [start]
    while True:
        taken = set(path) if counted else set(path[1:])
        free = [cell for cell in neighbours(path[-1]) if cell not in path]
        if not free:
            return path
        path.append(min(free, key=lambda cell: sum(target not in taken for target in neighbours(cell))))


def rate(board: str, order: str, *, counted: bool = True) -> int:
    """Count the start cells from which the walks of the package are tours."""
    verdicts = [cavalcade.warnsdorff(board, cell, order=order, count_start=counted) for cell in range(64)]
    return sum(bool(cavalcade.check(verdict.tour)) for verdict in verdicts if verdict.status == "found")


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 8), st.integers(3, 8), st.permutations("12345678"), st.booleans(), st.integers(0, 63))
def test_an_order_against_plain_python(m: int, n: int, moves: list[str], counted: bool, cell: int) -> None:  # noqa: FBT001
    start, order = cell % (m * n), "".join(moves)
    verdict = cavalcade.warnsdorff(f"{m}x{n}", start, order=order, count_start=counted)
    walk = verdict.tour if verdict.status == "found" else verdict.partial
    assert walk is not None
    assert [divmod(cell_number, n) for cell_number in walk.cells.tolist()] == plain_walk(
        m, n, divmod(start, n), order, counted=counted
    )


def test_the_best_orders() -> None:
    """The named order tours from all squares; two orders do so with the slip of the papers."""
    for order, counted in ((BEST_ORDERS[False], True), ("14652873", False), ("14658273", False)):
        for start in range(64):
            assert len(plain_walk(8, 8, divmod(start, 8), order, counted=counted)) == 64
        assert rate("8x8", order, counted=counted) == 64
    for spec, lost in (("8x8", 0), ("20x20", 2), ("hex:6", 0), ("3x8x8", 0)):
        verdicts = [
            cavalcade.warnsdorff(spec, cell, ties="best-order")
            for cell in range(cavalcade.move_graph(spec).size)
        ]
        assert sum(verdict.status != "found" for verdict in verdicts) == lost
    assert rate("8x8", "12345678") == 61
    for wrong, piece in (("torus:5x5", "knight"), ("9x9", "zebra")):
        with pytest.raises(cavalcade.CavalcadeError, match="ties by best-order are for"):
            cavalcade.warnsdorff(wrong, ties="best-order", piece=piece)


@pytest.mark.parametrize("spec", ["5x5", "8x8", "6x9", "3x4x5", "2x3x3x2", "hex:4", "8x8-d4,e5"])
def test_first_and_last_are_related_by_a_half_turn(spec: str) -> None:
    """Reversing the moves negates them, so a half turn maps the walks of `first` to the walks of `last`."""
    board = parse_board(spec)
    n, graph = board.size, cavalcade.move_graph(board)
    vectors = cavalcade.KNIGHT.vectors(board)
    assert np.array_equal(vectors[::-1], -vectors)
    for count_start in (True, False):
        first, last = (
            list(walks(graph, range(n), ties=ties, count_start=count_start)) for ties in ("first", "last")
        )
        for first_walk, last_walk in zip(first, reversed(last), strict=True):
            assert np.array_equal(n - 1 - first_walk, last_walk)


@pytest.mark.parametrize("spec", ["3x4", "3x3", "4x4", "3x5", "3x6", "2x2x3", "hex:2", "4x4-a1,a4"])
def test_where_a_tour_may_begin(spec: str) -> None:
    """Every tour begins and ends at cells that `hopeful` returns."""
    graph = cavalcade.Question.of(spec).graph
    begins = {cell for path in every_tour(graph, closed=False) for cell in (path[0], path[-1])}
    assert begins <= set(hopeful(graph).tolist())


# ---- chances


def tool() -> dict[str, Any]:
    """Return the functions of tools/warnsdorff.py."""
    return runpy.run_path(str(ROOT / "tools" / "warnsdorff.py"))


def leaves(
    rows: list[list[int]], path: list[int], free: set[int], chance: Fraction
) -> Iterator[tuple[int, Fraction]]:
    """Yield every leaf of the tree of ties: the number of visited cells, and its probability."""
    open_ = [cell for cell in rows[path[-1]] if cell not in path]
    fewest = min((sum(neighbour in free for neighbour in rows[cell]) for cell in open_), default=0)
    fewest_cells = [cell for cell in open_ if sum(neighbour in free for neighbour in rows[cell]) == fewest]
    for cell in fewest_cells:
        rest = free - {cell}
        yield from leaves(rows, [*path, cell], rest, chance / len(fewest_cells))
    if not fewest_cells:
        yield len(path), chance


@pytest.mark.parametrize(("spec", "counted"), [("5x5", True), ("6x6", True), ("6x6", False), ("3x10", True)])
def test_chances_against_the_whole_tree(spec: str, counted: bool) -> None:  # noqa: FBT001
    graph = cavalcade.Question.of(spec).graph
    rows = [graph.neighbours(cell).tolist() for cell in range(graph.size)]
    tree = tool()["tree"]
    for start in range(0, graph.size, 2):
        free = {cell for cell in range(graph.size) if cell != start or not counted}
        ends = list(leaves(rows, [start], free, Fraction(1)))
        tours, _, dead_ends, chance, _ = tree(graph, start, counted=counted)
        assert (tours, dead_ends) == (
            sum(length == graph.size for length, _ in ends),
            sum(length < graph.size for length, _ in ends),
        )
        assert chance == sum(chance for length, chance in ends if length == graph.size)


def test_random_ties_have_these_chances() -> None:
    """The success rate of 2,000 walks from c4 of 6x6 is within four standard errors of 49/64."""
    graph = cavalcade.Question.of("6x6").graph
    start = cavalcade.Board.box(6, 6).cell("c4")
    successes = sum(len(next(walks(graph, [start], ties="random", seed=seed))) == 36 for seed in range(2000))
    assert abs(successes / 2000 - 49 / 64) < 4 * (49 / 64 * 15 / 64 / 2000) ** 0.5


# ---- surveys of walks


def test_a_survey_of_walks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = "{n}x{n} for n in 5..8, by in first roth"
    done = cavalcade.survey(
        line, tmp_path / "one", verb="warnsdorff", kinds=["open"], ties="{by}", keep=True, workers=1
    )
    for row in done.rows():
        n, measures = int(row["n"]), json.loads(str(row["measures"]))
        begins = [cell for cell in range(n * n) if n % 2 == 0 or sum(divmod(cell, n)) % 2 == 0]
        verdicts = [cavalcade.warnsdorff(f"{n}x{n}", cell, ties=cast("Ties", row["by"])) for cell in begins]
        tours = [verdict.tour for verdict in verdicts if verdict.status == "found"]
        closed = sum(tour.closed for tour in tours)
        assert measures == {"walks": len(begins), "tours": len(tours), "closed": closed}
        assert row["count"] == str(len(tours))
    assert list(cavalcade.check_survey(done)) == [(0, "", 8)]  # walks are not repeated
    assert main_line("survey", line, "--ties", "{by}", "-o", str(tmp_path / "two")) == 2
    assert "--ties {by} works only with --verb warnsdorff" in capsys.readouterr().err
    for words in ({"ties": "coin"}, {"walks": 0}, {"with_": "a1-b3"}):
        with pytest.raises(cavalcade.CavalcadeError, match=r"coin|walks"):
            cavalcade.survey("5x5", tmp_path / "no", verb="warnsdorff", workers=1, **words)
    with pytest.raises(cavalcade.CavalcadeError, match="'ties' is for the verb warnsdorff"):
        cavalcade.survey("5x5", tmp_path / "no", ties="roth", workers=1)
    short = cavalcade.survey(
        "8x8", tmp_path / "few", verb="warnsdorff", walks=5, count_start=False, workers=1
    )
    assert json.loads(str(next(short.rows())["measures"]))["walks"] == 5


def main_line(*words: str) -> int:
    """Return the exit code of a command line."""
    from cavalcade.cli import main

    return main(list(words))


# ---- the C program


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Compile tools/warnsdorff.c."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    made = str(tmp_path_factory.mktemp("c") / "warnsdorff")
    source = str(ROOT / "tools" / "warnsdorff.c")
    subprocess.run([compiler, "-O2", "-Wall", "-Werror", "-o", made, source], check=True)
    return made


def lines_of(program: str, *words: str) -> list[list[str]]:
    """Return the words of each line that the C program prints."""
    run = subprocess.run([program, *words], check=True, capture_output=True, text=True)
    return [line.replace(",", "").split() for line in run.stdout.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "option"), [("counted", True), ("uncounted", False)])
def test_all_orders_agree_with_the_c_program(
    program: str,
    words: str,
    option: bool,  # noqa: FBT001
    capsys: pytest.CaptureFixture[str],
) -> None:
    tool()["orders"]("8x8", counted=option)
    printed = capsys.readouterr().out.replace(",", "")
    (tours, _, closed, _), *having = lines_of(program, "orders", "8", "8", words)
    assert re.findall(r"^(\d+) (?:closed )?tours a", printed, re.MULTILINE) == [tours, closed]
    assert re.findall(r"^(\d+) tours: (\d+) orders", printed, re.MULTILINE) == [
        tuple(line) for line in having
    ]


@pytest.mark.slow
def test_orders_by_plain_python() -> None:
    """Compare a hundred random orders from all 64 squares, with the start counted and not counted."""
    dice, step = random.Random(1), tool()["Walks"]
    for counted in (True, False):
        all_walks = step("8x8", counted=counted)
        for order in dice.sample(list(permutations(range(8))), 100):
            text = "".join(str(move + 1) for move in order)
            successes = sum(
                len(plain_walk(8, 8, divmod(start, 8), text, counted=counted)) == 64 for start in range(64)
            )
            assert all_walks.by(order)[0] == successes


@pytest.mark.parametrize(("m", "n", "counted"), [(8, 8, False), (6, 6, True)])
def test_wrong_turns_agree_with_the_c_program(
    program: str,
    m: int,
    n: int,
    counted: bool,  # noqa: FBT001
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Backtracking in C finds the same wrong turns, ties and saving cells as the engines."""
    tool()["wrong"]([f"{m}x{n}"], ["first"], counted=counted, seed=1, listed=True)
    *listed, row, of_board, of_rule, total = capsys.readouterr().out.splitlines()
    words = str(m), str(n), "counted" if counted else "uncounted"
    from_c = lines_of(program, "wrong", *words)
    assert [line.split() for line in listed] == from_c
    assert row.split()[2:4] == [str(m * n), str(len(from_c))]
    assert row.split()[2:8] == of_board.split()[2:] == of_rule.split()[2:] == total.split()[2:]


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), [(5, 5), (6, 6), (5, 8), (7, 7), (8, 8)])
@pytest.mark.parametrize("counted", [True, False])
def test_chances_agree_with_the_c_program(program: str, m: int, n: int, counted: bool) -> None:  # noqa: FBT001
    """Python and two methods in C agree on numbers of tours, closed tours and dead ends, and on chances."""
    board = cavalcade.Board.box(m, n)
    graph, tree = cavalcade.move_graph(board), tool()["tree"]
    words = str(m), str(n), "counted" if counted else "uncounted"
    from_c = lines_of(program, "chances", *words)
    exact = [line[:6] for line in from_c]  # the decimals come from differently ordered sums
    assert [line[:6] for line in lines_of(program, "layers", *words)] == exact
    for name, *numbers in from_c:
        tours, closed, ends, chance, closing = tree(graph, board.cell(name), counted=counted)
        residues = [
            fraction.numerator * pow(fraction.denominator, -1, PRIME) % PRIME
            for fraction in (chance, closing)
        ]
        *integers, decimal, decimal_closing = numbers
        assert [tours, closed, ends, *residues] == list(map(int, integers))
        assert [float(chance), float(closing)] == pytest.approx(
            [float(decimal), float(decimal_closing)], abs=1e-9
        )


@pytest.mark.slow
def test_the_selection_of_best_orders_is_reproducible(capsys: pytest.CaptureFixture[str]) -> None:
    """Repeat the selections of the page with its seed."""
    chosen, page = tool(), (ROOT / "docs" / "warnsdorff.md").read_text(encoding="utf-8")
    chosen["best"]("8x8", counted=True, seed=1)
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith(f"most of 200 more walks: {BEST_ORDERS[False]} 346, 13526847 343, ")
    (hexagons,) = re.findall(r"warnsdorff.py search (hex:4 .*) --tries 250$", page, re.MULTILINE)
    chosen["search"](hexagons.split(), counted=True, tries=250, seed=1)
    last = capsys.readouterr().out.splitlines()[-1]
    assert ", 3 orders tour from all 2611 cells; " in last
    assert last.endswith(f", 2611: {BEST_ORDERS[True]}")
