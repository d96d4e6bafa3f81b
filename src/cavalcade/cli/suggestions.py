"""Advice about refused words: the command, the option or the value that may be meant."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from itertools import dropwhile, pairwise
from pathlib import Path
from typing import Any

import click

from cavalcade.cli import examples
from cavalcade.cli.bare_words import (
    BOARD,
    CELL,
    FILE,
    PAIR,
    choices_of,
    fits,
    is_board,
    spellings_of,
    valued,
    words_of,
)
from cavalcade.cli.meanings import (
    ARGUMENTS,
    COMMANDS,
    MEANINGS,
    OPTIONS,
    SAID,
    USUAL,
)
from cavalcade.cli.menu import SUMMARIES
from cavalcade.cli.misplaced import MEASURED, kind_of, redirected_to
from cavalcade.cli.refusals import LINE, TRIAL, accepts, offered
from cavalcade.formats.table import format_of, names_of
from cavalcade.ground.errors import BoardError

BEST = ("longest", "fewest_paths", "fewest_removed", "fewest_revisits")  # of which `best` needs one
CLOSE = 0.8  # similarity of `difflib`, 0 to 1, from which a word is suggested: about two letters may differ


def command_meant(args: list[str], moved: list[str], commands: Sequence[str]) -> str:
    """Return the end of a sentence about a first word that is no command: the line that may be meant."""
    first, *rest = args
    word = first.lower()
    if "." in word or "/" in word:
        return f"; {redirected_to(first, '', rest) or 'there is no such file either'}"
    context = click.get_current_context()
    if moved:  # the first word may mean an option of the command that follows
        group = context.command
        command = group.get_command(context, moved[0]) if isinstance(group, click.Group) else None
        options = spellings_of(command)
        moved += [meant for meant in MEANINGS.get(word, ()) if meant in options][:1]
    return next(filter(None, _answers(context, word, rest, moved, commands)))


def _answers(
    context: click.Context, word: str, rest: list[str], moved: list[str], commands: Sequence[str]
) -> Iterator[str]:
    """Yield ends of a sentence about a word that is no command, the best first; some are empty."""
    if moved:
        yield _suggested(context, [moved])
    files = [redirected_to(file, word, rest) for file in rest if Path(file).is_file()]
    yield from (_theorem(typed.lower()) for typed in rest if len(typed) > 2)
    if word in MEASURED and any(files):
        yield f"; {next(filter(None, files))}"
    if word in MEANINGS:
        meaning = _meaning(word, {}, commands, "", rest)
        if "(without" in meaning:  # an omitted word, such as cnf, may have a meaning of its own
            answers = (_meaning(typed.rpartition(".")[2].lower(), {}, commands, "", rest) for typed in rest)
            yield from (answer for answer in answers if "(without" not in answer)
        yield "" if any(files) and "(without" in meaning else meaning
    else:
        yield _commands_with(context, word, rest)
        nearest = get_close_matches(word, [*commands, *COMMANDS], 2, CLOSE)
        yield _suggested(context, ([*COMMANDS.get(name, name).split(), *rest] for name in nearest))
    yield from (f"; {advice}" for advice in files if advice)
    yield _theorem(word)
    yield _example(context, word, rest)
    yield advice_on(context, word, rest)


def _commands_with(context: click.Context, word: str, rest: Sequence[str]) -> str:
    """Return the end of a sentence with the commands that have an option, or a value of it, of this name."""
    group, lines = context.find_root().command, list[list[str]]()
    if not isinstance(group, click.Group):
        return ""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command and word in choices_of(command.params[0]):
            lines.append([name, word, *rest])
        options = spellings_of(command)
        lines += [[name, *rest, f"--{word}"]] * (f"--{word}" in options)
        lines += [[name, *rest, *words.split()] for words in _having(word, options)]
    from cavalcade.question.named import GRAPHS

    drawn = any(FILE.fullmatch(typed) or typed in GRAPHS for typed in rest)  # rather drawn than searched
    return _suggested(context, sorted(lines, key=lambda line: drawn and line[0] != "draw")[:2])


def _suggested(context: click.Context, lines: Iterable[Sequence[str]]) -> str:
    """Return the end of a sentence with lines that are accepted, as they are or with few changes."""
    accepted = [words for line in lines if (words := offered(context, line))]
    accepted = [words for words in accepted if not re.search(rf"\(without.* {BOARD.pattern}(?=[ )])", words)]
    whole = [words for words in accepted if "(without" not in words]
    return _did_you_mean(whole or accepted)


def _theorem(word: str) -> str:
    """Return the end of a sentence with a theorem of this name, such as schwenk, or nothing."""
    from cavalcade.theorems.bibliography import catalogue

    return _did_you_mean(f"cavalcade theorem {word}" for key in catalogue() if word in key.split("_"))


def drawn_tour(context: click.Context, option: str, args: Sequence[str]) -> str:
    """Return the end of a sentence with the line for `tour`, if an option of it was typed after `draw`."""
    group = context.find_root().command
    tour = group.get_command(context, "tour") if isinstance(group, click.Group) else None
    spelled = spellings_of(tour)
    if (
        context.command.name != "draw"
        or OPTIONS.get(option, option) not in spelled
        or not any(map(BOARD.fullmatch, args))
    ):
        return ""
    written = any(spelled.get(word) is spelled["--output"] for word in args)
    return _suggested(context, [["tour", *args, *([] if written else ["-o", "tour.svg"])]])


def of_several(context: click.Context, name: str, number: str, args: Sequence[str]) -> str:
    """Return the end of a sentence with the commands that find several tours, or nothing.

    Args:
        context: the context of the command, which finds one.
        name: the option that was typed.
        number: its value.
        args: all words of the line.
    """
    if context.command.name not in {"tour", "draw"} or not number.isdecimal():
        return ""
    index = next(k for k, word in enumerate(args) if word.partition("=")[0] == name)
    rest = [*args[:index], *args[index + 2 - ("=" in args[index]) :]]
    random = {"--seed", "--random", "--sample"} & {*rest, name}
    verbs = ["sample", "list"] if random else ["list", "sample"]
    return _suggested(context, [[verb, *rest, "-n", number] for verb in verbs])


def advice_on(context: click.Context, word: str, rest: Sequence[str] = (), value: str = "") -> str:
    """Return the end of a sentence: what a word may mean, by its meaning, its spelling or its parts.

    Args:
        context: the context of the command.
        word: the word.
        rest: the words after it, if it stands for a command.
        value: the word after it, if it stands for an option.
    """
    command, group = context.command, context.find_root().command
    spelled = {} if isinstance(command, click.Group) else spellings_of(command)
    commands = group.list_commands(context) if isinstance(group, click.Group) else ()
    name, own = word.lstrip("-/").lower(), command.name or ""
    if (own, name) in SAID:
        return f": {_about_typed(context, SAID[own, name])}"
    if value and isinstance(flag := spelled.get(f"--{value}"), click.Option) and flag.is_flag:  # --type open
        return _did_you_mean([f"--{value}"])
    if value in commands and value != own and (advice := _suggested(context, [[value, *rest]])):
        return advice
    if meant := [words for words in MEANINGS.get(value, ()) if words.partition(" ")[0] in spelled]:
        return _did_you_mean(meant)
    if whole := _meaning(name, spelled, commands, own, rest):
        return whole.replace("xargs -n1 cavalcade tour", f"xargs -n1 cavalcade {own or 'tour'}")
    if spelled and re.match("no-|without-", name):  # never its opposite
        return ""
    if having := _having(name, spelled):
        return _did_you_mean(having)
    parts = re.split("[-_]", name)
    endings = (f"--{'-'.join(parts[start:])}" for start in range(len(parts)))
    ending = next((ending for ending in endings if ending in spelled), "")
    if close := [ending] if ending else _close_to(name, spelled, commands):
        return _did_you_mean(close)
    if spelled and word.startswith("-") and isinstance(group, click.Group):  # an option of other commands
        having = [key for key in commands if word in spellings_of(group.get_command(context, key))]
        if having:
            lines = [" ".join(["cavalcade", key, *rest, word]) for key in having]
            return _did_you_mean(line for line in lines if accepts(context, line))
    for part in reversed(parts):
        if f"--{part}" in spelled:
            return _did_you_mean([f"--{part}"])
        advice = _meaning(part, spelled, commands, own, rest)
        if " --" in advice if spelled else advice and not advice.startswith(":"):
            return advice
        if any(examples.stems(part) & example.stems for example in examples.examples()):
            break  # an example has a better answer than the words in front
    if spelled:
        return ""
    return ": try cavalcade --help, which lists all commands, or cavalcade tour 8x8"


def on_ending(ending: str) -> str:
    """Return a sentence about files with an ending that is not written, or nothing."""
    sentence = next(iter(MEANINGS.get(f".{ending.lower()}", ())), "")
    return sentence[:1].upper() + sentence[1:]


def _about_typed(context: click.Context, sentence: str) -> str:
    """Return a sentence with the board or file that was typed in its line, if the line is then accepted."""
    line = re.search(r"cavalcade [a-z]+ (6x6|8x8|FILE)\b[^;,]*$", sentence)
    typed = [word for word in context.meta.get(LINE, []) if BOARD.fullmatch(word) or Path(word).is_file()]
    if not line or not typed:
        return sentence
    about = line[0].replace(line[1], shlex.quote(typed[0]), 1)
    return sentence.replace(line[0], about) if accepts(context, about) else sentence


def _example(context: click.Context, unknown: str, rest: Sequence[str]) -> str:
    """Return the end of a sentence with the example that is nearest to unknown words, or nothing."""
    line = examples.nearest([*unknown.split(), *rest], unknown, partial(accepts, context))
    return f": try {line}" if line else ""


def _close_to(name: str, spelled: Collection[str], commands: Collection[str]) -> list[str]:
    """List the options, or without any the commands, that contain a word or are spelled like it."""
    rivals = {key: key for key in commands}
    if spelled:  # short other names of options resemble too many words
        other_names = [key for key in OPTIONS if len(key) > len("--order")]
        rivals = {key.lstrip("-"): key for key in (*other_names, *spelled) if key.startswith("-")}
    containing = [key for key in spelled if f"-{name}" in key] if len(name) > 1 else []
    similar = [OPTIONS.get(rivals[key], rivals[key]) for key in get_close_matches(name, rivals, 2, CLOSE)]
    return [key for key in (*containing, *similar) if key in spelled or key in commands]


def _meaning(
    name: str,
    spelled: Mapping[str, click.Parameter],
    commands: Collection[str],
    own: str,
    rest: Sequence[str] = (),
) -> str:
    """Return the end of a sentence: what a word means as an option, else as a command, else in words."""
    beginnings = (name[:end] for end in range(len(name), 4, -1) if "-" not in name)  # `colorful`
    stem = next((word for word in beginnings if word in MEANINGS), "")
    meant = MEANINGS.get(name) or MEANINGS.get(name.removesuffix("s"))
    meant = meant or (() if name in commands else MEANINGS.get(stem, ()))
    if (
        f"--{name}" not in spelled
        and (alias := COMMANDS.get(name, name)) in commands
        and spelled
        and not meant
    ):
        meant = (*meant, alias)
    first = {words: words.partition(" ")[0] for words in meant}
    if options := [words for words in meant if first[words] in spelled and _has_value(spelled, words)]:
        written = {"-o", "--output"} & {*click.get_current_context().meta.get(LINE, [])}
        return _did_you_mean(words for words in options if not (written and first[words] == "--output"))
    if spelled and own in meant:  # the command does it already
        return ""
    if names := [words for words in meant if first[words] in {*commands, "help"} and first[words] != own]:
        context = click.get_current_context()
        if spelled:
            refused = {name, *name.split("-")}
            rest = [
                typed
                for before, typed in pairwise(["", *context.meta.get(LINE, [])])
                if typed.lstrip("-") not in refused
                and not (typed.isdecimal() and before[:2] == "--" and before[2:] in refused)
            ]
        return _suggested(context, (shlex.split(_command_line(words, rest))[1:] for words in names))
    sentences = (f": {words}" for words in meant if " " in words and not words.startswith("--"))
    return next(sentences, "").replace(f": {own} ", f": try cavalcade {own} ")


def _has_value(spelled: Mapping[str, click.Parameter], words: str) -> bool:
    """Whether a suggested value is one of the choices of its option, if the option has choices."""
    name, _, value = words.partition(" ")
    choices = choices_of(spelled[name])
    return not (value and choices) or value in choices


def _command_line(words: str, rest: Sequence[str]) -> str:
    """Return a command line of these words, with the rest of what was typed unless the words have a board."""
    name, _, options = words.partition(" ")
    kept = () if name == "help" or re.search(r"\d|list|'", options) else rest
    if any(map(BOARD.fullmatch, rest)) and re.match(r"\d|n", options):  # the board that was typed
        kept, options = rest, re.sub(r"^\S+", "", options)
    return " ".join(["cavalcade", name, *([shlex.join(kept)] if kept else []), *options.split()])


def value_meant(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Return the end of a sentence about a wrong value: the option that has this value, or a nearer value."""
    word, options = value.lower(), spellings_of(context.command)
    choices = choices_of(parameter)
    parts = [key for key in choices if word in key and len(word) > 2]
    close = parts or get_close_matches(word, choices, 1, CLOSE)
    nearest = [f"{parameter.opts[-1]} {key}" for key in close]
    if isinstance(parameter, click.Argument) and not close:
        return _theorem(word)
    if f"--{word}" in options and not close and f"--{word}" not in parameter.opts:
        nearest.append(f"--{word}")
    if parameter.name == "moves" and Path(value).is_file():
        return "; cavalcade help pieces tells how a piece is written by its moves"
    if PAIR.fullmatch(value) and "--piece" in options and not choices_of(options["--piece"]):
        nearest = [f"--piece {value}"]
    if CELL.fullmatch(word) and "--from" in options and parameter.name == "seed":
        close, nearest = [word], [f"--from {word}"]
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value):  # a date
        nearest = [f"{parameter.opts[-1]} {value.replace('-', '')}"]
    if not choices and (digits := re.fullmatch(r"(\d+)(?: ?[a-z]*|x\d+)", value)):
        nearest = [f"{parameter.opts[-1]} {digits[1]}"]
    if parameter.name == "engine" and COMMANDS.get(word, word) in SUMMARIES:
        pairs = pairwise([*context.meta.get(LINE, []), ""])
        rest = [typed for typed, following in pairs if value not in {typed, following}]
        return _suggested(context, [[COMMANDS.get(word, word), *rest]])
    for words in MEANINGS.get(word, ()):
        name, _, meant = words.partition(" ")
        elsewhere_or_flag = options.get(name) is not parameter and (meant or not valued(options, name))
        if name in options and (elsewhere_or_flag or meant in choices):
            nearest.append(words)
    advice = _did_you_mean(
        words.removeprefix(f"{parameter.name} ") for words in [*nearest, *_having(word, options)]
    )
    meanings = (*MEANINGS.get(word, ()), *MEANINGS.get(f".{word}", ()))
    sentences = (words for words in meanings if re.match(r"[a-z]+ [a-z]+ \S", words))
    return advice or "".join(f": {words}" for words in [*sentences][:1])


