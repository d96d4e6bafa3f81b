"""Files and boards in the wrong place: which command takes a file, by its content."""

from __future__ import annotations

import os
import re
import shlex
import stat
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import click

from cavalcade.cli.bare_words import BOARD, CELL, choices_of, words_of
from cavalcade.cli.refusals import LINE, TRY, offered, typed_line
from cavalcade.formats.table import BY_NAME, GRAPH, format_of, names_of
from cavalcade.ground import TEXT_WIDTH
from cavalcade.ground.errors import CavalcadeError, FormatError

FILES = {"FILE", "TOUR", "TOUR...", "WALK"}  # the names of arguments that are files
ON_BOARDS = (
    "tour prove count list sample draw puzzle links best fewest uncrossed magic connected decompose tsp "
    "warnsdorff degrees symmetries survey chain optgraph convert"
)
# the commands that take a file, by what it holds; the first is offered
TAKING = {
    kind: commands.split()
    for kind, commands in {
        "a tour": "draw check measure convert trace continue glue optgraph",
        "a puzzle": "solve draw convert",
        "a proof": "check draw",
        "a walk": "continue check draw measure convert trace",
        "sentences": "roesselsprung",
        "a SAS program": "sas",
        "a board": ON_BOARDS,
        "a graph": ON_BOARDS,
    }.items()
}


# the questions about a tour that `measure` answers
MEASURED_WORDS = "symmetries degrees count magic uncrossed fewest compare diff canonical info describe"
MEASURED = frozenset(MEASURED_WORDS.split())


SQUARE = re.compile("[a-z][1-9][0-9]?")


def assert_files(context: click.Context) -> None:
    """Refuse a board, a list of cells or a word in place of a file.

    Raises:
        click.UsageError: the message has a line that works.
    """
    name = context.command.name or ""
    for parameter in context.command.params:
        if not isinstance(parameter, click.Argument) or parameter.metavar not in FILES:
            continue
        value = context.params.get(parameter.name or "")
        for file in [value] if isinstance(value, str) else value or []:
            if file == "-" or re.search(r"[./]", file) or Path(file).exists():
                continue
            cells = re.split(r"[\s,-]+", file.strip())
            if BOARD.fullmatch(file):
                output = context.params.get("output") or ""
                format_ = context.params.get("format_") or format_of(output)
                maker = {"solve": "puzzle", "continue": "warnsdorff"}.get(name, "tour")
                line = f"cavalcade tour {file}, or " * (name == "solve")
                line += f"cavalcade {maker} {file} | cavalcade {name} -"
                if format_ in BY_NAME and BY_NAME[format_].holds == GRAPH:
                    line = f"cavalcade links {file} --format {format_}" + f" -o {output}" * bool(output)
                elif name == "sas":
                    line = f"cavalcade tour {file} --format sas"
                raise click.UsageError(f"{file!r} is a board, expected a file: try {line}")
            if all(CELL.fullmatch(cell.lower()) for cell in cells):
                board = "8x8" if name == "continue" else f"--board {context.params.get('board') or '8x8'}"
                line = f"echo {' '.join(cells)[:60]} | cavalcade {name} - {board}"
                if name in {"glue", "solve", "sas"}:  # takes no list of cells
                    line = typed_line(context.command, arguments(context.command))
                raise click.UsageError(f"{file[:60]!r} is a list of cells, expected a file: try {line}")
            line = typed_line(context.command, arguments(context.command))
            raise click.UsageError(f"there is no file {file[:60]!r}: try {line}")


def redirected(command: click.Command, args: Sequence[str]) -> list[str]:
    """Return - for standard input, if it is a file or a pipe and the line has no file: `check < tour.txt`."""
    files = [parameter for parameter in command.params if parameter.metavar in {*FILES, "FILE|BOARD|LINK"}]
    if not files or not files[0].required or not {"--", "--help"}.isdisjoint(args) or words_of(command, args):
        return []
    mode = _mode_of_input()
    return ["-"] if stat.S_ISREG(mode) or stat.S_ISFIFO(mode) else []


