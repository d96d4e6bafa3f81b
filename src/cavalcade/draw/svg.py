"""Pictures of boards and tours as SVG, by hand: no library, the same tour the same bytes.

A tour is one line whose colour runs once around the wheel, so that a closed tour ends in the colour it
began with, and half around for an open one. The first cell is a ring, the last of an open tour a disc.
Later moves pass over earlier ones.

- *Levels* lie side by side. A move to another level leaves its cell as a stub towards the place where it
  lands, with a filled badge naming the level; there it arrives as a stub with an empty badge naming the
  level it came from. Every level has its colour.
- On a *surface* a move over the edge leaves the board, and comes in where that edge is glued on. Glued
  edges are dashed.
- A *hexagon* has three shades, so that no two neighbours share one.
- A *plain graph* is a circle of its vertices, or they stand at given positions.

Up to `FINE` cells every move has its colour; above that, moves share some and only the line is drawn.
Boards of more than `MOST` cells are not drawn: there would be nothing to see.
"""

from __future__ import annotations

import math
from html import escape
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.draw.layout import HEX_HIGH, HEX_WIDE, UNIT, Layout, lay_out
from cavalcade.draw.pen import FONT, hue, letters, points, short
from cavalcade.errors import CavalcadeError, TooLargeError
from cavalcade.graph import MoveGraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board

FINE = 1_000  # cells with dots, bridges and badges
MOST = 250_000  # cells that are drawn at all: about 7 MB, hexagons twice that
SHADES = ("#f9f4ea", "#e7dac2", "#f0e6d4")  # light, dark, and the hexagon's third
FRAME, INK, PAPER = "#b9a88a", "#7d7160", "#ffffff"
COLOURS = 240
OVER = 0.42 * UNIT  # how far a line runs over a glued edge
LEAN = math.radians(46)  # how far two stubs of a cell stand apart at least

Half = tuple[float, float, float, float]


def tour_svg(
    tour: Tour,
    *,
    numbers: bool = False,
    labels: bool = True,
    colour: str | None = None,
    size: int | None = None,
    positions: ArrayLike | None = None,
    font: bool = True,
) -> str:
    """A picture of a tour, complete or partial.

    Args:
        tour: what is drawn.
        numbers: write the steps into the cells.
        labels: files and ranks; on a plain graph the names of the vertices.
        colour: one colour for the whole line instead of the wheel.
        size: the longer side in pixels; a picture can be scaled in any case.
        positions: where the vertices of a plain graph stand, (x, y) with y upwards.
        font: False draws letters as lines, for a machine without fonts.

    Raises:
        TooLargeError: the board has more than `MOST` cells.
    """
    board = tour.board
    _assert_size(board)
    layout = lay_out(board, positions, labels=labels)
    ink = _Ink(tour, colour)
    fine = board.size <= FINE
    out = [*_ground(board, layout, labels=labels, font=font)]
    lines, badges = _lines(tour, layout, ink, numbers=numbers, fine=fine, font=font)
    out += [f'<g fill="none" stroke-linecap="round" stroke-linejoin="round" stroke-width="{_width(board)}">']
    out += [*lines, "</g>"]
    marks = [*_marks(tour, layout, ink, numbers=numbers, fine=fine, font=font)]
    if isinstance(board, MoveGraph) and labels:
        marks += _vertex_names(board, layout, font=font)
    out += [*marks, *badges]
    who = "" if isinstance(board, MoveGraph) else f", {tour.piece.spec}"
    return _sheet(out, layout, tour.title(board.title) + who, size)


def board_svg(
    board: Board | MoveGraph,
    *,
    numbers: ArrayLike | None = None,
    labels: bool = True,
    size: int | None = None,
    positions: ArrayLike | None = None,
    font: bool = True,
) -> str:
    """A picture of an empty board, or with an integer in every cell.

    Args:
        board: what is drawn.
        numbers: one integer a cell, for example its degree.
        labels: files and ranks; on a plain graph the names of the vertices.
        size: the longer side in pixels.
        positions: where the vertices of a plain graph stand, (x, y) with y upwards.
        font: False draws letters as lines, for a machine without fonts.

    Raises:
        TooLargeError: the board has more than `MOST` cells.
        CavalcadeError: there is not one number a cell.
    """
    texts = [] if numbers is None else [str(number) for number in np.asarray(numbers).tolist()]
    if numbers is not None and len(texts) != board.size:
        raise CavalcadeError(
            f"{len(texts):,} numbers do not fit {board.title}, which has {board.size:,} cells"
        )
    heights = [_text_size(texts)] * len(texts)
    return texts_svg(board, texts, heights, labels=labels, size=size, positions=positions, font=font)


