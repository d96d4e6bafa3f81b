"""Expressions in the templates, ranges and conditions of a family.

Examples: `m`, `7`, `2*n + 1`, `m*n % 2 == 0 and m >= 5`. Names and numbers are evaluated directly; other
expressions are evaluated in the sandbox of Jinja. Only the names of the family are defined, so there are no
functions, filters or attributes. Powers are not supported.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from cavalcade.ground.errors import CavalcadeError, MissingExtraError, optional

Value = int | str

NUMBER = re.compile(r"-?\d{1,18}")
NAME = re.compile(r"[A-Za-z_]\w*")
QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
LONGEST = 1000  # characters of an expression: protects the parser
WORDS = {"and", "or", "not"}
ON_NUMBERS = {"*": operator.mul, "%": operator.mod, "//": operator.floordiv}


def names_in(text: str) -> set[str]:
    """Return the names in an expression."""
    return set(NAME.findall(QUOTED.sub("", text))) - WORDS


def assert_known(names: set[str], values: Mapping[str, object], text: str, lack: str = "range") -> None:
    """Raise CavalcadeError if a name in a text is unknown; `lack` is what the name does not have."""
    if unknown := sorted(names - values.keys()):
        listed = ", ".join(values) or "none"
        raise CavalcadeError(f"{unknown[0]!r} in {text[:60]!r} has no {lack}, known names: {listed}")


def evaluate(text: str, values: Mapping[str, Value]) -> Value:
    """Evaluate an expression; a condition evaluates to 1 or 0.

    Raises:
        CavalcadeError: the text is not an expression, or has no value.
        MissingExtraError: the expression is not a name or a number, and Jinja is not installed.
    """
    text = text.strip()
    if text in values:
        return values[text]
    if NUMBER.fullmatch(text):
        return int(text)
    assert_known(names_in(text), values, text, "value")
    try:
        return operator.index(_compiled(text)(**values))
    except MissingExtraError:
        raise
    except ZeroDivisionError:
        raise CavalcadeError(f"{text[:60]!r} divides by zero") from None
    except Exception:  # noqa: BLE001 - Jinja defines its own errors, and is imported only here
        expected = "expected whole numbers and names with + - * // % and comparisons"
        raise CavalcadeError(f"{text[:60]!r} is not an expression, {expected}") from None


@cache
def _compiled(text: str) -> Callable[..., Any]:
    """Compile an expression into a function of its names."""
    jinja = optional("jinja2.sandbox", "survey", "jinja2", "; or use names and numbers alone")
    sandbox = jinja.ImmutableSandboxedEnvironment()
    if len(text) > LONGEST:
        raise ValueError(f"{len(text)} characters")
    sandbox.intercepted_binops = frozenset({*ON_NUMBERS, "**"})
    sandbox.call_binop = _on_numbers
    function: Callable[..., Any] = sandbox.compile_expression(text, undefined_to_none=False)
    return function


def _on_numbers(_: object, sign: str, first: object, second: object) -> int:
    """Apply an operator to integers only: `*` and `%` on words can produce huge results."""
    return int(ON_NUMBERS[sign](operator.index(first), operator.index(second)))  # type: ignore[arg-type] # or it raises
