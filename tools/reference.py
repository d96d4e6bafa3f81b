"""Write the reference pages of docs/ from the help of the commands and from the docstrings.

Finally run `public.py`, which writes the lists of public names.
"""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import click

sys.path.append(str(Path(__file__).parent))

import cavalcade
import man_page
from cavalcade.ask.engines import ENGINES, NAMES
from cavalcade.cli import COMMANDS, group
from cavalcade.cli.menu import MENU
from cavalcade.cli.pictures import PictureOptions
from cavalcade.formats.table import FORMATS
from cavalcade.question import words
from cavalcade.studio.message import EMPTY
from cavalcade.theorems.bibliography import bibliography

if TYPE_CHECKING:
    from collections.abc import Callable

DOCS = Path(__file__).parent.parent / "docs"
COMMANDS_HEAD = """# Commands

Each command has a page with its options and with examples of real output. [The command
line](command-line.md) explains boards, cells and exit codes.
"""
PICTURES_HEAD = """## Options of pictures

Every command that writes pictures has these options. [Draw](draw.md#every-command-draws) says which
options work with which answers and formats.
"""
#: Whether click is the pinned version; the help of other versions has other lines.
HAS_PINNED_CLICK = (
    f"click=={version('click')}" in (DOCS.parent / "constraints.txt").read_text(encoding="utf-8").split()
)
EXAMPLES = "## Examples\n"  # begins the part of the page of a command that is not generated


def commands() -> dict[str, str]:
    """Return the section of each command by name."""
    context = click.Context(group, info_name="cavalcade")
    return {name: _command(name, group.get_command(context, name)) for name in COMMANDS}


def _command(name: str, command: click.Command | None) -> str:
    if command is None:
        raise AssertionError(f"no command {name}")
    context = click.Context(command, info_name=name)
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [f"# {name}", "", f"`cavalcade {name} {usage}`", "", command.help or "", ""]
    lines += _options(command, "")
    if _options(command, PictureOptions.section):
        lines.append("- the [options of pictures](../commands.md#options-of-pictures)")
    return "\n".join(lines) + "\n"


def _options(command: click.Command, section: str) -> list[str]:
    """Return the line of each option in the section of pictures, or in the others for an empty name."""
    context = click.Context(command)
    lines = []
    for option in command.params:
        of_pictures = getattr(option, "section", "") == PictureOptions.section
        record = option.get_help_record(context)
        if of_pictures == bool(section) and record and record[1]:
            lines.append(f"- `{record[0]}`: {record[1]}")
    return lines


def commands_page() -> str:
    """Return the list of all commands, and the options of pictures, which many of them share."""
    tour = group.get_command(click.Context(group), "tour")
    if tour is None:
        raise AssertionError("no command tour")
    lines = [COMMANDS_HEAD]
    for title, summaries in MENU.items():
        rows = [f"| [{name}](commands/{name}.md) | {summary} |" for name, summary in summaries.items()]
        lines += [f"## {title}", "", "| command | what it does |", "|---|---|", *rows, ""]
    return "\n".join([*lines, PICTURES_HEAD, *_options(tour, PictureOptions.section), ""])


def command_pages() -> dict[str, str]:
    """Return the page of each command by path: the generated part, then the examples that the file has."""
    pages = {}
    for name, section in commands().items():
        path = DOCS / "commands" / f"{name}.md"
        text = path.read_text(encoding="utf-8") if path.exists() else EXAMPLES
        pages[f"commands/{name}.md"] = f"{section}\n{text[text.index(EXAMPLES) :]}"
    return pages


def api() -> dict[str, str]:
    """Return the line of each public name: its signature and its summary."""
    return {name: _line(name, getattr(cavalcade, name)) for name in cavalcade.__all__}


def _line(name: str, item: object) -> str:
    if not callable(item):
        return f"- `{name}`: `{item!r}`".replace("cavalcade.answers.verdict.", "")
    text = (inspect.getdoc(item) or "").partition("\n\n")[0]
    taken = list(parameters(item).values())
    if any(parameter.name in words.ROWS and parameter.name != "piece" for parameter in taken):
        question = inspect.signature(item).parameters
        if "words" in question:
            taken = [parameter for parameter in taken if parameter.name not in words.ROWS]
            taken.append(inspect.Parameter("words", inspect.Parameter.VAR_KEYWORD))
    signature = str(inspect.Signature(taken)).replace(repr(cavalcade.KNIGHT), "KNIGHT")
    signature = re.sub(r"=<[^>]*>", "=…", signature)  # a default that cannot be typed as it is printed
    return f"- `{name}{signature}`: {' '.join(text.split())}"


