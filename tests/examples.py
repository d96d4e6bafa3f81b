"""The examples in the documentation: run again, and compared or written anew.

A block that begins with ```console holds commands after `$ ` and below each what it prints. All commands
of a page run in one empty directory, one after the other: those of ours in this process, also in a pipe or
into a file, as each start of its own would cost half a second; bash runs everything else.
`python tests/examples.py FILE...` writes what they print today into the pages, and into a notebook what
its cells show.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

from cavalcade.cli import main

BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```$)", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*)\n", re.MULTILINE)
CLOCK = re.compile(r'("seconds": )[0-9.e-]+|\b[0-9.]+( s)\b')
OURS = re.compile(
    r"cavalcade ((?:[^|<>&;$`*~\"]|\"[^\"$`]*\")+?)(?: (2>&1|2> ?/dev/null))?(?: > ?([^\s|<>&;$`*~\"]+))?"
)
PARTS = re.compile(r"""(?:'[^']*'|"[^"]*"|(?!&&)[^'"|;])+|&&|[|;]""")

METHODS = {"image/svg+xml": "_repr_svg_", "text/html": "_repr_html_"}


def shown_anew(notebook: str, folder: Path) -> str:
    """A notebook with what its cells show today, as Jupyter stores it, text only of what has no picture."""
    book = json.loads(notebook)
    names: dict[str, Any] = {}
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    with contextlib.chdir(folder):
        for number, cell in enumerate(cells, 1):
            value = _value("".join(cell["source"]), names)
            shown = {kind: getattr(value, name)() for kind, name in METHODS.items() if hasattr(value, name)}
            shown = shown or {"text/plain": repr(value)}
            data = {kind: text.splitlines(keepends=True) for kind, text in shown.items()}
            of = {"output_type": "execute_result", "execution_count": number, "metadata": {}}
            cell |= {"execution_count": number, "outputs": [] if value is None else [of | {"data": data}]}
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def _value(source: str, names: dict[str, Any]) -> Any:
    """Run a cell: the value of its last line."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)  # noqa: S102 - our own
    return None if last is None else eval(ast.unparse(last), names)  # noqa: S307 - likewise


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
    parts = PARTS.findall(command)
    if any(OURS.fullmatch(part.strip()) for part in parts):
        printed = _run_here(parts, directory)
    else:
        printed = _run_in_bash(command, directory, b"", subprocess.STDOUT)[1].decode()
    return f"$ {command}\n{printed}" + "\n" * (printed[-1:] not in {"", "\n"})


def _run_here(parts: list[str], directory: Path) -> str:
    """What our commands and those around them print, one after the other, standard error in between."""
    shown, piped, code = b"", b"", 0
    for part, then in zip(parts[::2], [*parts[1::2], ";"], strict=True):
        if ours := OURS.fullmatch(part.strip()):
            words, errors, file = ours.groups()
            both = errors == "2>&1" or not (errors or file or then == "|")
            code, out, err = _run_ours(shlex.split(words), directory, piped, both=both)
            err = b"" if errors else err
            if file:
                (directory / file).write_bytes(out)  # or the null device, whose path is absolute
                out = b""
        else:
            last = subprocess.PIPE if then == "|" else subprocess.STDOUT
            code, out, err = _run_in_bash(f"(exit {code}); {part}", directory, piped, last)
        shown += err + (b"" if then == "|" else out)
        piped = out if then == "|" else b""
        if then == "&&" and code:
            break
    return shown.decode()


def _run_ours(words: list[str], directory: Path, given: bytes, *, both: bool) -> tuple[int, bytes, bytes]:
    """A command of ours, in this process: its exit code, its output and its errors, together if wanted."""
    written = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(one, encoding="utf-8", write_through=True) for one in written)
    stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(given)))
    heard = out if both else err
    with patch.multiple(sys, stdin=stdin, stdout=out, stderr=heard), contextlib.chdir(directory):
        code = main(words)
    said, failed = (one.getvalue() for one in written)
    return code, said, failed


def _run_in_bash(command: str, directory: Path, given: bytes, errors: int) -> tuple[int, bytes, bytes]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=directory,
        env=os.environ | {"PATH": path},
        input=given,
        stdout=subprocess.PIPE,
        stderr=errors,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr or b""


if __name__ == "__main__":
    for name in sys.argv[1:]:
        text = Path(name).read_text(encoding="utf-8")
        if name.endswith(".ipynb"):
            with tempfile.TemporaryDirectory() as directory:
                text = shown_anew(text, Path(directory))
        else:
            text = renewed(text)
        Path(name).write_text(text, encoding="utf-8")
