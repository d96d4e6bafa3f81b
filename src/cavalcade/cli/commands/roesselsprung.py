"""`cavalcade roesselsprung`: a text along a tour, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import cavalcade
from cavalcade import formats
from cavalcade.answers.status import AnswerStatus
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import File, PieceSpec, SearchOptions
from cavalcade.cli.writing import PuzzleOptions, fail, log, show, show_json


@verb(time_limit="10")
def command(
    file: Annotated[File, option(metavar="TEXT")],
    *,
    board: Annotated[str | None, option(metavar="BOARD")] = None,
    piece: PieceSpec | None = None,
    language: Annotated[str | None, option(metavar="L", excludes=["--separator"])] = None,
    separator: Annotated[str | None, option(metavar="X")] = None,
    solve: Annotated[bool, option(excludes=["--language", "--separator", "--format"])] = False,
    search: SearchOptions,
    written: PuzzleOptions,
) -> int:
    """Put the words or syllables of TEXT on a board, in the order of an open tour.

    TEXT is a file, - for standard input, several words in quotes, or one word, whose letters are parts. If
    the board has more cells than the text has parts, extra cells become holes. The text format, which --solve
    reads, has the solution below the puzzle. The page for printing has the solution upside down, and the
    picture has no solution.

    Options:
        board: The board (default: one that fits the text).
        language: Split words into syllables as this language hyphenates them: en, de, de_AT, fr, ... Needs
            pyphen.
        separator: Split words at this sign in the text.
        solve: TEXT is a Rösselsprung with its solution: check it, and print its words.
    """
    from cavalcade.question.graph import board_of

    place = None if board is None else board_of(board)
    if solve:
        riddle = cavalcade.read_roesselsprung(file, board=place, piece=piece)
        if not (checked := cavalcade.check(riddle.tour)):
            return fail(AnswerStatus.WRONG, checked.message)
        if written.json_:
            show_json({"text": riddle.text}, written.output)
        else:
            show(f"{riddle.text}\n", written.output)
        return ExitCode.FOUND
    text = file
    if file.isalpha() and not Path(file).exists():
        text = " ".join(file)
    elif " " not in file or Path(file).exists():
        text = formats.read_file(file)
    words = vars(search) | {"language": language, "separator": separator}
    made = cavalcade.roesselsprung(text, board=place, piece=piece, **words)
    if not isinstance(made, cavalcade.Roesselsprung):
        return fail(made.status, made.reason)
    about = {"board": made.board.spec, "piece": made.piece.spec, "parts": made.parts, "seed": made.seed}
    written.show(made, about | {"status": "found", "cells": made.tour.names, "on_cells": made.on_cells})
    log(f"{made.title(made.board.title)}, {len(made.parts)} parts, seed {made.seed}")
    return ExitCode.FOUND
