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
import math
import re
import types
from contextlib import nullcontext
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import click

from cavalcade.ground.budget import guard, seconds_left
from cavalcade.ground.errors import CavalcadeError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

AT_THE_DOOR = ("time_limit", "memory")
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


NEEDS = re.compile(r"Only with (--[\w-]+(?: or --[\w-]+)*)[.,]")
EXCLUDES = re.compile(r"Excludes (--[\w-]+(?:, --[\w-]+)*)\.")
HELP = re.compile(
    r"^( *)(\w+): (.*(?:\n\1 +.*)*)", re.MULTILINE
)  # of one option, with the lines that continue it


class Option(click.Option):
    """An option whose help may name others that it needs or excludes."""

    @property
    def spelling(self) -> str:
        """The long spelling."""
        return max(self.opts, key=len)

    @property
    def needs(self) -> list[str]:
        """Spellings of options of which one is needed."""
        found = NEEDS.search(self.help or "")
        return found[1].split(" or ") if found else []

    @property
    def excludes(self) -> list[str]:
        """Spellings of options that cannot be combined with this one."""
        found = EXCLUDES.search(self.help or "")
        return found[1].split(", ") if found else []


@dataclasses.dataclass(frozen=True, eq=False)
class _Declared:
    """What an annotation says about a parameter."""

    spellings: tuple[str, ...]
    words: dict[str, Any]


def option(*spellings: str, **words: Any) -> Any:  # noqa: ANN401 - it stands in annotations
    """What an annotation says about an option or an argument: other spellings, and what click takes."""
    return _Declared(spellings, words)


def _seconds(context: click.Context, parameter: click.Parameter, seconds: float | None) -> float | None:
    del context
    if seconds is not None and not (0 < seconds < math.inf):
        raise click.BadParameter(f"{seconds} is not a number of seconds above 0: try 10", param=parameter)
    return seconds


def _bytes(context: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    del context
    match = (
        re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE) if text else None
    )
    if text is not None and not match:
        raise click.BadParameter(f"{text!r} is not an amount of memory: try 500M or 4G", param=parameter)
    return int(float(match[1]) * UNITS[match[2].upper()]) if match else None


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
            f"(default: "
            f"{memory}).",
        ),
    ]  # fmt: skip

    def declared(function: Callable[..., int | None]) -> click.Command:
        def run(**values: Any) -> int | None:  # noqa: ANN401 - click's
            _assert_combined(click.get_current_context())
            within = nullcontext() if each else guard(values["time_limit"] or math.inf, values["memory"])
            with within:
                try:
                    return function(**_filled(function, values))
                except (CavalcadeError, click.ClickException, OSError, MemoryError):
                    raise
                except Exception as error:
                    if seconds_left() < 0:  # libraries turn the alarm into errors of their own
                        raise TimeoutError("the time limit is reached") from error
                    raise

        name = function.__module__.rpartition(".")[2].rstrip("_")
        return click.Command(
            name, callback=run, params=[*_parameters(function), *at_the_door], help=_split(function)[0]
        )

    return declared


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


def _parameter(name: str, hint: Any, words: dict[str, Any], *, argument: bool) -> click.Parameter:  # noqa: ANN401
    """The parameter of click; what the annotation declares goes before what follows from its type."""
    declared = _Declared((), {})
    several = False
    while (origin := get_origin(hint)) in {Annotated, Union, types.UnionType, tuple}:
        inner, *_ = (one for one in get_args(hint) if one is not types.NoneType)
        if origin is Annotated:
            for one in reversed(get_args(hint)[1:]):  # the last is the outermost, and goes before
                declared = _Declared(declared.spellings or one.spellings, one.words | declared.words)
        several = several or origin is tuple
        hint = inner
    kind = click.Choice(get_args(hint)) if get_origin(hint) is Literal else hint
    words = {"type": kind} | declared.words | words
    if argument:
        words |= {"required": "default" not in words, "nargs": -1 if several else 1}
        return click.Argument([name], **words)
    default = words.get("default")
    spelling = name.rstrip("_").replace("_", "-")
    spellings = declared.spellings or (
        f"--{spelling}" + f"/--no-{spelling}" * (hint is bool and default is None),
    )
    if several:
        words = {one: value for one, value in words.items() if one != "default"} | {"multiple": True}
    elif hint is bool and default is not None:
        words = {one: value for one, value in words.items() if one != "type"} | {"is_flag": True}
    words["show_default"] = bool(default) or default == 0
    return Option([*spellings, name], **words)


def _filled(declared: Callable[..., object], values: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a function, or of a dataclass, from the values of all options."""
    hints = get_type_hints(declared)
    return {
        name: hints[name](**_filled(hints[name], values)) if dataclasses.is_dataclass(hints[name]) else
        values[name] for name in inspect.signature(declared).parameters
    }  # fmt: skip


def _typed(context: click.Context) -> dict[str, Option]:
    """The options on this command line, by their names as parameters."""
    typed = click.core.ParameterSource.COMMANDLINE
    return {
        one.name: one
        for one in context.command.params
        if isinstance(one, Option) and one.name and context.get_parameter_source(one.name) is typed
    }


def _with_value(context: click.Context, one: Option) -> str:
    """An option as it was typed, such as `--from a1`."""
    value = context.params.get(one.name or "")
    if isinstance(value, tuple):
        value = value[-1]
    return one.spelling if isinstance(value, bool) or value is None else f"{one.spelling} {value}"


def _assert_combined(context: click.Context) -> None:
    """Refuse options that need others, or exclude them."""
    typed = _typed(context)
    spelled = {spelling: one for one in typed.values() for spelling in one.opts}
    for one in typed.values():
        for other in one.excludes:
            if other in spelled:
                what = f"{_with_value(context, one)} excludes {_with_value(context, spelled[other])}"
                raise click.UsageError(f"{what}: drop one")
        if one.needs and not any(other in spelled for other in one.needs):
            what = f"{_with_value(context, one)} works only with {' or '.join(one.needs)}"
            raise click.UsageError(f"{what}: add it" if len(one.needs) == 1 else f"{what}: add one")


def refuse(*names: str, why: str) -> None:
    """Refuse these options, by their names as parameters, if they were typed; `why` ends the sentence."""
    _refuse(set(names).__contains__, why)


def refuse_all_but(*names: str, why: str) -> None:
    """Refuse every option that was typed but these, by their names as parameters."""
    _refuse(lambda name: name not in {*names, *AT_THE_DOOR}, why)


def _refuse(wanted: Callable[[str], bool], why: str) -> None:
    context = click.get_current_context()
    for name, one in _typed(context).items():
        if wanted(name):
            raise click.UsageError(f"{_with_value(context, one)} {why}: leave it out")
