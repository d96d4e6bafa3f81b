"""The solver behind PROC OPTGRAPH, OPTNET and OPTNETWORK: `cavalcade.tsp` on links with names."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from cavalcade.papers.interpreter.source import SasError

if TYPE_CHECKING:
    from cavalcade.papers.interpreter.state import Link


def least_tour(links: list[Link]) -> tuple[str, list[tuple[str, str]]]:
    """Find a closed tour of least total weight.

    Self-links are ignored, and a link that occurs twice counts once.

    Args:
        links: ends and weight of each link.

    Returns:
        The solution status, and the links of the tour in order.

    Raises:
        SasError: a link occurs with two weights.
    """
    from cavalcade.ask.salesman import LeastTour, tsp
    from cavalcade.question.graph import MoveGraph

    labels = list(dict.fromkeys(label for a, b, _ in links for label in (a, b)))
    index = {label: k for k, label in enumerate(labels)}
    weights = dict[tuple[int, int], float]()
    for a, b, weight in links:
        pair = (min(index[a], index[b]), max(index[a], index[b]))
        if pair[0] != pair[1] and weights.setdefault(pair, weight) != weight:
            raise SasError(f"the link {a} - {b} has two weights")
    if not weights:
        return "Infeasible", []
    graph = MoveGraph.from_edges(list(weights))
    equal = len(set(weights.values())) == 1
    least = tsp(graph, None if equal else [weights[a, b] for a, b in graph.pairs()])
    if not isinstance(least, LeastTour):
        return {"impossible": "Infeasible"}.get(least.status, f"Undecided: {least.reason}"), []
    cells = [labels[cell] for cell in least.tour.cells.tolist()]
    status = "Optimal" if least.exact else "Best found, not proved optimal"
    return status, list(pairwise([*cells, cells[0]]))
