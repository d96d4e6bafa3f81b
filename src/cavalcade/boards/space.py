"""A board in space: corners of cells and lines of moves, for solids and for a picture that turns.

Levels of a stack lie above one another, level 1 lowest; the page slides them apart along z. The surface of a
box becomes a box, and glued rectangles are bent as `surfaces` says. The unit of length is the side of
a cell, except where a surface must be bent. x and y are horizontal, z points upwards.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.boards.box_surface import BoxSurface
from cavalcade.boards.surfaces import Cylinder

Floats = NDArray[np.float64]

CORNERS = np.array([(-0.5, -0.5), (-0.5, 0.5), (0.5, 0.5), (0.5, -0.5)])  # row, column


def corners_of(board: Board) -> tuple[Floats, NDArray[np.int32]] | None:
    """Return the corners of all cells, shape (n, 4, 3), and their levels; None if cells are no squares."""
    whole = board.whole
    if board.plain or whole.family.hexagonal:
        return None
    coords = board.coords.astype(np.float64)
    levels = np.zeros(board.size, dtype=np.int32)
    if isinstance(whole.family, BoxSurface):
        return _box(whole.family, board), levels
    if isinstance(whole.family, Cylinder):
        return whole.family.bent(coords[:, None, :] + CORNERS), levels
    if not whole.is_box:
        return None
    return _stack(whole.shape if whole.dimensions > 2 else (1, *whole.shape), coords)


def paths_of(board: Board, starts: NDArray[np.int64], ends: NDArray[np.int64], corners: Floats) -> Floats:
    """Return points along moves, shape (moves, points, 3): lines on a surface, which fold over its edges.

    On a bent surface a line is straight on the flat board. Around a wrapped board it takes the nearer side.

    Args:
        board: the board.
        starts: the first cell of each move.
        ends: the last cell of each move.
        corners: as `corners_of` returns them.
    """
    middles = corners.mean(axis=1)
    first, last = middles[starts], middles[ends]
    family = board.family
    if isinstance(family, Cylinder):
        a, images = board.coords[starts].astype(np.float64), family.images(board.coords[ends])
        nearest = np.linalg.norm(images - a, axis=2).argmin(axis=0)
        b = images[nearest, np.arange(len(ends))]
        # between two of nine points a line turns by 6 degrees on a torus of 8x8
        parts = np.linspace(0, 1, 9)[None, :, None]
        return _on_facets(family, a[:, None] + parts * (b - a)[:, None])
    if not isinstance(family, BoxSurface):
        return np.stack([first, last], axis=1)
    sides = np.cross(corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0])
    # The normals point outwards: the middle of the box is the mean of its cells.
    sides *= np.sign(np.einsum("ij,ij->i", sides, middles - middles.mean(axis=0)))[:, None]
    # How far an end is from the plane of the other end; the unfolded line meets the edge in this ratio.
    away = np.einsum("ij,ij->i", sides[ends], last - first)[:, None]
    back = np.einsum("ij,ij->i", sides[starts], first - last)[:, None]
    crosses = (np.abs(np.einsum("ij,ij->i", sides[starts], sides[ends])) < 1e-6)[:, None]
    total = np.where(crosses, away + back, 1)
    feet = (first + away * sides[ends]) * back / total + (last + back * sides[starts]) * away / total
    return np.stack([first, np.where(crosses, feet, (first + last) / 2), last], axis=1)


def _on_facets(family: Cylinder, points: Floats) -> Floats:
    """Place points of an unrolled board in space, on the flat facets that stand for its cells."""
    first = np.floor(points + 0.5) - 0.5
    part = points - first
    weights = [
        np.abs(1 - row - part[..., 0]) * np.abs(1 - column - part[..., 1]) for row, column in (CORNERS + 0.5)
    ]
    corners = [family.bent(first + corner + 0.5) for corner in CORNERS]
    placed: Floats = sum(w[..., None] * corner for w, corner in zip(weights, corners, strict=True))
    return placed


def _stack(shape: tuple[int, ...], coords: Floats) -> tuple[Floats, NDArray[np.int32]]:
    """Place the levels of the third dimension above one another, and of further dimensions side by side."""
    *outer, m, n = shape
    coords = np.hstack([np.zeros((len(coords), len(shape) - coords.shape[1])), coords])
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
