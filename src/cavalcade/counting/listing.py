"""Every tour once, in the order in which a depth-first search of the states finds them, each in one form.

A closed tour begins in the first cell and goes on to the smaller of its two neighbours there. An open one
begins at `start` or ends at `end` where they are given, and else begins at the smaller of its ends. Where
moves go one way only there is no choice of direction, and where cells are given at steps none at all.

Tours come in blocks, a row of cells each: one by one they would take longer to hand over than to find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Unpack

import numpy as np

from cavalcade.answers.tours import Tour, Tours
from cavalcade.cycles.walking import cycles_of_all
from cavalcade.find.numbered import numbered_tours
from cavalcade.ground.budget import bounded_items
from cavalcade.ground.kernels import Cells, Mask
from cavalcade.question.folding import folded
from cavalcade.question.graph import BoardLike
from cavalcade.question.question import Question, symmetries
from cavalcade.question.words import QuestionWords, validated
from cavalcade.states.depth_first import every_cycle
from cavalcade.states.layers import Moves
from cavalcade.states.order import narrow_order
from cavalcade.states.transition import Stage, neighbours, stages

LISTED = 64  # vertices on a frontier up to which tours are listed; 20x20 has 54, and its first takes 9 s


@validated
def list_tours(
    board: BoardLike | Question,
    *,
    up_to_symmetry: bool = False,
    memory: int | str | None = None,
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

    Time: as `list_arrays`, and 4 microseconds for each tour.

    Examples:
        >>> sum(1 for _ in list_tours("3x10"))
        16
    """
    blocks = _bounded(lambda: Question.of(board, **words), memory, time_limit, firsts=up_to_symmetry)
    return (tour for block in blocks for tour in block)


@validated
def list_arrays(
    board: BoardLike | Question,
    *,
    up_to_symmetry: bool = False,
    memory: int | str | None = None,
    time_limit: float | None = None,
    **words: Unpack[QuestionWords],
) -> Iterator[Tours]:
    """The same tours as `list_tours` in the same order, in blocks: many at a time.

    The first block holds one tour, later ones some thousands. `cells` of a block is an array of shape (k, n):
    k tours, of each the numbers of the n cells in the order of the visit.

    Args:
        board: as for `list_tours`, like all the others.
        up_to_symmetry: as there.
        memory: as there.
        time_limit: as there.
        words: as there.

    Raises:
        CavalcadeError, TooLargeError: as `list_tours`.

    Time, once the kernels are loaded: all of 6x6 0.03 s, the 1,067,638 of 6x7 a second; the first of 8x8
    after 0.2 s, then some 100,000 a second.

    Examples:
        >>> sum(len(block) for block in list_arrays("6x6"))
        9862
        >>> next(list_arrays("3x10")).cells.shape
        (1, 30)
    """
    return _bounded(lambda: Question.of(board, **words), memory, time_limit, firsts=up_to_symmetry)


def _bounded(
    asked: Callable[[], Question], memory: int | str | None, time_limit: float | None, *, firsts: bool
) -> Iterator[Tours]:
    """The tours of a question, which is made within the limits, too."""

    def tours() -> Iterator[Tours]:
        question = asked()
        every = _rows(question)
        if firsts:
            every = _firsts(every, question)
        return (Tours(question.board, rows, question.closed, question.piece) for rows in every if len(rows))

    return bounded_items(tours, memory=memory, time_limit=time_limit)


def _rows(question: Question) -> Iterator[Cells]:
    """The cells of the tours in order, one tour per row."""
    if question.board.size == 1:
        return iter([np.zeros((1, 1), dtype=np.int32)])
    if question.stepwise and question.symmetry is None and not question.one_way:
        return _numbered(question)
    every = _cycles(question) if question.symmetry is None else _symmetric_cycles(question)
    return (rows[question.coiled(rows)] for rows in (rows_along(question, cycles) for cycles in every))


def _numbered(question: Question) -> Iterator[Cells]:
    """Every tour with its cells at their steps; if it has them in both directions, in one of them."""
    given, both = question.given, question.reversible
    first = min(given)
    for cells in numbered_tours(question.allowed, given, closed=question.closed, required=question.required):
        if both:
            back = np.roll(cells[::-1], 2 * first - 1) if question.closed else cells[::-1]
            if back.tolist() < cells.tolist():
                continue
        yield cells[None]


def _cycles(question: Question) -> Iterator[Cells]:
    """Every Hamiltonian cycle of `as_cycle`, once."""
    return map(cycles_of_all, every_cycle(stages_of(question)))


