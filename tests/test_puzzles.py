"""Puzzles: unique solutions by two methods, no redundant clue, grades, files, and texts along tours."""

from __future__ import annotations

import json
import sys
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cavalcade
from cavalcade.answers.puzzles import GOES_ON, Puzzle
from cavalcade.cli.commands.solve import OTHERWISE
from cavalcade.draw import worksheet
from cavalcade.draw.board import puzzle_picture
from cavalcade.draw.shapes import Letters, Polyline
from cavalcade.find.numbered import guess_depth, numbered
from cavalcade.formats import link
from cavalcade.formats import puzzle as puzzles
from cavalcade.formats.header import Claim
from cavalcade.puzzles.grading import GRADES, next_numbers
from cavalcade.puzzles.kinds import kind_of
from cavalcade.puzzles.solving import contradiction
from cavalcade.puzzles.syllables import split
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question
from conftest import one_error
from strategies import edge_lists

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cavalcade.puzzles.kinds import KindName
    from conftest import Ran

BOARDS = (("5x5", True), ("6x6", False), ("8x8", False), ("3x10", False), ("hex:3-c3", False))
TIGER = """Tiger, tiger, burning bright
In the forests of the night,
What immortal hand or eye
Could frame thy fearful symmetry?"""
EASTER = """Vom Eise befreit sind Strom und Bäche
durch des Frühlings holden, belebenden Blick;
im Tale grünet Hoffnungsglück;
der alte Winter, in seiner Schwäche,
zog sich in rauhe Berge zurück."""


def made(board: str, *, open_: bool = False, **words: int | bool | str) -> Puzzle:
    puzzle = cavalcade.puzzle(board, open=open_, **words)  # type: ignore[arg-type]
    assert isinstance(puzzle, cavalcade.Puzzle)
    return puzzle


def assert_one_solution(puzzle: Puzzle) -> None:
    for method in ("search", "sat"):
        solved = cavalcade.solve(puzzle, method=method, most=2)
        assert solved.unique
        assert solved.tours == (puzzle.solution,)


@pytest.mark.parametrize(("board", "open_"), BOARDS)
def test_one_solution(board: str, *, open_: bool) -> None:
    puzzle = made(board, open_=open_, seed=7)
    assert_one_solution(puzzle)
    assert puzzle == made(board, open_=open_, seed=7), "the same seed gives the same puzzle"
    assert puzzle.given != made(board, open_=open_, seed=8).given


