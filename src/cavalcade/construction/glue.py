"""Glue closed tours, one above another, to an open tour of their stack.

J. R. Gerlach and S. M. Gerlach, The Knight's Tour in 3-Dimensional Chess, 2019, Solution #2, there for copies
of a tour of the chessboard. A closed tour can begin on any cell, the *pivot* of its level. It then ends on
the cell before the pivot, from which a move leads up to the pivot of the next level. The paper renumbers the
steps: it adds INCR1 to the step of the pivot and to later ones, and INCR2 to the steps before it.

Here the tours and their boards may differ. If a pivot cannot be reached otherwise, the lowest tour begins
elsewhere, and any tour may be walked backwards. Possible pivots are computed from the top down, in time
linear in the cells, so that a stack is found whenever there is one.
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
    """The numbering of a level's tour in the stack.

    Args:
        pivot: name of its first cell on its own board.
        value: step of the pivot in its own tour, which is numbered from 1.
        increments: INCR1, added to the steps from `value` on, and INCR2, added to the steps before.
        backwards: whether its own tour is reversed first, from the same cell.
    """

    pivot: str
    value: int
    increments: tuple[int, int]
    backwards: bool


@dataclass(frozen=True)
class Glued:
    """An open tour of a stack, joined from closed tours of its levels.

    Args:
        tour: the open tour of the stack.
        levels: the numbering of each level, from the lowest.

    Examples:
        >>> [level.pivot for level in glue(tour("6x6").tour, levels=2).levels][0]
        'a6'
    """

    tour: Tour
    levels: tuple[GluedLevel, ...]


def glue(tours: Tour | Sequence[Tour], *, levels: int | None = None, pivots: Sequence[str] = ()) -> Glued:
    """Join closed tours of the levels of a stack into one open tour of the stack.

    Args:
        tours: closed tours of boxes, with or without holes; a single tour is copied.
        levels: number of levels; the tours are repeated in turn. By default the number of tours, or two for a
            single tour.
        pivots: the first cells of the second level, the third, and so on. By default the first cell, in the
            order of the moves, to which the level below leads.

    Raises:
        CavalcadeError: a tour is open or partial, pieces differ, or there is no such stack.

    The tours are not checked: check them, or the result, with `cavalcade.check`. Time: linear.

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
    for tour in given:
        complete = isinstance(tour.board, Board) and tour.closed and len(tour) == tour.board.size
        if not complete or tour.piece != given[0].piece:
            expected = f"expected closed tours of boxes by a {given[0].piece.spec}"
            raise CellError(f"{tour!r} cannot be glued, {expected}")
    stories = [given[k % len(given)] for k in range(count)]
    stack = stacked([tour.board for tour in stories if isinstance(tour.board, Board)])
    cells, numberings, below = [], [], 0
    for tour, (pivot, backwards) in zip(stories, _pivots(stories, stack, pivots), strict=True):
        directed = tour.reversed() if backwards else tour
        value = int(directed.steps[pivot])
        first = below - value + 1
        increments = first, first + len(tour)
        numberings.append(GluedLevel(tour.board.name(pivot), value, increments, backwards))
        cells.append(directed.rotated(pivot).cells + below)
        below += len(tour)
    return Glued(Tour(stack, np.concatenate(cells), closed=False, piece=given[0].piece), tuple(numberings))


def _pivots(tours: Sequence[Tour], stack: Board, named: Sequence[str]) -> list[tuple[int, bool]]:
    """The pivot of each level, and whether its tour is walked backwards."""
    fixed = [None, *(tour.board.cell(name) for name, tour in zip(named, tours[1:], strict=False))]
    fixed += [None] * (len(tours) - len(fixed))
    begins = np.cumsum([0, *map(len, tours)]).tolist()
    vectors = tours[0].piece.vectors(stack)
    up = vectors[vectors[:, 0] == 1]

    def above(level: int) -> Cells:
        """The cells of the next level that each move reaches from the cells of a level; -1 for none."""
        tails = np.arange(begins[level], begins[level + 1])
        heads = np.stack(list(stack.reached(up, tails)) or [np.full(len(tails), -1, dtype=np.int32)])
        return np.where(heads >= 0, heads - begins[level + 1], -1)

    # The cells where the tours of the levels can begin and end, from the top down.
    firsts, ends = ([np.ones(len(tour), dtype=np.bool_) for tour in tours] for _ in range(2))
    for level in range(len(tours) - 1, -1, -1):
        tour, cell = tours[level], fixed[level]
        if level + 1 < len(tours):
            heads = above(level)
            ends[level] = np.any((heads >= 0) & firsts[level + 1][heads], axis=0)
        along = ends[level][tour.cells]
        firsts[level][tour.cells] = np.roll(along, 1) | np.roll(along, -1)
        if cell is not None:
            firsts[level] &= np.arange(len(tour)) == cell
        if not firsts[level].any():
            after = fixed[level + 1]
            where = "" if after is None else f" at {tours[level + 1].board.name(after)}"
            raise CellError(
                f"level {level + 2} cannot begin{where}: no tour of level {level + 1} leads there"
            )

    def end(tour: Tour, cell: int, backwards: bool) -> int:  # noqa: FBT001 - as in the pairs
        """The last cell of a tour that begins at a cell."""
        return int(tour.cells[(int(tour.steps[cell]) - (0 if backwards else 2)) % len(tour)])

    # Choose the pivots from the bottom up.
    pivots: list[tuple[int, bool]] = []
    candidates = tours[0].cells
    for level, tour in enumerate(tours):
        usable = [cell for cell in candidates.tolist() if cell >= 0 and firsts[level][cell]]
        pairs = ((cell, backwards) for backwards in (False, True) for cell in usable)
        pivots.append(next(pair for pair in pairs if ends[level][end(tour, *pair)]))
        if level + 1 < len(tours):
            candidates = above(level)[:, end(tour, *pivots[-1])]
    return pivots
