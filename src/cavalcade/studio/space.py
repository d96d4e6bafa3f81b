"""A board in space: the corners of every cell, for a picture to turn.

Levels of a stack lie above one another, level 1 lowest; the page slides them apart along z. The surface of a
box stands as a box, a cylinder as a tube, a torus as a ring, a Möbius strip as a band with half a twist, and
a Klein bottle as the figure-8 immersion, which crosses itself, as every Klein bottle in space does.
Lengths are sides of a cell, except where a surface must be bent. x and y lie flat, z points upwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.boards.box_surface import BoxSurface
from cavalcade.studio.message import places_of

Floats = NDArray[np.float64]

MOST = 6_000  # cells that are drawn in space
CORNERS = np.array([(-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5)])  # row, column
GAP = 2.0  # between two levels at first


def space(board: Board) -> dict[str, Any] | None:
    """The corners of all cells of the whole board, (n, 4, 3), and which levels slide; None if it is flat."""
    whole = board.whole
    if whole.size > MOST or whole.family.hexagonal:
        return None
    coords = whole.coords.astype(np.float64)
    levels = np.zeros(whole.size, dtype=np.int32)
    if isinstance(whole.family, BoxSurface):
        corners = _box(whole.family, whole)
    elif whole.kind in BENT:
        corners = BENT[whole.kind](coords[:, None, :] + CORNERS, *whole.sides)
    elif whole.dimensions > 2:
        corners, levels = _stack(whole, coords)
    else:
        return None
    corners -= corners.reshape(-1, 3).mean(axis=0)
    return {
        "corners": corners.astype(np.float32).ravel(),
        "levels": levels,
        "there": places_of(board),
        "slides": bool(levels.max(initial=0)),
    }


def _stack(board: Board, coords: Floats) -> tuple[Floats, NDArray[np.int32]]:
    """Levels above one another; those of further dimensions lie side by side."""
    *outer, m, n = board.shape
    at = coords[:, None, -2:] + CORNERS
    x, y = at[:, :, 1], m - 1 - at[:, :, 0]
    beside = np.zeros(len(coords), dtype=np.int64)
    for axis, side in enumerate(outer[:-1]):
        beside = beside * side + coords[:, axis].astype(np.int64)
    levels = coords[:, len(outer) - 1].astype(np.int32)
    z = np.broadcast_to(levels[:, None] * GAP, x.shape)
    return np.stack([x + (beside * (n + 2))[:, None], y, z], axis=2), levels


def _box(family: BoxSurface, board: Board) -> Floats:
    """The six faces where they are. In the family's own space lengths are doubled."""
    points, face = family.points(board.coords)
    frames = np.array(family.frames, dtype=np.float64)[face]
    around = points[:, None, :] + 2 * (
        CORNERS[None, :, :1] * frames[:, None, 1] + CORNERS[None, :, 1:] * frames[:, None, 2]
    )
    level, row, column = np.moveaxis(around / 2, 2, 0)
    return np.stack([column, -row, -level], axis=2)


def _tube(at: Floats, m: int, n: int) -> Floats:
    """The columns go once around."""
    turn, r = 2 * np.pi * (at[..., 1] + 0.5) / n, n / (2 * np.pi)
    return np.stack([r * np.sin(turn), -r * np.cos(turn), (m - 1) / 2 - at[..., 0]], axis=-1)


def _ring(at: Floats, m: int, n: int) -> Floats:
    """The columns go around the ring, the rows around its tube."""
    around, inner = 2 * np.pi * (at[..., 1] + 0.5) / n, 2 * np.pi * (at[..., 0] + 0.5) / m
    small = m / (2 * np.pi)
    r = max(n / (2 * np.pi), 1.6 * small) + small * np.cos(inner)
    return np.stack([r * np.sin(around), -r * np.cos(around), small * np.sin(inner)], axis=-1)


def _band(at: Floats, m: int, n: int) -> Floats:
    """Once around the columns turns the rows upside down."""
    around, off = 2 * np.pi * (at[..., 1] + 0.5) / n, (m - 1) / 2 - at[..., 0]
    wide = max(n / (2 * np.pi), 0.75 * m)
    r = wide + off * np.sin(around / 2)
    return np.stack([r * np.sin(around), -r * np.cos(around), off * np.cos(around / 2)], axis=-1)


def _bottle(at: Floats, m: int, n: int) -> Floats:
    """A figure of eight, turned half a turn while it goes around."""
    around, inner = 2 * np.pi * (at[..., 1] + 0.5) / n, 2 * np.pi * ((m - 1) / 2 - at[..., 0]) / m
    small = m / 4
    r = max(n / (2 * np.pi), 1.8 * small)
    c, s = np.cos(around / 2), np.sin(around / 2)
    out = r + small * (c * np.sin(inner) - s * np.sin(2 * inner))
    up = small * (s * np.sin(inner) + c * np.sin(2 * inner))
    return np.stack([out * np.sin(around), -out * np.cos(around), up], axis=-1)


BENT: dict[str, Callable[[Floats, int, int], Floats]] = {
    "cylinder": _tube, "torus": _ring, "mobius": _band, "klein": _bottle,
}  # fmt: skip
