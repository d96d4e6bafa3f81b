"""A backend of networkx: its functions for Hamiltonian paths and travelling salesman tours.

>>> import networkx as nx
>>> cup = nx.tournament.random_tournament(8, seed=1)
>>> len(nx.tournament.hamiltonian_path(cup, backend="cavalcade"))
8

networkx finds this module by entry points in pyproject.toml, and calls `get_info` when networkx is imported,
so this module imports nothing heavy. `nx.config.backend_priority = ["cavalcade"]` prefers it to networkx. A
call also takes `seed`, `time_limit` and `memory`. The tours of networkx are approximations. These tours are
the lightest within the time limit; for up to a hundred nodes they are mostly optimal.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

FUNCTIONS = {
    "hamiltonian_path": "Any directed graph, not only tournaments; raises an exception if there is no path.",
    "traveling_salesman_problem": "Undirected graphs, without `method`.",
    "christofides": "Undirected graphs, complete or not.",
    "greedy_tsp": "As christofides.",
    "simulated_annealing_tsp": "As christofides; the initial cycle is not used.",
    "threshold_accepting_tsp": "As simulated_annealing_tsp.",
}


def get_info() -> dict[str, Any]:
    """Return a description for the documentation of networkx."""
    return {
        "backend_name": "cavalcade",
        "project": "cavalcade",
        "package": "cavalcade",
        "short_summary": "Hamiltonian paths and travelling salesmen, each answer checked.",
        "functions": {name: {"additional_docs": text} for name, text in FUNCTIONS.items()},
    }


def convert_from_nx(graph: Any, **_: object) -> Any:
    """Return the graph unchanged."""
    return graph


def convert_to_nx(result: Any, **_: object) -> Any:
    """Return the result, a list of nodes, unchanged."""
    return result


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Return True if the backend supports a call, else the reason why not."""
    if name == "hamiltonian_path":
        return True
    if name == "traveling_salesman_problem" and (*args[4:5], kwargs.get("method")) not in {
        (None,),
        (None, None),
    }:
        return "method= is a function of networkx's own"
    graph = args[0] if args else kwargs["G"]
    return "cavalcade looks for tours of undirected graphs" if graph.is_directed() else True


def hamiltonian_path(G: Any, **limits: Any) -> list[Any]:  # noqa: N803 - networkx's name
    """Find a Hamiltonian path of a directed graph.

    Raises:
        NetworkXUnfeasible: there is no path; the message is the reason.
        ExceededMaxIterations: no path was found within the limits.
    """
    from cavalcade.ask.hamiltonian import hamiltonian_path as path

    return _nodes(path(G, **limits))


def traveling_salesman_problem(
    G: Any,  # noqa: N803 - networkx's name
    weight: str | Callable[..., float] = "weight",
    nodes: Iterable[Hashable] | None = None,
    cycle: bool = True,  # noqa: FBT001, FBT002 - as networkx has it
    method: None = None,
    **limits: Any,
) -> list[Any]:
    """Find the shortest walk through some nodes, by default all; it returns to its start if `cycle` is true.

    Raises:
        NetworkXUnfeasible: a node cannot be reached.
    """
    from itertools import pairwise

    import networkx as nx

    if method is not None:
        raise NotImplementedError("method= is a function of networkx's own")
    stops = list(dict.fromkeys(G if nodes is None else nodes))
    distances, paths = {}, {}
    for i, stop in enumerate(stops):
        lengths, paths_from = nx.single_source_dijkstra(G, stop, weight=weight)
        if unreachable := [target for target in stops if target not in lengths]:
            raise nx.NetworkXUnfeasible(f"no path leads from {stop!r} to {unreachable[0]!r}")
        for target in stops[i + 1 :]:
            distances[stop, target], paths[stop, target] = lengths[target], paths_from[target]
            paths[target, stop] = paths_from[target][::-1]
    order = _lightest(distances, stops, cycle=cycle, **limits)
    walk = order[:1]
    for a, b in pairwise(order):
        walk += paths[a, b][1:]
    return walk


def christofides(G: Any, weight: str = "weight", tree: object = None, **limits: Any) -> list[Any]:  # noqa: ARG001, N803 - as above
    """Find a cycle of low weight through all nodes; its first node is repeated at the end.

    Raises:
        NetworkXUnfeasible: there is no cycle.
    """
    weights: dict[tuple[Any, Any], float] = {}
    for a, b, of_edge in G.edges(data=weight, default=1):  # of parallel edges only the lightest counts
        weights[a, b] = min(of_edge, weights.get((a, b), of_edge), weights.get((b, a), of_edge))
        weights.pop((b, a), None)
    return _lightest(weights, list(G), **limits)


def greedy_tsp(G: Any, weight: str = "weight", source: Hashable = None, **limits: Any) -> list[Any]:  # noqa: N803 - as above
    """Find the cycle of `christofides`, starting at `source`."""
    cycle = christofides(G, weight, **limits)[:-1]
    offset = 0 if source is None else cycle.index(source)
    return [*cycle[offset:], *cycle[: offset + 1]]


def simulated_annealing_tsp(
    G: Any,  # noqa: N803 - as above
    init_cycle: object,  # noqa: ARG001 - only the search of networkx uses it
    weight: str = "weight",
    source: Hashable = None,
    *_: object,
    seed: int | None = None,
    time_limit: float | None = None,
    memory: int | None = None,
    **__: object,
) -> list[Any]:
    """Find the cycle of `greedy_tsp`; the parameters of annealing are ignored."""
    return greedy_tsp(G, weight, source, seed=seed or 0, time_limit=time_limit, memory=memory)


threshold_accepting_tsp = simulated_annealing_tsp


def _lightest(
    weights: dict[tuple[Any, Any], float], nodes: list[Any], *, cycle: bool = True, **limits: Any
) -> list[Any]:
    """Return the nodes in the order of a light tour; the first node of a cycle is repeated at the end."""
    from decimal import Decimal

    from cavalcade.ask.salesman import LeastTour, tsp
    from cavalcade.ask.weights import DIGITS
    from cavalcade.question.graph import MoveGraph

    if len(nodes) < 3 and len(weights) == len(nodes) - 1:  # two nodes count as a cycle in networkx only
        return [*nodes, *nodes[: int(cycle)]]
    graph = MoveGraph.from_pairs(weights, nodes)
    pairs = [(nodes[i], nodes[j]) for i, j in graph.pairs()]
    in_order = [weights.get((a, b), weights.get((b, a), 0)) for a, b in pairs]
    largest, too_large = max(map(abs, in_order), default=0), 10**DIGITS
    if largest >= too_large or any(weight != int(weight) for weight in in_order):
        in_order = [round(weight / largest * (too_large - 1)) for weight in in_order]
    answer = tsp(graph, [Decimal(int(weight)) for weight in in_order], open=not cycle, **limits)
    order = answer.tour.nodes if isinstance(answer, LeastTour) else _nodes(answer)
    return [*order, *order[: int(cycle)]]


def _nodes(verdict: Any) -> list[Any]:
    """Return the nodes of the tour of a verdict.

    Raises:
        NetworkXUnfeasible: the verdict is that there is no tour.
        ExceededMaxIterations: the verdict is undecided.
    """
    import networkx as nx

    if verdict.status == "found":
        return list(verdict.tour.nodes)
    raise (nx.NetworkXUnfeasible if verdict.status == "impossible" else nx.ExceededMaxIterations)(
        verdict.reason
    )
