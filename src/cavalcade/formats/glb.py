"""A tour in space as binary glTF 2.0 (`.glb`), for viewers, slides and the web: cells and a path.

The cells are glass, in two shades; the path is a tube in the colours of the pictures, with a knot on each
cell, the largest on the first. On surfaces it lies on the faces and folds over the edges. Lengths are in
metres, as glTF demands: a cell has a side of a centimetre. The y axis points upwards. Normals are left out:
viewers shade each facet flat.

See https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.boards.space import corners_of, paths_of
from cavalcade.draw.styles import rgb, style_of, wheel
from cavalcade.formats.stl import bars, knots
from cavalcade.ground.budget import assert_room
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

UP = np.array([(1, 0, 0), (0, 0, -1), (0, 1, 0)])  # from z upwards to y upwards


def write(tour: Tour, *, radius: float = 0.08, sides: int = 6) -> bytes:
    """Write the cells and the path of a tour as triangles.

    Args:
        tour: a tour of a board of squares: a box, or the surface of a box, a cylinder, a torus, and so on.
        radius: the distance from the middle of the path to its edges, in cells.
        sides: the number of sides of the path.

    Raises:
        FormatError: the cells are not squares, or the tour has no move.
    """
    board = tour.board
    if board.plain or (solid := corners_of(board)) is None:
        raise FormatError(f"cannot write a tour of {board.title} as glTF: its cells are not squares")
    if len(tour) < 2:
        raise FormatError(f"cannot write {tour.title(board.title)} as glTF: it has no move")
    corners, _ = solid
    starts = tour.cells.astype(np.int64)
    ends = np.roll(starts, -1)
    count = len(starts) - (not tour.closed)
    paths = paths_of(board, starts[:count], ends[:count], corners)
    pieces = paths.shape[1] - 1
    assert_room(len(tour) * (4 * sides * pieces + 8) * 200, "the triangles")
    segments = np.stack([paths[:, :-1], paths[:, 1:]], axis=2).reshape(-1, 2, 3)
    steps = np.repeat(np.arange(count), pieces)
    moved = (segments[:, 0] != segments[:, 1]).any(axis=1)
    segments, steps = segments[moved], steps[moved]
    tubes = bars(segments[:, 0], segments[:, 1], radius, sides)
    # `bars` iterates over segments within facets, `knots` over facets within knots.
    tube_steps = np.tile(steps, len(tubes) // len(segments))
    sizes = np.full(len(starts), 2 * radius)
    sizes[0] *= 1.5
    points = np.concatenate([paths[:, 0], paths[count - 1 :, -1]])[: len(starts)]
    beads = knots(points, sizes)
    bead_steps = np.repeat(np.arange(len(starts)), len(beads) // len(starts))
    style = style_of("colour")
    wheels = _linear([wheel(k / len(starts), style, closed=tour.closed) for k in range(len(starts))])
    colours = np.repeat(wheels[np.concatenate([tube_steps, bead_steps])], 3, axis=0)
    facets = np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]], axis=1).reshape(-1, 2, 3, 3)
    shades = board.coords.sum(axis=1) % 2
    meshes = [(facets[shades == shade].reshape(-1, 3), None) for shade in (0, 1)]
    path = np.concatenate([tubes, beads]).reshape(-1, 3)
    return _container([*meshes, (path, colours)], tour.title(board.spec))


def assert_fits(board: Board | MoveGraph, _: object = None) -> None:
    """Refuse a board of which no tour can be written; every piece fits.

    Raises:
        FormatError: the cells are not squares.
    """
    if board.plain or not isinstance(board, Board) or corners_of(board) is None:
        raise FormatError(f"cannot write a tour of {board.title} as glTF: its cells are not squares")


def _linear(colours: list[str]) -> NDArray[np.float64]:
    """Return colours as glTF demands them: linear instead of sRGB."""
    part = np.array([rgb(colour) for colour in colours]) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def _container(parts: list[tuple[NDArray[np.float64], NDArray[np.float64] | None]], name: str) -> bytes:
    """Return a GLB file of parts: corners of triangles, and the colours of the corners if they differ."""
    data = b""
    views: list[dict[str, int]] = []
    accessors: list[dict[str, Any]] = []
    primitives: list[dict[str, Any]] = []
    for material, (points, colours) in enumerate(parts):
        if not len(points):  # a board of one shade
            continue
        attributes = {}
        for role, rows in (("POSITION", points @ UP.T), ("COLOR_0", colours)):
            if rows is None:
                continue
            # 34962 is ARRAY_BUFFER, and 5126 is FLOAT.
            values = np.ascontiguousarray(rows, dtype="<f4")
            views.append({"buffer": 0, "byteOffset": len(data), "byteLength": values.nbytes, "target": 34962})
            accessor = {
                "bufferView": len(views) - 1, "componentType": 5126, "count": len(values), "type": "VEC3"
            }  # fmt: skip
            if role == "POSITION":  # the format demands the bounds of positions
                accessor |= {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}
            attributes[role] = len(accessors)
            accessors.append(accessor)
            data += values.tobytes()
        primitives.append({"attributes": attributes, "material": material})
    shades = _linear([*style_of("colour").shades[:2]])
    glass = [
        {
            "name": f"{shade} cells",
            "pbrMetallicRoughness": {"baseColorFactor": [*colour, 0.6], "metallicFactor": 0.0},
            "alphaMode": "BLEND",
            "doubleSided": True,
        }
        for shade, colour in zip(("light", "dark"), shades.tolist(), strict=True)
    ]
    path = {"name": "path", "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.5}}
    document = {
        "asset": {"version": "2.0", "generator": "cavalcade"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": name, "mesh": 0, "scale": [0.01] * 3}],
        "meshes": [{"primitives": primitives}],
        "materials": [*glass, path],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(data)}],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    chunks = [(b"JSON", text), (b"BIN\0", data)]  # the data are floats, so their length is a multiple of 4
    body = b"".join(len(chunk).to_bytes(4, "little") + kind + chunk for kind, chunk in chunks)
    return b"glTF" + (2).to_bytes(4, "little") + (12 + len(body)).to_bytes(4, "little") + body
