"""A running studio, for the tests of its server and of its page."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 20.0  # seconds that a test waits for an event, long enough for a busy machine


class Studio:
    """A running studio: its process, its address, and a client that has its token."""

    def __init__(self, state: str | Path, *options: str, descriptors: int | None = None) -> None:
        command = [sys.executable, "-m", "cavalcade", "studio", *(options or ["--no-browser"])]
        environment = os.environ | {"XDG_STATE_HOME": str(state)}
        if descriptors is not None:
            command = ["sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh", *command]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment)
        assert self.process.stderr is not None
        match = re.search(r"(http://127\.0\.0\.1:\d+/)\?token=(\S+)", self.process.stderr.readline())
        assert match is not None
        self.address, self.token = match.groups()
        self.headers = {"X-Cavalcade-Token": self.token}
        self.client = httpx.Client(base_url=self.address, timeout=60, headers=self.headers)

    def ask(self, ask: str, **words: Any) -> dict[str, Any]:
        """Ask a question; return the last line of the answer."""
        lines = self.client.post("/ask", json={"ask": ask, **words}).text.splitlines()
        answer: dict[str, Any] = json.loads(lines[-1])
        return answer

    def workers(self) -> list[int]:
        """Return the process ids of the workers."""
        listing = subprocess.run(
            ["ps", "-o", "pid=,stat=", "--ppid", str(self.process.pid)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return [int(line.split()[0]) for line in listing.stdout.splitlines() if "Z" not in line.split()[1]]


def alive(pid: int) -> bool:
    """Return whether a process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(condition: Any) -> None:
    """Wait until a condition holds, at most `PATIENCE` seconds."""
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


@contextmanager
def running(
    state: str | Path | None = None, *options: str, descriptors: int | None = None
) -> Iterator[Studio]:
    with tempfile.TemporaryDirectory() as folder:
        studio = Studio(state or folder, *options, descriptors=descriptors)
        try:
            yield studio
        finally:
            studio.client.close()
            studio.process.kill()
            studio.process.communicate()
