"""Tours and graphs as files, written and read back.

Formats of a tour: `text` (numbers on the board), `csv`, `json`, `tour` (TSPLIB), `wide` (the papers'
variables), and `svg` and `png`, which are pictures and cannot be read back. Formats of a graph: `hcp`
(TSPLIB) and `edges`. Each is one module, which says what the format looks like and is loaded when it is
needed. `read` tells a format by what is in the file, never by its name. NumPy's `npy`, for tours of any size,
is no text: `save` and `read` know it.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cavalcade.errors import CavalcadeError, FormatError

if TYPE_CHECKING:
    import os

    from numpy.typing import ArrayLike

    from cavalcade.answers.tours import Tour
    from cavalcade.answers.verdict import Verdict
    from cavalcade.boards import Board
    from cavalcade.graph import MoveGraph
    from cavalcade.pieces import Piece

READABLE = ("text", "csv", "json", "tour", "wide")
FORMATS = (*READABLE, "svg", "png")
GRAPH_FORMATS = ("hcp", "edges")
SUFFIXES = {"txt": "text"}


def write(tour: Tour, format: str = "text", **options: Any) -> str:  # noqa: A002, ANN401 - as in the command line
    """The tour in a format: text, csv, json, tour, wide or svg.

    Options are those of the format's `write` (`header`, `labels`, `beside`) or of `draw.svg.tour_svg`.

    Raises:
        FormatError: there is no such format, or it cannot carry this tour; a png is no text, see `save`.
    """
    if format == "png":
        raise FormatError("a png is no text, expected it to be saved to a file")
    if format == "svg":
        from cavalcade.draw.svg import tour_svg

        return str(tour_svg(tour, **options))
    if format not in READABLE:
        raise FormatError(f"unknown format {format!r}, expected one of {', '.join(FORMATS)}")
    return str(import_module(f"cavalcade.formats.{format}").write(tour, **options))


def save(tour: Tour, path: str | os.PathLike[str], format: str | None = None, **options: Any) -> None:  # noqa: A002, ANN401
    """Write the tour to a file, whole or not at all; without a format the name's ending tells it.

    Raises:
        FormatError: as for `write`, or the file cannot be written.
    """
    if format is None:
        ending = Path(path).suffix.removeprefix(".").lower()
        format = SUFFIXES.get(ending, ending or "text")  # noqa: A001
    if format == "npy":
        from cavalcade.formats import npy

        npy.save(tour, path, **options)
    elif format == "png":
        from cavalcade.draw.png import tour_png

        save_data(path, tour_png(tour, **options))
    else:
        save_data(path, write(tour, format, **options))


def save_data(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write any data to a file, whole or not at all: also an interrupt leaves what was there before.

    Raises:
        FormatError: it cannot be written.
    """
    from cavalcade.formats.files import write_file

    write_file(path, data)


def read(
    path: str | os.PathLike[str],
    *,
    board: Board | MoveGraph | str | None = None,
    piece: Piece | str | None = None,
) -> Tour:
    """The tour in a file of any format that can be read.

    Args:
        path: the file.
        board: what it is a tour of, where the file does not say, or says otherwise.
        piece: who moves; the same.

    Raises:
        FormatError: there is no tour in it; the message quotes the line that is wrong.
    """
    from cavalcade.formats import npy
    from cavalcade.formats.files import read_file

    if npy.is_npy(path):
        return npy.read(path, board, piece)
    return parse(read_file(path), board=board, piece=piece, source=str(path))


def parse(
    text: str,
    *,
    board: Board | MoveGraph | str | None = None,
    piece: Piece | str | None = None,
    source: str = "the text",
) -> Tour:
    """The tour in a text of any format; `source` is what errors call it.

    Raises:
        FormatError: there is none in it.
    """
    from cavalcade.formats.header import Claim
    from cavalcade.graph import MoveGraph

    claim = Claim.of(board, piece)
    try:
        module = import_module(f"cavalcade.formats.{detect(text, names=isinstance(claim.board, MoveGraph))}")
        tour: Tour = module.parse(text, claim)
    except CavalcadeError as error:
        raise FormatError(f"{source}: {error}") from None
    return tour


