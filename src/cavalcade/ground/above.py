"""What rooms below hand out of rooms above: pictures, measures, files.

A tour has a picture and a board can be read from a path, but neither `answers` nor `question` imports what
draws or reads. The face of the package, which is loaded before any of its modules, registers those functions
as `"module:function"`, and `above` loads one when it is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

_homes: dict[str, str] = {}


def register(homes: Mapping[str, str]) -> None:
    """Say where functions are, such as `{"svg": "cavalcade.draw.svg:svg"}`."""
    _homes.update(homes)


def above(name: str) -> Callable[..., Any]:
    """A registered function, imported when it is first wanted."""
    module, _, function = _homes[name].partition(":")
    return getattr(import_module(module), function)  # type: ignore[no-any-return]


def shown(self: object) -> str:
    """The HTML that Jupyter and marimo show: a class says `_repr_html_ = shown`."""
    return str(above("html")(self))
