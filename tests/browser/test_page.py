"""The studio's page in a real browser: the tests click, drag, type in and read every part of it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zlib
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import cavalcade
from cavalcade.boards.families import FAMILIES
from cavalcade.draw.shapes import Polyline
from cavalcade.draw.tour import tour_picture
from cavalcade.explaining.sentences import sentences
from cavalcade.explaining.wording import nouns_of
from cavalcade.formats import parse
from running import Studio, running, wait_for
from visiting import NARROW, SCREENS, WIDE, Page, on_both_screens, read_code, solved_by_numbers, visiting

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.browser
playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install --group browser"
)
PARTS = ("board", "ask", "watch", "why", "walk", "save", "learn")


@pytest.fixture(params=SCREENS)
def visit(request: pytest.FixtureRequest, chromium: Any, studio: Studio) -> Iterator[Any]:
    with visiting(chromium, request.param, f"{studio.address}?token={studio.token}") as opened:
        yield opened


# ---- the board


def test_every_shape_has_its_fields(visit: Any) -> None:
    page = visit()
    seen = set()
    shapes = page.page.locator("#part-board select").first
    for i in range(shapes.locator("option").count()):
        before = page.mark()
        shapes.select_option(str(i))
        wait_for(lambda before=before, i=i: i == 0 or page.mark() != before)
        board = cavalcade.board(page.mark().partition(" of ")[2])
        page.verdict(f"{board.title}: {board.size} {nouns_of(cavalcade.Question.of(board)).cells}")
        seen.add(board.kind)
    assert seen == set(FAMILIES)
    shapes.select_option("0")
    side = page.page.get_by_label("Side 2")
    side.fill("11")
    side.press("Enter")
    page.verdict("8x11: 88 squares")
    assert page.mark() == "closed tour of 8x11"


def test_text_becomes_a_board_or_is_refused(visit: Any) -> None:
    page = visit()
    text = page.page.locator("#part-board input[type=text]").first
    lost = visit("#board=9y9")
    lost.verdict("is not a board")
    assert "a8" in lost.words()
    for spec, words in (
        ("torus:5x7", "torus:5x7: 35 squares"),
        ("9y9", "is not a board"),
        ("/etc/passwd", "the studio does not read"),
        ("3x4x6-2:a1", "3x4x6-2:a1: 71 cells"),
    ):
        text.fill(spec)
        text.press("Enter")
        page.verdict(words)


@on_both_screens
def test_clicked_cells_are_removed_restored_and_undone(visit: Any) -> None:
    page = visit()
    page.click("a8")
    page.is_word("a8", ", removed")
    page.drag("c3", "d3", "e3")
    page.is_word("e3", ", removed")
    assert page.mark() == "closed tour of 8x8-a8,c3,d3,e3"
    page.click("a8")
    page.is_word("a8", "")
    page.page.click("#undo")
    page.is_word("a8", ", removed")
    page.page.keyboard.press("Control+z")
    page.is_word("e3", "")
    page.page.click("#redo")
    page.is_word("e3", ", removed")
    page.page.keyboard.press("Control+Shift+z")
    page.is_word("a8", "")


def test_a_mask_is_drawn(visit: Any) -> None:
    page = visit()
    page.page.get_by_text("Draw a mask").click()
    page.page.locator("textarea").fill(".....\n.###.\n.....\n.....")
    page.page.get_by_text("Use it").click()
    page.verdict("17 squares")
    assert page.mark() == "closed tour of 4x5-b3,c3,d3"


def test_the_piece_is_chosen_or_its_moves_are_drawn(visit: Any) -> None:
    page = visit("#board=6x6")
    page.page.get_by_label("Name").select_option("camel")
    page.verdict("6x6: 36 squares, 60 moves")
    page.page.get_by_text("Draw its moves").click()
    page.page.locator("[data-vector='0,1']").click()
    piece = page.page.locator("#part-board").get_by_label("As text").nth(1)
    page.verdict("6x6: 36 squares, 90 moves")
    vectors = {(1, 3), (1, -3), (3, 1), (3, -1), (0, 1)}
    drawn = cavalcade.piece(piece.input_value()).moves
    assert set(drawn) == vectors | {(-a, -b) for a, b in vectors}
    piece.fill("1,2+1,1")
    piece.press("Enter")
    page.verdict("6x6: 36 squares, 130 moves")


@on_both_screens
def test_ends_and_moves_are_set_on_the_board_and_in_the_link(visit: Any) -> None:
    page = visit()
    page.tool("start")
    page.click("a1")
    page.is_word("a1", ", start")
    page.tool("end")
    page.click("a2")
    page.is_word("a2", ", end")
    page.tool("with")
    page.drag("c3", "d5")
    playwright.expect(page.page.locator(".chips").get_by_text("with c3-d5")).to_be_visible()
    page.tool("avoid")
    page.click("b6", "c4")
    playwright.expect(page.page.locator(".chips").get_by_text("without b6-c4")).to_be_visible()
    page.drag("f7", "f5")
    page.verdict("f7-f5 is not a move")
    assert page.mark() == "open tour of 8x8 from a1 to a2, with c3-d5, without b6-c4"
    second = visit(page.page.evaluate("() => location.hash"))
    assert second.words() == page.words()
    second.open("ask")
    second.page.click("#ask-tour")
    second.verdict("and checked")
    tour = second.tour()
    moves = {frozenset(move) for move in pairwise(tour)}
    assert cavalcade.check(tour, "8x8", open=True)
    assert (tour[0], tour[-1]) == ("a1", "a2")
    assert frozenset(("c3", "d5")) in moves
    assert frozenset(("b6", "c4")) not in moves
    page.page.get_by_label("Remove: without b6-c4").click()
    playwright.expect(page.page.locator(".chips").get_by_text("without b6-c4")).to_have_count(0)


# ---- ask


def test_tours_are_found(visit: Any) -> None:
    page = visit("#board=6x6")
    page.open("ask")
    page.page.click("#ask-tour")
    page.verdict("A closed tour of 6x6")
    assert cavalcade.check(page.tour(), "6x6")
    page.page.get_by_label("Symmetric under").select_option("half turn")
    page.page.wait_for_function("() => location.hash.includes('half')")
    page.page.click("#ask-tour")
    page.verdict("symmetric under the half turn")
    places = page.tour()
    turned = {"abcdef"[5 - "abcdef".index(name[0])] + str(7 - int(name[1])): name for name in places}
    assert [turned[name] for name in places[:2]] == [places[18], places[19]]
    page.page.get_by_label("open", exact=True).check()
    page.page.wait_for_function("() => location.hash.includes('=open')")


def test_tours_are_counted(visit: Any) -> None:
    page = visit("#board=5x6")
    page.open("ask")
    page.page.click("#ask-count")
    page.verdict("There are exactly 8 tours.")
    assert page.page.locator(".count").inner_text() == "8"


def test_known_numbers_have_their_source(visit: Any) -> None:
    page = visit()
    page.open("ask")
    page.page.click("#ask-count")
    page.verdict("13,267,364,410,532 closed tours: B. D. McKay")


def test_stop_ends_a_count(visit: Any, studio: Studio) -> None:
    page = visit("#board=torus:5x5")
    page.open("ask")
    page.page.click("#ask-count")
    page.page.wait_for_selector("#working:not([hidden])")
    playwright.expect(page.page.locator("#doing")).to_contain_text("s")
    busy = set(studio.workers())
    page.page.click("#stop")
    page.verdict("Stopped")
    wait_for(lambda: not busy <= set(studio.workers()))


def test_closing_the_page_ends_its_question(visit: Any, studio: Studio) -> None:
    page = visit("#board=torus:5x5")
    page.open("ask")
    page.page.click("#ask-count")
    page.page.wait_for_selector("#working:not([hidden])")
    busy = set(studio.workers())
    page.page.close()
    wait_for(lambda: not busy <= set(studio.workers()))


# ---- zoom


def width_of(page: Page, part: str = "#board") -> float:
    """Return the width of a part of the page, in pixels."""
    width: float = page.page.locator(part).bounding_box()["width"]
    return width


def test_a_board_of_a_million_cells_can_be_enlarged(visit: Any) -> None:
    page = visit("#board=1000x1000")
    page.verdict("1,000,000 squares")
    whole, frame = width_of(page), page.page.locator("#frame").bounding_box()
    full_picture = page.picture()
    assert not page.page.locator("#map").is_visible()
    page.page.mouse.move(frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2)
    while (before := width_of(page)) < 40_000:
        page.page.mouse.wheel(0, -600)
        wait_for(lambda before=before: width_of(page) > before)
    assert page.page.locator("#frame").bounding_box() == frame
    assert page.page.evaluate("() => document.querySelector('#ground').width") < 2 * frame["width"] + 1
    enlarged = page.picture()
    overview = page.page.locator("#map").bounding_box()
    page.page.mouse.click(overview["x"] + 0.1 * overview["width"], overview["y"] + 0.9 * overview["height"])
    wait_for(lambda: page.picture() != enlarged)
    place = page.page.evaluate(
        "() => { const it = document.querySelector('#frame'); return [it.scrollLeft / it.scrollWidth,"
        " it.scrollTop / it.scrollHeight]; }"
    )
    assert place == pytest.approx([0.1, 0.9], abs=0.03)
    while page.page.locator("#map").is_visible():
        page.page.click("#zoom-out")
    assert width_of(page) == whole
    assert page.picture() == full_picture


@on_both_screens
def test_clicks_hit_the_right_cell_of_an_enlarged_board(visit: Any) -> None:
    page = visit("#board=20x20")
    page.open("walk")
    size = width_of(page)
    page.page.mouse.move(*page.middle("d4"))
    page.page.mouse.wheel(0, -600)  # the cells are large enough, so the wheel scrolls the page
    page.page.keyboard.down("Control")
    page.page.mouse.move(*page.middle("d4"))
    page.page.mouse.wheel(0, -600)
    page.page.keyboard.up("Control")
    wait_for(lambda: width_of(page) > 2 * size)
    page.click("d4", "e6", "t20", "c4", "g7")
    assert page.tour() == ["d4", "e6", "g7"]
    page.page.click("#zoom-out")
    page.page.click("#zoom-in")
    page.click("f5")
    assert page.tour() == ["d4", "e6", "g7", "f5"]


def test_two_fingers_enlarge_the_board_and_make_no_step(chromium: Any, studio: Studio) -> None:
    with visiting(chromium, (*NARROW, "light"), f"{studio.address}?token={studio.token}") as opened:
        page = opened()
        page.open("walk")
        size, (x, y) = width_of(page), page.middle("e4")
        session = page.page.context.new_cdp_session(page.page)

        def fingers(kind: str, *apart: float) -> None:
            points = [{"x": x + far, "y": y, "id": k} for k, far in enumerate(apart)]
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        fingers("touchStart", -20)
        fingers("touchStart", -20, 20)
        for far in range(20, 70, 5):
            fingers("touchMove", -far, far)
        fingers("touchEnd")
        assert width_of(page) > 2.5 * size
        assert page.tour() == []
        page.page.touchscreen.tap(*page.middle("e4"))
        page.page.touchscreen.tap(*page.middle("f6"))
        wait_for(lambda: page.tour() == ["e4", "f6"])


# ---- watch


def test_a_tour_is_played_and_stepped(chromium: Any, studio: Studio) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    page = Page(context, f"{studio.address}?token={studio.token}", "#board=6x6")
    page.open("ask")
    page.page.click("#ask-tour")
    page.page.wait_for_selector("#play[data-icon=pause]")
    page.page.wait_for_function("() => Number(document.querySelector('#scrub').value) > 2")
    page.page.click("#play")
    playwright.expect(page.page.locator("#play")).to_have_attribute("data-icon", "play")
    page.page.evaluate("() => { const bar = document.querySelector('#scrub'); bar.value = 10;"
                       " bar.dispatchEvent(new Event('input')); }")  # fmt: skip
    assert len(page.tour()) == 10
    page.page.click("#forward")
    assert len(page.tour()) == 11
    page.page.click("#back")
    page.page.click("#back")
    assert len(page.tour()) == 9
    page.page.click("#last")
    assert cavalcade.check(page.tour(), "6x6")
    page.page.click("#first")
    assert len(page.tour()) == 1
    page.page.fill("#pace", "95")
    page.page.click("#play")
    page.page.wait_for_function("() => document.querySelector('#scrub').value === '36'")
    assert page.faults == []
    context.close()


@on_both_screens
def test_styles_look_different_and_a_cell_leads_to_its_step(visit: Any) -> None:
    page = visit("#board=6x6")
    page.open("ask")
    page.page.click("#ask-tour")
    page.verdict("checked")
    page.open("watch")
    pictures = set()
    for style in ("both", "path", "numbers", "colours"):
        page.page.check(f"input[name=style][value={style}]")
        pictures.add(page.picture())
    assert len(pictures) == 4
    tour = page.tour()
    page.click(tour[16])
    assert page.tour() == tour[:17]


def test_warnsdorffs_rule_is_explained(visit: Any) -> None:
    page = visit("#board=6x6&start=a1")
    page.open("watch")
    page.page.get_by_label("Ties").select_option("pohl")
    page.page.click("#walk-rule")
    walk = cavalcade.warnsdorff("6x6", "a1", ties="pohl")
    tour = walk.tour if isinstance(walk, cavalcade.Found) else walk.partial
    assert tour is not None
    status = page.page.locator("#part-watch .status")
    for step in range(5):
        playwright.expect(status).to_contain_text(f"Step {step + 1}, {tour.names[step]}.")
        assert "onward move" in page.words()[tour.names[step + 1]]
        page.page.click("#forward")


# ---- why not


def test_on_a_board_without_a_tour_every_walk_is_lost(visit: Any) -> None:
    page = visit("#board=5x5")
    page.open("walk")
    page.page.get_by_label("After each step, show whether it can be completed").check()
    page.click("a1")
    playwright.expect(page.page.locator("#chances")).to_have_text("Lost since step 1")
    playwright.expect(page.page.locator("#walk-still")).to_contain_text("5x5 has no closed tour")


def test_animated_proofs_end_with_the_still_pictures(chromium: Any, studio: Studio) -> None:
    """Animations of colours, cuts and forced moves end with the pictures shown for reduced motion."""
    follow = (  # the pictures, and how far the top rows of two columns were apart; e4 is in the large part
        "() => { window.seen = new Set(); window.apart = 0; const look = () => {"
        " window.seen.add(['#ground', '#top'].map((id) => document.querySelector(id).toDataURL()).join()"
        " + document.querySelector('.piles').textContent);"
        " const cells = ['e4', 'f4'].map((name) => document.querySelector(`[data-cell='${name}']`));"
        " if (cells.every(Boolean)) { const [large, alone] = cells.map(top);"
        " window.apart = Math.max(window.apart, large - alone); }"
        " requestAnimationFrame(look); };"
        " const top = (one) => { const ground = document.querySelector('#ground');"
        " const [cell, all] = [one, ground].map((item) => item.getBoundingClientRect());"
        " const x = Math.round((cell.left + cell.width / 2 - all.left) * ground.width / all.width);"
        " const { data } = ground.getContext('2d').getImageData(x, 0, 1, ground.height);"
        " return [...Array(ground.height).keys()].find((y) => data[4 * y + 3]); }; look(); }"
    )
    ends = []
    for motion in ("no-preference", "reduce"):
        context = chromium.new_context(viewport={"width": 800, "height": 600}, reduced_motion=motion)
        for board in ("5x5", "4x10", "3x8"):
            page = Page(context, f"{studio.address}?token={studio.token}", f"#board={board}")
            page.open("ask")
            page.page.evaluate(follow)
            page.page.click("#ask-prove")
            page.page.wait_for_selector("#part-why:not([hidden]) .story li")
            page.page.wait_for_timeout(2000)
            if board == "5x5":
                assert page.page.locator(".piles span").all_inner_texts() == ["■ 13", "● 12"]
            if board == "4x10":
                assert (page.page.evaluate("() => window.apart") > 5) == (motion == "no-preference")
            assert (page.page.evaluate("() => window.seen.size") > 8) == (motion == "no-preference")
            page.page.mouse.move(0, 0)
            ends.append(page.picture())
            assert page.faults == []
        context.close()
    assert ends[:3] == ends[3:]


def test_a_proof_is_stepped_forward_and_back(visit: Any) -> None:
    page = visit("#board=3x8")
    page.open("ask")
    page.page.click("#ask-prove")
    page.page.wait_for_selector("#part-why:not([hidden]) .story li")
    verdict = cavalcade.prove("3x8")
    assert isinstance(verdict, cavalcade.Impossible)
    assert verdict.certificate is not None
    page.page.uncheck("#simple")
    shown = [item.strip() for item in page.page.locator(".story li").all_inner_texts()]
    assert shown == sentences(verdict.certificate)
    seen = {page.picture()}
    for k in range(1, len(shown)):
        page.page.click("#why-forward")
        playwright.expect(page.page.locator(".story [aria-current=true]")).to_have_text(shown[k])
        seen.add(page.picture())
    assert len(seen) == len(shown) - 1, "the last sentence highlights nothing new"
    playwright.expect(page.page.locator("#why-forward")).to_be_disabled()
    page.page.click("#why-back")
    playwright.expect(page.page.locator(".story [aria-current=true]")).to_have_text(shown[-2])
    page.verdict("Impossible:")


# ---- walk


def test_a_walk_by_hand(visit: Any) -> None:
    page = visit("#board=5x5&open=1")
    page.open("walk")
    verdict_of_walk = page.page.locator("#walk-still")
    page.click("a1")
    page.is_word("b3", ", adjacent, 5 onward moves")
    page.click("b2")
    playwright.expect(page.page.locator("#bubble")).to_have_text("No move from a1 to b2.")
    page.click("b3", "a5")
    assert page.tour() == ["a1", "b3", "a5"]
    page.page.click("#walk-ask")
    playwright.expect(verdict_of_walk).to_contain_text("Yes")
    page.page.click("#walk-undo")
    assert page.tour() == ["a1", "b3"]
    playwright.expect(page.page.locator(".score")).to_contain_text(
        "2 of 25 squares · 1 hint · 1 step taken back"
    )
    page.page.click("#walk-restart")
    assert page.tour() == []
    page.page.check("text=After each step, show whether")
    page.click("a2")
    playwright.expect(verdict_of_walk).to_contain_text("No: no open tour starts with this walk")
    page.page.get_by_text("Show why not").click()
    playwright.expect(page.page.locator(".story li").first).to_be_visible()
    page.open("walk")
    page.page.click("#walk-restart")
    page.click("a1", "b3")
    page.page.click("#walk-finish")
    page.page.wait_for_selector("#part-watch:not([hidden])")
    page.page.click("#last")
    tour = page.tour()
    assert tour[:2] == ["a1", "b3"]
    assert cavalcade.check(tour, "5x5", open=True)
    page.open("walk")
    page.page.click("#walk-restart")
    page.click(*tour)
    page.verdict("A tour:")


def test_qr_codes_equal_those_of_segno(chromium: Any, studio: Studio) -> None:
    """Codes of every version and mask, filled to the last byte, equal segno's; any text is read back."""
    segno = pytest.importorskip("segno", reason="segno is not installed: pip install 'cavalcade[puzzles]'")
    made = (
        "async (cases) => { const { encode } = await import('./static/uqr.js');"
        " return cases.map(([text, maskPattern = -1]) =>"
        " encode(text, { border: 0, maskPattern }).data.map((row) => row.map(Number))); }"
    )
    with visiting(chromium, (*WIDE, "light"), f"{studio.address}?token={studio.token}") as opened:
        page = opened().page
        # The largest text of each version at level L, in bytes.
        capacities = [
            17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858
        ]  # fmt: skip
        cases = [
            ["".join(chr(33 + (7 * i + size) % 90) for i in range(size)), k % 8]
            for k, size in enumerate(capacities)
        ]
        for (text, mask), rows in zip(cases, page.evaluate(made, cases), strict=True):
            code = segno.make(text, error="l", micro=False, boost_error=False, mask=mask, mode="byte")
            assert rows == [list(row) for row in code.matrix]
        texts = [["é" * size + "/#board=6x6"] for size in range(0, 400, 19)]
        assert [[read_code(rows)] for rows in page.evaluate(made, texts)] == texts


