"""`cavalcade prove`: show that there is no tour."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cavalcade.cli import FOUND, IMPOSSIBLE, UNDECIDED
from cavalcade.cli.common import (
    called,
    engine_option,
    is_file,
    log,
    problem_options,
    read_problem,
    rendered,
    seed_option,
    show,
    time_limit_option,
    writable,
)
from cavalcade.cli.graph_lines import answer_each, graphs_of, pick_option
from cavalcade.draw.writers import STILL
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from cavalcade.boards import Board
    from cavalcade.question.constraints import Constraints
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.pieces import Piece

ENDINGS = (".proof", ".json", *(f".{kind}" for kind in STILL), ".cnf")


@click.command()
@problem_options
@seed_option
@time_limit_option(60)
@engine_option
@click.option("--json", "json_", is_flag=True, help="Print one JSON object that includes the proof.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the certificate (.proof, .json) or a picture of it (.svg, .png, .pdf, .tikz) to this file; "
    ".cnf writes a formula, and next to it a .drat proof, for public checkers.",
)
@click.option("--verbose", is_flag=True, help="Log to standard error what was tried, and how long it took.")
@pick_option
def command(
    board: str,
    piece: str | None,
    *,
    open_: bool,
    start: str | None,
    end: str | None,
    without: str | None,
    constraints: Constraints,
    seed: int,
    time_limit: float | None,
    engine: str | None,
    json_: bool,
    output: str | None,
    verbose: bool,
    pick: str | None,
) -> int:
    """Prove that BOARD has no closed tour, or no open one with --open.

    Prints why, in words, and the theorem that confirms it, if there is one. Exit code 1 if there is no tour,
    0 if there is one after all (it is printed), 2 for bad input, 3 if undecided.

    A file with a graph on every line is answered line by line, as by `tour`, with the reason in words.
    """
    if is_file(board) and (lines := graphs_of(board)) is not None:
        from cavalcade.ask.portfolio import prove as ask

        options = {"seed": seed, "time_limit": time_limit, "engine": engine}
        with lines:
            return answer_each(
                lines, called(board), ask, options, pick=pick, json_=json_, sentences=True, open=open_,
                start=start, end=end, **constraints,
            )  # fmt: skip
    if pick is not None:
        raise click.UsageError(f"--pick {pick} needs a file with a graph on every line.")
    ending = Path(output or "a.proof").suffix.lower()
    if ending not in ENDINGS:
        raise FormatError(f"{output!r} does not name a certificate, expected {', '.join(ENDINGS)}")
    writable(output)
    from cavalcade.answers.verdict import Found, Impossible
    from cavalcade.ask.portfolio import prove
    from cavalcade.formats import save, verdict_json
    from cavalcade.formats.cnf import UnprovedError

    question = read_problem(board, piece, without, start, end, constraints, open_=open_)
    place, mover = question.board, question.piece
    verdict = prove(question, seed=seed, time_limit=time_limit, engine=engine)
    unwritten = ""
    if isinstance(verdict, Impossible) and verdict.certificate is not None and output is not None:
        solver: dict[str, Any] = {"seed": seed, "time_limit": time_limit} if ending == ".cnf" else {}
        try:
            save(verdict.certificate, output, **solver)
        except UnprovedError as error:
            unwritten = str(error)
    if json_:
        found = json.loads(verdict_json(verdict, place, mover, "open" if open_ else "closed"))
        show(json.dumps(found | {"theorems": _theorems(place, mover, closed=not open_)}) + "\n")
    elif isinstance(verdict, Found):
        show(rendered(verdict.tour, "text"))
        log("there is a tour after all" + (f": {output} was not written" if output else ""))
    elif isinstance(verdict, Impossible):
        paragraphs = [verdict.reason]
        for law in _theorems(place, mover, closed=not open_):
            rest = "" if law["status"] == "literature" else f" ({law['status']})"
            paragraphs.append(f"So says {law['name']}, too{rest}: {law['statement']} {law['citation']}.")
        show("\n".join(textwrap.fill(one, 100, break_on_hyphens=False) for one in paragraphs) + "\n")
    else:
        log(f"undecided: {verdict.reason}")
    if verbose:
        for one in verdict.effort:
            log(f"{one.engine}, {one.seconds:.3f} s: {one.outcome}")
    if unwritten:
        log(f"{output} was not written: {unwritten}")
        return UNDECIDED
    return {"found": FOUND, "impossible": IMPOSSIBLE, "undecided": UNDECIDED}[verdict.status]


def _theorems(board: Board | MoveGraph, piece: Piece, *, closed: bool) -> list[dict[str, str]]:
    """The theorems that say that there is no tour."""
    from cavalcade.theorems.literature import theorems

    keys = ("name", "because", "statement", "citation", "status")
    known = [one for one in theorems(board, piece, closed) if not one.exists]
    return [{key: getattr(one, key) for key in keys} for one in known[:1]]