def detect(text: str, *, names: bool = False) -> str:
    """The format of a text, told by its first line that is no comment.

    Args:
        text: the text.
        names: it may be a list of a plain graph's labels, which can look like anything.

    Raises:
        FormatError: it is a picture or a graph.
    """
    first = re.search(r"^(?!\s*;)[^\n]*\S[^\n]*$", text, re.MULTILINE)
    line = first[0].strip() if first else ""
    titles = {title.strip('" ').lower() for title in line[:200].split(",")}
    if line.startswith("{") and (not names or '"cells"' in text):
        return "json"
    if re.search(r"^\s*TOUR_SECTION", text, re.MULTILINE):
        return "tour"
    if len(titles & {"step", "name", "row", "q", "vertex"}) > names:  # a label may well be called Q
        return "csv"
    if names:
        return "text"
    if line.startswith("<"):
        raise FormatError("it is a picture or a page, expected text, csv, json, tour or wide")
    if re.search(r"^\s*EDGE_DATA_SECTION", text, re.MULTILINE):
        raise FormatError("it is a graph, expected a tour")
    if re.match(r"(NAME|TYPE|COMMENT|DIMENSION)\s*:", line):
        return "tour"
    if all(
        re.fullmatch(r"[A-Za-z][1-9][0-9]*(_[0-9]+)*", word) for word in re.split(r"[\s,]+", line[:200])[:2]
    ):
        return "wide"
    return "csv" if "," in line else "text"


def verdict_json(verdict: Verdict, board: Board | MoveGraph, piece: Piece | None, kind: str) -> str:
    """A verdict as one JSON object on one line; `formats.json` says what is in it.

    Args:
        verdict: found, impossible or undecided.
        board: what was asked about.
        piece: whose tour; without meaning on a plain graph.
        kind: `closed` or `open`.
    """
    from cavalcade.formats import json

    return json.verdict_json(verdict, board, piece, kind)


def read_graph(path: str | os.PathLike[str]) -> MoveGraph:
    """The graph in a TSPLIB `.hcp` file or a plain edge list.

    Raises:
        FormatError: there is none in it; the message quotes the line that is wrong.
    """
    from cavalcade.formats.files import read_file

    return parse_graph(read_file(path), source=str(path), name=Path(path).stem)


def parse_graph(text: str, *, source: str = "the text", name: str = "") -> MoveGraph:
    """The graph in a text; `source` is what errors call it, `name` what the graph is called.

    Raises:
        FormatError: there is none in it.
    """
    from cavalcade.formats import edges, hcp

    tsplib = re.search(r"^\s*(EDGE_DATA_SECTION|(TYPE|DIMENSION|EDGE_DATA_FORMAT)\s*:)", text, re.MULTILINE)
    try:
        return hcp.parse(text, name) if tsplib else edges.parse(text, name)
    except CavalcadeError as error:
        raise type(error)(f"{source}: {error}") from None


def write_graph(graph: MoveGraph, format: str = "hcp", **options: Any) -> str:  # noqa: A002, ANN401
    """The graph as `hcp` (`adjacency=True` for ADJ_LIST) or `edges`.

    Raises:
        FormatError: there is no such format, or it cannot carry these labels.
    """
    if format not in GRAPH_FORMATS:
        raise FormatError(
            f"unknown format {format!r} for a graph, expected one of {', '.join(GRAPH_FORMATS)}"
        )
    return str(import_module(f"cavalcade.formats.{format}").write(graph, **options))


def numbers(board: Board | MoveGraph, values: ArrayLike, format: str = "text", **options: Any) -> str:  # noqa: A002, ANN401
    """Any integers, one a cell, on their board: as `text`, or as `wide` variables.

    Options are `labels` and `beside` of `text.numbers_text`, `letter` of `wide.numbers_wide`.

    Raises:
        FormatError: there is no such format, or not one integer a cell.
    """
    if format not in {"text", "wide"}:
        raise FormatError(f"unknown format {format!r} for numbers, expected text or wide")
    module = import_module(f"cavalcade.formats.{format}")
    return str(getattr(module, f"numbers_{format}")(board, values, **options))
