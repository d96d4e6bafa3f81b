"""`cavalcade links`: the moves of a board, as other programs read them."""

from __future__ import annotations

from typing import Annotated, Literal

import cavalcade
from cavalcade import formats
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import BoardSpec, FormatJson, GraphOptions, Output, PieceSpec, Without
from cavalcade.cli.writing import show
from cavalcade.formats.table import chosen, names_of


@verb()
def command(
    board: BoardSpec,
    *,
    piece: PieceSpec | None = None,
    format_: Annotated[str | None, option(choices=names_of("MoveGraph"))] = None,
    labels: Literal["names", "i_j"] = "names",
    without: Without | None = None,
    json_: FormatJson = False,
    reading: GraphOptions,
    output: Output | None = None,
) -> None:
    """Write every move of BOARD once, as a link of weight 1: what PROC OPTGRAPH calls DATA_LINKS.

    A cell without a move is in no link.

    Options:
        format_: A table from, to, weight (csv, the default); a SAS data step; two labels per line; or a
            format without labels.
        labels: Name the cells as on the board, such as a8, or by row and column, such as 1_1.
    """
    format_ = chosen(format_, output, "MoveGraph", "csv", json=json_)
    graph = cavalcade.links(reading.board(board, without), piece=piece, labels=labels)
    show(formats.rendered(graph, format_), output)
