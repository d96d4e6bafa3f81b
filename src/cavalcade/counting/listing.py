"""List every tour once, in canonical form, in the order of a depth-first search of the states.

A closed tour begins in the first cell and continues to the smaller of the two adjacent cells. An open tour
begins at `start` or ends at `end` if they are given; otherwise it begins at its smaller end. Directed moves
fix the direction of a tour, and cells given at steps fix the beginning, too.

Tours are returned in blocks with one tour per row, because single tours would take longer to return than to
find.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Unpack

import numpy as np

from cavalcade.answers.tours import Tour, Tours
from cavalcade.counting.colours import refuted_by_colours
from cavalcade.cycles.walking import cycles_of_all
from cavalcade.find.numbered import numbered_tours
from cavalcade.ground.budget import bounded_items, report
from cavalcade.ground.kernels import Cells, Mask
from cavalcade.ground.threads import ProgressCallback
from cavalcade.question.folding import folded
from cavalcade.question.graph import BoardLike
from cavalcade.question.question import Question, symmetries
from cavalcade.question.words import QuestionWords, validated
from cavalcade.states.depth_first import every_cycle
from cavalcade.states.layers import Moves
from cavalcade.states.order import narrow_order
from cavalcade.states.transition import Stage, neighbours, stages

LISTED = 64  # width of a frontier up to which tours are listed; 20x20 has 54, and its first tour takes 9 s


@validated
def list_tours(
    board: BoardLike | Question,
    *,
    up_to_symmetry: bool = False,
    memory: int | str | None = None,
    time_limit: float | None = None,
    progress: ProgressCallback | None = None,
    **words: Unpack[QuestionWords],
) -> Iterator[Tour]:
    """Yield every tour of a board once, as soon as it is found; a tour and its reverse count as one.

    The order is always the same. The search takes one cell after the other and chooses its moves to later
    cells, so tours with the same moves at the first cells are consecutive. A closed tour begins in the first
    cell and continues to the smaller of the two adjacent cells. An open tour begins at its smaller end, or as
    `start` and `end` require.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        up_to_symmetry: list only the lexicographically smallest of the tours that symmetries of the board
            map to each other.
        memory: limit for the states in bytes; by default half of the machine's memory.
        time_limit: seconds; by default none. Tours found within the limit are listed.
        progress: called with the finished part of the search, from 0 to 1; if cells have steps or an order,
            only at the end.
        words: properties of the tours, see `Question.of`.

    Raises:
        CavalcadeError: a spec or name is invalid, closed tours have ends, or a graph has symmetries.
        TooLargeError: the board is too wide, or a limit is reached, possibly after some tours.

    Time: that of `list_arrays`, and 4 microseconds for each tour.

    Examples:
        >>> sum(1 for _ in list_tours("3x10"))
        16
    """
    blocks = list_arrays(
        board,
        up_to_symmetry=up_to_symmetry,
        memory=memory,
        time_limit=time_limit,
        progress=progress,
        **words,
    )
    return (tour for block in blocks for tour in block)


@validated
def list_arrays(
    board: BoardLike | Question,
    *,
    up_to_symmetry: bool = False,
    memory: int | str | None = None,
    time_limit: float | None = None,
    progress: ProgressCallback | None = None,
    **words: Unpack[QuestionWords],
) -> Iterator[Tours]:
    """Yield the tours of `list_tours` in the same order, in blocks.

    The first block contains one tour, later blocks some thousands. `cells` of a block has shape (k, n): each
    row contains the numbers of the n cells of a tour in the order of the visit.

    Args:
        board: see `list_tours`.
        up_to_symmetry: see `list_tours`.
        memory: see `list_tours`.
        time_limit: see `list_tours`.
        progress: see `list_tours`.
        words: see `list_tours`.

    Raises:
        CavalcadeError, TooLargeError: see `list_tours`.

    Time, once the kernels are loaded: 0.03 s for 6x6, a second for the 1,067,638 tours of 6x7; 0.2 s for the
    first tour of 8x8, then about 100,000 per second.

    Examples:
        >>> sum(len(block) for block in list_arrays("6x6"))
        9862
        >>> next(list_arrays("3x10")).cells.shape
        (1, 30)
    """

    def tours() -> Iterator[Tours]:
        """Make the question within the limits, too."""
        question = Question.of(board, **words)
        blocks = iter(()) if refuted_by_colours(question) is not None else _rows(question)
        if up_to_symmetry:
            blocks = _firsts(blocks, question)
        arrays = (
            Tours(question.board, rows, question.closed, question.piece) for rows in blocks if len(rows)
        )
        return chain(arrays, _at_end())

    return bounded_items(tours, memory=memory, time_limit=time_limit, progress=progress)


def _at_end() -> Iterator[Tours]:
    """Report that the search is finished; yields nothing."""
    report(1.0)
    yield from ()


def _rows(question: Question) -> Iterator[Cells]:
    """Yield the cells of the tours in blocks, one tour per row."""
    if question.board.size == 1:
        return iter([np.zeros((1, 1), dtype=np.int32)])
    if question.stepwise and question.symmetry is None and not question.one_way:
        return _numbered(question)
    blocks = _cycles(question) if question.symmetry is None else _symmetric_cycles(question)
    return (rows[question.coiled(rows)] for rows in (rows_along(question, cycles) for cycles in blocks))


def _numbered(question: Question) -> Iterator[Cells]:
    """Yield the tours with the given cells at their steps and in order, a tour or its reverse."""
    given = question.given
    first = min(given, default=1)
    tours = numbered_tours(
        question.allowed, given, closed=question.closed, required=question.required, through=question.through
    )
    for cells in tours:
        if question.reversible:
            back = np.roll(cells[::-1], 2 * first - 1) if question.closed else cells[::-1]
            if back.tolist() < cells.tolist():
                continue
        yield cells[None]


def _cycles(question: Question) -> Iterator[Cells]:
    """Yield every Hamiltonian cycle of `as_cycle` once, in blocks."""
    return map(cycles_of_all, every_cycle(stages_of(question)))


def _symmetric_cycles(question: Question) -> Iterator[Cells]:
    """Yield every cycle that the symmetry of the question maps to itself, by folding."""
    assert question.symmetry is not None  # noqa: S101 - for the type checker
    graph = question.as_cycle
    if graph.size < 3:
        return
    for small in folded(graph, question.encoding.image(question.symmetry.cells).tolist()):
        n = len(small.rows)
        for cycles in [np.arange(n)[None]] if n < 3 else _cycles(Question(small.graph)):
            for cycle in cycles.tolist():
                for unfolded in small.unfolded(cycle):
                    yield unfolded[None]


def _firsts(blocks: Iterator[Cells], question: Question) -> Iterator[Cells]:
    """Select the tours that are lexicographically smallest among their images with the required ends."""
    if question.board.size == 1:
        return blocks
    group = [symmetry.cells for symmetry in symmetries(question)]

    def is_first(rows: Cells) -> Mask:
        smallest = np.ones(len(rows), dtype=np.bool_)
        for g in group:
            images, has_ends = canonical(question, question.onward(g[rows]))
            difference = (images != rows).argmax(axis=1)[:, None]  # 0 if the image is the same tour
            smaller = np.take_along_axis(images, difference, 1) < np.take_along_axis(rows, difference, 1)
            smallest &= ~(smaller[:, 0] & has_ends)
        return smallest

    return (rows[is_first(rows)] for rows in blocks)


# ---- canonical forms


def stages_of(question: Question) -> list[Stage]:
    """Return the stages of a narrow order that ends with the vertex that joins the ends of open tours."""
    graph = question.as_cycle
    order = narrow_order(graph, question.apex, widest=LISTED)
    return stages(neighbours(graph), order)


def tours_of(question: Question, cycles: Iterable[Moves]) -> Tours:
    """Convert Hamiltonian cycles of `question.as_cycle`, given by their moves, to tours."""
    size = question.as_cycle.size
    pairs = np.array([_neighbours(moves, size) for moves in cycles], dtype=np.int32).reshape(-1, 2, size)
    rows = rows_along(question, cycles_of_all(pairs))
    return Tours(question.board, rows, question.closed, question.piece)


def _neighbours(moves: Moves, size: int) -> list[tuple[int, ...]]:
    """Return the first neighbour of each vertex on a cycle, and the second neighbour of each."""
    pairs: list[list[int]] = [[] for _ in range(size)]
    for v, *targets in moves:
        for w in targets:
            if w >= 0:
                pairs[v].append(w)
                pairs[w].append(v)
    return list(zip(*pairs, strict=True))


def rows_along(question: Question, cycles: Cells) -> Cells:
    """Convert cycles, one per row, to tours; omit tours without the given cells at their steps."""
    size, apex = question.board.size, question.apex
    if question.given or question.through:
        rows = np.array([question.cut(cycle) for cycle in cycles], dtype=np.int32).reshape(-1, size)
        if question.steps or question.through or (question.closed and question.given):
            numbered = [row for cells in rows if (row := question.numbered(cells)) is not None]
            return np.array(numbered, dtype=np.int32).reshape(-1, size)
        return canonical(question, rows)[0]
    if question.one_way:
        cycles = question.encoding.forward(cycles)
    if apex is not None:  # rotate the cycles so that they begin with the apex, which is then removed
        index = (cycles == apex).argmax(axis=1)[:, None] + np.arange(cycles.shape[1])
        cycles = np.take_along_axis(cycles, index % cycles.shape[1], 1)
    return canonical(question, cycles[cycles < size].reshape(-1, size))[0]


def canonical(question: Question, rows: Cells) -> tuple[Cells, Mask]:
    """Return the canonical forms of tours, one per row, and whether each has the required ends."""
    size, index = rows.shape[1], np.arange(len(rows))
    has_ends = np.ones(len(rows), dtype=np.bool_)
    if question.closed:
        first = rows.argmin(axis=1)
        backwards = rows[index, (first + 1) % size] > rows[index, first - 1]
        direction = 1 if question.one_way else np.where(backwards, -1, 1)[:, None]
        rotated: Cells = rows[index[:, None], (first[:, None] + direction * np.arange(size)) % size]
        return rotated, has_ends
    if question.one_way:
        backwards = np.zeros(len(rows), dtype=np.bool_)
    elif question.start is not None:
        backwards = rows[:, 0] != question.start
    elif question.end is not None:
        backwards = rows[:, -1] != question.end
    else:
        backwards = rows[:, 0] > rows[:, -1]
    rows = np.where(backwards[:, None], rows[:, ::-1], rows)
    for cell, step in ((question.start, 0), (question.end, -1)):
        if cell is not None:
            has_ends &= rows[:, step] == cell
    return rows, has_ends
