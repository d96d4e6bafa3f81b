"""Decompositions of the moves of a board into closed tours, found and checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Impossible, Undecided
from cavalcade.answers.verification import Verification
from cavalcade.ask.portfolio import TurnCallback, answer, reporting
from cavalcade.checking.decompositions import check_decomposition, why_none
from cavalcade.checking.tours import Checked
from cavalcade.checking.verification import proved, refuted
from cavalcade.find.decomposition import decomposition
from cavalcade.ground.budget import SECOND, Budget, limits
from cavalcade.ground.errors import CavalcadeError, TooLargeError, seconds_of
from cavalcade.question.graph import BoardLike
from cavalcade.question.pieces import PieceLike
from cavalcade.question.question import Question
from cavalcade.question.words import validated


@dataclass(frozen=True)
class Decomposition:
    """Closed tours that together make every move of a board once, or the reason why there are none.

    Args:
        status: whether there are such tours.
        tours: the tours.
        reason: what was found, or why there are none.
        seed: seed of the random choices.
        verification: `CERTIFIED` if the checker has verified the tours, or has proved that there are none.

    Examples:
        >>> len(decompose("torus:5x5").tours)
        4
    """

    status: Literal["found", "impossible", "undecided"]
    tours: tuple[Tour, ...]
    reason: str
    seed: int = 0
    verification: Verification = Verification.UNCHECKED

    def __bool__(self) -> bool:
        return self.status == "found"


@validated
def decompose(
    board: BoardLike | Question,
    *,
    piece: PieceLike | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    progress: TurnCallback | None = None,
) -> Decomposition:
    """Split all moves of a board, or all edges of a graph, into closed tours (Hamiltonian decomposition).

    Args:
        board: a board, its spec, a move graph (without a piece), or a `Question` without conditions.
        piece: a piece or its spec; by default the knight.
        seed: seed of the random choices.
        time_limit: seconds; by default ten.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.
        progress: called with an `Effort` after every run of an engine, and after every try to decompose.

    Raises:
        CavalcadeError: an invalid spec, or a question with conditions.

    Time: see `find.decomposition`. A decomposition is refuted if a cell has an odd number of moves, if the
    board has no tour, and on graphs of a dozen vertices.

    Examples:
        >>> decompose("8x8").reason
        'b8 has 3 moves, an odd number, but each tour makes two of them.'
    """
    limit = 10.0 if time_limit is None else seconds_of(time_limit)
    try:
        with limits(limit, memory, progress):
            return _decomposition(board, piece, seed, limit)
    except (TimeoutError, TooLargeError) as error:
        return Decomposition("undecided", (), str(error), seed)


def _decomposition(
    board: BoardLike | Question, piece: PieceLike | None, seed: int, limit: float
) -> Decomposition:
    question = board if isinstance(board, Question) else Question.of(board, piece=piece)
    if not question.closed or question.constraints or question.board.fixed:
        raise CavalcadeError("every move is used, expected closed tours without conditions")
    if reason := why_none(question):
        return Decomposition("impossible", (), reason, seed, proved(Checked(ok=True, message=reason)))
    # The search for a tour and the decomposition may each do half of the work that the time limit allows.
    half = limit * SECOND / 2
    verdict = answer(question, seed, budget=Budget(half))
    if isinstance(verdict, Impossible):
        return Decomposition("impossible", (), verdict.reason, seed, refuted(question, verdict))
    cycles = decomposition(question.graph, reporting("exchanges", half), seed=seed)
    if isinstance(cycles, Undecided):
        return Decomposition("undecided", (), cycles.reason, seed)
    tours = tuple(Tour(question.board, cells, closed=True, piece=question.piece) for cells in cycles)
    right = check_decomposition(question, tours)
    return Decomposition("found", tours, right.message, seed, proved(right))
