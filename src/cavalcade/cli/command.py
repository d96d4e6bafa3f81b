"""How a command is declared: its options are the parameters of a function, their help is in its docstring.

    @verb(time_limit="10")
    def command(
        asked: QuestionOptions,
        *,
        directed: bool = False,
        upto: Annotated[Positive | None, option(needs=["--bfile"], excludes=["--directed"])] = None,
    ) -> int:
        \"\"\"Count the tours of BOARD.

        Options:
            directed: Count a tour and its reverse as two.
            upto: Count for n = 1 to N.
        \"\"\"

Parameters before the `*` are arguments, the others are options, spelled like the parameter: `per_page` is
--per-page, `json_` is --json. The annotation gives the type, the signature the default. `option` adds what an
annotation cannot express; `needs` and `excludes` are enforced and appended to the help. An option that
several commands share is an alias in `cavalcade.cli.options`, with its help; a dataclass, such as
`QuestionOptions`, is a group of options that commands take together.

Every command also has --time-limit, --memory and --quiet, and runs within these limits; it receives their
values if it has parameters of these names.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import math
import re
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import cache, partial
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import click

from cavalcade.cli import ExitCode, examples, misplaced, refusals, spellings, suggestions
from cavalcade.cli.bare_words import FILE, RefusedWordError, choices_of, spellings_of, words_of
from cavalcade.cli.meanings import ARGUMENTS
from cavalcade.cli.status import line
from cavalcade.cli.streams import write
from cavalcade.formats.table import format_of
from cavalcade.ground.budget import guard, machine_memory, seconds_left
from cavalcade.ground.errors import BoardError, CavalcadeError, FormatError, TooLargeError, bytes_of
from cavalcade.question.words import LIMITS

OPTIONS = "Options"  # the section of the help for options that belong to no other
POSITIONAL = "Arguments"  # the section of the help for positional arguments
COMMON = ("time_limit", "memory", "quiet")  # parameters that every command has
# reasons that a limit causes
TIME_REASON = re.compile(r"time limit|longer to|found in [\d.]+ s|takes about [\d.]+ s")
MEMORY_REASON = re.compile(r"memory| [GM]i?B")
UNWRITTEN = re.compile(r"cannot write '[^']*\.(\w+)'")  # a file whose ending is that of no format
# the help of an option in a docstring, with the lines that continue it
OPTION_HELP = re.compile(r"^( *)(\w+): (.*(?:\n\1 +.*)*)", re.MULTILINE)
# the annotations of a function or a dataclass; many commands share a dataclass
_hints = cache(partial(get_type_hints, include_extras=True))


class Advised(click.Parameter):
    """A parameter whose errors name the value that may be meant."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """Convert the value; a format is also named by the ending of its files."""
        if self.name == "paper" and str(value)[-1:] in "123" and str(value)[:-1] in {"", "paper"} and value:
            value = choices_of(self)[int(value[-1]) - 1]  # the three papers, in the order of their years
        if isinstance(self.type, click.Choice) and isinstance(value, str) and value not in self.type.choices:
            ending = format_of(f"x.{value}")
            value = ending if ending in self.type.choices else value
        try:
            return super().type_cast_value(ctx, value)
        except click.BadParameter as error:
            message = error.message.rstrip(".").replace("valid integer range", "whole number")
            advice = suggestions.value_meant(ctx, self, str(value))
            raise click.BadParameter(message + advice, ctx, self) from None


class Argument(Advised, click.Argument):
    """A positional argument.

    Args:
        declarations: the name of the parameter.
        help: its text in the help; without a text, the help omits the argument.
        words: arguments of `click.Argument`.
    """

    def __init__(self, declarations: Sequence[str], help: str = "", **words: Any) -> None:  # noqa: A002 - as click
        super().__init__(declarations, **words)
        self.help, self.section = help, POSITIONAL  # click has `help` from 8.5 on

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Return the placeholder and the text for the help."""
        return self.make_metavar(ctx), self.help or ""


