"""digraph6: a directed graph as one line, `&` and a bit for every entry of the adjacency matrix, row by row.

A row holds the edges that leave its vertex. `formats.sixbit` says how numbers and bits are written. Loops are
read as nothing. An undirected graph is written with both directions of its edges.
"""

from __future__ import annotations

import numpy as np

from cavalcade.formats.sixbit import bits_of, sixes, size_first, size_written, written
from cavalcade.ground.budget import assert_room
from cavalcade.question.graph import MoveGraph


def write(graph: MoveGraph) -> str:
    """The graph as a line; labels are not kept."""
    n = graph.size
    assert_room(3 * n * n, f"the digraph6 line of {graph.title}")
    bits = np.zeros(n * n, dtype=np.uint8)
    bits[np.repeat(np.arange(n, dtype=np.int64), graph.degrees) * n + graph.indices] = 1
    return f"&{size_written(n)}{written(bits)}\n"


def parse_line(line: str, spec: str = "graph") -> MoveGraph:
    """The graph of a line, its vertices numbered from 0.

    Raises:
        FormatError: the line is too long, too short, or has another character in it.
    """
    n, numbers = size_first(sixes(line.removeprefix("&")))
    places = np.flatnonzero(bits_of(numbers, n * n, n * n))
    edges = np.array(np.divmod(places, n)).T
    return MoveGraph.from_edges(edges, n, range(n), spec, directed=True)