@pytest.mark.parametrize("question", ["open tour of 5x5 from a1", "closed tour of 6x6 from a1"])
def test_a_puzzle_is_solved_by_writing_numbers(visit: Any, question: str) -> None:
    solved_by_numbers(visit, question)


def test_a_puzzle_is_solved(visit: Any) -> None:
    page = visit("#board=5x6")
    page.open("walk")
    page.page.click("#new-puzzle")
    page.verdict("exactly one tour has them")
    board = cavalcade.board("5x6")
    clues = {
        int(word.partition("step ")[2].split(" ")[0]): board.cell(name)
        for name, word in page.words().items()
        if ", step " in word
    }
    solved = cavalcade.solve(cavalcade.Puzzle(board, tuple(clues.items())))
    (solution,) = solved.tours
    page.click(*solution.names[1:])
    page.verdict("The puzzle is solved.")


# ---- in space


@pytest.mark.parametrize(
    "board", ["3x4x6", "2x2x4x4", "cube:3", "torus:6x8", "mobius:3x9", "klein:5x8", "cylinder:4x9"]
)
def test_boards_are_shown_in_space(visit: Any, board: str) -> None:
    page = visit(f"#board={board}")
    page.open("ask")
    page.page.click("#ask-tour")
    page.verdict(board)
    pictures = [page.picture()]
    page.page.click("#in-space")
    pictures.append(page.picture())
    box = page.page.locator("#board").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.page.mouse.move(x, y)
    page.page.mouse.down()
    page.page.mouse.move(x + 60, y + 20, steps=5)
    page.page.mouse.up()
    pictures.append(page.picture())
    page.page.click("#turn-left")
    pictures.append(page.picture())
    if "x4" in board:
        page.page.fill("#slide", "3")
        pictures.append(page.picture())
    assert len(set(pictures)) == len(pictures)


