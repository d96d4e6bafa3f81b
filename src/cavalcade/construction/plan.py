"""Tours of any size, built instead of searched: a plan that computes every step.

`construct` answers in milliseconds for any size: the plan stores no cells, but computes the cell of any step
and the step of any cell. All cores write arrays and files from it.
"""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass, field
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Undecided
from cavalcade.boards import Board
from cavalcade.boards.board import MOST_CELLS
from cavalcade.construction import boxes, hexagonal, hexagons
from cavalcade.construction.blocks import NoTemplateError
from cavalcade.construction.chain import Chain
from cavalcade.construction.fitting import no_template
from cavalcade.construction.writing import write_moves, write_steps
from cavalcade.ground.above import above
from cavalcade.ground.budget import Budget, assert_room, limits
from cavalcade.ground.errors import BoardError, TooLargeError, seconds_of, whole
from cavalcade.ground.threads import Sharing
from cavalcade.question.graph import BoardLike, board_of
from cavalcade.question.pieces import KNIGHT
from cavalcade.question.question import Question
from cavalcade.question.words import validated

TOUR_BYTES = 30  # memory of a tour while it is walked or checked, per cell


@dataclass(frozen=True, eq=False, repr=False)
class Construction:
    """A plan of a knight's tour; its methods compute single cells on demand.

    Args:
        board: a board with any number of cells.
        chain: the plan.
        seed: seed of the random choices.
        seconds: time that planning took.

    Examples:
        >>> construct("20x20").numbering().shape
        (20, 20)
    """

    board: Board
    chain: Chain = field(repr=False)
    seed: int = 0
    seconds: float = 0.0

    def __len__(self) -> int:
        return self.chain.size

    def __repr__(self) -> str:
        return f"<Construction of {self.title}, {len(self):,} cells>"

    @property
    def closed(self) -> bool:
        """Whether a move leads from the last cell to the first."""
        return self.chain.closed

    @property
    def title(self) -> str:
        """A title such as `a closed tour of 8x8`."""
        return f"{'a closed' if self.closed else 'an open'} tour of {self.board.title}"

    def cell_at(self, step: int) -> str:
        """The name of the cell visited on a step, from 1. Time: less than a millisecond.

        Raises:
            CellError: the tour has no such step.
        """
        return self.board.name_at(tuple(self.chain.places([step])[0].tolist()))

    def step_of(self, cell: str) -> int:
        """The step, from 1, on which a cell is visited. Time: less than a millisecond.

        Raises:
            CellError: the board has no such cell.
        """
        return int(self.chain.steps([self.board.place(cell)])[0])

    def numbering(self, out: NDArray[Any] | None = None, **sharing: Unpack[Sharing]) -> NDArray[Any]:
        """The steps of the cells in an array of the board's shape; 0 if there is no cell.

        Args:
            out: array to write into; by default a new one with 4 bytes per place, or 8 from 2^31 cells on.
            sharing: `threads`, the number of threads, by default one for each core; `progress`, called with
                the fraction done.

        Raises:
            FormatError: `out` has another shape or too small a type.
        """
        return write_steps(self.chain, out, **sharing)

    def moves(self, out: NDArray[Any] | None = None, **sharing: Unpack[Sharing]) -> NDArray[Any]:
        """The move from each place, as its index in `KNIGHT.vectors(board)`; 255 if there is none.

        Args:
            out: array of unsigned bytes to write into; by default a new one.
            sharing: `threads` and `progress`, as for `numbering`.

        Raises:
            FormatError: `out` has another shape or type.
        """
        return write_moves(self.chain, KNIGHT.vectors(self.board), out, **sharing)

    def save(self, path: str | os.PathLike[str], holding: str = "steps", **sharing: Unpack[Sharing]) -> None:
        """Write a .npy file of `steps` or `moves`, block by block; it is checked before it replaces `path`.

        If writing fails, even by an interrupt or a full disk, an earlier file at `path` remains. Memory: a
        few MB besides the pages of the file, which the system can reclaim.

        Raises:
            TooLargeError: the disk has too little space.
            FormatError: the file cannot be written.
        """
        above("save_construction")(self, path, holding, **sharing)

    def tour(self) -> Tour:
        """The tour as a sequence of cells. Time: linear, about 10 ns per cell; memory: 20 bytes per cell.

        Raises:
            TooLargeError: the board has more cells than can be numbered.
        """
        if len(self) > MOST_CELLS:
            raise TooLargeError(f"{self.title} has more than {MOST_CELLS:,} cells: too many to number")
        assert_room(TOUR_BYTES * len(self), self.title)
        cells = self.chain.order()
        if self.board.mask is not None:
            cells = (np.cumsum(self.board.mask, dtype=np.int32) - 1)[cells]
        return Tour(self.board, cells.astype(np.int32, copy=False), self.closed)


