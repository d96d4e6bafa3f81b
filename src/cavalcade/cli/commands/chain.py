"""`cavalcade chain`: tour a stack level by level."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import cavalcade
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, verb
from cavalcade.cli.options import BoardSpec, Cell, PieceSpec, Positive, Seed, Ties
from cavalcade.cli.writing import TourOptions, log, show_parts, tracked
from cavalcade.ground.errors import TooLargeError


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
    as_printed: Annotated[bool, option(excludes=["--step"])] = False,
    seed: Seed = 0,
    written: TourOptions,
) -> int:
    """Tour a stack of copies of BOARD level by level, each by Warnsdorff's rule.

    A legal move leads from the last cell of a level to the next level. Text and csv are written level by
    level, so the memory does not grow with the number of levels. Standard error states whether the chain
    never ends, because a level starts on the cell of an earlier level. Exit codes: 0 every level is toured,
    2 bad input, 3 a walk got stuck.

    Options:
        levels: The number of levels.
        from_: Start here on the first level (default: its first cell).
        step: How to go up: by the first legal move from which the walk tours the level (the default), or to
            the square that the paper's macro names.
        fall_back: If the walk gets stuck, walk the level again with ties by last instead of first, or vice
            versa.
        as_printed: Walk as the program of the paper of 2019: the start of a level does not reduce the onward
            moves of its neighbours, and --step as-printed.
    """
    from cavalcade.papers.stacks import nxtcoord

    chain = cavalcade.chain(
        board,
        levels,
        piece=piece,
        start=0 if from_ is None else from_,
        ties=ties,
        step=nxtcoord if as_printed or step == "as-printed" else None,
        fall_back=fall_back,
        count_start=not as_printed,
        seed=seed,
    )
    whole = len(chain) if chain.complete else len(chain) - 1
    # pairs of adjacent levels; the chain repeats after these
    for level in range(1, min(whole, len(chain.begins) + 1) + 1):
        checked = cavalcade.check(chain.tour(level, min(level + 1, whole)))
        if not checked:
            raise AssertionError(f"levels {level} and {level + 1}: {checked.message}")
    if written.format in {"text", "csv"} and len(chain.board.shape) == 2 and not written.beside:
        parts = _levels(chain, written.format)
        file = written.output
        show_parts(tracked(parts, f"writing {file}", len(chain) + 1) if file else parts, file)
    else:
        try:
            whole_tour = chain.tour()
        except MemoryError:
            smaller = "try -o FILE.csv or FILE.txt, which are written level by level"
            raise TooLargeError(f"the levels do not fit in memory: {smaller}") from None
        written.show(whole_tour)
    names = [chain.board.name(cell) for cell in chain.begins]
    if not chain.complete:
        last, where = chain.tour(len(chain), len(chain)), f"from {names[-1]} on level {len(chain)}"
        log(f"the walk {where} is stuck after {len(last)} of {chain.board.size} cells")
        return ExitCode.UNDECIDED
    if chain.endless:
        log(f"level {len(names) + 1} would start at {names[chain.again or 0]} again: the chain never ends")
    return ExitCode.FOUND


def _levels(chain: cavalcade.TourChain, format_: str) -> Iterator[str]:
    """Format the levels one by one."""
    from cavalcade.formats import csv, text

    stack, last = chain.stack, chain.walk(chain.begin(len(chain)))
    done = (len(chain) - 1) * chain.board.size + len(last)
    what = "open tour of" if chain.complete else "walk of"
    how = "" if chain.complete else f", {done:,} of {stack.size:,} cells"
    spec = stack.whole.spec if format_ == "text" else stack.spec
    header = f"{what} {spec}{how}, piece {chain.piece.spec}"
    yield from (text if format_ == "text" else csv).write_levels(chain, stack, header=header)
