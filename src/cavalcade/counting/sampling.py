"""Draw tours uniformly at random: a frontier search forward, then backward through its layers.

Numbers below the count and tours correspond one to one, and `layers` converts a random number to its tour.
The arithmetic is exact, so all tours have the same probability. Large boards with a half turn are divided
into halves, see `halved`.

The layers serve any number of tours, so further tours cost little.

The number of a tour plus 1 is its *rank*, from 1 to the number of tours. The order of the tours is that of
the states of the search: it is the same on every machine, and it is not the order of `list_tours`. Ranks of
halves do not exist, because some pairs of halves are no tours. So a sampler with ranks searches the whole
board.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np

from cavalcade.answers.tours import Tour, Tours
from cavalcade.answers.verification import Verification
from cavalcade.checking.verification import recounted, why_not
from cavalcade.counting.colours import refuted_by_colours
from cavalcade.counting.cycles import Forecast
from cavalcade.counting.halved import HalvedCycles
from cavalcade.counting.listing import tours_of
from cavalcade.counting.total import order_and_halves
from cavalcade.ground.budget import bounded
from cavalcade.ground.errors import CavalcadeError, whole
from cavalcade.question.graph import BoardLike
from cavalcade.question.question import Question
from cavalcade.question.words import QuestionWords, validated
from cavalcade.states.layers import Layers, Moves
from cavalcade.states.order import frontier_widths
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
    distinct: bool = False,
    **words: Unpack[QuestionWords],
) -> list[Tour]:
    """Draw tours of a board uniformly at random, independently of each other or without replacement.

    The same seed gives the same tours, and a larger n begins with the same tours. A tour and its reverse
    count as one, in the form of `list_tours`. If a board has no tour, the list is empty.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        n: number of tours.
        seed: seed of the random choices.
        memory: limit for layers and tables in bytes; by default half of the machine's memory.
        time_limit: seconds; by default none.
        progress: called after every cell of the forward search.
        distinct: draw without replacement, at most all tours; the whole board is searched, see `Sampler`.
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
        sampler = Sampler(board, seed=seed, memory=memory, progress=progress, ranked=distinct, **words)
        return sampler.draw(n, distinct=distinct)


