"""The line on a terminal that says what is done, from two seconds on; whatever else is written erases it."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from cavalcade.ground.budget import clock_stands

COMPILING = "compiling, once on this machine"
AFTER, EVERY = 2.0, 0.5  # seconds: the first line, and each next one
ERASED = "\r\x1b[K"
WIDEST = 100  # columns of running text


class _Line(threading.Thread):
    """Writes the line, and writes it anew, until it is stopped."""

    def __init__(self, limit: float | None) -> None:
        super().__init__(daemon=True)
        self.what, self.done, self.limit = "working", 0.0, limit
        self.began, self.ended, self.lock, self.shown = (
            time.monotonic(),
            threading.Event(),
            threading.Lock(),
            False,
        )

    def run(self) -> None:
        wait = AFTER
        while not self.ended.wait(wait):
            wait = EVERY
            with self.lock:
                if not self.ended.is_set():
                    columns = shutil.get_terminal_size().columns
                    _put(f"{ERASED}{self.text[: columns - 1]}")
                    self.shown = True

    @property
    def text(self) -> str:
        """What is said."""
        what = f"{self.what} {self.done:.0%}" if self.done else self.what
        if clock_stands():
            what = COMPILING
        most = "" if self.limit is None else f" of {self.limit:g}"
        return f"{what}, {time.monotonic() - self.began:.0f}{most} s (Ctrl-C ends it)"


_lines: list[_Line] = []  # the one of the command that runs


def _put(text: str) -> None:
    with suppress(OSError, ValueError):
        sys.stderr.write(text)
        sys.stderr.flush()


@contextmanager
def line(limit: float | None) -> Iterator[None]:
    """Say on the terminal, if standard error is one, how long it has taken; `limit` are seconds."""
    if not sys.stderr.isatty():
        yield
        return
    _lines.append(_Line(limit))
    _lines[-1].start()
    try:
        yield
    finally:
        _lines[-1].ended.set()
        erase()
        _lines.pop()


def erase() -> None:
    """Make room for what is written now."""
    for one in _lines:
        with one.lock:
            if one.shown:
                _put(ERASED)
                one.shown = False


def filled(text: str, stream: TextIO, indent: str = "") -> str:
    """Text in lines as wide as the terminal, at most 100 columns, and 100 where the stream is no terminal."""
    import textwrap

    wide = min(shutil.get_terminal_size().columns, WIDEST) if stream.isatty() else WIDEST
    return textwrap.fill(text, wide, subsequent_indent=indent, break_on_hyphens=False) + "\n"


def remark(text: str) -> None:
    """Write a line to standard error; on a terminal at its width."""
    erase()
    _put(filled(text, sys.stderr) if sys.stderr.isatty() else f"{text}\n")


def watched() -> bool:
    """Whether anybody sees what `say` says."""
    return bool(_lines)


def say(what: str, done: float = 0.0) -> None:
    """What is under way, and which part of it is done, from 0 to 1; 0 where that is not known."""
    for one in _lines:
        one.what, one.done = what, done
