"""graph6: an undirected graph as one line, with a bit for every two vertices.

They are, in this order, (0, 1), (0, 2), (1, 2), (0, 3), … `formats.sixbit` says how numbers and bits are
written, `formats.graph_lines` reads files of many graphs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cavalcade.formats.sixbit import bits_of, sixes, size_first, size_written, written
from cavalcade.ground.budget import assert_room
from cavalcade.question.graph import MoveGraph

if TYPE_CHECKING:
    from numpy.typing import NDArray


def write(graph: MoveGraph) -> str:
    """The graph as a line; labels are not kept."""
    n = graph.size
    pairs = n * (n - 1) // 2
    assert_room(3 * pairs, f"the graph6 line of {graph.title}")
    small, large = graph.edges().astype(np.int64).T
    bits = np.zeros(pairs, dtype=np.uint8)
    bits[large * (large - 1) // 2 + small] = 1
    return f"{size_written(n)}{written(bits)}\n"


def parse_line(line: str, spec: str = "graph") -> MoveGraph:
    """The graph of a line, its vertices numbered from 0.

    Raises:
        FormatError: the line is too long, too short, or has another character in it.
    """
    n, numbers = size_first(sixes(line))
    pairs = n * (n - 1) // 2
    return MoveGraph.from_edges(pair_of(np.flatnonzero(bits_of(numbers, pairs, pairs))), n, range(n), spec)


def pair_of(places: NDArray[np.int64]) -> NDArray[np.int64]:
    """The two vertices that a bit stands for."""
    large = (np.sqrt(2.0 * places + 0.25) + 0.5).astype(np.int64)
    large -= large * (large - 1) // 2 > places  # the root may be rounded either way
    large += large * (large + 1) // 2 <= places
    return np.array([places - large * (large - 1) // 2, large]).T
