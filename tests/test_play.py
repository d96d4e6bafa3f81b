"""The page without a server: its JavaScript, run by Node, gives the same answers as Python."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
from collections import Counter
from itertools import pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import numpy as np
import pytest

import cavalcade
from cavalcade import formats
from cavalcade.formats import link
from cavalcade.formats.link import SIGNS
from cavalcade.ground.wording import catalogue
from cavalcade.puzzles.grading import GRADES, grade, next_numbers
from cavalcade.question.statement import read_statement, statement
from cavalcade.studio.answering import answered
from conftest import Ran, one_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Asker = Callable[[Iterable[dict[str, Any]]], list[dict[str, Any]]]

STATIC = Path(cavalcade.__file__).parent / "studio" / "static"
DRIVER = """
const files = ["local", "kernel", "rule", "graph", "code", "texts"];
const modules = await Promise.all(files.map((name) => import(`./${name}.js`)));
const [{ local }, { answered }, { choice }, { neighbours }, { coded, decoded }, { speech, worded }] = modules;
Object.assign(speech, { exact: true, texts: JSON.parse(process.argv[2]) });
const records = { start: JSON.parse(process.argv[3]) };
const page = local(async (key) => records[key], async (work) => answered(work));
const lines = (await new Response(process.stdin).text()).trim().split("\\n");
const plain = (_, value) => ArrayBuffer.isView(value) ? [...value] : value;
for (const line of lines) {
  const { ask, names, edges, walk } = JSON.parse(line);
  if (ask === "choices") {
    const adjacency = neighbours(names.length, edges);
    const explain = (_, i) => choice(adjacency, names, Int32Array.from(walk), i + 1, "", names.length);
    console.log(JSON.stringify(walk.map(explain)));
  } else if (ask === "code") {
    const adjacency = neighbours(names.length, edges);
    const text = coded(adjacency, names, walk);
    console.log(JSON.stringify({ text, walk: decoded(adjacency, names, text) }));
  } else for await (const answer of page(line)) console.log(JSON.stringify(worded(answer), plain));
}
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Asker:
    """Return a function that sends questions to the page's JavaScript."""
    if shutil.which("node") is None:
        pytest.skip("Node is not installed, so that the page's modules do not run")
    modules = shutil.copytree(STATIC, tmp_path_factory.mktemp("play") / "static")
    modules.joinpath("package.json").write_text('{"type": "module"}')
    modules.joinpath("driver.js").write_text(DRIVER)

    def ask(questions: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        lines = "\n".join(map(json.dumps, questions))
        options = json.dumps({"options": python({"ask": "start"})["options"]})
        command = [
            "node",
            "--stack-size=8000",
            str(modules / "driver.js"),
            json.dumps(catalogue("en")),
            options,
        ]
        done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return ask


def python(question: dict[str, Any]) -> dict[str, Any]:
    """Return the answer of Python, with its arrays as lists."""
    answer = json.loads(answered(json.dumps(question).encode(), lambda _: None))
    return {key: unpacked(value) for key, value in answer.items()}


def unpacked(value: Any) -> Any:
    if isinstance(value, dict):
        for name in ("int32", "float32", "uint8"):
            if isinstance(value.get(name), str):
                return np.frombuffer(base64.b64decode(value[name]), dtype=name).tolist()
        return {key: unpacked(member) for key, member in value.items()}
    return value


def described(board: dict[str, Any]) -> dict[str, Any]:
    """Normalise the description of a board: sort its edges, drop the entries that only Python fills."""
    edges = iter(board["edges"])
    description = {**board, "edges": sorted(tuple(sorted(pair)) for pair in zip(edges, edges, strict=True))}
    return {key: rounded(value) for key, value in description.items() if key not in {"symmetries", "dropped"}}


def rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 3) + 0.0
    if isinstance(value, list):
        return [rounded(member) for member in value]
    return {key: rounded(member) for key, member in value.items()} if isinstance(value, dict) else value


