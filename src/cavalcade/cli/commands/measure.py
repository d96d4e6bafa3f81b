"""`cavalcade measure`: turns, crossings, areas, symmetry, magic."""

from __future__ import annotations

from typing import Annotated

import cavalcade
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import BoardOf, File, Json, PieceSpec
from cavalcade.cli.writing import show, show_json


@verb()
def command(
    file: Annotated[File, option(metavar="TOUR")],
    *,
    board: BoardOf | None = None,
    piece: PieceSpec | None = None,
    json_: Json = False,
) -> None:
    """Measure the tour in a file: turns, crossings, areas, symmetry, magic; - is standard input.

    The tour may be open or closed, whole or partial. Measures undefined on the board are omitted. Exit code 2
    if a step is not a legal move, or a cell is visited twice.
    """
    measures = cavalcade.read_tour(file, board=board, piece=piece).measure()
    if json_:
        show_json(measures.to_dict())
    else:
        show(str(measures))
