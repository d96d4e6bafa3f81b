"""A report as one page of HTML that needs nothing else: section by section, boards beside the words."""

from __future__ import annotations

import re
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from cavalcade.boards import Board
from cavalcade.papers.items import SAME, sentence

if TYPE_CHECKING:
    from cavalcade.papers.items import Correction, Figure, Item

SIGNS = {"yes": "=", "no": "≠", "verified": "✓", "refuted": "✗", "lost": "?", "answered": "+", "slip": "!"}
SHOWN = 2  # boards that are not folded away


def page(
    title: str,
    summary: str,
    outcomes: dict[str, int],
    sections: dict[str, list[Item]],
    slips: tuple[Correction, ...],
) -> str:
    """The page of a report: its title, three sentences, how many items came to what, and all items."""
    every = [item for items in sections.values() for item in items]
    number = {item.name: f"item-{k}" for k, item in enumerate(every, 1)}
    parts = {
        "title": escape(title),
        "summary": escape(summary),
        "key": "\n".join(
            f"<li>{_mark(same)} {escape(SAME[same])}: {count}</li>" for same, count in outcomes.items()
        ),
        "contents": "\n".join(
            f'<li><a href="#section-{k}">{escape(name)}</a><ul>'
            + "".join(
                f'<li><a href="#{number[item.name]}">{_mark(item.outcome, word=False)} '
                f"{escape(item.name)}</a></li>"
                for item in items
            )
            + "</ul></li>"
            for k, (name, items) in enumerate(sections.items(), 1)
        ),
        "sections": "\n".join(
            f'<section id="section-{k}"><h2>{escape(name)}</h2>\n'
            + "\n".join(_item(item, number[item.name]) for item in items)
            + "\n</section>"
            for k, (name, items) in enumerate(sections.items(), 1)
        ),
        "slips": _slips(slips),
    }
    text = files("cavalcade.papers").joinpath("data", "report.html").read_text(encoding="utf-8")
    return Template(text).substitute(parts)


def _mark(same: str, *, word: bool = True) -> str:
    """The mark of an outcome: a sign, a colour, and in most places its word."""
    name = f" {same}" if word else ""
    return f'<span class="mark {same}" title="{escape(SAME[same])}">{SIGNS[same]}{name}</span>'


def _item(item: Item, number: str) -> str:
    words = [f"<h3>{escape(item.name)} {_mark(item.outcome)}</h3>"]
    words += [
        f'<div class="line"><div class="who">{who}</div><div>{_long(text)}</div></div>'
        for who, text in (("The paper", item.printed), ("Here", item.recomputed), ("Why", item.why))
        if text
    ]
    boards = [_figure(figure, f"{number}-{k}") for k, figure in enumerate(item.figures, 1)]
    shown = "".join(boards) if len(boards) <= SHOWN + 1 else "".join(boards[:SHOWN])
    if len(boards) > SHOWN + 1:
        more = len(boards) - SHOWN
        shown += (
            f'<details><summary>{more} more boards</summary><div class="boards">'
            f"{''.join(boards[SHOWN:])}</div></details>"
        )
    shown = f'<div class="boards">{shown}</div>' if boards else ""
    kind = "item" if boards else "item plain"
    return f'<article class="{kind}" id="{number}"><div class="words">{"".join(words)}</div>{shown}</article>'


def _long(words: str) -> str:
    """A text; a list of many things in it is folded after its first few."""
    parts = words.split("; ")
    if len(words) < 700 or len(parts) < 6:
        return escape(words)
    return (
        f"{escape('; '.join(parts[:4]))};<details><summary>{len(parts) - 4} more</summary>"
        f"{escape('; '.join(parts[4:]))}</details>"
    )


def _slips(slips: tuple[Correction, ...]) -> str:
    """The paper's own slips; what the transcriptions damaged, and what may be either, folded."""
    out = []
    for whose, title in (
        ("author", "Slips of the paper"),
        ("either", "Slips of the paper or of the one transcription"),
        ("scan", "Damage of the transcriptions"),
    ):
        some = [slip for slip in slips if slip.whose == whose]
        lines = "".join(f"<li>{escape(sentence(slip).partition(') ')[2])}</li>" for slip in some)
        opened = " open" if whose == "author" else ""
        if some:
            out.append(f"<details{opened}><summary>{title}: {len(some)}</summary><ul>{lines}</ul></details>")
    return "\n".join(out)


def _figure(figure: Figure, number: str) -> str:
    """A picture or a board of numbers; the names in a picture get the number, as it may be there twice."""
    title = escape(figure.title)
    if figure.svg:
        svg = re.sub(r' (width|height)="\d+"', "", figure.svg(), count=2)
        svg = re.sub(r"\b(p[0-9a-f]{8})\b", rf"\1-{number}", svg)
        found = re.search(r'viewBox="0 0 (\d+)', svg)
        wide = f"{min(1.65 * int(found[1]), 620):.0f}px" if found else "100%"
        return f'<figure style="width: {wide}">{svg}<figcaption>{title}</figcaption></figure>'
    return f'<figure class="board">{_table(figure)}<figcaption>{title}</figcaption></figure>'


def _table(figure: Figure) -> str:
    """The numbers with files and ranks."""
    rows = len(figure.rows)
    columns = max(len(row) for row in figure.rows)
    top = (
        "<tr><td></td>"
        + "".join(f'<th scope="col">{file}</th>' for file in Board.box(1, columns).files)
        + "</tr>"
    )
    body = "".join(
        f'<tr><th scope="row">{rows - r}</th>'
        + "".join(_cell(figure, r, c, word) for c, word in enumerate(row))
        + "</tr>"
        for r, row in enumerate(figure.rows)
    )
    return f"<table><thead>{top}</thead><tbody>{body}</tbody></table>"


def _cell(figure: Figure, r: int, c: int, word: str) -> str:
    """A square: dark or light; its number, marked as first, last, wrong; what should stand there."""
    at = (r, c)
    classes = ["d" if (len(figure.rows) - r + c) % 2 == 0 else "l"]
    classes += ["wrong"] if at in figure.wrong else []
    classes += [figure.ends[at]] if at in figure.ends else []
    text = escape("" if word == "." else word)
    if at in figure.marked:
        classes.append("other")
        text = f"<s>{text or '&nbsp;'}</s><ins>{escape(figure.marked[at])}</ins>"
    return f'<td class="{" ".join(classes)}">{text}</td>'
