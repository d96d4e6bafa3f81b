"""The same question as a command line and as Python."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cavalcade.problem import Problem

OPTIONS = (
    ("start", "--from"),
    ("end", "--to"),
    ("with", "--with"),
    ("avoid", "--avoid"),
    ("symmetry", "--symmetry"),
)
KEYWORDS = {"with": "with_"}


def lines(problem: Problem, question: dict[str, Any]) -> dict[str, dict[str, str]]:
    """For `tour`, `prove` and `count` what gives the same answer in a shell and in Python.

    Args:
        problem: board, piece and kind.
        question: the words of the page.
    """
    return {name: {"shell": _shell(name, problem, question), "python": _python(name, problem, question)}
            for name in ("tour", "prove", "count")}  # fmt: skip


def _shell(name: str, problem: Problem, question: dict[str, Any]) -> str:
    words = ["cavalcade", name, problem.board.spec]
    words += [] if problem.piece.spec == "knight" else ["--piece", problem.piece.spec]
    words += [] if problem.closed else ["--open"]
    for key, option in OPTIONS:
        value = question[key]
        values = value if isinstance(value, list) else [value] if value else []
        words += [part for one in values for part in (option, one)]
    return shlex.join(words)


def _python(name: str, problem: Problem, question: dict[str, Any]) -> str:
    words = [repr(problem.board.spec)]
    words += [] if problem.piece.spec == "knight" else [f"piece={problem.piece.spec!r}"]
    words += [] if problem.closed else ["open=True"]
    words += [f"{KEYWORDS.get(key, key)}={question[key]!r}" for key, _ in OPTIONS if question[key]]
    return f"cavalcade.{name}({', '.join(words)})"
