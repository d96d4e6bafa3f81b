"""`cavalcade convert`: one format into another."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

import click

from cavalcade.cli.check import board_option
from cavalcade.cli.common import (
    GRAPH_FORMATS,
    TOUR_FORMATS,
    beside_option,
    called,
    deliver,
    format_for,
    output_option,
    piece_option,
    read_board,
    read_tour,
    show,
    typed_besides,
)
from cavalcade.cli.graph_lines import graphs_of
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.question.graph import MoveGraph

EVERY = tuple(dict.fromkeys(TOUR_FORMATS + GRAPH_FORMATS))


@click.command()
@click.argument("file")
@board_option
@piece_option
@click.option(
    "--format", "format_", type=click.Choice(EVERY), help="Format of the tour (default: text) or graph."
)
@click.option("--from", "start", metavar="CELL", help="Begin the closed tour at this cell.")
@click.option("--reverse", is_flag=True, help="Walk the tour backwards; a closed one from the same cell.")
@click.option(
    "--no-comment", is_flag=True, help="Leave out the comment about board and piece, as PROC IMPORT needs it."
)
@beside_option
@output_option
def command(
    file: str,
    board: str | None,
    piece: str | None,
    *,
    start: str | None,
    reverse: bool,
    format_: str | None,
    no_comment: bool,
    beside: bool,
    output: str | None,
) -> None:
    """Write the tour in FILE, of any format but pictures, in another format; - is standard input.

    The tour is not checked: a walk that got stuck can be converted too. With hcp, edges, graph6, sparse6,
    digraph6 or dimacs, FILE holds a graph; or a graph on every line, as graph6 does, and so may what is
    written.
    """
    format_ = format_for(format_, output, EVERY)
    if format_ not in {*TOUR_FORMATS, "npy"}:
        if odd := typed_besides({"file", "format_", "output"}):
            raise click.UsageError(f"{odd[0]} is for tours, not for graphs as {format_}.")
        _convert_graphs(file, format_, output)
        return
    if no_comment and format_ not in {"text", "csv", "wide", "sas"}:
        raise click.UsageError(f"--no-comment goes with text, csv, wide and sas, not with {format_}.")
    tour = read_tour(file, board, piece)
    tour = tour.reversed() if reverse else tour
    tour = tour if start is None else tour.rotated(start)
    deliver(tour, format_, output, beside=beside, comment=not no_comment)


def _convert_graphs(file: str, format_: str, output: str | None) -> None:
    """Write the graphs of a file, all of them if the format has one on every line."""
    from cavalcade.formats import write

    graphs = _graphs(file)
    first = list(islice(graphs, 2))
    if len(first) > 1 and format_ not in {"graph6", "sparse6", "digraph6"}:
        raise FormatError(f"{called(file)} has a graph on every line, but {format_} holds one")
    texts = (write(graph, format_) for graph in chain(first, graphs))
    for text in texts if output is None else ("".join(texts),):
        show(text, output)


def _graphs(file: str) -> Iterator[MoveGraph]:
    from cavalcade.formats.graph6 import graphs_in
    from cavalcade.question.graph import MoveGraph

    if (lines := graphs_of(file)) is not None:
        with lines:
            yield from (line.graph for line in graphs_in(lines, called(file)))
        return
    graph = read_board(file)
    if not isinstance(graph, MoveGraph):
        raise FormatError(
            f"{called(file)} is the picture of a board, expected a graph; see `cavalcade links`"
        )
    yield graph
