"""Making puzzles: a tour with most of its numbers removed, such that the remaining numbers determine it.

At first, a random part of the numbers is given. As long as another tour has the same numbers, a number on
which the two tours differ is added. Then numbers are removed if the remaining ones still exclude all other
tours, until the requested number remains. All other tours that were found are stored: if one of them agrees
with a set of numbers, the set is insufficient, and no search is needed (an implicit hitting set, as in Bailey
& Stuckey 2005).
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
from cavalcade.ground.budget import SECOND, Budget, assert_room, assert_time, limits
from cavalcade.ground.errors import CavalcadeError, TooLargeError, seconds_of
from cavalcade.puzzles.grading import GRADES, Grade, grade, next_numbers
from cavalcade.question.graph import BoardLike
from cavalcade.question.pieces import PieceLike
from cavalcade.question.question import Question
from cavalcade.question.words import validated

# By default one number in SHARE is given, and more if other tours have the same numbers.
SHARE = 3
# With `fewest`, one number in FIRST_SHARE is given at first. Twelve puzzles of 5x6, 6x6 and 8x8 and four open
# ones of 4x8 take 0.07e9 steps in all; from one number in 3 they take 0.25e9 and are hardly smaller.
FIRST_SHARE = 5
# Guesses until a search for other tours is abandoned, unless `fewest`. Then one number in HARDER is added.
PATIENCE = 1_000
HARDER = 25
# Tours that are tried, one after the other, with a second of work for each in the mean: the fewest numbers of
# 8x8 take 0.3 s.
TOURS = 100
# Cells from which compiling the kernels pays if few numbers are given: 8x8 with 14 numbers takes 0.7 s of
# processor time, interpreted at first 1.2 s.
COMPILE_FROM = 40


@validated
def puzzle(
    board: BoardLike | Question,
    *,
    piece: PieceLike | None = None,
    open: bool = False,
    given: int | None = None,
    fewest: bool = False,
    level: Grade | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
) -> Puzzle | Impossible | Undecided:
    """Make a puzzle with exactly one solution: a tour with most of its numbers removed.

    The same question and seed give the same puzzle on every machine, or none if a limit is reached.

    Args:
        board: a board, its spec, a move graph (without a piece), or a complete `Question`. The numbers of its
            start, end and steps are given; the tour satisfies its other constraints, and no other tour has
            the numbers.
        piece: a piece or its spec; by default the knight.
        open: an open tour instead of a closed one.
        given: number of given numbers; by default a third of the cells, or more if a third is not enough.
        fewest: remove numbers until none can be spared. Another seed may need fewer.
        level: one of `puzzles.grading.GRADES`; numbers are added until the puzzle is no harder.
        seed: seed of the tour and of the numbers.
        time_limit: seconds; by default none, because counted work ends the search.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.

    Raises:
        CavalcadeError: as `cavalcade.tour`; also if `given` is outside 0 to n, the level is unknown, or two
            of `given`, `fewest` and `level` are set.

    Time: about 0.05 s for 8x8, 0.5 s with the fewest numbers; a few seconds for 20x20.

    Examples:
        >>> puzzle("6x6", seed=1)
        <Puzzle closed of 6x6, 12 of 36 numbers>
    """
    question = Question.of(board, piece=piece, open=open)
    question.graph.assert_undirected("puzzles")
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
            assert_room(n * n // 8, f"a puzzle of {title}")  # one bit for each cell and step
            return _made(question, given, seed, fewest=fewest, level=level)
    except TimeoutError:
        limit = f"{seconds:g} s" if math.isfinite(seconds) else "time"
        return Undecided(f"no puzzle of {title} found in {limit}", "puzzle", seed)
    except TooLargeError as error:
        return Undecided(str(error), "puzzle", seed)


def _made(
    question: Question, given: int | None, seed: int, *, fewest: bool, level: str | None = None
) -> Puzzle | Impossible | Undecided:
    """Make a puzzle from one of the first `TOURS` tours.

    Raises:
        TimeoutError: the time limit is reached.
    """
    n, budget = question.board.size, Budget(TOURS * SECOND)
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
        target = 0 if fewest else -(-n // SHARE) if given is None else given
        steps = choice.steps(target, first=-(-n // FIRST_SHARE) if fewest else target)
        if budget.over:
            break
        least = min(least, len(steps))
        if given is None or len(steps) <= given:
            numbers = {step: int(solution.cells[step - 1]) for step in steps}
            difficulty = grade(question.graph, numbers, closed=question.closed)
            implied = next_numbers(question.graph, numbers, closed=question.closed) if level else {}
            for step in rng.permutation(n) + 1 if level else ():
                if GRADES.index(difficulty) <= GRADES.index(level):
                    break
                if step in implied:
                    continue  # an easy number makes the puzzle no easier
                numbers[int(step)] = int(solution.cells[step - 1])
                implied = next_numbers(question.graph, numbers, closed=question.closed)
                difficulty = grade(question.graph, numbers, closed=question.closed)
            if level not in {None, difficulty}:
                continue
            return Puzzle(
                question.board,
                tuple(numbers.items()),
                question.closed,
                question.piece,
                solution,
                difficulty,
                seed,
            )
    what = f" that is {level}" if level else ""
    reason = f"no puzzle of {question.board.title}{what} found in {number + 1:,} tours"
    if given is not None and least < n:
        what = f"no puzzle of {question.board.title} with {given} numbers found"
        reason = f"{what}, the fewest numbers that fix a tour were {least}"
    return Undecided(reason, "puzzle", seed)


def _turned(tour: Tour, question: Question, rng: np.random.Generator) -> Tour:
    """Return the same tour from a random cell and in a random direction, unless the question fixes them."""
    if question.given or question.direction:
        return tour
    if question.closed:
        tour = tour.rotated(int(rng.integers(len(tour))))
    return tour if rng.integers(2) else tour.reversed()


@dataclass
class _Choice:
    """Selects numbers of one tour that no other tour has.

    Attributes:
        question: the question.
        solution: the tour.
        rng: source of random choices.
        budget: work for the searches for other tours.
        patience: guesses per search.
        differences: steps on which each other tour found so far differs from the solution.
    """

    question: Question
    solution: Tour
    rng: np.random.Generator
    budget: Budget
    patience: float
    differences: list[set[int]] = field(default_factory=list)

    def steps(self, target: int, *, first: int) -> set[int]:
        """Select steps that determine the tour: `target` steps, or more if none of them can be spared.

        Args:
            target: requested number of steps.
            first: number of steps to start with.
        """
        n, fixed = len(self.solution), set(self.question.given)
        order = (self.rng.permutation(n) + 1).tolist()
        steps = fixed | set(order[:first])
        while not self.budget.over and (differing := self.other(steps)) != set():
            if differing:
                number, candidates = 1, differing
            else:  # the search was too hard
                number, candidates = -(-n // HARDER), set(range(1, n + 1)) - steps
            steps |= set(self.rng.permutation(sorted(candidates))[:number].tolist())
        for step in order:
            if len(steps) <= target or self.budget.over:
                break
            if step in steps - fixed and self.other(steps - {step}) == set():
                steps -= {step}
        return steps

    def other(self, steps: set[int]) -> set[int] | None:
        """Find another tour with the same steps.

        Returns:
            The steps on which it differs, an empty set if there is none, or None if the search is too hard.
        """
        for differing in self.differences:
            if differing.isdisjoint(steps):
                return differing
        cells = self.solution.cells
        solutions = numbered(
            self.question.graph,
            {step: int(cells[step - 1]) for step in steps},
            self.budget,
            closed=self.question.closed,
            most=2,
            most_guesses=self.patience,
            compiled=True if len(cells) >= COMPILE_FROM and len(steps) * SHARE < len(cells) else None,
        )
        assert_time("the numbers were chosen")
        for tour in solutions.tours:
            if differing := set((np.flatnonzero(tour != cells) + 1).tolist()):
                self.differences.append(differing)
                return differing
        return set() if solutions.complete else None
