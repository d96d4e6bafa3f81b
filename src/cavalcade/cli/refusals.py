"""The end of a message about a refused line: the nearest example, or a line that the command accepts.

The accepted line is the refused one, with each refused word replaced by what the message suggests, or left
out. Both are parsed before they are printed.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count, pairwise, takewhile
from pathlib import Path

import click

from cavalcade.cli import examples
from cavalcade.cli.bare_words import CELL, FILLERS, RefusedWordError, choices_of, fits
from cavalcade.cli.meanings import MEANINGS, OPTIONS
from cavalcade.ground.errors import CavalcadeError

# an option, perhaps with a value
SUGGESTED = re.compile(r"(?:try|mean|or) (--?[a-z][\w-]*(?: (?!or\b)[^\s,?;]+)?)")
TRY = re.compile(r"(?i)\btry |did you mean|`cavalcade ")  # in a message with advice
OTHER_ADVICE = re.compile(r"would replace|': ")
NOTE = re.compile(r" \(without [^()]*\)$")  # of `left_out`
NEGATIONS = {"not", "no", "never", "non", "except", "neither", "nor", "isn't", "don't"}
JOINING = {"with", "and", "by", "then", "from", "to", "or"}  # words that may be left out silently
QUOTED = re.compile(r"'([^']+)'")
NEW = {"output", "bfile", "proof", "checkpoint", "receipt"}  # options for a file that does not exist
VALUES = {
    "FILE": "tour.txt", "CELL": "a1", "CELLS": "a1", "MOVE": "a1-b3", "P": "camel", "C": "blue",
    "DIR": "rows", "BOARD": "8x8", "NAME": "half-turn", "STEP=CELL": "1=a1", "FROM,TO,WEIGHT": "1,2,3",
}  # fmt: skip
LINE = "cavalcade.line"  # key of the words of the command line in the context of a command
TRIAL = "trial"  # the object of a context in which a line is tried, without advice about other commands
Parse = Callable[[list[str]], object]


class MissingArgumentError(click.UsageError):
    """A line lacks an argument.

    Attributes:
        values: values for all arguments.
    """

    def __init__(self, message: str, values: Sequence[str]) -> None:
        super().__init__(message)
        self.values = values


def assert_once(args: Sequence[str], by_spelling: Mapping[str, click.Parameter]) -> None:
    """Refuse an option with two values, of which click would drop the first."""
    values: dict[click.Parameter, str] = {}
    for word, following in pairwise([*takewhile("--".__ne__, args), ""]):
        name, equals, value = word.partition("=")
        parameter = by_spelling.get(name)
        if isinstance(parameter, click.Option) and not (parameter.is_flag or parameter.multiple):
            value = value if equals else following
            if isinstance(parameter.flag_value, str) and value.startswith("-"):  # no value was typed
                continue
            if values.setdefault(parameter, value) == value:
                continue
            if parameter.name == "output":
                files = f"{values[parameter]} and {value}"
                raise click.UsageError(f"a line writes one file, not {files}: leave one out")
            message = f"unexpected '{name} {value}': {name} is {values[parameter]} already"
            raise RefusedWordError(message, name)


def explained(error: click.UsageError, context: click.Context, args: Sequence[str], parse: Parse) -> str:
    """Return a message with a line that is accepted, and with the values of an option that it names.

    The message has at most four lines of text.
    """
    message = error.format_message().removesuffix(".")
    typed = error.typed if isinstance(error, RefusedWordError) else ""
    if isinstance(error, MissingArgumentError) and refusal(parse, [*error.values, *args]):
        message = message.partition(": try ")[0]
    suggested = "".join(re.findall(r"did you mean (.*)\?$", message)).split(" or ")
    commands = [NOTE.sub("", words) for words in suggested if words.startswith("cavalcade")]
    if any(accepts(context, words) for words in commands):
        return message
    refused = not isinstance(error, click.BadParameter)
    advised = bool(TRY.search(message) or (refused and OTHER_ADVICE.search(message)))
    options = {words.split()[0] for words in suggested if words.startswith("-")}
    line = _line(context, args, message, parse, options)
    changed = not options.isdisjoint(line.split())
    if options and not changed:  # no suggestion fits
        message, advised = message.partition(", did you mean")[0], False
    parameter = getattr(error, "param", None)
    unknown = typed
    if not refused and (value := QUOTED.findall(message)[1:2]):
        unknown = " ".join(args if isinstance(parameter, click.Argument) else value)
    if isinstance(parameter, click.Option) or typed.startswith(("--no-", "--without-")):
        unknown = ""  # no example is about a wrong value, or about the opposite of an option
    example = examples.nearest([context.command.name or "", *args], unknown, partial(accepts, context))
    if example and (commands or not advised):
        return f"{message.partition(', did you mean')[0]}; for example: {example}"
    if advised:
        message += values_of(context.command, message)
    nothing = typed.startswith("-") and not advised
    message += ", nor one like it" * nothing
    # Without a negation the line is the opposite of what was meant.
    if not line or typed in NEGATIONS or line in message:
        return message
    without = nothing or not (refused or changed)
    return f"{message}; {'without it' if without else 'for example'}: {line}{left_out(args, line, message)}"


def _line(context: click.Context, args: Sequence[str], message: str, parse: Parse, options: set[str]) -> str:
    """Return an accepted line, with some of these options if possible, or nothing."""
    name = context.command.name or ""
    if name == "continue" and (cells := [word for word in args if CELL.fullmatch(word)]):
        board = [word for word in args if word not in cells] or ["8x8"]
        if refusal(parse, ["-", *board]) is None:
            return f"echo {' '.join(cells)} | cavalcade continue - {shlex.join(board)}"
    if ": try cavalcade" in message:
        return ""
    lines = []
    for ending in ("", "svg", "pdf")[: 1 if {"-o", "--output"} & {*args} else 3]:  # some are for pictures
        output = ["-o", f"{name}.{ending}"] if ending else []
        lines.append(accepted(context.command, [*args, *output], parse))
        if not options or not options.isdisjoint(lines[-1].split()):
            return lines[-1]
    return lines[0]


def left_out(args: Iterable[str], line: str, message: str = "") -> str:
    """Return a note on the words that neither a line nor the message in front of it has, or nothing."""
    seen = f"{line} {message}".lower()
    words = [
        word
        for option, word in pairwise(["", *args])
        if word not in {*FILLERS, "--quiet", "-q", "-", *JOINING}
        and (option[:1] != "-" or option not in message or "did you mean" in message)
    ]
    lost = [word for word in words if word.lstrip("-").partition("=")[0].lower() not in seen]
    meant = {
        word: (OPTIONS.get(word, word).partition("=")[0], *MEANINGS.get(word.lstrip("-"), ()))
        for word in lost
    }
    lost = [word for word in lost if not any(words in seen for words in meant[word] if words[:1] == "-")]
    return f" (without {shlex.join(lost)})" if lost else ""


def offered(context: click.Context, line: Sequence[str]) -> str:
    """Return a line as its command accepts it, with few changes and a note on them, or nothing."""
    root = context.find_root()
    command = root.command.get_command(root, line[0]) if isinstance(root.command, click.Group) else None
    if command is None or context.obj == TRIAL:
        return ""
    if (accept := getattr(command, "accepted", None)) is None:
        return f"cavalcade {shlex.join(line)}"
    words: str = accept(click.Context(command, parent=root, info_name=line[0]), line[1:])
    return words and words + left_out(line[1:], words)


def refusal(parse: Parse, line: list[str]) -> Exception | None:
    """Return why a line is refused, or None if it is accepted."""
    try:
        parse(line)
    except (click.UsageError, CavalcadeError, OSError, click.exceptions.Exit) as error:
        return error
    return None


def accepts(context: click.Context, line: str) -> bool:
    """Whether each command of a line, perhaps with pipes, is accepted."""
    root = context.find_root()
    for part in line.split(" | "):
        first, name, *args = shlex.split(part)
        command = root.command.get_command(root, name) if isinstance(root.command, click.Group) else None
        attempt = getattr(command, "attempt", None)
        if first == "cavalcade" and attempt is not None:
            inner = click.Context(attempt.__self__, parent=root, info_name=name)
            if refusal(partial(attempt, inner), args) is not None:
                return False
    return True


def values_of(command: click.Command, message: str) -> str:
    """Return the end of a sentence with the values of the options that a message names, or nothing."""
    for option in command.params:
        choices = choices_of(option)
        if (
            isinstance(option, click.Option)
            and choices
            and f"{option.opts[-1]} or" in message.replace("?", " or")
        ):
            return f"; {option.opts[-1]} is one of {', '.join(choices)}"
    return ""


def accepted(command: click.Command, args: Sequence[str], parse: Parse) -> str:
    """Return the line with the fewest changes that is accepted, else one that a message names, or nothing.

    A trial takes about a millisecond. A line with several refused words needs several trials for each.
    """
    named, queue = "", [[*args]]
    for trial in range(10 * len(args) + 1):
        if trial == len(queue):
            break
        error = refusal(parse, line := queue[trial])
        if error is None:
            return typed_line(command, line)
        if isinstance(error, click.UsageError):
            named = _named(error) or named
            if named and not isinstance(error, MissingArgumentError):
                break
            queue += _changes(line, error, command)
    return named


def typed_line(command: click.Command, words: Sequence[str]) -> str:
    """Return a line as it is typed; a file to read is made by the command in front of the pipe."""
    name = command.name or ""
    maker = {"solve": "cavalcade puzzle 6x6", "continue": "echo a1 b3"}.get(name, "cavalcade tour 6x6")
    named = [param.metavar for param in command.params if isinstance(param, click.Argument)]
    file = "-" in words and "BOARD" not in named
    return f"{maker} | " * file + f"cavalcade {shlex.join([name, *words])}"


def _named(error: click.UsageError) -> str:
    """Return the line that a message ends with, if it is accepted, or nothing."""
    line = "".join(re.findall(r": try ((?:cavalcade|echo) .*)$", error.message))
    return line if line and accepts(click.get_current_context(), line) else ""


def _changes(args: Sequence[str], error: click.UsageError, command: click.Command) -> Iterator[list[str]]:
    """Yield lines without the refused word: the likeliest first."""
    if isinstance(error, MissingArgumentError):
        yield [*error.values, *args]
        return
    option = getattr(error, "param", None)
    suggested = [words.split() for words in SUGGESTED.findall(error.message)]
    quoted = QUOTED.search(error.message)
    typed = getattr(error, "typed", "") or getattr(error, "option_name", "") or (quoted[1] if quoted else "")
    index = next((i for i, word in enumerate(args) if typed in {word, word.partition("=")[0]}), None)
    if index is None:
        for words in suggested:
            usual = [OPTIONS.get(word, word) for word in args]
            place = usual.index(words[0]) if words[0] in usual else len(usual)
            yield [*args[:place], *words, *args[place + 1 :]]
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
        if words[0] == "--output":
            before, after = (_without_output(part) for part in (before, after))
        meant = options.get(words[0])
        valued = isinstance(meant, click.Option) and not meant.is_flag
        for last in re.findall(r"(\d+) ?[a-z%]*$", "".join(value)):  # of a range, or beside a unit
            if isinstance(meant, click.Option) and meant.metavar in {"N", "S"} and len(words) == 1:
                yield [*before, words[0], last, *after[1:]]
        if len(words) == 1 and value and isinstance(meant, click.Option) and valued and fits(meant, value[0]):
            yield [*before, words[0], *after]
        if valued and len(words) == 1 and isinstance(getattr(meant, "flag_value", None), str):
            yield [*before, *words, *after[len(value) :]]
        if valued and len(words) == 1 and (value or not typed.startswith("-")):
            continue  # a word of a sentence has no value, and another value is not what was meant
        replaced = [*words, *[_sample(meant)] * (valued and len(words) == 1)]
        if not valued and not typed.startswith("-"):
            yield [*before, *after]  # a word of a sentence is rather no flag
        yield [*before, *replaced, *after[len(value) :]]
        yield [*before, *replaced, *after]
    if value and (not Path(value[0]).is_file() or any(Path(word).is_file() for word in before)):
        yield [*before, *after[1:]]
    yield [*before, *after]


def _without_output(words: list[str]) -> list[str]:
    """Return words without -o and its file."""
    index = next((k for k, word in enumerate(words) if word in {"-o", "--output"}), len(words))
    return words[:index] + words[index + 2 :]


def _sample(option: click.Parameter | None) -> str:
    """Return a value of an option."""
    if option is not None and option.name in NEW:
        return next(name for k in count(1) if not Path(name := f"new{k}.txt").exists())
    choices = choices_of(option)
    return next(iter(choices), VALUES.get((getattr(option, "metavar", None) or "").partition("|")[0], "5"))
