"""The examples in the documentation: run again, and compared or written anew.

A block that begins with ```console holds commands after `$ ` and below each what it prints. All commands
of a page run in one empty directory, one after the other. `python tests/examples.py FILE...` writes what
they print today into the pages.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*)\n", re.MULTILINE)
CLOCK = re.compile(r'("seconds": )[0-9.e-]+|\b[0-9.]+( s)\b')


def renewed(page: str, folder: Path | None = None) -> str:
    """The page with what all its commands print today; they run in a folder, or in an empty one."""
    if folder is None:
        with tempfile.TemporaryDirectory() as directory:
            return renewed(page, Path(directory))
    return BLOCK.sub(lambda block: "".join(_said(c, folder) for c in COMMAND.findall(block[0])), page)


def timeless(page: str) -> str:
    """The page without the times that its commands took."""
    return CLOCK.sub(r"\1…\2", page)


def _said(command: str, directory: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=directory,
        env=os.environ | {"PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    end = "" if not done.stdout or done.stdout.endswith("\n") else "\n"
    return f"$ {command}\n{done.stdout}{end}"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(renewed(Path(name).read_text(encoding="utf-8")), encoding="utf-8")
