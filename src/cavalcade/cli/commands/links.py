"""`cavalcade links`: the moves of a board, as other programs read them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import cavalcade
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import BoardSpec, FormatJson, GraphOptions, PieceSpec, Without
from cavalcade.cli.writing import Written, weights_kept
from cavalcade.formats.table import names_of
from cavalcade.question.graph import is_path


@dataclass(frozen=True)
class LinkOptions(Written):
    """The options that set the format and the file of the links.

    Options:
        format_: A table from, to, weight (csv, the default); a SAS data step; two labels per line; a
            format without labels; or a picture of the graph.
    """

    format_: Annotated[str | None, option(choices=names_of("MoveGraph"))] = None
    json_: FormatJson = False
    kinds = ("MoveGraph",)
    usual = "csv"


@verb()
def command(
    board: BoardSpec,
    *,
    piece: PieceSpec | None = None,
    labels: Literal["names", "i_j"] = "names",
    without: Without | None = None,
    reading: GraphOptions,
    written: LinkOptions,
) -> None:
    """Write every move of BOARD once, as a link of weight 1: what PROC OPTGRAPH calls DATA_LINKS.

    A cell without a move is in no link. The links of a file keep its weights, as csv and sas.

    Options:
        labels: Name the cells as on the board, such as a8, or by row and column, such as 1_1.
    """
    place, weights = reading.weighted(board) if is_path(board) else (None, None)
    graph = cavalcade.links(reading.board(board, without, place=place), piece=piece, labels=labels)
    written.show(graph, **weights_kept(weights, written.format, board))