@pytest.mark.slow
@pytest.mark.parametrize(("board", "open_"), BOARDS)
def test_twenty_puzzles_of_each_board(board: str, *, open_: bool) -> None:
    for seed in range(20):
        puzzle = made(board, open_=open_, seed=seed)
        assert len(puzzle.given) <= -(-puzzle.board.size // 3) + 4
        assert_one_solution(puzzle)


@pytest.mark.parametrize(("board", "open_"), [("5x5", True), ("6x6", False), ("torus:4x5", False)])
def test_no_clue_is_redundant(board: str, *, open_: bool) -> None:
    puzzle = made(board, open_=open_, fewest=True)
    assert_one_solution(puzzle)
    for clue in puzzle.given:
        fewer = cavalcade.Puzzle(puzzle.board, tuple(set(puzzle.given) - {clue}), puzzle.closed)
        assert len(cavalcade.solve(fewer, method="sat", most=2).tours) == 2


def test_the_number_of_clues_is_as_requested() -> None:
    assert len(made("6x6", given=17).given) == 17
    assert len(made("6x6", given=36).given) == 36
    few = cavalcade.puzzle("torus:3x3", given=0)
    assert isinstance(few, cavalcade.Undecided)
    assert "with 0 numbers found" in few.reason
    started = cavalcade.puzzle(Question.of("5x5", open=True, start="a1", end="e1"), fewest=True)
    assert isinstance(started, cavalcade.Puzzle)
    assert {(1, 20), (25, 24)} <= set(started.given)
    late = cavalcade.puzzle("20x20", fewest=True, time_limit=0.01)
    assert isinstance(late, cavalcade.Undecided)
    assert "in 0.01 s" in late.reason


def test_limits_of_making_and_solving() -> None:
    for large in (
        cavalcade.puzzle("4096x4096"),
        cavalcade.puzzle("100x100", memory=1_000_000),
        cavalcade.puzzle("1000x1000", time_limit=0.0),
    ):
        assert isinstance(large, cavalcade.Undecided)
        assert "puzzle of " in large.reason
    solved = cavalcade.solve(made("8x8"), memory=1000)
    assert solved.status == "undecided"
    assert "needs about" in solved.reason


def test_the_tour_satisfies_the_question() -> None:
    for words in (
        {"at": {17: "d4", 1: "a1"}},
        {"with_": "c3-d5"},
        {"symmetry": "half turn"},
        {"moves": "counterclockwise"},
    ):
        question = Question.of("6x6", **words)
        puzzle = cavalcade.puzzle(question, seed=2)
        assert isinstance(puzzle, cavalcade.Puzzle)
        assert_one_solution(puzzle)
        assert set(question.given.items()) <= set(puzzle.given)
        cells = puzzle.solution.cells  # type: ignore[union-attr]
        moves = set(zip(cells.tolist(), np.roll(cells, -1).tolist(), strict=True))
        assert set(question.required) <= moves | {(b, a) for a, b in moves}
        if question.direction:
            assert moves <= set(map(tuple, question.moves.tolist()))
        if question.symmetry:
            images = question.symmetry.cells
            assert all({(a, b), (b, a)} & moves for a, b in ((images[a], images[b]) for a, b in moves))


def test_grades_agree_with_the_search() -> None:
    """The search solves easy and medium puzzles without a guess, and no others."""
    seen = set()
    for seed in range(12):
        for fewest in (False, True):
            puzzle = made("5x5", open_=True, seed=seed, fewest=fewest)
            graph = cavalcade.move_graph("5x5")
            answer = numbered(graph, dict(puzzle.given), closed=False)
            assert (answer.guesses == 0) == (puzzle.grade in {"easy", "medium"})
            easy = next_numbers(graph, dict(puzzle.given), closed=False)
            assert (len(easy) == graph.size) == (puzzle.grade == "easy")
            seen.add(puzzle.grade)
    assert seen == set(GRADES[:3]), "5x5 is too small for guesses upon guesses"


def test_a_puzzle_of_a_level() -> None:
    for level in GRADES[:3]:
        puzzle = made("5x5", open_=True, level=level, seed=3)
        assert puzzle.grade == level
        assert_one_solution(puzzle)
        graph = cavalcade.move_graph("5x5")
        easy = next_numbers(graph, dict(puzzle.given), closed=False)
        assert (len(easy) == graph.size) == (level == "easy")
        assert (numbered(graph, dict(puzzle.given), closed=False).guesses == 0) == (level != "hard")


def test_easy_puzzles_have_few_clues() -> None:
    """Random clues needed 20 or 21 of 25 numbers for these seeds."""
    assert all(len(made("5x5", open_=True, level="easy", seed=seed).given) <= 14 for seed in (21, 22))


def test_both_tiers_grade_alike() -> None:
    graph = cavalcade.move_graph("8x8")
    for seed in (0, 1):
        clues = dict(made("8x8", seed=seed).given)
        depths = {guess_depth(graph, clues, closed=True, compiled=compiled) for compiled in (False, True)}
        assert len(depths) == 1


def test_an_easy_puzzle() -> None:
    """On a path every next number has one square; on an undirected cycle it has two."""
    path = MoveGraph.from_edges([(i, i + 1) for i in range(5)])
    assert next_numbers(path, {1: 0}, closed=False) == {step: step - 1 for step in range(1, 7)}
    assert next_numbers(path, {3: 2}, closed=False) == {3: 2}
    circle = MoveGraph.from_edges([(i, (i + 1) % 6) for i in range(6)])
    assert next_numbers(circle, {1: 0, 2: 1}, closed=True) == {step: step - 1 for step in range(1, 7)}
    assert next_numbers(circle, {1: 0}, closed=True) == {1: 0}
    puzzle = made("6x6", given=20, seed=1)
    turned = [{(step + k) % 36 + 1: cell for step, cell in puzzle.given} for k in range(36)]
    answers = [len(next_numbers(cavalcade.move_graph("6x6"), clues, closed=True)) for clues in turned]
    assert len(set(answers)) == 1, "a closed tour begins anywhere"


# ---- solving


def test_all_solutions_are_counted() -> None:
    """304 open tours of 5x5 begin in a given corner, as published counts say."""
    corner = cavalcade.Puzzle(cavalcade.board("5x5"), ((1, 0),), closed=False)
    for method in ("search", "sat"):
        solved = cavalcade.solve(corner, method=method)
        assert (len(solved.tours), solved.complete) == (304, True)
        first_ten = cavalcade.solve(corner, method=method, most=10)
        assert (len(first_ten.tours), first_ten.complete, first_ten.reason) == (
            10,
            False,
            "stopped after 10 solutions",
        )
        assert not first_ten.unique


@given(edge_lists(7), st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=200, deadline=None)
def test_contradictions_are_right(
    edges: tuple[int, list[tuple[int, int]]],
    random: object,
    closed: bool,  # noqa: FBT001
) -> None:
    n, pairs = edges
    graph = MoveGraph.from_edges(pairs, n)
    cells, steps = list(range(n)), list(range(1, n + 1))
    random.shuffle(cells)  # type: ignore[attr-defined]
    puzzle = cavalcade.Puzzle(graph, tuple(zip(steps, cells, strict=True))[:3], closed)
    if contradiction(puzzle, graph):
        assert not len(numbered(graph, dict(puzzle.given), closed=closed).tours)


def test_invalid_arguments_are_refused() -> None:
    puzzle = made("3x10")
    bad: tuple[tuple[dict[str, Any], str], ...] = (
        ({"method": "luck"}, "unknown method 'luck'"),
        ({"most": 0}, "0 is not a number of solutions"),
    )
    for words, message in bad:
        with pytest.raises(cavalcade.CavalcadeError, match=message):
            cavalcade.solve(puzzle, **words)
    with pytest.raises(cavalcade.CavalcadeError, match="given 99 is not a number of cells"):
        cavalcade.puzzle("3x10", given=99)
    with pytest.raises(cavalcade.CavalcadeError, match="given 3 cannot be combined with fewest"):
        cavalcade.puzzle("3x10", given=3, fewest=True)
    for clues, message in (
        (((0, 1),), "0 on b3 is not a step"),
        (((31, 1),), "31 on b3 is not a step"),
        (((1, 1), (1, 2)), "step 1 stands on two cells, b3 and c3"),
        (((1, 1), (2, 1)), "b3 has two steps, 1 and 2"),
        (((1, 30),), "30 is not a cell"),
    ):
        with pytest.raises(cavalcade.CavalcadeError, match=message):
            cavalcade.Puzzle(cavalcade.board("3x10"), clues)


def test_a_level_that_no_tour_has_is_reported_with_the_levels_found() -> None:
    answer = cavalcade.puzzle("hex:2", kind="rikudo", level="very hard")
    assert isinstance(answer, cavalcade.Undecided)
    why = "no puzzle of hex:2-b2 that is very hard found in 100 tours; those found are easy"
    assert answer.reason == why


# ---- files


@pytest.mark.parametrize(
    ("board", "piece", "open_"),
    [
        ("5x5", None, True),
        ("6x6-a1,a6", None, False),
        ("hex:3-c3", None, False),
        ("torus:4x5", None, False),
        ("2x3x7", None, True),
        ("10x10", "1,4", True),
        ("cube:2", None, False),
        ("parallelogram:5x5", None, True),
    ],
)
def test_puzzles_are_read_back(board: str, piece: str | None, tmp_path: Path, *, open_: bool) -> None:
    puzzle = cavalcade.puzzle(board, piece=piece, open=open_)
    assert isinstance(puzzle, cavalcade.Puzzle), puzzle
    cavalcade.save(puzzle, tmp_path / "p.txt")
    assert cavalcade.read_puzzle(tmp_path / "p.txt") == puzzle
    assert cavalcade.read_puzzle(tmp_path / "p.txt", open=not open_).closed == open_
    page = cavalcade.write(puzzle, "html")
    assert page.count("<svg") == 2
    picture = cavalcade.write(puzzle, "svg")
    clue_steps = {str(step) for step, _ in puzzle.given}
    solution_steps = {str(step) for step in range(1, puzzle.board.size + 1)} - clue_steps
    label = {str(i) for i in range(1, 12)}
    assert all(f">{step}<" in picture for step in clue_steps)
    assert not any(f">{step}<" in picture for step in solution_steps - label)


@pytest.mark.parametrize(
    "text",
    [
        "1 . 3\n. # .\n_ 2 _",
        "1,,3\n,#,\n,2,",
        "1\t0\t3\n0\t#\t0\n0\t2\t0",
        "; closed puzzle of 3x3, piece knight\n  a b c\n3 1 . 3\n2 . # .\n1 . 2 .",
    ],
)
def test_empty_squares_have_several_signs(text: str) -> None:
    puzzle = puzzles.parse(text, Claim())
    assert puzzle.board == cavalcade.board("3x3-b2")
    assert puzzle.given == ((1, 0), (2, 6), (3, 2))
    assert cavalcade.solve(puzzle).unique


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 . 3\n. 1 .\n. . 2\n", "step 1 stands on two cells, a3 and b2"),
        ("1 . 3\n. 10 .\n. . 2\n", "10 on b2 is not a step of 3x3, expected 1 to 9"),
        ("1 . 3\n. 4\n. . 2\n", "line 2, '. 4': 2 numbers in a row, expected 3"),
        ("1 . ?\n. 4 .\n. . 2\n", r"'\?' is not a step"),
        ("; closed puzzle of 8x8, piece knight\n1 2\n3 .\n", "do not fit 8x8"),
        ("; closed puzzle of 8y8, piece knight\n1 2\n3 .\n", "unknown kind|not a board"),
        ("", "there is nothing in it"),
    ],
)
def test_bad_files(text: str, message: str, tmp_path: Path, cli: Callable[..., Ran]) -> None:
    (tmp_path / "bad.txt").write_text(text)
    ran = cli("solve", str(tmp_path / "bad.txt"))
    assert ran.code == 2
    assert ran.out == ""
    with pytest.raises(cavalcade.CavalcadeError, match=message) as raised:
        cavalcade.read_puzzle(tmp_path / "bad.txt")
    assert str(raised.value) in ran.err


