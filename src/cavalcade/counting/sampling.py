"""Tours drawn at random, each with exactly the same chance: a frontier search forward, its layers backward.

To draw a tour, draw a number below the count: the state after the last stage stands for all tours, and
`layers` reads the tour of a number off. Numbers and tours correspond one to one. All are integers; nothing is
rounded. Large boards with a half turn are drawn in halves, see `halved`; where `count` makes two halves meet,
sampling takes them too.

What is prepared serves for any number of tours, so that the second costs next to nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Unpack

import numpy as np

from cavalcade.answers.tours import Tour, Tours
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

AT_ONCE = 10_000  # tours whose way back is looked for together


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
    """Tours of a board drawn at random, independently, each with exactly the same chance.

    The same seed gives the same tours; a larger n begins with the same ones. A tour and its reverse are
    one, written as by `list_tours`. Where a board has no tour the list is empty.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        n: how many.
        seed: of the random choices.
        memory: bytes that layers and tables may take together; by default half of the machine's memory.
        time_limit: seconds; by default none.
        progress: called after every cell of the search forward.
        words: what is asked of the tours, see `Question.of`; no steps, no symmetry.

    Raises:
        CavalcadeError: an invalid spec or name, or ends of closed tours.
        TooLargeError: the board is too wide, the layers do not fit, or the time limit is reached.

    Time: 8x8 a minute and a half and 2.4 GB, then under a millisecond a tour; `Sampler` can be asked again.

    Examples:
        >>> [one.names[1] for one in sample("6x6", 3, seed=1)]
        ['c5', 'c5', 'c5']
    """
    whole(n, "n")
    with bounded(time_limit, memory):
        return Sampler(board, seed=seed, memory=memory, progress=progress, **words).draw(n)


class Sampler:
    """Tours of a board drawn at random, as `sample` does: prepared once, then drawn from at will.

    Its first n tours are those of `sample(board, n)` with the same seed, however they are asked for.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        seed: of the random choices.
        memory: bytes that layers and tables may take together; by default half of the machine's memory.
        time_limit: seconds to prepare it; by default none.
        progress: called after every cell of the search forward.
        words: as for `sample`.

    Raises:
        CavalcadeError: an invalid spec or name, or ends of closed tours.
        TooLargeError: the board is too wide, or the layers do not fit.

    Time and memory: of a board with a half turn, one side is searched, 8x8 in a minute and a half and 2.4 GB;
    of others the whole board, see `counting.cycles.count_cycles`. Each state takes 16 bytes or, where the
    frontier is wider than 17, 24.

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
        with bounded(time_limit, memory):
            self.question = Question.of(board, **words)
            if self.question.listed or self.question.symmetry:
                raise CavalcadeError(
                    f"tours{self.question.constraints} cannot be drawn at random: the states of the search "
                    "have neither steps, nor coils, nor symmetries; list them instead"
                )
            if self.question.board.size == 1:
                return
            graph = self.question.as_cycle
            order, plan = order_and_halves(self.question, meeting=False)
            if plan:
                self._cycles = HalvedCycles(graph, plan, Progress(progress))
            else:
                self._cycles = Layers(stages(neighbours(graph), order), record=Progress(progress))

    def draw(self, n: int = 1) -> list[Tour]:
        """The next n tours; none if the board has none. Time: about a millisecond a tour, less for many."""
        return [tour for some in self.batches(n) for tour in some]

    def batches(self, n: int) -> Iterator[Tours]:
        """The next n tours, some thousands at a time; nothing if the board has none."""
        while n > 0 and len(some := self._draw(min(n, AT_ONCE))):
            yield some
            n -= len(some)

    def _draw(self, n: int) -> Tours:
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
