"""The studio in a notebook cell, without a browser: messages, state, processes, and its bundle."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import cavalcade
from cavalcade.studio import bundle as bundling
from cavalcade.studio.bundle import bundle
from examples import renewed_notebook
from running import PATIENCE, alive, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.studio.widget import StudioWidget

studio_widget = pytest.importorskip("cavalcade.studio.widget", exc_type=ImportError)
Sent = list[tuple[str, dict[str, Any]]]


@pytest.fixture(scope="module", autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    background = studio_widget.background()
    asyncio.run_coroutine_threadsafe(background.workers.close(), background.loop).result(PATIENCE)
    studio_widget.background.cache_clear()


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Sent:
    """Record the messages of widgets to the page: the id of the question, and the line."""
    messages: Sent = []

    def send(_: object, content: dict[str, Any], buffers: list[bytes]) -> None:
        messages.append((content["id"], json.loads(buffers[0])))

    monkeypatch.setattr(studio_widget.StudioWidget, "send", send)
    return messages


def hear(widget: StudioWidget, content: object) -> None:
    """Deliver a message of the page to a widget, as the notebook does."""
    message = {"content": {"data": {"method": "custom", "content": content}}, "buffers": []}
    widget._handle_msg(message)  # noqa: SLF001 - a notebook calls it


def answer(widget: StudioWidget, sent: Sent, ask: str, **words: Any) -> dict[str, Any]:
    """Ask as the page does, and wait for the answer."""
    number = f"q{len(sent)}"
    hear(widget, {"ask": number, "question": json.dumps({"ask": ask, "question": widget.question, **words})})

    def last() -> dict[str, Any] | None:
        answers = [line for to, line in sent if to == number and line["type"] in {"answer", "error"}]
        return answers[0] if answers else None

    wait_for(lambda: last() is not None)
    line_of_answer = last()
    assert line_of_answer is not None
    return line_of_answer


def test_a_tour_is_found_and_stays_in_python(sent: Sent) -> None:
    widget = cavalcade.widget("6x6-a1,b1", open=True, start="c1", avoid=["c1-d3"])
    assert answer(widget, sent, "board")["title"] == widget.board.title == "6x6-a1,b1"
    seen: list[object] = []
    widget.observe(lambda change: seen.append(change["new"]), "verdict")
    reply = answer(widget, sent, "tour", seed=3)
    assert reply["status"] == "found"
    verdict = widget.verdict
    assert isinstance(verdict, cavalcade.Found)
    assert seen == [verdict]
    assert verdict.tour is widget.tour
    assert (verdict.seed, verdict.method) == (3, reply["method"])
    assert cavalcade.check(widget.tour)
    assert widget.tour.names[0] == "c1"
    assert widget.tour.names[1] != "d3"
    assert widget.tour.svg().startswith("<svg")


def test_a_proof_and_a_count_stay_in_python(sent: Sent) -> None:
    widget = cavalcade.widget("3x8")
    answer(widget, sent, "prove")
    verdict = widget.verdict
    assert isinstance(verdict, cavalcade.Impossible)
    assert verdict.certificate is not None
    assert cavalcade.verify(verdict.certificate)
    assert widget.tour is None
    widget.question = {**widget.question, "board": "6x6"}
    assert widget.verdict is None
    assert answer(widget, sent, "count")["count"] == "9862"
    assert widget.count == 9862
    request = json.dumps({"ask": "warnsdorff", "question": {"board": "5x5"}})
    hear(widget, {"ask": "other", "question": request})  # an answer about another board is shown, not stored
    wait_for(lambda: any(to == "other" for to, _ in sent))
    assert widget.tour is None


def test_stop_ends_the_process(sent: Sent) -> None:
    widget = cavalcade.widget("torus:5x5")
    workers = studio_widget.background().workers
    long = {"ask": "count", "question": widget.question, "seconds": 600}
    hear(widget, {"ask": "long", "question": json.dumps(long)})
    wait_for(lambda: any(to == "long" for to, _ in sent))  # the first report of progress
    busy = [worker.pid for worker in workers.alive if worker not in workers.idle]
    assert len(busy) == 1
    assert alive(busy[0])
    hear(widget, {"stop": "long"})
    wait_for(lambda: not alive(busy[0]))
    assert not widget.asked
    hear(widget, {"ask": "again", "question": json.dumps(long)})
    wait_for(lambda: bool(widget.asked))
    widget.close()
    wait_for(lambda: not widget.asked and workers.asked == 0)


def test_malformed_messages_are_refused_or_ignored(sent: Sent) -> None:
    widget = cavalcade.widget()
    odd: list[Any] = [
        None,
        7,
        {},
        {"ask": 7, "question": "{}"},
        {"ask": "a"},
        {"stop": "nobody"},
        {"stop": []},
    ]
    for content in odd:
        hear(widget, content)
    assert not widget.asked
    file = json.dumps({"ask": "tour", "question": {"board": "/etc/x"}})
    for text in ("", "{", "[]", '{"ask": "tour"}', file):
        hear(widget, {"ask": "bad", "question": text})
        wait_for(lambda: bool(sent))
        assert sent.pop()[1]["type"] == "error"


@pytest.mark.parametrize("board", ["9y9", "no/such/file.txt", cavalcade.move_graph("5x5"), "2000x2000"])
def test_invalid_boards_are_refused(board: Any) -> None:
    with pytest.raises(cavalcade.CavalcadeError):
        cavalcade.widget(board)


def test_a_missing_extra_is_named() -> None:
    script = "import sys; sys.modules['anywidget'] = None; import cavalcade; cavalcade.widget('8x8')"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert "pip install anywidget" in done.stderr.splitlines()[-1]


def test_the_front_end_is_one_module(monkeypatch: pytest.MonkeyPatch) -> None:
    text = bundle()
    assert text.count("export default") == 1
    assert "\nimport " not in text
    assert "<h1>" not in text
    assert "static/" not in text
    assert len(text) < 232_000  # texts in three languages
    odd = {
        "kernel.js": "",
        "main.js": 'import * as all from "./dom.js";',
        "index.html": '<div id="studio"></div></body>',
    }
    monkeypatch.setattr(bundling, "_read", odd.__getitem__)
    with pytest.raises(SyntaxError, match="cannot be bundled"):
        bundling.bundle.__wrapped__()


def test_the_example_notebook_runs(tmp_path: Path) -> None:
    text = (Path(__file__).parent.parent / "examples" / "notebook.ipynb").read_text(encoding="utf-8")
    shown = json.loads(renewed_notebook(text, tmp_path))["cells"]
    outputs = [cell["outputs"][0]["data"] for cell in shown if cell["cell_type"] == "code"]
    assert all("text/html" in data for data in outputs[:-1])
    assert "Widget" in outputs[-1]["text/plain"][0]