def test_an_object_of_a_puzzle_is_read(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    for line in ("5x5 --open", "4x4 --kind zip", "hex:3 --kind rikudo"):
        text, stored = tmp_path / "puzzle.txt", tmp_path / "puzzle.json"
        text.write_text(cli("puzzle", *line.split()).out)
        stored.write_text(cli("puzzle", *line.split(), "--json").out)
        assert cavalcade.read_puzzle(stored) == cavalcade.read_puzzle(text)
        assert cli("solve", stored).out == cli("solve", text).out
    stored.write_text('{"given": {"a1": 1}}')
    one_error(cli("solve", stored), "no object of `puzzle --json`")


def test_letters_of_one_word(cli: Callable[..., Ran]) -> None:
    made = cli("roesselsprung", "KNIGHT", "--json")
    assert json.loads(made.out)["parts"] == [*"KNIGHT"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2 .\n. # .\n. . .\n", "1 on a3 and 2 on b3 exclude each other: 1 move does not lead"),
        ("1 . .\n. # .\n. . 3\n", "2 moves do not lead from one to the other; it takes 4"),
        ("1 . .\n. # .\n. 2 4\n", "2 moves do not lead from one to the other; any walk"),
        ("1 . . . .\n" + 4 * ". . . . .\n", "no closed tour has these numbers: every numbering was tried"),
        (
            ". . . . . .\n. . . . . 36\n" + 3 * ". . . . . .\n" + "1 . . . . .\n",
            "36 on f5 and 1 on a1 .* takes 3",
        ),
        ("1 . .\n. 5 .\n. . .\n", "no moves lead from one to the other"),
    ],
)
def test_impossible_puzzles(text: str, message: str, tmp_path: Path, cli: Callable[..., Ran]) -> None:
    (tmp_path / "none.txt").write_text(text)
    solved = cavalcade.solve(cavalcade.read_puzzle(tmp_path / "none.txt"))
    assert solved.status == "impossible"
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(solved.reason)
    ran = cli("solve", str(tmp_path / "none.txt"))
    assert (ran.code, ran.err) == (1, f"impossible: {solved.reason} {OTHERWISE}\n")


