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

Lines of words may follow the header, each after a semicolon: `; with a1-b1` is a link that the tour uses,
`; avoid a1-a2` a wall that it does not cross, and `; order` says that the numbers are the order in which the
tour visits their cells, as in a Zip, and not its steps.

Without the header the board has the shape of the numbers, and the piece is the knight. An empty field
between commas, semicolons or tabs is also a cell whose number is wanted. In a text whose numbers stand below
one another, as on web pages, blanks in place of a number are a hole.

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

import json
import math
import re
from dataclasses import replace

import numpy as np

from cavalcade.answers.puzzles import Puzzle, Roesselsprung
from cavalcade.formats import text as grid
from cavalcade.formats.header import ZERO, Claim, TextLine, separator, split_comments
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.question.constraints import moves_of
from cavalcade.question.graph import board_or_graph
from cavalcade.question.moves import graph_of
from cavalcade.question.pieces import KNIGHT
from cavalcade.question.words import Moves

WORDS = re.compile(r";\s*(?:(?P<order>order)|(?P<word>with|avoid)\s+(?P<moves>\S.*))")
SIGN = re.compile(r"[0-9]+|_+|[.#]")  # a number, a cell without one, or a hole


def parse(text: str, claim: Claim) -> Puzzle:
    """The puzzle that a text shows, by default of a closed tour.

    Raises:
        FormatError: there is none, or it has no number.
        CellError: a number twice, or one that is not a step.
    """
    words = [word for line in text.splitlines() if (word := WORDS.fullmatch(line.strip()))]
    claim, lines = split_comments(text, claim)
    if claim.board is None or not claim.board.family.hexagonal:
        lines = _with_holes(lines)
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
    puzzle = Puzzle(board, given, claim.closed is not False, claim.piece or KNIGHT)
    listed = {key: [word["moves"] for word in words if word["word"] == key] for key in ("with", "avoid")}
    return constrained(puzzle, listed["with"], listed["avoid"], ordered=any(word["order"] for word in words))


def parse_object(text: str, claim: Claim) -> Puzzle:
    """Read the puzzle in an object that `puzzle --json` prints.

    Raises:
        FormatError: a field is missing or has a wrong type.
    """
    try:
        fields = json.loads(text)
        claim = claim.filled(fields["board"], fields["piece"], fields["kind"])
        board = board_or_graph(claim.board)
        numbers = tuple((step, board.cell(name)) for name, step in fields["given"].items())
        puzzle = Puzzle(board, numbers, claim.closed is not False, claim.piece or KNIGHT)
        links, walls = fields.get("links") or (), fields.get("walls") or ()
        return constrained(puzzle, links, walls, ordered=bool(fields.get("ordered")))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, CavalcadeError):
            raise
        raise FormatError(f"it is no object of `puzzle --json`: {error}") from None


def constrained(
    puzzle: Puzzle, required: Moves = (), forbidden: Moves = (), *, ordered: bool = False
) -> Puzzle:
    """Return a puzzle with more links and walls, and perhaps with its numbers as an order.

    Raises:
        CellError: two cells that no move joins.
    """
    graph = graph_of(puzzle.board, puzzle.piece)
    links, walls = (moves_of(puzzle.board, graph, moves) for moves in (required, forbidden))
    return replace(
        puzzle,
        required=tuple(sorted({*puzzle.required, *links})),
        forbidden=tuple(sorted({*puzzle.forbidden, *walls})),
        ordered=puzzle.ordered or ordered,
    )


def _with_holes(lines: list[TextLine]) -> list[TextLine]:
    """Return rows of numbers with `#` in the holes that blanks leave between, before and after numbers.

    The texts of a board stand in columns of equal width: all begin, or all end, at multiples of the width.
    The lines are returned unchanged if they do not line up, have other signs, or have an empty column
    between all numbers, as rows of hexagonal cells do.
    """
    rows = [(line, list(re.finditer(r"\S+", line.text))) for line in lines if line.text.strip()]
    words = [word for _, matches in rows for word in matches]
    if not words or any(not SIGN.fullmatch(word[0]) or "\t" in word.string for word in words):
        return lines
    for ends in ([word.end() for word in words], [word.start() for word in words]):
        first = min(ends)
        width = math.gcd(*(end - first for end in ends))
        if width <= max(len(word[0]) for word in words):
            continue
        columns = iter([(end - first) // width for end in ends])
        placed = [{next(columns): word[0] for word in matches} for _, matches in rows]
        used = {column for row in placed for column in row}
        ragged = len({len(row) for row in placed}) > 1
        touching = any(column + 1 in row for row in placed for column in row)
        # A short row alone may lack a number by mistake: blanks before or between numbers show the holes.
        gaps = any(len(row) <= max(row) for row in placed)
        # An empty column in rows of equal length separates two parts of the rows.
        if not touching or not gaps or (not ragged and used != {*range(max(used) + 1)}):
            return lines
        texts = [" ".join(row.get(column, grid.HOLE) for column in range(max(used) + 1)) for row in placed]
        return [line._replace(text=text) for (line, _), text in zip(rows, texts, strict=True)]
    return lines


def _filled(line: str) -> str:
    """A line with dots in its empty fields."""
    line = re.sub(r"_+|\.+", grid.UNVISITED, line)
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