def _mode_of_input() -> int:
    """Return the mode of standard input, 0 if there is none."""
    try:
        return os.fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):  # closed, or replaced by the program that embeds this one
        return 0


def kind_of(file: str) -> str:
    """Return what a file holds, one of `TAKING`, or nothing if it cannot be read."""
    from cavalcade import formats
    from cavalcade.answers.certificate import is_certificate
    from cavalcade.formats.recognizing import is_picture, is_puzzle, is_tour

    walk = ""
    try:
        text = formats.read_file(file)
        if re.search(r"(?i)^\s*(proc|data|%let|%macro)\b.*;", text, re.MULTILINE):
            return "a SAS program"
        if not text.strip():
            return ""
        if re.match(r"#?\s*A[0-9]{6}\b", text) or re.fullmatch("b[0-9]{6}", Path(file).stem):
            return "a b-file"
        if is_prose(text):
            return "sentences"
        if is_certificate(text):
            return "a proof"
        if is_puzzle(text) or (text.startswith("{") and '"given"' in text):
            return "a puzzle"
        if is_tour(text) or re.search(r"^\s*TOUR_SECTION", text, re.MULTILINE):
            return "a tour"
        if is_picture(text):
            return "a board"
    except CavalcadeError:
        return ""
    try:
        if len(formats.read(file)) > 1:
            return "a tour"
    except CavalcadeError as error:
        of_steps = re.match(r"(?i)\W*(step|move|row|i|r|n)\b", text) is not None
        walk = "a walk" * (of_steps and "(--board)" in str(error))
    rows = [line.split() for line in text.splitlines()]
    if (len(rows) == 1 or {*map(len, rows)} == {1}) and _are_knight_moves(
        [word for row in rows for word in row]
    ):
        return "a walk"
    with suppress(CavalcadeError):
        formats.read_graph(file)
        return "a graph"
    with suppress(CavalcadeError):
        formats.read_puzzle(file)
        return "a puzzle"
    return walk


def _are_knight_moves(cells: Sequence[str]) -> bool:
    """Whether words are squares, each a knight move from the square before."""
    if len(cells) < 2 or not all(map(SQUARE.fullmatch, cells)):
        return False
    steps = ((abs(ord(a[0]) - ord(b[0])), abs(int(a[1:]) - int(b[1:]))) for a, b in pairwise(cells))
    return {(1, 2), (2, 1)}.issuperset(steps)


def assert_taken(message: str) -> None:
    """Refuse a file that another command takes, after an error.

    Args:
        message: the error, which may already name a command.

    Raises:
        FormatError: there is such a file.
    """
    from cavalcade.boards.notation import EXAMPLES

    context = click.get_current_context()
    arguments = [param.name for param in context.command.params if isinstance(param, click.Argument)]
    words = " ".join(str(context.params.get(name or "")) for name in arguments).split()
    line = context.meta.get(LINE, [])
    output = context.params.get("output")
    if not any(Path(word).is_file() for word in words):  # the value of an option may be a file
        words += [word for word in line if word != output and Path(word).is_file()]
    if message.endswith("try cavalcade solve"):
        message = message.partition(";")[0]
        words = [word for word in words if Path(word).is_file()][:1]
        drawn = offered(context, ["draw", *line]) if is_pictured(line) else ""
        solved = shlex.join(["cavalcade", "solve", *(words or "-")])
        raise FormatError(f"{message}; for a puzzle try {drawn or solved}")
    if len(words) == 1 and message.endswith(EXAMPLES) and is_graph6(words[0]):
        name = context.command.name
        raise FormatError(
            f"{words[0]!r} is the graph6 of a graph, which a file or a pipe can hold: try "
            f"echo {shlex.quote(words[0])} | cavalcade {name} -"
        )
    if message.endswith("(--board)") and context.command.name == "continue":
        usage = f"after the file: try cavalcade continue {shlex.quote(words[0])} 8x8"
        raise FormatError(message.replace("(--board)", usage))
    advised = TRY.search(message) and context.command.name != "puzzle"
    if not advised and (sentence := advice(context.command.name or "", words, line)):
        raise FormatError(f"{message}; {sentence}" if len(message) < 2 * TEXT_WIDTH else sentence)


