"""Standard streams and signals: closed streams, encodings that lack characters, and SIGTERM."""

from __future__ import annotations

import io
import os
import signal
import sys

CLOSED = "standard input or output is closed"


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