def _having(value: str, options: Mapping[str, click.Parameter]) -> list[str]:
    """List option-value pairs for the options that accept a value, except formats of inputs and `--as`."""
    return [
        f"{spelling} {value}"
        for spelling, option in options.items()
        if value in choices_of(option) and option.name not in {"input_format", "as_"} and spelling[:2] == "--"
    ]


def assert_plausible(params: Mapping[str, Any], command: click.Command, words: Sequence[str]) -> None:
    """Refuse a line that is parsed, but that its command would refuse or leave undecided.

    Args:
        params: the values of the parameters.
        command: the command.
        words: the words of the line that are neither options nor their values.
    """
    from cavalcade.boards.notation import grows

    name = command.name or ""
    if params.get("symmetry") == "all" and name != "count":
        raise click.UsageError("--symmetry expects a symmetry of the tour: try --symmetry half-turn")
    if name == "best" and not any(map(params.get, BEST)):
        raise click.UsageError("best of what: try --longest")
    if name == "reproduce" and not (params["paper"] or params["list_"]):
        raise click.UsageError("missing PAPER: try cavalcade reproduce --list")
    place = str(params.get("board") or params.get("file") or "")
    on_board = any(
        parameter.metavar == "BOARD" for parameter in command.params if isinstance(parameter, click.Argument)
    )
    refused = on_board and place not in {"", "-"} and not is_board(place)
    refused |= on_board and bool(place) and name != "count" and grows(place)
    refused |= (
        name == "count"
        and not grows(place)
        and any(
            params[option.name] not in {None, option.default}
            for option in command.params
            if option.name in {"upto", "only", "modulo", "bfile"}
        )
    )
    refused |= isinstance(params.get("columns"), str) and not FILE.fullmatch(place)
    refused |= any(str(value).startswith("--") for value in params.values())
    refused |= any(redirected_to(word, name) for word in words)
    for option in command.params if re.fullmatch(r"\d+x\d+", place) else ():
        value = params.get(option.name or "") or ()
        if isinstance(option, click.Option) and option.metavar in {"CELL", "CELLS", "MOVE", "STEP=CELL"}:
            refused |= not all(
                fits(option, typed) for typed in (value if isinstance(value, tuple) else [value])
            )
    if refused:
        raise BoardError("the line would be refused")


