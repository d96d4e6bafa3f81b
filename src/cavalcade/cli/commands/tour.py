"""`cavalcade tour`: find a tour."""

from __future__ import annotations

from typing import Any, Literal

import cavalcade
from cavalcade.cli import FOUND
from cavalcade.cli.command import refuse, verb
from cavalcade.cli.graph_lines import answer_lines
from cavalcade.cli.options import Cell, Engine, Pick, QuestionOptions, Seed, Verbose
from cavalcade.cli.writing import AnswerOptions, log, log_search, progress, show
from cavalcade.formats.table import format_of


@verb(time_limit="10")
def command(
    asked: QuestionOptions,
    *,
    seed: Seed = 0,
    written: AnswerOptions,
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
    line. Each line is answered as it comes: the graph, found, impossible or undecided, and the tour or the
    kind of reason. Then the exit code is 3 if a graph is undecided, else 0 if one has a tour, else 1.

    Options:
        construct: Build from templates, for knights on boxes and hexagons of any size. Excludes --engine.
        style: Blocks of the template: alike where possible, or chosen at random. Implies --construct.
            Excludes --engine.
        as_: What a .npy file holds: the step at which each cell is visited, or one byte for the move
            from it.
        when: Print the step at which the tour visits CELL. Can be repeated.
    """
    search: dict[str, Any] = {"seed": seed, "time_limit": time_limit, "engine": engine}
    answered = answer_lines(asked, cavalcade.tour, pick=pick, json_=written.json_, **search)
    if answered is not None:
        return answered
    at, output = asked.constrained.printed_steps, written.output
    array = output if output and format_of(output) == "npy" else None
    if array is None:
        refuse("as_", why="works only with -o FILE.npy")
    if array or at or when:
        refuse("format_", "json_", "beside", why="cannot be combined with a .npy file, --at STEP or --when")
    if (at or when) and output != array:
        refuse("output", why="cannot be combined with --at STEP and --when, which print on standard output")
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
    verdict = cavalcade.tour(question, style=style or "plain", **search)
    if verdict.status == "found" and (array or at or when):
        _print(verdict.tour, array, as_ or "steps", at, when)
        code = FOUND
    else:
        code = written.give(verdict, question)
    if verbose:
        log_search(verdict, question)
    return code


def _plan(question: cavalcade.Question, engine: str | None, **wanted: Any) -> cavalcade.Construction | None:
    """The tour by template that the search would build, but not held in memory; None if there is none."""
    from cavalcade.ask.schedule import JOINED
    from cavalcade.construction.fitting import no_template

    board = question.board
    large = engine == "template" or (engine is None and board.size > JOINED)
    if not large or question.end is not None or no_template(question) or board.plain:
        return None
    plan = cavalcade.construct(board, open=not question.closed, start=question.start, **wanted)
    return plan if isinstance(plan, cavalcade.Construction) else None


def _print(
    answer: cavalcade.Construction | cavalcade.Tour,
    array: str | None,
    holding: str,
    at: list[int],
    when: tuple[str, ...],
) -> None:
    """Write the .npy file, if `array` is given; then print lines with a step and its cell."""
    pairs = [(step, answer.cell_at(step)) for step in at]  # first, as they may be wrong
    pairs += [(answer.step_of(cell), cell.strip().lower()) for cell in when]
    if array is not None and isinstance(answer, cavalcade.Construction):
        with progress(f"writing {array}") as report:
            answer.save(array, holding, progress=report)
    elif array is not None and not isinstance(answer, cavalcade.Construction):
        cavalcade.save(answer, array, holding=holding)
    show("".join(f"{step} {cell}\n" for step, cell in pairs))
