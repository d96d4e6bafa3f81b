"""Distributions: the number of tours with exactly k moves of a type, or with k turns, angles or crossings.

Numbers by type of moves come from interpolating a polynomial (`counting.interpolation`); turns, angles and
crossings from a list of all tours (`counting.measuring`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Unpack

import numpy as np

from cavalcade.answers.counts import By, Distribution
from cavalcade.answers.verification import Verification
from cavalcade.boards import Board
from cavalcade.checking.verification import LISTED_AGAIN, same_split, split
from cavalcade.counting.interpolation import Interpolation
from cavalcade.counting.listing import list_arrays
from cavalcade.counting.measuring import MEASURED, tours_by_measure
from cavalcade.counting.total import conventions_of, count, mirrored_order, order_and_halves
from cavalcade.ground.budget import bounded
from cavalcade.ground.errors import BoardError, CavalcadeError
from cavalcade.question.graph import BoardLike
from cavalcade.question.question import Question, symmetries
from cavalcade.question.symmetry import first_images
from cavalcade.question.words import QuestionWords, validated
from cavalcade.states.search import Progress
from cavalcade.states.weights import Edge

MoveTypes = dict[str, frozenset[Edge]]

VERTICAL = "vertical"
STATISTICS = {
    "slope": "moves of each slope, ranks to files (boards of squares in the plane)",
    "class": "moves of each class under the symmetries of the board, named by one of them",
    "files": "moves by the number of files they cross (boards of squares)",
}


@validated
def distribution(
    board: BoardLike | Question,
    by: By = "slope",
    *,
    directed: bool = False,
    twice: bool = False,
    memory: int | str | None = None,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    **words: Unpack[QuestionWords],
) -> Distribution:
    """Count the tours by their number of turns, angles, crossings, or moves of each type.

    Args:
        board: a board, its spec, or a complete `Question`. A plain graph has no types of moves.
        by: type of a move: `slope` (ranks to files), `class` (class under the symmetries of the board) or
            `files` (number of files it crosses). Or a statistic of `measure`: `turns`, `angles` or
            `crossings`.
        directed: count both directions.
        twice: count again whatever the size: moves with the cells in another order, turns, angles and
            crossings in the list of all tours. Without it, that is done for at most 10,000 tours.
        memory: limit for the tables, in bytes or as text such as "4G"; by default half of the machine's
            memory.
        time_limit: seconds; by default none.
        progress: called after every cell.
        words: other properties of the tours, see `Question.of`; steps and symmetries only with `turns`,
            `angles` and `crossings`.

    Raises:
        CavalcadeError: as `count`, an unknown statistic, or one that is not defined on the board.
        TooLargeError: as `count`.

    Types that a symmetry of the board maps to each other have equal numbers and are counted once. Time:
    by slope 6x6 takes a second, 6x8 4 s, 7x8 a minute and a half; see docs/counts.md. For turns, angles and
    crossings all tours are listed: of 6x6 in 0.1 s, of 6x7 in 2 s.

    Examples:
        >>> distribution("5x6", by="files").tours["1"][14]
        2
    """
    with bounded(time_limit, memory):
        question = Question.of(board, **words)
        record = Progress(progress)
        if by in MEASURED:
            # The tours are counted first. The count takes 3 % of the time (6x7 by turns: 0.06 of 2.4 s),
            # gives progress its denominator and the answer its peak, and checks the list by a second method.
            counted = count(question, twice=twice)
            record.peak_states, record.peak_bytes = counted.peak_states, counted.peak_bytes
            numbers, last = tours_by_measure(question, by, counted.count, record), 0
        elif question.listed or question.symmetry:
            raise CavalcadeError(
                f"there is no distribution of tours{question.constraints}: the states of the search contain "
                "neither steps, nor coils, nor symmetries; list and measure them instead"
            )
        else:
            types = move_types(question, by)
            representative = equivalent(question, types)
            counted = count(question, progress=progress, twice=twice)
            record.peak_states = counted.peak_states
            names = list(dict.fromkeys(representative.values()))
            rows = tours_by_moves(question, [types[name] for name in names], counted.count, record)
            numbers = {name: rows[names.index(first)] for name, first in representative.items()}
            last = question.board.size - (0 if question.closed and question.board.size > 1 else 1)
        times, conventions = conventions_of(question, directed=directed)
        tours = {
            name: tuple(times * row.get(k, 0) for k in range(max(last, *row, 0) + 1))
            for name, row in numbers.items()
        }
        verification = counted.verification
        if question.board.size == 1 or verification == Verification.UNCHECKED:
            pass
        elif counted.count <= LISTED_AGAIN or (twice and by in MEASURED):
            group = symmetries(question) if by == "class" else []
            verification = split(
                question, list_arrays(question), counted.count, by, tours, group=group, directed=directed
            )
        elif twice:
            recounts = tours_by_moves(
                question, [*types.values()], counted.count, record, order=mirrored_order(question)
            )
            verification = same_split(numbers, dict(zip(types, recounts, strict=True)))
        else:
            verification = Verification.UNCHECKED
    spent = record.peak_states, record.peak_bytes, record.seconds
    return Distribution(times * counted.count, conventions, *spent, by, tours, verification=verification)


def tours_by_moves(
    question: Question,
    types: Sequence[frozenset[Edge]],
    total: int,
    record: Progress,
    *,
    order: list[int] | None = None,
) -> list[dict[int, int]]:
    """Count the undirected tours that use exactly k moves of each type.

    Args:
        question: the question.
        types: sets of moves.
        total: number of undirected tours.
        record: receives the effort of the searches.
        order: vertices in the order in which they are taken; by default a narrow one, or two halves.

    Returns:
        One dict per type, from k to the number of tours; zeros are left out.
    """
    if question.board.size == 1:
        return [{0: 1} for _ in types]
    edges = [frozenset(question.encoding.edge(a, b) for a, b in moves) for moves in types]
    order, plan = order_and_halves(question) if order is None else (order, None)
    return Interpolation(question.as_cycle, order, plan, record).numbers(edges, total)


# ---- types of moves


def move_types(question: Question, by: str) -> MoveTypes:
    """Return the moves of each type, by the name of the type, in a fixed order.

    Raises:
        BoardError: the statistic is unknown or not defined on this board.
    """
    board = question.board
    if by not in STATISTICS:
        raise BoardError(f"unknown statistic {by!r}, expected one of {', '.join([*STATISTICS, *MEASURED])}")
    if board.plain:
        raise BoardError(f"{board.title} is a plain graph: its moves have no {by}")
    if by != "class" and not (board.is_rectangle or (board.is_box and by == "files")):
        raise BoardError(f"moves of {board.title} have no {by}, expected a board of squares: try class")
    edges = [(a, b) for a, b in question.graph.edges().tolist()]
    names = _classes(question, edges) if by == "class" else [_name(board, edge, by) for edge in edges]
    order = (
        dict.fromkeys(names)
        if by == "class"
        else sorted({*names} - {VERTICAL}, key=Fraction) + [VERTICAL] * (VERTICAL in names)
    )
    return {
        str(kind): frozenset(edge for edge, name in zip(edges, names, strict=True) if name == kind)
        for kind in order
    }


def equivalent(question: Question, types: MoveTypes) -> dict[str, str]:
    """Map each type to the first type that a symmetry of the question maps to it."""
    maps = [] if question.ends else [symmetry.cells.tolist() for symmetry in symmetries(question)]
    first: dict[str, str] = {}
    for name, edges in types.items():
        images = {frozenset(_image(edge, cells, question.directed) for edge in edges) for cells in maps}
        first[name] = next((earlier for earlier in first.values() if types[earlier] in images), name)
    return first


def _image(edge: Edge, cells: list[int], directed: bool) -> Edge:  # noqa: FBT001 - of a graph
    a, b = cells[edge[0]], cells[edge[1]]
    return (a, b) if directed or a < b else (b, a)


def _name(board: Board, edge: Edge, by: str) -> str:
    (*_, row, column), (*_, other_row, other_column) = board.coords[list(edge)].tolist()
    files = other_column - column
    if by == "files":
        return str(abs(files))
    return str(Fraction(row - other_row, files)) if files else VERTICAL


def _classes(question: Question, edges: list[Edge]) -> list[str]:
    """Return the name of the first move in the class of each move."""
    moves = np.array(edges, dtype=np.int32).reshape(-1, 2)
    first = first_images(moves, symmetries(question), question.board.size)
    ends = zip(*(cells.tolist() for cells in np.divmod(first, question.board.size)), strict=True)
    return [f"{question.board.name(a)}-{question.board.name(b)}" for a, b in ends]
