"""The command line: `cavalcade COMMAND`, with one small module per command in `cavalcade.cli.commands`.

NumPy and other heavy modules are imported inside the functions of the commands, so that help is fast. A
command returns its exit code, or None for 0. Every error becomes one line on standard error.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import pkgutil
import sys
import warnings
from collections.abc import Sequence
from enum import IntEnum
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, cast

import click

from cavalcade import ground
from cavalcade.cli import commands
from cavalcade.cli.menu import MENU, SUMMARIES
from cavalcade.cli.status import remark
from cavalcade.cli.streams import CLOSED, Terminated, handle_sigterm, open_closed_streams, write
from cavalcade.ground.errors import CavalcadeError, TooLargeError

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

MODULES = {module.name.rstrip("_"): module.name for module in pkgutil.iter_modules(commands.__path__)}
COMMANDS = tuple(SUMMARIES)
CODES = "CAVALCADE_EXIT_CODES"  # environment variable: `0.2` or `distinct`
COMPLETE = "_CAVALCADE_COMPLETE"  # the environment variable that a shell sets to complete a line
REPORT = (
    "an internal error in cavalcade; please report the command and this line "
    "(cavalcade --debug COMMAND shows more)"
)


class ExitCode(IntEnum):
    """The exit codes of commands; see docs/decisions/0020-exit-codes.md."""

    FOUND = 0
    IMPOSSIBLE = 1  # deprecated: also the code of Python when it fails to start
    BAD_INPUT = 2
    UNDECIDED = 3
    NOT_CHECKED = 4  # `check`: consistent, but not everything was recounted
    REFUTED = 20  # IMPOSSIBLE, if CAVALCADE_EXIT_CODES is `distinct`; SAT solvers use it for UNSAT
    INTERNAL = 70  # EX_SOFTWARE of sysexits.h
    HUNG_UP = 129  # 128 and the number of the signal, as shells report it: SIGHUP
    INTERRUPTED = 130  # SIGINT
    PIPE_CLOSED = 141  # SIGPIPE
    TERMINATED = 143  # SIGTERM


class _Commands(click.Group):
    """The commands by name, each imported on demand."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args[1:] and args[0] in {"-v", "-V", "--version"}:
            line = " ".join(["cavalcade", *args[1:]])
            raise click.UsageError(f"{args[0]!r} prints the version and stands alone: try {line}")
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            from cavalcade.cli import meanings

            name = error.option_name
            advice = "options follow it, as in cavalcade tour 8x8 --json"
            advice = meanings.COMPLETION if "completion" in name else advice
            raise click.UsageError(f"there is no option {name!r} before a command: {advice}") from None

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        width = max(map(len, COMMANDS))
        for title, group in MENU.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), summary) for name, summary in group.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        names = [name for name in COMMANDS if name.startswith(incomplete)]
        items = [CompletionItem(name, help=SUMMARIES[name]) for name in names]
        return items + click.Command.shell_complete(self, ctx, incomplete)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in {*MODULES, "help"}:
            return None
        place = f"{commands.__name__}.{MODULES[cmd_name]}" if cmd_name in MODULES else f"{__name__}.topics"
        module = import_module(place)
        return cast("click.Command", module.command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from cavalcade.cli import spellings  # not needed, and slow to load, for --help and --version

        try:
            args = spellings.usual_command(args, COMMANDS)
        except click.UsageError:
            if not ctx.resilient_parsing:  # a shell completes the line
                raise
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": ground.TEXT_WIDTH},
)
@click.version_option(
    ground.__version__, "-V", "-v", "--version", prog_name="cavalcade", message="%(prog)s %(version)s"
)
@click.option("--debug", is_flag=True, help="Show where an internal error comes from.")
def group(*, debug: bool) -> None:
    """Tours of any leaper on any board: find, prove, count, draw.

    \b
    cavalcade tour 8x8 -o tour.svg    a closed tour of the chessboard, drawn
    cavalcade prove 5x5               why there is none
    cavalcade count 6x6               how many there are

    A board is a spec such as 8x8, 4x8x8 (four levels), hex:6, torus:5x7, cylinder:5x6, mobius:3x5, klein:4x4
    or 8x8-a1,b1 (without two cells); or a file: the picture of a board (.txt) or a graph (.hcp, .edges, .g6,
    .col, ...). Exit codes: 0 found or right, 1 impossible or wrong (20 if the environment variable
    CAVALCADE_EXIT_CODES is "distinct"), 2 bad input, 3 undecided, 4 not checked, 70 an internal error.

    cavalcade help COMMAND explains a command; help boards, pieces, symmetries or formats lists them all.
    """  # noqa: D301 - a control character tells click not to wrap the examples
    del debug  # read by `_run`


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code.

    An error is a line on standard error; with --json it is also an object on standard output.
    """
    if arguments is None:
        sys.unraisablehook = _unraisable
        warnings.showwarning = lambda warning, *_: remark(f"warning: {warning}")
        open_closed_streams()
        handle_sigterm()
        if instruction := os.environ.get(COMPLETE):
            from click.shell_completion import shell_complete

            return shell_complete(group, {}, "cavalcade", COMPLETE, instruction)
    args = list(sys.argv[1:] if arguments is None else arguments)
    fail = partial(_fail, as_json="--json" in args)
    try:
        distinct = arguments is None and _distinct_codes()
        code = _run(args or ["--help"])
        sys.stdout.flush()
    except click.ClickException as error:
        return fail(_usage(error))
    except TooLargeError as error:
        return fail(str(error), ExitCode.UNDECIDED)
    except CavalcadeError as error:
        return fail(str(error))
    except (KeyboardInterrupt, click.Abort) as error:
        return _fail_interrupted(error)
    except BrokenPipeError:  # the program that reads the output, such as `head`, has closed it
        _discard_output()
        return ExitCode.PIPE_CLOSED
    except OSError as error:
        if isinstance(error, TimeoutError) and error.errno is None:
            return fail(str(error), ExitCode.UNDECIDED)
        _discard_output()
        if error.errno == errno.EBADF:
            return _fail(CLOSED)
        reason = str(error.strerror or error)
        return fail(f"{error.filename}: {error.strerror}" if error.filename else reason)
    except MemoryError:
        return fail("out of memory: this is too large for this machine", ExitCode.UNDECIDED)
    except Exception as error:  # noqa: BLE001 - exit code 1 would mean that there is no tour
        named = f"{type(error).__name__}: {str(error)[:200]}".removesuffix(": ")
        return fail(f"{named}: {REPORT}", ExitCode.INTERNAL)
    return ExitCode.REFUTED if distinct and code == ExitCode.IMPOSSIBLE else code


def _distinct_codes() -> bool:
    """Whether the environment selects the exit codes that no interpreter uses.

    Raises:
        CavalcadeError: the variable has an unknown value.
    """
    codes = os.environ.get(CODES, "0.2")
    if codes not in {"0.2", "distinct"}:
        raise CavalcadeError(f"{CODES} is {codes[:40]!r}, expected 0.2 or distinct")
    return codes == "distinct"


def _run(args: list[str]) -> int:
    debug = False
    try:
        with group.make_context("cavalcade", args) as context:
            debug = context.params["debug"]
            return cast("int | None", group.invoke(context)) or ExitCode.FOUND
    except click.exceptions.Exit as done:
        return done.exit_code
    except Exception:
        if debug:
            import traceback

            write(sys.stderr, traceback.format_exc())
        raise


def _usage(error: click.ClickException) -> str:
    """The message of an error in the arguments, and where the options are explained."""
    message = error.format_message().removesuffix(".")
    message = message if message[:2].isupper() else message[:1].lower() + message[1:]
    if not isinstance(error, click.UsageError):
        return message
    return f"{message} (see {error.ctx.command_path if error.ctx else 'cavalcade'} --help)"


def _fail(message: str, code: int = ExitCode.BAD_INPUT, *, as_json: bool = False) -> int:
    kind = "undecided" if code == ExitCode.UNDECIDED else "error"
    reason = " ".join(message.split())
    remark(f"{kind}: {reason}")
    if as_json:
        with contextlib.suppress(OSError):  # the code tells what the output cannot
            write(sys.stdout, json.dumps({"status": kind, "reason": reason}, ensure_ascii=False) + "\n")
            sys.stdout.flush()
    return code


def _fail_interrupted(error: BaseException) -> int:
    if isinstance(error, Terminated):
        hung_up = ExitCode.HUNG_UP - 128 in error.args
        return _fail("terminated", ExitCode.HUNG_UP if hung_up else ExitCode.TERMINATED)
    return _fail("interrupted", ExitCode.INTERRUPTED)


def _unraisable(lost: sys.UnraisableHookArgs) -> None:
    """Handle a Ctrl-C that arrives in a callback of the compiler, which cannot raise it."""
    if isinstance(lost.exc_value, KeyboardInterrupt):
        os._exit(_fail_interrupted(lost.exc_value))
    sys.__unraisablehook__(lost)


def _discard_output() -> None:
    """Redirect standard output to the null device, so that its buffer is not written again at exit."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
