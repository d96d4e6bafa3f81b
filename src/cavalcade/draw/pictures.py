"""The picture of a tour, a board, a graph, a proof, a puzzle or a table of connections."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from cavalcade.answers.tours import Tour
from cavalcade.draw.shapes import Picture
from cavalcade.draw.sheet import assert_sheet, grid
from cavalcade.ground.errors import CavalcadeError

# the module and the function that draw each class; anything else is drawn as a board
DRAWN_BY = {
    "Tour": ("tour", "tour_picture"),
    "Certificate": ("proof", "proof_picture"),
    "Puzzle": ("board", "puzzle_picture"),
    "Roesselsprung": ("board", "puzzle_picture"),
    "WrongTurn": ("wrong_turn", "wrong_turn_picture"),
    "Connections": ("charts", "connections_picture"),
}


def pictures(things: Sequence[Any], **options: Any) -> tuple[list[Picture], list[str]]:
    """The pictures of several things, thin if there are many, and their numbers as captions.

    Raises:
        TooLargeError: they have more cells together than are drawn.
        CavalcadeError: there is none, or as for `picture`.
    """
    if not things:
        raise CavalcadeError("a sheet needs at least one picture, and there is none")
    cells = sum(
        thing.size if hasattr(thing, "size") else len(getattr(thing, "cells", ())) for thing in things
    )
    assert_sheet(len(things), cells)
    full = 4_000  # cells of a sheet up to which lines have their full width
    if cells > full and all(isinstance(thing, Tour) for thing in things):
        options = {"thin": True, **options}
    return [picture(thing, **options) for thing in things], [f"{k:,}" for k in range(1, len(things) + 1)]


def picture(thing: Any, **options: Any) -> Picture:
    """The picture of one of these things, or a sheet of several; a picture stays.

    The options are passed to `tour.tour_picture`, `proof.proof_picture`, `board.board_picture`,
    `board.puzzle_picture` or `wrong_turn.wrong_turn_picture`.
    """
    if isinstance(thing, Picture):
        return thing
    if isinstance(thing, list | tuple):
        if len(thing) == 1:
            return picture(thing[0], **options)
        drawings, captions = pictures(thing, **options)
        title = f"{len(drawings):,} pictures: {drawings[0].title}, ..."
        return grid(drawings, title, captions=captions, shape=1.3)
    module, function = DRAWN_BY.get(type(thing).__name__, ("board", "board_picture"))
    drawn: Picture = getattr(import_module(f"cavalcade.draw.{module}"), function)(thing, **options)
    return drawn
