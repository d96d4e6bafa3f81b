"""The papers: the outcome of every item, the printed tables, the solutions for stacks of boards."""

from __future__ import annotations

import json
import math
import re
import shlex
import subprocess
import sys
from collections import Counter
from datetime import date
from functools import cache
from html import unescape
from html.parser import HTMLParser
from itertools import chain, combinations, islice, permutations, product
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from cavalcade import papers
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found
from cavalcade.ask.portfolio import tour
from cavalcade.boards import Board
from cavalcade.checking.tours import check
from cavalcade.cli.schemas import schema_of
from cavalcade.construction.glue import glue
from cavalcade.ground import __version__
from cavalcade.ground.budget import guard, seconds_left
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.ground.kernels import Tier
from cavalcade.papers import demaio2020, gerlach2015, gerlach2019, items, recompute, solution3, stacks, tables
from cavalcade.papers.items import SAME, Item, entries, paper_data
from cavalcade.papers.recompute import find_items, output, recomputed_item
from cavalcade.papers.report import Report, alone
from cavalcade.question.moves import move_graph
from cavalcade.question.pieces import KNIGHT
from examples import timeless
from test_schemas import errors

if TYPE_CHECKING:
    from collections.abc import Callable

    from cavalcade.papers.items import ItemEntry
    from conftest import Ran

DOCS = Path(__file__).parent.parent / "docs"

OUTCOMES = {
    "gerlach2015": {
        "Avoiding dead ends": "yes",
        "Numerous solutions": "yes",
        "What is said of SAS itself": "skipped",
        "Example board of the introduction": "lost",
        "The variables S11 to S88 and the board": "yes",
        "%ShowBoard, title=": "slip",
        "Names of the squares": "yes",
        "Moves of a8": "yes",
        "Moves of c6": "no",
        "Example of b7": "yes",
        "KNIGHTMOVES": "lost",
        "KNIGHTMOVES, symmetric, from 2 to 8": "yes",
        "MOVES, not maintained": "yes",
        "MOVES before the move a8 to c7": "yes",
        "BOARD, a8 to c7": "yes",
        "MOVES after the move a8 to c7": "yes",
        "Tour from each square, first minimum": "yes",
        "Tour from each square, last minimum": "yes",
        "Making a wrong turn, first minimum": "yes",
        "Making a wrong turn, last minimum": "yes",
        "Where the last minimum's board begins": "no",
        "Where the tour from g6 ends": "no",
        "Where the wrong turn was": "yes",
        "The two sets of failures": "yes",
        "RESOLVED and SOLVED": "slip",
        "The comma in symput": "unclear",
        "%if %solved.": "unclear",
        "&run": "unclear",
        "STEP1 and STEP2": "yes",
        "Array script out of range": "unclear",
        "A tour from every square, by either rule": "yes",
        "Every square, with minor tweaking": "no",
        **{f"Appendix A, tour {number}": "yes" for number in range(1, 11)},
    },
    "gerlach2019": {
        "An isomorphism": "yes",
        "A bona fide tour": "yes",
        "Table 1": "yes",
        "Positions d5 and a8": "yes",
        "64 tours of one board": "no",
        "START and END": "yes",
        "Table 2": "yes",
        "Table 2, what the text says of it": "yes",
        "%nxtcoord, where its step ends": "no",
        "The glue needs a closed tour": "yes",
        "Table 5, what the text says of it": "yes",
        "Table 9, symmetric": "yes",
        "Point 1, the steps": "yes",
        "Points 2 and 5, one board or two": "yes",
        "Points 4 and 6, the same-named square": "yes",
        "The four mistakes of the program": "answered",
        "The program without its mistakes": "answered",
        "No jump from board 1 to board 4": "yes",
        "Table 3": "yes",
        "Solution #1, any number of boards from a8": "yes",
        "Solution #1, any number from any square": "no",
        "Table 4, closed tour": "yes",
        "Table 4, open tour": "yes",
        "Table 5": "yes",
        "INCR1 and INCR2 of Table 5": "no",
        "Table 6, board 1": "yes",
        "Table 6, example 1": "yes",
        "Table 6, example 2": "no",
        "Table 6, example 3": "yes",
        "Any position as the pivot": "yes",
        "%glue, its last statement": "slip",
        "Table 7": "yes",
        "Solution #2, any closed tour, any boards": "yes",
        "Table 8, 1:a8": "yes",
        "Table 8, 2:d5": "yes",
        "Table 8, 3:b3": "no",
        "Table 9": "yes",
        "Moves on three boards, from 6 to 16": "yes",
        "Table 10, successful tour": "no",
        "Table 10, successful tour, move by move": "refuted",
        "Table 10, failed tour": "fitted",
        "Table 10, failed tour, move by move": "refuted",
        "Table 10, where the failed tour stops": "yes",
        "Table 11": "no",
        "Table 11 and the printed program": "no",
        "Table 12": "fitted",
        "Table 12, move by move": "verified",
        "Table 12, what the text says of it": "yes",
        "Steps that are not moves": "no",
        "Three boards, the paper's program": "answered",
        "Three boards, the rule, Table 9": "answered",
        "Four boards, the paper's program": "no",
        "Four boards, the rule, program's table": "answered",
        "Four boards, the rule, true degrees": "answered",
        "Five and six boards": "yes",
        "Seven to twelve boards": "yes",
        "Appendix A": "yes",
        "Appendix B, tour 1": "yes",
        "Appendix B, tour 2": "yes",
        "Appendix C, Solution #1": "yes",
        "Appendix C, Solution #2": "yes",
        "Appendix D, first tour": "fitted",
        "Appendix D, first tour, move by move": "refuted",
        "Appendix D, second tour": "fitted",
        "Appendix D, second tour, move by move": "verified",
        "Captions of Appendices C and D": "no",
        "Names of the variables": "no",
        "%gen_vars": "yes",
        "%Show_Boards": "yes",
    },
}
#: Verdicts on claims as meant, where the verdict as printed does not imply them.
MEANT = {
    "gerlach2015": {
        "Moves of c6": "yes",
        "Where the last minimum's board begins": "yes",
        "The comma in symput": "yes",
        "%if %solved.": "yes",
        "Every square, with minor tweaking": "yes",
    },
    "gerlach2019": {
        "64 tours of one board": "yes",
        "Solution #1, any number from any square": "yes",
        "INCR1 and INCR2 of Table 5": "yes",
        "Table 6, example 2": "yes",
        "Table 8, 3:b3": "yes",
        "Table 10, successful tour": "open",
        "Table 10, successful tour, move by move": "yes",
        "Table 10, failed tour": "open",
        "Table 10, failed tour, move by move": "no",
        "Table 11": "yes",
        "Table 12": "open",
        "Four boards, the paper's program": "open",
        "Names of the variables": "yes",
        "Five and six boards": "yes",
        "Seven to twelve boards": "yes",
        "Appendix D, first tour": "open",
        "Appendix D, first tour, move by move": "no",
        "Appendix D, second tour": "yes",
        "Captions of Appendices C and D": "yes",
    },
}
# Functions of the reports that read no printed table: computed once for all damaged tables.
UNPRINTED = {
    (module, name): cache(getattr(module, name))
    for module, names in (
        (gerlach2015, ("greedy_lengths", "all_squares", "by_either", "dead_ends", "wrong_turns")),
        (gerlach2019, ("pivots",)),
    )
    for name in names
}
SECTIONS = [(paper, name) for paper in OUTCOMES for name in tables.printed(paper)]
NAMING_STACKS = {"Five and six boards", "Seven to twelve boards"}


