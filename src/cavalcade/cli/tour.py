"""`cavalcade tour`: find a tour."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cavalcade.cli import FOUND, IMPOSSIBLE, UNDECIDED
from cavalcade.cli.common import (
    TOUR_FORMATS,
    beside_option,
    called,
    engine_option,
    format_for,
    is_file,
    log,
    output_option,
    problem_options,
    read_board,
    read_piece,
    rendered,
    seed_option,
    show,
    time_limit_option,
    typed_besides,
    writable,
)
from cavalcade.cli.graph_lines import answer_each, graphs_of, pick_option

if TYPE_CHECKING:
    from cavalcade.answers.verdict import Fewest, Verdict
    from cavalcade.boards import Board
    from cavalcade.question.constraints import Constraints
    from cavalcade.question.graph import MoveGraph
    from cavalcade.question.pieces import Piece

EXIT_CODES = {"found": FOUND, "impossible": IMPOSSIBLE, "undecided": UNDECIDED}


@click.command()
@partial(problem_options, board=False)
@seed_option
@time_limit_option("10, with --fewest 60")
@click.option(
    "--format", "format_", type=click.Choice(TOUR_FORMATS), help="Format of the tour (default: text)."
)
@click.option("--json", "json_", is_flag=True, help="As --format json: one object, whatever the answer.")
@beside_option
@output_option
@engine_option
@click.option(
    "--construct",
    is_flag=True,
    help="Build from templates, for knights on boxes and hexagons of any size.",
)
@click.option(
    "--style",
    type=click.Choice(("plain", "random")),
    help="Blocks of the template: alike where possible, or chosen at random. Implies --construct.",
)
@click.option(
    "--fewest",
    type=click.Choice(("turns", "crossings")),
    help="A tour with as few as are found in time, and how few there can be as far as proved.",
)
@click.option("--proof", metavar="FILE", help="With --fewest: write the proof that there are no fewer.")
@click.option(
    "--as",
    "holding",
    type=click.Choice(("steps", "moves")),
    help="What a .npy file holds: the step on which each cell is visited, or one byte for the move from it.",
)
@click.option(
    "--continue",
    "walk",
    metavar="FILE",
    help="Go on from the walk in FILE, and keep as many of its steps as can be; then BOARD is only needed if "
    "the file does not name it.",
)
@click.option("--keep", type=click.IntRange(min=1), metavar="N", help="Keep N steps of the walk at least.")
@click.option("--when", multiple=True, metavar="CELL", help="Print the step that visits this cell.")
@click.option(
    "--summary",
    is_flag=True,
    help="Print the Problem Summary and the Solution Summary of PROC OPTGRAPH instead of the tour.",
)
@click.option("--verbose", is_flag=True, help="Log to standard error what was tried, and how long it took.")
@pick_option
def command(
    board: str | None,
    piece: str | None,
    *,
    open_: bool,
    start: str | None,
    end: str | None,
    without: str | None,
    constraints: Constraints,
    seed: int,
    time_limit: float | None,
    format_: str | None,
    json_: bool,
    beside: bool,
    output: str | None,
    verbose: bool,
    engine: str | None,
    construct: bool,
    style: str | None,
    fewest: str | None,
    proof: str | None,
    holding: str | None,
    when: tuple[str, ...],
    walk: str | None,
    keep: int | None,
    summary: bool,
    pick: str | None,
) -> int:
    """Find a tour of BOARD: a closed one, or an open one with --open.

    The tour is checked before it is shown. Exit code 0 if one is found, 1 if there is none, 2 for bad
    input, 3 if undecided.

    -o FILE.npy writes a NumPy array, for tours of any size. --at STEP, without a cell, and --when CELL print
    a line with a step and its cell; they can be repeated. For these a tour from templates is not built as a
    whole.

    --fewest says on standard error how few turns or crossings the tour has, and how few there can be.

    A file of graph6, sparse6 or digraph6, or standard input as nauty's geng writes it, has a graph on every
    line: each is answered at once, on a line with the graph, found, impossible or undecided, and the tour or
    the kind of reason. Exit code 3 if one is undecided, else 0 if one has a tour, else 1.
    """
    if summary:
        return _summary(board, piece, without, seed, time_limit, output)
    at = _printed(constraints)
    if json_ and format_ not in {None, "json"}:
        raise click.UsageError(f"--json and --format {format_} contradict each other.")
    if walk is not None:
        if start or end or without or at or when or engine or construct or style or holding or fewest:
            raise click.UsageError(
                "--continue goes with --open, --keep, constraints, --seed, --time-limit and formats only."
            )
        from cavalcade.cli.continuing import go_on

        verdict = go_on(
            walk, board, piece, constraints, open_=open_, keep=keep, seed=seed, time_limit=time_limit,
            format_="json" if json_ else format_, output=output, beside=beside,
        )  # fmt: skip
        return EXIT_CODES[verdict.status]
    if board is not None and is_file(board) and (lines := graphs_of(board)) is not None:
        from cavalcade.ask.portfolio import tour as ask

        options = {"seed": seed, "time_limit": time_limit, "engine": engine}
        with lines:
            return answer_each(
                lines, called(board), ask, options, pick=pick, json_=json_, open=open_, start=start, end=end,
                **constraints,
            )  # fmt: skip
    if pick is not None:
        raise click.UsageError(f"--pick {pick} needs a file with a graph on every line.")
    if board is None or keep is not None:
        raise click.UsageError("Missing argument 'BOARD'." if board is None else "--keep needs --continue.")
    if end is not None and not open_:
        raise click.UsageError(f"--to {end} needs --open: a closed tour ends next to where it begins.")
    array = output if output is not None and Path(output).suffix.lower() == ".npy" else None
    if holding is not None and array is None:
        raise click.UsageError(f"--as {holding} needs -o FILE.npy.")
    if proof is not None and (fewest is None or Path(proof).suffix.lower() not in {".proof", ".json"}):
        raise click.UsageError(f"--proof {proof} needs --fewest, and a name that ends in .proof or .json.")
    if fewest is not None and (construct or style is not None or engine is not None):
        raise click.UsageError(f"--fewest {fewest} contradicts --engine, --construct and --style.")
    if (array or at or when) and (json_ or format_ or beside):
        raise click.UsageError("--format, --json and --beside do not go with a .npy file, --at or --when.")
    if (at or when) and output != array:
        raise click.UsageError(f"--at and --when print on standard output, not to {output}.")
    format_ = format_for("json" if json_ else format_, output)
    writable(proof)
    from cavalcade.answers.verdict import Found
    from cavalcade.ask.portfolio import tour as find
    from cavalcade.ask.schedule import LARGE
    from cavalcade.formats import verdict_json

    place = read_board(board, without)
    mover = read_piece(piece, place)
    if construct or style is not None:
        if engine not in {None, "template"}:
            raise click.UsageError(f"--construct and --style contradict --engine {engine}.")
        engine = "template"
    if array or at or when:
        from cavalcade.cli import constructing

        # the tour that the portfolio would build, but not held in memory
        wanted = (
            not constraints
            and fewest is None
            and (engine == "template" or (engine is None and place.size >= LARGE))
            and end is None
        )
        plan = wanted and constructing.planned(
            place, mover, open_=open_, start=start, style=style or "plain", seed=seed
        )
        if plan:
            constructing.deliver(plan, array, holding or "steps", at, when)
            if verbose:
                took = f"seed {seed}, {plan.seconds:.3f} s"
                log(f"found: {plan.title}, {len(plan):,} cells, by template, {took}")
            return FOUND
    verdict = find(
        place,
        piece=mover,
        open=open_,
        start=start,
        end=end,
        seed=seed,
        time_limit=time_limit,
        engine=engine,
        style=style or "plain",
        fewest=fewest,
        **constraints,
    )
    if format_ == "json":
        show(verdict_json(verdict, place, mover, "open" if open_ else "closed"), output)
    elif isinstance(verdict, Found) and (array or at or when):
        constructing.deliver(verdict.tour, array, holding or "steps", at, when)
    elif isinstance(verdict, Found):
        show(rendered(verdict.tour, format_, beside=beside), output)
    else:
        from cavalcade.theorems.literature import citation, theorem

        law = theorem(place, mover, not open_) if verdict.status == "impossible" else None
        cited = "" if law is None or law.exists else citation(place, mover, not open_)
        log(f"{verdict.status}: {verdict.reason} {cited}".strip())
    if isinstance(verdict, Found) and verdict.fewest is not None:
        _prove(verdict.fewest, proof)
    if verbose:
        _log(verdict, place, mover, closed=not open_)
    return EXIT_CODES[verdict.status]


SUMMED = {"board", "piece", "without", "seed", "time_limit", "output", "summary"}


def _summary(
    board: str | None,
    piece: str | None,
    without: str | None,
    seed: int,
    time_limit: float | None,
    output: str | None,
) -> int:
    """Print what PROC OPTGRAPH would, and nothing else that was asked for."""
    from cavalcade.papers.summary import summary

    odd = typed_besides(SUMMED)
    if odd or board is None:
        with_ = f", not with {', '.join(odd)}" if odd else ""
        raise click.UsageError(
            f"--summary goes with BOARD, --piece, --without, --seed, --time-limit and -o only{with_}."
        )
    writable(output)
    found, verdict = summary(read_board(board, without), piece=piece, seed=seed, time_limit=time_limit)
    show(found.text(), output)
    return EXIT_CODES[verdict.status]


def _printed(constraints: Constraints) -> list[int]:
    """The steps of `--at` that only want to be printed, taken out of the constraints."""
    asked = [str(one) for one in constraints.pop("at", None) or ()]
    if fixed := [one for one in asked if "=" in one]:
        constraints["at"] = fixed
    steps = [one.strip() for one in asked if "=" not in one]
    for step in steps:
        if not step.isascii() or not step.isdigit() or len(step) > 18:
            raise click.UsageError(f"--at {step}: {step!r} is not a step, expected one like 17 or 17=d5.")
    return [int(step) for step in steps]


def _prove(fewest: Fewest, path: str | None) -> None:
    """Say how few there are, and write the proof of that if it is wanted."""
    from cavalcade.formats import save

    log(str(fewest))
    if path is not None and fewest.certificate is not None:
        save(fewest.certificate, path)
    elif path is not None:
        log(f"{path} was not written: no proof was found")


def _log(verdict: Verdict, board: Board | MoveGraph, piece: Piece, *, closed: bool) -> None:
    """Log what was tried, what found the tour, how fast."""
    from cavalcade.theorems.literature import citation

    if verdict.status == "found" and (cited := citation(board, piece, closed)):
        log(cited)
    for one in verdict.effort:
        log(f"{one.engine}, {one.seconds:.3f} s: {one.outcome}")
    log(
        f"{verdict.status}: {board.title}, {board.size:,} cells, by {verdict.method}, "
        f"seed {verdict.seed}, {verdict.seconds:.3f} s"
    )
