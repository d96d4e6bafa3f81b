"""`cavalcade tour`: find a tour."""

from __future__ import annotations

import shlex
from typing import Annotated, Any, Literal

import cavalcade
from cavalcade.cli import ExitCode
from cavalcade.cli.command import COMMON, MEMORY_REASON, option, refuse, typed_options, verb
from cavalcade.cli.graph_lines import GraphLines
from cavalcade.cli.options import Cell, Engine, Pick, QuestionOptions, SearchOptions, Verbose
from cavalcade.cli.writing import AnswerOptions, has_template, log, log_search, progress, report_file, show
from cavalcade.formats.table import format_of
from cavalcade.ground.errors import TooLargeError

# Options that a tour planned by template honours. With any other option the tour is searched and held in
# memory, so that no option is ignored; a new option needs no entry here.
PLANNED = {
    *COMMON, "piece", "open", "start", "without", "at", "when", "seed", "engine", "construct", "blocks",
    "as_", "output", "verbose",
}  # fmt: skip


@verb(time_limit="10")
def command(
    options: QuestionOptions,
    *,
    search: SearchOptions,
    written: AnswerOptions,
    engine: Engine | None = None,
    construct: Annotated[bool, option(excludes=["--engine"])] = False,
    blocks: Annotated[Literal["plain", "random"] | None, option(excludes=["--engine"])] = None,
    as_: Literal["steps", "moves"] | None = None,
    when: tuple[Cell, ...] = (),
    verbose: Verbose = False,
    pick: Pick | None = None,
) -> int:
    """Find a closed tour of BOARD, or an open one with --open.

    The tour is checked before it is printed. Exit codes: 0 found, 1 no tour exists, 2 bad input, 3 undecided.

    -o FILE.npy writes a NumPy array, for tours of any size. --at STEP, without a cell, and --when CELL each
    print a step and its cell; both can be repeated, and neither builds a template tour in full.

    A file of graph6, sparse6 or digraph6, or standard input as nauty's geng writes it, has one graph per
    line. Each line is answered as it comes: the graph, found, impossible or undecided, and the tour or the
    kind of reason. Then the exit code is 3 if a graph is undecided, else 0 if one has a tour, else 1.

    Options:
        construct: Build from templates, for knights on boxes and hexagons of any size.
        blocks: Blocks of the template: alike where possible, or chosen at random. Implies --construct.
        as_: What a .npy file holds: the step at which each cell is visited, or one byte for the move
            from it.
        when: Print the step at which the tour visits CELL. Can be repeated.
    """
    keywords = vars(search) | {"engine": engine, "style": blocks or "plain"}
    exit_code = GraphLines(options, cavalcade.tour, pick, written.json_, keywords).answer()
    if exit_code is not None:
        return exit_code
    steps, output = options.constrained.steps_without_cell, written.output
    array = output if output and format_of(output) == "npy" else None
    if array is None:
        refuse("as_", why="works only with -o FILE.npy")
    if array or steps or when:
        refuse("format_", "json_", "beside", why="cannot be combined with a .npy file, --at STEP or --when")
    if (steps or when) and output != array:
        refuse("output", why="cannot be combined with --at STEP and --when, which print on standard output")
    if construct or blocks is not None:
        keywords["engine"] = "template"
    question = options.question(prints_steps=True)
    if array is not None:
        from cavalcade.formats.npy import assert_disk, step_type

        size = question.board.size
        assert_disk(array, size if as_ == "moves" else size * step_type(size)(0).itemsize)
    if (array or steps or when) and (plan := _plan(question, **keywords)):
        _print(plan, array, as_ or "steps", steps, when)
        if verbose:
            how = f"by template, seed {search.seed}, {plan.seconds:.3f} s"
            log(f"found: {plan.title}, {len(plan):,} cells, {how}")
        return ExitCode.FOUND
    verdict = cavalcade.tour(question, **keywords)
    if (
        verdict.status == "undecided"
        and MEMORY_REASON.search(verdict.reason)
        and has_template(question, engine)
    ):
        how = "try -o tour.npy, which writes it to a file, or --at 17 or --when a1, which print single cells"
        raise TooLargeError(f"{question.board.title} does not fit in memory: {how}")
    if verdict.status == "found" and (array or steps or when):
        _print(verdict.tour, array, as_ or "steps", steps, when)
        exit_code = ExitCode.FOUND
    else:
        exit_code = written.give(verdict, question, advice=_advice(options, question))
    if verbose:
        log_search(verdict, question)
    return exit_code


def _advice(options: QuestionOptions, question: cavalcade.Question) -> str:
    """Name the command that finds what comes closest to a tour; nothing if it cannot answer the question."""
    if question.constraints or question.from_to:
        return ""
    words = [options.board, *["--open"] * (not question.closed)]
    words += [] if options.words.piece is None else ["--piece", options.words.piece]
    without = [options.without, *options.constrained.words.avoid_cells]
    words += ["--without", ",".join(filter(None, without))] if any(without) else []
    best = "--longest" if not question.closed or _has_cycle(question.graph) else "--fewest-paths"
    where = ", on the same input" * (options.board == "-")
    return f"What comes closest: `cavalcade best {shlex.join(words)} {best}`{where}."


def _has_cycle(graph: cavalcade.MoveGraph) -> bool:
    """Return whether a graph has a cycle, directions ignored; a forest has one edge less per tree."""
    from cavalcade.question.parts import components

    return graph.edge_count > graph.size - components(graph)[0]


def _plan(
    question: cavalcade.Question, *, engine: str | None, **search: Any
) -> cavalcade.Construction | None:
    """Plan the tour without holding it in memory, if the search would begin with a template."""
    if not (typed_options().keys() <= PLANNED and has_template(question, engine)):
        return None
    plan = cavalcade.construct(question.board, open=not question.closed, start=question.start, **search)
    return plan if isinstance(plan, cavalcade.Construction) else None


def _print(
    tour: cavalcade.Construction | cavalcade.Tour,
    array: str | None,
    holding: str,
    steps: list[int],
    cells: tuple[str, ...],
) -> None:
    """Write the .npy file, if one is wanted; then print lines with a step and its cell."""
    pairs = [(step, tour.cell_at(step)) for step in steps]  # before the file, because they may be invalid
    pairs += [(tour.step_of(cell), cell.strip().lower()) for cell in cells]
    if array is not None and isinstance(tour, cavalcade.Construction):
        with progress(f"writing {array}") as report:
            tour.save(array, holding, progress=report)
            report_file(array)
    elif array is not None and not isinstance(tour, cavalcade.Construction):
        cavalcade.save(tour, array, holding=holding)
        report_file(array, tour)
    show("".join(f"{step} {cell}\n" for step, cell in pairs))