def _symmetric_cycles(question: Question) -> Iterator[Cells]:
    """Every cycle that the question's symmetry leaves invariant, once, by folding."""
    assert question.symmetry is not None  # noqa: S101 - for the type checker
    graph = question.as_cycle
    if graph.size < 3:
        return
    for small in folded(graph, question.encoding.image(question.symmetry.cells).tolist()):
        n = len(small.rows)
        for cycles in [np.arange(n)[None]] if n < 3 else _cycles(Question(small.graph)):
            for cycle in cycles.tolist():
                for one in small.unfolded(cycle):
                    yield one[None]


def _firsts(every: Iterator[Cells], question: Question) -> Iterator[Cells]:
    """Those tours that come first, cell by cell, among their images in the board's symmetries.

    Images without the ends asked for do not count.
    """
    if question.board.size == 1:
        return every
    group = [one.cells for one in symmetries(question)]

    def first(rows: Cells) -> Mask:
        found = np.ones(len(rows), dtype=np.bool_)
        for g in group:
            images, counts = canonical(question, question.onward(g[rows]))
            at = (images != rows).argmax(axis=1)[:, None]  # where they differ, if they do
            smaller = np.take_along_axis(images, at, 1) < np.take_along_axis(rows, at, 1)
            found &= ~(smaller[:, 0] & counts)
        return found

    return (rows[first(rows)] for rows in every)


# ---- each tour in one form


def stages_of(question: Question) -> list[Stage]:
    """The stages of a narrow order; the vertex that joins the ends of open tours comes last."""
    graph = question.as_cycle
    order = narrow_order(graph, question.apex, widest=LISTED)
    return stages(neighbours(graph), order)


def tours_of(question: Question, cycles: Iterable[Moves]) -> Tours:
    """The tours that Hamiltonian cycles of `question.as_cycle` stand for."""
    size = question.as_cycle.size
    near = np.array([_neighbours(moves, size) for moves in cycles], dtype=np.int32).reshape(-1, 2, size)
    rows = rows_along(question, cycles_of_all(near))
    return Tours(question.board, rows, question.closed, question.piece)


def _neighbours(moves: Moves, size: int) -> list[tuple[int, ...]]:
    """The first neighbours of all vertices, and the second ones."""
    near: list[list[int]] = [[] for _ in range(size)]
    for v, one, two in moves:
        for w in (one, two):
            if w >= 0:
                near[v].append(w)
                near[w].append(v)
    return list(zip(*near, strict=True))


def rows_along(question: Question, cycles: Cells) -> Cells:
    """The cells of the tours that cycles, one per row, stand for, without those that miss a given step."""
    size, apex = question.board.size, question.apex
    if question.one_way or question.given:
        rows = np.array([question.cut(cycle) for cycle in cycles], dtype=np.int32).reshape(-1, size)
        if question.steps or (question.closed and question.given):
            numbered = [right for cells in rows if (right := question.numbered(cells)) is not None]
            return np.array(numbered, dtype=np.int32).reshape(-1, size)
        return canonical(question, rows)[0]
    if apex is not None:  # cut there
        at = (cycles == apex).argmax(axis=1)[:, None] + np.arange(cycles.shape[1])
        cycles = np.take_along_axis(cycles, at % cycles.shape[1], 1)
    return canonical(question, cycles[cycles < size].reshape(-1, size))[0]


def canonical(question: Question, rows: Cells) -> tuple[Cells, Mask]:
    """Tours, one per row, each in its canonical form; and whether it has the required ends."""
    size, each = rows.shape[1], np.arange(len(rows))
    right = np.ones(len(rows), dtype=np.bool_)
    if question.closed:
        first = rows.argmin(axis=1)
        backwards = rows[each, (first + 1) % size] > rows[each, first - 1]
        way = 1 if question.one_way else np.where(backwards, -1, 1)[:, None]
        turned: Cells = rows[each[:, None], (first[:, None] + way * np.arange(size)) % size]
        return turned, right
    if question.one_way:
        backwards = np.zeros(len(rows), dtype=np.bool_)
    elif question.start is not None:
        backwards = rows[:, 0] != question.start
    elif question.end is not None:
        backwards = rows[:, -1] != question.end
    else:
        backwards = rows[:, 0] > rows[:, -1]
    rows = np.where(backwards[:, None], rows[:, ::-1], rows)
    for cell, at in ((question.start, 0), (question.end, -1)):
        if cell is not None:
            right &= rows[:, at] == cell
    return rows, right
