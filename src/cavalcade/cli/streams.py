"""Standard streams and signals as a shell may hand them over: closed, in an old encoding, about to end."""

from __future__ import annotations

import io
import os
import signal
import sys

CLOSED = "standard input or output is closed"


class Terminated(KeyboardInterrupt):
    """SIGTERM: what cleans up after Ctrl-C cleans up after it too."""


def mend_streams() -> None:
    """Give every closed stream a file of its own, so that no other file takes its number.

    What is written to a closed standard error is lost; a closed standard input or output raises OSError
    (EBADF) when it is used. Characters that an encoding lacks are written as `?`.
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
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
        elif number and isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace" if number == 2 else "replace")


def hear_sigterm() -> None:
    """Let SIGTERM end the command as Ctrl-C does, with its own exit code."""

    def terminate(*_: object) -> None:
        raise Terminated

    signal.signal(signal.SIGTERM, terminate)
