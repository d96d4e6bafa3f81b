"""Words without dashes: `tour 8x8 closed from a1` means `tour 8x8 --closed --from a1`.

A word is replaced only if the command has one option for it. Other words are kept, and `spellings` answers
with a suggestion. This applies to commands whose argument is a board, because a board is easy to recognize.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import click

BOARD = re.compile(
    r"(\d+[x*\N{MULTIPLICATION SIGN}]|[a-z]+:)[\w:,*\N{MULTIPLICATION SIGN}-]+"
)  # begins like a board
CELL = re.compile(r"[a-z]{1,2}[0-9]{1,3}")
# words of a sentence that change nothing
NOTHING = """a an the of on in for me us my i we please all any find is are does do have has it that there
which what tour tours knight's knights board boards square cells want get give make show can you"""
FILLERS = frozenset(NOTHING.split())
IMPLIED = {  # more fillers, by command
    "prove": frozenset(["no", "not", "why", "impossible", "possible", "exists", "exist"]),
    "fewest": frozenset(["angles"]),
}
SYMMETRIES = frozenset(["half-turn", "quarter-turn"])  # names that are typed as two words
# options that mean another option if their value is a number: the other meaning has no number
COUNTS = {"--numbers": "--given", "--first": "--number"}
PLACES = ("--board", "--graph")  # in front of the board
COUNTED = ("--number", "--levels")  # the options for a number beside the board
# what a value looks like, by the name of the value in the usage
VALUES = {
    "CELL": CELL,
    "CELLS": re.compile(rf"{CELL.pattern}(,{CELL.pattern})*"),
    "MOVE": re.compile(rf"{CELL.pattern}-{CELL.pattern}"),
    "STEP=CELL": re.compile(rf"\d+={CELL.pattern}"),
    "P": re.compile(r"\d,\d|[A-Za-z]+"),
    "NAME": re.compile(r"[a-z]+-[a-z-]+|horizontal|vertical|eulerian|\d+"),
    "FILE": re.compile(r".*[./].*"),
}


Options = Mapping[str, click.Parameter | None]  # options by all spellings; None is an option that is ignored


