"""The display of answers in a notebook: text, a picture, limits of size, and escaped HTML."""

from __future__ import annotations

import dataclasses
import doctest
import re
import time
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

import numpy as np
import pytest

import cavalcade
from cavalcade.answers.verdict import Undecided
from cavalcade.draw import html
from cavalcade.draw.shapes import Disc, Picture
from cavalcade.draw.svg import svg, written
from cavalcade.explaining.sentences import sentences
from verdicts import proof_of, tour_of

if TYPE_CHECKING:
    from collections.abc import Callable

SVG = "{http://www.w3.org/2000/svg}"
VOID = {"img", "br"}


class Read(HTMLParser):
    """Parse a page: its text, tags and images; assert that every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.tags: set[str] = set()
        self.images: list[dict[str, str | None]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: D102
        self.tags.add(tag)
        if tag == "img":
            self.images.append(dict(attrs))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:  # noqa: D102
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:  # noqa: D102
        self.text += data


def read(thing: object) -> Read:
    text: str = thing._repr_html_()  # type: ignore[attr-defined]
    return Read(text)


def drawn(page: Read, which: int = 0) -> ET.Element:
    """Return a picture of the page as XML."""
    source = page.images[which]["src"]
    assert source is not None
    kind, _, data = source.partition(",")
    assert kind == "data:image/svg+xml"
    return ET.fromstring(unquote(data))  # noqa: S314 - our own


def letters_on(board: str) -> cavalcade.Roesselsprung:
    return cavalcade.Roesselsprung(tour_of(board, open=True), tuple("abcdefghijklmnopqrstuvwxy"))


def solved_of(board: str) -> cavalcade.Solved:
    puzzle = cavalcade.puzzle(board, open=True)
    assert isinstance(puzzle, cavalcade.Puzzle)
    return cavalcade.solve(puzzle)


SHOWN: dict[str, tuple[Callable[[], object], str, bool]] = {
    "found": (lambda: cavalcade.tour("8x8"), "Closed tour of 8x8, found by ", True),
    "fewest": (lambda: cavalcade.tour("5x6", fewest="turns"), "turns", True),
    "impossible": (lambda: cavalcade.tour("3x8"), "There is no closed tour of 3x8.", True),
    "by sat": (lambda: cavalcade.prove("4x4", engine="sat"), "There is no closed tour of 4x4.", False),
    "undecided": (lambda: cavalcade.warnsdorff("5x5", "b5"), "Undecided.", True),
    "tour": (lambda: tour_of("5x5", open=True, start="a1"), "Open tour of 5x5, knight, from a1 to ", True),
    "certificate": (lambda: proof_of("5x5"), "Certificate: no closed tour of 5x5.", True),
    "count": (lambda: cavalcade.count("6x6"), "9,862", False),
    "distribution": (lambda: cavalcade.distribution("6x6", by="slope"), "9,862 tours, by the slope", False),
    "classes": (lambda: cavalcade.classes("6x6"), "1,245 classes of 9,862 tours", False),
    "sequence": (lambda: cavalcade.sequence("3xn", 14), "1,536", False),
    "puzzle": (lambda: cavalcade.puzzle("5x5", open=True), "Open puzzle of 5x5", True),
    "roesselsprung": (lambda: letters_on("5x5"), "Open roesselsprung of 5x5.", True),
    "solved": (lambda: solved_of("5x5"), "The only solution", True),
    "board": (lambda: cavalcade.board("8x8-a1"), "63 cells", True),
    "graph": (lambda: cavalcade.move_graph("5x5"), "25 vertices", True),
    "question": (lambda: cavalcade.Question.of("5x5", open=True, start="a1"), "tour of 5x5 from a1.", True),
}  # fmt: skip


@pytest.mark.parametrize("name", SHOWN)
def test_everything_shows_its_words_and_its_picture(name: str) -> None:
    make, words, pictured = SHOWN[name]
    page = read(make())
    assert words in page.text
    assert page.tags <= {"div", "p", "strong", "img", "ol", "li", "details", "summary", *TABLE}
    assert len(page.images) == pictured
    if pictured:
        picture = drawn(page)
        assert picture.get("role") == "img"
        assert picture.find(f"{SVG}title") is not None
        assert page.images[0]["alt"]


TABLE = {"table", "thead", "tbody", "tr", "th", "td"}


def test_a_proof_shows_its_steps_and_its_picture() -> None:
    verdict, certificate = cavalcade.tour("3x8"), proof_of("3x8")
    page = read(verdict)
    texts = sentences(certificate)
    assert all(sentence in page.text for sentence in texts)
    words = "".join(element.text or "" for element in drawn(page).iter(f"{SVG}text"))
    assert texts[0][:30] not in words  # the picture does not repeat the sentences
    assert "a move that no tour uses" in words  # the legend


@pytest.mark.parametrize("board", ["4x5", "hex:3", "torus:5x5"])
def test_wrong_claims_are_shown_as_wrong(board: str) -> None:
    for right in ("3x8", "5x5", "4x4"):
        wrong = dataclasses.replace(proof_of(right), question=cavalcade.Question.of(board))
        checked = cavalcade.verify(wrong)
        page = read(wrong)
        assert not checked
        assert checked.message in page.text or page.images
    cells = np.random.default_rng(0).permutation(cavalcade.board(board).size).astype(np.int32)
    for closed in (True, False):
        assert read(cavalcade.Tour(cavalcade.board(board), cells, closed)).images
        assert read(cavalcade.Tour(cavalcade.board(board), cells[:0], closed)).images


def test_names_are_escaped(tmp_path: Path) -> None:
    evil = "<script>alert('x')</script>&\"<b>"
    graph = cavalcade.MoveGraph(
        np.array([0, 2, 4, 6], dtype=np.int32), np.array([1, 2, 0, 2, 0, 1], dtype=np.int32),
        (evil, "b", "c"), evil,
    )  # fmt: skip
    for thing in (
        graph,
        cavalcade.tour(graph),
        Undecided(evil, evil),
        cavalcade.tour(graph, start=evil, open=True),
    ):
        page = read(thing)
        assert not page.tags & {"script", "b"}
        assert evil in page.text
        if page.images:
            assert not list(drawn(page).iter("script"))
    star = cavalcade.MoveGraph(
        np.array([0, 3, 4, 5, 6], dtype=np.int32), np.array([1, 2, 3, 0, 0, 0], dtype=np.int32),
        (evil, "b", "c", "d"), evil,
    )  # fmt: skip
    proof = read(cavalcade.tour(star))
    assert evil in proof.text
    assert not proof.tags & {"script", "b"}
    survey = cavalcade.survey("{m}x4 for m in 3..5", tmp_path / "kept")
    assert "<" not in re.sub(r"</?(div|p|table|thead|tbody|tr|th|td)\b[^>]*>", "", survey._repr_html_())


def test_large_objects_are_shown_without_pictures() -> None:
    board = cavalcade.board("1000x1000")
    tour = cavalcade.Tour(board, np.arange(board.size, dtype=np.int32), closed=True)
    certificate = proof_of("101x101")
    number = cavalcade.count("3x10")
    long = type(number)(10**9000, "all", 1, 1, 0.0)
    things = (board, tour, cavalcade.Found(tour, "mine"), cavalcade.Undecided("why", "mine", partial=tour),
              cavalcade.move_graph("40x40"), certificate, cavalcade.Question.of(board), long)  # fmt: skip
    for thing in things:
        began = time.process_time()
        text = thing._repr_html_()
        assert time.process_time() - began < 5  # usually milliseconds
        assert len(text) < 3_000
        assert "left out" in text or "digits" in text
    largest = cavalcade.tour("100x100")
    assert len(largest._repr_html_()) < 400_000


def test_two_pictures_on_a_page_share_no_ids() -> None:
    """Pictures in notebooks are separate images without ids; SVG files have distinct ids."""
    for make, _, _ in SHOWN.values():
        assert ' id="' not in make()._repr_html_()  # type: ignore[attr-defined]
    tours = [tour_of("6x6", seed=seed) for seed in range(3)]
    things = [*tours, tours[:2], [tours[0], tours[2]], cavalcade.board("3x3x3"), cavalcade.board("klein:5x5")]
    pages = [svg(thing) for thing in things] + [svg(tours[0], style="dark"), svg(tours[0], animate=True)]
    ids = [set(re.findall(r'\bid="([^"]+)"', page)) for page in pages]
    assert sum(map(len, ids)) == len(set().union(*ids))


def test_pictures_with_different_shapes_share_no_ids() -> None:
    ids = []
    for radius in (1, 2):
        dot = Picture("dot", "only one", 9, 9, [Disc("dot", 5, 5, radius, "#000000")])
        ids.append(set(re.findall(r'\bid="([^"]+)"', written(dot))))
    assert all(ids)
    assert not ids[0] & ids[1]


def test_a_survey_shows_its_first_rows(tmp_path: Path) -> None:
    survey = cavalcade.survey("{m}x{n} for m in 3..5, n in m..12", tmp_path / "small")
    page = read(survey)
    assert "27 boards" in page.text
    assert re.search(r"\d+ found, \d+ impossible|\d+ impossible, \d+ found", page.text)
    assert "The first 20 rows" in page.text


def test_the_page_about_notebooks_is_current() -> None:
    """The examples of the page run, and it states the limits of the code."""
    page = (Path(__file__).parent.parent / "docs" / "notebooks.md").read_text(encoding="utf-8")
    blocks = "\n".join(re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE))
    assert ("widget(" in blocks) == ("anywidget" in page)
    shown = blocks.replace(
        '>>> board = cavalcade.widget("6x6")\n', ""
    )  # tests/test_widget.py covers the widget
    test = doctest.DocTestParser().get_doctest(shown, {}, "notebooks.md", "docs/notebooks.md", 0)
    assert not doctest.DocTestRunner().run(test).failed
    for limit, what in (
        (html.LIMITS.cells, "cells"),
        (html.LIMITS.vertices, "vertices"),
        (html.LIMITS.digits, "digits"),
    ):
        assert f"{limit:,} {what}" in page
    rows = html.LIMITS.rows
    assert f"after the {html.LIMITS.sentences}th, rows after the {rows}th ({4 * rows}th of" in page


def test_a_console_shows_what_it_has_in_one_line(tmp_path: Path) -> None:
    """Answers without a field per line: the numbers that they are about, and no address of an object."""
    survey = cavalcade.survey("{m}x4 for m in 3..5", tmp_path / "kept")
    assert repr(next(cavalcade.list_tours("6x6")).measure()) == "<Measures of a closed tour of 6x6, 36 moves>"
    assert "7 found" in repr(cavalcade.connected("3x4"))
    assert repr(survey) == f"<Survey: tour, {{m}}x4 for m in 3..5: 3 boards, in {tmp_path / 'kept'}>"
