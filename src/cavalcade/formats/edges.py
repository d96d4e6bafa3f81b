"""Plain edge lists: two labels a line, the rest of a line after `#` is a comment.

A label alone is a vertex; `write` begins with all of them, so that their order and those without an
edge are kept.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cavalcade.errors import FormatError
from cavalcade.formats.header import line_error
from cavalcade.graph import MoveGraph

if TYPE_CHECKING:
    from collections.abc import Sequence

LABEL = re.compile(r"[^\s#]+")


def write(graph: MoveGraph) -> str:
    """The graph as an edge list."""
    names = graph.names
    bad = next((name for name in names if not LABEL.fullmatch(name)), None)
    if bad is not None:
        raise FormatError(f"the label {bad!r} cannot stand in an edge list: it has a space or a '#' in it")
    pairs = [f"{names[a]} {names[b]}" for a, b in graph.edges().tolist()]
    return "".join(f"{line}\n" for line in [*names, *pairs])


def parse(text: str, name: str = "") -> MoveGraph:
    """The graph of an edge list; its labels are text, none where they are 1, 2, … in this order.

    Raises:
        FormatError: there is no graph in it.
    """
    number: dict[str, int] = {}
    edges = []
    for at, line in enumerate(text.splitlines(), 1):
        ends = line.partition("#")[0].removesuffix("{}").split()
        if len(ends) > 2:
            raise line_error(at, line, f"{len(ends)} labels, expected two")
        if len(ends) == 2 and ends[0] == ends[1]:
            raise line_error(at, line, "an edge from a vertex to itself")
        vertices = [number.setdefault(end, len(number)) for end in ends]
        if len(vertices) == 2:
            edges.append((vertices[0], vertices[1]))
    if not number:
        raise FormatError("there is no edge in it, expected two labels a line")
    labels: Sequence[str] | None = list(number)
    if labels == [str(i + 1) for i in range(len(number))]:
        labels = None
    name = "_".join(name.split())
    return MoveGraph.from_edges(edges, len(number), labels, f"graph:{name}" if name else "graph")
