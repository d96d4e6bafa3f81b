"""The places of the cells of a board on paper.

The unit is the side of a square: `UNIT` in the picture. Levels are panels, side by side; in the view in space
they lie one above another, the first lowest. Hexagonal cells are flat above and below, and files are upright.
x runs to the right and y down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cavalcade.boards import Board
from cavalcade.boards.hexagonal import Hexagonal
from cavalcade.draw.shapes import Letters, Point, Polyline, Shape
from cavalcade.draw.styles import VIEWS
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.graph import MoveGraph
from cavalcade.question.parts import components, rows_from

Vector: TypeAlias = NDArray[np.float64]

UNIT = 20.0  # the side of a square in a picture; with two decimals in a file places are exact to 1/2000
HEX_HIGH = UNIT / 2  # half the height of a hexagonal cell, between two sides
HEX_WIDE = UNIT / math.sqrt(3)  # half the width of a hexagonal cell, corner to corner
HEXAGON = [
    (HEX_WIDE * a, HEX_HIGH * b) for a, b in ((1, 0), (0.5, 1), (-0.5, 1), (-1, 0), (-0.5, -1), (0.5, -1))
]
OVER = 0.34 * UNIT  # length of the part of a line that runs over a glued edge
IN_SPACE = np.array([[0.93, 0.2], [-0.56, 0.34]]) * UNIT  # a step along a rank and one down a file


@dataclass(frozen=True)
class Panel:
    """A level on paper: its name, its top left corner, its rows and columns, and their directions."""

    name: str
    x: float
    y: float
    rows: float
    columns: float
    down: Point = (0.0, UNIT)
    right: Point = (UNIT, 0.0)

    def at(self, row: float, column: float) -> Point:
        """A place on paper."""
        (a, b), (c, d) = self.down, self.right
        return self.x + row * a + column * c, self.y + row * b + column * d


@dataclass
class Layout:
    """The centres of the cells, their shades (0 is the lightest) and panels, and the labels around."""

    centres: Vector
    shades: NDArray[np.int64]
    panel_of: NDArray[np.int64]
    panels: list[Panel]
    width: float
    height: float
    labels: list[Letters] = field(default_factory=list)  # names of files and ranks, without a colour
    label_size: float = 0.42 * UNIT
    outline: list[Point] = field(default_factory=list)  # of a cell, about its centre
    pits: list[Point] = field(default_factory=list)  # the centres of holes with cells all around
    space: bool = False

    def places(self, cells: NDArray[np.integer] | slice = slice(None), digits: int = 2) -> list[Point]:
        """The centres of cells, rounded as a file has them."""
        return list(zip(*self.centres[cells].round(digits).T.tolist(), strict=True))

    def lines(
        self, edges: NDArray[np.integer], role: str, stroke: str, width: float, dash: tuple[float, ...] = ()
    ) -> list[Shape]:
        """These lines as a shape, if there are any."""
        return [Polyline(role, runs(self.centres[edges]), stroke, width, dash=dash)] if len(edges) else []


def runs(ends: Vector) -> list[list[Point]]:
    """Lines between pairs of places, rounded as a file has them."""
    return [[(a, b), (c, d)] for a, b, c, d in ends.reshape(-1, 4).round(1).tolist()]


def assert_view(view: str, board: Board | MoveGraph) -> None:
    """Check that a board has a view.

    Raises:
        CavalcadeError: the view is unknown, or the board does not have it.
    """
    if view not in VIEWS:
        raise CavalcadeError(f"unknown view {view!r}, expected one of {', '.join(VIEWS)}")
    if view == "space" and not (board.is_box and board.dimensions > 2):
        raise CavalcadeError(f"the view in space is for boxes of 3 or more dimensions, not for {board.title}")


def lay_out(
    board: Board | MoveGraph, positions: ArrayLike | None = None, *, labels: bool = True, view: str = "flat"
) -> Layout:
    """The layout of a board or a plain graph; `positions` are for the latter, y upwards.

    Raises:
        CavalcadeError: positions for a board, or a view that the board does not have.
    """
    assert_view(view, board)
    if board.plain:
        return _graph(board, positions)
    if positions is not None:
        raise CavalcadeError(f"positions are for plain graphs only, not for {board.title}")
    if isinstance(board.family, Hexagonal):
        return _hexagon(board, board.family, labels=labels)
    return _space(board, labels=labels) if view == "space" else _box(board, labels=labels)


def _graph(graph: MoveGraph, positions: ArrayLike | None) -> Layout:
    n = max(graph.size, 1)
    if positions is None:
        turn = 2 * math.pi * np.arange(n) / n
        radius = max(2.5 * UNIT, 1.1 * UNIT * n / (2 * math.pi))
        points = radius * np.stack([np.sin(turn), -np.cos(turn)], axis=1)
    else:
        points = np.array(positions, dtype=np.float64)
        if points.shape != (graph.size, 2):
            raise CavalcadeError(
                f"positions of shape {points.shape} do not fit {n} vertices, expected ({n}, 2)"
            )
        extent = float(max(np.ptp(points, axis=0).max(), 1e-9))
        points = points * [1, -1] * (2 * UNIT * math.sqrt(n) / extent)
    points = points[: graph.size] - points.min(axis=0) + 1.5 * UNIT
    width, height = points.max(axis=0) + 1.5 * UNIT if graph.size else (UNIT, UNIT)
    none = np.zeros(graph.size, dtype=np.int64)
    return Layout(points, none, none, [Panel("", 0, 0, 0, 0)], float(width), float(height))


def _box(board: Board, *, labels: bool) -> Layout:
    *levels, m, n = board.shape
    count, names = math.prod(levels), board.files
    columns = levels[-1] if len(levels) > 1 else _columns(count, m, n)
    step = _step(max(m, n))
    size = 0.42 * UNIT * max(1, max(m, n) / 32)
    top, right_side, bottom, left_side = (
        OVER + 0.12 * UNIT
        if board.family.wraps and (not board.family.glued or edge in board.family.glued)
        else 0.0
        for edge in "0123"
    )
    left_margin = left_side + (size * (0.55 + 0.6 * len(str(m))) if labels else 0) + 0.25 * UNIT
    below = bottom + (1.35 * size if labels else 0) + 0.25 * UNIT
    above = top + 0.25 * UNIT + (0.95 * UNIT if levels else 0)
    right = right_side + 0.25 * UNIT
    left_margin, right, above, below = (
        math.ceil(x) for x in (left_margin, max(right, left_margin / 2 if labels else 0), above, below)
    )
    wide, high = left_margin + n * UNIT + right, above + m * UNIT + below
    whole = board.family.cells()
    lowest = np.full(n, m - 1) if whole is None else m - 1 - whole[::-1].argmax(axis=0)
    first = np.zeros(m) if whole is None else whole.argmax(axis=1)
    panels, marks = [], []
    for k in range(count):
        panel = Panel(_name(k, levels), k % columns * wide + left_margin, k // columns * high + above, m, n)
        panels.append(panel)
        if labels:
            for i in _every(step, m):
                x, y = panel.at(m - i - 0.5, float(first[m - i - 1]))
                marks.append(Letters("label", x - left_side - 0.35 * size, y, str(i + 1), size, anchor="end"))
            for j in _every(step, n):
                x, y = panel.at(float(lowest[j]) + 1, j + 0.5)
                marks.append(Letters("label", x, y + bottom + 0.7 * size, names[j], size))
    width, height = wide * min(columns, count), high * math.ceil(count / columns)
    return _on_panels(board, panels, (width, height), marks, size)


def _name(k: int, levels: list[int]) -> str:
    """The number of a level, as in the names of its cells."""
    return ":".join(str(i + 1) for i in np.unravel_index(k, levels)) if levels else ""


def _space(board: Board, *, labels: bool) -> Layout:
    """Levels one above another, the first lowest; outer axes side by side."""
    *levels, m, n = board.shape
    outer, stack = levels[:-1], levels[-1]
    (a, b), (c, d) = IN_SPACE[1].tolist(), IN_SPACE[0].tolist()
    size = 0.5 * UNIT * max(1, max(m, n) / 32)
    gap = 0.9 * UNIT  # between two levels
    rise = m * b + n * d + gap
    wide, margin = n * c - m * a + 2.5 * UNIT, 0.5 * UNIT + (1.2 * size if labels else 0)
    panels, marks = [], []
    step = _step(max(m, n))
    for k in range(math.prod(levels)):
        column, height = divmod(k, stack)
        x = 0.5 * UNIT + UNIT + column * wide - m * a
        panel = Panel(_name(k, levels), x, 0.5 * UNIT + (stack - 1 - height) * rise, m, n, (a, b), (c, d))
        panels.append(panel)
        if labels and height == 0:
            for j in _every(step, n):
                u, v = panel.at(m, j + 0.5)
                marks.append(Letters("label", u - 0.25 * size, v + 1.1 * size, board.files[j], size))
            for i in _every(step, m) if column + 1 == math.prod(outer) else ():
                u, v = panel.at(m - i - 0.5, n)
                u, v = u + 0.5 * size, v + 0.5 * size
                marks.append(Letters("label", u, v, str(i + 1), size, anchor="start"))
    below = 0.6 * UNIT + (1.5 * size if labels else 0)
    across = math.prod(outer) * wide + 2 * margin - 0.5 * UNIT
    layout = _on_panels(board, panels, (across, stack * rise - gap + below), marks, size)
    layout.space = True
    return layout


def _on_panels(
    board: Board, panels: list[Panel], sheet: tuple[float, float], marks: list[Letters], size: float
) -> Layout:
    """The cells of squares on their panels."""
    *levels, m, _ = board.shape
    coords = board.coords.astype(np.int64)
    rows, files = coords[:, -2], coords[:, -1]
    panel_of = (
        np.ravel_multi_index(tuple(coords[:, :-2].T), levels) if levels else np.zeros(board.size, np.int64)
    )
    corners = np.array([(panel.x, panel.y) for panel in panels])
    down, right = np.array(panels[0].down), np.array(panels[0].right)
    centres = corners[panel_of] + (rows[:, None] + 0.5) * down + (files[:, None] + 0.5) * right
    shades = (m - rows + files + coords[:, :-2].sum(axis=1)) % 2
    outline = [
        (float(x), float(y))
        for x, y in ((-right - down) / 2, (right - down) / 2, (right + down) / 2, (down - right) / 2)
    ]
    layout = Layout(centres, shades, panel_of, panels, *sheet, marks, size, outline)
    for k, level in enumerate(_pits(board).reshape(-1, *board.shape[-2:])):
        layout.pits += [panels[k].at(row + 0.5, column + 0.5) for row, column in np.argwhere(level).tolist()]
    return layout


def _pits(board: Board) -> NDArray[np.bool_]:
    """The holes that are not open to the outside of their level; on a surface, all of them."""
    whole = board.family.cells()
    if board.mask is None or not board.holes:
        return np.zeros(board.shape, dtype=np.bool_)
    holes = ~board.mask if whole is None else whole & ~board.mask
    if board.family.wraps:
        return holes
    levels = ~board.mask.reshape(-1, *board.shape[-2:])
    levels = np.pad(levels, ((0, 0), (1, 1), (1, 1)), constant_values=True)
    number = np.arange(levels.size, dtype=np.int32).reshape(levels.shape)
    beside: list[tuple[Any, Any]] = [(np.s_[:, 1:], np.s_[:, :-1]), (np.s_[:, :, 1:], np.s_[:, :, :-1])]
    beside += [(np.s_[:, 1:, :-1], np.s_[:, :-1, 1:])] * board.family.hexagonal
    pairs = [
        np.stack([number[first], number[second]])[:, levels[first] & levels[second]]
        for first, second in beside
    ]
    part = components(rows_from(levels.size, *np.concatenate(pairs, axis=1)))[1].reshape(levels.shape)
    inside: NDArray[np.bool_] = (part != part[:, :1, :1])[:, 1:-1, 1:-1].reshape(board.shape)
    return holes & inside


def _step(side: int) -> int:
    """On a large board labels are larger and fewer: one per `_step` files or ranks."""
    return next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if side <= 32 * step)


def _every(step: int, side: int) -> list[int]:
    return [i for i in range(side) if (i % 2 == 0 if step == 2 else i == 0 or (i + 1) % step == 0)]


def _columns(count: int, m: int, n: int) -> int:
    """The number of panels in a row: the picture should be a little wider than high, and full."""
    return min(
        range(1, count + 1),
        key=lambda c: abs(math.log(c * n / (math.ceil(count / c) * m) / 1.3)) + 0.7 * (-count % c),
    )


def _hexagon(board: Board, family: Hexagonal, *, labels: bool) -> Layout:
    files = family.files
    longest = max(map(family.height, range(len(files))))
    longest_line = max(len(files), longest)
    step = _step(longest_line + 1)
    size = 0.42 * UNIT * max(1, longest_line / 32)
    margin = 0.3 * UNIT + (1.6 * size if labels else 0)
    q, r = (board.coords + family.origin).T.astype(np.int64)
    whole = np.argwhere(family.cells())
    top, low = ((2 * whole[:, 1] + whole[:, 0]).min(), (2 * whole[:, 1] + whole[:, 0]).max())

    def place(q: ArrayLike, r: ArrayLike) -> NDArray[np.float64]:
        x, y = 1.5 * HEX_WIDE * np.asarray(q), HEX_HIGH * (2 * np.asarray(r) + np.asarray(q) - top)
        return np.asarray(np.stack([x + HEX_WIDE, y + HEX_HIGH], axis=-1) + margin)

    marks = []
    if labels:
        for f in _every(step, len(files)):
            x, y = place(f, family.bottom(f))
            marks.append(Letters("label", float(x), float(y + HEX_HIGH + 0.75 * size), files[f], size))
        for rank in _every(step, longest):  # to the left of the first cell of the rank
            first = next(f for f in range(len(files)) if family.height(f) > rank)
            x, y = place(first, family.bottom(first) - rank)
            inner = first == 0 and rank < family.height(0) - 1
            out = (-1.25 * HEX_WIDE, 0.0) if inner else (-0.95 * HEX_WIDE, -0.95 * HEX_HIGH)
            u, v = float(x + out[0] * size / 8.4), float(y + out[1] * size / 8.4)
            marks.append(Letters("label", u, v, str(rank + 1), size))
    width = 2 * margin + HEX_WIDE * (2 + 1.5 * (len(files) - 1))
    height = 2 * margin + HEX_HIGH * (2 + float(low - top))
    none = np.zeros(board.size, dtype=np.int64)
    layout = Layout(
        place(q, r), (q - r) % 3, none, [Panel("", 0, 0, 0, 0)], width, height, marks, size, HEXAGON
    )
    pits = np.argwhere(_pits(board))
    layout.pits = [(float(x), float(y)) for x, y in place(pits[:, 0], pits[:, 1]).tolist()]
    return layout
