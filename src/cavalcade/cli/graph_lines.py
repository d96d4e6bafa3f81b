"""Files with one graph per line, as `tour` and `prove` read them: one line of output per graph.

The available lines are answered in one block: `ask.many` answers small graphs, and the full search answers
larger graphs and the graphs that `ask.many` does not decide.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from io import BufferedReader
from itertools import compress, groupby
from typing import TYPE_CHECKING, Any, cast

import cavalcade
from cavalcade.cli import ExitCode
from cavalcade.cli.command import COMMON, refuse, refuse_all_but, typed_options
from cavalcade.cli.options import QuestionOptions, TourWords
from cavalcade.cli.writing import show, show_json
from cavalcade.formats.files import blocks_of, called, standard_input
from cavalcade.ground.errors import CavalcadeError, FormatError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORDS = ("open", "start", "end", "with_", "avoid", "constraints", "seed", "engine", "json_", "pick")


def counted(options: QuestionOptions, *, json_: bool, **limits: Any) -> int | None:
    """Print the number of tours of each graph, if a file has several; else return None."""
    from cavalcade.formats.graph6 import graph_on, graph_text

    file, lines = options.board, _lines_of(options)
    if lines is None:
        return None
    if _is_single(lines):
        if file != "-":
            lines.close()
        return None
    with lines:
        allowed = ("open", "start", "end", "with_", "avoid", "constraints", "directed", "json_")
        refuse_all_but(*allowed, why="cannot be combined with a file of several graphs")
        for number, full in enumerate(lines, 1):
            if line := graph_text(number, full):
                question = options.of(graph_on(number, line, called(file)))
                number_of_tours = cavalcade.count(question, **limits).count
                if json_:
                    show_json({"graph": line, "count": number_of_tours})
                else:
                    show(f"{line}\t{number_of_tours}\n")
    return ExitCode.FOUND


def _lines_of(options: QuestionOptions) -> BufferedReader | None:
    """Open the file of a question if it has one graph a line, and its format is not named."""
    from cavalcade.question.graph import is_path

    may_be = is_path(options.board) and not options.reading.input_format
    return graphs_of(options.board) if may_be else None


def _is_single(lines: BufferedReader) -> bool:
    """Return whether the first block of a file has fewer than two graphs; the last line may have no end."""
    from cavalcade.formats.graph6 import SNIFFED

    return b"\n" not in lines.peek(SNIFFED).strip(b"\0\r\n ")


def graphs_of(file: str) -> BufferedReader | None:
    """Open a file, or standard input for `-`, if its first line is a graph; else return None."""
    from cavalcade.formats.graph6 import SNIFFED, are_graphs, opened

    if file != "-":
        return opened(file)
    lines = cast("BufferedReader", standard_input())
    return lines if are_graphs(lines.peek(SNIFFED)[:SNIFFED].decode("utf-8", "replace")) else None


@dataclass
class GraphLines:
    """A question about each graph of a file, and the answers so far.

    A line of the output has the graph, the status, and the vertices of the tour or the kind of reason,
    separated by tabs.

    Args:
        options: the question about each graph.
        find: `tour` or `prove`.
        pick: print only the graphs with this status.
        json_: print JSON.
        search: further keywords of `find`.
        sentences: print the reason in words, not its kind.
        seen: the statuses so far.
        sentences_of: the cache of `ask.many.reasons`.
    """

    options: QuestionOptions
    find: Callable[..., cavalcade.Verdict]
    pick: str | None
    json_: bool
    search: dict[str, Any]
    sentences: bool = False
    seen: set[str] = field(default_factory=set)
    sentences_of: dict[bytes, str] = field(default_factory=dict)

    def answer(self) -> int | None:
        """Print the answer for each graph, and return the exit code; None if the file has another format."""
        if (lines := _lines_of(self.options)) is None:
            refuse("pick", why="expects a file with one graph per line, such as graph6")
            return None
        with lines:
            one_format = typed_options().keys() <= {*WORDS, *COMMON}
            if self.options.board != "-" and not one_format and _is_single(lines):
                return None  # one graph, which has an answer in any format
            refuse_all_but(*WORDS, why="cannot be combined with a file of one graph per line")
            number = 1
            for block in blocks_of(lines, self.source):
                for _, group in groupby(block, lambda line: (len(line), line[:1])):
                    lines_of_length = list(group)
                    self._answer(number, lines_of_length)
                    number += len(lines_of_length)
        if "undecided" in self.seen:
            return ExitCode.UNDECIDED
        return ExitCode.FOUND if "found" in self.seen else ExitCode.IMPOSSIBLE

    @property
    def source(self) -> str:
        """The name of the file in errors."""
        return called(self.options.board)

    @property
    def plain(self) -> bool:
        """Whether `ask.many` supports the question."""
        only = QuestionOptions(self.options.board, TourWords(open=self.options.words.open))
        return self.options == only and not self.json_ and self.search.get("engine") is None

    def _answer(self, number: int, lines: list[bytes]) -> None:
        """Print the answers for lines of equal length; `number` is the number of the first line."""
        from cavalcade.ask.many import KINDS, LEFT, MOST, SUBSETS, answers, reasons
        from cavalcade.formats.graph6 import matrices

        graphs = matrices(lines, MOST - self.options.words.open) if self.plain else None
        if graphs is None:
            for line_number, line in enumerate(lines, number):
                self._answer_one(line_number, line)
            return
        answers_found = answers(graphs, open_=self.options.words.open)
        if self.sentences and self.pick is None:
            answers_found.kinds[answers_found.kinds == SUBSETS] = LEFT
            why = reasons(graphs, answers_found, self.sentences_of, open_=self.options.words.open)
        else:
            why = [KINDS[kind] for kind in answers_found.kinds.tolist()]
        done = 0
        for stop in [*(answers_found.kinds == LEFT).nonzero()[0].tolist(), len(lines)]:
            part = slice(done, stop)
            self._print(lines[part], answers_found.kinds[part], answers_found.places[part], why[part])
            if stop < len(lines):
                self._answer_one(number + stop, lines[stop])
            done = stop + 1

    def _answer_one(self, number: int, full: bytes) -> None:
        """Print the answer of the full search for a line.

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
            question = self.options.of(graph)
        except CavalcadeError as error:
            raise FormatError(f"{self.source}: line {number}, {line[:60]!r}: {error}") from None
        verdict = self.find(question, **self.search)
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
        """Print the answers of `ask.many` for lines of equal length."""
        from cavalcade.ask.many import FOUND

        is_found = (kinds == FOUND).tolist()
        self.seen.update("found" if flag else "impossible" for flag in set(is_found))
        if self.pick is None:
            show(_rows(lines, kinds == FOUND, places, why))
        else:
            picked = [(self.pick == "found") == flag and self.pick != "undecided" for flag in is_found]
            show(b"".join(line + b"\n" for line in compress(lines, picked)).decode())


def _rows(lines: list[bytes], is_found: NDArray[np.bool_], places: NDArray[np.int64], why: list[str]) -> str:
    """Format one row per graph, with tabs between the columns."""
    import numpy as np

    from cavalcade.formats.letters import joined, of_texts, repeated

    if not lines:
        return ""
    cells = of_texts(np.array([f" {cell}" for cell in range(places.shape[1])], dtype=bytes)[places])
    cells[:, 0] = ord("\t")
    cells[~is_found] = 0
    reasons = of_texts(np.array(why, dtype=bytes))
    reasons[is_found] = 0
    status = np.where(is_found, b"\tfound", b"\timpossible\t")
    return joined([of_texts(np.array(lines)), of_texts(status), reasons, cells, repeated("\n", len(lines))])


def _detail(verdict: cavalcade.Verdict, *, sentences: bool) -> str:
    if verdict.status == "found":
        return " ".join(verdict.tour.names)
    if verdict.status == "impossible" and verdict.certificate is not None and not sentences:
        return verdict.certificate.reason
    return verdict.reason