def random_boards(
    number: int, seed: int, least: int = 1, most: int = 9, *, likely: bool = False
) -> Iterable[dict[str, Any]]:
    """Yield questions about boxes with random holes, pieces, ends and moves.

    With `likely`, yield plain boards, most of which have a knight's tour.
    """
    rng = np.random.default_rng(seed)
    for _ in range(number):
        sides = rng.integers(2, 5, 3) if rng.random() < 0.2 else rng.integers(least, most, 2)
        board = cavalcade.board("x".join(map(str, sides)))
        if rng.random() < 0.6 and board.size > 4:
            holes = rng.choice(board.size, int(rng.integers(1, 4)), replace=False)
            board = board.without(holes.tolist())
        piece = str(rng.choice(["knight", "camel", "1,1", "0,1", "1,2+1,3"], p=[0.7, 0.1, 0.05, 0.05, 0.1]))
        question: dict[str, Any] = {"board": board.spec, "piece": piece, "open": bool(rng.random() < 0.5)}
        if likely:
            yield {"board": "x".join(map(str, sides)), "open": bool(np.prod(sides) % 2 or rng.random() < 0.5)}
            continue
        graph = cavalcade.move_graph(board, piece)
        edges = graph.edges()
        if question["open"] and rng.random() < 0.5:
            start, end = rng.choice(board.size, 2).tolist()
            question["start"] = board.name(start)
            if start != end and rng.random() < 0.5:
                question["end"] = board.name(end)
        if len(edges) > 3 and rng.random() < 0.4:
            with_, avoid = (
                "-".join(map(board.name, edges[i].tolist())) for i in rng.choice(len(edges), 2, replace=False)
            )
            question |= {"with": [with_], "avoid": [avoid]}
        yield question


def test_boards_equal_those_of_python(page: Asker) -> None:
    specs = [
        *(f"{m}x{n}" for m, n in product((1, 3, 8, 33), (2, 7, 40))),
        *("3x4x5", "2x3x40", "1x8x8", "7x2x2", "8x8-c3,a1", "2x4x4-2:b3,1:a1"),
    ]
    pieces = [
        "knight",
        "camel",
        "3,1",
        "1,2+1,3",
        "moves:1,2;2,1±",
        "moves:0,1;1,0;1,1+-",
        "moves:0,1;0,-1;1,0;-1,0",
    ]
    boards: list[dict[str, Any]] = [
        {"board": spec, "piece": piece}
        for spec, piece in product(specs, pieces)
        if spec.count("x") == 1 or "moves" not in piece
    ]
    questions: list[dict[str, Any]] = [
        {"ask": "board", "question": question} for question in [*boards, *random_boards(200, 5)]
    ]
    questions.append({"ask": "board", "question": {"board": "5x5"}, "toggle": [3, 4, 9]})
    for question, answer in zip(questions, page(questions), strict=True):
        assert described(answer) == described(python(question)), question
        assert read_statement(answer["statement"])


def test_tours_are_valid_and_verdicts_agree_with_python(page: Asker) -> None:
    """Python checks more than 2,000 tours of the page, and agrees with each "impossible"."""
    boards = [*random_boards(800, 7), *random_boards(2_100, 8, 5, 13, likely=True)]
    questions = [{"ask": "tour", "question": board, "seed": i} for i, board in enumerate(boards)]
    statuses = {"found": 0, "impossible": 0, "undecided": 0}
    for question, answer in zip(questions, page(questions), strict=True):
        statuses[answer["status"]] += 1
        if answer["status"] == "found":
            walk = {"ask": "check", "question": question["question"], "walk": answer["cells"]}
            assert python(walk)["status"] == "right", question
        elif answer["status"] == "impossible":
            assert python(question | {"seconds": 60})["status"] == "impossible", question
    assert statuses["found"] >= 2_000
    assert statuses["impossible"] > 300
    assert statuses["undecided"] < 20, statuses


