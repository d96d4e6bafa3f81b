"""TSPLIB `.hcp` files: graphs for the Hamiltonian cycle problem. Vertices are numbered from 1.

EDGE_DATA_FORMAT is EDGE_LIST, two ends per edge, or ADJ_LIST, a vertex, its neighbours and -1; a last -1
ends both, and may be missing before EOF. TSPLIB has no labels. A FIXED_EDGES_SECTION lists edges that every
tour must use, two ends per edge, and ends with -1.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cavalcade.boards.board import MOST_CELLS
from cavalcade.formats.header import graph_name, line_error
from cavalcade.formats.tsplib import numbers_after, split_sections
from cavalcade.ground.budget import machine_memory
from cavalcade.ground.errors import FormatError, TooLargeError
from cavalcade.question.graph import MoveGraph

if TYPE_CHECKING:
    from collections.abc import Callable

    from cavalcade.formats.header import Look
    from cavalcade.formats.tsplib import Lines

BYTES_A_VERTEX = 32


def write(graph: MoveGraph) -> str:
    """The graph as EDGE_LIST.

    Raises:
        GraphError: it is directed.
    """
    graph.assert_undirected("TSPLIB's HCP")
    name = graph.spec.removeprefix("graph:")
    head = f"NAME : {name}\nTYPE : HCP\nDIMENSION : {graph.size}\nEDGE_DATA_FORMAT : EDGE_LIST\n"
    rows = [f"{a} {b}" for a, b in (graph.edges() + 1).tolist()]
    body = "\n".join([*rows, "-1"])
    if graph.fixed:
        body += "\nFIXED_EDGES_SECTION\n" + "".join(f"{a + 1} {b + 1}\n" for a, b in graph.fixed) + "-1"
    return f"{head}EDGE_DATA_SECTION\n{body}\nEOF\n"


def sniff(look: Look) -> bool:
    """Whether it has the section or a field of such a file."""
    section = r"^\s*(EDGE_DATA_SECTION|(TYPE|DIMENSION|EDGE_DATA_FORMAT)\s*:)"
    return re.search(section, look.text, re.MULTILINE) is not None


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """The graph in a `.hcp` file.

    Args:
        text: the file.
        name: the name of the graph if the file has no NAME.

    Raises:
        FormatError: there is no undirected graph in it.
    """
    fields, sections, ended = split_sections(text)
    at = {key: (value, number, line) for key, value, number, line in fields}
    if "TYPE" in at and at["TYPE"][0].upper() != "HCP":
        raise line_error(*at["TYPE"][1:], "expected a file of TYPE HCP")
    for needed, found in (("DIMENSION", at), ("EDGE_DATA_SECTION", sections)):
        if needed not in found:
            raise FormatError(f"there is no {needed} in it, expected a DIMENSION and an EDGE_DATA_SECTION")
    value, number, line = at["DIMENSION"]
    if not (value.isascii() and value.isdigit() and int(value[:20]) > 0):
        raise line_error(number, line, "expected a number of vertices, at least 1")
    n = int(value[:20])
    if n > MOST_CELLS or n * BYTES_A_VERTEX > machine_memory():
        raise TooLargeError(f"line {number}, {line!r}: too many vertices for this machine's memory")
    form, number, line = at.get("EDGE_DATA_FORMAT", ("EDGE_LIST", 0, ""))
    if form not in {"EDGE_LIST", "ADJ_LIST"}:
        raise line_error(number, line, "expected EDGE_LIST or ADJ_LIST")
    lines = sections["EDGE_DATA_SECTION"]
    numbers, where = _vertices(lines, n)
    tails, heads, used = (_edge_list if form == "EDGE_LIST" else _adjacency)(numbers)
    if used < len(numbers):
        raise line_error(*where(used), "the list of edges ended with -1 before this")
    if form == "EDGE_LIST":
        _assert_pairs(lines)
    if not ended and (not numbers.size or numbers[-1] != -1):
        raise FormatError("the file ends in the middle, expected -1 or EOF")
    loops = np.flatnonzero(numbers[tails] == numbers[heads])
    if loops.size:
        raise line_error(*where(int(heads[loops[0]])), "a vertex is joined to itself")
    edges = np.stack([numbers[tails], numbers[heads]], axis=1) - 1
    if form == "ADJ_LIST":
        order = np.lexsort(edges.T)
        twice = np.flatnonzero((edges[order[1:]] == edges[order[:-1]]).all(axis=1))
        if twice.size:
            at_line = where(int(heads[order[twice[0] + 1]]))
            raise line_error(*at_line, "a neighbour occurs twice; expected -1 after the list of each vertex")
    spec = graph_name(at["NAME"][0] if "NAME" in at else name)
    graph = MoveGraph.from_edges(edges, n, range(1, n + 1), spec)
    return replace(graph, fixed=_fixed(sections.get("FIXED_EDGES_SECTION", []), graph))


def _vertices(lines: Lines, n: int) -> tuple[NDArray[np.int64], Callable[[int], tuple[int, str]]]:
    """The numbers in these lines, of vertices or -1, and the line of each."""
    numbers, where = numbers_after(lines)
    wrong = np.flatnonzero((numbers != -1) & ((numbers < 1) | (numbers > n)))
    if wrong.size:
        raise line_error(*where(int(wrong[0])), f"a number that is not a vertex, expected 1 to {n}")
    return numbers, where


def _assert_pairs(lines: Lines) -> None:
    """Refuse a line with an odd number of ends, such as an edge with its weight."""
    for number, line in lines:
        if sum(end != "-1" for end in line.split()) % 2:
            raise line_error(number, line, "an edge with one end, expected pairs of vertices")


def _fixed(lines: Lines, graph: MoveGraph) -> tuple[tuple[int, int], ...]:
    """The edges of FIXED_EDGES_SECTION."""
    numbers, where = _vertices(lines, graph.size)
    tails, heads, used = _edge_list(numbers)
    if used < len(numbers):
        raise line_error(*where(used), "the list of fixed edges ended with -1 before this")
    _assert_pairs(lines)
    found = set()
    for at, a, b in zip(
        heads.tolist(), (numbers[tails] - 1).tolist(), (numbers[heads] - 1).tolist(), strict=True
    ):
        if b not in graph.neighbours(a):
            raise line_error(*where(at), f"{a + 1} {b + 1} is fixed, but not an edge of the graph")
        found.add((min(a, b), max(a, b)))
    return tuple(sorted(found))


Edges = tuple[
    NDArray[np.int64], NDArray[np.int64], int
]  # the positions of the ends, and how many numbers were read


def _edge_list(numbers: NDArray[np.int64]) -> Edges:
    ends = np.flatnonzero(numbers == -1)
    stop = int(ends[0]) if ends.size else len(numbers)
    return np.arange(0, stop, 2), np.arange(1, stop, 2), stop + bool(ends.size)


def _adjacency(numbers: NDArray[np.int64]) -> Edges:
    minus = numbers == -1
    first = np.r_[True, minus[:-1]][: len(numbers)]  # where a vertex begins its list
    empty = np.flatnonzero(first & minus)
    stop = int(empty[0]) if empty.size else len(numbers)
    vertex = np.flatnonzero(first)[np.cumsum(first) - 1]
    heads = np.flatnonzero(~first & ~minus)
    heads = heads[heads < stop]
    return vertex[heads], heads, stop + bool(empty.size)
