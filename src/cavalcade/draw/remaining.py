"""Moving pictures of a walk with the remaining moves of each free cell: the papers' BOARD and MOVES.

A free cell shows the number of its remaining moves. The number changes when the walk visits a neighbour. A
visited cell shows its step instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.draw.board import Ground
from cavalcade.draw.layout import UNIT
from cavalcade.draw.shapes import Disc, Letters, Picture, Shape
from cavalcade.draw.styles import style_of
from cavalcade.draw.tour import tour_picture
from cavalcade.ground.kernels import Ints


def remaining_picture(walk: Tour, remaining: Sequence[Ints], *, style: str = "colour") -> Picture:
    """A picture that moves: the walk and the remaining moves of the free cells after each step.

    Args:
        walk: the walk.
        remaining: for each step, the number of remaining moves of each cell.
        style: one of `styles.STYLES`.

    Raises:
        TooLargeError: the board has more than `board.MOST` cells.
        CavalcadeError: an unknown style.
    """
    look = style_of(style)
    picture = tour_picture(walk, style=style, numbers=True)
    centres = Ground.of(walk.board, look, labels=True).layout.centres
    steps = np.where(walk.steps > 0, walk.steps, len(walk) + 1)
    shown = np.full(walk.board.size, -1, dtype=np.int64)
    numbers: list[Shape] = []
    for step, moves in enumerate(remaining):
        free = steps > step + 1
        for cell in np.flatnonzero(free & (moves != shown)).tolist():
            x, y = centres[cell].tolist()
            # The disc covers the number before.
            numbers.append(Disc("remaining", x, y, 0.24 * UNIT, look.disc, step=step))
            numbers.append(Letters("moves", x, y, str(moves[cell]), 0.34 * UNIT, look.alarm, step=step))
        shown = np.where(free, moves, shown)
    first = next(i for i, shape in enumerate(picture.shapes) if getattr(shape, "role", "") == "step")
    shapes = [*picture.shapes[:first], *numbers, *picture.shapes[first:]]
    desc = f"{picture.desc} Free cells show their remaining moves."
    return replace(picture, title=f"{picture.title}, with remaining moves", desc=desc, shapes=shapes)
