"""The same question as a command line and as Python."""

from __future__ import annotations

import shlex
from typing import Any

OPTIONS = {
    "start": "--from", "end": "--to", "with": "--with", "avoid": "--avoid", "symmetry": "--symmetry",
}  # fmt: skip


def lines(words: dict[str, Any]) -> dict[str, dict[str, str]]:
    """For `tour`, `prove` and `count`: what gives the same answer in a shell and in Python.

    Args:
        words: a question in the words of the page.
    """
    shell, call = [words["board"]], [repr(words["board"])]
    if words["piece"] != "knight":
        shell += ["--piece", words["piece"]]
        call.append(f"piece={words['piece']!r}")
    if words["open"]:
        shell.append("--open")
        call.append("open=True")
    for key, option in OPTIONS.items():
        if value := words[key]:
            shell += [
                part for one in (value if isinstance(value, list) else [value]) for part in (option, one)
            ]
            call.append(f"{'with_' if key == 'with' else key}={value!r}")
    return {
        name: {
            "shell": shlex.join(["cavalcade", name, *shell]),
            "python": f"cavalcade.{name}({', '.join(call)})",
        }
        for name in ("tour", "prove", "count")
    }
