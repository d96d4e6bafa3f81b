"""Making puzzles: a tour with most of its numbers removed, such that the clues determine it.

A clue is a number, a wall or a link. At first, a random part of the numbers is given. As long as another tour
satisfies all clues, a clue that excludes it is added. Then clues are removed if the remaining ones still
exclude all other tours. All other tours that were found are stored: if one of them satisfies a set of clues,
the set is insufficient, and no search is needed (an implicit hitting set, as in Bailey & Stuckey 2005).
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np

from cavalcade.answers.puzzles import Puzzle
from cavalcade.answers.tours import Tour
from cavalcade.answers.verdict import Found, Impossible, Undecided
from cavalcade.ask.portfolio import TurnCallback, answer, reporting
from cavalcade.boards import Board
from cavalcade.find.numbered import numbered
from cavalcade.ground.budget import SECOND, Budget, assert_room, assert_time, because, limits
from cavalcade.ground.errors import CavalcadeError, TooLargeError, seconds_of
from cavalcade.ground.kernels import Cells
from cavalcade.puzzles.grading import GRADES, Grade, grade_of, next_numbers
from cavalcade.puzzles.kinds import KindName, PuzzleKind, kind_named
from cavalcade.puzzles.syllables import walk_of_length
from cavalcade.question.as_graph import without_edges
from cavalcade.question.graph import BoardLike, board_or_graph
from cavalcade.question.pieces import PieceLike, piece_of
from cavalcade.question.question import Question
from cavalcade.question.words import validated

# A number of the solution by its step, or a move: a wall or a link.
Clue: TypeAlias = int | tuple[int, int]

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
    kind: KindName | None = None,
    given: int | None = None,
    fewest: bool = False,
    level: Grade | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    memory: int | str | None = None,
    progress: TurnCallback | None = None,
) -> Puzzle | Impossible | Undecided:
    """Make a puzzle with exactly one solution: a tour with most of its step numbers removed.

    The same question and seed give the same puzzle on every machine, or none if a limit is reached.

    Args:
        board: a board, its spec, a move graph (without a piece), or a complete `Question`. The numbers of its
            start, end and steps are given; the tour satisfies its other constraints, and no other tour has
            the numbers.
        piece: a piece or its spec; by default the knight.
        open: an open tour instead of a closed one.
        kind: `hidato`, `numbrix`, `hopido`, `holy-knight`, `zip` or `rikudo`, which have their own pieces and
            open tours. A Zip gives walls, and a Rikudo links, besides the numbers. The tour of a holy knight
            leaves out some cells of a board without holes.
        given: number of given numbers; by default a third of the cells, or more if a third is not enough.
        fewest: remove numbers until none can be spared. Another seed may need fewer.
        level: one of `puzzles.grading.GRADES`; clues are added until the puzzle is no harder.
        seed: seed of the tour and of the numbers.
        time_limit: seconds; by default none, because counted work ends the search.
        memory: limit in bytes or as text such as "4G"; by default all memory of the machine.
        progress: called with an `Effort` after every run of an engine, and while numbers are chosen.

    Raises:
        CavalcadeError: as `cavalcade.tour`; also if `given` is outside 0 to n, the level or the kind is
            unknown, the kind has another board or piece, or two of `given`, `fewest` and `level` are set.

    Time: about 0.05 s for a knight on 8x8, 0.5 s with the fewest numbers; a few seconds for 20x20. Zips take
    longer, because the search for other ways has few numbers to start from: 3 s for 10x10, 15 s for 12x12.
    Very hard puzzles are rare: 100 tours, each with the fewest numbers, gave none on 6x6 (Numbrix, Hopido,
    Zip), hex:4 (Rikudo) and 8x8 (holy knight), in 2 to 5 s.

    Examples:
        >>> puzzle("6x6", seed=1)
        <Puzzle closed of 6x6, 12 of 36 numbers>
    """
    rules = None if kind is None else kind_named(kind)
    question = Question.of(board, piece=piece, open=open) if rules is None else _of_kind(board, piece, rules)
    question.graph.assert_undirected("puzzles")
    n, title = question.board.size, question.board.title
    least = min(2, n) if rules is not None and rules.ends else 0
    if given is not None and (fewest or not least <= given <= n):
        expected = f"is not a number of cells, expected {least} to {n}"
        raise CavalcadeError(f"given {given} {'cannot be combined with fewest' if fewest else expected}")
    if level is not None and (level not in GRADES or fewest or given is not None):
        what = "excludes given and fewest" if level in GRADES else f"is unknown, expected {', '.join(GRADES)}"
        raise CavalcadeError(f"level {level!r} {what}")
    seconds = math.inf if time_limit is None else seconds_of(time_limit)
    try:
        with limits(seconds, memory, progress):
            assert_room(n * n // 8, f"a puzzle of {title}")  # one bit for each cell and step
            return _made(question, rules, given, seed, fewest=fewest, level=level)
    except TimeoutError:
        what = f" that is {level}" if level else ""
        return Undecided(because(f"no puzzle of {title}{what} found", seconds), "puzzle", seed)
    except TooLargeError as error:
        return Undecided(str(error), "puzzle", seed)


def _of_kind(board: BoardLike | Question, piece: PieceLike | None, kind: PuzzleKind) -> Question:
    """Return the question of a puzzle of a kind.

    Raises:
        CavalcadeError: the piece or the board is not of the kind, or the question is about closed tours or
            has a symmetry, a direction or an order.
    """
    kind_piece = piece_of(kind.piece)
    if not isinstance(board, Question):
        board = Question.of(kind.board(board_or_graph(board)), piece=piece or kind_piece, open=True)
    kind.board(board.board)
    if board.piece != kind_piece or board.closed:
        raise CavalcadeError(f"{kind.title} has open tours of {kind.piece}: drop the piece")
    if board.symmetry or board.direction or board.through:
        raise CavalcadeError(f"{kind.title} can have given steps, links and walls: drop the rest")
    return board


def _made(
    question: Question,
    kind: PuzzleKind | None,
    given: int | None,
    seed: int,
    *,
    fewest: bool,
    level: str | None = None,
) -> Puzzle | Impossible | Undecided:
    """Make a puzzle from one of the first `TOURS` tours.

    Raises:
        TimeoutError: the time limit is reached.
    """
    budget = reporting("numbers", TOURS * SECOND)
    fewest = fewest or (level in GRADES[2:] and (kind is None or kind.gives == "steps"))
    least, grades = question.board.size, set[str]()
    for number in range(TOURS):
        rng = np.random.default_rng([abs(seed), number])
        solution = _solution(question, kind, rng)
        assert_time("no tour was found")
        if not isinstance(solution, Tour):
            return solution
        n = len(solution)
        if solution.board is not question.board:  # the tour leaves out some cells, which are holes now
            question_of_tour = Question.of(solution.board, piece=solution.piece, open=True)
        else:
            question_of_tour = question
        patience = math.inf if fewest else PATIENCE
        choice = _Choice(question_of_tour, kind, solution, rng, budget, patience)
        share = SHARE if kind is None else kind.share
        target = 0 if fewest else -(-n // share) if given is None else given
        clues = choice.clues(target, first=-(-n // FIRST_SHARE) if fewest else target)
        if budget.over:
            break
        least = min(least, len(steps_in(clues)))
        if given is None or len(steps_in(clues)) <= given:
            made = choice.puzzle(clues, seed)
            if level is not None:
                made = choice.easier(clues, level, seed)
            if level in {None, made.grade}:
                return made
            grades.add(made.grade)
    what = f" that is {level}" if level else ""
    reason = f"no puzzle of {question.board.title}{what} found in {number + 1:,} tours"
    if grades:
        reason += f"; those found are {' or '.join(filter(grades.__contains__, GRADES))}"
    if given is not None and least < question.board.size:
        what = f"no puzzle of {question.board.title} with {given} numbers found"
        reason = f"{what}, the fewest numbers that fix a tour were {least}"
    return Undecided(reason, "puzzle", seed)


def _solution(
    question: Question, kind: PuzzleKind | None, rng: np.random.Generator
) -> Tour | Impossible | Undecided:
    """Return a random tour, or one of a part of the board for a kind that leaves out some cells."""
    board, seed = question.board, int(rng.integers(2**31))
    if kind is not None and kind.visited < 1 and isinstance(board, Board) and not board.holes:
        return walk_of_length(board, round(kind.visited * board.size), question.piece, seed)
    verdict = answer(question, seed)
    if not isinstance(verdict, Found):
        return verdict
    if kind is not None and not question.given and not question.constraints and board.size > 1:
        return _mixed(verdict.tour, question, rng)
    return _turned(verdict.tour, question, rng)


def _mixed(tour: Tour, question: Question, rng: np.random.Generator) -> Tour:
    """Change the ends of an open tour at random, again and again (backbiting: Oberdorf et al. 2006).

    A move leads from the last cell back to a cell inside the tour, whose next cell becomes the last one.
    Engines find regular tours of a wazir, which make dull puzzles; about ten changes per cell undo that.
    """
    cells = tour.cells.tolist()
    for _ in range(20 * len(cells)):
        if rng.random() < 0.5:
            cells.reverse()
        heads = question.allowed.neighbours(cells[-1])
        inside = cells.index(heads[rng.integers(len(heads))]) + 1
        cells[inside:] = cells[inside:][::-1]
    return Tour(tour.board, np.array(cells, dtype=np.int32), closed=False, piece=tour.piece)


def _turned(tour: Tour, question: Question, rng: np.random.Generator) -> Tour:
    """Return the same tour from a random cell and in a random direction, unless the question fixes them."""
    if question.given or question.direction:
        return tour
    if question.closed:
        tour = tour.rotated(int(rng.integers(len(tour))))
    return tour if rng.integers(2) else tour.reversed()


def steps_in(clues: Collection[Clue]) -> list[int]:
    """Return the steps among some clues, in ascending order."""
    return sorted(clue for clue in clues if isinstance(clue, int))


class _Other(NamedTuple):
    """Another tour.

    Attributes:
        excluding: clues, each of which excludes the tour.
        steps: step of the tour on each cell of the solution, in the order of the solution.
    """

    excluding: set[Clue]
    steps: Cells

    def satisfies(self, clues: Collection[Clue], *, ordered: bool) -> bool:
        """Return whether the tour satisfies some clues."""
        if not self.excluding.isdisjoint(clues):
            return False
        return not ordered or bool((np.diff(self.steps[np.array(steps_in(clues)) - 1]) > 0).all())


@dataclass
class _Choice:
    """Selects clues of one tour that no other tour satisfies.

    Attributes:
        question: the question.
        kind: the kind of the puzzle; None for numbers alone.
        solution: the tour.
        rng: source of random choices.
        budget: work for the searches for other tours.
        patience: guesses per search.
        other_tours: the other tours that were found.
    """

    question: Question
    kind: PuzzleKind | None
    solution: Tour
    rng: np.random.Generator
    budget: Budget
    patience: float
    other_tours: list[_Other] = field(default_factory=list)

    def __post_init__(self) -> None:
        n, kind = len(self.solution), self.kind
        self.gives = "steps" if kind is None else kind.gives
        self.ordered = kind is not None and kind.ordered
        self.made = _moves(self.solution.cells)
        self.fixed: set[Clue] = {*self.question.given, *((1, n) if kind is not None and kind.ends else ())}
        if kind is not None and kind.visited < 1:
            self.fixed.add(1)
        moves = {(min(move), max(move)) for move in self.question.allowed.pairs()}
        pools: dict[str, set[Clue]] = {
            "steps": {*range(1, n + 1)},
            "links": {*self.made.difference(self.question.required)},
            "walls": {*(moves - self.made)},
        }
        self.pool = pools[self.gives]

    def _drawn(self, clues: Collection[Clue], number: int | None = None) -> list[Clue]:
        """Return some of these clues in a random order, by default all of them."""
        ascending = sorted(clues)
        return [ascending[i] for i in self.rng.permutation(len(ascending))[:number].tolist()]

    def clues(self, target: int, *, first: int) -> set[Clue]:
        """Select clues that determine the tour, with `target` numbers, or more if none can be spared.

        Args:
            target: requested number of numbers.
            first: number of numbers to start with.
        """
        n = len(self.solution)
        order: list[Clue] = (self.rng.permutation(n) + 1).tolist()
        spare = first if self.kind is None else max(first - len(self.fixed), 0)
        clues = self.fixed | {
            *[step for step in order if self.kind is None or step not in self.fixed][:spare]
        }
        while not self.budget.over and (excluding := self.other(clues)) != set():
            if excluding:
                number, candidates = 1, excluding & self.pool
            else:  # the search was too hard
                number, candidates = -(-n // HARDER), self.pool - clues
            clues |= {*self._drawn(candidates, number)}
        marks = [] if self.gives == "steps" else self._drawn(clues - {*steps_in(clues)})
        for clue in [*marks, *order]:
            if (isinstance(clue, int) and len(steps_in(clues)) <= target) or self.budget.over:
                break
            if clue in clues - self.fixed and self.other(clues - {clue}) == set():
                clues -= {clue}
        return clues

    def other(self, clues: set[Clue]) -> set[Clue] | None:
        """Find another tour that satisfies some clues.

        Returns:
            The clues that exclude it, an empty set if there is none, or None if the search is too hard.
        """
        for tour in self.other_tours:
            if tour.satisfies(clues, ordered=self.ordered):
                return tour.excluding
        question, cells, n = self.question, self.solution.cells, len(self.solution)
        steps, marks = steps_in(clues), sorted(clue for clue in clues if not isinstance(clue, int))
        graph = question.graph if self.kind is None else question.allowed
        links = () if self.kind is None else question.required
        if marks and self.gives == "walls":
            graph = without_edges(graph, np.array(marks))
        elif marks:
            links = (*links, *marks)
        solutions = numbered(
            graph,
            {step: int(cells[step - 1]) for step in ((1, n) if self.ordered else steps)},
            self.budget,
            closed=question.closed,
            most=2,
            most_guesses=self.patience,
            required=links,
            through=cells[np.array(steps) - 1].tolist() if self.ordered else (),
            compiled=True if n >= COMPILE_FROM and len(steps) * SHARE < n else None,
        )
        assert_time("the numbers were chosen")
        for tour in solutions.tours:
            if (tour != cells).any():
                self.other_tours.append(self._other(tour))
                return self.other_tours[-1].excluding
        return set() if solutions.complete else None

    def _other(self, tour: Cells) -> _Other:
        """Return another tour with the clues that exclude it."""
        cells = self.solution.cells
        excluding: set[Clue] = set() if self.ordered else {*(np.flatnonzero(tour != cells) + 1).tolist()}
        if self.gives != "steps":
            moves = _moves(tour)
            excluding |= moves - self.made if self.gives == "walls" else self.made - moves
        steps = np.empty(int(tour.max()) + 1, dtype=np.int32)
        steps[tour] = np.arange(len(tour))
        return _Other(excluding, steps[cells])

    def puzzle(self, clues: set[Clue], seed: int) -> Puzzle:
        """Return the puzzle with some clues, and its grade."""
        question, cells, steps = self.question, self.solution.cells, steps_in(clues)
        marks = tuple(sorted(clue for clue in clues if not isinstance(clue, int)))
        numbers = zip(range(1, len(steps) + 1) if self.ordered else steps, steps, strict=True)
        links, walls = ((), ()) if self.kind is None else (question.required, question.forbidden)
        made = Puzzle(
            question.board,
            tuple((number, int(cells[step - 1])) for number, step in numbers),
            question.closed,
            question.piece,
            self.solution,
            seed=seed,
            required=tuple(sorted({*links, *(marks if self.gives == "links" else ())})),
            forbidden=tuple(sorted({*walls, *(marks if self.gives == "walls" else ())})),
            ordered=self.ordered,
        )
        return replace(made, grade=grade_of(made))

    def easier(self, clues: set[Clue], level: str, seed: int) -> Puzzle:
        """Add numbers until the puzzle is no harder than a level; walls, if the numbers are an order."""
        question, made = self.question, self.puzzle(clues, seed)
        implied: Collection[Clue] = ()
        for clue in self._drawn(self.pool if self.ordered else range(1, len(self.solution) + 1)):
            if GRADES.index(made.grade) <= GRADES.index(level):
                break
            if not self.ordered:
                graph = question.graph if self.kind is None else question.allowed
                implied = next_numbers(
                    graph, dict(made.given), closed=question.closed, required=made.required
                )
            if clue in implied or clue in clues:
                continue  # an easy number makes the puzzle no easier
            clues = clues | {clue}
            made = self.puzzle(clues, seed)
        return made


def _moves(cells: Cells) -> set[tuple[int, int]]:
    """Return the moves of an open walk, each with the smaller cell first."""
    return {(min(move), max(move)) for move in pairwise(cells.tolist())}
