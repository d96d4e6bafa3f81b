"""Files with a graph on every line, as `tour` and `prove` read them: an answer on every line, as it comes."""

from __future__ import annotations

import json
import sys
from typing import IO, TYPE_CHECKING, Any, cast

import click

from cavalcade.cli import FOUND, IMPOSSIBLE, UNDECIDED
from cavalcade.cli.common import show, typed_besides
from cavalcade.ground.errors import CavalcadeError, FormatError

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BufferedReader

    from cavalcade.answers.verdict import Verdict
    from cavalcade.question.question import Question

STATUSES = ("found", "impossible", "undecided")
ASKED = {"board", "open_", "start", "end", "constraints", "constraints_file", "with_", "avoid", "seed"}
ASKED |= {"time_limit", "engine", "json_", "pick"}
pick_option = click.option(
    "--pick",
    type=click.Choice(STATUSES),
    help="Of a file with a graph on every line: pass on the lines of the graphs with this answer.",
)


def graphs_of(file: str) -> IO[bytes] | None:
    """A file, or standard input for `-`, if there is a graph on its first line."""
    from cavalcade.formats.graph6 import LOOKED_AT, are_graphs, opened

    if file != "-":
        return opened(file)
    lines = cast("BufferedReader", sys.stdin.buffer)
    return lines if are_graphs(lines.peek(LOOKED_AT)[:LOOKED_AT].decode("utf-8", "replace")) else None


def answer_each(
    lines: IO[bytes],
    source: str,
    find: Callable[..., Verdict],
    options: dict[str, Any],
    *,
    pick: str | None,
    json_: bool,
    sentences: bool = False,
    **words: Any,  # noqa: ANN401 - words of `Question.of`
) -> int:
    """Print the answer for each graph on a line of its own, at once; returns the exit code.

    A line has the graph, the status and the vertices of the tour, or the kind of reason (with `sentences` the
    reason), with tabs between them. `find` is asked with `options`.
    """
    if odd := typed_besides(ASKED):
        raise click.UsageError(f"{odd[0]} does not go with graph6, which has a graph on every line.")
    if json_ and pick:
        raise click.UsageError("--json and --pick contradict each other.")
    from cavalcade.formats.graph6 import graphs_in
    from cavalcade.question.question import Question

    seen = set()
    for number, line, graph in graphs_in(lines, source):
        try:
            question = Question.of(graph, **words)
        except CavalcadeError as error:
            raise FormatError(f"{source}: line {number}, {line[:60]!r}: {error}") from None
        verdict = find(question, **options)
        seen.add(verdict.status)
        if pick is None:
            detail = _detail(verdict, sentences=sentences)
            show(_json(line, question, verdict) if json_ else f"{line}\t{verdict.status}\t{detail}\n")
        elif verdict.status == pick:
            show(f"{line}\n")
    if "undecided" in seen:
        return UNDECIDED
    return FOUND if "found" in seen else IMPOSSIBLE


def _json(line: str, question: Question, verdict: Verdict) -> str:
    from cavalcade.formats import verdict_json

    found = {"graph": line} | json.loads(verdict_json(verdict, question.board, None, question.kind))
    return json.dumps(found, ensure_ascii=False) + "\n"


def _detail(verdict: Verdict, *, sentences: bool) -> str:
    from cavalcade.answers.verdict import Found, Impossible

    if isinstance(verdict, Found):
        return " ".join(verdict.tour.names)
    if isinstance(verdict, Impossible) and verdict.certificate is not None and not sentences:
        return verdict.certificate.reason
    return verdict.reason
