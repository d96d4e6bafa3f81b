"""Matrix Market files, `.mtx`: a graph as its adjacency matrix, `%%MatrixMarket matrix coordinate pattern …`.

Rows are vertices, numbered from 1, and a stored entry is an edge, whatever its value, on the diagonal none;
`symmetric` matrices store one half. One with all entries on both sides of the diagonal is undirected, else
an entry in row a and column b is a move from a to b (Boisvert, Pozo & Remington 1996). SciPy's reader is not
used, as damaged files can crash it.
"""

from __future__ import annotations

import re
from decimal import Decimal

from cavalcade.formats.header import TextLine, graph_name, integers, numbered
from cavalcade.formats.tables import weight_of_value, weights_in_order
from cavalcade.ground.budget import assert_room
from cavalcade.ground.errors import FormatError, GraphError
from cavalcade.question.graph import MoveGraph

BANNER = "%%MatrixMarket"
FIRST = re.compile(BANNER)
FIELDS = {"pattern": 0, "integer": 1, "unsigned-integer": 1, "real": 1, "double": 1, "complex": 2}
SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")


def write(graph: MoveGraph) -> str:
    """The graph, without its labels; of an undirected one the lower half."""
    if graph.directed:
        head, entries = "general", [f"{a + 1} {b + 1}\n" for a, b in graph.pairs()]
    else:
        head, entries = "symmetric", [f"{b + 1} {a + 1}\n" for a, b in graph.pairs()]
    n = graph.size
    return "".join([f"{BANNER} matrix coordinate pattern {head}\n{n} {n} {len(entries)}\n", *entries])


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """Read the graph of a matrix; its labels are the numbers from 1."""
    rows, directed, entries = _entries(text)
    edges = [(a, b) for a, b, _ in entries]
    return MoveGraph.from_edges(edges, rows, range(1, rows + 1), graph_name(name), directed=directed)


def weights(text: str, graph: MoveGraph) -> list[Decimal] | None:
    """Return the entries of the matrix, in the order of `graph.edges()`; None if it has patterns alone.

    Raises:
        FormatError: an entry is complex.
    """
    return weights_in_order(graph, ((a, b, weight_of_value(value)) for a, b, value in _entries(text)[2]))


def _entries(text: str) -> tuple[int, bool, list[tuple[int, int, str | None]]]:
    """Return the number of rows, whether the graph is directed, and row, column and value of each entry.

    Raises:
        FormatError: there is none in it.
        GraphError: the matrix is not square, or has no row.
        TooLargeError: it has more entries than there is memory for.
    """
    words = text.partition("\n")[0].lower().split()
    if words[1:3] != ["matrix", "coordinate"]:
        raise FormatError("it is no matrix of coordinates, expected '%%MatrixMarket matrix coordinate …'")
    if len(words) != 5 or words[3] not in FIELDS or words[4] not in SYMMETRIES:
        expected = f"expected one of {', '.join(FIELDS)}, and one of {', '.join(SYMMETRIES)}"
        raise TextLine(1, text.partition("\n")[0]).error(expected)
    bytes_per_entry = 400  # a line, its words and the edge, as Python objects
    assert_room(bytes_per_entry * text.count("\n"), "the lines of the matrix")
    lines = [line for line in numbered(text) if line.text.strip() and not line.text.startswith("%")]
    sizes = integers(lines[0].text.split()) if lines else None
    if sizes is None or len(sizes) != 3 or sizes.min() < 0:
        raise FormatError("there is no size in it, expected rows, columns and entries")
    rows, columns, count = sizes.tolist()
    if rows != columns:
        raise GraphError(f"the matrix is {rows}x{columns}, expected as many rows as columns")
    if len(lines) - 1 != count:
        raise FormatError(f"there are {len(lines) - 1:,} entries in it, its size says {count:,}")
    edges = []
    for line in lines[1:]:
        fields = line.text.split()
        if len(fields) != 2 + FIELDS[words[3]]:
            raise line.error(f"expected an entry: row and column, 1 to {rows}, and its {words[3]} value")
        a, b = line.vertices(fields[:2], rows)
        edges.append((a, b, " ".join(fields[2:]) or None))
    pairs = {(a, b) for a, b, _ in edges}
    directed = words[4] == "general" and any((b, a) not in pairs for a, b in pairs)
    return rows, directed, edges
