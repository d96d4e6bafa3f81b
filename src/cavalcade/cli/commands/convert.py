"""`cavalcade convert`: one format into another."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Annotated, Any

import cavalcade
from cavalcade.cli.command import option, refuse, refuse_all_but, refuse_by_format, verb
from cavalcade.cli.graph_lines import graphs_of
from cavalcade.cli.misplaced import kind_of
from cavalcade.cli.options import BoardOf, Cell, File, FormatJson, GraphOptions, PieceSpec
from cavalcade.cli.writing import TourOptions, show_parts, unclaimed, weights_kept
from cavalcade.formats.files import called
from cavalcade.formats.table import names_of
from cavalcade.ground.errors import FormatError
from cavalcade.question.graph import assert_directed

KINDS = ("Tour", "MoveGraph")
COMMENTED = ("text", "csv", "wide", "sas")


@dataclass(frozen=True)
class ConvertOptions(TourOptions):
    """The options that set the format and the file of a tour or a graph.

    Options:
        format_: Format of the tour (default: text) or the graph.
    """

    format_: Annotated[str | None, option(choices=names_of(*KINDS))] = None
    json_: FormatJson = False
    kinds = KINDS


@verb()
def command(
    file: File,
    *,
    board: BoardOf | None = None,
    piece: PieceSpec | None = None,
    from_: Cell | None = None,
    reverse: bool = False,
    no_comment: bool = False,
    reading: GraphOptions,
    written: ConvertOptions,
) -> None:
    """Write the tour in FILE, of any format but pictures, in another format; - is standard input.

    A walk that got stuck, or that is wrong, can be converted too; it is then called a walk. With a format of
    graphs, such as hcp, FILE holds a graph, or one graph per line, as graph6 does.

    Options:
        from_: Start the closed tour at this cell.
        reverse: Reverse the tour; a closed one starts at the same cell.
        no_comment: Omit the comment about board and piece, as PROC IMPORT needs it.
    """
    format_ = written.format
    if format_ not in names_of("Tour", files=True):
        refuse_all_but(
            "format_",
            "output",
            "input_format",
            "directed",
            "columns",
            why=f"is for tours, and {format_} holds a graph",
        )
        show_parts(_graph_texts(file, reading, format_), written.output)
        return
    refuse("input_format", "directed", "columns", why="is for graphs, and this format holds a tour")
    refuse_by_format(format_, {COMMENTED: ("no_comment",)})
    try:
        tour = cavalcade.read_tour(file, board=board, piece=piece)
    except FormatError:
        if kind_of(file) != "a graph":
            raise
        if format_ not in names_of("MoveGraph"):
            line = shlex.join(["cavalcade", "convert", file, "--format", "edges"])
            raise FormatError(f"{called(file)} holds a graph: try {line}") from None
        show_parts(_graph_texts(file, reading, format_), written.output)
        return
    tour = tour.reversed() if reverse else tour
    tour = unclaimed(tour if from_ is None else tour.rotated(from_))
    options: dict[str, Any] = {"header": False} if no_comment else {}
    written.show(tour, **options)


def _graph_texts(file: str, reading: GraphOptions, format_: str) -> Iterator[str]:
    """The graphs of a file as texts; only the formats with one graph per line hold several."""
    from cavalcade.formats.graph6 import graphs_in

    if reading == GraphOptions() and (lines := graphs_of(file)) is not None:
        with lines:
            graphs = graphs_in(lines, called(file))
            first = list(islice(graphs, 2))
            if len(first) > 1 and format_ not in {"graph6", "sparse6", "digraph6"}:
                message = f"{called(file)} has one graph per line, and {format_} holds one: try graph6"
                raise FormatError(message)
            yield from (cavalcade.write(graph, format_) for graph in chain(first, graphs))
        return
    graph, weights = reading.weighted(file)
    assert_directed(graph, reading.directed)
    if not isinstance(graph, cavalcade.MoveGraph):
        message = f"{called(file)} is the picture of a board, expected a graph: try `cavalcade links`"
        raise FormatError(message)
    yield cavalcade.write(graph, format_, **weights_kept(weights, format_, file))
