"""`cavalcade prove`: show that there is no tour."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import cavalcade
from cavalcade.cli import ExitCode
from cavalcade.cli.command import MEMORY_REASON, option, verb
from cavalcade.cli.graph_lines import GraphLines
from cavalcade.cli.options import Engine, Pick, QuestionOptions, SearchOptions, Verbose
from cavalcade.cli.status import filled
from cavalcade.cli.writing import (
    EXIT_CODES,
    Written,
    fail,
    has_template,
    log,
    log_effort,
    report_file,
    show,
    show_json,
)
from cavalcade.formats.table import names_of
from cavalcade.ground.errors import FormatError, TooLargeError


@dataclass(frozen=True)
class ProofOptions(Written):
    """The options that set the format and the file of a proof.

    Options:
        format_: The reason in words (text), the certificate (json), the graph and the proof for the proved
            checker (plain), or a picture (default: the ending of FILE sets it; with -o - json, without -o
            text).
        output: Write the certificate (.proof, .json), a picture of it (.svg, .png, .pdf, .tex) or the reason
            in words (.txt) to FILE; - is standard output. .cnf writes a formula, and next to it a solver's
            proof, .drat and .lrat, for public checkers; .opb inequalities, and next to them a .pbp proof for
            VeriPB.
    """

    format_: Annotated[str | None, option(choices=("text", *names_of("Certificate")))] = None
    kinds = ("Certificate",)
    extra_formats = ("text",)
    piped = "json"
    json_beside = True


@verb(time_limit="60")
def command(
    options: QuestionOptions,
    *,
    search: SearchOptions,
    engine: Engine | None = None,
    written: ProofOptions,
    verbose: Verbose = False,
    pick: Pick | None = None,
) -> int:
    """Prove that BOARD has no closed tour, or no open one with --open.

    Prints the reason in words, and a theorem that agrees with it, if one is known. If there is a tour, the
    tour is printed. Exit codes: 1 no tour exists, 0 a tour was found, 2 bad input, 3 undecided.

    A file with one graph per line is answered line by line, as `tour` does, with the reason in words.
    """
    from cavalcade.formats.json import verdict_json

    keywords = vars(search) | {"engine": engine}
    code = GraphLines(options, cavalcade.prove, pick, written.json_, keywords, sentences=True).answer()
    if code is not None:
        return code
    question = options.question()
    verdict = cavalcade.prove(question, **keywords)
    if (
        verdict.status == "undecided"
        and MEMORY_REASON.search(verdict.reason)
        and has_template(question, engine)
    ):
        name = question.board.spec
        raise TooLargeError(f"{name} does not fit in memory: try cavalcade tour {name} -o tour.npy")
    code = EXIT_CODES[verdict.status]
    unwritten, output, in_words = "", written.output, written.format == "text"
    piped = not (in_words or output or written.json_)  # standard output has the certificate, and no words
    if verdict.status == "impossible" and not in_words and (output or piped):
        if verdict.certificate is None:
            unwritten = "this answer has no certificate"
        elif written.format == "cnf" and output is not None:
            unwritten, code = _save_formula(verdict.certificate, output, **vars(search))
        else:
            written.show(verdict.certificate)
    if verdict.status == "impossible" and ((output and in_words) or not written.json_):
        paragraphs = [verdict.reason, *_agreeing(question)]
        if piped:
            log("\n".join(paragraphs))
        else:
            words = "".join(filled(paragraph, sys.stdout) for paragraph in paragraphs)
            show(words, output if in_words else None)
        if output and in_words and verdict.certificate is not None:
            certificate = Path(output).with_suffix(".json")
            log(f"{output} has the reason in words; -o {certificate} writes the certificate for check")
    if written.json_:
        show_json(verdict_json(verdict, question) | {"theorems": _theorems(question)})
    elif verdict.status == "found":
        if not piped:
            show(cavalcade.write(verdict.tour))
        log("there is a tour" + f": {output or 'a proof'} was not written" * bool(output or piped))
    elif verdict.status == "undecided":
        fail(verdict.status, verdict.reason)
    if verbose:
        log_effort(verdict.effort)
    if unwritten:
        log(f"{output or 'a proof'} was not written: {unwritten}")
    return code


def _save_formula(certificate: cavalcade.Certificate, output: str, **search: Any) -> tuple[str, int]:
    """Save the formula with a solver's proof, or else inequalities.

    Returns:
        Why the formula was not saved, "" if it was, and the exit code.
    """
    from cavalcade.formats.cnf import UnprovedError

    try:
        cavalcade.save(certificate, output, **search)
        report_file(output, certificate)
    except UnprovedError as error:
        inequalities = Path(output).with_suffix(".opb")
        try:
            cavalcade.save(certificate, inequalities)
        except FormatError:
            return str(error), ExitCode.UNDECIDED
        return (
            f"{error}; {inequalities} and {inequalities.with_suffix('.pbp').name} have one for VeriPB",
            ExitCode.IMPOSSIBLE,
        )
    return "", ExitCode.IMPOSSIBLE


def _agreeing(question: cavalcade.Question) -> Iterator[str]:
    """Say which theorem states that there is no tour."""
    for law in _theorems(question):
        citation = law["citation"][:1].upper() + law["citation"][1:]
        yield f"This agrees with {law['name']} ({law['status']}): {law['statement']} {citation}."


def _theorems(question: cavalcade.Question) -> list[dict[str, str]]:
    """List the first theorem, if any, that states that there is no tour."""
    keys = ("name", "because", "statement", "citation", "status")
    theorems = [theorem for theorem in cavalcade.citations(question) if not theorem.exists]
    return [{key: getattr(theorem, key) for key in keys} for theorem in theorems[:1]]
