"""A board as the page draws it: positions, names and adjacency of the cells.

Cells are numbered by their *places*, as on the whole board without holes: a cell keeps its number when others
are removed. The unit of length is the unit of `draw.layout`: the side of a square is 20.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.boards.notation import parse_mask
from cavalcade.boards.space import corners_of, paths_of
from cavalcade.draw.board import Ground
from cavalcade.draw.layout import HEX_HIGH, HEX_WIDE, UNIT, Layout, lay_out
from cavalcade.draw.line import over_edges
from cavalcade.draw.shapes import Polyline
from cavalcade.draw.styles import style_of
from cavalcade.ground.errors import CavalcadeError, CellError
from cavalcade.question.moves import move_graph
from cavalcade.question.pieces import Piece
from cavalcade.question.statement import statement
from cavalcade.question.symmetry import symmetries_of
from cavalcade.question.words import ROWS
from cavalcade.studio.message import (
    DRAWN,
    EMPTY,
    KEYWORDS,
    Message,
    board_of,
    lines,
    numbers_of,
    places_of,
    question_of,
)

NAMED = 50_000  # cells: larger boards are sent without names and moves, which grow with the board


def board(message: Message) -> dict[str, Any]:
    """Return the board of a question, and the question without the conditions that do not fit it."""
    place, piece = _toggled(message), message.piece
    piece.assert_fits(place)
    whole = place.whole
    layout = lay_out(whole)
    named = whole.size <= NAMED
    graph = move_graph(place, piece)
    fitting, dropped = _fitting(message, place, piece)
    content: dict[str, Any] = {
        "question": fitting,
        "dropped": dropped,
        "title": place.title,
        "size": place.size,
        "moves": graph.edge_count,
        "width": layout.width,
        "height": layout.height,
        "x": layout.centres[:, 0],
        "y": layout.centres[:, 1],
        "shade": layout.shades.astype(np.uint8),
        "level": layout.panel_of.astype(np.int32) if len(layout.panels) > 1 else None,
        "outline": layout.outline,
        "holes": np.flatnonzero(numbers_of(place) < 0),
        "labels": [(label.x, label.y, label.text, label.anchor) for label in layout.labels],
        "label_size": layout.label_size,
        "panels": [
            (panel.name, panel.x, panel.y, x - panel.x, y - panel.y)
            for panel in layout.panels
            for x, y in [panel.at(panel.rows, panel.columns)]
        ],
        "names": whole.names if named else None,
        "edges": None,
        "over": [],
        "frame": _frame(place, layout),
        "beyond": [],
        "grid": _grid(place, piece),
        "piece": piece.spec,
        "symmetries": [],
        "space": _space(place, places_of(place)[graph.edges()]) if named else None,
        "left_out": [],
        "lines": lines(fitting),
        "statement": statement(question_of(place, fitting)),
    }
    if named:
        places = places_of(place)
        edges = graph.edges()
        content |= {
            "edges": places[edges].ravel(),
            "over": _over(place, layout, piece, edges, places),
            "beyond": _beyond(place),
        }
    else:
        content["left_out"].append(
            f"On more than {NAMED:,} cells the page leaves out names and moves: cells cannot be clicked or "
            "walked. Where a cell is smaller than a pixel, colours show the steps, from dark to light."
        )
    if place.size > DRAWN:
        content["left_out"].append(f"Symmetries are offered on up to {DRAWN:,} cells.")
    else:
        content["symmetries"] = list(dict.fromkeys(panel.name for panel in symmetries_of(place, piece)[1:]))
    return content


def _toggled(message: Message) -> Board:
    """Return the board of a question after removing or restoring the cells at the places in `toggle`."""
    place = message.board
    toggle = message.numbers("toggle")
    if not len(toggle):
        return place
    whole = place.whole
    if toggle.min() < 0 or toggle.max() >= whole.size:
        raise CellError(f"{int(toggle.max())} is not a place of {whole.title}")
    present = numbers_of(place) >= 0
    np.logical_xor.at(present, toggle, True)  # noqa: FBT003 - an array of bools
    return whole.without(np.flatnonzero(~present).tolist())


def mask(message: Message) -> dict[str, Any]:
    """Return the spec of a board drawn as text: `.` is a cell, `#` a hole."""
    drawn = parse_mask(message.text("text"), "the drawing")
    return {"board": board_of(drawn.spec).spec}


def _fitting(message: Message, place: Board, piece: Piece) -> tuple[dict[str, Any], list[str]]:
    """Return the words of the question that fit, and the reasons why others were dropped.

    When a cell is removed or the piece changes, an end or a move of the question can become invalid.
    """
    requested, dropped = message.question, list[str]()
    board_words = {"board": place.spec, "piece": piece.spec, "open": requested["open"]}
    fitting = dict(board_words)
    for key, keyword in KEYWORDS.items():
        if key in board_words:
            continue
        # a word that needs another, such as coils, is tried together with it
        needs = ROWS[keyword].needs
        base = board_words | {
            key_before: fitting[key_before] for key_before in fitting if f"--{key_before}" in needs
        }
        is_list = isinstance(requested[key], list)
        fits = []
        for value in requested[key] if is_list else [requested[key]]:
            try:
                question_of(place, base | {key: [value] if is_list else value})
            except CavalcadeError as error:
                dropped.append(str(error))
            else:
                fits.append(value)
        fitting[key] = fits if is_list else next(iter(fits), EMPTY[key])
    return fitting, dropped


def _grid(place: Board, piece: Piece) -> dict[str, Any] | None:
    """Return a small board around a piece for drawing its moves; None if moves have no direction."""
    if place.dimensions != 2:
        return None
    try:
        Piece(moves=((1, 2),)).assert_fits(place)
    except CavalcadeError:
        return None
    hexagonal = place.family.hexagonal
    chosen = {tuple(vector) for vector in piece.vectors(place).tolist()}
    reach = 4  # steps in each direction that a drawn move can have: a grid of 9x9 cells
    steps = range(-reach, reach + 1)
    vectors = [(a, b) for a in steps for b in steps if not hexagonal or abs(a + b) <= reach]
    cells = []
    for a, b in vectors:
        x, y = (1.5 * HEX_WIDE * a, HEX_HIGH * (2 * b + a)) if hexagonal else (UNIT * b, UNIT * a)
        cells.append((x, y, f"{a},{b}", (a, b) in chosen))
    return {"cells": cells, "extent": max(max(abs(x), abs(y)) for x, y, *_ in cells) + UNIT / 2}


def _over(
    place: Board, layout: Layout, piece: Piece, edges: NDArray[np.int32], places: NDArray[np.int32]
) -> list[tuple[float, ...]]:
    """Return the moves across an edge: both places, both lines, and the parts of them on the board."""
    if not place.family.wraps or not len(edges):
        return []
    pairs, (starts, ends) = places[edges].tolist(), edges.T
    crossing = over_edges(place, replace(layout, centres=layout.centres[places]), piece, starts, ends)
    return [(*pairs[i], *np.concatenate(legs).tolist(), *on_board) for i, legs, on_board in crossing]


def _frame(place: Board, layout: Layout) -> list[dict[str, Any]]:
    """Return the frames of the faces of a surface, and the arrowheads of its glued edges.

    The page itself draws the frame of a board whose moves do not wrap around.
    """
    if not place.family.wraps:
        return []
    ground = Ground(place, layout, style_of("colour"))
    shapes = [shape for shape in [*ground.frames(), *ground.above()] if isinstance(shape, Polyline)]
    return [
        {"runs": shape.runs, "closed": shape.closed, "dash": shape.dash, "glue": shape.role == "glue"}
        for shape in shapes
    ]


def _beyond(place: Board) -> list[tuple[int, float, float, str]]:
    """Return the cells beyond the edges of a surface: a place, the offset, and the name of the next cell."""
    family = place.family
    if not family.wraps:
        return []
    whole = place.whole
    sides = np.array(sorted(family.leap(0, 1)), dtype=np.int32)
    cells_beyond = []
    for side, cells in zip(sides, whole.reached(np.concatenate([sides, sides])), strict=False):
        shifted = whole.coords + side
        crosses = (cells >= 0) & (whole.coords[np.maximum(cells, 0)] != shifted).any(axis=1)
        y, x = (side * UNIT).tolist()
        cells_beyond += [(int(a), x, y, whole.names[cells[a]]) for a in np.flatnonzero(crosses)]
    return cells_beyond


def _space(board: Board, moves: NDArray[np.int32]) -> dict[str, Any] | None:
    """Return the corners of all cells, where moves fold, and the levels; None for a flat board."""
    whole = board.whole
    flat = whole.is_box and whole.dimensions == 2
    if whole.size > DRAWN or flat or (solid := corners_of(whole)) is None:
        return None
    corners, levels = solid
    middle = corners.reshape(-1, 3).mean(axis=0)
    starts, ends = moves.astype(np.int64).T
    paths = paths_of(whole, starts, ends, corners) - middle
    corners -= middle
    folds = paths[:, paths.shape[1] // 2] if paths.shape[1] > 2 else np.zeros(0)
    return {
        "corners": corners.astype(np.float32).ravel(),
        "folds": folds.astype(np.float32).ravel(),
        "levels": levels,
        "there": places_of(board),
        "slides": bool(levels.max(initial=0)),
    }
