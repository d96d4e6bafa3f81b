"""`cavalcade trace`: the papers' BOARD and MOVES after each step of a walk."""

from __future__ import annotations

from typing import Annotated, Literal

import cavalcade
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import BoardOf, File, FormatJson, Output, PieceSpec, Positive
from cavalcade.cli.writing import show_parts


@verb()
def command(
    file: Annotated[File, option(metavar="WALK")],
    *,
    board: BoardOf | None = None,
    piece: PieceSpec | None = None,
    step: Annotated[Positive | None, option(excludes=["--all"])] = None,
    all_: Annotated[bool, option(excludes=["--step"])] = False,
    count_start: bool | None = None,
    format_: Literal["text", "csv", "wide", "sas", "json"] = "text",
    json_: FormatJson = False,
    output: Output | None = None,
) -> None:
    """Print the steps of the walk in the file WALK, and the remaining moves of every cell.

    After the last step these are the papers' data set SOLUTION, with the variables s11, s12, ... and m11,
    m12, ... of BOARD and MOVES. WALK may be -, standard input.

    Options:
        step: Print them after this step (default: the last).
        all_: Print them after every step.
        count_start: Whether the start takes one off the remaining moves of its neighbours (default: it does;
            in the papers' programs it does not).
        format_: Boards of numbers, one row per step and cell, the papers' variables, a SAS data step, or one
            JSON object per step.
    """
    walk = cavalcade.read_tour(file, board=board, piece=piece)
    traced = cavalcade.trace(walk, count_start=count_start is not False)
    steps = list(range(1, len(traced) + 1)) if all_ else [len(traced) if step is None else step]
    show_parts(traced.parts("json" if json_ else format_, steps), output)
