"""Files with a graph on every line, as nauty's programs read and write them: graph6, sparse6 and digraph6.

A line that begins with `:` is sparse6, one with `&` digraph6, any other graph6; they may stand in one file.
The file may begin with a header, `>>graph6<<`, `>>sparse6<<` or `>>digraph6<<`, with or without a line of its
own.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from cavalcade.formats import digraph6, graph6, sparse6
from cavalcade.formats.header import line_error
from cavalcade.formats.sixbit import CHARACTER
from cavalcade.ground.errors import CavalcadeError, FormatError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from cavalcade.question.graph import MoveGraph

HEADER = re.compile(r">>(?:graph|sparse|digraph)6<<")
LOOKED_AT = 4096  # bytes of a file that tell what it is


class GraphLine(NamedTuple):
    """A graph, the line that it stands on, and its number."""

    number: int
    text: str
    graph: MoveGraph


def are_graphs(text: str) -> bool:
    """Whether the text, or what it begins with, has a graph on its first line."""
    if HEADER.match(text):
        return True
    line, end, _ = text.partition("\n")
    line = line.rstrip("\r")
    if not re.fullmatch(f"[:&]?{CHARACTER}+", line):
        return False
    if line[0] == ":":
        return True
    if not end and len(text) >= LOOKED_AT:  # the beginning of a long line
        return True
    try:
        parse_line(line)
    except CavalcadeError:
        return False
    return True


def parse_line(line: str, spec: str = "graph") -> MoveGraph:
    """The graph of one line, its vertices numbered from 0.

    Raises:
        FormatError: it is none.
    """
    if line.startswith(";"):
        raise FormatError("it is incremental sparse6, expected graph6, sparse6 or digraph6")
    parse = {":": sparse6.parse_line, "&": digraph6.parse_line}.get(line[:1], graph6.parse_line)
    return parse(line, spec)


def graphs_in(lines: Iterable[bytes], source: str, spec: str = "graph") -> Iterator[GraphLine]:
    """The graphs of these lines, one after the other as they come; empty lines are passed over.

    Raises:
        FormatError: a line is none; the message quotes it with its number.
    """
    for number, full in enumerate(lines, 1):
        line = full.decode("utf-8", "replace").strip()
        if number == 1 and (header := HEADER.match(line)):
            line = line[header.end() :]
        if not line:
            continue
        try:
            graph = parse_line(line, spec)
        except CavalcadeError as error:
            kind = {":": "sparse6", "&": "digraph6"}.get(line[0], "graph6")
            raise FormatError(f"{source}: {line_error(number, line, f'not {kind}: {error}')}") from None
        yield GraphLine(number, line, graph)


def read_graphs(path: str | os.PathLike[str]) -> Iterator[MoveGraph]:
    """Every graph of a file with one on every line, graph6, sparse6 or digraph6, as it is read.

    Args:
        path: the file.

    Raises:
        FormatError: it is no such file, or a line is no graph; the message quotes the line.

    Time: about 50 microseconds for a graph of ten vertices.
    """
    name = "_".join(Path(path).stem.split())
    if (lines := opened(path)) is None:
        raise FormatError(
            f"{path} has no graph6 on its first line; `read_graph` reads files of other formats"
        )
    with lines:
        for _, _, graph in graphs_in(lines, str(path), f"graph:{name}"):
            yield graph


def opened(path: str | os.PathLike[str]) -> IO[bytes] | None:
    """The file, if there is a graph on its first line; a pipe, which can be read only once, is not looked at.

    Raises:
        FormatError: it cannot be read.
    """
    from cavalcade.formats.files import read_file

    try:
        if not Path(path).is_file():
            return None
        file = Path(path).open("rb")  # noqa: SIM115 - the caller closes it
    except (OSError, ValueError):
        read_file(path)  # says why
        raise
    if are_graphs(file.peek(LOOKED_AT)[:LOOKED_AT].decode("utf-8", "replace")):
        return file
    file.close()
    return None


def parse(text: str, name: str = "") -> MoveGraph:
    """The graph of a text with one line.

    Raises:
        FormatError: there are more, or the line is no graph.
    """
    spec = f"graph:{name}" if (name := "_".join(name.split())) else "graph"
    lines = [line for line in text.splitlines() if line.strip() and not HEADER.fullmatch(line.strip())]
    if len(lines) != 1:
        raise FormatError(
            f"there are {len(lines):,} graphs in it, expected one; `read_graphs` reads them all"
        )
    line = lines[0].strip()
    return parse_line(HEADER.sub("", line), spec)
