"""The studio's server: its answers, its refusals, and the end of its processes."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import numpy as np
import pytest
import uvicorn

import cavalcade
from cavalcade.boards.families import FAMILIES
from cavalcade.cli import main
from cavalcade.explaining.sentences import sentences
from cavalcade.formats import parse
from cavalcade.studio import connections
from cavalcade.studio.answering import ASKS, answered
from cavalcade.studio.server import application
from cavalcade.studio.state_files import keep_port, last_port
from cavalcade.studio.workers import LIMITS, Workers
from cavalcade.theorems.literature import known_counts
from running import PATIENCE, Studio, alive, running, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

STATIC = Path(cavalcade.__file__).parent / "studio" / "static"
LONG = {"ask": "count", "question": {"board": "torus:5x5"}, "seconds": 600}  # takes about 15 s


@pytest.fixture(scope="module")
def studio() -> Iterator[Studio]:
    with running() as studio:
        yield studio


def worker_answer(ask: str, board: str = "8x8", **words: Any) -> dict[str, Any]:
    """Return the answer of a worker, without a server."""
    question = {"board": board, **words.pop("question", {})}
    answer: dict[str, Any] = json.loads(
        answered(json.dumps({"ask": ask, "question": question, **words}).encode(), lambda _: None)
    )
    return answer


def board_of_statement(text: str) -> dict[str, Any]:
    """Return the board that belongs to a statement."""
    words = {"ask": "board", "question": {"statement": text}}
    answer: dict[str, Any] = json.loads(answered(json.dumps(words).encode(), lambda _: None))
    return answer


def array(data: dict[str, str]) -> list[int]:
    """Decode an array of an answer."""
    ((kind, text),) = data.items()
    answer: list[int] = np.frombuffer(base64.b64decode(text), dtype=kind).tolist()
    return answer


# ---- answers


def test_a_tour_comes_from_a_worker(studio: Studio) -> None:
    answer = studio.ask("tour", question={"board": "6x6-a1,b1", "open": True, "start": "c1"})
    board = cavalcade.board("6x6-a1,b1")
    names = [cavalcade.board("6x6").names[place] for place in array(answer["cells"])]
    assert answer["status"] == "found"
    assert names[0] == "c1"
    assert cavalcade.check(names, board, open=True)


def test_a_proof_includes_its_highlights() -> None:
    boards = (("4x4", False), ("3x6", False), ("5x5", False), ("3x5", True), ("6x6-a1,c1", False))
    for board, is_open in boards:
        words = {"open": is_open}
        answer = worker_answer("prove", board, question=words)
        verdict = cavalcade.prove(board, open=is_open)
        assert isinstance(verdict, cavalcade.Impossible)
        assert verdict.certificate is not None
        assert [sentence["text"] for sentence in answer["story"]] == sentences(verdict.certificate)
        assert any(sentence.get("named") or sentence.get("moves") for sentence in answer["story"])
        saved = worker_answer("file", board, question=words, thing="certificate", format="json",
                     certificate=answer["certificate"])  # fmt: skip
        assert base64.b64decode(saved["data"]).decode() == answer["certificate"]


def test_counts_and_their_progress() -> None:
    news: list[bytes] = []
    question = {"ask": "count", "question": {"board": "6x6"}}
    answer = json.loads(answered(json.dumps(question).encode(), news.append))
    assert answer["count"] == "9862"
    assert 0 < json.loads(news[-1])["done"] <= 1


def test_known_counts_are_answered_and_large_counts_are_refused() -> None:
    table = (Path(__file__).parent.parent / "docs" / "counts.md").read_text()
    for question, (number, source) in known_counts().items():
        answer = worker_answer("count", "", question={"statement": question})
        assert (answer["count"], "seconds" in answer) == (str(number), False)
        assert f"{number:,}" in table
        assert source in answer["message"]
    refused = worker_answer("count", "9x10")
    assert re.fullmatch(
        r"this count needs about [\d.]+ [MG]B and [\d,]+ s, a question here may use 3.2 GB and 60 s; "
        "in a shell: cavalcade count 9x10",
        refused["message"],
    )


@pytest.mark.parametrize("kind", FAMILIES)
def test_a_board_is_described_with_its_moves(kind: str) -> None:
    board = cavalcade.board("2x4x4" if kind == "box" else f"{kind}:{FAMILIES[kind].example}")
    board = board.without([board.names[1]])
    answer = worker_answer("board", board.spec)
    names = answer["names"]
    edges = np.array(array(answer["edges"])).reshape(-1, 2).tolist()
    graph = cavalcade.move_graph(board)
    theirs = {frozenset(board.names[v] for v in edge) for edge in graph.edges().tolist()}
    assert {frozenset(names[v] for v in edge) for edge in edges} == theirs
    assert [names[place] for place in array(answer["holes"])] == [board.whole.names[1]]
    assert len(array(answer["x"])) == len(names) == board.whole.size
    if answer["space"] is not None:
        assert len(array(answer["space"]["corners"])) == 12 * len(names)


def test_beyond_the_edge_of_a_torus_is_the_other_side() -> None:
    answer = worker_answer("board", "torus:5x7")
    beyond = {(answer["names"][place], dx, dy): name for place, dx, dy, name in answer["beyond"]}
    assert beyond["a1", -20.0, 0.0] == "g1"
    assert beyond["a1", 0.0, 20.0] == "a5"
    assert len(beyond) == 2 * (5 + 7)
    assert worker_answer("board", "mobius:3x6")["beyond"][0][3] in {"a1", "a3", "f1", "f3"}
    for a, b, *_ in answer["over"]:
        assert a < b


def test_a_cell_is_removed_and_restored() -> None:
    once = worker_answer("board", "8x8", toggle=[0, 63])["question"]["board"]
    assert once == "8x8-a8,h1"
    assert worker_answer("board", once, toggle=[0])["question"]["board"] == "8x8-h1"
    assert worker_answer("mask", text="...\n.#.\n")["board"] == "2x3-b1"


def test_words_that_do_not_fit_the_board_are_dropped() -> None:
    words = {"start": "h8", "with": ["a1-b3", "h8-g6"], "avoid": ["a1-a2"], "symmetry": "half turn"}
    answer = worker_answer("board", "6x6", question={**words, "open": True})
    assert answer["question"] == {
        "board": "6x6", "piece": "knight", "open": True, "start": "", "end": "", "with": ["a1-b3"],
        "avoid": [], "at": [], "through": [], "symmetry": "half turn", "moves": "", "coils": 0,
        "avoid_cells": [],
    }  # fmt: skip
    assert len(answer["dropped"]) == 3


@pytest.mark.parametrize(
    "text",
    [
        "closed tour of 8x8",
        "open tour of 6x6-a1 by the camel from b1 to d1, with c3-d6, without b3-c6",
        "closed tour of 6x6 by the piece 1,2+2,3, symmetric under the half turn",
        "open tour of 5x5 from a1 to e5, c2 at step 2, d4 at step 9",
    ],
)
def test_a_link_is_a_statement(text: str) -> None:
    """A statement yields a question, and the question yields the statement."""
    first = board_of_statement(text)
    assert first["dropped"] == []
    assert first["statement"] == text
    back = worker_answer("board", question=first["question"])
    assert back["statement"] == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("closed tour of board.txt", "not a board"),
        ("closed tour of 6x6, with at most 20 turns", "at most 20 turns"),
        ("closed tour of 2000x2000", "too many for the page"),
        ("closed tour of graph:0f343b0931126a20f133d67c2b018a3b", "graph"),
        ("any tour of 8x8", "not a statement"),
    ],
)
def test_a_statement_that_the_page_cannot_show_is_refused(text: str, message: str) -> None:
    answer = board_of_statement(text)
    assert answer["type"] == "error"
    assert message in answer["message"]


def test_repeated_work_ends_with_the_studio(tmp_path: Path) -> None:
    """A notebook cell that runs again leaves no interval of its first run behind."""
    uses = {path.name for path in STATIC.glob("*.js") if "setInterval" in path.read_text(encoding="utf-8")}
    assert uses == {"dom.js"}
    if shutil.which("node") is None:
        pytest.skip("Node is not installed, so that the studio's modules do not run")
    modules = shutil.copytree(STATIC, tmp_path / "static")
    modules.joinpath("package.json").write_text('{"type": "module"}')
    script = """
        const gone = new AbortController();
        globalThis.document = {};
        globalThis.window = globalThis;
        globalThis.location = { hash: "" };
        globalThis.matchMedia = () => ({ matches: false });
        const { home } = await import(process.argv[1] + "/home.js");
        home.gone = gone.signal;
        const { every } = await import(process.argv[1] + "/dom.js");
        let times = 0;
        every(5, () => { times++; if (times === 3) gone.abort(); });
        process.on("exit", () => console.log(times));
    """
    command = ["node", "--input-type=module", "--eval", script, str(modules)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stdout == "3\n", "Node ends when nothing is repeated any more"


def test_moves_fold_on_the_faces_of_a_box() -> None:
    space = worker_answer("board", "cube:3")["space"]
    corners, folds = (array(space[key]) for key in ("corners", "folds"))
    faces = np.reshape(folds, (-1, 3))
    edge = max(corners)
    assert len(faces) == cavalcade.move_graph("cube:3").edge_count
    assert np.abs(faces).max(axis=1) == pytest.approx(edge)


def test_a_walk_can_be_finished_or_not() -> None:
    board = cavalcade.board("5x5")
    walk = [board.cell(name) for name in ("a1", "b3", "a5", "c4")]
    answer = worker_answer("finish", "5x5", question={"open": True}, walk=walk)
    assert array(answer["cells"])[:4] == walk
    assert cavalcade.check(array(answer["cells"]), "5x5", open=True)
    dead = [board.cell(name) for name in ("a2", "b4")]  # a2 has the other colour than the corners
    answer = worker_answer("finish", "5x5", question={"open": True}, walk=dead)
    assert (answer["status"], answer["message"][:3]) == ("impossible", "No:")
    closed = worker_answer("finish", "6x6", walk=[0, 8, 12])
    assert array(closed["cells"])[:3] == [0, 8, 12]
    start = {"start": cavalcade.board("6x6").name(0)}
    right = worker_answer("check", "6x6", question=start, walk=array(closed["cells"]))
    assert (right["status"], right["said"]) == ("right", [["check.closed", {"board": "6x6"}]])
    assert worker_answer("check", "6x6", walk=[0, 8, 12])["status"] == "wrong"


def walks_on(board: str, walk: list[str]) -> int:
    """Count the open tours that begin with a walk, by trying every move."""
    cells = cavalcade.board(board)
    neighbours = {
        name: [
            cells.name(neighbour) for neighbour in cavalcade.move_graph(board).neighbours(cells.cell(name))
        ]
        for name in cells.names
    }

    def count_onward(cell: str, seen: frozenset[str]) -> int:
        if len(seen) == len(neighbours):
            return 1
        return sum(
            count_onward(neighbour, seen | {neighbour})
            for neighbour in neighbours[cell]
            if neighbour not in seen
        )

    return count_onward(walk[-1], frozenset(walk))


@pytest.mark.parametrize(
    ("walk", "lost"),
    [
        (["a2"], 1),
        (["a1", "b3", "c5", "a4", "c3"], 5),
        (["a1", "b3", "a5", "c4", "e3", "d1", "c3", "b1", "a3"], 0),
    ],
)
def test_the_step_that_was_the_mistake(walk: list[str], lost: int) -> None:
    """Open tours exist before this step and none after it; the proof names unvisited cells only."""
    continuations = [walks_on("5x5", walk[:k]) for k in range(1, len(walk) + 1)]
    first = continuations.index(0) + 1
    assert lost in {0, first}
    board = cavalcade.board("5x5")
    answer = worker_answer("finish", "5x5", question={"open": True}, walk=[board.cell(name) for name in walk])
    assert (answer["status"], answer["lost"]) == ("impossible", first)
    if first > 1:
        assert (
            f"Step {first}, {walk[first - 1]}, was the mistake: before it {continuations[first - 2]} way"
            in answer["message"]
        )
        onward = cavalcade.move_graph("5x5").neighbours(board.cell(walk[first - 2])).tolist()
        saving = [
            cell
            for cell in sorted(onward)
            if board.name(cell) not in walk[:first]
            and walks_on("5x5", [*walk[: first - 1], board.name(cell)])
        ]
        assert array(answer["saving"]) == saving
        assert (" instead, a tour is possible." in answer["message"]) == bool(saving)
    assert array(answer["walk"]) == [board.cell(name) for name in walk[:first]]
    steps = [sentence for sentence in answer["story"] if sentence.get("named") or sentence.get("counted")]
    assert steps
    visited = {board.cell(name) for name in walk[: first - 1]}
    for sentence in steps:
        assert visited.isdisjoint(
            [*sentence.get("named", []), *sentence.get("counted", []), *sentence.get("beside", [])]
        )


def test_the_missing_tour_of_a_board_comes_first() -> None:
    answer = worker_answer("finish", "5x5", walk=[0, 7])
    assert answer["message"].startswith(
        "No: 5x5 has no closed tour, wherever you begin. By Schwenk's theorem"
    )
    assert (answer["walk"], answer["story"][0]["rule"]) == ([], "colours")


def test_pictures_show_what_sentences_say() -> None:
    """Pictures mark each part that a sentence counts, and draw each move that it rules out."""
    parts = ruled = 0
    for board in ("3x6", "3x8", "4x5", "4x7", "4x10", "3x4", "6x6-a1,c1"):
        story = worker_answer("prove", board)["story"]
        for previous, sentence in pairwise([{"out": []}, *story]):
            if number := re.search(r"falls into (\d+) parts", sentence["text"]):
                count = len(sentence["beside"]) + len(sentence["parts"]) + bool(sentence["rest"])
                assert count == int(number[1])
                parts += 1
            if "rules out" in sentence["text"]:
                assert len(sentence["out"]) > len(previous["out"])
                ruled += 1
    assert parts > 2
    assert ruled


def test_a_puzzle_has_one_solution() -> None:
    answer = worker_answer("puzzle", "5x6", seed=3)
    board, question = cavalcade.board("5x6"), answer["question"]
    steps = [text.split("=") for text in (f"1={question['start']}", *question["at"])]
    puzzle = cavalcade.Puzzle(board, tuple((int(step), board.cell(name)) for step, name in steps))
    (solution,) = cavalcade.solve(puzzle).tours
    assert solution.cells.tolist() == array(answer["solution"])


def test_a_puzzle_of_an_odd_board_starts_where_an_open_tour_starts() -> None:
    """On 5x5 no open tour starts on a square of the smaller colour."""
    asked = (worker_answer("puzzle", "5x5", question={"open": True}, seed=seed) for seed in range(8))
    starts = {answer["question"]["start"] for answer in asked}
    assert len(starts) > 2
    assert all((ord(start[0]) + int(start[1])) % 2 == 0 for start in starts)


def test_a_puzzle_of_a_kind_has_its_level() -> None:
    clues = []
    for words in ({"level": "easy"}, {"fewest": True}):
        answer = worker_answer("puzzle", "5x5", kind="zip", seed=2, **words)
        numbers, walls = len(answer["question"]["through"]) + 2, len(answer["question"]["avoid"])
        assert f"{numbers} numbers and {walls} walls are given" in answer["message"]
        assert answer["grade"] == words.get("level", "hard")
        clues.append(numbers + walls)
    assert clues[0] > clues[1]


def test_everything_can_be_saved_in_each_format() -> None:
    cells = array(worker_answer("tour", "6x6")["cells"])
    formats = worker_answer("start")["formats"]
    assert {"svg", "csv", "json", "text"} <= set(formats["tour"])
    for name in formats["tour"]:
        answer = worker_answer("file", "6x6", thing="tour", format=name, walk=cells, closed=True)
        data = base64.b64decode(answer["data"])
        if name in {"csv", "json", "text", "tour"}:
            assert parse(data.decode(), board="6x6").cells.tolist() == cells
        assert data
    assert worker_answer("file", "6x6", thing="tour", format="npy", walk=cells)["type"] == "error"
    assert (
        "not a tour" in worker_answer("file", "6x6", thing="tour", format="svg", walk=[*range(36)])["message"]
    )


def test_shell_and_python_lines_give_the_same_answer(capsys: pytest.CaptureFixture[str]) -> None:
    words = {"open": True, "start": "a1", "with": ["b3-c5"], "avoid": ["c1-d3"], "piece": "1,2+1,1"}
    lines = worker_answer("board", "5x5-e5", question=words)["lines"]
    answer = worker_answer("tour", "5x5-e5", question=words)
    assert main([*shlex.split(lines["tour"]["shell"])[1:], "--json"]) == 0
    names = json.loads(capsys.readouterr().out)["cells"]
    assert [cavalcade.board("5x5").cell(name) for name in names] == array(answer["cells"])
    verdict = eval(lines["tour"]["python"], {"cavalcade": cavalcade})  # noqa: S307 - our own words
    assert verdict.tour.names == names
    few = worker_answer("board", "5x6", question={"symmetry": "half turn"})["lines"]["count"]
    assert main(shlex.split(few["shell"])[1:]) == 0
    assert eval(few["python"], {"cavalcade": cavalcade}).count == int(capsys.readouterr().out.split()[0])  # noqa: S307


@pytest.mark.parametrize("words", [{"moves": "clockwise"}, {"moves": "counterclockwise", "coils": 5}])
def test_moves_round_the_centre(words: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    board = worker_answer("board", "6x6", question=words)
    assert (board["dropped"], {key: board["question"][key] for key in words}) == ([], words)
    assert worker_answer("board", question={"statement": board["statement"]})["question"] == board["question"]
    cells = array(worker_answer("tour", "6x6", question=words)["cells"])
    verdict = eval(board["lines"]["tour"]["python"], {"cavalcade": cavalcade})  # noqa: S307 - our own words
    assert verdict.tour.cells.tolist() == cells
    assert main(shlex.split(board["lines"]["count"]["shell"])[1:]) == 0
    capsys.readouterr()
    assert worker_answer("board", "6x6", question=words | {"moves": ""})["question"]["coils"] == 0, (
        "coils need moves"
    )
    assert worker_answer("board", "torus:5x6", question=words)["question"]["moves"] == "", (
        "a torus has no centre"
    )


# ---- refusals


def bad_requests(studio: Studio) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield more than a hundred malformed or hostile requests."""
    good = {"ask": "tour", "question": {"board": "5x6"}}
    for name, value in {"Host": "evil.example", "Origin": "http://evil.example"}.items():
        yield "POST", "/ask", {"json": good, "headers": {name: value}}
        yield "GET", "/", {"headers": {name: value}}
    yield "POST", "/ask", {"json": good, "headers": {"X-Cavalcade-Token": "x"}}
    yield "POST", "/ask", {"json": good, "headers": {"Origin": studio.address.replace("http:", "https:")}}
    yield "POST", "/ask", {"content": json.dumps(good), "headers": {"Content-Type": "text/plain"}}
    for path in ("/static/../server.py", "/static/%2e%2e/server.py", "/static//etc/passwd", "/etc/passwd",
                 "/static/types.js.map", "/ask", "/docs", "/static/", "/static/..%2fserver.py"):  # fmt: skip
        yield "GET", path, {}
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        yield method, "/ask", {}
        yield method, "/", {}
    yield "POST", f"/ask?token={studio.token}", {"json": good, "headers": {"X-Cavalcade-Token": ""}}
    for body in (b"", b"{", b"null", b"[]", b"1", b'"x"', b"\xff\xfe", b"[" * 100_000, b"{}", b'{"ask": 1}',
                 b'{"ask": {}}', b'{"ask": []}', b'{"ask": null}', b'{"ask": "__proto__"}',
                 b'{"ask": "tour", "seconds": 1e999}', b'{"ask": "tour", "seconds": NaN}'):  # fmt: skip
        yield "POST", "/ask", {"content": body, "headers": {"Content-Type": "application/json"}}
    odd: list[Any] = [
        *(
            None,
            5,
            [],
            {},
            True,
            "x" * 300_000,
            "../../etc/passwd",
            "/etc/passwd",
            "./a.txt",
            "a.hcp",
            "\x00",
        ),
        *("99999999x99999999", "hex:999999", "torus:2000x2000", "cube:400000", "8x8-zz", "0x5", "hex:0"),
        *("1x" * 40 + "1", "box:8x8", "8x8-" + ",".join(["a1"] * 20_000) + ","),
    ]
    for value in odd:
        yield "POST", "/ask", {"json": {"ask": "board", "question": {"board": value}}}
    wrong: list[Any] = [7, {"x": 1}, "../x", ["../x"], [[1]]]
    for key in ("piece", "open", "start", "end", "with", "avoid", "symmetry", "file"):
        for value in wrong:
            yield "POST", "/ask", {"json": {"ask": "tour", "question": {"board": "5x6", key: value}}}
    limits: list[dict[str, Any]] = [
        {"seconds": -1}, {"seconds": "1"}, {"seed": -1}, {"seed": 1.5}, {"seconds": 10**9}
    ]  # fmt: skip
    for words in limits:
        yield "POST", "/ask", {"json": {**good, **words}}
    for walk in ([-1], [30], [0, 0], ["a1"], "a1", [10**30], [True], None, [[0]], [0, 1]):
        for ask in ("finish", "file"):
            words = {"ask": ask, "question": good["question"], "walk": walk, "thing": "tour", "format": "csv"}
            yield "POST", "/ask", {"json": words}
    proof = {"thing": "certificate", "format": "json"}
    for file in (
        {"thing": "tour", "format": "../x"},
        {"thing": "os", "format": "csv"},
        {"thing": "certificate"},
        {**proof, "certificate": "{}"},
        {**proof, "certificate": '{"certificate": 1, "board": "/etc"}'},
        {"thing": "board", "format": "npy"},
    ):
        yield "POST", "/ask", {"json": {"ask": "file", "question": good["question"], **file}}
    yield "POST", "/ask", {"json": {"ask": "mask", "text": "#" * 100}}
    yield "POST", "/ask", {"json": {"ask": "warnsdorff", "question": good["question"], "ties": "/"}}
    yield "POST", "/ask", {"json": {"ask": "puzzle", "question": {"board": "4x4"}, "fewest": "yes"}}


