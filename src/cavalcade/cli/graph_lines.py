"""Files with one graph per line, as `tour` and `prove` read them: an answer on every line, as it comes."""

from __future__ import annotations

import json
import sys
from typing import IO, TYPE_CHECKING, Any, cast

from cavalcade.cli import FOUND, IMPOSSIBLE, UNDECIDED
from cavalcade.cli.command import refuse, refuse_all_but
from cavalcade.cli.reading import is_file
from cavalcade.cli.writing import show
from cavalcade.formats.files import called
from cavalcade.ground.errors import CavalcadeError, FormatError

if TYPE_CHECKING:
    from collections.abc import Callable
    from io import BufferedReader

    from cavalcade.answers.verdict import Verdict
    from cavalcade.cli.options import QuestionOptions
    from cavalcade.question.question import Question

WORDS = ("open_", "from_", "to", "with_", "avoid", "constraints", "seed", "engine", "json_", "pick")


def graphs_of(file: str) -> IO[bytes] | None:
    """A file, or standard input for `-`, if there is a graph on its first line."""
    from cavalcade.formats.graph6 import LOOKED_AT, are_graphs, opened

    if file != "-":
        return opened(file)
    lines = cast("BufferedReader", sys.stdin.buffer)
    return lines if are_graphs(lines.peek(LOOKED_AT)[:LOOKED_AT].decode("utf-8", "replace")) else None


def answer_lines(
    asked: QuestionOptions,
    find: Callable[..., Verdict],
    *,
    pick: str | None,
    json_: bool,
    sentences: bool = False,
    **options: Any,  # noqa: ANN401 - of the search
) -> int | None:
    """Print the answer for each graph of a file with one per line; None for other files.

    A line has the graph, the status and the vertices of the tour, or the kind of reason (with `sentences` the
    reason), with tabs between them. The exit code is returned. `find` is asked with `options`.
    """
    lines = graphs_of(asked.board) if is_file(asked.board) else None
    if lines is None:
        refuse("pick", why="expects a file with one graph per line, such as graph6")
        return None
    from cavalcade.formats.graph6 import graphs_in

    seen = set()
    source = called(asked.board)
    with lines:
        refuse_all_but(*WORDS, why="cannot be combined with a file of one graph per line")
        for number, line, graph in graphs_in(lines, source):
            try:
                question = asked.of(graph)
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
    from cavalcade.formats.json import verdict_json

    found = {"graph": line} | json.loads(verdict_json(verdict, question.board, None, question.kind))
    return json.dumps(found, ensure_ascii=False) + "\n"


def _detail(verdict: Verdict, *, sentences: bool) -> str:
    from cavalcade.answers.verdict import Found, Impossible

    if isinstance(verdict, Found):
        return " ".join(verdict.tour.names)
    if isinstance(verdict, Impossible) and verdict.certificate is not None and not sentences:
        return verdict.certificate.reason
    return verdict.reason
