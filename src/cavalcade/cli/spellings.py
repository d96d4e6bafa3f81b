"""Other spellings of commands and options: accepted if they are unambiguous, else answered with a suggestion.

Other spellings of boards and pieces are in `boards.notation` and `question.pieces`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

import click

from cavalcade.cli.status import remark
from cavalcade.formats.table import format_of, names_of
from cavalcade.question.words import LIMITS, ROWS, key_of, spelling_of

# other names of commands
COMMANDS = {
    "find": "tour", "search": "tour", "hamiltonian": "tour", "refute": "prove", "disprove": "prove",
    "why": "prove", "enumerate": "list", "random": "sample", "plot": "draw", "render": "draw",
    "picture": "draw", "show": "draw", "verify": "check", "validate": "check",
    "rösselsprung": "roesselsprung", "statistics": "measure", "stats": "measure", "gui": "studio",
    "symmetry": "symmetries", "theorems": "theorem", "sequence": "count", "finish": "continue",
    "proof": "prove", "hamilton": "tour", "print": "draw", "papers": "reproduce",
    "oeis": "count", "horse": "tour", "knight": "tour", "springer": "tour",
}  # fmt: skip
# other names of options, for commands that lack the first name and have the second
OPTIONS = {
    f"--{alias.replace('_', '-')}": spelling_of(name)
    for name, row in (ROWS | LIMITS).items()
    for alias in (key_of(name), *row.aliases)
} | {
    f"--{opposite}": row.option.partition("/")[2] for row in ROWS.values() for opposite in row.opposites
} | {
    "--to": "--format", "--terms": "--upto", "--b-file": "--bfile", "--out": "--output",
    "--color": "--colour", "--remove": "--without", "--holes": "--without", "--silent": "--quiet",
    "--count": "--number", "--threads": "--workers",
    "--jobs": "--workers", "--side-by-side": "--beside", "--animated": "--animate", "--mend": "--fix",
    "--clues": "--given", "--hints": "--given", "--minimal": "--fewest", "--answer-key": "--solution",
    "--answers": "--solution", "--undirected": "--no-directed", "--mod": "--modulo",
    "--offen": "--open", "--figur": "--piece",
    "--source": "--from", "--target": "--to", "--obstacles": "--without", "--samples": "--number",
    "--n": "--number", "-p": "--piece",
}  # fmt: skip
# options that mean another option if their value is a number: the other meaning has no number
COUNTS = {"--numbers": "--given", "--first": "--number"}
# options for the default behaviour, which are ignored: (command, option)
USUAL = {
    ("solve", "--solution"), ("solve", "--unique"), ("puzzle", "--unique"),
    ("prove", "--proof"), ("prove", "--why"), ("prove", "--explain"),
    ("count", "--recurrence"), ("count", "--gf"), ("count", "--generating-function"),
    ("count", "--verbose"), ("draw", "--grid"), ("draw", "--blank"),
}  # fmt: skip
# former flags of `tour` that are commands today: the words that replace each, and whether it has a value
ONCE = {
    "--continue": (["continue"], True), "--fewest": (["fewest"], True), "--summary": (["optgraph"], False),
    "--fewest-turns": (["fewest", "turns"], False), "--fewest-crossings": (["fewest", "crossings"], False),
}  # fmt: skip
# other words for the topics of `cavalcade help`
TOPIC_NAMES = {
    "board": "boards", "boards": "boards", "graphs": "boards", "shapes": "boards", "cells": "boards",
    "piece": "pieces", "pieces": "pieces", "leapers": "pieces", "symmetries": "symmetries",
    "symmetry": "symmetries", "format": "formats", "formats": "formats", "files": "formats",
    "endings": "formats",
}  # fmt: skip
# options by meaning: what to try instead, an option that the command has or else a command
MEANT: dict[str, tuple[str, ...]] = {
    "--all": ("--most", "list"), "--solutions": ("--solution", "--most", "--number", "list"),
    "--max": ("--number", "--longest", "--time-limit"), "--maximum": ("--longest", "best"),
    "--how-many": ("count",), "--count": ("--number", "count"), "--limit": ("--time-limit", "--number"),
    "--steps": ("--time-limit", "--at"),
    "--json": ("--format json", "convert"), "--file": ("--output",), "--save": ("--output",),
    "--to-file": ("--output",), "--write": ("--output",), "--export": ("--output", "convert"),
    "--input": ("--input-format", "check"), "--image": ("--output tour.svg", "draw"),
    "--picture": ("--output tour.svg", "draw"), "--plot": ("--output tour.svg", "draw"),
    "--show": ("--output tour.svg", "draw"), "--width": ("--cell-size", "help boards"),
    "--size": ("--cell-size", "help boards"), "--rows": ("help boards",),
    "--rows-and-columns": ("help boards",), "--board": ("help boards",), "--shape": ("help boards",),
    "--dimensions": ("help boards",), "--knight": ("--piece knight",), "--camel": ("--piece camel",),
    "--zebra": ("--piece zebra",), "--giraffe": ("--piece giraffe",), "--antelope": ("--piece antelope",),
    "--longest": ("best",), "--length": ("best",), "--partial": ("best",), "--shortest": ("tsp",),
    "--weights": ("tsp",), "--cost": ("tsp",), "--weight": ("--columns", "tsp"),
    "--random": ("--seed", "sample"),
    "--shuffle": ("--seed", "sample"), "--rotate": ("--symmetry", "--from"), "--mirror": ("--symmetry",),
    "--unique": ("count --symmetry",), "--up-to-symmetry": ("count --symmetry",),
    "--canonical": ("--symmetry",), "--explain": ("prove",),
    "--certificate": ("prove",), "--unsat": ("prove",), "--heuristic": ("--engine", "warnsdorff"),
    "--backtrack": ("--engine", "list"), "--sat": ("--engine sat", "prove"), "--exhaustive": ("list",),
    "--verify": ("check",), "--validate": ("check",), "--statistics": ("measure",), "--stats": ("measure",),
    "--interactive": ("studio",), "--gui": ("studio",), "--browser": ("studio",),
    "--time": ("--time-limit",), "--max-time": ("--time-limit",), "--ram": ("--memory",),
    "--type": ("--kind",), "--letter": ("--paper letter",), "--a4": ("--paper a4",),
    "--latex": ("--format tikz",), "--tex": ("--format tikz",), "--boards": ("help survey",),
    "--theme": ("--style",), "--dark": ("--style dark",), "--graph": ("help boards",),
    "--data": ("help boards",), "--walls": ("--without",),
    "--hole": ("--without",), "--exclude": ("--without", "--avoid"), "--through-cells": ("--through",),
    "--pass": ("--through",), "--must-use": ("--with",), "--include": ("--with",),
    "--reentrant": ("--closed",), "--magic": ("magic",), "--crossings": ("fewest crossings",),
    "--turns": ("fewest turns",), "--rate": ("--level",), "--blank": ("draw",),
    "--pages": ("--number",), "--progress": ("--verbose",), "--debug": ("--verbose",),
    "--log": ("--verbose",),
}  # fmt: skip
# words that are no command or option, and the advice for each
EASIER = "the levels of a puzzle are --level easy, medium, hard and very-hard"
ONE_PROCESS = "a search uses one process; cavalcade survey --workers N asks about several boards at a time"
ENGLISH = "the commands write English; the page of cavalcade studio has German and Spanish, too"
POINTS = "for points, write a TSPLIB file with NODE_COORD_SECTION"
WALK = "the walk is a file, or - as in echo a1 b3 | cavalcade continue - 8x8"
INSTEAD = {
    "completion": 'for bash, try eval "$(_CAVALCADE_COMPLETE=bash_source cavalcade)"; also zsh and fish',
    "example": "try cavalcade tour 8x8, cavalcade prove 4x4 or cavalcade count 6x6",
    "board": "a board is written as in cavalcade tour 8x8 or hex:6; cavalcade help boards lists them all",
    "graph": "try cavalcade tour FILE, cavalcade convert FILE -o g.graphml or cavalcade degrees 8x8",
    "piece": "a piece is written as in cavalcade tour 9x9 --piece zebra or 1,4; try cavalcade help pieces",
    "format": "cavalcade help formats lists them",
    "export": "try cavalcade convert for graphs, cavalcade survey export for tables",
    "doc": "try cavalcade help, and cavalcade help tour",
    "hilfe": "try cavalcade help, and cavalcade help tour",
    "beispiel": "try cavalcade tour 8x8, cavalcade prove 4x4 or cavalcade count 6x6",
    "memory": "every command has a limit, such as --memory 4G; cavalcade help tour explains it",
    "info": "try cavalcade --version",
    "tutorial": "try cavalcade help, and cavalcade help tour",
    "worksheet": "try cavalcade puzzle 6x6 -n 12 --level easy -o class.pdf",
    "--walk": WALK,
    **dict.fromkeys(("--easy", "--medium", "--hard", "--difficulty"), EASIER),
    **dict.fromkeys(("--threads", "--workers", "--jobs", "--cores", "--cpus", "--parallel"), ONE_PROCESS),
    **dict.fromkeys(("--lang", "--language", "--locale"), ENGLISH),
    **dict.fromkeys(("--metric", "--euclidean", "--coordinates", "--points"), POINTS),
}
# advice for an argument too many, by command
ARGUMENTS = {
    "check": "one file at a time",
    "continue": WALK,
    "roesselsprung": "the text is one argument or a file, and the board is --board 8x8",
    "sas": "the program is the only argument, as in cavalcade sas tour.sas",
}
BOARD = re.compile(
    r"(\d+[x*\N{MULTIPLICATION SIGN}]|[a-z]+:)[\w:,*\N{MULTIPLICATION SIGN}-]+"
)  # begins like a board
CELL = re.compile(r"[a-z]{1,2}[0-9]{1,3}")
CLOSE = 0.8  # similarity of `difflib`, 0 to 1, from which a word is suggested: about two letters may differ


def usual_command(args: list[str], commands: Sequence[str]) -> list[str]:
    """Replace another name of a command by its usual name.

    Raises:
        click.UsageError: there is no such command.
    """
    first, *rest = args
    word = first.lower()
    if word == "help":
        if rest and (topic := TOPIC_NAMES.get(rest[0].lower())):
            return ["help", topic]
        names = [name for name in (usual_command([rest[0]], commands) if rest else []) if name in commands]
        return [*names, "--help"]
    if word == "version":
        return ["--version"]
    if first == "tour":  # a former flag
        for index, word in enumerate(args):
            flag, _, value = word.partition("=")
            if flag in ONCE:
                name, valued = ONCE[flag]
                rest = args[index + 1 :]
                argument = ([value] if value else rest[:1]) if valued else []
                return [*name, *argument, *args[1:index], *rest[bool(argument) and not value :]]
    if first in commands:
        return args
    word = word if word in COMMANDS else word.removesuffix("s")
    if word in commands or word in COMMANDS:
        return [COMMANDS.get(word, word), *rest]
    unknown = first[:60]
    if BOARD.fullmatch(word):
        return ["tour", *args]
    if "." in word or "/" in word:
        raise click.UsageError(f"{unknown!r} is not a command; for a file, try cavalcade check {unknown}")
    nearest = get_close_matches(word, [*commands, *COMMANDS], 2, CLOSE)
    advice = _did_you_mean(COMMANDS.get(name, name) for name in nearest)
    if word in INSTEAD:
        advice = f": {INSTEAD[word]}"
    raise click.UsageError(f"there is no command {unknown!r}{advice}")


def usual_options(context: click.Context, args: Sequence[str]) -> Iterator[str]:
    """Replace other names of options by their usual names.

    Args:
        context: the context of the command.
        args: the words after the command.

    Raises:
        click.UsageError: the command has no such option.
    """
    command = context.command
    spelled = _spellings(command)
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
        if (command.name, name) in USUAL:
            continue
        meant = OPTIONS.get(name, "")
        if (command.name, name) == ("tour", "--style") and (
            following == "random" or (following == "plain" and not pictured)  # also a style of pictures
        ):
            remark(f"--style {following} is deprecated since 0.2: use --blocks {following}")
            yield "--blocks" + equals + value
        elif following.isdecimal() and COUNTS.get(name, "") in spelled:
            yield COUNTS[name] + equals + value
        elif name in {*spelled, "--help"} or not (name.startswith("--") or meant in spelled):
            yield word
        elif meant in spelled:
            yield meant + equals + value
        elif name[2:] in formats and not equals:
            yield from ("--format", name[2:])
        else:
            advice = (
                f": {INSTEAD[name]}" if name in INSTEAD else _did_you_mean(_nearest(context, name, spelled))
            )
            raise click.UsageError(f"{command.name} has no option {name!r}{advice}")


def _spellings(command: click.Command | None) -> dict[str, click.Parameter]:
    """Return the options of a command by their spellings."""
    params = command.params if command else []
    return {spelling: option for option in params for spelling in (*option.opts, *option.secondary_opts)}


def _nearest(context: click.Context, name: str, spelled: Collection[str]) -> list[str]:
    """List what an unknown option may mean: by its meaning, else by its spelling, else in other commands."""
    own = context.command.name
    meant = MEANT.get(name, ())
    if options := [words for words in meant if words.partition(" ")[0] in spelled]:
        return options
    if commands := [words for words in meant if not words.startswith("--") and words != own]:
        return [f"cavalcade {words}" for words in commands]
    similar = [OPTIONS.get(word, word) for word in get_close_matches(name, {*spelled, *OPTIONS}, 2, CLOSE)]
    for words in ([spelling for spelling in spelled if name[2:] in spelling], similar):
        if options := [word for word in words if word in spelled and word.startswith("--")]:
            return options
    group = context.find_root().command
    if not isinstance(group, click.Group):  # the command is called directly, as in tests
        return []
    commands = group.list_commands(context)
    if (command := COMMANDS.get(name[2:], name[2:])) in commands:
        return [f"cavalcade {command}"]
    having = [word for word in commands if name in _spellings(group.get_command(context, word))]
    return [f"cavalcade {word} {name}" for word in having]


def option_for(word: str) -> str:
    """Return the end of a sentence with the option for a word after the last argument, or nothing."""
    from cavalcade.question.pieces import NAMED

    command = click.get_current_context().command
    if command.name in ARGUMENTS:
        return f": {ARGUMENTS[command.name]}"
    options = _spellings(command)
    if re.search(r"\w\.\w+$", word):  # a file to write, unless it would be replaced
        replaces = "; -o would replace this file" if Path(word).exists() else f": try -o {word}"
        return replaces if "--output" in options else ""
    if word.lower() in {"from", "to", "with", "without", "avoid", "at", "open", "closed"}:
        return f": try --{word.lower()}"
    meant = "--piece" if word.lower() in NAMED else "--from" if CELL.fullmatch(word) else ""
    return f": try {meant} {word}" if meant in options else ""


def _did_you_mean(nearest: Iterable[str]) -> str:
    """Return the end of a sentence with the first two suggestions, or nothing."""
    suggestions = list(dict.fromkeys(nearest))[:2]
    return f", did you mean {' or '.join(suggestions)}?" if suggestions else ""
