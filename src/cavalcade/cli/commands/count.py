"""`cavalcade count`: how many tours there are."""

from __future__ import annotations

import csv
import dataclasses
import io
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import cavalcade
from cavalcade.answers.counts import OF_MOVES, By
from cavalcade.answers.status import AnswerStatus
from cavalcade.cli import ExitCode, graph_lines
from cavalcade.cli.command import option, refuse, refuse_all_but, verb
from cavalcade.cli.options import (
    ALL,
    OF_FAMILIES,
    File,
    Json,
    NewFile,
    OptionalCells,
    Output,
    Positive,
    QuestionOptions,
    free_cells,
)
from cavalcade.cli.status import AFTER
from cavalcade.cli.writing import (
    EXIT_CODES,
    aligned,
    checked,
    counting,
    log,
    open_instead,
    progress,
    report_file,
    show,
    show_json,
)
from cavalcade.formats.table import chosen
from cavalcade.ground.errors import CavalcadeError, FormatError, TooLargeError
from cavalcade.ground.storage import write_file


@verb(memory="half of the machine's")
def command(
    options: QuestionOptions,
    *,
    by: Annotated[
        By | None,
        option(excludes=["--checkpoint"]),
    ] = None,
    optional: Annotated[
        OptionalCells | None,
        option(excludes=["--by", "--checkpoint", "--receipt", "--shards", "--symmetry", "--twice"]),
    ] = None,
    checkpoint: File | None = None,
    receipt: Annotated[NewFile | None, option(excludes=["--checkpoint", "--by", "--shards"])] = None,
    twice: Annotated[bool, option(excludes=["--shards"])] = False,
    upto: Positive = 20,
    only: Annotated[Positive | None, option(excludes=["--upto", "--bfile"])] = None,
    modulo: Annotated[Positive | None, option(needs=["--only"])] = None,
    bfile: NewFile | None = None,
    shards: Annotated[Positive | None, option(needs=["--output"], excludes=["--checkpoint", "--by"])] = None,
    output: Annotated[Output | None, option(metavar="FILE|DIR")] = None,
    workers: Annotated[Positive | None, option(needs=["--shards"], excludes=["--scheduler"])] = None,
    scheduler: Annotated[str | None, option(metavar="ADDRESS", needs=["--shards"])] = None,
    insecure_scheduler: Annotated[bool, option(needs=["--scheduler"])] = False,
    json_: Json = False,
    memory: int | None = None,
    time_limit: float | None = None,
) -> int:
    """Count the tours of BOARD exactly: closed tours, or open ones with --open.

    Mirror images and rotations count as different tours, a tour and its reverse as one, unless --directed.
    --symmetry without a name counts tours up to symmetry, and the tours symmetric under each symmetry. Exit
    codes: 0 counted, 2 bad input, 3 undecided, for example if the board is too wide.

    Tables larger than --memory are written to temporary files, in the directory of --checkpoint or in TMPDIR.
    Then a warning gives the forecast of time, memory and disk.

    A side may be n, as in 3xn, nxn, hex:n or cylinder:nx5: then the counts for n = 1, 2, 3, ... are printed,
    and their generating function if it is found. In the names of cells, {n} and {n-1} are the last and the
    last but one column, row or level: --from a1 --to {n}1. -o DIR writes a contribution to the OEIS: the
    terms in b000000.txt, and in entry.txt the name, formula, programs and references, and by which methods
    each term was found. Half of the time limit (default: 60) is then for counting small boards again.

    Options:
        by: For each slope of moves, each class of moves under the board's symmetries, or each number of
            files that a move crosses: how many tours use exactly k such moves, for every k; or how many
            have k turns, k angles of each size, or k crossings.
        optional: Count walks that may leave out these cells, such as c3,d4, or `all`, by their number of
            moves. Walks from one cell to another are the simple paths of the move graph.
        checkpoint: Save the work to FILE every few seconds; resume from FILE.
        receipt: Write the intermediate result of every step to FILE; `cavalcade check FILE` counts again by
            an independent program.
        twice: Count again by another method, with the cells in another order, and compare the counts.
        upto: If a side of BOARD is n, as in 3xn: count for n = 1 to N.
        only: If a side of BOARD is n: count for n = N alone, from the recurrence.
        modulo: Print the count modulo M.
        bfile: Write the counts to FILE, as a b-file of the OEIS.
        shards: Count in N parts, each with less memory; -o DIR keeps their counts.
        output: Write the count to FILE (.txt, .json, or .csv for a table). If a side of BOARD is n: FILE.txt
            is a b-file; a name without an ending is a directory for a b-file and the draft of an entry of
            the OEIS. With --shards: the directory for the counts of the shards; an interrupted count resumes
            from it.
        workers: Count N shards at a time, in N processes.
        scheduler: Count on the workers of the Dask scheduler at ADDRESS, as tls://HOST:8786; local:4 is
            --workers 4.
        insecure_scheduler: Accept a scheduler without TLS: whoever reaches it can run code as you.
    """
    from cavalcade.boards.notation import grows

    directed = bool(options.reading.directed)
    limits: dict[str, Any] = {"directed": directed, "memory": memory, "time_limit": time_limit}
    sys.set_int_max_str_digits(0)  # Python prints 4,300 digits by default
    format_ = "json" if json_ else "text"
    if shards is None:
        format_ = chosen(None, output, ("text", "json", "csv"), json=json_)
    if grows(options.board):  # a side is n
        own = ["upto", "only", "modulo", "bfile", "json_"]
        draft = output if output and not Path(output).suffix and not Path(output).is_file() else None
        if draft is not None:  # a directory
            own = ["upto", "json_", "output"]
        elif format_ == "text" and (bfile, only) == (None, None):  # -o FILE.txt is a b-file
            own, bfile = [*own, "output"], output
        refuse_all_but(*own, *OF_FAMILIES, why="cannot be combined with a board that has a side n")
        seconds = time_limit or 60
        if draft is not None:
            limits["time_limit"] = seconds / 2
        terms = partial(cavalcade.sequence, options.family, **options.keywords(), **limits)
        kind = "open" if options.words.open else "closed"
        if only is not None:
            return _one_term(terms(upto=1), kind, only, modulo, json_=json_)
        if draft is not None:
            return _draft(terms, upto, draft, seconds / 4, json_=json_)
        return _sequence(terms, kind, upto, bfile, json_=json_)
    if (code := graph_lines.counted(options, json_=json_, **limits)) is not None:
        return code
    refuse("upto", "only", "modulo", "bfile", why="works only with a board that has a side n, such as 3xn")
    if symmetry := options.constrained.words.symmetry == ALL:
        why = "cannot be combined with --symmetry without a name"
        refuse("directed", "start", "end", "by", "shards", why=why)
    question = options.question(counted=True, complete=optional is None)
    answer: cavalcade.Count
    extra: dict[str, Any] = {}
    advice = "" if question.listed else "--twice counts again"
    if shards is not None and output is not None:
        with progress("shards") as report:
            answer = cavalcade.count_in_shards(
                question, output, shards, workers=workers, scheduler=scheduler,
                insecure_scheduler=insecure_scheduler, progress=report, **limits,
            )  # fmt: skip
        extra["shards"] = shards
        text, what = f"{answer.count}\n", f"{answer.conventions}; the sum of {shards:,} shards"
        advice = f"`cavalcade check {output}` counts again"
    elif optional is not None:
        with counting() as draw:
            if limits.pop("directed") and not question.one_way:
                raise CavalcadeError(
                    "--directed with --optional is for graphs with edges that go one way: drop it"
                )
            answer = cavalcade.count_walks(question, free_cells(optional), progress=draw, **limits)
        heads, rows = answer.table
        text, what = (
            _rows(format_, heads, rows, ">" * len(heads)),
            f"{answer.conventions}, {answer.count} in all",
        )
        advice = ""
    elif by is not None:
        with counting() as draw:
            answer = cavalcade.distribution(question, by, progress=draw, twice=twice, **limits)
        heads, rows = answer.table
        text = _rows(format_, heads, rows, ">" * len(heads))
        of_moves = " of their moves" * (by in OF_MOVES)
        what = f"{answer.conventions}, {answer.count} in all, by {answer.by}{of_moves}"
    else:
        with counting() as draw, warnings.catch_warnings():
            warnings.simplefilter("always", RuntimeWarning)
            warnings.showwarning = lambda warning, *_: log(f"warning: {warning}")
            answer = cavalcade.count(
                question, progress=draw, checkpoint=checkpoint, receipt=receipt, twice=twice, **limits
            )
            kept = None
            if symmetry:
                kept = cavalcade.classes(question, total=answer, memory=memory, progress=draw)
        text, what = f"{answer.count}\n", answer.conventions
        if format_ == "csv":
            row = (question.board.spec, question.piece.spec, question.kind, answer.count)
            text = _rows(format_, ("board", "piece", "kind", "count"), [row])
        if kept is not None:
            fixed = [dataclasses.asdict(symmetric) | {"fixed": symmetric.fixed} for symmetric in kept.fixed]
            extra["symmetry"] = {"classes": kept.classes, "group_order": kept.order, "fixed": fixed}
            text, what = _classes(kept, format_), f"{kept.conventions}, {answer.count} in all"
            answer = dataclasses.replace(answer, verification=kept.verification)
        if receipt is not None:
            report_file(receipt)
            advice = f"`cavalcade check {receipt}` counts again"
    if by is not None or not twice:
        what += f"; {checked(answer.verification, advice)}"
    board, mover = question.board, question.piece.spec
    file = output if shards is None else None
    if format_ == "json":
        about = {"board": board.spec, "piece": mover, "kind": question.kind}
        show_json(about | dataclasses.asdict(answer) | extra, file)
    else:
        show(text, file)
    if json_:
        return ExitCode.FOUND
    states = "at most " if shards else f"{answer.peak_states:,} states at the peak, "
    spent = f"{answer.seconds:.2f} s, {states}{answer.peak_bytes / 2**20:,.0f} MiB"
    place = board.title if board.plain else f"{board.title}, {mover}"
    log(f"{place}: {what}; {spent}; cavalcade {cavalcade.__version__}")
    if not answer.count and (other := open_instead()):
        log(other)
    return ExitCode.FOUND


