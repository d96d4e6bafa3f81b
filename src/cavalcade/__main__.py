"""The command, also as `python -m cavalcade`; an early Ctrl-C or a failing import never exits with 1."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; returns the exit code."""
    try:
        from cavalcade.cli import main as run

        return run()
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted\n")
        return 130
    except Exception as error:  # noqa: BLE001 - Python would exit with 1, which means that there is no tour
        sys.stderr.write(f"error: cavalcade is not completely installed: {type(error).__name__}: {error}\n")
        return 70


if __name__ == "__main__":
    sys.exit(main())
