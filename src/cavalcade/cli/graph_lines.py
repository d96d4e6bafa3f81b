"""Files with one graph per line, as `tour` and `prove` read them: an answer on every line, as it comes.

As many lines as are there are answered at once: small graphs by `ask.many`, where the answers can be told
from arrays, the others and those it leaves by the whole search.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BufferedReader
from itertools import compress, groupby
from typing import TYPE_CHECKING, Any, cast

from cavalcade.cli import FOUND, IMPOSSIBLE, UNDECIDED
from cavalcade.cli.command import refuse, refuse_all_but
from cavalcade.cli.options import QuestionOptions, TourWords
from cavalcade.cli.writing import show, show_json
from cavalcade.formats.files import called
from cavalcade.ground.errors import CavalcadeError, FormatError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cavalcade.answers.verdict import Verdict

WORDS = ("open", "start", "end", "with_", "avoid", "constraints", "seed", "engine", "json_", "pick")


def graphs_of(file: str) -> BufferedReader | None:
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
    **options: Any,
) -> int | None:
    """Print the answer for each graph of a file with one per line; None for other files.

    A line has the graph, the status and the vertices of the tour, or the kind of reason (with `sentences` the
    reason), with tabs between them. The exit code is returned. `find` is asked with `options`.
    """
    from cavalcade.question.graph import is_path

    lines = graphs_of(asked.board) if is_path(asked.board) and not asked.reading.input_format else None
    if lines is None:
        refuse("pick", why="expects a file with one graph per line, such as graph6")
        return None
    from cavalcade.formats.files import blocks_of

    filter_ = _Filter(asked, find, pick, json_, sentences, options)
    with lines:
        refuse_all_but(*WORDS, why="cannot be combined with a file of one graph per line")
        number = 1
        for block in blocks_of(lines, filter_.source):
            for _, group in groupby(block, lambda line: (len(line), line[:1])):
                some = list(group)
                filter_.answer(number, some)
                number += len(some)
    if "undecided" in filter_.seen:
        return UNDECIDED
    return FOUND if "found" in filter_.seen else IMPOSSIBLE


@dataclass
class _Filter:
    """What is asked about each line, and what the answers have been."""

    asked: QuestionOptions
    find: Callable[..., Verdict]
    pick: str | None
    json_: bool
    sentences: bool
    options: dict[str, Any]
    seen: set[str] = field(default_factory=set)
    known: dict[bytes, str] = field(default_factory=dict)  # reasons in words, of `ask.many`

    @property
    def source(self) -> str:
        """What errors call the file."""
        return called(self.asked.board)

    @property
    def plain(self) -> bool:
        """Whether nothing is asked that `ask.many` could not answer."""
        only = QuestionOptions(self.asked.board, TourWords(open=self.asked.words.open))
        return self.asked == only and not self.json_ and self.options.get("engine") is None

    def answer(self, number: int, lines: list[bytes]) -> None:
        """Print the answers for lines of one length; `number` is that of the first."""
        from cavalcade.ask.many import KINDS, LEFT, MOST, SUBSETS, answers, reasons
        from cavalcade.formats.graph6 import matrices

        graphs = matrices(lines, MOST - self.asked.words.open) if self.plain else None
        if graphs is None:
            for at, line in enumerate(lines, number):
                self._answer_one(at, line)
            return
        found = answers(graphs, open_=self.asked.words.open)
        if self.sentences and self.pick is None:
            found.kinds[found.kinds == SUBSETS] = LEFT
            why = reasons(graphs, found, self.known, open_=self.asked.words.open)
        else:
            why = [KINDS[kind] for kind in found.kinds.tolist()]
        done = 0
        for left in [*(found.kinds == LEFT).nonzero()[0].tolist(), len(lines)]:
            some = slice(done, left)
            self._print(lines[some], found.kinds[some], found.places[some], why[some])
            if left < len(lines):
                self._answer_one(number + left, lines[left])
            done = left + 1

    def _answer_one(self, number: int, full: bytes) -> None:
        """Print what the whole search answers for a line.

        Raises:
            FormatError: the line is no graph, or the question does not fit it.
        """
        from cavalcade.formats.graph6 import graph_on, graph_text
        from cavalcade.formats.json import verdict_json
        from cavalcade.question.statement import graph_name

        if not (line := graph_text(number, full)):
            return
        graph = graph_on(number, line, self.source)
        try:
            question = self.asked.of(graph)
        except CavalcadeError as error:
            raise FormatError(f"{self.source}: line {number}, {line[:60]!r}: {error}") from None
        verdict = self.find(question, **self.options)
        self.seen.add(verdict.status)
        if self.json_:
            show_json({"graph": line} | verdict_json(verdict, question))
        elif self.pick is None:
            detail = _detail(verdict, sentences=self.sentences).replace(f" of {graph_name(graph)}", "")
            show(f"{line}\t{verdict.status}\t{detail}\n")
        elif verdict.status == self.pick:
            show(f"{line}\n")

    def _print(
        self, lines: list[bytes], kinds: NDArray[np.uint8], places: NDArray[np.int64], why: list[str]
    ) -> None:
        """Print what `ask.many` has answered for lines of one length, with the reason where there is one."""
        from cavalcade.ask.many import FOUND

        found = (kinds == FOUND).tolist()
        self.seen.update("found" if one else "impossible" for one in set(found))
        if self.pick is None:
            show(_rows(lines, kinds == FOUND, places, why))
        else:
            wanted = [(self.pick == "found") == one and self.pick != "undecided" for one in found]
            show(b"".join(line + b"\n" for line in compress(lines, wanted)).decode())


def _rows(lines: list[bytes], found: NDArray[np.bool_], places: NDArray[np.int64], why: list[str]) -> str:
    """A row for each graph, with tabs between its columns."""
    import numpy as np

    from cavalcade.formats.letters import joined, of_texts, repeated

    if not lines:
        return ""
    cells = of_texts(np.array([f" {cell}" for cell in range(places.shape[1])], dtype=bytes)[places])
    cells[:, 0] = ord("\t")
    cells[~found] = 0
    reasons = of_texts(np.array(why, dtype=bytes))
    reasons[found] = 0
    status = np.where(found, b"\tfound", b"\timpossible\t")
    return joined([of_texts(np.array(lines)), of_texts(status), reasons, cells, repeated("\n", len(lines))])


def _detail(verdict: Verdict, *, sentences: bool) -> str:
    if verdict.status == "found":
        return " ".join(verdict.tour.names)
    if verdict.status == "impossible" and verdict.certificate is not None and not sentences:
        return verdict.certificate.reason
    return verdict.reason
