"""One way to write every tour, and tours from the edges that a frontier search chose.

A closed tour begins in the first cell and goes on to the smaller of its two neighbours there. An open one
begins at `start` or ends at `end` where they are given, and else begins at the smaller of its ends. Where
moves go one way only there is no choice of direction, and where cells are given at steps none at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.cycles.walking import walk
from cavalcade.frontier.order import narrow_order
from cavalcade.frontier.transition import neighbours, stages

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from cavalcade.frontier.transition import Stage
    from cavalcade.question.question import Question

    Moves = Iterable[tuple[int, int, int]]  # each vertex and those that it moves to, -1 for none

LISTED = 64  # vertices on a frontier up to which tours are listed; 20x20 has 54, and its first takes 9 s


def stages_of(question: Question) -> list[Stage]:
    """The stages of a narrow order; the vertex that joins the ends of open tours comes last.

    Raises:
        TooLargeError: the frontier is too wide.
    """
    graph = question.as_cycle
    order = narrow_order(graph, question.apex, widest=LISTED)
    return stages(neighbours(graph), order)


def only_tour(question: Question) -> Tour:
    """The tour of a board of one cell."""
    return Tour(question.board, np.zeros(1, dtype=np.int32), question.closed, question.piece)


def cycle_of(moves: Moves, size: int) -> NDArray[np.int32]:
    """The vertices of a Hamiltonian cycle, in order."""
    near: list[list[int]] = [[] for _ in range(size)]
    for v, one, two in moves:
        for w in (one, two):
            if w >= 0:
                near[v].append(w)
                near[w].append(v)
    p, q = map(list, zip(*near, strict=True))
    cycle = [0] * size
    walk(p, q, 0, cycle, 0)
    return np.array(cycle, dtype=np.int32)


def tour_of(question: Question, moves: Moves) -> Tour:
    """The tour that a Hamiltonian cycle of `question.as_cycle` stands for."""
    return tour_along(question, cycle_of(moves, question.as_cycle.size))


def tour_along(question: Question, cycle: NDArray[np.int32]) -> Tour:
    """The same, of the vertices of a cycle; its steps are right, see `Question.numbered`."""
    cells = question.cut(cycle)
    stepwise = (question.closed and question.given) or question.steps
    numbered = question.numbered(cells) if stepwise else canonical(question, cells[None])[0]
    if numbered is None:
        raise AssertionError("a tour with other cells at the steps that were given")
    return Tour(question.board, numbered, question.closed, question.piece)


def canonical(question: Question, rows: NDArray[np.int32]) -> NDArray[np.int32]:
    """Tours, one a row, each written in its one way; those without the ends asked for are left out."""
    if question.closed:
        size, each, first = rows.shape[1], np.arange(len(rows)), rows.argmin(axis=1)
        backwards = rows[each, (first + 1) % size] > rows[each, first - 1]
        way = 1 if question.one_way else np.where(backwards, -1, 1)[:, None]
        turned: NDArray[np.int32] = rows[each[:, None], (first[:, None] + way * np.arange(size)) % size]
        return turned
    if question.one_way:
        backwards = np.zeros((len(rows), 1), dtype=np.bool_)
    elif question.start is not None:
        backwards = rows[:, :1] != question.start
    elif question.end is not None:
        backwards = rows[:, -1:] != question.end
    else:
        backwards = rows[:, :1] > rows[:, -1:]
    rows = np.where(backwards, rows[:, ::-1], rows)
    right = np.ones(len(rows), dtype=np.bool_)
    for cell, at in ((question.start, 0), (question.end, -1)):
        if cell is not None:
            right &= rows[:, at] == cell
    return rows[right]