def _sequence(
    terms: Callable[..., cavalcade.Sequence], kind: str, upto: int, bfile: str | None, *, json_: bool
) -> int:
    """Print `n a(n)` for n = 1, 2, ... as soon as its count is known, and then the generating function."""
    lines: list[str] = []
    written = time.monotonic()

    def print_term(n: int, term: int) -> None:
        nonlocal written
        lines.append(f"{n} {term}\n")
        if not json_:
            show(lines[-1])
        if bfile is not None and time.monotonic() > written + AFTER:
            write_file(bfile, "".join(lines))
            written = time.monotonic()

    sequence = terms(upto=upto, found=print_term)
    if bfile is not None and sequence.terms:
        show(sequence.bfile, bfile)
    fraction = sequence.fraction
    if json_:
        answer = {"offset": 1, "terms": sequence.terms, "conventions": sequence.conventions}
        for key in ("numerator", "denominator", "checked", "proved"):
            answer["checked_terms" if key == "checked" else key] = getattr(fraction, key, None)
        answer |= {"states": sequence.states, "seconds": sequence.seconds}
        answer |= {"counted_twice": sequence.counted_twice, "reason": sequence.reason or None}
        status = AnswerStatus.UNDECIDED if sequence.reason else AnswerStatus.COMPLETE
        about = {"board": sequence.spec, "piece": sequence.piece.spec, "kind": kind}
        show_json(about | answer, status=status)
        if sequence.reason:
            log(f"undecided: {sequence.reason}")
        return EXIT_CODES[status]
    if sequence.reason:
        raise TooLargeError(sequence.reason)
    if fraction is None:
        few = "each board was counted by itself"
        log(f"no recurrence: {'finding it would take more than a few seconds' if sequence.states else few}")
    else:
        show("".join(f"# {line}\n" for line in fraction.describe()))
    states = f", {sequence.states:,} states between slabs" * bool(sequence.states)
    how = _counted_twice(sequence.counted_twice, len(sequence.terms))
    what = f"{sequence.spec}, {sequence.piece.spec}: {sequence.conventions}; {how}"
    log(f"{what}; {sequence.seconds:.2f} s{states}")
    return ExitCode.FOUND


