"""The difficulty of puzzles, by the methods that a person needs.

    easy        next numbers: a successor or predecessor of a known number has a single possible cell; if the
                numbers are only an order, forced moves: a cell with two moves left uses both, a cell with two
                used moves loses the others, and no move closes a way too early
    medium      reasoning: distances, colours and cells with two moves solve the puzzle without a guess
    hard        single guesses: reasoning alone refutes every wrong guess
    very hard   nested guesses

Reasoning means the rules of `find.domains`, applied until nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias, get_args

from cavalcade.answers.puzzles import Puzzle
from cavalcade.find.numbered import guess_depth
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question
from cavalcade.refute.deductions import OPEN, TOUR, Decisions

Grade: TypeAlias = Literal["easy", "medium", "hard", "very hard"]
GRADES: tuple[Grade, ...] = get_args(Grade)


def grade_of(puzzle: Puzzle) -> Grade:
    """Return the grade of a puzzle that has one solution."""
    question = puzzle.question
    if puzzle.ordered and question.board.size > 2:
        if forced_moves_suffice(question):
            return GRADES[0]
        through, required = question.through, question.required
        depth = guess_depth(
            question.allowed, question.given, closed=False, required=required, through=through
        )
        return GRADES[1 + depth]
    return grade(question.allowed, question.given, closed=puzzle.closed, required=question.required)


def grade(
    graph: MoveGraph,
    numbers: Mapping[int, int],
    *,
    closed: bool,
    required: Iterable[tuple[int, int]] = (),
) -> Grade:
    """Return the grade of a puzzle of numbered steps that has one solution.

    Args:
        graph: the move graph.
        numbers: cell of each given step, steps from 1.
        closed: whether the last step is a move from the first.
        required: moves that the tour makes.

    Time: that of `find.numbered.guess_depth`, unless the puzzle is easy.
    """
    required = tuple(required)
    if graph.size < 3 or len(next_numbers(graph, numbers, closed=closed, required=required)) == graph.size:
        return GRADES[0]
    return GRADES[1 + guess_depth(graph, numbers, closed=closed, required=required)]


def forced_moves_suffice(question: Question) -> bool:
    """Return whether forced moves alone leave only one tour with the ends, links and walls of a question."""
    decisions = Decisions(question.encoding.graph)
    is_consistent = decisions.begin()
    return decisions.outcome == TOUR or (is_consistent and OPEN not in decisions.status.tolist())


def next_numbers(
    graph: MoveGraph,
    numbers: Mapping[int, int],
    *,
    closed: bool,
    required: Iterable[tuple[int, int]] = (),
) -> dict[int, int]:
    """Return the given numbers and all numbers that follow by next numbers alone.

    A number is placed if its successor or predecessor is known, and if only one free cell is a move away. If
    all unknown neighbours of a known cell in the tour must be linked to it, only linked cells remain.
    """
    n = graph.size
    cell_of = dict(numbers)
    free = set(range(n)).difference(cell_of.values())
    linked: dict[int, set[int]] = {}
    for a, b in required:
        linked.setdefault(a, set()).add(b)
        linked.setdefault(b, set()).add(a)

    def adjacent(step: int) -> list[int]:
        steps = [step - 1, step + 1]
        return [(number - 1) % n + 1 for number in steps] if closed else steps

    def reachable(number: int) -> set[int]:
        """Return the free cells that a step next to a known one can have."""
        cell = cell_of[number]
        links = linked.get(cell, set()) & free
        lacking = [step for step in adjacent(number) if 1 <= step <= n and step not in cell_of]
        return links if len(links) >= len(lacking) else free.intersection(graph.neighbours(cell).tolist())

    placed = True
    while free and placed:
        placed = False
        for step in range(1, n + 1):
            if step in cell_of:
                continue
            sets = [reachable(number) for number in adjacent(step) if number in cell_of]
            candidates = free.intersection(*sets)
            if sets and len(candidates) == 1:
                (cell_of[step],) = candidates
                free -= candidates
                placed = True
    return cell_of
