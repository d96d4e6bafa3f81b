"""Draw tours uniformly at random: a frontier search forward, then backward through its layers.

Numbers below the count and tours correspond one to one, and `layers` converts a random number to its tour.
The arithmetic is exact, so all tours have the same probability. Large boards with a half turn are divided
into halves, see `halved`.

The layers serve any number of tours, so further tours cost little.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Unpack

import numpy as np

from cavalcade.answers.tours import Tour, Tours
from cavalcade.answers.verification import Verification
from cavalcade.checking.verification import recounted
from cavalcade.counting.halved import HalvedCycles
from cavalcade.counting.listing import tours_of
from cavalcade.counting.total import order_and_halves
from cavalcade.ground.budget import bounded
from cavalcade.ground.errors import CavalcadeError, whole
from cavalcade.question.graph import BoardLike
from cavalcade.question.question import Question
from cavalcade.question.words import QuestionWords, validated
from cavalcade.states.layers import Layers, Moves
from cavalcade.states.search import Progress
from cavalcade.states.transition import neighbours, stages

BATCH = 10_000  # tours that are drawn together: larger batches take more memory and are hardly faster


@validated
def sample(
    board: BoardLike | Question,
    n: int = 1,
    *,
    seed: int = 0,
    memory: int | str | None = None,
    time_limit: float | None = None,
    progress: Callable[[Progress], None] | None = None,
    **words: Unpack[QuestionWords],
) -> list[Tour]:
    """Draw tours of a board uniformly at random, independently of each other.

    The same seed gives the same tours, and a larger n begins with the same tours. A tour and its reverse
    count as one, in the form of `list_tours`. If a board has no tour, the list is empty.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        n: number of tours.
        seed: seed of the random choices.
        memory: limit for layers and tables in bytes; by default half of the machine's memory.
        time_limit: seconds; by default none.
        progress: called after every cell of the forward search.
        words: properties of the tours, see `Question.of`; steps and symmetries are not supported.

    Raises:
        CavalcadeError: a spec or name is invalid, or closed tours have ends.
        TooLargeError: the board is too wide, the layers do not fit, or the time limit is reached.

    Time: 8x8 takes a minute and a half and 2.4 GB, then less than a millisecond per tour; a `Sampler` keeps
    the layers.

    Examples:
        >>> [tour.names[1] for tour in sample("6x6", 3, seed=1)]
        ['c5', 'c5', 'c5']
    """
    whole(n, "n")
    with bounded(time_limit, memory):
        return Sampler(board, seed=seed, memory=memory, progress=progress, **words).draw(n)


class Sampler:
    """Draws tours of a board uniformly at random, see `sample`. The search runs once.

    The first n tours equal `sample(board, n)` with the same seed, in batches of any size.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        seed: seed of the random choices.
        memory: limit for layers and tables in bytes; by default half of the machine's memory.
        time_limit: seconds for the search; by default none.
        progress: called after every cell of the forward search.
        words: see `sample`.

    Attributes:
        question: the question.
        total: number of tours from which it draws; None if it draws two halves until they meet.
        verification: `COUNTED_TWICE` if a second program has counted the tours from which it draws.

    Raises:
        CavalcadeError: a spec or name is invalid, or closed tours have ends.
        TooLargeError: the board is too wide, or the layers do not fit.

    Time and memory: on a board with a half turn, one side is searched, which takes a minute and a half and
    2.4 GB for 8x8; otherwise the whole board, see `counting.cycles.count_cycles`. A state takes 16 bytes, or
    24 if the frontier is wider than 17.

    Examples:
        >>> sampler = Sampler("6x6", seed=1)
        >>> len(sampler.draw(3))
        3
    """

    @validated
    def __init__(
        self,
        board: BoardLike | Question,
        *,
        seed: int = 0,
        memory: int | str | None = None,
        time_limit: float | None = None,
        progress: Callable[[Progress], None] | None = None,
        **words: Unpack[QuestionWords],
    ) -> None:
        self._chance = random.Random(whole(seed, "seed"))  # noqa: S311 - games, not secrets
        self._memory = memory
        self._cycles: HalvedCycles | Layers | None = None
        self.total: int | None = None
        self.verification = Verification.UNCHECKED
        with bounded(time_limit, memory):
            self.question = Question.of(board, **words)
            if self.question.listed or self.question.symmetry:
                raise CavalcadeError(
                    f"tours{self.question.constraints} cannot be drawn at random: the states of the search "
                    "have neither steps, nor coils, nor symmetries; list them instead"
                )
            if self.question.board.size == 1:
                self.total, self.verification = 1, recounted(self.question, 1, order=[], work=0)
                return
            graph = self.question.as_cycle
            order, plan = order_and_halves(self.question, meeting=False)
            if plan:
                self._cycles = HalvedCycles(graph, plan, Progress(progress))
            else:
                record = Progress(progress)
                self._cycles = Layers(stages(neighbours(graph), order), record=record)
                self.total = self._cycles.total
                self.verification = recounted(self.question, self.total, order=order, work=record.work)

    def draw(self, n: int = 1) -> list[Tour]:
        """Draw the next n tours; none if the board has none. Time: at most about a millisecond per tour."""
        return [tour for batch in self.batches(n) for tour in batch]

    def batches(self, n: int) -> Iterator[Tours]:
        """Yield the next n tours in batches of some thousands; nothing if the board has none."""
        while n > 0 and len(batch := self._draw(min(n, BATCH))):
            yield batch
            n -= len(batch)

    def _draw(self, n: int) -> Tours:
        """Draw one batch."""
        if self._cycles is None:
            question = self.question
            return Tours(question.board, np.zeros((n, 1), dtype=np.int32), question.closed, question.piece)
        moves: list[Moves] = []
        with bounded(None, self._memory):
            if isinstance(self._cycles, HalvedCycles):
                moves = self._cycles.draw(n, self._chance)
            elif total := self._cycles.total:
                moves = self._cycles.find([self._chance.randrange(total) for _ in range(n)])
        return tours_of(self.question, moves)
