"""The game on the page without a server: every screen, one mode at a time, and a knight that hops."""

from __future__ import annotations

import json
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest

import cavalcade
from cavalcade.question.statement import read_statement
from running import wait_for
from visiting import NARROW, WIDE, visiting

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from running import Studio

pytestmark = pytest.mark.browser
playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install 'cavalcade[browser]'"
)
SCREENS = ((360, 740), NARROW, (768, 1024), (844, 390), WIDE, (1920, 1080))
STUCK = ("a1", "b3", "c1", "a2", "c3", "b1", "a3", "c2")  # an open walk of 3x3 that misses the middle


@pytest.fixture
def visit(chromium: Any, folder: Path) -> Iterator[Any]:
    with visiting(chromium, (*WIDE, "light"), f"{folder.as_uri()}/index.html", offline=True) as opened:
        yield opened


@pytest.fixture
def moving(chromium: Any, folder: Path) -> Iterator[Any]:
    """Yield a function that opens a page with motion, whose clock the test advances."""
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="no-preference")
    context.clock.install(time=0)
    context.clock.pause_at(1000)

    def opened(mark: str) -> Any:
        page = context.new_page()
        page.goto(f"{folder.as_uri()}/index.html{mark}")

        def ready() -> bool:
            page.clock.run_for(20)
            return bool(page.locator("[data-ready]").count())

        wait_for(ready)
        return page

    yield opened
    context.close()


def knight(page: Any) -> tuple[float, float, float]:
    """Return the centre and the width of the knight on the screen."""
    box = page.locator("#knight").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, box["width"]


def test_the_board_and_the_buttons_of_a_walk_fit_every_screen(visit: Any) -> None:
    """Nothing is cut off, nothing scrolls, and the board takes most of the shorter side of the screen."""
    page = visit("#board=8x8")
    page.page.click("#try")
    for width, height in SCREENS:
        page.page.set_viewport_size({"width": width, "height": height})
        if width < height:
            page.page.evaluate("() => document.querySelector('#studio').dataset.sheet = ''")
        shorter = min(width, height)
        page.page.wait_for_function(
            "(shorter) => { const board = document.querySelector('#board').getBoundingClientRect();"
            " return board.right <= innerWidth && board.bottom <= innerHeight"
            " && Math.min(board.width, board.height) >= 0.75 * shorter; }",
            arg=shorter,
        )
        boxes = {
            name: page.page.locator(name).bounding_box()
            for name in ("#board", "#verdict", "#walk-undo", "#walk-hint", "#walk-restart", "#tab-learn")
        }
        for name, box in boxes.items():
            assert box["x"] >= 0, (name, width)
            assert box["x"] + box["width"] <= width, (name, width)
            assert box["y"] + box["height"] <= height, (name, width)
        root = page.page.evaluate(
            "() => { const root = document.documentElement;"
            " return [root.scrollWidth - innerWidth, root.scrollHeight - innerHeight]; }"
        )
        assert max(root) <= 0, width


def test_a_message_ends_with_its_subject(visit: Any) -> None:
    """An empty board to walk on has no sentence about a tour and no player; undo follows the walk."""
    page = visit("#board=5x6")
    page.page.click("#ask-tour")
    page.verdict("A closed tour of 5x6")
    page.page.click("#try")
    page.verdict("Click a square to start.")
    assert page.page.locator("#player").is_hidden()
    page.click("a1")
    page.page.click("#undo")
    assert page.tour() == []
    page.open("ask")
    page.verdict("A closed tour of 5x6")
    assert page.page.locator("#player").is_visible()
    page.open("board")
    page.click("a1")
    page.verdict("5x6-a1: 29 squares")


def test_a_question_waits_for_the_board_that_was_asked_for_before(visit: Any) -> None:
    page = visit("#board=5x6")
    ask = (
        "(board) => { const text = document.querySelector('#part-board input[type=text]');"
        " text.value = board; text.form.requestSubmit();"
        " document.querySelector('#ask-tour').click(); }"
    )
    page.page.evaluate(ask, "6x6")
    page.verdict("A closed tour of 6x6")
    assert cavalcade.check(page.tour(), "6x6")


def test_a_stuck_walk_names_its_wrong_turn(visit: Any) -> None:
    """The board says why a square is refused, marks the wrong turn, and goes back before it."""
    page = visit("#board=5x5&open=1")
    page.page.click("#try")
    page.click("a1", "c3")
    assert page.page.locator("#bubble").inner_text() == "No move from a1 to c3."
    page.click("b3", "c5", "a4", "c3")
    page.page.click("#walk-hint")
    page.verdict("The wrong turn was step 5, c3: ")
    saving = [name for name, word in page.words().items() if name in page.verdict("would have kept")]
    page.page.click("#walk-back")
    assert page.tour() == ["a1", "b3", "c5", "a4"]
    page.page.click("#walk-hint")
    page.verdict("keeps a tour possible")
    assert any(f"Hint: {name} " in page.verdict("Hint") for name in saving)
    stuck = visit("#board=3x3&open=1")
    stuck.page.click("#try")
    stuck.click(*STUCK)
    stuck.verdict("Stuck on c2: no move leads to an unvisited square. 1 square remains: b2.")
    stuck.verdict("3x3 has no open tour, wherever you begin")


