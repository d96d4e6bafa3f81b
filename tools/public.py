"""Write the lists of public names of this version: docs/versions/0.2-python.txt, -commands.txt, -json.txt.

docs/policy.md explains the purpose of the lists. A list only grows: this program refuses to write a list
without an earlier name or parameter, unless a list marks it as deprecated. Griffe compares the lists.
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click
import griffe

import cavalcade
from cavalcade.cli import COMMANDS, group
from cavalcade.cli.schemas import OBJECTS, schema_of
from cavalcade.ground import errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

sys.path.append(str(Path(__file__).parent))

import reference

LISTS = Path(__file__).parent.parent / "docs" / "versions"
VERSION = ".".join(cavalcade.__version__.split(".")[:2])
COLOUR = re.compile("\x1b\\[[0-9]+m")
HEAD = '"""What is public in cavalcade {}, in Python. Written by tools/public.py."""\n'


def python() -> str:
    """Return the public names as a stub: functions, classes with their members, and errors."""
    parts = [_stub(name, getattr(cavalcade, name)) for name in cavalcade.__all__]
    error_classes = [
        error_class
        for error_class in vars(errors).values()
        if inspect.isclass(error_class) and issubclass(error_class, Exception)
    ]
    parts += [
        f"class {error_class.__name__}({error_class.__base__.__name__}): ..."
        for error_class in error_classes
        if error_class.__name__ not in cavalcade.__all__ and error_class.__base__
    ]
    return "\n".join([HEAD.format(VERSION), *parts]) + "\n"


def _stub(name: str, item: object) -> str:
    if inspect.isclass(item):
        bases = [base.__name__ for base in item.__bases__ if base is not object and not _is_private(base)]
        head = f"class {name}{'(' * bool(bases)}{', '.join(bases)}{')' * bool(bases)}:"
        return "\n".join([head, *(f"    {line}" for line in _members(item) or ["..."])])
    if callable(item):
        return "\n".join(_function(name, item))
    return f"{name} = {item!r}" if isinstance(item, cavalcade.Piece) else f"{name}: object"


def _is_private(base: type) -> bool:
    """Return whether a class is one of cavalcade, but not public: its members are those of public classes."""
    return base.__module__.startswith("cavalcade.") and base.__name__ not in {
        *cavalcade.__all__,
        *vars(errors),
    }


def _members(public_class: type) -> list[str]:
    lines: list[str] = []
    inherited = [vars(base) for base in public_class.__mro__[:0:-1] if _is_private(base)]
    members = {name: member for names in [*inherited, vars(public_class)] for name, member in names.items()}
    if public_class is not cavalcade.CavalcadeError and "__init__" in vars(public_class):
        lines += _function("__init__", vars(public_class)["__init__"], is_method=True)
    fields = getattr(public_class, "__dataclass_fields__", {})
    lines += [f"{name}: object" for name in sorted(fields) if not name.startswith("_")]
    for name, member in sorted(members.items()):
        if name.startswith("_") or name in fields:
            continue
        if isinstance(member, classmethod | staticmethod):
            lines += [f"@{type(member).__name__}", *_function(name, member.__func__, is_method=True)]
        elif inspect.isfunction(member):
            lines += _function(name, member, is_method=True)
        else:
            lines.append(f"{name}: object")
    return lines


def _function(name: str, item: Any, *, is_method: bool = False) -> list[str]:
    """Return the stub of a function: the names of its parameters, and which have a default."""
    signature = reference.parameters(item).values()
    shown = [
        parameter.replace(default=parameter.empty if parameter.default is parameter.empty else ...)
        for parameter in signature
    ]
    kinds = [parameter.kind for parameter in shown]
    if inspect.Parameter.VAR_KEYWORD in kinds:  # parameters from a question precede `**words`
        shown.sort(key=lambda parameter: parameter.kind)
    written = str(inspect.Signature(shown)).replace("Ellipsis", "...")
    text = inspect.getdoc(item) or ""
    notice = re.search(r"^Deprecated since .*", text, re.MULTILINE)
    head = [f"@deprecated({notice[0]!r})"] if notice and not (is_method and name == "__init__") else []
    return [*head, f"def {name}{written}: ..."]


def commands() -> list[str]:
    """Return the commands, each followed by its options."""
    return sorted(line for name in COMMANDS for line in _command(name))


def _command(name: str) -> Iterator[str]:
    subcommand = cast("click.Command", group.get_command(click.Context(group), name))
    yield name
    for parameter in subcommand.params:
        if isinstance(parameter, click.Option):
            words = (*parameter.opts, *parameter.secondary_opts)
            yield from (f"{name} {word}{' deprecated' * parameter.hidden}" for word in words)


def fields() -> list[str]:
    """Return the fields of the objects that commands print with --json, each after its command."""
    return sorted(
        {f"{name} {path}" for name in OBJECTS for part in schema_of(name)["anyOf"] for path in _fields(part)}
    )


def _fields(schema: dict[str, Any], path: str = "") -> Iterator[str]:
    """Yield the paths of the fields in a schema, such as `symmetry.fixed[].name`."""
    for name, values in schema.get("properties", {}).items():
        yield f"{path}{name}"
        yield from _fields(values, f"{path}{name}.")
    if "items" in schema:
        yield from _fields(schema["items"], f"{path[:-1]}[].")


def gone(old_stub: str, new_stub: str, stubs: Iterable[str] = ()) -> list[str]:
    """Return the incompatible changes from one stub to another, one per line.

    Args:
        old_stub: the earlier stub.
        new_stub: the later stub.
        stubs: further stubs; a name may be removed if any stub marks it as deprecated.
    """
    old, new = _read(old_stub), _read(new_stub)
    marked = {path for text in (old_stub, *stubs) for path in _deprecated(_read(text))}
    broken = [change for change in griffe.find_breaking_changes(old, new) if change.obj.path not in marked]
    lines = [change.explain(griffe.ExplanationStyle.ONE_LINE).partition(": ")[2] for change in broken]
    return [COLOUR.sub("", line) for line in lines]


def _read(stub: str) -> griffe.Module:
    return griffe.visit("cavalcade", Path("cavalcade.pyi"), stub)


def _deprecated(item: griffe.Object | griffe.Alias) -> Iterator[str]:
    """Yield the paths of the functions that are marked as deprecated."""
    for member in item.members.values():
        if isinstance(member, griffe.Function) and any(
            "deprecated" in str(decorator.value) for decorator in member.decorators
        ):
            yield member.path
        yield from _deprecated(member)


def lists() -> dict[str, str]:
    """Return both lists of this version by file name."""
    return {
        f"{VERSION}-python.txt": python(),
        f"{VERSION}-commands.txt": "".join(f"{line}\n" for line in commands()),
        f"{VERSION}-json.txt": "".join(f"{line}\n" for line in fields()),
    }


def lost() -> list[str]:
    """Return the public names of earlier versions that this version lacks."""
    stubs = [file.read_text("utf-8") for file in LISTS.glob("*-python.txt")]
    lines = {line for stub in stubs for line in gone(stub, python(), stubs)}
    words = {name for file in LISTS.glob("*-commands.txt") for name in file.read_text("utf-8").splitlines()}
    current = {
        name.removesuffix(" deprecated") for name in [*words, *commands()] if name.endswith(" deprecated")
    }
    current |= {*commands()}
    words |= {line for file in LISTS.glob("*-json.txt") for line in file.read_text("utf-8").splitlines()}
    current |= {*fields()}
    return sorted(
        lines | {f"cavalcade {name.removesuffix(' deprecated')}: removed" for name in words - current}
    )


def write() -> None:
    """Write the lists of this version, unless a public name would be removed."""
    if missing := lost():
        sys.exit("\n".join([*missing, "gone: docs/policy.md says how a name is removed"]))
    for name, text in lists().items():
        (LISTS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