def test_a_puzzle_with_too_few_clues_is_undecided(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    rows = "1 . . . . . .\n" + 6 * ". . . . . . .\n"
    (tmp_path / "p.txt").write_text(f"; closed puzzle of torus:7x7, piece knight\n{rows}")
    solved = cavalcade.solve(cavalcade.read_puzzle(tmp_path / "p.txt"), time_limit=0.2, most=100_000)
    assert not solved.complete
    assert solved.reason == "not every numbering was tried in 0.2 s"
    ran = cli("solve", str(tmp_path / "p.txt"), "--time-limit", "0.2", "--most", "100000")
    assert ran.code in {0, 3}  # a busy machine may reach the limit while it reads the file
    assert ran.err.startswith("undecided: ") or "not every numbering was tried" in ran.err


# ---- texts along tours


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (TIGER, {"language": "en"}),
        (TIGER, {}),
        (EASTER, {"language": "de"}),
        (EASTER, {"language": "de", "board": "hex:5"}),
        (EASTER, {"language": "de", "board": "3x4x5", "seed": 3}),
        (EASTER, {"board": "torus:8x8", "piece": "camel"}),
    ],
)
def test_a_poem_is_restored(text: str, words: dict[str, object], tmp_path: Path) -> None:
    verse = cavalcade.roesselsprung(text, **words)  # type: ignore[arg-type]
    assert isinstance(verse, cavalcade.Roesselsprung), verse
    assert verse.text == " ".join(text.split())
    assert cavalcade.check(verse.tour)
    assert ("language" in words) == any(part.endswith(GOES_ON) for part in verse.parts)
    cavalcade.save(verse, tmp_path / "verse.txt")
    read_back = cavalcade.read_roesselsprung(tmp_path / "verse.txt")
    assert (read_back.tour, read_back.parts, read_back.text) == (verse.tour, verse.parts, verse.text)
    page, picture = (cavalcade.write(verse, name) for name in ("html", "svg"))
    assert verse.text.split()[0] in page
    assert all(f">{part.replace(GOES_ON, '-')}<" in picture for part in verse.parts)


