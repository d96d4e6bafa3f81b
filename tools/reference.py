"""Write the reference pages of docs/, from the help of the commands and from the docstrings.

At the end `public.py` writes down what is public.
"""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

sys.path.append(str(Path(__file__).parent))

import cavalcade
import man_page
from cavalcade.ask.engines import ENGINES, NAMES
from cavalcade.cli import COMMANDS, group
from cavalcade.formats.table import FORMATS
from cavalcade.question import words
from cavalcade.studio.message import EMPTY, KEYWORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

DOCS = Path(__file__).parent.parent / "docs"
COMMANDS_HEAD = """# Commands

This page is generated from the help of the commands. [The command line](command-line.md) explains boards,
cells and exit codes, [worked examples](examples.md) show each command at work.
"""
API_HEAD = """# In Python

This page is generated from the docstrings, which `help(cavalcade.tour)` prints in full, and the site's
reference shows. [Worked examples](python.md) show each name at work.
"""
ENGINES_HEAD = """## Engines

`engine=` and `--engine` name one of these, which then answers alone.
"""
WORDS_HEAD = """## Words

The words of a question are keywords of the functions that take `**words`, options of the commands, lines of
a constraints file (those from `with` on), and fields of a question in JSON, whose schema `cavalcade schema`
prints. The limits of a search are keywords of the functions named with them.
"""
FORMATS_HEAD = """## Formats

`write`, `save`, `--format` and the ending of an output file name one of these; a file that is read is
recognized by its text.
"""


def commands() -> dict[str, str]:
    """The section of each command."""
    context = click.Context(group, info_name="cavalcade")
    return {name: _command(name, group.get_command(context, name)) for name in COMMANDS}


def _command(name: str, command: click.Command | None) -> str:
    if command is None:
        raise AssertionError(f"no command {name}")
    context = click.Context(command, info_name=name)
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [f"## {name}", "", f"`cavalcade {name} {usage}`", "", command.help or "", ""]
    options = [one for one in command.params if isinstance(one, click.Option)]
    for option in options:
        written, about = option.get_help_record(context) or ("", "")
        lines.append(f"- `{written}`: {about}")
    return "\n".join(lines) + "\n"


def api() -> dict[str, str]:
    """The line of each public name: its signature, and what it is in a sentence."""
    return {name: _line(name, getattr(cavalcade, name)) for name in cavalcade.__all__}


def _line(name: str, item: object) -> str:
    if not callable(item):
        return f"- `{name}`: `{item!r}`"
    text = (inspect.getdoc(item) or "").partition("\n\n")[0]
    return f"- `{name}{inspect.Signature(list(parameters(item).values()))}`: {' '.join(text.split())}"


def engines() -> dict[str, str]:
    """The line of each engine: what it does, in several ways if it depends on what is asked."""
    return {
        name: f"- `{name}`: {' '.join(one.sentence for one in ENGINES if one.name == name)}" for name in NAMES
    }


def formats() -> dict[str, str]:
    """The line of each format: the endings of its files, and what it holds."""
    return {
        one.name: f"- `{one.name}` ({', '.join(f'`.{end}`' for end in one.endings if end)}): "
        + ", ".join(f"`{kind}`" for kind in one.holds)
        for one in FORMATS
    }


def parameters(item: Callable[..., object]) -> dict[str, inspect.Parameter]:
    """The parameters of a function or a class, without their types; `**words` of a question one by one."""
    try:
        found = inspect.signature(item).parameters
    except ValueError:  # an exception has none
        return {}
    plain = {name: one.replace(annotation=inspect.Parameter.empty) for name, one in found.items()}
    if "words" not in found or "QuestionWords" not in str(found["words"].annotation):
        return plain
    del plain["words"]
    for word in words.ROWS:
        default = False if word == "open" else None
        plain[word] = inspect.Parameter(word, inspect.Parameter.KEYWORD_ONLY, default=default)
    return plain


