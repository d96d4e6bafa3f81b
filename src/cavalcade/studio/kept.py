"""What the studio keeps between two runs: its port and its token, so that its links live on.

It is a file that only its user can read. The browser reads the address with the token from such a file, too:
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
    """The port, 0 if none is known yet, and the token."""

    port: int
    token: str


def folder() -> Path:
    """Where the studio keeps its files, for this user alone."""
    home = Path(os.environ.get("XDG_STATE_HOME", ""))
    return (home if home.is_absolute() else Path.home() / ".local" / "state") / "cavalcade"


def read() -> Kept:
    """What was kept, or a new token if nothing was, or if others could have read it."""
    with suppress(OSError, ValueError, TypeError, KeyError, RuntimeError):
        path = folder() / "studio.json"
        found = json.loads(path.read_text("utf-8"))
        port, token = found["port"], found["token"]
        alone = os.name == "nt" or not path.stat().st_mode & 0o077
        if alone and type(port) is int and 0 < port < 65536 and TOKEN.fullmatch(token):
            return Kept(port, token)
    return Kept(0, secrets.token_urlsafe(24))


def keep(kept: Kept) -> None:
    """Keep them, if the disk allows it."""
    _write("studio.json", json.dumps(kept._asdict()))


def way(address: str) -> str:
    """What a browser opens to come to an address: a page that leads there, or the address itself."""
    words = f'<!doctype html><meta http-equiv="refresh" content="0; url={address}">'
    path = _write("open.html", f'{words}<a href="{address}">cavalcade studio</a>\n')
    return address if path is None else path.as_uri()


def _write(name: str, text: str) -> Path | None:
    """A file that nobody else can read; None if it cannot be written."""
    with suppress(OSError, RuntimeError):
        folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        path = folder() / name
        path.unlink(missing_ok=True)
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as stream:
            stream.write(text)
        return path
    return None
