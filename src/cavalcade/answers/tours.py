"""Tours: the cells of a board in the order of the visit.

A `Tour` is a claim and not a proof: it can be wrong, or a walk that got stuck. `cavalcade.check` checks it.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cavalcade.answers.attributes import no_attribute
from cavalcade.answers.tables import ColumnTable
from cavalcade.ground.above import above, shown
from cavalcade.ground.errors import CavalcadeError, CellError, boolean
from cavalcade.question.pieces import KNIGHT, Piece
from cavalcade.question.words import validated

if TYPE_CHECKING:
    from cavalcade.answers.measures import Measures, MeasureTable
    from cavalcade.boards import Board
    from cavalcade.question.graph import MoveGraph


def _frozen(array: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return a copy in memory that cannot be made writable again."""
    return np.ndarray(array.shape, array.dtype, array.tobytes())


def _assert_valid(board: Board | MoveGraph, cells: NDArray[np.int32], piece: Piece, *, closed: bool) -> None:
    """Check the fields of a tour, or of several.

    Raises:
        CellError: a number is not a cell of the board.
        PieceError: the piece does not fit the board.
    """
    boolean(closed, "closed")
    piece.assert_fits(board)
    if cells.size and (cells.min() < 0 or cells.max() >= board.size):
        wrong = int(cells[(cells < 0) | (cells >= board.size)][0])
        raise CellError(f"{wrong} is not a cell of {board.title}, expected 0 to {board.size - 1}")


