"""What the command is doing: a status line on a terminal, erased by other output; elsewhere one line."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from cavalcade.cli.streams import printable, write
from cavalcade.ground import TEXT_WIDTH
from cavalcade.ground.budget import clock_stands

COMPILING = "compiling, once on this machine"
AFTER = 2.0  # seconds until the line appears, and the most seconds of work that an interrupt may lose
EVERY = 0.5  # seconds between two updates: often enough to see progress, without flicker
ERASED = "\r\x1b[K"


class _Line(threading.Thread):
    """A thread that updates the status line until it is stopped."""

    def __init__(self, limit: float | None) -> None:
        super().__init__(daemon=True)
        self.what, self.done, self.limit = "working", 0.0, limit
        self.began, self.shown = time.monotonic(), False
        self.ended, self.lock = threading.Event(), threading.Lock()

    def run(self) -> None:
        terminal = sys.stderr.isatty()
        wait = AFTER if terminal else 10 * AFTER  # logs stay clean of answers that come soon
        while not self.ended.wait(wait):
            wait = EVERY
            with self.lock:
                if not terminal:
                    _put(f"{self.text}\n")
                    return
                if not self.ended.is_set():
                    columns = shutil.get_terminal_size().columns
                    _put(printable(self.text)[: columns - 1], controls=ERASED)
                    self.shown = True

    @property
    def text(self) -> str:
        """The text of the line."""
        what = f"{self.what} {self.done:.0%}" if self.done else self.what
        if clock_stands():
            what = COMPILING
        most = "" if self.limit is None else f" of {self.limit:g}"
        return f"{what}, {time.monotonic() - self.began:.0f}{most} s (Ctrl-C ends it)"


_lines: list[_Line] = []  # of the running command


def _put(text: str, *, controls: str = "") -> None:
    with suppress(OSError, ValueError):
        write(sys.stderr, text, controls=controls)


@contextmanager
def line(limit: float | None) -> Iterator[None]:
    """Say what the command is doing while a block runs; `limit` is in seconds."""
    _lines.append(_Line(limit))
    _lines[-1].start()
    try:
        yield
    finally:
        _lines[-1].ended.set()
        _lines[-1].join()
        erase()
        _lines.pop()


def erase() -> None:
    """Erase the line before other output."""
    for status_line in _lines:
        with status_line.lock:
            if status_line.shown:
                _put("", controls=ERASED)
                status_line.shown = False


def filled(text: str, stream: TextIO, indent: str = "") -> str:
    """Wrap text to `width_of` a stream."""
    import textwrap

    wide = width_of(stream)
    return textwrap.fill(text, wide, subsequent_indent=indent, break_on_hyphens=False) + "\n"


def width_of(stream: TextIO) -> int:
    """Return the columns of text on a stream: of the variable COLUMNS or of the terminal, at most 100."""
    if stream.isatty() or os.environ.get("COLUMNS", "").isdecimal():
        return max(min(shutil.get_terminal_size().columns, TEXT_WIDTH), 1)
    return TEXT_WIDTH


def remark(text: str) -> None:
    """Write a line to standard error, wrapped if it is a terminal."""
    erase()
    text = printable(text)
    _put(filled(text, sys.stderr) if sys.stderr.isatty() else f"{text}\n")


def watched() -> bool:
    """Whether the status line is updated repeatedly, as it is only on a terminal."""
    return bool(_lines) and sys.stderr.isatty()


def say(what: str, done: float = 0.0) -> None:
    """Set the text of the status line, and the fraction that is done; 0 if unknown."""
    for status_line in _lines:
        status_line.what, status_line.done = what, done
