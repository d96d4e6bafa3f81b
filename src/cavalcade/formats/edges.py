"""Lists of edges: two labels per line, and perhaps a weight, which is not used.

The labels are separated by spaces, or by commas, semicolons or tabs, as a spreadsheet writes them: the first
line shows which. Then a label may be quoted. The first line may name the columns, like
`source,target,weight`, or more of them in any order, like `Id;Source;Target;Label`. What follows `#`, at the
beginning of a line or after a space, is a comment.

`write` begins with the comment `# all vertices: a b c`, which preserves their order and the
vertices without an edge; other programs skip it. A list of all labels at the top, one per line, does so too.
"""

from __future__ import annotations

import csv
import re
from decimal import Decimal
from typing import TYPE_CHECKING

from cavalcade.formats.header import graph_name, line_error
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

if TYPE_CHECKING:
    from collections.abc import Iterator

Row = tuple[int, str, list[str]]  # the number of a line, the line, its fields

VERTICES = "# all vertices:"
LABEL = re.compile(r"[^\s#]+")
NOTE = re.compile(r'(^|\s)#[^"]*$|\s*\{[^{}]*\}\s*$')  # a comment, or the data of networkx
CELL = re.compile("([0-9]+:)*[A-Za-z][1-9][0-9]?")
BRACKET = re.compile(r"[()\[\]{}]")
SIGNS = re.compile(r"[()\[\]{}#,;\t]")
WEIGHT = re.compile(r"[-+]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)([eE][-+]?[0-9]+)?")
ENDS = (("source", "target"), ("from", "to"), ("start", "end"), ("tail", "head"), ("u", "v"))
TITLES = {"source", "target", "from", "to", "start", "end", "tail", "head", "u", "v"}
TITLES |= {
    f"{word}{mark}{i}" for word in ("node", "vertex", "label") for mark in ("", "_", " ") for i in "12"
}


def write(graph: MoveGraph) -> str:
    """The graph as a list of edges.

    Raises:
        FormatError: a label has a space or a '#' in it.
    """
    names = graph.names
    bad = next((name for name in names if not LABEL.fullmatch(name)), None)
    if bad is not None:
        raise FormatError(f"the label {bad!r} cannot be written in a list of edges: it has a space or a '#'")
    pairs = [f"{names[a]} {names[b]}\n" for a, b in graph.edges().tolist()]
    return "".join([" ".join([VERTICES, *names]), "\n", *pairs])


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """The graph of a list of edges; its labels are text.

    Raises:
        FormatError: it has no graph, or is ambiguous.
    """
    lines = text.splitlines()
    if text.startswith(VERTICES):
        names = lines[0].removeprefix(VERTICES).split()
        rows = [(at, line, line.split()) for at, line in enumerate(lines[1:], 2) if line.strip()]
    else:
        rows = list(_rows(lines))
        top = next((i for i, row in enumerate(rows) if len(row[2]) > 1), len(rows))
        names = [row[2][0] for row in rows[:top]]
        known = set(names)
        if names and not (rows[top:] and all(known.issuperset(fields) for _, _, fields in rows[top:])):
            why = "one label, expected two (in a picture of a board '.' is a cell and '#' a hole)"
            if all(CELL.fullmatch(field) for _, _, fields in rows for field in fields):
                why = "a list of cells is a tour, expected a board or a graph"
            raise line_error(*rows[0][:2], why)
        rows = rows[top:]
    loop = next((row for row in rows if len(row[2]) > 1 and row[2][0] == row[2][1]), None)
    if loop:
        raise line_error(*loop[:2], "an edge from a vertex to itself")
    rows = rows if names else _edges(rows)
    number = {label: i for i, label in enumerate(names)}
    if len(number) < len(names):
        twice = next(label for i, label in enumerate(names) if number[label] != i)
        raise FormatError(f"the label {twice!r} occurs twice in the list of all vertices")
    for at, line, fields in rows if names else ():
        if len(fields) != 2 or not number.keys() >= set(fields):
            raise line_error(at, line, "expected two labels of the list of all vertices")
    edges = [
        (number.setdefault(fields[0], len(number)), number.setdefault(fields[1], len(number)))
        for _, _, fields in rows
    ]
    if not number:
        raise FormatError("there is no edge in it, expected two labels per line")
    return MoveGraph.from_edges(edges, len(number), list(number), graph_name(name))


def weights(text: str, graph: MoveGraph) -> list[Decimal]:
    """The weights in a list of edges that `parse_graph` made this graph of: one for each of `graph.edges()`.

    Raises:
        FormatError: some edge has none, or two that differ.
    """
    found: dict[tuple[int, int], Decimal] = {}
    for at, line, fields in _rows(text.splitlines()):
        known = len(fields) == 3 and WEIGHT.fullmatch(fields[2])
        if not known or not {fields[0], fields[1]} <= set(graph.names):
            continue
        ends = sorted((graph.cell(fields[0]), graph.cell(fields[1])))
        weight = Decimal(fields[2].replace(",", "."))
        if found.setdefault((ends[0], ends[1]), weight) != weight:
            raise line_error(at, line, f"this edge has the weight {found[ends[0], ends[1]]} on another line")
    edges = [(a, b) for a, b in graph.edges().tolist()]
    if bare := next((edge for edge in edges if edge not in found), None):
        pair = " and ".join(graph.names[end] for end in bare)
        raise FormatError(f"the edge between {pair} has no weight, expected a third column with numbers")
    return [found[edge] for edge in edges]


