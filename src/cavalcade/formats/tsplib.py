"""TSPLIB files: `.tour`, the cells of a tour in order, and `.hcp`, a graph for the Hamiltonian cycle problem.

Both have fields, `KEY : value`, and sections of integers; vertices and cells are numbered from 1.

- *Tours*: TOUR_SECTION ends with -1. COMMENT contains the header line of board, piece and kind. If there is
  none, the board must be given, and the tour is closed, as in TSPLIB. DIMENSION is the length of the tour.
- *Graphs*: EDGE_DATA_FORMAT is EDGE_LIST, two ends per edge, or ADJ_LIST, a vertex, its neighbours and -1. A
  final -1 ends both lists; it may be missing before EOF. TSPLIB has no labels. A FIXED_EDGES_SECTION lists
  edges that every tour must use, two ends per edge, and ends with -1.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cavalcade.answers.tours import Tour
from cavalcade.boards.board import MOST_CELLS
from cavalcade.formats.header import Claim, Look, TextLine, describe, graph_name, integers
from cavalcade.ground.budget import machine_memory
from cavalcade.ground.errors import CavalcadeError, FormatError, TooLargeError
from cavalcade.question.graph import MoveGraph

Field = tuple[str, str, TextLine]  # the key, the value, the line
Lines = list[tuple[int, str]]
LineOf = Callable[[int], TextLine]

FIELD = re.compile(r"\s*([A-Za-z_]+)\s*:\s*(.*?)\s*")
NUMBER = re.compile(r"-?[0-9]{1,10}")
SECTION = r"^\s*TOUR_SECTION"
SIGNS = rf"{SECTION}|^\s*(EDGE_DATA_SECTION|(NAME|TYPE|COMMENT|DIMENSION|EDGE_DATA_FORMAT)\s*:)"


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
    """Read a graph from a `.hcp` file."""
    fields, sections, ended = _sections(text)
    by_key = {key: (value, line) for key, value, line in fields}
    if "TYPE" in by_key and by_key["TYPE"][0].upper() != "HCP":
        raise by_key["TYPE"][1].error("expected a file of TYPE HCP")
    for required, keys in (("DIMENSION", by_key.keys()), ("EDGE_DATA_SECTION", sections.keys())):
        if required not in keys:
            raise FormatError(f"there is no {required} in it, expected a DIMENSION and an EDGE_DATA_SECTION")
    value, line = by_key["DIMENSION"]
    if not (value.isascii() and value.isdigit() and int(value[:20]) > 0):
        raise line.error("expected a number of vertices, at least 1")
    n = int(value[:20])
    bytes_per_vertex = 32  # a lower bound for a graph: a larger DIMENSION cannot be meant
    if n > MOST_CELLS or n * bytes_per_vertex > machine_memory():
        raise TooLargeError(f"line {line.number}, {line.text!r}: too many vertices for this machine's memory")
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
    fixed, where, _ = _edges(sections.get("FIXED_EDGES_SECTION", []), n, "fixed edges")
    for k, (a, b) in enumerate(fixed.tolist()):
        if b not in graph.neighbours(a):
            raise where(k).error(f"{a + 1} {b + 1} is fixed, but not an edge of the graph")
    return replace(graph, fixed=tuple(sorted({(min(edge), max(edge)) for edge in fixed.tolist()})))


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
