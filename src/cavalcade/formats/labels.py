"""Labels as fields of a table: a spreadsheet would run a field that begins with =, +, - or @ as a formula.

Such a field is written with an apostrophe in front, which spreadsheets show as text. A label that begins with
apostrophes and such a sign gets one more, so that every label can be read back. Numbers stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

FORMULA = re.compile(r"'*[=+\-@\t\r]")
NUMBER = re.compile(r"[-+]?[0-9]+(\.[0-9]+)?")


def field_of(label: str) -> str:
    """Return the field for a label."""
    return f"'{label}" if FORMULA.match(label) and not NUMBER.fullmatch(label) else label


def label_of(field: str) -> str:
    """Return the label of a field that `field_of` made."""
    return field[1:] if field.startswith("'") and FORMULA.match(field) else field


def labels_of(fields: Sequence[str]) -> list[str]:
    """Return the labels of all fields of a table.

    A table in which a field begins like a formula comes from another program: then no apostrophe is removed,
    so that different fields stay different labels.
    """
    labels = [label_of(field) for field in fields]
    return labels if [field_of(label) for label in labels] == [*fields] else [*fields]


def texts_of(row: Mapping[Any, Any], convert: Callable[[str], str]) -> dict[Any, Any]:
    """Apply `field_of` or `label_of` to the texts of a row, and to no other values."""
    return {name: convert(value) if isinstance(value, str) else value for name, value in row.items()}