def shorten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cache the functions of `UNPRINTED`, and walk only the stacks of 5 and 7 boards, not 5 to 12."""
    whole = gerlach2019.more  # higher stacks take most of the time
    monkeypatch.setattr(gerlach2019, "more", lambda least, _: whole(least, least))
    for (module, name), cached in UNPRINTED.items():
        monkeypatch.setattr(module, name, cached)


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        shorten(monkeypatch)
        return {paper: papers.reproduce(paper) for paper in papers.PAPERS}


# ---- the reports


@pytest.mark.parametrize("paper", OUTCOMES)
def test_every_item_has_its_known_outcome(paper: str, reports: dict[str, Report]) -> None:
    items_ = reports[paper].items
    assert {item.name: item.outcome for item in items_} == OUTCOMES[paper]
    assert {item.name: item.meant for item in items_ if item.judged} == MEANT[paper]
    assert all(item.meant in items.MEANT for item in items_)


@pytest.mark.parametrize("paper", OUTCOMES)
def test_a_report_fits_a_screen(paper: str, reports: dict[str, Report]) -> None:
    """Every item has one entry on a page of at most 45 lines, with both verdicts."""
    page = reports[paper].overview()
    assert len(page.splitlines()) <= 45
    assert max(map(len, page.splitlines())) <= 100
    for item in reports[paper].items:
        assert f"{item.outcome:<9}{item.meant:<5}{item.name[:34].rstrip()}" in page
    assert sum(reports[paper].meant.values()) == len(reports[paper].items)
    narrow = reports[paper].overview(60).splitlines()
    assert len(narrow) <= 50
    assert max(map(len, narrow)) <= 60


def test_items_are_found_by_any_part_of_their_names() -> None:
    def names(text: str, *searched: str) -> list[str]:
        return [entry["name"] for _, entry in find_items(searched or tuple(papers.PAPERS), text)]

    assert len(names("table 10", "gerlach2019")) == 5
    assert names("TABLE 1", "gerlach2019") == ["Table 1"]  # neither Table 10 nor Table 12
    assert names("table 1", "demaio2020") == [
        "Table 1, Problem Summary",
        "Table 1, Solution Summary",
        "Table 1, the tour",
    ]
    assert names("onjectur") == ["The conjecture"]


def test_the_list_names_every_item(cli: Callable[..., Ran]) -> None:
    listed = cli("reproduce", "--list").out
    assert all(f"    {entry['name']}: cavalcade " in listed for _, entry in ITEMS)
    assert cli("reproduce", "demaio2020", "--list").out in listed


@pytest.mark.slow
@pytest.mark.parametrize("paper", OUTCOMES)
def test_the_whole_reports(paper: str, reports: dict[str, Report]) -> None:
    """Without caches and with all stacks, a report differs only in the stacks that it names."""
    whole = papers.reproduce(paper)
    assert {item.name: item.outcome for item in whole.items} == OUTCOMES[paper]
    for short, full in zip(reports[paper].items, whole.items, strict=True):
        same = (short.name, short.printed, short.recomputed) == (full.name, full.printed, full.recomputed)
        assert same != (short.name in NAMING_STACKS)
        assert short.name not in NAMING_STACKS or full.recomputed.startswith(short.recomputed)


@pytest.mark.parametrize("paper", OUTCOMES)
def test_deviations_have_a_reason(paper: str, reports: dict[str, Report]) -> None:
    assert all(item.why for item in reports[paper].items if item.outcome not in {"yes", "verified"})


def damage(text: str, section: str) -> str:
    """Return the text of a data file with the last word of a section changed."""
    head, name, rest = text.partition(f"[{section}]\n")
    body, gap, tail = rest.rstrip("\n").partition("\n\n[")
    last = body.split()[-1]
    replacement = {"?": "99", ".": "9", "h1": "a1", "e4": "h8", "3:d4": "3:d5"}.get(last) or str(
        int(last) + 1
    )
    if section == "knightmoves":
        replacement = "5"
    return head + name + body[: -len(last)] + replacement + gap + tail + "\n"


@pytest.mark.parametrize(("paper", "section"), SECTIONS)
def test_a_damaged_table_is_detected(
    paper: str, section: str, reports: dict[str, Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {name: items.data(name) for name in (f"{paper}.txt", "corrections.txt")}
    texts[f"{paper}.txt"] = damage(texts[f"{paper}.txt"], section)
    monkeypatch.setattr(tables, "data", texts.__getitem__)
    shorten(monkeypatch)
    after = papers.reproduce(paper)
    changed = [
        (old, new)
        for old, new in zip(reports[paper].items, after.items, strict=True)
        if (old.outcome, old.printed, old.recomputed) != (new.outcome, new.printed, new.recomputed)
    ]
    assert changed
    if section != "table 3":  # this table also holds from another start
        assert {"no", "refuted", "answered"} & {new.outcome for _, new in changed}


@pytest.mark.parametrize("paper", OUTCOMES)
def test_reports_are_rendered_completely(paper: str, reports: dict[str, Report]) -> None:
    report = reports[paper]
    text, markdown, page = (report.render(form) for form in ("text", "markdown", "html"))
    for item in report.items:
        assert f"[{item.verdicts}] {item.name}, {item.place}\n" in text
        assert f"### {item.name}: {item.verdicts}\n" in markdown
    assert [line[3:] for line in markdown.splitlines() if line.startswith("## ")][:-1] == list(
        report.sections
    )
    assert "" not in report.sections
    assert len(report.slips) == len([line for line in markdown.splitlines() if line.startswith("- (")])
    assert not list(errors(json.loads(report.render("json")), schema_of("reproduce")))
    reader = Tags()
    reader.feed(page)
    assert not reader.open
    assert not reader.nested
    assert reader.twice == []
    assert reader.seen["article"] == len(report.items)
    assert reader.seen["figure"] == sum(len(item.figures) for item in report.items) > 10
    assert reader.links <= reader.targets
    assert {f"item-{k}" for k in range(1, len(report.items) + 1)} <= reader.links
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "src=" not in page
    assert "`" not in re.sub("<pre.*?</pre>", "", page, flags=re.DOTALL)
    assert report.made.startswith(f"Made by cavalcade {__version__} on 20")
    assert all(digest[:16] in page and len(digest) == 64 for digest in report.digests.values())
    for verdict in report.outcomes:  # the summary of each verdict links to its items
        listed = page[page.index(f'<dt><span class="mark {verdict}"') :]
        names = re.findall(r'<a href="#item-\d+">(.*?)</a>', listed[: listed.index("</dd>")])
        assert [unescape(name) for name in names] == [
            item.name for item in report.items if item.outcome == verdict
        ]


@pytest.mark.parametrize("width", [40, 72, 100])
def test_texts_have_the_requested_width(width: int, reports: dict[str, Report]) -> None:
    """Commands, which readers copy, and their output may be wider."""
    for report in reports.values():
        outputs = {line.rstrip() for item in report.items for line in item.output.splitlines()}
        for line in report.render("text", width).splitlines():
            assert len(line) <= width or "cavalcade" in line or line[8:] in outputs or " " not in line[16:]


ITEMS = [(paper, entry) for paper in papers.PAPERS for entry in entries(paper).values()]


@pytest.mark.parametrize(
    ("paper", "entry"), ITEMS, ids=[f"{paper}: {entry['name']}" for paper, entry in ITEMS]
)
def test_the_command_of_an_item_prints_its_output(
    paper: str,
    entry: ItemEntry,
    reports: dict[str, Report],
    cli: Callable[..., Ran],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The command prints the lines that the item shows, or the item itself."""
    item = reports[paper][entry["name"]]
    monkeypatch.chdir(tmp_path)
    shorten(monkeypatch)
    ran = [cli(*shlex.split(line)[1:]) for line in item.command.splitlines()]
    assert item.command.startswith("cavalcade ")
    if "command" not in entry:
        (result,) = ran
        assert (result.code, result.out, result.err) == (0, alone(item), "")
        return
    lines = [line for result in ran for part in result[1:] for line in part.splitlines()]
    assert sorted(item.output.splitlines()) == sorted(
        line for line in lines if re.search(entry.get("shows", ""), line)
    )
    assert item.output
    if item.shown:  # the output contains the numbers of the table, with its corrections
        numbers = re.findall(r"\d+", "\n".join(lines))
        for figure in item.figures[:1]:
            words = enumerate(chain.from_iterable(figure.rows))
            shown = [figure.corrected.get(k, word) for k, word in words]
            assert not Counter(word for word in shown if word.isdigit()) - Counter(numbers)


