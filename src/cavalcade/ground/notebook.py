"""How answers show themselves in Jupyter and marimo: a class says `_repr_html_ = shown`.

`draw.html` writes the HTML, and is loaded when a notebook asks for it.
"""

from __future__ import annotations


def shown(self: object) -> str:
    """The HTML that a notebook shows: words, and a picture where it is small enough to be seen."""
    from cavalcade.draw.html import html

    return html(self)