def test_completions_of_walks_agree_with_python(page: Asker) -> None:
    rng = np.random.default_rng(3)
    questions: list[dict[str, Any]] = []
    for sample in random_boards(200, 9, 3, 7):
        board = cavalcade.board(sample["board"])
        graph, whole = (
            cavalcade.move_graph(board, sample["piece"]),
            cavalcade.board(sample["board"].split("-")[0]),
        )
        walk = [int(rng.integers(board.size))]
        while len(walk) < 6 and (unvisited := sorted({*graph.neighbours(walk[-1]).tolist()} - {*walk})):
            walk.append(int(rng.choice(unvisited)))
        places = [whole.cell(board.name(cell)) for cell in walk]
        question = {"board": sample["board"], "piece": sample["piece"], "open": sample["open"]}
        questions.append({"ask": "finish", "question": question, "walk": places, "seconds": 60})
    statuses = set()
    for asked_question, answer in zip(questions, page(questions), strict=True):
        statuses.add(answer["status"])
        if answer["status"] != "undecided":
            assert python(asked_question)["status"] == answer["status"], asked_question
        if answer["status"] == "found":
            assert answer["cells"][: len(asked_question["walk"])] == asked_question["walk"]
            checked = {"ask": "check", "question": asked_question["question"], "walk": answer["cells"]}
            assert python(checked)["status"] == "right"
    assert {"found", "impossible"} <= statuses


def test_mistakes_of_walks_agree_with_python(page: Asker) -> None:
    """Random walks: both name the same step, and the same number of continuations if neither is a bound."""
    rng = np.random.default_rng(5)
    questions: list[dict[str, Any]] = []
    for board, is_open in (("5x5", True), ("6x6", False)):
        graph = cavalcade.move_graph(board)
        for _ in range(6):
            walk = [int(rng.integers(graph.size))]
            while len(walk) < 16 and (
                free := [cell for cell in graph.neighbours(walk[-1]).tolist() if cell not in walk]
            ):
                walk.append(int(rng.choice(free)))
            questions.append({"ask": "finish", "question": {"board": board, "open": is_open}, "walk": walk})
    lost = 0
    for question, answer in zip(questions, page(questions), strict=True):
        expected = python(question)
        assert answer.get("lost") == expected.get("lost")
        lost += "lost" in answer
        if "at least" not in answer["message"] + expected["message"]:
            assert answer["message"] == expected["message"]
    assert lost > 4


def test_tours_through_cells_in_order_agree_with_python(page: Asker) -> None:
    """Random cells in order, alone and after a random walk; and a Zip puzzle, which has one solution."""
    rng = np.random.default_rng(11)
    questions: list[dict[str, Any]] = []
    for board, piece, is_open in (("5x5", "0,1", True), ("4x6", "0,1", False), ("5x6", "knight", True)):
        graph, names = cavalcade.move_graph(board, piece), cavalcade.board(board).names
        for _ in range(6):
            walk = [int(rng.integers(graph.size))]
            while len(walk) < 8 and (
                free := [cell for cell in graph.neighbours(walk[-1]).tolist() if cell not in walk]
            ):
                walk.append(int(rng.choice(free)))
            others = np.setdiff1d(np.arange(graph.size), walk[:1])
            through = [names[cell] for cell in rng.choice(others, 3, replace=False)]
            question = {"board": board, "piece": piece, "open": is_open, "start": names[walk[0]]}
            question["through"] = through
            questions.append({"ask": "tour", "question": question})
            questions.append({"ask": "finish", "question": question, "walk": walk})
    zip_puzzle = cavalcade.puzzle("7x7", kind="zip", seed=1)
    assert isinstance(zip_puzzle, cavalcade.Puzzle)
    (solution,) = cavalcade.solve(zip_puzzle).tours
    whole = {"ask": "tour", "question": {"statement": statement(zip_puzzle.question)}}
    statuses, checks = Counter[str](), []
    *answers, solved = page([*questions, whole])
    for question, answer in zip(questions, answers, strict=True):
        assert answer["status"] == python(question)["status"], question
        statuses[f"{question['ask']} {answer['status']}"] += 1
        if answer["status"] == "found":
            checks.append({"ask": "check", "question": question["question"], "walk": answer["cells"]})
    assert {reply["status"] for reply in [*page(checks), *map(python, checks)]} == {"right"}
    assert len(statuses) == 4
    assert min(statuses.values()) > 2, statuses
    assert solved["cells"] == solution.cells.tolist()


def clues_of(board: cavalcade.Board, question: dict[str, Any]) -> dict[int, int]:
    """Return the numbers of a puzzle from its question, each with its cell."""
    last = {board.size: question["end"]} if question["end"] else {}
    between = {int(text.split("=")[0]): text.split("=")[1] for text in question["at"]}
    return {step: board.cell(name) for step, name in ({1: question["start"]} | between | last).items()}


