"""Examples of every command, each with its meaning, and the example that is nearest to a refused line.

The help of a command ends with up to three of its examples. A line that is refused without better advice is
answered with the nearest example of all commands.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from cavalcade.cli.bare_words import BOARD, FILLERS
from cavalcade.cli.meanings import table
from cavalcade.cli.menu import SUMMARIES

SMALL_WORDS = "for that not its from other another what than new each between run show make print square"
SMALL = FILLERS.union(SMALL_WORDS.split())  # they say nothing about a command
START = re.compile(r"(?:^|(?<=\| ))(?=(?:help|" + "|".join(SUMMARIES) + r")\b)")


class Example(NamedTuple):
    """An example.

    Attributes:
        line: the line, as it is typed.
        meaning: what it does.
        stems: the stems of the line, the meaning and other words for it.
    """

    line: str
    meaning: str
    stems: frozenset[str]


def stems(text: str) -> frozenset[str]:
    """Return the words of a text without a plural's ending, cut to six letters: related words share them."""
    words = re.findall("[a-z]{3,}", text.lower().replace("colour", "color"))
    return frozenset({word.removesuffix("s")[:6] for word in words} - SMALL)


@cache
def examples() -> list[Example]:
    """Return all examples."""
    rows = (row.split(" = ") for row in table("Examples"))
    return [Example(START.sub("cavalcade ", row[0]), row[1], stems(" ".join(row))) for row in rows]


def of_command(name: str) -> list[Example]:
    """Return the examples of a command."""
    return [example for example in examples() if re.search(rf"cavalcade {name}\b[^|]*$", example.line)]


def nearest(words: Sequence[str], unknown: str, accepts: Callable[[str], bool]) -> str:
    """Return the example that has most in common with a line, with its meaning, or nothing.

    A stem weighs the less the more examples have it. One that more than a tenth of them have is too common to
    be an answer to the unknown words.

    Args:
        words: the words of the line.
        unknown: the words that were not understood, of which the example has at least one.
        accepts: whether a line is accepted.
    """
    count = Counter(stem for example in examples() for stem in example.stems)
    rare = {stem for stem in stems(unknown) if count[stem] * 10 <= len(examples())}
    beside = stems(" ".join(words))

    def likeness(example: Example) -> float:
        shared = sum(1 / count[stem] for stem in rare & example.stems)
        same = example.line.startswith(f"cavalcade {words[0]} ")
        return shared and shared + (sum(1 / count[stem] for stem in beside & example.stems) + same) / 4

    for example in sorted(filter(likeness, examples()), key=likeness, reverse=True)[:3]:
        for line in (_about(example.line, words), example.line):
            if accepts(line):
                return f"{line} ({example.meaning})"
    return ""


def _about(line: str, words: Sequence[str]) -> str:
    """Return an example with the board or the file of another line."""
    boards = [word for word in words if BOARD.fullmatch(word) or word == "-" or Path(word).is_file()]
    files = [word for word in words if re.search(r"[./]", word) and Path(word).is_file()]
    if files and (piped := re.fullmatch(r".* \| (cavalcade \w+) -(.*)", line)):
        return f"{piped[1]} {shlex.quote(files[0])}{piped[2]}"
    if files and (named := re.fullmatch(r"(cavalcade \w+ )[\w.]+\.\w+\b(.*)", line)):
        return f"{named[1]}{shlex.quote(files[0])}{named[2]}"
    old = next((word for word in shlex.split(line) if BOARD.fullmatch(word)), "")
    return line.replace(f" {old}", f" {boards[0]}", 1) if old and boards else line
