"""Reports: what is printed, what was recomputed, the same or not, and why not.

A `Report` is rendered as text, as markdown, or as one self-contained page of HTML with the boards.
"""

from __future__ import annotations

import html as _html
import textwrap
from dataclasses import dataclass, field
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from cavalcade.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Iterable

FORMATS = ("text", "markdown", "html")
#: The possible outcomes of an item.
SAME = {
    "yes": "recomputed as far as stated, and the same",
    "no": "recomputed, and not the same",
    "verified": "checked move by move, and right",
    "refuted": "checked move by move, and wrong",
    "lost": "not legible",
    "answered": "nothing is printed to compare with",
}


@dataclass(frozen=True)
class Figure:
    """A board to show: its printed numbers, and where they differ the others.

    Args:
        title: what it is.
        rows: the words to show, row by row.
        marked: (row, column) and what should stand there.
    """

    title: str
    rows: list[list[str]]
    marked: dict[tuple[int, int], str] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    """One thing that a paper prints.

    Args:
        name: which table or sentence.
        printed: what stands there.
        recomputed: what this package finds.
        same: one of `SAME`.
        why: why not the same, or on what grounds.
        figures: boards to show.
    """

    name: str
    printed: str
    recomputed: str
    same: str
    why: str = ""
    figures: tuple[Figure, ...] = ()

    def __post_init__(self) -> None:
        if self.same not in SAME:
            raise CavalcadeError(f"{self.same!r} is not an outcome, expected one of {', '.join(SAME)}")


def claim(name: str, printed: str, recomputed: str, *, same: bool, why: str = "") -> Item:
    """An item whose outcome is yes or no."""
    return Item(name, printed, recomputed, "yes" if same else "no", why)


@dataclass(frozen=True)
class Correction:
    """One printed number (or word) that cannot stand.

    Args:
        item: the section of the data file, or the place in the text.
        cell: the square, or what is meant.
        printed: what stands there.
        wanted: what should; "-" where nothing legal would do.
        whose: `author`, `scan`, or `either` where that is not known.
        why: the evidence.
    """

    item: str
    cell: str
    printed: str
    wanted: str
    whose: str
    why: str


