"""Other spellings of commands and options: accepted if they are unambiguous, else answered with a suggestion.

Other spellings of boards and pieces are in `boards.notation` and `question.pieces`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import partial
from itertools import takewhile
from pathlib import Path

import click

from cavalcade.cli import examples
from cavalcade.cli.bare_words import (
    BOARD,
    CELL,
    CYCLES,
    FILE,
    FILLERS,
    RefusedWordError,
    counted,
    is_place,
    phrased,
    sized,
    spellings_of,
    valued,
    with_dashes,
    words_of,
)
from cavalcade.cli.meanings import (
    ARGUMENTS,
    COMMANDS,
    GENERIC,
    HELP,
    LISTS,
    MEANINGS,
    ONCE,
    OPTIONS,
    QUESTIONS,
    SAID,
    SERIES,
    TOPIC_NAMES,
    UNSAID,
    USUAL,
)
from cavalcade.cli.misplaced import OF_GRAPHS, as_formulas, redirected_to
from cavalcade.cli.refusals import TRIAL, accepts, left_out
from cavalcade.cli.status import remark
from cavalcade.formats.table import BY_NAME, format_of, names_of

# options that name a file to write
WRITING = {"draw", "picture", "image", "export", "certificate"}
FILES_ONLY = {row.name for row in BY_NAME.values() if row.files_only}
BEST = ("longest", "fewest_paths", "fewest_removed", "fewest_revisits")  # of which `best` needs one
CLOSE = 0.8  # similarity of `difflib`, 0 to 1, from which a word is suggested: about two letters may differ


def usual_command(args: list[str], commands: Sequence[str]) -> list[str]:
    """Replace another name of a command by its usual name.

    Raises:
        click.UsageError: there is no such command.
    """
    if " " in args[0] and not re.search(r"[./]", args[0]):  # a sentence in quotes
        args = [*args[0].split(), *args[1:]]
    if fixed := _fixed(args, commands):
        return fixed
    args = _answering(args)
    first, *rest = args
    word = first.lower()
    if word in OF_GRAPHS:
        return OF_GRAPHS[word](rest)
    if first in commands:
        return args
    # a command that comes later, in front of the other words: `uncrossed` of `show an uncrossed walk on 5x5`
    bare_words = takewhile(lambda typed: not typed.startswith("-"), rest)
    later = {typed: name for typed in bare_words for name in _singular(typed.lower()) if name in commands}
    moved: list[str] = []
    if later:
        verb = min(later, key=lambda typed: later[typed] == "tour")
        moved = [later[verb], *(typed for typed in rest if typed != verb)]
    if word in SERIES and rest and not re.search(r"n|x\d|a\d{6}", rest[0].lower()):
        side = rest[0] if rest[0].isdecimal() and int(rest[0]) < 10 else 3
        advice = "sequences are computed, not looked up, for a board with a side n"
        advice += f": try cavalcade count {side}xn"
        raise click.UsageError(f"{' '.join(args)[:60]!r}: {advice}")
    alias = COMMANDS.get(word)
    if word in FILLERS | GENERIC and moved and [alias, moved[0]] != ["prove", "tour"]:
        return moved
    if alias == "draw" and moved[:1] not in ([], ["tour"]):  # `print puzzle 6x6`
        return moved
    for key in _singular(word):
        if key in commands or key in COMMANDS:
            return [*COMMANDS.get(key, key).split(), *rest]
    if word in FILLERS | GENERIC and rest:
        return usual_command(rest, commands)
    if word in {"open", "closed"} or _is_place(word, rest):
        return [*moved[:1], first, *moved[1:]] if moved else ["tour", *args]
    parts = re.split("[-_]", word)
    parts = [part for part in parts if part not in UNSAID] or parts[-1:]
    names = {*commands, *COMMANDS, *FILLERS, *GENERIC, *CYCLES, *OF_GRAPHS, "open", "closed"}
    if parts != [word] and all(not names.isdisjoint(_singular(part)) for part in parts):
        return usual_command([*parts, *rest], commands)  # such as find_cycle
    raise click.UsageError(f"there is no command {first[:60]!r}{_command_meant(args, moved, commands)}")


def _fixed(args: list[str], commands: Sequence[str]) -> list[str]:
    """Return the line for a request for help, a list of something else than tours or a former flag."""
    first, *rest = args
    word = first.lower()
    if word in HELP or re.fullmatch("(list-|show-)?commands?", " ".join(args)):
        return ["--help"]
    if word == "version":
        return ["--version"]
    if word == "help":
        words = {*TOPIC_NAMES, *COMMANDS, *commands}
        topics = [topic for topic in map(str.lower, rest) if topic in words or topic not in FILLERS]
        if topics and topics[0] in TOPIC_NAMES:
            return ["help", TOPIC_NAMES[topics[0]]]
        about = rest[:1] if rest[:1] == ["tour"] else topics[:1]
        return [
            *(name for name in (usual_command(about, commands) if about else ()) if name in commands),
            "--help",
        ]
    if first == "tour":  # a former flag
        for index, word in enumerate(args):
            flag, _, value = word.partition("=")
            if flag in ONCE:
                name, valued = ONCE[flag]
                rest = args[index + 1 :]
                argument = ([value] if value else rest[:1]) if valued else []
                return [*name, *argument, *args[1:index], *rest[bool(argument) and not value :]]
    if first == "list" and (lists := LISTS.get(rest[0]) if rest else None):
        return [*lists, *rest[1:]]
    return []


def _answering(args: list[str]) -> list[str]:
    """Replace the first words of a question, such as `how many`, by the command that answers it.

    Phrases are replaced only in front of no command: each command reads its own words.
    """
    from cavalcade.cli.menu import SUMMARIES

    words = [*takewhile(lambda typed: not typed.startswith("-") and " " not in typed, args)]
    text = " ".join(words).lower()
    for pattern, line in QUESTIONS:
        if match := re.match(pattern, text):
            count = len(match[0].split())
            return [*line.split(), *args[count:]]
    if {*SUMMARIES, *COMMANDS, *FILLERS, *GENERIC}.isdisjoint(_singular(args[0].lower())):
        return [*phrased(words, {}), *args[len(words) :]]
    return args


def _command_meant(args: list[str], moved: list[str], commands: Sequence[str]) -> str:
    """Return the end of a sentence about a first word that is no command: the line that may be meant."""
    first, *rest = args
    word = first.lower()
    if "." in word or "/" in word:
        return f"; {redirected_to(first, '') or 'there is no such file either'}"
    context = click.get_current_context()
    group = context.command
    nearest = get_close_matches(word, [*commands, *COMMANDS], 2, CLOSE)
    if moved:  # the first word may mean an option of the command that follows
        options = spellings_of(
            group.get_command(context, moved[0]) if isinstance(group, click.Group) else None
        )
        moved += [meant for meant in MEANINGS.get(word, ()) if meant in options][:1]
    lines = [moved] if moved else [[*COMMANDS.get(name, name).split(), *rest] for name in nearest]
    advice = _suggested(context, lines)
    if not moved and word not in MEANINGS and (advised := _commands_with(context, word, rest)):
        return advised
    files = filter(None, (redirected_to(file, "") for file in rest if Path(file).is_file()))
    if not advice and (taken := next(files, "")):
        return f"; {taken}"
    if (not moved and word in MEANINGS) or not advice:
        advice = (
            _theorem(word)
            or (word not in MEANINGS and _example(context, word, rest))
            or _advice(context, first, rest)
        )
    return advice


def _commands_with(context: click.Context, word: str, rest: Sequence[str]) -> str:
    """Return the end of a sentence with the commands that have an option, or a value of it, of this name."""
    group, lines = context.find_root().command, list[list[str]]()
    if not isinstance(group, click.Group):
        return ""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command and word in getattr(command.params[0].type, "choices", ()):
            lines.append([name, word, *rest])
        for spelling, option in spellings_of(command).items():
            if spelling == f"--{word}":
                lines.append([name, *rest, spelling])
            elif spelling[:2] == "--" and word in getattr(option.type, "choices", ()):
                lines.append([name, *rest, spelling, word])
    from cavalcade.question.named import GRAPHS

    drawn = any(FILE.fullmatch(typed) or typed in GRAPHS for typed in rest)  # rather drawn than searched
    return _suggested(context, sorted(lines, key=lambda line: drawn and line[0] != "draw")[:2])


def _suggested(context: click.Context, lines: Iterable[Sequence[str]]) -> str:
    """Return the end of a sentence with lines that are accepted, as they are or with few changes."""
    group, meant = context.find_root().command, []
    for line in () if context.obj == TRIAL else lines:
        command = group.get_command(context, line[0]) if isinstance(group, click.Group) and line else None
        if command is not None and (accept := getattr(command, "accepted", None)):
            words = accept(click.Context(command, parent=context.find_root(), info_name=line[0]), line[1:])
            meant.append(words and words + left_out(line, words))
        elif command is not None:
            meant.append(f"cavalcade {shlex.join(line)}")
    return _did_you_mean(filter(None, meant))


def _singular(word: str) -> tuple[str, str]:
    """Return a word as it is, and without the ending of a plural."""
    return word, word.removesuffix("s")


def _theorem(word: str) -> str:
    """Return the end of a sentence with a theorem of this name, such as schwenk, or nothing."""
    from cavalcade.theorems.bibliography import catalogue

    return _did_you_mean(f"cavalcade theorem {word}" for key in catalogue() if word in key.split("_"))


def _is_place(word: str, rest: Sequence[str]) -> bool:
    """Whether a first word is a board or a graph, or a piece before a board."""
    if BOARD.fullmatch(word):
        return True
    from cavalcade.boards.families import FAMILIES
    from cavalcade.boards.notation import spelled
    from cavalcade.question.named import GRAPHS
    from cavalcade.question.pieces import ALSO, NAMED

    if word in {*NAMED, *ALSO}:
        return any(map(BOARD.fullmatch, rest))
    return spelled(word) != word or word in GRAPHS or (word in FAMILIES and bool(rest))


def usual_options(context: click.Context, args: Sequence[str]) -> Iterator[str]:
    """Replace other names of options by their usual names.

    Args:
        context: the context of the command.
        args: the words after the command.

    Raises:
        click.UsageError: the command has no such option.
    """
    command = context.command
    spelled = spellings_of(command)
    if command.name in {"prove", "check"}:
        args = as_formulas(args, checked=command.name == "check")
    usual = {option for name, option in USUAL if name == command.name}
    other_names = {alias: spelled[name] for alias, name in OPTIONS.items() if name in spelled}
    valueless = [*usual, "--help", *(alias for alias, name in OPTIONS.items() if "=" in name)]
    placed = any(
        is_place(word, on_board=True) or word == "-" or Path(word).is_file()
        for word in words_of(command, args)
    )
    arguments = [param.metavar or "" for param in command.params if isinstance(param, click.Argument)]
    if "--board" in spelled and all("BOARD" not in metavar for metavar in arguments):
        of_picture = any(word.startswith(("--width", "--height")) for word in args)
        typed = args if of_picture else sized(args, "--board")
    else:
        typed = args if placed else sized(args)
    args = with_dashes(command, other_names | spelled | dict.fromkeys(valueless), MEANINGS, typed)
    formats = getattr(getattr(spelled.get("--format"), "type", None), "choices", ())
    pictures = names_of("Picture")
    pictured = any(not {word.lstrip("-"), format_of(word)}.isdisjoint(pictures) for word in args)
    for index, word in enumerate(args):
        name, equals, value = word.partition("=")
        if word == "--":
            yield from args[index:]
            return
        following = value or next(iter(args[index + 1 :]), "")
        if name == "--to" in spelled and following in formats:
            raise click.UsageError(f"--to is the last cell of a tour: try --format {following}")
        if name in usual and not ("--output" in spelled and _writes(name, following, formats)):
            if {"-q", "--quiet"}.isdisjoint(args):
                remark(f"{command.name} does this without {name}")
            continue
        if name in HELP:
            yield "--help"
            continue
        if re.fullmatch("-[a-z]", name) and name not in {*spelled, *OPTIONS, "-h"}:
            raise RefusedWordError(f"{command.name} has no option {name!r}{_advice(context, name)}", name)
        meant, assigned, meant_value = OPTIONS.get(name, "").partition("=")
        if (command.name, name) == ("tour", "--style") and (
            following == "random" or (following == "plain" and not pictured)  # also a style of pictures
        ):
            if {"-q", "--quiet"}.isdisjoint(args):
                remark(f"--style {following} is deprecated since 0.2: use --blocks {following}")
            yield "--blocks" + equals + value
        elif count := counted(spelled, name, following):
            yield count + equals + value
        elif name in {*spelled, "--help"} or not (name.startswith("--") or meant in spelled):
            yield word
        elif meant in spelled and (following[:1] not in {"", "-"} or assigned or not valued(spelled, meant)):
            yield meant + (assigned + meant_value or equals + value)
        elif "--output" in spelled and _writes(name, following, formats):
            yield "--output" + equals + value
        elif name[2:] in formats and not equals:
            yield from ("--format", name[2:])
        else:
            value = value or next(iter([*typed, ""][[*typed, name].index(name) + 1 :]), "")
            boards = [word for word in words_of(command, typed) if BOARD.fullmatch(word)]
            advice = _drawn_tour(context, name, args) or _advice(context, name, boards, value)
            advice = advice.replace("THE TEXT", value or "THE TEXT")
            raise RefusedWordError(f"{command.name} has no option {name!r}{advice}", name)


def _drawn_tour(context: click.Context, option: str, args: Sequence[str]) -> str:
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


def _writes(name: str, file: str, formats: Iterable[str]) -> bool:
    """Whether an option with a new file means --output: `--pdf x.pdf`, `--draw x.svg`."""
    word, format_ = name.removeprefix("--"), format_of(file)
    if word not in {*formats, *WRITING, format_} or not FILE.fullmatch(file):
        return False
    if Path(file).exists() and (format_ != word or BY_NAME[format_].reads):
        return False  # it may be read, or is not to be replaced
    return not formats or format_ in {*formats, *FILES_ONLY}


def _advice(context: click.Context, word: str, rest: Sequence[str] = (), value: str = "") -> str:
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
        return f": {SAID[own, name]}"
    if meant := [words for words in MEANINGS.get(value, ()) if words.partition(" ")[0] in spelled]:
        return _did_you_mean(meant)
    if whole := _meaning(name, spelled, commands, own, rest):
        return whole
    last = f"--{re.split('[-_]', name)[-1]}"
    if close := [last] if last in spelled else _close_to(name, spelled, commands):
        return _did_you_mean(close)
    if spelled and word.startswith("-") and isinstance(group, click.Group):  # an option of other commands
        having = [key for key in commands if word in spellings_of(group.get_command(context, key))]
        if having:
            lines = [" ".join(["cavalcade", key, *rest, word]) for key in having]
            return _did_you_mean(line for line in lines if accepts(context, line))
    for part in reversed(re.split("[-_]", name)):
        if f"--{part}" in spelled:
            return _did_you_mean([f"--{part}"])
        advice = _meaning(part, spelled, commands, own, rest)
        if " --" in advice if spelled else advice and not advice.startswith(":"):
            return advice
        if any(examples.stems(part) & example.stems for example in examples.examples()):
            break  # an example has a better answer than the words in front
    if spelled:
        return ""
    line = _example(context, " ".join([word, *rest]), [])
    return line or ": try cavalcade --help, which lists all commands, or cavalcade tour 8x8"


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
    name: str, spelled: Collection[str], commands: Collection[str], own: str, rest: Sequence[str] = ()
) -> str:
    """Return the end of a sentence: what a word means as an option, else as a command, else in words."""
    beginnings = (name[:end] for end in range(len(name), 4, -1) if "-" not in name)  # `colorful`
    stem = next((word for word in beginnings if word in MEANINGS), "")
    meant = MEANINGS.get(name) or MEANINGS.get(name.removesuffix("s")) or MEANINGS.get(stem, ())
    if (
        f"--{name}" not in spelled
        and (alias := COMMANDS.get(name, name)) in commands
        and spelled
        and not meant
    ):
        meant = (*meant, alias)
    first = {words: words.partition(" ")[0] for words in meant}
    if options := [words for words in meant if first[words] in spelled]:
        return _did_you_mean(options)
    if spelled and own in meant:  # the command does it already
        return ""
    if names := [words for words in meant if first[words] in {*commands, "help"} and first[words] != own]:
        context = click.get_current_context()
        if spelled:
            rest = [typed for typed in context.args if typed.lstrip("-") != name]
        return _suggested(context, (shlex.split(_command_line(words, rest))[1:] for words in names))
    sentences = (f": {words}" for words in meant if " " in words and not words.startswith("--"))
    return next(sentences, "").replace(f": {own} ", f": try cavalcade {own} ")


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
    choices = getattr(parameter.type, "choices", ())
    elsewhere = [
        f"{spelling} {word}"
        for spelling, option in options.items()
        if option is not parameter and word in getattr(option.type, "choices", ()) and spelling[:2] == "--"
    ]
    parts = [key for key in choices if word in key and len(word) > 2]
    close = parts or get_close_matches(word, choices, 1, CLOSE)
    nearest = [f"{parameter.opts[-1]} {key}" for key in close]
    if isinstance(parameter, click.Argument) and not close:
        return _theorem(word)
    if not choices and (digits := re.match(r"\d+", value)):
        nearest = [f"{parameter.opts[-1]} {digits[0]}"]
    for words in MEANINGS.get(word, ()):
        name, _, meant = words.partition(" ")
        if meant and name in options and (options[name] is not parameter or meant in choices):
            nearest.append(words)
    return _did_you_mean(words.removeprefix(f"{parameter.name} ") for words in [*nearest, *elsewhere])


def option_for(word: str) -> str:
    """Return the end of a sentence with the option for a word after the last argument, or nothing."""
    from cavalcade.question.pieces import NAMED

    command = click.get_current_context().command
    if (command.name, f"--{word}") in USUAL:
        return f": {command.name} does this without it"
    if command.name in ARGUMENTS:
        return f": {ARGUMENTS[command.name].format(word=word)}"
    options = spellings_of(command)
    if word.isdecimal() and command.name in {"tour", "draw"}:
        return _did_you_mean([f"cavalcade sample -n {word}", f"cavalcade list -n {word}"])
    if re.search(r"\w\.\w+$", word):  # a file to write, unless it would be replaced
        if not Path(word).exists():
            return f": try -o {word}" if "--output" in options else ""
        return "; -o would replace this file" if "--output" in options else ""
    if f"--{word.lower()}" in options:
        return f": try --{word.lower()}"
    meant = "--piece" if word.lower() in NAMED else "--from" if CELL.fullmatch(word) else ""
    named = [item for item in options.items() if item[0].startswith("-")]  # the others are arguments
    by_format = sorted(named, key=lambda item: item[0] != "--format")
    for spelling, option in by_format if meant not in options else ():
        if spelling == f"--{word}" or word in getattr(option.type, "choices", ()):
            return f": try {spelling}" + f" {word}" * (spelling != f"--{word}")
    if meant not in options:
        advice = _advice(context := click.get_current_context(), word)
        line = advice.partition(": try ")[2]
        return advice if not line.startswith("cavalcade ") or accepts(context, line) else ""
    return f": try {meant} {word}"


def _did_you_mean(nearest: Iterable[str]) -> str:
    """Return the end of a sentence with the first two suggestions, or nothing."""
    suggestions = list(dict.fromkeys(nearest))[:2]
    return f", did you mean {' or '.join(suggestions)}?" if suggestions else ""
