"""Reports: the claim of each item, its recomputation, the verdict, and the reason, in the paper's order.

A `Report` is rendered as text, Markdown, JSON, or a self-contained HTML page with boards.
"""

from __future__ import annotations

import json
import re
import textwrap
from dataclasses import dataclass
from functools import partial
from html import escape
from itertools import count, zip_longest
from string import Template
from typing import TYPE_CHECKING

from cavalcade.answers.status import AnswerStatus
from cavalcade.boards import Board
from cavalcade.ground import TEXT_WIDTH, __version__
from cavalcade.ground.errors import CavalcadeError
from cavalcade.papers.items import MEANT, SAME, data
from cavalcade.papers.page import blocks, command, console, inline, page

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from cavalcade.papers.items import Correction, Figure, Item

FORMATS = ("text", "markdown", "html", "json")
SIGNS = dict(zip(SAME, "=≠✓✗≈?+!¿/", strict=True))
#: Titles of the parts of an item.
LABELS = {"printed": "The paper", "command": "Command", "recomputed": "Here", "why": "Why"}
#: Explanation at the top of each report.
KEY = (
    "Every item has what the paper states, the command that recomputes it, what came out, two verdicts, and "
    "the reason. *As printed* takes words, numbers and programs as they stand. *As meant* first corrects the "
    "slips that are listed at the end, and changes a program as the paper itself says: by the last minimum "
    "where the first gets stuck, for example. Where an item shows a board and says no more, all its numbers "
    "came out the same. `--item TEXT` prints the items whose names contain a text."
)
#: The rule of `Correction.whose` in words.
RULE = (
    "Scan or author: what two transcriptions have is the author's, and so is what contradicts the paper by "
    "more than one lost or misread sign; what another transcription has right, or a gap that nobody prints, "
    "is the scan's; what one transcription alone has, and one sign would explain, may be either's."
)
TITLE = "Slips and damage"
WHOSE = {"author": "slip of the paper", "either": "slip or scan", "scan": "damage of the scan"}
SHOWN = 2  # boards per item that are visible before the reader unfolds the rest