@dataclass(frozen=True)
class Report:
    """All items of a paper, in its order, and the slips found in it."""

    title: str
    items: tuple[Item, ...]
    slips: tuple[Correction, ...]

    def __getitem__(self, name: str) -> Item:
        """The item of this name."""
        return {item.name: item for item in self.items}[name]

    @property
    def outcomes(self) -> dict[str, int]:
        """How many items came to what."""
        every = [item.same for item in self.items]
        return {same: every.count(same) for same in SAME if same in every}

    def render(self, format: str = "text") -> str:  # noqa: A002 - the option's name
        """The report as `text`, `markdown` or `html`.

        Raises:
            CavalcadeError: another format.
        """
        if format not in FORMATS:
            raise CavalcadeError(f"unknown format {format!r}, expected one of {', '.join(FORMATS)}")
        return {"text": self.text, "markdown": self.markdown, "html": self.html}[format]()

    @property
    def _summary(self) -> str:
        return "; ".join(f"{n} {same} ({SAME[same]})" for same, n in self.outcomes.items())

    def text(self, width: int = 118) -> str:
        """For a terminal: every item with its details, the slips, then a table of a line an item."""
        lines = [*textwrap.wrap(self.title, width), ""]
        for item in self.items:
            lines += [f"[{item.same}] {item.name}"]
            for label, words in (
                ("printed", item.printed),
                ("recomputed", item.recomputed),
                ("why", item.why),
            ):
                if words:
                    lines += textwrap.wrap(
                        words, width, initial_indent=f"    {label:<12}", subsequent_indent=" " * 16
                    )
        lines += ["", "Slips and scan damage"]
        for slip in self.slips:
            lines += textwrap.wrap(_sentence(slip), width, initial_indent="  - ", subsequent_indent="    ")
        widths = (41, 18, 20, 8, width - 95)
        line = "-" * width
        rows = [("item", "printed", "recomputed", "same", "why")]
        rows += [(i.name, i.printed, i.recomputed, i.same, i.why) for i in self.items]
        table = [
            "  ".join(
                textwrap.shorten(words, size, placeholder=" ...").ljust(size)
                for words, size in zip(row, widths, strict=True)
            ).rstrip()
            for row in rows
        ]
        lines += ["", table[0], line, *table[1:], line, *textwrap.wrap(self._summary, width)]
        return "\n".join(lines) + "\n"

    def markdown(self) -> str:
        """A table, and a list of the slips."""
        lines = [
            f"# {self.title}",
            "",
            "| item | printed | recomputed | same | why |",
            "|---|---|---|---|---|",
        ]
        lines += [
            "| "
            + " | ".join(
                words.replace("|", "\\|") for words in (i.name, i.printed, i.recomputed, i.same, i.why)
            )
            + " |"
            for i in self.items
        ]
        lines += ["", self._summary, "", "## Slips and scan damage", ""]
        return "\n".join([*lines, *(f"- {_sentence(slip)}" for slip in self.slips)]) + "\n"

    def html(self) -> str:
        """One page that needs nothing else."""
        escape = _html.escape
        parts = {
            "title": escape(self.title),
            "chips": "".join(
                f'<li class="{same}" title="{escape(SAME[same])}"><b>{n}</b> {same}</li>'
                for same, n in self.outcomes.items()
            ),
            "table": "\n".join(
                f"<tr><td>{_link(i, k)}</td><td>{escape(i.printed)}</td>"
                f"<td>{escape(i.recomputed)}</td><td>{_chip(i)}</td><td>{escape(i.why)}</td></tr>"
                for k, i in enumerate(self.items)
            ),
            "boards": "\n".join(
                f'<section id="i{k}"><h3>{escape(i.name)} {_chip(i)}</h3>'
                f'<div class="boards">{"".join(map(_board, i.figures))}</div></section>'
                for k, i in enumerate(self.items)
                if i.figures
            ),
            "slips": "\n".join(f"<li>{escape(_sentence(slip))}</li>" for slip in self.slips),
        }
        page = files("cavalcade.papers").joinpath("data", "report.html").read_text(encoding="utf-8")
        return Template(page).substitute(parts)


def _link(item: Item, number: int) -> str:
    """The item's name, leading to its boards where it has any."""
    name = _html.escape(item.name)
    return f'<a href="#i{number}">{name}</a>' if item.figures else name


def _chip(item: Item) -> str:
    return f'<span class="{item.same}">{item.same}</span>'


def _sentence(slip: Correction) -> str:
    whose = {"author": "slip", "scan": "scan", "either": "slip or scan"}[slip.whose]
    wanted = "" if slip.wanted == "-" else f", should be {slip.wanted}"
    return f"({whose}) {slip.item}, {slip.cell}: printed {slip.printed}{wanted}. {slip.why}."


def _board(figure: Figure) -> str:
    """A board as a small table, marked squares with both numbers."""

    def cell(r: int, c: int, word: str) -> str:
        shade = "d" if (r + c) % 2 else "l"
        if (r, c) in figure.marked:
            wanted = f"<small>{_html.escape(figure.marked[r, c])}</small>"
            return f'<td class="{shade} x">{_html.escape(word)}{wanted}</td>'
        return f'<td class="{shade}">{_html.escape(word)}</td>'

    rows = "".join(
        "<tr>" + "".join(cell(r, c, word) for c, word in enumerate(row)) + "</tr>"
        for r, row in enumerate(figure.rows)
    )
    return f"<figure><table>{rows}</table><figcaption>{_html.escape(figure.title)}</figcaption></figure>"


def figures(
    title: str, table: Iterable[Iterable[Iterable[str]]], marked: dict[tuple[int, int, int], str]
) -> tuple[Figure, ...]:
    """One figure a board of a table; `marked` is keyed by board, row, column."""
    boards = [[list(row) for row in board] for board in table]
    return tuple(
        Figure(
            title if len(boards) == 1 else f"{title}, board {k + 1}",
            board,
            {(r, c): word for (b, r, c), word in marked.items() if b == k},
        )
        for k, board in enumerate(boards)
    )
