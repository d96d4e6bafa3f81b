"""What the words of a question mean on a board: names become numbers of cells, and moves pairs of cells.

The words themselves are the rows of `cavalcade.question.words`.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TypeVar

import numpy as np

from cavalcade.boards import Board
from cavalcade.ground.errors import BoardError, CavalcadeError, CellError, PieceError
from cavalcade.ground.kernels import Cells, Ints, Mask
from cavalcade.question.graph import MoveGraph
from cavalcade.question.words import DIRECTIONS, MOST_COILS, Cell, Moves, Steps

Part = TypeVar("Part")


def cell_of(board: Board | MoveGraph, cell: Cell) -> int:
    """The number of a cell that is given by name, by number, or by coordinates, row and column from 0.

    Raises:
        CellError: the board has no such cell.
    """
    if isinstance(cell, str):
        return board.cell(cell)
    try:
        number = operator.index(cell)  # type: ignore[arg-type]
    except TypeError:
        labels = board.labels or ()
        if cell in labels:
            return labels.index(cell)
        if isinstance(cell, tuple) and not board.plain and len(cell) == board.dimensions:
            with suppress(TypeError, ValueError):  # coordinates, such as the row and the column
                if (at := int(board.locate(np.array([cell], dtype=np.int32))[0])) >= 0:
                    return at
        expected = "a name, a number or its coordinates"
        raise CellError(f"{str(cell)[:60]!r} is not a cell of {board.title}, expected {expected}") from None
    board.name(number)
    return number


def without_cells(board: Board | MoveGraph, given: str | Iterable[Cell] | None) -> Board | MoveGraph:
    """Return the board without the cells that its tours must not visit.

    Raises:
        CellError: a cell is not on the board.
        BoardError: no cell is left, or the board is a graph.
    """
    cells = [cell_of(board, cell) for cell in _parts(board, given)]
    if not cells:
        return board
    if board.plain:
        raise BoardError(f"{board.title} is a graph, and avoid_cells is for boards: remove the vertices")
    return board.without(cells)


def moves_of(board: Board | MoveGraph, graph: MoveGraph, given: Moves | None) -> tuple[tuple[int, int], ...]:
    """The moves (a, b), a < b, in ascending order; of a directed graph those from a to b.

    Raises:
        CellError: text that names no two cells, or two cells that are no move apart.
    """
    pairs = set()
    for one in _parts(board, given):
        a, b = _ends(board, one) if isinstance(one, str) else (cell_of(board, cell) for cell in one)
        if b not in graph.neighbours(a):
            raise CellError(f"{board.name(a)}-{board.name(b)} is not a move of {board.title}")
        pairs.add((a, b) if graph.directed else (min(a, b), max(a, b)))
    return tuple(sorted(pairs))


def _parts(board: Board | MoveGraph, given: str | Iterable[Part] | None) -> Iterator[str | Part]:
    """The parts of a list, or of text with commas; only the names of boards surely have none."""
    if isinstance(given, str):
        yield from given.split(",")
        return
    for one in given or ():
        if isinstance(one, str) and not board.plain:
            yield from one.split(",")
        else:
            yield one


def _ends(board: Board | MoveGraph, text: str) -> tuple[int, int]:
    """The two cells of `a1-b3`; on a plain graph a name may hold a hyphen itself."""
    parts = text.strip().split("-")
    ways = [("-".join(parts[:i]), "-".join(parts[i:])) for i in range(1, len(parts))]
    found, wrong = [], ""
    for one, two in ways:
        try:
            found.append((board.cell(one), board.cell(two)))
        except CellError as error:
            wrong = str(error)
    if len(found) == 1:
        return found[0]
    if len(ways) == 1:
        raise CellError(wrong)
    why = "can be read as more than one move" if found else "is not a move"
    raise CellError(f"{text[:60]!r} {why}, expected two cells with a hyphen between them")


def steps_of(
    board: Board | MoveGraph, given: Steps | None, ends: Mapping[int, int] | None = None
) -> tuple[tuple[int, int], ...]:
    """The steps, from 1 on, with the cells that are visited on them, in ascending order, those of ends too.

    Raises:
        CellError: text of another form, a step that a tour has not, one step on two cells, or a cell on two.
    """
    if isinstance(given, Mapping):
        pairs = [(step, cell_of(board, cell)) for step, cell in given.items()]
    else:
        pairs = [_step(board, text) for text in _parts(board, given)]
    found: dict[int, int] = {}
    taken: dict[int, int] = {}
    for step, cell in (*(ends or {}).items(), *pairs):
        if not 1 <= step <= board.size:
            raise CellError(f"{step} is not a step of a tour of {board.title}, expected 1 to {board.size}")
        if found.setdefault(step, cell) != cell:
            names = f"{board.name(found[step])} and on {board.name(cell)}"
            raise CellError(f"step {step} cannot be on {names}")
        if taken.setdefault(cell, step) != step:
            raise CellError(f"{board.name(cell)} cannot be at step {taken[cell]} and at step {step}")
    return tuple(sorted(found.items()))


def _step(board: Board | MoveGraph, text: str) -> tuple[int, int]:
    step, equals, cell = text.strip().partition("=")
    if not equals or not step.isascii() or not step.isdigit() or len(step) > 10:
        raise CellError(f"{text[:60]!r} is not a step with its cell, expected one like 17=d5")
    return int(step), board.cell(cell)


def direction_of(board: Board | MoveGraph, given: str | None) -> str | None:
    """The direction of the moves.

    Raises:
        CavalcadeError: an unknown word, or a board that has no centre to go about.
    """
    if given is None:
        return None
    if given not in DIRECTIONS:
        raise CavalcadeError(f"{given[:60]!r} is not a direction, expected {' or '.join(DIRECTIONS)}")
    if board.family.centre is None:
        raise PieceError(f"moves of {board.title} do not go {given}: it is not a flat box or hexagon")
    return given


def coils_of(
    board: Board | MoveGraph, given: int | None, direction: str | None, *, closed: bool
) -> int | None:
    """The number of coils.

    Raises:
        CavalcadeError: it is no number from 1 on, or the tours have no coils.
    """
    if given is None:
        return None
    if type(given) is not int or not 1 <= given <= MOST_COILS:
        expected = f"a whole number from 1 to {MOST_COILS:,}"
        raise CavalcadeError(f"{str(given)[:40]!r} is not a number of coils, expected {expected}")
    if direction is None:
        raise CavalcadeError("coils are of tours whose moves all go counterclockwise, or all clockwise")
    if not closed or board.size == 1:
        what = "an open tour" if not closed else "the tour of one cell"
        raise CavalcadeError(f"{what} has no coils, expected a closed tour that goes round the centre")
    return given


def turning(board: Board, moves: Cells) -> Ints:
    """How moves, (k, 2), go round the centre: 1 counterclockwise, -1 clockwise, 0 straight through it."""
    right, up = _from_centre(board)
    a, b = moves.T
    return np.asarray(np.sign(right[a] * up[b] - up[a] * right[b]))


def rising(board: Board, moves: Cells) -> Mask:
    """Which moves, (k, 2), lead from the lower half of the board to the upper half.

    The upper half has the cells above the centre, and those at its right on its own level. Where all moves go
    round the centre in one direction, a closed tour has one such move in each of its coils.
    """
    right, up = _from_centre(board)
    upper = (up > 0) | ((up == 0) & (right > 0))
    a, b = moves.T
    return np.asarray(~upper[a] & upper[b])


def _from_centre(board: Board) -> tuple[Ints, Ints]:
    """How far every cell lies to the right of the centre and above it, each in units of its own."""
    row, column = (2 * board.coords.astype(np.int64) - np.array(board.family.centre)).T
    return (row, -row - 2 * column) if board.family.hexagonal else (column, -row)
