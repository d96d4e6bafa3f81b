"""The reference pages equal the output of `python tools/reference.py`; every option has a help text."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import pytest

from cavalcade.cli import COMMANDS, MODULES, group
from cavalcade.cli.command import Option
from cavalcade.cli.meanings import ONCE

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tools"))

import reference  # noqa: E402 - a script

CONTEXT = click.Context(group, info_name="cavalcade")


def command(name: str) -> click.Command:
    """Return a command by name."""
    subcommand = group.get_command(CONTEXT, name)
    assert subcommand, f"no file cli/commands/{name}.py with a `command`"
    return subcommand


@pytest.mark.skipif(not reference.HAS_PINNED_CLICK, reason="other versions of click write other help")
@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_on_its_page(name: str) -> None:
    page = ROOT / "docs" / "commands" / f"{name}.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    assert text.startswith(reference.commands()[name]), f"`{name}`: run python tools/reference.py"
    assert len(text.partition(reference.EXAMPLES)[2]) > 80, f"docs/commands/{name}.md has no examples"
    assert f"](commands/{name}.md)" in (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")


def test_the_page_of_python_is_generated() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert page == reference.api_page(), "run python tools/reference.py"


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_has_a_help_and_names_existing_options(name: str) -> None:
    options = [option for option in command(name).params if isinstance(option, Option)]
    spellings = {spelling for option in options for spelling in option.opts}
    assert command(name).help, name
    for option in options:
        assert option.help, f"{name} {option.spelling}: no line in `Options:` of the docstring"
        assert option.help.endswith((".", ")")), (
            f"{name} {option.spelling}: its help does not end in a full stop"
        )
        for related in (*option.needs, *option.excludes):
            assert related in spellings, (
                f"{name} {option.spelling}: {related} is not an option of the command"
            )
    assert {"--time-limit", "--memory"} <= spellings, name


def test_the_pages_have_no_removed_commands() -> None:
    pages = {page.stem for page in (ROOT / "docs" / "commands").glob("*.md")}
    assert pages == set(COMMANDS), "a page in docs/commands for each command, and no other"
    assert set(COMMANDS) == set(MODULES), "cli/menu.py has a row for each command"


@pytest.mark.parametrize("flag", ONCE)
def test_flags_of_tour_that_became_commands(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    words, valued = ONCE[flag]
    from cavalcade.cli import main

    old = ["tour", "5x6", flag, *["turns"] * valued, "--seed", "x"]
    new = [*words, *["turns"] * valued, "5x6", "--seed", "x"]
    assert main(old) == main(new) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first == second
