"""`cavalcade tour`: find a tour."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cavalcade.cli import FOUND
from cavalcade.cli.command import refuse, verb
from cavalcade.cli.graph_lines import answer_lines
from cavalcade.cli.options import (
    Beside,
    Cell,
    Engine,
    Output,
    Pick,
    QuestionOptions,
    Seed,
    TourFormat,
    Verbose,
)
from cavalcade.cli.verdicts import give, log_search
from cavalcade.cli.writing import format_for, log, progress, show

if TYPE_CHECKING:
    from cavalcade.answers.tours import Tour
    from cavalcade.construction.plan import Construction
    from cavalcade.question.question import Question


@verb(time_limit="10")
def command(
    asked: QuestionOptions,
    *,
    seed: Seed = 0,
    format_: TourFormat | None = None,
    json_: bool = False,
    beside: Beside = False,
    output: Output | None = None,
    engine: Engine | None = None,
    construct: bool = False,
    style: Literal["plain", "random"] | None = None,
    as_: Literal["steps", "moves"] | None = None,
    when: tuple[Cell, ...] = (),
    verbose: Verbose = False,
    pick: Pick | None = None,
    time_limit: float | None = None,
) -> int:
    """Find a closed tour of BOARD, or an open one with --open.

    The tour is checked before it is printed. Exit codes: 0 found, 1 no tour exists, 2 bad input, 3 undecided.

    -o FILE.npy writes a NumPy array, for tours of any size. --at STEP, without a cell, and --when CELL each
    print a step and its cell; both can be repeated, and neither builds a template tour in full.

    A file of graph6, sparse6 or digraph6, or standard input as nauty's geng writes it, has one graph per
    line. Each line is answered as it is read: the graph, found, impossible or undecided, and the tour or the
    kind of reason. Then the exit code is 3 if a graph is undecided, else 0 if one has a tour, else 1.

    Options:
        json_: Print one JSON object, whatever the answer. Excludes --format.
        construct: Build from templates, for knights on boxes and hexagons of any size. Excludes --engine.
        style: Blocks of the template: alike where possible, or chosen at random. Implies --construct.
            Excludes --engine.
        as_: What a .npy file holds: the step at which each cell is visited, or one byte for the move
            from it.
        when: Print the step at which the tour visits CELL. Can be repeated.
    """
    from cavalcade.answers.verdict import Found
    from cavalcade.ask.portfolio import tour

    search: dict[str, Any] = {"seed": seed, "time_limit": time_limit, "engine": engine}
    if (answered := answer_lines(asked, tour, pick=pick, json_=json_, **search)) is not None:
        return answered
    at = asked.constrained.printed_steps
    array = output if output is not None and Path(output).suffix.lower() == ".npy" else None
    if array is None:
        refuse("as_", why="works only with -o FILE.npy")
    if array or at or when:
        refuse("format_", "json_", "beside", why="cannot be combined with a .npy file, --at STEP or --when")
    if (at or when) and output != array:
        refuse("output", why="cannot be combined with --at STEP and --when, which print on standard output")
    format_ = format_for("json" if json_ else format_, output)
    if construct or style is not None:
        search["engine"] = "template"
    question = asked.question(begun=True)
    if array is not None:
        from cavalcade.formats.npy import assert_disk, step_type

        size = question.board.size
        assert_disk(array, size if as_ == "moves" else size * step_type(size)(0).itemsize)
    wanted: dict[str, Any] = {"style": style or "plain", "seed": seed, "time_limit": time_limit}
    if (array or at or when) and (plan := _plan(question, search["engine"], **wanted)):
        _print(plan, array, as_ or "steps", at, when)
        if verbose:
            log(f"found: {plan.title}, {len(plan):,} cells, by template, seed {seed}, {plan.seconds:.3f} s")
        return FOUND
    verdict = tour(question, style=style or "plain", **search)
    if isinstance(verdict, Found) and (array or at or when):
        _print(verdict.tour, array, as_ or "steps", at, when)
        code = FOUND
    else:
        code = give(verdict, question, format_, output, beside=beside)
    if verbose:
        log_search(verdict, question)
    return code


def _plan(question: Question, engine: str | None, **wanted: Any) -> Construction | None:  # noqa: ANN401
    """The tour by template that the search would build, but not held in memory; None if there is none."""
    from cavalcade.answers.verdict import Undecided
    from cavalcade.ask.schedule import LARGE
    from cavalcade.construction.plan import construct, no_template

    board = question.board
    large = engine == "template" or (engine is None and board.size >= LARGE)
    if not large or question.end is not None or no_template(question) or board.plain:
        return None
    plan = construct(board, open=not question.closed, start=question.start, **wanted)
    return None if isinstance(plan, Undecided) else plan


def _print(
    answer: Construction | Tour, array: str | None, holding: str, at: list[int], when: tuple[str, ...]
) -> None:
    """Write the .npy file, if `array` is given; then print lines with a step and its cell."""
    from cavalcade.construction.plan import Construction
    from cavalcade.formats.npy import save

    pairs = [(step, answer.cell_at(step)) for step in at]  # first, as they may be wrong
    pairs += [(answer.step_of(cell), cell.strip().lower()) for cell in when]
    if array is not None and isinstance(answer, Construction):
        with progress(f"writing {array}") as report:
            answer.save(array, holding, progress=report)
    elif array is not None and not isinstance(answer, Construction):
        save(answer, array, holding)
    show("".join(f"{step} {cell}\n" for step, cell in pairs))