def texts_svg(
    board: Board | MoveGraph,
    texts: Sequence[str],
    heights: Sequence[float],
    *,
    rings: Sequence[int] = (),
    title: str = "",
    labels: bool = True,
    size: int | None = None,
    positions: ArrayLike | None = None,
    font: bool = True,
) -> str:
    """A picture of a board with a text in every cell.

    Args:
        board: what is drawn.
        texts: one a cell, or none at all.
        heights: of the letters of each.
        rings: cells with a ring.
        title: of the picture, by default the board's.
        labels: as for `board_svg`, and so are `size`, `positions` and `font`.
        size: the longer side in pixels.
        positions: where the vertices of a plain graph stand, (x, y) with y upwards.
        font: False draws letters as lines.

    Raises:
        TooLargeError: the board has more than `MOST` cells.
    """
    _assert_size(board)
    layout = lay_out(board, positions, labels=labels)
    out = [*_ground(board, layout, labels=labels, font=font)]
    if isinstance(board, MoveGraph):
        out += _dots(layout.centres, ["#ffffff"] * board.size, 0.3 * UNIT, INK)
        if labels:
            out += _vertex_names(board, layout, font=font)
    out += [
        f'<circle class="ring" cx="{short(x)}" cy="{short(y)}" r="{short(0.45 * UNIT)}" fill="none" '
        f'stroke="{INK}" stroke-width="{short(0.05 * UNIT)}"/>'
        for x, y in layout.centres[list(rings)].tolist()
    ]
    out += [
        letters(x, y, text, height, "#4a4238", font=font)
        for (x, y), text, height in zip(layout.centres.tolist(), texts, heights, strict=False)
        if text
    ]
    return _sheet(out, layout, title or board.title, size)


# ---- the sheet and the board


def _assert_size(board: Board | MoveGraph) -> None:
    if board.size > MOST:
        raise TooLargeError(f"{board.title} has {board.size:,} cells: pictures show {MOST:,} at most")


def _sheet(out: list[str], layout: Layout, title: str, size: int | None) -> str:
    width, height = math.ceil(layout.width), math.ceil(layout.height)
    pixels = size or min(1200, max(120, round(2.4 * max(width, height))))
    scale = pixels / max(width, height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{round(width * scale)}" height="{round(height * scale)}" font-family="{FONT}">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>\n'
    )
    return head + "\n".join(out) + "\n</svg>\n"


def _ground(board: Board | MoveGraph, layout: Layout, *, labels: bool, font: bool) -> list[str]:
    """The cells, a path a shade; the frames, names of levels, files and ranks."""
    if isinstance(board, MoveGraph):
        return _edges(board, layout)
    corner = layout.centres.round(2)
    if board.family.hexagonal:
        corner += np.array([HEX_WIDE, 0.0])
        edge = [
            (-HEX_WIDE / 2, HEX_HIGH),
            (-HEX_WIDE, 0),
            (-HEX_WIDE / 2, -HEX_HIGH),
            (HEX_WIDE / 2, -HEX_HIGH),
        ]
        cell, extra = f"l{points([*edge, (HEX_WIDE, 0)])}z", ' stroke="{}" stroke-width=".3"'
    else:
        corner -= UNIT / 2
        cell, extra = f"h{short(UNIT)}v{short(UNIT)}h{short(-UNIT)}z", ' shape-rendering="crispEdges"'
    out = []
    for shade, fill in enumerate(SHADES):
        at = corner[layout.shades == shade].tolist()
        if at:
            path = "".join([f"M{short(x)} {short(y)}{cell}" for x, y in at])
            out.append(f'<path class="cells" fill="{fill}"{extra.format(fill)} d="{path}"/>')
    if not board.family.hexagonal:
        out += _frames(board, layout)
    if len(layout.panels) > 1:
        for k, panel in enumerate(layout.panels):
            width = (0.35 + 0.3 * len(panel.name)) * UNIT
            out.append(
                f'<rect x="{short(panel.x)}" y="{short(panel.y - 0.85 * UNIT)}" width="{short(width)}" '
                f'height="{short(0.65 * UNIT)}" rx="{short(0.2 * UNIT)}" fill="{_level(layout, k)}"/>'
            )
            middle = panel.x + width / 2, panel.y - 0.525 * UNIT
            out.append(letters(*middle, panel.name, 0.5 * UNIT, "#fff", font=font))
    if labels:
        out += [
            letters(label.x, label.y, label.text, layout.label_size, INK, anchor=label.anchor, font=font)
            for label in layout.labels
        ]
    return out


