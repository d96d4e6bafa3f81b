"""`cavalcade symmetries`: the symmetries of a board, by the names that `--symmetry` accepts."""

from __future__ import annotations

import json

from cavalcade.cli.command import verb
from cavalcade.cli.options import BoardSpec, Json, PieceSpec
from cavalcade.cli.reading import read_board
from cavalcade.cli.writing import show


@verb()
def command(board: BoardSpec, *, piece: PieceSpec | None = None, json_: Json = False) -> None:
    """List the symmetries of BOARD, one per line: name, order and number of cells left in place.

    --symmetry accepts these names. A symmetry of order k, applied k times, takes every cell back to its
    place. A symmetry and its inverse leave the same tours invariant; if they share a name, one line stands
    for both.
    """
    from cavalcade.question.moves import piece_on
    from cavalcade.question.question import symmetries
    from cavalcade.question.symmetry import called_apart

    place = read_board(board)
    mover = piece_on(place, piece)
    found = called_apart(symmetries(place, mover), place)
    if json_:
        rows = [{"name": one.name, "order": one.order, "fixed": one.fixed} for one in found]
        show(json.dumps({"board": place.spec, "piece": mover.spec_on(place), "symmetries": rows}) + "\n")
        return
    width = max((len(one.name) for one in found), default=0)
    for one in found:
        cells = f"{one.fixed} cell{'s' * (one.fixed != 1)} in place"
        show(f"{one.name:<{width}}  order {one.order}, {cells}\n")
