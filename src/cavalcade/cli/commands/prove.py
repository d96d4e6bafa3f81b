"""`cavalcade prove`: show that there is no tour."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import cavalcade
from cavalcade.cli import ExitCode
from cavalcade.cli.command import option, verb
from cavalcade.cli.graph_lines import GraphLines
from cavalcade.cli.options import Engine, Json, NewFile, Pick, QuestionOptions, SearchOptions, Verbose
from cavalcade.cli.status import filled
from cavalcade.cli.writing import EXIT_CODES, fail, log, log_effort, show, show_json
from cavalcade.formats.table import STILL
from cavalcade.ground.errors import FormatError

ENDINGS = (".proof", ".json", *(f".{kind}" for kind in STILL), ".cnf", ".opb")


@verb(time_limit="60")
def command(
    options: QuestionOptions,
    *,
    search: SearchOptions,
    engine: Engine | None = None,
    json_: Json = False,
    output: Annotated[NewFile | None, option("-o", "--output")] = None,
    verbose: Verbose = False,
    pick: Pick | None = None,
) -> int:
    """Prove that BOARD has no closed tour, or no open one with --open.

    Prints the reason in words, and a theorem that agrees with it, if one is known. If there is a tour, the
    tour is printed. Exit codes: 1 no tour exists, 0 a tour was found, 2 bad input, 3 undecided.

    A file with one graph per line is answered line by line, as `tour` does, with the reason in words.

    Options:
        output: Write the certificate (.proof, .json) or a picture of it (.svg, .png, .pdf, .tikz) to FILE;
            .cnf writes a formula, and next to it a solver's proof, .drat and .lrat, for public checkers; .opb
            inequalities, and next to them a .pbp proof for VeriPB.
    """
    from cavalcade.formats.json import verdict_json

    keywords = vars(search) | {"engine": engine}
    code = GraphLines(options, cavalcade.prove, pick, json_, keywords, sentences=True).answer()
    if code is not None:
        return code
    ending = Path(output or "a.proof").suffix.lower()
    if ending not in ENDINGS:
        raise FormatError(f"{output!r} does not name a certificate, expected {', '.join(ENDINGS)}")
    question = options.question()
    verdict = cavalcade.prove(question, **keywords)
    code = EXIT_CODES[verdict.status]
    unwritten = ""
    if verdict.status == "impossible" and verdict.certificate is not None and output is not None:
        if ending == ".cnf":
            unwritten, code = _save_formula(verdict.certificate, output, **vars(search))
        else:
            cavalcade.save(verdict.certificate, output)
    if json_:
        show_json(verdict_json(verdict, question) | {"theorems": _theorems(question)})
    elif verdict.status == "found":
        show(cavalcade.write(verdict.tour))
        log("there is a tour" + (f": {output} was not written" if output else ""))
    elif verdict.status == "impossible":
        paragraphs = [verdict.reason]
        for law in _theorems(question):
            named = f"{law['name']} ({law['status']})"
            citation = law["citation"][:1].upper() + law["citation"][1:]
            paragraphs.append(f"This agrees with {named}: {law['statement']} {citation}.")
        show("".join(filled(paragraph, sys.stdout) for paragraph in paragraphs))
    else:
        fail(verdict.status, verdict.reason)
    if verbose:
        log_effort(verdict.effort)
    if unwritten:
        log(f"{output} was not written: {unwritten}")
    return code


def _save_formula(certificate: cavalcade.Certificate, output: str, **search: Any) -> tuple[str, int]:
    """Save the formula with a solver's proof, or else inequalities.

    Returns:
        Why the formula was not saved, "" if it was, and the exit code.
    """
    from cavalcade.formats.cnf import UnprovedError

    try:
        cavalcade.save(certificate, output, **search)
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


def _theorems(question: cavalcade.Question) -> list[dict[str, str]]:
    """List the first theorem, if any, that states that there is no tour."""
    keys = ("name", "because", "statement", "citation", "status")
    theorems = [theorem for theorem in cavalcade.citations(question) if not theorem.exists]
    return [{key: getattr(theorem, key) for key in keys} for theorem in theorems[:1]]
