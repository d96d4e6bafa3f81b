"""Glue: closed tours one above another become one tour of their stack.

J. R. Gerlach and S. M. Gerlach, The Knight's Tour in 3-Dimensional Chess, 2019, Solution #2, there for copies
of one tour of the chessboard. A closed tour can begin on any cell, the *pivot* of its level, and then ends on
the one before it, from where a move leads up to the pivot of the next level. The paper numbers the steps
anew: it adds INCR1 to those from the pivot's on, and INCR2 to those before.

Here the tours may differ, also in their boards. Where a pivot cannot be reached otherwise, the lowest tour
begins elsewhere, and any tour may be walked backwards. Which cells can be pivots is found out from the top
down, in time linear in the cells; so a stack is found whenever there is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.boards.stack import stacked
from cavalcade.ground.errors import CavalcadeError, CellError
from cavalcade.ground.kernels import Cells


@dataclass(frozen=True)
class GluedLevel:
    """How the tour of a level is numbered in the stack.

    Args:
        pivot: its first cell, named as on its own board.
        value: the step of the pivot in its own tour, which is numbered from 1.
        increments: what is added to the steps from `value` on, and to those before: INCR1 and INCR2.
        backwards: its own tour is walked backwards first, from the same cell.
    """

    pivot: str
    value: int
    increments: tuple[int, int]
    backwards: bool


@dataclass(frozen=True)
class Glued:
    """A stack of tours.

    Args:
        tour: the open tour of the stack.
        levels: one entry a level, from the lowest.

    Examples:
        >>> [level.pivot for level in glue(tour("6x6").tour, levels=2).levels][0]
        'a6'
    """

    tour: Tour
    levels: tuple[GluedLevel, ...]


def glue(tours: Tour | Sequence[Tour], *, levels: int | None = None, pivots: Sequence[str] = ()) -> Glued:
    """Closed tours, one per level, joined into an open tour of their stack.

    Args:
        tours: closed tours of boxes, with or without holes; a single one is copied.
        levels: how many levels; the tours are taken again in turn. By default as many as there are tours, two
            for a single one.
        pivots: where the second level begins, the third, and so on. By default the first cell, in the order
            of the moves, to which the level below leads.

    Raises:
        CavalcadeError: a tour is open or partial, pieces differ, or there is no such stack.

    The tours are trusted: check them, or the result, with `cavalcade.check`. Linear time.

    Examples:
        >>> check(glue(tour("6x6").tour, levels=2).tour).message
        'an open tour of 2x6x6: 72 cells, each visited once'
    """
    given = [tours] if isinstance(tours, Tour) else list(tours)
    count = levels if levels is not None else max(2, len(given)) if len(given) == 1 else len(given)
    if not given or count < len(given) or len(pivots) >= count:
        raise CavalcadeError(
            f"{len(given)} tours and {len(pivots)} pivots for {count} levels: expected no more tours than "
            "levels, and a pivot for each level but the first at most"
        )
    for one in given:
        if (
            isinstance(one.board, Board)
            and one.closed
            and len(one) == one.board.size
            and one.piece == given[0].piece
        ):
            continue
        raise CellError(f"{one!r} cannot be glued, expected closed tours of boxes by a {given[0].piece.spec}")
    every = [given[k % len(given)] for k in range(count)]
    stack = stacked([one.board for one in every if isinstance(one.board, Board)])
    parts, found, below = [], [], 0
    for one, (pivot, backwards) in zip(every, _pivots(every, stack, pivots), strict=True):
        own = one.reversed() if backwards else one
        value = int(own.steps[pivot])
        first = below - value + 1
        found.append(GluedLevel(one.board.name(pivot), value, (first, first + len(one)), backwards))
        parts.append(own.rotated(pivot).cells + below)
        below += len(one)
    whole = Tour(stack, np.concatenate(parts), closed=False, piece=given[0].piece)
    return Glued(whole, tuple(found))


def _pivots(tours: Sequence[Tour], stack: Board, named: Sequence[str]) -> list[tuple[int, bool]]:
    """For each level its pivot, and whether its tour is walked backwards."""
    wanted = [None, *(one.board.cell(p) for p, one in zip(named, tours[1:], strict=False))]
    wanted += [None] * (len(tours) - len(wanted))
    begins = np.cumsum([0, *map(len, tours)]).tolist()
    vectors = tours[0].piece.vectors(stack)
    up = vectors[vectors[:, 0] == 1]

    def above(level: int) -> Cells:
        """The cells of the next level that each move leads to from the cells of this one; -1 for none."""
        here = np.arange(begins[level], begins[level + 1])
        every = np.stack(list(stack.reached(up, here)) or [np.full(len(here), -1, dtype=np.int32)])
        return np.where(every >= 0, every - begins[level + 1], -1)

    # the cells of each level that its tour can begin with, and those that it can end on
    firsts, ends = ([np.ones(len(one), dtype=np.bool_) for one in tours] for _ in range(2))
    for level in range(len(tours) - 1, -1, -1):
        one, cell = tours[level], wanted[level]
        if level + 1 < len(tours):
            there = above(level)
            ends[level] = np.any((there >= 0) & firsts[level + 1][there], axis=0)
        along = ends[level][one.cells]
        firsts[level][one.cells] = np.roll(along, 1) | np.roll(along, -1)
        if cell is not None:
            firsts[level] &= np.arange(len(one)) == cell
        if not firsts[level].any():
            after = wanted[level + 1]
            where = "" if after is None else f" at {tours[level + 1].board.name(after)}"
            raise CellError(
                f"level {level + 2} cannot begin{where}: no tour of level {level + 1} leads there"
            )

    def end(one: Tour, cell: int, backwards: bool) -> int:  # noqa: FBT001 - as in the pairs
        """The cell on which a tour that begins there ends."""
        return int(one.cells[(int(one.steps[cell]) - (0 if backwards else 2)) % len(one)])

    found: list[tuple[int, bool]] = []
    options = tours[0].cells
    for level, one in enumerate(tours):
        able = [cell for cell in options.tolist() if cell >= 0 and firsts[level][cell]]
        pairs = ((cell, backwards) for backwards in (False, True) for cell in able)
        found.append(next(pair for pair in pairs if ends[level][end(one, *pair)]))
        if level + 1 < len(tours):
            options = above(level)[:, end(one, *found[-1])]
    return found