def bare(options: Options, args: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the words that are neither options nor values of options, with their indices."""
    skip = False
    for index, word in enumerate(args):
        if word == "--":
            return
        if skip or (word.startswith("-") and word != "-"):
            option = None if skip else options.get(word)
            valued = isinstance(option, click.Option) and not option.is_flag
            skip = not skip and (
                valued or (word in COUNTS and "".join(args[index + 1 : index + 2]).isdecimal())
            )
        else:
            yield index, word


def with_dashes(
    command: click.Command, options: Options, meanings: Mapping[str, Sequence[str]], args: Sequence[str]
) -> list[str]:
    """Replace the words that name an option by this option.

    Args:
        command: the command.
        options: its options by all their spellings.
        meanings: the options that a word may mean.
        args: the words after the name of the command.
    """
    arguments = [parameter for parameter in command.params if isinstance(parameter, click.Argument)]
    on_board = any("BOARD" in (parameter.metavar or "") for parameter in arguments)
    words = {index: word for index, word in bare(options, args) if on_board or _says(options, word)}
    boards = [index for index, word in words.items() if BOARD.fullmatch(word.lower()) or "." in word]
    first = next((index for index, word in words.items() if word not in FILLERS), -1)
    fillers = FILLERS | IMPLIED.get(command.name or "", frozenset())
    if command.name == "draw":  # draws an empty board
        fillers -= {"tour", "tours"}
    made: dict[int, list[str]] = {}
    leading: list[str] = []  # a value of the first argument that was typed behind the board
    option: list[str] | None
    for index, typed in enumerate(args):
        word = typed.lower() if index in words else typed.removeprefix("--")
        if index in made or (index not in words and (word == typed or typed in options)):
            continue
        following = words.get(index + 1, "")
        idle = word in fillers and f"--{word}" not in options
        idle = idle or (word == "with" and (following.isdecimal() or f"--{following}" in options))
        joined = "-".join(words.get(index + k, " ") for k in range(3))
        if f"--{joined}" in options:  # `up to symmetry`
            option = [f"--{joined}"]
            made |= {index + 1: [], index + 2: []}
        elif index not in words and typed in PLACES and on_board:
            option = []
        elif index not in words:
            option = _by_value(options, meanings, word)
        elif idle:
            option = []
        elif index in boards or (on_board and not boards and index == first):
            continue
        elif word.isdecimal() and following and isinstance(options.get(f"--{following}"), click.Option):
            option = _by_name(options, following, word)
            made |= {index + 1: []} if option else {}
        elif word.isdecimal() and (boards or not on_board):
            option = next(([name, word] for name in COUNTED if name in options), None)
        else:
            pair = f"{word}-{following}"
            option = _by_name(options, word, following) or _by_value(options, meanings, word)
            option = option or _pair(options, meanings, word, following)
            made |= {index + 1: []} if option and option[-1] in {pair, f"--no-{following}"} else {}
        if option is None:
            if any(word in getattr(argument.type, "choices", ()) for argument in arguments):
                leading, made[index] = [word], []
            elif len(boards) == 1 and (surface := _surface(word, args[boards[0]])):
                made[boards[0]], made[index] = [surface], []
            continue
        made[index] = option
        if option[1:] == [following]:
            made[index + 1] = []
    kept = [word for index, typed in enumerate(args) for word in made.get(index, [typed])]
    return leading + kept


def _says(options: Options, word: str) -> bool:
    """Whether a word has a meaning beside a file: `theorem list`, `check t.json verified`, `glue t.txt 3`."""
    option = options.get(f"--{word}")
    counts = word.isdecimal() and not {*COUNTED}.isdisjoint(options)
    return counts or (isinstance(option, click.Option) and bool(option.is_flag))


def _by_name(options: Options, word: str, following: str) -> list[str] | None:
    """Return the option of a name: a flag, or an option followed by a word that looks like its value."""
    name = f"--{word}"
    if following.isdecimal() and COUNTS.get(name) in options:
        return [COUNTS[name], following]
    option = options.get(name)
    if not isinstance(option, click.Option):
        return [name] if name in options else None
    if option.is_flag:
        return [name]
    return [name, following] if _fits(option, following) else None


def _pair(
    options: Options, meanings: Mapping[str, Sequence[str]], word: str, following: str
) -> list[str] | None:
    """Return the option that two words mean, such as `half turn`, `very hard` and `without labels`."""
    pair = f"{word}-{following}"
    if pair in SYMMETRIES and "--symmetry" in options:
        return ["--symmetry", pair]
    if word in {"no", "without"} and f"--no-{following}" in options:
        return [f"--no-{following}"]
    return _by_value(options, meanings, pair) if following else None


def _fits(option: click.Option, value: str) -> bool:
    """Whether a word looks like a value of an option."""
    if isinstance(option.type, click.Choice):
        return value in option.type.choices
    if isinstance(option.type, (click.IntRange, click.types.IntParamType, click.types.FloatParamType)):
        return value.isdecimal()
    pattern = VALUES.get(option.metavar or "")
    return pattern is not None and pattern.fullmatch(value) is not None


def _by_value(options: Options, meanings: Mapping[str, Sequence[str]], word: str) -> list[str] | None:
    """Return the option that a word is a value of: a piece, or one of the choices of a single option."""
    from cavalcade.question.pieces import ALSO, NAMED

    if word in {*NAMED, *ALSO} and len(word) > 1 and "--piece" in options:  # n is a side, as in 3 x n
        return ["--piece", word]
    having = {
        option.name: option.opts[-1]
        for option in options.values()
        if isinstance(option, click.Option) and word in getattr(option.type, "choices", ())
    }
    meant = [name for words in meanings.get(word, ()) if (name := words.partition(" ")[0]) in options]
    if len(having) != 1 or word in FILLERS or CELL.fullmatch(word) or {*meant[:1]} - {*having.values()}:
        return None
    return [*having.values(), word]


def _surface(word: str, board: str) -> str:
    """Return the spec of a rectangle whose sides are joined, such as torus:8x8, or nothing."""
    from cavalcade.boards.families import FAMILIES

    family = FAMILIES.get(word)
    joined = family is not None and family.separator == "x" and word != "box"
    return f"{word}:{board}" if joined and re.fullmatch(r"\d+x\d+", board) else ""
