"""Where the cells of a board lie on paper.

The unit is the side of a square: `UNIT` in the picture. Levels are panels, side by side. A hexagon's
cells are flat above and below, its files stand upright. x runs to the right and y down.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.boards.hexagonal import Hexagonal
from cavalcade.errors import CavalcadeError
from cavalcade.graph import MoveGraph

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from cavalcade.boards import Board

UNIT = 20.0
HEX_HIGH = UNIT / 2  # half the height of a hexagonal cell
HEX_WIDE = UNIT / math.sqrt(3)  # half its width, corner to corner


@dataclass(frozen=True)
class Panel:
    """A level on paper: what its names begin with, and the rectangle it fills."""

    name: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Label:
    """A file or a rank beside the board."""

    x: float
    y: float
    text: str
    anchor: str = "middle"


@dataclass
class Layout:
    """The centres of the cells, their shades (0 is the lightest) and panels, and what stands around."""

    centres: NDArray[np.float64]
    shades: NDArray[np.int64]
    panel_of: NDArray[np.int64]
    panels: list[Panel]
    width: float
    height: float
    labels: list[Label] = field(default_factory=list)
    label_size: float = 0.42 * UNIT


def lay_out(board: Board | MoveGraph, positions: ArrayLike | None = None, *, labels: bool = True) -> Layout:
    """The layout of a board or a plain graph; `positions` are for the latter, y upwards."""
    if isinstance(board, MoveGraph):
        return _graph(board, positions)
    if positions is not None:
        raise CavalcadeError(f"positions are for plain graphs only, not for {board.title}")
    if isinstance(board.family, Hexagonal):
        return _hexagon(board, board.family, labels=labels)
    return _box(board, labels=labels)


def _graph(graph: MoveGraph, positions: ArrayLike | None) -> Layout:
    n = max(graph.size, 1)
    if positions is None:
        turn = 2 * math.pi * np.arange(n) / n
        radius = max(2.5 * UNIT, 1.1 * UNIT * n / (2 * math.pi))
        at = radius * np.stack([np.sin(turn), -np.cos(turn)], axis=1)
    else:
        at = np.array(positions, dtype=np.float64)
        if at.shape != (graph.size, 2):
            raise CavalcadeError(f"positions of shape {at.shape} do not fit {n} vertices, expected ({n}, 2)")
        extent = float(max(np.ptp(at, axis=0).max(), 1e-9))
        at = at * [1, -1] * (2 * UNIT * math.sqrt(n) / extent)
    at = at[: graph.size] - at.min(axis=0) + 1.5 * UNIT
    width, height = at.max(axis=0) + 1.5 * UNIT if graph.size else (UNIT, UNIT)
    none = np.zeros(graph.size, dtype=np.int64)
    return Layout(at, none, none, [Panel("", 0, 0, float(width), float(height))], float(width), float(height))


def _box(board: Board, *, labels: bool) -> Layout:
    *levels, m, n = board.shape
    count, names = math.prod(levels), board.files
    columns = levels[-1] if len(levels) > 1 else _columns(count, m, n)
    step = _step(max(m, n))
    size = 0.42 * UNIT * max(1, max(m, n) / 32)
    outside = 0.55 * UNIT if board.family.wraps else 0.0
    left = outside + (size * (0.55 + 0.6 * len(str(m))) if labels else 0) + 0.25 * UNIT
    below = outside + (1.35 * size if labels else 0) + 0.25 * UNIT
    above = outside + 0.25 * UNIT + (0.95 * UNIT if levels else 0)
    right = outside + 0.25 * UNIT
    left, right, above, below = (
        math.ceil(x) for x in (left, max(right, left / 2 if labels else 0), above, below)
    )
    wide, high = left + n * UNIT + right, above + m * UNIT + below
    panels, marks = [], []
    for k in range(count):
        name = ":".join(str(i + 1) for i in np.unravel_index(k, levels)) if levels else ""
        panel = Panel(name, k % columns * wide + left, k // columns * high + above, n * UNIT, m * UNIT)
        panels.append(panel)
        if labels:
            for i in _every(step, m):
                y = panel.y + (m - i - 0.5) * UNIT
                marks.append(Label(panel.x - outside - 0.35 * size, y, str(i + 1), "end"))
            for j in _every(step, n):
                x = panel.x + (j + 0.5) * UNIT
                marks.append(Label(x, panel.y + m * UNIT + outside + 0.7 * size, names[j]))
    coords = board.coords.astype(np.int64)
    rows, files = coords[:, -2], coords[:, -1]
    panel_of = (
        np.ravel_multi_index(tuple(coords[:, :-2].T), levels) if levels else np.zeros(board.size, np.int64)
    )
    corners = np.array([(panel.x, panel.y) for panel in panels])
    centres = corners[panel_of] + UNIT * (np.stack([files, rows], axis=1) + 0.5)
    shades = (m - rows + files + coords[:, :-2].sum(axis=1)) % 2
    width, height = wide * min(columns, count), high * math.ceil(count / columns)
    return Layout(centres, shades, panel_of, panels, width, height, marks, size)


def _step(side: int) -> int:
    """On a large board labels are larger and fewer: one in so many files or ranks."""
    return next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if side <= 32 * step)


def _every(step: int, side: int) -> list[int]:
    return [i for i in range(side) if (i % 2 == 0 if step == 2 else i == 0 or (i + 1) % step == 0)]


def _columns(count: int, m: int, n: int) -> int:
    """How many panels stand in a row: the picture should be a little wider than high, and full."""
    return min(
        range(1, count + 1),
        key=lambda c: abs(math.log(c * n / (math.ceil(count / c) * m) / 1.3)) + 0.7 * (-count % c),
    )


def _hexagon(board: Board, family: Hexagonal, *, labels: bool) -> Layout:
    files = family.files
    longest = max(map(family.height, range(len(files))))
    every = max(len(files), longest)
    step = _step(every + 1)
    size = 0.42 * UNIT * max(1, every / 32)
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
            marks.append(Label(float(x), float(y + HEX_HIGH + 0.75 * size), files[f]))
        for rank in _every(step, longest):  # to the left of the first cell of the rank
            first = next(f for f in range(len(files)) if family.height(f) > rank)
            x, y = place(first, family.bottom(first) - rank)
            inner = first == 0 and rank < family.height(0) - 1
            out = (-1.25 * HEX_WIDE, 0.0) if inner else (-0.95 * HEX_WIDE, -0.95 * HEX_HIGH)
            marks.append(Label(float(x + out[0] * size / 8.4), float(y + out[1] * size / 8.4), str(rank + 1)))
    width = 2 * margin + HEX_WIDE * (2 + 1.5 * (len(files) - 1))
    height = 2 * margin + HEX_HIGH * (2 + float(low - top))
    panel = Panel("", margin, margin, width - 2 * margin, height - 2 * margin)
    none = np.zeros(board.size, dtype=np.int64)
    return Layout(place(q, r), (q - r) % 3, none, [panel], width, height, marks, size)
