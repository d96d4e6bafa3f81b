"""Lists of edges: two labels per line, and an optional weight.

`tables.rows_of` splits the lines. Titles such as `source,target,weight` may stand above the links; then there
may be further columns, in any order. The option `columns` chooses columns with other titles. A line may also
hold several links with their weights, as `input from $ to $ weight @@;` of SAS reads them. `a -> b` is a
directed edge, `a -- b` an undirected edge.

`write` begins with the comment `# all vertices: a b c`, which preserves the order of the vertices, and
vertices without an edge; other programs skip it. A list of the labels at the top, one per line, has the same
effect.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import NamedTuple

from cavalcade.formats.header import TextLine, assert_writable, graph_name
from cavalcade.formats.tables import (
    NAME_THEM,
    WEIGHT,
    Columns,
    are_points,
    are_titles,
    rows_of,
    shown,
    understood,
)
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

VERTICES = "# all vertices:"
LABEL = re.compile(r"[^\s#]+")
CELL = re.compile("([0-9]+:)*[A-Za-z][1-9][0-9]?")
MARKS = "<>%*{}[]()&=|~;:!"  # first characters that labels have only if titles or the option name the format
WHOLE = re.compile(r"[0-9]+")
ARROWS = {"->": True, "--": False}  # whether the edge is directed
NAME_IT = "--input-format edges (format= in Python)"  # the advice if a text is ambiguous


class LinkRows(NamedTuple):
    """The links in a text.

    Args:
        labels: all vertices, in order.
        rows: lines with the two ends of a link as words, and its weight if it has one.
        directed: whether the links are directed; None if the text does not say it.
        unchosen: columns that may hold weights, for an error message; empty if none was dropped.
    """

    labels: list[str]
    rows: list[TextLine]
    directed: bool | None
    unchosen: str = ""


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


def parse_graph(
    text: str, name: str = "", *, directed: bool | None = None, sure: bool = False, columns: str | None = None
) -> MoveGraph:
    """Read a graph, whose labels are text.

    Args:
        text: the list of edges.
        name: the name of the graph.
        directed: whether the edges are directed, if the text has no arrows.
        sure: whether the text is known to be a list of edges; if not, an ambiguous text is refused.
        columns: the columns of the ends and perhaps the weight, by titles or numbers from 1, such as
            `City A,City B,Miles`.
    """
    links = _links(text, sure=sure, columns=columns)
    number = {label: i for i, label in enumerate(links.labels)}
    edges = [(number[row.words[0]], number[row.words[1]]) for row in links.rows]
    directed = bool(directed) if links.directed is None else links.directed
    return MoveGraph.from_edges(edges, len(number), links.labels, graph_name(name), directed=directed)


def weights(
    text: str, graph: MoveGraph, *, sure: bool = False, columns: str | None = None
) -> list[Decimal] | None:
    """Return the weights of the edges of a graph, in the order of `graph.edges()`; None if the text has none.

    Args:
        text: the list of edges from which `parse_graph` made the graph.
        graph: the graph.
        sure: as for `parse_graph`.
        columns: as for `parse_graph`.

    Raises:
        FormatError: an edge has no weight, or two different weights.
    """
    links = _links(text, sure=sure, columns=columns)
    if all(len(row.words) == 2 for row in links.rows):
        if links.unchosen:
            raise FormatError(f"no column is called 'weight' in {links.unchosen}: {NAME_THEM}")
        return None
    number = {label: i for i, label in enumerate(map(str, graph.names))}
    weight_of: dict[tuple[int, int], Decimal] = {}
    for row in links.rows:
        if len(row.words) == 2:
            raise row.error("this edge has no weight, expected a number after the two labels")
        if not WEIGHT.fullmatch(row.words[2]):
            raise row.error(f"{row.words[2][:40]!r} is not a weight, expected a number")
        a, b = number[row.words[0]], number[row.words[1]]
        edge = (b, a) if b < a and not graph.directed else (a, b)
        weight = Decimal(row.words[2].replace(",", "."))
        if weight_of.setdefault(edge, weight) != weight:
            raise row.error(f"this edge has the weight {weight_of[edge]} on another line")
    return [weight_of[edge] for edge in graph.pairs()]


def _links(text: str, *, sure: bool, columns: str | None) -> LinkRows:
    """Return the links in a text.

    Raises:
        FormatError: the text holds no links, or is ambiguous.
    """
    unchosen = ""
    if text.startswith(VERTICES):
        first, *lines = text.splitlines()
        labels = first.removeprefix(VERTICES).split()
        rows = [TextLine(i, line, words) for i, line in enumerate(lines, 2) if (words := line.split())]
        rows, one_way = _arrows(rows)
    else:
        rows, one_way = _arrows(list(rows_of(text)))
        top = next((i for i, row in enumerate(rows) if len(row.words) > 1), len(rows))
        labels = [row.words[0] for row in rows[:top]]
        if labels and not (rows[top:] and all({*labels}.issuperset(row.words) for row in rows[top:])):
            why = "one label, expected two (in a picture of a board '.' is a cell and '#' a hole)"
            if all(CELL.fullmatch(field) for row in rows for field in row.words):
                why = "a list of cells is a tour, expected a board or a graph"
            elif all(re.fullmatch(r"\d+(x\d+)+", label) for label in labels):
                why = "a list of boards, expected one; for each: try xargs -n1 cavalcade count < FILE"
            raise rows[0].error(why)
        rows = rows[top:]
    if not labels:
        rows, unchosen = _chosen(rows, sure=sure, arrows=one_way is not None, columns=columns)
    listed = {*labels}
    for row in rows:
        fields = row.words
        if listed and (len(fields) != 2 or not listed.issuperset(fields)):
            raise row.error("expected two labels of the list of all vertices")
        if not fields[0] or not fields[1]:
            raise row.error(f"column {fields.index('') + 1} is empty, expected two labels per line")
        if fields[0] == fields[1]:
            raise row.error("an edge from a vertex to itself (a list of cells has the titles row,column)")
    if len(listed) < len(labels):
        repeat = next(label for i, label in enumerate(labels) if label in labels[:i])
        raise FormatError(f"the label {repeat!r} occurs twice in the list of all vertices")
    labels = labels or list(dict.fromkeys(label for row in rows for label in row.words[:2]))
    if not labels:
        raise FormatError("there is no edge in it, expected two labels per line")
    return LinkRows(labels, rows, one_way, unchosen)


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
    return [TextLine(i, text, [words[0], *words[2:]]) for i, text, words in rows], ARROWS[sign]


def _chosen(
    rows: list[TextLine], *, sure: bool, arrows: bool, columns: str | None
) -> tuple[list[TextLine], str]:
    """Choose the columns of links, and remove the line of titles.

    Args:
        rows: all rows.
        sure: whether the text is known to be a list of edges.
        arrows: whether there were arrows between the labels; such a list has no titles.
        columns: the option of that name.

    Returns:
        The rows, with two labels and perhaps a weight each; and the titles, if they name no weight but there
        are further columns.

    Raises:
        FormatError: the columns are unknown, or the rows are ambiguous.
    """
    if not rows:
        return rows, ""
    if not sure and _is_size(rows):
        rows = rows[1:]
    first, width = rows[0], len(rows[0].words)
    chosen = Columns.named(columns, first.words) if columns else None
    if chosen is not None:
        return _cut(rows, chosen, titled=_is_titled(rows, chosen, str(columns))), ""
    chosen = None if arrows else Columns.of(first.words)
    if chosen is not None and (
        width > 3
        or (chosen.tail, chosen.head) != (0, 1)
        or not any(label in first.words[:2] for row in rows[1:] for label in row.words[:2])
    ):
        if chosen.weight is None and width == 3 and len(rows) > 1:
            (third,) = {0, 1, 2} - {chosen.tail, chosen.head}
            if all(len(row.words) > third and WEIGHT.fullmatch(row.words[third]) for row in rows[1:]):
                chosen = chosen._replace(weight=third)
        unchosen = shown(first.words) if chosen.weight is None and width > 2 else ""
        return _cut(rows, chosen, titled=True), unchosen
    if not arrows and are_points(rows):
        raise first.error(f"points or links? Links: {NAME_THEM}; points: as TSPLIB, with NODE_COORD_SECTION")
    if width > 3:
        return _several_per_line(rows), ""
    return _two_or_three(rows, sure=sure, arrows=arrows), ""


def _is_size(rows: list[TextLine]) -> bool:
    """Whether the first row has the numbers of vertices and edges of the links below it."""
    labels = {label for row in rows[1:] for label in row.words[:2]}
    return rows[0].words == [str(len(labels)), str(len(rows) - 1)] and rows[0].words[1] not in labels


def _is_titled(rows: list[TextLine], chosen: Columns, option: str) -> bool:
    """Return whether the first row has the titles of chosen columns.

    Raises:
        FormatError: the first row may be titles or a link.
    """
    first, *links = rows
    if not all(name.strip().isdigit() for name in option.split(",")):
        return True
    if chosen.weight is not None and len(first.words) > chosen.weight:
        return not WEIGHT.fullmatch(first.words[chosen.weight])
    labels = {row.words[k] for row in links for k in (chosen.tail, chosen.head) if k < len(row.words)}
    if len(first.words) > max(chosen[:2]) and labels.isdisjoint(first.words[k] for k in chosen[:2]) and links:
        raise first.error("it may be titles or a link: name the columns by titles, or remove the titles")
    return False


def _cut(rows: list[TextLine], columns: Columns, *, titled: bool) -> list[TextLine]:
    """Return the chosen columns of the rows, without the row of titles.

    A row may lack fields at its end, because empty fields there are dropped, but not the ends of its link.
    """
    first, needed = rows[0], max(columns.tail, columns.head)
    for row in rows:
        width = len(row.words)
        if width <= needed or width > len(first.words):
            raise row.error(f"{width} columns, expected {len(first.words)} as in line {first.number}")
    if columns[:2] == (0, 1) and all(len(row.words) == (2 if columns.weight is None else 3) for row in rows):
        return rows[titled:]  # they have these columns already; `_links` checks that no end is empty
    return [TextLine(row.number, row.text, columns.of_row(row)) for row in rows[titled:]]


def _several_per_line(rows: list[TextLine]) -> list[TextLine]:
    """Return the links of lines such as `a b 3 b c 4`, one per row.

    Raises:
        FormatError: the rows are not several links with weights, or could also be something else.
    """
    first = rows[0]
    if all(map(CELL.fullmatch, first.words)):
        raise first.error("a list of cells is a tour, expected a board or a graph")
    if any(len(row.words) % 3 for row in rows):
        width = f"{len(first.words)} columns"
        what = f"{width}, expected two labels and perhaps a weight; or name the format"
        raise first.error(f"{what} with --input-format, or the columns with --columns; {understood(rows)}")
    links = [row._replace(words=row.words[k : k + 3]) for row in rows for k in range(0, len(row.words), 3)]
    number = [[WEIGHT.fullmatch(word) is not None for word in link.words] for link in links]
    if odd := next((link for link, kinds in zip(links, number, strict=True) if not kinds[2]), None):
        what = f"{len(first.words)} columns, and {odd.words[2][:40]!r} is not a weight"
        raise odd.error(
            f"{what}: expected two labels and a weight, once or several times; {understood(rows)}"
        )
    if any(kinds[0] or kinds[1] for kinds in number):
        per_line = f"{len(first.words) // 3} links with weights (three columns each)"
        alternatives = "a vertex and its neighbours (--input-format adjlist) or a row of a matrix"
        raise first.error(
            f"{len(first.words)} columns may be {per_line}, {alternatives}: one link per line is certain"
        )
    return links


def _two_or_three(rows: list[TextLine], *, sure: bool, arrows: bool) -> list[TextLine]:
    """Check rows of two labels, or two labels and a weight, and remove the line of titles.

    Args:
        rows: all rows; the first has at most three fields.
        sure: whether the text is known to be a list of edges.
        arrows: whether there were arrows between the labels.

    Raises:
        FormatError: the rows have other columns, or are ambiguous.
    """
    first, heads, width = rows[0], rows[0].words, len(rows[0].words)
    if width == 3 and any(len(row.words) > 3 for row in rows) and not any(len(r.words) % 3 for r in rows):
        return _several_per_line(rows)
    for row in rows:
        if len(row.words) != width:
            columns = f"{len(row.words)} column{'s' * (len(row.words) > 1)}, expected {width}"
            raise row.error(f"{columns} as in line {first.number}")
        if "" in row.words[:2]:
            raise row.error(f"column {row.words.index('') + 1} is empty, expected two labels per line")
    sure = sure or arrows
    below = [label for row in rows[1:] for label in row.words[:2]]
    distinct = set(below)
    titled = False
    # The first line can be titles only if neither of its labels occurs below it.
    if not arrows and distinct.isdisjoint(heads[:2]):
        number = [WEIGHT.fullmatch(label) is not None for label in (*heads, *below)]
        words = not any(number[:2]) and not any(head[:1].isdigit() for head in heads[:2])
        titled = are_titles(heads[:2]) or (
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
