"""What TSPLIB files have in common: fields, `KEY : value`, and sections of integers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from cavalcade.formats.header import line_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

Lines = list[tuple[int, str]]
Field = tuple[str, str, int, str]
FIELD = re.compile(r"\s*([A-Za-z_]+)\s*:\s*(.*?)\s*")
NUMBER = re.compile(r"-?[0-9]{1,10}")


def split_sections(text: str) -> tuple[list[Field], dict[str, Lines], bool]:
    """The fields (key, value, line number, line), the lines of each section, and whether EOF was there.

    Raises:
        FormatError: a line is neither a field nor in a section, or a field occurs twice.
    """
    fields: list[Field] = []
    sections: dict[str, Lines] = {}
    lines: Lines | None = None
    for number, line in enumerate(text.splitlines(), 1):
        word = line.strip()
        if not word or word[0] in "-0123456789":
            if lines is not None:
                lines.append((number, line))
            elif word:
                raise line_error(number, line, "expected a field like TYPE : TOUR, or a section")
        elif word == "EOF":
            return fields, sections, True
        elif match := FIELD.fullmatch(line):
            key = match[1].upper()
            if match[2] or not key.endswith("_SECTION"):
                if key != "COMMENT" and key in {field[0] for field in fields}:
                    raise line_error(number, line, f"{key} occurs twice, expected one tour or graph per file")
                fields.append((key, match[2], number, line))
            else:
                lines = sections.setdefault(key, [])
        elif word.upper().endswith("_SECTION"):
            lines = sections.setdefault(word.upper(), [])
        else:
            raise line_error(number, line, "expected a number, a field like TYPE : TOUR, a section or EOF")
    return fields, sections, False


def numbers_after(lines: Lines) -> tuple[NDArray[np.int64], Callable[[int], tuple[int, str]]]:
    """The integers in these lines, and a function from the position of one to its line.

    Raises:
        FormatError: a line has something else.
    """
    rows = [line.split() for _, line in lines]

    def where(index: int) -> tuple[int, str]:
        ends = np.cumsum([len(row) for row in rows])
        return lines[int(np.searchsorted(ends, index, side="right"))]

    try:  # int() would read 1_0 as 10, but not 1?0
        numbers = np.array([int(token.replace("_", "?")) for row in rows for token in row], dtype=np.int64)
    except (ValueError, OverflowError):
        numbers = None
    if numbers is None or (numbers.size and np.abs(numbers).max() >= 2**31):
        whole = [all(NUMBER.fullmatch(end) and abs(int(end)) < 2**31 for end in row) for row in rows]
        raise line_error(*lines[whole.index(False)], "expected whole numbers")
    return numbers, where
