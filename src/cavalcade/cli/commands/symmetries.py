"""`cavalcade symmetries`: the symmetries of a board, by the names that `--symmetry` accepts."""

from __future__ import annotations

import cavalcade
from cavalcade.cli.command import verb
from cavalcade.cli.options import BoardSpec, Json, PieceSpec
from cavalcade.cli.writing import show, show_json


@verb()
def command(board: BoardSpec, *, piece: PieceSpec | None = None, json_: Json = False) -> None:
    """List the symmetries of BOARD, one per line: name, order and number of cells left in place.

    --symmetry accepts these names. A symmetry of order k, applied k times, takes every cell back to its
    place. A symmetry and its inverse leave the same tours invariant; if they share a name, one line stands
    for both.
    """
    from cavalcade.question.symmetry import called_apart

    question = cavalcade.Question.of(board, piece=piece)
    place = question.board
    found = called_apart(cavalcade.symmetries(question), place)
    if json_:
        rows = [{"name": one.name, "order": one.order, "fixed": one.fixed} for one in found]
        show_json({"board": place.spec, "piece": question.piece.spec_on(place), "symmetries": rows})
        return
    width = max((len(one.name) for one in found), default=0)
    for one in found:
        cells = f"{one.fixed} cell{'s' * (one.fixed != 1)} in place"
        show(f"{one.name:<{width}}  order {one.order}, {cells}\n")