@dataclass(frozen=True, eq=False, repr=False)
class Tour:
    """An immutable sequence of cells on a board.

    Args:
        board: a board, or a move graph that stands for one.
        cells: cell numbers, in order of the visit.
        closed: whether the last cell is followed by the first.
        piece: the piece; ignored on a plain graph.
        claimed: whether titles and files call a sequence of all cells a tour; otherwise it is a walk.

    Raises:
        CellError: a number is not a cell of the board.
        PieceError: the piece does not fit the board.

    Examples:
        >>> walk = tour("6x6").tour
        >>> walk.step_of(walk.cell_at(5))
        5
    """

    board: Board | MoveGraph
    cells: NDArray[np.int32]
    closed: bool
    piece: Piece = KNIGHT
    claimed: bool = True

    def __post_init__(self) -> None:
        cells = np.array(self.cells, dtype=np.int32).reshape(-1)
        _assert_valid(self.board, cells, self.piece, closed=self.closed)
        object.__setattr__(self, "cells", _frozen(cells))

    @classmethod
    @validated
    def from_names(
        cls, board: Board | MoveGraph, names: Iterable[str], *, closed: bool, piece: Piece = KNIGHT
    ) -> Tour:
        """Return the tour through the cells with the given names.

        Raises:
            CellError: a name is not a cell of the board.
        """
        number = {name: i for i, name in enumerate(board.names)}
        cells = [number[name] if name in number else board.cell(name) for name in names]
        return cls(board, np.array(cells, dtype=np.int32), closed, piece)

    @classmethod
    @validated
    def from_numbering(
        cls, board: Board, numbering: ArrayLike, *, closed: bool, piece: Piece = KNIGHT
    ) -> Tour:
        """Return the tour that an array of step numbers describes.

        The first step can have any positive number (the papers' second board runs from 65 to 128).

        Args:
            board: the board.
            numbering: step numbers, an array of the shape of the board; 0 and less for cells that are not
                visited.
            closed: whether the tour is closed.
            piece: the piece.

        Raises:
            CellError: the array has the wrong shape, a step occurs twice or is missing, or a hole is
                numbered.
        """
        steps = np.asarray(numbering, dtype=np.int64)
        if steps.shape != board.shape:
            raise CellError(f"a numbering of shape {steps.shape} does not fit {board.title}, {board.shape}")
        if board.mask is not None and bool((steps[~board.mask] > 0).any()):
            raise CellError(f"a hole of {board.title} is numbered {int(steps[~board.mask].max())}")
        flat = steps.ravel() if board.mask is None else steps[board.mask]
        visited = np.flatnonzero(flat > 0)
        numbers = flat[visited]
        first = int(numbers.min(initial=1 << 62))
        if int(numbers.max(initial=0)) - first + 1 == len(visited):  # consecutive numbers need no sorting
            order = np.full(len(visited), -1, dtype=np.int32)
            order[numbers - first] = visited
            if (order >= 0).all():
                return cls(board, order, closed, piece)
        order = visited[np.argsort(numbers, kind="stable")].astype(np.int32)
        gaps = np.flatnonzero(np.diff(flat[order]) != 1)
        if gaps.size:
            step, following = (int(flat[order[gaps[0] + i]]) for i in (0, 1))
            why = f"step {step} stands on two cells" if step == following else f"step {step + 1} is missing"
            advice = "" if step == following else "; for a puzzle try cavalcade solve"
            raise CellError(f"{why} in the numbering of {board.title}{advice}")
        return cls(board, order, closed, piece)

    # ---- the sequence

    def __len__(self) -> int:
        return len(self.cells)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    @overload
    def __getitem__(self, step: int) -> str: ...

    @overload
    def __getitem__(self, step: slice) -> list[str]: ...

    def __getitem__(self, step: int | slice) -> str | list[str]:
        """Return the name of the cell at a position from 0, or the names at a slice."""
        if isinstance(step, slice):
            return [self.board.name(cell) for cell in self.cells[step].tolist()]
        return self.board.name(int(self.cells[step]))

    def __str__(self) -> str:
        return str(above("write")(self))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Tour)
            and (self.board is other.board or self.board == other.board)
            and (self.closed, self.piece) == (other.closed, other.piece)
            and np.array_equal(self.cells, other.cells)
        )

    def __hash__(self) -> int:
        return hash((self.closed, self.piece, self.cells.tobytes()))

    def __repr__(self) -> str:
        ends = f" from {self.board.name(self.start)} to {self.board.name(self.end)}" if len(self) else ""
        return f"<Tour {self.kind} of {self.board.title}{ends}, {len(self):,} cells>"

    @property
    def kind(self) -> str:
        """`closed` or `open`."""
        return "closed" if self.closed else "open"

    def title(self, board: str) -> str:
        """Return the claim in words: `open tour of BOARD`, or `walk of BOARD, 60 of 64 cells`.

        It is a walk if it is partial, or not claimed to be a tour. A partial tour that is marked as closed is
        a `closed walk of` the board.
        """
        if self.claimed and len(self) >= self.board.size:
            return f"{self.kind} tour of {board}"
        return f"{'closed ' * self.closed}walk of {board}, {len(self):,} of {self.board.size:,} cells"

    @property
    def start(self) -> int:
        """The first cell."""
        return int(self.cells[0])

    @property
    def end(self) -> int:
        """The last cell."""
        return int(self.cells[-1])

    @property
    def names(self) -> list[str]:
        """Names of the cells, in order."""
        names = self.board.names
        return [names[cell] for cell in self.cells.tolist()]

    @property
    def moves(self) -> list[tuple[str, str]]:
        """The moves in order, as names of cells; a closed tour has the closing move, too."""
        names = self.names
        return list(pairwise([*names, *names[: self.closed]]))

    @property
    def nodes(self) -> list[Hashable]:
        """The cells in order, as callers address them: nodes of a graph, or names on a board."""
        nodes = self.board.nodes
        return [nodes[cell] for cell in self.cells.tolist()]

    @property
    def coords(self) -> NDArray[np.int32]:
        """Coordinates of the cells, in order; vertex numbers on a plain graph."""
        return self.board.coords[self.cells]

    @cached_property
    def steps(self) -> NDArray[np.int32]:
        """Step of each cell, from 1; 0 for cells that are not visited. Read-only."""
        steps = np.zeros(self.board.size, dtype=np.int32)
        steps[self.cells] = np.arange(1, len(self) + 1, dtype=np.int32)
        return _frozen(steps)

    @property
    def numbering(self) -> NDArray[np.int32]:
        """The steps as an array of the shape of the board, 0 for holes and unvisited cells. Read-only."""
        if self.board.mask is None:
            return self.steps.reshape(self.board.shape)
        array = np.zeros(self.board.shape, dtype=np.int32)
        array[self.board.mask] = self.steps
        return _frozen(array)

    def cell_at(self, step: int) -> str:
        """Return the name of the cell that is visited on a step, from 1.

        Raises:
            CellError: the tour has no such step.
        """
        if not 1 <= step <= len(self):
            raise CellError(f"{step} is not a step of this tour, expected 1 to {len(self)}")
        return self.board.name(int(self.cells[step - 1]))

    def step_of(self, cell: str) -> int:
        """Return the step, from 1, of the cell with the given name; 0 if it is not visited.

        Raises:
            CellError: the board has no such cell.
        """
        return int(self.steps[self.board.cell(cell)])

    # ---- the same tour, represented differently

    def reversed(self) -> Tour:
        """Return the tour in the opposite direction; a closed tour keeps its first cell."""
        cells = self.cells[::-1]
        return Tour(self.board, np.roll(cells, 1) if self.closed else cells, self.closed, self.piece)

    def rotated(self, start: int | str) -> Tour:
        """Return the closed tour that begins at another cell.

        Raises:
            CellError: the tour is open, or does not visit that cell.
        """
        cell = self.board.cell(start) if isinstance(start, str) else start
        self.board.name(cell)
        steps = np.flatnonzero(self.cells == cell)
        if not self.closed or not steps.size:
            why = "an open tour begins where it begins" if steps.size else "the tour does not visit it"
            raise CellError(f"cannot begin at {start!r}: {why}")
        return Tour(self.board, np.roll(self.cells, -int(steps[0])), self.closed, self.piece)

    def opened(self) -> Tour:
        """Return the same sequence as an open tour, without the closing move."""
        return Tour(self.board, self.cells, closed=False, piece=self.piece)

    # ---- files, measures and pictures

    def save(self, path: str | os.PathLike[str], format: str | None = None, **options: Any) -> None:
        """Write the tour to a file, see `cavalcade.save`."""
        above("save")(self, path, format, **options)

    def to_json(self) -> str:
        """Return the tour as a JSON object on one line, which `cavalcade.read` accepts in a file."""
        return str(above("write")(self, "json"))

    def measure(self) -> Measures:
        """Measure the turns, crossings, symmetries, … of the tour, see `cavalcade.measure`."""
        measures: Measures = above("measure")(self)
        return measures

    def svg(self, **options: Any) -> str:
        """Draw the tour; `draw.svg.svg` and `draw.tour.tour_picture` list the options."""
        return str(above("svg")(self, **options))

    _repr_html_ = shown
    if not TYPE_CHECKING:
        __getattr__ = no_attribute


