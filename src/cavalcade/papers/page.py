"""HTML pages: a converter for the subset of Markdown in the texts, and the frame of a page."""

from __future__ import annotations

import re
from html import escape
from string import Template
from typing import TYPE_CHECKING

from cavalcade.papers.items import data

if TYPE_CHECKING:
    from collections.abc import Callable

    Link = Callable[[str, str], str]  # (words, target) -> address; empty for no link

#: Inline markup: code, a link, emphasis.
INLINE = re.compile(r"`([^`]+)`|\[([^]]+)\]\(([^)]+)\)|\*([^*]+)\*")
IMAGE = re.compile(r"!\[([^]]*)\]\(([^)]+)\)")


def page(title: str, body: str) -> str:
    """Return a whole page."""
    return Template(data("page.html")).substitute(title=escape(title), body=body)


def command(row: str) -> str:
    """Return a command line as HTML that breaks only between words."""
    words = re.sub("[^ ]*-[^ ]*", r"<span>\g<0></span>", escape(row, quote=False))
    return f"<b>{words}</b>"


def console(shown: str, kind: str = "") -> str:
    """Return console output as HTML; output with aligned columns never wraps."""
    aligned = "aligned" if re.search(r"\S {3}", shown) else ""
    return f'<pre class="{kind} {aligned}">{shown}</pre>'


def inline(text: str, link: Link = lambda _, target: target) -> str:
    """Convert inline markup to HTML.

    Args:
        text: Markdown without blocks.
        link: maps the words and the target of a link to an address; empty for no link.
    """

    def tag(match: re.Match[str]) -> str:
        code, words, target, emphasis = match.groups()
        if target is not None:
            address = link(words, target)
            return (
                f'<a href="{address}">{inline(words)}</a>' if address else f"{inline(words)} (docs/{target})"
            )
        return f"<code>{code}</code>" if code else f"<em>{emphasis}</em>"

    return INLINE.sub(tag, escape(text, quote=False))


def blocks(text: str, link: Link = lambda _, target: target) -> str:
    """Convert headings, paragraphs, lists, images and console blocks to HTML."""
    html = []
    for part in re.findall(r"```.*?\n```|(?:(?!```)\S[^\n]*\n?)+", text, re.DOTALL):
        block = part.strip()
        if block.startswith("```"):
            _, *rows = block.removesuffix("```").rstrip().split("\n")
            lines = (command(row) if row.startswith("$ ") else escape(row, quote=False) for row in rows)
            html.append(console("\n".join(lines)))
        elif block.startswith("#"):
            marks, _, words = block.partition(" ")
            html.append(f"<h{len(marks)}>{inline(words, link)}</h{len(marks)}>")
        elif image := IMAGE.fullmatch(block):
            html.append(f'<img src="{image[2]}" alt="{escape(image[1])}">')
        elif block.startswith("- "):
            rows = "".join(f"<li>{inline(row, link)}</li>" for row in block[2:].split("\n- "))
            html.append(f"<ul>{rows}</ul>")
        else:
            html.append(f"<p>{inline(block, link)}</p>")
    return "\n".join(html)
