"""The widget in a real browser: a page with two cells, like a notebook, connected to Python."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

import cavalcade
from cavalcade.formats import link
from cavalcade.studio.bundle import bundle
from documented import assert_shown
from running import PATIENCE, alive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.browser
playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
studio_widget = pytest.importorskip("cavalcade.studio.widget", exc_type=ImportError)
ADDRESS = "http://notebook.test/"
CELL = {"width": 1260, "height": 740}  # pixels of the documentation's picture
SCRIPT = """
import front from "./widget.js";
window.out = [];
window.intervals = new Set();
const { setInterval: set, clearInterval: clear } = window;
window.setInterval = (...words) => { const id = set(...words); intervals.add(id); return id; };
window.clearInterval = (id) => { intervals.delete(id); clear(id); };
const bytes = (line) => new TextEncoder().encode(line).buffer;
window.models = QUESTIONS.map((question, n) => {
  const traits = { question, shown: {}, answered: 0 };
  const heard = {};
  const fire = (event, ...words) => (heard[event] ?? []).forEach((one) => one(...words));
  const put = (key, value) => { traits[key] = value; fire(`change:${key}`); };
  return {
    get: (key) => traits[key],
    set: (key, value) => { put(key, value); out.push([n, key, value]); },
    put,
    save_changes() {},
    send: (content) => out.push([n, "", content]),
    on: (event, one) => (heard[event] = [...(heard[event] ?? []), one]),
    off: (event, one) => (heard[event] = (heard[event] ?? []).filter((other) => other !== one)),
    hear: (content, line) => fire("msg:custom", content, [new DataView(bytes(line))]),
  };
});
window.ends = models.map((model, n) => front.render({ model, el: document.getElementById(`cell-${n}`) }));
"""
PAGE = """<!doctype html><html lang="en"><title>A notebook</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body { background: BACK; color: INK; } button { color: red; border: 9px solid red; }</style>
<main><h1>A notebook</h1><p id="verdict">The page's own words.</p><button>The page's own</button>
<div id="cell-0"></div><div id="cell-1"></div></main>
<script type="module" src="./cells.js"></script></html>"""


class Notebook:
    """A page with a cell for each widget, and the messages between page and widgets."""

    def __init__(self, context: Any, widgets: list[Any], sent: list[Any], *, dark: bool) -> None:
        self.widgets, self.sent = widgets, sent
        self.faults: list[str] = []
        self.page = context.new_page()
        self.page.on("console", lambda line: self.faults.append(line.text) if line.type == "error" else None)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        questions = (
            str([widget.question for widget in widgets]).replace("False", "false").replace("True", "true")
        )
        colours = ("#111", "#eee") if dark else ("#fff", "#111")
        page = PAGE.replace("BACK", colours[0]).replace("INK", colours[1])
        files = {"": page, "widget.js": bundle(), "cells.js": SCRIPT.replace("QUESTIONS", questions)}
        kinds = {"": "text/html", "widget.js": "text/javascript", "cells.js": "text/javascript"}

        def serve(route: Any) -> None:
            name = route.request.url.removeprefix(ADDRESS)
            if name in files:
                route.fulfill(body=files[name], content_type=kinds[name])
            else:
                route.fulfill(status=204)

        self.page.route(f"{ADDRESS}**", serve)
        self.page.goto(ADDRESS)
        self.until(lambda: self.page.locator("[data-ready]").count() == len(widgets))

    def pump(self) -> None:
        """Deliver the waiting messages in both directions."""
        for n, trait, content in self.page.evaluate("() => window.out?.splice(0) ?? []"):
            if trait:
                setattr(self.widgets[n], trait, content)
            else:
                message = {"content": {"data": {"method": "custom", "content": content}}, "buffers": []}
                self.widgets[n]._handle_msg(message)  # noqa: SLF001 - a notebook calls it
        while self.sent:
            widget, content, line = self.sent.pop(0)
            words = [self.widgets.index(widget), content, line.decode()]
            self.page.evaluate("([n, content, line]) => models[n].hear(content, line)", words)

    def until(self, condition: Callable[[], bool]) -> None:
        """Deliver messages until a condition holds."""
        end = time.monotonic() + 2 * PATIENCE
        while not condition():
            assert time.monotonic() < end
            self.pump()
            time.sleep(0.02)

    def at(self, selector: str, n: int = 0) -> Any:
        """Return an element of a cell."""
        return self.page.locator(f"#cell-{n} {selector}")

    def says(self, text: str, n: int = 0) -> None:
        """Wait until the verdict under a board contains a text."""
        self.until(lambda: text in self.at("#verdict", n).inner_text())

    def middle(self, name: str) -> tuple[float, float]:
        """Return the position of a cell of the first board on the screen."""
        cell = self.at(f"[data-cell='{name}']")
        cell.scroll_into_view_if_needed()
        box = cell.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


LARGE = pytest.param((1280, 900, False), id="wide-light")
SMALL = pytest.param((390, 844, True), id="narrow-dark")


@pytest.fixture(params=[LARGE, pytest.param(*SMALL.values, id=SMALL.id, marks=pytest.mark.slow)])
def notebook(
    request: pytest.FixtureRequest, chromium: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Notebook]:
    """Yield a notebook of two cells; afterwards close the widgets and assert that the page had no error."""
    width, height, dark = request.param
    sent: list[Any] = []
    widgets = [cavalcade.widget("6x6"), cavalcade.widget("3x8")]
    monkeypatch.setattr(
        studio_widget.StudioWidget,
        "send",
        lambda self, content, lines: sent.append((self, content, lines[0])),
    )
    # the system prefers the opposite colours; the notebook decides
    context = chromium.new_context(
        viewport={"width": width, "height": height}, color_scheme="light" if dark else "dark",
        reduced_motion="reduce", bypass_csp=True,
    )  # fmt: skip
    opened = Notebook(context, widgets, sent, dark=dark)
    yield opened
    for widget in widgets:
        widget.close()
    assert opened.faults == []
    context.close()


def test_cells_are_removed_and_tours_are_found(notebook: Notebook) -> None:
    first, second = notebook.widgets
    notebook.at("#tab-board").click()
    notebook.page.mouse.click(*notebook.middle("b1"))
    notebook.says("6x6-b1: 35 squares")
    notebook.until(lambda: first.board.title == "6x6-b1")
    notebook.at("#tab-ask").click()
    notebook.at("#ask-tour").click()
    notebook.says("Impossible")
    notebook.until(lambda: first.verdict is not None)
    assert isinstance(first.verdict, cavalcade.Impossible)
    assert notebook.at(".story li").count() > 1
    notebook.at("#why-forward").click()
    notebook.at("#undo").click()
    notebook.at("#undo").click()  # the first undo removes the answer, the second restores the cell
    notebook.says("6x6: 36 squares")
    notebook.at("#tab-ask").click()
    notebook.at("#ask-tour").click()
    notebook.says("A closed tour of 6x6")
    notebook.until(lambda: first.tour is not None and first.answered == 2)
    assert cavalcade.check(first.tour)
    steps = [notebook.at(f"[data-cell='{name}']").get_attribute("aria-label") for name in first.tour.names]
    assert steps == [f"{name}, step {k}" for k, name in enumerate(first.tour.names, 1)]
    question, tour = link.read(first.link)
    assert (question.board.title, tour) == ("6x6", first.tour)
    third = cavalcade.widget(f"http://127.0.0.1:1/{first.link}")
    assert (third.question, third.link) == (first.question, first.link)
    third.close()
    name = first.tour.names[0]
    cell_of_second = notebook.at(f"[data-cell='{name}']", 1)
    notebook.page.evaluate(
        "([question, shown]) => { models[1].put('shown', shown); models[1].put('question', question); }",
        [third.question, third.shown],
    )
    notebook.until(
        lambda: cell_of_second.count() == 1 and cell_of_second.get_attribute("aria-label") == steps[0]
    )
    assert second.tour is None
    assert second.board.title == "3x8"


def test_the_documentation_shows_a_cell(notebook: Notebook) -> None:
    if notebook.page.viewport_size["width"] < CELL["width"]:
        pytest.skip("the documentation shows a wide cell")
    notebook.at("#tab-ask").click()
    notebook.at("#ask-tour").click()
    notebook.says("A closed tour of 6x6")
    notebook.page.mouse.move(0, 0)
    box = notebook.page.locator("#cell-0").bounding_box()
    assert_shown(
        "notebook-widget",
        notebook.page.screenshot(clip=CELL | {"x": box["x"], "y": box["y"]}, full_page=True),
    )


def test_a_move_is_dragged_and_python_changes_the_board(notebook: Notebook) -> None:
    first = notebook.widgets[0]
    notebook.at("#tab-board").click()
    notebook.at("input[name=tool][value=avoid]").check()
    notebook.page.mouse.move(*notebook.middle("a1"))
    notebook.page.mouse.down()
    notebook.page.mouse.move(*notebook.middle("b3"), steps=4)
    notebook.page.mouse.up()
    notebook.until(lambda: first.question["avoid"] == ["a1-b3"])
    first.question = {**first.question, "board": "5x6"}
    notebook.page.evaluate("(question) => models[0].put('question', question)", first.question)
    notebook.says("5x6: 30 squares")


def test_stop_and_removal_of_a_cell_end_the_work(notebook: Notebook) -> None:
    first, second = notebook.widgets
    workers = studio_widget.background().workers
    for widget, n in ((first, 0), (second, 1)):
        notebook.at("summary", n).last.wait_for(state="attached")
        widget.question = {**widget.question, "board": "torus:5x5"}
        notebook.page.evaluate("([n, question]) => models[n].put('question', question)", [n, widget.question])
        notebook.says("torus:5x5: 25 squares", n)
        notebook.at("#tab-ask", n).click()
        notebook.at("#ask-count", n).click()
        notebook.until(lambda n=n: " states" in notebook.at("#doing", n).inner_text())  # type: ignore[misc]
    busy = [worker.pid for worker in workers.alive if worker not in workers.idle]
    assert len(busy) == 2
    notebook.at("#stop").click()
    notebook.until(lambda: sum(map(alive, busy)) == 1)
    notebook.says("Stopped.")
    notebook.page.evaluate("() => ends[1]()")  # the cell runs again, or is deleted
    notebook.until(lambda: not any(map(alive, busy)))


def test_a_cell_that_runs_again_leaves_no_interval(notebook: Notebook) -> None:
    page = notebook.page
    counts = [page.evaluate("() => intervals.size")]
    for n in range(2):
        page.evaluate("(n) => ends[n]()", n)
        counts.append(page.evaluate("() => intervals.size"))
    assert counts == [2, 1, 0]


@pytest.mark.parametrize("notebook", [LARGE, SMALL], indirect=True)
def test_cell_and_page_do_not_affect_each_other(notebook: Notebook) -> None:
    """Cell and page do not restyle each other, ids are unique, and the cell has the colours of the page."""
    page = notebook.page
    style = "(one) => { const style = getComputedStyle(one); return [style.color, style.borderTopWidth]; }"
    assert page.locator("main > button").evaluate(style) == ["rgb(255, 0, 0)", "9px"]
    assert notebook.at("#tab-ask").evaluate(style)[1] == "0px"
    assert page.locator("main > #verdict").inner_text() == "The page's own words."
    ids = page.evaluate("() => [...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert ids == ["verdict", "cell-0", "cell-1"]
    dark = page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(17, 17, 17)"
    assert page.locator("[data-ready]").first.get_attribute("data-theme") == ("dark" if dark else "light")
    page.evaluate("() => (document.body.style.background = '#fff')")
    page.locator("[data-ready][data-theme=light]").first.wait_for()
    page.evaluate("() => (document.body.style.background = '')")
    assert page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0
    page.evaluate("() => (document.getElementById('cell-0').hidden = true)")  # JupyterLab hides distant cells
    page.evaluate("() => models[0].put('question', { ...models[0].get('question'), board: '4x4' })")
    notebook.until(lambda: "4x4: 16" in notebook.at("#verdict").text_content())
    page.evaluate("() => (document.getElementById('cell-0').hidden = false)")
    notebook.at("[data-cell='d4']").wait_for()
    assert notebook.at("[data-cell='d4']").bounding_box()["width"] > 20
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    violations = axe.Axe().run(page, context="#cell-0").response["violations"]
    assert [
        violation["id"] for violation in violations if violation["impact"] in {"serious", "critical"}
    ] == []


def test_keys_stay_in_the_cell(notebook: Notebook) -> None:
    page, first = notebook.page, notebook.widgets[0]
    page.evaluate(
        "() => { window.keys = []; document.addEventListener('keydown', (event) => keys.push(event.key)); }"
    )
    notebook.at("#tab-board").click()
    notebook.at("[data-cell='a1']").focus()
    for key in ("ArrowRight", "d", "d", "Enter"):
        page.keyboard.press(key)
    notebook.until(lambda: first.board.title == "6x6-b1")
    page.keyboard.press("Control+z")
    notebook.until(lambda: first.board.title == "6x6")
    assert page.evaluate("() => keys") == ["Control", "z"]