class Option(Advised, click.Option):
    """An option that may need or exclude others.

    Args:
        declarations: the spellings and the name of the parameter.
        needs: spellings of options of which one is needed.
        excludes: spellings of options that cannot be combined with this one.
        implies: spellings of options that need not be typed beside this one.
        words: arguments of `click.Option`.
    """

    def __init__(
        self,
        declarations: Sequence[str],
        needs: Sequence[str] = (),
        excludes: Sequence[str] = (),
        implies: Sequence[str] = (),
        **words: Any,
    ) -> None:
        rules = [words.get("help") or ""]
        rules += [f"Only with {' or '.join(needs)}."] * bool(needs)
        rules += [f"Excludes {', '.join(excludes)}."] * bool(excludes)
        super().__init__(declarations, **words | {"help": " ".join(rules).strip()})
        self.needs, self.excludes, self.implies = needs, excludes, implies
        self.section = OPTIONS

    @property
    def spelling(self) -> str:
        """The long spelling."""
        return next(spelling for spelling in self.opts if spelling.startswith("--"))

    @property
    def as_typed(self) -> str:
        """The option as it was typed, such as `--from a1`."""
        value = click.get_current_context().params.get(self.name or "")
        if value is False and self.secondary_opts:
            return self.secondary_opts[0]
        if isinstance(value, tuple):
            value = value[-1]
        return self.spelling if isinstance(value, bool) or value is None else f"{self.spelling} {value}"


