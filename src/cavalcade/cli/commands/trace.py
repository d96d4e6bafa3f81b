"""`cavalcade trace`: the papers' BOARD and MOVES after each step of a walk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import cavalcade
from cavalcade.cli.command import option, refuse, verb
from cavalcade.cli.options import BoardOf, File, FormatJson, PieceSpec, Positive
from cavalcade.cli.writing import Written, show_parts

NUMBERS = ("text", "csv", "wide", "sas", "json")
MOVING = ("svg", "gif")


@dataclass(frozen=True)
class TraceOptions(Written):
    """The options that set the format and the file of the steps.

    Options:
        format_: Boards of numbers, one row per step and cell, the papers' variables, a SAS data step, one
            JSON object per step, or a moving picture of all steps (default: the ending of FILE sets it,
            otherwise text).
    """

    format_: Annotated[str | None, option(choices=(*NUMBERS, *MOVING))] = None
    json_: FormatJson = False
    kinds = ()
    extra_formats = (*NUMBERS, *MOVING)

    @property
    def drawn(self) -> tuple[str, ...]:
        """The names of the classes of which a picture may be written."""
        return ("Trace",)


@verb()
def command(
    file: Annotated[File, option(metavar="WALK")],
    *,
    board: BoardOf | None = None,
    piece: PieceSpec | None = None,
    step: Annotated[Positive | None, option(excludes=["--all"])] = None,
    all_: Annotated[bool, option(excludes=["--step"])] = False,
    count_start: bool | None = None,
    written: TraceOptions,
) -> None:
    """Print the steps of the walk in the file WALK, and the remaining moves of every cell.

    After the last step these are the papers' data set SOLUTION, with the variables s11, s12, ... and m11,
    m12, ... of BOARD and MOVES. WALK may be -, standard input. -o FILE.gif or FILE.svg writes a moving
    picture: free cells show their remaining moves.

    Options:
        step: Print them after this step (default: the last).
        all_: Print them after every step.
        count_start: Whether the start reduces the remaining moves of its neighbours (default: it does;
            in the papers' programs it does not).
    """
    walk = cavalcade.read_tour(file, board=board, piece=piece)
    traced = cavalcade.trace(walk, count_start=count_start is not False)
    if written.format in MOVING:
        refuse("step", "all_", why="cannot be combined with a moving picture, which shows all steps")
        looks = written.looks.keywords("Trace", written.format)
        if written.format == "svg":
            looks["animate"] = True
        written.put(traced.picture(style=looks.pop("style", "colour")), **looks)
        return
    steps = list(range(1, len(traced) + 1)) if all_ else [len(traced) if step is None else step]
    show_parts(traced.parts(written.format, steps), written.output)
