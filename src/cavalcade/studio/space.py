"""A board in space: the corners of every cell, for a picture that turns.

Levels of a stack lie above one another, level 1 lowest; the page slides them apart along z. The surface of a
box becomes a box, a cylinder a tube, a torus a ring, a Möbius strip a band with half a twist, and a Klein
bottle the figure-8 immersion, which intersects itself, as every Klein bottle in space does. The unit of
length is the side of a cell, except where a surface must be bent. x and y are horizontal, z points upwards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.boards.box_surface import BoxSurface
from cavalcade.studio.message import DRAWN, places_of

Floats = NDArray[np.float64]

CORNERS = np.array([(-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5)])  # row, column


def space(board: Board) -> dict[str, Any] | None:
    """Return the corners of all cells, shape (n, 4, 3) flattened, and the levels; None for a flat board."""
    whole = board.whole
    if whole.size > DRAWN or whole.family.hexagonal:
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
    """Place the levels of the third dimension above one another, and of further dimensions side by side."""
    *outer, m, n = board.shape
    corner_coords = coords[:, None, -2:] + CORNERS
    x, y = corner_coords[:, :, 1], m - 1 - corner_coords[:, :, 0]
    block = np.zeros(len(coords), dtype=np.int64)
    for axis, side in enumerate(outer[:-1]):
        block = block * side + coords[:, axis].astype(np.int64)
    levels = coords[:, len(outer) - 1].astype(np.int32)
    # Levels are two sides of a cell apart until the user slides them.
    z = np.broadcast_to(2.0 * levels[:, None], x.shape)
    return np.stack([x + (block * (n + 2))[:, None], y, z], axis=2), levels


def _box(family: BoxSurface, board: Board) -> Floats:
    """Place the six faces of a box. The family's own coordinates are doubled."""
    points, face = family.points(board.coords)
    frames = np.array(family.frames, dtype=np.float64)[face]
    around = points[:, None, :] + 2 * (
        CORNERS[None, :, :1] * frames[:, None, 1] + CORNERS[None, :, 1:] * frames[:, None, 2]
    )
    level, row, column = np.moveaxis(around / 2, 2, 0)
    return np.stack([column, -row, -level], axis=2)


def _tube(points: Floats, m: int, n: int) -> Floats:
    """Wrap the columns once around a tube."""
    turn, r = 2 * np.pi * (points[..., 1] + 0.5) / n, n / (2 * np.pi)
    return np.stack([r * np.sin(turn), -r * np.cos(turn), (m - 1) / 2 - points[..., 0]], axis=-1)


def _ring(points: Floats, m: int, n: int) -> Floats:
    """Wrap the columns around a ring, and the rows around its tube."""
    around, inner = 2 * np.pi * (points[..., 1] + 0.5) / n, 2 * np.pi * (points[..., 0] + 0.5) / m
    small = m / (2 * np.pi)
    r = max(n / (2 * np.pi), 1.6 * small) + small * np.cos(inner)
    return np.stack([r * np.sin(around), -r * np.cos(around), small * np.sin(inner)], axis=-1)


def _band(points: Floats, m: int, n: int) -> Floats:
    """Wrap the columns around a band whose half twist turns the rows upside down."""
    around, offset = 2 * np.pi * (points[..., 1] + 0.5) / n, (m - 1) / 2 - points[..., 0]
    radius = max(n / (2 * np.pi), 0.75 * m)
    r = radius + offset * np.sin(around / 2)
    return np.stack([r * np.sin(around), -r * np.cos(around), offset * np.cos(around / 2)], axis=-1)


def _bottle(points: Floats, m: int, n: int) -> Floats:
    """Wrap the columns around a figure of eight that makes half a turn on its way."""
    around, inner = 2 * np.pi * (points[..., 1] + 0.5) / n, 2 * np.pi * ((m - 1) / 2 - points[..., 0]) / m
    small = m / 4
    r = max(n / (2 * np.pi), 1.8 * small)
    c, s = np.cos(around / 2), np.sin(around / 2)
    out = r + small * (c * np.sin(inner) - s * np.sin(2 * inner))
    up = small * (s * np.sin(inner) + c * np.sin(2 * inner))
    return np.stack([out * np.sin(around), -out * np.cos(around), up], axis=-1)


BENT: dict[str, Callable[[Floats, int, int], Floats]] = {
    "cylinder": _tube, "torus": _ring, "mobius": _band, "klein": _bottle,
}  # fmt: skip
