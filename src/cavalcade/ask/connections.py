"""From which cells to which a board has open tours: a tour or a reason for every pair of cells.

Symmetries of the board carry the tours between two cells to those between their images. So pairs fall into
classes, and one pair of each is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.verdict import Impossible, Undecided, Verdict
from cavalcade.ask.portfolio import answer
from cavalcade.ground.budget import SECOND, Budget, limits
from cavalcade.ground.errors import CavalcadeError, TooLargeError, seconds_of, whole
from cavalcade.ground.threads import ProgressCallback
from cavalcade.question.graph import BoardLike
from cavalcade.question.pieces import PieceLike
from cavalcade.question.question import Question, symmetries

MOST = 1_000  # cells: half a million pairs
EACH = 20 * SECOND  # of work for a pair


@dataclass(frozen=True)
class Pairs:
    """Pairs of cells that symmetries carry onto one another, and the answer about one of them.

    Args:
        start: the number of a cell.
        end: another; in a directed graph tours lead from the first to the second.
        size: how many pairs are in the class.
        verdict: about the open tours from `start` to `end`.

    Examples:
        >>> connected("3x4").classes[0].size
        2
    """

    start: int
    end: int
    size: int
    verdict: Verdict

    @property
    def answer(self) -> str:
        """`found`, `undecided`, or the rule by which there is no tour."""
        certificate = self.verdict.certificate if isinstance(self.verdict, Impossible) else None
        return self.verdict.status if certificate is None else certificate.reason


@dataclass(frozen=True)
class Connections:
    """Which pairs of cells are the ends of an open tour.

    Args:
        question: about open tours, without ends.
        classes: the pairs by classes; together every pair once.
        of: for every two cells, as a square of numbers, the class of their pair, -1 for a cell with itself.
        seed: of the random choices.

    Examples:
        >>> connected("5x5").number
        42
    """

    question: Question
    classes: tuple[Pairs, ...]
    of: NDArray[np.int32]
    seed: int

    @property
    def number(self) -> int:
        """How many pairs are the ends of an open tour."""
        return sum(one.size for one in self.classes if one.verdict.status == "found")

    @cached_property
    def reasons(self) -> dict[str, int]:
        """How many pairs are joined, or are not for which reason."""
        found: dict[str, int] = {}
        for one in self.classes:
            found[one.answer] = found.get(one.answer, 0) + one.size
        return found

    def between(self, start: str, end: str) -> Verdict:
        """The answer about the class of two cells, given by their names.

        Raises:
            CavalcadeError: they are no cells of the board, or one and the same.

        Examples:
            >>> connected("5x5").between("a1", "b1").status
            'impossible'
        """
        board = self.question.board
        number = int(self.of[board.cell(start), board.cell(end)])
        if number < 0:
            raise CavalcadeError(f"a tour cannot begin and end on {start}, expected two cells")
        return self.classes[number].verdict


def connected(
    board: BoardLike | Question,
    *,
    piece: PieceLike | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | None = None,
    progress: ProgressCallback | None = None,
) -> Connections:
    """Find out of every pair of cells whether they are the ends of an open tour: a tour, or a proof of none.

    Args:
        board: a board, its spec, or a move graph (without a piece), of at most 1,000 cells.
        piece: a piece or its spec; by default the knight.
        seed: of the random choices.
        time_limit: seconds; by default sixty. Pairs that were not reached are undecided.
        memory: bytes; by default what the machine has.
        progress: called with how much is done, from 0 to 1.

    Raises:
        CavalcadeError: an invalid spec, or conditions.
        TooLargeError: more than 1,000 cells.

    Time: some milliseconds for each class; 8x8 has 278 and takes half a second.

    Examples:
        >>> found = connected("3x4")
        >>> found.number, found.reasons
        (7, {'cut': 18, 'colours': 30, 'chain': 2, 'found': 7, 'hall': 9})
    """
    question = Question.of(board, piece=piece, open=True) if not isinstance(board, Question) else board
    whole(seed, "seed")
    if question.closed or question.ends or question.constraints:
        raise CavalcadeError("all ends are tried, expected open tours without conditions")
    if question.board.size > MOST:
        raise TooLargeError(f"{question.board.title[:60]} has more than {MOST:,} cells")
    classes, of = _classes(question)
    found: list[Pairs] = []
    with limits(60.0 if time_limit is None else seconds_of(time_limit), memory):
        for one in _answered(question, classes, seed):
            found.append(one)
            if progress is not None:
                progress(len(found) / len(classes))
    return Connections(question, tuple(found), of, seed)


def _answered(question: Question, classes: list[Pairs], seed: int) -> Iterator[Pairs]:
    late: Undecided | None = None
    for one in classes:
        verdict: Verdict
        if late is None:
            names = [question.board.name(cell) for cell in (one.start, one.end)]
            asked = Question.of(question.board, piece=question.piece, open=True, start=names[0], end=names[1])
            try:
                verdict = answer(asked, seed, budget=Budget(EACH))
            except (TimeoutError, TooLargeError, MemoryError) as error:
                late = Undecided(str(error) or "there is not enough memory", "portfolio", seed)
                verdict = late
        else:
            verdict = late
        yield replace(one, verdict=verdict)


def _classes(question: Question) -> tuple[list[Pairs], NDArray[np.int32]]:
    """The classes of pairs, in the order of their first pairs, and the class of every pair."""
    n, directed = question.board.size, question.graph.directed
    start, end = np.divmod(np.arange(n * n), n)
    first = start * n + end
    images = [] if question.board.plain else symmetries(question)[1:]
    for one in images:
        first = np.minimum(first, one.cells[start].astype(np.int64) * n + one.cells[end])
    if not directed:
        first = np.minimum(first, first.reshape(n, n).T.ravel())
    apart = start != end
    firsts, numbers, sizes = np.unique(first[apart], return_inverse=True, return_counts=True)
    of = np.full(n * n, -1, dtype=np.int32)
    of[apart] = numbers
    unasked = Undecided("not asked", "portfolio", 0)
    each = 1 if directed else 2
    return [
        Pairs(int(code) // n, int(code) % n, int(size) // each, unasked)
        for code, size in zip(firsts, sizes, strict=True)
    ], of.reshape(n, n)
