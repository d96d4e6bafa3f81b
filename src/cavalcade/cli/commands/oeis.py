"""`cavalcade oeis`: the files of a contribution to the encyclopedia of sequences."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import click

import cavalcade
from cavalcade.answers.status import AnswerStatus
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, refuse_all_but, verb
from cavalcade.cli.options import OF_FAMILIES, Directory, Json, Positive, QuestionOptions
from cavalcade.cli.writing import log, progress, show, show_json
from cavalcade.ground.errors import FormatError, TooLargeError


@verb(time_limit="60", memory="half of the machine's")
def command(
    options: QuestionOptions,
    *,
    upto: Positive = 40,
    json_: Json = False,
    output: Annotated[Directory | None, option("-o", "--output")] = None,
    memory: int | None = None,
    time_limit: float | None = None,
) -> int:
    """Write a b-file and the draft of an OEIS entry for the tours of BOARD, which has a side n.

    BOARD, and the names of cells in it, are as for `count`: 3xn, nxn, cylinder:nx5, hex:n and so on.
    b000000.txt has the terms, entry.txt the draft: name, formula, programs, references, and by which methods
    each term was found. In half of the time limit small boards are counted again by other methods. Exit
    codes: 0 written, 2 bad input, 3 a limit was reached, and the terms found before are written.

    Options:
        upto: The last n.
        output: Directory for the two files; required.
    """
    from cavalcade.counting.verifying import verified
    from cavalcade.formats.oeis import entry

    refuse_all_but("output", "upto", "json_", *OF_FAMILIES, why="is not for boards with a side n")
    if re.fullmatch(r"A\d{6}", options.board, re.IGNORECASE):
        raise click.UsageError(
            f"{options.board} is a sequence; BOARD is what it counts, "
            "such as nxn for A001230 or 3xn for A070030"
        )
    if output is None:
        raise click.UsageError(
            f"two files are written to a directory: try -o {options.family.replace(':', '-')}"
        )
    if Path(output).suffix and not Path(output).is_dir():
        raise FormatError(
            f"-o {output} is the name of a file, and two files are written: try the directory "
            f"-o {Path(output).with_suffix('')}, or cavalcade count {options.family} --bfile {output}"
        )
    seconds = time_limit or 60
    with progress("counting"):
        sequence = cavalcade.sequence(
            options.family, upto, directed=bool(options.reading.directed), memory=memory,
            time_limit=seconds / 2, **options.keywords(),
        )  # fmt: skip
    if not sequence.terms:
        raise TooLargeError(sequence.reason)
    with progress("counting again, by other methods"):
        methods, twice = verified(sequence, seconds / 4)
    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot write {output}: {error.strerror}") from None
    show(sequence.bfile, str(folder / "b000000.txt"))
    show(entry(sequence, methods), str(folder / "entry.txt"))
    if json_:
        answer = {"board": sequence.spec, "terms": sequence.terms, "methods": methods}
        status = AnswerStatus.UNDECIDED if sequence.reason else AnswerStatus.COMPLETE
        show_json(answer | {"counted_twice": twice, "reason": sequence.reason or None}, status=status)
    number = len(sequence.terms)
    how = f"a(1) to a({twice}) counted twice" + ", the others unchecked" * (twice < number)
    how = how if twice else "unchecked"
    log(f"{number} terms of {sequence.spec} and the draft of an entry are in {output}; {how}")
    for method, last in methods.items():
        log(f"a(1) to a({last}): {method}")
    if sequence.reason:
        log(f"undecided after n = {len(sequence.terms)}: {sequence.reason}")
        return ExitCode.UNDECIDED
    return ExitCode.FOUND
