"""Every tour once, in the order in which a depth-first search of the states finds them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from cavalcade.answers.tours import Tour
from cavalcade.counting.canonical import canonical, cycle_of, only_tour, stages_of, tour_along
from cavalcade.find.numbered import numbered_tours
from cavalcade.frontier.depth_first import every_cycle
from cavalcade.ground.budget import bounded_items
from cavalcade.question.folding import folded
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from cavalcade.question.constraints import Constraints
    from cavalcade.question.graph import BoardLike
    from cavalcade.question.pieces import PieceLike


def list_tours(
    board: BoardLike | Question,
    *,
    piece: PieceLike | None = None,
    open: bool = False,  # noqa: A002 - the field's word, and the command line's
    start: int | str | None = None,
    end: int | str | None = None,
    up_to_symmetry: bool = False,
    memory: int | None = None,
    time_limit: float | None = None,
    **constraints: Unpack[Constraints],
) -> Iterator[Tour]:
    """Every tour of a board once, as it is found; a tour and its reverse are one.

    Their order is always the same: the search takes cell after cell and decides its moves to cells not yet
    taken, so tours that agree on the first cells follow one another. A closed tour begins in the first cell
    and goes on to the smaller of its two neighbours there; an open one begins at its smaller end, or as
    `start` and `end` require.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        piece: a piece or its spec; by default the knight.
        open: open tours instead of closed ones.
        start: where open tours begin.
        end: where open tours end.
        up_to_symmetry: of tours that a symmetry of the board maps to one another, list only the one whose
            cells come first, compared one by one as numbers.
        memory: bytes that the states may take; by default half of the machine's memory.
        time_limit: seconds; by default none. What is found until then is listed.
        constraints: what else is asked of the tours, see `cavalcade.question.constraints`.

    Raises:
        CavalcadeError: an invalid spec or name, ends of closed tours, or symmetries of a graph.
        TooLargeError: the board is too wide, or a limit is reached, perhaps after some tours.

    Time: all of 6x6 0.6 s, of 5x8 2 s; the first of 8x8 after 0.1 s, then some 5,000 a second.
    """

    def tours() -> Iterator[Tour]:
        question = Question.of(board, piece=piece, open=open, start=start, end=end, **constraints)
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


def _numbered(question: Question) -> Iterator[NDArray[np.int32]]:
    """Every tour with its cells at their steps; if it has them in both directions, in one of them."""
    given, both = question.given, reversible(question)
    first = min(given)
    for cells in numbered_tours(question.allowed, given, closed=question.closed, required=question.required):
        if both:
            back = np.roll(cells[::-1], 2 * first - 1) if question.closed else cells[::-1]
            if back.tolist() < cells.tolist():
                continue
        yield cells


def _cycles(question: Question) -> Iterator[NDArray[np.int32]]:
    """Every Hamiltonian cycle of `as_cycle`, once."""
    size = question.as_cycle.size
    return (cycle_of(moves, size) for moves in every_cycle(stages_of(question)))


def _symmetric_cycles(question: Question) -> Iterator[NDArray[np.int32]]:
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
    from cavalcade.question.question import symmetries

    group = np.array([one.cells for one in symmetries(question)])
    if question.board.size == 1:
        return tours
    return (
        tour
        for tour in tours
        if _is_first(tour.cells, canonical(question, question.onward(group[:, tour.cells])))
    )


def _is_first(cells: NDArray[np.int32], images: NDArray[np.int32]) -> bool:
    """Whether no row of an array comes before these cells."""
    differs = images != cells
    at = differs.argmax(axis=1)
    rows = np.arange(len(images))
    return not bool((images[rows, at] < cells[at]).any())
