"""How many tours use exactly k moves of a type, for every k: a frontier search that carries polynomials."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from cavalcade.answers.counts import Distribution
from cavalcade.counting.move_types import equivalent, move_types
from cavalcade.counting.total import conventions_of
from cavalcade.frontier.order import narrow_order
from cavalcade.frontier.polynomials import WORD, Polynomials
from cavalcade.frontier.search import FrontierSearch, Record
from cavalcade.frontier.states import WIDEST
from cavalcade.frontier.transition import neighbours, stages
from cavalcade.ground.budget import bounded
from cavalcade.ground.errors import CavalcadeError, TooLargeError
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cavalcade.frontier.polynomials import Edge
    from cavalcade.frontier.search import Progress
    from cavalcade.frontier.transition import Stage
    from cavalcade.question.constraints import Constraints
    from cavalcade.question.graph import BoardLike
    from cavalcade.question.pieces import PieceLike


def distribution(
    board: BoardLike | Question,
    by: str = "slope",
    *,
    piece: PieceLike | None = None,
    open: bool = False,  # noqa: A002 - the field's word, and the command line's
    start: int | str | None = None,
    end: int | str | None = None,
    directed: bool = False,
    memory: int | None = None,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    **constraints: Unpack[Constraints],
) -> Distribution:
    """For each type of move how many tours use exactly k of them, for every k, exact.

    Args:
        board: a board, its spec, or a whole `Question`. A plain graph has no types of moves.
        by: `slope`, the slope of a move, ranks to files; `class`, its class under the symmetries of the
            board; `files`, the number of files it crosses.
        piece: a piece or its spec; by default the knight.
        open: open tours instead of closed ones.
        start: where open tours begin.
        end: where open tours end.
        directed: count both directions.
        memory: bytes the tables may take; by default half of the machine's memory.
        time_limit: seconds; by default none.
        progress: called after every cell.
        constraints: see `cavalcade.question.constraints`; no steps, no symmetry.

    Raises:
        CavalcadeError: as `count`, an unknown statistic, or one that is not defined on the board.
        TooLargeError: as `count`, or 2**64 tours or more.

    Types that a symmetry of the board maps to one another have the same numbers and are counted once. The
    others are counted together or, where memory is short, in two parts, and so on. Time: by slope
    6x6 takes 0.3 s, 6x8 5 s, 7x8 two minutes; see docs/counts.md.
    """
    with bounded(time_limit, memory):
        question = Question.of(board, piece=piece, open=open, start=start, end=end, **constraints)
        return _distribution(question, by, directed=directed, progress=progress)


def _distribution(
    question: Question, by: str, *, directed: bool, progress: Callable[[Progress], None] | None
) -> Distribution:
    if question.stepwise or question.symmetry:
        raise CavalcadeError(
            f"there is no distribution of tours{question.constraints}: the states of the search know neither "
            "steps nor symmetries; list and measure them instead"
        )
    types = move_types(question, by)
    first = equivalent(question, types)
    apart = list(dict.fromkeys(first.values()))
    record = Record(1, progress)
    numbers, total = _tours(question, [types[name] for name in apart], record)
    found = dict(zip(apart, numbers, strict=True))
    times, conventions = conventions_of(question, directed=directed)
    moves = question.board.size - (0 if question.closed and question.board.size > 1 else 1)
    tours = {
        name: tuple(times * found[other].get(k, 0) for k in range(moves + 1)) for name, other in first.items()
    }
    spent = record.peak_states, record.peak_bytes, record.seconds
    return Distribution(by, tours, times * total, conventions, *spent)


def tours_by_moves(question: Question, types: Sequence[frozenset[Edge]]) -> list[dict[int, int]]:
    """For each set of moves the numbers of undirected tours by how many of these they use, zeros left out.

    Raises:
        TooLargeError: as `distribution`.
    """
    return _tours(question, types, Record(1))[0]


def _tours(
    question: Question, types: Sequence[frozenset[Edge]], record: Record
) -> tuple[list[dict[int, int]], int]:
    """The same, and the number of all tours."""
    if question.board.size == 1:
        return [{0: 1} for _ in types], 1
    graph = question.as_cycle
    order = narrow_order(graph, question.apex, widest=WIDEST)
    edges = [frozenset(question.encoding.edge(a, b) for a, b in one) for one in types]
    return _weighted(stages(neighbours(graph), order), edges, record)


def _weighted(
    stages: Sequence[Stage], types: Sequence[frozenset[Edge]], record: Record
) -> tuple[list[dict[int, int]], int]:
    """For each type the numbers of cycles by their edges of the type; of all types together if they fit.

    Raises:
        TooLargeError: the memory limit is too small for a single type.
    """
    polynomials = Polynomials(types)
    record.taken, record.steps = 0, len(stages)
    search = FrontierSearch(stages, record=record)
    try:
        search.run(polynomials)
    except TooLargeError:
        if len(types) < 2:
            raise
        half = len(types) // 2
        some, total = _weighted(stages, types[:half], record)
        return some + _weighted(stages, types[half:], record)[0], total
    if search.cycles >= WORD:
        raise TooLargeError("there are 2**64 tours or more, too many for their distribution")
    return polynomials.read() if search.cycles else [{} for _ in types], search.cycles
