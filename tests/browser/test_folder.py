"""The page without a server, opened from a folder with the network off."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote_plus

import pytest

import cavalcade
from cavalcade.boards.notation import parse_mask
from cavalcade.explaining.sentences import sentences
from cavalcade.formats import link, parse
from cavalcade.question.statement import statement
from running import wait_for
from visiting import NARROW, SCREENS, WIDE, Page, on_both_screens, read_code, solved_by_numbers, visiting

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.browser
playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install --group browser"
)


@pytest.fixture(params=SCREENS)
def visit(request: pytest.FixtureRequest, chromium: Any, folder: Path) -> Iterator[Any]:
    with visiting(chromium, request.param, f"{folder.as_uri()}/index.html", offline=True) as opened:
        yield opened


def test_the_folder_is_small(folder: Path) -> None:
    """The bound includes 29,000 bytes of English texts and 26,000 of the vendored QR codes."""
    assert sum(path.stat().st_size for path in folder.iterdir() if path.name != "data.js") < 300_000


def test_two_tours_are_found_and_played(visit: Any) -> None:
    page = visit()
    page.page.click("#ask-tour")
    page.verdict("A closed tour of 8x8")
    first = page.tour()
    assert cavalcade.check(first, "8x8")
    playwright.expect(page.page.locator("#ask-tour")).to_have_text("Another tour")
    page.page.click("#ask-tour")
    wait_for(lambda: page.tour() != first)  # the verdict stays the same
    page.verdict("A closed tour of 8x8")
    second = page.tour()
    assert cavalcade.check(second, "8x8")
    assert {frozenset(move) for move in pairwise(first)} != {frozenset(move) for move in pairwise(second)}
    page.page.click("#first")
    assert page.tour() == second[:1]
    page.page.click("#forward")
    assert page.tour() == second[:2]
    page.open("watch")
    page.page.click("#walk-rule")
    playwright.expect(page.page.locator("#part-watch .status")).to_contain_text("Step 1, a8.")


def test_a_walk_with_hints(visit: Any) -> None:
    page = visit("#board=5x5&open=1")
    page.open("walk")
    page.click("a1")
    page.is_word("b3", ", adjacent, 5 onward moves")
    page.click("b3")
    page.page.click("#walk-ask")
    status = page.page.locator("#walk-still")
    playwright.expect(status).to_contain_text("Yes: an open tour starts with this walk")
    page.page.click("#walk-restart")
    page.click("a2")
    page.page.click("#walk-ask")
    playwright.expect(status).to_contain_text("No: no open tour starts with this walk")
    page.page.click("#walk-restart")
    page.click("a1", "b3")
    page.page.click("#walk-finish")
    page.page.wait_for_selector("#part-watch:not([hidden])")
    page.page.click("#last")
    tour = page.tour()
    assert tour[:2] == ["a1", "b3"]
    page.open("walk")
    page.page.click("#walk-restart")
    page.click(*tour)
    page.verdict("A tour:")
    assert cavalcade.check(tour, "5x5", open=True)


def test_the_mistake_of_a_walk_is_named_and_explained(visit: Any) -> None:
    page = visit("#board=5x5&open=1")
    page.open("walk")
    page.page.get_by_label("After each step, show whether it can be completed").check()
    chances = page.page.locator("#chances")
    for name in ("a1", "b3", "c5", "a4"):
        page.click(name)
        playwright.expect(chances).to_have_text("Still possible")
    page.click("c3")
    playwright.expect(chances).to_have_text("Lost since step 5")
    status = page.page.locator("#walk-still")
    playwright.expect(status).to_contain_text("Step 5, c3, was the mistake: before it 4 ways were left.")
    page.page.get_by_role("button", name="Show why not").click()
    first = page.page.locator(".story li").first
    playwright.expect(first).to_have_text("From c3 the walk must visit 20 more squares. It cannot:")
    page.open("walk")
    page.page.click("#walk-undo")
    playwright.expect(chances).to_have_text("Still possible")
    page.open("board")
    page.page.goto(page.page.url.partition("#")[0] + "#board=3x8")
    page.page.reload()
    page.page.wait_for_selector("[data-ready]")
    page.open("ask")
    page.page.click("#ask-prove")
    page.page.wait_for_selector("#part-why:not([hidden]) .story li")
    page.page.uncheck("#simple")
    full = page.page.locator(".story").inner_text()
    page.page.check("#simple")
    assert "only two moves each" in page.page.locator(".story").inner_text()
    assert "only two moves each" not in full


@pytest.mark.parametrize("question", ["open tour of 5x5 from a1", "closed tour of 5x6 from a1"])
def test_a_puzzle_is_solved_by_writing_numbers(visit: Any, question: str) -> None:
    solved_by_numbers(visit, question)


@pytest.mark.parametrize("screen", SCREENS)
def test_a_result_is_shared_without_the_solution(chromium: Any, folder: Path, screen: Any) -> None:
    address = f"{folder.as_uri()}/index.html"
    with visiting(chromium, screen, address, offline=True, shared=False) as visit:
        page = visit()
        page.page.clock.set_fixed_time("2026-05-18T12:00:00")
        page.open("walk")
        page.page.click("#daily")
        page.verdict("The puzzle of May 18, 2026: 5x5, open, easy.")
        question, _ = link.read(page.page.url)
        puzzle = cavalcade.Puzzle(question.board, tuple(question.given.items()), closed=False)
        (solution,) = cavalcade.solve(puzzle).tours
        page.page.reload()
        page.page.wait_for_selector("[data-ready]")
        page.click(*solution.names[1:])
        page.verdict("The puzzle is solved.")
        message = page.page.locator("#share code").inner_text()
        assert message.startswith("Knight's tour of the day, May 18, 2026 (5x5): ")
        assert "0 hints, 0 steps taken back." in message
        shared, walk = link.read(message.split()[-1])
        assert (shared.given, walk) == (question.given, None)


def test_worksheets_are_printed(visit: Any) -> None:
    page = visit("#board=5x5&open=1")
    page.open("walk")
    capture_print = (
        "() => { window.print = () => { window.sheet = document.querySelector('#sheet').innerHTML; }; }"
    )
    page.page.evaluate(capture_print)
    page.page.select_option("#sheets", "4")
    page.page.select_option("#level", "easy")
    page.page.click("#print-puzzles")
    page.verdict("4 different puzzles and their answer key are ready to print")
    page.page.evaluate("() => { document.body.innerHTML = window.sheet; }")
    sheets = page.page.locator(".page")
    assert sheets.count() == 2
    assert "Name" in sheets.first.inner_text()
    figures = [sheet.locator("figure").all() for sheet in sheets.all()]
    texts = [[figure.locator("svg text").all_text_contents() for figure in row] for row in figures]
    puzzles, keys = [[[text for text in figure if text.isdigit()] for figure in row] for row in texts]
    labels = 5  # labels of the rows
    assert [len(numbers) for numbers in keys] == [25 + labels] * 4
    assert all(labels < len(numbers) < 25 + labels for numbers in puzzles)
    assert len({tuple(numbers) for numbers in puzzles}) == 4


def test_holes_are_clicked_and_files_are_saved(visit: Any) -> None:
    page = visit("#board=6x6")
    page.click("a6", "b6")
    page.is_word("b6", ", removed")
    page.page.click("#ask-tour")
    page.verdict("A closed tour of 6x6-a6,b6")
    tour = page.tour()
    assert cavalcade.check(tour, "6x6-a6,b6")
    page.open("save")
    for name in ("tour.text", "board.text", "shown.svg"):
        with page.page.expect_download() as waiting:
            page.page.click(f'[data-file="{name}"]')
        text = Path(waiting.value.path()).read_text("utf-8")
        if name == "tour.text":
            assert parse(text).names == tour
        elif name == "board.text":
            assert parse_mask(text).spec == "6x6-a6,b6"
        else:
            page.page.set_content(text)
            assert page.page.locator("svg path").count() > 36


@pytest.mark.parametrize("board", ["3x8", "4x10"])
def test_proofs_have_the_sentences_of_python(visit: Any, board: str) -> None:
    page = visit(f"#board={board}")
    page.open("ask")
    page.page.click("#ask-prove")
    page.page.wait_for_selector("#part-why:not([hidden]) .story li")
    certificate = cavalcade.prove(board).certificate  # type: ignore[union-attr]
    assert certificate is not None
    pieces = {"3x8": 5, "4x10": 11}[board]  # the largest has no signs of its own on 4x10
    assert f"falls into {pieces} pieces" in page.page.locator(".story").inner_text()
    page.page.uncheck("#simple")
    shown = [item.strip() for item in page.page.locator(".story li").all_inner_texts()]
    assert shown == sentences(certificate)
    before = page.picture()
    page.page.click("#why-forward")
    playwright.expect(page.page.locator(".place")).to_have_text(f"2 of {len(shown)}")
    assert len(shown) == 2 or page.picture() != before
    page.open("save")
    with page.page.expect_download() as waiting:
        page.page.click("[data-file='certificate.json']")
    assert cavalcade.verify(cavalcade.read_certificate(waiting.value.path()))


def test_a_link_restores_the_question(visit: Any) -> None:
    page = visit()
    page.tool("start")
    page.click("a1")
    page.is_word("a1", ", start")
    page.tool("avoid")
    page.drag("b1", "c3")
    page.page.wait_for_function("() => location.hash.includes('without')")
    assert page.mark() == "closed tour of 8x8 from a1, without b1-c3"
    second = visit(page.page.evaluate("() => location.hash"))
    assert second.words() == page.words()
    second.page.click("#ask-tour")
    second.verdict("without b1-c3, found")
    assert second.tour()[0] == "a1"


@on_both_screens
def test_undo_reverts_the_last_change(visit: Any) -> None:
    page = visit("#board=6x6")
    page.page.click("#try")
    walk = ["a1", "b3", "c5", "e6", "f4"]
    page.click(*walk)
    assert page.tour() == walk
    page.open("board")
    page.click("f1")
    page.is_word("f1", ", removed")
    page.open("walk")
    assert page.tour() == walk, "the walk does not visit the cell, and stays"
    page.open("board")
    page.click("c5")
    page.is_word("c5", ", removed")
    page.open("walk")
    assert page.tour() == walk[:2]
    page.page.click("#undo")
    page.page.wait_for_function("() => !location.hash.includes('c5')")
    page.open("walk")
    assert page.tour() == walk
    page.page.click("#undo")
    page.page.wait_for_function("() => !location.hash.includes('f1')")
    page.open("walk")
    assert page.tour() == walk
    for visited in (4, 3):
        page.page.click("#undo")
        playwright.expect(page.page.locator(".score")).to_contain_text(f"{visited} of 36 squares")
    assert page.tour() == walk[:3]
    page.page.click("#redo")
    page.is_word("e6", ", step 4")
    page.page.reload()
    page.page.wait_for_selector("[data-ready]")
    assert page.tour() == walk[:4]


def test_a_partial_solution_and_the_colours_survive_a_reload(visit: Any) -> None:
    page = visit("#board=5x6")
    page.open("walk")
    page.page.click("#new-puzzle")
    page.verdict("exactly one tour has them")
    first = next(name for name, word in page.words().items() if ", adjacent" in word)
    page.click(first)
    page.page.click("#theme")
    before, theme = page.words(), page.page.evaluate("() => document.documentElement.dataset.theme")
    page.page.reload()
    page.page.wait_for_selector("[data-ready]")
    assert page.words() == before
    assert page.page.evaluate("() => document.documentElement.dataset.theme") == theme
    page.page.click("#theme")


def test_a_zip_has_hints(visit: Any) -> None:
    puzzle = cavalcade.puzzle("6x6", kind="zip", seed=2)
    assert isinstance(puzzle, cavalcade.Puzzle)
    (solution,) = cavalcade.solve(puzzle).tours
    page = visit(f"#ask={quote_plus(statement(puzzle.question))}")
    page.open("walk")
    for name in solution.names[1:4]:
        page.page.click("#walk-hint")
        page.verdict(f"Hint: {name} keeps a tour possible.")
        page.click(name)
    assert page.tour() == solution.names[:4]


def test_the_page_works_in_a_frame(chromium: Any, folder: Path, tmp_path: Path) -> None:
    outer = tmp_path / "outer.html"
    outer.write_text(f'<iframe src="{folder.as_uri()}/index.html" width=600 height=620></iframe>', "utf-8")
    page = chromium.new_page(viewport={"width": 700, "height": 700})
    page.goto(outer.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("#ask-tour").click()
    playwright.expect(frame.locator("#verdict")).to_contain_text("A closed tour of 8x8")
    assert frame.locator("#tabs").is_hidden()
    page.close()


def test_axe_finds_no_fault(chromium: Any, folder: Path) -> None:
    """Check the parts on a phone; `test_page.py` does so on two screens, from a server."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    context = chromium.new_context(
        viewport={"width": NARROW[0], "height": NARROW[1]}, reduced_motion="reduce"
    )
    page = Page(context, f"{folder.as_uri()}/index.html", "#board=3x8")
    page.open("ask")
    page.page.click("#ask-prove")
    page.page.wait_for_selector("#part-why:not([hidden]) .story li")
    faults = []
    for part in ("board", "ask", "watch", "why", "walk", "save", "learn"):
        page.open(part)
        wider = page.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0, f"{part} is {wider} pixels wider than the screen"
        violations = axe.run(page.page).response["violations"]
        faults += [(part, violation["id"], violation["nodes"][0]["html"][:120]) for violation in violations]
    context.close()
    assert faults == []


