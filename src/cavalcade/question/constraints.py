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
from cavalcade.boards.family import BLOCK
from cavalcade.ground.errors import BoardError, CavalcadeError, CellError, PieceError
from cavalcade.ground.kernels import Cells, Ints, Mask
from cavalcade.question import words
from cavalcade.question.graph import MoveGraph
from cavalcade.question.words import DIRECTIONS, MOST_COILS, Cell, Moves, Steps

Part = TypeVar("Part")


def cell_of(board: Board | MoveGraph, cell: Cell) -> int:
    """Return the number of a cell, given its name, its number or its coordinates (row and column from 0).

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
            with suppress(TypeError, ValueError):  # coordinates that are no numbers
                number = int(board.locate(np.array([cell], dtype=np.int32))[0])
                if number >= 0:
                    return number
        expected = "a name, a number or its coordinates"
        raise CellError(f"{str(cell)[:60]!r} is not a cell of {board.title}, expected {expected}") from None
    board.name(number)  # raises CellError if there is no such cell
    return number


def cells_of(board: Board | MoveGraph, listed: str | Iterable[Cell] | None) -> list[int]:
    """Return the numbers of listed cells, such as `c3,d4`, or of blocks of cells, such as `c3:f6`.

    Raises:
        CellError: a cell is not on the board.
    """
    cells: list[int] = []
    for cell in _parts(board, listed):
        if isinstance(cell, str) and isinstance(board, Board) and BLOCK.fullmatch(cell.strip().lower()):
            cells += board.block(cell)
        else:
            cells.append(cell_of(board, cell))
    return cells


def without_cells(board: Board | MoveGraph, removed: str | Iterable[Cell] | None) -> Board | MoveGraph:
    """Return the board without the cells that its tours must not visit.

    Raises:
        CellError: a cell is not on the board.
        BoardError: no cell is left, or the board is a graph.
    """
    cells = cells_of(board, removed)
    if not cells:
        return board
    if board.plain:
        raise BoardError(f"{board.title} is a graph, and avoid_cells is for boards: remove the vertices")
    return board.without(cells)


def moves_of(board: Board | MoveGraph, graph: MoveGraph, moves: Moves | None) -> tuple[tuple[int, int], ...]:
    """Read moves, and return them as pairs (a, b) in ascending order; a < b unless the graph is directed.

    Raises:
        CellError: text that is not two cells, or two cells that no move joins.
    """
    pairs = set()
    for move in _parts(board, moves):
        a, b = _ends(board, move) if isinstance(move, str) else (cell_of(board, cell) for cell in move)
        if b not in graph.neighbours(a):
            raise CellError(f"{board.name(a)}-{board.name(b)} is not a move of {board.title}")
        pairs.add((a, b) if graph.directed else (min(a, b), max(a, b)))
    return tuple(sorted(pairs))


def _parts(board: Board | MoveGraph, listed: str | Iterable[Part] | None) -> Iterator[str | Part]:
    """Split text at commas, also inside a list; names of vertices in a list may contain commas."""
    for part in (listed,) if isinstance(listed, str) else listed or ():
        if isinstance(part, str) and (part is listed or not board.plain):
            yield from part.split(",")
        else:
            yield part


def _ends(board: Board | MoveGraph, text: str) -> tuple[int, int]:
    """Read the two cells of a move such as `a1-b3`; the name of a vertex may contain hyphens."""
    parts = text.strip().split("-")
    splits = [("-".join(parts[:i]), "-".join(parts[i:])) for i in range(1, len(parts))]
    moves, message = [], ""
    for tail, head in splits:
        try:
            moves.append((board.cell(tail), board.cell(head)))
        except CellError as error:
            message = str(error)
    if len(moves) == 1:
        return moves[0]
    if len(splits) == 1:
        raise CellError(message)
    why = "can be read as more than one move" if moves else "is not a move"
    raise CellError(f"{text[:60]!r} {why}, expected two cells with a hyphen between them")


def steps_of(
    board: Board | MoveGraph, steps: Steps | None, ends: Mapping[int, int] | None = None
) -> tuple[tuple[int, int], ...]:
    """Read cells at steps, and return pairs (step, cell) in ascending order, including the given ends.

    Raises:
        CellError: text of another form, a step outside 1 to n, two cells at a step, or two steps of a cell.
    """
    if isinstance(steps, Mapping):
        pairs = [(step, cell_of(board, cell)) for step, cell in steps.items()]
    else:
        pairs = [_step(board, text) for text in _parts(board, steps)]
    cell_at: dict[int, int] = {}
    step_of: dict[int, int] = {}
    for step, cell in (*(ends or {}).items(), *pairs):
        if not 1 <= step <= board.size:
            raise CellError(f"{step} is not a step of a tour of {board.title}, expected 1 to {board.size}")
        if cell_at.setdefault(step, cell) != cell:
            names = f"{board.name(cell_at[step])} and on {board.name(cell)}"
            raise CellError(f"step {step} cannot be on {names}")
        if step_of.setdefault(cell, step) != step:
            raise CellError(f"{board.name(cell)} cannot be at step {step_of[cell]} and at step {step}")
    return tuple(sorted(cell_at.items()))


def order_of(
    board: Board | MoveGraph, path: words.Cells | None, steps: dict[int, int], *, closed: bool
) -> tuple[int, ...]:
    """Read cells in the order in which a tour visits them; empty if every tour visits them in this order.

    The first cell of a tour is no part of the result, nor is the last cell of an open tour.

    Args:
        board: the board.
        path: the cells.
        steps: cells at given steps, including the ends. A closed tour that has none begins in the first cell
            of the path, which is added here.
        closed: whether the tours are closed.

    Raises:
        CellError: a cell occurs twice, the given steps of cells do not rise in this order, or a closed tour
            has cells at steps but no first cell.
    """
    cells = [cell_of(board, cell) for cell in _parts(board, path)]
    if not cells:
        return ()
    if closed and not steps:
        steps[1] = cells[0]
    if closed and 1 not in steps:
        raise CellError("the order of cells counts from the first cell of a closed tour: set it with start")
    step_of = {cell: step for step, cell in steps.items()}
    visited: set[int] = set()
    earliest = 1 if cells[0] == steps.get(1) else 1 + (1 in steps)
    for cell in cells:
        if cell in visited:
            raise CellError(f"a tour visits {board.name(cell)} once, but through has it twice")
        visited.add(cell)
        step = step_of.get(cell, earliest)
        if not earliest <= step <= board.size:
            place = f"is at step {step}" if cell in step_of else "comes after the last step"
            raise CellError(f"{board.name(cell)} {place}, but through lists it after other cells")
        earliest = step + 1
    first, last = steps.get(1), None if closed else steps.get(board.size)
    between = tuple(cell for cell in cells if cell not in {first, last})
    return between if len(between) > 1 else ()


def _step(board: Board | MoveGraph, text: str) -> tuple[int, int]:
    """Read a step and its cell, such as `17=d5`."""
    step, equals, cell = text.strip().partition("=")
    if not equals or not step.isascii() or not step.isdigit() or len(step) > 10:
        raise CellError(f"{text[:60]!r} is not a step with its cell, expected one like 17=d5")
    return int(step), board.cell(cell)


def direction_of(board: Board | MoveGraph, direction: str | None) -> str | None:
    """Validate the direction of the moves round the centre.

    Raises:
        CavalcadeError: an unknown word, or a board without a centre.
    """
    if direction is None:
        return None
    if direction not in DIRECTIONS:
        raise CavalcadeError(f"{direction[:60]!r} is not a direction, expected {' or '.join(DIRECTIONS)}")
    if board.family.centre is None:
        raise PieceError(f"moves of {board.title} do not go {direction}: it is not a flat box or hexagon")
    return direction


def coils_of(
    board: Board | MoveGraph, coils: int | None, direction: str | None, *, closed: bool
) -> int | None:
    """Validate the number of coils.

    Raises:
        CavalcadeError: not a positive integer, or the tours have no coils.
    """
    if coils is None:
        return None
    if type(coils) is not int or not 1 <= coils <= MOST_COILS:
        expected = f"a whole number from 1 to {MOST_COILS:,}"
        raise CavalcadeError(f"{str(coils)[:40]!r} is not a number of coils, expected {expected}")
    if direction is None:
        raise CavalcadeError("coils are of tours whose moves all go counterclockwise, or all clockwise")
    if not closed or board.size == 1:
        what = "an open tour" if not closed else "the tour of one cell"
        raise CavalcadeError(f"{what} has no coils, expected a closed tour that goes round the centre")
    return coils


def turning(board: Board, moves: Cells) -> Ints:
    """Return how each move, shape (k, 2), goes round the centre.

    1 is counterclockwise, -1 clockwise, and 0 straight towards, away from or through the centre.
    """
    right, up = _from_centre(board)
    a, b = moves.T
    return np.asarray(np.sign(right[a] * up[b] - up[a] * right[b]))  # the sign of the cross product


def rising(board: Board, moves: Cells) -> Mask:
    """Return a mask of the moves, shape (k, 2), from the lower half of the board to the upper half.

    The upper half consists of the cells above the centre and the cells at its right on the same level. If
    all moves go round the centre in one direction, each coil of a closed tour has exactly one such move.
    """
    right, up = _from_centre(board)
    upper = (up > 0) | ((up == 0) & (right > 0))
    a, b = moves.T
    return np.asarray(~upper[a] & upper[b])


def _from_centre(board: Board) -> tuple[Ints, Ints]:
    """Return the offsets of the cells from the centre, to the right and upwards; their units differ."""
    row, column = (2 * board.coords.astype(np.int64) - np.array(board.family.centre)).T
    return (row, -row - 2 * column) if board.family.hexagonal else (column, -row)
