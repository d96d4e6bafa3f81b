"""Words without dashes: `tour 8x8 closed from a1` means `tour 8x8 --closed --from a1`.

A word is replaced only if the command has one option for it. Other words are kept, and `spellings` answers
with a suggestion. Most rules apply to commands whose argument is a board, because a board is easy to
recognize.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from pathlib import Path

import click

# begins like a board
BOARD = re.compile(r"(\d+[x*\N{MULTIPLICATION SIGN}]|n[x*](?=[\dn])|[a-z]+:)[\w:,*\N{MULTIPLICATION SIGN}-]+")
CELL = re.compile(r"[a-z]{1,2}[0-9]{1,3}")
PAIR = re.compile(r"\(?\d,\d\)?")  # a piece such as 1,4, if it is no board
FILE = re.compile(r".*[./].*")
# words of a sentence that change nothing
NOTHING = """a an the of on in for me us my i we please any find is are does do have has it that there
which what tour tours knight's knights board boards square cells want get give make show can you be possible
just big large huge whole entire full some one its your this these would like need how standard ordinary
normal usual using go goes going visit visits every so called sized having and hamiltonian"""
FILLERS = frozenset(NOTHING.split())
CYCLES = frozenset(["cycle", "cycles", "circuit", "circuits"])  # --closed, or nothing for `decompose`
# more fillers, by command
IMPLIED_WORDS = {
    "prove": "no not why impossible exists exist solvable toured isn't there's when",
    "count": "all different total number many exist exists",
    "fewest": "angles",
    "decompose": " ".join(CYCLES),
    "check": "valid correct right true ok okay",
    "solve": "unique solvable solution",
}
IMPLIED = {name: frozenset(words.split()) for name, words in IMPLIED_WORDS.items()}
# names of symmetries that mean nothing else; two may be typed as two words
SYMMETRIES = frozenset(["half-turn", "quarter-turn", "eulerian", "horizontal", "vertical"])
OPPOSITES = {"closed": "--open", "open": "--closed"}  # after `not`
# options that mean another option if their value is a number: the other meaning has no number
COUNTS = {"--numbers": ("--given",), "--first": ("--number", "--upto"), "--up-to": ("--upto",)}
INPUT = re.compile(
    "--(?:input|file|in|infile|data|network|links|edges|edge-?list|input-file|data-links|from-\\w+)"
)
SIDES_ALONE = re.compile(r"\d+(?:[x,]\d+)*")  # of a family of boards
PLACES = ("--board", "--graph", "--surface", "--topology", "--shape")  # in front of the board
COUNTED = ("--number", "--levels")  # the options for a number beside the board
# what a value looks like, by the name of the value in the usage
VALUES = {
    "CELL": CELL,
    "CELLS": re.compile(rf"{CELL.pattern}(,{CELL.pattern})*"),
    "MOVE": re.compile(rf"{CELL.pattern}-{CELL.pattern}"),
    "STEP=CELL": re.compile(rf"\d+={CELL.pattern}"),
    "P": re.compile(r"\d,\d|[A-Za-z]+"),
    "NAME": re.compile(r"[a-z]+-[a-z-]+|horizontal|vertical|eulerian|\d+"),
    "FILE": FILE,
    "FROM,TO,WEIGHT": re.compile(r"[^,]+(,[^,]+){1,2}"),
    "M": re.compile(r"\d+(\.\d+)?[KMGT]?i?B?"),
    "C": re.compile(r"[a-z]+|#[0-9a-f]{6}"),
}
FEW = ("no", "few", "fewest", "least", "minimal", "without")  # after `with`, which says nothing then
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
BETWEEN = "x*\N{MULTIPLICATION SIGN}"  # signs between the sides of a board
SIDES = re.compile(rf"(?<=[0-9n]) (?:[{BETWEEN}]|by) (?=(?:\d+|n)(?:[{BETWEEN}]|(?![\w.])))")
# Phrases of several words, and what they mean, for commands that have these options; --upto is for a family.
PHRASES = {
    re.compile(rf"(?<!\S){phrase}(?!\S)"): meant
    for phrase, meant in {
        r"(?:in|within|for|at most|max) (\d+) ?(?:s|sec|secs|seconds)": r"--time-limit \1",
        r"(?:for )?(?:n ?)?(?:(?:from|in|=|between) ?)?1 ?(?:to|and|until|-|\.\.) ?(\d+)": r"--upto \1",
        r"(?:for )?(?:n )?(?:up to|until|till|through|at most|<=) (?:n ?)?(?:= ?)?(\d+)": r"--upto \1",
        rf"(?:start|begin)(?:s|ing|ning)? (?:from|at|on|in|with)? ?({CELL.pattern})": r"--from \1",
        rf"(?:end|finish)(?:s|es|ing)? (?:at|on|in|with)? ?({CELL.pattern})": r"--to \1",
        r"from (\S+) to (\S+)": r"--from \1 --to \2",
        rf"({CELL.pattern}) to ({CELL.pattern})": r"--from \1 --to \2",
        r"up to (?:symmetry|isomorphism|rotations? and reflections?)": "--up-to-symmetry",
    }.items()
}
PARTLY = re.compile(r"(?<!\S)up to (?:rotation|reflection)s?(?!\S)")  # classes that no option counts

Options = Mapping[str, click.Parameter | None]  # options by all spellings; None is an option that is ignored
Meanings = Mapping[str, Sequence[str]]  # the options that a word may mean


class RefusedWordError(click.UsageError):
    """A word of the line is refused, and the message may suggest options to type instead.

    Attributes:
        typed: the refused word.
    """

    def __init__(self, message: str, typed: str) -> None:
        super().__init__(message)
        self.typed = typed


def bare(options: Options, args: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the words that are neither options nor values of options, with their indices."""
    skip = False
    for index, word in enumerate(args):
        if word == "--":
            return
        if skip or (word.startswith("-") and word != "-"):
            unknown = word.startswith("--") and "=" not in word and word not in options
            number = (word in COUNTS or unknown) and "".join(args[index + 1 : index + 2]).isdecimal()
            lacking = "".join(args[index + 1 : index + 2]).startswith("-")
            skip = not skip and (number or valued(options, word, needed=lacking))
        else:
            yield index, word