def option_for(word: str) -> str:
    """Return the end of a sentence with the option for a word after the last argument, or nothing."""
    from cavalcade.question.pieces import NAMED

    context = click.get_current_context()
    command = context.command
    if (command.name, f"--{word}") in USUAL:
        return f": {command.name} does this without it"
    if command.name in ARGUMENTS:
        return f": {_of_files(context, word) or ARGUMENTS[command.name]}"
    options = spellings_of(command)
    if word.isdecimal() and command.name in {"tour", "draw"}:
        return _did_you_mean([f"cavalcade sample -n {word}", f"cavalcade list -n {word}"])
    if re.search(r"\w\.\w+$", word):  # a file to write, unless it holds an input
        if Path(word).exists() and format_of(word) not in names_of("Picture"):
            advice = redirected_to(word, command.name or "")
            return f"; {advice or '-o would replace this file'}" if "--output" in options else ""
        if {"-o", "--output"}.isdisjoint(context.meta.get(LINE, [])):
            return f": try -o {word}" if "--output" in options else ""
        return _in_two_lines(context, word)
    option = options.get(f"--{word.lower()}")
    following = [*dropwhile(word.__ne__, context.meta.get(LINE, [])), "", ""][1]
    if isinstance(option, click.Option) and (option.is_flag or fits(option, following)):
        return f": try --{word.lower()}"
    if MEANINGS.get(f"{word}-{following}"):
        return advice_on(context, f"{word}-{following}")
    meant = "--piece" if word.lower() in NAMED else "--from" if CELL.fullmatch(word) else ""
    if meant not in options:
        if having := _having(word, options):
            return f": try {max(having, key=lambda words: words.startswith('--format '))}"
        advice = advice_on(context, word)
        line = advice.partition(": try ")[2]
        return advice if not line.startswith("cavalcade ") or accepts(context, line) else ""
    return f": try {meant} {word}"


