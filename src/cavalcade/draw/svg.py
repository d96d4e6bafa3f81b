"""Pictures as SVG, written without a library: the same picture gives the same bytes.

A moving picture needs no script: one number runs from 0 to the last step, again and again (CSS, `@property`),
and every move grows and every mark appears at its step. Readers who prefer reduced motion, and programs that
do not support CSS, show the whole picture.
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any
from zlib import crc32

from cavalcade.draw.pen import FONT, short, stroke_width, strokes
from cavalcade.draw.pictures import picture
from cavalcade.draw.pixels import in_pixels, is_for_pixels
from cavalcade.draw.shapes import Disc, Letters, Picture, Plate, Point, Polyline, Shape
from cavalcade.question.words import validated

ROUND = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'


class Svg(str):
    """A picture as text. A notebook shows the picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


@validated
def svg(
    thing: Any, *, size: int | None = None, font: bool = True, animate: bool = False, **options: Any
) -> Svg:
    """The picture of a tour, a board, a graph, a proof or a puzzle.

    Args:
        thing: what is drawn.
        size: the longer side in pixels; an SVG can be scaled in any case.
        font: False draws letters as lines, for a machine without fonts.
        animate: a moving picture, of a tour.
        options: options of `pictures.picture`: `numbers`, `labels`, `colour`, `style`, …

    Raises:
        TooLargeError: it has more than `board.MOST` cells, and is no tour of squares; see `pixels`.
        CavalcadeError: an option that is unknown, or that does not fit the picture.
    """
    drawn = in_pixels(thing, **options) if is_for_pixels(thing) else picture(thing, **options)
    if animate:
        drawn.assert_moving()
    return written(drawn, drawn.scale(size, full=1200, nice=2.4, tall=6), font=font, animate=animate)


def written(drawn: Picture, scale: float = 1.0, *, font: bool = True, animate: bool = False) -> Svg:
    """A picture as SVG; `scale` is pixels a unit, `font` and `animate` as for `svg`."""
    width, height = math.ceil(drawn.width), math.ceil(drawn.height)
    body = _elements(drawn.shapes, font=font, animate=animate)
    name = f"p{crc32((drawn.title + body).encode()):08x}"
    hop, style = _moving(drawn, name) if animate else ("", "")
    paper = f'<rect width="{width}" height="{height}" fill="{drawn.paper}"/>\n' if drawn.paper else ""
    image = (
        f'<image width="{width}" height="{height}" style="image-rendering:pixelated" '
        f'href="data:image/png;base64,{b64encode(drawn.image).decode()}"/>\n'
    )
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{round(width * scale)}" height="{round(height * scale)}" role="img" id="{name}" '
        f'aria-labelledby="{name}-title {name}-desc" font-family="{FONT}">\n'
        f'<title id="{name}-title">{escape(drawn.title)}</title>\n'
        f'<desc id="{name}-desc">{escape(drawn.desc)}</desc>\n'
        f"{style}{paper}{image if drawn.image else ''}{body}\n{hop}</svg>\n"
    )


def _elements(shapes: Iterable[Shape], *, font: bool, animate: bool) -> str:
    """Shapes as elements; successive ones with the same attributes are a group."""
    out = []
    written_shapes = (_element(shape, font=font, animate=animate) for shape in shapes)
    for shared, items in groupby(written_shapes, key=itemgetter(0)):
        elements = [element for _, element in items]
        if len(elements) > 2 and shared:
            out += [f"<g {shared}>", *(element.replace(" @", "", 1) for element in elements), "</g>"]
        else:
            out += [element.replace(" @", f" {shared}" if shared else "", 1) for element in elements]
    return "\n".join(out)


def _element(shape: Shape, *, font: bool, animate: bool) -> tuple[str, str]:
    """The attributes that a group can hold, and the element, with ` @` in their place."""
    step = f' style="--s:{short(shape.step)}"' if animate and shape.step >= 0 else ""
    role = f'class="{shape.role}"{step} @'
    if isinstance(shape, Letters):
        return _letters(shape, role, font=font)
    fill = f' fill="{shape.fill or "none"}"'
    stroke = f' stroke="{shape.stroke}"' if shape.stroke else ""
    wide = f' stroke-width="{short(shape.width)}"' if shape.stroke else ""
    if isinstance(shape, Disc):
        place = f'cx="{short(shape.x)}" cy="{short(shape.y)}" r="{short(shape.r)}"'
        return "", f"<circle {role}{wide} {place}{fill}{stroke}/>"
    if isinstance(shape, Plate):
        place = f'x="{short(shape.x)}" y="{short(shape.y)}" '
        size = f'width="{short(shape.wide)}" height="{short(shape.high)}"'
        corner = f' rx="{short(shape.radius)}"' if shape.radius else ""
        note = f"><title>{escape(shape.note)}</title></rect>" if shape.note else "/>"
        return "", f"<rect {role}{wide} {place}{size}{corner}{fill}{stroke}{note}"
    dash = f' stroke-dasharray="{" ".join(map(short, shape.dash))}"' if shape.dash else ""
    path = f'd="{_path(shape)}"/>'
    if not shape.fill:
        grows = ' pathLength="1"' if animate and shape.role in {"move", "gap"} else ""
        return ROUND, f"<path {role}{stroke}{wide}{dash}{grows} {path}"
    thin = f' fill-opacity="{short(shape.opacity)}"' if shape.opacity < 1 else ""
    first = shape.runs[0] if shape.at and not stroke else ()
    crisp = ' shape-rendering="crispEdges"' if len(first) == 4 and first[0][1] == first[1][1] else ""
    return "", f"<path {role}{fill}{stroke}{wide}{dash}{thin}{crisp} {path}"