class Verb(click.Command):
    """A command that accepts other spellings of its options, and lists them in sections."""

    default_seconds: float | None = None  # the time limit, if none is set
    function: Callable[..., int | None] | None = None  # what the command runs

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write nothing: `format_options` writes the arguments, in all releases of click."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help of the arguments and options, one section after the other."""
        sections: dict[str, list[tuple[str, str]]] = {POSITIONAL: [], OPTIONS: []}
        for parameter in self.get_params(ctx):
            if (record := parameter.get_help_record(ctx)) and record[1]:
                sections.setdefault(getattr(parameter, "section", OPTIONS), []).append(record)
        for title, records in sections.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
        with formatter.section("Examples"):
            outer = " " * formatter.current_indent
            inner = outer + " " * formatter.indent_increment
            for example in examples.of_command(self.name or "")[:3]:
                meaning = click.formatting.wrap_text(example.meaning, formatter.width, inner, inner)
                formatter.write(f"{outer}{example.line}\n{meaning}\n")  # a line to copy is never wrapped

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments after replacing other spellings of options."""
        if ctx.resilient_parsing:  # a shell completes the line
            return super().parse_args(ctx, args)
        with click.core.augment_usage_errors(ctx):
            usual: Sequence[str] = args
            ctx.meta[refusals.LINE] = [*args]
            try:
                usual = ctx.meta[refusals.LINE] = [*spellings.usual_options(ctx, args)]
                return self._parsed(ctx, usual)
            except click.UsageError as error:
                missing = isinstance(error, refusals.MissingArgumentError)
                replaces = not missing and re.search("would replace|: try", error.format_message())
                words = words_of(self, usual) or [word for word in usual if not word.startswith("-")][:1]
                if not replaces and (advice := misplaced.advice(self.name or "", words, args)):
                    refused = error.format_message().partition(": try ")[0].removesuffix(".")
                    message = f"{refused}; {advice}"
                else:
                    message = refusals.explained(error, ctx, usual, partial(self.attempt, ctx))
                raise click.UsageError(message, ctx) from None

    def _parsed(self, ctx: click.Context, args: Sequence[str]) -> list[str]:
        """Parse the arguments, and refuse one too many with a better hint than that of click."""
        ctx.allow_extra_args = True
        refusals.assert_once(args, spellings_of(self))
        try:
            extra = super().parse_args(ctx, [*args, *misplaced.redirected(self, args)])
        except click.MissingParameter as error:
            message, values = error.format_message().rstrip("."), misplaced.arguments(self)
            line = refusals.typed_line(self, [*values, *(word for word in args if word != "--quiet")])
            raise refusals.MissingArgumentError(f"{message}: try {line}", values) from None
        if not extra or not (self.name in ARGUMENTS or FILE.fullmatch(extra[0])):
            misplaced.assert_files(ctx)
        if extra:
            message = f"unexpected argument {extra[0]!r}{suggestions.option_for(extra[0])}"
            raise RefusedWordError(message, extra[0])
        return extra

    def accepted(self, ctx: click.Context, args: Sequence[str]) -> str:
        """Return a line with these arguments, with the fewest changes by which it is accepted, or nothing."""
        return refusals.accepted(self, args, partial(self.attempt, ctx))

    def attempt(self, ctx: click.Context, args: Sequence[str]) -> None:
        """Parse other arguments in a context of their own, without remarks."""
        trial = click.Context(self, parent=ctx.parent, info_name=ctx.info_name, obj=refusals.TRIAL)
        with trial.scope(cleanup=False):
            usual = spellings.usual_options(trial, ["--quiet", *args])
            self._parsed(trial, [word for word in usual if word != "--help"])
            _assert_combined()
            suggestions.assert_plausible(trial.params, self, words_of(self, args))
            if self.function is not None:  # its groups of options refuse files and formats that do not fit
                _arguments(self.function, trial.params)


@dataclasses.dataclass(frozen=True, eq=False)
class Declared:
    """What `option` declares."""

    spellings: tuple[str, ...]
    words: dict[str, Any]


def option(*spellings: str, choices: Iterable[str] = (), **words: Any) -> Any:
    """Declare a parameter in its annotation.

    Args:
        spellings: the spellings of an option, if they are not derived from the name of the parameter.
        choices: the only values that are allowed, if they are few.
        words: arguments of `Option` or `click.Argument`.
    """
    return Declared(spellings, words | ({"type": click.Choice(tuple(choices))} if choices else {}))


def _seconds(context: click.Context, parameter: click.Parameter, seconds: float | None) -> float | None:
    """Refuse a time limit that is not positive and finite."""
    del context
    if seconds is not None and not (0 < seconds < math.inf):
        raise click.BadParameter(f"{seconds} is not a number of seconds above 0: try 10", param=parameter)
    return seconds


def _bytes(context: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    """Read an amount of memory such as 4G."""
    del context
    try:
        return None if text is None else bytes_of(text)
    except CavalcadeError:
        raise click.BadParameter(
            f"{text!r} is not an amount of memory: try 500M or 4G", param=parameter
        ) from None


def verb(
    *, time_limit: str = "none", memory: str = "the machine's memory", each: str = ""
) -> Callable[[Callable[..., int | None]], click.Command]:
    """Decorate a function to make it a command, whose help is the docstring.

    Args:
        time_limit: the default time limit in seconds, in words.
        memory: the default amount of memory, in words.
        each: what each limit applies to, if not to the whole command.
    """
    about = {"each": f" for each {each}" * bool(each), "time_limit": time_limit, "memory": memory}

    def common(name: str, **words: Any) -> Option:
        row = LIMITS[name]
        spelling = f"--{name.replace('_', '-')}"
        return Option([spelling], metavar=row.kind.metavar, help=row.help.format(**about), **words)

    options = [
        common("time_limit", type=float, callback=_seconds),
        common("memory", callback=_bytes),
        Option(["-q", "--quiet"], is_flag=True, help="Write the answer and errors only, no remarks."),
    ]
    default_seconds = float(time_limit) if time_limit.isdigit() else None

    def declared(function: Callable[..., int | None]) -> click.Command:
        def run(**values: Any) -> int | None:
            seconds, as_json = values["time_limit"], values.get("json_", False)
            silent = values["quiet"] or (each and not sys.stderr.isatty())  # a filter may wait for lines
            shown = nullcontext() if silent else line(None if each else seconds or default_seconds)
            with shown, nullcontext() if each else guard(seconds or math.inf, values["memory"]):
                try:
                    _assert_combined()
                    return function(**_arguments(function, values))
                except (TooLargeError, TimeoutError, MemoryError) as error:
                    return _undecided(error, as_json=as_json)
                except CavalcadeError as error:
                    misplaced.assert_taken(str(error))
                    from cavalcade.boards.notation import EXAMPLES

                    if str(error).endswith(EXAMPLES):
                        raise BoardError(f"{error}; cavalcade help boards lists all") from None
                    if (ending := UNWRITTEN.match(str(error))) and (
                        advice := suggestions.on_ending(ending[1])
                    ):
                        raise FormatError(f"{error}. {advice}") from None
                    raise
                except (click.ClickException, OSError):
                    raise
                except Exception:
                    if seconds_left() >= 0:
                        raise
                    # libraries replace the error that the alarm raises by errors of their own
                    return _undecided(TimeoutError("the time limit is reached"), as_json=as_json)

        name = function.__module__.rpartition(".")[2].rstrip("_")
        command = Verb(name, callback=run, params=[*_parameters(function), *options], help=_help(function)[0])
        command.default_seconds, command.function = default_seconds, function
        return command

    return declared


def _undecided(error: Exception, *, as_json: bool) -> int:
    """Answer that a limit ended the search, and which limit to raise.

    Raises:
        TooLargeError: the answer, which `main` prints, unless JSON was asked for.
    """
    if isinstance(error, OSError) and error.errno is not None:
        raise error
    reason = reached(error)
    reason += limit_to_raise(reason)
    if not as_json:
        raise TooLargeError(reason) from error
    write(sys.stdout, json.dumps({"status": "undecided", "reason": reason}, ensure_ascii=False) + "\n")
    return ExitCode.UNDECIDED


def reached(error: Exception) -> str:
    """Return why a limit ended the search; a TimeoutError says how far it came, but not that time is up."""
    reason = str(error) or "out of memory: this is too large for this machine"
    late = isinstance(error, TimeoutError) and not TIME_REASON.search(reason)
    return f"the time limit is reached: {reason}" if late else reason


def limit_to_raise(reason: str) -> str:
    """Return the end of a sentence that names the option to raise, if the reason is a limit."""
    context = click.get_current_context()
    if ": try " in reason or "this machine has" in reason:
        return ""  # it has better advice, or no limit helps
    if TIME_REASON.search(reason):
        seconds = context.params["time_limit"] or getattr(context.command, "default_seconds", None)
        return f": try --time-limit {10 * seconds:g}" if seconds else ""
    if MEMORY_REASON.search(reason) and "disk" not in reason:
        limit = context.params["memory"] or machine_memory() // 2
        size = f"{limit / 2**30:.3g}G" if limit >= 2**30 else f"{max(limit, 2**20) // 2**20}M"
        return f": try more than --memory {size}"
    return ""


def _help(declared: Callable[..., object]) -> tuple[str, dict[str, str]]:
    """Return the help of a function, and the help of its options by parameter."""
    text, _, options = (inspect.getdoc(declared) or "").partition("\n\nOptions:\n")
    return text, {name: " ".join(about.split()) for _, name, about in OPTION_HELP.findall(options)}


def _parameters(
    declared: Callable[..., object], outer: frozenset[str] = frozenset()
) -> Iterator[click.Parameter]:
    """Make the click parameters that a function or a dataclass declares.

    Args:
        declared: the function or the dataclass.
        outer: the parameters of the function, which take precedence over the fields of its dataclasses.
    """
    hints, helps = _hints(declared), _help(declared)[1]
    group = dataclasses.is_dataclass(declared)
    parameters = inspect.signature(declared).parameters
    names = outer if group else frozenset(parameters) - {*COMMON}
    for name, parameter in parameters.items():
        if dataclasses.is_dataclass(hints[name]):
            yield from _parameters(hints[name], names)
        elif name not in COMMON and not (group and name in outer):
            words = {"help": helps[name]} if name in helps else {}
            if parameter.default is not parameter.empty:
                words["default"] = parameter.default
            positional = parameter.kind is parameter.POSITIONAL_OR_KEYWORD
            argument = "default" not in words if group else positional
            made = _parameter(name, hints[name], words, argument=argument)
            if isinstance(made, Option):
                made.section = getattr(declared, "section", OPTIONS)
            yield made


def _parameter(name: str, hint: Any, words: dict[str, Any], *, argument: bool) -> click.Parameter:
    """Make a click parameter; what the annotation declares takes precedence over what its type implies."""
    spelled: tuple[str, ...] = ()
    repeated = False
    while (origin := get_origin(hint)) in {Annotated, Union, types.UnionType, tuple}:
        if origin is Annotated:
            for declared in reversed(get_args(hint)[1:]):  # the outermost annotation is last, and wins
                spelled, words = spelled or declared.spellings, declared.words | words
        repeated = repeated or origin is tuple
        hint = next(part for part in get_args(hint) if part is not types.NoneType)
    words.setdefault("type", click.Choice(get_args(hint)) if get_origin(hint) is Literal else hint)
    if argument:
        required = {"required": "default" not in words, "nargs": -1 if repeated else 1}
        return Argument([name], **required | words)
    default = words.get("default")
    if repeated:
        del words["default"]
        words["multiple"] = True
    elif hint is bool and default is not None:
        del words["type"]
        words["is_flag"] = True
    words["show_default"] = bool(default) or default == 0
    spelling = name.rstrip("_").replace("_", "-")
    opposite = f"/--no-{spelling}" * (hint is bool and default is None)
    return Option([*(spelled or [f"--{spelling}{opposite}"]), name], **words)


def _arguments(
    declared: Callable[..., object], values: dict[str, Any], outer: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return the arguments of a function or a dataclass, given the values of all parameters.

    Args:
        declared: the function or the dataclass.
        values: the values by parameter.
        outer: the parameters of the function: a field of the same name keeps its default.
    """
    hints = _hints(declared)
    names = [*inspect.signature(declared).parameters]
    if dataclasses.is_dataclass(declared):
        names = [name for name in names if name not in outer]
    else:
        outer = frozenset(names) - {*COMMON}
    return {
        name: hints[name](**_arguments(hints[name], values, outer))
        if dataclasses.is_dataclass(hints[name])
        else values[name]
        for name in names
    }


