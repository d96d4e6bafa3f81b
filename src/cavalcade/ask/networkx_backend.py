"""A backend of networkx: its functions for Hamiltonian paths and salesman's tours, answered by the portfolio.

>>> import networkx as nx
>>> cup = nx.tournament.random_tournament(8, seed=1)
>>> len(nx.tournament.hamiltonian_path(cup, backend="cavalcade"))
8

networkx finds this module by entry points in pyproject.toml, and calls `get_info` whenever it is imported, so
nothing is imported here. `nx.config.backend_priority = ["cavalcade"]` asks it before networkx. A call also
takes `seed`, `time_limit` and `memory`. The tours of networkx are approximations; these are the lightest that
OR-tools (the extra `tsp`) finds within the limits, for a dozen nodes the lightest of all.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

FINEST = 10**6  # steps of the weights that are not whole numbers
FUNCTIONS = {
    "hamiltonian_path": "Of any directed graph, not of tournaments alone; raises where there is none.",
    "traveling_salesman_problem": "Of undirected graphs, without `method`.",
    "christofides": "Of undirected graphs, complete or not.",
    "greedy_tsp": "As christofides.",
    "simulated_annealing_tsp": "As christofides; the cycle to begin with is not used.",
    "threshold_accepting_tsp": "As simulated_annealing_tsp.",
}


def get_info() -> dict[str, Any]:
    """What networkx shows of this backend in its documentation."""
    return {
        "backend_name": "cavalcade",
        "project": "cavalcade",
        "package": "cavalcade",
        "short_summary": "Hamiltonian paths and travelling salesmen, each answer checked.",
        "functions": {name: {"additional_docs": text} for name, text in FUNCTIONS.items()},
    }


def convert_from_nx(graph: Any, **_: object) -> Any:
    """The graph itself."""
    return graph


def convert_to_nx(result: Any, **_: object) -> Any:
    """The result itself: lists of nodes."""
    return result


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Whether a call can be answered here, or why not."""
    from importlib.util import find_spec

    if name == "hamiltonian_path":
        return True
    if find_spec("ortools") is None:
        return "OR-tools is not installed: pip install 'cavalcade[tsp]'"
    if name == "traveling_salesman_problem" and (*args[4:5], kwargs.get("method")) not in {
        (None,),
        (None, None),
    }:
        return "method= is a function of networkx's own"
    graph = args[0] if args else kwargs["G"]
    return "cavalcade looks for tours of undirected graphs" if graph.is_directed() else True


def hamiltonian_path(G: Any, **limits: Any) -> list[Any]:  # noqa: N803 - networkx's name
    """A Hamiltonian path of a directed graph.

    Raises:
        NetworkXUnfeasible: there is none; the message says why.
        ExceededMaxIterations: none was found within the limits.
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
    """The shortest walk through these nodes, or all, that ends where it began unless `cycle` is false.

    Raises:
        NetworkXUnfeasible: a node cannot be reached.
    """
    from itertools import pairwise

    import networkx as nx

    if method is not None:
        raise NotImplementedError("method= is a function of networkx's own")
    stops = list(dict.fromkeys(G if nodes is None else nodes))
    far, paths = {}, {}
    for i, stop in enumerate(stops):
        lengths, ways = nx.single_source_dijkstra(G, stop, weight=weight)
        if lost := [other for other in stops if other not in lengths]:
            raise nx.NetworkXUnfeasible(f"no path leads from {stop!r} to {lost[0]!r}")
        for other in stops[i + 1 :]:
            far[stop, other], paths[stop, other] = lengths[other], ways[other]
            paths[other, stop] = ways[other][::-1]
    order = _least(far, stops, cycle=cycle, **limits)
    walk = order[:1]
    for a, b in pairwise(order):
        walk += paths[a, b][1:]
    return walk


def christofides(G: Any, weight: str = "weight", tree: object = None, **limits: Any) -> list[Any]:  # noqa: ARG001, N803 - as above
    """A cycle of little weight through all nodes, the first of them again at the end.

    Raises:
        NetworkXUnfeasible: there is none.
    """
    far: dict[tuple[Any, Any], float] = {}
    for a, b, found in G.edges(data=weight, default=1):
        far[a, b] = min(found, far.get((a, b), found), far.get((b, a), found))
        far.pop((b, a), None)
    return _least(far, list(G), **limits)


def greedy_tsp(G: Any, weight: str = "weight", source: Hashable = None, **limits: Any) -> list[Any]:  # noqa: N803 - as above
    """The same, from `source`."""
    found = christofides(G, weight, **limits)[:-1]
    at = 0 if source is None else found.index(source)
    return [*found[at:], *found[: at + 1]]


def simulated_annealing_tsp(
    G: Any,  # noqa: N803 - as above
    init_cycle: object,  # noqa: ARG001 - what follows steers networkx's own search
    weight: str = "weight",
    source: Hashable = None,
    *_: object,
    seed: int | None = None,
    time_limit: float | None = None,
    memory: int | None = None,
    **__: object,
) -> list[Any]:
    """The same as `greedy_tsp`."""
    return greedy_tsp(G, weight, source, seed=seed or 0, time_limit=time_limit, memory=memory)


threshold_accepting_tsp = simulated_annealing_tsp


def _least(
    far: dict[tuple[Any, Any], float], nodes: list[Any], *, cycle: bool = True, **limits: Any
) -> list[Any]:
    """The nodes in the order of a light tour; at the end of a cycle comes the first one again."""
    from decimal import Decimal

    from cavalcade.ask.salesman import MOST_WEIGHT, LeastTour, tsp
    from cavalcade.question.graph import MoveGraph

    if len(nodes) < 3 and len(far) == len(nodes) - 1:  # two nodes are no cycle elsewhere
        return [*nodes, *nodes[: int(cycle)]]
    graph = MoveGraph.from_pairs(far, nodes)
    top = max(map(abs, far.values()), default=0)
    given = [far.get((a, b), far.get((b, a), 0)) for a, b in ((nodes[i], nodes[j]) for i, j in graph.pairs())]
    if top >= MOST_WEIGHT or any(one != int(one) for one in given):
        given = [round(one / top * (FINEST - 1)) for one in given]
    found = tsp(graph, [Decimal(int(one)) for one in given], open=not cycle, **limits)
    order = found.tour.nodes if isinstance(found, LeastTour) else _nodes(found)
    return [*order, *order[: int(cycle)]]


def _nodes(verdict: Any) -> list[Any]:
    """The nodes of the tour that was found.

    Raises:
        NetworkXUnfeasible: there is none.
        ExceededMaxIterations: none was found.
    """
    import networkx as nx

    if verdict.status == "found":
        return list(verdict.tour.nodes)
    raise (nx.NetworkXUnfeasible if verdict.status == "impossible" else nx.ExceededMaxIterations)(
        verdict.reason
    )
