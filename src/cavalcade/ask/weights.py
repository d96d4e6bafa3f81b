"""The weights of edges that a caller means, as exact decimal numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.constraints import cell_of
from cavalcade.question.graph import MoveGraph
from cavalcade.question.question import Question

# Largest number of decimal digits of a weight before the point, and after it: sums of scaled weights then
# fit into the 64 bits of the solver.
DIGITS = 6

Weight: TypeAlias = Decimal | float
Pair: TypeAlias = tuple[Any, Any]
Weights: TypeAlias = Sequence[Weight] | Mapping[Pair, Weight]


def weighted(source: Any, weights: Weights | None) -> tuple[Any, Weights | None]:
    """Return a graph and the weights of its edges: the given weights, or else the weights that it carries.

    No library is imported to recognize its objects. Of parallel edges the lightest counts.

    Args:
        source: a board or graph, as `MoveGraph.of` takes it; or a list of triples, of two nodes and a weight;
            or a square matrix with entries besides 0 and 1, in which infinity is no edge.
        weights: the weights, if they are given.
    """
    if weights is not None:
        return source, weights
    if (triples := _carried(source)) is not None:
        return source, _lightest(triples)
    if isinstance(source, list) and source and all(map(_is_triple, source)):
        return [(a, b) for a, b, _ in source], _lightest(source)
    if hasattr(source, "tocoo") and hasattr(source, "shape") and source.dtype != bool:
        graph, entries = MoveGraph.from_matrix(source), source.tocoo()
        if abs(source - source.T).sum():
            graph = MoveGraph.from_matrix(source, directed=True)
        edges, numbers = np.stack([entries.row, entries.col], axis=1), entries.data
        return graph, dict(zip(map(tuple, edges.tolist()), numbers.tolist(), strict=True))
    if (matrix := _matrix(source)) is None:
        return source, None
    directed = not np.array_equal(matrix, matrix.T)
    rows, columns = np.nonzero(np.isfinite(matrix) & ~np.eye(len(matrix), dtype=bool))
    edges = np.stack([rows, columns], axis=1)
    graph = MoveGraph.from_edges(edges, len(matrix), range(len(matrix)), directed=directed)
    return graph, dict(zip(map(tuple, edges.tolist()), matrix[rows, columns].tolist(), strict=True))


def _carried(graph: Any) -> list[tuple[Any, Any, Any]] | None:
    """The edges of a graph of a library with their weights; None if it has no weights."""
    triples: list[tuple[Any, Any, Any]] = []
    if hasattr(graph, "is_multigraph") and hasattr(graph, "adj"):  # networkx
        triples = list(graph.edges(data="weight"))
    elif hasattr(graph, "weighted_edge_list"):  # rustworkx, whose edges carry any object
        edges = graph.weighted_edge_list()
        triples = [(a, b, weight if _is_weight(weight) else None) for a, b, weight in edges]
    elif hasattr(graph, "get_edgelist") and "weight" in graph.es.attributes():  # igraph
        pairs = zip(graph.get_edgelist(), graph.es["weight"], strict=True)
        triples = [(a, b, weight) for (a, b), weight in pairs]
    if all(weight is None for _, _, weight in triples):
        return None
    return [(a, b, 1 if weight is None else weight) for a, b, weight in triples]


def _lightest(triples: list[tuple[Any, Any, Any]]) -> dict[Pair, Weight]:
    """The least weight of each pair, in each direction."""
    lightest: dict[Pair, Weight] = {}
    for a, b, weight in triples:
        lightest[a, b] = min(weight, lightest.get((a, b), weight))
    return lightest


def _is_weight(value: object) -> bool:
    return isinstance(value, Real | Decimal) and not isinstance(value, bool)


def _is_triple(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 3 and _is_weight(value[2])


def _matrix(source: Any) -> np.ndarray[Any, np.dtype[np.float64]] | None:
    """A square matrix with numbers besides 0 and 1; None if it is something else."""
    rows = isinstance(source, list) and all(
        isinstance(row, list) and len(row) == len(source) for row in source
    )
    if not rows and not (isinstance(source, np.ndarray) and source.ndim == 2 and len(set(source.shape)) == 1):
        return None
    try:
        matrix = np.asarray(source, dtype=float)
    except (TypeError, ValueError):
        return None
    return None if len(matrix) < 3 or np.isin(matrix, (0, 1)).all() else matrix


def exact_weights(weights: Weights | None, question: Question) -> list[Decimal]:
    """Convert the weights of the moves, by default 1, to decimal numbers without rounding.

    Raises:
        CavalcadeError: not one weight per move, or a weight has too many digits.
    """
    if isinstance(weights, Mapping):
        weights = _in_order(weights, question)
    count = question.graph.edge_count
    # str yields the shortest decimal of a float: 0.1 becomes 0.1 and not 0.1000000000000000055…
    try:
        exact = [_shortest(Decimal(str(weight))) for weight in ([1] * count if weights is None else weights)]
    except InvalidOperation:
        raise CavalcadeError("a weight is not a number, expected one like 0.5 for each move") from None
    if len(exact) != count:
        raise CavalcadeError(f"{len(exact):,} weights for {count:,} moves, expected one per move")
    for weight in exact:
        if not weight.is_finite() or abs(weight) >= 10**DIGITS:
            raise CavalcadeError(f"{weight} is not a weight, expected a number below {10**DIGITS:,}")
        if -int(weight.as_tuple().exponent) > DIGITS:
            raise CavalcadeError(f"{weight} has too many digits after the point, expected at most {DIGITS}")
    return exact


def _shortest(weight: Decimal) -> Decimal:
    """Return a weight without zeros at its end, as of 1.000000000000, if it has too many digits."""
    if not weight.is_finite() or -int(weight.as_tuple().exponent) <= DIGITS:
        return weight
    return weight.normalize() if weight % 1 else Decimal(int(weight))


def _in_order(weights: Mapping[Pair, Weight], question: Question) -> list[Weight]:
    """Return the weights of a mapping in the order of the edges of the move graph.

    Raises:
        CavalcadeError: an edge has no weight, or a key is not a pair of cells.
    """
    board, directed = question.board, question.graph.directed
    by_move: dict[tuple[int, int], Weight] = {}
    vertices = {label: vertex for vertex, label in enumerate(board.labels or ())}
    for pair, weight in weights.items():
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise CavalcadeError(f"{pair!r} is not a pair of cells, expected a key like ('a1', 'b3')")
        a, b = (vertices[cell] if cell in vertices else cell_of(board, cell) for cell in pair)
        move = (a, b) if directed else (min(a, b), max(a, b))
        by_move[move] = min(weight, by_move.get(move, weight))
    for move in question.graph.pairs():
        if move not in by_move:
            raise CavalcadeError(f"the move {'-'.join(map(board.name, move))} has no weight")
    return [by_move[move] for move in question.graph.pairs()]
