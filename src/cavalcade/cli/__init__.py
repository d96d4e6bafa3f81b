"""The command line: `cavalcade COMMAND`, one small module a command.

A command's module is imported when the command is run, and only its function imports numpy and the
rest, so that help is quick. A command returns its exit code, None for 0. Every error becomes one line
on standard error.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, cast

import click

from cavalcade.cli.streams import CLOSED, Terminated, hear_sigterm, mend_streams
from cavalcade.ground import __version__
from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Sequence

FOUND, IMPOSSIBLE, BAD_INPUT, UNDECIDED = 0, 1, 2, 3
FAULT, INTERRUPTED, PIPE_CLOSED, TERMINATED = 70, 130, 141, 143

COMMANDS = {
    "tour": "Find a tour of a board.",
    "prove": "Prove that a board has no tour.",
    "count": "Count the tours of a board, exactly.",
    "list": "List every tour of a board.",
    "sample": "Draw tours of a board at random, each as likely as any other.",
    "magic": "List the magic tours of a board with few rows.",
    "measure": "Measure a tour: turns, crossings, areas, symmetry, magic.",
    "puzzle": "Make a puzzle: a tour with most of its numbers taken away.",
    "solve": "Solve a puzzle: find the tours that have the given numbers.",
    "roesselsprung": "Put the syllables of a text along a tour.",
    "check": "Check a tour in any format, or a proof.",
    "theorem": "Check the facts that a theorem rests on.",
    "convert": "Write a tour or a graph in another format.",
    "draw": "Draw a tour, an empty board, or a histogram.",
    "degrees": "Count the moves from every cell of a board.",
    "warnsdorff": "Walk by Warnsdorff's rule, from one start or from all.",
    "chain": "Tour one level after the other by Warnsdorff's rule.",
    "glue": "Join closed tours, one a level, into a tour of their stack.",
    "links": "Write the moves of a board as links, for other programs.",
    "tsp": "Find a tour of least total weight.",
    "survey": "Ask one question about every board of a family.",
    "studio": "Open the studio: a page in the browser to draw, ask, watch and walk.",
    "reproduce": "Recompute a paper and compare.",
}
COMPLETE = "_CAVALCADE_COMPLETE"  # set by the shell that asks how a line goes on
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
@click.version_option(__version__, "-V", "--version", prog_name="cavalcade", message="%(prog)s %(version)s")
@click.option("--debug", is_flag=True, help="Show where a fault of cavalcade's own comes from.")
def group(*, debug: bool) -> None:
    """Tours of any leaper on any board: find, prove, count, draw.

    A board is a spec like 8x8, 4x8x8 (four levels), hex:6, torus:5x7, cylinder:5x6, mobius:3x5, klein:4x4
    or 8x8-a1,b1 (without two cells); or a file: the picture of a board (.txt) or a graph (.hcp, .edges, .g6,
    .col, …). Exit codes: 0 found or right, 1 impossible or wrong, 2 bad input, 3 undecided, 70 a fault of
    cavalcade.
    """
    del debug  # read by `main`, as it is about what goes wrong


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    if arguments is None:
        sys.unraisablehook = _unraisable
        mend_streams()
        hear_sigterm()
        if wanted := os.environ.get(COMPLETE):
            from click.shell_completion import shell_complete

            return shell_complete(group, {}, "cavalcade", COMPLETE, wanted)
    args = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(args or ["--help"])
        sys.stdout.flush()
    except click.ClickException as error:
        return _fail(error.format_message())
    except CavalcadeError as error:
        return _fail(str(error))
    except Terminated:
        return _fail("terminated", TERMINATED)
    except (KeyboardInterrupt, click.Abort):
        return _fail("interrupted", INTERRUPTED)
    except BrokenPipeError:  # the reader of our output, like `head`, has closed it
        _discard_output()
        return PIPE_CLOSED
    except OSError as error:
        _discard_output()
        if error.errno == errno.EBADF:
            return _fail(CLOSED)
        return _fail(
            f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error)
        )
    except MemoryError:
        return _fail("out of memory: this board is too large for this machine")
    except Exception as error:  # noqa: BLE001 - the fault is ours: 1 would say that there is no tour
        return _fail(f"{_named(error)}: {FAULTY}", FAULT)
    return code


FAULTY = (
    "this is a fault of cavalcade; please report it with the command and this line "
    "(cavalcade --debug COMMAND shows more)"
)


def _run(args: list[str]) -> int:
    debug = False
    try:
        with group.make_context("cavalcade", args) as context:
            debug = context.params["debug"]
            return cast("int | None", group.invoke(context)) or FOUND
    except click.exceptions.Exit as done:
        return done.exit_code
    except Exception:
        if debug:
            import traceback

            traceback.print_exc()
        raise


def _named(error: Exception) -> str:
    """An unforeseen error in a few words."""
    return f"{type(error).__name__}: {str(error)[:200]}" if str(error) else type(error).__name__


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
    ended = isinstance(lost.exc_value, Terminated)
    os._exit(_fail("terminated", TERMINATED) if ended else _fail("interrupted", INTERRUPTED))


def _discard_output() -> None:
    """Discard what standard output still holds, so that nothing tries to write it again."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