def typed_options() -> dict[str, Option]:
    """Return the options on this command line by parameter."""
    context, typed = click.get_current_context(), click.core.ParameterSource.COMMANDLINE
    return {
        parameter.name: parameter
        for parameter in context.command.params
        if isinstance(parameter, Option)
        and parameter.name
        and context.get_parameter_source(parameter.name) is typed
    }


def _assert_combined() -> None:
    """Refuse options that need others, or exclude them."""
    typed = typed_options().values()
    by_spelling = {spelling: parameter for parameter in typed for spelling in parameter.opts}
    implied = {*by_spelling}.union(*(parameter.implies for parameter in typed))
    for parameter in typed:
        for excluded in parameter.excludes:
            if excluded in by_spelling:
                conflict = f"{parameter.as_typed} excludes {by_spelling[excluded].as_typed}"
                raise click.UsageError(f"{conflict}: drop one")
        if parameter.needs and implied.isdisjoint(parameter.needs):
            options = spellings_of(click.get_current_context().command)
            needed = [
                f"{name} {getattr(options.get(name), 'metavar', None) or ''}".rstrip()
                for name in parameter.needs
            ]
            what = f"{parameter.as_typed} works only with {' or '.join(needed)}"
            raise click.UsageError(f"{what}: add {'it' if len(needed) == 1 else 'one'}")


def refuse(*names: str, why: str) -> None:
    """Refuse options, named by parameter, if they were typed; `why` ends the sentence."""
    for name, parameter in typed_options().items():
        if name in names:
            raise click.UsageError(f"{parameter.as_typed} {why}: leave it out")


def refuse_by_format(format_: str, names: Mapping[tuple[str, ...], Iterable[str]]) -> None:
    """Refuse options that were typed and do not work with a format.

    Args:
        format_: the format.
        names: the options, named by parameter, that work only with these formats.
    """
    for formats, limited in names.items():
        if format_ not in formats:
            refuse(*limited, why=f"works only with {', '.join(formats)}, not with {format_}")


def refuse_all_but(*names: str, why: str) -> None:
    """Refuse every option that was typed, except the common ones and those named by parameter."""
    refuse(*typed_options().keys() - {*names, *COMMON}, why=why)
