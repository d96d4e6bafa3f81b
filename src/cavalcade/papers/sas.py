"""SAS data steps: a tour, or the links of a graph, with their numbers after `datalines`.

A tour is one observation, the papers' data set SOLUTION with the variables s11, s12, … of `wide`; a line of
numbers is a row of the board, levels below one another. The comment above it is the sentence about the tour.

    /* closed tour of 3x10, piece knight */
    data solution;
      input s1_1-s1_10 s2_1-s2_10 s3_1-s3_10;
      datalines;
     1 …
    ;
    run;

Links are a data set with the variables `from`, `to` and `weight`, which PROC OPTGRAPH reads as DATA_LINKS;
the step that has it look for a closed tour follows. There is no SAS here: it was not run.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.formats import edges
from cavalcade.formats.header import TextLine, describe, numbered
from cavalcade.ground.errors import FormatError
from cavalcade.papers import wide
from cavalcade.question.graph import MoveGraph

if TYPE_CHECKING:
    from decimal import Decimal

    from cavalcade.answers.tours import Tour
    from cavalcade.formats.header import Claim, Look

DATA_STEP = re.compile(r"\s*(/\*.*?\*/\s*)*data\s[^;=]*;", re.DOTALL | re.IGNORECASE)
STEP = re.compile(
    r"\s*(?:/\*\s*(?P<comment>.*?)\s*\*/\s*)?data\s+(?P<name>\w+)\s*;(?P<statements>.*?)"
    r"\b(?:datalines|cards)\s*;[^\n]*\n(?P<lines>.*?)\n\s*;",
    re.DOTALL | re.IGNORECASE,
)
INPUT = re.compile(r"\binput\s+([^;]*);", re.IGNORECASE)
RANGE = re.compile(r"([A-Za-z](?:\d+_)*\d*?)(\d+)-\1(\d+)")
VALUE = re.compile(r"[0-9]{1,9}|\.")
LABEL = re.compile(r"[^\s;]+")
#: What to do with the links.
OPTGRAPH = """proc optgraph data_links=links;
  data_links_var from=from to=to weight=weight;
  tsp out=closed_tour;
run;
proc print data=closed_tour;
run;
"""


def write(thing: Tour | MoveGraph, *, header: bool = True) -> str:
    """A tour or the links of a graph as a data step.

    Args:
        thing: what to write.
        header: begin with the sentence about a tour, as a comment.

    Raises:
        FormatError: it is a tour of a plain graph, or a label has a space or a semicolon in it.
    """
    if isinstance(thing, MoveGraph):
        names = thing.names
        if bad := next((name for name in names if not LABEL.fullmatch(name)), None):
            raise FormatError(f"the label {bad!r} cannot be written in a data step: it has a space or ';'")
        rows = [f"{names[a]} {names[b]} 1" for a, b in thing.pairs()]
        most = max(map(len, names))
        return _step("", "links", [f"length from to ${most}", "input from $ to $ weight"], rows) + OPTGRAPH
    names_line, values_line = wide.write(thing, header=False).splitlines()
    names, values = names_line.split(), values_line.split()
    width = max(map(len, values))
    rows, ranges = [], []
    ends = [0, *(np.flatnonzero(np.diff(_row_of(names))) + 1).tolist(), len(names)]
    for a, b in pairwise(ends):
        rows.append(" ".join(value.rjust(width) for value in values[a:b]))
        numbers = [wide.place(name)[-1] for name in names[a:b]]
        run = b - a > 1 and numbers == list(range(numbers[0], numbers[0] + b - a))
        ranges.append(f"{names[a]}-{names[b - 1]}" if run else " ".join(names[a:b]))
    return _step(
        describe(thing, holes=False) if header else "", "solution", [f"input {' '.join(ranges)}"], rows
    )


def _row_of(names: list[str]) -> list[int]:
    """For each variable the number of its row."""
    rows: dict[tuple[int, ...], int] = {}
    return [rows.setdefault(wide.place(name)[:-1], len(rows)) for name in names]


def _step(comment: str, name: str, statements: list[str], rows: list[str]) -> str:
    lines = [f"/* {comment} */"] if comment else []
    lines += [f"data {name};", *(f"  {one};" for one in statements), "  datalines;", *rows, ";", "run;"]
    return "\n".join(lines) + "\n"


def sniff(look: Look) -> bool:
    """Whether it begins with a data step."""
    return DATA_STEP.match(look.text) is not None


def parse(text: str, claim: Claim) -> Tour:
    """The tour in a data step."""
    comment, names, lines = _parts(text)
    for line in lines:
        for word in line.text.split():
            if not VALUE.fullmatch(word):
                raise line.error(f"{word[:40]!r} is not a step or '.'")
    values = [word for line in lines for word in line.text.split()]
    if len(values) != len(names):
        raise FormatError(f"{len(values):,} values for the {len(names):,} variables of INPUT")
    if bad := next((name for name in names if not wide.place(name)), None):
        raise FormatError(f"{bad[:40]!r} is not a variable like s11")
    return wide.parse(f"; {comment}\n{' '.join(names)}\n{' '.join(values)}\n", claim)


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """The graph of the links in a data step."""
    return edges.parse_graph(links(text), name)


def weights(text: str, graph: MoveGraph) -> list[Decimal]:
    """The weights of the edges of a graph, in the data step or the list of edges that it was read from.

    Raises:
        FormatError: as `edges.weights`.
    """
    return edges.weights(links(text) if DATA_STEP.match(text) else text, graph)


def links(text: str) -> str:
    """The links in a data step, as a list that `edges` reads.

    Raises:
        FormatError: there are none in it.
    """
    _, names, lines = _parts(text)
    if len(names) not in {2, 3}:
        raise FormatError(
            f"a data step with {len(names)} variables, expected links: from, to, perhaps a weight"
        )
    titles = " ".join(("source", "target", "weight")[: len(names)])
    return "\n".join([titles, *(line.text for line in lines)]) + "\n"


def _parts(text: str) -> tuple[str, list[str], list[TextLine]]:
    """The comment, the variables of INPUT one by one, and the lines of data with their numbers."""
    found = STEP.match(text)
    given = INPUT.search(found["statements"]) if found else None
    if not found or not given:
        raise FormatError(
            "expected a data step: data NAME; input VARIABLES; datalines; numbers; a line with ';'"
        )
    words = [word for word in given[1].split() if word not in {"$", "@@"}]
    names: list[str] = []
    for word in words:
        if run := RANGE.fullmatch(word):
            first, last = int(run[2]), int(run[3])
            if not first <= last < first + 10_000:
                raise FormatError(f"{word!r} is not a range of variables like s11-s18")
            names += [f"{run[1]}{k}" for k in range(first, last + 1)]
        else:
            names.append(word.removesuffix("$"))
    above = text.count("\n", 0, found.start("lines"))
    lines = [TextLine(above + k, line) for k, line, _ in numbered(found["lines"]) if line.strip()]
    return found["comment"] or "", names, lines
