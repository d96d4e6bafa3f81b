"""The end of a message about a line that a command refuses: its own options, and a line that it accepts.

The accepted line is the refused one, with each refused word replaced by what the message suggests, or left
out. It is parsed before it is printed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path

import click

from cavalcade.cli.bare_words import CELL, fits
from cavalcade.cli.meanings import OWN
from cavalcade.cli.menu import SUMMARIES
from cavalcade.ground import TEXT_WIDTH
from cavalcade.ground.errors import CavalcadeError
from cavalcade.question.words import ROWS

SUGGESTED = re.compile(
    r"(?:try|mean|or) (--?[a-z][\w-]*(?: (?!or\b)[^\s,?;]+)?)"
)  # an option, perhaps with a value
QUOTED = re.compile(r"'([^']+)'")
# options that are rarely meant, or that every command has
LAST = {"input_format", "columns", "directed", "constraints", "beside", "memory", "quiet", "seed", "json_"}
VALUES = {
    "FILE": "tour.txt", "CELL": "a1", "CELLS": "a1", "MOVE": "a1-b3", "P": "camel", "C": "blue",
    "DIR": "rows", "NAME": "half-turn", "STEP=CELL": "1=a1", "FROM,TO,WEIGHT": "1,2,3",
}  # fmt: skip


class RefusedWordError(click.UsageError):
    """A word of the line is refused, and the message may suggest options to type instead.

    Attributes:
        typed: the refused word.
    """

    def __init__(self, message: str, typed: str) -> None:
        super().__init__(message)
        self.typed = typed


def explained(error: click.UsageError, context: click.Context, args: Sequence[str], parse: Parse) -> str:
    """Return a message with the options of the command, if a word was refused, and a line that is accepted.

    The message has at most four lines of text.
    """
    message = error.format_message().removesuffix(".")
    name, line = context.command.name or "", ""
    if name == "continue" and (cells := [word for word in args if CELL.fullmatch(word)]):
        board = [word for word in args if word not in cells]
        if _accepts(parse, ["-", *board]):
            line = f"echo {' '.join(cells)} | cavalcade continue - {shlex.join(board)}"
    elif ": try cavalcade" not in message:
        line = accepted(error, context.command, args, parse)
    example = f"; for example: {line}" if line else ""
    options = ""
    if isinstance(error, RefusedWordError):
        rest = f"error: {message}{example} (see cavalcade {name} --help)\n"
        options = own_options(context.command, error.typed, message, 4 * TEXT_WIDTH - 1 - len(rest))
    return message + options + example


Parse = Callable[[list[str]], object]


def own_options(command: click.Command, typed: str, message: str, width: int) -> str:
    """Return the options of a command: those nearest to a word with their meanings, then names.

    Args:
        command: the command.
        typed: the word.
        message: what is said about the word; the options in it come first.
        width: the most characters to return.
    """
    stems = _stems(typed)

    def distance(option: click.Option) -> tuple[bool, bool, int]:
        about = _stems(" ".join([*option.opts, *getattr(option.type, "choices", ()), option.help or ""]))
        return (
            f"{option.opts[-1]} " not in f"{message} ".replace("?", " "),
            stems.isdisjoint(about),
            _rank(option),
        )

    options = [
        option
        for option in command.params
        if isinstance(option, click.Option)
        and (getattr(option, "section", "") == OWN or command.name == "draw" or option.opts[-1] in message)
    ]
    entries = [(option.opts[-1], f" ({_meaning(option)})") for option in sorted(options, key=distance)]
    return listed("; the options are ", entries, width)


def listed(what: str, entries: Sequence[tuple[str, str]], width: int) -> str:
    """Return a list of names, the first with their meanings and the others without, or nothing if none fits.

    Args:
        what: the words in front of the list.
        entries: the names and their meanings.
        width: the most characters to return.
    """
    text = what
    for name, meaning in entries:
        entry = name + meaning * (len(text) + len(name + meaning) <= width * 3 // 4)
        if len(text) + len(entry) > width - len(", …"):
            return text + "…" if text != what else ""
        text += f"{entry}, "
    return text.removesuffix(", ")


def commands_by_meaning(typed: str) -> str:
    """Return the end of a sentence with the commands, those nearest to a word with their summaries."""
    stems = _stems(typed)
    ranked = sorted(SUMMARIES.items(), key=lambda item: stems.isdisjoint(_stems(" ".join(item))))
    entries = [(name, f" ({summary[:1].lower()}{summary[1:].rstrip('.')})") for name, summary in ranked]
    return listed(": the commands are ", entries, 3 * TEXT_WIDTH) + "; for example: cavalcade tour 8x8"


def _rank(option: click.Option) -> int:
    """Return 0 for the options of this command alone and the usual ones, more for rare options."""
    if option.name in LAST:
        return 2
    return int(option.name in ROWS and option.name not in {"piece", "open", "start"})


def _meaning(option: click.Option) -> str:
    """Return the first clause of the help of an option."""
    clause = re.split(r"[.:;]| \(", option.help or "", maxsplit=1)[0].strip()
    if len(clause) > TEXT_WIDTH // 2:
        clause = clause.partition(", ")[0]
    clause = {"piece": "knight, camel, 1,4, and others"}.get(option.name or "", clause)
    return clause if clause[:2].isupper() else clause[:1].lower() + clause[1:]


def _stems(text: str) -> set[str]:
    """Return the words of a text without a plural's ending, cut to five letters: related words share them."""
    return {word.removesuffix("s")[:5] for word in re.findall("[a-z]{3,}", text.lower())}


