"""Count walks that may leave out some cells, by the number of their moves.

A walk visits no cell twice. It stands for tours of a graph in which a chain of extra vertices visits the
cells that the walk leaves out, see `question.reductions`. The chain passes each visited optional
cell on a separate edge. So a walk with k optional cells is a tour with exactly k such edges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Unpack

from cavalcade.answers.counts import Distribution
from cavalcade.answers.verification import Verification
from cavalcade.checking.verification import LISTED_AGAIN, REPEATED, agreed
from cavalcade.counting.distribution import tours_by_moves
from cavalcade.counting.total import count
from cavalcade.ground.budget import bounded
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.constraints import cells_of
from cavalcade.question.graph import BoardLike
from cavalcade.question.question import Question
from cavalcade.question.reductions import asks_more_than_ends, passes, skipping
from cavalcade.question.words import Cells, QuestionWords, validated
from cavalcade.states.search import Progress


@validated
def count_walks(
    board: BoardLike | Question,
    optional: Cells | None = None,
    *,
    memory: int | str | None = None,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    **words: Unpack[QuestionWords],
) -> Distribution:
    """Count, for each length, the walks that visit no cell twice and omit only cells of `optional`.

    Open walks between two cells are the simple paths of the move graph, closed walks its cycles.

    Args:
        board: a board, its spec, a move graph, or a complete `Question`.
        optional: the cells that a walk may leave out; by default all cells.
        memory: limit for the tables, in bytes or as text such as "4G"; by default half of the machine's
            memory.
        time_limit: seconds; by default none.
        progress: called after every vertex of each search.
        words: see `Question.of`: the piece, ends, and moves to avoid. A walk and its reverse count as one,
            unless an open walk has a given end or moves go one way.

    Raises:
        CavalcadeError: as `count`, or another constraint.
        TooLargeError: as `count`.

    Time: all simple paths of a wazir from corner to corner of 6x6 take 1.4 s. Closed walks take a search for
    each cell, unless a cell must be visited.

    Examples:
        >>> walks = count_walks("3x3", piece="wazir", open=True, start="a1", end="c3")
        >>> walks.count, walks.tours["walks"]
        (12, (0, 0, 0, 0, 6, 0, 4, 0, 2))
    """
    with bounded(time_limit, memory):
        question = Question.of(board, **words)
        if question.board.size == 1:  # one cell is an open walk
            question = replace(question, closed=False)
        if asks_more_than_ends(question, words) or question.direction:
            raise CavalcadeError("walks that leave out cells support ends, and moves to avoid: drop the rest")
        n = question.board.size
        free = {*range(n)} if optional is None else {*cells_of(question.board, optional)}
        must = {*range(n)} - free | {cell for cell in (question.start, question.end) if cell is not None}
        record, rows = Progress(progress), Counter[int]()
        for cells, root in _cases(question, must):
            rows.update(_by_cells(question, cells, root, must, record))
        moves = {k - (not question.closed): number for k, number in rows.items()}
        total = sum(moves.values())
        verification = Verification.UNCHECKED
        if total <= LISTED_AGAIN and (listed := _listed(question, must)) is not None:
            if listed != +rows:
                raise AssertionError(f"walks by the number of their cells are {listed}, not {rows}")
            first, second = "by the tours of a larger graph", "by trying all walks"
            verification = agreed(total, first, listed.total(), second, what="walks")
    way = "directed" if (question.ends and not question.closed) or question.one_way else "undirected"
    which = "" if len(free) == n else f" through at least {len(must)} given cells"
    conventions = f"{question.kind} walks{question.from_to}{question.constraints}{which}, {way}"
    walks = tuple(moves.get(k, 0) for k in range(max(moves, default=0) + 1))
    spent = record.peak_states, record.peak_bytes, record.seconds
    return Distribution(total, conventions, *spent, "moves", {"walks": walks}, verification=verification)


def _cases(question: Question, must: set[int]) -> Iterator[tuple[list[int], int | None]]:
    """Yield the cells of some walks and their root; every walk belongs to one case.

    An open walk has no root. A closed walk has a cell of `must` as its root, or its smallest cell.
    """
    n = question.board.size
    if not question.closed:
        yield [*range(n)], None
    elif must:
        yield [*range(n)], min(must)
    else:
        yield from (([*range(root, n)], root) for root in range(n))


def _by_cells(
    question: Question, cells: list[int], root: int | None, must: set[int], record: Progress
) -> Counter[int]:
    """Count the walks of a case by the number of their cells, a walk and its reverse as one if both count."""
    weights = dict.fromkeys(map(tuple, question.moves.tolist()), Decimal(1))
    edges = {*weights} & {(a, b) for a in cells for b in cells}
    if not edges or len(cells) == 1:  # a walk of one cell
        singles = [cell for cell in cells if must <= {cell}] if root is None else []
        return Counter({1: len(singles)} if singles else {})
    kept = must | ({root} if root is not None else set())
    larger = skipping(question, weights, cells, root, must).question
    total = count(larger).count
    marked = frozenset(passes(len(cells), len(cells) - len(kept), directed=question.one_way))
    by_visited = tours_by_moves(larger, [marked], total, record)[0]
    rows = Counter({len(kept) + k: number for k, number in by_visited.items()})
    if root is not None and not question.one_way:
        rows[2] = 0  # a move there and back is no cycle
    if not question.one_way and (root is not None or not question.from_to):
        # Both directions of a walk are tours of the graph, except for walks of one cell.
        rows = Counter({k: number if k == 1 else number // 2 for k, number in rows.items()})
    return +rows


def _listed(question: Question, must: set[int]) -> Counter[int] | None:
    """Count the walks by the number of their cells by trying all; None if that takes too long."""
    n, closed, work = question.board.size, question.closed, 0
    heads: list[list[int]] = [[] for _ in range(n)]
    for a, b in question.moves.tolist():
        heads[a].append(b)
    rows = Counter[int]()
    stack = [[cell] for cell in range(n) if question.start in {None, cell} or closed]
    while stack:
        walk = stack.pop()
        work += 1
        if work > REPEATED:
            return None
        visited = {*walk}
        ends = walk[0] in heads[walk[-1]] if closed else question.end in {None, walk[-1]}
        if ends and must <= visited and (not closed or len(walk) > (1 if question.one_way else 2)):
            rows[len(walk)] += 1
        stack += [
            [*walk, head]
            for head in heads[walk[-1]]
            if head not in visited and (not closed or head > walk[0])
        ]
    if not question.one_way and (closed or not question.from_to):
        rows = Counter({k: number if k == 1 else number // 2 for k, number in rows.items()})
    return rows