def spellings_of(command: click.Command | None) -> dict[str, click.Parameter]:
    """Return the options of a command by their spellings."""
    params = command.params if command else []
    return {spelling: option for option in params for spelling in (*option.opts, *option.secondary_opts)}


def choices_of(option: click.Parameter | None) -> tuple[str, ...]:
    """Return the allowed values of a parameter; empty if the parameter does not restrict its values."""
    return tuple(getattr(getattr(option, "type", None), "choices", ()))


def words_of(command: click.Command, args: Sequence[str]) -> list[str]:
    """Return the words that are neither options nor values of options."""
    return [word for _, word in bare(spellings_of(command), args)]


def valued(options: Options, word: str, *, needed: bool = False) -> bool:
    """Whether the next word is the value of an option, or `needed`: must be; in -qo it is that of -o."""
    option = options.get(word if word.startswith("--") else word[:1] + word[-1:])
    if not isinstance(option, click.Option) or option.is_flag:
        return False
    return not (needed and isinstance(option.flag_value, str))


def with_dashes(
    command: click.Command, options: Options, meanings: Meanings, args: Sequence[str]
) -> list[str]:
    """Replace the words that name an option by this option.

    Args:
        command: the command.
        options: its options by all their spellings.
        meanings: the options that a word may mean.
        args: the words after the name of the command.
    """
    on_board = any("BOARD" in (parameter.metavar or "") for parameter in _arguments(command))
    if on_board:
        args = phrased(args, options)
    return _Words(command, options, meanings, args, on_board=on_board).replaced()


def phrased(args: Sequence[str], options: Options) -> list[str]:
    """Replace phrases of several words: `7 by 7`, `up to 20`, `starting at a1`, `four`.

    Args:
        args: the words after the name of the command.
        options: the options of the command by all their spellings.

    Raises:
        click.UsageError: the classes of tours in a phrase are not offered.
    """
    plain = {index for index, word in bare(options, args) if re.fullmatch(r"\S+", word)}
    if not plain:  # such as --help, which loads no NumPy
        return [*args]
    from cavalcade.boards.notation import grows

    made: list[str] = []
    for together, run in groupby(range(len(args)), plain.__contains__):
        words = [args[index] for index in run]
        if together:
            text = SIDES.sub("x", " ".join(_read(words)))
            family = any(word != "n" and grows(word) for word in text.split())
            for pattern, meant in PHRASES.items():
                needed = {*re.findall(r"--[a-z-]+", meant)}
                if options.keys() >= needed and ("--upto" not in needed or family):
                    text = pattern.sub(meant, text)
            if "--up-to-symmetry" in options and (partly := PARTLY.search(text)):
                advice = "try up to symmetry, which is up to rotation and reflection"
                raise click.UsageError(f"{partly[0]!r} alone is not offered: {advice}")
            words = text.split()
        made += words
    return made


