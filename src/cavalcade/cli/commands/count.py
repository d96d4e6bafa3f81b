"""`cavalcade count`: how many tours there are."""

from __future__ import annotations

import dataclasses
import json
import sys
import warnings
from typing import TYPE_CHECKING, Annotated, Literal

from cavalcade.cli import FOUND
from cavalcade.cli.command import option, refuse, refuse_all_but, verb
from cavalcade.cli.options import ALL, Directory, File, Json, Positive, QuestionOptions
from cavalcade.cli.writing import counting, log, log_count, progress, show, show_count
from cavalcade.ground.errors import TooLargeError

if TYPE_CHECKING:
    from cavalcade.answers.counts import Classes, Distribution
    from cavalcade.question.question import Question

UPTO = 20
PRINTED = 60  # of a longer recurrence only the order is printed; --json has all of it
OF_SEQUENCES = ("piece", "open_", "directed", "upto", "bfile", "json_")


@verb(memory="half of the machine's")
def command(
    asked: QuestionOptions,
    *,
    directed: bool = False,
    by: Literal["slope", "class", "files"] | None = None,
    checkpoint: File | None = None,
    upto: Positive | None = None,
    bfile: File | None = None,
    shards: Positive | None = None,
    output: Annotated[Directory | None, option("-o", "--output")] = None,
    json_: Json = False,
    memory: int | None = None,
    time_limit: float | None = None,
) -> int:
    """Count the tours of BOARD exactly: closed tours, or open ones with --open.

    Mirror images and rotations count as different tours, a tour and its reverse as one, unless --directed.
    --symmetry without a name counts tours up to symmetry, and the tours symmetric under each symmetry. Exit
    codes: 0 counted, 2 bad input, 3 undecided, as where the board is too wide.

    One side may be n, as in 3xn, 2x3xn or cylinder:nx5: then the counts for n = 1, 2, 3, ... are printed, and
    their generating function if it is found.

    Options:
        directed: Count a tour and its reverse as two.
        by: For each slope of moves, each class of moves under the board's symmetries, or each number of
            files that a move crosses: how many tours use exactly k such moves, for every k. Excludes
            --checkpoint.
        checkpoint: Save the work to FILE every few seconds; resume from FILE.
        upto: If a side of BOARD is n, as in 3xn: count for n = 1 to N (default: 20).
        bfile: Write the counts to FILE, as a b-file of the OEIS.
        shards: Count in N parts, a power of two, each with less memory; -o DIR keeps their counts. Only
            with --output. Excludes --checkpoint, --by.
        output: Directory for the counts of the shards; resumes if it has some. Only with --shards.
    """
    sys.set_int_max_str_digits(0)  # Python would print at most 4,300
    if _has_n(asked.board):
        refuse_all_but(*OF_SEQUENCES, why="cannot be combined with a board that has a side n")
        return _sequence(
            asked, upto or UPTO, bfile, directed=directed, json_=json_, memory=memory, time_limit=time_limit
        )
    refuse("upto", "bfile", why="works only with a board that has a side n, such as 3xn")
    if symmetry := asked.constrained.symmetry == ALL:
        refuse(
            "directed",
            "from_",
            "to",
            "by",
            "shards",
            why="cannot be combined with --symmetry without a name",
        )
    question = asked.question(all_symmetries=True)
    if by is not None:
        return _by(question, by, directed=directed, memory=memory, json_=json_, time_limit=time_limit)
    if shards is not None and output is not None:
        return _shards(question, shards, output, directed=directed, memory=memory, json_=json_)
    from cavalcade.counting.classes import classes
    from cavalcade.counting.total import count

    with counting() as report, warnings.catch_warnings():
        warnings.simplefilter("always", RuntimeWarning)
        warnings.showwarning = lambda warning, *_: log(f"warning: {warning}")
        found = count(
            question,
            directed=directed,
            memory=memory,
            time_limit=time_limit,
            progress=report,
            checkpoint=checkpoint,
        )
        kept = classes(question, total=found.count, memory=memory) if symmetry else None
    if json_:
        more = {}
        if kept:
            fixed = [dataclasses.asdict(one) | {"fixed": one.fixed} for one in kept.fixed]
            more["symmetry"] = {"classes": kept.classes, "group_order": kept.order, "fixed": fixed}
        show_count(question, found, **more)
        return FOUND
    show(_classes(kept) if kept else f"{found.count}\n")
    what = f"{kept.conventions}, {found.count} in all" if kept else found.conventions
    log_count(question, what, found, f"{found.peak_states:,} states at the peak, ")
    return FOUND


