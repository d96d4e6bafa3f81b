"""SAS data steps: a tour, or the links of a graph, with their numbers after `datalines`.

A tour is one observation, the papers' data set SOLUTION with the variables s11, s12, … of `wide`. Each line
of numbers is a row of the board; levels follow one another. The comment above it is the sentence about the
tour.

    /* closed tour of 3x10, piece knight */
    data solution;
      input s1_1-s1_10 s2_1-s2_10 s3_1-s3_10;
      datalines;
     1 …
    ;
    run;

Links are a data set with the variables `from`, `to` and `weight`, which PROC OPTGRAPH and PROC OPTNET read as
DATA_LINKS. The step that looks for a closed tour follows. It was not run by SAS.
"""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.formats import edges
from cavalcade.formats.header import TextLine, assert_writable, describe, numbered
from cavalcade.ground.errors import FormatError
from cavalcade.papers import wide
from cavalcade.question.graph import MoveGraph

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cavalcade.answers.tours import Tour
    from cavalcade.formats.header import Claim

FIRST = re.compile(r"\s*(?:/\*.*?\*/\s*)*+data\s[^;=]*;", re.DOTALL | re.IGNORECASE)
STEP = re.compile(
    r"\s*(?:/\*\s*(?P<comment>.*?)\s*\*/\s*)?data\s+(?P<name>\w+)\s*;(?P<statements>.*?)"
    r"\b(?:datalines|cards)\s*;[^\n]*\n(?P<lines>.*?)\n\s*;",
    re.DOTALL | re.IGNORECASE,
)
INPUT = re.compile(r"\binput\s+([^;]*);", re.IGNORECASE)
RANGE = re.compile(r"([A-Za-z](?:\d+_)*\d*?)(\d+)-\1(\d+)")
VALUE = re.compile(r"[0-9]{1,9}|\.")
# Labels between blanks, and labels between commas, which SAS reads in quotes with the option DSD.
LABEL, QUOTED = re.compile(r'[^\s;"]+'), re.compile(r"[^;\r\n]+")
DSD = re.compile(r"\binfile\s+(?:datalines|cards)\b[^;]*\bdsd\b[^;]*;", re.IGNORECASE)
#: What to do with the links.
OPTGRAPH = """%let proc = optgraph; /* or optnet */
proc &proc. data_links=links;
  data_links_var from=from to=to weight=weight;
  tsp out=closed_tour;
run;
proc print data=closed_tour;
run;
"""

assert_fits = wide.assert_fits  # of tours; graphs are written, too


def write(thing: Tour | MoveGraph, *, header: bool = True, weights: Sequence[Decimal] | None = None) -> str:
    """Return a tour or the links of a graph as a data step.

    Args:
        thing: tour or graph to write.
        header: begin with the sentence about a tour, as a comment.
        weights: weights of the links, in the order of `edges()`; by default 1.

    Raises:
        FormatError: the tour is one of a plain graph, or a label contains a semicolon.
    """
    if isinstance(thing, MoveGraph):
        names = thing.names
        assert_writable(thing, QUOTED.fullmatch, "in a data step: it has ';' or the end of a line")
        statements = [
            f"length from to ${max(len(name.encode()) for name in names)}",
            "input from $ to $ weight",
        ]
        links = [
            (names[a], names[b], weight)
            for (a, b), weight in zip(thing.pairs(), weights or [Decimal(1)] * thing.edge_count, strict=True)
        ]
        if not all(map(LABEL.fullmatch, names)):
            statements.insert(1, "infile datalines dsd")
            out = io.StringIO()
            csv.writer(out, lineterminator="\n").writerows(links)
            return _step("", "links", statements, out.getvalue().splitlines()) + OPTGRAPH
        rows = [" ".join(map(str, link)) for link in links]
        return _step("", "links", statements, rows) + OPTGRAPH
    names, values = (line.split() for line in wide.write(thing, header=False).splitlines())
    return data_step(describe(thing, holes=False) if header else "", names, [values])


