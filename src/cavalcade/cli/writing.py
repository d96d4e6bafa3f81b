"""How commands write answers: to standard output or a file, with remarks on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import click

import cavalcade
from cavalcade import formats
from cavalcade.answers.status import AnswerStatus
from cavalcade.answers.verification import Verification
from cavalcade.cli import ExitCode, status
from cavalcade.cli.command import limit_to_raise, refuse, typed_options
from cavalcade.cli.options import FORMAT, QUESTION, Beside, OrJson, Output, PuzzleFormat, TourFormat
from cavalcade.cli.pictures import PICTURES, PictureOptions
from cavalcade.cli.streams import write
from cavalcade.formats.table import BY_NAME, PUZZLES, chosen, format_of, names_of
from cavalcade.ground.errors import CavalcadeError, FormatError
from cavalcade.ground.storage import new_text_file, write_file

if TYPE_CHECKING:
    from decimal import Decimal

    from cavalcade.answers.verdict import Effort
    from cavalcade.ground.threads import ProgressCallback
    from cavalcade.states.search import Progress as Counted

Item = TypeVar("Item")
REMARK = "cavalcade.remark"  # key of a remark in the context of a command, which is logged after the answer
SCREENS = 3  # a text of at most this many screens is shown whole: it can be scrolled back
EXIT_CODES: dict[str, ExitCode] = {
    AnswerStatus.FOUND: ExitCode.FOUND,
    AnswerStatus.IMPOSSIBLE: ExitCode.IMPOSSIBLE,
    AnswerStatus.UNDECIDED: ExitCode.UNDECIDED,
    AnswerStatus.COMPLETE: ExitCode.FOUND,
    AnswerStatus.WRONG: ExitCode.IMPOSSIBLE,
}


@dataclass(frozen=True)
class Written:
    """The options that set the format, the file and the look of an answer.

    Every command that writes an answer to a file has a subclass of it as a parameter, which says what the
    answer can be. What the options cannot write is refused before the search.

    Attributes:
        kinds: the names of the classes that the answer may have.
        extra_formats: formats in which the command itself writes its answer.
        usual: the format if neither an option nor the ending of a file sets it.
        piped: the format of `-o -`, if it is not the usual one.
        json_beside: whether --json prints an object on standard output, and the file has its own format.
    """

    format_: str | None = None
    output: Output | None = None
    json_: OrJson = False
    looks: PictureOptions = PictureOptions()  # noqa: RUF009 - frozen
    kinds: ClassVar[tuple[str, ...]] = ("Tour",)
    extra_formats: ClassVar[tuple[str, ...]] = ()
    usual: ClassVar[str] = "text"
    piped: ClassVar[str] = ""
    json_beside: ClassVar[bool] = False

    def __post_init__(self) -> None:
        click.get_current_context().meta[FORMAT] = self.format
        self.looks.assert_format(self.format, self.output)
        if self.format != "text":
            refuse("beside", why=f"lays out text, and the output is {self.format}")
        if self.format in PICTURES:
            self.looks.assert_class(*self.drawn)

    @property
    def drawn(self) -> tuple[str, ...]:
        """The names of the classes of which a picture may be written."""
        return self.kinds

    @property
    def format(self) -> str:
        """The format: set by the option, or by the ending of the file, or the usual one."""
        names = (*self.extra_formats, *names_of(*self.kinds, files=True))
        usual = self.piped if self.piped and "output" in typed_options() else self.usual
        by_ending = not (self.format_ or self.json_)
        if by_ending and format_of(self.output or "") == "json" and "json" not in names:
            raise FormatError(f"cannot write {self.output!r} by its ending: add --json")
        return chosen(self.format_, self.output, names, usual, json=self.json_ and not self.json_beside)

    def show(
        self,
        answer: formats.Thing | Sequence[formats.Thing],
        about: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """Write the answer to standard output or to the file, whatever its class.

        Args:
            answer: the answer; a list of tours or puzzles makes a sheet of pictures.
            about: further fields of the object with --json.
            options: options of the writer of the format.
        """
        if getattr(self, "beside", False) and self.format == "text":
            options["beside"] = True
        if self.format in PICTURES:
            single = answer[0] if isinstance(answer, list) else answer
            options |= self.looks.keywords(type(single).__name__, self.format)
        if self.json_ and about is not None:
            kept = type(answer).__name__ in BY_NAME["json"].holds
            fields: dict[str, Any] = json.loads(formats.rendered(answer, "json")) if kept else {}
            show_json(fields | about, self.output)
        else:
            self.put(answer, **options)

    def put(self, answer: formats.Thing | Sequence[formats.Thing], **options: Any) -> None:
        """Write the answer with these options alone, and no options of pictures."""
        if self.output is not None:
            formats.save(answer, self.output, self.format, **options)
            report_file(self.output, answer)
        else:
            text = formats.rendered(answer, self.format, **options)
            show(fitting(text) if isinstance(text, str) and self.format == "text" else text)
        if remark := click.get_current_context().meta.pop(REMARK, ""):
            log(remark)


@dataclass(frozen=True)
class PuzzleOptions(Written):
    """The options that set the format and the file of a puzzle."""

    format_: PuzzleFormat | None = None
    kinds = PUZZLES

    @property
    def drawn(self) -> tuple[str, ...]:
        """The names of the classes of which a picture may be written: the solution is a tour."""
        return ("Tour",) if "solution" in typed_options() else self.kinds


@dataclass(frozen=True)
class TourOptions(Written):
    """The options that set the format and the file of a tour."""

    format_: TourFormat | None = None
    beside: Beside = False


@dataclass(frozen=True)
class AnswerOptions(TourOptions):
    """The options that set the format and the file of a verdict."""

    def give(
        self,
        verdict: cavalcade.Verdict,
        question: cavalcade.Question,
        about: dict[str, Any] | None = None,
        advice: str = "",
    ) -> int:
        """Print the tour, or log the reason and a theorem that agrees with it; return the exit code.

        Args:
            verdict: the answer.
            question: the question.
            about: further fields of the object with --json.
            advice: what to do if there is no tour.
        """
        if self.format == "json":
            from cavalcade.formats.json import verdict_text

            show(verdict_text(verdict, question, about or {}), self.output)
        elif verdict.status == "found":
            self.show(verdict.tour)
        else:
            fail(verdict.status, verdict.reason, _cited(verdict, question, advice))
        return EXIT_CODES[verdict.status]


def _cited(verdict: cavalcade.Verdict, question: cavalcade.Question, advice: str) -> str:
    """Return the theorem that agrees with an "impossible", and advice; nothing for other answers."""
    if verdict.status != "impossible":
        return ""
    from cavalcade.theorems.literature import citation

    return f"{citation(question)} {advice}".strip()


def weights_kept(weights: Sequence[Decimal] | None, format_: str, file: str) -> dict[str, Any]:
    """Return the weights of a file as an option of the writer, or log that the format has none."""
    if weights is None or format_ in {"csv", "sas"}:
        return {"weights": weights} if weights else {}
    if {*weights} != {1} and format_ not in PICTURES:
        log(f"{format_} without the weights of {file}: cavalcade links {file} writes them as csv")
    return {}


def has_template(question: cavalcade.Question, engine: str | None = None) -> bool:
    """Whether a template fits a question, and the search would begin with it."""
    from cavalcade.ask.policy import begins_with_template
    from cavalcade.construction.fitting import no_template

    if question.board.plain or question.end is not None or engine not in {None, "template"}:
        return False
    return (engine is not None or begins_with_template(question)) and not no_template(question)


def unclaimed(tour: cavalcade.Tour) -> cavalcade.Tour:
    """Return a tour, or the same cells as a walk if the tour is wrong, so that no file calls it a tour.

    `Written.put` logs what is wrong after the walk is written.
    """
    if len(tour) < tour.board.size or (checked := cavalcade.check(tour)):
        return tour
    click.get_current_context().meta[REMARK] = f"not a tour: {checked.message}"
    return replace(tour, claimed=False)


def fail(status_: str, reason: str, cited: str = "") -> int:
    """Report a status without an answer, as a line on standard error or with --json as an object."""
    reason += limit_to_raise(reason) if status_ == "undecided" else ""
    params = click.get_current_context().params
    if params.get("json_"):
        show_json({"status": status_, "reason": reason}, params.get("output"))
    else:
        advice = open_instead() if status_ == "impossible" else ""
        reason += "." * bool(advice and not (cited or reason.endswith(".")))
        status.remark(" ".join(filter(None, [f"{status_}: {reason}", cited, advice])))
    return EXIT_CODES[status_]


def open_instead() -> str:
    """Return the advice to ask for open tours, if a short search finds one and closed ones do not exist.

    Other conditions than a first cell may be the reason, so nothing is said about questions with them.
    """
    from cavalcade.ask.portfolio import answer
    from cavalcade.ground.budget import Budget

    context = click.get_current_context()
    board, words = context.meta.get(QUESTION, (None, {}))
    conditions = {name for name, value in words.items() if value} - {"piece", "start"}
    if board is None or conditions or "open" not in context.params:
        return ""
    with suppress(CavalcadeError, TimeoutError, MemoryError):  # the verdict stands without advice
        question = cavalcade.Question.of(board, **words | {"open": True})
        verdict = answer(question, 0, budget=Budget(1e6))  # 20 ms on 500 vertices; most boards need 100 steps
        return "An open tour exists: try --open." if verdict.status == "found" else ""
    return ""


def show(data: str | bytes, output: str | None = None) -> None:
    """Write an answer to a file or to standard output."""
    if output is not None:
        write_file(output, data)
        report_file(output)
        return
    if isinstance(data, bytes) and sys.stdout.isatty():
        raise FormatError("this format is not text and cannot be shown on a terminal: add -o FILE")
    status.erase()
    sys.stdout.flush()
    if isinstance(data, str) and sys.stdout.isatty():
        write(sys.stdout, data)
        return
    if not hasattr(sys.stdout, "buffer"):  # a host has redirected the output to a stream of characters
        if isinstance(data, bytes):
            raise FormatError("this format is not text, which is all that standard output takes: add -o FILE")
        sys.stdout.write(data)
        return
    rest = memoryview(data.encode() if isinstance(data, str) else data)
    while rest:  # with python -u, one write may write a part only
        rest = rest[sys.stdout.buffer.write(rest) :]
    sys.stdout.buffer.flush()


def fitting(text: str) -> str:
    """Truncate a text to the lines and columns of the terminal, if there is one.

    A text that is no wider, and at most `SCREENS` screens long, is shown whole.
    """
    columns, rows = get_terminal_size()
    lines = text.splitlines()
    if not sys.stdout.isatty() or (
        max(map(len, lines), default=0) <= columns and len(lines) <= SCREENS * rows
    ):
        return text
    log("this is a part of it, as the whole does not fit the terminal: for all of it add -o FILE")
    short = [line if len(line) <= columns else line[: columns - 1] + "…" for line in lines[: rows - 3]]
    return "\n".join([*short, *["…"] * (len(lines) > len(short))]) + "\n"


def show_json(
    fields: dict[str, Any], output: str | None = None, *, status: AnswerStatus = AnswerStatus.COMPLETE
) -> None:
    """Write an object as one line of JSON to a file or to standard output.

    Args:
        fields: the object.
        output: the file; by default standard output.
        status: the status, if the object has none.
    """
    if "status" not in fields:
        fields = {"status": status} | fields
    show(json.dumps(fields, ensure_ascii=False) + "\n", output)


def show_parts(parts: Iterable[str], output: str | None) -> None:
    """Write the parts of an answer to a file, or to standard output as they come."""
    if output is None:
        for part in parts:
            show(part)
        return
    with new_text_file(output) as file:
        file.writelines(parts)
    report_file(output)


def report_file(file: str, answer: formats.Thing | Sequence[formats.Thing] | None = None) -> None:
    """Say on a terminal that a file was written: what it holds, and its size."""
    if not sys.stderr.isatty():
        return
    path, holds = Path(file), []
    if isinstance(answer, cavalcade.Tour):
        holds = [answer.title(answer.board.title), f"{len(answer):,} cells"]
    elif isinstance(answer, cavalcade.Certificate):
        holds = [f"proof that there is {answer.claim}"]
    elif isinstance(answer, list):
        holds = [f"{len(answer):,} pictures"]
    if path.suffix.lower() == ".pdf":
        pages = path.read_bytes().count(b"/Type /Page\n")
        holds.append(f"{pages:,} page{'s' * (pages != 1)}")
    log(f"wrote {file}: {', '.join([*holds, f'{path.stat().st_size:,} bytes'])}")


def aligned(rows: Iterable[Sequence[object]], sides: str) -> str:
    """Format a table; `sides` has `<` or `>` for each column."""
    table = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = (
        "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=True))
        for row in table
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def log(message: str) -> None:
    """Write a remark to standard error, unless --quiet; if standard error is closed, the remark is lost."""
    context = click.get_current_context(silent=True)
    if context is None or not context.params.get("quiet"):
        status.remark(message)


def checked(verification: Verification, advice: str = "") -> str:
    """Say how an answer was checked, and what checks it if nothing has."""
    unchecked = verification == Verification.UNCHECKED and advice
    return f"{verification}: {advice}" if unchecked else str(verification)


def log_effort(effort: tuple[Effort, ...]) -> None:
    """Log the outcome of each turn of an engine."""
    for turn in effort:
        log(f"{turn.engine}, {turn.seconds:.3f} s: {turn.outcome}")


def log_search(verdict: cavalcade.Verdict, question: cavalcade.Question) -> None:
    """Log the turns of the engines, the engine that decided, and the time."""
    from cavalcade.theorems.literature import citation

    if verdict.status == "found" and (cited := citation(question)):
        log(cited)
    log_effort(verdict.effort)
    log(
        f"{verdict.status}: {question.board.title}, {question.board.size:,} cells, by {verdict.method}, "
        f"seed {verdict.seed}, {verdict.seconds:.3f} s"
    )


@contextmanager
def progress(what: str) -> Iterator[ProgressCallback | None]:
    """Return a callback for the fraction that is done; None if the status line is not shown."""
    status.say(what)
    yield (lambda done: status.say(what, done)) if status.watched() else None


def tracked(items: Iterable[Item], what: str, total: int) -> Iterator[Item]:
    """Iterate over items, and show the fraction that is done in the status line."""
    for done, item in enumerate(items):
        status.say(what, done / total)
        yield item


@contextmanager
def counting() -> Iterator[Callable[[Counted], None] | None]:
    """Return a callback for the progress of a count; None if the status line is not shown."""
    status.say("counting")
    yield (lambda now: status.say(str(now), now.taken / now.vertices)) if status.watched() else None
