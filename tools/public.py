"""Write down what is public in this version: docs/versions/0.2-python.txt and 0.2-commands.txt.

docs/policy.md says what the lists are for. A list only grows: this program refuses to write one from which a
name is gone, or a parameter, unless a list calls it deprecated. Griffe compares.
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
    """The public names as a stub: functions, classes and what they have, and the errors."""
    parts = [_stub(name, getattr(cavalcade, name)) for name in cavalcade.__all__]
    below = [one for one in vars(errors).values() if inspect.isclass(one) and issubclass(one, Exception)]
    parts += [
        f"class {one.__name__}({one.__base__.__name__}): ..."
        for one in below
        if one is not cavalcade.CavalcadeError and one.__base__
    ]
    return "\n".join([HEAD.format(VERSION), *parts]) + "\n"


def _stub(name: str, item: object) -> str:
    if inspect.isclass(item):
        bases = [one.__name__ for one in item.__bases__ if one is not object]
        head = f"class {name}{'(' * bool(bases)}{', '.join(bases)}{')' * bool(bases)}:"
        return "\n".join([head, *(f"    {line}" for line in _members(item) or ["..."])])
    if callable(item):
        return "\n".join(_function(name, item))
    return f"{name} = {item!r}" if isinstance(item, cavalcade.Piece) else f"{name}: object"


def _members(made: type) -> list[str]:
    lines: list[str] = []
    if made is not cavalcade.CavalcadeError and "__init__" in vars(made):
        lines += _function("__init__", vars(made)["__init__"], itself=True)
    fields = getattr(made, "__dataclass_fields__", {})
    lines += [f"{name}: object" for name in sorted(fields) if not name.startswith("_")]
    for name, one in sorted(vars(made).items()):
        if name.startswith("_") or name in fields:
            continue
        if isinstance(one, classmethod | staticmethod):
            lines += [f"@{type(one).__name__}", *_function(name, one.__func__, itself=True)]
        elif inspect.isfunction(one):
            lines += _function(name, one, itself=True)
        else:
            lines.append(f"{name}: object")
    return lines


def _function(name: str, item: Any, *, itself: bool = False) -> list[str]:
    """A function as a stub: the names of its parameters, and which have a default."""
    found = reference.parameters(item).values()
    shown = [one.replace(default=one.empty if one.default is one.empty else ...) for one in found]
    kinds = [one.kind for one in shown]
    if inspect.Parameter.VAR_KEYWORD in kinds:  # the words of a question stand before it
        shown.sort(key=lambda one: one.kind)
    written = str(inspect.Signature(shown)).replace("Ellipsis", "...")
    text = inspect.getdoc(item) or ""
    gone = re.search(r"^Deprecated since .*", text, re.MULTILINE)
    head = [f"@deprecated({gone[0]!r})"] if gone and not (itself and name == "__init__") else []
    return [*head, f"def {name}{written}: ..."]


def commands() -> list[str]:
    """The commands, each with its options."""
    return sorted(line for name in COMMANDS for line in _command(name))


def _command(name: str) -> Iterator[str]:
    found = cast("click.Command", group.get_command(click.Context(group), name))
    yield name
    for one in found.params:
        if isinstance(one, click.Option):
            words = (*one.opts, *one.secondary_opts)
            yield from (f"{name} {word}{' deprecated' * one.hidden}" for word in words)


def gone(before: str, now: str, lists: Iterable[str] = ()) -> list[str]:
    """What a program written for one stub would miss in another, each in a line.

    What the stub, or another one, calls deprecated may go.
    """
    old, new = _read(before), _read(now)
    marked = {one for text in (before, *lists) for one in _deprecated(_read(text))}
    broken = [one for one in griffe.find_breaking_changes(old, new) if one.obj.path not in marked]
    lines = [one.explain(griffe.ExplanationStyle.ONE_LINE).partition(": ")[2] for one in broken]
    return [COLOUR.sub("", line) for line in lines]


def _read(stub: str) -> griffe.Module:
    return griffe.visit("cavalcade", Path("cavalcade.pyi"), stub)


def _deprecated(item: griffe.Object | griffe.Alias) -> Iterator[str]:
    """The paths of what bears that mark."""
    for one in item.members.values():
        if isinstance(one, griffe.Function) and any("deprecated" in str(it.value) for it in one.decorators):
            yield one.path
        yield from _deprecated(one)


def lists() -> dict[str, str]:
    """Both lists of this version, by the names of their files."""
    return {
        f"{VERSION}-python.txt": python(),
        f"{VERSION}-commands.txt": "".join(f"{one}\n" for one in commands()),
    }


def lost() -> list[str]:
    """What a list of some version has, and this version has not."""
    stubs = [file.read_text("utf-8") for file in LISTS.glob("*-python.txt")]
    found = {line for stub in stubs for line in gone(stub, python(), stubs)}
    words = {one for file in LISTS.glob("*-commands.txt") for one in file.read_text("utf-8").splitlines()}
    known = {one.removesuffix(" deprecated") for one in [*words, *commands()] if one.endswith(" deprecated")}
    known |= {*commands()}
    return sorted(found | {f"cavalcade {one.removesuffix(' deprecated')}: removed" for one in words - known})


def write() -> None:
    """Write the lists of this version, unless something public would be gone."""
    if missing := lost():
        sys.exit("\n".join([*missing, "gone: docs/policy.md says how a name is removed"]))
    for name, text in lists().items():
        (LISTS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
