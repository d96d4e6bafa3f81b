"""Print the man page of the command, from its help."""

from __future__ import annotations

import sys

import click

from cavalcade import __version__
from cavalcade.cli import COMMANDS, group
from cavalcade.cli.pictures import PictureOptions


def escaped(text: str) -> str:
    """Escape text for roff: no line begins with a dot or a quote, and hyphens can be copied."""
    lines = (line.strip() for line in text.replace("\\", "\\e").replace("-", "\\-").splitlines())
    return "\n".join(f"\\&{line}" if line[:1] in {".", "'"} else line or ".PP" for line in lines)


def options(command: click.Command, *, of_pictures: bool = False) -> str:
    """Return the options of a command with their help: those of pictures, or all others."""
    context = click.Context(command)
    records = [
        parameter.get_help_record(context)
        for parameter in command.get_params(context)
        if (getattr(parameter, "section", "") == PictureOptions.section) == of_pictures
    ]
    return "".join(
        f".TP\n.B {escaped(record[0])}\n{escaped(record[1])}\n" for record in records if record and record[1]
    )


def page() -> str:
    """Return the text of the page."""
    context = click.Context(group, info_name="cavalcade")
    parts = [
        f'.TH CAVALCADE 1 "" "cavalcade {__version__}"\n',
        ".SH NAME\ncavalcade \\- knight's tours for any leaper on any board\n",
        ".SH SYNOPSIS\n.B cavalcade\n[OPTIONS] COMMAND [ARGS]...\n",
        f".SH DESCRIPTION\n{escaped(group.help or '')}\n.SH OPTIONS\n{options(group)}.SH COMMANDS\n",
    ]
    for name in COMMANDS:
        command = group.get_command(context, name)
        if command is None:
            raise AssertionError(f"no command {name}")
        usage = " ".join(command.collect_usage_pieces(click.Context(command, info_name=name)))
        parts.append(f".SS {name}\n.B cavalcade {name}\n{escaped(usage)}\n.PP\n")
        parts.append(f"{escaped(command.help or '')}\n{options(command)}")
        if options(command, of_pictures=True):
            pictures = options(command, of_pictures=True)
            parts.append(".PP\nIt also has the options of pictures, which are listed below.\n")
    parts.append(
        f".SH OPTIONS OF PICTURES\nEvery command that writes pictures has these options.\n{pictures}"
    )
    return "".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page())
