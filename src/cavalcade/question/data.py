"""Graphs as plain data: neighbours in a dict, pairs in a list, 0 and 1 in a matrix, two columns of a frame.

Ambiguous data is refused; the error names the words that make it unambiguous. pandas and polars are not
imported: any object with `columns` and `shape` is a frame.
"""

from __future__ import annotations

import struct
from collections.abc import Hashable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cavalcade.ground.errors import GraphError

KINDS = "pairs of nodes, a dict of neighbours, or a square matrix of 0 and 1"
SETTLE = "directed=True or directed=False (--directed, --no-directed)"


class Data(NamedTuple):
    """The edges of a graph.

    Args:
        pairs: the edges as pairs of nodes.
        nodes: the nodes whose order is known, which need not have edges.
        directed: whether the edges are directed.
    """

    pairs: Sequence[Sequence[Any]]
    nodes: Sequence[Hashable]
    directed: bool


def edges_of(data: Any, directed: bool | None) -> Data | None:  # noqa: FBT001 - as above
    """The edges in plain data; None if an object is not such data.

    Args:
        data: a dict of neighbours, a list or an array of pairs, a matrix of 0 and 1, or a frame.
        directed: whether the edges are directed; if it is None, data that is not symmetric is refused.

    Raises:
        GraphError: the data is ambiguous or incomplete.
    """
    if isinstance(data, Mapping) and not isinstance(data, AbstractSet):  # networkx's edges are both
        return _neighbours(data, directed)
    if hasattr(data, "columns") and hasattr(data, "shape"):
        return Data(_columns(data), (), bool(directed))
    if isinstance(data, AbstractSet):
        raise GraphError(
            f"{_short(data)} is a set, which has no order: expected sides like (8, 8), or {KINDS}"
        )
    if isinstance(data, str | bytes) or not hasattr(data, "__iter__"):
        return None
    rows: Any = data if isinstance(data, np.ndarray) else list(data)
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


def pairs_of(edges: list[Any], block: int = 500) -> NDArray[Any]:
    """Edges as an array; packing two long columns takes a third of NumPy's time for many short rows.

    Blocks of this number of edges stay in the cache of the processor.
    """
    if not edges or not {*map(type, edges)} <= {tuple, list}:
        return np.asarray(edges)
    columns = []
    try:
        for i in range(0, len(edges), block):
            tails, heads = zip(*edges[i : i + block], strict=True)
            columns += [struct.pack(f"{len(tails)}q", *tails), struct.pack(f"{len(heads)}q", *heads)]
    except (ValueError, struct.error):  # no pairs, or no integers of 64 bits
        return np.asarray(edges)
    return np.array([np.frombuffer(b"".join(columns[side::2]), dtype=np.int64) for side in (0, 1)]).T


def _neighbours(data: Mapping[Any, Any], directed: bool | None) -> Data:  # noqa: FBT001 - as above
    try:
        pairs = [(a, b) for a, neighbours in data.items() for b in _listed(neighbours)]
        distinct = set(pairs)
    except TypeError:
        odd = next((row for row in data.values() if isinstance(row, str) or not hasattr(row, "__iter__")), "")
        raise GraphError(
            f"{_short(odd)} is not a list of neighbours, expected a dict like {{1: [2, 3]}}"
        ) from None
    if directed is None and (one_way := next((pair for pair in pairs if pair[::-1] not in distinct), None)):
        a, b = one_way
        raise GraphError(f"{a!r} has the neighbour {b!r}, which does not have {a!r}: expected {SETTLE}")
    return Data(pairs, list(data), bool(directed))


def _listed(neighbours: Any) -> list[Any]:
    """The neighbours of a node: `[2, 3]`, or `{2: {…}, 3: {…}}` as in networkx."""
    if isinstance(neighbours, str):
        raise TypeError
    return list(neighbours)


def _is_matrix(rows: Any) -> bool:
    """Whether data is n rows of n numbers, all 0 or 1."""
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
    """Whether a value is None, NaN, or NA of pandas."""
    try:
        return value is None or bool(value != value)  # noqa: PLR0124 - NaN is not NaN
    except (TypeError, ValueError):  # comparing NA of pandas raises an error
        return True


def _are_neighbours(rows: list[list[Any]]) -> bool:
    """Whether pairs of numbers could also be the two neighbours of each node, with different edges."""
    n = len(rows)
    if not all(isinstance(end, int) and 0 <= end < n for row in rows for end in row):
        return False
    as_neighbours = {(i, end) for i, row in enumerate(rows) for end in row}
    as_pairs = {(a, b) for row in rows for a, b in (row, row[::-1])}
    symmetric = all((b, a) in as_neighbours and a != b for a, b in as_neighbours)
    return as_neighbours != as_pairs and symmetric


def _short(data: object) -> str:
    """The representation of an object, at most 60 characters."""
    return repr(data) if len(repr(data)) <= 60 else repr(data)[:57] + "..."
