"""The command, also as `python -m cavalcade`; an early Ctrl-C or a failing import never exits with 1."""

from __future__ import annotations

import os
import signal
import sys


def main() -> int:
    """Run the command line; returns the exit code.

    A library that is being imported can turn the KeyboardInterrupt of Ctrl-C into an error of its own. So
    the signal is noted, and an unexpected error after it is an interruption.
    """
    # NumPy's OpenBLAS would start a thread for each core, in a quarter of the processor time of a small tour;
    # no command multiplies large matrices.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    interrupted = False

    def note_interrupt(*_: object) -> None:
        nonlocal interrupted
        interrupted = True
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, note_interrupt)
    try:
        from cavalcade.cli import main as run

        code = run()
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted\n")
        return 130
    except Exception as error:  # noqa: BLE001 - Python would exit with 1, which means that there is no tour
        what = f"cavalcade is not completely installed: {type(error).__name__}: {error}"
        sys.stderr.write(f"error: {'interrupted' if interrupted else what}\n")
        code = 70  # as in `cli.ExitCode`, which may not be importable
    return 130 if interrupted and code == 70 else code


if __name__ == "__main__":
    sys.exit(main())