@on_both_screens
def test_a_cell_is_clicked_in_space(visit: Any) -> None:
    page = visit("#board=2x3x4")
    page.page.click("#in-space")
    page.page.fill("#slide", "4")
    page.click("2:a1")
    page.is_word("2:a1", ", removed")


# ---- saving


def test_a_tour_is_printed_in_the_colours_of_its_picture(visit: Any) -> None:
    """The printed page has the lines of Python's picture, one move after the other."""
    page = visit("#ask=closed+tour+of+5x6&tour=a5.hBIaKGAJNZSA7BA.1")
    page.open("watch")
    tour = cavalcade.Tour.from_names(cavalcade.board("5x6"), page.tour(), closed=True)
    shapes = tour_picture(tour, numbers=True).shapes
    moves = [line.stroke for line in shapes if isinstance(line, Polyline) and line.role == "move"]
    streams = re.findall(rb"stream\r?\n(.*?)endstream", page.page.pdf(), re.DOTALL)
    painted = b"".join(zlib.decompressobj().decompress(stream) for stream in streams if stream[:1] == b"x")
    strokes = [
        "#" + "".join(f"{round(255 * float(part)):02x}" for part in colour)
        for colour in re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) RG", painted)
    ]
    assert len(moves) == 30
    assert [colour for colour in strokes if colour in moves][:30] == moves


