"""Graphs as plain data: neighbours in a dict, pairs in a list, 0 and 1 in a matrix, two columns of a frame.

Data that could be two graphs is refused, with what would settle it. pandas and polars are not imported: a
frame is what has `columns` and a `shape`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

import numpy as np

from cavalcade.ground.errors import GraphError

KINDS = "pairs of nodes, a dict of neighbours, or a square matrix of 0 and 1"
SETTLE = "directed=True or directed=False (--directed, --no-directed)"


class Data(NamedTuple):
    """Edges as pairs of nodes, the nodes that are known without them, and whether edges go one way."""

    pairs: Sequence[Sequence[Any]]
    nodes: Sequence[Hashable]
    directed: bool


def edges_of(given: Any, directed: bool | None) -> Data | None:  # noqa: FBT001 - as above
    """The edges in plain data; None if it is no such data.

    Args:
        given: a dict of neighbours, a list or an array of pairs, a matrix of 0 and 1, or a frame.
        directed: whether edges go one way; None if the data has to show that they go both ways.

    Raises:
        GraphError: it could be two graphs, or is almost one.
    """
    if isinstance(given, Mapping) and not isinstance(given, AbstractSet):  # networkx's edges are both
        return _neighbours(given, directed)
    if hasattr(given, "columns") and hasattr(given, "shape"):
        return Data(_columns(given), (), bool(directed))
    if isinstance(given, AbstractSet):
        raise GraphError(
            f"{_short(given)} is a set, which has no order: expected sides like (8, 8), or {KINDS}"
        )
    if isinstance(given, str | bytes) or not hasattr(given, "__iter__"):
        return None
    rows: Any = given if isinstance(given, np.ndarray) else list(given)
    if not len(rows) or not all(hasattr(row, "__len__") and not isinstance(row, str | bytes) for row in rows):
        return None
    if _is_matrix(rows):
        return _matrix(np.asarray(rows), directed)
    if odd := [row for row in rows if len(row) != 2]:
        raise GraphError(f"{_short(odd[0])} is not an edge, expected {KINDS}")
    if all(isinstance(row, list) for row in rows) and _are_neighbours(rows):
        raise GraphError(
            f"{_short(rows)} could be edges or the neighbours of 0, 1, 2, …: expected tuples, or a dict"
        )
    return Data([(a, b) for a, b in rows], (), bool(directed))


def _neighbours(given: Mapping[Any, Any], directed: bool | None) -> Data:  # noqa: FBT001 - as above
    try:
        pairs = [(a, b) for a, near in given.items() for b in _listed(near)]
        known = set(pairs)
    except TypeError:
        odd = next(
            (near for near in given.values() if isinstance(near, str) or not hasattr(near, "__iter__")), ""
        )
        raise GraphError(
            f"{_short(odd)} is not a list of neighbours, expected a dict like {{1: [2, 3]}}"
        ) from None
    if directed is None and (one_way := next((pair for pair in pairs if pair[::-1] not in known), None)):
        a, b = one_way
        raise GraphError(f"{a!r} has the neighbour {b!r}, which does not have {a!r}: expected {SETTLE}")
    return Data(pairs, list(given), bool(directed))


def _listed(near: Any) -> list[Any]:
    """The neighbours of a node: `[2, 3]`, or `{2: {…}, 3: {…}}` as networkx has them."""
    if isinstance(near, str):
        raise TypeError
    return list(near)


def _is_matrix(rows: Any) -> bool:
    """Whether these are n rows of n numbers, all 0 or 1."""
    n = len(rows)
    if not all(len(row) == n for row in rows):
        return False
    entries = np.asarray(rows)
    return entries.dtype.kind in "biufO" and bool(np.isin(entries, (0, 1)).all())


def _matrix(matrix: Any, directed: bool | None) -> Data:  # noqa: FBT001 - an array
    if len(matrix) == 2 and matrix.diagonal().any():
        raise GraphError(
            f"{_short(matrix.tolist())} could be a matrix or two edges: expected a dict of neighbours"
        )
    if directed is None and (matrix != matrix.T).any():
        a, b = np.argwhere(matrix > matrix.T)[0].tolist()
        where = f"row {a}, column {b} of the matrix is 1, row {b}, column {a} is 0"
        raise GraphError(f"{where}: expected {SETTLE}")
    return Data(np.argwhere(matrix).tolist(), range(len(matrix)), bool(directed))


def _columns(frame: Any) -> list[tuple[Any, Any]]:
    names = list(frame.columns)
    if len(names) != 2 or names[0] == names[1]:
        shown = ", ".join(map(str, names))
        raise GraphError(f"the frame has the columns {shown[:60]}, expected two, the ends of edges")
    pairs = list(zip(*(list(frame[name]) for name in names), strict=True))
    for row, pair in enumerate(pairs):
        if any(map(_is_missing, pair)):
            raise GraphError(f"row {row} of the frame, {_short(pair)}, lacks an end, expected two nodes")
    return pairs


def _is_missing(value: Any) -> bool:
    """Whether a value is None, or like NaN not itself."""
    try:
        return value is None or bool(value != value)  # noqa: PLR0124 - NaN is not NaN
    except (TypeError, ValueError):  # of pandas' NA there is no telling
        return True


def _are_neighbours(rows: list[list[Any]]) -> bool:
    """Whether pairs of numbers could also be the two neighbours of each node, and would be other edges."""
    n = len(rows)
    if not all(isinstance(end, int) and 0 <= end < n for row in rows for end in row):
        return False
    both = {(i, end) for i, row in enumerate(rows) for end in row}
    other = {(a, b) for row in rows for a, b in (row, row[::-1])}
    return both != other and all((b, a) in both and a != b for a, b in both)


def _short(given: object) -> str:
    return repr(given) if len(repr(given)) <= 60 else repr(given)[:57] + "..."