def _read(words: list[str]) -> Iterator[str]:
    """Yield words without punctuation, and numbers in digits; labels in a graph of a file are kept."""
    labelled = any(map(FILE.fullmatch, words))
    ends = [before in {"from", "to"} for before in ["", *words[:-1]]]
    words = [
        word if end and labelled else re.sub(r"(?<=\w)[?!,;]+$", "", word)
        for word, end in zip(words, ends, strict=True)
    ]
    # a number is of something, such as a board, or beside `by`
    counts = any(
        word.isdecimal() or word in {"by", *BETWEEN} or is_place(word, on_board=True) for word in words
    )
    for word, end in zip(words, ends, strict=True):
        yield str(NUMBERS.index(word) + 2) if word in NUMBERS and counts and not end else word


def _arguments(command: click.Command) -> list[click.Argument]:
    return [parameter for parameter in command.params if isinstance(parameter, click.Argument)]


def counted(options: Options, name: str, value: str) -> str:
    """Return the option that a name means before a number, or nothing."""
    return next((meant for meant in COUNTS.get(name, ()) if value.isdecimal() and meant in options), "")


class _Words:
    """A line whose words are replaced by options.

    Attributes:
        words: the words that are neither options nor values of options, by index.
        places: the indices of words that are boards or files.
        leading: values of the first argument that were typed behind the board.
        surface: the index of the name of a family that joins the sides of the board, or -1.
    """

    def __init__(
        self,
        command: click.Command,
        options: Options,
        meanings: Meanings,
        args: Sequence[str],
        *,
        on_board: bool,
    ) -> None:
        self.options, self.meanings, self.args, self.on_board = options, meanings, [*args], on_board
        self.arguments = _arguments(command)
        self.fillers = FILLERS | IMPLIED.get(command.name or "", frozenset())
        if command.name == "draw":  # draws an empty board
            self.fillers -= {"tour", "tours"}
        self.words = {index: word for index, word in bare(options, args) if on_board or self._means(word)}
        if any(argument.metavar == "TEXT" for argument in self.arguments):
            self.words.pop(next(bare(options, args), (-1, ""))[0], None)
        self.places = [index for index, word in self.words.items() if is_place(word, on_board=on_board)]
        if len(self.places) > 1:  # 1,4 beside a board is a piece
            self.places = [index for index in self.places if not PAIR.fullmatch(self.words[index])]
        self.first = next((index for index, word in self.words.items() if word not in FILLERS), -1)
        self.leading: list[str] = []
        self.surface = self._surface()

    def replaced(self) -> list[str]:
        """Return the line with options in place of words.

        Raises:
            click.UsageError: words ask for both open and closed tours.
        """
        made: list[str] = []
        index = 0
        while index < len(self.args):
            if index == self.surface:
                index += 1
                continue
            rules = self._bare_word(index) if index in self.words else self._dashed(index)
            tokens, count = next(filter(None, rules), ([self.args[index]], 1))
            if index in self.words:
                self._assert_single(tokens, made, index)
            made += tokens
            index += count
        kinds = {"--open", "--closed"}
        if kinds <= {*made} and not kinds <= {*self.args}:
            advice = "ask for one of the two"
            raise click.UsageError(f"tours are either open or closed, and a cycle is closed: {advice}")
        return self.leading + made

    def _assert_single(self, tokens: list[str], made: list[str], index: int) -> None:
        """Refuse a word that would change the value of an option: `king zebra`, `easy hard`."""
        option = self.options.get(tokens[0]) if len(tokens) > 1 else None
        if not isinstance(option, click.Option) or option.multiple:
            return
        for name, value in pairwise([*made, *self.args[index + 1 :]]):
            if self.options.get(name) is option and value != tokens[1]:
                message = f"unexpected argument {self.args[index]!r}: {tokens[0]} is {value} already"
                raise RefusedWordError(message, self.args[index])

    def _means(self, word: str) -> bool:
        """Whether a word has a meaning beside a file: `theorem list`, `check t.json verified`."""
        option = self.options.get(f"--{word}")
        counts = word.isdecimal() and not {*COUNTED}.isdisjoint(self.options)
        return (
            counts
            or word in self.fillers - FILLERS
            or (isinstance(option, click.Option) and bool(option.is_flag))
        )

    def _joined(self, index: int, word: str) -> tuple[list[str], int] | None:
        """Read an option that was typed as three words, such as `up to symmetry`."""
        name = "--" + "-".join([word, self.words.get(index + 1, " "), self.words.get(index + 2, " ")])
        return ([name], 3) if name in self.options else None

    def _dashed(self, index: int) -> Iterator[tuple[list[str], int] | None]:
        """Yield what a word with dashes may mean: a value, such as `--zebra`, if it is no option."""
        typed = self.args[index]
        word = typed.removeprefix("--")
        if not self._unknown(index):
            return
        yield self._joined(index, word)
        following = "".join(self.args[index + 1 : index + 2])
        if self._names_argument(word, following):
            yield [], 1
        if self.on_board and not self.places and SIDES_ALONE.fullmatch(following):  # `--hex 6`
            from cavalcade.boards.families import FAMILIES

            if word in FAMILIES:
                yield [f"{word}:{following}"], 2
        if self.on_board and (typed in PLACES or (INPUT.fullmatch(typed) and Path(following).is_file())):
            yield [], 1
        if (value := self._by_value(word)) and not FILE.fullmatch(following):  # --pdf x.pdf names a file
            yield value, 1
        yield self._choice(word)

    def _names_argument(self, word: str, following: str) -> bool:
        """Whether a word with dashes names the first argument, whose value follows: `--paper`, `--file`."""
        words = [typed for _, typed in bare(self.options, self.args)]
        if self.on_board or words != [following] * (not following.isdecimal()):
            return False
        names = {
            name
            for argument in self.arguments[:1]
            for name in (argument.name, (argument.metavar or "").lower())
        }
        return word in names or (INPUT.fullmatch(f"--{word}") is not None and Path(following).is_file())

    def _unknown(self, index: int) -> bool:
        """Whether a word with dashes is neither an option nor the value of an option."""
        typed, before = self.args[index], self.args[:index]
        if not typed.startswith("--") or typed in self.options or "--" in before:
            return False
        return not before or not valued(self.options, before[-1])

    def _bare_word(self, index: int) -> Iterator[tuple[list[str], int] | None]:
        """Yield what a word without dashes may mean, the first that fits; a board is kept."""
        word, following = self.words[index].lower(), self.words.get(index + 1, "")
        yield self._joined(index, word)
        if (word in self.fillers and f"--{word}" not in self.options) or (
            word == "with" and (following.isdecimal() or following in FEW or f"--{following}" in self.options)
        ):
            yield [], 1
        if index in self.places or (self.on_board and not self.places and index == self.first):
            yield [self.args[index]], 1
        if word.isdecimal():
            follows = self.words.get(index + 2, "").isdecimal()
            yield self._number(word, "" if following == "seed" and follows else following)
        elif word in CYCLES and "--closed" in self.options:
            yield ["--closed"], 1
        elif option := self._by_name(word, following):
            yield option, 1 + (option[1:] == [following])
        elif option := self._by_value(word):
            yield option, 1
        elif option := self._pair(word, following):
            yield option, 2
        yield self._choice(word)

    def _choice(self, word: str) -> tuple[list[str], int] | None:
        """Move a value of the first argument in front of the board: `fewest 8x8 turns`."""
        if self.leading or not any(word in choices_of(argument) for argument in self.arguments):
            return None
        self.leading = [word]
        return [], 1

    def _number(self, word: str, following: str) -> tuple[list[str], int] | None:
        """Read a number: of what the next word says, such as `10 clues`, or of tours beside a board."""
        named = self.options.get(f"--{following}")
        if following and isinstance(named, click.Option) and not named.is_flag:
            option = self._by_name(following, word)
            return (option, 2) if option else None
        for meant in self.meanings.get(following, ()) or self.meanings.get(following.removesuffix("s"), ()):
            parameter = self.options.get(meant)
            if isinstance(parameter, click.Option) and fits(parameter, word):
                return [meant, word], 2
        if self.places or not self.on_board:
            return next((([name, word], 1) for name in COUNTED if name in self.options), None)
        return None

    def _by_name(self, word: str, following: str) -> list[str] | None:
        """Return the option of a name: a flag, or an option followed by a word that looks like its value."""
        name = f"--{word}"
        if count := counted(self.options, name, following):
            return [count, following]
        option = self.options.get(name)
        if not isinstance(option, click.Option):
            return [name] if name in self.options else None
        if option.is_flag:
            return [name]
        return [name, following] if fits(option, following) else None

    def _pair(self, word: str, following: str) -> list[str] | None:
        """Return the option that two words mean, such as `half turn`, `very hard` and `without labels`."""
        pair = f"{word}-{following}"
        if word in {"very", "really", "quite"} and following in {"easy", "medium"}:
            pair = following
        if pair in SYMMETRIES and "--symmetry" in self.options:
            return ["--symmetry", pair]
        if word in {"not", "no"} and following in OPPOSITES and "--closed" in self.options:
            return [OPPOSITES[following]]
        if word in {"no", "without"} and f"--no-{following}" in self.options:
            return [f"--no-{following}"]
        return self._by_value(pair) if following else None

    def _by_value(self, word: str) -> list[str] | None:
        """Return the option that a word is a value of: a piece, or one of the choices of a single option."""
        from cavalcade.question.pieces import ALSO, NAMED

        if PAIR.fullmatch(word) and "--piece" in self.options:
            return ["--piece", word]
        singular = word.removesuffix("'s")
        if word in SYMMETRIES and "--symmetry" in self.options:
            return ["--symmetry", word]
        if (
            len(word) > 1 and {*singular.split("+")} <= {*NAMED, *ALSO} and "--piece" in self.options
        ):  # n is a side
            return ["--piece", singular]
        having = {
            option.name: option.opts[-1]
            for option in self.options.values()
            if isinstance(option, click.Option)
            and word in choices_of(option)
            and option.name != "input_format"  # a word such as matrix is rather about the answer
        }
        names = [words.partition(" ")[0] for words in self.meanings.get(word, ())]
        meant = {*[name for name in names if name in self.options][:1]}
        if len(having) != 1 or word in FILLERS or CELL.fullmatch(word) or meant - {*having.values()}:
            return None
        return [*having.values(), word]

    def _surface(self) -> int:
        """Join the sides of the only board, as in `torus 8x8`; return the index of the name, or -1."""
        if len(self.places) != 1 or not re.fullmatch(r"\d+x\d+", board := self.args[self.places[0]]):
            return -1
        from cavalcade.boards.families import FAMILIES

        for index, typed in enumerate(self.args):
            family = FAMILIES.get(word := typed.lower().removeprefix("--"))
            named = index in self.words or self._unknown(index)
            if (
                family is not None
                and family.separator == "x"
                and word != "box"
                and named
                and typed not in PLACES
            ):
                self.args[self.places[0]] = f"{word}:{board}"
                return index
        return -1


def is_place(word: str, *, on_board: bool) -> bool:
    """Whether a word is a board, a graph with a name or a file."""
    if BOARD.fullmatch(word.lower()) or "." in word:
        return True
    if not on_board or len(word) < len("chess") or word in FILLERS:
        return False
    from cavalcade.boards.notation import spelled
    from cavalcade.question.named import GRAPHS

    return spelled(word) != word.lower() or (word in GRAPHS and not GRAPHS[word].least)


def is_board(text: str) -> bool:
    """Whether a text begins like a board or a graph."""
    from cavalcade.question.named import GRAPHS, spelled_out

    name = spelled_out(text).partition(":")[0].lower()
    return is_place(text.replace(" ", "x"), on_board=True) or name in GRAPHS


def fits(option: click.Option, value: str) -> bool:
    """Whether a word looks like a value of an option."""
    if isinstance(option.type, click.Choice):
        return value in option.type.choices
    if isinstance(option.type, (click.IntRange, click.types.IntParamType, click.types.FloatParamType)):
        return value.isdecimal()
    pattern = VALUES.get(option.metavar or "")
    return pattern is not None and pattern.fullmatch(value) is not None
