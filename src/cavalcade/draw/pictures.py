"""The picture of a tour, a board, a graph, a proof, a puzzle or a table of connections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cavalcade.answers.certificate import Certificate
from cavalcade.answers.puzzles import Puzzle, Roesselsprung
from cavalcade.answers.tours import Tour
from cavalcade.draw.board import MOST, board_picture, puzzle_picture
from cavalcade.draw.shapes import Picture
from cavalcade.draw.sheet import grid
from cavalcade.draw.tour import tour_picture
from cavalcade.ground.errors import CavalcadeError, TooLargeError


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
    if cells > MOST:
        raise TooLargeError(
            f"{len(things):,} pictures have {cells:,} cells, and a sheet shows at most {MOST:,}"
        )
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
    if isinstance(thing, list | tuple) and len(thing) != 1:
        drawings, captions = pictures(thing, **options)
        return grid(
            drawings, f"{len(drawings):,} pictures: {drawings[0].title}, ...", captions=captions, shape=1.3
        )
    if isinstance(thing, list | tuple):
        return picture(thing[0], **options)
    if isinstance(thing, Tour):
        return tour_picture(thing, **options)
    if isinstance(thing, Certificate):
        from cavalcade.draw.proof import proof_picture

        return proof_picture(thing, **options)
    if isinstance(thing, Puzzle | Roesselsprung):
        return puzzle_picture(thing, **options)
    if type(thing).__name__ == "WrongTurn":
        from cavalcade.draw.wrong_turn import wrong_turn_picture

        return wrong_turn_picture(thing, **options)
    if type(thing).__name__ == "Connections":  # for other things its module is not loaded
        from cavalcade.draw.heat_maps import connections_picture

        return connections_picture(thing, **options)
    return board_picture(thing, **options)
