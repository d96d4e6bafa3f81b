"""Puzzles made: a tour with most of its numbers removed, such that no other tour has those that stay.

A random part of the numbers is given at first. As long as another tour has them too, one of those where it
differs is added; then each number is removed again whose absence admits no other tour, until as many remain
as asked for. Every other tour that was met is remembered: where it agrees with a set of numbers,
the set is known not to be enough, and no search is needed (an implicit hitting set, as Bailey & Stuckey
2005 find the least sets of constraints).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from cavalcade.answers.puzzles import Puzzle
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.ask.portfolio import answer
from cavalcade.find.numbered import numbered
from cavalcade.ground.budget import Budget, assert_room, assert_time, limits
from cavalcade.ground.errors import CavalcadeError, TooLargeError, seconds_of
from cavalcade.puzzles.grading import GRADES, grade, next_numbers
from cavalcade.question.graph import BoardLike
from cavalcade.question.pieces import PieceLike
from cavalcade.question.question import Question
from cavalcade.question.words import validated

SHARE = 3  # one in so many numbers is given by default
FIRST_SHARE = 5  # one in so many is given at first where the fewest are wanted
PATIENCE = 1_000  # guesses after which numbers are added, unless the fewest are wanted
HARDER = 25  # then one in so many
TOURS = 100  # that are tried, one after the other
WORK = 1e10  # steps of the search for other tours, 100 s or so; the fewest numbers of 8x8 take 0.3 % of it
BITS = 8  # of the table of the steps that each cell may have, in a byte
COMPILE_FROM = 40  # cells from which the fewest numbers are worth compiling the kernels for


@validated
def puzzle(
    board: BoardLike | Question,
    *,
    piece: PieceLike | None = None,
    open: bool = False,
    given: int | None = None,
    fewest: bool = False,
    level: str | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
) -> Puzzle | Impossible | Undecided:
    """A puzzle with exactly one solution: a tour with most of its numbers removed.

    The same question and seed have the same puzzle on every machine, or none within a limit.

    Args:
        board: a board, its spec, a move graph (without a piece), or a whole `Question`. The numbers of its
            start, end and steps stay; the tour has what else it asks, and no other tour has the numbers.
        piece: a piece or its spec; by default the knight.
        open: an open tour instead of a closed one.
        given: how many numbers stay; by default a third, or more where a third is not enough.
        fewest: as few as possible in this sense: no number can be spared. Another seed may need fewer.
        level: one of `puzzles.grading.GRADES`; numbers are added until the puzzle is no harder.
        seed: of the tour and of the numbers.
        time_limit: seconds; by default none, as counted work ends the search.
        memory: bytes, or text such as "4G"; by default what the machine has.

    Raises:
        CavalcadeError: as `cavalcade.tour`, a number of numbers outside 0 to n, an unknown level, or two of
            `given`, `fewest` and `level`.

    Time: 8x8 some 0.05 s, with the fewest numbers 0.5 s; 20x20 some seconds.

    Examples:
        >>> puzzle("6x6", seed=1)
        <Puzzle closed of 6x6, 12 of 36 numbers>
    """
    question = Question.of(board, piece=piece, open=open)
    n, title = question.board.size, question.board.title
    if given is not None and (fewest or not 0 <= given <= n):
        what = "cannot be combined with fewest" if fewest else f"is not a number of cells, expected 0 to {n}"
        raise CavalcadeError(f"given {given} {what}")
    if level is not None and (level not in GRADES or fewest or given is not None):
        what = "excludes given and fewest" if level in GRADES else f"is unknown, expected {', '.join(GRADES)}"
        raise CavalcadeError(f"level {level!r} {what}")
    seconds = math.inf if time_limit is None else seconds_of(time_limit)
    try:
        with limits(seconds, memory):
            assert_room(n * n // BITS, f"a puzzle of {title}")
            return _made(question, given, seed, fewest=fewest, level=level)
    except TimeoutError:
        return Undecided(f"no puzzle of {title} found in {seconds:g} s", "puzzle", seed)
    except TooLargeError as error:
        return Undecided(str(error), "puzzle", seed)


def _made(
    question: Question, given: int | None, seed: int, *, fewest: bool, level: str | None = None
) -> Puzzle | Impossible | Undecided:
    """A puzzle with one of the first tours.

    Raises:
        TimeoutError: the time limit comes first.
    """
    n, budget = question.board.size, Budget(WORK)
    fewest = fewest or level in GRADES[2:]
    least = n
    for number in range(TOURS):
        rng = np.random.default_rng([abs(seed), number])
        verdict = answer(question, int(rng.integers(2**31)))
        assert_time("no tour was found")
        if not isinstance(verdict, Found):
            return verdict
        solution = _turned(verdict.tour, question, rng)
        choice = _Choice(question, solution, rng, budget, math.inf if fewest else PATIENCE)
        wanted = 0 if fewest else -(-n // SHARE) if given is None else given
        steps = choice.steps(wanted, first=-(-n // FIRST_SHARE) if fewest else wanted)
        if budget.over:
            break
        least = min(least, len(steps))
        if given is None or len(steps) <= given:
            standing = {step: int(solution.cells[step - 1]) for step in steps}
            hard = grade(question.graph, standing, closed=question.closed)
            known = next_numbers(question.graph, standing, closed=question.closed) if level else {}
            for step in rng.permutation(n) + 1 if level else ():
                if GRADES.index(hard) <= GRADES.index(level):
                    break
                if step in known:
                    continue  # it would help nobody
                standing[int(step)] = int(solution.cells[step - 1])
                known = next_numbers(question.graph, standing, closed=question.closed)
                hard = grade(question.graph, standing, closed=question.closed)
            if level not in {None, hard}:
                continue
            numbers = tuple(standing.items())
            return Puzzle(question.board, numbers, question.closed, question.piece, solution, hard, seed)
    what = f" that is {level}" if level else ""
    reason = f"no puzzle of {question.board.title}{what} found in {number + 1:,} tours"
    if given is not None and least < n:
        what = f"no puzzle of {question.board.title} with {given} numbers found"
        reason = f"{what}, the fewest numbers that fix a tour were {least}"
    return Undecided(reason, "puzzle", seed)


def _turned(tour: Tour, question: Question, rng: np.random.Generator) -> Tour:
    """The same tour, from any cell and in either direction, unless the question fixes them."""
    if question.given or question.direction:
        return tour
    if question.closed:
        tour = tour.rotated(int(rng.integers(len(tour))))
    return tour if rng.integers(2) else tour.reversed()


@dataclass
class _Choice:
    """Numbers of one tour that no other tour has."""

    question: Question
    solution: Tour
    rng: np.random.Generator
    budget: Budget
    patience: float
    others: list[set[int]] = field(default_factory=list)  # of other tours met, the steps where each differs

    def steps(self, wanted: int, *, first: int) -> set[int]:
        """Steps that no other tour has, `wanted` of them or as few more as none can be spared of."""
        n, fixed = len(self.solution), set(self.question.given)
        order = (self.rng.permutation(n) + 1).tolist()
        steps = fixed | set(order[:first])
        while not self.budget.over and (other := self.other(steps)) != set():
            more = (1, other) if other else (-(-n // HARDER), set(range(1, n + 1)) - steps)
            steps |= set(self.rng.permutation(sorted(more[1]))[: more[0]].tolist())
        for step in order:
            if len(steps) <= wanted or self.budget.over:
                break
            if step in steps - fixed and self.other(steps - {step}) == set():
                steps -= {step}
        return steps

    def other(self, steps: set[int]) -> set[int] | None:
        """Where another tour with these steps differs; nothing if there is none, None if that is too hard."""
        for other in self.others:
            if other.isdisjoint(steps):
                return other
        cells = self.solution.cells
        found = numbered(
            self.question.graph,
            {step: int(cells[step - 1]) for step in steps},
            self.budget,
            closed=self.question.closed,
            most=2,
            most_guesses=self.patience,
            compiled=True if len(cells) >= COMPILE_FROM and len(steps) * SHARE < len(cells) else None,
        )
        assert_time("the numbers were chosen")
        for tour in found.tours:
            if differs := set((np.flatnonzero(tour != cells) + 1).tolist()):
                self.others.append(differs)
                return differs
        return set() if found.complete else None