def test_the_knight_is_dragged_and_hops(moving: Any) -> None:
    """A dragged knight makes a step; in the middle of a hop it is larger and between the cells."""
    page = moving("#board=5x5&open=1")
    page.click("#try")
    cell = page.locator("[data-cell=a1]").bounding_box()
    size = cell["width"]
    page.mouse.click(cell["x"] + size / 2, cell["y"] + size / 2)
    page.clock.run_for(500)
    x, y, width = knight(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + size, y - 2 * size, steps=4)
    page.mouse.up()
    page.clock.run_for(120)
    between = knight(page)
    assert between[2] > 1.1 * width
    assert x < between[0] < x + size
    page.clock.run_for(500)
    assert knight(page) == pytest.approx((x + size, y - 2 * size, width), abs=1)
    assert page.locator("[data-cell=b3]").get_attribute("aria-label") == "b3, step 2"


def test_the_page_opens_on_a_tour_that_draws_itself(moving: Any, visit: Any) -> None:
    page = moving("")
    assert "every square once" in page.locator("#verdict").inner_text()
    places = set()
    for _ in range(4):
        page.clock.run_for(250)
        places.add(knight(page))
    assert len(places) == 4, "the knight moves within a second"
    page.clock.fast_forward(20_000)
    page.clock.run_for(100)
    assert "Your turn: click a square." in page.locator("#verdict").inner_text()
    still = visit()
    still.open("ask")
    still.verdict("Your turn: click a square.")
    still.click("b1")
    assert still.tour() == ["b1"]


def test_moves_sound_if_one_wants(visit: Any) -> None:
    """Chromium reports no audio before the choice, and one oscillator for each move after it."""
    page = visit("#board=5x5&open=1")
    session = page.page.context.new_cdp_session(page.page)
    tones: list[str] = []
    session.on("WebAudio.audioNodeCreated", lambda event: tones.append(event["node"]["nodeType"]))
    session.send("WebAudio.enable")
    page.open("walk")
    page.click("a1", "b3")
    assert tones == []
    page.page.check("#sound")
    page.click("c5", "a4", "a1")  # the last is refused
    wait_for(lambda: (page.tour(), tones.count("Oscillator")) == (["a1", "b3", "c5", "a4"], 3))
    page.page.reload()
    page.page.wait_for_selector("[data-ready]")
    playwright.expect(page.page.locator("#sound")).to_be_checked()


def test_the_puzzle_of_the_day_has_an_address(visit: Any) -> None:
    page = visit("#then=day&part=walk")
    today = page.page.evaluate("() => new Date().toLocaleDateString('sv')")
    wait_for(lambda: f"then=day+{today}" in page.page.url)
    mark = page.mark()
    page.open("walk")
    page.page.click("#daily")
    written = page.page.evaluate("() => new Date().toLocaleDateString('en', { dateStyle: 'long' })")
    page.verdict(f"The puzzle of {written}: ")
    assert page.mark() == mark
    page.open("board")
    page.page.fill("#board-text", "3x4")
    page.page.press("#board-text", "Enter")
    page.verdict("3x4: 12 squares, 14 moves. Left out: the numbers of the puzzle.")


def test_a_scrolled_board_looks_as_if_drawn_at_once(visit: Any) -> None:
    """After scrolling, which draws the new strips alone, few pixels differ from a board drawn as a whole."""
    page = visit("#board=60x60")
    page.page.click("#ask-tour")
    page.verdict("A closed tour of 60x60")
    pixels = (
        "window.pixels = () => ['ground', 'top', 'edge'].flatMap((id) => { const canvas ="
        " document.getElementById(id); return canvas.hidden ? [] : [canvas.getContext('2d').getImageData("
        "0, 0, canvas.width, canvas.height).data]; })"
    )
    page.page.evaluate(pixels)
    for _ in range(4):
        page.page.click("#zoom-in")
    for right, down in ((40, 25), (-13, 60), (300, 200)):
        page.page.evaluate(f"() => document.querySelector('#frame').scrollBy({right}, {down})")
        page.page.wait_for_timeout(100)
    page.page.evaluate("() => { window.strips = pixels(); }")
    page.page.click("#theme")
    page.page.click("#theme")  # draws everything
    share = (
        "() => { let [off, all] = [0, 0]; pixels().forEach((data, i) => data.forEach((value, k) => {"
        " off += Math.abs(value - strips[i][k]) > 32; all += value > 0; })); return [off / all, all]; }"
    )
    off, painted = page.page.evaluate(share)
    assert painted > 500_000
    assert off < 0.005


