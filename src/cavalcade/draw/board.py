"""Pictures of boards: empty, with a number in every cell, and puzzles without their solution."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.answers.puzzles import GOES_ON, Puzzle, Roesselsprung
from cavalcade.draw.ground import above, assert_size, cells, dots, ground
from cavalcade.draw.layout import UNIT, lay_out
from cavalcade.draw.shapes import Disc, Letters, Picture
from cavalcade.draw.styles import style_of
from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from cavalcade.boards import Board
    from cavalcade.question.graph import MoveGraph

WIDE = 1.5  # the width of a cell in letters of height 1
HIGH = 0.38  # the height of letters in cells that are wide enough


def board_picture(
    board: Board | MoveGraph,
    *,
    numbers: ArrayLike | None = None,
    style: str = "colour",
    **looks: Any,  # noqa: ANN401 - `_texts` has them
) -> Picture:
    """A picture of an empty board, or with an integer in every cell.

    Args:
        board: what is drawn.
        numbers: one integer per cell, for example its degree.
        style: one of `styles.STYLES` but `lines`.
        looks: `labels`, `view` and `positions`, as for `tour.tour_picture`.

    Raises:
        TooLargeError: the board has more than `ground.MOST` cells.
        CavalcadeError: there is not one number per cell, or as for `tour.tour_picture`.
    """
    texts = [] if numbers is None else [str(number) for number in np.asarray(numbers).tolist()]
    if numbers is not None and len(texts) != board.size:
        raise CavalcadeError(
            f"{len(texts):,} numbers do not fit {board.title}, which has {board.size:,} cells"
        )
    heights = [text_size(texts)] * len(texts)
    return _texts(board, texts, heights, style=style, **looks)


def puzzle_picture(
    puzzle: Puzzle | Roesselsprung, *, style: str = "colour", labels: bool | None = None
) -> Picture:
    """A picture of a puzzle to be filled in or read; the first and the last cell are ringed where known.

    Args:
        puzzle: what is drawn.
        style: one of `styles.STYLES` but `lines`.
        labels: files and ranks; by default on a puzzle of numbers.

    Raises:
        TooLargeError: the board has more cells than pictures show.
        CavalcadeError: an unknown style.
    """
    board, n = puzzle.board, puzzle.board.size
    if isinstance(puzzle, Puzzle):
        texts = [str(step or "") for step in puzzle.steps.tolist()]
        lengths = [len(str(n))] * n
        rings = [cell for step, cell in puzzle.given if step in {1, n}]
        title = puzzle.title(board.title)
    else:
        texts = [part.replace(GOES_ON, "-") for part in puzzle.on_cells]
        lengths = [len(text) for text in texts]
        rings = sorted({puzzle.tour.start, puzzle.tour.end})
        title = f"Rösselsprung on {board.title}"
    heights = [UNIT * min(HIGH, WIDE / (length + 1)) for length in lengths]
    title = f"{title}, {puzzle.piece.spec}"
    shown = isinstance(puzzle, Puzzle) if labels is None else labels
    return _texts(board, texts, heights, rings=rings, title=title, style=style, labels=shown)


def _texts(
    board: Board | MoveGraph,
    texts: Sequence[str],
    heights: Sequence[float],
    *,
    rings: Sequence[int] = (),
    title: str = "",
    style: str = "colour",
    labels: bool = True,
    view: str = "flat",
    positions: ArrayLike | None = None,
) -> Picture:
    """A board with a text in every cell, or none at all; the texts' letters have these heights."""
    look = style_of(style)
    if not look.board:
        raise CavalcadeError(f"style {style!r} shows no board, and there is nothing else to draw")
    assert_size(board)
    layout = lay_out(board, positions, labels=labels, view=view)
    at = layout.places()
    shapes = ground(board, layout, look, labels=labels)
    if board.plain:
        fill = look.shades[0] if look.paper else "#ffffff"
        shapes += dots(at, [fill] * board.size, 0.3 * UNIT, look.text)
    elif layout.space:
        shapes += [one for k in range(len(layout.panels)) for one in cells(board, layout, look, k)]
    shapes += above(board, layout, look, labels=labels)
    ink = look.text if look.paper or board.plain else look.digits
    shapes += [Disc("ring", *at[cell], 0.45 * UNIT, stroke=ink, width=0.05 * UNIT) for cell in rings]
    shapes += [
        Letters("number", x, y, text, height, ink)
        for (x, y), text, height in zip(at, texts, heights, strict=False)
        if text
    ]
    desc = f"{board.title}: {board.size:,} cells." + (
        " There is a number or a text on each." if texts else ""
    )
    return Picture(title or board.title, desc, layout.width, layout.height, shapes, look.paper)


def text_size(texts: list[str]) -> float:
    """The size at which the longest of some numbers fits into a cell."""
    return UNIT * min(0.36, 1.0 / max(2, *map(len, ["", *texts])))