def test_an_item_with_other_output_is_not_confirmed() -> None:
    entry = next(entry for paper, entry in ITEMS if entry["name"] == "Table 7")
    assert recomputed_item("gerlach2019", entry).outcome == "yes"
    assert recomputed_item("gerlach2019", {**entry, "expect": ["INCR1 6"]}).outcome == "no"
    with pytest.raises(FormatError, match="128 numbers, expected 192"):
        recomputed_item("gerlach2019", {**entry, "table": "appendix c 1"})


def test_all_pages_and_the_story_go_into_a_folder(
    cli: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shorten(monkeypatch)
    assert cli("reproduce", "all", "-o", tmp_path / "papers") == (0, "", "")
    pages = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "papers").glob("*.html")}
    assert set(pages) == {"story.html", *(f"{paper}.html" for paper in papers.PAPERS)}
    reader = Tags()
    reader.feed(pages["story.html"])
    assert not reader.open
    pictures = re.findall('<img src="(.*?)"', pages["story.html"])
    assert len(pictures) == 7
    assert all((tmp_path / "papers" / picture).exists() for picture in pictures)
    assert all(f'href="{paper}.html"' in pages["story.html"] for paper in papers.PAPERS)


def test_the_story_on_the_site_is_current(cli: Callable[..., Ran], tmp_path: Path) -> None:
    wheel = (DOCS.parent / "pyproject.toml").read_text(encoding="utf-8")
    assert '"docs/story.md" = "cavalcade/docs/story.md"' in wheel
    page = tmp_path / "story.md"
    assert cli("reproduce", "story", "-o", page) == (0, "", "")
    assert timeless(page.read_text(encoding="utf-8")) == timeless(
        (DOCS / "story.md").read_text(encoding="utf-8")
    )
    for picture in (tmp_path / "pictures").iterdir():
        assert picture.read_bytes() == (DOCS / "pictures" / picture.name).read_bytes()


VOID = {"meta", "img"}
BLOCKS = {"div", "p", "ul", "table", "figure", "details", "section", "article", "h2", "h3", "svg"}
WORDS = {
    "p",
    "h1",
    "h2",
    "h3",
    "span",
    "a",
    "summary",
    "b",
    "s",
    "ins",
    "figcaption",
}  # elements that cannot contain a block


