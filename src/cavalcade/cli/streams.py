"""Standard streams and signals: closed streams, encodings, control characters, and SIGTERM."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
from typing import TextIO

CLOSED = "standard input or output is closed"
# What changes the state of a terminal or the order of a text: control characters except tab and line feed,
# DEL, the C1 controls, marks of the direction of text, separators of lines, and halves of surrogate pairs.
CONTROLS = re.compile(
    r"\r(?!\n)|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP, as an interrupt: code that cleans up after Ctrl-C also cleans up after it.

    Its argument is the number of the signal.
    """


def open_closed_streams() -> None:
    """Open the null device for every closed stream, so that no other file takes its descriptor.

    Text written to a closed standard error is lost; using a closed standard input or output raises OSError
    (EBADF). Characters that an encoding lacks are written as `?`.
    """
    for number, (name, flags) in enumerate(
        (("stdin", os.O_WRONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_RDWR))
    ):
        stream = getattr(sys, name)
        if stream is None:
            file = os.open(os.devnull, flags)
            if file != number:
                os.dup2(file, number)
                os.close(file)
            mode = "w" if number else "r"
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))
        elif number and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace" if number == 2 else "replace")


def handle_sigterm() -> None:
    """Let SIGTERM and SIGHUP end the command like Ctrl-C, but with other exit codes.

    SIGHUP remains ignored under `nohup`.
    """

    def terminate(number: int, _: object) -> None:
        raise Terminated(number)

    signal.signal(signal.SIGTERM, terminate)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        signal.signal(signal.SIGHUP, terminate)


def printable(text: str) -> str:
    r"""Write control characters as escapes such as `\u001b`, as JSON does.

    A name, a label or a message of another program could otherwise move the cursor, change the title of the
    window, or show its characters in another order.
    """
    return CONTROLS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def write(stream: TextIO, text: str, *, controls: str = "") -> None:
    """Write a text for people: every text that a command shows on a terminal passes here.

    Args:
        stream: standard output or standard error.
        text: the text, whose control characters are escaped.
        controls: control characters of our own, written before it.
    """
    stream.write(controls + printable(text))
    stream.flush()
