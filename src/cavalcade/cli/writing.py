"""How commands answer: on standard output or into a file, with lines about it on standard error."""

from __future__ import annotations

import dataclasses
import json
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from cavalcade.cli import FOUND, IMPOSSIBLE, UNDECIDED
from cavalcade.formats.table import chosen
from cavalcade.ground import __version__
from cavalcade.ground.errors import FormatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cavalcade.answers.counts import Count, Distribution
    from cavalcade.answers.tours import Tour
    from cavalcade.answers.verdict import Effort
    from cavalcade.frontier.search import Progress as Counted
    from cavalcade.ground.threads import ProgressCallback
    from cavalcade.question.question import Question

EXIT_CODES = {"found": FOUND, "impossible": IMPOSSIBLE, "undecided": UNDECIDED}


def writable(output: str | None) -> None:
    """Refuse a file in a directory that does not exist, before the work and not after it."""
    if output is not None and not Path(output).parent.is_dir():
        raise FormatError(f"cannot write {output}: there is no directory {str(Path(output).parent)!r}")


def format_for(
    given: str | None, output: str | None, kind: str | tuple[str, ...] = "Tour", usual: str = "text"
) -> str:
    """The format of `--format`, or that of the file's ending, or the usual one; the file can be written."""
    writable(output)
    return chosen(given, output, kind, usual)


def deliver(
    tour: Tour, format_: str, output: str | None, *, beside: bool = False, comment: bool = True
) -> None:
    """Show a tour, or write it to a file, which may be an array; `comment` is the sentence about it."""
    from cavalcade.formats import rendered, save

    options = {"beside": True} if beside and format_ == "text" else {}
    options |= {} if comment else {"header": False}
    if output is not None:
        save(tour, output, format_, **options)
    else:
        show(rendered(tour, format_, **options))


def show(data: str | bytes, output: str | None = None) -> None:
    """Put an answer into a file, or on standard output."""
    if output is not None:
        from cavalcade.formats.files import write_file

        write_file(output, data)
        return
    if isinstance(data, bytes) and sys.stdout.isatty():
        raise FormatError("this format is not text and cannot be shown on a terminal: add -o FILE")
    sys.stdout.flush()
    rest = memoryview(data.encode() if isinstance(data, str) else data)
    while rest:  # unbuffered (python -u), a write may stop in the middle
        rest = rest[sys.stdout.buffer.write(rest) :]
    sys.stdout.buffer.flush()


def log(message: str) -> None:
    """Write a line to standard error, apart from the answer; if that is shut, the answer is what counts."""
    with suppress(OSError):
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()


def log_effort(effort: tuple[Effort, ...]) -> None:
    """Log what each engine came to."""
    for one in effort:
        log(f"{one.engine}, {one.seconds:.3f} s: {one.outcome}")


@contextmanager
def _bar(what: str, total: float | None) -> Iterator[Callable[..., None] | None]:
    """What updates a progress bar on standard error; None if that is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda **new: bar.update(task, **new)


@contextmanager
def progress(what: str) -> Iterator[ProgressCallback | None]:
    """A callback that draws how much is done, from 0 to 1, on standard error; None if not a terminal."""
    with _bar(what, 1) as update:
        yield None if update is None else lambda done: update(completed=done)


@contextmanager
def counting() -> Iterator[Callable[[Counted], None] | None]:
    """A callback that draws how far a count has come on standard error; None if not a terminal."""
    with _bar("counting", None) as update:
        if update is None:
            yield None
            return

        def draw(now: Counted) -> None:
            text = f"{now.taken} of {now.vertices} steps, {now.states:,} states, {now.bytes / 2**20:,.0f} MiB"
            if now.expected_bytes > 2**30:
                text += f" of about {now.expected_bytes / 2**30:,.1f} GiB"
            update(total=now.vertices, completed=now.taken, description=text)

        yield draw


def show_count(question: Question, found: Count | Distribution, **more: object) -> None:
    """Print what was asked and counted as JSON: the fields of the answer, and more."""
    asked = {"board": question.board.spec, "piece": question.piece.spec, "kind": question.kind}
    show(json.dumps({**asked, **dataclasses.asdict(found), **more}) + "\n")


def log_count(question: Question, what: str, found: Count | Distribution, work: str) -> None:
    """Log what was counted, by which conventions, and what it cost."""
    spent = f"{found.seconds:.2f} s, {work}{found.peak_bytes / 2**20:,.0f} MiB"
    log(f"{question.board.title}, {question.piece.spec}: {what}; {spent}; cavalcade {__version__}")
