"""The independent checker of tours. It shares no code with the engines that find tours.

It reads the cell numbers of a tour and the kind, sides and mask of its board. Coordinates, moves and the
folding of surfaces come from `geometry`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour, Tours
from cavalcade.boards import Board
from cavalcade.checking.constraints import arcs_of, unmet
from cavalcade.checking.geometry import is_move
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.constraints import cell_of
from cavalcade.question.graph import BoardLike, MoveGraph, board_or_graph, is_path
from cavalcade.question.pieces import Piece, PieceLike, piece_of
from cavalcade.question.question import Question
from cavalcade.question.statement import statement
from cavalcade.question.words import validated


@dataclass(frozen=True)
class Checked:
    """The result of a check; true if everything was checked and is correct.

    Attributes:
        ok: whether it is correct; None if no error was found, but not everything was checked.
        message: what was checked, or the first error.
        step: the step (from 1) with the error; None if there is no error or it concerns no single step.

    Examples:
        >>> check(tour("6x6").tour).ok
        True
    """

    ok: bool | None
    message: str
    step: int | None = None

    def __bool__(self) -> bool:
        return bool(self.ok)


@validated
def check(
    tour: Tour | Sequence[int | str],
    board: BoardLike | None = None,
    *,
    piece: PieceLike | None = None,
    open: bool = False,
) -> Checked:
    """Check that a tour visits every cell once by legal moves, and returns to its start if it is closed.

    A tour of a graph with fixed edges must use them.

    Args:
        tour: a tour; or a list of cells, by name or number.
        board: the board of a list of cells.
        piece: the piece of a list of cells; by default the knight.
        open: whether a list of cells is an open tour.

    Raises:
        CavalcadeError: a list comes without a board or has other cells, or a `Tour` comes with a board.

    Time: linear; about 0.3 s and 100 bytes a cell for a million cells.

    Examples:
        >>> check(["a1", "b3", "c1"], "3x3", open=True).message
        'visits 3 of 9 cells; a3 is missing'
    """
    tour = _as_tour(tour, board, piece, closed=not open)
    wrong_with = fault(tour)
    return right(tour.board, tour.piece, closed=tour.closed) if wrong_with is None else wrong_with


def fault(tour: Tour) -> Checked | None:
    """The first error of a tour, or None: `check` without the sentence about a correct tour."""
    board, cells, n = tour.board, tour.cells, tour.board.size
    if not len(cells):
        return wrong(f"no {tour.kind} tour of {board.title}: it visits no cell")
    first_visit = np.full(n, -1, dtype=np.int64)
    first_visit[cells[::-1]] = np.arange(len(cells) - 1, -1, -1)
    repeats = np.flatnonzero(first_visit[cells] != np.arange(len(cells)))
    ends = np.append(cells[1:], cells[0]) if tour.closed and len(cells) > 1 else cells[1:]
    starts = cells[: len(ends)]
    illegal = np.flatnonzero(~_legal(board, tour.piece, starts, ends))
    repeat = int(repeats[0]) if repeats.size else len(cells)
    move = int(illegal[0]) if illegal.size else len(cells)
    if repeat <= move + 1 and repeats.size:
        cell = int(cells[repeat])
        before = int(first_visit[cell]) + 1
        return wrong(f"step {repeat + 1} visits {board.name(cell)} again, after step {before}", repeat + 1)
    if illegal.size and move + 1 < len(cells):
        a, b = board.name(int(starts[move])), board.name(int(ends[move]))
        return wrong(f"step {move + 1} to step {move + 2}, {a} to {b}, is not {_mover(tour)} move", move + 2)
    if len(cells) < n:
        missing = int(np.flatnonzero(first_visit < 0)[0])
        return wrong(f"visits {len(cells):,} of {n:,} cells; {board.name(missing)} is missing")
    if illegal.size or (tour.closed and n == 2 and not board.directed):
        a, b = board.name(int(cells[-1])), board.name(int(cells[0]))
        why = f"the last step, {a}, is not {_mover(tour)} move from the first, {b}"
        if not illegal.size:
            why = "two cells make no cycle: the way back is the way there"
        return wrong(f"not closed: {why}", len(cells))
    if board.fixed and (unused := unmet(Question(board, closed=tour.closed, required=board.fixed), tour)):
        return wrong(unused)
    return None


def check_all(tours: Tours) -> Checked:
    """Check several tours at once: the result of `check` for the first incorrect tour, else for the last.

    Time: a microsecond or two for each tour of 42 cells.
    """
    board, rows, n = tours.board, tours.cells, tours.board.size
    ends = np.roll(rows, -1, axis=1) if tours.closed else rows[:, 1:]
    starts = rows[:, : ends.shape[1]]
    bad = np.ones(len(rows), dtype=np.bool_)
    if rows.shape[1] == n > 2 and not board.fixed and ((rows >= 0) & (rows < n)).all():
        if n * n < rows.size:  # check every pair of cells once, then look moves up in that table
            pairs = np.divmod(np.arange(n * n), n)
            legal = _legal(board, tours.piece, *pairs)[starts.astype(np.int64) * n + ends]
        else:
            legal = _legal(board, tours.piece, starts.ravel(), ends.ravel()).reshape(starts.shape)
        bad = ~legal.all(axis=1) | (np.sort(rows, axis=1) != np.arange(n)).any(axis=1)
    for i in [*np.flatnonzero(bad).tolist(), len(rows) - 1]:
        checked = check(Tour(board, rows[i], tours.closed, tours.piece))
        if not checked:
            return wrong(f"number {i + 1} is not a tour: {checked.message}", checked.step)
    return checked


def _legal(
    board: Board | MoveGraph, piece: Piece, starts: NDArray[np.integer], ends: NDArray[np.integer]
) -> NDArray[np.bool_]:
    """Whether each pair of a start and an end is a move, or an edge of the graph."""
    if not board.plain:
        return is_move(board, piece, starts, ends)
    n, (tails, heads) = board.size, arcs_of(board).T
    arcs, pairs = tails * n + heads, starts.astype(np.int64) * n + ends
    arcs.sort(kind="stable")  # linear if they are in order, as in graphs made from edges
    # A binary search, because `np.isin` takes 20 times as long; n * n is larger than any pair.
    return np.asarray(np.append(arcs, n * n)[np.searchsorted(arcs, pairs)] == pairs)


def wrong(message: str, step: int | None = None) -> Checked:
    """A failed check."""
    return Checked(ok=False, message=message, step=step)


def right(board: Board | MoveGraph, piece: Piece, *, closed: bool) -> Checked:
    """A passed check of a tour."""
    visited = f"{board.size:,} cells, each visited once" if board.size > 1 else "one cell"
    claim = statement(Question(board, piece, closed))
    return Checked(ok=True, message=f"{'a' if closed else 'an'} {claim}: {visited}")


def _as_tour(tour: Any, board: Any, piece: Any, *, closed: bool) -> Tour:
    """A tour from the arguments of `check`."""
    if isinstance(tour, Tour):
        if board is not None or piece is not None or not closed:
            raise CavalcadeError("a Tour has its board, piece and kind: leave out what came with it")
        return tour
    if board is None or isinstance(tour, str):
        expected = "expected a Tour, or a list of cells and its board"
        if isinstance(tour, (str, os.PathLike)) and is_path(str(tour)):
            expected = f"try check(read_tour({str(tour)[:60]!r}))"
        raise CavalcadeError(f"{str(tour)[:60]!r} is not a tour, {expected}")
    place = board_or_graph(board)
    cells = [cell_of(place, cell) for cell in tour]
    return Tour(place, np.array(cells, dtype=np.int32), closed, piece_of(piece))


def _mover(tour: Tour) -> str:
    """The piece of a tour with its article: `a knight`."""
    name = tour.piece.spec_on(tour.board) or "graph"
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
