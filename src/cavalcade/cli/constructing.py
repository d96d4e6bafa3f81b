"""`cavalcade tour`: the part of the command for arrays, and for single steps and cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cavalcade.answers.verdict import Undecided
from cavalcade.cli.common import progress, show
from cavalcade.construction.plan import Construction, construct
from cavalcade.formats.npy import save as save_tour
from cavalcade.question.graph import MoveGraph
from cavalcade.question.pieces import KNIGHT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cavalcade.answers.tours import Tour
    from cavalcade.boards import Board
    from cavalcade.question.pieces import Piece


def planned(
    board: Board | MoveGraph, piece: Piece, *, open_: bool, start: str | None, style: str, seed: int
) -> Construction | None:
    """The tour by template, if there is one."""
    if isinstance(board, MoveGraph) or piece != KNIGHT:
        return None
    plan = construct(board, open=open_, start=start, style=style, seed=seed)
    return None if isinstance(plan, Undecided) else plan


def deliver(
    answer: Construction | Tour, path: str | None, holding: str, at: Sequence[int], when: Sequence[str]
) -> None:
    """Write the .npy file, if `path` is given; then print lines with a step and its cell."""
    pairs = [(step, answer.cell_at(step)) for step in at]  # first, as they may be wrong
    pairs += [(answer.step_of(cell), cell.strip().lower()) for cell in when]
    if path is not None:
        _save(answer, path, holding)
    show("".join(f"{step} {cell}\n" for step, cell in pairs))


def _save(answer: Construction | Tour, path: str, holding: str) -> None:
    """Write a .npy file of steps or moves, with a progress bar."""
    if isinstance(answer, Construction):
        with progress(f"writing {path}") as report:
            answer.save(path, holding, progress=report)
        return
    save_tour(answer, path, holding)