class Tags(HTMLParser):
    """Collect the tags of a page: unclosed tags, blocks inside inline elements, duplicate ids, links."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: Counter[str] = Counter()
        self.links: set[str | None] = set()
        self.targets: set[str | None] = set()
        self.nested: list[str] = []
        self.twice: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an opening tag, its link and its id."""
        self.seen[tag] += 1
        attributes = dict(attrs)
        if tag == "a":
            self.links.add((attributes["href"] or "")[1:])
        if "id" in attributes:
            self.twice += [str(attributes["id"])] if attributes["id"] in self.targets else []
            self.targets.add(attributes["id"])
        if tag in BLOCKS and set(self.open) & WORDS:
            self.nested.append(f"{tag} in {self.open}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a tag that closes itself, as in SVG."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the tag that was opened last."""
        assert self.open.pop() == tag


def test_errors_about_names_list_the_valid_names() -> None:
    with pytest.raises(CavalcadeError, match="'gerlach1999', expected one of gerlach2015, gerlach2019"):
        papers.reproduce("gerlach1999")
    with pytest.raises(CavalcadeError, match="'pdf', expected one of text, markdown, html, json"):
        empty({}).render("pdf")
    with pytest.raises(CavalcadeError, match="'maybe' is not an outcome"):
        Item("maybe")
    assert set().union(*(items.values() for items in OUTCOMES.values())) == set(SAME)
    with pytest.raises(CavalcadeError, match="no item 'Tabel 12', expected one of 69 such as Table 12"):
        find_items(["gerlach2019"], "Tabel 12")


def empty(sections: dict[str, list[Item]]) -> Report:
    """Return a report that contains only these items."""
    return Report("demaio2020", "none", sections, (), "", [], {}, date(2026, 11, 23), 0.0)


def test_the_list_of_papers_costs_nothing() -> None:
    code = "import sys, cavalcade.papers as p; print(len(p.PAPERS), 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "3 False\n"


#: Quotations from the papers in the items that judge them.
QUOTES = {
    ("gerlach2015", "The two sets of failures"): "mutually exclusive",
    ("gerlach2015", "MOVES, not maintained"): "would fail to find any solution",
    ("gerlach2019", "Solution #1, any number of boards from a8"): "can proceed ad infinitum",
    ("gerlach2019", "Solution #1, any number from any square"): "the first tour can begin at any position",
    ("gerlach2019", "Four boards, the paper's program"): "38 tours of 256, 46.9 %",
    ("gerlach2019", "Five and six boards"): "the rule holds: Yes, it does",
    ("gerlach2019", "Seven to twelve boards"): "More than six? Probably",
}


@pytest.mark.parametrize(("paper", "name"), QUOTES)
def test_the_items_quote_the_papers(paper: str, name: str, reports: dict[str, Report]) -> None:
    assert reports[paper][name].printed == QUOTES[paper, name]


def test_the_success_rate_of_four_boards_is_left_open(reports: dict[str, Report]) -> None:
    """46.9 % contradicts 38 of 256 and fits two counts; the reconstruction cannot choose one."""
    assert [(n, cells) for cells in (192, 256) for n in range(cells) if 46.85 <= 100 * n / cells < 46.95] == [
        (90, 192),
        (120, 256),
    ]
    item = reports["gerlach2019"]["Four boards, the paper's program"]
    assert "46.9 % is 90 of 192 (46.875 %) or 120 of 256 (46.875 %)" in item.recomputed
    assert "2 regular programs give the three printed walks" in item.recomputed
    assert "38 squares (17 of them with tours) and 42 squares (19 of them with tours)" in item.recomputed
    three = reports["gerlach2019"]["Three boards, the paper's program"]
    assert "16 regular programs give the two printed walks" in three.recomputed
    assert "from 125 to 145 of 192 squares, 73 to 89 of them with tours" in three.recomputed
    assert "131 squares, 82 of them with tours" in three.why
    slips = {slip.cell: slip.wanted for slip in reports["gerlach2019"].slips}
    assert slips["success rate"] == "-"
    assert slips["where the first tour can begin"] == "at 48 of the 64"


def test_walks_of_the_fitted_program_are_no_independent_check(reports: dict[str, Report]) -> None:
    items = [item for item in reports["gerlach2019"].items if "no independent check" in item.why]
    assert len(items) == len(PRINTED_WALKS)
    assert all("--as-printed" in item.command for item in items)
    steps = sum(tables.printed("gerlach2019")[name].numbers.max() - 1 for name in PRINTED_WALKS)
    assert all(f"{steps:,} steps" in item.why for item in items)


# ---- the printed tables


def test_the_parser_refuses_malformed_data_files() -> None:
    with pytest.raises(FormatError, match="'a' occurs twice"):
        tables.parse("[a]\n1 2\n[a]\n1 2\n")
    with pytest.raises(FormatError, match="no section"):
        tables.parse("1 2 3\n")
    table = tables.parse("# note\n[a]\n# where\n1 ?\n. 2\n\n3 4\n5 6\n")["a"]
    assert table.source == "where"
    assert table.numbers.tolist() == [[[1, -1], [0, 2]], [[3, 4], [5, 6]]]
    with pytest.raises(FormatError, match="cannot be compared"):
        tables.differences(table.numbers, table.numbers[0])


def test_corrections_quote_the_printed_numbers() -> None:
    """A correction of a square names a section, quotes the printed number, and changes it."""
    checked = 0
    for paper in OUTCOMES:
        printed = tables.printed(paper)
        for correction in tables.corrections(paper):
            assert correction.whose in {"author", "scan", "either"}
            assert correction.why
            table = printed.get(correction.item)
            if table and correction.printed.isdigit() and correction.item != "table 8":
                assert table.numbers.flat[table.board.cell(correction.cell)] == int(correction.printed)
                assert correction.wanted != correction.printed
                checked += 1
    assert checked == 14


def test_lost_numbers_are_counted_as_the_sections_say() -> None:
    lost = 0
    for name, table in tables.printed("gerlach2015").items():
        if name.startswith("appendix a"):
            missing = int(np.count_nonzero(table.numbers == tables.LOST))
            legible = f"{64 - missing} of 64 numbers are legible" if missing else "all 64 numbers are legible"
            assert legible in table.source
            lost += missing
    assert lost == 10


def test_the_pasted_row_of_table_10_can_be_filled_in_one_way() -> None:
    printed = tables.printed("gerlach2019")
    table = printed["table 10 successful"]
    assert table.numbers[0, 7].tolist() == printed["table 2"].numbers[0, 7].tolist()
    corrected = tables.mended(table)
    assert tables.is_tour(corrected)
    graph = move_graph(table.board)
    cell_of = {int(step): cell for cell, step in enumerate(corrected.ravel())}
    row = corrected[0, 7].tolist()
    candidates = {
        step: {
            56 + c
            for c in range(8)
            if all(56 + c in graph.neighbours(cell_of[s]) for s in (step - 1, step + 1))
        }
        for step in row
    }
    ways = [
        cells
        for cells in permutations(range(56, 64))
        if all(c in candidates[s] for s, c in zip(row, cells, strict=True))
    ]
    assert ways == [tuple(range(56, 64))]


def test_all_faults_are_named() -> None:
    steps = stacks.solution1(1).tour().numbering[0].astype(np.int64)
    assert list(tables.faults(steps)) == []
    assert tables.parities(steps) == []
    steps[0, 0], steps[0, 1] = 0, 7
    assert list(tables.faults(steps)) == [
        "1 squares are empty: a8",
        "step 7 stands on b8 and h1",
        "no square has step 1, 16",
    ]
    assert not tables.is_tour(steps)


# ---- 2015


@pytest.mark.parametrize("ties", ["first", "last"])
def test_the_sets_of_failures_equal_the_papers(ties: str) -> None:
    assert gerlach2015.fails(ties) == gerlach2015.FAILS[ties]


@pytest.mark.parametrize("square", gerlach2015.CHESS.names)
def test_there_is_a_tour_from_every_square(square: str) -> None:
    tour, ties = gerlach2015.tour_from(square)
    assert check(tour)
    assert tour.names[0] == square
    assert ties == ("last" if square in gerlach2015.FAILS["first"] else "first")


# ---- Solution #1


def test_the_next_board_begins_where_the_macro_says() -> None:
    """The next board begins two rows down; from the last two rows two columns left, or else two rows up."""
    for row in range(8):
        for column in range(8):
            expected = (
                (row + 2, column) if row < 6 else (row, column - 2) if column > 1 else (row - 2, column)
            )
            assert stacks.nxtcoord(row, column, 8, 8) == expected


def test_appendix_c_needs_the_leave_that_leaves_the_inner_loop_only() -> None:
    printed = tables.printed("gerlach2019")["appendix c 1"].numbers
    tour = stacks.solution1(3).tour()
    assert tour.numbering.tolist() == printed.tolist()
    assert check(tour)
    assert tour.names[127:129] == ["2:a6", "3:a4"]  # leaving both loops, board 3 would begin on a8


@pytest.mark.parametrize("boards", [1, 2, 16, 50])
def test_solution_1_continues(boards: int) -> None:
    assert check(stacks.solution1(boards).tour())


STUCK = {
    **dict.fromkeys(("f2", "g1", "g2", "g3", "g6"), 1),
    **dict.fromkeys(("d5", "e2", "e8", "f6", "h5", "h7"), 2),
    **dict.fromkeys(("a1", "b6", "c3", "g5"), 3),
    "c8": 4,
}


@pytest.mark.parametrize("start", gerlach2015.CHESS.names)
def test_solution_1_is_stuck_from_sixteen_squares(start: str) -> None:
    levels = stacks.solution1(12, start)
    assert levels.complete == bool(check(levels.tour())) == (start not in STUCK)
    assert stacks.solution1(200, start, mend=True).endless
    if not levels.complete:
        assert len(levels) == STUCK[start]
        assert 64 * (len(levels) - 1) < len(levels.tour()) < 64 * len(levels)


# ---- Solution #2


@pytest.mark.parametrize("size", [(5, 6), (6, 5), (3, 12), (8, 8), (10, 6), (16, 16)])
@pytest.mark.parametrize("boards", [1, 2, 3, 9, 16])
def test_any_closed_tour_is_glued(size: tuple[int, int], boards: int) -> None:
    verdict = tour("x".join(map(str, size)))
    assert isinstance(verdict, Found)
    stack = glue(verdict.tour, levels=boards).tour
    assert check(stack)
    assert stack.board == Board.box(boards, *size)
    assert all(tables.is_tour(level, closed=True) for level in stack.numbering)


# ---- Solution #3


def test_the_orders_of_moves_are_all_moves_once() -> None:
    all_moves = {tuple(v) for v in KNIGHT.vectors(Board.box(4, 8, 8)).tolist()}
    for piece in stacks.ORDERS.values():
        vectors = [tuple(v) for v in piece.vectors(Board.box(4, 8, 8)).tolist()]
        assert len(vectors) == 24
        assert set(vectors) == all_moves


def test_the_success_rates_depend_on_the_table_not_on_the_rule() -> None:
    order = stacks.ORDERS["on the board, one away, two away"]
    counts = {
        (boards, program): stacks.successes(boards, order, "first", program=program)
        for boards in (3, 4)
        for program in (False, True)
    }
    assert counts == {(3, False): 192, (3, True): 152, (4, False): 256, (4, True): 87}


PRINTED_WALKS = {
    "table 10 successful": "2:a2",
    "table 10 failed": "3:a2",
    "table 12": "1:e8",
    "appendix d 1": "3:e3",
    "appendix d 2": "4:h1",
}


@pytest.mark.parametrize("section", PRINTED_WALKS)
def test_the_reconstructed_program_gives_every_printed_walk(section: str) -> None:
    table = tables.printed("gerlach2019")[section]
    start = table.board.cell(PRINTED_WALKS[section])
    walk = solution3.program_walks(len(table.boards))[start]
    assert walk.numbering.tolist() == tables.mended(table).tolist()


def test_the_prints_do_not_settle_the_program() -> None:
    """Several regular programs give the printed walks, and they differ on other starts."""
    assert all(solution3.jumps(boards) in solution3.fitting(boards) for boards in (3, 4))
    four = [solution3.filled(4, order) for order in solution3.fitting(4)]
    assert sorted(four) == [(38, 17), (42, 19)]
    three = [solution3.filled(3, order) for order in solution3.fitting(3)]
    assert len(three) == len(set(solution3.fitting(3))) == 16
    assert (min(n for n, _ in three), max(n for n, _ in three)) == (125, 145)
    assert (min(n for _, n in three), max(n for _, n in three)) == (73, 89)
    assert solution3.filled(3, solution3.jumps(3)) == (131, 82)


def test_the_jumps_have_the_requested_order() -> None:
    """Two boards and one square, then one board and two squares; up, left, down, right are 0 to 3."""
    jumps = solution3.looped((2, -1), single=(3, 2, 1, 0), double=(1, 0, 2, 3))
    assert jumps[:4] == ((2, 0, -1), (2, -1, 0), (2, 1, 0), (2, 0, 1))
    assert jumps[4:] == ((-1, 0, 2), (-1, 2, 0), (-1, 0, -2), (-1, -2, 0))


@pytest.mark.parametrize("stride", [5, pytest.param(1, marks=pytest.mark.slow)])
def test_no_other_regular_program_gives_the_printed_walks(stride: int) -> None:
    """The search varies levels and directions separately; this test varies them together."""
    plain = tuple(range(4))
    for single, double in islice(product(permutations(plain), repeat=2), 0, None, stride):
        order = tuple(solution3.looped(levels, single, double) for levels in solution3.JUMPS[3])
        assert solution3.fits(3, order) == (order in solution3.fitting(3))
    for levels in islice(product(*map(permutations, solution3.JUMPS[4])), 0, None, stride):
        order = tuple(solution3.looped(jumps, plain, plain) for jumps in levels)
        assert solution3.fits(4, order) == (order in solution3.fitting(4))


@pytest.mark.parametrize("boards", [3, 4])
def test_every_fitting_program_gives_every_printed_walk(boards: int) -> None:
    """The search fits each level separately; this test compares whole programs with the printed walks."""
    printed, stack = tables.printed("gerlach2019"), Board.box(boards, 8, 8)
    walks = [name for name in PRINTED_WALKS if len(printed[name].boards) == boards]
    assert list(solution3.WALKS[boards]) == walks
    starts = [stack.cell(PRINTED_WALKS[name]) for name in walks]
    for order in solution3.fitting(boards):
        paths = solution3.data_step(stacks.paper_degrees(stack), starts, order)
        for name, path in zip(walks, paths, strict=True):
            numbering = Tour(stack, path, closed=False).numbering.tolist()
            assert numbering == tables.mended(printed[name]).tolist()


def test_the_program_fills_four_boards_from_38_squares() -> None:
    full = [walk for walk in solution3.program_walks(4) if len(walk) == 256]
    assert len(full) == 38
    assert sum(bool(check(walk)) for walk in full) == 17


@pytest.mark.parametrize("boards", [3, 4])
def test_every_entry_of_the_subtracted_table_is_needed(boards: int, monkeypatch: pytest.MonkeyPatch) -> None:
    table = solution3.TAKEN
    assert solution3.fits(boards, solution3.jumps(boards))
    order = solution3.jumps(boards)
    for level, target in permutations(range(boards), 2):
        up = target - level
        now = dict(table[level]).get(up, 0)
        for squares in {0, 1, 2} - {now}:
            pairs = [pair for pair in table[level] if pair[0] != up] + [(up, squares)] * bool(squares)
            taken = (*table[:level], tuple(pairs), *table[level + 1 :])
            monkeypatch.setattr(solution3, "TAKEN", taken)
            for name in solution3.WALKS[boards]:  # each walk alone detects the change
                assert solution3.apart(name, order=order) > 1, (level, target, squares)


def test_without_its_mistakes_the_program_gives_other_walks() -> None:
    """Pin the first step that differs from each printed walk: late for the stale level, early otherwise."""
    first_differences = {
        fixes: [solution3.apart(name, set(fixes)) for names in solution3.WALKS.values() for name in names]
        for fixes in [(), (1,), (2,), (3,), (4,), (1, 2, 3), (1, 2, 3, 4)]
    }
    assert first_differences == {
        (): [0, 0, 0, 0, 0],
        (1,): [0, 174, 0, 185, 0],  # the steps that are not moves
        (2,): [4, 10, 13, 8, 5],
        (3,): [0, 0, 5, 9, 8],
        (4,): [0, 0, 2, 2, 3],
        (1, 2, 3): [4, 10, 5, 9, 5],
        (1, 2, 3, 4): [4, 10, 2, 2, 3],
    }


def successes_of_every_fix() -> dict[tuple[int, ...], list[tuple[int, int]]]:
    """Filled boards and tours on three and four boards, by the mistakes that are fixed."""
    return {
        fixes: [solution3.filled(boards, fixes=frozenset(fixes)) for boards in (3, 4)]
        for size in range(5)
        for fixes in combinations((1, 2, 3, 4), size)
    }


def test_the_successes_of_all_sixteen_programs() -> None:
    """On three boards fixes 3 and 4 change nothing; on four, all four fixes tour from every square."""
    four = {
        (): (38, 17),
        (1,): (66, 66),
        (2,): (45, 24),
        (3,): (8, 4),
        (4,): (69, 27),
        (1, 2): (133, 133),
        (1, 3): (30, 30),
        (1, 4): (202, 202),
        (2, 3): (22, 10),
        (2, 4): (74, 21),
        (3, 4): (124, 35),
        (1, 2, 3): (88, 88),
        (1, 2, 4): (207, 207),
        (1, 3, 4): (246, 246),
        (2, 3, 4): (140, 70),
        (1, 2, 3, 4): (256, 256),
    }
    three = {(): (131, 82), (1,): (189, 189), (2,): (124, 92), (1, 2): (192, 192)}
    assert successes_of_every_fix() == {
        fixes: [three[tuple(fix for fix in fixes if fix < 3)], successes] for fixes, successes in four.items()
    }
    higher = [solution3.filled(boards, fixes=gerlach2019.ALL) for boards in range(5, 9)]
    assert higher == [(320, 320), (383, 383), (446, 446), (510, 510)]


@pytest.mark.parametrize(
    ("words", "head"),
    [
        (
            "4x8x8",
            "Solution #3: 17 of 256 starts succeed, 6.6 %; 38 fill the board; 3 of the tours are closed",
        ),
        (
            "4x8x8 --fit 2",
            "Solution #3: 19 of 256 starts succeed, 7.4 %; 42 fill the board; 3 of the tours are",
        ),
        ("4x8x8 --fix 1,2,3,4", "Solution #3, fixed: 1, 2, 3, 4: 256 of 256 starts succeed, 100.0 %; 142 of"),
        ("4x8x8 --mend all", "Solution #3, fixed: 1, 2, 3, 4: 256 of 256"),
        ("4x8x8 --fix 1,2,3 --degrees paper", "Solution #3, fixed: 1, 2, 3: 88 of 256"),
        ("4x8x8 --fix all --order 1,-1,2,-2", "Solution #3, fixed: 1, 2, 3, 4: 256 of 256"),
        ("3x5x4 --fix all", "Solution #3, fixed: 1, 2, 3, 4: 59 of 60"),
    ],
)
def test_solution_3_is_a_command_on_any_stack(words: str, head: str, cli: Callable[..., Ran]) -> None:
    ran = cli("warnsdorff", *words.split(), "--program", "solution3", "--all")
    assert ran.code == 0
    assert ran.out.startswith(f"{words.split(maxsplit=1)[0]}, {head}")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("8x8 --program solution3", "walks over a stack such as 4x8x8, not 8x8"),
        ("2x8x8 --program solution3", "the program is for three boards or more"),
        ("4x8x8 --program solution3 --fix 5", "'5' is no mistake of the program: they are 1 the stale level"),
        (
            "4x8x8 --program solution3 --order 1,2",
            "1,2 is not an order of the jumps: expected -2, -1, 1 and 2",
        ),
        (
            "4x8x8 --program solution3 --order up",
            "'up' is not an order of the jumps of Solution #3: try 1,-1",
        ),
        ("4x8x8 --program solution3 --fix 4 --degrees paper", "cannot be combined with --degrees"),
        ("4x8x8 --fix 1", "--fix 1 works only with --program"),
        ("4x8x8 --program solution3 --repair", "cannot be combined with Solution #3"),
    ],
)
def test_errors_about_solution_3(words: str, message: str, cli: Callable[..., Ran]) -> None:
    ran = cli("warnsdorff", *words.split())
    assert (ran.code, message in ran.err) == (2, True)


@pytest.fixture(scope="module")
def second_program() -> Callable[..., list[tuple[int, int, int]]]:
    """The program on the page about Solution #3, which shares no code with ours."""
    page = (DOCS / "solution3.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names: dict[str, Any] = {}
    exec(source, names)  # noqa: S102 - our own page
    return cast("Callable[..., list[tuple[int, int, int]]]", names["solution3"])


@pytest.mark.parametrize(
    ("boards", "stride"),
    [
        (3, 97),
        (4, 97),
        (6, 331),
        *(pytest.param(boards, 1, marks=pytest.mark.slow) for boards in range(3, 9)),
    ],
)
def test_the_program_on_the_page_walks_the_same(
    boards: int, stride: int, second_program: Callable[..., list[tuple[int, int, int]]]
) -> None:
    """Compare both programs under every set of fixes; beyond four boards, with all mistakes and without."""
    stack = Board.box(boards, 8, 8)
    every = [fixes for size in range(5) for fixes in combinations((1, 2, 3, 4), size)]
    for k, fixes in enumerate(every if boards <= 4 else [(), (1, 2, 3, 4)]):
        table = solution3.initial_degrees(stack, fixes)
        starts = range(k % stride, stack.size, stride)  # other starts for every set
        for start, path in zip(starts, solution3.data_step(table, starts, fixes=fixes), strict=True):
            walk = second_program(boards, 8, 8, tuple(stack.coords[start].tolist()), fixes)
            assert stack.locate(np.array(walk)).tolist() == path.tolist(), (fixes, start)


def test_one_walk_of_five_is_predicted_by_the_others() -> None:
    """Leave one walk out and count the programs that give the others; check one program in nine directly."""
    predictions = [solution3.predicted(name) for names in solution3.WALKS.values() for name in names]
    assert predictions == [(24, 16), (144, 16), (6, 2), (4, 2), (2, 2)]
    ways = list(permutations(range(4)))
    levels = list(product(*map(permutations, solution3.JUMPS[3])))
    sample = list(product(levels, ways, ways))[::9]
    assert len(sample) * 9 == solution3.regular(3) == 4608
    for name in solution3.WALKS[3]:
        fitting = solution3.fitting(3, (name,))
        for jumps, single, double in sample:
            order = tuple(solution3.looped(up, single, double) for up in jumps)
            assert (solution3.apart(name, order=order) == 0) == (order in fitting)


def test_errors_of_scan_and_author_are_told_apart_by_one_rule() -> None:
    """Two transcriptions or a wrong word: author; right in another copy or a gap: scan; else undecided."""
    reads = [
        ("2019-1", "either"),
        ("2019-1 2019-2 2019-early", "author"),
        ("2019-1, words", "author"),
        ("2019-1 2019-2, right 2019-early", "scan"),
        ("2015, damage", "scan"),
    ]
    assert [items.Correction("", "", "", "", read, "").whose for read, _ in reads] == [
        whose for _, whose in reads
    ]
    for paper in papers.PAPERS:
        names = set(paper_data(paper)["transcriptions"])
        assert all(name.startswith(paper[-4:]) for name in names)
        for correction in tables.corrections(paper):
            seen, _, remark = correction.read.partition(", ")
            assert seen
            assert set(seen.split()) <= names
            right = set(remark.removeprefix("right ").split())
            assert remark in {"", "words", "damage"} or right <= names - set(seen.split())


def test_the_program_is_for_three_boards_and_more() -> None:
    with pytest.raises(CavalcadeError, match="2 boards: the program is for three boards or more"):
        solution3.data_step(stacks.program_table(2), [0])
    with pytest.raises(CavalcadeError, match="2 programs fit the print on 4 boards, there is no 3"):
        solution3.jumps(5, 3)
    for boards in (5, 6):
        own = solution3.jumps(boards)
        assert all(len(set(of)) == len(of) for of in own)
        graph = move_graph(Board.box(boards, 8, 8))
        for level, of in enumerate(
            own
        ):  # in the middle of a level the jumps are exactly the moves to other levels
            cell = 64 * level + 8 * 4 + 4
            assert len(of) + 8 == len(graph.neighbours(cell))


def test_both_tiers_of_the_program_walk_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = solution3.program_walks(3)
    monkeypatch.setattr(Tier, "warm", False)
    paths = solution3.data_step(gerlach2015.true_degrees(Board.box(3, 8, 8)), [0, 100, 191])
    assert [path.tolist() for path in paths] == [compiled[start].cells.tolist() for start in (0, 100, 191)]


def test_the_steps_that_are_no_moves_are_moves_from_the_level_before() -> None:
    printed = tables.printed("gerlach2019")
    wrong = [solution3.stale_moves(printed[name].numbers) for name in ("table 10 failed", "appendix d 1")]
    assert wrong == [
        [("2:g5", "1:f5", True), ("1:e3", "1:d3", True)],
        [("1:c4", "1:c2", True), ("3:c4", "3:c5", True)],
    ]
    assert solution3.stale_moves(printed["table 12"].numbers) == []


def test_items_are_found_by_their_heading() -> None:
    """If no name contains a text, the items below a heading that contains it are found."""
    found = find_items([*papers.PAPERS], "SOLUTION #3")
    names = [entry["name"] for _, entry in found]
    assert {paper for paper, _ in found} == {"gerlach2019"}
    assert "Table 9" in names
    assert "Table 2" not in names


def test_progress_of_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recompute, "recomputed_item", lambda _, entry: Item("yes", name=entry["name"]))
    fractions: list[float] = []
    recompute.report("gerlach2015", "title", fractions.append)
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1


# ---- the pages


def cells(page: str) -> list[list[str]]:
    """Return the cells of all tables of a page in Markdown, row by row."""
    return [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]


def test_the_first_lines_of_a_command_are_real(cli: Callable[..., Ran]) -> None:
    """The table of the papers shows the first lines that each command prints."""
    page = (DOCS.parent / "README.md").read_text(encoding="utf-8")
    rows = [row for row in cells(page) if len(row) == 4 and row[2].startswith("`cavalcade ")]
    assert len(rows) == len(papers.PAPERS)
    for row in rows:
        commands = [command.strip("`") for command in row[2].split("<br>")]
        shown = [line.strip("`") for line in row[3].split("<br>")]
        printed = [cli(*shlex.split(command)[1:]).out.splitlines() for command in commands]
        if len(commands) > 1:  # a line for each command
            assert [lines[0] for lines in printed] == shown
        else:
            assert printed[0][: len(shown)] == shown


def test_the_map_of_the_papers_is_whole(
    cli: Callable[..., Ran], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every printed table, figure and macro has a command, and every command works."""
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "papers.md").read_text(encoding="utf-8")
    parts = page[page.index("## Where everything is") :].split("\n### ")[1:]
    macros = {
        "gerlach2015": {"%ShowBoard"},
        "gerlach2019": {"%ktour", "%nxtcoord", "%glue", "%gen_vars", "%Show_Boards"},
    }
    pattern = re.compile(r"(table|figure) \d+|appendix [a-d]")
    for paper, part in zip(papers.PAPERS, parts, strict=True):
        rows = [row for row in cells(part) if len(row) == 2][1:]
        named = " ".join(name for name, _ in rows).lower()
        wanted = {match[0] for name in tables.printed(paper) if (match := pattern.match(name))}
        assert {name for name in wanted if not re.search(rf"{name}\b", named)} == set()
        assert {macro for macro in macros.get(paper, ()) if macro.lower() not in named} == set()
        for _, command in rows:
            for line in command.split("<br>"):
                words = shlex.split(line.strip("`").replace("DIR", str(tmp_path / paper)))
                assert words[0] == "cavalcade"
                assert cli(*words[1:]).code in {0, 1, 3}, line


def article(page: str, name: str) -> str:
    """Return the part of a page about an item."""
    begin = page.index(f"<h3>{name} <span")
    return page[begin : page.index("</article>", begin)]


def squares(part: str, kind: str) -> list[str]:
    """Return the numbers on the squares with a mark."""
    cells = re.findall(r'<td class="([^"]*)">(.*?)</td>', part)
    return [re.sub("<.*?>", " ", text).split()[0] for classes, text in cells if kind in classes.split()]


def test_boards_are_marked(reports: dict[str, Report]) -> None:
    page = reports["gerlach2019"].render("html")
    failed = article(page, "Table 10, failed tour, move by move")
    assert squares(failed, "wrong") == ["174", "186"]
    assert squares(failed, "first") == ["1"]
    assert squares(failed, "last") == ["189"]
    first = article(page, "Appendix D, first tour, move by move")
    assert squares(first, "wrong") == ["185", "190"]
    pasted = article(page, "Table 10, successful tour, move by move")
    assert squares(pasted, "other") == ["38", "27", "12", "63", "56", "25", "10", "7", "165"]
    assert set(squares(pasted, "wrong")) == {"38", "27", "12", "63", "56", "25", "10", "7", "165"}
    right = article(page, "Table 12, move by move")
    assert squares(right, "wrong") == []
    assert "<svg" in right
    assert "<details>" in right, "four boards are folded after two"
    assert '<th scope="col">h</th>' in right
    assert '<th scope="row">8</th>' in right


def test_hexagons_are_drawn_and_sections_follow_the_paper(
    reports: dict[str, Report], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demaio2020, "glinski", lambda: True)  # the theorem has tests of its own
    monkeypatch.setattr(demaio2020, "HEXAGONS", range(4, 8))
    entries = paper_data("demaio2020")["sections"]["Gliński's hexagonal board"]
    page = empty({"": [recomputed_item("demaio2020", entry) for entry in entries]}).render("html")
    four = article(page, "Figure 4")
    cell = re.search(r'class="cells"[^>]*d="M([^"]*?)z', four)
    assert cell is not None
    assert cell[1].count("l") + cell[1].count(" ") >= 5, "six corners"
    assert len(re.findall(r"<text[^>]*>1</text>", four)) == 12 + 1, "its moves, and the rank"
    assert list(reports["gerlach2015"].sections) == [
        "Introduction",
        "Displaying the chess board",
        "Knight moves",
        "Completing the tour",
        "Making a wrong turn",
        "Conclusion",
        "Appendix A: several knight tours",
    ]
    names = [item.name for item in reports["gerlach2019"].items]
    order = ["Table 1", "Table 2", "Table 5", "Any position as the pivot", "Table 7", "Table 9", "Table 11"]
    assert sorted(order, key=names.index) == order


# ---- commands within a command


def test_a_nested_command_keeps_the_outer_limit() -> None:
    with guard(60):
        assert "3x3" in output("cavalcade tour 3x3 --without b2 --time-limit 5")
        assert 50 < seconds_left() < 60
    assert seconds_left() == math.inf