def accepted(error: click.UsageError, command: click.Command, args: Sequence[str], parse: Parse) -> str:
    """Return the line with the fewest changes that is accepted or that a message names, or nothing.

    A trial takes about a millisecond. A line with several refused words needs several trials for each.
    """
    named = _named(error)
    queue: list[tuple[Sequence[str], click.UsageError]] = [(args, error)]
    trials = 0
    while queue:
        refused, error = queue.pop(0)
        for line in _changes(refused, error, command):
            trials += 1
            if trials > 10 * len(args):
                return named
            try:
                parse(line)
            except click.UsageError as next_error:
                queue.append((line, next_error))
                named = named or _named(next_error)
            except (CavalcadeError, OSError, click.exceptions.Exit):
                continue
            else:
                return f"cavalcade {shlex.join([command.name or '', *line])}"
    return named


def _accepts(parse: Parse, line: list[str]) -> bool:
    """Whether a line is accepted."""
    try:
        parse(line)
    except (click.UsageError, CavalcadeError, OSError, click.exceptions.Exit):
        return False
    return True


def _named(error: click.UsageError) -> str:
    """Return the line that a message ends with, or nothing."""
    return "".join(re.findall(r": try ((?:cavalcade|echo) .*)$", error.message))


def _changes(args: Sequence[str], error: click.UsageError, command: click.Command) -> Iterator[list[str]]:
    """Yield lines without the refused word: the likeliest first."""
    option = getattr(error, "param", None)
    suggested = [words.split() for words in SUGGESTED.findall(error.message)]
    quoted = QUOTED.search(error.message)
    typed = getattr(error, "typed", "") or getattr(error, "option_name", "") or (quoted[1] if quoted else "")
    index = next((i for i, word in enumerate(args) if typed in {word, word.partition("=")[0]}), None)
    if index is None:
        for words in suggested:
            yield [*args, *words]
        return
    before, after = [*args[:index]], [*args[index + 1 :]]
    options = {name: param for param in command.params for name in param.opts}
    if isinstance(error, click.BadOptionUsage) and not after:
        yield [*before, typed, _sample(options.get(typed))]
    elif isinstance(option, click.Argument):
        yield [*before, _sample(option), *after]
    elif isinstance(option, click.Option) and before:  # its value is refused
        for words in suggested:
            yield [*before[:-1], *words, *after]
        yield [*before[:-1], *after]
    value = after[:1] if after and typed.startswith("-") and not after[0].startswith("-") else []
    for words in suggested:
        meant = options.get(words[0])
        valued = isinstance(meant, click.Option) and not meant.is_flag
        if value and isinstance(meant, click.Option) and valued and fits(meant, value[0]):
            yield [*before, words[0], *after]
        if valued and len(words) == 1 and not typed.startswith("-"):
            continue  # a word of a sentence has no value
        replaced = [*words, *[_sample(meant)] * (valued and len(words) == 1)]
        if not valued and not typed.startswith("-"):
            yield [*before, *after]  # a word of a sentence is rather no flag
        yield [*before, *replaced, *after[len(value) :]]
        yield [*before, *replaced, *after]
    if value:
        yield [*before, *after[1:]]
    yield [*before, *after]


def _sample(option: click.Parameter | None) -> str:
    """Return a value of an option."""
    if option is not None and option.name == "output":  # a file that does not exist
        return next(name for k in count(1) if not Path(name := f"new{k}.txt").exists())
    choices = getattr(getattr(option, "type", None), "choices", ())
    return next(iter(choices), VALUES.get((getattr(option, "metavar", None) or "").partition("|")[0], "5"))
