"""The trace of a walk: the papers' BOARD and MOVES after each step.

BOARD has the step of every visited cell. MOVES has the remaining moves of every cell: its moves on the empty
board, less one for each neighbour that the walk has visited. In the papers' programs the first cell does not
count as visited. Together they are the data set SOLUTION of 2015, with the variables s11 s12 … and m11 m12 …,
whose second half the paper shows as "Knight Moves Remaining in Run #".
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cavalcade.answers.status import AnswerStatus
from cavalcade.formats.header import describe
from cavalcade.formats.labels import field_of
from cavalcade.formats.text import UNVISITED, numbers_text
from cavalcade.ground.errors import CellError, FormatError
from cavalcade.papers import sas, wide
from cavalcade.question.moves import graph_of
from cavalcade.question.words import validated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from cavalcade.answers.tours import Tour
    from cavalcade.draw.shapes import Picture

FORMATS = ("text", "csv", "wide", "sas", "json")


@dataclass(frozen=True)
class Trace:
    """The step number and the number of remaining moves of each cell, after each step of a walk.

    Attributes:
        walk: the walk.
        count_start: whether the first cell reduces the remaining moves of its neighbours.

    Examples:
        >>> trace(warnsdorff("3x4", "a1").tour).board(3).tolist()
        [3, 0, 0, 0, 0, 0, 2, 0, 1, 0, 0, 0]
    """

    walk: Tour
    count_start: bool = True

    def __len__(self) -> int:
        """Return the number of steps."""
        return len(self.walk)

    def board(self, step: int) -> NDArray[np.int64]:
        """Return the step of each cell after a step, 0 for unvisited cells."""
        self._assert_step(step)
        steps = self.walk.steps.astype(np.int64)
        return np.where(steps <= step, steps, 0)

    def moves(self, step: int) -> NDArray[np.int64]:
        """Return the remaining moves of each cell after a step.

        Raises:
            CellError: the walk has no such step.
        """
        self._assert_step(step)
        graph = graph_of(self.walk.board, self.walk.piece)
        remaining = graph.degrees.astype(np.int64)
        for cell in self.walk.cells[0 if self.count_start else 1 : step].tolist():
            remaining[graph.neighbours(cell)] -= 1
        return remaining

    def parts(self, format: str = "text", steps: Sequence[int] | None = None) -> Iterator[str]:
        """Yield the trace in one of `FORMATS`, in parts.

        Args:
            format: text has both boards of each step; csv one row per step and cell; wide and sas one
                observation per step, with the variable `position` if there are several; json one object per
                step.
            steps: the steps; by default the last.

        Raises:
            FormatError: an unknown format, or a plain graph in another format than csv or json.
            CellError: the walk has no such step.
        """
        board, steps = self.walk.board, [len(self)] if steps is None else steps
        if format not in FORMATS:
            raise FormatError(f"unknown format {format!r}, expected one of {', '.join(FORMATS)}")
        if format in {"text", "wide", "sas"}:
            wide.assert_fits(board)
        if format == "sas":
            yield self._data_step(steps)
            return
        if format == "csv":
            yield "step,name,board,moves\n"
        for step in steps:
            numbers, moves = self.board(step), self.moves(step)
            if format == "csv":
                rows = io.StringIO()
                csv.writer(rows, lineterminator="\n").writerows(
                    (step, field_of(name), number or "", remaining)
                    for name, number, remaining in zip(board.names, numbers, moves, strict=True)
                )
                yield rows.getvalue()
            elif format == "json":
                fields: dict[str, Any] = {
                    "status": AnswerStatus.COMPLETE,
                    "step": step,
                    "cell": self.walk.cell_at(step),
                }
                fields |= {"cells": board.names, "board": numbers.tolist(), "moves": moves.tolist()}
                yield json.dumps(fields, ensure_ascii=False) + "\n"
            elif format == "wide":
                names, values = self._observation(step, several=len(steps) > 1)
                yield (f"{names}\n" if step == steps[0] else "") + f"{values}\n"
            else:
                yield "\n" if step != steps[0] else ""
                yield f"; board after step {step:,}, {self.walk.cell_at(step)}\n"
                yield numbers_text(board, numbers, zero=UNVISITED)
                yield "; moves remaining\n" + numbers_text(board, moves)

    def write(self, format: str = "text", steps: Sequence[int] | None = None) -> str:
        """Return the trace in one of `FORMATS`, see `parts`."""
        return "".join(self.parts(format, steps))

    def picture(self, *, style: str = "colour") -> Picture:
        """Return a picture that moves: the steps, and the remaining moves of the cells that are still free.

        Args:
            style: one of the styles of `cavalcade draw --style`.

        Raises:
            TooLargeError: the board has too many cells for numbers.
            CavalcadeError: an unknown style.
        """
        from cavalcade.draw.tour import remaining_picture

        moves = [self.moves(step) for step in range(1, len(self) + 1)]
        return remaining_picture(self.walk, moves, style=style)

    def _observation(self, step: int, *, several: bool) -> tuple[str, str]:
        """Return the names and the values of the variables after a step."""
        board = wide.assert_fits(self.walk.board)
        names, values = zip(
            wide.numbers_wide(board, self.board(step), zero=wide.MISSING).splitlines(),
            wide.numbers_wide(board, self.moves(step), letter="m").splitlines(),
            strict=True,
        )
        name_line, value_line = " ".join(names), " ".join(values)
        if several:
            return f"position {name_line}", f"{step} {value_line}"
        return name_line, value_line

    def _data_step(self, steps: Sequence[int]) -> str:
        """Return the SAS data step with one observation per step."""
        observations = [self._observation(step, several=len(steps) > 1) for step in steps]
        begins = "" if self.count_start else ", the first cell not counted"
        comment = f"{describe(self.walk, holes=False)}, with the remaining moves{begins}"
        values = [numbers.split() for _, numbers in observations]
        return sas.data_step(comment, observations[0][0].split(), values)

    def _assert_step(self, step: int) -> None:
        """Refuse a step that the walk does not have.

        Raises:
            CellError: the walk has no such step.
        """
        if not 1 <= step <= len(self.walk):
            raise CellError(f"{step} is not a step of this walk, expected 1 to {len(self.walk)}")


@validated
def trace(walk: Tour, *, count_start: bool = True) -> Trace:
    """Return the step number and the number of remaining moves of each cell, after each step of a walk.

    Args:
        walk: a walk or a tour.
        count_start: whether the first cell reduces the remaining moves of its neighbours; in the papers'
            programs it does not.

    Raises:
        CavalcadeError: `walk` is not a tour, or `count_start` not a truth value.

    Examples:
        >>> moves = trace(warnsdorff("8x8", "a8").tour).moves(2)
        >>> moves.reshape(8, 8)[0].tolist()
        [1, 3, 4, 4, 3, 4, 3, 2]
    """
    return Trace(walk, count_start)
