"""The board on paper: cells, holes, frames, the names of levels, files and ranks.

- A *hole* with cells all around is a pit, dark and with a shadow. Elsewhere the frame follows the cells.
- Glued edges of a *surface* are dashed and have arrows, as in textbooks: edges with the same number of
  arrowheads are glued so that these agree. On a Möbius strip and a Klein bottle two of them are opposite.
- *Hexagonal* cells have three shades; neighbours differ.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.draw.layout import UNIT, Layout, Panel
from cavalcade.draw.shapes import Disc, Letters, Plate, Polyline, Shape, tiles
from cavalcade.draw.styles import level, mixed
from cavalcade.ground.errors import TooLargeError

if TYPE_CHECKING:
    from cavalcade.boards import Board
    from cavalcade.draw.shapes import Point
    from cavalcade.draw.styles import Style
    from cavalcade.question.graph import MoveGraph

FINE = 1_000  # cells with dots, bridges and badges
MOST = 250_000  # cells of a picture: about 7 MB, hexagons twice that
THICK = 0.14 * UNIT  # of a level in space


def assert_size(board: Board | MoveGraph) -> None:
    """Refuse a board that is too large for a picture.

    Raises:
        TooLargeError: it has more than `MOST` cells.
    """
    if board.size > MOST:
        raise TooLargeError(f"{board.title} has {board.size:,} cells, and pictures show at most {MOST:,}")


def ground(board: Board | MoveGraph, layout: Layout, style: Style, *, labels: bool) -> list[Shape]:
    """What is painted first; in space nothing, because `cells` are painted level by level."""
    if board.plain:
        return edges(board, layout, style)
    if layout.space:
        return []
    out: list[Shape] = []
    if style.board:
        out += [*cells(board, layout, style), *_pits(layout, style), *_frames(board, layout, style)]
    return [*out, *_around(layout, style, labels=labels)]


def above(board: Board | MoveGraph, layout: Layout, style: Style, *, labels: bool) -> list[Shape]:
    """What is painted over moves: arrows of glued edges, names of vertices, in space those of the board."""
    if board.plain:
        return vertex_names(board, layout, style) if labels else []
    if layout.space:
        return _around(layout, style, labels=labels)
    return _arrows(board, layout.panels[0], style) if board.family.glued and style.board else []


def _around(layout: Layout, style: Style, *, labels: bool) -> list[Shape]:
    """The names of levels, files and ranks."""
    out = names(layout, style) if len(layout.panels) > 1 else []
    if labels and style.board:
        out += [replace(label, fill=style.text) for label in layout.labels]
    return out


def cells(
    board: Board, layout: Layout, style: Style, only: int | None = None, opacity: float = 1.0
) -> list[Shape]:
    """The cells, or those of one level: tiles of a shade."""
    out: list[Shape] = []
    here = slice(None) if only is None else layout.panel_of == only
    at, shades = layout.centres[here].round(2), layout.shades[here]
    lined = board.family.hexagonal or layout.space
    if layout.space:  # their front edges
        below = [(x, y + THICK) for x, y in at.tolist()]
        out.append(tiles("side", layout.outline, below, style.frame, opacity=opacity))
    for shade, fill in enumerate(style.shades):
        places = [(x, y) for x, y in at[shades == shade].tolist()]
        if places:
            line = (style.frame, 0.5) if style.numbers else (fill, 0.3) if lined else ("", 0.0)
            out.append(tiles("cells", layout.outline, places, fill, *line, opacity=opacity))
    return out


def _pits(layout: Layout, style: Style) -> list[Shape]:
    """Holes with cells all around; square ones have a shadow from above and from the left."""
    if not layout.pits:
        return []
    out: list[Shape] = [tiles("hole", layout.outline, layout.pits, style.hole)]
    if len(layout.outline) == 4:
        here = {(round(x, 1), round(y, 1)) for x, y in layout.pits}
        dark, deep, u = mixed(style.hole, "#000000", 0.75), 0.16 * UNIT, UNIT / 2
        for i, j, edge in (
            (0, -UNIT, [(-u, -u), (u, -u), (u, deep - u), (-u, deep - u)]),
            (-UNIT, 0, [(-u, -u), (deep - u, -u), (deep - u, u), (-u, u)]),
        ):
            at = [(x, y) for x, y in layout.pits if (round(x + i, 1), round(y + j, 1)) not in here]
            out.append(tiles("shadow", edge, at, dark))
    return out


def names(layout: Layout, style: Style) -> list[Shape]:
    """The names of levels, each on its colour."""
    out: list[Shape] = []
    for k, panel in enumerate(layout.panels):
        width = (0.35 + 0.3 * len(panel.name)) * UNIT
        x, y = (panel.x, panel.y - 0.85 * UNIT)
        if layout.space:
            x, y = panel.at(panel.rows / 2, 0)
            x, y = x - width - 0.9 * UNIT, y - 0.325 * UNIT - 0.3 * UNIT
        out.append(Plate("level", x, y, width, 0.65 * UNIT, 0.2 * UNIT, of_level(layout, style, k)))
        out.append(Letters("name", x + width / 2, y + 0.325 * UNIT, panel.name, 0.5 * UNIT, "#ffffff"))
    return out


def of_level(layout: Layout, style: Style, panel: int) -> str:
    """The colour of a level; in black and white the colour of text."""
    return style.text if style.moves else level(panel / len(layout.panels))


def _frames(board: Board, layout: Layout, style: Style) -> list[Shape]:
    """A frame around each face of each level; edges that are glued to others are dashed."""
    if board.family.hexagonal:
        return []
    if board.mask is not None and not board.family.wraps:
        return [Polyline("frame", borders(board, layout), style.frame, 1)]
    glued = board.family.glued
    out: list[Shape] = []
    for panel, (row, column, rows, columns) in product(layout.panels, board.family.faces):
        corners = [
            panel.at(row + i * rows, column + j * columns) for i, j in ((0, 0), (0, 1), (1, 1), (1, 0))
        ]
        if not glued:
            out.append(Polyline("frame", [corners], style.frame, 1, closed=True))
            continue
        for i in range(4):
            dash = (3.0, 3.0) if str(i) in glued else ()
            out.append(Polyline("frame", [[corners[i], corners[(i + 1) % 4]]], style.frame, 1, dash=dash))
    return out


def _arrows(board: Board, panel: Panel, style: Style) -> list[Shape]:
    """Arrowheads on glued edges: one on left and right, two above and below."""
    m, n = panel.rows, panel.columns
    flips = getattr(board.family, "flips", False)
    edges_ = []
    if "1" in board.family.glued:
        edges_ += [(m / 2, 0.0, -1, 0, 1), (m / 2, n, 1 if flips else -1, 0, 1)]
    if "0" in board.family.glued:
        edges_ += [(0.0, n / 2, 0, 1, 2), (m, n / 2, 0, 1, 2)]
    half, back = 0.21, 0.4
    heads = []
    for row, column, i, j, count in edges_:
        for k in range(count):
            along = 0.2 + 0.42 * (k - (count - 1) / 2)
            tip = row + i * along, column + j * along
            tail = tip[0] - i * back, tip[1] - j * back
            heads.append(
                [
                    panel.at(tail[0] + half * j, tail[1] + half * i),
                    panel.at(*tip),
                    panel.at(tail[0] - half * j, tail[1] - half * i),
                ]
            )
    return [Polyline("glue", heads, style.shades[0], 0.05 * UNIT, style.text, closed=True)]


def borders(board: Board, layout: Layout) -> list[list[Point]]:
    """The sides of cells with no cell on the other side, joined where they are in line."""
    mask = np.ones(board.shape, dtype=np.bool_) if board.mask is None else board.mask
    out = []
    for panel, level_ in zip(layout.panels, mask.reshape(-1, *board.shape[-2:]), strict=True):
        for turned in (False, True):
            here = level_.T if turned else level_
            edge = np.diff(np.pad(here, ((1, 1), (0, 0))).astype(np.int8), axis=0) != 0
            for i, row in enumerate(edge):
                ends = np.flatnonzero(np.diff(np.pad(row.astype(np.int8), 1)))
                for first, last in ends.reshape(-1, 2).tolist():
                    run = [(first, i), (last, i)] if turned else [(i, first), (i, last)]
                    out.append([panel.at(*place) for place in run])
    return out


def edges(graph: MoveGraph, layout: Layout, style: Style) -> list[Shape]:
    """The edges of a plain graph, faint, unless there are too many."""
    every = graph.edges()
    if len(every) > 20_000 or not style.board:
        return []
    return layout.lines(every, "edges", style.shades[1], 0.07 * UNIT)


def vertex_names(graph: MoveGraph, layout: Layout, style: Style) -> list[Shape]:
    """The names, a little outside the vertices."""
    if graph.size > FINE:
        return []
    out: list[Shape] = []
    middle = np.array([layout.width, layout.height]) / 2
    for (x, y), name in zip(layout.centres.tolist(), graph.names, strict=True):
        away = np.array([x, y]) - middle
        away = away / max(float(np.hypot(*away)), 1e-9) * 0.75 * UNIT
        out.append(Letters("vertex", x + float(away[0]), y + float(away[1]), name, 0.42 * UNIT, style.text))
    return out


def dots(
    at: list[Point],
    fills: list[str],
    radius: float,
    stroke: str = "",
    role: str = "cell",
    first: int | None = None,
) -> list[Shape]:
    """Discs; with `first`, one appears with each step from there."""
    line = (stroke, 0.45 * radius) if stroke else ("", 0.0)
    return [
        Disc(role, x, y, radius, fill, *line, step=-1 if first is None else first + i)
        for i, ((x, y), fill) in enumerate(zip(at, fills, strict=True))
    ]


def cross(x: float, y: float, radius: float) -> list[list[Point]]:
    """The runs of a cross about a place."""
    a, b, c, d = x - radius, x + radius, y - radius, y + radius
    return [[(a, c), (b, d)], [(a, d), (b, c)]]
