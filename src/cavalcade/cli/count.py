"""`cavalcade count`: how many tours there are."""

from __future__ import annotations

import dataclasses
import sys
import warnings
from typing import TYPE_CHECKING

import click

from cavalcade.cli import FOUND
from cavalcade.cli.common import (
    ALL,
    counting,
    log,
    memory_option,
    problem_options,
    read_problem,
    show,
    show_count,
    time_limit_option,
    undecided_if_too_large,
)
from cavalcade.cli.distribution import count_by
from cavalcade.cli.growing import count_sequence, grows
from cavalcade.cli.shards import count_in_shards
from cavalcade.ground import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cavalcade.answers.counts import Classes
    from cavalcade.question.constraints import Constraints


@click.command()
@problem_options
@click.option("--directed", is_flag=True, help="Count a tour and its reverse as two.")
@click.option(
    "--by",
    type=click.Choice(("slope", "class", "files")),
    help="For each slope of moves, each class of them under the board's symmetries, or each number of files "
    "that they go: how many tours use exactly k such moves, for every k.",
)
@memory_option
@time_limit_option()
@click.option(
    "--checkpoint",
    metavar="FILE",
    help="Save the work to FILE every few seconds; continue from FILE if it exists.",
)
@click.option(
    "--upto",
    type=click.IntRange(min=1),
    metavar="N",
    help="If a side of BOARD is n, as in 3xn: count for n = 1 to N (default: 20).",
)
@click.option("--bfile", metavar="FILE", help="Write the counts to FILE, as a b-file of the OEIS.")
@click.option(
    "--shards",
    type=click.IntRange(min=1),
    metavar="N",
    help="Count in N parts, a power of two, each with less memory; -o DIR keeps their counts.",
)
@click.option("-o", "--output", metavar="DIR", help="With --shards: where the counts go, and where to go on.")
@click.option("--json", "json_", is_flag=True, help="Print one JSON object with the count, time and memory.")
def command(
    board: str,
    piece: str | None,
    *,
    open_: bool,
    start: str | None,
    end: str | None,
    without: str | None,
    constraints: Constraints,
    directed: bool,
    by: str | None,
    memory: int,
    time_limit: float | None,
    checkpoint: str | None,
    upto: int | None,
    bfile: str | None,
    shards: int | None,
    output: str | None,
    json_: bool,
) -> int:
    """Count the tours of BOARD exactly: closed tours, or open ones with --open.

    Mirror images and rotations count as different tours, a tour and its reverse as one, unless --directed.
    --symmetry without a name counts tours up to symmetry, and those that each symmetry keeps.
    Exit code 3 if the board is too wide, or --memory or --time-limit too small.

    One side may be n, as in 3xn, 2x3xn or cylinder:nx5: then the counts for n = 1, 2, 3, … are printed, and
    their generating function if it is found.
    """
    symmetry = constraints.get("symmetry") == ALL
    if symmetry:
        del constraints["symmetry"]
    if grows(board):
        given: dict[str, object] = {
            "--from": start,
            "--to": end,
            "--without": without,
            "--checkpoint": checkpoint,
            "--symmetry": symmetry or None,
            **{f"--{word.strip('_')}": value for word, value in constraints.items()},
            "--by": by,
            "--shards": shards,
            "--output": output,
        }
        _refuse(given, f"does not go with a board that grows, like {board}")
        return count_sequence(
            board,
            upto=upto,
            piece=piece,
            open_=open_,
            directed=directed,
            memory=memory,
            time_limit=time_limit,
            bfile=bfile,
            json_=json_,
        )
    _refuse({"--upto": upto, "--bfile": bfile}, "needs a board with a side n, like 3xn")
    if symmetry and (directed or start is not None or end is not None):
        raise click.UsageError("--symmetry counts undirected tours between any ends.")
    if by is not None and (symmetry or checkpoint is not None):
        raise click.UsageError(f"--by does not go with {'--symmetry' if symmetry else '--checkpoint'}.")
    if (shards is None) != (output is None):
        raise click.UsageError("--shards and -o DIR go together.")
    question = read_problem(board, piece, without, start, end, constraints, open_=open_)
    if by is not None and shards is None:
        return count_by(question, by, directed=directed, memory=memory, time_limit=time_limit, json_=json_)
    if shards is not None and output is not None:
        unfit = {"--checkpoint": checkpoint, "--symmetry": symmetry or None, "--time-limit": time_limit}
        _refuse(unfit, "does not go with --shards")
        return count_in_shards(question, shards, output, directed=directed, memory=memory, json_=json_)
    from cavalcade.counting.classes import classes
    from cavalcade.counting.total import count
    from cavalcade.ground.budget import bounded

    with (
        undecided_if_too_large(),
        bounded(time_limit, memory),
        counting() as progress,
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("always", RuntimeWarning)
        warnings.showwarning = lambda warning, *_: log(f"warning: {warning}")
        found = count(question, directed=directed, memory=memory, progress=progress, checkpoint=checkpoint)
        kept = classes(question, total=found.count, memory=memory) if symmetry else None
    sys.set_int_max_str_digits(0)  # Python would print no more than 4,300
    if json_:
        more = {}
        if kept:
            more["symmetry"] = {
                "classes": kept.classes,
                "group_order": kept.order,
                "fixed": [dataclasses.asdict(one) | {"fixed": one.fixed} for one in kept.fixed],
            }
        show_count(question, found, **more)
    else:
        show(_table(kept) if kept else f"{found.count}\n")
        conventions = f"{kept.conventions}, {found.count} in all" if kept else found.conventions
        log(
            f"{question.board.title}, {question.piece.spec}: {conventions}; {found.seconds:.2f} s, "
            f"{found.peak_states:,} states at the peak, {found.peak_bytes / 2**20:,.0f} MiB; "
            f"cavalcade {__version__}"
        )
    return FOUND


def _refuse(options: Mapping[str, object], why: str) -> None:
    """Refuse options that were given."""
    for option, value in options.items():
        if value is not None:
            raise click.UsageError(f"{option} {why}.")


def _table(kept: Classes) -> str:
    """The number of classes, and a line for each symmetry that keeps some tour."""
    heads = ("symmetry", "number", "tours each keeps", "classes with no other")
    lines = [heads] + [
        (one.name, str(one.symmetries), one.description, "?" if one.classes is None else str(one.classes))
        for i, one in enumerate(kept.fixed)
        if one.fixed or not i
    ]
    wide = [max(map(len, column)) for column in zip(*lines, strict=True)]
    rows = [f"{a:<{wide[0]}}  {b:>{wide[1]}}  {c:<{wide[2]}}  {d:>{wide[3]}}" for a, b, c, d in lines]
    none = sum(one.symmetries for one in kept.fixed[1:] if not one.fixed)
    return "\n".join([str(kept.classes), *rows, *[f"{none} other symmetries keep none"] * bool(none), ""])