def _letters(shape: Letters, role: str, *, font: bool) -> tuple[str, str]:
    """Letters, as text or as strokes."""
    turn = f' transform="rotate(-90 {short(shape.x)} {short(shape.y)})"' if shape.upwards else ""
    path = "" if font else strokes(shape.x, shape.y, shape.text, shape.size, shape.anchor)
    if path:
        wide = f'stroke="{shape.fill}" stroke-width="{short(stroke_width(shape.size))}"'
        return f"{ROUND} {wide}", f'<path {role}{turn} d="{path}"/>'
    shared = f'font-size="{short(shape.size)}" fill="{shape.fill}" text-anchor="{shape.anchor}"'
    position = f'x="{short(shape.x)}" y="{short(shape.y + 0.36 * shape.size)}"'
    return shared, f"<text {role}{turn} {position}>{escape(shape.text)}</text>"


def _path(shape: Polyline) -> str:
    """The commands of a path: short runs in plain places, long ones in steps, which are shorter."""
    end = "z" if shape.closed else ""
    out = []
    for run in shape.runs:
        places = [(round(x, 2), round(y, 2)) for x, y in run]
        if len(places) == 2 and not end:
            rest = f" {short(places[1][0])} {short(places[1][1])}"
        else:
            rest = "".join(_steps(places)) + end
        x, y = run[0] if shape.at else places[0]
        origins = shape.at or ((0.0, 0.0),)
        across = {u: short(u + x) for u in {u for u, _ in origins}}  # tiles share their coordinates
        down = {v: short(v + y) for v in {v for _, v in origins}}
        out += [f"M{across[u]} {down[v]}{rest}" for u, v in origins]
    return "".join(out)


def _steps(places: Sequence[Point]) -> Iterator[str]:
    for (x, y), (u, v) in pairwise(places):
        if v == y:
            yield f"h{short(u - x)}"
        elif u == x:
            yield f"v{short(v - y)}"
        else:
            yield f"l{short(u - x)} {short(v - y)}"


def _moving(drawn: Picture, name: str) -> tuple[str, str]:
    """The hopping piece, and the style that moves the picture."""
    steps = max(len(drawn.route) - 1, 1)
    # Seconds: 0.35 per step, at least 5 and at most 45 in all, then 2.5 for the whole picture.
    walk = min(max(0.35 * steps, 5.0), 45.0)
    whole = walk + 2.5
    stop = 100 * walk / whole
    now, late = f"--t-{name}", f"var(--t-{name}) - var(--s)"
    rules = [
        f'@property {now}{{syntax:"&lt;number&gt;";inherits:true;initial-value:{steps + 1}}}',
        "@media (prefers-reduced-motion:no-preference){",
        f"@keyframes go-{name}{{0%{{{now}:0}}{stop:.5g}%,100%{{{now}:{steps}}}}}",
        f"#{name}{{animation:go-{name} {whole:.4g}s linear infinite}}",
        f"#{name} [style]{{opacity:clamp(0,({late})*99 + 1,1)}}",
        f"#{name} :is(.move,.gap){{stroke-dasharray:1 2;stroke-dashoffset:calc(1 - clamp(0,{late} + 1,1))}}",
        f"#{name} :is(.move,.gap){{opacity:clamp(0,({late} + 1)*99,1)}}",
    ]
    hop = ""
    most = 1_000  # steps up to which a piece moves along; every step is one CSS keyframe
    if 1 < len(drawn.route) <= most:
        places = [(stop * k / steps, place) for k, place in enumerate(drawn.route)]
        frames = "".join(
            f"{share:.5g}%{{transform:translate({short(x)}px,{short(y)}px)}}"
            for share, (x, y) in [*places, (100, drawn.route[-1])]
        )
        rules.append(f"@keyframes hop-{name}{{{frames}}}")
        rules.append(f"#{name} .piece{{opacity:1;animation:hop-{name} {whole:.4g}s linear infinite}}")
        hop = (
            '<circle class="piece" opacity="0" r="5.2" fill="#1d1a16" stroke="#ffffff" stroke-width="1.6"/>\n'
        )
    rules.append("}")
    return hop, "<style>\n" + "\n".join(rules) + "\n</style>\n"
