"""The wide variables of the papers: a line of names, s111 s112 … s888, and a line with one observation.

A name is a letter, then level, row (from the top) and column, each counted from 1; it is `s38` on one board,
and on a hexagon row and column count in the array that holds it. If a side has more than nine cells,
underscores separate the numbers, `s1_10_3`, so that every name has one meaning. A hole has no variable, an
unvisited cell the missing value `.`.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.formats.header import ZERO, assert_visits_once, describe, split_comments, with_rows
from cavalcade.formats.letters import joined, of_numbers
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from cavalcade.answers.tours import Tour, Tours
    from cavalcade.boards import Board
    from cavalcade.formats.header import Claim, Look
    from cavalcade.question.graph import MoveGraph

VARIABLE = re.compile(r"[A-Za-z](?:([1-9]{2,})|([1-9][0-9]{0,8}(?:_[1-9][0-9]{0,8})+))")
MISSING = "."


def assert_fits(board: Board | MoveGraph, _: object = None) -> Board:
    """Return the board, and refuse a graph.

    Raises:
        FormatError: it is a graph.
    """
    return with_rows(board, f"{board.title} has no rows and columns: use csv or json")


def write(tour: Tour, *, header: bool = True) -> str:
    """Return the tour as the variables s11, s12, …; `header` adds the sentence about the tour."""
    board = assert_fits(tour.board)
    assert_visits_once(tour)
    first = f"; {describe(tour, holes=False)}\n" if header else ""
    return first + numbers_wide(board, tour.steps, zero=MISSING)


def write_rows(tours: Tours, number: int) -> str:
    """Return some tours, one observation each; the first of them is number `number` of all."""
    first, names, _ = write(next(iter(tours))).splitlines()
    steps = of_numbers(tours.steps.ravel())
    signs = np.full(tours.steps.shape, ord(" "), dtype=np.uint8)
    signs[:, -1] = ord("\n")
    rows = joined([steps, signs.reshape(-1, 1)])
    return f"{first}\n{names}\n{rows}" if number == 1 else rows


def numbers_wide(board: Board, numbers: ArrayLike, *, letter: str = "s", zero: str = "0") -> str:
    """Return integers, one per cell, as variables; `letter="m"` gives the papers' KNIGHTMOVES.

    Args:
        board: the board.
        numbers: one integer per cell.
        letter: first letter of the names.
        zero: sign for 0.
    """
    values = [str(number) if number else zero for number in np.asarray(numbers).tolist()]
    first = board.family.origin + 1
    between = "_" if max(board.shape) > 9 else ""
    names = [letter + between.join(map(str, coords)) for coords in (board.coords + first).tolist()]
    return f"{' '.join(names)}\n{' '.join(values)}\n"


def sniff(look: Look) -> bool:
    """Return whether variables are above values."""
    return not look.names and all(map(place, look.words)) and look.second[:1] in {".", *"0123456789"}


def parse(text: str, claim: Claim) -> Tour:
    """Return the tour in wide variables."""
    claim, lines_ = split_comments(text, claim)
    lines = [line for line in lines_ if line.text.strip()]
    if len(lines) != 2:
        raise FormatError(f"{len(lines)} lines, expected two: the variables and one observation")
    above, below = lines
    names, values = (re.split(r"[\s,;]+", line.text.strip()) for line in lines)
    if len(values) != len(names):
        raise below.error(f"{len(values):,} values for {len(names):,} variables")
    if {name[0] for name in names} == {"s", "m"}:  # the papers' SOLUTION: the m-variables are MOVES
        steps_of_cells, moves_of_cells = (
            {name[1:]: name for name in names if name[0] == letter} for letter in "sm"
        )
        if extra := [name for cell, name in moves_of_cells.items() if cell not in steps_of_cells]:
            raise above.error(f"{extra[0][:40]!r} is not a variable like {names[0][:40]!r}")
        entries = [(name, value) for name, value in zip(names, values, strict=True) if name[0] == "s"]
        names, values = (list(column) for column in zip(*entries, strict=True))
    places = [place(name) for name in names]
    dimensions = len(places[0])
    for name, coords in zip(names, places, strict=True):
        if len(coords) != dimensions or not coords or name[0] != names[0][0]:
            raise above.error(f"{name[:40]!r} is not a variable like {names[0][:40]!r}")
    indices = np.array(places, dtype=np.int64) - 1
    shape = tuple((indices.max(axis=0) + 1).tolist())
    if claim.board is not None and not claim.board.plain:
        board = claim.board
        if len(shape) != board.dimensions or (np.array(shape) > board.shape).any():
            raise above.error(f"the variables do not fit {board.title}")
        shape = board.shape
    elif math.prod(shape) > 100 * len(names):
        raise above.error("the variables do not fill a board: give the board (--board)")
    steps = np.full(shape, -1, dtype=np.int64)
    flat = np.ravel_multi_index(tuple(indices.T), shape)
    if len(np.unique(flat)) < len(names):
        repeated = names[np.flatnonzero(np.bincount(flat)[flat] > 1)[0]]
        raise above.error(f"{repeated!r} occurs twice")
    steps.flat[flat] = [_step(below.number, name, value) for name, value in zip(names, values, strict=True)]
    return claim.tour_of_steps(steps)


def place(name: str) -> tuple[int, ...]:
    """Return level, row and column of a variable, counted from 1; empty for another word."""
    match = VARIABLE.fullmatch(name)
    if not match:
        return ()
    return tuple(map(int, match[1] or match[2].split("_")))


def _step(line: int, name: str, value: str) -> int:
    if value == MISSING:
        return 0
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        raise FormatError(f"line {line}: {name} is {value[:40]!r}, expected a step or '.'")
    return int(value) or ZERO
