"""How many tours have exactly k turns, angles of a size, or crossings, for every k: all tours are listed.

The states of a frontier search know neither which way a path came to a cell nor where its moves lie. But the
list of all tours comes a million a second, and what is counted in a tour follows from tables of its moves:
the angle that two of them make, and which of them cross.
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
    """For each name the numbers of undirected tours by how many of it they have; zeros are left out.

    Args:
        question: the question, of so many tours.
        by: one of `MEASURED`.
        total: how many tours there are, as counted by another method.
        record: is told how many are listed.

    Raises:
        BoardError: it is not defined on this board.
        AssertionError: the list is longer or shorter than it should be.
    """
    board = question.board
    if not isinstance(board, Board) or not board.family.flat or (by == "crossings" and board.dimensions != 2):
        where = "a board in the plane" if by == "crossings" else "a board on which moves have a direction"
        raise BoardError(f"tours of {board.title} have no {by}, expected {where}")
    measure = _Crossings(question) if by == "crossings" else _Angles(board, question, by)
    found = {name: np.zeros(1, dtype=np.int64) for name in measure.names}
    record.taken, record.vertices = 0, total
    for block in list_arrays(question):
        for name, each in zip(measure.names, measure.of(block.cells), strict=True):
            more = np.bincount(each, minlength=len(found[name]))
            more[: len(found[name])] += found[name]
            found[name] = more
        record.taken += len(block)
        if record.report:
            record.report(record)
    if record.taken != total:
        raise AssertionError(f"{record.taken:,} tours are listed of {total:,} that were counted")
    return {name: {k: int(each[k]) for k in np.flatnonzero(each).tolist()} for name, each in found.items()}


class _Angles:
    """The angles of tours, or their turns."""

    def __init__(self, board: Board, question: Question, by: str) -> None:
        self.closed, self.by = question.closed, by
        self.table: Directions = directions(board, question.piece)
        self.names = self.table.angles if by == "angles" else ("turns",)
        number = {tuple(vector): i for i, vector in enumerate(self.table.vectors.tolist())}
        self.kinds = np.zeros((board.size, board.size), dtype=np.int64)
        for a, b in question.graph.edges().tolist():
            step = (board.coords[b] - board.coords[a]).tolist()
            self.kinds[a, b], self.kinds[b, a] = number[tuple(step)], number[tuple(-x for x in step)]

    def of(self, rows: Cells) -> Iterator[Ints]:
        """How many of each name the tours have, one tour per row."""
        kinds = self.kinds[in_a_row(rows, closed=self.closed)]
        angles = self.table.angle[in_a_row(kinds, closed=self.closed)]
        if self.by == "turns":
            yield (angles != self.table.straight).sum(axis=1)
        else:
            yield from ((angles == i).sum(axis=1) for i in range(len(self.names)))


class _Crossings:
    """The crossings of tours."""

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
        """How many the tours have, one tour per row: small whole numbers, which floats hold exactly."""
        made = np.zeros((len(rows), len(self.cross)), dtype=np.float32)
        np.put_along_axis(made, self.number[in_a_row(rows, closed=self.closed)], 1, 1)
        yield ((made @ self.cross) * made).sum(axis=1).astype(np.int64) // 2
