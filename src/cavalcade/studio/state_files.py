"""Files of the studio: the port of the last session, so that links remain valid, and a page for the browser.

Only the user can read them. The browser reads the address with the token from a file, because every user of a
machine can read the arguments of a process.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cavalcade.ground.errors import FormatError
from cavalcade.ground.storage import remove_file, write_file

PORT, PAGE = "studio.port", "open.html"


def folder() -> Path:
    """Return the folder for the files of the studio, private to this user."""
    home = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (home if home.is_absolute() else Path.home() / ".local" / "state") / "cavalcade"


def last_port() -> int:
    """Return the port of the last session; 0 if there was none."""
    with suppress(OSError, ValueError, RuntimeError):
        port = int((folder() / PORT).read_text("ascii"))
        if 0 < port < 65536:
            return port
    return 0


def keep_port(port: int) -> None:
    """Store the port if the disk allows it."""
    _write(PORT, f"{port}\n")


@contextmanager
def opening(address: str) -> Iterator[str]:
    """Yield what a browser opens to reach an address: a page that leads there, or the address itself.

    The page contains the token, and is removed at the end.
    """
    words = f'<!doctype html><meta http-equiv="refresh" content="0; url={address}">'
    path = _write(PAGE, f'{words}<a href="{address}">cavalcade studio</a>\n')
    try:
        yield address if path is None else path.as_uri()
    finally:
        if path is not None:
            with suppress(FormatError):
                remove_file(path)


def _write(name: str, text: str) -> Path | None:
    """Write a file that no other user can read; return None if that fails."""
    with suppress(OSError, RuntimeError, FormatError):
        folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder() / name
        write_file(path, text, private=True)
        return path
    return None
