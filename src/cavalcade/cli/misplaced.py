"""Files and boards in the wrong place: which command takes a file, by its content."""

from __future__ import annotations

import re
from pathlib import Path

import click

from cavalcade.cli.bare_words import BOARD, CELL
from cavalcade.formats.table import BY_NAME, GRAPH, format_of
from cavalcade.ground import TEXT_WIDTH
from cavalcade.ground.errors import CavalcadeError

FILES = {"FILE", "TOUR", "TOUR...", "WALK"}  # the names of arguments that are files


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
            cells = re.split(r"[\s,]+", file.strip())
            if BOARD.fullmatch(file):
                output = context.params.get("output") or ""
                format_ = context.params.get("format_") or format_of(output)
                maker = {"solve": "puzzle", "continue": "warnsdorff"}.get(name, "tour")
                line = f"cavalcade tour {file}, or " * (name == "solve")
                line += f"cavalcade {maker} {file} | cavalcade {name} -"
                if format_ in BY_NAME and BY_NAME[format_].holds == GRAPH:
                    written = f"-o {output}" if output else f"--format {format_}"
                    line = f"cavalcade links {file} {written}"
                raise click.UsageError(f"{file!r} is a board, expected a file: try {line}")
            if all(CELL.fullmatch(cell.lower()) for cell in cells):
                line = f"echo {' '.join(cells)[:60]} | cavalcade {name} - --board 8x8"
                raise click.UsageError(f"{file[:60]!r} is a list of cells, expected a file: try {line}")
            raise click.UsageError(f"there is no file {file[:60]!r}: try {example(context.command)}")


def verb_of(file: str) -> str:
    """Return the command that takes a file, by its content."""
    from cavalcade.answers.certificate import is_certificate
    from cavalcade.formats import read_file
    from cavalcade.formats.recognizing import is_tour

    try:
        text = read_file(file)
    except CavalcadeError:
        return "cavalcade check"
    if is_prose(text):
        return "cavalcade roesselsprung"
    if is_certificate(text) or is_tour(text):
        return "cavalcade check"
    return "cavalcade tour"


def holds_graph(file: str) -> bool:
    """Whether a file is read as a graph."""
    from cavalcade.formats import board_in, read_file

    try:
        return board_in(read_file(file), None, directed=None, columns=None).plain
    except CavalcadeError:
        return False


def is_prose(text: str) -> bool:
    """Whether a text is sentences: most words are letters alone, with three or more on a line.

    In the adjacency lists of a graph with a cycle, each label stands twice or more.
    """
    beginning = text[: 10 * TEXT_WIDTH].strip()
    words = beginning.split()
    plain = sum(bool(re.fullmatch(r"[^\W\d_]+[.,;:!?']*", word)) for word in words)
    is_list = len({*words}) * 2 <= len(words)
    return plain * 3 > len(words) * 2 and plain >= 3 * max(1, len(beginning.splitlines())) and not is_list


def example(command: click.Command) -> str:
    """Return a line that runs a command, with its required arguments."""
    values = {"BOARD": "6x6", "TEXT": "poem.txt"}
    file = {"solve": "puzzle.txt", "sas": "solution1.sas"}.get(command.name or "", "tour.txt")
    arguments = [
        next(iter(getattr(parameter.type, "choices", ())), values.get(parameter.metavar or "", file))
        for parameter in command.params
        if isinstance(parameter, click.Argument) and (parameter.required or parameter.metavar in FILES)
    ]
    return " ".join(["cavalcade", command.name or "", *arguments])
