"""The documentation site in a real browser, on the screens of a phone and of a desktop."""

from __future__ import annotations

import functools
import json
import threading
from contextlib import contextmanager
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from visiting import NARROW, WIDE

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.browser
playwright = pytest.importorskip(
    "playwright.sync_api", reason="Playwright is not installed: pip install --group browser"
)
PATIENCE = 10_000  # ms until a page has its final width, long enough for a busy machine
PARTS = 4  # tests into which the pages are divided, for workers
KINDS = ("404", "index", "ten-minutes", "gallery", "graphs", "reference-behind", "theorems", "surveys")


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that logs nothing."""

    def log_message(self, *_: Any) -> None:
        """Discard the message."""


class Unsearched(Quiet):
    """A server whose search has no entries: indexing the site takes a page as long as loading."""

    def do_GET(self) -> None:
        """Answer a request."""
        if self.path.startswith("/search/search_index"):
            self.send_response(HTTPStatus.OK)
            self.end_headers()
            config = {"lang": ["en"], "separator": " ", "pipeline": [], "fields": {"title": {"boost": 1}}}
            self.wfile.write(json.dumps({"config": config, "docs": []}).encode())
        else:
            super().do_GET()


@contextmanager
def serving(site: Path, handler: type[Quiet]) -> Iterator[str]:
    """Serve the site locally, and yield its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture
def address(site: Path) -> Iterator[str]:
    """Yield the address of the site without entries of its search."""
    with serving(site, Unsearched) as served:
        yield served


def watched(page: Any, address: str) -> list[str]:
    """Return a list that collects the faults of a page: errors, missing files, requests to other hosts."""
    faults: list[str] = []
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("response", lambda response: faults.append(response.url) if response.status >= 400 else None)
    page.on("request", lambda sent: None if sent.url.startswith(address) else faults.append(sent.url))
    return faults


@pytest.mark.parametrize("part", range(PARTS))
def test_no_page_is_too_wide_or_requests_other_hosts(
    chromium: Any, site: Path, address: str, part: int
) -> None:
    """Check the pages on a phone: what fits there fits a wider screen, too."""
    width, height = NARROW
    context = chromium.new_context(color_scheme="dark", viewport={"width": width, "height": height})
    page = context.new_page()
    faults = watched(page, address)
    pages = [page.relative_to(site).with_suffix("") for page in site.rglob("*.html")]
    names = sorted(str(page) for page in pages if page.parts[0] != "play")
    assert len(names) > 20
    for name in names[part::PARTS]:
        page.goto(f"{address}{name}.html")
        try:  # scripts of the page put wide tables into boxes after it is loaded
            page.wait_for_function(f"document.documentElement.scrollWidth <= {width}", timeout=PATIENCE)
        except playwright.TimeoutError:
            faults.append(f"{name} is wider than a screen of {width} pixels")
    context.close()
    assert faults == []


@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize(("size", "scheme"), [(NARROW, "light"), (WIDE, "dark")])
def test_axe_finds_no_serious_fault(
    chromium: Any, address: str, size: tuple[int, int], scheme: str, part: int
) -> None:
    """Check one page of each kind, because all take minutes: in dark colours contrast and width."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    width, height = size
    context = chromium.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    options = {"runOnly": {"type": "rule", "values": ["color-contrast"]}} if scheme == "dark" else None
    faults = []
    for name in KINDS[part::2]:
        page.goto(f"{address}{name}.html")
        page.wait_for_function(f"document.documentElement.scrollWidth <= {width}", timeout=PATIENCE)
        faults += [
            (name, violation["id"], [node["html"][:120] for node in violation["nodes"][:3]])
            for violation in axe.run(page, options=options).response["violations"]
            if violation["impact"] in {"serious", "critical"}
        ]
    context.close()
    assert faults == []


def test_search_works_on_a_server_and_from_disk(chromium: Any, site: Path) -> None:
    with serving(site, Quiet) as address:
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


# Kinds of readers: the link to click on the front page, and text that its page contains.
PEOPLE = {
    "teacher": ("Make puzzles", "cavalcade puzzle 6x6 -o puzzle.html"),
    "puzzle maker": ("Your own board", "cavalcade tour "),
    "contributor to the OEIS": ("Count", "cavalcade count 3xn -o"),
    "combinatorialist": ("counts", "13,267,364,410,532"),
    "user of SAS": ("SAS programs without SAS", "cavalcade reproduce gerlach2015 --sas papers"),
    "programmer": ("any graph", "hamiltonian_cycle("),
    "analyst": ("An hour with pandas, polars and DuckDB", "to_pandas()"),
}


def test_one_click_leads_each_reader_to_their_task(chromium: Any, address: str) -> None:
    context = chromium.new_context()
    page = context.new_page()
    for link, work in PEOPLE.values():
        page.goto(f"{address}index.html", wait_until="commit")
        page.locator(".where").get_by_role("link", name=link, exact=True).last.click()
        page.locator("main", has_text=work).wait_for()  # the page may still be loading
    context.close()


def test_only_commands_are_copied(chromium: Any, address: str) -> None:
    context = chromium.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(f"{address}find.html")
    page.locator("pre:has-text('tour 3x10') button[data-md-type=copy]").click(force=True)
    page.wait_for_selector(".md-dialog--active")
    assert page.evaluate("navigator.clipboard.readText()").strip() == "cavalcade tour 3x10"
    context.close()
