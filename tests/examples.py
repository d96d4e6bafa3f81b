"""Run the examples of the documentation, for tests that compare the output and to regenerate it.

A block that begins with ```console contains commands after `$ `, each followed by its output. All commands of
a page run in one empty directory, in order. Commands of `cavalcade` run in this process, also in a pipe or
redirected to a file, because a new process would cost half a second. Bash runs the other commands.
`python tests/examples.py FILE...` updates the output in pages and notebooks.
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


def renewed_notebook(notebook: str, folder: Path) -> str:
    """A notebook with new outputs in Jupyter's format; text only for values without a picture."""
    book = json.loads(notebook)
    names: dict[str, Any] = {}
    cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    with contextlib.chdir(folder):
        for number, cell in enumerate(cells, 1):
            value = _value("".join(cell["source"]), names)
            shown = {kind: getattr(value, name)() for kind, name in METHODS.items() if hasattr(value, name)}
            shown = shown or {"text/plain": repr(value)}
            data = {kind: text.splitlines(keepends=True) for kind, text in shown.items()}
            header = {"output_type": "execute_result", "execution_count": number, "metadata": {}}
            cell |= {"execution_count": number, "outputs": [] if value is None else [header | {"data": data}]}
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


def _value(source: str, names: dict[str, Any]) -> Any:
    """Run a cell and return the value of its last line."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    exec(compile(ast.Module(body, []), "cell", "exec"), names)  # noqa: S102 - our own
    return None if last is None else eval(ast.unparse(last), names)  # noqa: S307 - our own


def renewed(page: str, folder: Path | None = None) -> str:
    """A page with new output of its commands, which run in a folder, by default an empty one."""
    if folder is None:
        with tempfile.TemporaryDirectory() as directory:
            return renewed(page, Path(directory))
    return BLOCK.sub(lambda block: "".join(_transcript(c, folder) for c in COMMAND.findall(block[0])), page)


def timeless(page: str) -> str:
    """A page without the run times of its commands."""
    return CLOCK.sub(r"\1…\2", page)


def _transcript(command: str, directory: Path) -> str:
    parts = PARTS.findall(command)
    if any(OURS.fullmatch(part.strip()) for part in parts):
        printed = _run_here(parts, directory)
    else:
        printed = _run_in_bash(command, directory, b"", subprocess.STDOUT)[1].decode()
    return f"$ {command}\n{printed}" + "\n" * (printed[-1:] not in {"", "\n"})


def _run_here(parts: list[str], directory: Path) -> str:
    """The output of a pipeline that contains our commands, with standard error in order."""
    shown, piped, code = b"", b"", 0
    for part, separator in zip(parts[::2], [*parts[1::2], ";"], strict=True):
        if ours := OURS.fullmatch(part.strip()):
            words, errors, file = ours.groups()
            merged = errors == "2>&1" or not (errors or file or separator == "|")
            code, out, err = _run_ours(shlex.split(words), directory, piped, merged=merged)
            err = b"" if errors else err
            if file:
                (directory / file).write_bytes(out)  # the path of the null device is absolute
                out = b""
        else:
            last = subprocess.PIPE if separator == "|" else subprocess.STDOUT
            code, out, err = _run_in_bash(f"(exit {code}); {part}", directory, piped, last)
        shown += err + (b"" if separator == "|" else out)
        piped = out if separator == "|" else b""
        if separator == "&&" and code:
            break
    return shown.decode()


def _run_ours(
    words: list[str], directory: Path, stdin_bytes: bytes, *, merged: bool
) -> tuple[int, bytes, bytes]:
    """Run our command in this process; return exit code, output and errors, optionally merged."""
    written = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(buffer, encoding="utf-8", write_through=True) for buffer in written)
    stdin = io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin_bytes)))
    error_stream = out if merged else err
    with patch.multiple(sys, stdin=stdin, stdout=out, stderr=error_stream), contextlib.chdir(directory):
        code = main(words)
    output, errors = (buffer.getvalue() for buffer in written)
    return code, output, errors


def _run_in_bash(command: str, directory: Path, stdin_bytes: bytes, errors: int) -> tuple[int, bytes, bytes]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=directory,
        env=os.environ | {"PATH": path},
        input=stdin_bytes,
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
                text = renewed_notebook(text, Path(directory))
        else:
            text = renewed(text)
        Path(name).write_text(text, encoding="utf-8")
