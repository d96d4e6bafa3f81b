"""`cavalcade symmetries`: the symmetries of a board, by the names that `--symmetry` accepts."""

from __future__ import annotations

import cavalcade
from cavalcade.cli.command import verb
from cavalcade.cli.options import BoardSpec, Json, PieceSpec
from cavalcade.cli.writing import aligned, show, show_json


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
    symmetries = called_apart(cavalcade.symmetries(question), place)
    if json_:
        keys = ("name", "order", "fixed")
        rows = [{key: getattr(symmetry, key) for key in keys} for symmetry in symmetries]
        show_json({"board": place.spec, "piece": question.piece.spec_on(place), "symmetries": rows})
        return
    texts = []
    for symmetry in symmetries:
        cells = f"{symmetry.fixed} cell{'s' * (symmetry.fixed != 1)} in place"
        texts.append((symmetry.name, f"order {symmetry.order}, {cells}"))
    show(aligned(texts, "<<"))
