"""Late-bound functions of higher layers: pictures, measures, files.

A tour has a picture, and a board can be read from a path, but neither `answers` nor `question` may import
the modules that draw or read. The package's `__init__`, which is loaded before any of its modules, registers
these functions as `"module:function"`, and `above` imports one on its first use.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

_homes: dict[str, str] = {}


def register(homes: Mapping[str, str]) -> None:
    """Register functions by name, such as `{"svg": "cavalcade.draw.svg:svg"}`."""
    _homes.update(homes)


def above(name: str) -> Callable[..., Any]:
    """A registered function, imported on its first use."""
    module, _, function = _homes[name].partition(":")
    return getattr(import_module(module), function)  # type: ignore[no-any-return]


def shown(self: object) -> str:
    """The HTML that Jupyter and marimo display: a class sets `_repr_html_ = shown`."""
    return str(above("html")(self))