@validated
def construct(
    board: BoardLike,
    *,
    open: bool = False,
    start: int | str | None = None,
    seed: int = 0,
    style: boxes.BlockStyle = "plain",
    time_limit: float | None = None,
    memory: int | str | None = None,
) -> Construction | Undecided:
    """Plan a knight's tour of a rectangle, a box or a hexagon of any size.

    Args:
        board: a board, or its spec.
        open: whether the tour is open.
        start: the first cell, by name or number; boxes only.
        seed: seed of the random choices.
        style: `plain`; or `random`, with blocks and joins drawn at random.
        time_limit: seconds that planning may take; by default any.
        memory: bytes that the plan may take; by default the memory of the machine.

    Returns:
        The plan, or why there is none: no template fits, or a limit was reached.

    Raises:
        CavalcadeError: an invalid spec or name.

    Time: milliseconds; 0.1 s for a billion squares, 3 s for 10^12. See `construction.boxes` and
    `construction.hexagons`.

    Examples:
        >>> construct("10000x10000").cell_at(1)
        'a10000'
    """
    board = board_of(board)
    began = time.perf_counter()
    whole(seed, "seed")
    start = board.name(start) if isinstance(start, int) else start
    try:
        with limits(math.inf if time_limit is None else seconds_of(time_limit), memory):
            first = None if start is None else board.place(start)
            plan = _hexagon if board.family.hexagonal else boxes.chain
            chain = plan(board, closed=not open, start=first, style=style, seed=seed)
            return Construction(board, chain, seed, time.perf_counter() - began)
    except NoTemplateError as error:
        kind = "an open tour" if open else "a closed tour"
        reason = f"no template for {kind} of {board.title}: {error}"
    except TimeoutError as error:
        reason = str(error)
    return Undecided(reason, "template", seed, time.perf_counter() - began)


def _hexagon(
    board: Board, *, closed: bool, start: tuple[int, ...] | None, style: boxes.BlockStyle, seed: int
) -> Chain:
    """The chain of a hexagon; all seeds give the same one."""
    del seed
    if board.family.centre is None or board.holes:
        raise NoTemplateError("it is not a whole hexagon")
    if start is not None:
        raise NoTemplateError("templates of hexagons do not support --from: leave it out")
    if style != "plain":
        raise NoTemplateError(f"hexagons have no {style} templates")
    return hexagons.chain(board.side, closed=closed)


def template(
    question: Question, budget: Budget, *, style: boxes.BlockStyle = "plain", seed: int = 0
) -> NDArray[np.int32] | Undecided:
    """The cells of a tour built from blocks: an engine. `style` is that of `construct`. Time: linear.

    There are templates for knights on whole boxes, surfaces and boards of hexagonal cells, with at most one
    given end.
    """
    if (reason := no_template(question)) or (board := question.board).plain:
        return Undecided(f"no template: {reason}", "template", seed)
    del budget
    backwards = question.start is None and question.end is not None
    first = question.end if backwards else question.start
    if board.kind in hexagonal.FAMILIES:
        try:
            cells = board.locate(hexagonal.tour_of(board.kind, *board.sides))
        except BoardError as error:
            return Undecided(f"no template: {error}", "template", seed)
        cells = cells if first is None else np.roll(cells, -int(np.flatnonzero(cells == first)[0]))
        return cells[::-1] if backwards else cells
    assert_room(TOUR_BYTES * board.size, f"the tour of {board.title}, held and checked,")
    plan = construct(board, open=not question.closed, start=first, style=style, seed=seed)
    if isinstance(plan, Undecided):
        return plan
    cells = plan.tour().cells
    return cells[::-1] if backwards else cells
