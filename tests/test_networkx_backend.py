"""networkx's functions with backend="cavalcade": networkx checks paths, brute force checks least tours."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from cavalcade.ask import networkx_backend

nx = pytest.importorskip("networkx")
if "cavalcade" not in nx.config.backends:
    pytest.skip("the installed package has no such entry point", allow_module_level=True)


def test_networkx_lists_the_functions() -> None:
    info = nx.utils.backends.backend_info["cavalcade"]
    assert set(info["functions"]) == set(networkx_backend.FUNCTIONS)
    for name in networkx_backend.FUNCTIONS:
        home = nx.tournament if name == "hamiltonian_path" else nx.approximation
        assert "cavalcade" in getattr(home, name).backends


@pytest.mark.parametrize("seed", range(5))
def test_a_path_in_a_tournament(seed: int) -> None:
    cup = nx.tournament.random_tournament(12, seed=seed)
    path = nx.tournament.hamiltonian_path(cup, backend="cavalcade")
    assert sorted(path) == sorted(cup)
    assert nx.is_simple_path(cup, path)


def test_no_path_says_why() -> None:
    star = nx.DiGraph([("hub", "a"), ("hub", "b")])
    with pytest.raises(nx.NetworkXUnfeasible, match="no open tour"):
        nx.tournament.hamiltonian_path(star, backend="cavalcade")


def cities(size: int, seed: int) -> Any:
    """Return a complete graph with random distances in the plane."""
    draw = random.Random(seed)
    position = {f"city {i}": (draw.random(), draw.random()) for i in range(size)}
    graph = nx.Graph()
    for a, b in itertools.combinations(position, 2):
        (ax, ay), (bx, by) = position[a], position[b]
        graph.add_edge(a, b, weight=((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5)
    return graph


def weight_of(graph: Any, walk: list[str]) -> float:
    return sum(float(graph[a][b]["weight"]) for a, b in itertools.pairwise(walk))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("traveling_salesman_problem", {}),
        ("christofides", {}),
        ("greedy_tsp", {"source": "city 3"}),
        ("simulated_annealing_tsp", {"init_cycle": "greedy", "source": "city 2", "seed": 1}),
        ("threshold_accepting_tsp", {"init_cycle": "greedy", "source": "city 2"}),
    ],
)
def test_the_salesman_takes_the_shortest_tour(name: str, options: dict[str, object]) -> None:
    graph = cities(7, 4)
    first, *rest = graph
    least = min(weight_of(graph, [first, *order, first]) for order in itertools.permutations(rest))
    walk = getattr(nx.approximation, name)(graph, **options, backend="cavalcade")
    assert walk[0] == walk[-1] == options.get("source", walk[0])
    assert sorted(walk[1:]) == sorted(graph)
    assert weight_of(graph, walk) == pytest.approx(least, rel=1e-5)


@pytest.mark.filterwarnings("ignore:Note. conversions")  # networkx warns that it converts a graph twice
def test_some_stops_of_a_road_map() -> None:
    """A walk may pass a node twice; its length is measured along shortest paths."""
    roads = nx.Graph()
    roads.add_weighted_edges_from([("a", "b", 1), ("b", "c", 2), ("b", "d", 5), ("d", "e", 1)])
    walk = nx.approximation.traveling_salesman_problem(roads, nodes=["a", "c", "d"], backend="cavalcade")
    assert (walk[0], weight_of(roads, walk)) == (walk[-1], 16)
    line = nx.approximation.traveling_salesman_problem(
        roads, nodes=["a", "c", "d"], cycle=False, backend="cavalcade"
    )
    assert weight_of(roads, line) == 2 + 1 + 1 + 5
    assert nx.approximation.traveling_salesman_problem(roads, nodes=["d", "e"], backend="cavalcade") == [
        "d", "e", "d",
    ]  # fmt: skip
    roads.add_node("island")
    with pytest.raises(nx.NetworkXUnfeasible, match="no path leads from 'a' to 'island'"):
        nx.approximation.traveling_salesman_problem(roads, backend="cavalcade")


def test_unsupported_calls_are_left_to_networkx() -> None:
    graph = cities(5, 1)
    assert networkx_backend.can_run("traveling_salesman_problem", (graph,), {"method": min}) is not True
    assert networkx_backend.can_run("greedy_tsp", (graph.to_directed(),), {}) is not True
    with nx.config(backend_priority=["cavalcade"]):
        walk = nx.approximation.traveling_salesman_problem(graph, method=nx.approximation.greedy_tsp)
    assert walk[0] == walk[-1]
