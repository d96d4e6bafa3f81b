"""Words below a picture: a title, a legend, and a text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from cavalcade.draw.layout import UNIT
from cavalcade.draw.pen import text_width
from cavalcade.draw.shapes import Group, Letters, Picture, Shape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cavalcade.draw.styles import Style

KEY = 1.75 * UNIT  # the room of a sign
LEAST = 13 * UNIT  # the width of a picture with words


class LegendEntry(NamedTuple):
    """A sign, painted about a height of 0 in a room `KEY` wide, and its meaning."""

    sign: Sequence[Shape]
    text: str


def with_legend(
    picture: Picture, entries: Sequence[LegendEntry], style: Style, *, label: str = "", words: str = ""
) -> Picture:
    """The picture with words below: a title, the meaning of signs, and a text."""
    size = 0.4 * UNIT * max(1.0, max(picture.width, picture.height) / (24 * UNIT))
    scale, margin = size / (0.4 * UNIT), 0.5 * UNIT
    width = max(picture.width, LEAST * scale)
    room = width - 2 * margin
    y = picture.height + 0.6 * size
    out: list[Shape] = []
    for line in wrapped(label, size * 1.08, room):
        out.append(Letters("words", margin, y, line, size * 1.08, style.text, "start"))
        y += 1.45 * size
    x, y = margin, y + 0.15 * size
    for entry in entries:
        wide = KEY * scale + text_width(entry.text, size) + size
        if x > margin and x + wide - size > width - margin:
            x, y = margin, y + 1.6 * size
        out.append(Group(tuple(entry.sign), x, y, scale))
        out.append(Letters("words", x + KEY * scale, y, entry.text, size, style.text, "start"))
        x += wide
    y += 1.9 * size if entries else 0.2 * size
    for line in wrapped(words, size, room):
        out.append(Letters("words", margin, y, line, size, style.text, "start"))
        y += 1.4 * size
    move = (width - picture.width) / 2
    shapes = [*picture.shapes, *out] if not move else [Group(tuple(picture.shapes), move, 0), *out]
    route = [(x + move, y) for x, y in picture.route]
    return replace(picture, width=width, height=y + 0.2 * size, shapes=shapes, route=route)


def wrapped(text: str, size: float, width: float) -> list[str]:
    """A text in lines of at most this width; a longer word has a line of its own."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
