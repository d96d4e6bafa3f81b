"""The examples in the documentation: run again, and compared or written anew.

A block that begins with ```console holds commands after `$ ` and below each what it prints. All commands
of a page run in one empty directory, one after the other: those of ours in this process, as each start of
its own would cost half a second, and bash runs what has a pipe, a file, or another program in it.
`python tests/examples.py FILE...` writes what they print today into the pages.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from cavalcade.cli import main

BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*)\n", re.MULTILINE)
CLOCK = re.compile(r'("seconds": )[0-9.e-]+|\b[0-9.]+( s)\b')
OURS = re.compile(r"cavalcade ((?:[^|<>&;$`*~\"]|\"[^\"$`]*\")+?)( 2>/dev/null)?")
TOLD = 'echo "exit code $?"'


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
    parts = command.split("; ")
    ours = all(part == TOLD or OURS.fullmatch(part) for part in parts)
    printed = _run_here(parts, directory) if ours else _run_in_bash(command, directory)
    return f"$ {command}\n{printed}" + "\n" * (printed[-1:] not in {"", "\n"})


def _run_here(parts: list[str], directory: Path) -> str:
    """What our commands print, one after the other, standard error in between."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    code = 0
    for part in parts:
        if not (ours := OURS.fullmatch(part)):
            out.write(f"exit code {code}\n")
            continue
        words, silenced = ours.groups()
        err = io.StringIO() if silenced else out
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), contextlib.chdir(directory):
            code = main(shlex.split(words))
    out.seek(0)
    return out.read()


def _run_in_bash(command: str, directory: Path) -> str:
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
    return done.stdout


if __name__ == "__main__":
    for name in sys.argv[1:]:
        Path(name).write_text(renewed(Path(name).read_text(encoding="utf-8")), encoding="utf-8")