def test_everything_can_be_saved(visit: Any) -> None:
    def begin() -> Any:
        page = visit("#board=6x6-a1,b1")
        page.open("ask")
        page.page.click("#ask-tour")
        page.verdict("checked")
        page.open("save")
        for summary in page.page.locator("#part-save summary").all():
            summary.click()
        return page

    page = begin()
    tour = page.tour()
    files = [button.get_attribute("data-file") for button in page.page.locator("[data-file]").all()]
    assert len(files) > 10
    for i, name in enumerate(files):
        if i % 8 == 7:  # Chromium allows ten downloads from a page without a prompt
            page = begin()
        with page.page.expect_download() as waiting:
            page.page.click(f'[data-file="{name}"]')
        data = Path(waiting.value.path()).read_bytes()
        assert data
        if name == "tour.csv":
            assert parse(data.decode()).names == tour
        if name == "tour.png":
            assert data.startswith(b"\x89PNG")
    page.page.get_by_label("Copy: Python", exact=True).click()
    copied = page.page.evaluate("() => navigator.clipboard.readText()")
    assert eval(copied, {"cavalcade": cavalcade}).tour.names == tour  # noqa: S307 - our own words
    page.page.get_by_label("Copy: Shell", exact=True).click()
    assert page.page.evaluate("() => navigator.clipboard.readText()") == "cavalcade tour 6x6-a1,b1"
    page.page.get_by_label("Copy: Link").click()
    link = page.page.evaluate("() => navigator.clipboard.readText()")
    assert "#ask=closed+tour+of+6x6-a1,b1&tour=" in link


