"""TSPLIB files: `.tour`, the cells of a tour in order; `.hcp`, a graph; `.tsp` and `.atsp`, one with weights.

All have fields, `KEY : value`, and sections of numbers; vertices and cells are numbered from 1.

- *Tours*: TOUR_SECTION ends with -1. COMMENT contains the header line of board, piece and kind. If there is
  none, the board must be given, and the tour is closed, as in TSPLIB. DIMENSION is the length of the tour.
- *Graphs*: EDGE_DATA_FORMAT is EDGE_LIST, two ends per edge, or ADJ_LIST, a vertex, its neighbours and -1. A
  final -1 ends both lists; it may be missing before EOF. TSPLIB has no labels. A FIXED_EDGES_SECTION lists
  edges that every tour must use, two ends per edge, and ends with -1.
- *Weights*: a file of TYPE TSP or ATSP is a complete graph. EDGE_WEIGHT_TYPE defines its weights as distances
  between the points of NODE_COORD_SECTION, or is EXPLICIT: then EDGE_WEIGHT_SECTION is a matrix in the form
  that EDGE_WEIGHT_FORMAT names. An ATSP file whose matrix is symmetric is an undirected graph.

G. Reinelt, TSPLIB 95 (1995), defines all of these.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour
from cavalcade.boards.board import MOST_CELLS
from cavalcade.formats.header import Claim, Look, TextLine, describe, graph_name, integers
from cavalcade.ground.budget import assert_room, machine_memory
from cavalcade.ground.errors import CavalcadeError, FormatError, TooLargeError
from cavalcade.question.graph import MoveGraph

Field = tuple[str, str, TextLine]  # the key, the value, the line
Lines = list[tuple[int, str]]
LineOf = Callable[[int], TextLine]
ByKey = dict[str, tuple[str, TextLine]]
Floats = NDArray[np.float64]

FIELD = re.compile(r"\s*([A-Za-z_]+)\s*:\s*(.*?)\s*")
NUMBER = re.compile(r"-?[0-9]{1,10}")
DECIMAL = re.compile(r"[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,3})?")
SECTION = r"^\s*TOUR_SECTION"
SIGNS = (
    rf"{SECTION}|^\s*(EDGE_DATA_SECTION|(NAME|TYPE|COMMENT|DIMENSION|EDGE_DATA_FORMAT|EDGE_WEIGHT_TYPE)\s*:)"
)


def write(graph: MoveGraph) -> str:
    """Write the graph as EDGE_LIST.

    Raises:
        GraphError: the graph is directed.
    """
    graph.assert_undirected("TSPLIB's HCP")
    name = graph.spec.removeprefix("graph:")
    head = f"NAME : {name}\nTYPE : HCP\nDIMENSION : {graph.size}\nEDGE_DATA_FORMAT : EDGE_LIST\n"
    rows = [f"{a + 1} {b + 1}" for a, b in graph.pairs()]
    body = "\n".join([*rows, "-1"])
    if graph.fixed:
        body += "\nFIXED_EDGES_SECTION\n" + "".join(f"{a + 1} {b + 1}\n" for a, b in graph.fixed) + "-1"
    return f"{head}EDGE_DATA_SECTION\n{body}\nEOF\n"


def write_tour(tour: Tour) -> str:
    """Write the tour."""
    cells = "\n".join(map(str, [*(tour.cells + 1).tolist(), -1]))
    return (
        f"NAME : {tour.board.title}\nCOMMENT : {describe(tour)}\nTYPE : TOUR\nDIMENSION : {len(tour)}\n"
        f"TOUR_SECTION\n{cells}\nEOF\n"
    )


def sniff(look: Look) -> bool:
    """Whether a text has a section or a field of TSPLIB, and does not begin with a comment of cavalcade."""
    signs = SECTION if look.names else SIGNS
    return not look.text.startswith(";") and re.search(signs, look.text, re.MULTILINE) is not None


def parse(text: str, claim: Claim) -> Tour:
    """Read a tour."""
    fields, sections, ended = _sections(text)
    for key, value, line in fields:
        if key == "COMMENT":
            try:
                claim = claim.with_comment(value)
            except CavalcadeError as error:
                raise line.error(str(error)) from None
        elif key == "TYPE" and value.upper() != "TOUR":
            raise line.error("expected a file of TYPE TOUR")
    if "TOUR_SECTION" not in sections:
        raise FormatError("there is no TOUR_SECTION in it, expected one with the numbers of the cells")
    board = claim.needs_board()
    cells, where = _numbers(sections["TOUR_SECTION"])
    ends = np.flatnonzero(cells == -1)
    if ends.size:
        if (cells[ends[0] :] != -1).any():
            after = int(ends[0] + np.argmax(cells[ends[0] :] != -1))
            raise where(after).error("a second tour begins here, expected one per file")
        cells = cells[: ends[0]]
    for key, value, line in fields:
        if key == "DIMENSION" and value != str(len(cells)):
            raise line.error(f"the tour has {len(cells):,} cells")
    if not ends.size and not ended:
        raise FormatError("the file ends in the middle of the tour, expected -1 or EOF")
    wrong = np.flatnonzero((cells < 1) | (cells > board.size))
    if wrong.size:
        raise where(int(wrong[0])).error(f"not a cell of {board.title}, expected 1 to {board.size}")
    return (claim if claim.closed is not None else replace(claim, closed=True)).tour(cells - 1)


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """Read a graph from a `.hcp`, `.tsp` or `.atsp` file."""
    fields, sections, ended = _sections(text)
    by_key = {key: (value, line) for key, value, line in fields}
    kind = by_key["TYPE"][0].upper().split()[:1] if "TYPE" in by_key else ["HCP"]
    if kind in (["TSP"], ["ATSP"]):
        matrix = _distances(by_key, sections)
        n, directed = len(matrix), bool((matrix != matrix.T).any())
        everyone = ~np.eye(n, dtype=np.bool_) if directed else np.triu(np.ones((n, n), dtype=np.bool_), 1)
        spec = graph_name(by_key["NAME"][0] if "NAME" in by_key else name)
        return _fixed(
            MoveGraph.from_edges(np.argwhere(everyone), n, range(1, n + 1), spec, directed=directed), sections
        )
    if kind != ["HCP"]:
        raise by_key["TYPE"][1].error("expected a file of TYPE HCP, TSP or ATSP")
    for required, keys in (("DIMENSION", by_key.keys()), ("EDGE_DATA_SECTION", sections.keys())):
        if required not in keys:
            raise FormatError(f"there is no {required} in it, expected a DIMENSION and an EDGE_DATA_SECTION")
    n = _dimension(by_key)
    line = by_key["DIMENSION"][1]
    form, line = by_key.get("EDGE_DATA_FORMAT", ("EDGE_LIST", line))
    if form not in {"EDGE_LIST", "ADJ_LIST"}:
        raise line.error("expected EDGE_LIST or ADJ_LIST")
    lists = form == "ADJ_LIST"
    edges, where, closed = _edges(sections["EDGE_DATA_SECTION"], n, "edges", lists=lists)
    if not ended and not closed:
        raise FormatError("the file ends in the middle, expected -1 or EOF")
    loops = np.flatnonzero(edges[:, 0] == edges[:, 1])
    if loops.size:
        raise where(int(loops[0])).error("a vertex is joined to itself")
    if lists:
        order = np.lexsort(edges.T)
        repeats = np.flatnonzero((edges[order[1:]] == edges[order[:-1]]).all(axis=1))
        if repeats.size:
            why = "a neighbour occurs twice; expected -1 after the list of each vertex"
            raise where(int(order[repeats[0] + 1])).error(why)
    spec = graph_name(by_key["NAME"][0] if "NAME" in by_key else name)
    graph = MoveGraph.from_edges(edges, n, range(1, n + 1), spec)
    return _fixed(graph, sections)


def weights(text: str, graph: MoveGraph) -> list[Decimal] | None:
    """Return the weights of the edges of a graph, in the order of `graph.edges()`; None for a `.hcp` file."""
    fields, sections, _ = _sections(text)
    by_key = {key: (value, line) for key, value, line in fields}
    if "TYPE" not in by_key or by_key["TYPE"][0].upper().startswith("HCP"):
        return None
    matrix = _distances(by_key, sections).tolist()
    return [Decimal(matrix[a][b]) for a, b in graph.pairs()]


def _fixed(graph: MoveGraph, sections: dict[str, Lines]) -> MoveGraph:
    """Return a graph with the edges of FIXED_EDGES_SECTION, which every tour must use.

    Raises:
        FormatError: a fixed edge is not an edge of the graph, or the graph is directed.
    """
    lines = sections.get("FIXED_EDGES_SECTION", [])
    if graph.directed and lines:
        raise TextLine(*lines[0]).error("fixed edges of a directed graph are not supported")
    fixed, where, _ = _edges(lines, graph.size, "fixed edges")
    for k, (a, b) in enumerate(fixed.tolist()):
        if b not in graph.neighbours(a):
            raise where(k).error(f"{a + 1} {b + 1} is fixed, but not an edge of the graph")
    return replace(graph, fixed=tuple(sorted({(min(edge), max(edge)) for edge in fixed.tolist()})))


def _dimension(by_key: ByKey) -> int:
    """Return the number of vertices.

    Raises:
        FormatError: DIMENSION is not a number.
        TooLargeError: the graph does not fit into memory.
    """
    if "DIMENSION" not in by_key:
        raise FormatError("there is no DIMENSION in it, expected the number of vertices")
    value, line = by_key["DIMENSION"]
    if not (value.isascii() and value.isdigit() and int(value[:20]) > 0):
        raise line.error("expected a number of vertices, at least 1")
    n = int(value[:20])
    bytes_per_vertex = 32  # a lower bound for a graph: a larger DIMENSION cannot be meant
    if n > MOST_CELLS or n * bytes_per_vertex > machine_memory():
        raise TooLargeError(f"line {line.number}, {line.text!r}: too many vertices for this machine's memory")
    return n


# ---- weights


def _nearest(lengths: Floats) -> Floats:
    return np.floor(lengths + 0.5)


def _euclidean(steps: Floats) -> Floats:
    return _nearest(np.sqrt((steps**2).sum(axis=-1)))


def _pseudo_euclidean(steps: Floats) -> Floats:
    """Return the distances of the instances of Padberg and Rinaldi, such as att48."""
    lengths = np.sqrt((steps**2).sum(axis=-1) / 10)
    rounded = _nearest(lengths)
    return np.where(rounded < lengths, rounded + 1, rounded)


# A function of the differences of coordinates, shape (n, n, dimensions), and the number of dimensions.
METRICS: dict[str, tuple[int, Callable[[Floats], Floats]]] = {
    "EUC_2D": (2, _euclidean),
    "EUC_3D": (3, _euclidean),
    "MAX_2D": (2, lambda steps: _nearest(np.abs(steps)).max(axis=-1)),
    "MAX_3D": (3, lambda steps: _nearest(np.abs(steps)).max(axis=-1)),
    "MAN_2D": (2, lambda steps: _nearest(np.abs(steps).sum(axis=-1))),
    "MAN_3D": (3, lambda steps: _nearest(np.abs(steps).sum(axis=-1))),
    "CEIL_2D": (2, lambda steps: np.ceil(np.sqrt((steps**2).sum(axis=-1)))),
    "ATT": (2, _pseudo_euclidean),
}


def _geographical(points: Floats, radius: float = 6378.388, pi: float = 3.141592) -> Floats:
    """Return the distances in km between points on the earth.

    Args:
        points: latitude and longitude in degrees and minutes, shape (n, 2); 48.5 is 48 degrees 50 minutes.
        radius: radius of the earth in km, as TSPLIB defines it.
        pi: the value of pi that TSPLIB rounds to.
    """
    degrees = np.trunc(points)
    latitude, longitude = (pi * (degrees + 5 * (points - degrees) / 3) / 180).T
    q1 = np.cos(longitude[:, None] - longitude[None])
    q2 = np.cos(latitude[:, None] - latitude[None])
    q3 = np.cos(latitude[:, None] + latitude[None])
    angles: Floats = np.arccos(np.clip(0.5 * ((1 + q1) * q2 - (1 - q1) * q3), -1, 1))
    return np.floor(radius * angles + 1)


def _distances(by_key: ByKey, sections: dict[str, Lines]) -> NDArray[np.int64]:
    """Return the matrix of the weights of a `.tsp` or `.atsp` file; its diagonal has no meaning and is 0.

    Raises:
        FormatError: the weights are missing, incomplete, or of a kind that is not supported.
        TooLargeError: the matrix does not fit into memory.
    """
    n = _dimension(by_key)
    bytes_per_edge = 100  # the entries of the matrix, and the edge, its weight and its number
    assert_room(bytes_per_edge * n * n, f"the complete graph of {n:,} vertices")
    kind = by_key["EDGE_WEIGHT_TYPE"][0].upper() if "EDGE_WEIGHT_TYPE" in by_key else "EXPLICIT"
    if kind == "EXPLICIT":
        matrix = _matrix(n, by_key, _values(sections, "EDGE_WEIGHT_SECTION"))
    elif kind == "GEO" or kind in METRICS:
        dimensions, metric = METRICS.get(kind, (2, None))
        numbers = _values(sections, "NODE_COORD_SECTION")
        if len(numbers) != n * (1 + dimensions):
            raise FormatError(
                f"NODE_COORD_SECTION has {len(numbers):,} numbers, expected {n} lines of a vertex and its "
                f"{dimensions} coordinates"
            )
        rows = numbers.reshape(n, 1 + dimensions)
        rows = rows[np.argsort(rows[:, 0])]
        if (rows[:, 0] != np.arange(1, n + 1)).any():
            raise FormatError(f"NODE_COORD_SECTION does not have each vertex from 1 to {n} once")
        points = rows[:, 1:]
        matrix = metric(points[:, None] - points[None]) if metric else _geographical(points)
    else:
        kinds = ", ".join(("EXPLICIT", "GEO", *METRICS))
        raise by_key["EDGE_WEIGHT_TYPE"][1].error(f"expected one of {kinds}")
    if not (np.abs(matrix) < 2**53).all() or (matrix != np.rint(matrix)).any():
        raise FormatError("a weight is no whole number, expected weights as TSPLIB defines them")
    whole = matrix.astype(np.int64)
    np.fill_diagonal(whole, 0)
    return whole


def _values(sections: dict[str, Lines], section: str) -> Floats:
    """Return the numbers of a section, which need not be whole.

    Raises:
        FormatError: the section is missing, or contains another word.
    """
    if section not in sections:
        raise FormatError(f"there is no {section} in it, expected its weights")
    numbers: list[float] = []
    for number, text in sections[section]:
        words = text.split()
        if bad := next((word for word in words if not DECIMAL.fullmatch(word)), None):
            raise TextLine(number, text).error(f"{bad[:40]!r} is not a number")
        numbers += map(float, words)
    return np.array(numbers)


def _matrix(n: int, by_key: ByKey, numbers: Floats) -> Floats:
    """Return a matrix from the numbers of EDGE_WEIGHT_SECTION.

    Raises:
        FormatError: the form of the matrix is unknown, or does not have this many numbers.
    """
    form, line = by_key.get("EDGE_WEIGHT_FORMAT", ("FULL_MATRIX", by_key["DIMENSION"][1]))
    shape = re.fullmatch(r"(UPPER|LOWER)_(DIAG_)?(ROW|COL)", form.upper())
    if form.upper() != "FULL_MATRIX" and shape is None:
        raise line.error("expected FULL_MATRIX, or UPPER or LOWER with _ROW, _COL, _DIAG_ROW or _DIAG_COL")
    diagonal = shape is not None and shape[2] is not None
    count = n * n if shape is None else n * (n + 1 if diagonal else n - 1) // 2
    if len(numbers) != count:
        raise FormatError(f"EDGE_WEIGHT_SECTION has {len(numbers):,} numbers, {form} of {n} needs {count:,}")
    if shape is None:
        return numbers.reshape(n, n)
    # The columns of the upper triangle are the rows of the lower triangle of the transposed matrix.
    upper = (shape[1] == "UPPER") == (shape[3] == "ROW")
    matrix = np.zeros((n, n))
    matrix[np.triu_indices(n, not diagonal) if upper else np.tril_indices(n, -(not diagonal))] = numbers
    return matrix + np.triu(matrix, 1).T + np.tril(matrix, -1).T


# ---- sections


def _sections(text: str) -> tuple[list[Field], dict[str, Lines], bool]:
    """Split a text into fields and sections.

    Returns:
        The fields, the lines of each section, and whether the text has an EOF line.

    Raises:
        FormatError: a line is neither a field nor in a section, or a field occurs twice.
    """
    fields: list[Field] = []
    sections: dict[str, Lines] = {}
    lines: Lines | None = None
    for number, line in enumerate(text.splitlines(), 1):
        word = line.strip()
        if not word or word[0] in "-0123456789":
            if lines is not None:
                lines.append((number, line))
            elif word:
                raise TextLine(number, line).error("expected a field like TYPE : TOUR, or a section")
        elif word == "EOF":
            return fields, sections, True
        elif match := FIELD.fullmatch(line):
            key = match[1].upper()
            if match[2] or not key.endswith("_SECTION"):
                if key != "COMMENT" and key in {field[0] for field in fields}:
                    raise TextLine(number, line).error(
                        f"{key} occurs twice, expected one tour or graph per file"
                    )
                fields.append((key, match[2], TextLine(number, line)))
            else:
                lines = sections.setdefault(key, [])
        elif word.upper().endswith("_SECTION"):
            lines = sections.setdefault(word.upper(), [])
        else:
            raise TextLine(number, line).error(
                "expected a number, a field like TYPE : TOUR, a section or EOF"
            )
    return fields, sections, False


def _numbers(lines: Lines) -> tuple[NDArray[np.int64], LineOf]:
    """The integers in some lines, and a function from the index of an integer to its line.

    Raises:
        FormatError: a line contains anything else.
    """
    rows = [line.split() for _, line in lines]

    def where(index: int) -> TextLine:
        ends = np.cumsum([len(row) for row in rows])
        return TextLine(*lines[int(np.searchsorted(ends, index, side="right"))])

    numbers = integers(token for row in rows for token in row)
    if numbers is None or (numbers.size and np.abs(numbers).max() >= 2**31):
        whole = [all(NUMBER.fullmatch(end) and abs(int(end)) < 2**31 for end in row) for row in rows]
        raise TextLine(*lines[whole.index(False)]).error("expected whole numbers")
    return numbers, where


def _edges(lines: Lines, n: int, what: str, *, lists: bool = False) -> tuple[NDArray[np.int64], LineOf, bool]:
    """Read the edges of a section.

    Args:
        lines: the lines of the section.
        n: the number of vertices.
        what: the name of the edges in errors.
        lists: whether the section has lists of neighbours instead of pairs.

    Returns:
        The edges between vertices from 0, shape (edges, 2); a function from the index of an edge to its line;
        and whether the section ends with -1.
    """
    numbers, where = _numbers(lines)
    wrong = np.flatnonzero((numbers != -1) & ((numbers < 1) | (numbers > n)))
    if wrong.size:
        raise where(int(wrong[0])).error(f"a number that is not a vertex, expected 1 to {n}")
    minus = numbers == -1
    first = np.r_[True, minus[:-1]][: len(numbers)]  # where a vertex begins its list
    ends = np.flatnonzero(minus & first if lists else minus)
    stop = int(ends[0]) if ends.size else len(numbers)
    if stop + 1 < len(numbers):
        raise where(stop + 1).error(f"the list of {what} ended with -1 before this")
    if lists:
        heads = np.flatnonzero(~first & ~minus)
        tails = np.flatnonzero(first)[np.cumsum(first) - 1][heads]
    else:
        tails, heads = np.arange(0, stop, 2), np.arange(1, stop, 2)
        for number, line in lines:  # such as an edge with its weight
            if sum(end != "-1" for end in line.split()) % 2:
                raise TextLine(number, line).error("an edge with one end, expected pairs of vertices")
    edges = np.stack([numbers[tails], numbers[heads]], axis=1) - 1
    return edges, lambda k: where(int(heads[k])), bool(minus[-1:].any())
