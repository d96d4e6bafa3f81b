"""Tables: rows of fields, from delimited text; `frames` makes such a text of spreadsheets and data sets.

`rows_of` splits a text into fields. The separator is a tab, a semicolon, a comma, or blanks; between
separators a label may contain blanks, and quotes may surround it. `Columns` chooses the columns of links by
their titles: the two ends and an optional weight.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import islice
from typing import NamedTuple

from cavalcade.formats.header import TextLine, numbered, separator
from cavalcade.formats.labels import labels_of
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import MoveGraph

# the weight in the attributes that networkx writes, such as {'weight': 3}
WEIGHTED = re.compile(r"""([\s,;]+)\{(?:[^{}]*,\s*)?['"]weight['"]: ([^\s,{}]+)[^{}]*\}\s*$""")
NOTE = re.compile(r'(^|\s)#[^"]*$|[\s,;]+\{[^{}]*\}\s*$')  # a comment, or other attributes
BRACKET = re.compile(r"[()\[\]{}]")
SIGNS = re.compile(r"[()\[\]{}#,;\t]")
WEIGHT = re.compile(r"[-+]?([0-9]+[.,]?[0-9]*|[.,][0-9]+)([eE][-+]?[0-9]+)?")

# Pairs of titles for the ends of a link, and titles for its weight; compared in lower case, without blanks,
# hyphens and underscores.
ENDS = (
    ("source", "target"),
    ("from", "to"),
    ("start", "end"),
    ("tail", "head"),
    ("u", "v"),
    ("origin", "destination"),
    ("orig", "dest"),
    ("src", "dst"),
    ("fromnode", "tonode"),
    ("fromcity", "tocity"),
    ("sourceid", "targetid"),
    *((f"{word}{a}", f"{word}{b}") for word in ("node", "vertex", "label", "city") for a, b in ("12", "ab")),
)
WEIGHTS = ("weight", "distance", "dist", "cost", "length", "miles", "km", "minutes", "duration", "w")
POINTS = (("x", "y"), ("lat", "lon"), ("lat", "lng"), ("latitude", "longitude"))
NAME_THEM = "name them with --columns FROM,TO,WEIGHT (columns= in Python)"


# ---- rows


def rows_of(text: str) -> Iterator[TextLine]:
    """Iterate over the lines of a text that are not comments, cut into fields.

    `labels` describes the apostrophes that may stand in front of fields.

    Raises:
        FormatError: a line cannot be split, or the text could be split at blanks and at separators.
    """
    if "'" not in text:
        yield from _cut(text)
        return
    rows = list(_cut(text))
    labels = iter(labels_of([field for row in rows for field in row.words]))
    yield from (row._replace(words=list(islice(labels, len(row.words)))) for row in rows)


def _cut(text: str) -> Iterator[TextLine]:
    """Iterate over the lines of a text that are not comments, cut into fields as they stand there."""
    if not SIGNS.search(text):  # the fast path for long files: only blanks, no brackets, no comments
        lines = enumerate(text.splitlines(), 1)
        yield from (TextLine(i, line, words) for i, line in lines if (words := line.split()))
        return
    mark: str | None = ""  # the separator; None for blanks, empty before the first line
    padded = False  # whether tabs may follow one another between two labels
    data = (line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#"))
    weighted = "{" in text and all(map(WEIGHTED.search, data))
    for line in numbered(text):
        rest = WEIGHTED.sub(r"\1\2", line.text) if weighted else line.text
        rest = (NOTE.sub("", rest) if "#" in rest or "{" in rest else rest).strip()
        if mark == "" and rest:
            mark = separator(rest)
            padded = mark == "\t" and Columns.of(rest.split("\t")) is None
            if mark in {",", ";"}:
                _assert_one_way(text, line, mark)
        if not rest or (mark and not rest.strip(f" {mark}")):
            continue
        fields = _fields(line, rest, mark) if mark else rest.split()
        if padded:
            fields = [field for field in fields if field]
        if "#" in rest and '"' not in rest:
            raise line.error("a '#' inside a label; a comment begins after a space")
        if not fields or (BRACKET.search(rest) and not _balanced(fields[:2])):
            raise line.error("expected two labels per line, without brackets around them")
        yield TextLine(line.number, line.text, fields)


def _assert_one_way(text: str, first: TextLine, mark: str) -> None:
    """Check that a text cannot be split at blanks as well as at a separator.

    Titles or quotes show that the separator is meant. Otherwise one line that can only be split at the
    separator decides: in `New York,Boston,215` the part before the first blank has no comma.
    """
    titles = [_plain(title) for title in first.text.split(mark)]
    if '"' in text or any({*pair} <= {*titles} for pair in ENDS):
        return
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    if all(_two_ways(line.split(), mark) for line in lines):
        raise first.error(
            f"both spaces and {mark!r} between labels, expected one of them, or titles: from,to"
        )


def _two_ways(words: list[str], mark: str) -> bool:
    """Return whether a line like `0,0 1,2` or `a b 1,5` could be split at its blanks as well as at commas."""
    if len(words) == 3:
        return mark in words[2].strip(mark) and WEIGHT.fullmatch(words[2]) is not None
    return len(words) == 2 and all(mark in word.strip(mark) for word in words)


def _fields(line: TextLine, rest: str, mark: str) -> list[str]:
    """Return the fields of a line, without empty fields at its end."""
    try:
        row = next(csv.reader([rest], delimiter=mark, skipinitialspace=True, strict=True))
    except csv.Error as error:
        raise line.error(f"expected labels between {mark!r}: {error}") from None
    fields = [field.strip() for field in row]
    while fields and not fields[-1]:
        fields.pop()
    return fields


def _balanced(labels: list[str]) -> bool:
    """Return whether each label has balanced brackets, unlike the labels of `(0, 1)`."""
    return all(label.count(a) == label.count(b) for label in labels for a, b in ("()", "[]", "{}"))


# ---- weights


def weights_in_order(
    graph: MoveGraph, weighted: Iterable[tuple[int, int, Decimal | None]]
) -> list[Decimal] | None:
    """Return the weights of the edges of a graph, in the order of `graph.edges()`; None if no edge has any.

    Args:
        graph: the graph.
        weighted: each edge, as two vertices, and its weight or None. Loops are skipped.

    Raises:
        FormatError: only some edges have a weight, or an edge has two different weights.
    """
    weight_of: dict[tuple[int, int], Decimal | None] = {}
    for a, b, weight in weighted:
        edge = (b, a) if b < a and not graph.directed else (a, b)
        if a != b and weight_of.setdefault(edge, weight) != weight:
            pair = "-".join(map(graph.name, edge))
            raise FormatError(f"the edge {pair} has the weights {weight_of[edge]} and {weight}")
    weights = [weight_of.get(edge) for edge in graph.pairs()]
    if all(weight is None for weight in weights):
        return None
    if None in weights:
        pair = "-".join(map(graph.name, list(graph.pairs())[weights.index(None)]))
        raise FormatError(f"the edge {pair} has no weight, but other edges have one")
    return [weight for weight in weights if weight is not None]


def weight_of_value(value: object) -> Decimal | None:
    """Return a number or its text as a weight; None for a missing value.

    Raises:
        FormatError: the value is not a finite number.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not WEIGHT.fullmatch(str(value)):
        raise FormatError(f"{str(value)[:40]!r} is not a weight, expected a number")
    return Decimal(str(value).replace(",", "."))


# ---- columns


class Columns(NamedTuple):
    """Indices of the columns of links.

    Args:
        tail: index of the column of the first end.
        head: index of the column of the second end.
        weight: index of the column of weights; None if there is none.
    """

    tail: int
    head: int
    weight: int | None

    @classmethod
    def named(cls, option: str, titles: Sequence[str]) -> Columns:
        """Return the columns of an option `FROM,TO` or `FROM,TO,WEIGHT`: titles, or numbers from 1.

        Raises:
            FormatError: the option has another number of columns, or the table lacks one.
        """
        names = next(csv.reader([option], skipinitialspace=True))
        plain = [_plain(title) for title in titles]
        indices = []
        for name in names:
            if plain.count(_plain(name)) == 1:
                indices.append(plain.index(_plain(name)))
            elif name.isascii() and name.isdigit() and 1 <= int(name[:9]) <= len(titles):
                indices.append(int(name) - 1)
            else:
                raise FormatError(f"no column is called {name!r}: the columns are {shown(titles)}")
        if len(indices) not in {2, 3} or len({*indices}) < len(indices):
            raise FormatError(f"the columns are {option!r}, expected FROM,TO or FROM,TO,WEIGHT")
        return cls(indices[0], indices[1], indices[2] if len(indices) == 3 else None)

    @classmethod
    def of(cls, titles: Sequence[str]) -> Columns | None:
        """Return the columns that well-known titles name; None if the titles name no ends.

        Raises:
            FormatError: several columns could be the weight.
        """
        plain = [_plain(title) for title in titles]
        ends = next(([plain.index(end) for end in pair] for pair in ENDS if {*pair} <= {*plain}), None)
        if ends is None:
            return None
        if "weight" in plain:
            return cls(ends[0], ends[1], plain.index("weight"))
        weights = [k for k, title in enumerate(plain) if title in WEIGHTS]
        if len(weights) > 1:
            could_be = " or ".join(repr(titles[k]) for k in weights)
            raise FormatError(f"the weight may be {could_be}: {NAME_THEM}")
        return cls(ends[0], ends[1], weights[0] if weights else None)

    def of_row(self, row: TextLine) -> list[str]:
        """Return the two ends in a row and, if it is not empty, the weight.

        Raises:
            FormatError: the row lacks an end.
        """
        fields = row.words
        for column in (self.tail, self.head):
            if len(fields) <= column or not fields[column]:
                raise row.error(f"column {column + 1} is empty, expected two labels per line")
        ends = [fields[self.tail], fields[self.head]]
        if self.weight is not None and len(fields) > self.weight and fields[self.weight]:
            ends.append(fields[self.weight])
        return ends


def _plain(title: str) -> str:
    """Return a title in lower case, without quotes, blanks, hyphens and underscores."""
    return re.sub(r"[\s_\-\"']", "", title).lower()


def are_points(rows: Sequence[TextLine]) -> bool:
    """Return whether titles name coordinates, as in `name,x,y`, and those columns have numbers."""
    titles = [_plain(title) for title in rows[0].words]
    pair = next((pair for pair in POINTS if {*pair} <= {*titles}), None)
    if pair is None or len(titles) == len(pair):
        return False
    columns = [titles.index(title) for title in pair]
    return all(WEIGHT.fullmatch(field) for row in rows[1:] for k in columns for field in row.words[k : k + 1])


def are_titles(fields: Iterable[str]) -> bool:
    """Return whether both fields are titles of ends, such as `from` and `to`."""
    titles = {title for pair in ENDS for title in pair}
    return all(_plain(field) in titles for field in fields)


def shown(fields: Sequence[str]) -> str:
    """List the fields of a row for an error message: `'New York' | 'Boston' | '215'`."""
    text = " | ".join(repr(field[:20]) for field in fields[:6])
    return text if len(fields) <= 6 else f"{text} | …"


def understood(rows: Sequence[TextLine]) -> str:
    """Describe rows for an error message: the number of rows and columns, and the first row."""
    width = max(len(row.words) for row in rows)
    return (
        f"read as {len(rows):,} rows of up to {width} columns, of which the first is {shown(rows[0].words)}"
    )
