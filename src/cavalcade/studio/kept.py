"""Port and token of the studio, stored between two runs so that its links remain valid.

Only the user can read the file. The browser reads the address with the token from such a file, too, because
every user of a machine can read the arguments of a process.
"""

from __future__ import annotations

import json
import os
import re
import secrets
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

TOKEN = re.compile("[A-Za-z0-9_-]{32}")


class Kept(NamedTuple):
    """Port, 0 if unknown, and token."""

    port: int
    token: str


def folder() -> Path:
    """Return the folder for the files of the studio, private to this user."""
    home = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (home if home.is_absolute() else Path.home() / ".local" / "state") / "cavalcade"


def read() -> Kept:
    """Return the stored port and token, or a new token if nothing is stored or others could read it."""
    with suppress(OSError, ValueError, TypeError, KeyError, RuntimeError):
        path = folder() / "studio.json"
        stored = json.loads(path.read_text("utf-8"))
        port, token = stored["port"], stored["token"]
        alone = os.name == "nt" or not path.stat().st_mode & 0o077
        if alone and type(port) is int and 0 < port < 65536 and TOKEN.fullmatch(token):
            return Kept(port, token)
    return Kept(0, secrets.token_urlsafe(24))


def keep(kept: Kept) -> None:
    """Store port and token if the disk allows it."""
    _write("studio.json", json.dumps(kept._asdict()))


def way(address: str) -> str:
    """Return what a browser opens to reach an address: a page that leads there, or the address itself."""
    words = f'<!doctype html><meta http-equiv="refresh" content="0; url={address}">'
    path = _write("open.html", f'{words}<a href="{address}">cavalcade studio</a>\n')
    return address if path is None else path.as_uri()


def _write(name: str, text: str) -> Path | None:
    """Write a file that no other user can read; return None if that fails."""
    with suppress(OSError, RuntimeError):
        folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder() / name
        path.unlink(missing_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as stream:
            stream.write(text)
        return path
    return None
