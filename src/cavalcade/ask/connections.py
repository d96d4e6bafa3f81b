"""Connected pairs of cells: for every two cells of a board, an open tour between them or a proof of none.

A symmetry of the board maps the tours between two cells to the tours between their images. So the pairs fall
into classes, and one pair of each class is searched.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.verdict import Impossible, Undecided, Verdict
from cavalcade.answers.verification import Verification
from cavalcade.ask.portfolio import NO_MEMORY, answer
from cavalcade.checking.verification import connections
from cavalcade.ground.budget import SECOND, Budget, limits, seconds_left
from cavalcade.ground.errors import CavalcadeError, TooLargeError, seconds_of, whole
from cavalcade.ground.threads import ProgressCallback
from cavalcade.question.constraints import cell_of
from cavalcade.question.graph import BoardLike
from cavalcade.question.pieces import PieceLike
from cavalcade.question.question import Question, symmetries
from cavalcade.question.symmetry import Symmetry
from cavalcade.question.words import Cell, validated

# Largest number of cells: the answer has an entry for each of the million ordered pairs, and a verdict for
# each class. A board without symmetries has half a million classes.
MAX_CELLS = 1_000


@dataclass(frozen=True)
class Pairs:
    """A class of pairs that symmetries map to one another, and the verdict on one of them.

    Args:
        start: number of the first cell of that pair.
        end: number of its second cell. In a directed graph the tours lead from `start` to `end`.
        size: number of pairs in the class.
        verdict: verdict on the open tours from `start` to `end`.

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
        """`found`, `undecided`, or the name of the rule that excludes a tour."""
        certificate = self.verdict.certificate if isinstance(self.verdict, Impossible) else None
        return self.verdict.status if certificate is None else certificate.reason


@dataclass(frozen=True)
class Connections:
    """The answer for every pair of cells: whether an open tour joins the two cells.

    Args:
        question: the question about open tours with any ends.
        classes: the classes; every pair is in one of them.
        of: index of the class of every two cells, shape (n, n); -1 on the diagonal.
        seed: seed of the random choices.
        verification: `CERTIFIED` if the checker has verified a tour or a proof for each class, and that
            symmetries map the pairs of each class to one another.

    Examples:
        >>> connected("5x5").number
        42
    """

    question: Question
    classes: tuple[Pairs, ...]
    of: NDArray[np.int32]
    seed: int
    verification: Verification = Verification.UNCHECKED

    def __repr__(self) -> str:
        counts = ", ".join(f"{number:,} {reason}" for reason, number in self.reasons.items())
        return f"<Connections of {self.question.board.title}, pairs of cells: {counts}>"

    @property
    def number(self) -> int:
        """Number of pairs that are the ends of an open tour."""
        return self.reasons.get("found", 0)

    @cached_property
    def reasons(self) -> dict[str, int]:
        """Number of pairs for each `Pairs.answer`."""
        counts: dict[str, int] = {}
        for pairs in self.classes:
            counts[pairs.answer] = counts.get(pairs.answer, 0) + pairs.size
        return counts

    def between(self, start: Cell, end: Cell) -> Verdict:
        """Return the verdict on the class of two cells, given by their names, numbers or coordinates.

        Raises:
            CavalcadeError: one of them is not a cell of the board, or both are the same cell.

        Examples:
            >>> connected("5x5").between("a1", "b1").status
            'impossible'
        """
        board = self.question.board
        number = int(self.of[cell_of(board, start), cell_of(board, end)])
        if number < 0:
            raise CavalcadeError(f"a tour cannot begin and end on {start}, expected two cells")
        return self.classes[number].verdict