def _rows(lines: list[str]) -> Iterator[Row]:
    """The lines that are not comments, cut into fields."""
    if not SIGNS.search("\n".join(lines)):  # most files have none, and they may be long
        yield from ((at, line, fields) for at, line in enumerate(lines, 1) if (fields := line.split()))
        return
    mark: str | None = ""  # the separator, None for spaces; not known before the first line
    for at, line in enumerate(lines, 1):
        rest = (NOTE.sub("", line) if "#" in line or "{" in line else line).strip()
        if mark == "" and rest:
            mark = next((sign for sign in "\t;," if sign in rest), None)
        if not rest or (mark and not rest.strip(f" {mark}")):
            continue
        fields = _values(at, line, rest, mark) if mark else rest.split()
        if "#" in rest and '"' not in rest:
            raise line_error(at, line, "a '#' inside a label; a comment begins after a space")
        if "" in fields[:2]:
            raise line_error(
                at, line, f"column {fields.index('') + 1} is empty, expected two labels per line"
            )
        if not fields or (BRACKET.search(rest) and not _balanced(fields[:2])):
            raise line_error(at, line, "expected two labels per line, without brackets around them")
        yield at, line, fields


def _values(at: int, line: str, rest: str, mark: str) -> list[str]:
    """The fields of a line, without the empty ones at its end."""
    try:
        row = next(csv.reader([rest], delimiter=mark, skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise line_error(at, line, f"expected labels between {mark!r}: {error}") from None
    if mark != "\t" and '"' not in rest and _two_ways(rest.split(), mark):
        raise line_error(at, line, f"both spaces and {mark!r} between labels, expected one of them")
    fields = [field.strip() for field in row]
    while fields and not fields[-1]:
        fields.pop()
    return [field for field in fields if field] if mark == "\t" else fields


def _balanced(labels: list[str]) -> bool:
    """Whether every bracket that is opened in a label is closed in it: unlike in `(0, 1)`."""
    return all(label.count(a) == label.count(b) for label in labels for a, b in ("()", "[]", "{}"))


def _two_ways(words: list[str], mark: str) -> bool:
    """Whether a line like `0,0 1,2` or `a b 1,5` could be cut at its spaces as well as at its commas."""
    if len(words) == 3:
        return mark in words[2].strip(mark) and WEIGHT.fullmatch(words[2]) is not None
    return len(words) == 2 and all(mark in word.strip(mark) for word in words)


def _edges(rows: list[Row]) -> list[Row]:
    """The rows without their titles.

    Raises:
        FormatError: they have no two labels, and perhaps a weight, or mean something else.
    """
    if not rows:
        return rows
    first, width = rows[0], len(rows[0][2])
    titles = [title.lower() for title in first[2]]
    ends = next(([titles.index(end) for end in pair] for pair in ENDS if {*pair} <= {*titles}), None)
    if ends and (width > 3 or ends != [0, 1]):
        for at, line, fields in rows:
            if len(fields) <= max(ends) or ("\t" in line and len(fields) != width):
                raise line_error(at, line, f"{len(fields)} columns, expected {width} as in line {first[0]}")
        return [(at, line, [fields[end] for end in ends]) for at, line, fields in rows[1:]]
    if width > 3 and all(CELL.fullmatch(field) for field in first[2]):
        raise line_error(*first[:2], "a list of cells is a tour, expected a board or a graph")
    if width > 3:
        raise line_error(*first[:2], f"{width} columns, expected two labels and perhaps a weight")
    for at, line, fields in rows:
        if len(fields) != width:
            columns = f"{len(fields)} column{'s' * (len(fields) > 1)}, expected {width}"
            raise line_error(at, line, f"{columns} as in line {first[0]}")
    below = [label for _, _, fields in rows[1:] for label in fields[:2]]
    shared = set(below)
    titled = False
    if shared.isdisjoint(first[2][:2]):
        number = [WEIGHT.fullmatch(label) is not None for label in (*first[2], *below)]
        titled = TITLES.issuperset(title.lower() for title in first[2][:2]) or (
            bool(below) and ((width == 3 and not number[2]) or (all(number[width:]) and not any(number[:2])))
        )
        if not titled and len(shared) < len(below):
            expected = "expected titles like source,target, or an edge that joins the others"
            raise line_error(*first[:2], f"neither label is on another line: {expected}")
    rows = rows[titled:]
    if len(rows) > 1 and len(shared if titled else shared.union(first[2][:2])) == 2 * len(rows):
        raise line_error(*rows[0][:2], "no label is on two lines, expected edges that have ends in common")
    if width < 3:
        return rows
    for at, line, fields in rows:
        if CELL.fullmatch(fields[2]):
            raise line_error(at, line, "a list of cells is a tour, expected a board or a graph", fields[2])
        if not WEIGHT.fullmatch(fields[2]):
            raise line_error(
                at, line, f"{fields[2][:40]!r} is not a weight, expected two labels and a number"
            )
    tails = {fields[0] for _, _, fields in rows}
    alike = all(fields[2] in shared and fields[2] not in fields[:2] for _, _, fields in rows)
    if alike and len(tails) == len(rows) > 1 and not titled:
        raise line_error(
            *first[:2], "three labels or two and a weight? Expected titles like source,target,weight"
        )
    return rows
