"""Pages: the little Markdown of the texts, as HTML, and the frame around it, which needs nothing else."""

from __future__ import annotations

import re
from html import escape
from string import Template
from typing import TYPE_CHECKING

from cavalcade.papers.items import data

if TYPE_CHECKING:
    from collections.abc import Callable

    Link = Callable[[str, str], str]

#: What stands in a line: code, a link, emphasis.
INLINE = re.compile(r"`([^`]+)`|\[([^]]+)\]\(([^)]+)\)|\*([^*]+)\*")
IMAGE = re.compile(r"!\[([^]]*)\]\(([^)]+)\)")


def page(title: str, body: str) -> str:
    """A whole page."""
    return Template(data("page.html")).substitute(title=escape(title), body=body)


def command(row: str) -> str:
    """A command as HTML: it stands out, and is broken between its words alone."""
    words = re.sub("[^ ]*-[^ ]*", r"<span>\g<0></span>", escape(row, quote=False))
    return f"<b>{words}</b>"


def console(shown: str, kind: str = "") -> str:
    """What a console shows, as HTML; lines with columns are not wrapped, however narrow the page."""
    aligned = "aligned" if re.search(r"\S {3}", shown) else ""
    return f'<pre class="{kind} {aligned}">{shown}</pre>'


def inline(text: str, link: Link = lambda _, target: target) -> str:
    """A text with its code, links and emphasis.

    Args:
        text: the text.
        link: where a link leads, given its words and where it leads in the text; nowhere if that is empty.
    """

    def tag(match: re.Match[str]) -> str:
        code, words, target, emphasis = match.groups()
        if target is not None:
            to = link(words, target)
            return f'<a href="{to}">{inline(words)}</a>' if to else f"{inline(words)} (docs/{target})"
        return f"<code>{code}</code>" if code else f"<em>{emphasis}</em>"

    return INLINE.sub(tag, escape(text, quote=False))


def blocks(text: str, link: Link = lambda _, target: target) -> str:
    """Headings, paragraphs, lists, pictures with what is said of them, and what a console shows."""
    found = []
    for part in re.findall(r"```.*?\n```|(?:(?!```)\S[^\n]*\n?)+", text, re.DOTALL):
        one = part.strip()
        if one.startswith("```"):
            _, *rows = one.removesuffix("```").rstrip().split("\n")
            lines = (command(row) if row.startswith("$ ") else escape(row, quote=False) for row in rows)
            found.append(console("\n".join(lines)))
        elif one.startswith("#"):
            marks, _, words = one.partition(" ")
            found.append(f"<h{len(marks)}>{inline(words, link)}</h{len(marks)}>")
        elif image := IMAGE.fullmatch(one):
            found.append(f'<img src="{image[2]}" alt="{escape(image[1])}">')
        elif one.startswith("- "):
            rows = "".join(f"<li>{inline(row, link)}</li>" for row in one[2:].split("\n- "))
            found.append(f"<ul>{rows}</ul>")
        else:
            found.append(f"<p>{inline(one, link)}</p>")
    return "\n".join(found)
