"""Other spellings of commands and options: accepted if they are unambiguous, else answered with a suggestion.

Other spellings of boards and pieces are in `boards.notation` and `question.pieces`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, takewhile
from pathlib import Path

import click

from cavalcade.cli.bare_words import (
    BOARD,
    CELL,
    CYCLES,
    FILE,
    FILLERS,
    RefusedWordError,
    choices_of,
    counted,
    is_place,
    phrased,
    spellings_of,
    valued,
    with_dashes,
    words_of,
)
from cavalcade.cli.meanings import (
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
    USUAL_IN,
    VALUELESS,
)
from cavalcade.cli.menu import SUMMARIES
from cavalcade.cli.misplaced import is_pictured
from cavalcade.cli.places import SIDE_OPTIONS, sized, with_positions
from cavalcade.cli.status import remark
from cavalcade.cli.suggestions import advice_on, command_meant, drawn_tour, of_several
from cavalcade.formats.table import BY_NAME, format_of, names_of

# options that name a file to write
WRITING = {"draw", "picture", "image", "export", "certificate"}
FILES_ONLY = {row.name for row in BY_NAME.values() if row.files_only}
# the value of an option, as a list of cells, in a line whose words are joined by NUL
CELLS = rf"[=\0]({CELL.pattern}(?:,{CELL.pattern})*)(?![^\0])"
FIRST_CELLS = re.compile(rf"(?<![^\0])--(?:from|begin|start|first)(?=.[^,\0]*,){CELLS}")
AVOIDED_CELLS = re.compile(rf"(?<![^\0])--(?:avoid|forbid){CELLS}")
HOLES = re.compile(r"(?:^|\0)--(?:without|holes|remove)[=\0]([^\0]+)")
STARTS = {"--from", "--begin", "--start", "--first"}
MANY = re.compile("--(max|num|limit|n)?-?(tour|cycle|circuit|solution|result|path|puzzle|sample|row)s?")


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
    if first.isdecimal() and "".join(rest[:1]).isdecimal():  # 8 8
        return ["tour", *args]
    word = first.lower()
    if word in OF_GRAPHS:
        return OF_GRAPHS[word](rest)
    if first in commands:
        return args
    # a command that comes later, in front of the other words: `uncrossed` of `show an uncrossed walk on 5x5`
    bare_words = takewhile(lambda typed: not typed.startswith("-"), rest)
    later = {typed: name for typed in bare_words for name in singular(typed.lower()) if name in commands}
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
    for key in singular(word):
        if key in commands or key in COMMANDS:
            return [*COMMANDS.get(key, key).split(), *rest]
    if word in FILLERS | GENERIC and rest:
        return usual_command(rest, commands)
    if word in {"open", "closed"} or _is_place(word, rest):
        return [*moved[:1], first, *moved[1:]] if moved else ["tour", *args]
    parts = re.split("[-_]", word)
    parts = [part for part in parts if part not in UNSAID] or parts[-1:]
    names = {*commands, *COMMANDS, *FILLERS, *GENERIC, *CYCLES, *OF_GRAPHS, "open", "closed"}
    if parts != [word] and all(not names.isdisjoint(singular(part)) for part in parts):
        return usual_command([*parts, *rest], commands)  # such as find_cycle
    raise click.UsageError(f"there is no command {first[:60]!r}{command_meant(args, moved, commands)}")


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
    words = [*takewhile(lambda typed: not typed.startswith("-") and " " not in typed, args)]
    text = " ".join(words).lower()
    for pattern, line in QUESTIONS:
        if match := re.match(pattern, text):
            count = len(match[0].split())
            return [*line.split(), *args[count:]]
    if {*SUMMARIES, *COMMANDS, *FILLERS, *GENERIC}.isdisjoint(singular(args[0].lower())):
        return [*phrased(words, {}), *args[len(words) :]]
    return args


def singular(word: str) -> tuple[str, str]:
    """Return a word as it is, and without the ending of a plural."""
    return word, word.removesuffix("s")


def _of_graph(rest: list[str]) -> list[str]:
    """Return the line for `graph`: the links of a board, but a cycle of a graph, which has its links already.

    A format of graphs alone means the links, `--all` all cycles, and a file of distances the shortest cycle.
    """
    from cavalcade.question.named import GRAPHS

    place = next((word for word in rest if not word.startswith("-") or word == "-"), "")
    written = re.findall(r"(?:^| )(?:-o|--output|--out|-f|--format|--to)[ =](\S+)", " ".join(rest))
    formats = {format_of(f"x.{word}") for word in written} | {format_of(word) for word in written}
    is_graph = place == "-" or Path(place).is_file() or place.partition(":")[0] in GRAPHS
    if not is_graph or formats & {*names_of("MoveGraph")} - {*names_of("Picture")}:
        return ["links", *rest]
    verb = "tsp" if place.lower().endswith((".tsp", ".atsp")) else "list" if "--all" in rest else "tour"
    if {"-q", "--quiet"}.isdisjoint(rest):
        remark(f"graph {place} is read as {verb} {place}; its edges: cavalcade links {place}")
    return [verb, *rest, *["--open"] * (not {"--target", "--end", "--to"}.isdisjoint(rest))]


def _of_path(rest: list[str]) -> list[str]:
    """Return the line for `path`: an open tour, perhaps with two cells or vertices behind the board."""
    if len(rest) > 1 and all(map(CELL.fullmatch, rest[:2])):
        rest = ["8x8", *rest]
    are_ends = all(CELL.fullmatch(word) or word.isdecimal() for word in rest[1:3])
    is_board = bool(rest) and not rest[0].isdecimal() and (are_ends or Path(rest[0]).is_file())
    if len(rest) > 2 and is_board and not any(word.startswith("-") for word in rest[:3]):
        rest = [rest[0], "--from", rest[1], "--to", *rest[2:]]
    return ["tour", "--open", *rest]


OF_GRAPHS = {"graph": _of_graph, "path": _of_path}


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
    formats = choices_of(spelled.get("--format"))
    if "--json" in spelled and "json" not in formats:
        args = _as_json(args)
    for word, following in pairwise(args):
        answered = (command.name, word.removeprefix("--")) in SAID and word not in spelled
        if answered and not (following.startswith("-") or BOARD.fullmatch(following)):
            advice = advice_on(context, word).replace("'THE TEXT'", shlex.quote(following))
            raise RefusedWordError(f"{command.name} has no option {word!r}{advice}", word)
    if any("BOARD" in (param.metavar or "") for param in command.params if isinstance(param, click.Argument)):
        args = with_positions(args)
    if command.name in {"prove", "check"}:
        args = _as_formulas(args, checked=command.name == "check")
    usual = {option for name, option in USUAL if name == command.name}
    sequential = usual & {"--recurrence", "--gf", "--generating-function"} & {*args}
    if sequential and not _is_family(words_of(command, args)):
        usual -= sequential
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
    if "--at" in spelled:
        typed = _by_cells(typed)
    args = with_dashes(command, other_names | spelled | dict.fromkeys(valueless), MEANINGS, typed)
    pictured = is_pictured(args)
    for index, word in enumerate(args):
        name, equals, value = word.partition("=")
        if word == "--":
            yield from args[index:]
            return
        following = value or next(iter(args[index + 1 :]), "")
        if name == "--to" in spelled and following in formats:
            raise click.UsageError(f"--to is the last cell of a tour: try --format {following}")
        implied = USUAL_IN.get((command.name or "", OPTIONS.get(name, "")), ())
        if name not in spelled and any(
            format_of(word) in implied or word.lstrip("-") in implied for word in args
        ):
            usual.add(name)
        if name in usual and not ("--output" in spelled and _writes(name, following, formats)):
            if {"-q", "--quiet"}.isdisjoint(args):
                remark(f"{command.name} does this without {name}")
            continue
        if name in HELP:
            yield "--help"
            continue
        if name in VALUELESS and "names" in formats and re.fullmatch("(-.*)?", following):
            yield from VALUELESS[name]
            continue
        if re.fullmatch("-[a-z]", name) and name not in {*spelled, *OPTIONS, "-h"}:
            several = of_several(context, name, following, args) if name == "-n" else ""
            advice = several or advice_on(context, name)
            raise RefusedWordError(f"{command.name} has no option {name!r}{advice}", name)
        usual_name = "--number" if MANY.fullmatch(name) and following.isdecimal() else ""
        meant, assigned, meant_value = OPTIONS.get(name, usual_name).partition("=")
        if (command.name, name) == ("tour", "--style") and (
            following == "random" or (following == "plain" and not pictured)  # also a style of pictures
        ):
            if {"-q", "--quiet"}.isdisjoint(args):
                remark(f"--style {following} is deprecated since 0.2: use --blocks {following}")
            yield "--blocks" + equals + value
        elif name in {"--from", "--to"} and following.isdecimal() and _is_family(words_of(command, args)):
            if name == "--from":
                raise RefusedWordError(f"unexpected '--from {following}': n is 1, 2, 3 and so on", name)
            yield "--upto" + equals + value
        elif count := counted(spelled, name, following):
            yield count + equals + value
        elif name in {*spelled, "--help"} or not (name.startswith("--") or meant in spelled):
            yield word
        elif meant in spelled and (
            following[:1] not in {"", "-"} or assigned or not valued(spelled, meant, needed=True)
        ):
            yield meant + (assigned + meant_value or equals + value)
        elif "--output" in spelled and _writes(name, following, formats):
            yield "--output" + equals + value
        elif name[2:] in formats and not equals:
            yield from ("--format", name[2:])
        else:
            value = value or next(iter([*typed, ""][[*typed, name].index(name) + 1 :]), "")
            boards = [word for word in words_of(command, typed) if BOARD.fullmatch(word)]
            many = (usual_name or meant == "--number" or name == "--random") and name not in SIDE_OPTIONS
            advice = of_several(context, name, value, args) if many else drawn_tour(context, name, args)
            advice = advice or advice_on(context, name, boards, value)
            advice = advice.replace("THE TEXT", value or "THE TEXT")
            raise RefusedWordError(f"{command.name} has no option {name!r}{advice}", name)


def _as_json(args: Sequence[str]) -> list[str]:
    """Replace `--format json` by `--json`."""
    named = {"--format", "--to", "-f"}
    words = ["--json" if word in {f"{name}=json" for name in named} else word for word in args]
    pairs = [*pairwise([*words, ""])]
    after = {index + 1 for index, pair in enumerate(pairs) if pair[0] in named and pair[1] == "json"}
    return [
        "--json" if index + 1 in after else word for index, word in enumerate(words) if index not in after
    ]


def _as_formulas(args: Sequence[str], *, checked: bool) -> list[str]:
    """Return the words of `prove` or `check` with the formula for a solver's proof, which is beside it."""
    words = [re.sub(r"\.pbp$", ".opb", re.sub(r"\.[dl]rat$", ".cnf", word)) for word in args]
    if checked:  # once, and only if both files were typed
        repeated = words.count(next((word for word in words if word.endswith(".cnf")), "")) > 1
        kept = [word for word in dict.fromkeys(words) if word not in {"--formula", "--cnf", "--proof"}]
        return kept if repeated else [*args]
    if not {"-o", "--output"}.isdisjoint(words):
        words = [word for word in words if word not in {"--cnf", "--opb", "--drat", "--lrat"}]
    for index, following in enumerate(words[1:]):
        if words[index] in {"--proof", "--drat", "--lrat"} and following.endswith(".cnf"):
            words[index] = "--output"
    return words


