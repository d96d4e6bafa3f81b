"""The command line: `cavalcade COMMAND`, one small module a command.

A command's module is imported when the command is run, and only its function imports numpy and the
rest, so that help is quick. A command returns its exit code, None for 0. Every error becomes one line
on standard error.
"""

from __future__ import annotations

import contextlib
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, cast

import click

from cavalcade import __version__
from cavalcade.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Sequence

FOUND, IMPOSSIBLE, BAD_INPUT, UNDECIDED, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 3, 130, 141

COMMANDS = {
    "tour": "Find a tour of a board.",
    "prove": "Prove that a board has no tour.",
    "count": "Count the tours of a board, exactly.",
    "list": "List every tour of a board.",
    "sample": "Draw tours of a board at random, each as likely as any other.",
    "measure": "Measure a tour: turns, crossings, areas, symmetry, magic.",
    "puzzle": "Make a puzzle: a tour with most of its numbers taken away.",
    "solve": "Solve a puzzle: find the tours that have the given numbers.",
    "roesselsprung": "Put the syllables of a text along a tour.",
    "check": "Check a tour in any format, or a proof.",
    "theorem": "Check the facts that a theorem rests on.",
    "convert": "Write a tour in another format.",
    "draw": "Draw a tour, an empty board, or a histogram.",
    "degrees": "Count the moves from every cell of a board.",
    "warnsdorff": "Walk by Warnsdorff's rule, from one start or from all.",
    "reproduce": "Recompute a paper and compare.",
}
MODULES = {"list": "list_tours"}  # a module named list would hide the built-in one here


class _Commands(click.Group):
    """The commands by name, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in COMMANDS:
            return None
        return cast(
            "click.Command", import_module(f"cavalcade.cli.{MODULES.get(cmd_name, cmd_name)}").command
        )

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="cavalcade", message="%(prog)s %(version)s")
def group() -> None:
    """Tours of any leaper on any board: find, prove, count, draw.

    A board is a spec like 8x8, 4x8x8 (four levels), hex:6, torus:5x7, cylinder:5x6, mobius:3x5, klein:4x4
    or 8x8-a1,b1 (without two cells); or a file: the picture of a board (.txt) or a graph (.hcp, .edges).
    Exit codes: 0 found or right, 1 impossible or wrong, 2 bad input, 3 undecided.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    if arguments is None:
        sys.unraisablehook = _unraisable
    args = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(args or ["--help"])
        sys.stdout.flush()
    except click.ClickException as error:
        return _fail(error.format_message())
    except CavalcadeError as error:
        return _fail(str(error))
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:  # the reader of our output, like `head`, has closed it
        _discard_output()
        return PIPE_CLOSED
    except OSError as error:
        _discard_output()
        return _fail(
            f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)
        )
    except MemoryError:
        return _fail("out of memory: this board is too large for this machine")
    return code


def _run(args: list[str]) -> int:
    try:
        with group.make_context("cavalcade", args) as context:
            return cast("int | None", group.invoke(context)) or FOUND
    except click.exceptions.Exit as done:
        return done.exit_code


def _fail(message: str, code: int = BAD_INPUT) -> int:
    with contextlib.suppress(OSError):
        sys.stderr.write(f"error: {' '.join(message.split())}\n")
        sys.stderr.flush()
    return code


def _unraisable(lost: sys.UnraisableHookArgs) -> None:
    """Handle a Ctrl-C that arrives in a callback of the compiler, which cannot raise it."""
    if not isinstance(lost.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    _fail("interrupted")
    os._exit(INTERRUPTED)


def _discard_output() -> None:
    """Discard what standard output still holds, so that nothing tries to write it again."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
