"""The documentation site in a real browser: every page, as a phone and as a desk shows it."""

from __future__ import annotations

import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.browser
KINDS = ("404", "index", "ten-minutes", "gallery", "graphs", "reference-behind", "theorems", "surveys")


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that logs nothing."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """Where a server of this machine has the site."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def watched(page: Any, address: str) -> list[str]:
    """What goes wrong on a page: errors, files that are missing, requests to elsewhere."""
    faults: list[str] = []
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("response", lambda one: faults.append(one.url) if one.status >= 400 else None)
    page.on("request", lambda one: None if one.url.startswith(address) else faults.append(one.url))
    return faults


@pytest.mark.parametrize(("width", "height", "scheme"), [(390, 844, "light"), (1280, 900, "dark")])
def test_no_page_is_wider_than_the_screen_or_asks_elsewhere(
    chromium: Any, site: Path, address: str, width: int, height: int, scheme: str
) -> None:
    context = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    faults = watched(page, address)
    pages = [page.relative_to(site).with_suffix("") for page in site.rglob("*.html")]
    names = sorted(str(page) for page in pages if page.parts[0] != "play")
    assert len(names) > 30
    for name in names:
        page.goto(f"{address}{name}.html")
        if page.evaluate("document.documentElement.scrollWidth") > width:
            faults.append(f"{name} is wider than the screen")
    context.close()
    assert faults == []


@pytest.mark.parametrize(("width", "height", "scheme"), [(390, 844, "light"), (1280, 900, "dark")])
def test_axe_finds_no_serious_fault(
    chromium: Any, address: str, width: int, height: int, scheme: str
) -> None:
    """On a page of each kind: on all of them it takes minutes."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    context = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    found = []
    for name in KINDS:
        page.goto(f"{address}{name}.html")
        found += [
            (name, one["id"], [node["html"][:120] for node in one["nodes"][:3]])
            for one in axe.run(page).response["violations"]
            if one["impact"] in {"serious", "critical"}
        ]
    context.close()
    assert found == []


def test_it_can_be_searched_from_the_disk_too(chromium: Any, site: Path, address: str) -> None:
    for place in (address, f"{site.as_uri()}/"):
        context = chromium.new_context()
        page = context.new_page()
        faults = watched(page, place)
        page.goto(f"{place}index.html")
        page.click("input[name=query]")
        page.keyboard.type("rösselsprung")
        page.locator(".md-search-result__link[href*='puzzles.html']").first.click()
        page.wait_for_url("**/puzzles.html*")
        assert page.locator("h1").inner_text().startswith("Make puzzles")
        assert faults == []
        context.close()


# seven people, each with what to click on the front page and what is there to do
PEOPLE = {
    "teacher": ("Make puzzles", "cavalcade puzzle 6x6 -o puzzle.html"),
    "puzzle maker": ("Your own board", "cavalcade tour "),
    "contributor to the OEIS": ("Count", "cavalcade oeis 3xn"),
    "combinatorialist": ("counts", "13,267,364,410,532"),
    "user of SAS": ("their programs in SAS", "cavalcade reproduce all --sas programs"),
    "programmer": ("any graph", "hamiltonian_cycle("),
    "analyst": ("An hour with pandas, polars and DuckDB", "to_pandas()"),
}


def test_seven_people_are_at_work_after_a_click(chromium: Any, address: str) -> None:
    page = chromium.new_context().new_page()
    for link, work in PEOPLE.values():
        page.goto(f"{address}index.html", wait_until="commit")
        page.locator(".where").get_by_role("link", name=link, exact=True).last.click()
        page.locator("main", has_text=work).wait_for()  # a page that is still read says nothing yet


def test_copied_are_the_commands_alone(chromium: Any, address: str) -> None:
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{address}find.html")
    page.locator("pre:has-text('tour 3x10') button[data-md-type=copy]").click(force=True)
    page.wait_for_selector(".md-dialog--active")
    assert page.evaluate("navigator.clipboard.readText()").strip() == "cavalcade tour 3x10"
    context.close()
