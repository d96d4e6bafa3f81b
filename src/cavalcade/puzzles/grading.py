"""The difficulty of puzzles, by the methods that a person needs.

    easy        next numbers: a successor or predecessor of a known number has a single possible cell
    medium      reasoning: distances, colours and cells with two moves solve the puzzle without a guess
    hard        single guesses: reasoning alone refutes every wrong guess
    very hard   nested guesses

Reasoning means the rules of `find.domains`, applied until nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from cavalcade.find.numbered import guess_depth
from cavalcade.question.graph import MoveGraph

Grade: TypeAlias = Literal["easy", "medium", "hard", "very hard"]
GRADES: tuple[Grade, ...] = get_args(Grade)


def grade(graph: MoveGraph, numbers: Mapping[int, int], *, closed: bool) -> str:
    """Return the grade of a puzzle that has one solution.

    Args:
        graph: the move graph.
        numbers: cell of each given step, steps from 1.
        closed: whether the last step is a move from the first.

    Time: that of `find.numbered.guess_depth`, unless the puzzle is easy.
    """
    if graph.size < 3 or len(next_numbers(graph, numbers, closed=closed)) == graph.size:
        return GRADES[0]
    return GRADES[1 + guess_depth(graph, numbers, closed=closed)]


def next_numbers(graph: MoveGraph, numbers: Mapping[int, int], *, closed: bool) -> dict[int, int]:
    """Return the given numbers and all numbers that follow by next numbers alone.

    A number is placed if its successor or predecessor is known, and if only one free cell is a move away.
    """
    n = graph.size
    cell_of = dict(numbers)
    free = set(range(n)).difference(cell_of.values())
    placed = True
    while free and placed:
        placed = False
        for step in range(1, n + 1):
            if step in cell_of:
                continue
            adjacent = [step - 1, step + 1]
            if closed:
                adjacent = [(number - 1) % n + 1 for number in adjacent]
            reachable = [
                set(graph.neighbours(cell_of[number]).tolist()) for number in adjacent if number in cell_of
            ]
            candidates = free.intersection(*reachable)
            if reachable and len(candidates) == 1:
                (cell_of[step],) = candidates
                free -= candidates
                placed = True
    return cell_of