def test_a_proof_can_be_saved(visit: Any) -> None:
    page = visit("#board=4x4")
    page.open("ask")
    page.page.click("#ask-prove")
    page.page.wait_for_selector("#part-why:not([hidden])")
    page.open("save")
    with page.page.expect_download() as waiting:
        page.page.click("[data-file='certificate.json']")
    assert cavalcade.verify(cavalcade.read_certificate(waiting.value.path()))


# ---- accessibility


@pytest.mark.parametrize(("width", "height"), [WIDE, NARROW])
def test_axe_finds_no_serious_fault(chromium: Any, studio: Studio, width: int, height: int) -> None:
    """Check each part completely in light colours, and on the wide screen its contrast in dark colours."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    context = chromium.new_context(
        viewport={"width": width, "height": height},
        color_scheme="light",
        reduced_motion="reduce",
        bypass_csp=True,
    )
    contrast = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
    serious = []
    for mark, ask in (("#board=3x8", "ask-prove"), ("#board=3x3x4-1:a1&open=1&start=2:a1", "ask-tour")):
        page = Page(context, f"{studio.address}?token={studio.token}", mark)
        page.page.get_by_text("Draw a mask").click()
        page.open("ask")
        page.page.click(f"#{ask}")
        page.page.wait_for_selector("#verdict:not([data-kind=''])")
        if ask == "ask-tour":
            page.page.click("#in-space")
        for part in PARTS:
            page.open(part)
            wider = page.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
            assert wider <= 0, f"{part} is {wider} pixels wider than the screen"
            violations = axe.Axe().run(page.page).response["violations"]
            if (width, height) == WIDE:
                page.page.emulate_media(color_scheme="dark")
                violations += axe.Axe().run(page.page, options=contrast).response["violations"]
                page.page.emulate_media(color_scheme="light")
            serious += [
                (part, mark, violation["id"], [node["html"][:120] for node in violation["nodes"][:3]])
                for violation in violations
                if violation["impact"] in {"serious", "critical"}
            ]
    context.close()
    assert serious == []


@on_both_screens
def test_keys_reach_everything(visit: Any) -> None:
    """Tab reaches every visible field and button; arrow keys move among tabs, choices and cells."""
    page = visit("#board=4x5")
    page.open("ask")
    page.page.click("#ask-tour")
    page.verdict("Impossible")
    reachable = (
        "() => [...document.querySelectorAll('a, button, input, select, textarea, summary, [tabindex]')]"
        ".filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility()"
        " && !(one.type === 'radio' && !one.checked))"
    )
    reached = (
        "() => { delete document.activeElement.dataset.wanted;"
        " return document.querySelectorAll('[data-wanted]').length; }"
    )
    for part in PARTS:
        page.open(part)
        page.page.evaluate("() => document.activeElement.blur()")
        page.page.evaluate(f"() => {{ for (const one of ({reachable})()) one.dataset.wanted = '1'; }}")
        for _ in range(120):
            page.page.keyboard.press("Tab")
            if not page.page.evaluate(reached):
                break
        missed = page.page.evaluate(
            "() => [...document.querySelectorAll('[data-wanted]')].map((one) => one.outerHTML.slice(0, 120))"
        )
        page.page.evaluate(
            "() => document.querySelectorAll('[data-wanted]').forEach((one) => delete one.dataset.wanted)"
        )
        assert missed == [], part


def test_the_keyboard_is_sufficient(visit: Any) -> None:
    page = visit("#board=6x6")
    keys = page.page.keyboard
    page.page.locator("[data-cell=a6]").focus()
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        keys.press(key)
    page.is_word("b5", ", removed")
    keys.press("Control+z")
    page.is_word("b5", "")
    page.page.locator("input[name=tool][value=cells]").focus()
    for _ in range(3):
        keys.press("ArrowDown")
    assert page.page.locator("input[name=tool][value=with]").is_checked()
    page.page.locator("[data-cell=b5]").focus()
    for key in ("Enter", "ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        keys.press(key)
    playwright.expect(page.page.locator(".chips").get_by_text("with b5-d4")).to_be_visible()
    page.page.locator("#tab-board").focus()
    keys.press("ArrowRight")
    page.page.locator("#ask-tour").focus()
    keys.press("Enter")
    page.verdict("with b5-d4")
    tour = page.tour()
    page.page.locator("#scrub").focus()
    keys.press("ArrowLeft")
    assert page.tour() == tour[:-1]
    page.page.locator("#tab-ask").focus()
    for _ in range(3):
        keys.press("ArrowRight")
    page.page.locator("[data-cell=a1]").focus()
    for key in ("Enter", "ArrowRight", "ArrowUp", "ArrowUp", "Space"):
        keys.press(key)
    assert page.tour() == ["a1", "b3"]


@on_both_screens
def test_the_colours_change(visit: Any) -> None:
    page = visit()
    before = page.picture()
    page.page.click("#theme")
    assert page.picture() != before


def test_the_token_stays_with_the_address_and_port(chromium: Any, studio: Studio) -> None:
    """The address loses the token, a reload and another tab work, and no cookie exists."""
    address = f"{studio.address}?token={studio.token}"
    with visiting(chromium, (*WIDE, "light"), address, shared=False) as visit:
        first = visit("#board=5x6").page
        assert studio.token not in first.url
        assert "5x6" in first.url
        first.reload()
        first.wait_for_selector("[data-ready]")
        assert first.locator("[data-cell='a1']").count() == 1
        other = first.context.new_page()
        other.goto(f"{studio.address}#board=3x4&open=1")
        other.wait_for_selector("[data-ready]")
        assert (first.context.cookies(), other.evaluate("() => document.cookie")) == ([], "")
        first.evaluate("() => localStorage.clear()")
        playwright.expect(other.locator("#verdict")).to_contain_text("12 squares")
    with running() as stale, visiting(chromium, (*WIDE, "light"), stale.address, shared=False):
        page = chromium.new_page()
        page.goto(f"{stale.address}?token=from-another-session")
        playwright.expect(page.locator("#verdict")).to_contain_text("the token of this session")
        page.goto(f"{stale.address}?token={stale.token}")
        page.wait_for_selector("[data-ready]")
        page.close()


@pytest.mark.parametrize("word", ["__proto__", "constructor", "toString", "hasOwnProperty"])
def test_names_of_every_object_are_no_words(chromium: Any, studio: Studio, word: str) -> None:
    """Words of an address that JavaScript finds in every object are refused or ignored, without an error."""
    address = f"{studio.address}?token={studio.token}"
    with visiting(chromium, (*WIDE, "light"), address, shared=False) as visit:
        visit(f"#board=5x6&then={word}&part={word}&walk={word}&notes={word}:1&tour={word}").verdict("5x6: 30")
        visit(f"#board=5x6&piece={word}").verdict(word)


def test_large_boards_name_omitted_parts(visit: Any) -> None:
    page = visit("#board=200x200")
    page.verdict("200x200: 40,000 squares")
    page = visit("#board=1000x1000")
    page.verdict("leaves out names and moves")
    page.open("ask")
    page.page.click("#ask-tour")
    page.verdict("A closed tour of 1000x1000")
    playwright.expect(page.page.locator("#step-words")).to_have_text("1,000,000 / 1,000,000")


def test_the_first_page_is_small(chromium: Any, studio: Studio) -> None:
    address = f"{studio.address}?token={studio.token}"
    with visiting(chromium, (*WIDE, "light"), address, shared=False) as visit:  # nothing is in the cache
        page = visit()
        entries = json.loads(
            page.page.evaluate("() => JSON.stringify(performance.getEntriesByType('resource'))")
        )
        assert sum(entry["transferSize"] for entry in entries) < 300_000
        hosts = {entry["name"].split("/")[2] for entry in entries}
        assert hosts == {page.page.url.split("/")[2]}


def test_the_types_of_the_page_are_correct(tmp_path: Path) -> None:
    """TypeScript checks the types in the comments of the plain JavaScript modules."""
    if shutil.which("npx") is None:
        pytest.skip("Node is not installed, so that the types of the page are not checked")
    static = Path(cavalcade.__file__).parent / "studio" / "static"
    options = {"allowJs": True, "checkJs": True, "noEmit": True, "strict": True, "target": "es2022"}
    module_options = {"module": "es2022", "moduleResolution": "bundler", "types": []}
    lib = ["es2022", "dom", "dom.iterable", "dom.asynciterable"]
    config = {"compilerOptions": {**options, **module_options, "lib": lib}, "include": [f"{static}/*.js"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(config))
    command = ["npx", "--yes", "--package", "typescript@5.9", "tsc", "-p", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and "error TS" not in done.stdout:
        pytest.skip(f"TypeScript cannot be had: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stdout