def _frames(board: Board, layout: Layout) -> list[str]:
    """A frame around each face of each level; edges that are glued to others are dashed."""
    glued = board.family.glued
    out = []
    for panel, (row, column, rows, columns) in product(layout.panels, board.family.faces):
        x, y = panel.x + column * UNIT, panel.y + row * UNIT
        right, below = x + columns * UNIT, y + rows * UNIT
        corners = [(x, y), (right, y), (right, below), (x, below), (x, y)]
        if not glued:
            out.append(f'<path class="frame" fill="none" stroke="{FRAME}" d="M{points(corners)}z"/>')
            continue
        for i in range(4):
            dash = ' stroke-dasharray="3 3"' if str(i) in glued else ""
            out.append(f'<path class="frame" stroke="{FRAME}"{dash} d="M{points(corners[i : i + 2])}"/>')
    return out


def _edges(graph: MoveGraph, layout: Layout) -> list[str]:
    """The edges of a plain graph, faint, unless there are too many to see."""
    edges = graph.edges()
    if not len(edges) or len(edges) > 20_000:
        return []
    ends = layout.centres[edges].reshape(-1, 4).round(1).tolist()
    path = "".join([f"M{points([(a, b), (c, d)])}" for a, b, c, d in ends])
    return [f'<path class="edges" stroke="{SHADES[1]}" stroke-width="{short(0.07 * UNIT)}" d="{path}"/>']


def _vertex_names(graph: MoveGraph, layout: Layout, *, font: bool) -> list[str]:
    """The names, a little outside of the vertices."""
    if graph.size > FINE:
        return []
    out = []
    middle = np.array([layout.width, layout.height]) / 2
    for (x, y), name in zip(layout.centres.tolist(), graph.names, strict=True):
        away = np.array([x, y]) - middle
        away = away / max(float(np.hypot(*away)), 1e-9) * 0.75 * UNIT
        out.append(letters(x + away[0], y + away[1], name, 0.42 * UNIT, INK, font=font))
    return out


def _level(layout: Layout, panel: int) -> str:
    return hue(40 + 360 * panel / len(layout.panels), 0.6, 0.13)


# ---- the line


