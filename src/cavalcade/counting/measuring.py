"""Count the tours by their turns, angles or crossings, by listing all tours.

The states of a frontier search contain neither the direction in which a path enters a cell nor the positions
of its moves. Listing yields about a million tours per second. Tables of the angle between two moves and of
the pairs of moves that cross give the measure of each tour.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cavalcade.answers.measures.crossings import moves_cross
from cavalcade.answers.measures.moves import Directions, directions, in_a_row
from cavalcade.boards import Board
from cavalcade.counting.listing import list_arrays
from cavalcade.ground.errors import BoardError
from cavalcade.ground.kernels import Cells, Ints
from cavalcade.question.question import Question
from cavalcade.states.search import Progress

MEASURED = {
    "turns": "turns: cells where the tour does not go straight on",
    "angles": "angles of each size (boards on which moves have a direction)",
    "crossings": "pairs of moves that cross (boards in the plane)",
}


def tours_by_measure(question: Question, by: str, total: int, record: Progress) -> dict[str, dict[int, int]]:
    """Count the undirected tours by each value of a measure.

    Args:
        question: the question.
        by: one of `MEASURED`.
        total: number of tours, counted by another method.
        record: receives the number of tours listed so far.

    Returns:
        One dict per name of a measure, from its value to the number of tours; zeros are left out.

    Raises:
        BoardError: the measure is not defined on this board.
        AssertionError: the number of listed tours differs from the total.
    """
    board = question.board
    if not isinstance(board, Board) or not board.family.flat or (by == "crossings" and board.dimensions != 2):
        expected = "a board in the plane" if by == "crossings" else "a board on which moves have a direction"
        raise BoardError(f"tours of {board.title} have no {by}, expected {expected}")
    measure = _Crossings(question) if by == "crossings" else _Angles(board, question, by)
    numbers = {name: np.zeros(1, dtype=np.int64) for name in measure.names}
    record.taken, record.vertices = 0, total
    for block in list_arrays(question):
        for name, values in zip(measure.names, measure.of(block.cells), strict=True):
            tours = np.bincount(values, minlength=len(numbers[name]))
            tours[: len(numbers[name])] += numbers[name]
            numbers[name] = tours
        record.taken += len(block)
        if record.report:
            record.report(record)
    if record.taken != total:
        raise AssertionError(f"{record.taken:,} tours are listed of {total:,} that were counted")
    return {name: {k: int(row[k]) for k in np.flatnonzero(row).tolist()} for name, row in numbers.items()}


class _Angles:
    """Measure the angles of tours, or their turns."""

    def __init__(self, board: Board, question: Question, by: str) -> None:
        self.closed, self.by = question.closed, by
        self.table: Directions = directions(board, question.piece)
        self.names = self.table.angles if by == "angles" else ("turns",)
        number = {tuple(vector): i for i, vector in enumerate(self.table.vectors.tolist())}
        self.kinds = np.zeros((board.size, board.size), dtype=np.int64)
        for a, b in question.graph.arcs().tolist():
            self.kinds[a, b] = number[tuple((board.coords[b] - board.coords[a]).tolist())]

    def of(self, rows: Cells) -> Iterator[Ints]:
        """Yield the values of a measure for the tours, one per row."""
        kinds = self.kinds[in_a_row(rows, closed=self.closed)]
        angles = self.table.angle[in_a_row(kinds, closed=self.closed)]
        if self.by == "turns":
            yield (angles != self.table.straight).sum(axis=1)
        else:
            yield from ((angles == i).sum(axis=1) for i in range(len(self.names)))


class _Crossings:
    """Measure the crossings of tours."""

    names = ("crossings",)

    def __init__(self, question: Question) -> None:
        self.closed = question.closed
        edges = question.graph.edges()
        coords = question.board.coords.astype(np.int64)
        self.number = np.zeros((question.board.size,) * 2, dtype=np.int64)
        self.number[edges[:, 0], edges[:, 1]] = self.number[edges[:, 1], edges[:, 0]] = np.arange(len(edges))
        ends = coords[edges[:, 0]], coords[edges[:, 1]]
        self.cross = moves_cross(*ends, *ends).astype(np.float32)

    def of(self, rows: Cells) -> Iterator[Ints]:
        """Yield the crossings of the tours, one per row; floats are exact for small integers."""
        moves = np.zeros((len(rows), len(self.cross)), dtype=np.float32)
        np.put_along_axis(moves, self.number[in_a_row(rows, closed=self.closed)], 1, 1)
        yield ((moves @ self.cross) * moves).sum(axis=1).astype(np.int64) // 2