def _is_family(words: Iterable[str]) -> bool:
    """Whether a word is a board with a side n."""
    from cavalcade.boards.notation import grows

    return any(word != "n" and grows(word) for word in words)


def _as_cells(words: str) -> str:
    """Return cells between commas for `a1 b3`, and a cell for `Ng1`."""
    cells = [re.sub("^N(?=[a-z])", "", word) for word in words.split()]
    return ",".join(cells) if all(map(CELL.fullmatch, cells)) else words


def _by_cells(args: Sequence[str]) -> list[str]:
    """Replace `--from a1,b3` by `--at 1=a1 --at 2=b3`, `--avoid c3` by `--avoid-cells c3`; join holes."""
    args = [
        "a1"
        if word == "corner" and before.startswith("--")
        else _as_cells(word)
        if before in STARTS
        else word
        for before, word in pairwise(["", *args])
    ]
    text = FIRST_CELLS.sub(
        lambda match: "\0".join(f"--at\0{k}={cell}" for k, cell in enumerate(match[1].split(","), 1)),
        AVOIDED_CELLS.sub(r"--avoid-cells\0\1", "\0".join(args)),
    )
    if len(holes := HOLES.findall(text)) > 1:
        text = "\0".join([HOLES.sub("", text).strip("\0"), "--without", ",".join(holes)])
    return text.split("\0") if args else []


def _writes(name: str, file: str, formats: Iterable[str]) -> bool:
    """Whether an option with a new file means --output: `--pdf x.pdf`, `--draw x.svg`."""
    word, format_ = name.removeprefix("--"), format_of(file)
    if word not in {*formats, *WRITING, format_} or not FILE.fullmatch(file):
        return False
    if Path(file).exists() and (format_ != word or format_ not in BY_NAME or BY_NAME[format_].reads):
        return False  # it may be read, or is not to be replaced
    return not formats or format_ in {*formats, *FILES_ONLY}
