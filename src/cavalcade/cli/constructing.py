"""`cavalcade tour`: the part of the command that is about arrays, and about single steps and cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.cli.common import progress, show
from cavalcade.errors import CellError, FormatError
from cavalcade.find.construct import Construction, construct
from cavalcade.formats.npy import NO_MOVE, new_array, step_type
from cavalcade.graph import MoveGraph
from cavalcade.pieces import KNIGHT
from cavalcade.verdict import Undecided

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from cavalcade.boards import Board
    from cavalcade.pieces import Piece
    from cavalcade.tours import Tour


def constructed(
    board: Board | MoveGraph,
    piece: Piece,
    *,
    open_: bool,
    start: str | None,
    end: str | None,
    style: str,
    seed: int,
) -> Construction | Undecided:
    """The tour by template, or why there is none."""
    if isinstance(board, MoveGraph) or piece != KNIGHT or end is not None:
        what = (
            f"no --to {end}" if end else "no graphs" if isinstance(board, MoveGraph) else f"no {piece.spec}"
        )
        return Undecided(f"templates are for knights on boxes and hexagons, {what}", "template", seed)
    return construct(board, open=open_, start=start, style=style, seed=seed)


def deliver(
    answer: Construction | Tour, path: str | None, holding: str, at: Sequence[int], when: Sequence[str]
) -> None:
    """Write a .npy file, if there is to be one; then lines of a step and the cell of that step."""
    pairs = [(step, _cell_at(answer, step)) for step in at]  # first, as they may be wrong
    pairs += [(_step_of(answer, cell), cell.strip().lower()) for cell in when]
    if path is not None:
        _save(answer, path, holding)
    show("".join(f"{step} {cell}\n" for step, cell in pairs))


def _save(answer: Construction | Tour, path: str, holding: str) -> None:
    """Write a .npy file of steps or moves, telling how far it is."""
    if isinstance(answer, Construction):
        with progress(f"writing {path}") as tell:
            answer.save(path, holding, tell=tell)
        return
    if isinstance(answer.board, MoveGraph):
        raise FormatError(f"cannot write {path}: {answer.board.title} is a graph, which fills no array")
    steps = holding == "steps"
    with new_array(path, answer.board.shape, step_type(len(answer)) if steps else np.uint8) as array:
        array[...] = answer.numbering if steps else moves_of(answer, answer.board)


def moves_of(tour: Tour, board: Board) -> NDArray[np.uint8]:
    """The move from each place of a tour, an array of the board's shape."""
    here = tour.cells if tour.closed else tour.cells[:-1]
    there = np.roll(tour.cells, -1)[: len(here)]
    codes = np.full(board.size, NO_MOVE, dtype=np.uint8)
    for i, move in enumerate(tour.piece.vectors(board)):
        codes[here[board.locate(board.coords[here] + move) == there]] = i
    if board.mask is None:
        return codes.reshape(board.shape)
    array = np.full(board.shape, NO_MOVE, dtype=np.uint8)
    array[board.mask] = codes
    return array


def _cell_at(answer: Construction | Tour, step: int) -> str:
    if not 1 <= step <= len(answer):
        raise CellError(f"{step} is no step of this tour, expected 1 to {len(answer)}")
    if isinstance(answer, Construction):
        return answer.cell_at(step)
    return answer.board.name(int(answer.cells[step - 1]))


def _step_of(answer: Construction | Tour, cell: str) -> int:
    if isinstance(answer, Construction):
        return answer.step_of(cell)
    return int(answer.steps[answer.board.cell(cell)])
