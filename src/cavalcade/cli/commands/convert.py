"""`cavalcade convert`: one format into another."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated

import click

from cavalcade.cli.command import option, refuse, refuse_all_but, verb
from cavalcade.cli.graph_lines import graphs_of
from cavalcade.cli.options import (
    Beside,
    BoardOf,
    Cell,
    Output,
    PieceSpec,
)
from cavalcade.cli.reading import read_board
from cavalcade.cli.writing import deliver, format_for, show
from cavalcade.formats.table import names_of
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.question.graph import MoveGraph

KINDS = ("Tour", "MoveGraph")
COMMENTED = ("text", "csv", "wide", "sas")


@verb()
def command(
    file: str,
    *,
    board: BoardOf | None = None,
    piece: PieceSpec | None = None,
    format_: Annotated[str | None, option(type=click.Choice(names_of(*KINDS)))] = None,
    from_: Cell | None = None,
    reverse: bool = False,
    no_comment: bool = False,
    beside: Beside = False,
    output: Output | None = None,
) -> None:
    """Write the tour in FILE, of any format but pictures, in another format; - is standard input.

    The tour is not checked: a walk that got stuck can be converted too. With a format of graphs, such as hcp,
    FILE holds a graph, or one graph per line, as graph6 does.

    Options:
        format_: Format of the tour (default: text) or the graph.
        from_: Start the closed tour at this cell.
        reverse: Reverse the tour; a closed one starts at the same cell.
        no_comment: Omit the comment about board and piece, as PROC IMPORT needs it.
    """
    format_ = format_for(format_, output, KINDS)
    if format_ not in names_of("Tour", files=True):
        refuse_all_but("format_", "output", why=f"is for tours, and {format_} holds a graph")
        _convert_graphs(file, format_, output)
        return
    if format_ not in COMMENTED:
        refuse("no_comment", why=f"works only with {', '.join(COMMENTED)}, not with {format_}")
    from cavalcade.formats import read_tour

    tour = read_tour(file, board=board, piece=piece)
    tour = tour.reversed() if reverse else tour
    tour = tour if from_ is None else tour.rotated(from_)
    deliver(tour, format_, output, beside=beside, comment=not no_comment)


def _convert_graphs(file: str, format_: str, output: str | None) -> None:
    """Write the graphs of a file, all of them if the format has one per line."""
    from cavalcade.formats import write
    from cavalcade.formats.files import called

    graphs = _graphs(file)
    first = list(islice(graphs, 2))
    if len(first) > 1 and format_ not in {"graph6", "sparse6", "digraph6"}:
        raise FormatError(f"{called(file)} has one graph per line, and {format_} holds one: try graph6")
    texts = (write(graph, format_) for graph in chain(first, graphs))
    for text in texts if output is None else ("".join(texts),):
        show(text, output)


def _graphs(file: str) -> Iterator[MoveGraph]:
    from cavalcade.formats.files import called
    from cavalcade.formats.graph6 import graphs_in

    if (lines := graphs_of(file)) is not None:
        with lines:
            yield from (line.graph for line in graphs_in(lines, called(file)))
        return
    graph = read_board(file)
    if not graph.plain:
        raise FormatError(
            f"{called(file)} is the picture of a board, expected a graph: try `cavalcade links`"
        )
    yield graph