def _of_files(context: click.Context, word: str) -> str:
    """Return how `check` takes several files, or a file and its board; nothing for other words."""
    words = words_of(context.command, context.meta.get(LINE, []))
    if word == "-" and Path(words[0]).is_file():
        return f"try cavalcade {context.command.name} - --board {shlex.quote(words[0])}"
    if context.command.name != "check" or not Path(word).is_file():
        return ""
    if BOARD.fullmatch(words[0]):
        return f"try cavalcade check {shlex.quote(word)} --board {words[0]}"
    files = [file for file in words if Path(file).is_file()]
    if {*map(kind_of, files)}.isdisjoint({"a graph", "a board"}):
        return f"one file at a time; for each: try echo {shlex.join(files)} | xargs -n1 cavalcade check"
    return ""


def _in_two_lines(context: click.Context, file: str) -> str:
    """Return the end of a sentence with two lines for `--solution FILE -o FILE`."""
    args = context.meta[LINE]
    if file not in args:
        return ""
    index, output = args.index(file), next(k for k, word in enumerate(args) if word in {"-o", "--output"})
    first = [*args[: index - args[index - 1].startswith("-")], *args[index + 1 :]]
    second = [word for k, word in enumerate(args) if k != index and k not in {output, output + 1}]
    accept = getattr(context.command, "accepted", None)
    if context.obj == TRIAL or index == output + 1 or accept is None:
        return ""
    lines = [accept(context, line) for line in (first, [*second, "-o", file])]
    return f": -o names the only file: try {' and '.join(lines)}" if all(lines) else ""


def _did_you_mean(nearest: Iterable[str]) -> str:
    """Return the end of a sentence with the first two suggestions, or nothing."""
    suggestions = list(dict.fromkeys(nearest))[:2]
    return f", did you mean {' or '.join(suggestions)}?" if suggestions else ""
