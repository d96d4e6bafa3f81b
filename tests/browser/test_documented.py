"""The pictures of the studio and of a notebook in the documentation show today's page; see `documented`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import cavalcade
from documented import MOST, ROOT, assert_shown, difference
from visiting import new_context, visiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from running import Studio
    from visiting import Page

pytestmark = pytest.mark.browser
playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install --group browser"
)
image = pytest.importorskip("PIL.Image", reason="Pillow is not installed: pip install 'cavalcade[gif]'")

SCREEN = (1280, 860, "light")
CELL = (900, 580, "light")  # of a notebook


@pytest.fixture
def visit(chromium: Any, studio: Studio) -> Iterator[Callable[..., Page]]:
    with visiting(chromium, SCREEN, f"{studio.address}?token={studio.token}") as opened:
        yield opened


def test_a_tour(visit: Callable[..., Page]) -> None:
    page = found(visit, "8x8")
    assert_shown("studio-tour", page.page.screenshot())


def test_a_tour_in_space(visit: Callable[..., Page]) -> None:
    page = found(visit, "3x6x6")
    page.page.click("#in-space")
    assert_shown("studio-space", page.page.screenshot())


def found(visit: Callable[..., Page], board: str) -> Page:
    """A page with a closed tour of a board."""
    page = visit(f"#ask=closed+tour+of+{board}")
    page.open("ask")
    page.page.click("#ask-tour")
    page.verdict("found")
    page.page.mouse.move(0, 0)
    return page


def test_a_proof(visit: Callable[..., Page]) -> None:
    page = visit("#board=3x8")
    page.open("ask")
    page.page.click("#ask-prove")
    page.page.locator("#part-why:not([hidden]) .story li button").nth(2).click()
    page.page.mouse.move(0, 0)
    assert_shown("studio-why", page.page.screenshot())


def test_a_proof_in_a_notebook(chromium: Any) -> None:
    assert_shown("notebook-proof", shown(chromium, "3x8"))


def test_another_proof_is_noticed(chromium: Any) -> None:
    committed = (ROOT / "docs" / "pictures" / "notebook-proof.png").read_bytes()
    assert difference(committed, shown(chromium, "3x6")) > MOST


def shown(chromium: Any, board: str) -> bytes:
    """What a notebook shows of the proof that a board has no closed tour."""
    page = new_context(chromium, CELL, offline=True).new_page()
    html = cavalcade.prove(board)._repr_html_()
    page.set_content(f"<body style='margin: 1rem; font-family: system-ui, sans-serif'>{html}")
    picture: bytes = page.screenshot()
    page.context.close()
    return picture