def test_syllables() -> None:
    assert split("Ein-Tag im Früh|ling", separator="|") == ["Ein-Tag", "im", "Früh" + GOES_ON, "ling"]
    assert split("»Hoffnungsglück!«", language="de") == [f"»Hoff{GOES_ON}", f"nungs{GOES_ON}", "glück!«"]
    assert split("forty-two — 42", language="en")[-2:] == ["—", "42"]
    assert cavalcade.roesselsprung("Ha|lt! Ha|lt!", separator="|").text == "Halt! Halt!"  # type: ignore[union-attr]
    bad: tuple[tuple[dict[str, Any], str], ...] = (
        ({"language": "klingon"}, "unknown language 'klingon'"),
        ({"language": "en", "separator": "|"}, "exclude each other"),
        ({"separator": " "}, "is not a separator"),
        ({"board": "3x4"}, "3x4 has 12 cells, expected 20 or more"),
    )
    for words, message in bad:
        with pytest.raises(cavalcade.CavalcadeError, match=message):
            cavalcade.roesselsprung(TIGER, **words)
    with pytest.raises(cavalcade.CavalcadeError, match="the text has no words"):
        cavalcade.roesselsprung(" \n")
    none = cavalcade.roesselsprung("a " * 16, board="4x4")
    assert isinstance(none, cavalcade.Impossible)


def test_without_pyphen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyphen", None)
    with pytest.raises(cavalcade.ground.errors.MissingExtraError, match="pip install pyphen"):
        cavalcade.roesselsprung(TIGER, language="en")
    assert cavalcade.roesselsprung(TIGER).status == "found"


