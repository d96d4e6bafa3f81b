"""The errors that cavalcade raises. Each message is one line: what was wrong and what was expected."""

from __future__ import annotations

import operator
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


class CavalcadeError(ValueError):
    """The input is invalid; base class of the package's errors.

    Examples:
        >>> try:
        ...     tour("8x")
        ... except CavalcadeError as error:
        ...     print(str(error).partition(":")[0])
        '8x' is not a board
    """


class BoardError(CavalcadeError):
    """A spec, a tuple of sides or a file does not describe a board.

    Examples:
        >>> try:
        ...     board("8y8")
        ... except BoardError:
        ...     print("refused")
        refused
    """


class PieceError(CavalcadeError):
    """A spec does not describe a piece, or the piece does not fit the board.

    Examples:
        >>> try:
        ...     tour("8x8", piece="kniht")
        ... except PieceError:
        ...     print("refused")
        refused
    """


class CellError(CavalcadeError):
    """A given cell, step or move does not exist.

    Examples:
        >>> try:
        ...     tour("8x8", start="z9")
        ... except CellError:
        ...     print("refused")
        refused
    """


class GraphError(CavalcadeError):
    """Arrays, edges or a file do not describe a simple graph.

    Examples:
        >>> try:
        ...     move_graph([(1, 1)])
        ... except GraphError:
        ...     print("refused")
        refused
    """


class FormatError(CavalcadeError):
    """A file cannot be read or written, or the format is unknown.

    Examples:
        >>> try:
        ...     write(tour("6x6").tour, "doc")
        ... except FormatError:
        ...     print("refused")
        refused
    """


class TooLargeError(CavalcadeError):
    """The work exceeds a limit of memory or time.

    Examples:
        >>> try:
        ...     count("12x12", memory="1M")
        ... except TooLargeError:
        ...     print("refused")
        refused
    """


class MissingExtraError(CavalcadeError, ImportError):
    """An optional library is not installed; the message has the command that installs it.

    Args:
        library: name of the missing library.
        extra: the extra of `pyproject.toml` that has it.
        otherwise: the rest of the message.

    Examples:
        >>> print(MissingExtraError("pandas", "pandas"))  # doctest: +ELLIPSIS
        pandas (extra pandas) is not installed: ... -m pip install pandas
    """

    def __init__(self, library: str, extra: str, otherwise: str = "") -> None:
        import shlex

        command = f"{shlex.quote(sys.executable or 'python')} -m pip install {packages_of(extra)}"
        super().__init__(f"{library} (extra {extra}) is not installed: {command}{otherwise}")


def optional(module: str, extra: str, called: str = "", otherwise: str = "") -> Any:
    """Import a module of an optional library.

    Args:
        module: name of the module.
        extra: name of the extra that installs it.
        called: name of the library, if it is not that of the module.
        otherwise: rest of the message.

    Raises:
        MissingExtraError: the library is not installed.
    """
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(called or module, extra, otherwise) from None


def packages_of(extra: str) -> str:
    """The packages of an extra, as arguments of `pip install`."""
    import re
    from importlib.metadata import PackageNotFoundError, requires

    try:
        lines = [line for line in requires("cavalcade") or () if re.search(rf"extra == .{extra}.$", line)]
    except PackageNotFoundError:  # run from source, not installed
        lines = []
    return " ".join(re.split(r"[^\w.-]", line)[0] for line in lines) or f"'cavalcade[{extra}]'"


def whole(value: Any, name: str, least: int = 0) -> int:
    """Validate an integer argument that is at least `least`.

    Raises:
        CavalcadeError: it is no such integer.
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise CavalcadeError(f"{name} is {value!r}, expected a whole number from {least} on")
    return number


def seconds_of(value: Any, name: str = "time_limit") -> float:
    """Validate a number of seconds that is at least 0; infinity means no limit.

    Raises:
        CavalcadeError: it is no such number.
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


def optional_boolean(value: Any, name: str) -> bool | None:
    """Validate an argument that must be `True`, `False` or None, as `boolean`."""
    return None if value is None else boolean(value, name)


def bytes_of(value: Any, name: str = "memory") -> int:
    """Read an amount of memory: a number of bytes, or text such as "500M" or "4G", in powers of 1,024.

    Raises:
        CavalcadeError: the argument is not an amount of memory.
    """
    if not isinstance(value, str):
        return whole(value, name)
    import re

    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?", value.strip(), re.IGNORECASE)
    if match is None:
        raise CavalcadeError(f"{name} is {value!r}, expected an amount of memory: try 500M or 4G")
    return int(min(float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " "), sys.maxsize))