def data_step(comment: str, names: list[str], observations: Iterable[list[str]]) -> str:
    """Return the data step of SOLUTION; each line of numbers is a row of the board, or another variable.

    Args:
        comment: text of the comment above it, or "".
        names: names of the variables, such as s11.
        observations: values of the variables.
    """
    ends = [0, *(np.flatnonzero(np.diff(_row_of(names))) + 1).tolist(), len(names)]
    rows, ranges = [], []
    for a, b in pairwise(ends):
        numbers = [wide.place(name)[-1] for name in names[a:b]] if b - a > 1 else []
        run = b - a > 1 and numbers == list(range(numbers[0], numbers[0] + b - a))
        ranges.append(f"{names[a]}-{names[b - 1]}" if run else " ".join(names[a:b]))
    for values in observations:
        width = max(map(len, values))
        rows += [" ".join(value.rjust(width) for value in values[a:b]) for a, b in pairwise(ends)]
    return _step(comment, "solution", [f"input {' '.join(ranges)}"], rows)


def _row_of(names: list[str]) -> list[int]:
    """Return the index of the row of each variable; variables of another letter are in another row."""
    rows: dict[tuple[str, tuple[int, ...]], int] = {}
    return [rows.setdefault((name[0], wide.place(name)[:-1]), len(rows)) for name in names]


def _step(comment: str, name: str, statements: list[str], rows: list[str]) -> str:
    lines = [f"/* {comment} */"] if comment else []
    lines += [
        f"data {name};",
        *(f"  {statement};" for statement in statements),
        "  datalines;",
        *rows,
        ";",
        "run;",
    ]
    return "\n".join(lines) + "\n"


def parse(text: str, claim: Claim) -> Tour:
    """Return the tour in a data step."""
    match, names, lines = _parts(text)
    for line in lines:
        for word in line.text.split():
            if not VALUE.fullmatch(word):
                raise line.error(f"{word[:40]!r} is not a step or '.'")
    values = [word for line in lines for word in line.text.split()]
    if len(values) != len(names):
        raise FormatError(f"{len(values):,} values for the {len(names):,} variables of INPUT")
    if bad := next((name for name in names if not wide.place(name)), None):
        raise FormatError(f"{bad[:40]!r} is not a variable like s11")
    return wide.parse(f"; {match['comment'] or ''}\n{' '.join(names)}\n{' '.join(values)}\n", claim)


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """Return the graph of the links in a data step."""
    return edges.parse_graph(links(text), name, sure=True)


def weights(text: str, graph: MoveGraph) -> list[Decimal] | None:
    """Return the weights of the edges of a graph, in the order of `graph.edges()`; None if there are none.

    Raises:
        FormatError: as `edges.weights`.
    """
    return edges.weights(links(text), graph, sure=True)


def links(text: str) -> str:
    """Return the links in a data step as a table with titles.

    INPUT with `@@` reads several links per line. INFILE with the option DSD reads commas and quotes.

    Raises:
        FormatError: the data step contains no links.
    """
    match, names, lines = _parts(text)
    count = len(names)
    if count not in {2, 3}:
        raise FormatError(f"a data step with {count} variables, expected links: from, to, perhaps a weight")
    rows = []
    for line in lines:
        fields = next(csv.reader([line.text])) if DSD.search(match["statements"]) else line.text.split()
        several = "@@" in match["statements"]
        if (len(fields) % count if several else len(fields) != count) or not all(fields):
            raise line.error(f"{len(fields)} values, expected {' '.join(names)}{' repeatedly' * several}")
        rows += [fields[k : k + count] for k in range(0, len(fields), count)]
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(
        [["source", "target", "weight"][:count], *rows]
    )
    return out.getvalue()


def _parts(text: str) -> tuple[re.Match[str], list[str], list[TextLine]]:
    """Return the match of `STEP`, the variables of INPUT, and the lines of data with their numbers."""
    match = STEP.match(text)
    input_statement = INPUT.search(match["statements"]) if match else None
    if not match or not input_statement:
        raise FormatError(
            "expected a data step: data NAME; input VARIABLES; datalines; numbers; a line with ';'"
        )
    words = [word for word in input_statement[1].split() if word not in {"$", "@@"}]
    names: list[str] = []
    for word in words:
        if run := RANGE.fullmatch(word):
            first, last = int(run[2]), int(run[3])
            if not first <= last < first + 10_000:
                raise FormatError(f"{word!r} is not a range of variables like s11-s18")
            names += [f"{run[1]}{k}" for k in range(first, last + 1)]
        else:
            names.append(word.removesuffix("$"))
    above = text.count("\n", 0, match.start("lines"))
    lines = [TextLine(above + k, line) for k, line, _ in numbered(match["lines"]) if line.strip()]
    return match, names, lines
