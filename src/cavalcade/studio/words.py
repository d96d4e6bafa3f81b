"""The same question as a command line and as Python."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cavalcade.question.question import Question

OPTIONS = (
    ("start", "--from"),
    ("end", "--to"),
    ("with", "--with"),
    ("avoid", "--avoid"),
    ("symmetry", "--symmetry"),
)
KEYWORDS = {"with": "with_"}


def lines(question: Question, words: dict[str, Any]) -> dict[str, dict[str, str]]:
    """For `tour`, `prove` and `count` what gives the same answer in a shell and in Python.

    Args:
        question: board, piece and kind.
        words: the words of the page.
    """
    return {name: {"shell": _shell(name, question, words), "python": _python(name, question, words)}
            for name in ("tour", "prove", "count")}  # fmt: skip


def _shell(name: str, question: Question, words: dict[str, Any]) -> str:
    line = ["cavalcade", name, question.board.spec]
    line += [] if question.piece.spec == "knight" else ["--piece", question.piece.spec]
    line += [] if question.closed else ["--open"]
    for key, option in OPTIONS:
        value = words[key]
        values = value if isinstance(value, list) else [value] if value else []
        line += [part for one in values for part in (option, one)]
    return shlex.join(line)


def _python(name: str, question: Question, words: dict[str, Any]) -> str:
    call = [repr(question.board.spec)]
    call += [] if question.piece.spec == "knight" else [f"piece={question.piece.spec!r}"]
    call += [] if question.closed else ["open=True"]
    call += [f"{KEYWORDS.get(key, key)}={words[key]!r}" for key, _ in OPTIONS if words[key]]
    return f"cavalcade.{name}({', '.join(call)})"