def by_rule(board: str, length: int) -> list[str]:
    """Return a walk from a1 that always moves to a cell with the fewest onward moves."""
    graph, cells = cavalcade.move_graph(board), cavalcade.board(board)
    walk = [cells.cell("a1")]
    while len(walk) < length:
        free = [cell for cell in graph.neighbours(walk[-1]).tolist() if cell not in walk]
        walk.append(min(free, key=lambda cell: len(set(graph.neighbours(cell).tolist()) - {*walk})))
    return [cells.name(cell) for cell in walk]


def test_all_lessons_can_be_completed(visit: Any) -> None:
    """Do every lesson, with a wrong attempt before each right one; only the right one opens the next step."""
    page = visit()
    page.open("learn")
    feedback, next_button = page.page.locator("#lesson-told"), page.page.locator("#lesson-next")
    title = page.page.locator("#part-learn h2")

    def jumps(board: str, name: str) -> list[str]:
        cells = cavalcade.board(board)
        return [cells.name(cell) for cell in cavalcade.move_graph(board).neighbours(cells.cell(name))]

    middle = cavalcade.board("hex:4").name(cavalcade.board("hex:4").size // 2)
    assert len(jumps("hex:4", middle)) == 12
    tour = cavalcade.tour("3x4", open=True, start="a3")
    assert isinstance(tour, cavalcade.Found)
    lessons: list[list[tuple[Any, Any]]] = [
        [("d5", jumps("8x8", "d4")), ("a2", jumps("8x8", "a1")), ("a2", ["c2", "a3", "c4", "b2"])],
        [("a1", jumps("3x4", "b2")), ("", tour.tour.names)],
        [("3", "2"), ("b4", by_rule("6x6", 14)[1:])],
        [("a2", jumps("4x4", "a1")), ("a2", jumps("4x4", "d4")), ("5", "4")],
        [("a1", jumps("5x5", "c3")), ("12", "13"), ("13", "12")],
        [("a2", by_rule("8x8", 24)[1:]), ("", jumps("hex:4", middle))],
    ]
    for number, steps in enumerate(lessons):
        page.page.click(f"[data-lesson='{number}']")
        for step, (wrong, right) in enumerate(steps, 1):
            playwright.expect(title).to_contain_text(f"step {step} of {len(steps)}")
            for reply in filter(None, (wrong, *right) if isinstance(right, list) else (wrong, right)):
                playwright.expect(next_button).to_be_hidden()
                if isinstance(right, list):
                    page.click(reply)
                else:
                    page.page.fill("#lesson-number", reply)
                    page.page.press("#lesson-number", "Enter")
            playwright.expect(feedback).to_contain_text("Right")
            next_button.click()


def test_worksheets_have_codes_if_the_page_is_on_a_host(chromium: Any, folder: Path) -> None:
    """Each code opens its puzzle on the host; a page from a local folder prints no codes."""
    pytest.importorskip("segno", reason="segno is not installed: pip install 'cavalcade[puzzles]'")
    context = chromium.new_context(viewport={"width": WIDE[0], "height": WIDE[1]}, reduced_motion="reduce")
    context.route(
        "http://class.example/**",
        lambda route: route.fulfill(path=folder / route.request.url.rsplit("/", 1)[1].partition("#")[0]),
    )
    capture_print = (
        "() => { window.print = () => { window.sheet = document.querySelector('#sheet').innerHTML; }; }"
    )
    for address, codes in ((f"{folder.as_uri()}/index.html", 0), ("http://class.example/index.html", 4)):
        page = Page(context, address, "#board=6x6-a1,b1&open=1")
        page.open("walk")
        page.page.evaluate(capture_print)
        page.page.select_option("#level", "easy")
        page.page.click("#print-puzzles")
        page.verdict("are ready to print")
        page.page.evaluate("() => { document.body.innerHTML = window.sheet; }")
        drawn = page.page.locator(".qr path")
        assert drawn.count() == codes
        for k in range(codes):
            dark = {
                tuple(map(int, place))
                for place in re.findall(r"M(\d+) (\d+)h", drawn.nth(k).get_attribute("d"))
            }
            size = 1 + max(x for x, _ in dark)
            link_there = read_code([[int((x, y) in dark) for x in range(size)] for y in range(size)])
            assert link_there.startswith("http://class.example/index.html#")
            texts = (
                page.page.locator(".page figure")
                .nth(k)
                .locator("svg")
                .first.locator("text")
                .all_text_contents()
            )
            question, _ = link.read(link_there)
            numbers = sorted(int(text) for text in texts if text.isdigit())
            assert numbers == sorted([*question.given, *range(1, 7)])  # the labels of the rows are included
            puzzle = cavalcade.Puzzle(question.board, tuple(question.given.items()), closed=False)
            assert len(cavalcade.solve(puzzle).tours) == 1
    context.close()