@validated
def connected(
    board: BoardLike | Question,
    *,
    piece: PieceLike | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    progress: ProgressCallback | None = None,
) -> Connections:
    """For every two cells of a board, find an open tour between them, or prove that none exists.

    Args:
        board: a board, its spec, or a move graph (without a piece), with at most 1,000 cells.
        piece: a piece or its spec; by default the knight.
        seed: seed of the random choices.
        time_limit: seconds; by default sixty. The remaining pairs are then undecided.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.
        progress: called with the finished fraction of the work, from 0 to 1.

    Raises:
        CavalcadeError: an invalid spec, or a question with constraints.
        TooLargeError: the board has more than 1,000 cells.

    Time: some milliseconds for each class; 8x8 has 278 and takes half a second.

    Examples:
        >>> connections = connected("3x4")
        >>> connections.number, connections.reasons
        (7, {'cut': 18, 'colours': 30, 'chain': 2, 'found': 7, 'hall': 9})
    """
    question = Question.of(board, piece=piece, open=True) if not isinstance(board, Question) else board
    whole(seed, "seed")
    if question.closed or question.ends or question.constraints:
        raise CavalcadeError("all ends are tried, expected open tours without conditions")
    if question.board.size > MAX_CELLS:
        raise TooLargeError(f"{question.board.title[:60]} has more than {MAX_CELLS:,} cells")
    images = [] if question.board.plain else symmetries(question)[1:]
    seconds = 60.0 if time_limit is None else seconds_of(time_limit)
    classes: list[Pairs] = []
    with limits(seconds, memory):
        representatives, sizes, class_of = _classes(question, images)
        answers = _verdicts(question, representatives, Budget(seconds * SECOND), seed)
        for (start, end), size, verdict in zip(representatives, sizes, answers, strict=True):
            classes.append(Pairs(start, end, size, verdict))
            if progress is not None:
                progress(len(classes) / len(sizes))
        checked = Verification.UNCHECKED
        if not any(isinstance(pairs.verdict, Undecided) for pairs in classes):
            maps = [symmetry.cells.astype(np.int64) for symmetry in images]
            verdicts = [(pairs.start, pairs.end, pairs.size, pairs.verdict) for pairs in classes]
            with suppress(TimeoutError, TooLargeError, MemoryError):
                checked = connections(question, maps, verdicts, class_of)
    return Connections(question, tuple(classes), class_of, seed, checked)


def _verdicts(
    question: Question, pairs: list[tuple[int, int]], budget: Budget, seed: int
) -> Iterator[Verdict]:
    """Yield a verdict on each pair; after a limit was reached, the remaining pairs are undecided.

    A pair may use an equal share of the work that earlier pairs have left over.
    """
    undecided: Undecided | None = None
    for number, (start, end) in enumerate(pairs):
        if undecided is None:
            try:
                share = budget.part(budget.left / (len(pairs) - number))
                yield answer(replace(question, start=start, end=end), seed, budget=share)
                continue
            except (TimeoutError, TooLargeError, MemoryError) as error:
                undecided = Undecided(str(error) or NO_MEMORY, "portfolio", seed)
        yield undecided


def _classes(
    question: Question, images: list[Symmetry]
) -> tuple[list[tuple[int, int]], list[int], NDArray[np.int32]]:
    """Return the first pair and the size of each class, and the class of every two cells.

    A pair is encoded as `start * n + end`. Its class is the least code of its images. If the time does not
    suffice for all symmetries, every pair is a class of its own.
    """
    n, directed = question.board.size, question.graph.directed
    start, end = np.divmod(np.arange(n * n), n)
    first = start * n + end
    for symmetry in images:
        if seconds_left() < 0:
            first = start * n + end
            break
        first = np.minimum(first, symmetry.cells[start].astype(np.int64) * n + symmetry.cells[end])
    if not directed:
        first = np.minimum(first, first.reshape(n, n).T.ravel())
    apart = start != end
    codes, numbers, sizes = np.unique(first[apart], return_inverse=True, return_counts=True)
    class_of = np.full(n * n, -1, dtype=np.int32)
    class_of[apart] = numbers
    pairs = [divmod(code, n) for code in codes.tolist()]
    return pairs, (sizes // (1 if directed else 2)).tolist(), class_of.reshape(n, n)
