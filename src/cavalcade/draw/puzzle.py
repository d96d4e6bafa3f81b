"""Pictures of puzzles: a board with the numbers that are given, or with syllables; without the solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.answers.puzzles import GOES_ON
from cavalcade.draw.layout import UNIT
from cavalcade.draw.tour import texts_picture

if TYPE_CHECKING:
    from cavalcade.answers.puzzles import Puzzle, Roesselsprung
    from cavalcade.draw.shapes import Picture

WIDE = 1.5  # the width of a cell in letters of height 1
HIGH = 0.38  # the height of letters that would fit anyway


def puzzle_picture(puzzle: Puzzle, *, style: str = "colour", labels: bool = True) -> Picture:
    """A picture of a puzzle to be filled in, the first and the last number ringed where they are given.

    Args:
        puzzle: what is drawn.
        style: one of `styles.STYLES` but `lines`.
        labels: files and ranks.

    Raises:
        TooLargeError: the board has more cells than pictures show.
        CavalcadeError: an unknown style.
    """
    n = puzzle.board.size
    texts = [str(step or "") for step in puzzle.steps.tolist()]
    height = UNIT * min(HIGH, WIDE / (len(str(n)) + 1))
    rings = [cell for step, cell in puzzle.given if step in {1, n}]
    title = f"{puzzle.title(puzzle.board.title)}, {puzzle.piece.spec}"
    return texts_picture(
        puzzle.board, texts, [height] * n, rings=rings, title=title, style=style, labels=labels
    )


def roesselsprung_picture(puzzle: Roesselsprung, *, style: str = "colour", labels: bool = False) -> Picture:
    """A picture of a Rösselsprung, its first and its last square ringed.

    Args:
        puzzle: what is drawn.
        style: one of `styles.STYLES` but `lines`.
        labels: files and ranks.

    Raises:
        TooLargeError: the board has more cells than pictures show.
        CavalcadeError: an unknown style.
    """
    texts = [part.replace(GOES_ON, "-") for part in puzzle.on_cells]
    heights = [UNIT * min(HIGH, WIDE / (len(text) + 1)) for text in texts]
    rings = sorted({puzzle.tour.start, puzzle.tour.end})
    title = f"Rösselsprung on {puzzle.board.title}, {puzzle.piece.spec}"
    return texts_picture(puzzle.board, texts, heights, rings=rings, title=title, style=style, labels=labels)
