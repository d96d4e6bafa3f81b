"""How a command is declared: its options are the parameters of a function, their help is in its docstring.

    @verb(time_limit="10")
    def command(asked: QuestionOptions, *, directed: bool = False, upto: Positive | None = None) -> int:
        \"\"\"Count the tours of BOARD.

        Options:
            directed: Count a tour and its reverse as two.
            upto: Count for n = 1 to N. Only with --bfile. Excludes --directed.
        \"\"\"

Parameters before the `*` are arguments, the others options, spelled like the parameter: `per_page` is
--per-page, `open_` is --open. The annotation gives the type, the signature the default. An option that
several commands share is an alias in `cavalcade.cli.options`, with its help; a dataclass, such as
`QuestionOptions`, is a group of options that commands take together. The sentences "Only with --this or
--that." and "Excludes --this, --that." in a help are what the command enforces. Every command also has
--time-limit and --memory, and runs within them; it gets their values if it has parameters of these names.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import math
import re
import types
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import click

from cavalcade.cli import COMMANDS, UNDECIDED
from cavalcade.cli import words as typed
from cavalcade.cli.status import line
from cavalcade.ground.budget import guard, machine_memory, seconds_left
from cavalcade.ground.errors import CavalcadeError, TooLargeError

AT_THE_DOOR = ("time_limit", "memory", "quiet")
# words of reasons that a limit causes
OF_TIME = re.compile(r"time limit|longer to|found in [\d.]+ s|takes about [\d.]+ s")
OF_MEMORY = re.compile(r"memory| [GM]i?B")
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
NEEDS = re.compile(r"Only with (--[\w-]+(?: or --[\w-]+)*)[.,]")
EXCLUDES = re.compile(r"Excludes (--[\w-]+(?:, --[\w-]+)*)\.")
PART = re.compile(
    "[0-9nx*,\N{MULTIPLICATION SIGN}]+|by", re.IGNORECASE
)  # of a board that is typed with spaces
# of one option, with the lines that continue it
HELP = re.compile(r"^( *)(\w+): (.*(?:\n\1 +.*)*)", re.MULTILINE)


class Option(click.Option):
    """An option whose help may name others that it needs or excludes."""

    @property
    def spelling(self) -> str:
        """The long spelling."""
        return next(one for one in self.opts if one.startswith("--"))

    @property
    def as_typed(self) -> str:
        """The option as it was typed, such as `--from a1`."""
        value = click.get_current_context().params.get(self.name or "")
        if value is False and self.secondary_opts:
            return self.secondary_opts[0]
        if isinstance(value, tuple):
            value = value[-1]
        return self.spelling if isinstance(value, bool) or value is None else f"{self.spelling} {value}"

    @property
    def needs(self) -> list[str]:
        """Spellings of options of which one is needed."""
        return [one for text in NEEDS.findall(self.help or "") for one in text.split(" or ")]

    @property
    def excludes(self) -> list[str]:
        """Spellings of options that cannot be combined with this one."""
        return [one for text in EXCLUDES.findall(self.help or "") for one in text.split(", ")]


class Spaced(click.Argument):
    """A board as an argument, which may be typed with spaces: 8 x 8, hex 6."""

    def __init__(self, declarations: list[str], **words: Any) -> None:
        super().__init__(declarations, **words | {"nargs": -1})

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """The parts as one text."""
        parts = super().process_value(ctx, value)
        if other := next((one for one in (parts or ())[1:] if not PART.fullmatch(one)), None):
            raise click.UsageError(
                f"unexpected argument {other!r} after {parts[0]!r}{typed.kind_of(other)}", ctx
            )
        return " ".join(parts) if parts else None


class Verb(click.Command):
    """A command that understands other names of its options."""

    usual: float | None = None  # the seconds it takes at most, if it is not told

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The parameters from the words, whose other names are replaced."""
        if ctx.resilient_parsing:  # a shell asks how the line goes on
            return super().parse_args(ctx, args)
        try:
            group = ctx.parent.command if ctx.parent else None
            known = {}  # of a command that is called by itself, as tests do
            if isinstance(group, click.Group):
                known = {one: partial(group.get_command, ctx, one) for one in COMMANDS}
            return super().parse_args(ctx, [*typed.options_meant(self, args, known)])
        except click.UsageError as error:
            error.ctx = error.ctx or ctx
            raise


