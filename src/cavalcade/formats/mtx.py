"""Matrix Market files, `.mtx`: a graph as its adjacency matrix, `%%MatrixMarket matrix coordinate pattern …`.

Rows are vertices, numbered from 1, and a stored entry is an edge, whatever its value; `symmetric` matrices
store one half. One with all entries on both sides of the diagonal is undirected, else an entry in row a and
column b is a move from a to b. SciPy reads and writes them (Boisvert, Pozo & Remington 1996).
"""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.formats.header import graph_name
from cavalcade.ground.budget import assert_room
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

if TYPE_CHECKING:
    from cavalcade.formats.header import Look

BANNER = "%%MatrixMarket"
SIZE = re.compile(r"^[ \t]*[0-9]+[ \t]+[0-9]+[ \t]+([0-9]+)[ \t\r]*$", re.MULTILINE)
BYTES_AN_ENTRY = 32  # of both halves: two numbers and a value each


def sniff(look: Look) -> bool:
    """Whether it begins with the banner."""
    return look.text.startswith(BANNER)


def write(graph: MoveGraph) -> str:
    """The graph, without its labels; of an undirected one the lower half."""
    from scipy.io import mmwrite
    from scipy.sparse import coo_array

    rows, columns = graph.edges().T if graph.directed else graph.edges()[:, ::-1].T
    matrix = coo_array((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=(graph.size, graph.size))
    file = BytesIO()
    symmetry = "general" if graph.directed else "symmetric"
    mmwrite(file, matrix, field="pattern", symmetry=symmetry)
    return file.getvalue().decode()


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """The graph of such a matrix; its labels are the numbers from 1.

    Raises:
        FormatError: there is none in it.
        GraphError: the matrix is not square, or has no row.
        TooLargeError: it has more entries than there is memory for.
    """
    from scipy.io import mmread

    if "coordinate" not in text.partition("\n")[0].lower():
        raise FormatError("it is no matrix of coordinates, expected '%%MatrixMarket matrix coordinate …'")
    if size := SIZE.search(text):
        assert_room(BYTES_AN_ENTRY * int(size[1]), f"a matrix of {int(size[1]):,} entries")
    try:
        matrix = mmread(BytesIO(text.encode()))
    except (ValueError, OverflowError) as error:
        raise FormatError(f"not a Matrix Market file: {error}") from None
    graph = MoveGraph.from_matrix(matrix)
    return replace(graph, labels=tuple(range(1, graph.size + 1)), spec=graph_name(name))
