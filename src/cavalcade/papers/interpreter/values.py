"""Values of SAS variables, their conversions and comparisons, and functions of the DATA step.

A missing number is NaN. It is less than any number, and a sum with it is missing.
"""

from __future__ import annotations

import math
import operator
import re
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

Value: TypeAlias = float | str
Row: TypeAlias = dict[str, Value]

MISSING = math.nan
#: Lengths of texts where no statement declares one: of a number as text (BEST12.), of a text that INPUT
#: reads, and of the results of functions.
LENGTHS = {"number": 12, "input": 8, "cats": 200, "catx": 200}
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "gt": operator.gt,
    "le": operator.le,
    "ge": operator.ge,
}


def missing(value: Value) -> bool:
    """Whether a value is a missing number; a number beyond the largest one is missing too."""
    return isinstance(value, float) and not math.isfinite(value)


def formatted(value: Value, width: int = LENGTHS["number"]) -> str:
    """Format a number by BESTw. without blanks; return a text without trailing blanks."""
    if isinstance(value, str):
        return value.rstrip()
    if missing(value):
        return "."
    for digits in range(width, 0, -1):
        text = re.sub(r"e\+?(-?)0*", r"E\1", f"{value:.{digits}g}")
        if len(text) <= width:
            return text
    return "*" * width


def number(value: Value) -> float:
    """Convert a value to a number; a text that is not a number becomes missing."""
    if isinstance(value, str):
        return (
            float(value) if re.fullmatch(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", value) else MISSING
        )
    return value


def as_text(value: Value) -> str:
    """Convert a value to text: numbers by BEST12., right-aligned."""
    return value if isinstance(value, str) else formatted(value).rjust(LENGTHS["number"])


def comparison(word: str, lhs: Value, rhs: Value) -> float:
    """Evaluate a comparison to 1 or 0."""
    if isinstance(lhs, str) and isinstance(rhs, str):
        return float(COMPARE[word](lhs.rstrip(), rhs.rstrip()))
    first, second = (-math.inf if missing(number(side)) else number(side) for side in (lhs, rhs))
    return float(COMPARE[word](first, second))


def true(value: Value) -> bool:
    """Whether a condition holds: neither 0 nor missing."""
    return not missing(value := number(value)) and value != 0


def quotient(dividend: Value, divisor: Value) -> float:
    """Divide; the quotient by zero is missing."""
    return number(dividend) / number(divisor) if number(divisor) else MISSING


def modulo(dividend: Value, divisor: Value) -> float:
    """Return the remainder with the sign of the dividend; missing for the divisor 0."""
    if missing(number(dividend)) or not true(divisor):
        return MISSING
    return math.fmod(number(dividend), number(divisor))


def power(base: Value, exponent: Value) -> float:
    """Raise to a power; missing if it is not a real number."""
    try:
        result = number(base) ** number(exponent)
    except (OverflowError, ZeroDivisionError):
        return MISSING
    return float(result) if isinstance(result, float) else MISSING


def present(values: tuple[Value, ...]) -> list[float]:
    """Return the numbers that are not missing."""
    return [number(value) for value in values if not missing(number(value))]


def whole(rounding: Callable[[float], int]) -> Callable[[Value], float]:
    """Return a function that rounds to a whole number and keeps missing values."""
    return lambda value: MISSING if missing(number(value)) else float(rounding(number(value)))


#: Functions of the DATA step with a number as the result.
NUMERIC: dict[str, Callable[..., float]] = {
    "abs": lambda value: abs(number(value)),
    "ceil": whole(math.ceil),
    "floor": whole(math.floor),
    "int": whole(math.trunc),
    "max": lambda *values: max(present(values), default=MISSING),
    "min": lambda *values: min(present(values), default=MISSING),
    "mod": modulo,
    "n": lambda *values: float(len(present(values))),
    "nmiss": lambda *values: float(len(values) - len(present(values))),
    "sqrt": lambda value: math.sqrt(number(value)) if number(value) >= 0 else MISSING,
    "sum": lambda *values: sum(present(values)) if present(values) else MISSING,
}
#: Functions with a text as the result.
TEXT: dict[str, Callable[..., str]] = {
    "cats": lambda *values: "".join(formatted(value).strip() for value in values),
    "catx": lambda between, *values: str(between).join(
        formatted(value).strip() for value in values if formatted(value).strip()
    ),
    "compress": lambda value: as_text(value).replace(" ", ""),
    "left": lambda value: as_text(value).lstrip().ljust(len(as_text(value))),
    "strip": lambda value: as_text(value).strip(),
    "trim": lambda value: as_text(value).rstrip() or " ",
}
