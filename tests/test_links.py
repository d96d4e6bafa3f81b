"""The documentation: the site has every page, links have targets, and the cited theorems are listed."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from cavalcade.theorems import literature
from cavalcade.theorems.proved_here import THEOREMS

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
DECISIONS = DOCS / "decisions"
RECORDS = sorted(DECISIONS.glob("[0-9]*.md"))
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
GENERATED = {
    "data",
    "ten-cells",
    "code_of_conduct",
    "security",
    "changelog",
    "contributing",
    "reference-functions",
    "reference-classes",
    "reference-behind",
}
CODE = re.compile(r"^( *)```.*?^\1```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(!?)\[[^]]*\]\(([^)\s]+)\)")
IMAGE = re.compile(r'(<)img src="([^"]+)"')


def prose(page: Path) -> str:
    """Return the text of a page without its blocks of code."""
    return CODE.sub("", page.read_text(encoding="utf-8"))


@cache
def anchors(page: Path) -> list[str]:
    """Return the anchors that GitHub gives to the headings; a strict build confirms that the site agrees."""
    names = []
    for heading in re.findall(r"^#{1,6} (.+)$", prose(page), re.MULTILINE):
        words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        names.append(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return names


def test_the_site_has_every_page() -> None:
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    named = re.findall(r"^ +- .*?([\w/-]+)\.md$", nav, re.MULTILINE)
    written = {str(page.relative_to(DOCS).with_suffix("")) for page in DOCS.rglob("*.md")}
    assert sorted(named) == sorted(written | GENERATED)


def test_decision_records_are_numbered_and_listed() -> None:
    table = (DECISIONS / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| \[?(\d{4})\b", table, re.MULTILINE)
    assert listed == [f"{number:04}" for number in range(1, len(listed) + 1)]
    assert {page.stem[:4] for page in RECORDS} <= set(listed)


@pytest.mark.parametrize("page", RECORDS, ids=lambda page: page.stem)
def test_a_decision_record_follows_the_template(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    number = page.stem[:4]
    assert text.startswith(f"# {number}. ")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"]
    assert len(text.splitlines()) <= 60
    assert f"| [{number}]({page.name}) |" in (DECISIONS / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_has_a_target(page: Path) -> None:
    assert len(set(anchors(page))) == len(anchors(page)), "two headings have the same anchor"
    wrong = []
    for picture, target in LINK.findall(prose(page)) + IMAGE.findall(prose(page)):
        if target.startswith("https://"):
            wrong += [target] * bool(picture)
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        if not there.exists() or (anchor and anchor not in anchors(there)):
            wrong.append(target)
    assert wrong == []


def test_the_page_of_theorems_has_all_citations() -> None:
    page = " ".join((DOCS / "theorems.md").read_text(encoding="utf-8").split())
    cited = list(literature.laws().values())
    assert len(cited) > 15
    words = {word for theorem in cited for word in theorem.values()} | {f"`{name}`" for name in THEOREMS}
    assert all(word in page or word[0].upper() + word[1:] in page for word in words)