def api_page() -> str:
    """Return the page of Python: the text that the file has, with new lines of names."""
    text = (DOCS / "api.md").read_text(encoding="utf-8")
    for name, line in api().items():
        text, count = re.subn(rf"^- `{name}(?=\(|`:).*$", line.replace("\\", r"\\"), text, flags=re.MULTILINE)
        if count != 1:
            raise AssertionError(f"write one line with - `{name}` into docs/api.md, below the fitting verb")
    return text


def engines() -> str:
    """Return the line of each engine: one or more sentences, by kind of question."""
    return "\n".join(
        f"- `{name}`: {' '.join(engine.sentence for engine in ENGINES if engine.name == name)}"
        for name in NAMES
    )


def formats() -> str:
    """Return a line for each set of types: the formats that hold them, with the endings of their files."""
    lines: dict[str, list[str]] = {}
    for row in FORMATS:
        endings = ", ".join(f"`.{end}`" for end in row.endings if end)
        held = ", ".join(f"`{kind}`" for kind in row.holds)
        lines.setdefault(held, []).append(f"`{row.name}` ({endings})")
    return "\n".join(f"- {held}: {', '.join(names)}" for held, names in lines.items())


def publications() -> str:
    """Return the bibliography: the line of each publication, with what was read of it."""
    return "\n".join(
        f"- {source.citation}. *Read ({source.read}): {source.source}.*" for source in bibliography().values()
    )


def parameters(item: Callable[..., object]) -> dict[str, inspect.Parameter]:
    """Return the parameters of a function or class without types; expand the `**words` of a question."""
    try:
        signature = inspect.signature(item).parameters
    except ValueError:  # an exception has no signature
        return {}
    plain = {
        name: parameter.replace(annotation=inspect.Parameter.empty) for name, parameter in signature.items()
    }
    if "words" not in signature or "QuestionWords" not in str(signature["words"].annotation):
        return plain
    del plain["words"]
    for word in words.ROWS:
        default = False if word == "open" else None
        plain[word] = inspect.Parameter(word, inspect.Parameter.KEYWORD_ONLY, default=default)
    return plain


def shell_files() -> dict[str, str]:
    """Return the files for shells and man by their path, which shells and man search."""
    from click.shell_completion import get_completion_class

    from cavalcade.cli import COMPLETE

    places = {
        "bash": "bash-completion/completions/cavalcade",
        "zsh": "zsh/site-functions/_cavalcade",
        "fish": "fish/vendor_completions.d/cavalcade.fish",
    }
    generated = {"../share/man/man1/cavalcade.1": man_page.page()}
    for name, place in places.items():
        kind = get_completion_class(name)
        if kind is None:
            raise AssertionError(name)
        shell = kind(group, {}, "cavalcade", COMPLETE)
        generated[f"../share/{place}"] = (shell.source_template % shell.source_vars()).strip() + "\n"
    return generated


def studio_words() -> str:
    """Return the module of the words of a question that the page of the studio imports."""
    return (
        "// The words of a question: generated by tools/reference.py from question/words.py.\n\n"
        "/** Every word with the value that asks for nothing. @type {Question} */\n"
        f"export const EMPTY = {json.dumps(EMPTY)};\n"
    )


def vocabulary() -> str:
    """Return the table of the words of a question."""
    lines = [
        "| keyword | option | in files and JSON | type | default | meaning |",
        "|---|---|---|---|---|---|",
    ]
    for name, row in words.ROWS.items():
        option = (row.option or words.spelling_of(name)).replace("/", " / ")
        default = "" if row.default is None else f"`{row.default}`"
        columns = [f"`{name}`", f"`{option}`", f"`{words.key_of(name)}`", row.kind.name, default, row.help]
        lines.append(f"| {' | '.join(columns)} |")
    return "\n".join(lines)


def pages() -> dict[str, str]:
    """Return the generated pages, the files for shells, and the vocabulary of the studio."""
    return shell_files() | {
        "../src/cavalcade/studio/static/words.js": studio_words(),
        "commands.md": commands_page(),
        **command_pages(),
        "api.md": api_page(),
    }


if __name__ == "__main__":
    for name, page in pages().items():
        (DOCS / name).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / name).write_text(page, encoding="utf-8")
    subprocess.run([sys.executable, Path(__file__).with_name("public.py")], check=True)
