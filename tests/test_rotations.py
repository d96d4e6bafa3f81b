"""The growing path that rotates at its ends: cycles that NetworkX confirms, and the same in both tiers."""

from __future__ import annotations

from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

import networkx as nx
import numpy as np
import pytest

import cavalcade
from cavalcade.answers.verdict import Undecided
from cavalcade.find.rotations import rotations
from cavalcade.ground.budget import Budget
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question

if TYPE_CHECKING:
    from collections.abc import Callable

SIDE = 5


def petersen(n: int, k: int) -> Any:
    """The generalized Petersen graph GP(n, k)."""
    graph = nx.empty_graph(2 * n)
    for i in range(n):
        graph.add_edges_from(((i, (i + 1) % n), (i, n + i), (n + i, n + (i + k) % n)))
    return graph


GRAPHS: dict[str, Callable[[], Any]] = {
    "random cubic": lambda: nx.random_regular_graph(3, 60, seed=1),
    "Watts-Strogatz": lambda: nx.watts_strogatz_graph(80, 4, 0.2, seed=1),
    "hypercube": lambda: nx.convert_node_labels_to_integers(nx.hypercube_graph(6)),
    "ring of cliques": lambda: nx.ring_of_cliques(8, 6),
    "generalized Petersen": lambda: petersen(31, 3),
    "dense": lambda: nx.gnp_random_graph(70, 0.5, seed=1),
}


def is_cycle(graph: Any, cells: list[int]) -> bool:
    """Whether cells are a Hamiltonian cycle of a graph of NetworkX."""
    return sorted(cells) == sorted(graph) and all(map(graph.has_edge, cells, [*cells[1:], cells[0]]))


def cycle_of(graph: Any, turns: int = 1, work: float = 3e6, **options: Any) -> list[int] | None:
    """The cycle after this number of turns of the engine with equal work; None if there is none."""
    question = Question.of(MoveGraph.of(graph))
    budget = Budget(0)
    answers = rotations(question, budget, **options)
    for _ in range(turns):
        budget.refill(work / turns)
        answer = next(answers)
        if not isinstance(answer, Undecided):
            cells: list[int] = answer.tolist()
            return cells
    return None


@pytest.mark.parametrize("name", GRAPHS)
def test_both_tiers_and_any_turns_give_the_same_cycle(name: str) -> None:
    """Neither compiling nor the borders of turns change the cycle, and NetworkX confirms its edges."""
    graph = GRAPHS[name]()
    cycle = cycle_of(graph, compiled=False)
    assert cycle is not None
    assert is_cycle(graph, cycle)
    assert cycle_of(graph, compiled=True) == cycle
    assert cycle_of(graph, turns=997, compiled=False) == cycle
    others = [cycle_of(graph, seed=seed, compiled=True) for seed in range(1, 4)]
    assert all(other is None or is_cycle(graph, other) for other in others)
    assert any(other != cycle for other in others)


def test_paths_are_given_up() -> None:
    """With little patience a path that is stuck is left for the next one."""
    graph = GRAPHS["generalized Petersen"]()
    cycle = cycle_of(graph, patience=1, compiled=False)
    assert cycle is not None
    assert is_cycle(graph, cycle)
    assert cycle != cycle_of(graph, compiled=False)


def test_ends_that_are_not_repeated_save_rotations() -> None:
    """Random rotations take about ten times this work on GP(101, 3)."""
    graph = petersen(101, 3)
    cycles = [cycle_of(graph, seed=seed, work=100 * 303, compiled=False) for seed in range(5)]
    assert all(cycle is not None and is_cycle(graph, cycle) for cycle in cycles)


NONE = (
    nx.petersen_graph(), nx.path_graph(5), nx.star_graph(4), nx.empty_graph(4), nx.barbell_graph(4, 0),
    nx.complete_bipartite_graph(3, 4), nx.disjoint_union(nx.cycle_graph(4), nx.cycle_graph(5)),
)  # fmt: skip


@pytest.mark.parametrize("graph", NONE)
def test_graphs_without_a_cycle_spend_the_budget(graph: Any) -> None:
    budget = Budget(20_000)
    answers = list(islice(rotations(Question.of(MoveGraph.of(graph)), budget, compiled=False), 1))
    assert isinstance(answers[0], Undecided)
    assert budget.over


def test_long_interpreted_work_goes_on_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that began interpreted ends as it would have ended in either tier."""
    graph = nx.random_regular_graph(3, 200, seed=3)
    expected = cycle_of(graph, compiled=True)
    monkeypatch.setattr("cavalcade.find.rotations.COMPILE_FROM", 1)
    monkeypatch.setattr("cavalcade.ground.kernels.Tier.warm", False)
    assert expected is not None
    assert cycle_of(graph, turns=100) == expected


@pytest.mark.parametrize("name", GRAPHS)
def test_the_portfolio_begins_with_it_on_graphs(name: str) -> None:
    graph = GRAPHS[name]()
    verdict = cavalcade.hamiltonian_cycle(graph)
    assert isinstance(verdict, cavalcade.Found)
    assert verdict.effort[0].engine == "rotations"
    assert is_cycle(graph, verdict.tour.cells.tolist())


def test_a_bridge_is_found_in_the_first_turn_of_the_reasons() -> None:
    """The search for cuts comes last among the reasons, and SAT would not end."""
    halves = [nx.random_regular_graph(3, 1_100, seed=seed) for seed in (1, 2)]
    graph = nx.disjoint_union(*halves)
    graph.add_edge(0, 2_199)
    verdict = cavalcade.hamiltonian_cycle(graph)
    assert isinstance(verdict, cavalcade.Impossible)
    assert [turn.engine for turn in verdict.effort] == ["rotations", "reasons"]


def test_open_tours_with_ends_and_forced_edges() -> None:
    """Its cycles of the graph with the vertex `*` are paths with the given ends and edges."""
    graph = nx.grid_2d_graph(SIDE, SIDE + 1)
    graph = nx.convert_node_labels_to_integers(graph)
    question = Question.of(MoveGraph.of(graph), open=True, start=0, end=SIDE, with_=[(7, 8)])
    answer = next(rotations(question, Budget(3e6)))
    assert isinstance(answer, np.ndarray)
    cells = answer.tolist()
    assert (cells[0], cells[-1], sorted(cells)) == (0, SIDE, sorted(graph))
    assert all(graph.has_edge(a, b) for a, b in pairwise(cells))
    assert {7, 8} in [{a, b} for a, b in pairwise(cells)]