def is_pictured(args: Iterable[str]) -> bool:
    """Whether a line names the format of a picture, or a file of one."""
    pictures = names_of("Picture")
    return any(not {word.lstrip("-"), format_of(word)}.isdisjoint(pictures) for word in args)


def is_graph6(word: str) -> bool:
    """Return whether a word is the graph6, sparse6 or digraph6 of a graph."""
    from cavalcade.formats.graph6 import parse_line

    with suppress(CavalcadeError):
        return parse_line(word).size > 0
    return False


def advice(name: str, words: Iterable[str], args: Sequence[str] = ()) -> str:
    """Return a sentence with the command that takes a file which the command `name` does not, or nothing.

    Args:
        name: the command.
        words: the words that may be files.
        args: all words of the line.
    """
    files = [word for word in words if Path(word).is_file()]
    kinds = {kind_of(file): file for file in files}
    if name == "check" and kinds.keys() == {"a tour", "a graph"}:
        return f"try cavalcade check {kinds['a tour']} --board {kinds['a graph']}"
    return next(filter(None, (redirected_to(file, name, args) for file in files)), "")


def redirected_to(file: str, name: str, args: Sequence[str] = ()) -> str:
    """Return a sentence with a command that takes a file, if the command `name` does not.

    Args:
        file: the path of the file.
        name: the command, or nothing for any other.
        args: the words of the line, which the command may take, too.
    """
    kind = kind_of(file) if Path(file).is_file() else ""
    if kind == "a b-file":
        return f"{file} holds a b-file, and sequences are computed: try cavalcade count 3xn --upto 20"
    if not kind or name in TAKING[kind]:
        return ""
    if kind == "a tour" and name == "puzzle":
        return f"{file} holds a tour, and a puzzle is made for a board: try cavalcade puzzle 6x6"
    if kind == "a SAS program" and name in TAKING["a tour"]:
        return f"the program prints it: try cavalcade sas {shlex.quote(file)} | cavalcade {name} -"
    verb = "tsp" if file.lower().endswith((".tsp", ".atsp")) and kind == "a graph" else TAKING[kind][0]
    if kind in {"a puzzle", "a proof"} and is_pictured(args):
        verb = "draw"
    if kind == "a tour" and name in MEASURED:
        verb = "measure"
    picture = Path(file).with_suffix(".svg")
    words = [verb, file, *(word for word in args if word != file)]
    if verb == "draw" and {"-o", "--output"}.isdisjoint(args):
        words += ["-o", str(picture)]
    line = offered(click.get_current_context(), words) or f"cavalcade {shlex.join(words[:2])}"
    return f"{file} holds {kind}: try {line}"


def is_prose(text: str) -> bool:
    """Whether a text is sentences: most words are letters alone, with three or more on a line.

    In the adjacency lists of a graph with a cycle, each label stands twice or more.
    """
    beginning = text[: 10 * TEXT_WIDTH].strip()
    words = beginning.split()
    plain = sum(bool(re.fullmatch(r"[^\W\d_]+[.,;:!?']*", word)) for word in words)
    is_list = len({*words}) * 2 <= len(words)
    return plain * 3 > len(words) * 2 and plain >= 3 * max(1, len(beginning.splitlines())) and not is_list


def arguments(command: click.Command) -> list[str]:
    """Return values of the required arguments of a command; - is standard input."""
    mode = _mode_of_input()
    board = "-" if stat.S_ISFIFO(mode) or stat.S_ISREG(mode) else "8x8" if command.name == "tour" else "6x6"
    values = {"BOARD": board, "TEXT": "poem.txt", "FILE|BOARD|LINK": "8x8"}
    fixed = {"sas": ["--list"], "continue": ["-", "8x8"], "magic": ["4x7", "--columns"]}
    if command.name in fixed:
        return fixed[command.name]
    return [
        next(iter(choices_of(parameter)), values.get(parameter.metavar or "", "-"))
        for parameter in command.params
        if isinstance(parameter, click.Argument) and (parameter.required or parameter.metavar in FILES)
    ]
