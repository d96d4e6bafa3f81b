"""Decompositions into Hamiltonian cycles: a check, and reasons why there is none.

It shares no code with the engine that finds them. Moves come from `geometry`; the exhaustive search walks
along edges one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.checking.constraints import moves_of
from cavalcade.checking.geometry import Ints
from cavalcade.checking.tours import Checked, check, wrong
from cavalcade.question.question import Question

# Cells of a board up to which all tours are tried. The depth of the recursion is the number of cells.
SMALL = 16
TRIED = 200_000  # steps of walks after which the search gives up, about a second


def check_decomposition(question: Question, tours: Sequence[Tour]) -> Checked:
    """Check that all tours are closed and together make every move of the board exactly once.

    A move and the move back are the same, except on directed graphs. Time: linear.
    """
    for number, tour in enumerate(tours, 1):
        if tour.board != question.board or tour.piece != question.piece or not tour.closed:
            return wrong(f"tour {number} is not a closed tour of {question.board.title}")
        if not (checked := check(tour)):
            return wrong(f"tour {number}: {checked.message}")
    n, moves = question.board.size, moves_of(question)
    cells = np.array([tour.cells for tour in tours], dtype=np.int64).reshape(len(tours), n)
    made = np.stack([cells, np.roll(cells, -1, axis=1)], axis=-1).reshape(-1, 2)
    made = made if question.directed else np.sort(made, axis=1)
    codes, times = np.unique(made @ [n, 1], return_counts=True)
    if (twice := codes[times > 1]).size:
        return wrong(f"{_move_name(question, int(twice[0]))} is made twice")
    if (never := np.setdiff1d(moves @ [n, 1], codes)).size:
        return wrong(f"{_move_name(question, int(never[0]))} is not made")
    subject = f"{len(tours)} closed tours that make" if len(tours) > 1 else "a closed tour that makes"
    return Checked(ok=True, message=f"{subject} every move of {question.board.title} once")


def why_none(question: Question) -> str:
    """Why the moves of a board cannot be split into tours, as a sentence; empty if no reason is found.

    Either a cell has the wrong number of moves, or all tours are tried, for a second at most.
    """
    n, moves, name = question.board.size, moves_of(question), question.board.name
    out, into = (np.bincount(moves[:, side], minlength=n) for side in (0, 1))
    if question.directed:
        if (cells := np.flatnonzero(out != into)).size:
            cell = int(cells[0])
            return (
                f"as many moves as leave {name(cell)} should enter it, but {out[cell]} leave and "
                f"{into[cell]} enter."
            )
        if (cells := np.flatnonzero(out != out[0])).size:
            cell = int(cells[0])
            numbers = f"{out[0]} moves leave {name(0)} and {out[cell]} leave {name(cell)}"
            return f"{numbers}, but each tour makes one of either."
        tours = int(out[0])
    else:
        degrees = out + into
        if (cells := np.flatnonzero(degrees % 2)).size:
            cell = int(cells[0])
            return f"{name(cell)} has {degrees[cell]} moves, an odd number, but each tour makes two of them."
        if (cells := np.flatnonzero(degrees != degrees[0])).size:
            cell = int(cells[0])
            numbers = f"{name(0)} has {degrees[0]} moves and {name(cell)} has {degrees[cell]}"
            return f"{numbers}, but each tour makes two of either."
        tours = int(degrees[0]) // 2
    if not tours or n > SMALL:
        return ""
    search = _CycleSearch(n, moves, directed=question.directed)
    if search.none(tours):
        return f"No {tours} closed tours make every move once: all were tried, {search.tried:,} steps."
    return ""


class _CycleSearch:
    """An exhaustive search for Hamiltonian cycles that share no edge.

    Attributes:
        rows: the remaining neighbours of each vertex.
        tried: the number of steps of walks so far.
    """

    def __init__(self, n: int, moves: Ints, *, directed: bool) -> None:
        self.size, self.directed, self.tried = n, directed, 0
        self.rows: list[set[int]] = [set() for _ in range(n)]
        for a, b in moves.tolist():
            self._put(a, b)

    def none(self, tours: int) -> bool:
        """Whether the remaining edges surely do not split into `tours` cycles; False if it takes too long."""
        if not tours:
            return False  # every edge is in a cycle
        first = min(self.rows[0], default=0)  # some cycle contains this edge, so start with it
        for walk in self._from([0, first]):
            if walk is None:
                return False
            steps = list(zip(walk, [*walk[1:], 0], strict=True))
            for a, b in steps:
                self._take(a, b)
            none = self.none(tours - 1)
            for a, b in steps:
                self._put(a, b)
            if not none:
                return False
        return True

    def _from(self, walk: list[int]) -> Iterator[list[int] | None]:
        """Yield the cycles that begin with a walk; None after too many steps."""
        self.tried += 1
        if self.tried == TRIED:
            yield None
        elif len(walk) == self.size:
            if 0 in self.rows[walk[-1]]:
                yield walk
        else:
            for cell in sorted(self.rows[walk[-1]].difference(walk)):
                yield from self._from([*walk, cell])

    def _put(self, a: int, b: int) -> None:
        self.rows[a].add(b)
        if not self.directed:
            self.rows[b].add(a)

    def _take(self, a: int, b: int) -> None:
        self.rows[a].discard(b)
        if not self.directed:
            self.rows[b].discard(a)


def _move_name(question: Question, code: int) -> str:
    a, b = divmod(code, question.board.size)
    return f"the move {question.board.name(a)}-{question.board.name(b)}"
