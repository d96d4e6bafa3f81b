"""The drivers of state searches, tested with a search for cycle covers."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pytest

import cavalcade
from cavalcade.answers.certificate import StepProof
from cavalcade.boards.notation import parse_board
from cavalcade.ground.budget import Budget
from cavalcade.question.graph import MoveGraph
from cavalcade.question.moves import move_graph
from cavalcade.question.question import Question
from cavalcade.refute.sweep import sweep
from cavalcade.states.objects import next_level
from cavalcade.states.order import narrow_order
from cavalcade.states.transition import stages

if TYPE_CHECKING:
    from collections.abc import Iterator


def cycle_covers(spec: str) -> int:
    """Count the sets of moves with two at every cell; a state is the degree at each frontier place."""
    graph = move_graph(parse_board(spec))
    rows = [graph.neighbours(v).tolist() for v in range(graph.size)]
    states: dict[tuple[int, ...], int] = {(): 0}
    ways = [1]
    frontier: list[int] = []
    for stage in stages(rows, narrow_order(graph)):

        def successors(degrees: tuple[int, ...]) -> Iterator[tuple[None, tuple[int, ...]]]:
            degree = dict(zip(frontier, degrees, strict=True))  # noqa: B023 - used within the loop
            later = [stage.vertices[place] for place in stage.geometry.later]  # noqa: B023
            free = [w for w in later if degree.get(w, 0) < 2]
            for chosen in combinations(free, 2 - degree.get(stage.vertex, 0)):  # noqa: B023
                yield None, tuple(degree.get(u, 0) + (u in chosen) for u in stage.frontier)  # noqa: B023

        states, links = next_level(states, successors, all_links=True, on_block=lambda *_: None)
        totals: Counter[int] = Counter()
        for source, _, target in links:
            totals[target] += ways[source]
        ways = [totals[i] for i in range(len(states))]
        frontier = stage.frontier
    return sum(ways)


def covers_one_by_one(spec: str) -> int:
    graph = move_graph(parse_board(spec))
    edges = graph.edges().tolist()

    def count(i: int, degrees: list[int]) -> int:
        if i == len(edges):
            return int(set(degrees) == {2})
        a, b = edges[i]
        without = count(i + 1, degrees)
        if degrees[a] > 1 or degrees[b] > 1:
            return without
        next_degrees = degrees.copy()
        next_degrees[a] += 1
        next_degrees[b] += 1
        return without + count(i + 1, next_degrees)

    return count(0, [0] * graph.size)


@pytest.mark.parametrize("spec", ["3x4", "4x4", "3x6"])
def test_cycle_covers_one_by_one(spec: str) -> None:
    assert cycle_covers(spec) == covers_one_by_one(spec)


def test_tours_are_some_of_the_cycle_covers() -> None:
    assert cycle_covers("6x6") > cavalcade.count("6x6").count > 0


def test_states_of_a_sweep() -> None:
    """GP(41, 2) has no tour. The work is 300 for each state and for each vertex of the order."""
    n, budget = 41, Budget()
    edges = [edge for i in range(n) for edge in ((i, (i + 1) % n), (i, n + i), (n + i, n + (i + 2) % n))]
    question = Question(MoveGraph.from_edges(np.array(edges, dtype=np.int32), 2 * n))
    assert isinstance(sweep(question, budget), StepProof)
    assert budget.spent == 664_800
