"""Adjacency matrices as text or CSV: one row per vertex, and a number per vertex in each row.

0, or an empty field of a table, means that there is no edge; another number is the weight of an edge. The
numbers on the diagonal must be 0 or empty. Labels may stand above the rows, or above them and before them, as
pandas writes them; without labels the vertices are numbered from 0. A matrix that is not symmetric is a
digraph, which must be said with `directed`.

A text without labels before the rows is recognized if it is symmetric and has at least 4 rows. Three rows
could be links with weights.
"""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal
from itertools import islice
from typing import NamedTuple

from cavalcade.formats.header import Look, TextLine, assert_writable, graph_name, numbered, separator
from cavalcade.formats.tables import WEIGHT, Columns, weights_in_order
from cavalcade.ground.budget import assert_room
from cavalcade.ground.errors import FormatError
from cavalcade.question.data import SETTLE
from cavalcade.question.graph import MoveGraph

NAME_IT = "name the format with --input-format matrix (format= in Python)"


class Matrix(NamedTuple):
    """A square matrix.

    Args:
        labels: labels of the vertices; None if the text has none.
        entries: rows of texts; an empty text means that there is no edge.
        framed: whether the labels stand above the rows and before them.
    """

    labels: list[str] | None
    entries: list[list[str]]
    framed: bool

    @property
    def is_symmetric(self) -> bool:
        """Whether the matrix equals its transpose."""
        return self.entries == [list(column) for column in zip(*self.entries, strict=True)]


def sniff(look: Look) -> bool:
    """Return whether a text is a symmetric matrix, or has labels.

    Raises:
        FormatError: the text may be the matrix of a digraph, or a board drawn with 0 and 1.
    """
    width = len(look.first.replace(",", " , ").replace(";", " ; ").split())
    if look.names or width < 2 or width > 2 * look.text.count("\n") + 4:  # the fast path for long texts
        return False
    # The fast path for long lists: a matrix has at most one row more than fields in its first row. `first`
    # lacks blanks at its ends, which may separate empty fields before and after it.
    fields = 3 + len(re.findall(r"[\s,;]", look.first))
    if next(islice(re.finditer(r"^[^\S\n]*[^\s#;]", look.text, re.MULTILINE), fields + 1, None), None):
        return False
    try:
        matrix = _matrix(look.text)
    except FormatError:
        return False
    if matrix.framed:
        return True
    if len(matrix.entries) <= len(Columns._fields):  # the rows may be links: tail, head, weight
        return False
    if matrix.is_symmetric:
        return True
    if {entry for row in matrix.entries for entry in row} <= {"", "1"}:
        raise FormatError(
            f"it may be the matrix of a digraph, or a board of squares (1) and holes (0): {NAME_IT} and "
            "--directed, or draw the board with '.' and '#'"
        )
    return False


def write(graph: MoveGraph) -> str:
    """Write the matrix of 0 and 1 as a table with the labels above the rows and before them."""
    names = graph.names
    assert_writable(
        graph, lambda name: name == name.strip() and name.isprintable(), "in a table: it has blanks"
    )
    rows = [["", *names]]
    for vertex, name in enumerate(names):
        neighbours = {*graph.neighbours(vertex).tolist()}
        rows.append([name, *("1" if column in neighbours else "0" for column in range(graph.size))])
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def parse_graph(text: str, name: str = "", *, directed: bool | None = None) -> MoveGraph:
    """Read the graph of a matrix.

    Raises:
        FormatError: the text is no matrix, or not symmetric without `directed`.
    """
    labels, entries, _ = matrix = _matrix(text)
    n = len(entries)
    if not directed and not matrix.is_symmetric:
        a, b = next((a, b) for a in range(n) for b in range(n) if entries[a][b] != entries[b][a])
        first, second = (entry or "0" for entry in (entries[a][b], entries[b][a]))
        where = (
            f"row {a + 1}, column {b + 1} of the matrix is {first}, row {b + 1}, column {a + 1} is {second}"
        )
        raise FormatError(f"{where}: expected {SETTLE if directed is None else 'a symmetric matrix'}")
    edges = [(a, b) for a in range(n) for b in range(n) if entries[a][b]]
    return MoveGraph.from_edges(edges, n, labels or list(range(n)), graph_name(name), directed=bool(directed))


def weights(text: str, graph: MoveGraph) -> list[Decimal]:
    """Return the weights of the edges of a graph, in the order of `graph.edges()`."""
    entries = _matrix(text).entries
    numbers = [
        (a, b, Decimal(entry.replace(",", ".")))
        for a, row in enumerate(entries)
        for b, entry in enumerate(row)
        if entry
    ]
    return weights_in_order(graph, numbers) or []


def _matrix(text: str) -> Matrix:
    """Return the matrix in a text.

    Raises:
        FormatError: the rows do not make a square of numbers with 0 on the diagonal.
    """
    bytes_per_entry = 80  # the text of an entry, as a Python object, and its edge
    assert_room(bytes_per_entry * len(text) // 2, "the matrix")
    lines = [line for line in numbered(text) if line.text.strip() and line.text.lstrip()[0] not in "#;"]
    mark = separator(lines[0].text) if lines else None
    rows = [_row(line, mark) for line in lines]
    labels: list[str] | None = None
    framed = False
    top = rows[0].words if rows else ()
    if (
        len(rows) > 1
        and len(top) == len(rows)
        and [row.words[0] for row in rows[1:]] == list(top[1:])
        and (not top[0] or (len(rows) > 2 and not _is_number(top[0])))  # two rows may be links
    ):
        labels, rows = [*top[1:]], [row._replace(words=row.words[1:]) for row in rows[1:]]
        framed = True
    elif not all(map(_is_number, top)):
        labels, rows = [*top], rows[1:]
    n = len(rows)
    if n < 2 and labels is None:
        raise FormatError("expected a square matrix, one row per vertex")
    if labels is not None and (len({*labels}) != n or "" in labels):
        raise FormatError(f"{len({*labels})} labels above {n} rows, expected one for each row")
    for k, row in enumerate(rows):
        if len(row.words) != n:
            raise row.error(f"{len(row.words)} numbers, expected {n}, one per row of the matrix")
        if bad := next((word for word in row.words if not _is_number(word)), None):
            raise row.error(f"{bad[:40]!r} is not a number")
        if _is_edge(row.words[k]):
            raise row.error(f"the number {row.words[k]} is on the diagonal, expected 0")
    return Matrix(labels, [[word if _is_edge(word) else "" for word in row.words] for row in rows], framed)


def _row(line: TextLine, mark: str | None) -> TextLine:
    """Return a line cut into fields."""
    if mark is None:
        return line._replace(words=line.text.split())
    try:
        fields = next(csv.reader([line.text], delimiter=mark, skipinitialspace=True, strict=True))
    except (csv.Error, StopIteration) as error:
        raise line.error(f"expected numbers between {mark!r}: {error}") from None
    return line._replace(words=[field.strip() for field in fields])


def _is_number(word: str) -> bool:
    """Return whether a field is a number, or empty."""
    return not word or WEIGHT.fullmatch(word) is not None


def _is_edge(word: str) -> bool:
    """Return whether a field is a number other than 0."""
    return bool(word) and not re.fullmatch(r"[-+]?[0.,]+([eE].*)?", word)
