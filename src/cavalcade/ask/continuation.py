"""Tours that continue a walk, and keep the greatest possible number of its first steps.

The moves between these steps are required moves of the tour. If no tour has all of them, the number of steps
is reduced by 1, 2, 4 and so on until a tour is found; then bisection finds the greatest number. A number that
its share of the work does not decide counts as impossible, so the result is the greatest only if the next
number was refuted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Unpack

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Verdict
from cavalcade.answers.verification import Verification
from cavalcade.ask.portfolio import TurnCallback, answer
from cavalcade.checking.tours import check
from cavalcade.checking.verification import continued, refuted
from cavalcade.ground.budget import SECOND, Budget, limits
from cavalcade.ground.errors import CavalcadeError, seconds_of
from cavalcade.question.question import Question
from cavalcade.question.words import QuestionWords, validated


@dataclass(frozen=True)
class Continuation:
    """A tour that keeps the beginning of a walk.

    Args:
        walk: the walk.
        verdict: verdict on the tours with the first `kept` steps of the walk.
        kept: number of first steps of the walk that the tour keeps.
        greatest: whether it is proved that no tour keeps more steps.
        verification: `CERTIFIED` if the checker has verified the tour, and that no tour keeps more steps.

    Examples:
        >>> str(continue_walk(warnsdorff("8x8", "a5").partial, open=True))
        '53 of 60 steps are kept, step 54 is f1, not b3; no tour keeps more, certified'
    """

    walk: Tour
    verdict: Verdict
    kept: int
    greatest: bool
    verification: Verification = Verification.UNCHECKED

    def __str__(self) -> str:
        """Describe how many steps are kept, and the first step that differs."""
        if not isinstance(self.verdict, Found):
            return f"{self.verdict.status}: {self.verdict.reason}"
        if self.kept == len(self.walk):
            return f"all {self.kept:,} steps are kept, {self.verification}"
        step = self.kept + 1
        now, before = self.verdict.tour.cell_at(step), self.walk.cell_at(step)
        limit = f"no tour keeps more, {self.verification}" if self.greatest else "perhaps more can be"
        kept = f"{self.kept:,} of {len(self.walk):,} steps are kept"
        return f"{kept}, step {step:,} is {now}, not {before}; {limit}"


@validated
def continue_walk(
    walk: Tour,
    *,
    keep: int | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    progress: TurnCallback | None = None,
    **words: Unpack[QuestionWords],
) -> Continuation:
    """Find a tour that keeps the longest possible beginning of a given walk.

    Args:
        walk: a walk that got stuck or was begun by hand, or a tour to change.
        keep: least number of steps to keep; by default one, the start.
        seed: seed of the random choices.
        time_limit: seconds in all; by default ten. At the limit the best tour so far is returned.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.
        progress: called with an `Effort` after every run of an engine.
        words: constraints of the tour, see `Question.of`; neither a piece nor a symmetry.

    Raises:
        CavalcadeError: the walk is empty, or fewer than `keep` of its steps are legal.

    Examples:
        >>> walk = warnsdorff("8x8", "a5").partial
        >>> continue_walk(walk, open=True).kept
        53
    """
    search = WalkSearch(walk, seed, 10.0 if time_limit is None else seconds_of(time_limit), words)
    with limits(search.seconds, memory, progress):
        return search.continuation(keep)


class WalkSearch:
    """Searches for tours that begin with given cells; all searches share one budget of work.

    Args:
        walk: a walk with at least one step.
        seed: seed of the random choices.
        seconds: time limit, which also sets the work of all searches together.
        words: constraints of the tours, see `Question.of`.

    Attributes:
        question: the question whose tours count.
        legal: number of first steps that visit a new cell by an allowed move.

    Raises:
        CavalcadeError: the walk is empty or contradicts the constraints.
    """

    def __init__(self, walk: Tour, seed: int, seconds: float, words: QuestionWords) -> None:
        if words.get("symmetry"):
            raise CavalcadeError("a walk is not continued to a symmetric tour: leave out symmetry")
        if words.get("piece") is not None:
            raise CavalcadeError("a walk comes with its piece: leave out piece")
        words["piece"] = walk.piece
        if not len(walk):
            raise CavalcadeError("the walk is empty, expected at least one step")
        self.walk, self.seed, self.seconds = walk, seed, seconds
        self.question = question = Question.of(walk.board, **words)
        start = int(walk.cells[0])
        if question.given.get(1, start) != start:
            names = walk.board.name(start), walk.board.name(question.given[1])
            raise CavalcadeError(f"the walk starts at {names[0]}, so step 1 cannot be {names[1]}")
        self.legal = _legal(walk, question)
        self.budget = Budget(seconds * SECOND)
        self._verdicts: dict[tuple[int, ...], Verdict] = {}  # by the cells of the beginning

    def beginning(self, cells: list[int]) -> Verdict:
        """Search for a tour that begins with these cells, with half of the remaining work; only once."""
        if (verdict := self._verdicts.get(tuple(cells))) is not None:
            return verdict
        verdict = answer(self.question_about(cells), self.seed, budget=self.budget.part(self.budget.left / 2))
        if isinstance(verdict, Found) and len(cells) > 1 and verdict.tour.cells[1] != cells[1]:
            verdict = replace(verdict, tour=verdict.tour.reversed())
        self._verdicts[tuple(cells)] = verdict
        return verdict

    def question_about(self, cells: list[int]) -> Question:
        """Return the question about tours that begin with these cells."""
        question = self.question
        required = {*_moves(cells, question), *question.required}
        steps = {*question.steps, *([(2, cells[1])] if question.steps and len(cells) > 1 else [])}
        return replace(question, start=cells[0], steps=tuple(sorted(steps)), required=tuple(sorted(required)))

    def continuation(self, keep: int | None = None) -> Continuation:
        """Find a tour that keeps the greatest possible number of first steps, at least `keep`.

        Raises:
            CavalcadeError: fewer than `keep` steps are legal.
        """
        walk, legal = self.walk, self.legal
        least = 1 if keep is None else keep
        if not 1 <= least <= legal:
            raise CavalcadeError(f"{least} steps of the walk cannot be kept, expected 1 to {legal}")

        def keeping(count: int) -> Verdict:
            return self.beginning(walk.cells[:count].tolist())

        # Invariant: no tour with `bad` steps was found; `rejected` is the verdict, None for an illegal step.
        verdict, kept, bad = keeping(legal), legal, legal + 1
        rejected: Verdict | None = None
        back = 1
        while not isinstance(verdict, Found):
            bad, rejected = kept, verdict
            if kept == least:
                verification = refuted(self.question_about(walk.cells[:kept].tolist()), verdict)
                return Continuation(walk, verdict, kept, greatest=False, verification=verification)
            kept, back = max(least, legal - back), 2 * back
            verdict = keeping(kept)
        while bad - kept > 1:
            middle = (kept + bad) // 2
            attempt = keeping(middle)
            if isinstance(attempt, Found):
                kept, verdict = middle, attempt
            else:
                bad, rejected = middle, attempt
        verification = continued(walk, self.question, verdict.tour, kept, rejected)
        greatest = rejected is None or isinstance(rejected, Impossible)
        return Continuation(walk, verdict, kept, greatest, verification)


def _legal(walk: Tour, question: Question) -> int:
    """Return the number of first steps that visit a new cell by an allowed move."""
    wrong = check(Tour(walk.board, walk.cells, closed=False, piece=walk.piece)).step
    legal = len(walk) if wrong is None else wrong - 1
    moves = _moves(walk.cells[:legal].tolist(), question)
    return next((i for i, move in enumerate(moves, 1) if move in question.forbidden), legal)


def _moves(cells: list[int], question: Question) -> list[tuple[int, int]]:
    """Return the moves of a walk as pairs, in the order in which a question stores their cells."""
    return [move if question.graph.directed else (min(move), max(move)) for move in pairwise(cells)]
