"""sparse6: an undirected graph as one line, as long as it has edges: `:` and pairs of a bit b and a vertex x.

A vertex v is at hand, at first 0. Each pair adds b to v; then, if x is above v, v becomes x, else {x, v} is
an edge. x has as many bits as n - 1. Bits 1 fill the last character up. Loops and parallel edges are
possible; loops are read as nothing, and edges that occur twice once. `formats.sixbit` says how numbers and
bits are written.
"""

from __future__ import annotations

import numpy as np

from cavalcade.formats.sixbit import bits_of, sixes, size_first, size_written, written
from cavalcade.question.graph import MoveGraph


def write(graph: MoveGraph) -> str:
    """The graph as a line; labels are not kept."""
    n, width = graph.size, (graph.size - 1).bit_length()
    small, large = graph.edges().T
    order = np.lexsort([small, large])
    small, large = small[order].astype(np.int64), large[order].astype(np.int64)
    step = np.diff(large, prepend=0)
    jumps = step > 1  # a pair of its own takes v there
    at = np.arange(len(large)) + np.cumsum(jumps)
    pairs = np.zeros((len(large) + int(jumps.sum()), 1 + width), dtype=np.uint8)
    below = np.arange(width - 1, -1, -1)
    pairs[at, 0] = step == 1
    pairs[at, 1:] = small[:, None] >> below & 1
    pairs[at[jumps] - 1, 0] = 1
    pairs[at[jumps] - 1, 1:] = large[jumps, None] >> below & 1
    bits = pairs.ravel()
    last = int(large[-1]) if len(large) else 0
    if n == 1 << width and width < 6 and last == n - 2 and -len(bits) % 6 > width:
        bits = np.append(bits, np.uint8(0))  # else the filling would read as a loop at n - 1
    return f":{size_written(n)}{written(bits, fill=1)}\n"


def parse_line(line: str, spec: str = "graph") -> MoveGraph:
    """The graph of a line, its vertices numbered from 0.

    Raises:
        FormatError: the line has another character in it, or ends in its number of vertices.
    """
    n, numbers = size_first(sixes(line.removeprefix(":")))
    width = (n - 1).bit_length()
    bits = bits_of(numbers, 6 * len(numbers) // (1 + width) * (1 + width)).reshape(-1, 1 + width)
    gained = np.cumsum(bits[:, 0], dtype=np.int64)
    x = bits[:, 1:].astype(np.int64) @ (1 << np.arange(width - 1, -1, -1, dtype=np.int64))
    v = gained + np.maximum.accumulate(np.maximum(x - gained, 0))  # what each pair makes of v
    before = np.append(0, v[:-1])[: len(v)] + bits[:, 0]
    edge = (x <= before) & (v < n)
    return MoveGraph.from_edges(np.stack([x, v], axis=1)[edge], n, range(n), spec)
