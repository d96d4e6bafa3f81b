"""Puzzles, read from text.

A puzzle of numbers is a board as `formats.text` shows tours, with `.`, `_` or 0 on the cells whose numbers
are wanted, `#` in the holes, and a header:

    ; open puzzle of 5x5, piece knight
       a  b  c  d  e
    5  1  .  .  .  .
    4  .  .  .  2  .
    3  . 14  . 22  .
    2  .  .  .  .  .
    1 25  .  .  .  .

Without the header the board has the shape of the numbers, and the piece is the knight. An empty field
between commas, semicolons or tabs is also a cell whose number is wanted.

A Rösselsprung has words or syllables on its cells, in rows without labels; one that ends in U+2010, the
hyphen that keyboards lack, continues with the next. Its solution follows, after a comment, as numbers:

    ; open roesselsprung of 3x3, piece knight
      owl night  tree
      its     # hoots
       at   The    in

    ; solution
      a b c
    3 2 5 8
    2 7 # 3
    1 4 1 6
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from cavalcade.answers.puzzles import Puzzle, Roesselsprung
from cavalcade.formats import text as grid
from cavalcade.formats.header import ZERO, Claim, separator, split_comments
from cavalcade.ground.errors import FormatError
from cavalcade.question.pieces import KNIGHT


def parse(text: str, claim: Claim) -> Puzzle:
    """The puzzle that a text shows, by default of a closed tour.

    Raises:
        FormatError: there is none, or it has no number.
        CellError: a number twice, or one that is not a step.
    """
    claim, lines = split_comments(text, claim)
    claim, steps = grid.numbers_in([line._replace(text=_filled(line.text)) for line in lines], claim)
    steps = np.where(steps == ZERO, 0, steps)
    if not (steps > 0).any():
        raise FormatError("there is no number in it, expected some steps of a tour")
    board = claim.board_under(steps)
    cells = board.locate(np.argwhere(steps > 0) - board.family.origin).tolist()
    numbers = steps[steps > 0].tolist()
    if -1 in cells:
        raise FormatError(f"{numbers[cells.index(-1)]} is in a hole of {board.title}")
    given = tuple(zip(numbers, cells, strict=True))
    return Puzzle(board, given, claim.closed is not False, claim.piece or KNIGHT)


def _filled(line: str) -> str:
    """A line with dots in its empty fields."""
    line = line.replace("_", grid.UNVISITED)
    if (mark := separator(line)) is None:
        return line
    return mark.join(place if place.strip() else grid.UNVISITED for place in line.split(mark))


def parse_roesselsprung(text: str, claim: Claim) -> Roesselsprung:
    """The Rösselsprung that a text shows, with its solution.

    Raises:
        FormatError: there is none, or no solution.
    """
    halves = re.split(rf"^\s*;\s*{grid.SOLUTION}\s*$", text, maxsplit=1, flags=re.MULTILINE)
    claim, lines = split_comments(halves[0], claim)
    if len(halves) < 2:
        raise FormatError(f"there is no solution in it, expected numbers below a line '; {grid.SOLUTION}'")
    claim.needs_board()
    board = claim.drawn_board("syllables")
    assert board is not None  # noqa: S101 - for the type checker
    places = grid.places(board)
    parts = [part for line in lines for part in line.text.split()]
    if len(parts) != len(places):
        raise FormatError(f"{len(parts):,} parts and holes, expected {len(places):,} on {board.whole.title}")
    tour = grid.parse(halves[1], replace(claim, closed=False))
    on_place = dict(zip(places, parts, strict=True))
    walked = [on_place[tuple(index)] for index in (tour.coords + board.family.origin).tolist()]
    count = len(parts) - parts.count(grid.HOLE)
    if grid.HOLE in walked or count != len(walked):
        raise FormatError(f"the solution has {len(walked):,} cells, expected the {count:,} with a part")
    return Roesselsprung(tour, tuple(walked))
