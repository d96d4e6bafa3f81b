"""graph6, sparse6 and digraph6, as nauty's programs read and write them: a graph on every line.

A character from `?` to `~` encodes six bits: its code minus 63. A line begins with the number of vertices n:
one character up to 62; `~` and three characters up to 258,047; `~~` and six up to 68,719,476,735. The bits of
the graph follow, six per character, the highest bit first. Labels are not written.

graph6 has a bit for every pair of vertices, in the order (0, 1), (0, 2), (1, 2), (0, 3), …

digraph6 begins with `&` and has a bit for every entry of the adjacency matrix, row by row; a row contains the
edges that leave its vertex. Loops are skipped. Undirected edges are written in both directions.

sparse6 begins with `:` and has pairs of a bit b and a vertex x, whose width is that of n - 1. The decoder
keeps a current vertex v, initially 0. Each pair adds b to v; then, if x > v, v becomes x, else {x, v} is an
edge. The last character is padded with ones. Loops and repeated edges are skipped.

A file may mix the three formats, and begin with a header, `>>graph6<<`, `>>sparse6<<` or `>>digraph6<<`, with
or without a line of its own. The source is B. D. McKay, Description of graph6, sparse6 and digraph6
encodings, which is part of nauty.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from io import BufferedReader
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cavalcade.formats.files import UTF16, blocks_of, read_file
from cavalcade.formats.header import Look, TextLine, graph_name
from cavalcade.ground.budget import assert_room
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.question.graph import MoveGraph

Bits = NDArray[np.uint8]

CHARACTER = "[?-~]"
HEADER = re.compile(r">>(?:graph|sparse|digraph)6<<")
SNIFFED = 4096  # bytes at the beginning of a file by which it is recognized; what a buffered reader can peek


# ---- writing


def write(graph: MoveGraph) -> str:
    """Write the graph as a line of graph6."""
    n = graph.size
    pairs = n * (n - 1) // 2
    assert_room(3 * pairs, f"the graph6 line of {graph.title}")
    small, large = graph.edges().astype(np.int64).T
    bits = np.zeros(pairs, dtype=np.uint8)
    bits[large * (large - 1) // 2 + small] = 1
    return f"{size_written(n)}{_written(bits)}\n"


def write_directed(graph: MoveGraph) -> str:
    """Write the graph as a line of digraph6."""
    n = graph.size
    assert_room(3 * n * n, f"the digraph6 line of {graph.title}")
    bits = np.zeros(n * n, dtype=np.uint8)
    bits[np.repeat(np.arange(n, dtype=np.int64), graph.degrees) * n + graph.indices] = 1
    return f"&{size_written(n)}{_written(bits)}\n"


def write_sparse(graph: MoveGraph) -> str:
    """Write the graph as a line of sparse6."""
    n, width = graph.size, (graph.size - 1).bit_length()
    small, large = graph.edges().T
    order = np.lexsort([small, large])
    small, large = small[order].astype(np.int64), large[order].astype(np.int64)
    step = np.diff(large, prepend=0)
    jumps = step > 1  # edges that need a pair before them, which moves v to the larger end
    index = np.arange(len(large)) + np.cumsum(jumps)
    pairs = np.zeros((len(large) + int(jumps.sum()), 1 + width), dtype=np.uint8)
    shifts = np.arange(width - 1, -1, -1)
    pairs[index, 0] = step == 1
    pairs[index, 1:] = small[:, None] >> shifts & 1
    pairs[index[jumps] - 1, 0] = 1
    pairs[index[jumps] - 1, 1:] = large[jumps, None] >> shifts & 1
    bits = pairs.ravel()
    last = int(large[-1]) if len(large) else 0
    # If n is a power of two, ones could be read as a loop at n - 1 in the padding. A zero prevents it.
    if n == 1 << width and width < 6 and last == n - 2 and -len(bits) % 6 > width:
        bits = np.append(bits, np.uint8(0))
    return f":{size_written(n)}{_written(bits, fill=1)}\n"


def size_written(n: int) -> str:
    """The characters for a number of vertices."""
    most = 2**36 - 1  # six characters of six bits
    if n > most:
        raise FormatError(f"{n:,} vertices are too many, expected at most {most:,}")
    lead, digits = ("", 1) if n < 63 else ("~", 3) if n <= 258_047 else ("~~", 6)
    return lead + "".join(chr(63 + (n >> 6 * i & 63)) for i in reversed(range(digits)))


def _written(bits: Bits, fill: int = 0) -> str:
    """The characters for bits; the last character is padded with `fill`."""
    padded = np.full(-(-len(bits) // 6) * 6, fill, dtype=np.uint8)
    padded[: len(bits)] = bits
    codes = np.packbits(padded.reshape(-1, 6), axis=1)[:, 0] // 4 + 63
    return codes.astype(np.uint8).tobytes().decode("ascii")


# ---- reading a line


def parse_line(line: str, spec: str = "graph") -> MoveGraph:
    """Read a graph from a line; its vertices are numbered from 0.

    Raises:
        FormatError: the line is too long or too short, or contains another character.
    """
    if line.startswith(";"):
        raise FormatError("it is incremental sparse6, expected graph6, sparse6 or digraph6")
    kind = line[:1] if line[:1] in {":", "&"} else ""
    n, numbers = size_first(sixes(line.removeprefix(kind)))
    if kind == ":":
        edges = _sparse_edges(n, numbers)
    else:
        count = n * n if kind else n * (n - 1) // 2
        if len(numbers) != -(-count // 6):
            raise FormatError(
                f"{len(numbers):,} characters after the number of vertices, expected {-(-count // 6):,}"
            )
        positions = np.flatnonzero(_bits(numbers)[:count])
        edges = np.array(np.divmod(positions, n)).T if kind else _pairs(positions)
    return MoveGraph.from_edges(edges, n, range(n), spec, directed=kind == "&")


def sixes(text: str) -> Bits:
    """The six bits of each character, as a number.

    Raises:
        FormatError: a character is outside `?` to `~`.
    """
    data = np.frombuffer(text.encode("utf-8"), dtype=np.uint8)
    if data.size and not (data.min() >= 63 and data.max() <= 126):
        odd = next(sign for sign in text if not "?" <= sign <= "~")
        raise FormatError(f"{odd!r} is not a character of it, expected '?' to '~'")
    return data - np.uint8(63)


def size_first(numbers: Bits) -> tuple[int, Bits]:
    """Read the number of vertices; return it and the numbers after it.

    Raises:
        FormatError: the number is incomplete or 0.
    """
    skip = 2 if (numbers[:2] == 63).all() and len(numbers) > 1 else int(bool((numbers[:1] == 63).any()))
    digits = (1, 3, 6)[skip]
    if len(numbers) < skip + digits:
        raise FormatError("it ends in its number of vertices")
    n = 0
    for number in numbers[skip : skip + digits].tolist():
        n = 64 * n + number
    if not n:
        raise FormatError("it has no vertex, expected at least one")
    return n, numbers[skip + digits :]


def _bits(numbers: Bits) -> Bits:
    """The bits of numbers of six bits, the highest first."""
    return np.unpackbits(numbers[:, None], axis=1)[:, 2:].ravel()


def _pairs(positions: NDArray[np.int64]) -> NDArray[np.int64]:
    """The vertices of the bits at given positions in graph6, shape (bits, 2)."""
    large = (np.sqrt(2.0 * positions + 0.25) + 0.5).astype(np.int64)
    large -= large * (large - 1) // 2 > positions  # the root may be rounded either way
    large += large * (large + 1) // 2 <= positions
    return np.array([positions - large * (large - 1) // 2, large]).T


def _sparse_edges(n: int, numbers: Bits) -> NDArray[np.int64]:
    """The edges of sparse6 in closed form, without a loop over the pairs."""
    width = (n - 1).bit_length()
    bits = _bits(numbers)[: 6 * len(numbers) // (1 + width) * (1 + width)].reshape(-1, 1 + width)
    gained = np.cumsum(bits[:, 0], dtype=np.int64)
    x = bits[:, 1:].astype(np.int64) @ (1 << np.arange(width - 1, -1, -1, dtype=np.int64))
    v = gained + np.maximum.accumulate(np.maximum(x - gained, 0))  # the current vertex after each pair
    before = np.append(0, v[:-1])[: len(v)] + bits[:, 0]
    return np.stack([x, v], axis=1)[(x <= before) & (v < n)]


# ---- reading files


def sniff(look: Look) -> bool:
    """Whether the first line is a graph."""
    return are_graphs(look.text)


def are_graphs(text: str) -> bool:
    """Whether the first line of a text, or of the beginning of a text, is a graph."""
    if HEADER.match(text):
        return True
    line, end, _ = text.partition("\n")
    line = line.rstrip("\r")
    if not re.fullmatch(f"[:&]?{CHARACTER}+", line):
        return False
    if line[0] == ":" or (not end and len(text) >= SNIFFED):  # the beginning of a long line
        return True
    try:
        parse_line(line)
    except CavalcadeError:
        return False
    return True


def graphs_in(file: BufferedReader, source: str, spec: str = "graph") -> Iterator[MoveGraph]:
    """Iterate over the graphs of a file as they are read; empty lines are skipped.

    Raises:
        FormatError: a line is not a graph; the message quotes the line with its number.
        TooLargeError: a line does not fit into memory.
    """
    for number, full in enumerate(chain.from_iterable(blocks_of(file, source)), 1):
        if line := graph_text(number, full):
            yield graph_on(number, line, source, spec)


def graph_text(number: int, full: bytes) -> str:
    """The characters of the graph on a line, without a header."""
    line = full.decode("utf-8", "replace").strip()
    header = HEADER.match(line) if number == 1 else None
    return line[header.end() :] if header else line


def graph_on(number: int, line: str, source: str, spec: str = "graph") -> MoveGraph:
    """Read a graph from a line of a file.

    Raises:
        FormatError: the line is not a graph; the message quotes the line with its number.
    """
    try:
        return parse_line(line, spec)
    except CavalcadeError as error:
        kind = {":": "sparse6", "&": "digraph6"}.get(line[0], "graph6")
        raise FormatError(f"{source}: {TextLine(number, line).error(f'not {kind}: {error}')}") from None


def matrices(lines: list[bytes], most: int) -> Bits | None:
    """Read many small graphs of equal size at once.

    Args:
        lines: lines of graph6 of one length.
        most: the greatest number of vertices, below 63.

    Returns:
        The adjacency matrices, shape (lines, n, n); None if n is below 3 or above `most`, or if a line is not
        graph6, for which `graph_on` raises the error.
    """
    numbers = np.frombuffer(b"".join(lines), dtype=np.uint8).reshape(len(lines), -1) - np.uint8(63)
    n = int(numbers[0, 0]) if numbers.size else 0
    pairs = n * (n - 1) // 2
    if not 3 <= n <= most or numbers.shape[1] != 1 - -pairs // 6 or numbers.max() > 63:
        return None
    if (numbers[:, 0] != n).any():
        return None
    halves = np.zeros((len(lines), n, n), dtype=np.uint8)
    large, small = np.tril_indices(n, -1)
    halves[:, large, small] = _bits(numbers[:, 1:].ravel()).reshape(len(lines), -1)[:, :pairs]
    return halves | halves.swapaxes(1, 2)


def read_graphs(path: str | os.PathLike[str]) -> Iterator[MoveGraph]:
    r"""Iterate over the graphs of a file with a graph6, sparse6 or digraph6 graph on every line.

    Args:
        path: the file.

    Raises:
        FormatError: the first line is not a graph, or another line is not; the message quotes the line.

    Time: about 50 microseconds per graph of ten vertices.

    Examples:
        >>> from pathlib import Path
        >>> size = Path("two.g6").write_text("D~{\nIheA@GUAo\n")
        >>> [graph.size for graph in read_graphs("two.g6")]
        [5, 10]
    """
    if (file := opened(path)) is None:
        raise FormatError(
            f"{path} has no graph6 on its first line; `read_graph` reads files of other formats"
        )
    with file:
        yield from graphs_in(file, str(path), graph_name(Path(path).stem))


def opened(path: str | os.PathLike[str]) -> BufferedReader | None:
    """Open a file if its first line is a graph; else return None, also for pipes, which can be read once.

    Raises:
        FormatError: the file cannot be read.
    """
    try:
        if not Path(path).is_file():
            return None
        file = Path(path).open("rb")  # noqa: SIM115 - the caller closes it
    except (OSError, ValueError):
        read_file(path)  # raises an error with the reason
        raise
    if file.peek(2).startswith(UTF16):
        file.close()
        file = io.BufferedReader(io.BytesIO(read_file(path).encode()))
    if are_graphs(file.peek(SNIFFED)[:SNIFFED].decode("utf-8", "replace")):
        return file
    file.close()
    return None


def parse_graph(text: str, name: str = "") -> MoveGraph:
    """Read the graph of a text with one line.

    Raises:
        FormatError: the text has another number of lines, or the line is not a graph.
    """
    lines = [line for line in text.splitlines() if line.strip() and not HEADER.fullmatch(line.strip())]
    if len(lines) != 1:
        raise FormatError(f"there are {len(lines):,} graphs in it, expected one: cavalcade tour answers each")
    return parse_line(HEADER.sub("", lines[0].strip()), graph_name(name))
