"""Pictures as TikZ, for papers: a `tikzpicture` to include with `input`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from cavalcade.draw.pen import short
from cavalcade.draw.pictures import picture
from cavalcade.draw.shapes import Disc, Letters, Plate, Polyline, Shape, placed

ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}
SPECIAL = {c: f"\\{c}" for c in "{}$&#%_"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
}


def tikz(drawable: Any, **options: Any) -> str:
    """The picture of something as TikZ, with the options of `picture`; it needs only the package tikz."""
    drawn = picture(drawable, **options)
    # 0.85 TeX points per unit make an 8x8 board 5.5 cm wide; the text of an article is 345 points wide.
    scale = min(0.85, 345 / drawn.width)
    paper = Plate("paper", 0, 0, drawn.width, drawn.height, fill=drawn.paper)
    shapes = list(placed([paper, *drawn.shapes] if drawn.paper else drawn.shapes, scale=scale))
    inks = [ink for shape in shapes for ink in (shape.fill, getattr(shape, "stroke", "")) if ink]
    names = {ink: f"cavalcade{k}" for k, ink in enumerate(dict.fromkeys(inks))}
    body = [line for shape in shapes for line in _drawn(shape, names)]
    width, height = short(scale * drawn.width), short(scale * drawn.height)
    return "\n".join(
        [
            "% " + drawn.title.replace("\n", " "),
            r"% \usepackage{tikz}, and \input this file",
            r"\begin{tikzpicture}[x=1pt,y=-1pt,line cap=round,line join=round,inner sep=0pt,outer sep=0pt]",
            *(rf"\definecolor{{{name}}}{{HTML}}{{{ink[1:].upper()}}}" for ink, name in names.items()),
            rf"\useasboundingbox (0,0) rectangle ({width},{height});",
            *body,
            r"\end{tikzpicture}",
            "",
        ]
    )


def _drawn(shape: Shape, names: dict[str, str]) -> Iterator[str]:
    if isinstance(shape, Letters):
        turn = ",rotate=90" if shape.upwards else ""
        size = rf"\fontsize{{{short(shape.size)}}}{{{short(1.2 * shape.size)}}}\selectfont\sffamily"
        position = f"({short(shape.x)},{short(shape.y + 0.36 * shape.size)})"
        ink = f"text={names[shape.fill]},anchor={ANCHORS[shape.anchor]}{turn}"
        text = "".join(SPECIAL.get(c, c) for c in shape.text)
        yield rf"\node[{ink},font={size}] at {position} {{{text}}};"
        return
    options = []
    if shape.fill:
        options.append(f"fill={names[shape.fill]}")
    if isinstance(shape, Polyline) and shape.opacity < 1:
        options.append(f"fill opacity={shape.opacity}")
    if shape.stroke:
        options.append(f"draw={names[shape.stroke]},line width={short(shape.width)}pt")
    if isinstance(shape, Polyline) and shape.dash:
        on, off = map(short, shape.dash)
        options.append(f"dash pattern=on {on}pt off {off}pt")
    if isinstance(shape, Plate) and shape.radius:
        options.append(f"rounded corners={short(shape.radius)}pt")
    paths: Sequence[str]
    if isinstance(shape, Disc):
        paths = [f"({short(shape.x)},{short(shape.y)}) circle[radius={short(shape.r)}pt]"]
    elif isinstance(shape, Plate):
        corner = shape.x + shape.wide, shape.y + shape.high
        paths = [f"({short(shape.x)},{short(shape.y)}) rectangle ({short(corner[0])},{short(corner[1])})"]
    else:
        end = "--cycle" if shape.closed else ""
        paths = ["--".join(f"({short(x)},{short(y)})" for x, y in run) + end for run in shape.drawn()]
    for k in range(0, len(paths), 40):  # TeX cannot hold a path of a thousand places
        yield rf"\path[{','.join(options)}] {' '.join(paths[k : k + 40])};"