def _shards(
    question: Question, shards: int, output: str, *, directed: bool, memory: int | None, json_: bool
) -> int:
    """Print the sum of the counts of all shards, once all are there."""
    from cavalcade.surveys.sharding import count_in_shards

    with progress("shards") as report:
        found = count_in_shards(question, output, shards, directed=directed, memory=memory, progress=report)
    if json_:
        show_count(question, found, shards=shards)
        return FOUND
    show(f"{found.count}\n")
    log_count(question, f"{found.conventions}; the sum of {shards:,} shards", found, "at most ")
    return FOUND


def _by(
    question: Question, by: str, *, directed: bool, memory: int | None, json_: bool, time_limit: float | None
) -> int:
    """Print a line for each k that occurs, a column for each kind of moves."""
    from cavalcade.counting.distribution import distribution

    with counting() as report:
        found = distribution(
            question, by, directed=directed, memory=memory, time_limit=time_limit, progress=report
        )
    if json_:
        show_count(question, found)
        return FOUND
    show(_moves(found))
    what = f"{found.conventions}, {found.count} in all, by {found.by} of their moves"
    log_count(question, what, found, f"{found.peak_states:,} states at the peak, ")
    return FOUND


def _has_n(board: str) -> bool:
    """Whether a side of this spec is n."""
    return "n" in board.strip().lower().rpartition(":")[2].split("x")


def _sequence(
    asked: QuestionOptions,
    upto: int,
    bfile: str | None,
    *,
    directed: bool,
    json_: bool,
    memory: int | None,
    time_limit: float | None,
) -> int:
    """Print `n a(n)` for n = 1, 2, ..., each as it is found, and their generating function."""
    from cavalcade.counting.sequence import sequence
    from cavalcade.formats.files import write_file

    found = sequence(
        asked.board,
        upto=upto,
        piece=asked.piece or "knight",
        open=asked.open_,
        directed=directed,
        memory=memory,
        time_limit=time_limit,
        found=None if json_ else lambda n, term: show(f"{n} {term}\n"),
    )
    if bfile is not None and found.terms:
        write_file(bfile, found.bfile)
    fraction = found.fraction
    if json_:
        answer = {
            "board": found.spec,
            "piece": found.piece.spec,
            "kind": "open" if asked.open_ else "closed",
            "offset": 1,
            "terms": found.terms,
            "conventions": found.conventions,
            "numerator": fraction and fraction.numerator,
            "denominator": fraction and fraction.denominator,
            "checked_terms": fraction and fraction.checked,
            "proved": fraction and fraction.proved,
            "states": found.states,
            "seconds": found.seconds,
        }
        show(json.dumps(answer) + "\n")
    if found.reason:
        raise TooLargeError(found.reason)
    if json_:
        return FOUND
    if fraction is None:
        few = "the few terms of so wide a board were counted one by one"
        log(f"no recurrence: {'finding it would take more than a few seconds' if found.states else few}")
    else:
        show("".join(f"# {line}\n" for line in fraction.describe(PRINTED)))
    states = f", {found.states:,} states between slabs" * bool(found.states)
    log(f"{found.spec}, {found.piece.spec}: {found.conventions}; {found.seconds:.2f} s{states}")
    return FOUND


def _moves(found: Distribution) -> str:
    """A row for each number of moves that occurs."""
    rows = [
        (str(k), *map(str, row)) for k, row in enumerate(zip(*found.tours.values(), strict=True)) if any(row)
    ]
    return _aligned([("moves", *found.tours), *rows], ">" * (1 + len(found.tours)))


def _classes(kept: Classes) -> str:
    """The number of classes, and a row for each symmetry that some tour has."""
    heads = ("symmetry", "number", "tours symmetric", "classes with no other")
    rows = [
        (one.name, str(one.symmetries), one.description, "?" if one.classes is None else str(one.classes))
        for i, one in enumerate(kept.fixed)
        if one.fixed or not i
    ]
    none = sum(one.symmetries for one in kept.fixed[1:] if not one.fixed)
    others = (
        "no tour has the other symmetry" if none == 1 else f"no tour has any of the {none} other symmetries"
    )
    return f"{kept.classes}\n{_aligned([heads, *rows], '<><>')}" + f"{others}\n" * bool(none)


def _aligned(rows: list[tuple[str, ...]], sides: str) -> str:
    """A table whose columns are aligned, each to its side."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, wide, strict=True))
        for row in rows
    )
    return "".join(f"{line}\n" for line in lines)
