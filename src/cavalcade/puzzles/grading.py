"""How hard a puzzle is, by what a person needs to solve it.

    easy        the next number: one next to a known number in the count has a single cell
    medium      reasoning: distances, colours and cells with two moves settle it without a guess
    hard        guesses one at a time: every wrong one is refuted by reasoning alone
    very hard   guesses upon guesses

Reasoning means the rules of `find.domains`, run until nothing changes.
"""

from __future__ import annotations

from collections.abc import Mapping

from cavalcade.find.numbered import guess_depth
from cavalcade.question.graph import MoveGraph

GRADES = ("easy", "medium", "hard", "very hard")


def grade(graph: MoveGraph, given: Mapping[int, int], *, closed: bool) -> str:
    """The grade of a puzzle that has one solution.

    Args:
        graph: the move graph.
        given: step, from 1, to cell.
        closed: the last step is a move from the first.

    Time: as `find.numbered.guess_depth`, unless the puzzle is easy.
    """
    if graph.size < 3 or len(next_numbers(graph, given, closed=closed)) == graph.size:
        return GRADES[0]
    return GRADES[1 + guess_depth(graph, given, closed=closed)]


def next_numbers(graph: MoveGraph, given: Mapping[int, int], *, closed: bool) -> dict[int, int]:
    """The given numbers and those of the first rule: write a number where a single cell admits it.

    It considers numbers with a known neighbour in the count, and the free cells adjacent to it.
    """
    n = graph.size
    cell_of = dict(given)
    free = set(range(n)).difference(cell_of.values())
    moved = True
    while free and moved:
        moved = False
        for step in range(1, n + 1):
            if step in cell_of:
                continue
            beside = [step - 1, step + 1]
            if closed:
                beside = [(one - 1) % n + 1 for one in beside]
            near = [set(graph.neighbours(cell_of[one]).tolist()) for one in beside if one in cell_of]
            places = free.intersection(*near) if near else free
            if near and len(places) == 1:
                (cell_of[step],) = places
                free -= places
                moved = True
    return cell_of
