"""A tour of a box as binary STL, for viewers and printers: a bar along each move, a knot on each cell.

The axes are the files, the ranks and the levels. Lengths are in millimetres. Each bar and each knot is a
closed surface; they overlap, and programs that print take their union. The knot of the first cell is larger.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.ground.budget import assert_room
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def write(tour: Tour, *, spacing: float = 10.0, radius: float = 1.2, sides: int = 6) -> bytes:
    """Write the path of a tour as triangles.

    Args:
        tour: a tour of a box of 2 or 3 dimensions.
        spacing: the distance of two neighbouring cells.
        radius: the distance from the middle of a bar to its edges.
        sides: the number of sides of a bar.

    Raises:
        FormatError: the board is not a box of 2 or 3 dimensions, or the tour has no move.
    """
    board = tour.board
    assert_fits(board)
    if len(tour) < 2:
        raise FormatError(f"cannot write {tour.title(board.title)} as STL: it has no move")
    assert_room(len(tour) * (4 * sides + 8) * 2 * FACET.itemsize, "the triangles")
    *_, rows, columns = tour.coords.T
    levels = tour.coords[:, 0] if board.dimensions == 3 else np.zeros(len(tour))
    points = spacing * np.stack([columns, board.shape[-2] - 1 - rows, levels], axis=1)
    ends = np.roll(points, -1, axis=0) if tour.closed else points[1:]
    starts = points[: len(ends)]
    moved = (starts != ends).any(axis=1)  # a wrong walk may stay where it is
    sizes = np.full(len(points), 2 * radius)
    sizes[0] *= 1.5
    corners = np.concatenate([bars(starts[moved], ends[moved], radius, sides), knots(points, sizes)])
    facets = np.zeros(len(corners), FACET)
    facets["corners"] = corners
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    facets["normal"] = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    title = f"{tour.title(board.spec)}, in mm".encode().ljust(80)[:80]  # must not begin with "solid"
    return title + len(facets).to_bytes(4, "little") + facets.tobytes()


def assert_fits(board: Board | MoveGraph, _: object = None) -> None:
    """Refuse a board of which no tour can be written; every piece fits.

    Raises:
        FormatError: the board is not a box of 2 or 3 dimensions.
    """
    if board.plain or not board.is_box or board.dimensions > 3:
        raise FormatError(
            f"cannot write a tour of {board.title} as STL: only tours of boxes with 2 or 3 sides"
        )


def bars(
    starts: NDArray[np.float64], ends: NDArray[np.float64], radius: float, sides: int
) -> NDArray[np.float64]:
    """Return the triangles of a prism along each segment, shape (triangles, 3, 3), seen counterclockwise."""
    along = (ends - starts) / np.linalg.norm(ends - starts, axis=1, keepdims=True)
    # The first axis across a segment: its cross product with the coordinate axis that it is farthest from.
    across = np.cross(along, np.eye(3)[np.abs(along).argmin(axis=1)])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    angles = 2 * np.pi * np.arange(sides) / sides
    ring = radius * (
        np.cos(angles)[:, None, None] * across + np.sin(angles)[:, None, None] * np.cross(along, across)
    )
    bottom, top = ring + starts, ring + ends  # shape (sides, segments, 3)
    next_bottom, next_top = np.roll(bottom, -1, axis=0), np.roll(top, -1, axis=0)
    walls = [(bottom, next_bottom, next_top), (bottom, next_top, top)]
    fans = [(top[:1], top[1:-1], top[2:]), (bottom[:1], bottom[2:], bottom[1:-1])]
    return np.concatenate(
        [np.stack(np.broadcast_arrays(*corners), axis=2).reshape(-1, 3, 3) for corners in (*walls, *fans)]
    )


def knots(points: NDArray[np.float64], sizes: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the triangles of an octahedron around each point; `sizes` are the distances to the corners."""
    signs = np.array([(x, y, z) for x in (1, -1) for y in (1, -1) for z in (1, -1)])
    corners = signs[:, :, None] * np.eye(3)  # the corners of the face of each octant
    corners[signs.prod(axis=1) < 0] = corners[signs.prod(axis=1) < 0][:, ::-1]
    return (points[:, None, None] + sizes[:, None, None, None] * corners).reshape(-1, 3, 3)