def _draft(
    terms: Callable[..., cavalcade.Sequence], upto: int, directory: str, seconds: float, *, json_: bool
) -> int:
    """Write a b-file and the draft of an OEIS entry to a directory; count small boards again."""
    from cavalcade.counting.verifying import verified
    from cavalcade.formats.oeis import entry

    with progress("counting"):
        sequence = terms(upto=upto)
    if not sequence.terms:
        raise TooLargeError(sequence.reason)
    with progress("counting again, by other methods"):
        methods, twice = verified(sequence, seconds)
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot write {directory}: {error.strerror}") from None
    show(sequence.bfile, str(folder / "b000000.txt"))
    show(entry(sequence, methods), str(folder / "entry.txt"))
    status = AnswerStatus.UNDECIDED if sequence.reason else AnswerStatus.COMPLETE
    if json_:
        answer = {"board": sequence.spec, "terms": sequence.terms, "methods": methods}
        show_json(answer | {"counted_twice": twice, "reason": sequence.reason or None}, status=status)
    number = len(sequence.terms)
    how = _counted_twice(twice, number)
    log(f"{number} terms of {sequence.spec} and the draft of an entry are in {directory}; {how}")
    for method, last in methods.items():
        log(f"a(1) to a({last}): {method}")
    if sequence.reason:
        log(f"undecided after n = {number}: {sequence.reason}")
    return EXIT_CODES[status]