def test_a_hundred_bad_requests(studio: Studio) -> None:
    requests = [*bad_requests(studio)]
    assert len(requests) > 100
    for method, path, words in requests:
        response = studio.client.request(method, path, **words)
        lines = response.text.splitlines() or [""]
        refused = 400 <= response.status_code < 500
        if not refused:
            last = json.loads(lines[-1])
            assert last["type"] == "error", (method, path, words)
            assert "internal error" not in last["message"], (method, path, words)
            assert len(last["message"]) < 400
        assert "Traceback" not in response.text
        policy = response.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert not re.search(r"unsafe|\*|data:|http", policy)  # inline parts have digests
    assert studio.ask("tour", question={"board": "5x6"})["status"] == "found"
    assert len(studio.workers()) <= 3


def test_a_question_that_is_too_long_is_not_read(studio: Studio) -> None:
    headers = {"Content-Type": "application/json"}
    assert studio.client.post("/ask", content=b" " * 17_000_000, headers=headers).status_code == 413


def test_a_stranger_sees_the_page_and_gets_no_answer(studio: Studio) -> None:
    """The page is that of the package, without a secret; every answer needs the token in a header."""
    with httpx.Client(base_url=studio.address) as stranger:
        for address in ("/", f"/?token={studio.token}", "/static/main.js"):
            page = stranger.get(address)
            assert page.status_code == 200
            assert "set-cookie" not in page.headers
            assert studio.token not in page.text
        for headers in (
            {},
            {"X-Cavalcade-Token": ""},
            {"X-Cavalcade-Token": studio.token[:-1]},
            {"X-Cavalcade-Token": studio.token + "é"},
            {"Cookie": f"token={studio.token}; cavalcade-token={studio.token}"},
            {"Authorization": f"Bearer {studio.token}"},
        ):
            encoded = {name.encode(): value.encode() for name, value in headers.items()}
            for path in ("/ask", f"/ask?token={studio.token}"):
                assert stranger.post(path, json=LONG, headers=encoded).status_code == 403