def test_puzzles_have_one_solution(page: Asker) -> None:
    boards = [
        {"board": board, "open": is_open}
        for board in ("5x6", "6x6", "5x5", "2x4x4")
        for is_open in (False, True)
    ]
    questions: list[dict[str, Any]] = [
        {"ask": "puzzle", "question": question, "seed": 4}
        for question in boards
        if question["board"] != "5x5" or question["open"]
    ]
    for request, answer in zip(questions, page(questions), strict=True):
        board = cavalcade.board(request["question"]["board"])
        clues = tuple(clues_of(board, answer["question"]).items())
        assert len(clues) < 0.6 * board.size
        assert clues[0][0] == 1
        puzzle = cavalcade.Puzzle(board, clues, not request["question"]["open"])
        (solution,) = cavalcade.solve(puzzle).tours
        assert solution.cells.tolist() == answer["solution"]


def test_puzzles_have_the_requested_level(page: Asker) -> None:
    """Python reasons further, so its grade is never harder; both call the same puzzles easy."""
    questions: list[dict[str, Any]] = [
        {"ask": "puzzle", "question": {"board": board, "open": board == "5x5"}, "seed": seed, "level": level}
        for board in ("5x5", "6x6")
        for seed in range(4)
        for level in ("easy", "medium", "hard")
    ]
    hits = 0
    for request, answer in zip(questions, page(questions), strict=True):
        graph, closed = cavalcade.move_graph(request["question"]["board"]), not request["question"]["open"]
        clues = clues_of(cavalcade.board(request["question"]["board"]), answer["question"])
        hits += answer["grade"] == request["level"]
        assert (answer["grade"] == "easy") == (len(next_numbers(graph, clues, closed=closed)) == graph.size)
        assert GRADES.index(grade(graph, clues, closed=closed)) <= GRADES.index(answer["grade"])
    assert hits >= len(questions) - 2


def test_steps_of_cells_agree_with_python(page: Asker) -> None:
    """Numbers taken from a tour admit a tour; the same numbers shifted by one get the verdict of Python."""
    questions: list[dict[str, Any]] = []
    for spec, is_open, seed in (("6x6", False, 1), ("5x6", True, 2), ("5x5", True, 3), ("2x4x4", False, 4)):
        tour = cavalcade.tour(spec, open=is_open, seed=seed).tour  # type: ignore[union-attr]
        for shift in (0, 1):
            steps = [f"{step + shift}={tour.names[step - 1]}" for step in range(2, len(tour) - 1, 4)]
            question = {"board": spec, "open": is_open, "start": tour.names[0], "at": steps}
            questions.append({"ask": "tour", "question": question})
    statuses = [answer["status"] for answer in page(questions)]
    assert statuses == [python(request)["status"] for request in questions]
    assert statuses[::2] == ["found"] * 4
    (board,) = page([{**questions[0], "ask": "board"}])
    assert board["statement"] == python({**questions[0], "ask": "board"})["statement"]


def test_walks_of_links_are_read_back(page: Asker) -> None:
    rng = np.random.default_rng(2)
    requests: list[dict[str, Any]] = []
    questions = []
    for spec, piece in product(("8x8", "6x6-a1,c3", "hex:4", "3x4x5", "cube:3"), ("knight", "1,2+1,3")):
        board, graph = cavalcade.board(spec), cavalcade.move_graph(spec, piece)
        for _ in range(8):
            walk = [int(rng.integers(board.size))]
            while len(walk) < 30 and (unvisited := {*graph.neighbours(walk[-1]).tolist()} - {*walk}):
                walk.append(int(rng.choice(sorted(unvisited))))
            whole = cavalcade.tour(spec, piece=piece, seed=int(rng.integers(99)))
            for cells in (walk, whole.tour.cells.tolist()) if whole.status == "found" else (walk,):
                edges = graph.edges().ravel().tolist()
                requests.append({"ask": "code", "names": board.names, "edges": edges, "walk": cells})
                questions.append(cavalcade.Question.of(spec, piece=piece))
    for request, question, answer in zip(requests, questions, page(requests), strict=True):
        assert answer["walk"] == request["walk"]
        words = urlencode({"ask": statement(question), "tour": answer["text"]})
        same, tour = link.read(f"https://example.org/play/#{words}")
        assert same == question
        assert tour is not None
        assert tour.cells.tolist() == request["walk"]
        if same.board.spec == "8x8" and same.piece.spec == "knight":
            assert len(answer["text"]) <= 37


