"""Every tour once, in the order in which a depth-first search of the states finds them, each in one form.

A closed tour begins in the first cell and goes on to the smaller of its two neighbours there. An open one
begins at `start` or ends at `end` where they are given, and else begins at the smaller of its ends. Where
moves go one way only there is no choice of direction, and where cells are given at steps none at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Unpack

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.cycles.walking import walk
from cavalcade.find.numbered import numbered_tours
from cavalcade.frontier.depth_first import every_cycle
from cavalcade.frontier.order import narrow_order
from cavalcade.frontier.transition import Stage, neighbours, stages
from cavalcade.ground.budget import bounded_items
from cavalcade.ground.kernels import Cells
from cavalcade.question.constraints import QuestionWords
from cavalcade.question.folding import folded
from cavalcade.question.graph import BoardLike
from cavalcade.question.question import Question, symmetries

Moves = Iterable[tuple[int, int, int]]  # each vertex and those that it moves to, -1 for none

LISTED = 64  # vertices on a frontier up to which tours are listed; 20x20 has 54, and its first takes 9 s


def list_tours(
    board: BoardLike | Question,
    *,
    up_to_symmetry: bool = False,
    memory: int | None = None,
    time_limit: float | None = None,
    **words: Unpack[QuestionWords],
) -> Iterator[Tour]:
    """Every tour of a board once, as it is found; a tour and its reverse are one.

    Their order is always the same: the search takes cell after cell and decides its moves to cells not yet
    taken, so tours that agree on the first cells follow one another. A closed tour begins in the first cell
    and goes on to the smaller of its two neighbours there; an open one begins at its smaller end, or as
    `start` and `end` require.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        up_to_symmetry: of tours that a symmetry of the board maps to one another, list only the one whose
            cells come first, compared one by one as numbers.
        memory: bytes that the states may take; by default half of the machine's memory.
        time_limit: seconds; by default none. What is found until then is listed.
        words: what is asked of the tours, see `Question.of`.

    Raises:
        CavalcadeError: an invalid spec or name, ends of closed tours, or symmetries of a graph.
        TooLargeError: the board is too wide, or a limit is reached, perhaps after some tours.

    Time: all of 6x6 0.6 s, of 5x8 2 s; the first of 8x8 after 0.1 s, then some 5,000 a second.

    Examples:
        >>> sum(1 for _ in list_tours("3x10"))
        16
    """

    def tours() -> Iterator[Tour]:
        question = Question.of(board, **words)
        every = _tours(question)
        return _firsts(every, question) if up_to_symmetry else every

    return bounded_items(tours, memory=memory, time_limit=time_limit)


def _tours(question: Question) -> Iterator[Tour]:
    if question.board.size == 1:
        return iter([only_tour(question)])
    if question.stepwise and question.symmetry is None and not question.one_way:
        return (Tour(question.board, cells, question.closed, question.piece) for cells in _numbered(question))
    every = _cycles(question) if question.symmetry is None else _symmetric_cycles(question)
    if question.stepwise:
        every = (cycle for cycle in every if question.numbered(question.cut(cycle)) is not None)
    return (tour_along(question, cycle) for cycle in every)


def reversible(question: Question) -> bool:
    """Whether every tour with its cells at their steps also has them there when it is reversed."""
    n, given = question.board.size, question.given
    first = min(given, default=1)
    return all((2 * (step - first)) % n == 0 if question.closed else 2 * step == n + 1 for step in given)


def _numbered(question: Question) -> Iterator[Cells]:
    """Every tour with its cells at their steps; if it has them in both directions, in one of them."""
    given, both = question.given, reversible(question)
    first = min(given)
    for cells in numbered_tours(question.allowed, given, closed=question.closed, required=question.required):
        if both:
            back = np.roll(cells[::-1], 2 * first - 1) if question.closed else cells[::-1]
            if back.tolist() < cells.tolist():
                continue
        yield cells


def _cycles(question: Question) -> Iterator[Cells]:
    """Every Hamiltonian cycle of `as_cycle`, once."""
    size = question.as_cycle.size
    return (cycle_of(moves, size) for moves in every_cycle(stages_of(question)))


def _symmetric_cycles(question: Question) -> Iterator[Cells]:
    """Every cycle that the question's symmetry leaves invariant, once, by folding."""
    assert question.symmetry is not None  # noqa: S101 - for the type checker
    graph = question.as_cycle
    if graph.size < 3:
        return
    for small in folded(graph, question.encoding.image(question.symmetry.cells).tolist()):
        few = len(small.rows) < 3
        for cycle in [np.arange(len(small.rows))] if few else _cycles(Question(small.graph)):
            yield from small.unfolded(cycle.tolist())


def _firsts(tours: Iterator[Tour], question: Question) -> Iterator[Tour]:
    """Those tours that come first, cell by cell, among their images in the board's symmetries.

    Images without the ends asked for do not count. 40 µs a tour for 8 symmetries.
    """
    group = np.array([one.cells for one in symmetries(question)])
    if question.board.size == 1:
        return tours
    return (
        tour
        for tour in tours
        if tour.cells.tolist() == min(canonical(question, question.onward(group[:, tour.cells])).tolist())
    )


# ---- each tour in one form


def stages_of(question: Question) -> list[Stage]:
    """The stages of a narrow order; the vertex that joins the ends of open tours comes last."""
    graph = question.as_cycle
    order = narrow_order(graph, question.apex, widest=LISTED)
    return stages(neighbours(graph), order)


def only_tour(question: Question) -> Tour:
    """The tour of a board of one cell."""
    return Tour(question.board, np.zeros(1, dtype=np.int32), question.closed, question.piece)


def cycle_of(moves: Moves, size: int) -> Cells:
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


def tour_along(question: Question, cycle: Cells) -> Tour:
    """The same, of the vertices of a cycle; its steps are right, see `Question.numbered`."""
    cells = question.cut(cycle)
    stepwise = (question.closed and question.given) or question.steps
    numbered = question.numbered(cells) if stepwise else canonical(question, cells[None])[0]
    if numbered is None:
        raise AssertionError("a tour with other cells at the steps that were given")
    return Tour(question.board, numbered, question.closed, question.piece)


def canonical(question: Question, rows: Cells) -> Cells:
    """Tours, one per row, each in its canonical form; those without the required ends are left out."""
    if question.closed:
        size, each, first = rows.shape[1], np.arange(len(rows)), rows.argmin(axis=1)
        backwards = rows[each, (first + 1) % size] > rows[each, first - 1]
        way = 1 if question.one_way else np.where(backwards, -1, 1)[:, None]
        turned: Cells = rows[each[:, None], (first[:, None] + way * np.arange(size)) % size]
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
