"""`cavalcade chain`: a tour of one level after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from cavalcade.cli import FOUND, UNDECIDED
from cavalcade.cli.command import verb
from cavalcade.cli.options import BoardSpec, Cell, Output, PieceSpec, Positive, Seed, Ties, TourFormat
from cavalcade.cli.reading import read_board
from cavalcade.cli.writing import deliver, format_for, log, progress, show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cavalcade.find.chain import TourChain


@verb()
def command(
    board: BoardSpec,
    *,
    levels: Positive = 2,
    piece: PieceSpec | None = None,
    from_: Cell | None = None,
    ties: Ties = "first",
    step: Literal["next-legal", "as-printed"] | None = None,
    fall_back: bool = False,
    as_printed: bool = False,
    seed: Seed = 0,
    format_: TourFormat | None = None,
    output: Output | None = None,
) -> int:
    """Tour a stack of copies of BOARD one level after the other, each by Warnsdorff's rule.

    From the last cell of a level a legal move leads to the next. Text and csv are written level by level, so
    any number of levels takes no more memory than one. Standard error states whether the chain never ends: it
    repeats once a level starts where another one started. Exit codes: 0 every level is toured, 2 bad input, 3
    a walk got stuck.

    Options:
        levels: The number of levels.
        from_: Start here on the first level (default: its first cell).
        step: How to go up: by the first legal move from which the walk tours the level (the default), or to
            the square that the paper's macro names.
        fall_back: Walk a level by the other of first and last where the walk gets stuck.
        as_printed: Walk as the program of the paper of 2019 does: the start of a level stays counted as
            free, and steps as printed. For boards of 8x8 and the knight.
    """
    from cavalcade.boards import Board
    from cavalcade.find.chain import chain
    from cavalcade.papers.stacks import nxtcoord

    format_ = format_for(format_, output)
    place = read_board(board)
    if as_printed and (place != Board.box(8, 8) or piece not in {None, "knight"} or step == "next-legal"):
        raise click.UsageError("--as-printed needs 8x8, the knight and its own step: try 8x8 --as-printed")
    found = chain(
        place,
        levels,
        piece=piece,
        start=0 if from_ is None else from_,
        ties=ties,
        step=nxtcoord if as_printed or step == "as-printed" else None,
        fall_back=fall_back,
        count_start=not as_printed,
        seed=seed,
    )
    _assert_right(found)
    if format_ in {"text", "csv"} and len(found.board.shape) == 2:
        _stream(found, format_, output)
    else:
        deliver(found.tour(), format_, output)
    names = [found.board.name(cell) for cell in found.begins]
    if not found.complete:
        last = found.tour(len(found), len(found))
        log(
            f"the walk from {names[-1]} on level {len(found)} is stuck after {len(last)} of "
            f"{found.board.size} cells"
        )
        return UNDECIDED
    if found.endless:
        log(f"level {len(names) + 1} would start at {names[found.again or 0]} again: the chain never ends")
    return FOUND


def _assert_right(found: TourChain) -> None:
    """Have each two levels that follow one another checked as a tour of their stack: none twice."""
    from cavalcade.checking.tours import check

    whole = len(found) if found.complete else len(found) - 1
    for level in range(1, min(whole, len(found.begins) + 1) + 1):
        checked = check(found.tour(level, min(level + 1, whole)))
        if not checked:
            raise AssertionError(f"levels {level} and {level + 1}: {checked.message}")


def _stream(found: TourChain, format_: str, output: str | None) -> None:
    """Write the levels one by one."""
    from cavalcade.formats import csv, text
    from cavalcade.formats.files import replacing

    def parts() -> Iterator[str]:
        stack, last = found.stack, found.walk(found.begin(len(found)))
        done = (len(found) - 1) * found.board.size + len(last)
        what = "open tour of" if found.complete else "walk of"
        how = "" if found.complete else f", {done:,} of {stack.size:,} cells"
        spec = stack.whole.spec if format_ == "text" else stack.spec
        header = f"{what} {spec}{how}, piece {found.piece.spec}"
        yield from (text if format_ == "text" else csv).write_levels(found, stack, header=header)

    if output is None:
        for text_of in parts():
            show(text_of)
        return
    with (
        progress(f"writing {output}") as report,
        replacing(output) as path,
        path.open("x", encoding="utf-8") as file,
    ):
        for k, text_of in enumerate(parts(), 1):
            file.write(text_of)
            if report:
                report(k / (len(found) + 1))
