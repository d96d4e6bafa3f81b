"""A board as the page draws it: where the cells lie, their names, which are adjacent.

Cells are numbered by their *places*, as on the whole board without holes: a cell keeps its number when others
are removed. Lengths are those of `draw.layout`: 20 is the side of a square.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards import Board
from cavalcade.boards.notation import parse_mask
from cavalcade.draw.layout import HEX_HIGH, HEX_WIDE, UNIT, lay_out
from cavalcade.draw.line import over_edges
from cavalcade.ground.errors import CavalcadeError, CellError
from cavalcade.question.moves import move_graph
from cavalcade.question.pieces import Piece
from cavalcade.question.statement import statement
from cavalcade.question.symmetry import symmetries_of
from cavalcade.question.words import ROWS
from cavalcade.studio.message import (
    EMPTY,
    KEYWORDS,
    Message,
    board_of,
    lines,
    numbers_of,
    places_of,
    question_of,
)
from cavalcade.studio.space import space

NAMED = 50_000  # cells up to which they have names and moves on the page
SYMMETRIC = 2_500  # cells up to which the symmetries are listed
REACH = 4  # half the width of the grid on which a piece's moves are drawn


def board(message: Message) -> dict[str, Any]:
    """The board of a question, and the question without the conditions that do not fit it."""
    place, piece = _toggled(message), message.piece
    piece.assert_fits(place)
    whole = place.whole
    layout = lay_out(whole)
    named = whole.size <= NAMED
    graph = move_graph(place, piece)
    fitting, dropped = _fitting(message, place, piece)
    found: dict[str, Any] = {
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
            (one.name, one.x, one.y, x - one.x, y - one.y)
            for one in layout.panels
            for x, y in [one.at(one.rows, one.columns)]
        ],
        "names": whole.names if named else None,
        "edges": None,
        "over": [],
        "beyond": [],
        "grid": _grid(place, piece),
        "piece": piece.spec,
        "symmetries": [],
        "space": space(place) if named else None,
        "left_out": [],
        "lines": lines(fitting),
        "statement": statement(question_of(place, fitting)),
    }
    if named:
        at = places_of(place)
        edges = graph.edges()
        found |= {
            "edges": at[edges].ravel(),
            "over": _over(place, piece, edges, at),
            "beyond": _beyond(place),
        }
    else:
        found["left_out"].append(
            f"On more than {NAMED:,} cells the page leaves out names and moves: cells cannot be clicked or "
            "walked. Where a cell is smaller than a pixel, colours show the steps, from dark to light."
        )
    if place.size > SYMMETRIC:
        found["left_out"].append(f"Symmetries are offered on up to {SYMMETRIC:,} cells.")
    else:
        found["symmetries"] = list(dict.fromkeys(one.name for one in symmetries_of(place, graph)[1:]))
    return found


def _toggled(message: Message) -> Board:
    """The board of a question with the cells at the places `toggle` removed or put back."""
    place = message.board
    toggle = message.numbers("toggle")
    if not len(toggle):
        return place
    whole = place.whole
    if toggle.min() < 0 or toggle.max() >= whole.size:
        raise CellError(f"{int(toggle.max())} is not a place of {whole.title}")
    there = numbers_of(place) >= 0
    np.logical_xor.at(there, toggle, True)  # noqa: FBT003 - an array of bools
    return whole.without(np.flatnonzero(~there).tolist())


def mask(message: Message) -> dict[str, Any]:
    """The spec of a board that is drawn as text: `.` a cell, `#` a hole."""
    drawn = parse_mask(message.text("text"), "the drawing")
    return {"board": board_of(drawn.spec).spec}


def _fitting(message: Message, place: Board, piece: Piece) -> tuple[dict[str, Any], list[str]]:
    """The words of the question that fit, and why others were left out.

    When a cell is removed or the piece changes, an end or a move of the question may no longer be there.
    """
    given, dropped = message.question, list[str]()
    found = {"board": place.spec, "piece": piece.spec, "open": given["open"]}
    fitting = dict(found)
    for key, keyword in KEYWORDS.items():
        if key in found:
            continue
        # a word that needs another, such as coils, is tried together with it
        needs = ROWS[keyword].needs
        base = found | {other: fitting[other] for other in fitting if f"--{other}" in needs}
        several = isinstance(given[key], list)
        fits = []
        for value in given[key] if several else [given[key]]:
            try:
                question_of(place, base | {key: [value] if several else value})
            except CavalcadeError as error:
                dropped.append(str(error))
            else:
                fits.append(value)
        fitting[key] = fits if several else next(iter(fits), EMPTY[key])
    return fitting, dropped


def _grid(place: Board, piece: Piece) -> dict[str, Any] | None:
    """A small board around a piece, on which its moves are drawn; None where moves have no direction."""
    if place.dimensions != 2:
        return None
    try:
        Piece(moves=((1, 2),)).assert_fits(place)
    except CavalcadeError:
        return None
    hexagonal = place.family.hexagonal
    chosen = {tuple(vector) for vector in piece.vectors(place).tolist()}
    reach = range(-REACH, REACH + 1)
    every = [(a, b) for a in reach for b in reach if not hexagonal or abs(a + b) <= REACH]
    cells = []
    for a, b in every:
        x, y = (1.5 * HEX_WIDE * a, HEX_HIGH * (2 * b + a)) if hexagonal else (UNIT * b, UNIT * a)
        cells.append((x, y, f"{a},{b}", (a, b) in chosen))
    return {"cells": cells, "extent": max(max(abs(x), abs(y)) for x, y, *_ in cells) + UNIT / 2}


def _over(
    place: Board, piece: Piece, edges: NDArray[np.int32], at: NDArray[np.int32]
) -> list[tuple[int, int, float, float, float, float]]:
    """The moves that lead over an edge: both places, and how each leaves, as on paper."""
    if not place.family.wraps or not len(edges):
        return []
    pairs, (starts, ends) = at[edges].tolist(), edges.T
    return [
        (*pairs[i], *out.tolist(), *back.tolist()) for i, out, back in over_edges(place, piece, starts, ends)
    ]


def _beyond(place: Board) -> list[tuple[int, float, float, str]]:
    """The cells beyond the edges of a surface: a place, the side of it, and the name of the next cell."""
    family = place.family
    if not family.wraps:
        return []
    whole = place.whole
    sides = np.array(sorted(family.leap(0, 1)), dtype=np.int32)
    found = []
    for side, cells in zip(sides, whole.reached(np.concatenate([sides, sides])), strict=False):
        beside = whole.coords + side
        over = (cells >= 0) & (whole.coords[np.maximum(cells, 0)] != beside).any(axis=1)
        y, x = (side * UNIT).tolist()
        found += [(int(a), x, y, whole.names[cells[a]]) for a in np.flatnonzero(over)]
    return found
