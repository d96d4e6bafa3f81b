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
from itertools import pairwise
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
    return [
        Example(START.sub("cavalcade ", row[0]), row[1], stems(re.sub(r"\S+\.\w+", "", " ".join(row))))
        for row in rows
    ]


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
    whole = stems(unknown) if re.search(r"^--|^\S+-\S+$", unknown) else frozenset()
    beside = stems(" ".join(words))

    def likeness(example: Example) -> float:
        if whole and not whole <= example.stems:
            return 0
        shared = sum(1 / count[stem] for stem in rare & example.stems)
        same = example.line.startswith(f"cavalcade {words[0]} ")
        return shared and shared + (sum(1 / count[stem] for stem in beside & example.stems) + same) / 4

    for example in sorted(filter(likeness, examples()), key=likeness, reverse=True)[:3]:
        for line in (_about(example.line, words), example.line):
            if accepts(line) and _says_more(line, words, unknown):
                files = re.findall(r"(?<!-o )(?<!--bfile )\b\w+\.(?:txt|csv|tsp|sas)\b", line)
                yours = "".join(f"; {file} is a file of yours" for file in files if not Path(file).exists())
                return f"{line} ({example.meaning}{yours})"
    return ""


def _read(words: Sequence[str]) -> list[str]:
    """Return the files of a line that exist, without its output."""
    pairs = pairwise(["", *words])
    return [
        word
        for option, word in pairs
        if option not in {"-o", "--output"} and re.search(r"[./]", word) and Path(word).is_file()
    ]


def _says_more(line: str, words: Sequence[str], unknown: str) -> bool:
    """Whether an example has words that a line lacks, and takes the file of the line."""
    own = [word for word in shlex.split(line)[1:] if not BOARD.fullmatch(word) and "." not in word]
    files = _read(words)
    return not {*own} <= {*words} - {*unknown.split()} and (not files or files[0] in line)


def _about(line: str, words: Sequence[str]) -> str:
    """Return an example with the board or the file of another line."""
    boards = [word for word in words if BOARD.fullmatch(word) or word == "-" or Path(word).is_file()]
    files = _read(words)
    if files and (piped := re.fullmatch(r".* \| (cavalcade \w+) -(.*)", line)):
        return f"{piped[1]} {shlex.quote(files[0])}{re.sub(r' [0-9]+x[0-9]+', '', piped[2])}"
    if files and (named := re.fullmatch(r"(cavalcade \w+ )[\w.]+\.\w+\b(.*)", line)):
        return f"{named[1]}{shlex.quote(files[0])}{named[2]}"
    old = next((word for word in shlex.split(line) if BOARD.fullmatch(word)), "")
    return line.replace(f" {old}", f" {boards[0]}", 1) if old and boards else line