@dataclasses.dataclass(frozen=True, eq=False)
class _Declared:
    """What an annotation says about a parameter."""

    spellings: tuple[str, ...]
    words: dict[str, Any]


def option(*spellings: str, **words: Any) -> Any:
    """What an annotation says about an option or an argument: other spellings, and what click takes."""
    return _Declared(spellings, words)


def _seconds(context: click.Context, parameter: click.Parameter, seconds: float | None) -> float | None:
    del context
    if seconds is not None and not (0 < seconds < math.inf):
        raise click.BadParameter(f"{seconds} is not a number of seconds above 0: try 10", param=parameter)
    return seconds


def _bytes(context: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    del context
    if text is None:
        return None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if match is None:
        raise click.BadParameter(f"{text!r} is not an amount of memory: try 500M or 4G", param=parameter)
    return int(float(match[1]) * UNITS[match[2].upper()])


def verb(
    *, time_limit: str = "none", memory: str = "the machine's memory", each: str = ""
) -> Callable[..., click.Command]:
    """A decorator that makes a command of a function, whose docstring is the help.

    Args:
        time_limit: the seconds that the search takes by default, in words.
        memory: the bytes that it takes by default, in words.
        each: what each limit is for, if not for the whole command.
    """
    for_each = f" for each {each}" * bool(each)
    at_the_door = [
        Option(
            ["--time-limit"], type=float, metavar="S", callback=_seconds,
            help=f"Stop after S seconds{for_each}, undecided (default: {time_limit}).",
        ),
        Option(
            ["--memory"], metavar="M", callback=_bytes,
            help=f"Stop, undecided, where more than M bytes are needed{for_each}; such as 500M or 4G "
            f"(default: {memory}).",
        ),
        Option(["-q", "--quiet"], is_flag=True, help="Write the answer and errors only, no remarks."),
    ]  # fmt: skip

    usual = float(time_limit) if time_limit.isdigit() else None

    def declared(function: Callable[..., int | None]) -> click.Command:
        def run(**values: Any) -> int | None:
            most = values["time_limit"]
            shown = nullcontext() if values["quiet"] else line(None if each else most or usual)
            with shown, nullcontext() if each else guard(most or math.inf, values["memory"]):
                try:
                    _assert_combined()
                    return function(**_filled(function, values))
                except (TooLargeError, TimeoutError, MemoryError) as error:
                    return _undecided(error, as_json=values.get("json_", False))
                except click.UsageError as error:
                    error.ctx = error.ctx or click.get_current_context()
                    raise
                except (CavalcadeError, click.ClickException, OSError):
                    raise
                except Exception:
                    if seconds_left() >= 0:
                        raise
                    # libraries turn the alarm into errors of their own
                    return _undecided(
                        TimeoutError("the time limit is reached"), as_json=values.get("json_", False)
                    )

        name = function.__module__.rpartition(".")[2].rstrip("_")
        made = Verb(
            name, callback=run, params=[*_parameters(function), *at_the_door], help=_split(function)[0]
        )
        made.usual = usual
        return made

    return declared


def _undecided(error: Exception, *, as_json: bool) -> int:
    """Answer that a limit ended the work, with the limit to raise.

    Raises:
        TooLargeError: the same, as what `main` prints.
    """
    if isinstance(error, OSError) and error.errno is not None:
        raise error
    reason = reached(error)
    reason += limit_to_raise(reason)
    if not as_json:
        raise TooLargeError(reason) from error
    click.echo(json.dumps({"status": "undecided", "reason": reason}, ensure_ascii=False))
    return UNDECIDED


def reached(error: Exception) -> str:
    """Why a limit ended the work; an error of time says at what, and not that it was the time."""
    reason = str(error) or "out of memory: this is too large for this machine"
    late = isinstance(error, TimeoutError) and not OF_TIME.search(reason)
    return f"the time limit is reached: {reason}" if late else reason


def limit_to_raise(reason: str) -> str:
    """The option that may help, as the end of a sentence, if the reason names a limit."""
    context = click.get_current_context()
    if OF_TIME.search(reason):
        given = context.params["time_limit"] or getattr(context.command, "usual", None)
        return f": try --time-limit {10 * given:g}" if given else ""
    if OF_MEMORY.search(reason):
        return f": try more than --memory {_size(context.params['memory'] or machine_memory() // 2)}"
    return ""


def _size(count: int) -> str:
    return f"{count / UNITS['G']:.3g}G" if count >= UNITS["G"] else f"{count // UNITS['M']}M"


def _split(declared: Callable[..., object]) -> tuple[str, dict[str, str]]:
    """The help of a function, and that of each of its options."""
    text, _, options = (inspect.getdoc(declared) or "").partition("\n\nOptions:\n")
    return text, {name: " ".join(words.split()) for _, name, words in HELP.findall(options)}


def _parameters(declared: Callable[..., object]) -> Iterator[click.Parameter]:
    """The parameters of click that a function, or a dataclass, declares."""
    hints, helps = get_type_hints(declared, include_extras=True), _split(declared)[1]
    group = dataclasses.is_dataclass(declared)
    for name, one in inspect.signature(declared).parameters.items():
        if dataclasses.is_dataclass(hints[name]):
            yield from _parameters(hints[name])
        elif name not in AT_THE_DOOR:
            words = {"help": helps[name]} if name in helps else {}
            if one.default is not one.empty:
                words["default"] = one.default
            argument = "default" not in words if group else one.kind is one.POSITIONAL_OR_KEYWORD
            yield _parameter(name, hints[name], words, argument=argument)


def _parameter(name: str, hint: Any, words: dict[str, Any], *, argument: bool) -> click.Parameter:
    """The parameter of click; what the annotation declares goes before what follows from its type."""
    spellings: tuple[str, ...] = ()
    several = False
    while (origin := get_origin(hint)) in {Annotated, Union, types.UnionType, tuple}:
        if origin is Annotated:
            for one in reversed(get_args(hint)[1:]):  # the last is the outermost, and goes before
                spellings, words = spellings or one.spellings, one.words | words
        several = several or origin is tuple
        hint = next(one for one in get_args(hint) if one is not types.NoneType)
    words.setdefault("type", click.Choice(get_args(hint)) if get_origin(hint) is Literal else hint)
    if argument:
        words |= {"required": "default" not in words, "nargs": -1 if several else 1}
        made: click.Parameter = words.pop("kind", click.Argument)([name], **words)
        return made
    default = words.get("default")
    if several:
        del words["default"]
        words["multiple"] = True
    elif hint is bool and default is not None:
        del words["type"]
        words["is_flag"] = True
    words["show_default"] = bool(default) or default == 0
    spelling = name.rstrip("_").replace("_", "-")
    both = f"/--no-{spelling}" * (hint is bool and default is None)
    return Option([*(spellings or [f"--{spelling}{both}"]), name], **words)


def _filled(declared: Callable[..., object], values: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a function, or of a dataclass, from the values of all options."""
    hints = get_type_hints(declared)
    return {
        name: hints[name](**_filled(hints[name], values)) if dataclasses.is_dataclass(hints[name]) else
        values[name] for name in inspect.signature(declared).parameters
    }  # fmt: skip


def _typed() -> dict[str, Option]:
    """The options on this command line, by their names as parameters."""
    context, typed = click.get_current_context(), click.core.ParameterSource.COMMANDLINE
    return {
        one.name: one
        for one in context.command.params
        if isinstance(one, Option) and one.name and context.get_parameter_source(one.name) is typed
    }


def _assert_combined() -> None:
    """Refuse options that need others, or exclude them."""
    spelled = {spelling: one for one in _typed().values() for spelling in one.opts}
    for one in _typed().values():
        for other in one.excludes:
            if other in spelled:
                raise click.UsageError(f"{one.as_typed} excludes {spelled[other].as_typed}: drop one")
        if one.needs and spelled.keys().isdisjoint(one.needs):
            what = f"{one.as_typed} works only with {' or '.join(one.needs)}"
            raise click.UsageError(f"{what}: add {'it' if len(one.needs) == 1 else 'one'}")


def refuse(*names: str, why: str) -> None:
    """Refuse these options, by their names as parameters, if they were typed; `why` ends the sentence."""
    for name, one in _typed().items():
        if name in names:
            raise click.UsageError(f"{one.as_typed} {why}: leave it out")


def refuse_all_but(*names: str, why: str) -> None:
    """Refuse every option that was typed but these, by their names as parameters."""
    refuse(*_typed().keys() - {*names, *AT_THE_DOOR}, why=why)