def test_walks_lessons_and_daily_puzzles_are_kept(visit: Any) -> None:
    page = visit("#board=5x6")
    page.page.click("#try")
    page.click("a1", "b3", "c5")
    again = visit()
    again.open("ask")
    again.page.click("#go-on")
    again.page.wait_for_function("() => location.hash.includes('5x6')")
    assert again.tour() == ["a1", "b3", "c5"]
    page.page.evaluate(
        "() => { const day = (ago) => { const date = new Date(); date.setDate(date.getDate() - ago);"
        " return [date.getFullYear(), date.getMonth() + 1, date.getDate()]"
        ".map((one) => String(one).padStart(2, '0')).join('-'); };"
        " const days = { [day(1)]: '1:00', [day(2)]: '2:00', [day(4)]: '3:00' };"
        " localStorage.setItem('cavalcade-days', JSON.stringify(days));"
        " localStorage.setItem('cavalcade-lessons', JSON.stringify({ '0.0': 1 })); }"
    )
    page.page.reload()
    page.page.wait_for_selector("[data-ready]")
    assert page.page.locator("#streak").text_content() == "2 days in a row. 3 daily puzzles solved."
    page.open("learn")
    page.page.click("[data-lesson='0']")
    playwright.expect(page.page.locator("#part-learn h2")).to_contain_text("step 2 of 3")


def test_a_hosted_page_works_without_the_network(chromium: Any, folder: Path) -> None:
    """The manifest names files that exist, and after one visit the page opens with the network off."""
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as host:
        Thread(target=host.serve_forever, daemon=True).start()
        context = chromium.new_context(reduced_motion="reduce")
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{host.server_port}/index.html")
        page.wait_for_selector("[data-ready]")
        page.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
        manifest = json.loads((folder / page.locator("link[rel=manifest]").get_attribute("href")).read_text())
        assert all((folder / name).exists() for name in (manifest["start_url"], manifest["icons"][0]["src"]))
        host.shutdown()
    page.goto(page.url.partition("#")[0] + "#board=6x6")
    page.reload()
    page.wait_for_selector("[data-ready]")
    page.click("#ask-tour")
    playwright.expect(page.locator("#verdict")).to_contain_text("A closed tour of 6x6")
    context.close()


class QuietHandler(SimpleHTTPRequestHandler):
    """A server of files that prints no requests."""

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.mark.parametrize(("kind", "board"), [("zip", "6x6"), ("holy-knight", "6x6")])
def test_puzzles_of_a_kind_are_played(
    chromium: Any, studio: Studio, folder: Path, kind: str, board: str
) -> None:
    """The tour that `cavalcade.tour` finds solves the puzzle: by clicks, and by keys without a server."""
    with visiting(chromium, (*WIDE, "light"), f"{studio.address}?token={studio.token}") as opened:
        page = opened(f"#board={board}")
        page.open("walk")
        page.page.select_option("#kind", kind)
        page.page.click("#new-puzzle")
        page.verdict("are given; exactly one tour")
        question, _ = read_statement(page.mark())
        assert (len(question.through) > 1) == (kind == "zip")
        verdict = cavalcade.tour(question)
        assert isinstance(verdict, cavalcade.Found)
        names = [question.board.name(cell) for cell in verdict.tour.cells.tolist()]
        mark = page.page.evaluate("() => location.hash")
        page.click(*names[question.start is not None :])  # a given start is step 1
        page.verdict("The puzzle is solved.")
    with visiting(chromium, (*WIDE, "dark"), f"{folder.as_uri()}/index.html", offline=True) as opened:
        page = opened(mark)
        page.open("walk")
        for name in names[question.start is not None :]:
            page.page.locator(f"[data-cell='{name}']").press("Enter")
        page.verdict("The puzzle is solved.")
        assert page.tour() == names
        assert page.page.locator("#walk-undo").is_hidden(), "the walk is over"


def test_a_zip_is_walked_in_its_order(visit: Any) -> None:
    """Numbers out of order, the last number too early, and moves through walls are refused on the board.

    A walk is stuck if the numbers allow no move; an order of two numbers has discs, too.
    """
    page = visit("#ask=open+tour+of+3x3+by+the+piece+0,1+from+a1+to+c1,+without+a2-b2,+b2-b3,+through+b3,+b1")
    page.open("walk")
    bubble = page.page.locator("#bubble")
    for name, why in (
        ("b1", "3 is not yet due: visit 2 first."),
        ("a2", ""),
        ("b2", "No move from a2 to b2."),
    ):
        page.click(name)
        if why:
            playwright.expect(bubble).to_have_text(why)
    page.click("a3", "b3", "c3", "c2", "b2", "b1")
    assert page.tour() == ["a1", "a2", "a3", "b3", "c3", "c2", "b2", "b1"]
    page.click("c1")
    page.verdict("The puzzle is solved.")
    early = visit("#ask=open+tour+of+3x3+by+the+piece+0,1+from+a1+to+c1,+through+b1,+b3")
    early.open("walk")
    early.click("b1", "c1")
    playwright.expect(early.page.locator("#bubble")).to_have_text("4 is not yet due: visit 3 first.")
    early.click("b2", "b3", "c3", "c2")
    early.verdict("Stuck on c2: no move fits the numbers. 3")
    ends = visit("#ask=open+tour+of+3x3+by+the+piece+0,1+from+a1+to+c1,+without+a2-b2")
    ends.open("walk")
    ends.is_word("c1", ", end, number 2 of the order")
    assert ends.tour() == ["a1"]