@dataclass(frozen=True, eq=False, repr=False)
class Tours(ColumnTable):
    """Several tours of one board, stored as one array; iteration yields `Tour` objects.

    Args:
        board: a board, or a move graph that stands for one.
        cells: cell numbers in the order of the visit, one row per tour.
        closed: whether the tours are closed.
        piece: the piece; ignored on a plain graph.

    Raises:
        CellError, PieceError: as `Tour`.

    Examples:
        >>> block = next(list_arrays("6x6"))
        >>> len(block), block.cells.shape
        (1, (1, 36))
    """

    board: Board | MoveGraph
    cells: NDArray[np.int32]
    closed: bool
    piece: Piece = KNIGHT

    def __post_init__(self) -> None:
        _assert_valid(self.board, self.cells, self.piece, closed=self.closed)

    @classmethod
    def of(cls, tour: Tour | Tours | Iterable[Tour]) -> Tours:
        """Return an array of a tour, or of several tours of one board.

        Raises:
            CavalcadeError: there is no tour, or two tours differ in board, piece, kind or length.
        """
        if isinstance(tour, Tours):
            return tour
        tours = [tour] if isinstance(tour, Tour) or not isinstance(tour, Iterable) else list(tour)
        for member in tours:
            if not isinstance(member, Tour):
                raise CavalcadeError(f"{repr(member)[:60]} is not a tour, expected a Tour or several")
        if not tours:
            raise CavalcadeError("an empty list of tours has no board")
        first = tours[0]
        for member in tours:
            same_board = member.board is first.board or member.board == first.board
            same_kind = (member.piece, member.closed) == (first.piece, first.closed)
            if not same_board or not same_kind or len(member) != len(first):
                raise CavalcadeError(f"{member!r} and {first!r} are not tours of one kind")
        return cls(first.board, np.stack([member.cells for member in tours]), first.closed, first.piece)

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def kind(self) -> str:
        """`closed` or `open`."""
        return "closed" if self.closed else "open"

    @cached_property
    def steps(self) -> NDArray[np.int32]:
        """Step of each cell, from 1, one row per tour."""
        steps = np.zeros((len(self.cells), self.board.size), dtype=np.int32)
        steps[np.arange(len(steps))[:, None], self.cells] = np.arange(
            1, self.cells.shape[1] + 1, dtype=np.int32
        )
        return steps

    def __iter__(self) -> Iterator[Tour]:
        return map(self._tour, self.cells)

    def _tour(self, row: NDArray[np.int32]) -> Tour:
        """A tour of this array, without validating it again."""
        tour = object.__new__(Tour)
        fields = {"board": self.board, "closed": self.closed, "piece": self.piece, "claimed": True}
        vars(tour).update(fields, cells=_frozen(row))
        return tour

    @overload
    def __getitem__(self, position: int) -> Tour: ...

    @overload
    def __getitem__(self, position: slice) -> Tours: ...

    def __getitem__(self, position: int | slice) -> Tour | Tours:
        """Return the tour at a position from 0, or the tours at a slice."""
        if isinstance(position, slice):
            return Tours(self.board, self.cells[position], self.closed, self.piece)
        return self._tour(self.cells[position])

    @property
    def columns(self) -> dict[str, Any]:
        """The columns of a table with one row per step: `tour` and `step` from 1, `name`, and coordinates."""
        number, size = self.cells.shape
        cells = self.cells.ravel()
        coords = self.board.coords[cells]
        return {
            "tour": np.repeat(np.arange(1, number + 1), size),
            "step": np.tile(np.arange(1, size + 1), number),
            "name": np.array(self.board.names, dtype=object)[cells],
            **{axis: coords[:, i] for i, axis in enumerate(self.board.family.axes)},
        }

    def save(self, path: str | os.PathLike[str], format: str | None = None, **options: Any) -> None:
        """Write the tours to a file, .csv or .parquet, see `cavalcade.save`."""
        above("save")(self, path, format, **options)

    def measure(self) -> MeasureTable:
        """Measure all tours at once, see `cavalcade.measure`."""
        table: MeasureTable = above("measure")(self)
        return table

    def __repr__(self) -> str:
        return f"<Tours {len(self):,} {self.kind} of {self.board.title}>"
