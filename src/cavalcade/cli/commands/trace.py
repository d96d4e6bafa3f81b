"""`cavalcade trace`: the papers' BOARD and MOVES after each step of a walk."""

from __future__ import annotations

from typing import Annotated, Literal

import cavalcade
from cavalcade import formats
from cavalcade.cli.command import option, refuse, verb
from cavalcade.cli.options import BoardOf, File, FormatJson, Output, PieceSpec, Positive
from cavalcade.cli.writing import show, show_parts

ENDINGS = ("csv", "sas", "json", "svg", "gif")


@verb()
def command(
    file: Annotated[File, option(metavar="WALK")],
    *,
    board: BoardOf | None = None,
    piece: PieceSpec | None = None,
    step: Annotated[Positive | None, option(excludes=["--all"])] = None,
    all_: Annotated[bool, option(excludes=["--step"])] = False,
    count_start: bool | None = None,
    format_: Literal["text", "csv", "wide", "sas", "json", "svg", "gif"] | None = None,
    json_: FormatJson = False,
    output: Output | None = None,
) -> None:
    """Print the steps of the walk in the file WALK, and the remaining moves of every cell.

    After the last step these are the papers' data set SOLUTION, with the variables s11, s12, ... and m11,
    m12, ... of BOARD and MOVES. WALK may be -, standard input. -o FILE.gif or FILE.svg writes a moving
    picture: free cells show their remaining moves.

    Options:
        step: Print them after this step (default: the last).
        all_: Print them after every step.
        count_start: Whether the start takes one off the remaining moves of its neighbours (default: it does;
            in the papers' programs it does not).
        format_: Boards of numbers, one row per step and cell, the papers' variables, a SAS data step, one
            JSON object per step, or a moving picture of all steps (default: the ending of FILE if it is .csv,
            .sas, .json, .svg or .gif, otherwise text).
    """
    walk = cavalcade.read_tour(file, board=board, piece=piece)
    traced = cavalcade.trace(walk, count_start=count_start is not False)
    ending = formats.format_of(output) if output else ""
    kind = "json" if json_ else format_ or (ending if ending in ENDINGS else "text")
    if kind in {"svg", "gif"}:
        refuse("step", "all_", why="cannot be combined with a moving picture, which shows all steps")
        animate = {"animate": True} if kind == "svg" else {}
        show(formats.rendered(traced.picture(), kind, **animate), output)
        return
    steps = list(range(1, len(traced) + 1)) if all_ else [len(traced) if step is None else step]
    show_parts(traced.parts(kind, steps), output)