@dataclass(frozen=True)
class Report:
    """All items of a paper by section, in its order, and the errors found in it.

    Attributes:
        paper: key of `papers.PAPERS`.
        title: authors, title and place of publication.
        sections: items by section.
        slips: corrections of the print.
        story: summary of the results.
        obstacles: limits of the reproduction.
        digests: SHA-256 digests of the input files by name.
        day: date of the report.
        seconds: time that the recomputation took.
    """

    paper: str
    title: str
    sections: Mapping[str, Sequence[Item]]
    slips: Sequence[Correction]
    story: str
    obstacles: Sequence[str]
    digests: Mapping[str, str]
    day: date
    seconds: float

    def __repr__(self) -> str:
        outcomes = ", ".join(f"{number} {outcome}" for outcome, number in self.outcomes.items())
        return f"<Report on {self.paper}, items: {outcomes}>"

    def __getitem__(self, name: str) -> Item:
        """Return an item by name."""
        return {item.name: item for item in self.items}[name]

    @property
    def items(self) -> tuple[Item, ...]:
        """All items in the order of the paper."""
        return tuple(item for items in self.sections.values() for item in items)

    @property
    def outcomes(self) -> dict[str, int]:
        """Number of items by outcome, in the order of `SAME`."""
        outcomes = [item.outcome for item in self.items]
        return {same: outcomes.count(same) for same in SAME if same in outcomes}

    @property
    def meant(self) -> dict[str, int]:
        """Number of items by the verdict as meant, in the order of `MEANT`."""
        verdicts = [item.meant for item in self.items]
        return {verdict: verdicts.count(verdict) for verdict in MEANT if verdict in verdicts}

    @property
    def made(self) -> str:
        """Version, date, duration and input digests in a sentence."""
        read = ", ".join(f"{name} {digest[:16]}" for name, digest in self.digests.items())
        how = f"Made by cavalcade {__version__} on {self.day} in {self.seconds:.0f} s."
        return f"{how} SHA-256 of what was read: {read}."

    def overview(self, width: int = TEXT_WIDTH) -> str:
        """Return a page that fits a screen: two columns of items, each with both verdicts."""
        column_width = (width - 2) // 2
        entries = [f"{item.outcome:<9}{item.meant:<5}{item.name}" for item in self.items]
        entries = [
            entry if len(entry) <= column_width else f"{entry[: column_width - 1].rstrip()}…"
            for entry in entries
        ]
        height = -(-len(entries) // 2)
        rows = [("printed  meant",) * 2]
        rows += zip_longest(entries[:height], entries[height:], fillvalue="")
        lines = [*textwrap.wrap(self.title, width), ""]
        lines += [f"{first:<{column_width}}  {second}".rstrip() for first, second in rows]
        lines.append("")
        for kind, numbers in (("printed", self.outcomes), ("meant", self.meant)):
            counts = ", ".join(f"{number} {verdict}" for verdict, number in numbers.items())
            lines += textwrap.wrap(f"as {kind}: {counts}", width)
        command = f"cavalcade reproduce {self.paper} --item NAME"
        hint = f"{command} explains an item, --full explains all, -o FILE.html adds pictures"
        return "\n".join([*lines, *textwrap.wrap(hint, width)]) + "\n"

    def render(self, format: str = "text", width: int = TEXT_WIDTH) -> str:
        """Return the report in one of `FORMATS`; `width` is the line width of a text report."""
        if format not in FORMATS:
            raise CavalcadeError(f"unknown format {format!r}, expected one of {', '.join(FORMATS)}")
        if format == "text":
            return _text(self, width)
        return {"markdown": _markdown, "html": _page, "json": _json}[format](self)


def alone(item: Item, width: int = TEXT_WIDTH) -> str:
    """Return one item as text."""
    return "\n".join(_lines(item, width, boards=True)) + "\n"


def _lines(item: Item, width: int, *, boards: bool = False) -> list[str]:
    """Return the lines of an item: verdicts and name, claim, command, result, reason."""
    title = f"[{item.verdicts}] {item.name}, {item.place}"
    lines = textwrap.wrap(title, width, subsequent_indent="    ")
    for label in LABELS:
        indents = f"    {label:<12}", " " * 16
        for k, row in enumerate(getattr(item, label).splitlines()):
            first = indents[min(k, 1)]
            if label == "command":  # never wrapped, so that it can be copied
                lines.append(first + row)
            else:
                lines += textwrap.wrap(row, width, initial_indent=first, subsequent_indent=indents[1])
        if label == "command" and (boards or not item.shown):
            lines += [f"        {row}".rstrip() for row in item.output.splitlines()]
    return [*lines, *(f"    {row}" for row in columns(item.table, width - 4))]


def columns(table: Sequence[Sequence[str]], width: int = 200) -> list[str]:
    """Align a table of words in columns; a table wider than `width` gets one line per word."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    if sum(widths) + 2 * len(widths) - 2 > width:
        head, *rows = table
        return [
            f"{'  ' * (k > 0)}{name}: {word}"
            for row in rows
            for k, (name, word) in enumerate(zip(head, row, strict=True))
        ]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in table]


def _text(report: Report, width: int) -> str:
    """Return a text report: the story, all items in detail, the slips, then one line per item."""
    wrap = partial(textwrap.wrap, width=width)
    listed = partial(wrap, initial_indent="  - ", subsequent_indent="    ")
    lines = [*wrap(report.title), ""]
    for paragraph in (report.made, *report.story.split("\n\n"), KEY):
        lines += [*wrap(paragraph), ""]
    lines += [line for obstacle in report.obstacles for line in listed(obstacle)]
    for name, items in report.sections.items():
        lines += ["", *wrap(name), "-" * min(len(name), width)]
        lines += [line for item in items for line in _lines(item, width)]
    lines += ["", TITLE, *wrap(RULE)]
    lines += [line for slip in report.slips for line in listed(f"({WHOSE[slip.whose]}) {slip}")]
    lines.append("")
    for item in report.items:
        lines += wrap(f"{item.outcome:<10}{item.meant:<6}{item.name}", subsequent_indent=" " * 16)
    for kind, meaning, numbers in (("printed", SAME, report.outcomes), ("meant", MEANT, report.meant)):
        counts = "; ".join(f"{n} {verdict} ({meaning[verdict]})" for verdict, n in numbers.items())
        lines += ["", *wrap(f"As {kind}: {counts}")]
    return "\n".join(lines) + "\n"


def _markdown(report: Report) -> str:
    """Return a Markdown report: sections of items, then a list of the slips."""
    lines = [f"# {report.title}", "", report.made, "", report.story, "", KEY, ""]
    lines += [f"- {obstacle}" for obstacle in report.obstacles] + [""]
    for kind, meaning, numbers in (("printed", SAME, report.outcomes), ("meant", MEANT, report.meant)):
        lines += [
            f"- as {kind}, **{verdict}**: {meaning[verdict]}; {n} items" for verdict, n in numbers.items()
        ]
    for name, items in report.sections.items():
        lines += ["", f"## {name}"]
        for item in items:
            lines += ["", f"### {item.name}: {item.verdicts}", "", f"{item.place.capitalize()}."]
            for label, title in LABELS.items():
                text = getattr(item, label)
                if label == "command":
                    lines += ["", "```console", *(f"$ {row}" for row in text.splitlines())]
                    lines += [*item.output.splitlines(), "```"]
                elif text:
                    lines += ["", f"{title}: {text}."]
            rows = [f"| {' | '.join(row)} |" for row in item.table]
            lines += ["", rows[0], "|---" * len(item.table[0]) + "|", *rows[1:]] if rows else []
    slips = (f"- ({WHOSE[slip.whose]}) {slip}" for slip in report.slips)
    return "\n".join([*lines, "", f"## {TITLE}", "", RULE, "", *slips, ""])


def _json(report: Report) -> str:
    """Return a JSON report: metadata, every item with its section, and the slips with their origin."""
    keys = ("name", "place", "outcome", "meant", "printed", "command", "output", "recomputed", "why", "table")
    content = {
        "status": AnswerStatus.COMPLETE,
        "paper": report.title,
        "version": __version__,
        "date": str(report.day),
        "seconds": round(report.seconds, 3),
        "sha256": report.digests,
        "outcomes": report.outcomes,
        "meant": report.meant,
        "items": [
            {"section": name, **{key: getattr(item, key) for key in keys}}
            for name, items in report.sections.items()
            for item in items
        ],
        "slips": [{**vars(slip), "whose": slip.whose} for slip in report.slips],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


# ---- the page


def _page(report: Report) -> str:
    """Return an HTML report: story, contents, items by outcome, and all items with their boards."""
    anchors = {item.name: f"item-{k}" for k, item in enumerate(report.items, 1)}
    sections, contents = [], []
    for k, (name, items) in enumerate(report.sections.items(), 1):
        contents.append(f'<li><a href="#section-{k}">{escape(name)}</a></li>')
        articles = "\n".join(_item(item, anchors[item.name]) for item in items)
        sections.append(f'<section id="section-{k}"><h2>{escape(name)}</h2>\n{articles}\n</section>')
    verdicts = []
    for same, number in report.outcomes.items():
        names = [item.name for item in report.items if item.outcome == same]
        links = ", ".join(f'<a href="#{anchors[name]}">{escape(name)}</a>' for name in names)
        verdicts.append(f"<dt>{_mark(same)} {number}: {escape(SAME[same])}</dt><dd>{links}</dd>")
    body = Template(data("report.html")).substitute(
        title=escape(report.title),
        made=escape(report.made),
        story=blocks(report.story),
        key=inline(KEY),
        again=escape(f"cavalcade reproduce {report.paper} -o {report.paper}.html"),
        obstacles="".join(f"<li>{inline(obstacle)}</li>" for obstacle in report.obstacles),
        contents="\n".join(contents),
        verdicts="\n".join(verdicts),
        sections="\n".join(sections),
        slips=_slips(report.slips),
    )
    return page(report.title, body)


def _mark(same: str) -> str:
    """Return the mark of an outcome: its sign and word, with a class for the colour."""
    return f'<span class="mark {same}" title="{escape(SAME[same])}">{SIGNS[same]} {same}</span>'


def _meant(verdict: str) -> str:
    """Return the mark of the verdict as meant."""
    return f'<span class="mark meant {verdict}" title="{escape(MEANT[verdict])}">as meant {verdict}</span>'


def _item(item: Item, anchor: str) -> str:
    """Return the article of an item; `anchor` is its id."""
    marks = f"{_mark(item.outcome)} {_meant(item.meant)}"
    words = [f'<h3>{escape(item.name)} {marks} <span class="at">{item.place}</span></h3>']
    for label, title in LABELS.items():
        text = getattr(item, label)
        if label == "command":
            shown = "" if item.shown else f"\n{item.output}"
            typed = "".join(f"{command(row)}\n" for row in text.splitlines())
            kind = "long" if shown.count("\n") > 7 else ""  # more lines are set in columns
            text = console(f"{typed.rstrip()}{escape(shown, quote=False).rstrip()}", kind)
        else:
            text = _long(text)
        if text:
            words.append(f'<div class="line"><div class="who">{title}</div><div>{text}</div></div>')
    if item.table:
        head, *rows = (
            "".join(f"<{tag}>{escape(word)}</{tag}>" for word in row)
            for tag, row in zip(["th", *["td"] * len(item.table)], item.table, strict=False)
        )
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        words.append(f'<div class="wide"><table class="evidence"><tr>{head}</tr>{body}</table></div>')
    boards = [_figure(figure, f"{anchor}-{k}") for k, figure in enumerate(item.figures, 1)]
    if len(boards) > SHOWN + 1:
        rest = f'<div class="boards">{"".join(boards[SHOWN:])}</div>'
        boards[SHOWN:] = [_folded(f"{len(boards) - SHOWN} more boards", rest)]
    shown = f'<div class="boards">{"".join(boards)}</div>' if boards else ""
    kind = "item" if boards else "item plain"
    return f'<article class="{kind}" id="{anchor}"><div class="words">{"".join(words)}</div>{shown}</article>'


def _folded(title: str, body: str, opened: str = "") -> str:
    """Return a block that the reader unfolds by its title."""
    return f"<details{opened}><summary>{title}</summary>{body}</details>"


def _long(words: str) -> str:
    """Return inline HTML; a long list, separated by semicolons, is folded after its first four parts."""
    parts = words.split("; ")
    if len(words) < 700 or len(parts) < 6:
        return inline(words)
    return f"{inline('; '.join(parts[:4]))};{_folded(f'{len(parts) - 4} more', inline('; '.join(parts[4:])))}"


def _slips(slips: Sequence[Correction]) -> str:
    """Return the slips by origin; all but the slips of the author are folded."""
    out = [f"<p>{escape(RULE)}</p>"]
    for whose, title in WHOSE.items():
        lines = [f"<li>{escape(str(slip))}</li>" for slip in slips if slip.whose == whose]
        if lines:
            opened = " open" if whose == "author" else ""
            out.append(_folded(f"{title.capitalize()}: {len(lines)}", f"<ul>{''.join(lines)}</ul>", opened))
    return "\n".join(out)


def _figure(figure: Figure, suffix: str) -> str:
    """Return a figure; `suffix` makes the ids in a drawing unique, because a page can show it twice."""
    title = escape(figure.title)
    if figure.svg:
        svg = re.sub(r' (width|height)="\d+"', "", figure.svg(), count=2)
        svg = re.sub(r"\b(p[0-9a-f]{8})\b", rf"\1-{suffix}", svg)
        view_box = re.search(r'viewBox="0 0 (\d+)', svg)
        width = f"{min(1.65 * int(view_box[1]), 620):.0f}px" if view_box else "100%"
        return f'<figure class="drawn" style="width: {width}">{svg}<figcaption>{title}</figcaption></figure>'
    return f'<figure class="board">{_table(figure)}<figcaption>{title}</figcaption></figure>'


def _table(figure: Figure) -> str:
    """Return a table of numbers with files and ranks."""
    files = Board.box(1, max(map(len, figure.rows))).files
    top = "".join(f'<th scope="col">{file}</th>' for file in files)
    body, cells = "", count(figure.first)
    for rank, row in zip(range(len(figure.rows), 0, -1), figure.rows, strict=True):
        squares = "".join(
            _square(figure, next(cells), word, dark=(rank + c) % 2 == 0) for c, word in enumerate(row)
        )
        body += f'<tr><th scope="row">{rank}</th>{squares}</tr>'
    return f"<table><thead><tr><td></td>{top}</tr></thead><tbody>{body}</tbody></table>"


def _square(figure: Figure, cell: int, word: str, *, dark: bool) -> str:
    """Return a square with its number, its marks, and the correction of a wrong number."""
    classes = ["d" if dark else "l", *(mark for mark, cells in figure.marks.items() if cell in cells)]
    text = escape("" if word == "." else word)
    if cell in figure.corrected:
        classes.append("other")
        text = f"<s>{text or '&nbsp;'}</s><ins>{escape(figure.corrected[cell])}</ins>"
    return f'<td class="{" ".join(classes)}">{text}</td>'
