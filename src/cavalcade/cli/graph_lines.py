"""Files with a graph on every line, as `tour` and `prove` read them: an answer on every line, as it comes."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, cast

import click

from cavalcade.cli import FOUND, IMPOSSIBLE, UNDECIDED
from cavalcade.cli.common import called, show, typed_besides
from cavalcade.errors import CavalcadeError, FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from io import BufferedReader

    from cavalcade.answers.verdict import Verdict
    from cavalcade.formats.graph_lines import GraphLine
    from cavalcade.problem import Problem

STATUSES = ("found", "impossible", "undecided")
ASKED = {"board", "open_", "start", "end", "constraints", "constraints_file", "with_", "avoid", "seed"}
ASKED |= {"time_limit", "engine", "json_", "pick"}
pick_option = click.option(
    "--pick",
    type=click.Choice(STATUSES),
    help="Of a file with a graph on every line: pass on the lines of the graphs with this answer.",
)


def graphs_of(file: str) -> Iterator[GraphLine] | None:
    """The graphs of a file, or of standard input for `-`, if it has one on every line."""
    from cavalcade.formats.graph_lines import LOOKED_AT, are_graphs, decoded, graphs_in, opened

    if file == "-":
        head: bytes = cast("BufferedReader", sys.stdin.buffer).peek(LOOKED_AT)
        if not are_graphs(head[:LOOKED_AT].decode("ascii", "replace")):
            return None
        return graphs_in(decoded(sys.stdin.buffer, called(file)), called(file))
    lines = opened(file)
    return None if lines is None else graphs_in(decoded(lines, called(file)), called(file))


def answer_each(
    graphs: Iterator[GraphLine],
    source: str,
    find: Callable[..., Verdict],
    options: dict[str, Any],
    *,
    pick: str | None,
    json_: bool,
    sentences: bool = False,
    **question: Any,  # noqa: ANN401 - words of `Problem.of`
) -> int:
    """Print the answer for each graph on a line of its own, at once; returns the exit code.

    A line has the graph, the status and the vertices of the tour, or the kind of reason (with `sentences` the
    reason), with tabs between them. `find` is asked with `options`.
    """
    from cavalcade.problem import Problem

    if odd := typed_besides(ASKED):
        raise click.UsageError(f"{odd[0]} does not go with graph6, which has a graph on every line.")
    if json_ and pick:
        raise click.UsageError("--json and --pick contradict each other.")
    seen = set()
    for number, line, graph in graphs:
        try:
            problem = Problem.of(graph, **question)
        except CavalcadeError as error:
            raise FormatError(f"{source}: line {number}, {line[:60]!r}: {error}") from None
        verdict = find(problem, **options)
        seen.add(verdict.status)
        if pick is not None:
            if verdict.status == pick:
                show(f"{line}\n")
        elif json_:
            show(_json(line, problem, verdict))
        else:
            show(f"{line}\t{verdict.status}\t{_detail(verdict, sentences=sentences)}\n")
    if "undecided" in seen:
        return UNDECIDED
    return FOUND if "found" in seen else IMPOSSIBLE


def _json(line: str, problem: Problem, verdict: Verdict) -> str:
    from cavalcade.formats import verdict_json

    found = {"graph": line} | json.loads(verdict_json(verdict, problem.board, None, problem.kind))
    return json.dumps(found, ensure_ascii=False) + "\n"


def _detail(verdict: Verdict, *, sentences: bool) -> str:
    from cavalcade.answers.verdict import Found, Impossible

    if isinstance(verdict, Found):
        return " ".join(verdict.tour.names)
    if isinstance(verdict, Impossible) and verdict.certificate is not None and not sentences:
        return verdict.certificate.reason
    return verdict.reason
