"""Reports: what is printed, what was recomputed, the same or not, and why not.

A `Report` is rendered as text, as markdown, or as one self-contained page of HTML with the boards.
"""

from __future__ import annotations

import html as _html
import textwrap
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cavalcade.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cavalcade.papers.tables import Correction

FORMATS = ("text", "markdown", "html")
#: What an item can come to.
SAME = {
    "yes": "recomputed, and the same",
    "no": "recomputed, and not the same",
    "verified": "not to be recomputed; what is printed is right, move by move",
    "refuted": "not to be recomputed; what is printed is not right",
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
            raise CavalcadeError(f"{self.same!r} is no outcome, expected one of {', '.join(SAME)}")


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

    def text(self, width: int = 110) -> str:
        """For a terminal: every item with its details, then the table."""
        lines = [*textwrap.wrap(self.title, width), ""]
        for item in self.items:
            lines += [f"[{item.same}] {item.name}"]
            for label, words in (("printed", item.printed), ("recomputed", item.recomputed), ("why", item.why)):
                if words:
                    lines += textwrap.wrap(
                        words, width, initial_indent=f"    {label:<12}", subsequent_indent=" " * 16
                    )
        lines += ["", "Slips and scan damage"]
        for slip in self.slips:
            lines += textwrap.wrap(_sentence(slip), width, initial_indent="  - ", subsequent_indent="    ")
        short = (width - 14) // 3
        row = f"{{:<{short}}}  {{:<{short}}}  {{:<{short}}}  {{}}"
        lines += ["", row.format("item", "printed", "recomputed", "same"), "-" * width]
        lines += [
            row.format(*(_cut(words, short) for words in (item.name, item.printed, item.recomputed)), item.same)
            for item in self.items
        ]
        return "\n".join([*lines, "-" * width, *textwrap.wrap(self._summary, width)]) + "\n"

    def markdown(self) -> str:
        """A table, and a list of the slips."""
        lines = [f"# {self.title}", "", "| item | printed | recomputed | same | why |", "|---|---|---|---|---|"]
        lines += [
            "| " + " | ".join(words.replace("|", "\\|") for words in (i.name, i.printed, i.recomputed, i.same, i.why))
            + " |"
            for i in self.items
        ]
        lines += ["", self._summary, "", "## Slips and scan damage", ""]
        return "\n".join([*lines, *(f"- {_sentence(slip)}" for slip in self.slips)]) + "\n"

    def html(self) -> str:
        """One page that needs nothing else."""
        say = _html.escape
        chips = "".join(
            f'<li class="{same}" title="{say(SAME[same])}"><b>{n}</b> {same}</li>'
            for same, n in self.outcomes.items()
        )
        table = "".join(
            f'<tr><td><a href="#i{k}">{say(i.name)}</a></td><td>{say(i.printed)}</td><td>{say(i.recomputed)}</td>'
            f'<td><span class="{i.same}">{i.same}</span></td><td>{say(i.why)}</td></tr>'
            for k, i in enumerate(self.items)
        )
        boards = "".join(
            f'<section id="i{k}"><h3>{say(i.name)} <span class="{i.same}">{i.same}</span></h3>'
            f'<div class="boards">{"".join(map(_board, i.figures))}</div></section>'
            for k, i in enumerate(self.items)
            if i.figures
        )
        slips = "".join(f"<li>{say(_sentence(slip))}</li>" for slip in self.slips)
        return _PAGE.format(
            title=say(self.title), style=_STYLE, chips=chips, table=table, boards=boards, slips=slips
        )


def _sentence(slip: Correction) -> str:
    whose = {"author": "slip", "scan": "scan", "either": "slip or scan"}[slip.whose]
    wanted = "" if slip.wanted == "-" else f", should be {slip.wanted}"
    return f"({whose}) {slip.item}, {slip.cell}: printed {slip.printed}{wanted}. {slip.why}."


def _cut(words: str, width: int) -> str:
    return words if len(words) <= width else words[: width - 3] + "..."


def _board(figure: Figure) -> str:
    """A board as a small table, marked squares with both numbers."""

    def cell(r: int, c: int, word: str) -> str:
        shade = "d" if (r + c) % 2 else "l"
        if (r, c) in figure.marked:
            return f'<td class="{shade} x">{_html.escape(word)}<small>{_html.escape(figure.marked[r, c])}</small></td>'
        return f'<td class="{shade}">{_html.escape(word)}</td>'

    rows = "".join(
        "<tr>" + "".join(cell(r, c, word) for c, word in enumerate(row)) + "</tr>"
        for r, row in enumerate(figure.rows)
    )
    return f"<figure><table>{rows}</table><figcaption>{_html.escape(figure.title)}</figcaption></figure>"


def figures(title: str, table: Iterable[Iterable[Iterable[str]]], marked: dict[tuple[int, int, int], str]) -> tuple[Figure, ...]:
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


_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>{style}</style></head><body><main>
<h1>{title}</h1><ul class="chips">{chips}</ul>
<div class="wide"><table class="items"><thead><tr><th>item</th><th>printed</th><th>recomputed</th><th>same</th>
<th>why</th></tr></thead><tbody>{table}</tbody></table></div>
<h2>Slips and scan damage</h2><ul class="slips">{slips}</ul>
<h2>Boards</h2><p>A square in red differs: the printed number, and below it the one that was recomputed or
that legality demands.</p>{boards}</main></body></html>
"""
_STYLE = """
:root{--ink:#1d2330;--paper:#fbfaf7;--line:#dcd8cf;--dark:#e6ddcb;--light:#fffdf8;--muted:#6a6f7a}
@media(prefers-color-scheme:dark){:root{--ink:#e8e6e1;--paper:#16181d;--line:#343842;--dark:#2b2f39;--light:#1f232b;
--muted:#9aa0ac}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:74rem;margin:0 auto;padding:2.5rem 1.25rem}h1{font-size:1.5rem;line-height:1.3;margin:0 0 1rem}
h2{margin:2.5rem 0 .75rem;font-size:1.2rem}h3{font-size:1rem;margin:1.75rem 0 .5rem}a{color:inherit}
.chips{list-style:none;display:flex;flex-wrap:wrap;gap:.5rem;padding:0;margin:0 0 1.5rem}
.chips li,span.yes,span.no,span.verified,span.refuted,span.lost,span.answered{border-radius:1rem;padding:.1rem .7rem;
font-size:.85rem;color:#fff;white-space:nowrap}
.yes{background:#2e7d4f}.verified{background:#2b6ca3}.answered{background:#6b5aa8}.no{background:#b23b3b}
.refuted{background:#93306f}.lost{background:#7d7f85}
.wide{overflow-x:auto}.items{border-collapse:collapse;width:100%}.items th,.items td{text-align:left;vertical-align:top;
padding:.45rem .6rem;border-bottom:1px solid var(--line)}.items th{color:var(--muted);font-weight:600;font-size:.85rem}
.slips li{margin:.3rem 0}.boards{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}
figure table{border-collapse:collapse;font:12px/1 ui-monospace,monospace}figure td{width:2.5rem;height:2.1rem;
text-align:center;border:1px solid var(--line)}td.d{background:var(--dark)}td.l{background:var(--light)}
td.x{background:#b23b3b;color:#fff}td.x small{display:block;opacity:.85;margin-top:.15rem}
figcaption{color:var(--muted);font-size:.8rem;margin-top:.3rem}
"""
