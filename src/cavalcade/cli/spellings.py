"""Words that people type: understood where they can mean one thing only, otherwise answered with another.

Boards and pieces have other spellings as well: `boards.notation` and `question.pieces` know these.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches

import click

from cavalcade.question.words import LIMITS, ROWS, key_of, spelling_of

# another name of a command
COMMANDS = {
    "find": "tour", "search": "tour", "hamiltonian": "tour", "refute": "prove", "disprove": "prove",
    "why": "prove", "enumerate": "list", "random": "sample", "plot": "draw", "render": "draw",
    "picture": "draw", "show": "draw", "verify": "check", "validate": "check",
    "rösselsprung": "roesselsprung", "statistics": "measure", "stats": "measure", "gui": "studio",
    "symmetry": "symmetries", "theorems": "theorem", "sequence": "count", "finish": "continue",
    "proof": "prove", "hamilton": "tour", "print": "draw", "papers": "reproduce",
}  # fmt: skip
# another name of an option, for commands that have no option of this name, but have the other
OPTIONS = {
    f"--{alias.replace('_', '-')}": spelling_of(name)
    for name, row in (ROWS | LIMITS).items()
    for alias in (key_of(name), *row.aliases)
} | {
    f"--{opposite}": row.option.partition("/")[2] for row in ROWS.values() for opposite in row.opposites
} | {
    "--to": "--format", "--terms": "--upto", "--b-file": "--bfile", "--out": "--output",
    "--color": "--colour", "--remove": "--without", "--holes": "--without", "--silent": "--quiet",
    "--numbers": "--given", "--count": "--number", "--threads": "--workers",
    "--jobs": "--workers", "--side-by-side": "--beside", "--animated": "--animate",
}  # fmt: skip
# what a command does anyway
USUAL = {("solve", "--solution"), ("prove", "--proof"), ("prove", "--why"), ("prove", "--explain")}
# flags of `tour` that are commands: the words for each, and whether its value is the first argument
ONCE = {
    "--continue": (["continue"], True), "--fewest": (["fewest"], True), "--summary": (["optgraph"], False),
    "--fewest-turns": (["fewest", "turns"], False), "--fewest-crossings": (["fewest", "crossings"], False),
}  # fmt: skip
# what no command or option is, and what serves instead
EASIER = "the levels of a puzzle are --level easy, medium, hard and very-hard"
INSTEAD = {
    "completion": 'for bash, try eval "$(_CAVALCADE_COMPLETE=bash_source cavalcade)"; also zsh and fish',
    "example": "try cavalcade tour 8x8, cavalcade prove 4x4 or cavalcade count 6x6",
    "board": "a board is written as in cavalcade tour 8x8, hex:6, torus:5x7, cube:4 or 8x8-a1,b1",
    "piece": "a piece is written as in cavalcade tour 9x9 --piece zebra, 1,4 or 1,2+1,3",
    "format": "cavalcade draw --help and cavalcade convert --help list them",
    "export": "try cavalcade convert for graphs, cavalcade survey export for tables",
    "doc": "try cavalcade help, and cavalcade help tour",
    "tutorial": "try cavalcade help, and cavalcade help tour",
    "worksheet": "try cavalcade puzzle 6x6 -n 12 --level easy -o class.pdf",
} | dict.fromkeys(("--easy", "--medium", "--hard", "--difficulty"), EASIER)
CELL = re.compile(r"[a-z]{1,2}[0-9]{1,3}")
CLOSE = 0.8  # how alike two words must be for one to be meant by the other


def usual_command(args: list[str], commands: Sequence[str]) -> list[str]:
    """The command line with its command spelled as usual.

    Raises:
        click.UsageError: there is no such command.
    """
    first, *rest = args
    word = first.lower()
    if word == "help":
        known = [one for one in (usual_command([rest[0]], commands) if rest else []) if one in commands]
        return [*known, "--help"]
    if word == "version":
        return ["--version"]
    if first == "tour":  # what was a flag of `tour` has a command of its own
        for at, word in enumerate(args):
            flag, _, value = word.partition("=")
            if flag in ONCE:
                name, valued = ONCE[flag]
                rest = args[at + 1 :]
                given = ([value] if value else rest[:1]) if valued else []
                return [*name, *given, *args[1:at], *rest[bool(given) and not value :]]
    if first in commands:
        return args
    word = word if word in COMMANDS else word.removesuffix("s")
    if word in commands or word in COMMANDS:
        return [COMMANDS.get(word, word), *rest]
    if word[:1].isdigit() or ":" in word:
        raise click.UsageError(
            f"{first[:60]!r} is not a command; for a board, try cavalcade tour {first[:60]}"
        )
    if "." in word or "/" in word:
        raise click.UsageError(
            f"{first[:60]!r} is not a command; for a file, try cavalcade check {first[:60]}"
        )
    if instead := INSTEAD.get(word):
        raise click.UsageError(f"there is no command {first[:60]!r}: {instead}")
    known = [*commands, *COMMANDS]
    near = list(dict.fromkeys(COMMANDS.get(one, one) for one in get_close_matches(word, known, 2, CLOSE)))
    raise click.UsageError(f"there is no command {first[:60]!r}{_did_you_mean(near)}")


def usual_options(
    command: click.Command, args: Sequence[str], commands: Mapping[str, Callable[[], click.Command | None]]
) -> Iterator[str]:
    """The words after a command with its options spelled as usual.

    Args:
        command: the command.
        args: the words.
        commands: all commands, by their names.

    Raises:
        click.UsageError: it has no such option.
    """
    spelled = {one: option for option in command.params for one in (*option.opts, *option.secondary_opts)}
    formats = getattr(getattr(spelled.get("--format"), "type", None), "choices", ())
    for at, word in enumerate(args):
        name, equals, value = word.partition("=")
        if word == "--":
            yield from args[at:]
            return
        following = value or next(iter(args[at + 1 :]), "")
        if name == "--to" in spelled and following in formats:
            raise click.UsageError(f"--to is the last cell of a tour: try --format {following}")
        if (command.name, name) in USUAL:
            continue
        if not name.startswith("--") or name in {*spelled, "--help"}:
            yield word
            continue
        meant = OPTIONS.get(name, "")
        if meant in spelled:
            yield meant + equals + value
        elif name[2:] in formats and not equals:
            yield from ("--format", name[2:])
        else:
            near = [one for one in spelled if one[:2] == "--" and name[2:] in one]
            near = near or [
                OPTIONS.get(one, one) for one in get_close_matches(name, {*spelled, *OPTIONS}, 2, CLOSE)
            ]
            near = [one for one in dict.fromkeys(near) if one in spelled and one[:2] == "--"][:2]
            other = COMMANDS.get(name[2:], name[2:])
            near = [f"cavalcade {other}"] if not near and other in commands else near
            if not near:
                near = [
                    f"cavalcade {one} {name}" for one, its in commands.items() if name in _spellings(its())
                ]
            unknown = f"{command.name} has no option {name!r}"
            if (instead := INSTEAD.get(name)) and "--given" in spelled:
                raise click.UsageError(f"{unknown}: {instead}")
            raise click.UsageError(f"{unknown}{_did_you_mean(near[:2])}")


def _spellings(command: click.Command | None) -> list[str]:
    return [one for option in command.params for one in option.opts] if command else []


def option_for(word: str) -> str:
    """The option that a word after a board is meant for, as the end of a sentence, if it is plain."""
    from cavalcade.question.pieces import NAMED

    if word.lower() in {"from", "to", "with", "without", "avoid", "at", "open", "closed"}:
        return f": try --{word.lower()}"
    meant = "--piece" if word.lower() in NAMED else "--from" if CELL.fullmatch(word) else ""
    return f": try {meant} {word}" if meant else ""


def _did_you_mean(near: list[str]) -> str:
    return f", did you mean {' or '.join(near)}?" if near else ""