def shell_files() -> dict[str, str]:
    """What the wheel brings for shells and man, where these look for it."""
    from click.shell_completion import get_completion_class

    from cavalcade.cli import COMPLETE

    places = {
        "bash": "bash-completion/completions/cavalcade",
        "zsh": "zsh/site-functions/_cavalcade",
        "fish": "fish/vendor_completions.d/cavalcade.fish",
    }
    found = {"../share/man/man1/cavalcade.1": man_page.page()}
    for name, place in places.items():
        kind = get_completion_class(name)
        if kind is None:
            raise AssertionError(name)
        shell = kind(group, {}, "cavalcade", COMPLETE)
        found[f"../share/{place}"] = (shell.source_template % shell.source_vars()).strip() + "\n"
    return found


def studio_words() -> str:
    """The vocabulary as the page of the studio imports it."""
    options = [[key, words.spelling_of(name), name] for key, name in KEYWORDS.items()]
    fields = []
    for key, name in KEYWORDS.items():
        row = words.ROWS[name]
        if row.kind.choices or row.kind is words.POSITIVE:  # values that need no board
            needs = next((other for other in KEYWORDS if f"--{other}" in row.needs), "")
            fields.append({"key": key, "label": row.help, "values": [*row.kind.choices], "needs": needs})

    def listed(rows: Iterable[object]) -> str:
        return "".join(f"  {json.dumps(row)},\n" for row in rows)

    return (
        "// The words of a question: generated by tools/reference.py from question/words.py.\n\n"
        '/** @typedef {import("./types.js").Question} Question */\n\n'
        "/** Every word with the value that asks for nothing. @type {Question} */\n"
        f"export const EMPTY = {json.dumps(EMPTY)};\n\n"
        "/** Word, option and keyword of Python. @type {[keyof Question, string, string][]} */\n"
        f"export const OPTIONS = [\n{listed(options)}];\n\n"
        "/** Fields of a form: choices or, without values, a number from 1; a field may need another word.\n"
        " * @type {{key: keyof Question, label: string, values: string[], needs: keyof Question | ''}[]} */\n"
        f"export const FIELDS = [\n{listed(fields)}];\n"
    )


def vocabulary() -> str:
    """The table of the words of a question, and the table of the limits of a search."""
    functions = {name: inspect.signature(getattr(cavalcade, name)).parameters for name in functions_of()}
    lines = [
        "| keyword | option | in files and JSON | type | default | meaning |",
        "|---|---|---|---|---|---|",
    ]
    for name, row in words.ROWS.items():
        option = (row.option or words.spelling_of(name)).replace("/", " / ")
        default = "" if row.default is None else f"`{row.default}`"
        columns = [f"`{name}`", f"`{option}`", f"`{words.key_of(name)}`", row.kind.name, default, row.help]
        lines.append(f"| {' | '.join(columns)} |")
    lines += ["", "| keyword | type | default | functions |", "|---|---|---|---|"]
    for name, row in words.LIMITS.items():
        takes = [f"`{function}`" for function, found in functions.items() if name in found]
        default = "" if row.default is None else f"`{row.default}`"
        lines.append(f"| `{name}` | {row.kind.name} | {default} | {', '.join(takes)} |")
    return "\n".join(lines)


def functions_of() -> list[str]:
    """The public functions, and the classes that search."""
    return [name for name in cavalcade.__all__ if inspect.isfunction(getattr(cavalcade, name))] + ["Sampler"]


def pages() -> dict[str, str]:
    """The generated pages, the files for shells, and the vocabulary of the studio."""
    return shell_files() | {
        "../src/cavalcade/studio/static/words.js": studio_words(),
        "commands.md": "\n".join([COMMANDS_HEAD, *commands().values()]),
        "api.md": "\n".join(
            [
                *(API_HEAD, *api().values(), ""),
                *(WORDS_HEAD, vocabulary(), ""),
                *(ENGINES_HEAD, *engines().values(), ""),
                *(FORMATS_HEAD, *formats().values(), ""),
            ]
        ),
    }


if __name__ == "__main__":
    for name, page in pages().items():
        (DOCS / name).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / name).write_text(page, encoding="utf-8")
    subprocess.run([sys.executable, Path(__file__).with_name("public.py")], check=True)
