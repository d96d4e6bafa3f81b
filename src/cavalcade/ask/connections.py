"""From which cells to which a board has open tours: a tour or a reason for every pair of cells.

Symmetries of the board carry the tours between two cells to those between their images. So pairs fall into
classes, and one pair of each is asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.verdict import Impossible, Undecided, Verdict
from cavalcade.ask.portfolio import NO_ROOM, answer
from cavalcade.ground.budget import SECOND, Budget, limits, seconds_left
from cavalcade.ground.errors import CavalcadeError, TooLargeError, seconds_of, whole
from cavalcade.ground.threads import ProgressCallback
from cavalcade.question.constraints import cell_of
from cavalcade.question.graph import BoardLike
from cavalcade.question.pieces import PieceLike
from cavalcade.question.question import Question, symmetries
from cavalcade.question.symmetry import Symmetry
from cavalcade.question.words import Cell

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

    def between(self, start: Cell, end: Cell) -> Verdict:
        """The answer about the class of two cells, given by their names, numbers or coordinates.

        Raises:
            CavalcadeError: they are no cells of the board, or one and the same.

        Examples:
            >>> connected("5x5").between("a1", "b1").status
            'impossible'
        """
        board = self.question.board
        number = int(self.of[cell_of(board, start), cell_of(board, end)])
        if number < 0:
            raise CavalcadeError(f"a tour cannot begin and end on {start}, expected two cells")
        return self.classes[number].verdict


def connected(
    board: BoardLike | Question,
    *,
    piece: PieceLike | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    progress: ProgressCallback | None = None,
) -> Connections:
    """Find out of every pair of cells whether they are the ends of an open tour: a tour, or a proof of none.

    Args:
        board: a board, its spec, or a move graph (without a piece), of at most 1,000 cells.
        piece: a piece or its spec; by default the knight.
        seed: of the random choices.
        time_limit: seconds; by default sixty. Pairs that were not reached are undecided.
        memory: bytes, or text such as "4G"; by default what the machine has.
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
    images = [] if question.board.plain else symmetries(question)[1:]
    found: list[Pairs] = []
    with limits(60.0 if time_limit is None else seconds_of(time_limit), memory):
        codes, sizes, of = _classes(question, images)
        for verdict in _verdicts(question, codes, seed):
            start, end = divmod(codes[len(found)], question.board.size)
            found.append(Pairs(start, end, sizes[len(found)], verdict))
            if progress is not None:
                progress(len(found) / len(codes))
    return Connections(question, tuple(found), of, seed)


def _verdicts(question: Question, codes: list[int], seed: int) -> Iterator[Verdict]:
    """An answer about each pair; from where the time is over, that it is."""
    late: Undecided | None = None
    for code in codes:
        if late is None:
            start, end = map(question.board.name, divmod(code, question.board.size))
            asked = Question.of(question.board, piece=question.piece, open=True, start=start, end=end)
            try:
                yield answer(asked, seed, budget=Budget(EACH))
                continue
            except (TimeoutError, TooLargeError, MemoryError) as error:
                late = Undecided(str(error) or NO_ROOM, "portfolio", seed)
        yield late


def _classes(question: Question, images: list[Symmetry]) -> tuple[list[int], list[int], NDArray[np.int32]]:
    """Of each class of pairs the first, start * n + end, and its size; and the class of any two cells.

    If there is no time to look at all symmetries, every pair is a class of its own.
    """
    n, directed = question.board.size, question.graph.directed
    start, end = np.divmod(np.arange(n * n), n)
    first = start * n + end
    for one in images:
        if seconds_left() < 0:
            first = start * n + end
            break
        first = np.minimum(first, one.cells[start].astype(np.int64) * n + one.cells[end])
    if not directed:
        first = np.minimum(first, first.reshape(n, n).T.ravel())
    apart = start != end
    codes, numbers, sizes = np.unique(first[apart], return_inverse=True, return_counts=True)
    of = np.full(n * n, -1, dtype=np.int32)
    of[apart] = numbers
    return codes.tolist(), (sizes // (1 if directed else 2)).tolist(), of.reshape(n, n)
