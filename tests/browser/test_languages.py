"""The page in other languages and for both audiences, in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from cavalcade.ground.wording import catalogue
from visiting import NARROW, WIDE, Page

if TYPE_CHECKING:
    from running import Studio

pytestmark = pytest.mark.browser
playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install --group browser"
)


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_the_page_is_german(chromium: Any, studio: Studio, size: tuple[int, int]) -> None:
    """A German browser: every part, a walk that gets stuck, and a proof, without a sentence in English."""
    width, height = size
    context = chromium.new_context(
        viewport={"width": width, "height": height}, locale="de-AT", reduced_motion="reduce"
    )
    page = Page(context, f"{studio.address}?token={studio.token}", "#board=5x5")
    assert page.page.evaluate("document.documentElement.lang") == "de"
    page.verdict("5x5: 25 Felder, 48 Züge.")
    menu = page.page.locator("#piece-name")
    playwright.expect(menu).to_contain_text("Springer 1,2Kamel 1,3Zebra 2,3Giraffe 1,4Antilope 3,4")
    for part in ("board", "ask", "watch", "why", "walk", "save", "learn"):
        page.open(part)
        shown = re.sub(r"http\S+", "", page.page.locator(f"#part-{part}").inner_text())
        assert not re.search(r"\b(the|and|of|is|with|your|each)\b", shown), (part, shown)
        wider = page.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0, f"{part} is {wider} pixels wider than the screen"
    tab = page.page.locator("#tab-learn").bounding_box()
    assert tab["x"] + tab["width"] <= width
    page.open("ask")
    page.page.click("#ask-prove")
    page.page.wait_for_selector("#part-why:not([hidden]) .story li")
    page.verdict("Unmöglich: Es gibt keine geschlossene Tour auf 5x5.")
    page.verdict("denn beide Seiten sind ungerade (Satz von Schwenk).")
    story = page.page.locator(".story")
    playwright.expect(story).to_contain_text("Jeder Zug geht von der einen Farbe zur anderen")
    page.page.check("#exact")
    playwright.expect(page.page.locator("#verdict")).to_contain_text("Mathematics Magazine")
    page.open("walk")
    page.page.click("#walk-restart")
    for name in ("a1", "b3"):
        page.click(name)
    page.verdict("Schritt 2, b3: 5 Züge zur Wahl, 23 Felder noch übrig.")
    assert page.faults == []
    context.close()


def test_language_and_audience_are_kept(chromium: Any, studio: Studio) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    page = Page(context, f"{studio.address}?token={studio.token}", "#board=5x5")
    page.open("ask")
    page.page.select_option("#language", "es")
    page.page.wait_for_selector("[lang=es][data-ready]")
    playwright.expect(page.page.locator("#ask-tour")).to_have_text(catalogue("es")["ask.tour"])
    page.page.check("#exact")
    page.page.reload()
    page.page.wait_for_selector("[lang=es][data-ready]")
    playwright.expect(page.page.locator("#exact")).to_be_checked()
    playwright.expect(page.page.locator("#simple")).not_to_be_checked()
    context.close()
