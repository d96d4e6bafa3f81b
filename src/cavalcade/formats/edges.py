"""Lists of edges: two labels per line, and an optional weight, which is skipped.

The first line shows the separator: spaces, or the commas, semicolons or tabs of a spreadsheet, between which
labels may be quoted. It may also name the columns, like `source,target,weight`, or more columns in any order,
like `Id;Source;Target;Label`. A comment is `#` at the beginning of a line or after a space, and the rest of
the line. `a -> b` is a directed edge, `a -- b` an undirected edge.

`write` begins with the comment `# all vertices: a b c`, which preserves the order of the vertices, and
vertices without an edge; other programs skip it. A list of the labels at the top, one per line, has the same
effect.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice

from cavalcade.formats.header import TextLine, assert_writable, graph_name, numbered, separator
from cavalcade.formats.labels import labels_of
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

VERTICES = "# all vertices:"
LABEL = re.compile(r"[^\s#]+")
NOTE = re.compile(r'(^|\s)#[^"]*$|\s+\{[^{}]*\}\s*$')  # a comment, or attributes that networkx writes
CELL = re.compile("([0-9]+:)*[A-Za-z][1-9][0-9]?")
BRACKET = re.compile(r"[()\[\]{}]")
SIGNS = re.compile(r"[()\[\]{}#,;\t]")
WEIGHT = re.compile(r"[-+]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)([eE][-+]?[0-9]+)?")
MARKS = "<>%*{}[]()&=|~;:!"  # first characters that labels have only if titles or the option name the format
WHOLE = re.compile(r"[0-9]+")
ARROWS = {"->": True, "--": False}  # whether the edge is directed
NAME_IT = "--input-format edges (format= in Python)"  # the advice if a text is ambiguous
ENDS = (
    ("source", "target"),
    ("from", "to"),
    ("start", "end"),
    ("tail", "head"),
    ("u", "v"),
    ("origin", "destination"),
)
WEIGHT_TITLES = {"weight", "w", "cost", "distance", "length"}
TITLES = {title for pair in ENDS for title in pair}
TITLES |= {
    f"{word}{mark}{i}" for word in ("node", "vertex", "label") for mark in ("", "_", " ") for i in "12"
}


def write(graph: MoveGraph) -> str:
    """Write the graph as a list of edges.

    Raises:
        FormatError: a label has a space or a '#' in it.
    """
    names = graph.names
    assert_writable(graph, LABEL.fullmatch, "in a list of edges: it has a space or a '#'")
    arrow = " -> " if graph.directed else " "
    pairs = [f"{names[a]}{arrow}{names[b]}\n" for a, b in graph.pairs()]
    return "".join([" ".join([VERTICES, *names]), "\n", *pairs])


def parse_graph(text: str, name: str = "", *, directed: bool | None = None, sure: bool = False) -> MoveGraph:
    """Read a graph, whose labels are text.

    Args:
        text: the list of edges.
        name: the name of the graph.
        directed: whether the edges are directed, if the text has no arrows.
        sure: whether the text is known to be a list of edges; if not, an ambiguous text is refused.
    """
    if text.startswith(VERTICES):
        first, *lines = text.splitlines()
        names = first.removeprefix(VERTICES).split()
        rows = [TextLine(i, line, words) for i, line in enumerate(lines, 2) if (words := line.split())]
        rows, one_way = _arrows(rows)
    else:
        rows, one_way = _arrows(list(_rows(text)))
        top = next((i for i, row in enumerate(rows) if len(row.words) > 1), len(rows))
        names = [row.words[0] for row in rows[:top]]
        if names and not (rows[top:] and all({*names}.issuperset(row.words) for row in rows[top:])):
            why = "one label, expected two (in a picture of a board '.' is a cell and '#' a hole)"
            if all(CELL.fullmatch(field) for row in rows for field in row.words):
                why = "a list of cells is a tour, expected a board or a graph"
            raise rows[0].error(why)
        rows = rows[top:]
    loop = next((row for row in rows if len(row.words) > 1 and row.words[0] == row.words[1]), None)
    if loop:
        raise loop.error("an edge from a vertex to itself")
    rows = rows if names else _edges(rows, sure=sure, arrows=one_way is not None)
    number = {label: i for i, label in enumerate(names)}
    if len(number) < len(names):
        repeat = next(label for i, label in enumerate(names) if number[label] != i)
        raise FormatError(f"the label {repeat!r} occurs twice in the list of all vertices")
    for row in rows if names else ():
        if len(row.words) != 2 or not number.keys() >= set(row.words):
            raise row.error("expected two labels of the list of all vertices")
    edges = [
        (number.setdefault(words[0], len(number)), number.setdefault(words[1], len(number)))
        for _, _, words in rows
    ]
    if not number:
        raise FormatError("there is no edge in it, expected two labels per line")
    directed = bool(directed) if one_way is None else one_way
    return MoveGraph.from_edges(edges, len(number), list(number), graph_name(name), directed=directed)


def weights(text: str, graph: MoveGraph) -> list[Decimal]:
    """The weights of the edges of a graph, in the order of `graph.edges()`.

    Args:
        text: the list of edges from which `parse_graph` made the graph. If no line has a third column, every
            edge has the weight 1.
        graph: the graph.

    Raises:
        FormatError: an edge has no weight, or two different weights.
    """
    weight_of: dict[tuple[int, int], Decimal] = {}
    rows = list(_rows(text))
    if all(len(row.words) == 2 for row in rows):
        return [Decimal(1)] * graph.edge_count
    order = _columns([title.lower() for title in rows[0].words])
    for row in rows:
        fields = [row.words[column] for column in order if column < len(row.words)] if order else row.words
        weighted = len(fields) == 3 and WEIGHT.fullmatch(fields[2])
        if not weighted or not {fields[0], fields[1]} <= set(graph.names):  # the line of titles
            continue
        a, b = graph.cell(fields[0]), graph.cell(fields[1])
        if b < a and not graph.directed:
            a, b = b, a
        weight = Decimal(fields[2].replace(",", "."))
        if weight_of.setdefault((a, b), weight) != weight:
            raise row.error(f"this edge has the weight {weight_of[a, b]} on another line")
    edges = list(graph.pairs())
    if bare := next((edge for edge in edges if edge not in weight_of), None):
        pair = " and ".join(graph.names[end] for end in bare)
        raise FormatError(f"the edge between {pair} has no weight, expected a third column with numbers")
    return [weight_of[edge] for edge in edges]


def _columns(titles: list[str]) -> list[int]:
    """The columns of the two ends and of the weight, by their titles; empty without titles."""
    ends = next(([titles.index(end) for end in pair] for pair in ENDS if {*pair} <= {*titles}), None)
    if ends is None:
        return []
    rest = [column for column in range(len(titles)) if column not in ends]
    named = [column for column in rest if titles[column] in WEIGHT_TITLES]
    return [*ends, *(named[:1] or (rest if len(rest) == 1 else []))]


def _rows(text: str) -> Iterator[TextLine]:
    """The lines that are not comments, cut into fields; see `labels` for apostrophes in front of fields."""
    if "'" not in text:
        yield from _cut(text)
        return
    rows = list(_cut(text))
    labels = iter(labels_of([field for row in rows for field in row.words]))
    yield from (row._replace(words=list(islice(labels, len(row.words)))) for row in rows)


def _cut(text: str) -> Iterator[TextLine]:
    """The lines that are not comments, cut into fields."""
    if not SIGNS.search(text):  # the fast path for long files: only spaces, no brackets, no comments
        lines = enumerate(text.splitlines(), 1)
        yield from (TextLine(i, line, words) for i, line in lines if (words := line.split()))
        return
    mark: str | None = ""  # the separator; None for spaces, empty before the first line
    for line in numbered(text):
        rest = (NOTE.sub("", line.text) if "#" in line.text or "{" in line.text else line.text).strip()
        if mark == "" and rest:
            mark = separator(rest)
        if not rest or (mark and not rest.strip(f" {mark}")):
            continue
        fields = _values(line, rest, mark) if mark else rest.split()
        if "#" in rest and '"' not in rest:
            raise line.error("a '#' inside a label; a comment begins after a space")
        if "" in fields[:2]:
            raise line.error(f"column {fields.index('') + 1} is empty, expected two labels per line")
        if not fields or (BRACKET.search(rest) and not _balanced(fields[:2])):
            raise line.error("expected two labels per line, without brackets around them")
        yield line._replace(words=fields)


def _arrows(rows: list[TextLine]) -> tuple[list[TextLine], bool | None]:
    """Remove the arrows between labels.

    Returns:
        The rows without arrows; and whether the edges are directed, None if there is no arrow.
    """
    signs = {row.words[1] for row in rows if len(row.words) > 2}
    if signs.isdisjoint(ARROWS):
        return rows, None
    sign = next(row.words[1] for row in rows if len(row.words) > 2 and row.words[1] in ARROWS)
    if odd := next((row for row in rows if row.words[1:2] != [sign] or len(row.words) < 3), None):
        raise odd.error(f"expected {sign!r} between two labels, as on other lines")
    return [row._replace(words=[row.words[0], *row.words[2:]]) for row in rows], ARROWS[sign]


def _values(line: TextLine, rest: str, mark: str) -> list[str]:
    """The fields of a line, without empty fields at its end."""
    try:
        row = next(csv.reader([rest], delimiter=mark, skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise line.error(f"expected labels between {mark!r}: {error}") from None
    if mark != "\t" and '"' not in rest and _two_ways(rest.split(), mark):
        raise line.error(f"both spaces and {mark!r} between labels, expected one of them")
    fields = [field.strip() for field in row]
    while fields and not fields[-1]:
        fields.pop()
    return [field for field in fields if field] if mark == "\t" else fields


def _balanced(labels: list[str]) -> bool:
    """Whether each label has equal numbers of opening and closing brackets, unlike the labels of `(0, 1)`."""
    return all(label.count(a) == label.count(b) for label in labels for a, b in ("()", "[]", "{}"))


def _two_ways(words: list[str], mark: str) -> bool:
    """Whether a line like `0,0 1,2` or `a b 1,5` could be cut at its spaces as well as at its commas."""
    if len(words) == 3:
        return mark in words[2].strip(mark) and WEIGHT.fullmatch(words[2]) is not None
    return len(words) == 2 and all(mark in word.strip(mark) for word in words)


def _edges(rows: list[TextLine], *, sure: bool, arrows: bool) -> list[TextLine]:
    """Find the columns of the two labels, and remove the line of titles.

    Args:
        rows: all rows.
        sure: whether the text is known to be a list of edges.
        arrows: whether there were arrows between the labels; such a list has no titles.

    Raises:
        FormatError: the rows have other columns than two labels and perhaps a weight, or are ambiguous.
    """
    if not rows:
        return rows
    first, heads, width = rows[0], rows[0].words, len(rows[0].words)
    titles = [title.lower() for title in heads]
    ends = next(([titles.index(end) for end in pair] for pair in ENDS if {*pair} <= {*titles}), None)
    if ends and (width > 3 or ends != [0, 1]):
        for row in rows:
            if len(row.words) <= max(ends) or ("\t" in row.text and len(row.words) != width):
                raise row.error(f"{len(row.words)} columns, expected {width} as in line {first.number}")
        return [row._replace(words=[row.words[end] for end in ends]) for row in rows[1:]]
    if width > 3 and all(map(CELL.fullmatch, heads)):
        raise first.error("a list of cells is a tour, expected a board or a graph")
    if width > 3:
        raise first.error(f"{width} columns, expected two labels and perhaps a weight; or name the format")
    for row in rows:
        if len(row.words) != width:
            columns = f"{len(row.words)} column{'s' * (len(row.words) > 1)}, expected {width}"
            raise row.error(f"{columns} as in line {first.number}")
    sure = sure or arrows
    below = [label for row in rows[1:] for label in row.words[:2]]
    distinct = set(below)
    titled = False
    # The first line can be titles only if neither of its labels occurs below it.
    if not arrows and distinct.isdisjoint(heads[:2]):
        number = [WEIGHT.fullmatch(label) is not None for label in (*heads, *below)]
        words = not any(number[:2]) and not any(head[:1].isdigit() for head in heads[:2])
        titled = TITLES.issuperset(titles[:2]) or (
            bool(below) and ((width == 3 and not number[2]) or (all(number[width:]) and words))
        )
        if not (titled or sure) and len(distinct) < len(below):
            expected = f"expected titles like source,target, an edge that joins the others, or {NAME_IT}"
            raise first.error(f"neither label is on another line: {expected}")
    rows = rows[titled:]
    labels = distinct if titled else distinct.union(heads[:2])
    if not sure and len(rows) > 1 and len(labels) == 2 * len(rows):
        raise rows[0].error(
            f"no label is on two lines, expected edges that have ends in common, or {NAME_IT}"
        )
    if not (titled or sure):
        _assert_certain(rows, labels)
    if width < 3:
        return rows
    for row in rows:
        if CELL.fullmatch(row.words[2]):
            raise row.error("a list of cells is a tour, expected a board or a graph", row.words[2])
        if not WEIGHT.fullmatch(row.words[2]):
            raise row.error(f"{row.words[2][:40]!r} is not a weight, expected two labels and a number")
    alike = all(row.words[2] in distinct and row.words[2] not in row.words[:2] for row in rows)
    if alike and len(rows) > 1 and not (titled or sure):
        expected = f"expected titles like source,target,weight, or {NAME_IT}"
        raise first.error(f"three labels or two and a weight? {expected}")
    return rows


def _is_mark(label: str) -> bool:
    """Whether a label looks like syntax: a sign at its ends, `>>graph6<<`, or no letter and no digit."""
    inside = "<<" in label or ">>" in label
    return label[0] in MARKS or label[-1] == ":" or inside or not any(map(str.isalnum, label))


def _assert_certain(rows: list[TextLine], labels: set[str]) -> None:
    """Check that rows without titles can only be edges.

    Raises:
        FormatError: a label begins or ends with a sign of another format, the first word may be a keyword, as
            in DIMACS, or the text is a matrix.
    """
    expected = f"expected titles like source,target,weight, or {NAME_IT}"
    if odd := next((label for label in labels if _is_mark(label)), None):
        why = "a sign of another format, as before neighbours or data? Expected --input-format"
        raise next(row for row in rows if odd in row.words[:2]).error(
            f"{odd[:40]!r}: {why} (format= in Python)"
        )
    for row in rows:
        if len(row.words) < 3 or WEIGHT.fullmatch(row.words[0]):
            continue
        if all(map(WHOLE.fullmatch, row.words[1:])):
            raise row.error(f"{row.words[0][:40]!r} may be a vertex, or a keyword before an edge: {expected}")
    if len(rows) == 3 and {word for row in rows for word in row.words} <= {"0", "1"}:
        raise rows[0].error(f"a matrix of 0 and 1, or edges with weights? {expected}")