class _Ink:
    """The colour of each step: once around the wheel if closed, half around if open."""

    def __init__(self, tour: Tour, colour: str | None) -> None:
        self.steps = max(len(tour), 1)
        turn = 360 if tour.closed else 200
        count = min(self.steps, COLOURS)
        self.colours = (
            [escape(colour)] if colour else [hue(262 + turn * (i + 0.5) / count) for i in range(count)]
        )

    def of(self, step: int) -> str:
        return self.colours[step * len(self.colours) // self.steps]


def _width(board: Board | MoveGraph) -> str:
    return short(UNIT * (0.11 if board.size <= FINE else 0.16 if board.size <= 20_000 else 0.24))


def _lines(
    tour: Tour, layout: Layout, ink: _Ink, *, numbers: bool, fine: bool, font: bool
) -> tuple[list[str], list[str]]:
    """The moves as paths, in order, and the badges of those that lead to another level."""
    ends = np.append(tour.cells[1:], tour.cells[:1]) if tour.closed and len(tour) > 1 else tour.cells[1:]
    starts = tour.cells[: len(ends)]
    flat = layout.panel_of[starts] == layout.panel_of[ends]
    halves: dict[int, list[Half]] = {}
    badges: list[str] = []
    if not isinstance(tour.board, MoveGraph) and tour.board.family.wraps:
        halves = _over_edges(tour, layout, starts, ends)
    elif not flat.all():
        halves = _stubs(layout, starts, ends, np.flatnonzero(~flat), 0.39 if numbers else 0.35)
        for i in halves if fine else ():
            badges.append(_badge(layout, halves[i][0], int(ends[i]), leaves=True, font=font))
            badges.append(_badge(layout, halves[i][1], int(starts[i]), leaves=False, font=font))
    straight = np.concatenate([layout.centres[starts], layout.centres[ends]], axis=1).round(1).tolist()
    moves = [halves.get(i) or [(x, y, u, v)] for i, (x, y, u, v) in enumerate(straight)]
    if not fine:
        return _runs(moves, ink), badges
    out = []
    for i, parts in enumerate(moves):
        if i not in halves:
            (x, y, u, v) = parts[0]
            cut = min(0.32 * UNIT / max(math.hypot(u - x, v - y), 1e-9), 0.5)
            inner = [(x + cut * (u - x), y + cut * (v - y)), (u - cut * (u - x), v - cut * (v - y))]
            out.append(
                f'<path class="gap" stroke="{SHADES[0]}" stroke-width="{short(0.22 * UNIT)}" '
                f'stroke-linecap="butt" d="M{points(inner)}"/>'
            )
        path = "".join(f"M{points([(x, y), (u, v)])}" for x, y, u, v in parts)
        out.append(f'<path class="move" stroke="{ink.of(i)}" d="{path}"/>')
    return out, badges


def _runs(moves: list[list[Half]], ink: _Ink) -> list[str]:
    """Many moves, a path for all that share a colour."""
    out: list[str] = []
    path: list[str] = []
    now, at = "", (-1.0, -1.0)
    for i, parts in enumerate(moves):
        if ink.of(i) != now:
            if path:
                out.append(f'<path class="moves" stroke="{now}" d="{"".join(path)}"/>')
            now, path, at = ink.of(i), [], (-1.0, -1.0)
        for x, y, u, v in parts:
            if (x, y) != at:
                path.append(f"M{short(x)} {short(y)}")
            path.append(f"l{short(u - x)} {short(v - y)}")
            at = u, v
    if path:
        out.append(f'<path class="moves" stroke="{now}" d="{"".join(path)}"/>')
    return out


def _stubs(
    layout: Layout,
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    moves: NDArray[np.int64],
    length: float,
) -> dict[int, list[Half]]:
    """The moves to other levels, each as the stubs in which it leaves and arrives.

    A stub points to the place above or below which the other cell lies, or to the other panel if that is
    its own place. Where both stubs of a cell would point the same way they lean apart.
    """
    corners = np.array([(panel.x, panel.y) for panel in layout.panels])
    angles = np.full((len(layout.centres), 2), np.nan)  # of the stubs in which cells are left and reached
    for side, (here, there) in enumerate(((starts[moves], ends[moves]), (ends[moves], starts[moves]))):
        away = corners[layout.panel_of[there]] - corners[layout.panel_of[here]]
        step = layout.centres[there] - layout.centres[here] - away
        step = np.where((np.abs(step) < 0.01 * UNIT).all(axis=1, keepdims=True), away, step)
        angles[here, side] = np.arctan2(step[:, 1], step[:, 0])
    apart = np.angle(np.exp(1j * (angles[:, 0] - angles[:, 1])))
    close = np.abs(apart) < LEAN
    middle = angles[close, 1] + apart[close] / 2
    lean = np.where(apart[close] < 0, -LEAN / 2, LEAN / 2)
    angles[close] = np.stack([middle + lean, middle - lean], axis=1)
    tips = layout.centres[:, None, :] + length * UNIT * np.stack([np.cos(angles), np.sin(angles)], axis=2)
    found: dict[int, list[Half]] = {}
    for i in moves.tolist():
        found[i] = []
        for end, cell in enumerate((starts[i], ends[i])):
            x, y, u, v = np.concatenate([layout.centres[cell], tips[cell, end]]).round(1).tolist()
            found[i].append((x, y, u, v))
    return found


def _badge(layout: Layout, stub: Half, target: int, *, leaves: bool, font: bool) -> str:
    """The name of another level at the end of a stub."""
    _, _, x, y = stub
    k = int(layout.panel_of[target])
    name, colour = layout.panels[k].name, _level(layout, k)
    height = (0.25 if len(name) < 3 else 0.17) * UNIT
    width = max(height, (0.3 + 0.52 * len(name)) * height)
    fill, ink = (colour, "#fff") if leaves else ("#fff", colour)
    return (
        f'<rect class="badge" x="{short(x - width / 2)}" y="{short(y - height / 2)}" width="{short(width)}" '
        f'height="{short(height)}" rx="{short(height / 2)}" fill="{fill}" stroke="{colour}" '
        'stroke-width=".6"/>' + letters(x, y, name, 0.9 * height, ink, font=font)
    )


def _over_edges(
    tour: Tour, layout: Layout, starts: NDArray[np.int32], ends: NDArray[np.int32]
) -> dict[int, list[Half]]:
    """The moves that wrap around a surface: each as two lines over the edge."""
    board = tour.board
    if isinstance(board, MoveGraph):
        return {}
    vectors = tour.piece.vectors(board)
    steps = board.coords[ends] - board.coords[starts]
    flat = (steps[:, None, :] == vectors[None, :, :]).all(axis=2).any(axis=1)
    wraps = np.flatnonzero(~flat)
    halves = []
    for a, b in ((starts[wraps], ends[wraps]), (ends[wraps], starts[wraps])):
        lands = np.stack(list(board.reached(vectors, a)), axis=1) == b[:, None]
        chosen = vectors[lands.argmax(axis=1)]
        chosen[~lands.any(axis=1)] = 0  # no move at all: the tour is wrong, and a straight line says so
        halves.append(chosen[:, ::-1] * UNIT)
    panel = layout.panels[0]
    found: dict[int, list[Half]] = {}
    faces = np.array(board.family.faces)
    lows = np.array([panel.x, panel.y]) + UNIT * faces[:, [1, 0]] - OVER
    highs = lows + UNIT * faces[:, [3, 2]] + 2 * OVER
    for i, *both in zip(wraps.tolist(), *halves, strict=True):
        if both[0].any() and both[1].any():
            found[i] = []
            for cell, step in zip((int(starts[i]), int(ends[i])), both, strict=True):
                at = layout.centres[cell]
                k = int(((lows + OVER < at) & (at < highs - OVER)).all(axis=1).argmax())
                low, high = lows[k], highs[k]
                with np.errstate(divide="ignore", invalid="ignore"):
                    room = np.where(
                        step > 0, (high - at) / step, np.where(step < 0, (low - at) / step, np.inf)
                    )
                x, y, u, v = np.concatenate([at, at + step * min(1.0, float(room.min()))]).round(1).tolist()
                found[i].append((x, y, u, v))
    return found


# ---- the cells that are visited


def _marks(tour: Tour, layout: Layout, ink: _Ink, *, numbers: bool, fine: bool, font: bool) -> list[str]:
    """The visited cells: dots or numbers, the first cell a ring, the last of an open tour a disc."""
    if not len(tour):
        return []
    at = layout.centres[tour.cells]
    out = []
    if numbers:
        texts = [str(i + 1) for i in range(len(tour))]
        radius = (0.34 if len(layout.panels) == 1 else 0.28) * UNIT  # between the badges
        height = _text_size(texts) * radius / (0.34 * UNIT)
        filled = {0} if tour.closed else {0, len(tour) - 1}
        for i, ((x, y), text) in enumerate(zip(at.tolist(), texts, strict=True)):
            fill, write = (ink.of(i), "#fff") if i in filled else ("#fff", "#3d362d")
            out.append(
                f'<circle class="step" cx="{short(x)}" cy="{short(y)}" r="{short(radius)}" fill="{fill}" '
                f'stroke="{ink.of(i)}" stroke-width="{short(0.05 * UNIT)}"/>'
                + letters(x, y, text, height, write, font=font)
            )
        return out
    if fine:
        out += _dots(at, [ink.of(i) for i in range(len(tour))], 0.1 * UNIT)
    radius = max(0.2 * UNIT, max(layout.width, layout.height) / 150)
    if len(tour) > 1 and not tour.closed:
        out += _dots(at[-1:], [ink.of(len(tour) - 1)], radius, "#fff", "end")
    out += _dots(at[:1], ["#fff"], radius, ink.of(0), "start")
    return out


def _dots(
    at: NDArray[np.float64], fills: list[str], radius: float, stroke: str = "none", name: str = "cell"
) -> list[str]:
    line = "" if stroke == "none" else f' stroke="{stroke}" stroke-width="{short(0.45 * radius)}"'
    return [
        f'<circle class="{name}" cx="{short(x)}" cy="{short(y)}" r="{short(radius)}" fill="{fill}"{line}/>'
        for (x, y), fill in zip(at.tolist(), fills, strict=True)
    ]


def _text_size(texts: list[str]) -> float:
    """The size at which the longest of some numbers fits into a cell."""
    return UNIT * min(0.36, 1.0 / max(2, *map(len, ["", *texts])))