def test_answers_need_token_and_origin(studio: Studio) -> None:
    """A page of another origin, such as one of another local port, gets no answer even with the token."""
    routes: list[Any] = application("t", 1, Workers()).routes
    writable = [route.path for route in routes if not set(getattr(route, "methods", ())) <= {"GET", "HEAD"}]
    assert writable == ["/ask"]
    good = {"ask": "tour", "question": {"board": "5x6"}}
    port = int(studio.address.rstrip("/").rpartition(":")[2])
    foreign_origins = [
        "null",
        "http://evil.example",
        f"http://127.0.0.1:{port + 1}",
        f"https://127.0.0.1:{port}",
    ]
    for origin in foreign_origins:
        response = studio.client.post("/ask", json=good, headers={"Origin": origin})
        assert (response.status_code, response.text) == (403, "The request comes from another page.")
    own = {"Origin": studio.address.rstrip("/")}
    assert studio.client.post("/ask", json=good, headers=own).status_code == 200
    with httpx.Client(base_url=studio.address) as stranger:
        assert stranger.post("/ask", json=good, headers=own).status_code == 403
    preflight = {
        "Origin": "http://evil.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "x-cavalcade-token",
    }
    response = studio.client.options("/ask", headers=preflight)
    assert response.status_code in {403, 405}
    assert not [name for name in response.headers if name.startswith("access-control")]


