"""Tours that continue a walk, and have as many of its first steps as possible.

These steps are moves that the tour must make. If no tour has all of them, fewer are tried: one less, two,
four and so on, until a tour is found; then the number between is halved. A number that is not decided with
its share of the work counts as impossible, so the number found is the greatest only where a proof says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Unpack

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Verdict
from cavalcade.ask.portfolio import answer
from cavalcade.checking.tours import check
from cavalcade.ground.budget import SECOND, Budget, limits
from cavalcade.ground.errors import CavalcadeError, seconds_of
from cavalcade.question.question import Question
from cavalcade.question.words import QuestionWords, validated

SHARE = 0.2  # of the work that the time limit allows, for one number of steps


@dataclass(frozen=True)
class Continuation:
    """The tour that continues a walk.

    Args:
        walk: the walk.
        verdict: on the tours with `kept` of its steps.
        kept: the number of its first steps that the tour has.
        greatest: whether a proof says that no tour has more.

    Examples:
        >>> str(continue_walk(warnsdorff("8x8", "a5").partial, open=True))
        '53 of 60 steps are kept, step 54 is f1, not b3; no tour keeps more'
    """

    walk: Tour
    verdict: Verdict
    kept: int
    greatest: bool

    def __str__(self) -> str:
        """How many steps are kept, and which is the first that is not."""
        if not isinstance(self.verdict, Found):
            return f"{self.verdict.status}: {self.verdict.reason}"
        if self.kept == len(self.walk):
            return f"all {self.kept:,} steps are kept"
        now, was = (one.cell_at(self.kept + 1) for one in (self.verdict.tour, self.walk))
        more = "no tour keeps more" if self.greatest else "perhaps more can be"
        what = f"{self.kept:,} of {len(self.walk):,} steps are kept"
        return f"{what}, step {self.kept + 1:,} is {now}, not {was}; {more}"


@validated
def continue_walk(
    walk: Tour,
    *,
    keep: int | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    **words: Unpack[QuestionWords],
) -> Continuation:
    """A tour that continues a walk, and keeps as many of its first steps as possible.

    Args:
        walk: a walk that got stuck or was begun by hand, or a tour to be changed.
        keep: keep at least so many steps; by default one, where the walk starts.
        seed: of the random choices.
        time_limit: seconds in all; by default ten. Where it is reached, the best tour so far is given.
        memory: bytes, or text such as "4G"; by default what the machine has.
        words: what is asked of the tour, see `Question.of`; neither a piece nor a symmetry.

    Raises:
        CavalcadeError: an empty walk, a walk that breaks the rules, or more steps than it has.

    Examples:
        >>> walk = warnsdorff("8x8", "a5").partial
        >>> continue_walk(walk, open=True).kept
        53
    """
    if words.get("symmetry"):
        raise CavalcadeError("a walk is not continued to a symmetric tour: leave out symmetry")
    if words.get("piece") is not None:
        raise CavalcadeError("a walk comes with its piece: leave out piece")
    words["piece"] = walk.piece
    if not len(walk):
        raise CavalcadeError("the walk is empty, expected at least one step")
    first = int(walk.cells[0])
    asked = Question.of(walk.board, **words)
    if asked.given.get(1, first) != first:
        names = walk.board.name(first), walk.board.name(asked.given[1])
        raise CavalcadeError(f"the walk starts at {names[0]}, so step 1 cannot be {names[1]}")
    legal = _legal(walk, asked)
    least = 1 if keep is None else keep
    if not 1 <= least <= legal:
        raise CavalcadeError(f"{least} steps of the walk cannot be kept, expected 1 to {legal}")

    limit = 10.0 if time_limit is None else seconds_of(time_limit)

    def keeping(count: int) -> Verdict:
        """A tour with so many steps of the walk."""
        cells = walk.cells[:count].tolist()
        required = {*_moves(cells, asked), *asked.required}
        steps = {*asked.steps, *([(2, cells[1])] if asked.steps and count > 1 else [])}
        question = replace(asked, start=first, steps=tuple(sorted(steps)), required=tuple(sorted(required)))
        verdict = answer(question, seed, budget=Budget(SHARE * limit * SECOND))
        if isinstance(verdict, Found) and count > 1 and verdict.tour.cells[1] != cells[1]:
            verdict = replace(verdict, tour=verdict.tour.reversed())
        return verdict

    with limits(limit, memory):
        verdict, kept, bad, refuted = keeping(legal), legal, legal + 1, True
        back = 1
        while not isinstance(verdict, Found):
            bad, refuted = kept, isinstance(verdict, Impossible)
            if kept == least:
                return Continuation(walk, verdict, kept, greatest=False)
            kept, back = max(least, legal - back), 2 * back
            verdict = keeping(kept)
        while bad - kept > 1:
            middle = (kept + bad) // 2
            other = keeping(middle)
            if isinstance(other, Found):
                kept, verdict = middle, other
            else:
                bad, refuted = middle, isinstance(other, Impossible)
    return Continuation(walk, verdict, kept, greatest=refuted)


def _legal(walk: Tour, asked: Question) -> int:
    """How many first steps are new cells, each a move that may be made from the one before."""
    wrong = check(Tour(walk.board, walk.cells, closed=False, piece=walk.piece)).step
    legal = len(walk) if wrong is None else wrong - 1
    moves = _moves(walk.cells[:legal].tolist(), asked)
    return next((i for i, move in enumerate(moves, 1) if move in asked.forbidden), legal)


def _moves(cells: list[int], asked: Question) -> list[tuple[int, int]]:
    """The moves of a walk as a question has them."""
    return [move if asked.graph.directed else (min(move), max(move)) for move in pairwise(cells)]