class Sampler:
    """Search a board once, and then draw any number of its tours uniformly at random.

    The first n tours equal `sample(board, n)` with the same seed, in batches of any size.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`.
        seed: seed of the random choices.
        memory: limit for layers and tables in bytes; by default half of the machine's memory.
        time_limit: seconds for the search; by default none.
        progress: called after every cell of the forward search.
        ranked: search the whole board, so that tours have ranks and can be drawn without replacement.
        words: see `sample`.

    Attributes:
        question: the question.
        total: number of tours from which it draws; None if it draws two halves until they meet.
        verification: `COUNTED_TWICE` if a second program has counted the tours from which it draws, and
            `CERTIFIED` if the checker has verified that there are none.

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
        >>> sampler.rank(sampler.tours([4321])[0])
        4321
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
        ranked: bool = False,
        **words: Unpack[QuestionWords],
    ) -> None:
        self._chance = random.Random(whole(seed, "seed"))  # noqa: S311 - games, not secrets
        self._memory = memory
        self._cycles: HalvedCycles | Layers | None = None
        # A shuffle of all ranks, from 0, of which only the ranks that have changed places are kept.
        self._shuffled: dict[int, int] = {}
        self._dealt = 0
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
            if (refuted := refuted_by_colours(self.question)) is not None:
                self.total, self.verification = 0, refuted
                return
            graph = self.question.as_cycle
            order, plan = order_and_halves(self.question, meeting=False)
            if plan and not ranked:
                self._cycles = HalvedCycles(graph, plan, Progress(progress))
            else:
                record = Progress(progress)
                forecast = Forecast(frontier_widths(graph, order), record, keeps_all=True)
                steps = stages(neighbours(graph), order)
                self._cycles = Layers(steps, record=record, on_step=forecast.update)
                self.total = self._cycles.total
                self.verification = recounted(self.question, self.total, order=order, work=record.work)

    @validated
    def draw(self, n: int = 1, *, distinct: bool = False) -> list[Tour]:
        """Draw the next n tours; none if the board has none. Time: at most about a millisecond per tour.

        Args:
            n: number of tours.
            distinct: draw without replacement; then there may be fewer.

        Raises:
            CavalcadeError: the sampler has no ranks, which distinct tours need.
        """
        return [tour for batch in self.batches(n, distinct=distinct) for tour in batch]

    @validated
    def batches(self, n: int, *, distinct: bool = False) -> Iterator[Tours]:
        """Yield the next n tours in batches of some thousands; nothing if the board has none."""
        while n > 0 and len(batch := self._draw(min(n, BATCH), distinct=distinct)):
            yield batch
            n -= len(batch)

    def tours(self, ranks: Sequence[int]) -> Tours:
        """Return the tours with some ranks, from 1.

        Raises:
            CavalcadeError: the sampler has no ranks, or there is no tour of this rank.
        """
        total = self._ranked()
        for rank in ranks:
            if not 1 <= whole(rank, "rank") <= total:
                raise CavalcadeError(f"there is no tour number {rank:,}, expected 1 to {total:,}")
        return self._at([rank - 1 for rank in ranks])

    def rank(self, tour: Tour) -> int:
        """Return the rank of a tour, in either direction and from any cell if the question allows it.

        Raises:
            CavalcadeError: the sampler has no ranks, or the tour is not among those from which it draws.
        """
        question = self.question
        self._ranked()
        subject = (question.board, question.closed, question.piece.spec_on(question.board))
        if (tour.board, tour.closed, tour.piece.spec_on(tour.board)) != subject:
            raise CavalcadeError(
                f"the tour is about {tour.title(tour.board.title)}, not {question.board.title}"
            )
        cells = question.numbered(tour.cells) if len(tour) == question.board.size else None
        wrong = why_not(question, tour if cells is None else replace(tour, cells=cells))
        if wrong or cells is None:
            about = f"the {question.kind} tours of {question.board.title}"
            raise CavalcadeError(
                f"it is not among {about}: {wrong or 'it has other cells at the given steps'}"
            )
        if not isinstance(self._cycles, Layers):  # one cell
            return 1
        return self._cycles.number(question.encoding.cycle(cells).tolist()) + 1

    def _ranked(self) -> int:
        """Return the number of tours, if they have ranks.

        Raises:
            CavalcadeError: the sampler draws two halves, which have no ranks.
        """
        if self.total is None:
            raise CavalcadeError("this sampler draws halves, which have no ranks: make one with ranked=True")
        return self.total

    def _deal(self, n: int) -> list[int]:
        """Return the next ranks, from 0, of a random permutation of all ranks, at most n of them."""
        total, ranks = self._ranked(), list[int]()
        while len(ranks) < n and self._dealt < total:
            j = self._chance.randrange(self._dealt, total)
            ranks.append(self._shuffled.get(j, j))
            self._shuffled[j] = self._shuffled.pop(self._dealt, self._dealt)
            self._dealt += 1
        return ranks

    def _draw(self, n: int, *, distinct: bool) -> Tours:
        """Draw one batch."""
        if isinstance(self._cycles, HalvedCycles) and not distinct:
            with bounded(None, self._memory):
                return tours_of(self.question, self._cycles.draw(n, self._chance))
        if distinct:
            return self._at(self._deal(n))
        total = self._ranked()
        return self._at([self._chance.randrange(total) for _ in range(n if total else 0)])

    def _at(self, numbers: Sequence[int]) -> Tours:
        """Return the tours with some numbers, from 0."""
        question, moves = self.question, list[Moves]()
        if self._cycles is None:
            rows = np.zeros((len(numbers), 1), dtype=np.int32)
            return Tours(question.board, rows, question.closed, question.piece)
        if isinstance(self._cycles, Layers) and numbers:
            with bounded(None, self._memory):
                moves = self._cycles.find(numbers)
        return tours_of(question, moves)