STRANGER = """
import encodings.idna, os, sys, urllib.error, urllib.request

os.setgid(65534)
os.setuid(65534)
token, address, state, *processes = sys.argv[1:]
places = [f"/proc/{pid}/{name}" for pid in processes for name in ("cmdline", "environ", "maps")]
places += [os.path.join(root, name) for root, _, names in os.walk(state) for name in names]
read = 0
for place in places:
    try:
        with open(place, "rb") as file:
            assert token.encode() not in file.read(), place
            read += 1
    except PermissionError:
        pass
assert read, "the command lines are public"
body, words = b'{"ask": "start"}', {"Content-Type": "application/json"}
try:
    print(urllib.request.urlopen(urllib.request.Request(address + "ask", body, words)).read())
except urllib.error.HTTPError as error:
    print(error.code)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_gets_nothing() -> None:
    """Another user of the machine finds the token neither in a file nor in a process, and gets no answer."""
    with tempfile.TemporaryDirectory() as state, running(state) as studio:
        Path(state).chmod(0o777)  # as if the user had opened it to everybody
        processes = [str(pid) for pid in (studio.process.pid, *studio.workers())]
        # The program needs the token to look for it; only its own command line has it.
        command = [sys.executable, "-c", STRANGER, studio.token, studio.address, state, *processes]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("403\n", "")


def test_half_open_connections_do_not_lock_the_owner_out() -> None:
    """A server with 256 descriptors answers beside 300 connections that send no request or stay open."""
    heads = (
        b"",
        b"GET / HTTP/1.1\r\n",
        b"POST /ask HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
    )
    refused = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"  # its connection stays open for another request
    with (
        running(descriptors=256) as studio,
        ExitStack() as opened,
        studio.client.stream("POST", "/ask", json=LONG) as answer,
    ):
        lines = answer.iter_lines()
        next(lines)
        port = int(studio.address.rstrip("/").rpartition(":")[2])
        for i in range(300):
            stranger = opened.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
            stranger.sendall(heads[i % len(heads)] if i < 200 else refused)
            if i >= 200:
                assert stranger.recv(1)
        with httpx.Client(base_url=studio.address, headers=studio.headers, timeout=PATIENCE) as owner:
            asked = {"ask": "board", "question": {"board": "5x6"}}
            assert '"answer"' in owner.post("/ask", json=asked).text
        assert len([*Path(f"/proc/{studio.process.pid}/fd").iterdir()]) < 150
        assert json.loads(next(lines))["type"] in {"alive", "progress"}, "a running question keeps its place"


def test_the_head_of_a_request_has_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LIMITS", LIMITS._replace(head=0.3))

    async def seconds_until_closed(parts: list[bytes]) -> float:
        """Send parts of a request, one each 0.1 s; return the seconds until the server closes."""
        listener = socket.create_server(("127.0.0.1", 0))
        config = uvicorn.Config(
            application("t", 1, Workers()), http=connections.Connection, lifespan="off", log_config=None
        )
        config.load()
        server = uvicorn.Server(config)
        server.lifespan = config.lifespan_class(config)
        await server.startup(sockets=[listener])
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        closing = asyncio.create_task(reader.read())
        began = time.monotonic()
        for part in parts:
            if not closing.done():
                writer.write(part)
                await asyncio.sleep(0.1)
        with suppress(ConnectionError):
            await asyncio.wait_for(closing, PATIENCE)
        seconds = time.monotonic() - began
        writer.close()
        await server.shutdown(sockets=[listener])
        return seconds

    slow = [b"GET / HTTP/1.1\r\n", *[b"a: b\r\n"] * 200]
    answered = [b"GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", *slow]
    for parts in ([], slow[:1], slow, answered):
        assert asyncio.run(seconds_until_closed(parts)) < PATIENCE / 2


def test_a_fifth_tab_works(studio: Studio) -> None:
    """Describing a board does not wait for the questions that run."""
    with ExitStack() as opened:
        news = []
        for _ in range(LIMITS.questions):
            client = opened.enter_context(httpx.Client(base_url=studio.address, headers=studio.headers))
            stream = opened.enter_context(client.stream("POST", "/ask", json=LONG, timeout=60))
            news.append(stream.iter_lines())
            next(news[-1])
        assert "stop one" in studio.ask("tour", question={"board": "5x6"})["message"]
        assert studio.ask("start")["type"] == "answer"
        assert studio.ask("board", question={"board": "5x6"})["size"] == 30


def test_the_page_fetches_nothing_from_outside() -> None:
    for path in STATIC.iterdir():
        text = path.read_text(encoding="utf-8").replace('xmlns="http://www.w3.org/2000/svg"', "")
        if path.stem == "uqr":  # a vendored library, whose comment names its source
            text = text.partition("*/")[2]
        assert "http:" not in text.replace("https:", "http:"), path
        assert "<script>" not in text
        assert "style=" not in text
        assert len(text.splitlines()) <= 500 or path.stem == "uqr", path
    assert sum(path.stat().st_size for path in STATIC.iterdir() if path.stem != "uqr") < 335_000


# ---- processes


def test_stop_ends_the_process(studio: Studio) -> None:
    with studio.client.stream("POST", "/ask", json=LONG) as answer:
        lines = answer.iter_lines()
        news = [next(lines) for _ in range(8)]
        assert all(json.loads(line)["type"] in {"alive", "progress"} for line in news)
        busy = studio.workers()
    wait_for(lambda: not set(busy) <= set(studio.workers()))
    assert studio.ask("count", question={"board": "5x6"})["count"] == "8"


def test_the_number_of_questions_is_limited(studio: Studio) -> None:
    clients = [httpx.Client(base_url=studio.address, headers=studio.headers) for _ in range(LIMITS.questions)]
    streams = [client.stream("POST", "/ask", json=LONG, timeout=60) for client in clients]
    news = [stream.__enter__().iter_lines() for stream in streams]
    for lines in news:
        next(lines)
    assert "stop one" in studio.ask("tour", question={"board": "5x6"})["message"]
    for stream, client in zip(streams, clients, strict=True):
        stream.__exit__(None, None, None)
        client.close()
    wait_for(lambda: studio.ask("tour", question={"board": "5x6"}).get("status") == "found")
    wait_for(lambda: len(studio.workers()) <= 3)


def test_time_and_memory_of_a_question_are_limited() -> None:
    async def ask_two() -> tuple[list[int], Any]:
        workers = Workers()
        pids: list[int] = []
        with pytest.raises(TimeoutError):  # noqa: PT012 - an iterator that raises
            async for _ in workers.ask(json.dumps(LONG).encode(), 0.5):
                pids = [worker.pid for worker in workers.alive]
        wide = {"ask": "count", "question": {"board": "12x12"}, "seconds": 600}
        answers = [line async for line in workers.ask(json.dumps(wide).encode(), 60.0) if line]
        pids += [worker.pid for worker in workers.alive]
        await workers.close()
        return pids, json.loads(answers[-1])

    pids, answer = asyncio.run(ask_two())
    assert answer["type"] == "error"
    assert "memory" in answer["message"] or "wide" in answer["message"]
    assert pids
    assert not any(alive(pid) for pid in pids)


def test_the_memory_of_a_worker_is_limited(studio: Studio) -> None:
    assert studio.ask("tour", question={"board": "5x6"})["status"] == "found"
    limits = [Path(f"/proc/{pid}/limits").read_text(encoding="ascii") for pid in studio.workers()]
    spaces = [int(space) for text in limits for space in re.findall(r"Max address space +(\d+)", text)]
    assert spaces, "a worker that is about to end shows no limits, but the others do"
    assert max(spaces) <= LIMITS.memory


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_survives_the_studio(sent: signal.Signals) -> None:
    with running() as studio, studio.client.stream("POST", "/ask", json=LONG) as answer:
        lines = answer.iter_lines()
        next(lines)
        workers = studio.workers()
        assert workers
        studio.process.send_signal(sent)
        if sent != signal.SIGKILL:
            last = [json.loads(line) for line in lines][-1]
            ended = "the process that worked on this question has ended"
            assert last["message"] == f"{ended}: the studio was closed"
        assert studio.process.stderr is not None
        rest = studio.process.stderr.read()
        code = studio.process.wait(PATIENCE)
        wait_for(lambda: not any(alive(pid) for pid in workers))
    words = {
        signal.SIGINT: "the studio is closed\n",
        signal.SIGTERM: "error: terminated\n",
        signal.SIGKILL: "",
    }
    assert rest == words[sent]
    assert code == {signal.SIGINT: 0, signal.SIGTERM: 143, signal.SIGKILL: -9}[sent]


def test_the_next_studio_has_the_same_port_and_another_token(tmp_path: Path) -> None:
    """Links survive a restart, and tokens do not; two studios at a time differ."""
    with running(tmp_path) as studio:
        first = studio.address, studio.token
        with running(tmp_path) as second:
            assert second.address != studio.address
            assert second.ask("start")["type"] == "answer"
            assert second.client.post("/ask", json={}, headers=studio.headers).status_code == 403
    with running(tmp_path) as studio:
        assert studio.address == first[0]
        assert studio.token != first[1]
    folder = tmp_path / "cavalcade"
    assert [path.name for path in folder.iterdir()] == ["studio.port"], "no token stays on the disk"
    assert (folder / "studio.port").stat().st_mode & 0o777 == 0o600


def test_a_damaged_file_of_the_port_is_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert last_port() == 0
    keep_port(8000)
    assert last_port() == 8000
    for text in ("", "x", "0", "-5", "99999999", "8000 8001", "\x00", "9" * 10_000):
        (tmp_path / "cavalcade" / "studio.port").write_text(text, encoding="utf-8")
        assert last_port() == 0


def test_the_token_is_not_among_the_arguments_of_the_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened_file, browser = tmp_path / "said", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$@" > {opened_file}.part\nmv {opened_file}.part {opened_file}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    with running(tmp_path, "--port", "0") as studio:
        wait_for(opened_file.exists)
        (opened,) = opened_file.read_text().split()
        assert studio.token not in opened
        page = Path(httpx.URL(opened).path)
        assert page.stat().st_mode & 0o777 == 0o600
        (address,) = re.findall(r"url=([^\"]+)", page.read_text())
        assert address == f"{studio.address}?token={studio.token}"
        assert httpx.get(address).status_code == 200
        arguments = Path(f"/proc/{studio.process.pid}/cmdline").read_bytes()
        assert studio.token.encode() not in arguments
        studio.process.send_signal(signal.SIGINT)
        studio.process.wait(PATIENCE)
        assert not page.exists()


def test_a_port_in_use_is_reported_in_one_line(studio: Studio, capsys: pytest.CaptureFixture[str]) -> None:
    port = studio.address.rstrip("/").rpartition(":")[2]
    assert main(["studio", "--no-browser", "--port", port]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("missing", [["uvicorn"], ["starlette"], ["starlette", "uvicorn"]])
def test_a_missing_extra_is_named(missing: list[str]) -> None:
    script = (
        f"import sys; sys.modules |= dict.fromkeys({missing}); "
        "from cavalcade.cli import main; exit(main(['studio']))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install starlette uvicorn" in done.stderr


def test_the_time_limit_closes_the_studio(tmp_path: Path) -> None:
    for limit in ("2", "10", "60"):  # a busy machine may spend the first limit before the studio answers
        with running(tmp_path, "--no-browser", "--time-limit", limit) as studio:
            messages = []
            with suppress(httpx.TransportError), studio.client.stream("POST", "/ask", json=LONG) as answer:
                messages = [json.loads(line) for line in answer.iter_lines()]
            assert studio.process.stderr is not None
            remaining = studio.process.stderr.read()
            assert studio.process.wait(2 * PATIENCE) == 3
        assert remaining.startswith("undecided: the time limit is reached, and the studio is closed")
        assert remaining.count("\n") == 1
        if messages:
            assert "memory" not in messages[-1]["message"]
            return
    pytest.fail("the studio answered no question within its time limit")


def test_every_question_of_the_page_is_supported() -> None:
    asks = {name for path in STATIC.glob("*.js") for name in re.findall(r'\bask: "(\w+)"', path.read_text())}
    assert asks | {"tour", "prove", "count"} == set(ASKS)