def _counted_twice(twice: int, last: int) -> str:
    """Say up to which term a sequence was counted twice."""
    if not twice:
        return "unchecked"
    return f"a(1) to a({twice}) counted twice" + ", the others unchecked" * (twice < last)


def _one_term(sequence: cavalcade.Sequence, kind: str, n: int, modulo: int | None, *, json_: bool) -> int:
    """Print a(n), or a(n) modulo a number."""
    spec, piece, conventions = sequence.spec, sequence.piece.spec, sequence.conventions
    if sequence.fraction is None or not sequence.fraction.proved:
        raise TooLargeError(sequence.reason or f"no recurrence of {spec} is proved, try --upto {n}")
    term = sequence.fraction.term(n, modulo)
    if json_:
        answer = {"n": n, "modulo": modulo, "term": term, "conventions": conventions}
        show_json({"board": spec, "piece": piece, "kind": kind} | answer)
    else:
        show(f"{term}\n")
        remainder = f", modulo {modulo:,}" if modulo else ""
        log(f"{spec}, n = {n:,}, {piece}: {conventions}{remainder}")
    return ExitCode.FOUND


def _rows(format_: str, heads: Iterable[str], rows: Iterable[Iterable[object]], sides: str = "") -> str:
    """Format a table as CSV, or as text with columns aligned to these sides."""
    if format_ != "csv":
        return aligned([list(row) for row in (heads, *rows)], sides)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([heads, *rows])
    return out.getvalue()


def _classes(kept: cavalcade.Classes, format_: str) -> str:
    """Format the number of classes, and a row for each symmetry that a tour has."""
    heads, rows = kept.table
    if format_ == "csv":
        return _rows(format_, heads, rows)
    none = sum(symmetric.symmetries for symmetric in kept.fixed[1:] if not symmetric.fixed)
    absent = "the other symmetry" if none == 1 else f"any of the {none} other symmetries"
    return f"{kept.classes}\n{aligned([heads, *rows], '<><>')}" + f"no tour has {absent}\n" * bool(none)
