"""Tours that go on from a walk, and keep as many of its first steps as can be.

The steps that are kept are moves that the tour has to make. If no tour keeps all of them, fewer are tried:
one less, two, four and so on, until one is found; then the number between is halved. What could not be
decided in its share of the time counts as impossible, so that the number kept is the greatest only where a
proof says so.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Unpack

from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible
from cavalcade.ask.portfolio import tour
from cavalcade.checking.tours import check
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from cavalcade.answers.verdict import Verdict
    from cavalcade.question.constraints import Constraints

SHARE = 0.2  # of the time, for one number of steps


@dataclass(frozen=True)
class Continuation:
    """What came of a walk.

    Args:
        walk: the walk.
        verdict: of the tours that keep `kept` of its steps.
        kept: how many of its first steps the tour has.
        greatest: whether a proof says that no tour keeps more.
    """

    walk: Tour
    verdict: Verdict
    kept: int
    greatest: bool

    def __str__(self) -> str:
        """What was changed."""
        if not isinstance(self.verdict, Found):
            return f"{self.verdict.status}: {self.verdict.reason}"
        if self.kept == len(self.walk):
            return f"all {self.kept:,} steps are kept"
        now, was = (one.cell_at(self.kept + 1) for one in (self.verdict.tour, self.walk))
        more = "no tour keeps more" if self.greatest else "perhaps more can be"
        what = f"{self.kept:,} of {len(self.walk):,} steps are kept"
        return f"{what}, step {self.kept + 1:,} is {now}, not {was}; {more}"


def continue_walk(
    walk: Tour,
    *,
    open: bool = False,  # noqa: A002 - the field's word, and the command line's
    keep: int | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    **constraints: Unpack[Constraints],
) -> Continuation:
    """A tour that goes on from a walk, and keeps as many of its first steps as can be found to be kept.

    Args:
        walk: a walk that got stuck or was begun by hand, or a tour to be changed.
        open: an open tour that begins where the walk does, instead of a closed one.
        keep: keep so many steps at least; by default one, where the walk begins.
        seed: of the random choices.
        time_limit: seconds in all; by default ten.
        constraints: what else is asked of the tour, see `cavalcade.question.constraints`; no symmetry.

    Raises:
        CavalcadeError: an empty walk, one that is no walk so far, or a number of steps that it has not.
    """
    began, limit = time.perf_counter(), 10.0 if time_limit is None else time_limit
    if constraints.get("symmetry"):
        raise CavalcadeError("a walk is not continued to a tour that a symmetry keeps")
    if not len(walk):
        raise CavalcadeError("there is no step to go on from: the walk is empty")
    first = int(walk.cells[0])
    asked = Question.of(walk.board, piece=walk.piece, open=open, **constraints)
    if asked.given.get(1, first) != first:
        names = walk.board.name(first), walk.board.name(asked.given[1])
        raise CavalcadeError(f"the walk begins at {names[0]}, and step 1 cannot be {names[1]}, too")
    legal = _legal(walk, asked)
    least = 1 if keep is None else keep
    if not 1 <= least <= legal:
        raise CavalcadeError(f"{least} steps of the walk cannot be kept, expected 1 to {legal}")

    def answer(count: int) -> Verdict:
        """A tour that keeps so many steps."""
        cells = walk.cells[:count].tolist()
        required = {*_moves(cells, asked), *asked.required}
        steps = {*asked.steps, *([(2, cells[1])] if asked.steps and count > 1 else [])}
        question = replace(asked, start=first, steps=tuple(sorted(steps)), required=tuple(sorted(required)))
        left = limit - (time.perf_counter() - began)
        verdict = tour(question, seed=seed, time_limit=max(min(SHARE * limit, left), 0.01))
        if isinstance(verdict, Found) and count > 1 and verdict.tour.cells[1] != cells[1]:
            verdict = replace(verdict, tour=verdict.tour.reversed())
        return verdict

    verdict = answer(legal)
    if isinstance(verdict, Found):
        return Continuation(walk, verdict, legal, greatest=True)
    bad, back = legal, 1
    while not isinstance(verdict, Found):
        refuted = isinstance(verdict, Impossible)
        if bad == least:
            return Continuation(walk, verdict, bad, greatest=False)
        good = max(least, legal - back)
        verdict = answer(good)
        bad, back = bad if isinstance(verdict, Found) else good, 2 * back
    while bad - good > 1:
        middle = (good + bad) // 2
        other = answer(middle)
        if isinstance(other, Found):
            good, verdict = middle, other
        else:
            bad, refuted = middle, isinstance(other, Impossible)
    return Continuation(walk, verdict, good, greatest=refuted)


def _legal(walk: Tour, asked: Question) -> int:
    """How many first steps are new cells, each a move that may be made from the one before."""
    wrong = check(Tour(walk.board, walk.cells, closed=False, piece=walk.piece)).step
    legal = len(walk) if wrong is None else wrong - 1
    moves = _moves(walk.cells[:legal].tolist(), asked)
    return next((i for i, move in enumerate(moves, 1) if move in asked.forbidden), legal)


def _moves(cells: list[int], asked: Question) -> list[tuple[int, int]]:
    """The moves of a walk as a question has them."""
    return [move if asked.graph.directed else (min(move), max(move)) for move in pairwise(cells)]
