"""Decompositions into Hamiltonian cycles, checked; and why there is none.

It shares no code with what finds them: moves are those of `geometry`, and where cycles are tried one by one,
they are walked from the edges alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.boards import Board
from cavalcade.checking.geometry import Ints, all_moves, ascending
from cavalcade.checking.tours import Checked, check, wrong
from cavalcade.question.question import Question

SMALL = 16  # cells of a board whose tours are tried one by one
TRIED = 200_000  # steps of walks, where cycles are tried one by one: a second


def check_decomposition(question: Question, tours: Sequence[Tour]) -> Checked:
    """Whether these are tours, all closed, that make every move of the board exactly once.

    A move and the same move back are one; on a directed graph a move has its one direction. Time: linear.
    """
    for number, tour in enumerate(tours, 1):
        if tour.board != question.board or tour.piece != question.piece or not tour.closed:
            return wrong(f"tour {number} is not a closed tour of {question.board.title}")
        if not (right := check(tour)):
            return wrong(f"tour {number}: {right.message}")
    n, moves = question.board.size, _moves(question)
    cells = np.array([tour.cells for tour in tours], dtype=np.int64).reshape(len(tours), n)
    made = np.stack([cells, np.roll(cells, -1, axis=1)], axis=-1).reshape(-1, 2)
    made = made if question.board.directed else np.sort(made, axis=1)
    codes, times = np.unique(made @ [n, 1], return_counts=True)
    if (twice := codes[times > 1]).size:
        return wrong(f"{_named(question, int(twice[0]))} is made twice")
    if (never := np.setdiff1d(moves @ [n, 1], codes)).size:
        return wrong(f"{_named(question, int(never[0]))} is not made")
    many = f"{len(tours)} closed tours that make" if len(tours) > 1 else "a closed tour that makes"
    return Checked(ok=True, message=f"{many} every move of {question.board.title} once")


def why_none(question: Question) -> str:
    """Why the moves of a board cannot be split into tours, as a sentence; nothing if that is not seen.

    Either a cell has the wrong number of moves, or all tours are tried, for a second at most.
    """
    n, moves, name = question.board.size, _moves(question), question.board.name
    out, into = (np.bincount(moves[:, side], minlength=n) for side in (0, 1))
    if question.board.directed:
        if (off := np.flatnonzero(out != into)).size:
            here, moves_out, moves_in = name(int(off[0])), out[off[0]], into[off[0]]
            return (
                f"as many moves as leave {here} should enter it, but {moves_out} leave and {moves_in} enter."
            )
        if (off := np.flatnonzero(out != out[0])).size:
            cell = int(off[0])
            both = f"{out[0]} moves leave {name(0)} and {out[cell]} leave {name(cell)}"
            return f"{both}, but each tour makes one of either."
        tours = int(out[0])
    else:
        degrees = out + into
        odd, off = np.flatnonzero(degrees % 2), np.flatnonzero(degrees != degrees[0])
        if odd.size:
            cell = int(odd[0])
            return f"{name(cell)} has {degrees[cell]} moves, an odd number, but each tour makes two of them."
        if off.size:
            cell = int(off[0])
            return (
                f"{name(0)} has {degrees[0]} moves and {name(cell)} has {degrees[cell]}, but each tour makes "
                "two of either."
            )
        tours = int(degrees[0]) // 2
    if not tours or n > SMALL:
        return ""
    walks = _Walks(n, moves, directed=question.board.directed)
    if walks.none(tours):
        return f"No {tours} closed tours make every move once: all were tried, {walks.tried:,} steps."
    return ""


class _Walks:
    """All ways to take Hamiltonian cycles out of a graph, one after the other."""

    def __init__(self, n: int, moves: Ints, *, directed: bool) -> None:
        self.size, self.directed, self.tried = n, directed, 0
        self.rows: list[set[int]] = [set() for _ in range(n)]
        for a, b in moves.tolist():
            self._put(a, b)

    def none(self, tours: int) -> bool:
        """Whether the edges that are left are surely not so many cycles; false if it takes too long."""
        if not tours:
            return False  # nothing is left
        first = min(self.rows[0], default=0)  # an edge that one of the cycles has
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
        """The cycles that begin with a walk; None when there were too many steps."""
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


def _moves(question: Question) -> Ints:
    """Every move of a board once: (m, 2)."""
    board = question.board
    if isinstance(board, Board):
        return ascending(all_moves(board, question.piece), board.size)
    tails = np.repeat(np.arange(board.size, dtype=np.int64), np.diff(board.indptr))
    arcs = np.stack([tails, board.indices], axis=1)
    return arcs if board.directed else arcs[arcs[:, 0] < arcs[:, 1]]


def _named(question: Question, code: int) -> str:
    a, b = divmod(code, question.board.size)
    return f"the move {question.board.name(a)}-{question.board.name(b)}"