def test_a_link_is_drawn(cli: Callable[..., Ran], tmp_path: Path) -> None:
    address = "http://127.0.0.1:8123/#ask=closed+tour+of+3x3-b2"
    (tour,) = cavalcade.list_tours("3x3-b2")
    signs = [SIGNS[i] for i in range(64)]
    graph = cavalcade.move_graph("3x3-b2")
    moves = [sorted(graph.neighbours(a).tolist()).index(b) for a, b in pairwise(tour.cells.tolist())]
    values = [sum(move << k for k, move in enumerate(moves[i : i + 6])) for i in (0, 6)]
    text = f"{tour.names[0]}.{signs[values[0]]}{signs[values[1]]}.1"
    for suffix, shown in ((f"&tour={text}", tour), ("", tour.board)):
        picture = tmp_path / "link.svg"
        assert cli("draw", address + suffix, "-o", picture).code == 0
        assert picture.read_text("utf-8") == formats.write(shown, "svg")
    for wrong in ("#ask=any+tour", "#ask=closed+tour+of+8x8&tour=a1.~", "#ask=closed+tour+of+8x8&walk=z9."):
        one_error(cli("draw", wrong, "-o", tmp_path / "no.svg"))


def test_warnsdorffs_walks_equal_those_of_python(page: Asker) -> None:
    specs = ("8x8", "5x5", "7x9-c3", "3x4x5", "6x6")
    questions = [
        {"ask": "warnsdorff", "ties": ties, "question": {"board": spec, "start": start}}
        for spec, ties, start in product(specs, ("first", "last"), ("", "a1"))
        if spec != "3x4x5" or not start
    ]
    for request, answer in zip(questions, page(questions), strict=True):
        same = python(request)
        assert [answer[key] for key in ("cells", "closed", "status")] == [
            same[key] for key in ("cells", "closed", "status")
        ]


def test_warnsdorffs_choices_are_the_fewest(page: Asker) -> None:
    """The page also explains the walks that Python makes, for the other studios."""
    board, graph = cavalcade.board("8x8"), cavalcade.move_graph("8x8")
    cells = python({"ask": "warnsdorff", "question": {"board": "8x8", "start": "a1"}})["cells"]
    assert cells == cavalcade.warnsdorff("8x8", "a1").tour.cells.tolist()  # type: ignore[union-attr]
    edges = graph.edges().ravel().tolist()
    choices: Any
    (choices,) = page([{"ask": "choices", "names": board.names, "edges": edges, "walk": cells}])
    for k, choice in enumerate(choices):
        free = set(range(64)) - set(cells[: k + 1])
        neighbours = free & set(graph.neighbours(cells[k]).tolist())
        degrees = {v: len(free & set(graph.neighbours(v).tolist())) for v in neighbours}
        assert dict(choice["options"]) == degrees
        if degrees:
            assert degrees[cells[k + 1]] == min(degrees.values())
            assert board.names[cells[k + 1]] in choice["text"]
    assert choices[-1]["text"] == f"Step 64, {board.names[cells[-1]]}. Every cell is visited."


def test_unsupported_questions_name_the_command(page: Asker) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        (
            {"ask": "count", "question": {"board": "9x9-a1", "piece": "1,4"}},
            "cavalcade count 9x9-a1 --piece giraffe",
        ),
        ({"ask": "board", "question": {"board": "torus:50x50"}}, "cavalcade tour torus:50x50"),
        ({"ask": "board", "question": {"board": "1000x1000"}}, "cavalcade tour 1000x1000"),
        ({"ask": "puzzle", "fewest": True, "question": {"board": "6x6"}}, "cavalcade puzzle 6x6 --fewest"),
        ({"ask": "board", "question": {"board": "9y9"}}, "'9y9' is not a board"),
        ({"ask": "board", "question": {"board": "8x8", "piece": "horse"}}, "'horse' is not a piece"),
        ({"ask": "board", "question": {"statement": "any tour"}}, "'any tour' is not a statement"),
    ]
    for answer, (_, words) in zip(page(request for request, _ in cases), cases, strict=True):
        assert answer["type"] == "error"
        assert words in answer["message"]
