"""The errors cavalcade raises. Each message is one line: what was given, what was expected."""

from __future__ import annotations

import operator
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class CavalcadeError(ValueError):
    """Bad input. The base class of all errors here.

    Examples:
        >>> try:
        ...     tour("8x")
        ... except CavalcadeError as error:
        ...     print(str(error).partition(":")[0])
        '8x' is not a board
    """


class BoardError(CavalcadeError):
    """A spec, sides or a file that do not describe a board."""


class PieceError(CavalcadeError):
    """A spec that does not describe a piece, or a piece that does not fit its board."""


class CellError(CavalcadeError):
    """A name or a number that is not a cell of the board."""


class GraphError(CavalcadeError):
    """Arrays, edges or a file that do not describe a simple undirected graph."""


class FormatError(CavalcadeError):
    """A file that cannot be read or written, or an unknown format."""


class TooLargeError(CavalcadeError):
    """Work that does not fit into its memory or its time."""


class MissingExtraError(CavalcadeError, ImportError):
    """An optional library is not installed; the message names the extra that installs it.

    Args:
        library: what is missing.
        extra: the extra of `pyproject.toml` that has it.
        otherwise: the rest of the message.
    """

    def __init__(self, library: str, extra: str, otherwise: str = "") -> None:
        super().__init__(f"{library} is not installed: pip install {packages_of(extra)}{otherwise}")


def optional(module: str, extra: str, called: str = "", otherwise: str = "") -> Any:
    """A module of an optional library.

    Args:
        module: its name.
        extra: as for `MissingExtraError`, like the rest.
        called: the library, if not by the name of the module.
        otherwise: the rest of the message.

    Raises:
        MissingExtraError: it is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(called or module, extra, otherwise) from None


def packages_of(extra: str) -> str:
    """What `pip install` takes for an extra: its packages, which are there wherever this one came from."""
    import re
    from importlib.metadata import PackageNotFoundError, requires

    try:
        wanted = [one for one in requires("cavalcade") or () if re.search(rf"extra == .{extra}.$", one)]
    except PackageNotFoundError:  # the source, not installed
        wanted = []
    return " ".join(re.split(r"[^\w.-]", one)[0] for one in wanted) or f"'cavalcade[{extra}]'"


def whole(value: Any, name: str, least: int = 0) -> int:
    """An argument that must be a whole number, at least `least`.

    Raises:
        CavalcadeError: it is not.
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise CavalcadeError(f"{name} is {value!r}, expected a whole number from {least} on")
    return number


def seconds_of(value: Any, name: str = "time_limit") -> float:
    """An argument that must be a number of seconds, at least 0; infinity is no limit.

    Raises:
        CavalcadeError: it is not.
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not number >= 0:
        raise CavalcadeError(f"{name} is {value!r}, expected seconds")
    return number


def boolean(value: Any, name: str) -> bool:
    """Validate an argument that must be `True` or `False`, also of NumPy.

    Raises:
        CavalcadeError: the argument is of another type, such as the text "no", which Python takes for true.
    """
    if type(value) is not bool and type(value).__name__ not in {"bool_", "bool"}:  # bool_ before NumPy 2
        raise CavalcadeError(f"{name} is {value!r}, expected True or False")
    return bool(value)