def test_damaged_texts(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    verse = cavalcade.roesselsprung(TIGER, board="5x5")
    assert isinstance(verse, cavalcade.Roesselsprung)
    text = cavalcade.write(verse)
    head, _, rest = text.partition("\n")
    assert "#" in rest
    for damaged, message in (
        (text.partition("; solution")[0], "there is no solution in it"),
        (text.replace("Tiger,", "", 1), "parts and holes, expected"),
        (text.replace("Tiger,", "#", 1), "the solution has 20 cells, expected the 19 with a part"),
        (
            f"{head}\n{rest.replace('#', 'more', 1)}",
            "the solution has 20 cells, expected the 21 with a part",
        ),
        (f"{head}\n{rest.replace('Tiger,', '#', 1).replace('#', 'more', 1)}", "expected the 20 with a part"),
    ):
        with pytest.raises(cavalcade.CavalcadeError, match=message):
            puzzles.parse_roesselsprung(damaged, Claim())
    with pytest.raises(cavalcade.CavalcadeError, match="'#' cannot be written in text"):
        cavalcade.write(cavalcade.roesselsprung("number # one"))  # type: ignore[arg-type]
    start, last_step = verse.board.name(verse.tour.start), str(verse.board.size)
    numbers = text.partition("; solution")[2]
    swapped = (
        numbers.replace(" 1 ", " x ", 1).replace(f"{last_step} ", "1 ", 1).replace(" x ", f" {last_step} ", 1)
    )
    (tmp_path / "swapped.txt").write_text(text.partition("; solution")[0] + "; solution" + swapped)
    ran = cli("roesselsprung", str(tmp_path / "swapped.txt"), "--solve")
    assert (ran.code, ran.out) == (1, ""), (start, ran)
    (tmp_path / "right.txt").write_text(text)
    assert cli("roesselsprung", str(tmp_path / "right.txt"), "--solve").out == f"{verse.text}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("puzzle", "6x6", "--given", "3", "--fewest"), "--given 3 excludes --fewest: drop one"),
        (("puzzle", "6x6", "-o", "p.bmp"), "cannot write 'p.bmp'. Pictures: "),
        (("puzzle", "6x6", "--level", "easy", "--fewest"), "--fewest excludes --level easy: drop one"),
        (("puzzle", "6x6", "--paper", "a4"), "--paper a4 is for pictures, and the output is text: try"),
        (("puzzle", "6x6", "-o", "x.pdf", "--page", "home"), "'home' is not the address of a page"),
        (("puzzle", "3x4", "--open", "--given", "12", "-n", "99"), "-n 99 is too many for 3x4: "),
        (("puzzle", "6x6", "--given", "40"), "given 40 is not a number of cells"),
        (("puzzle", "6x6", "--to", "a1"), "--to a1 works only with --open"),
        (("roesselsprung", "missing.txt"), "cannot read missing.txt"),
        (
            ("roesselsprung", "x.txt", "--language", "en", "--separator", "|"),
            "--language en excludes --separator |",
        ),
        (("roesselsprung", "x.txt", "--solve", "--language", "en"), "--solve excludes --language en"),
        (("solve", "missing.txt"), "cannot read missing.txt"),
    ],
)
def test_wrong_options(arguments: tuple[str, ...], message: str, cli: Callable[..., Ran]) -> None:
    ran = cli(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_a_worksheet(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    """A worksheet has twelve different puzzles, their key, and codes that link to them."""
    pytest.importorskip("fpdf")
    segno = pytest.importorskip("segno")
    ran = cli("puzzle", "5x5", "--open", "-n", 12, "--level", "easy", "--json")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert len({str(row["given"]) for row in rows}) == 12
    board, address = cavalcade.board("5x5"), "https://example.org/play/"
    written = [
        Puzzle(board, tuple((step, board.cell(name)) for name, step in row["given"].items()), closed=False)
        for row in rows
    ]
    links = [worksheet.link(puzzle, address) for puzzle in written]
    for puzzle, words, opened in zip(written, rows, links, strict=True):
        (solution,) = cavalcade.solve(puzzle).tours
        assert solution.names == words["solution"]
        question, tour = link.read(opened)
        assert (dict(question.given), tour) == (dict(puzzle.given), None)
    made_again = [made("5x5", open_=True, level="easy", seed=row["seed"]) for row in rows]
    pages = [page.shapes for page in worksheet.worksheet(made_again, 185.0, 270.0, page=address)]
    texts = [[shape for shape in page if isinstance(shape, Letters)] for page in pages]
    assert ["Name" in {letters.text for letters in page} for page in texts] == [True, True, True, False]
    titles = [letters.text for page in texts for letters in page if letters.text.endswith(", easy")]
    assert titles == [f"{k}, easy" for k in range(1, 13)]
    assert sum(letters.role == "number" for letters in texts[3]) == 12 * 25
    for shape in chain(*pages):
        places = [(shape.x, shape.y)] if isinstance(shape, Letters) else []
        places += [point for run in shape.drawn() for point in run] if isinstance(shape, Polyline) else []
        assert all(-0.1 <= x <= 185.1 and -0.1 <= y <= 270.1 for x, y in places)
    codes = [
        len(shape.drawn()) for shape in chain(*pages) if isinstance(shape, Polyline) and shape.role == "code"
    ]
    dark = [sum(map(sum, segno.make(address, error="l", boost_error=False).matrix)) for address in links]
    assert codes == dark
    for paper, size in (("a4", b"595.28 841.89"), ("letter", b"612.00 792.00")):
        file = tmp_path / f"{paper}.pdf"
        words = ("-n", 5, "--per-page", 2, "--paper", paper, "--given", 15, "--quiet")
        assert cli("puzzle", "5x5", "--open", *words, "-o", file).code == 0
        data = file.read_bytes()
        assert data.count(b"/Type /Page\n") == 4
        assert size in data


def test_a_puzzle_is_not_read_as_board_or_tour(tmp_path: Path, cli: Callable[..., Ran]) -> None:
    cavalcade.save(made("6x6"), tmp_path / "p.txt")
    assert "expected a board" in cli("tour", str(tmp_path / "p.txt")).err
    assert cli("check", str(tmp_path / "p.txt")).code == 2
    with pytest.raises(cavalcade.CavalcadeError, match="cannot write a Puzzle as 'csv'"):
        cavalcade.write(made("6x6"), "csv")
    graph = MoveGraph.from_edges([(i, (i + 1) % 6) for i in range(6)])
    puzzle = cavalcade.puzzle(graph, fewest=True)
    assert isinstance(puzzle, cavalcade.Puzzle)
    assert cavalcade.solve(puzzle).unique
    with pytest.raises(cavalcade.CavalcadeError, match="its puzzles cannot be written"):
        cavalcade.write(puzzle)


def test_steps_of_a_puzzle() -> None:
    puzzle = cavalcade.Puzzle(cavalcade.board("3x3-b2"), ((5, 2), (1, 0)))
    assert puzzle.given == ((1, 0), (5, 2))
    assert np.array_equal(puzzle.steps, [1, 0, 5, 0, 0, 0, 0, 0])


# ---- walls, links, and numbers that are an order


# the moves of each kind of puzzle, as differences of coordinates; (q, r) if the cells are hexagons
WAZIR = [(0, 1), (0, -1), (1, 0), (-1, 0)]
MOVES = {
    "hidato": [*WAZIR, (1, 1), (1, -1), (-1, 1), (-1, -1)],
    "numbrix": WAZIR,
    "hopido": [(0, 3), (0, -3), (3, 0), (-3, 0), (2, 2), (2, -2), (-2, 2), (-2, -2)],
    "holy-knight": [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)],
    "zip": WAZIR,
    "rikudo": [*WAZIR, (1, -1), (-1, 1)],
}


def plain_solutions(puzzle: Puzzle, moves: list[tuple[int, int]]) -> int:
    """Count the solutions of an open puzzle by plain backtracking on coordinates."""
    assert isinstance(puzzle.board, cavalcade.Board)
    places = [tuple(place) for place in puzzle.board.coords.tolist()]
    number = {places[cell]: step for step, cell in puzzle.given}
    place_of = {step: place for place, step in number.items()}
    walls, links = (
        {frozenset((places[a], places[b])) for a, b in moves} for moves in (puzzle.forbidden, puzzle.required)
    )
    order = sorted(number.values())

    def onward(walk: list[tuple[int, ...]], reached: int) -> int:
        place = walk[-1]
        if not puzzle.ordered and place_of.get(len(walk), place) != place:
            return 0
        if place in number and not puzzle.ordered and number[place] != len(walk):
            return 0
        if place in number and puzzle.ordered:
            if number[place] != order[reached] or (len(walk) == 1) != (reached == 0):
                return 0
            reached += 1
        if len(walk) == len(places):
            made = {frozenset(walk[i : i + 2]) for i in range(len(walk) - 1)}
            return int(links <= made and (not puzzle.ordered or number.get(place, order[0]) == order[-1]))
        return sum(
            onward([*walk, after], reached)
            for after in ((place[0] + a, place[1] + b) for a, b in moves)
            if after in places and after not in walk and frozenset((place, after)) not in walls
        )

    return sum(onward([place], 0) for place in places)


SMALL = {
    "hidato": "3x4",
    "numbrix": "4x4",
    "hopido": "5x5",
    "holy-knight": "5x5",
    "zip": "4x4",
    "rikudo": "hex:3",
}
LARGER = {
    "hidato": "5x5",
    "numbrix": "6x6",
    "hopido": "6x6",
    "holy-knight": "6x6",
    "zip": "6x6",
    "rikudo": "hex:4",
}


@pytest.mark.parametrize(
    ("kind", "board"),
    [*SMALL.items(), *(pytest.param(*pair, marks=pytest.mark.slow) for pair in LARGER.items())],
)
def test_ten_puzzles_of_each_kind_have_one_solution_by_backtracking(kind: KindName, board: str) -> None:
    puzzles_made = [cavalcade.puzzle(board, kind=kind, seed=seed) for seed in range(10)]
    for made_puzzle in puzzles_made:
        assert isinstance(made_puzzle, Puzzle)
        assert plain_solutions(made_puzzle, MOVES[kind]) == 1
        assert kind_of(made_puzzle) == kind
    assert len({puzzle.given for puzzle in puzzles_made if isinstance(puzzle, Puzzle)}) == 10


@pytest.mark.parametrize("method", ["search", "sat"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1 . . .\n. . . .\n. 2 . .\n3 . . .", ["order"]),
        ("1 . . .\n. . . .\n. 2 . .\n3 . . .", ["order", "with a4-b4"]),
        ("1 . . .\n. . . .\n. 2 . .\n3 . . .", ["order", "avoid b3-b4,c3-c4"]),
        ("1 . . .\n. . . .\n. . . .\n. . . .", ["with a4-b4,b1-c1", "avoid c3-c4"]),
        (". . 2\n. 1 .\n. . 3", ["order"]),
        ("1 . .\n. . .\n. . .", ["order"]),
    ],
)
def test_an_order_walls_and_links_against_backtracking(
    text: str, words: list[str], method: Literal["search", "sat"]
) -> None:
    rows = text.count("\n") + 1
    header = "".join(f"; {line}\n" for line in (f"open puzzle of {rows}x{rows}, piece 0,1", *words))
    puzzle = puzzles.parse(header + text, Claim())
    assert sorted(puzzle.words) == sorted(puzzles.parse(cavalcade.write(puzzle), Claim()).words)
    assert puzzles.parse(cavalcade.write(puzzle), Claim()) == puzzle
    solved = cavalcade.solve(puzzle, method=method)
    assert solved.complete
    assert len(solved.tours) == plain_solutions(puzzle, WAZIR)


def test_an_order_is_not_checked_as_steps(cli: Callable[..., Ran], tmp_path: Path) -> None:
    file = tmp_path / "zip.txt"
    cli("puzzle", "4x4", "--kind", "zip", "-o", file)
    assert "is a puzzle whose numbers are an order, not steps" in cli("check", file).err


def test_solve_says_how_it_reads_the_numbers(cli: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "zip.txt").write_text("1 . . .\n. . . .\n. 2 . .\n3 . . .")
    argv = ["solve", str(tmp_path / "zip.txt"), "--piece", "0,1", "--open"]
    ran = cli(*argv)
    assert "the numbers are read as an order of squares, because no move leads from 1 on a4" in ran.err
    assert cli(*argv, "--given-as", "order").out == ran.out
    assert "exclude each other" in cli(*argv, "--given-as", "steps").err
    walled = cli(*argv, "--avoid", "b3-b4", "--with", "a4-b4")
    assert "8 solutions, all of them" in ran.err
    assert "4 solutions, all of them" in walled.err


def test_a_puzzle_of_a_kind(cli: Callable[..., Ran], tmp_path: Path) -> None:
    """A Zip keeps its numbers and gets walls; files, pictures, sheets and `solve` know them."""
    file = tmp_path / "zip.txt"
    ran = cli("puzzle", "4x4", "--kind", "zip", "--level", "medium", "--given", "4", "-o", str(file))
    assert "--level medium excludes --given 4" in ran.err or "--given 4 excludes --level medium" in ran.err
    ran = cli("puzzle", "4x4", "--kind", "zip", "--given", "4", "--seed", "1", "-o", str(file))
    assert "open puzzle of 4x4 (zip), 4 of 16 numbers, 2 walls, " in ran.err
    assert "open puzzle of 4x4 (zip): easy, exactly one solution" in cli("solve", str(file)).err
    bare = tmp_path / "bare.txt"
    lines = file.read_text().splitlines()
    bare.write_text("\n".join(line for line in lines if not line.startswith(";")))
    walls = lines[2].removeprefix("; avoid ")
    again = cli("solve", str(bare), "--kind", "zip", "--avoid", walls)
    assert again.out == cli("solve", str(file)).out
    assert (
        "--kind zip excludes --piece king" in cli("solve", str(bare), "--kind", "zip", "--piece", "king").err
    )
    drawn = cli("draw", str(file))
    assert drawn.out == cavalcade.write(cavalcade.read_puzzle(file), "svg")
    made_zip = cavalcade.read_puzzle(file)
    question, _ = link.read(worksheet.link(made_zip, "https://example.org/play/"))
    assert question == made_zip.question
    assert "No step crosses a wall" in made_zip.task
    about = json.loads(cli("puzzle", "4x4", "--kind", "zip", "--given", "4", "--seed", "1", "--json").out)
    assert (about["puzzle"], about["ordered"], ",".join(about["walls"])) == ("zip", True, walls)


def test_ends_and_the_smallest_board_of_a_kind(cli: Callable[..., Ran]) -> None:
    for kind, board in (("numbrix", "1x1"), ("zip", "1x1"), ("rikudo", "hex:1"), ("holy-knight", "1x1")):
        assert made(board, kind=kind).given == ((1, 0),)
    ran = cli("puzzle", "3x3", "--kind", "zip", "--open", "--from", "a1", "--to", "c3", "--json")
    given_numbers = json.loads(ran.out)["given"]
    assert (given_numbers["a1"], given_numbers["c3"]) == (1, max(given_numbers.values()))
    assert "a Zip has an open tour: drop --closed" in cli("puzzle", "3x3", "--kind", "zip", "--closed").err


def test_grades_of_kinds() -> None:
    kinds: tuple[tuple[KindName, str], ...] = (("zip", "5x5"), ("rikudo", "hex:3"))
    for kind, board in kinds:
        for level in GRADES[:2]:
            puzzle = cavalcade.puzzle(board, kind=kind, level=level, seed=1)
            assert isinstance(puzzle, Puzzle)
            assert puzzle.grade == level
            assert cavalcade.solve(puzzle, method="sat", most=2).unique
            assert len(puzzle.required if kind == "rikudo" else puzzle.forbidden) > 0


def test_wrong_kinds() -> None:
    for board, words, message in (
        ("6x6", {"kind": "sudoku"}, "unknown kind 'sudoku', expected one of hidato, "),
        ("6x6", {"kind": "rikudo"}, "a Rikudo has hexagonal cells, such as hex:4; 6x6 has none"),
        ("hex:3", {"kind": "zip"}, "a Zip has square cells, such as 6x6; hex:3 has none"),
        ("6x6", {"kind": "zip", "piece": "king"}, "a Zip has open tours of 0,1: drop the piece"),
        ("6x6", {"kind": "zip", "given": 1}, "given 1 is not a number of cells, expected 2 to 36"),
    ):
        with pytest.raises(cavalcade.CavalcadeError, match=message):
            cavalcade.puzzle(board, **words)


def test_a_picture_shows_links_and_walls() -> None:
    text = "; open puzzle of 2x3, piece 0,1\n; with a1-a2\n; avoid b1-b2\n1 . .\n. . ."
    shapes = puzzle_picture(puzzles.parse(text, Claim())).shapes
    roles = [shape.role for shape in shapes]
    assert [role for role in roles if role in {"link", "walls"}] == ["link", "walls"]
